//! Strategies, or rulesets of the same pack, compared on the same deals: every pair of them, and for two a sequential
//! test.

use std::cmp::Reverse;

use serde::{Serialize, Serializer};

use super::batch::{BLOCK, Batch, BatchError, Finished, Matchup, Watcher, simulate_deals};
use super::blocks::Workers;
use crate::cards::Seed;
use crate::game::{NamedDeal, Outcome};
use crate::rules::{Rules, Spec};
use crate::stats::{
    Estimate, FixedTest, GameWorth, Measure, PairSummary, PairTally, SequentialTest, StoppedTest, Summary,
    TAIL, TestState, Verdict, Z, groups, summarize,
};
use crate::strategy::StrategySource;

/// A ruleset under a strategy, to compare with others.
pub struct Contender<'a> {
    /// The ruleset's name on the shelf, or that of its file.
    pub id: &'a str,
    /// The strategy's name on the shelf, or the path of its script.
    pub strategy: &'a str,
    /// The command that shows one of its games, without the game number at its end.
    pub replay: String,
    /// The rules and the constructor of the strategy.
    pub pairing: Matchup<'a>,
}

/// Entries to compare, and how.
pub struct Comparison<'a> {
    /// At least two entries, whose rules shuffle the same pack.
    pub entries: Vec<Contender<'a>>,
    /// The seed of all deals, or of the random numbers of fixed deals.
    pub seed: Seed,
    /// Fixed deals, as many as the budget.
    pub given: Option<&'a [NamedDeal]>,
    /// Maximum number of deals.
    pub budget: u64,
    /// Measure by which the entries are compared.
    pub measure: Measure,
    /// Sequential test of the first two entries, which ends the run when it reaches a verdict.
    pub test: Option<SequentialTest>,
    /// Whether to raise the difference of the test by the spread of the first block, so that the budget may suffice.
    pub fit_difference: bool,
    /// Whether to play all deals, even after a verdict.
    pub play_all: bool,
    /// Number of deals to keep on which the entries differ most.
    pub show: usize,
    /// Threads that run the blocks.
    pub workers: Workers<'a>,
}

impl<'a> Comparison<'a> {
    /// Compares strategies under a ruleset on the first deals of a seed, all of which are played.
    pub fn of_strategies(
        (id, rules): (&'a str, &'a Rules),
        strategies: &'a [StrategySource],
        (seed, budget): (Seed, u64),
        measure: Measure,
        workers: Workers<'a>,
    ) -> Comparison<'a> {
        let entries = strategies.iter().map(|it| Contender {
            id,
            strategy: it.name(),
            replay: String::new(),
            pairing: Matchup { id, rules, strategy: it },
        });
        Comparison {
            entries: entries.collect(),
            seed,
            given: None,
            budget,
            measure,
            test: None,
            fit_difference: false,
            play_all: true,
            show: 0,
            workers,
        }
    }
}

/// Result of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// Deals played by every entry.
    pub games: u64,
    /// Maximum number of deals; for an interrupted run, the number of deals played.
    pub budget: u64,
    /// Measure by which the entries are compared.
    pub measure: Measure,
    /// The entries, in the order given.
    pub entries: Vec<ComparedEntry>,
    /// Result of the test of the first two entries, if any.
    #[serde(rename = "test")]
    pub tested: Option<Tested>,
    /// Every pair of entries, in order.
    pub pairs: Vec<Pair>,
    /// Difference of the first pair as deals accumulated.
    pub course: Vec<CoursePoint>,
    /// The deals on which the entries differ most, in descending order of the difference.
    pub shown: Vec<ShownDeal>,
    /// Whether the run was interrupted.
    #[serde(skip)]
    pub interrupted: bool,
}

/// Result for one entry.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedEntry {
    /// The ruleset's name on the shelf, or that of its file.
    pub rules: String,
    /// The strategy's name on the shelf, or the path of its script.
    pub strategy: String,
    /// Its rank by the measure, from 1 for the best.
    pub place: usize,
    /// Letters of its groups; entries that share a letter cannot be told apart.
    pub groups: String,
    /// Its own figures.
    pub summary: Summary,
    /// The ruleset.
    #[serde(skip)]
    pub spec: Spec,
}

