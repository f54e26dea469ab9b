//! Tally of games in whole numbers: merging is exact, in any order.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Sample;
use super::sample::Counts;
use super::stakes::{StakeTally, most_redeals};
use crate::game::{End, Outcome};
use crate::rules::{Returns, Score, Spec};

/// Tally of finished games. Tallies of the same ruleset merge exactly, in any order, so the results do not
/// depend on how a run was split.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    games: u64,
    wins: u64,
    /// Games by end, in the order of [`End::ALL`].
    #[serde(with = "by_end")]
    ends: [u64; End::ALL.len()],
    /// Games by cards on the foundations, index 0..=cards in the packs.
    histogram: Vec<u64>,
    /// The undecided games among them.
    undecided: Vec<u64>,
    moves: u128,
    moves_squared: u128,
    redeals: u128,
    /// Whether cards may leave the foundations, so that an undecided game may end with fewer.
    returns: bool,
    /// Minimum number of cards with which any game ends.
    fewest: u16,
    scores: Vec<ScoreTally>,
    /// Stakes, if they are bought in stages.
    stakes: Option<StakeTally>,
    /// Games by redeals, if these have a cost.
    by_redeals: Option<RedealTally>,
}

impl Tally {
    /// Creates an empty tally of games under `spec`.
    pub fn new(spec: &Spec) -> Tally {
        let cards = spec.cards();
        Tally {
            games: 0,
            wins: 0,
            ends: [0; End::ALL.len()],
            histogram: vec![0; cards + 1],
            undecided: vec![0; cards + 1],
            moves: 0,
            moves_squared: 0,
            redeals: 0,
            returns: spec.foundation.returns != Returns::Never,
            fewest: spec.fewest_cards() as u16,
            scores: spec.scores.iter().map(|score| ScoreTally::new(score, spec)).collect(),
            stakes: spec.casino.is_staged().then(|| StakeTally::new(spec)),
            by_redeals: spec
                .casino
                .has_redeal_fees()
                .then(|| RedealTally { most: most_redeals(spec), games: BTreeMap::new() }),
        }
    }

    /// Counts a finished game of the same ruleset.
    ///
    /// # Panics
    /// If the game has more cards on the foundations than the packs of the ruleset.
    #[inline]
    pub fn add(&mut self, outcome: &Outcome) {
        self.add_many(outcome, 1);
    }

    /// Counts this many games with the same outcome.
    ///
    /// # Panics
    /// Like [`Tally::add`].
    #[inline]
    pub fn add_many(&mut self, outcome: &Outcome, times: u64) {
        self.games += times;
        self.ends[outcome.end as usize] += times;
        self.histogram[usize::from(outcome.cards)] += times;
        self.wins += if outcome.end == End::Won { times } else { 0 };
        let moves = u64::from(outcome.moves);
        self.moves += u128::from(moves) * u128::from(times);
        self.moves_squared += u128::from(moves * moves) * u128::from(times);
        self.redeals += u128::from(outcome.redeals) * u128::from(times);
        if outcome.end == End::Runaway {
            self.undecided[usize::from(outcome.cards)] += times;
        }
        self.scores.iter_mut().for_each(|score| score.add(outcome, times));
        if let Some(stakes) = &mut self.stakes {
            stakes.add(outcome, times);
        }
        if let Some(by_redeals) = &mut self.by_redeals {
            by_redeals.add(outcome, times);
        }
    }

    /// Adds another tally of the same ruleset.
    ///
    /// # Panics
    /// If they have different packs or scores; see [`Tally::fits`].
    pub fn merge(&mut self, other: &Tally) {
        assert!(self.fits(other), "tallies of different rulesets cannot be merged");
        self.games += other.games;
        self.wins += other.wins;
        self.moves += other.moves;
        self.moves_squared += other.moves_squared;
        self.redeals += other.redeals;
        let add = |to: &mut [u64], from: &[u64]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        add(&mut self.ends, &other.ends);
        add(&mut self.histogram, &other.histogram);
        add(&mut self.undecided, &other.undecided);
        for (score, other) in self.scores.iter_mut().zip(&other.scores) {
            score.merge(other);
        }
        if let (Some(stakes), Some(other)) = (&mut self.stakes, &other.stakes) {
            stakes.merge(other);
        }
        if let (Some(by_redeals), Some(other)) = (&mut self.by_redeals, &other.by_redeals) {
            by_redeals.merge(other);
        }
    }

