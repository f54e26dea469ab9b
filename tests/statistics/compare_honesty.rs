//! The sequential test keeps its error rates, on the differences of real games.
//!
//! Two strategies play the same deals once. Runs of the test are drawn repeatedly from their differences, with random
//! signs, so that the true mean is 0 and the spread real, and shifted by the intended truth.

use saratoga::lab::Workers;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use crate::common::scale::scale;
use rand::Rng;
use saratoga::cards::{Purpose, generator};
use saratoga::game::Outcome;
use saratoga::lab::{BLOCK, Batch, Finished, Matchup, Watcher, simulate};
use saratoga::stats::{SequentialTest, StoppedTest, Verdict};
use saratoga::{rules, strategy};

/// Number of deals played: a power of two, so that bits of a random word select one.
const DEALS: usize = 1 << 15;
/// Runs use whole numbers, so everything is counted in tenths of a card.
const TENTHS: i64 = 10;
/// Maximum number of deals in a run.
const BUDGET: u64 = 1_000_000;

/// Differences in cards between `hoarder` and `greedy` on the same deals of Canfield.
static DIFFERENCES: LazyLock<Vec<i64>> = LazyLock::new(|| {
    struct Collect(Vec<i64>);
    impl Watcher for Collect {
        fn block(&mut self, _: u64, _: &Finished, outcomes: &[Vec<Outcome>]) {
            let pairs = outcomes[0].iter().zip(&outcomes[1]);
            self.0.extend(pairs.map(|(a, b)| i64::from(a.cards) - i64::from(b.cards)));
        }
    }
    let canfield = rules::load("canfield").unwrap().rules;
    let [hoarder, greedy] = ["hoarder", "greedy"].map(|name| strategy::load(name).unwrap());
    let (hoarder, greedy) = (|| hoarder.instantiate(), || greedy.instantiate());
    let batch = Batch {
        entries: vec![
            Matchup { id: "canfield", rules: &canfield, strategy: &hoarder },
            Matchup { id: "canfield", rules: &canfield, strategy: &greedy },
        ],
        seed: 5,
        games: 0..DEALS as u64,
        precision: None,
        workers: Workers::new(2),
        each_game: true,
    };
    let mut collect = Collect(Vec::new());
    simulate(&batch, &AtomicBool::new(false), &mut collect).unwrap();
    collect.0
});

/// Result of a run of the test.
struct Run {
    verdict: Option<Verdict>,
    games: u64,
    sum: i128,
    variance: f64,
}

fn test(difference: f64) -> SequentialTest {
    SequentialTest {
        difference: difference * TENTHS as f64,
        alpha: 0.05,
        beta: 0.05,
        reach: 52 * TENTHS as u64,
    }
}

/// Draws deals in blocks until the test decides. The mean is `shift` tenths of a card.
fn run(test: &SequentialTest, shift: i64, number: u64) -> Run {
    run_of(test, None, (shift, true), number)
}

/// Like `run`; with a budget, the first block sets the difference. Without `signs` the differences are unchanged, and
/// so skewed.
fn run_of(test: &SequentialTest, fit: Option<u64>, (shift, signs): (i64, bool), number: u64) -> Run {
    let differences = &*DIFFERENCES;
    assert_eq!(differences.len(), DEALS);
    let mut rng = generator(77, number, Purpose::Strategy);
    let (mut games, mut sum, mut squares) = (0, 0i128, 0u128);
    let mut test = *test;
    loop {
        let (mut block, mut block_squares) = (0i64, 0u64);
        let mut draw = |bits: u32| {
            let drawn = differences[bits as usize % DEALS] * TENTHS;
            let x = shift + if !signs || bits as usize & DEALS == 0 { drawn } else { -drawn };
            block += x;
            block_squares += x.unsigned_abs().pow(2);
        };
        for _ in 0..BLOCK / 2 {
            let bits = rng.next_u32();
            draw(bits);
            draw(bits >> 16);
        }
        games += BLOCK;
        sum += i128::from(block);
        squares += u128::from(block_squares);
        if let (Some(budget), BLOCK) = (fit, games) {
            test = test.likely_within(budget, games, squares).0;
        }
        let state = test.standing(games, sum, squares);
        let verdict = test.verdict(&state);
        if verdict.is_some() || games >= fit.unwrap_or(BUDGET) {
            return Run { verdict, games, sum, variance: state.variance };
        }
    }
}

/// Counts the runs with each answer: A, B, no difference, none.
fn answers(runs: u64, difference: f64, shift: i64) -> [u64; 4] {
    let test = test(difference);
    let mut counts = [0; 4];
    for number in 0..runs {
        let place = match run(&test, shift, number).verdict {
            Some(Verdict::A) => 0,
            Some(Verdict::B) => 1,
            Some(Verdict::NoDifference) => 2,
            None => 3,
        };
        counts[place] += 1;
    }
    counts
}

