//! The transposition table: positions already searched, in bounded memory.
//!
//! Keys are stored whole, so no two positions are ever confused. If there is no room, a position is forgotten: it may
//! be searched again, which only costs time. Positions on the path from the root are not forgotten, so a search does
//! not cycle.

use crate::interrupt;

use super::key::{Key, LAST_WORD};
use super::stock_cycle::{PLACES as TURNED, comes_before};

/// Slots per hash.
const PLACES: usize = 4;
/// Words per cache line.
const LINE: usize = 8;
/// Marks positions on the path.
const ON_PATH: u64 = LAST_WORD + 1;
/// The bits above hold the number of the search.
const SEARCH: u32 = LAST_WORD.count_ones() + 1;
/// Number of slots that a search starts with: they fit in the processor's caches.
const SMALLEST: usize = 1 << 12;
/// Number of slots that a short search starts with.
const FEWEST: usize = 1 << 6;

/// Result of entering a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entered {
    /// It was unknown, and has been put on the path.
    New,
    /// It was known.
    Known,
    /// It was unknown, and all its slots are taken by positions on the path.
    NoRoom,
}

/// Number of groups moved between checks whether the program is to stop.
const LOOK: usize = 1 << 14;

/// A set of positions that may forget.
pub(super) struct TranspositionTable<const N: usize> {
    words: Vec<u64>,
    /// Index of the first group, which is aligned to a cache line.
    first: usize,
    /// Number of groups in use, minus one; a power of two minus one.
    groups: usize,
    /// Maximum number of groups.
    most: usize,
    used: usize,
    search: u64,
    last_bits: LastBits,
}

/// Meaning of the bits of [`TURNED`] in a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LastBits {
    /// How far the stock is turned: see [`StockCycle::turned`](super::stock_cycle::StockCycle::turned).
    Turned,
    /// How far the stock is turned, in the ordered encoding.
    InOrder,
    /// One more than the kind of a card that something must be put on next, or 0 if anything may be played.
    Pending,
}

impl<const N: usize> TranspositionTable<N> {
    /// Creates a set of at most `memory` bytes, or as much as is available, committed lazily by the system.
    pub fn new(memory: usize) -> TranspositionTable<N> {
        let fit = (memory / (size_of::<Key<N>>() * PLACES)).max(1);
        let mut most = 1 << fit.ilog2();
        // A failed allocation of a zeroed vector aborts the program, so the size is tested in a way that does not.
        while most > 1 && Vec::<u64>::new().try_reserve_exact(most * PLACES * N + LINE).is_err() {
            most /= 2;
        }
        let words = vec![0; most * PLACES * N + LINE];
        let first = (words.as_ptr() as usize / size_of::<u64>()).wrapping_neg() % LINE;
        TranspositionTable { words, first, groups: 0, most, used: 0, search: 0, last_bits: LastBits::Turned }
    }

    /// Forgets all positions and sets the meaning of the last bits; starts with about `places` slots, if they are few.
    pub fn clear(&mut self, last_bits: LastBits, places: usize) {
        self.last_bits = last_bits;
        self.search += 1;
        if self.search == 1 << (64 - SEARCH) {
            self.words.fill(0);
            self.search = 1;
        }
        self.groups = (places / PLACES).next_power_of_two().clamp(FEWEST, SMALLEST).min(self.most) - 1;
        self.used = 0;
    }

