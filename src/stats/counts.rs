//! Histogram of whole numbers: exact, and cheap to count in.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Widest range of numbers kept in one vector; numbers outside it go to a map.
const DENSE: usize = 4096;

/// Histogram of whole numbers. Two are equal if they counted the same numbers, in any order. In JSON it is
/// an object from number (as text) to count.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// The number counted by `dense[0]`.
    low: i64,
    dense: Vec<u64>,
    rest: BTreeMap<i64, u64>,
}

impl Counts {
    /// Creates an empty histogram.
    pub fn new() -> Counts {
        Counts::default()
    }

    /// Counts `number` once.
    #[inline]
    pub fn add(&mut self, number: i64) {
        self.add_many(number, 1);
    }

    /// Counts `number` `times` times.
    #[inline]
    pub fn add_many(&mut self, number: i64, times: u64) {
        // A number below `low` wraps to a huge index, and so misses the vector.
        let index = number.wrapping_sub(self.low) as u64;
        match self.dense.get_mut(index as usize) {
            Some(count) => *count += times,
            None => self.add_outside(number, times),
        }
    }

    #[cold]
    fn add_outside(&mut self, number: i64, times: u64) {
        if times == 0 {
            return;
        }
        if self.dense.is_empty() {
            self.low = number;
        }
        let low = self.low.min(number);
        let last = self.low.saturating_add(self.dense.len() as i64 - 1).max(number);
        if last.abs_diff(low) >= DENSE as u64 {
            *self.rest.entry(number).or_default() += times;
            return;
        }
        let before = self.low.abs_diff(low) as usize;
        self.dense.splice(0..0, std::iter::repeat_n(0, before));
        self.low = low;
        self.dense.resize(last.abs_diff(low) as usize + 1, 0);
        self.dense[number.abs_diff(low) as usize] += times;
        // Numbers that were in the map before the vector grew to include them move back.
        let range = low..=last;
        while let Some((&early, &count)) = self.rest.range(range.clone()).next() {
            self.rest.remove(&early);
            self.dense[early.abs_diff(low) as usize] += count;
        }
    }

    /// Adds another histogram.
    pub fn merge(&mut self, other: &Counts) {
        for (number, times) in other.iter() {
            self.add_many(number, times);
        }
    }

    /// Returns the numbers with their counts, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (i64, u64)> + Clone + '_ {
        // The last number may be the largest possible, so no number beyond it is formed.
        let numbered = |(i, &count)| (self.low.wrapping_add(i as i64), count);
        let dense = self.dense.iter().enumerate().map(numbered);
        let below = self.rest.range(..self.low).map(|(&number, &count)| (number, count));
        let above = self.rest.range(self.low..).map(|(&number, &count)| (number, count));
        below.chain(dense.filter(|&(_, count)| count > 0)).chain(above)
    }

    /// Returns the total count.
    pub fn total(&self) -> u64 {
        self.iter().map(|(_, count)| count).sum()
    }
}

impl PartialEq for Counts {
    fn eq(&self, other: &Counts) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Counts {}

impl FromIterator<(i64, u64)> for Counts {
    fn from_iter<I: IntoIterator<Item = (i64, u64)>>(pairs: I) -> Counts {
        let mut counts = Counts::new();
        for (number, times) in pairs {
            counts.add_many(number, times);
        }
        counts
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Some formats need the length in advance.
        self.iter().collect::<BTreeMap<i64, u64>>().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Counts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Counts, D::Error> {
        Ok(BTreeMap::<i64, u64>::deserialize(deserializer)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn agrees_with_a_plain_map(
            near in prop::collection::vec((-60i64..400, 1u64..5), 0..60),
            far in prop::collection::vec((any::<i64>(), 1u64..5), 0..8),
        ) {
            let mut map = BTreeMap::new();
            let mut counts = Counts::new();
            for &(number, times) in far.iter().chain(&near) {
                *map.entry(number).or_insert(0) += times;
                counts.add_many(number, times);
            }
            prop_assert_eq!(counts.iter().collect::<Vec<_>>(), map.clone().into_iter().collect::<Vec<_>>());
            let other_order: Counts = near.iter().chain(&far).rev().copied().collect();
            prop_assert_eq!(&counts, &other_order);
            let text = serde_json::to_string(&counts).unwrap();
            prop_assert_eq!(serde_json::from_str::<BTreeMap<i64, u64>>(&text).unwrap(), map);
            prop_assert_eq!(serde_json::from_str::<Counts>(&text).unwrap(), counts);
        }
    }

    #[test]
    fn the_ends_of_the_range_do_not_overflow() {
        let mut counts = Counts::new();
        for number in [0, i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN] {
            counts.add(number);
        }
        let want = [(i64::MIN, 2), (0, 1), (i64::MAX - 1, 1), (i64::MAX, 1)];
        assert_eq!(counts.iter().collect::<Vec<_>>(), want);
        let mut top = Counts::new();
        top.add(i64::MAX);
        top.add(i64::MAX - 3);
        assert_eq!(top.iter().collect::<Vec<_>>(), [(i64::MAX - 3, 1), (i64::MAX, 1)]);
    }
}