    /// Returns whether both count the same things: as many packs, the same named scores and stages of the stake.
    pub fn fits(&self, other: &Tally) -> bool {
        self.histogram.len() == other.histogram.len()
            && self.undecided.len() == other.undecided.len()
            && (self.returns, self.fewest) == (other.returns, other.fewest)
            && self.scores.len() == other.scores.len()
            && self.scores.iter().zip(&other.scores).all(|(a, b)| a.fits(b))
            && match (&self.stakes, &other.stakes) {
                (Some(a), Some(b)) => a.fits(b),
                (a, b) => a.is_none() && b.is_none(),
            }
            && self.by_redeals.as_ref().map(|it| it.most) == other.by_redeals.as_ref().map(|it| it.most)
    }

    /// Checks that the counts are consistent with each other and with `spec`, as after [`Tally::add`]; for
    /// a tally that was read from a file. For example, a win is exactly a game with all cards up.
    ///
    /// # Errors
    /// The counts that disagree.
    pub fn check(&self, spec: &Spec) -> Result<(), String> {
        if !self.fits(&Tally::new(spec)) {
            return Err("the tally is not of this ruleset: its packs, scores or stakes differ".into());
        }
        // Counts read from a file may be anything, so they are added up without overflow.
        let total = |counts: &[u64]| counts.iter().map(|&count| u128::from(count)).sum::<u128>();
        let games = u128::from(self.games);
        let fault = |what: &str| Err(format!("the tally contradicts itself: {what}"));
        if total(&self.histogram) != games {
            return fault("the games by cards are not as many as the games");
        }
        if total(&self.ends) != games {
            return fault("the games by end are not as many as the games");
        }
        // No game has more moves than can be counted.
        let most = games * u128::from(u32::MAX);
        if self.moves > most || self.redeals > most || self.moves_squared > most * u128::from(u32::MAX) {
            return fault("the moves are more than its games can have");
        }
        if self.ends(End::Won) != self.wins || self.histogram.last() != Some(&self.wins) {
            return fault("the games won are not those with all cards up");
        }
        if total(&self.undecided) != u128::from(self.ends(End::Runaway))
            || self.undecided.iter().zip(&self.histogram).any(|(some, all)| some > all)
        {
            return fault("the undecided games by cards are not the games that ended `runaway`");
        }
        let undecided = self.ends(End::Runaway);
        if let Some(score) = self.scores.iter().find(|score| !score.counts(self.games, undecided)) {
            return fault(&format!("the score `{}` does not count every game", score.name));
        }
        if self.by_redeals.as_ref().is_some_and(|it| !it.agrees(&self.histogram, &self.undecided)) {
            return fault("the games by redeals are not the games by cards");
        }
        match self.stakes.as_ref().map(|stakes| stakes.check(self.games)) {
            Some(Err(what)) => fault(what),
            _ => Ok(()),
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the number of games won: all cards on the foundations.
    pub fn wins(&self) -> u64 {
        self.wins
    }

    /// Returns the number of games with this end.
    pub fn ends(&self, end: End) -> u64 {
        self.ends[end as usize]
    }

    /// Returns the games by cards on the foundations, including those of the deal; index 0..=cards in the packs.
    pub fn histogram(&self) -> &[u64] {
        &self.histogram
    }

    /// Returns the undecided games (`runaway`), by cards when they were stopped.
    pub fn undecided(&self) -> &[u64] {
        &self.undecided
    }

    /// Returns the fewest cards with which an undecided game stopped at `cards` might have ended: `cards`, or
    /// none if the rules let cards leave the foundations.
    pub fn least_cards(&self, cards: usize) -> usize {
        if self.returns { 0 } else { cards }
    }

    /// Returns the minimum number of cards with which any game ends.
    pub(super) fn fewest_cards(&self) -> usize {
        usize::from(self.fewest)
    }

    /// Returns the sum of the moves of all games.
    pub fn moves(&self) -> u128 {
        self.moves
    }

    /// Returns the sum of the squared moves of each game.
    pub fn moves_squared(&self) -> u128 {
        self.moves_squared
    }

    /// Returns the sum of the redeals of all games.
    pub fn redeals(&self) -> u128 {
        self.redeals
    }

    /// Returns the named scores, in the ruleset's order.
    pub(super) fn scores(&self) -> &[ScoreTally] {
        &self.scores
    }

    /// Returns the stakes and payments, if the stake is bought in stages.
    pub fn stakes(&self) -> Option<&StakeTally> {
        self.stakes.as_ref()
    }

    /// Returns games with the same cards, and with as many redeals if these have a cost.
    pub(super) fn alike(&self) -> Vec<(usize, u32, Alike)> {
        match &self.by_redeals {
            Some(it) => {
                let each = it.games.iter();
                each.map(|(&(cards, redeals), &alike)| (usize::from(cards), redeals, alike)).collect()
            }
            None => {
                let all = self.histogram.iter().zip(&self.undecided).enumerate();
                all.map(|(cards, (&games, &undecided))| (cards, 0, Alike { games, undecided })).collect()
            }
        }
    }

    /// Returns the assumed maximum number of redeals in a game; 0 if they are free.
    pub(super) fn most_redeals(&self) -> u32 {
        self.by_redeals
            .as_ref()
            .map_or(0, |it| it.games.keys().map(|&(_, redeals)| redeals).fold(it.most, u32::max))
    }
}

/// Games with the same cards and as many redeals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Alike {
    pub games: u64,
    /// Number of undecided games among them.
    pub undecided: u64,
}

type ByRedeals = BTreeMap<(u16, u32), Alike>;

/// Games by cards and redeals, for rules under which redeals have a cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct RedealTally {
    /// The assumed maximum number of redeals.
    most: u32,
    #[serde(with = "as_list")]
    games: ByRedeals,
}

