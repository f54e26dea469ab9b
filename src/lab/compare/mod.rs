//! Players, or rulesets of the same pack, on the same deals: every pair of them, and for two a test that stops
//! by itself.

mod course;
mod show;

use std::sync::atomic::AtomicBool;

use super::batch::{BLOCK, Batch, BatchError, Finished, Pairing, Watcher, simulate_deals};
use super::workers::Workers;
use crate::cards::Seed;
use crate::game::{NamedDeal, Outcome};
use crate::rules::Spec;
use crate::stats::{
    Estimate, GameWorth, Measure, PairTally, SequentialTest, StoppedTest, TAIL, Tally, TestState, Verdict, Z,
};

use course::Course;
pub use course::CoursePoint;
use show::Shown;
pub use show::ShownDeal;

/// What is to be compared.
pub struct Comparison<'a> {
    /// Two entries or more. Their rules shuffle the same pack.
    pub entries: Vec<Pairing<'a>>,
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

/// Two of the entries.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The first, by index.
    pub a: usize,
    /// The second.
    pub b: usize,
    /// Their differences.
    pub tally: PairTally,
}

/// What the difference of a test was taken from: the spread of the first deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// These deals.
    pub deals: u64,
    /// The budget.
    pub budget: u64,
    /// The budget was likely to be enough; otherwise the difference is the most that is taken.
    pub enough: bool,
}

/// A test and what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tested {
    /// What was asked.
    pub test: SequentialTest,
    /// What its difference was taken from; none where it was given.
    pub fitted: Option<Fitted>,
    /// Its answer; none where the deals were too few for one.
    pub verdict: Option<Verdict>,
    /// How it stood when it answered, or at the end.
    pub standing: TestState,
    /// The difference, without the bias of a run that its own results ended: what it is too high as often as too low.
    pub estimate: Estimate,
    /// The run went on after the answer, so that the estimate is simply the mean.
    pub played_on: bool,
}

/// What came of a comparison.
#[derive(Clone, Debug)]
pub struct Compared {
    /// Deals played by every entry.
    pub games: u64,
    /// Each entry's own counts.
    pub tallies: Vec<Tally>,
    /// Every pair of entries, in order.
    pub pairs: Vec<Pair>,
    /// The test, where one was made.
    pub tested: Option<Tested>,
    /// The first pair as deals accumulated.
    pub course: Vec<CoursePoint>,
    /// The deals on which the entries differ most, the greatest difference first.
    pub shown: Vec<ShownDeal>,
    /// It was stopped from outside.
    pub interrupted: bool,
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
    let entries = || {
        comparison.entries.iter().map(|entry| Pairing {
            id: entry.id,
            rules: entry.rules,
            strategy: entry.strategy,
        })
    };
    let batch = Batch {
        entries: entries().collect(),
        seed,
        games: 0..budget,
        precision: None,
        workers,
        each_game: true,
    };
    let specs: Vec<&Spec> = comparison.entries.iter().map(|entry| entry.rules.spec()).collect();
    let ids = 0..specs.len();
    let pairs = ids.flat_map(|a| (a + 1..specs.len()).map(move |b| (a, b)));
    let pairs = pairs.map(|(a, b)| Pair { a, b, tally: PairTally::new(specs[a], specs[b]) }).collect();
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
    let Comparing { pairs, test, fitted, answered, course, shown, .. } = watcher;
    let tested = test.zip(pairs.first()).map(|(test, pair)| {
        let stopped = StoppedRun { finished: &finished, measure, budget, play_all };
        Tested { fitted, ..stopped.tested(test, answered, &pair.tally) }
    });
    Ok(Compared {
        games: finished.games,
        tallies: finished.tallies,
        pairs,
        tested,
        course: course.points(),
        shown: shown.deals(),
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
        Tested {
            test,
            fitted: None,
            verdict: answered.map(|(verdict, _)| verdict),
            standing,
            estimate,
            played_on: self.play_all,
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
    pairs: Vec<Pair>,
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
            for pair in &mut self.pairs {
                pair.tally.add(&self.worths[pair.a], &self.worths[pair.b]);
            }
            self.shown.offer(first + deal as u64, &self.worths);
        }
        let Some(pair) = self.pairs.first().map(|pair| &pair.tally) else { return };
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
