//! A second opinion on the rules: the same games, written plainly and slowly from the table of rules alone, so that the
//! engine can be compared with it move for move.
//!
//! The code is deliberately simple. It shares with the library only the values of a ruleset ([`Spec`]) and the cards of
//! a deck, none of the code that plays.

mod deal;
pub mod ends;
pub mod judge;
mod moves;
mod seen;
mod text;

use saratoga::cards::Card;
use saratoga::game::{Chance, NoChance};
use saratoga::rules::{Build, Direction, Draw, Filler, OnRedeal, Roll, Spec, Wrap};

pub use moves::{PMove, Place};

/// A card: rank 1..13 from the ace, suit 0..3 in the order CDHS, and the pack it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PCard {
    pub rank: u8,
    pub suit: u8,
    pub pack: u8,
}

impl PCard {
    pub fn is_red(self) -> bool {
        self.suit == 1 || self.suit == 2
    }

    pub fn to_card(self) -> Card {
        Card::of_pack(self.pack as usize, (self.rank as usize - 1) * 4 + self.suit as usize)
    }
}

impl From<Card> for PCard {
    fn from(card: Card) -> PCard {
        PCard { rank: card.rank().number() as u8, suit: card.suit().index() as u8, pack: card.pack() as u8 }
    }
}

/// A position. The last card of every list is its top, except that the first card of the stock is the next to be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlainGame {
    pub packs: u8,
    /// Ranks of a suit.
    pub ranks: u8,
    /// The rank every foundation starts with; 0 before it is chosen.
    pub base: u8,
    /// The cards dealt to choose the base card from; none once it is chosen.
    pub offered: Vec<PCard>,
    pub reserves: Vec<Vec<PCard>>,
    /// Each card with whether it is face up.
    pub piles: Vec<Vec<(PCard, bool)>>,
    /// Foundation `suit + 4 * k` is the k-th of its suit.
    pub foundations: Vec<Vec<PCard>>,
    pub stock: Vec<PCard>,
    pub waste: Vec<PCard>,
    pub redeals_used: u32,
    /// From 1.
    pub pass: u32,
    /// Size of the next draw if the stock holds enough; 0 if a die is rolled for each draw.
    pub packet: u8,
}

impl PlainGame {
    fn begin_pass(&mut self, spec: &Spec, chance: &mut dyn Chance) {
        match &spec.stock.draw {
            Draw::ByPass(sizes) => {
                let index = (self.pass as usize - 1).min(sizes.len() - 1);
                self.packet = sizes[index];
            }
            Draw::Die { faces, roll: Roll::Pass } => self.packet = chance.roll(*faces),
            Draw::Die { faces, roll: Roll::Game } => {
                if self.pass == 1 {
                    self.packet = chance.roll(*faces);
                }
            }
            Draw::Die { roll: Roll::Draw, .. } => self.packet = 0,
        }
    }

    /// Draws a packet: card by card, so that the last turned is the top of the waste.
    fn draw(&mut self, spec: &Spec, chance: &mut dyn Chance) {
        let size = match spec.stock.draw {
            Draw::Die { faces, roll: Roll::Draw } => chance.roll(faces),
            _ => self.packet,
        };
        for _ in 0..size {
            if !self.stock.is_empty() {
                let card = self.stock.remove(0);
                self.waste.push(card);
            }
        }
    }

    fn redeal(&mut self, spec: &Spec, chance: &mut dyn Chance) {
        // The card drawn first lies at the bottom of the waste and is the first again.
        let mut cards = std::mem::take(&mut self.waste);
        if spec.stock.on_redeal == OnRedeal::Shuffle {
            let mut order: Vec<Card> = cards.iter().map(|card| card.to_card()).collect();
            chance.shuffle(&mut order);
            // Equal cards of several packs keep their order: nobody can tell which of them comes first.
            for card in order.into_iter().map(PCard::from) {
                let equal = |other: &PCard| (other.rank, other.suit) == (card.rank, card.suit);
                let first = cards.iter().position(equal).expect("a shuffle keeps the cards");
                self.stock.push(cards.remove(first));
            }
        } else {
            self.stock = cards;
        }
        self.redeals_used += 1;
        self.pass += 1;
        self.begin_pass(spec, chance);
    }

    /// Plays a move written in the notation of records.
    ///
    /// # Panics
    /// Panics if it is not legal.
    pub fn play(&mut self, spec: &Spec, text: &str, chance: &mut dyn Chance) {
        let moves = self.moves(spec);
        let Some(&found) = moves.iter().find(|&&m| self.write_move(m) == text) else {
            panic!("`{text}` is not legal; these are: {:?}\n{}", self.legal(spec), self.dump())
        };
        self.apply(spec, found, chance);
    }

    pub fn apply(&mut self, spec: &Spec, m: PMove, chance: &mut dyn Chance) {
        match m {
            PMove::Draw => self.draw(spec, chance),
            PMove::Redeal => self.redeal(spec, chance),
            PMove::Up { from } => {
                let card = self.take(from, 1)[0];
                if self.base == 0 {
                    self.base = card.rank;
                }
                let foundation = self.foundation_for(card).expect("the move is legal");
                self.foundations[foundation].push(card);
                self.tidy_source(spec, from);
            }
            PMove::Lay { from, to, count } => {
                for card in self.take(from, count) {
                    self.piles[to].push((card, true));
                }
                self.tidy_source(spec, from);
            }
        }
    }

