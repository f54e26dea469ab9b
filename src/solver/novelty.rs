//! The novelty of a position: a fact that the last play established, or such a fact in combination with another one.
//!
//! A fact is the place of one card, or how far the stock is turned. Only positions with the same number of cards up are
//! compared.

use super::key::{Key, ON, ONE_PACK};

/// Number of words in a set of facts.
const WORDS: usize = 8;

/// The facts about the stock follow eight for each kind of card.
const CARDS: usize = 8 * 52;
const STOCK: u64 = 64 * WORDS as u64 - CARDS as u64;

/// The facts that hold in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts([u64; WORDS]);

impl Facts {
    /// Returns the facts of a key that encodes cards one by one. Equal cards of several packs share theirs, and several
    /// positions of the stock may: some new positions are then not recognized as such.
    pub fn of_cards<const N: usize>(key: &Key<N>) -> Facts {
        let mut facts = [0; WORDS];
        let mut add = |fact: usize| facts[fact / 64] |= 1 << (fact % 64);
        let (packs, in_word, bits) = if N == ONE_PACK { (1, 21, 3) } else { (4, 12, 5) };
        for number in 0..52 * packs {
            let place = key[number / in_word] >> (number % in_word * bits) & ((1 << bits) - 1);
            // Cards of several packs count once for each suit.
            let place = if place < ON { place } else { ON + (place - ON) % 4 };
            add(number % 52 * 8 + place as usize);
        }
        let rest = key[N - 1];
        // In an ordered encoding, the low six bits are the waste, and the next four the redeals and the remainder of a
        // packet; otherwise they are two numbers of five bits. Both are mixed.
        let [turned, group, waste, redeals] = [rest & 63, rest >> 6 & 15, rest >> 10 & 255, rest >> 22 & 255];
        add(CARDS + ((turned + waste + 17 * (group + redeals)) % STOCK) as usize);
        Facts(facts)
    }

    /// Returns the facts of a key of two words, in which each bit is a fact.
    pub fn of_bits(&[first, second]: &Key<2>) -> Facts {
        Facts([first, second, !first, !second, 0, 0, 0, 0])
    }

    /// Hashes the facts, for randomness.
    pub fn mixed(&self) -> u64 {
        self.0
            .iter()
            .fold(0, |mixed: u64, word| (mixed ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
    }

    /// Visits each fact that does not hold in another position.
    fn each_not_in(&self, other: &Facts, mut f: impl FnMut(usize)) {
        for (word, (facts, others)) in self.0.iter().zip(&other.0).enumerate() {
            let mut only = facts & !others;
            while only != 0 {
                f(64 * word + only.trailing_zeros() as usize);
                only &= only - 1;
            }
        }
    }
}

/// Degree of novelty of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Novelty {
    /// Each fact established by the last play was seen with all the others.
    Nothing,
    /// One of them was seen, but not with all the others.
    Pair,
    /// One of them was never seen.
    Fact,
}

/// The pairs of facts seen, separately for each number of cards up and another one in the reserves.
#[derive(Default)]
pub(super) struct SeenFacts {
    /// Index of the table for these two numbers, from 1, in a list for each number in the reserves; 0 if there is none.
    parts: Vec<Vec<u32>>,
    /// Indices of the row of each fact, from 1.
    tables: Vec<[u32; 64 * WORDS]>,
    /// The facts seen together with one fact.
    rows: Vec<Facts>,
}

impl SeenFacts {
    /// Returns the novelty of a position reached from another one, and records it as seen. Only the facts established
    /// by the play are checked, each with all others, so two facts may count as new twice, once for each.
    pub fn see(&mut self, (up, reserves): (usize, usize), from: &Facts, facts: &Facts) -> Novelty {
        if self.parts.len() <= reserves {
            self.parts.resize(reserves + 1, Vec::new());
        }
        let parts = &mut self.parts[reserves];
        if parts.len() <= up {
            parts.resize(up + 1, 0);
        }
        if parts[up] == 0 {
            self.tables.push([0; 64 * WORDS]);
            parts[up] = self.tables.len() as u32;
        }
        let numbers = &mut self.tables[parts[up] as usize - 1];
        let mut novelty = Novelty::Nothing;
        facts.each_not_in(from, |fact| {
            if let Some(row) = (numbers[fact] as usize).checked_sub(1) {
                let seen = &mut self.rows[row].0;
                let mut new = 0;
                for (seen, facts) in seen.iter_mut().zip(&facts.0) {
                    new |= facts & !*seen;
                    *seen |= facts;
                }
                if new != 0 {
                    novelty = novelty.max(Novelty::Pair);
                }
            } else {
                self.rows.push(*facts);
                numbers[fact] = self.rows.len() as u32;
                novelty = Novelty::Fact;
            }
        });
        novelty
    }

    /// Returns the memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<Facts>() + self.tables.capacity() * size_of::<[u32; 64 * WORDS]>()
    }
}

#[cfg(test)]
mod tests {
    use super::super::key::{LOWEST, MORE_PACKS, UP};
    use super::*;

    fn facts(numbers: &[usize]) -> Facts {
        let mut facts = Facts([0; WORDS]);
        for &fact in numbers {
            facts.0[fact / 64] |= 1 << (fact % 64);
        }
        facts
    }

    #[test]
    fn pairs_are_new_once() {
        let mut seen = SeenFacts::default();
        let mut see = |up, from: &[usize], to: &[usize]| seen.see((up, 0), &facts(from), &facts(to));
        assert_eq!(see(0, &[], &[1, 2]), Novelty::Fact);
        assert_eq!(see(0, &[1, 2], &[1, 300]), Novelty::Fact);
        // 1 and 300 are known, 2 and 300 not yet.
        assert_eq!(see(0, &[1, 2], &[1, 300]), Novelty::Nothing);
        assert_eq!(see(0, &[1, 2], &[2, 300]), Novelty::Pair);
        assert_eq!(see(0, &[1, 2], &[2, 300]), Novelty::Nothing);
        // With another number of cards up everything is new again.
        assert_eq!(see(1, &[1, 2], &[2, 300]), Novelty::Fact);
    }

    /// Keys that differ in where a card is have different facts.
    #[test]
    fn facts_tell_where_cards_are() {
        let home = [0; ONE_PACK];
        for card in 0..52 {
            for place in 1..7 {
                let mut key = home;
                key[card / 21] |= place << (card % 21 * 3);
                let mut changed = Vec::new();
                Facts::of_cards(&key).each_not_in(&Facts::of_cards(&home), |fact| changed.push(fact));
                assert_eq!(changed, [8 * card + place as usize]);
            }
        }
    }

    /// With several packs, lying on a card of another pack differs from being up or the lowest.
    #[test]
    fn facts_of_several_packs_tell_where_cards_are() {
        let of = |place: u64| {
            let mut key = [0; MORE_PACKS];
            key[0] = place;
            Facts::of_cards(&key)
        };
        for on in ON..ON + 16 {
            assert!([0, UP, LOWEST].iter().all(|&place| of(place) != of(on)), "{on}");
            assert_eq!(of(on), of(ON + (on - ON) % 4));
        }
    }
}
