//! Players, or rulesets of the same pack, on the same deals: every pair of them, and for two a test that stops
//! by itself.

mod course;
mod show;

use std::sync::atomic::AtomicBool;

use serde::{Serialize, Serializer};

use super::batch::{BLOCK, Batch, BatchError, Finished, Matchup, Watcher, simulate_deals};
use super::workers::Workers;
use crate::cards::Seed;
use crate::game::{NamedDeal, Outcome};
use crate::rules::Spec;
use crate::stats::{
    Estimate, FixedTest, GameWorth, Measure, PairSummary, PairTally, SequentialTest, StoppedTest, Summary,
    TAIL, TestState, Verdict, Z, groups, summarize,
};

use course::Course;
pub use course::CoursePoint;
use show::Shown;
pub use show::ShownDeal;

/// A ruleset under a strategy, to be compared with others.
pub struct Contender<'a> {
    /// The ruleset's name on the shelf, or that of its file.
    pub id: &'a str,
    /// The strategy's name on the shelf, or the path of its script.
    pub strategy: &'a str,
    /// The command that shows one of its games, without the number of the game at its end.
    pub replay: String,
    /// How it plays.
    pub pairing: Matchup<'a>,
}

/// What is to be compared.
pub struct Comparison<'a> {
    /// Two entries or more. Their rules shuffle the same pack.
    pub entries: Vec<Contender<'a>>,
    /// The seed of all deals, or of the chance that goes with given ones.
    pub seed: Seed,
    /// Deals that are given, as many as the budget.
    pub given: Option<&'a [NamedDeal]>,
    /// Deals at most.
    pub budget: u64,
    /// By what the entries are compared.
    pub measure: Measure,
    /// The test of the first two entries, which ends the run once it has its answer.
    pub test: Option<SequentialTest>,
    /// Raise the test's difference, by the spread of the first block, so that the budget is likely to be enough.
    pub fit_difference: bool,
    /// Play all deals, whatever the test says.
    pub play_all: bool,
    /// How many of the deals to keep on which the entries differ most.
    pub show: usize,
    /// Who makes the blocks.
    pub workers: Workers<'a>,
}

/// Result of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// Deals played by every entry.
    pub games: u64,
    /// Deals at most. A run that was stopped from outside might as well have had no more deals.
    pub budget: u64,
    /// By what the entries are compared.
    pub measure: Measure,
    /// The entries, in the order in which they were named.
    pub entries: Vec<ComparedEntry>,
    /// The test of the first two, where one was made.
    #[serde(rename = "test")]
    pub tested: Option<Tested>,
    /// Every pair of entries, in order.
    pub pairs: Vec<Pair>,
    /// The first pair as deals accumulated.
    pub course: Vec<CoursePoint>,
    /// The deals on which the entries differ most, the greatest difference first.
    pub shown: Vec<ShownDeal>,
    /// It was stopped from outside.
    #[serde(skip)]
    pub interrupted: bool,
}

/// One of those that were compared.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedEntry {
    /// The ruleset's name on the shelf, or that of its file.
    pub rules: String,
    /// The strategy's name on the shelf, or the path of its script.
    pub strategy: String,
    /// Its place by the measure, 1 for the best.
    pub place: usize,
    /// Letters: entries that share one cannot be told apart.
    pub groups: String,
    /// Its own figures.
    pub summary: Summary,
    /// The ruleset.
    #[serde(skip)]
    pub spec: Spec,
}

/// Two of the entries; differences are those of `a` less `b`.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// The first, by index.
    pub a: usize,
    /// The second.
    pub b: usize,
    /// Their differences, with 95% intervals for this pair alone.
    #[serde(flatten)]
    pub summary: PairSummary,
    /// The difference by the measure, with an interval that holds for all pairs at once.
    pub adjusted: Estimate,
    /// That interval does not contain 0.
    pub told_apart: bool,
    /// Their deals.
    #[serde(skip)]
    pub tally: PairTally,
}

/// What the difference of a test was taken from: the spread of the first deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Fitted {
    /// These deals.
    pub deals: u64,
    /// The budget.
    pub budget: u64,
    /// The budget was likely to be enough; otherwise the difference is the most that is taken.
    pub enough: bool,
}

/// Result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tested {
    /// What was asked.
    #[serde(flatten)]
    pub test: SequentialTest,
    /// The log-likelihood ratio from which on a difference is found.
    pub upper: f64,
    /// The one at or below which a difference is ruled out.
    pub lower: f64,
    /// What its difference was taken from; none where it was given.
    pub fitted: Option<Fitted>,
    /// Its answer; `undecided` where the deals were too few for one.
    #[serde(serialize_with = "or_undecided")]
    pub verdict: Option<Verdict>,
    /// How it stood when it answered, or at the end.
    #[serde(flatten)]
    pub standing: TestState,
    /// The log-likelihood ratio of both differences against each other.
    pub llr: f64,
    /// The difference, without the bias of a run that its own results ended: what it is too high as often as too low.
    pub estimate: Estimate,
    /// The run went on after the answer, so that the estimate is simply the mean.
    pub played_on: bool,
    /// A test for a number of deals fixed beforehand, where all deals were played without an answer: Student's paired test, or
    /// of games won the sign test.
    pub at_fixed_deals: Option<FixedTest>,
}

fn or_undecided<S: Serializer>(verdict: &Option<Verdict>, serializer: S) -> Result<S::Ok, S::Error> {
    match verdict {
        Some(verdict) => verdict.serialize(serializer),
        None => serializer.serialize_str("undecided"),
    }
}

impl Compared {
    /// The share that the interval of each pair leaves out at either end, so that all of them hold at once in 95% of
    /// runs (Bonferroni).
    pub fn tail(&self) -> f64 {
        tail(self.pairs.len())
    }
}