/// Two entries; differences are `a` minus `b`.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// Index of the first entry.
    pub a: usize,
    /// Index of the second entry.
    pub b: usize,
    /// Their differences, with 95% intervals for this pair alone.
    #[serde(flatten)]
    pub summary: PairSummary,
    /// The difference by the measure, with joint confidence for all pairs.
    pub adjusted: Estimate,
    /// Whether that interval excludes 0.
    pub told_apart: bool,
    /// Tally of their deals.
    #[serde(skip)]
    pub tally: PairTally,
}

/// Basis of a test's difference: the spread of the first deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Fitted {
    /// Number of these deals.
    pub deals: u64,
    /// The budget.
    pub budget: u64,
    /// Whether the budget probably suffices; otherwise the difference is the largest allowed.
    pub enough: bool,
}

/// Result of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tested {
    /// The test.
    #[serde(flatten)]
    pub test: SequentialTest,
    /// The log-likelihood ratio at or above which a difference is found.
    pub upper: f64,
    /// The log-likelihood ratio at or below which a difference is ruled out.
    pub lower: f64,
    /// Basis of its difference; `None` if the difference was given.
    pub fitted: Option<Fitted>,
    /// The verdict; `undecided` if there were too few deals for one.
    #[serde(serialize_with = "or_undecided")]
    pub verdict: Option<Verdict>,
    /// State of the test at the verdict, or at the end.
    #[serde(flatten)]
    pub standing: TestState,
    /// Log-likelihood ratio of the two opposite differences.
    pub llr: f64,
    /// Median-unbiased estimate of the difference by the measure, which corrects for the run having been stopped by its
    /// own results.
    pub estimate: Estimate,
    /// Whether the run continued after the verdict, so that the estimate is the plain mean.
    pub played_on: bool,
    /// If all deals were played without a verdict: Student's paired t-test, or the sign test for games won.
    pub at_fixed_deals: Option<FixedTest>,
}

fn or_undecided<S: Serializer>(verdict: &Option<Verdict>, serializer: S) -> Result<S::Ok, S::Error> {
    match verdict {
        Some(verdict) => verdict.serialize(serializer),
        None => serializer.serialize_str("undecided"),
    }
}

impl Compared {
    /// Returns the error probability at either end of each pair's interval for joint 95% confidence (Bonferroni).
    pub fn tail(&self) -> f64 {
        tail(self.pairs.len())
    }
}

fn tail(pairs: usize) -> f64 {
    TAIL / pairs.max(1) as f64
}

impl ComparedEntry {
    /// Returns the entries with their ranks and groups, from the differences of all pairs.
    fn ranked(
        comparison: &Comparison<'_>,
        summaries: impl Iterator<Item = Summary>,
        pairs: &[Pair],
    ) -> Vec<ComparedEntry> {
        let entry = |(it, summary): (&Contender<'_>, Summary)| ComparedEntry {
            rules: it.id.into(),
            strategy: it.strategy.into(),
            place: 0,
            groups: String::new(),
            summary,
            spec: it.pairing.rules.spec().clone(),
        };
        let mut entries: Vec<ComparedEntry> = comparison.entries.iter().zip(summaries).map(entry).collect();
        let value = |entry: usize| entries[entry].summary.by(comparison.measure).value;
        let mut order: Vec<usize> = (0..entries.len()).collect();
        order.sort_by(|&a, &b| value(b).total_cmp(&value(a)).then(a.cmp(&b)));
        let apart =
            |a: usize, b: usize| pairs.iter().any(|it| (it.a, it.b) == (a.min(b), a.max(b)) && it.told_apart);
        // Groups are formed over ranks, so that the best entries have the first letter.
        let sets = groups(order.len(), |a, b| apart(order[a], order[b]));
        for (place, &entry) in order.iter().enumerate() {
            entries[entry].place = place + 1;
            let letters = sets.iter().zip('a'..='z').filter(|(set, _)| set.contains(&place));
            entries[entry].groups = letters.map(|(_, letter)| letter).collect();
        }
        entries
    }
}