    /// Returns the memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        (self.groups + 1) * PLACES * size_of::<Key<N>>()
    }

    /// Returns the slots of a group; `groups + 1` groups are in use.
    #[inline(always)]
    fn places(&mut self, group: usize) -> &mut [Key<N>] {
        let words = &mut self.words[self.first + group * PLACES * N..][..PLACES * N];
        words.as_chunks_mut().0
    }

    /// Prefetches the slots of a position.
    #[inline(always)]
    pub fn touch(&self, hash: u64) -> u64 {
        let group = hash as usize & self.groups;
        let words = &self.words[self.first + group * PLACES * N..][..PLACES * N];
        words.iter().step_by(LINE).fold(0, |all, word| all | word)
    }

    /// Returns whether a position is known.
    #[inline]
    pub fn knows(&self, key: &Key<N>, hash: u64) -> bool {
        let group = hash as usize & self.groups;
        let mine = key[N - 1] | self.search << SEARCH;
        let words = &self.words[self.first + group * PLACES * N..][..PLACES * N];
        let (places, _) = words.as_chunks::<N>();
        places.iter().any(|slot| is_of(slot, key, mine) && stands_for(slot[N - 1], mine, self.last_bits))
    }

    /// Puts a position on the path, unless it is known.
    #[inline]
    pub fn enter(&mut self, key: &Key<N>, hash: u64) -> Entered {
        let group = hash as usize & self.groups;
        let (search, last_bits) = (self.search, self.last_bits);
        let mine = key[N - 1] | search << SEARCH;
        let places = self.places(group);
        let mut free = None;
        for (i, slot) in places.iter().enumerate() {
            if slot[N - 1] >> SEARCH != search {
                free = Some(i);
                break;
            }
            if is_of(slot, key, mine) {
                if stands_for(slot[N - 1], mine, last_bits) {
                    return Entered::Known;
                }
                places[i][N - 1] = joined(slot[N - 1], mine, last_bits) | ON_PATH;
                return Entered::New;
            }
        }
        let place = match free {
            Some(free) => free,
            None => {
                let first = (hash >> 60) as usize;
                let mut open = (0..PLACES).map(|i| (first + i) % PLACES);
                match open.find(|&i| places[i][N - 1] & ON_PATH == 0) {
                    Some(open) => open,
                    None if self.groups + 1 < self.most => {
                        self.grow();
                        return self.enter(key, hash);
                    }
                    None => return Entered::NoRoom,
                }
            }
        };
        places[place] = *key;
        places[place][N - 1] = mine | ON_PATH;
        self.used += usize::from(free.is_some());
        if self.used > (self.groups + 1) * PLACES / 2 && self.groups + 1 < self.most {
            self.grow();
        }
        Entered::New
    }

    /// Takes a position off the path.
    #[inline]
    pub fn leave(&mut self, key: &Key<N>, hash: u64) {
        let group = hash as usize & self.groups;
        let mine = key[N - 1] | self.search << SEARCH;
        for slot in self.places(group) {
            if is_of(slot, key, mine) {
                slot[N - 1] &= !ON_PATH;
                return;
            }
        }
    }

    /// Doubles the number of slots. A position keeps its group or moves up by the old number of groups.
    fn grow(&mut self) {
        let old = self.groups + 1;
        self.groups = 2 * old - 1;
        for group in 0..old {
            // This takes seconds for a large memory. If interrupted, unmoved positions are lost, but the search is
            // about to end.
            if group % LOOK == 0 && interrupt::requested() {
                return;
            }
            let mut kept = 0;
            let mut moved = 0;
            // Leftovers of other searches in the new slots are useless.
            self.places(group + old).fill([0; N]);
            for i in 0..PLACES {
                let key = std::mem::replace(&mut self.places(group)[i], [0; N]);
                if key[N - 1] >> SEARCH != self.search {
                    continue;
                }
                let mut plain = key;
                plain[N - 1] &= LAST_WORD;
                let (count, group) = match hash(&plain) as usize & self.groups {
                    stays if stays == group => (&mut kept, group),
                    moves => (&mut moved, moves),
                };
                *count += 1;
                let place = *count - 1;
                self.places(group)[place] = key;
            }
        }
    }
}

/// Returns whether a slot holds a position of this key, regardless of the position of the stock.
#[inline(always)]
fn is_of<const N: usize>(slot: &Key<N>, key: &Key<N>, last: u64) -> bool {
    slot[..N - 1] == key[..N - 1] && (slot[N - 1] ^ last) & !(ON_PATH | TURNED) == 0
}

/// Returns whether turning leads from the held stock position to the requested one.
#[inline(always)]
pub(super) fn stands_for(held: u64, asked: u64, last_bits: LastBits) -> bool {
    match last_bits {
        LastBits::Turned => {}
        LastBits::InOrder => return comes_before(held, asked),
        LastBits::Pending => return held & TURNED == 0 || (held ^ asked) & TURNED == 0,
    }
    let first = |word: u64| (word & 31).wrapping_sub(1) & 31;
    let second = |word: u64| (word >> 5 & 31).wrapping_sub(1) & 31;
    // An absent entry becomes the largest number.
    first(held) <= first(asked) && second(held) <= second(asked)
}

/// Merges the held stock position with the requested one. In the ordered encoding the requested one is held: the old
/// one is not on the path, since nothing was turned between positions of the same cards, so that the first would
/// represent the second.
#[inline(always)]
fn joined(held: u64, asked: u64, last_bits: LastBits) -> u64 {
    if last_bits != LastBits::Turned {
        return held & !TURNED | asked & TURNED;
    }
    let of = |word: u64, shift: u32| word >> shift & 31;
    let less = |shift| match (of(held, shift), of(asked, shift)) {
        (0, one) | (one, 0) => one,
        (one, other) => one.min(other),
    };
    held & !TURNED | less(0) | less(5) << 5
}

