//! Classes as the states of a search.

use crate::game::{Move, Table};

use super::super::heuristic::HeuristicKind;
use super::super::key::Key;
use super::super::novelty::Facts;
use super::super::search::{Apart, Next, States, Try};
use super::super::transposition_table::LastBits;
use super::concrete;
use super::play::{ClassPlay, From, To};
use super::position::{ClassPosition, Classes, WORDS};

impl States<WORDS> for Classes<'_> {
    type Position = ClassPosition;
    type Play = ClassPlay;
    // Checking every third position takes the same time, for fewer positions.
    const GLANCES: usize = 6;
    // Walks and a width search decide nearly all such deals. A beam wins some of the rest, but the walk starts over
    // after it.
    const TRIES: &'static [Try] = &[
        Try::Walk(10_000),
        Try::Width(HeuristicKind::Order, Apart::Up),
        Try::Proof(100_000),
        Try::Walk(6_000_000),
        Try::Proof(1_000_000),
        Try::Beam(5_000, HeuristicKind::Order),
    ];

    fn facts(key: &Key<WORDS>) -> Facts {
        Facts::of_bits(key)
    }

    fn last_bits(&self) -> LastBits {
        if self.delays {
            LastBits::Pending
        } else if self.in_order {
            LastBits::InOrder
        } else {
            LastBits::Turned
        }
    }

    #[inline(always)]
    fn cards(&self, at: &ClassPosition) -> usize {
        at.layout.up.count_ones() as usize
    }

    fn in_reserves(&self, at: &ClassPosition) -> usize {
        at.layout.in_reserves().into()
    }

    fn key(&self, at: &ClassPosition) -> Key<WORDS> {
        self.key_of(&at.layout, self.last_bits_of(at))
    }

    #[inline]
    fn expand(&mut self, at: &ClassPosition, _: &Key<WORDS>, out: &mut Vec<Next<WORDS, ClassPlay>>) {
        self.list(at, out);
    }

    #[inline(always)]
    fn make(&self, at: &mut ClassPosition, play: &ClassPlay) {
        at.layout = self.after(&at.layout, play);
        match play.from {
            From::Stock => at.stock.take(play.waste, play.redeals),
            From::Unseen => at.stock.take_next(play.waste, play.redeals),
            From::Tableau | From::Reserve(_) | From::Foundation => {}
        }
        at.pending = self.pending(play);
    }

    #[inline(always)]
    fn goes_up(play: &ClassPlay) -> bool {
        play.to == To::Up
    }

    fn heuristic(&self, at: &ClassPosition, _: HeuristicKind) -> i32 {
        let up = at.layout.up.count_ones() as i32;
        let [tableau, reserve, both] =
            [at.layout.tableau().count_ones() as u8, at.layout.in_reserves(), at.stock.both].map(i32::from);
        let face_down = self.rules.hot.cards as i32 - up - tableau - reserve - both;
        8 * up - 12 * (reserve + face_down)
    }

    #[inline]
    fn falls_short(&mut self, at: &ClassPosition, cards: usize) -> bool {
        self.glances.asks() && {
            let short = self.most(at) < cards;
            self.glances.told(short)
        }
    }

    fn is_lost(&self, at: &ClassPosition, most: u64) -> (bool, u64) {
        self.proven_lost(at, most)
    }

    fn tell(&self, root: &Table, line: &[ClassPlay]) -> Vec<Move> {
        concrete::tell(self.told_by, root, line)
    }
}