/// Plays every deal with every entry until the test reaches a verdict, or all are played. `watch` receives the number
/// of deals played and the point at the end of the last block: after each block and, for slow players, after each deal.
pub fn compare(
    comparison: &Comparison<'_>,
    watch: &mut dyn FnMut(u64, Option<&CoursePoint>),
) -> Result<Compared, BatchError> {
    let Comparison { seed, budget, measure, test, play_all, workers, .. } = *comparison;
    let entries = comparison.entries.iter().map(|entry| entry.pairing).collect();
    let batch = Batch { each_game: true, ..Batch::new(entries, seed, 0..budget, workers) };
    let specs: Vec<&Spec> = comparison.entries.iter().map(|entry| entry.pairing.rules.spec()).collect();
    let ids = 0..specs.len();
    let pairs = ids.flat_map(|a| (a + 1..specs.len()).map(move |b| (a, b)));
    let pairs = pairs.map(|(a, b)| ((a, b), PairTally::new(specs[a], specs[b]))).collect();
    let mut watcher = Comparing {
        specs,
        measure,
        test,
        fit: comparison.fit_difference.then_some(budget),
        fitted: None,
        play_all,
        pairs,
        answered: None,
        course: Vec::new(),
        shown: Shown::new(measure, comparison.show),
        worths: Vec::new(),
        watch,
    };
    let finished = simulate_deals(&batch, comparison.given, &mut watcher)?;
    let Comparing { specs, pairs, test, fitted, answered, course, shown, .. } = watcher;
    let tested = test
        .zip(pairs.first())
        .map(|(test, (_, pair))| Tested { fitted, ..tested(comparison, &finished, test, answered, pair) });
    let tail = tail(pairs.len());
    let pair = |((a, b), tally): ((usize, usize), PairTally)| {
        let adjusted = tally.difference(measure, tail);
        let told_apart = adjusted.low > 0.0 || adjusted.high < 0.0;
        Pair { a, b, summary: tally.summary(TAIL), adjusted, told_apart, tally }
    };
    let pairs: Vec<Pair> = pairs.into_iter().map(pair).collect();
    let tallies = finished.tallies.iter().zip(specs);
    let summaries = tallies.map(|(tally, spec)| summarize(tally, spec, Vec::new()));
    let deal = |deal: ShownDeal| ShownDeal {
        id: comparison.given.and_then(|deals| deals.get(deal.game as usize)?.id.clone()),
        replay: comparison.entries.iter().map(|it| format!("{} --game {}", it.replay, deal.game)).collect(),
        ..deal
    };
    Ok(Compared {
        games: finished.games,
        budget: if finished.interrupted { finished.games } else { budget },
        measure,
        entries: ComparedEntry::ranked(comparison, summaries, &pairs),
        tested,
        pairs,
        course: thinned(course),
        shown: shown.deals().into_iter().map(deal).collect(),
        interrupted: finished.interrupted,
    })
}

/// Returns the result of a test, without the basis of its difference.
fn tested(
    comparison: &Comparison<'_>,
    finished: &Finished,
    test: SequentialTest,
    answered: Option<(Verdict, TestState)>,
    pair: &PairTally,
) -> Tested {
    let (games, measure) = (finished.games, comparison.measure);
    let (sum, squares) = pair.sums(measure);
    let standing = answered.map_or_else(|| test.standing(games, sum, squares), |(_, standing)| standing);
    let plain = pair.difference(measure, TAIL);
    let estimate = match comparison.play_all || games == 0 {
        true => plain,
        false => {
            // For an interrupted run, the budget is the number of deals played.
            let budget = if finished.interrupted { games } else { comparison.budget };
            let (mean, variance) = (plain.value, standing.variance);
            let unbiased = StoppedTest { test, block: BLOCK, budget, games, mean, variance }.estimate();
            // The random walk is approximated as normal. Undecided games and payments too rare to have been seen
            // widen the plain interval beyond that, so they widen this one too.
            let half = Z * (variance / games as f64).sqrt();
            let (under, over) = (mean - half - plain.low, plain.high - mean - half);
            // No two games differ by more than this.
            let reach = test.reach as f64;
            Estimate {
                value: unbiased.value.clamp(-reach, reach),
                low: (unbiased.low - under.max(0.0)).max(-reach),
                high: (unbiased.high + over.max(0.0)).min(reach),
            }
        }
    };
    let open = answered.is_none() && !finished.interrupted;
    Tested {
        test,
        upper: test.upper(),
        lower: test.lower(),
        fitted: None,
        verdict: answered.map(|(verdict, _)| verdict),
        standing,
        llr: standing.llr(),
        estimate,
        played_on: comparison.play_all,
        at_fixed_deals: if open { pair.fixed_test(measure) } else { None },
    }
}