fn tail(pairs: usize) -> f64 {
    TAIL / pairs.max(1) as f64
}

impl ComparedEntry {
    /// The entries with their places and groups, by the differences of all pairs.
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
        // Places are grouped, so that the best have the first letter.
        let sets = groups(order.len(), |a, b| apart(order[a], order[b]));
        for (place, &entry) in order.iter().enumerate() {
            entries[entry].place = place + 1;
            let letters = sets.iter().zip('a'..='z').filter(|(set, _)| set.contains(&place));
            entries[entry].groups = letters.map(|(_, letter)| letter).collect();
        }
        entries
    }
}

/// A comparison under way: at the end of a block and, where a game takes long, after each deal.
#[derive(Clone, Copy, Debug)]
pub struct Underway {
    /// Deals played.
    pub games: u64,
    /// Difference of the first pair at the end of the last block, with its interval as if that had been the number of
    /// deals from the first.
    pub difference: Option<Estimate>,
    /// How the test stood then.
    pub standing: Option<TestState>,
}

/// Plays every deal with every entry until the test has its answer, the deals are played, or `stop` is set.
/// `watch` is told after each block, in order.
///
/// # Errors
/// The first fault of a strategy, in the order of deals.
pub fn compare(
    comparison: &Comparison<'_>,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&Underway),
) -> Result<Compared, BatchError> {
    let Comparison { seed, budget, measure, test, play_all, workers, .. } = *comparison;
    let batch = Batch {
        entries: comparison.entries.iter().map(|entry| entry.pairing).collect(),
        seed,
        games: 0..budget,
        precision: None,
        workers,
        each_game: true,
    };
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
        course: Course::default(),
        shown: Shown::new(measure, comparison.show),
        worths: Vec::new(),
        stood: None,
        watch,
    };
    let finished = simulate_deals(&batch, comparison.given, stop, &mut watcher)?;
    let Comparing { specs, pairs, test, fitted, answered, course, shown, .. } = watcher;
    let tested = test.zip(pairs.first()).map(|(test, (_, pair))| {
        let stopped = StoppedRun { finished: &finished, measure, budget, play_all };
        Tested { fitted, ..stopped.tested(test, answered, pair) }
    });
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
        course: course.points(),
        shown: shown.deals().into_iter().map(deal).collect(),
        interrupted: finished.interrupted,
    })
}

/// How a run came to its end.
struct StoppedRun<'a> {
    finished: &'a Finished,
    measure: Measure,
    budget: u64,
    play_all: bool,
}

impl StoppedRun<'_> {
    fn tested(
        &self,
        test: SequentialTest,
        answered: Option<(Verdict, TestState)>,
        pair: &PairTally,
    ) -> Tested {
        let games = self.finished.games;
        let (sum, squares) = pair.sums(self.measure);
        let standing = answered.map_or_else(|| test.standing(games, sum, squares), |(_, standing)| standing);
        let plain = pair.difference(self.measure, TAIL);
        let estimate = match self.play_all || games == 0 {
            true => plain,
            false => {
                // A run that was stopped from outside might as well have had no more deals.
                let budget = if self.finished.interrupted { games } else { self.budget };
                let stopped = StoppedTest {
                    test,
                    block: BLOCK,
                    budget,
                    games,
                    mean: plain.value,
                    variance: standing.variance,
                };
                let unbiased = stopped.estimate();
                // The walk is a normal one. What widens the plain interval beyond that, games that were not decided and payments
                // too rare to have been seen, widens this one too.
                let (under, over) = {
                    let half = Z * (standing.variance / games as f64).sqrt();
                    (plain.value - half - plain.low, plain.high - plain.value - half)
                };
                // No two games differ by more than that.
                let reach = test.reach as f64;
                Estimate {
                    value: unbiased.value.clamp(-reach, reach),
                    low: (unbiased.low - under.max(0.0)).max(-reach),
                    high: (unbiased.high + over.max(0.0)).min(reach),
                }
            }
        };
        let open = answered.is_none() && !self.finished.interrupted;
        Tested {
            test,
            upper: test.upper(),
            lower: test.lower(),
            fitted: None,
            verdict: answered.map(|(verdict, _)| verdict),
            standing,
            llr: standing.llr(),
            estimate,
            played_on: self.play_all,
            at_fixed_deals: if open { pair.fixed_test(self.measure) } else { None },
        }
    }
}

struct Comparing<'a, 'w> {
    specs: Vec<&'a Spec>,
    measure: Measure,
    test: Option<SequentialTest>,
    /// The budget for which the test's difference is still to be taken.
    fit: Option<u64>,
    fitted: Option<Fitted>,
    play_all: bool,
    /// By index of their entries.
    pairs: Vec<((usize, usize), PairTally)>,
    answered: Option<(Verdict, TestState)>,
    course: Course,
    shown: Shown,
    /// Of one deal, by entry.
    worths: Vec<GameWorth>,
    /// At the end of the last block.
    stood: Option<(Estimate, Option<TestState>)>,
    watch: &'w mut dyn FnMut(&Underway),
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
        self.course.add(CoursePoint { games, difference, standing });
        self.stood = Some((difference, standing));
        (self.watch)(&Underway { games, difference: Some(difference), standing });
    }

    fn games(&mut self, so_far: &Finished) {
        let (difference, standing) = self.stood.unzip();
        (self.watch)(&Underway { games: so_far.games, difference, standing: standing.flatten() });
    }

    fn enough(&self) -> bool {
        self.answered.is_some() && !self.play_all
    }

    fn may_have_enough(&self) -> bool {
        self.test.is_some() && !self.play_all
    }
}
