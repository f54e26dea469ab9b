//! Where the cards are, in bits of their kinds.

use super::plays::{ClassPlay, From, To};
use super::{ALL, Classes, NONE};

/// Where the cards are that are not in waste and stock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// On the foundations.
    pub up: u64,
    /// On another face-up card of the tableau.
    pub on: u64,
    /// The lowest of a pile.
    pub low: u64,
    /// On a face-down card, as at the beginning.
    pub home: u64,
    /// Of each kind that stands for its mates, how many of them lie in the tableau with nothing on them: the low
    /// bits and the high bits of these numbers.
    open: [u64; 2],
    pub reserve_left: u8,
    pub spaces: u8,
}

impl Layout {
    /// One more of those that a kind stands for has nothing on it.
    #[inline(always)]
    pub fn opens(&mut self, mate: u8) {
        let bit = 1 << (mate & 63);
        self.open[1] ^= self.open[0] & bit;
        self.open[0] ^= bit;
    }

    /// One fewer.
    #[inline(always)]
    pub fn closes(&mut self, mate: u8) {
        let bit = 1 << (mate & 63);
        self.open[1] ^= !self.open[0] & bit;
        self.open[0] ^= bit;
    }

    /// The kinds of whose mates some have nothing on them, each for all of its mates.
    #[inline(always)]
    pub fn open(&self) -> u64 {
        self.open[0] | self.open[1]
    }

    /// The face-up cards of the tableau.
    #[inline(always)]
    pub fn tableau(&self) -> u64 {
        self.on | self.low | self.home
    }
}

impl Classes<'_> {
    /// The kinds that the foundations take.
    #[inline(always)]
    pub(super) fn wanted(&self, up: u64) -> u64 {
        // The next rank of a suit: four kinds on, and kings are followed by aces.
        (up << 4 & ALL | up >> 48 | self.first) & !up
    }

    /// The kinds on top of the foundations.
    #[inline(always)]
    pub(super) fn tops(&self, up: u64) -> u64 {
        // After the last card of a suit comes its first again.
        let next_is_up = up & !self.first;
        up & !(next_is_up >> 4 | next_is_up << 48 & ALL)
    }

    /// Where the cards are after a play.
    #[inline(always)]
    pub(super) fn after(&self, before: &Layout, play: &ClassPlay) -> Layout {
        let mut now = *before;
        let kind = play.kind as usize & 63;
        let (bit, mate, taker) = (1u64 << kind, self.mate[kind], self.taker[kind]);
        let mut left = false;
        match play.from {
            From::Tableau => {
                if play.to == To::Up {
                    now.closes(mate);
                }
                if now.on & bit != 0 {
                    now.on ^= bit;
                    now.opens(taker);
                } else if now.low & bit != 0 {
                    now.low ^= bit;
                    left = true;
                } else {
                    now.home ^= bit;
                    self.turn_up(self.bed[kind], &mut now);
                }
            }
            from => {
                if play.to != To::Up {
                    now.opens(mate);
                }
                now.reserve_left -= u8::from(from == From::Reserve);
                now.up &= !bit;
            }
        }
        match play.to {
            To::Up => now.up |= bit,
            To::On => {
                now.on |= bit;
                now.closes(taker);
            }
            To::Space => {
                now.low |= bit;
                now.spaces -= 1;
            }
        }
        if left {
            if now.reserve_left > 0 && !self.rules.auto.is_empty() {
                now.reserve_left -= 1;
                let fills = self.reserve[now.reserve_left as usize % 52];
                now.low |= 1 << fills;
                now.opens(self.mate[fills as usize & 63]);
            } else {
                now.spaces += 1;
            }
        }
        now
    }

    /// A face-down card turns up.
    #[inline(always)]
    fn turn_up(&self, kind: u8, now: &mut Layout) {
        let bit = 1 << kind;
        if self.bed[kind as usize & 63] == NONE {
            now.low |= bit
        } else {
            now.home |= bit
        }
        now.opens(self.mate[kind as usize & 63]);
    }
}