struct Comparing<'a, 'w> {
    specs: Vec<&'a Spec>,
    measure: Measure,
    test: Option<SequentialTest>,
    /// The budget for which the test's difference is yet to be chosen.
    fit: Option<u64>,
    fitted: Option<Fitted>,
    play_all: bool,
    /// By the indices of their entries.
    pairs: Vec<((usize, usize), PairTally)>,
    answered: Option<(Verdict, TestState)>,
    /// The end of every block.
    course: Vec<CoursePoint>,
    shown: Shown,
    /// Results of one deal, by entry.
    worths: Vec<GameWorth>,
    watch: &'w mut dyn FnMut(u64, Option<&CoursePoint>),
}

impl Watcher for Comparing<'_, '_> {
    fn block(&mut self, first: u64, so_far: &Finished, outcomes: &[Vec<Outcome>]) {
        let deals = outcomes.iter().map(Vec::len).min().unwrap_or(0);
        for deal in 0..deals {
            self.worths.clear();
            let each = self.specs.iter().zip(outcomes);
            self.worths.extend(each.map(|(spec, outcomes)| GameWorth::of(spec, &outcomes[deal])));
            for ((a, b), tally) in &mut self.pairs {
                tally.add(&self.worths[*a], &self.worths[*b]);
            }
            self.shown.offer(first + deal as u64, &self.worths);
        }
        let Some((_, pair)) = self.pairs.first() else { return };
        let (sum, squares) = pair.sums(self.measure);
        let games = so_far.games;
        if let (Some(test), Some(budget)) = (&mut self.test, self.fit.take()) {
            let (fitted, enough) = test.likely_within(budget, games, squares);
            *test = fitted;
            self.fitted = Some(Fitted { deals: games, budget, enough });
        }
        let standing = self.test.map(|test| (test, test.standing(games, sum, squares)));
        if let (Some((test, standing)), None) = (standing, self.answered) {
            self.answered = test.verdict(&standing).map(|verdict| (verdict, standing));
        }
        let difference = pair.difference(self.measure, TAIL);
        let standing = standing.map(|(_, standing)| standing);
        self.course.push(CoursePoint { games, difference, standing });
        self.games(so_far);
    }

    fn games(&mut self, so_far: &Finished) {
        (self.watch)(so_far.games, self.course.last());
    }

    fn enough(&self) -> bool {
        self.answered.is_some() && !self.play_all
    }

    fn may_have_enough(&self) -> bool {
        self.test.is_some() && !self.play_all
    }
}

/// Minimum number of points kept once there are that many; the maximum is twice this.
const POINTS: usize = 200;

/// The first pair at the end of a block.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CoursePoint {
    /// Deals so far.
    pub games: u64,
    /// The difference, with its interval as if the number of deals had been fixed in advance.
    pub difference: Estimate,
    /// State of the test.
    #[serde(flatten)]
    pub standing: Option<TestState>,
}

/// Returns every point, or every second, every fourth and so on, and the last.
fn thinned(mut all: Vec<CoursePoint>) -> Vec<CoursePoint> {
    let last = all.last().copied();
    while all.len() >= 2 * POINTS {
        all = all.into_iter().skip(1).step_by(2).collect();
    }
    all.extend(last.filter(|last| all.last().is_none_or(|point| point.games < last.games)));
    all
}