/// Returns the maximum number of runs of `all` for a rate, within three standard deviations of the count.
fn at_most(rate: f64, all: u64) -> f64 {
    let all = all as f64;
    rate * all + 3.0 * (rate * (1.0 - rate) * all).sqrt()
}

/// 10,008 runs with `SARATOGA_SCALE=12`.
#[test]
fn false_findings_keep_to_the_promised_rate() {
    let runs = 834 * scale();
    let [a, b, same, open] = answers(runs, 0.1, 0);
    println!("no difference: A {a}, B {b}, no difference {same}, undecided {open} of {runs}");
    assert!((a + b) as f64 <= at_most(0.05, runs), "{a} + {b} of {runs}");
    for found in [a, b] {
        assert!(found as f64 <= at_most(0.025, runs), "{a} and {b} of {runs}");
    }
    // The error rates are not met by never finding anything.
    assert!(a + b >= runs / 100, "{a} + {b} of {runs}");
    assert!(open <= runs / 200, "{open} of {runs}");
}

#[test]
fn differences_are_found_with_the_promised_power() {
    let runs = 417 * scale();
    for (shift, place) in [(1, 0), (-1, 1)] {
        let answers = answers(runs, 0.1, shift);
        println!("a difference of {shift}/10: {answers:?} of {runs}");
        assert!((runs - answers[place]) as f64 <= at_most(0.05, runs), "{answers:?} of {runs}");
        assert!(answers[1 - place] as f64 <= at_most(0.025, runs), "{answers:?} of {runs}");
    }
}

/// The error rates also hold if the first block has set the difference, even with skewed differences, whose mean and
/// spread in a block are correlated; and most runs are decided.
#[test]
fn a_difference_from_the_first_block_keeps_the_promises() {
    let runs = 834 * scale();
    let mean = DIFFERENCES.iter().sum::<i64>() as f64 * TENTHS as f64 / DEALS as f64;
    let skewed = (-mean.round() as i64, false);
    let answers = |budget, truth| {
        let verdicts = (0..runs).map(|number| run_of(&test(0.1), Some(budget), truth, number).verdict);
        let verdicts: Vec<Option<Verdict>> = verdicts.collect();
        [Some(Verdict::A), Some(Verdict::B), None]
            .map(|answer| verdicts.iter().filter(|verdict| **verdict == answer).count() as u64)
    };
    for (budget, truth) in [(3_000, (0, true)), (20_000, (0, true)), (3_000, skewed), (20_000, skewed)] {
        let [a, b, open] = answers(budget, truth);
        println!("{budget} deals, {truth:?}: A {a}, B {b}, undecided {open} of {runs}");
        assert!((a + b) as f64 <= at_most(0.05, runs), "{a} + {b} of {runs}");
        assert!(a.max(b) as f64 <= at_most(0.025, runs), "{a} and {b} of {runs}");
        assert!(open as f64 <= at_most(0.05, runs), "{open} of {runs}");
    }
    // A difference as large as the one set by the first block, or slightly larger.
    let squares = DIFFERENCES.iter().map(|x| (x * TENTHS).unsigned_abs() as u128);
    let set = test(0.1).likely_within(20_000, DEALS as u64, squares.map(|x| x * x).sum()).0.difference;
    let [found, ..] = answers(20_000, ((1.1 * set).ceil() as i64, true));
    println!("a difference of {set:.1}/10 or more: found in {found} of {runs}");
    assert!((runs - found) as f64 <= at_most(0.05, runs), "{found} of {runs}");
}

/// After stopping, the estimate is too high as often as too low, and its limits contain the truth in 95% of runs; this
/// is not true of the plain mean of a run that was stopped by its results.
#[test]
fn estimates_after_stopping_are_median_unbiased() {
    let runs = 300 * scale();
    for (difference, shift) in [(0.5, 0), (0.5, 3), (0.5, 5), (0.5, 10), (0.5, -5), (0.1, 45), (0.1, -20)] {
        let test = test(difference);
        let truth = shift as f64;
        let (mut over, mut held, mut plain_over) = (0, 0, 0);
        for number in 0..runs {
            let run = run(&test, shift, 1_000_000 + number);
            let mean = run.sum as f64 / run.games as f64;
            let stopped = StoppedTest {
                test,
                block: BLOCK,
                budget: BUDGET,
                games: run.games,
                mean,
                variance: run.variance,
            };
            let estimate = stopped.estimate();
            over += u64::from(estimate.value > truth);
            held += u64::from(estimate.low <= truth && truth <= estimate.high);
            plain_over += u64::from(mean > truth);
        }
        println!("truth {shift}/10: over {over}, held {held}, plain mean over {plain_over} of {runs}");
        assert!(over as f64 <= at_most(0.5, runs) && (runs - over) as f64 <= at_most(0.5, runs));
        assert!((runs - held) as f64 <= at_most(0.05, runs), "{held} of {runs}");
        if shift == 5 {
            assert!(plain_over > over, "the plain mean is biased upwards: {plain_over}, {over} of {runs}");
        }
    }
}
