//! Foundations on which several players build.

use crate::cards::{Card, Rank, Suit};

/// Most players around one table.
pub const MOST_SEATS: usize = 8;

/// Foundations that everybody builds on: as many of each suit as there are players, since each
/// player's base cards start their own. Foundation `suit + 4 * k` is the k-th of its suit.
#[derive(Clone, Copy, Debug)]
pub struct SharedFoundations {
    base: Rank,
    players: usize,
    heights: [u8; 4 * MOST_SEATS],
    /// Who put up each card, by foundation and by steps above the base rank.
    owners: [[u8; 13]; 4 * MOST_SEATS],
}

impl SharedFoundations {
    /// Empty foundations for so many players, at most [`MOST_SEATS`].
    pub fn new(base: Rank, players: usize) -> SharedFoundations {
        let players = players.min(MOST_SEATS);
        SharedFoundations { base, players, heights: [0; 4 * MOST_SEATS], owners: [[0; 13]; 4 * MOST_SEATS] }
    }

    /// How many foundations each suit has.
    pub fn of_each_suit(&self) -> usize {
        self.players
    }

    /// Cards on each foundation of a suit.
    pub fn heights(&self, suit: Suit) -> impl Iterator<Item = usize> + '_ {
        self.heights.iter().skip(suit.index()).step_by(4).take(self.players).map(|&height| height as usize)
    }

    /// Cards on all foundations.
    pub fn cards(&self) -> usize {
        self.heights.iter().map(|&height| height as usize).sum()
    }

    /// Who put up the cards of a foundation, the lowest first.
    pub fn owners(&self, foundation: usize) -> &[u8] {
        &self.owners[foundation][..self.heights[foundation] as usize]
    }

    /// The rank and suit of the card that lies `height` cards up on a foundation.
    pub fn card(&self, foundation: usize, height: usize) -> Card {
        Card::new(self.base.up(height), Suit::from_index(foundation & 3))
    }

    /// The foundation that takes a card now: the lowest-numbered of its suit whose turn it is.
    pub fn takes(&self, card: Card) -> Option<usize> {
        let height = card.rank().steps_above(self.base) as u8;
        (0..self.players).map(|k| card.suit().index() + 4 * k).find(|&f| self.heights[f] == height)
    }

    /// Puts up a card of a player. False, and nothing is changed, if no foundation takes it.
    #[must_use]
    pub fn put(&mut self, card: Card, seat: usize) -> bool {
        let Some(foundation) = self.takes(card) else { return false };
        self.owners[foundation][self.heights[foundation] as usize] = seat as u8;
        self.heights[foundation] += 1;
        true
    }

    /// The kinds of cards that are taken now, as bits.
    pub(crate) fn wanted(&self) -> u64 {
        let wanted = |f: usize| self.card(f, self.heights[f] as usize).bit();
        (0..4 * self.players).filter(|&f| self.heights[f] < 13).fold(0, |mask, f| mask | wanted(f))
    }
}