/// A deal with the result of each entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownDeal {
    /// The game of the seed.
    pub game: u64,
    /// Id of the deal in its file, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Cards on the foundations, by entry.
    pub cards: Vec<i64>,
    /// Whether each entry won.
    pub won: Vec<bool>,
    /// The player's net of each entry, cents.
    pub net: Vec<i64>,
    /// The command that shows the game of each entry.
    pub replay: Vec<String>,
}

/// Sort key: the greatest difference first; among equals, the deal played first.
type Rank = (Reverse<i64>, Reverse<i64>, u64);

/// The few deals with the greatest differences so far.
#[derive(Clone, Debug)]
struct Shown {
    measure: Measure,
    most: usize,
    deals: Vec<(Rank, ShownDeal)>,
}

impl Shown {
    pub fn new(measure: Measure, most: usize) -> Shown {
        Shown { measure, most, deals: Vec::new() }
    }

    /// Keeps the deal if its difference is among the greatest.
    pub fn offer(&mut self, game: u64, worths: &[GameWorth]) {
        if self.most == 0 {
            return;
        }
        // Difference between the best and the worst entry; ties are broken by cards.
        let spread = |measure| {
            let values = || worths.iter().map(|worth| worth.by(measure).stood);
            values().max().unwrap_or(0) - values().min().unwrap_or(0)
        };
        let rank = (Reverse(spread(self.measure)), Reverse(spread(Measure::Cards)), game);
        let full = self.deals.len() == self.most;
        let worse = full && self.deals.last().is_some_and(|(last, _)| rank > *last);
        if worse || rank.0 == Reverse(0) {
            return;
        }
        let place = self.deals.partition_point(|(other, _)| *other < rank);
        let by = |measure| worths.iter().map(move |worth| worth.by(measure).stood);
        let won = by(Measure::Wins).map(|won| won > 0).collect();
        let (cards, net) = (by(Measure::Cards).collect(), by(Measure::Money).collect());
        let deal = ShownDeal { game, id: None, cards, won, net, replay: Vec::new() };
        self.deals.insert(place, (rank, deal));
        self.deals.truncate(self.most);
    }

    pub fn deals(self) -> Vec<ShownDeal> {
        self.deals.into_iter().map(|(_, deal)| deal).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Amount;

    #[test]
    fn points_stay_few_and_even() {
        for blocks in [1u64, 399, 400, 401, 10_001] {
            let difference = Estimate { value: 0.0, low: -1.0, high: 1.0 };
            let point = |block| CoursePoint { games: block * 1000, difference, standing: None };
            let course = thinned((1..=blocks).map(point).collect());
            let games: Vec<u64> = course.iter().map(|point| point.games).collect();
            assert!(games.len() <= 2 * POINTS && games.len() as u64 >= blocks.min(POINTS as u64));
            assert_eq!(games.last(), Some(&(blocks * 1000)));
            let steps: Vec<u64> = games.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let even = steps.len().saturating_sub(1);
            assert!(steps[..even].iter().all(|step| *step == steps[0]), "{blocks}: {steps:?}");
        }
    }

    #[test]
    fn the_greatest_are_kept_and_the_earliest_of_equals() {
        let mut shown = Shown::new(Measure::Cards, 3);
        let worth = |cards| GameWorth {
            cards: Amount::settled(cards),
            won: Amount::settled(i64::from(cards == 52)),
            money: Amount::settled(500 * cards - 5200),
        };
        for (game, (a, b)) in
            [(5, 5), (9, 3), (4, 10), (52, 50), (6, 0), (3, 40), (1, 7)].into_iter().enumerate()
        {
            shown.offer(game as u64, &[worth(a), worth(b)]);
        }
        let deals = shown.deals();
        assert_eq!(deals.iter().map(|deal| deal.game).collect::<Vec<_>>(), [5, 1, 2]);
        assert_eq!((&deals[0].cards, &deals[0].net), (&vec![3, 40], &vec![-3700, 14_800]));
        let mut wins = Shown::new(Measure::Wins, 1);
        wins.offer(0, &[worth(52), worth(52)]);
        wins.offer(1, &[worth(52), worth(51)]);
        wins.offer(2, &[worth(1), worth(52)]);
        assert_eq!(wins.deals()[0].game, 2);
    }
}
