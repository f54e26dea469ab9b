//! Proves deals lost by a relaxed game, in which the cards of the stock are lent.
//!
//! Where no reserve is left, most hard deals are lost because of the tableau, whatever the order of the stock. So a card
//! of the stock is here at hand at any time, goes to the tableau when something must lie on it, and is given back at
//! will. Such a position is described by the other cards alone: it exists if enough cards can be lent, each of which
//! lies on a card that takes it (which may be lent too) or in a space.
//!
//! Each position that legal moves reach has its like here, with the same cards up and the same others in the same
//! places, and each legal move leads to the like of what it leads to, or changes nothing. For what is lent is the least:
//! from the lowest ranks on, of the cards that take a card no fewer lie in the tableau than are needed here. So a deal
//! that this game loses is lost.
//!
//! If the game is won by a line that gives a card back, its kind and its mates are no longer lent: they are taken from
//! the stock for good, in any order, and it is searched again (Clarke and others, "Counterexample-guided abstraction
//! refinement", CAV 2000).

use std::collections::HashSet;

use crate::interrupt;
use crate::rules::{Filler, filler_bit};

use super::super::key::each;
use super::layout::Layout;
use super::play::{ClassPlay, From, To};
use super::position::{ClassPosition, Classes, NONE, returns};

/// Positions between looks at whether the user wants the program to stop.
const POLLED: u64 = 1024;

/// The relaxed game.
struct Lending<'c> {
    classes: &'c Classes<'c>,
    /// The kinds of the stock that are lent; the others are taken for good.
    lent: u64,
    /// The representatives of the kinds that take cards, each after those of the cards that it takes.
    takers: Vec<usize>,
}

/// How a search of the relaxed game ended.
enum Ended {
    Lost,
    /// By a win, with the positions on the way.
    Won(Vec<Layout>),
    Open,
}

impl Classes<'_> {
    /// Returns whether a position is proven lost, within this many positions, and how many were searched.
    pub(super) fn proven_lost(&self, at: &ClassPosition, most: u64) -> (bool, u64) {
        let mut nodes = 0;
        if at.layout.in_reserves() > 0 {
            return (false, nodes);
        }
        let Some(takers) = self.takers() else { return (false, nodes) };
        let mut game = Lending { classes: self, lent: self.stock, takers };
        loop {
            let given_back = match game.search(&at.layout, most, &mut nodes) {
                Ended::Lost => return (true, nodes),
                Ended::Open => return (false, nodes),
                Ended::Won(line) => game.given_back(&line),
            };
            if given_back == 0 {
                return (false, nodes);
            }
            game.lent &= !given_back;
        }
    }

    /// Returns the representatives of the kinds that take cards, each after those of the cards that it takes; `None` if
    /// there is no such order, or if mates lie on different cards.
    fn takers(&self) -> Option<Vec<usize>> {
        let mut left: Vec<usize> =
            (0..52).filter(|&kind| self.fits[kind] != 0 && usize::from(self.mate[kind]) == kind).collect();
        let mut takers = Vec::new();
        while !left.is_empty() {
            let waiting = left.iter().fold(0, |all, &taker| all | self.mates[taker]);
            let next = left.iter().position(|&taker| self.fits[taker] & waiting == 0)?;
            takers.push(left.remove(next));
        }
        let mut alike = true;
        for &taker in &takers {
            each(self.mates[taker], |mate| alike &= self.taker[mate] == self.taker[taker]);
        }
        alike.then_some(takers)
    }
}

