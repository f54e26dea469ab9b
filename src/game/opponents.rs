//! The opponents as a player sees them, and the foundations that they share.

use crate::cards::{Card, Pack, Rank, Suit};

use super::table::Table;

/// The players around a table, as each of them sees the others. All play the same rules.
#[derive(Clone, Default)]
pub struct Opponents {
    /// The seat of the player who is looking, from 0.
    pub seat: usize,
    /// The shared foundations, if the rules have them.
    pub shared: Option<SharedFoundations>,
    /// All tables, by seat. A [`View`](super::View) decides what can be seen of them.
    pub(super) tables: Vec<Table>,
    /// All scores so far, by seat, including the current value of the deal in progress.
    pub scores: Vec<i64>,
}

impl Opponents {
    /// Creates this many players with undealt tables.
    pub fn new(seats: usize) -> Opponents {
        Opponents { seat: 0, shared: None, tables: vec![Table::BARE; seats], scores: vec![0; seats] }
    }

    /// Returns the number of players.
    pub fn seats(&self) -> usize {
        self.tables.len()
    }

    /// Updates a player's table.
    pub fn show(&mut self, seat: usize, table: &Table) {
        self.tables[seat] = *table;
    }

    /// Copies other opponents, without allocating if possible.
    pub(super) fn copy_from(&mut self, other: &Opponents) {
        (self.seat, self.shared) = (other.seat, other.shared);
        self.tables.clone_from(&other.tables);
        self.scores.clone_from(&other.scores);
    }
}

/// Maximum number of players around one table.
pub const MOST_SEATS: usize = 8;

/// Foundations that all players build on: as many of each suit as there are players, since each player's base cards
/// start their own. Foundation `suit + 4 * k` is the k-th of its suit.
#[derive(Clone, Copy, Debug)]
pub struct SharedFoundations {
    base: Rank,
    pack: Pack,
    players: usize,
    heights: [u8; 4 * MOST_SEATS],
    /// The seat that put up each card, by foundation and by steps above the base rank.
    owners: [[u8; 13]; 4 * MOST_SEATS],
}

impl SharedFoundations {
    /// Creates empty foundations for this many players, at most [`MOST_SEATS`].
    pub fn new((base, pack): (Rank, Pack), players: usize) -> SharedFoundations {
        let (players, heights) = (players.min(MOST_SEATS), [0; 4 * MOST_SEATS]);
        SharedFoundations { base, pack, players, heights, owners: [[0; 13]; 4 * MOST_SEATS] }
    }

    /// Returns the number of cards on each foundation of a suit.
    pub fn heights(&self, suit: Suit) -> impl Iterator<Item = usize> + '_ {
        self.heights.iter().skip(suit.index()).step_by(4).take(self.players).map(|&height| height as usize)
    }

    /// Returns the number of cards on all foundations.
    pub fn cards(&self) -> usize {
        self.heights.iter().map(|&height| height as usize).sum()
    }

    /// Returns the seats that put up the cards of a foundation, lowest first.
    pub fn owners(&self, foundation: usize) -> &[u8] {
        &self.owners[foundation][..self.heights[foundation] as usize]
    }

    /// Returns the rank and suit of the card at a height on a foundation.
    pub fn card(&self, foundation: usize, height: usize) -> Card {
        Card::new(self.base.up(height, self.pack), Suit::from_index(foundation & 3))
    }

    /// Returns the foundation that takes a card in this position: the lowest-numbered one of its suit that is ready for
    /// it.
    pub fn takes(&self, card: Card) -> Option<usize> {
        let height = card.rank().steps_above(self.base, self.pack) as u8;
        (0..self.players).map(|k| card.suit().index() + 4 * k).find(|&f| self.heights[f] == height)
    }

    /// Puts up a card of a player. Returns false and changes nothing if no foundation takes it.
    #[must_use]
    pub fn put(&mut self, card: Card, seat: usize) -> bool {
        let Some(foundation) = self.takes(card) else { return false };
        self.owners[foundation][self.heights[foundation] as usize] = seat as u8;
        self.heights[foundation] += 1;
        true
    }

    /// Returns the kinds of cards that are taken in this position, as bits.
    pub(crate) fn wanted(&self) -> u64 {
        let wanted = |f: usize| self.card(f, self.heights[f] as usize).bit();
        let takes = |f: &usize| f & 3 < self.pack.suits.into() && self.heights[*f] < self.pack.ranks;
        (0..4 * self.players).filter(takes).fold(0, |mask, f| mask | wanted(f))
    }
}