    fn take(&mut self, from: Place, count: usize) -> Vec<PCard> {
        let missing = "the move is legal";
        match from {
            Place::Reserve(i) => vec![self.reserves[i].pop().expect(missing)],
            Place::Offered(i) => vec![self.offered.remove(i)],
            Place::Waste => vec![self.waste.pop().expect(missing)],
            Place::Stock => vec![self.stock.remove(0)],
            Place::Foundation(i) => vec![self.foundations[i].pop().expect(missing)],
            Place::Pile(i) => {
                let first = self.piles[i].len() - count;
                self.piles[i].split_off(first).into_iter().map(|(card, _)| card).collect()
            }
        }
    }

    /// Applies the consequences of a move: from a pile, the uncovered card turns up, or the space is filled; from the
    /// cards to choose from, the others become the piles.
    fn tidy_source(&mut self, spec: &Spec, from: Place) {
        if let Place::Offered(_) = from {
            for (pile, card) in std::mem::take(&mut self.offered).into_iter().enumerate() {
                self.piles[pile].push((card, true));
            }
        }
        let Place::Pile(pile) = from else { return };
        if let Some((_, face_up)) = self.piles[pile].last_mut() {
            *face_up = true;
            return;
        }
        for &filler in &spec.spaces.auto {
            let source = match filler {
                Filler::Reserve => self.fullest_reserve().map(Place::Reserve),
                Filler::Waste => (!self.waste.is_empty()).then_some(Place::Waste),
                Filler::Stock => (!self.stock.is_empty()).then_some(Place::Stock),
                Filler::Tableau | Filler::Foundation => panic!("{filler:?} cannot fill spaces by itself"),
            };
            if let Some(source) = source {
                let card = self.take(source, 1)[0];
                self.piles[pile].push((card, true));
                return;
            }
        }
    }

    /// Returns the reserve with the most cards, the lowest-numbered of several; `None` if all are empty.
    fn fullest_reserve(&self) -> Option<usize> {
        let mut best = None;
        let mut most = 0;
        for (i, reserve) in self.reserves.iter().enumerate() {
            if reserve.len() > most {
                best = Some(i);
                most = reserve.len();
            }
        }
        best
    }

    /// Returns the lowest-numbered foundation that takes a card.
    fn foundation_for(&self, card: PCard) -> Option<usize> {
        (0..self.packs as usize).map(|k| card.suit as usize + 4 * k).find(|&i| {
            match self.foundations[i].last() {
                None => card.rank == self.base,
                // A foundation goes once round the ring of ranks.
                Some(top) => {
                    self.foundations[i].len() < usize::from(self.ranks)
                        && card.rank == self.rank_above(top.rank)
                }
            }
        })
    }

    /// Returns how many cards of its suit must go up before one that is not up can.
    pub fn steps(&self, card: PCard) -> usize {
        let steps = |foundation: &Vec<PCard>| {
            let mut next = foundation.last().map_or(self.base, |top| self.rank_above(top.rank));
            // The cards still to go up on this foundation, up to the card.
            for step in 0..usize::from(self.ranks) - foundation.len() {
                if next == card.rank {
                    return Some(step);
                }
                next = self.rank_above(next);
            }
            None
        };
        let of_suit = self.foundations.iter().skip(card.suit as usize).step_by(4);
        of_suit.filter_map(steps).min().expect("not all cards of its kind are up")
    }

    /// Returns whether `upper` may lie on `lower` by the build rule.
    fn fits(&self, spec: &Spec, upper: PCard, lower: PCard) -> bool {
        let suits = match spec.tableau.build {
            Build::AlternateColor => upper.is_red() != lower.is_red(),
            Build::SameSuit => upper.suit == lower.suit,
            Build::SameColor => upper.is_red() == lower.is_red(),
            Build::Any => true,
        };
        // The ring is cut between the rank below `floor` and `floor`.
        let floor = match spec.tableau.wrap {
            Wrap::Full => None,
            Wrap::ToBase => Some(self.base),
            Wrap::None => Some(1),
        };
        let one_step = |low: u8, high: u8| high == self.rank_above(low) && Some(high) != floor;
        let ranks = match spec.tableau.direction {
            Direction::Down => one_step(upper.rank, lower.rank),
            Direction::Up => one_step(lower.rank, upper.rank),
            Direction::Same => upper.rank == lower.rank,
        };
        suits && ranks
    }

    pub fn cards(&self) -> impl Iterator<Item = PCard> + '_ {
        let piles = self.piles.iter().flatten().map(|(card, _)| card);
        let several = self.reserves.iter().chain(&self.foundations).flatten();
        several.chain(piles).chain(&self.offered).chain(&self.stock).chain(&self.waste).copied()
    }

    /// Returns the number of cards on the foundations, including those put up by the deal.
    pub fn cards_on_foundations(&self) -> usize {
        self.foundations.iter().map(Vec::len).sum()
    }

    /// Returns the next rank on the ring: the ace follows the highest.
    fn rank_above(&self, rank: u8) -> u8 {
        if rank == self.ranks { 1 } else { rank + 1 }
    }

    /// Returns the number of foundations that hold a whole suit.
    pub fn complete_suits(&self) -> usize {
        self.foundations.iter().filter(|foundation| foundation.len() == usize::from(self.ranks)).count()
    }
}

/// Counts sequences of exactly `depth` legal moves from a deal; an earlier dead end counts nothing.
pub fn perft(spec: &Spec, deck: &[Card], depth: u32) -> u64 {
    count_leaves(&PlainGame::deal(spec, deck, &mut NoChance), spec, depth)
}

fn count_leaves(game: &PlainGame, spec: &Spec, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    for m in game.moves(spec) {
        let mut after = game.clone();
        after.apply(spec, m, &mut NoChance);
        leaves += count_leaves(&after, spec, depth - 1);
    }
    leaves
}
