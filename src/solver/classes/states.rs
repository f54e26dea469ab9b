//! Classes as what the search goes through.

use crate::game::{Move, Table};

use super::super::heuristic::HeuristicKind;
use super::super::key::Key;
use super::super::search::{Next, States, Try};
use super::concrete;
use super::play::{ClassPlay, From, To};
use super::position::{ClassPosition, Classes, WORDS};

impl States<WORDS> for Classes<'_> {
    type Position = ClassPosition;
    type Play = ClassPlay;
    // Looks at every third position take as long, for fewer positions.
    const GLANCES: usize = 6;
    // Walks decide nearly all such deals. A beam wins some of those that are left, but the walk begins again after it.
    const TRIES: &'static [Try] = &[
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Walk(6_000_000),
        Try::Beam(5_000, HeuristicKind::Order),
    ];

    #[inline(always)]
    fn cards(&self, at: &ClassPosition) -> usize {
        at.layout.up.count_ones() as usize
    }

    fn key(&self, at: &ClassPosition) -> Key<WORDS> {
        let stock = &at.stock;
        self.key_of(&at.layout, self.turning.key(stock.waste, stock.both))
    }

    #[inline]
    fn expand(&mut self, at: &ClassPosition, _: &Key<WORDS>, out: &mut Vec<Next<WORDS, ClassPlay>>) {
        self.list(at, out);
    }

    #[inline(always)]
    fn make(&self, at: &mut ClassPosition, play: &ClassPlay) {
        at.layout = self.after(&at.layout, play);
        if play.from == From::Stock {
            at.stock.take(play.waste);
        }
    }

    #[inline(always)]
    fn goes_up(play: &ClassPlay) -> bool {
        play.to == To::Up
    }

    fn heuristic(&self, at: &ClassPosition, _: HeuristicKind) -> i32 {
        let up = at.layout.up.count_ones() as i32;
        let [tableau, reserve, both] =
            [at.layout.tableau().count_ones() as u8, at.layout.reserve_left, at.stock.both].map(i32::from);
        let face_down = 52 - up - tableau - reserve - both;
        8 * up - 12 * (reserve + face_down)
    }

    #[inline]
    fn falls_short(&mut self, at: &ClassPosition, cards: usize) -> bool {
        self.glances.asks() && {
            let short = self.most(&at.layout) < cards;
            self.glances.told(short)
        }
    }

    fn tell(&self, root: &Table, line: &[ClassPlay]) -> Vec<Move> {
        concrete::tell(self.rules, root, line)
    }
}