impl RedealTally {
    fn add(&mut self, outcome: &Outcome, times: u64) {
        let undecided = if outcome.end == End::Runaway { times } else { 0 };
        self.count((outcome.cards, outcome.redeals), Alike { games: times, undecided });
    }

    fn merge(&mut self, other: &RedealTally) {
        other.games.iter().for_each(|(&key, &alike)| self.count(key, alike));
    }

    fn count(&mut self, key: (u16, u32), more: Alike) {
        let alike = self.games.entry(key).or_default();
        alike.games += more.games;
        alike.undecided += more.undecided;
    }

    /// Returns whether it agrees with the counts by cards alone.
    fn agrees(&self, histogram: &[u64], undecided: &[u64]) -> bool {
        let mut left: Vec<_> = histogram.iter().copied().zip(undecided.iter().copied()).collect();
        let sound = self.games.iter().all(|(&(cards, _), alike)| {
            let Some((games, open)) = left.get_mut(usize::from(cards)) else { return false };
            let rest = games.checked_sub(alike.games).zip(open.checked_sub(alike.undecided));
            rest.map(|rest| (*games, *open) = rest).is_some() && alike.undecided <= alike.games
        });
        sound && left.iter().all(|rest| *rest == (0, 0))
    }
}

/// Serializes as a list, since the keys of a JSON object are text.
mod as_list {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::{Alike, ByRedeals};