/// Returns the hash of a key, which selects the slots of the position.
#[inline(always)]
pub(super) fn hash<const N: usize>(key: &Key<N>) -> u64 {
    let mut key = *key;
    key[N - 1] &= !TURNED;
    let mut hash = 0x9e37_79b9_7f4a_7c15u64;
    for word in key {
        hash = (hash ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93);
        hash ^= hash >> 32;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_entered_is_known_until_it_is_forgotten() {
        let mut seen = TranspositionTable::<4>::new(1 << 22);
        for round in 0..3 {
            seen.clear(LastBits::Turned, usize::MAX / 2);
            for i in 0..60_000u64 {
                assert_eq!(
                    seen.enter(&[i, 0, i * i, 5], hash(&[i, 0, i * i, 5])),
                    Entered::New,
                    "{round} {i}"
                );
                seen.leave(&[i, 0, i * i, 5], hash(&[i, 0, i * i, 5]));
            }
            let known = (0..60_000u64)
                .filter(|&i| seen.enter(&[i, 0, i * i, 5], hash(&[i, 0, i * i, 5])) == Entered::Known)
                .count();
            assert!(known > 50_000, "{known}");
            assert_eq!(seen.enter(&[1, 1, 1, 5], hash(&[1, 1, 1, 5])), Entered::New);
        }
    }

    #[test]
    fn positions_on_the_path_are_never_forgotten() {
        let mut seen = TranspositionTable::<4>::new(0);
        seen.clear(LastBits::Turned, usize::MAX / 2);
        let key = |i: u64| [i, 0, 0, 0];
        for i in 0..PLACES as u64 {
            assert_eq!(seen.enter(&key(i), hash(&key(i))), Entered::New);
        }
        assert_eq!(seen.enter(&key(100), hash(&key(100))), Entered::NoRoom);
        seen.leave(&key(2), hash(&key(2)));
        assert_eq!(seen.enter(&key(100), hash(&key(100))), Entered::New);
        assert_eq!(seen.enter(&key(2), hash(&key(2))), Entered::NoRoom);
        assert_eq!(seen.enter(&key(3), hash(&key(3))), Entered::Known);
    }

    /// Enters positions one after the other, and asserts which of them are new.
    fn are_new(last_bits: LastBits, positions: &[([u64; 2], bool)]) {
        let mut seen = TranspositionTable::<2>::new(1 << 16);
        seen.clear(last_bits, usize::MAX / 2);
        for (key, new) in positions {
            assert_eq!(seen.enter(key, hash(key)) == Entered::New, *new, "{last_bits:?} {key:?}");
            assert!(seen.knows(key, hash(key)));
            seen.leave(key, hash(key));
        }
    }

    #[test]
    fn places_that_others_lead_to_are_known() {
        // Some packets and one card, some and two, as encoded in keys, and whole packets.
        let one = |packets: u64| [7, 3 << 10 | (packets + 1)];
        let two = |packets: u64| [7, 3 << 10 | (packets + 1) << 5];
        let turned =
            [(two(4), true), ([7, 3 << 10], false), (one(9), true), (one(10), false), (one(3), true)];
        let more = [(two(5), false), (two(3), true), ([8, 3 << 10], true), ([7, 4 << 10], true)];
        are_new(LastBits::Turned, &[&turned[..], &more].concat());
        let at = |redeals: u64, waste: u64| [7, redeals << 6 | waste];
        let in_order = [(at(0, 6), true), (at(0, 9), false), (at(1, 3), false), (at(0, 3), true)];
        are_new(LastBits::InOrder, &[&in_order[..], &[(at(0, 6), false)]].concat());
        // A position in which anything may be played stands for those in which something is pending.
        let pending = [(9, true), (9, false), (4, true), (12, true), (0, true), (9, false), (0, false)];
        are_new(LastBits::Pending, &pending.map(|(pending, new)| ([7, pending], new)));
    }

    #[test]
    fn a_path_that_fills_its_places_gets_more() {
        let mut seen = TranspositionTable::<2>::new(1 << 24);
        seen.clear(LastBits::Turned, usize::MAX / 2);
        for i in 0..10_000 {
            let key = [i, 0];
            assert_eq!(seen.enter(&key, hash(&key)), Entered::New, "{i}");
        }
    }
}
