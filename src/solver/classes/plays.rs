//! Generates the plays of a class of positions.

use crate::rules::{Filler, filler_bit};

use super::super::key::each;
use super::super::pruner::{Pruner, needless};
use super::super::search::Next;
use super::super::transposition_table::hash;
use super::layout::{Layout, RESERVES};
use super::play::{ClassPlay, From, To};
use super::position::{ClassPosition, Classes, WORDS, playable, returns};

/// What can be placed where in a position.
struct Takes {
    want: u64,
    /// Kinds of the tableau that are uncovered, or could be.
    bare: u64,
    /// Kinds that fit on those.
    onto: u64,
    /// Kinds that may start a space.
    starts: u64,
    /// Sources that may fill a space, as bits of [`Filler`].
    fillers: u8,
    up: u64,
    /// Whether something must be put on the card that came from the stock last, or its mate go up.
    follows: bool,
}

impl Takes {
    fn starts_from(&self, filler: Filler) -> u64 {
        if self.fillers & filler_bit(filler) != 0 { self.starts } else { 0 }
    }
}

impl Classes<'_> {
    /// Returns a play with its result and its rank. `turned` encodes the stock position after it.
    #[inline(always)]
    fn next(&self, at: &ClassPosition, turned: u64, play: ClassPlay, rank: u16) -> Next<WORDS, ClassPlay> {
        let key = self.key_of(&self.after(&at.layout, &play), turned);
        Next { play, rank: rank << 8, key: Some(key), hash: hash(&key) }
    }

    /// Returns a play of a card from the stock, with its result and rank.
    #[inline(always)]
    fn next_of_stock(&self, at: &ClassPosition, play: ClassPlay, rank: u16) -> Next<WORDS, ClassPlay> {
        let left = at.stock.both - 1;
        let turned = if self.delays {
            self.pending(&play).into()
        } else if play.from == From::Stock {
            self.turning.key(play.waste - 1, left, play.redeals)
        } else {
            self.turning.key(play.waste, left, play.redeals)
        };
        self.next(at, turned, play, rank)
    }

    /// Adds all plays worth searching in a position; among equal ranks the first is tried first.
    #[inline(never)]
    pub(super) fn list(&self, at: &ClassPosition, out: &mut Vec<Next<WORDS, ClassPlay>>) {
        let layout = &at.layout;
        let first = out.len();
        // Only plays of the stock leave anything pending.
        let here = if self.delays { 0 } else { self.last_bits_of(at) };
        let fillers = if layout.in_reserves() > 0 { self.while_reserve } else { self.after_reserve };
        let mut takes = Takes {
            want: self.wanted(layout.up),
            bare: 0,
            onto: 0,
            starts: if layout.spaces > 0 { self.starts } else { 0 },
            fillers,
            up: layout.up,
            follows: false,
        };
        each(layout.open(), |mate| {
            takes.bare |= self.mates[mate];
            takes.onto |= self.fits[mate];
        });
        if at.pending != 0 {
            let pending = at.pending as usize - 1;
            takes.want &= self.mates[self.mate[pending & 63] as usize & 63] & !(1 << pending);
            takes.onto &= self.fits[pending & 63];
            takes.starts = 0;
            takes.follows = true;
        }
        let play = |kind: usize, from, to| ClassPlay { kind: kind as u8, from, to, waste: 0, redeals: 0 };
        let mut must = None;
        each(takes.want & takes.bare & layout.tableau(), |kind| {
            let play = play(kind, From::Tableau, To::Up);
            if self.is_safe(kind, &takes) {
                must = Some(play);
            }
            out.push(self.next(at, here, play, 1));
        });
        for reserve in 0..self.rules.hot.reserves.min(RESERVES) {
            let left = layout.reserve_left[reserve];
            if !playable(self.rules, left) {
                continue;
            }
            let from = From::Reserve(reserve as u8);
            let kind = self.reserve[reserve][(left as usize - 1) & 63] as usize & 63;
            if takes.want >> kind & 1 != 0 && !takes.follows {
                let play = play(kind, from, To::Up);
                if self.is_safe(kind, &takes) {
                    must = Some(play);
                }
                out.push(self.next(at, here, play, 1));
            }
            if takes.onto >> kind & 1 != 0 {
                out.push(self.next(at, here, play(kind, from, To::On), 2));
            }
            if takes.starts_from(Filler::Reserve) >> kind & 1 != 0 {
                out.push(self.next(at, here, play(kind, from, To::Space), 2));
            }
        }
        if must.is_none() {
            self.list_runs(layout, &takes, &mut |kind, from, to, rank| {
                out.push(self.next(at, here, play(kind, from, to), rank));
            });
            must = self.list_from_stock(at, &takes, out);
        }
        if let Some(play) = must {
            out.truncate(first);
            out.push(match play.from {
                From::Stock => self.next_of_stock(at, play, 0),
                _ => self.next(at, here, play, 0),
            });
        }
    }

    /// Adds the plays from all stock positions; or only the one that is to be made at once.
    #[inline(always)]
    fn list_from_stock(
        &self,
        at: &ClassPosition,
        takes: &Takes,
        out: &mut Vec<Next<WORDS, ClassPlay>>,
    ) -> Option<ClassPlay> {
        let starts = takes.starts_from(Filler::Waste);
        let goes = takes.want | takes.onto | starts;
        let later = self.turning.redeals(&at.stock);
        for (mut places, redeals) in
            self.turning.shown(&at.stock).into_iter().zip([at.stock.redeals, later.unwrap_or(0)])
        {
            while places != 0 {
                let waste = places.trailing_zeros() as u8;
                places &= places - 1;
                let kind = at.stock.top(waste);
                if goes >> kind & 1 == 0 {
                    continue;
                }
                let play = |to| ClassPlay { kind: kind as u8, from: From::Stock, to, waste, redeals };
                if takes.want >> kind & 1 != 0 && !takes.follows {
                    if self.pruner.safe_waste && self.is_safe(kind, takes) {
                        return Some(play(To::Up));
                    }
                    out.push(self.next_of_stock(at, play(To::Up), 1));
                }
                // A card that takes the same is already uncovered.
                if self.delays && (takes.bare >> kind & 1 != 0 || self.fits[kind] == 0) {
                    continue;
                }
                if takes.onto >> kind & 1 != 0 {
                    out.push(self.next_of_stock(at, play(To::On), 5));
                }
                if starts >> kind & 1 != 0 {
                    out.push(self.next_of_stock(at, play(To::Space), 7));
                }
            }
        }
        if takes.starts_from(Filler::Stock) != 0 {
            self.list_unseen(at, takes, out);
        }
        None
    }

    /// Adds the plays of the unseen top of the stock to a space, from all stock positions.
    #[inline(never)]
    fn list_unseen(&self, at: &ClassPosition, takes: &Takes, out: &mut Vec<Next<WORDS, ClassPlay>>) {
        let later = self.turning.redeals(&at.stock);
        let redeals = [at.stock.redeals, later.unwrap_or(0)];
        for (mut places, redeals) in self.turning.unseen(&at.stock).into_iter().zip(redeals) {
            while places != 0 {
                let waste = places.trailing_zeros() as u8;
                places &= places - 1;
                let kind = at.stock.top(waste + 1);
                if takes.starts >> kind & 1 != 0 {
                    let (from, to) = (From::Unseen, To::Space);
                    out.push(self.next_of_stock(
                        at,
                        ClassPlay { kind: kind as u8, from, to, waste, redeals },
                        7,
                    ));
                }
            }
        }
    }

    /// Returns whether a card goes up at once, regardless of the alternatives.
    fn is_safe(&self, kind: usize, takes: &Takes) -> bool {
        let needless = |kind| needless(&self.fits, kind, takes.want, &|x| takes.up >> x & 1 != 0, 3);
        let needless_if_it_returns = |kind| {
            let mut all = true;
            each(self.fits[kind], |on_it| all &= needless(on_it));
            all
        };
        let Pruner { safe, safe_with_returns, .. } = self.pruner;
        (safe || safe_with_returns && needless_if_it_returns(kind)) && !takes.follows && needless(kind)
    }

    /// Adds moves of runs to other cards and to spaces, and cards that return from the foundations. What turns up a
    /// face-down card is tried first.
    #[inline(always)]
    fn list_runs(&self, layout: &Layout, takes: &Takes, add: &mut impl FnMut(usize, From, To, u16)) {
        each(layout.low & takes.onto, |kind| add(kind, From::Tableau, To::On, 3));
        each(layout.home & takes.onto, |kind| add(kind, From::Tableau, To::On, 0));
        let starts = takes.starts_from(Filler::Tableau);
        each(starts & layout.home, |kind| add(kind, From::Tableau, To::Space, 0));
        each(starts & layout.on, |kind| add(kind, From::Tableau, To::Space, 6));
        if let Some(base_too) = returns(self.rules) {
            let starts = takes.starts_from(Filler::Foundation);
            let tops = self.tops(layout.up) & if base_too { u64::MAX } else { !self.first };
            each(tops, |kind| {
                if takes.onto >> kind & 1 != 0 {
                    add(kind, From::Foundation, To::On, 8);
                }
                if starts >> kind & 1 != 0 {
                    add(kind, From::Foundation, To::Space, 8);
                }
            });
        }
    }
}