    pub fn serialize<S: Serializer>(games: &ByRedeals, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(games.iter().map(|((cards, redeals), it)| (cards, redeals, it.games, it.undecided)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<ByRedeals, D::Error> {
        let list = Vec::<(u16, u32, u64, u64)>::deserialize(from)?.into_iter();
        Ok(list
            .map(|(cards, redeals, games, undecided)| ((cards, redeals), Alike { games, undecided }))
            .collect())
    }
}

/// Serializes counts by end as an object with all words of the ends, including those with a count of 0.
mod by_end {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    use crate::game::End;

    pub fn serialize<S: Serializer>(ends: &[u64; End::ALL.len()], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(End::ALL.iter().map(|&end| (end, ends[end as usize])))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[u64; End::ALL.len()], D::Error> {
        let mut ends = [0; End::ALL.len()];
        for (end, count) in BTreeMap::<End, u64>::deserialize(from)? {
            ends[end as usize] = count;
        }
        Ok(ends)
    }
}

/// Returns the points of a finished game of one player under a named score. `out_first` applies to games of
/// several players and counts nothing here. Sums beyond 64 bits saturate.
pub fn points(score: &Score, outcome: &Outcome) -> i64 {
    Formula::new(score).points(outcome)
}

/// The coefficients of a [`Score`]: a constant, then points per card, suit, win, reserve card and redeal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Formula {
    constant: i64,
    foundation_card: i64,
    complete_suit: i64,
    won: i64,
    reserve_left: i64,
    redeal: i64,
}

impl Formula {
    fn new(score: &Score) -> Formula {
        let &Score { constant, foundation_card, complete_suit, won, reserve_left, redeal, .. } = score;
        Formula { constant, foundation_card, complete_suit, won, reserve_left, redeal }
    }

    fn each(&self) -> [i64; 5] {
        [self.foundation_card, self.complete_suit, self.won, self.reserve_left, self.redeal]
    }

    /// Returns the constant plus each coefficient times its quantity.
    fn sum(&self, quantities: [i64; 5]) -> i64 {
        let terms = self.each().into_iter().zip(quantities);
        terms.fold(self.constant, |sum, (points, count)| sum.saturating_add(points.saturating_mul(count)))
    }

    fn points(&self, outcome: &Outcome) -> i64 {
        self.sum([
            i64::from(outcome.cards),
            i64::from(outcome.complete_suits),
            i64::from(outcome.end == End::Won),
            i64::from(outcome.reserve_left),
            i64::from(outcome.redeals),
        ])
    }

    /// Returns the fewest and most points, with each quantity anywhere in its range.
    fn range(&self, ranges: [(i64, i64); 5]) -> (i64, i64) {
        let each = self.each();
        let pick = |most: bool| {
            self.sum(std::array::from_fn(|i| if (each[i] > 0) == most { ranges[i].1 } else { ranges[i].0 }))
        };
        (pick(false), pick(true))
    }
}

/// The games of a tally under one named score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ScoreTally {
    pub name: String,
    formula: Formula,
    /// Cards in the packs.
    cards: u16,
    /// Cards in the reserves at the start.
    reserve: u16,
    /// Maximum number of redeals; `None` if unlimited.
    most_redeals: Option<u32>,
    /// Whether cards may leave the foundations.
    returns: bool,
    /// All games by points, with the undecided as they stood.
    pub points: Counts,
    /// The undecided games: as they stood, at worst and at best.
    undecided: Counts,
    worst: Counts,
    best: Counts,
}

impl ScoreTally {
    pub fn new(score: &Score, spec: &Spec) -> ScoreTally {
        ScoreTally {
            name: score.name.clone(),
            formula: Formula::new(score),
            cards: spec.cards() as u16,
            reserve: u16::from(spec.reserve.piles) * u16::from(spec.reserve.size),
            most_redeals: spec.stock.redeals,
            returns: spec.foundation.returns != Returns::Never,
            points: Counts::new(),
            undecided: Counts::new(),
            worst: Counts::new(),
            best: Counts::new(),
        }
    }

    pub fn add(&mut self, outcome: &Outcome, times: u64) {
        let points = self.formula.points(outcome);
        *self.points.entry(points).or_default() += times;
        if outcome.end == End::Runaway {
            let (worst, best) = self.still_possible(outcome);
            *self.undecided.entry(points).or_default() += times;
            *self.worst.entry(worst).or_default() += times;
            *self.best.entry(best).or_default() += times;
        }
    }

    pub fn merge(&mut self, other: &ScoreTally) {
        for (counts, other) in [
            (&mut self.points, &other.points),
            (&mut self.undecided, &other.undecided),
            (&mut self.worst, &other.worst),
            (&mut self.best, &other.best),
        ] {
            other.iter().for_each(|(&points, games)| *counts.entry(points).or_default() += games);
        }
    }

    /// Returns whether it has this many games, and this many undecided.
    pub fn counts(&self, games: u64, undecided: u64) -> bool {
        let has = |counts: &Counts, n: u64| {
            counts.values().map(|&games| u128::from(games)).sum::<u128>() == u128::from(n)
        };
        has(&self.points, games)
            && [&self.undecided, &self.worst, &self.best].iter().all(|it| has(it, undecided))
    }

    /// Returns the points of all games, with the undecided as they stood, at worst and at best.
    pub fn samples(&self) -> [Sample; 3] {
        let all = |counts: &Counts| Sample::of(counts.iter().map(|(&points, &games)| (points as f64, games)));
        let moved = |to: &Counts| {
            let decided = self.points.iter().map(|(points, &games)| {
                let open = self.undecided.get(points).copied().unwrap_or(0);
                (*points as f64, games.saturating_sub(open))
            });
            Sample::of(decided.chain(to.iter().map(|(&points, &games)| (points as f64, games))))
        };
        [all(&self.points), moved(&self.worst), moved(&self.best)]
    }

    /// Returns the fewest and most points with which a game stopped here could have ended. If redeals are
    /// unlimited, those already made are used, as nothing bounds further ones.
    fn still_possible(&self, outcome: &Outcome) -> (i64, i64) {
        let up = |count: u16| if self.returns { 0 } else { i64::from(count) };
        let redeals = i64::from(outcome.redeals);
        self.formula.range([
            (up(outcome.cards), i64::from(self.cards)),
            (up(outcome.complete_suits), self.most_suits()),
            (0, 1),
            (0, i64::from(outcome.reserve_left)),
            (redeals, self.most_redeals.map_or(redeals, |most| redeals.max(i64::from(most)))),
        ])
    }

    /// Returns an upper bound on the suits of the packs. Only packs of 13 ranks have a multiple of 13 cards, and no suit
    /// has fewer than four.
    fn most_suits(&self) -> i64 {
        let cards = i64::from(self.cards);
        if cards % 13 == 0 { cards / 13 } else { cards / 4 }
    }

    /// Returns the fewest and most points of any game; with unlimited redeals, up to `redeals`.
    pub fn possible(&self, redeals: u32) -> (i64, i64) {
        self.formula.range([
            (0, i64::from(self.cards)),
            (0, self.most_suits()),
            (0, 1),
            (0, i64::from(self.reserve)),
            (0, i64::from(self.most_redeals.unwrap_or(redeals))),
        ])
    }

    /// Returns whether both count games under the same score and rules.
    pub fn fits(&self, other: &ScoreTally) -> bool {
        let key = |s: &ScoreTally| (s.formula, s.cards, s.reserve, s.most_redeals, s.returns);
        self.name == other.name && key(self) == key(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    use crate::stats::testing;

    fn spec() -> Spec {
        let exorcism = Score {
            name: "exorcism".into(),
            foundation_card: 1,
            complete_suit: 50,
            won: 100,
            reserve_left: -1,
            ..Score::default()
        };
        let wide = Score {
            name: "wide".into(),
            constant: -7,
            foundation_card: 10_000,
            redeal: -3,
            ..Score::default()
        };
        Spec { scores: vec![exorcism, wide], ..Spec::default() }
    }

    fn game(end: End, cards: u16) -> Outcome {
        Outcome {
            moves: 60,
            redeals: 2,
            reserve_left: 4,
            complete_suits: cards / 20,
            ..testing::game(end, cards)
        }
    }

    fn any_game() -> impl Strategy<Value = Outcome> {
        (0usize..6, 0u16..52, 0u32..=10_000, 0u32..200, 0u16..14).prop_map(
            |(end, cards, moves, redeals, reserve_left)| match End::ALL[end] {
                End::Won => Outcome { moves, redeals, ..testing::game(End::Won, 52) },
                end => Outcome { moves, redeals, reserve_left, ..testing::game(end, cards) },
            },
        )
    }

    fn tally(games: &[Outcome]) -> Tally {
        testing::tally_of(&spec(), games)
    }

    proptest! {
        #[test]
        fn merging_is_exact_in_any_order(
            a in prop::collection::vec(any_game(), 0..20),
            b in prop::collection::vec(any_game(), 0..20),
            c in prop::collection::vec(any_game(), 0..20),
        ) {
            let merged = |parts: &[&[Outcome]]| {
                let mut sum = Tally::new(&spec());
                parts.iter().for_each(|part| sum.merge(&tally(part)));
                sum
            };
            let together = tally(&[a.clone(), b.clone(), c.clone()].concat());
            prop_assert_eq!(&merged(&[&a, &b, &c]), &together);
            prop_assert_eq!(&merged(&[&c, &a, &b]), &together);
            let mut right = tally(&b);
            right.merge(&tally(&c));
            let mut left = tally(&a);
            left.merge(&right);
            prop_assert_eq!(&left, &together);
            prop_assert_eq!(together.check(&spec()), Ok(()));

            // Through JSON and back it is the same tally, continues to count, and prints the same bytes.
            let text = serde_json::to_string(&together).unwrap();
            prop_assert_eq!(&serde_json::to_string(&left).unwrap(), &text);
            let mut back: Tally = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(&back, &together);
            a.iter().for_each(|game| back.add(game));
            let mut again = together.clone();
            again.merge(&tally(&a));
            prop_assert_eq!(back, again);
        }
    }

    #[test]
    fn counts_are_what_was_added() {
        let games =
            [game(End::Blocked, 5), game(End::Blocked, 5), game(End::Runaway, 30), game(End::Won, 52)];
        let tally = tally(&games);
        assert_eq!((tally.games(), tally.wins(), tally.ends(End::Blocked)), (4, 1, 2));
        assert_eq!((tally.histogram()[5], tally.histogram()[30], tally.histogram()[52]), (2, 1, 1));
        assert_eq!((tally.undecided()[30], tally.undecided().iter().sum::<u64>()), (1, 1));
        assert_eq!((tally.moves(), tally.moves_squared(), tally.redeals()), (240, 14_400, 8));
        // 5 - 4; 30 + 50 - 4; 52 + 100 + 100 - 4
        assert_eq!(tally.scores()[0].points, [(1, 2), (76, 1), (248, 1)].into());
    }

    #[test]
    fn contradictions_in_a_read_tally_are_named() {
        let good = tally(&[game(End::Blocked, 5), game(End::Won, 52)]);
        let changes = [
            [r#""games":2"#, r#""games":3"#, "by cards"],
            [r#""blocked":1"#, r#""blocked":2"#, "by end"],
            [r#""wins":1"#, r#""wins":0"#, "won"],
            [r#""runaway":0"#, r#""runaway":18446744073709551615"#, "by end"],
            [r#""points":{"1":1"#, r#""points":{"1":2"#, "`exorcism`"],
            [r#""name":"wide""#, r#""name":"narrow""#, "not of this ruleset"],
        ];
        testing::refuses(&spec(), &good, &changes);
        let plain = Spec::default();
        assert!(good.check(&plain).is_err() && !good.fits(&Tally::new(&plain)));
    }
}