impl Lending<'_> {
    /// Searches the game from a position.
    fn search(&self, root: &Layout, most: u64, nodes: &mut u64) -> Ended {
        let mut known = HashSet::new();
        let (mut path, mut open, mut nexts) = (Vec::new(), vec![(0, *root)], Vec::new());
        while let Some((depth, at)) = open.pop() {
            path.truncate(depth);
            path.push(at);
            if at.up == self.classes.rules.hot.ring.all {
                return Ended::Won(path);
            }
            if *nodes >= most || (nodes.is_multiple_of(POLLED) && interrupt::requested()) {
                return Ended::Open;
            }
            *nodes += 1;
            self.list(&at, &mut nexts);
            // What turns up a face-down card is tried first, then what goes up.
            let seen = |at: &Layout| ((at.up | at.tableau()) & !self.classes.stock).count_ones();
            nexts.sort_by_key(|next| (seen(next), next.up.count_ones()));
            for next in nexts.drain(..) {
                if known.insert(self.classes.key_of(&next, 0)) {
                    open.push((depth + 1, next));
                }
            }
        }
        Ended::Lost
    }

    /// Adds the positions after a play.
    fn list(&self, at: &Layout, out: &mut Vec<Layout>) {
        let classes = self.classes;
        let mut add = |after: Layout| {
            if self.lends(&after).is_some() {
                out.push(after);
            }
        };
        let play = |kind: usize, from, to| {
            classes.after(at, &ClassPlay { kind: kind as u8, from, to, waste: 0, redeals: 0 })
        };
        let want = classes.wanted(at.up);
        let onto = classes.taker.iter().rev().fold(0, |onto, &taker| onto << 1 | u64::from(taker != NONE));
        let starts = |filler| {
            if at.spaces > 0 && classes.after_reserve & filler_bit(filler) != 0 { classes.starts } else { 0 }
        };
        let stock = classes.stock & !(at.up | at.tableau());
        each(stock & want, |kind| add(play(kind, From::Stock, To::Up)));
        each(stock & !self.lent & onto, |kind| add(play(kind, From::Stock, To::On)));
        each(stock & !self.lent & starts(Filler::Waste), |kind| add(play(kind, From::Stock, To::Space)));
        each(at.tableau() & want, |kind| add(play(kind, From::Tableau, To::Up)));
        each((at.home | at.low) & onto, |kind| add(play(kind, From::Tableau, To::On)));
        each((at.home | at.on) & starts(Filler::Tableau), |kind| add(play(kind, From::Tableau, To::Space)));
        if let Some(base_too) = returns(classes.rules) {
            let tops = classes.tops(at.up) & if base_too { u64::MAX } else { !classes.first };
            each(tops & self.lent, |kind| {
                let mut after = *at;
                after.up &= !(1 << kind);
                add(after);
            });
            let tops = tops & !self.lent;
            each(tops & onto, |kind| add(play(kind, From::Foundation, To::On)));
            each(tops & starts(Filler::Foundation), |kind| add(play(kind, From::Foundation, To::Space)));
        }
    }

    /// Returns how many cards must be lent, by representatives; `None` if there are not enough cards or spaces.
    fn lends(&self, at: &Layout) -> Option<[u8; 64]> {
        let classes = self.classes;
        // Lent cards, and those of them that lie on the kinds of each representative.
        let (mut lent, mut lying) = ([0; 64], [0; 64]);
        let mut spaces = at.spaces;
        for &taker in &self.takers {
            let mates = classes.mates[taker];
            let on = lying[taker] + (at.on & classes.fits[taker]).count_ones() as u8;
            let lacks = on.saturating_sub((at.tableau() & mates).count_ones() as u8);
            if lacks > self.at_hand(at, taker) {
                return None;
            }
            lent[taker] = lacks;
            match classes.taker[taker] {
                NONE => spaces = spaces.checked_sub(lacks)?,
                // What may start a space need not lie on a card.
                _ if mates & classes.starts != 0 => {}
                below => lying[below as usize & 63] += lacks,
            }
        }
        Some(lent)
    }

    /// Returns the number of cards that may be lent of a representative's kinds.
    fn at_hand(&self, at: &Layout, taker: usize) -> u8 {
        (self.lent & !at.up & self.classes.mates[taker]).count_ones() as u8
    }

    /// Returns the kinds that are the first to be given back in a line.
    fn given_back(&self, line: &[Layout]) -> u64 {
        let lends: Vec<_> = line.iter().map(|at| self.lends(at).unwrap_or([0; 64])).collect();
        for (i, pair) in lends.windows(2).enumerate() {
            let gives_back = |&&taker: &&usize| {
                pair[1][taker] < pair[0][taker]
                    && self.at_hand(&line[i + 1], taker) >= self.at_hand(&line[i], taker)
            };
            if let Some(&taker) = self.takers.iter().find(gives_back) {
                return self.lent & self.classes.mates[taker];
            }
        }
        0
    }
}
