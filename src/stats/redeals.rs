//! Games by cards and redeals together, for rules under which redeals have a cost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::payout::most_redeals;
use crate::game::{End, Outcome};
use crate::rules::Spec;

/// Games with the same cards and as many redeals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Alike {
    pub games: u64,
    /// Number of undecided games among them.
    pub undecided: u64,
}

/// Games by cards and redeals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RedealTally {
    /// The assumed maximum number of redeals.
    most: u32,
    #[serde(with = "as_list")]
    games: BTreeMap<(u16, u32), Alike>,
}

impl RedealTally {
    /// Creates an empty tally; `None` if redeals are free.
    pub fn new(spec: &Spec) -> Option<RedealTally> {
        let most = most_redeals(spec);
        spec.casino.has_redeal_fees().then(|| RedealTally { most, games: BTreeMap::new() })
    }

    pub fn add(&mut self, outcome: &Outcome, times: u64) {
        let alike = self.games.entry((outcome.cards, outcome.redeals)).or_default();
        alike.games += times;
        alike.undecided += if outcome.end == End::Runaway { times } else { 0 };
    }

    pub fn merge(&mut self, other: &RedealTally) {
        for (key, alike) in &other.games {
            let mine = self.games.entry(*key).or_default();
            mine.games += alike.games;
            mine.undecided += alike.undecided;
        }
    }

    pub fn fits(&self, other: &RedealTally) -> bool {
        self.most == other.most
    }

    /// Returns whether it agrees with the counts by cards alone.
    pub fn agrees(&self, histogram: &[u64], undecided: &[u64]) -> bool {
        let mut counted = vec![Alike::default(); histogram.len()];
        let sound = self.games.iter().all(|(&(cards, _), alike)| {
            let Some(sum) = counted.get_mut(usize::from(cards)) else { return false };
            let games = sum.games.checked_add(alike.games);
            let open = sum.undecided.checked_add(alike.undecided);
            let Some((games, undecided)) = games.zip(open) else { return false };
            *sum = Alike { games, undecided };
            alike.undecided <= alike.games
        });
        let sums = counted.iter().zip(histogram).zip(undecided);
        sound && sums.into_iter().all(|((sum, &games), &open)| sum.games == games && sum.undecided == open)
    }

    /// Returns the assumed maximum number of redeals in a game.
    pub fn most(&self) -> u32 {
        self.games.keys().map(|&(_, redeals)| redeals).max().unwrap_or(0).max(self.most)
    }

    /// Returns cards, redeals, and the games that ended with them.
    pub fn iter(&self) -> impl Iterator<Item = (usize, u32, Alike)> + '_ {
        self.games.iter().map(|(&(cards, redeals), &alike)| (usize::from(cards), redeals, alike))
    }
}

/// Serializes as a list, since the keys of a JSON object are text.
mod as_list {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    use super::Alike;

    pub fn serialize<S: Serializer>(games: &BTreeMap<(u16, u32), Alike>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(games.iter().map(|((cards, redeals), it)| (cards, redeals, it.games, it.undecided)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<(u16, u32), Alike>, D::Error> {
        let list = Vec::<(u16, u32, u64, u64)>::deserialize(from)?;
        let each = list.into_iter();
        Ok(each
            .map(|(cards, redeals, games, undecided)| ((cards, redeals), Alike { games, undecided }))
            .collect())
    }
}
