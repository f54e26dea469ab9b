//! The sequential test keeps its error rates, on the differences of real games.
//!
//! Two strategies play the same deals once. Runs of the test are drawn repeatedly from their differences, with random
//! signs, so that the true mean is 0 and the spread real, and shifted by the intended truth.

use std::sync::LazyLock;

use rand::Rng;
use saratoga::cards::{Purpose, generator};
use saratoga::lab::BLOCK;
use saratoga::stats::{SequentialTest, StoppedTest, Verdict};

use crate::common::play::{Sides, batch, every_game};
use crate::common::scale;

/// Number of deals played: a power of two, so that bits of a random word select one.
const DEALS: usize = 1 << 15;
/// Runs use whole numbers, so everything is counted in tenths of a card.
const TENTHS: i64 = 10;
const BUDGET: u64 = 1_000_000;

/// Differences in cards between `hoarder` and `greedy` on the same deals of Canfield.
static DIFFERENCES: LazyLock<Vec<i64>> = LazyLock::new(|| {
    let sides = Sides::new(&[("canfield", "hoarder"), ("canfield", "greedy")]);
    let games = sides.entries(|entries| every_game(batch(entries, 5, 0..DEALS as u64, 2)).unwrap().0);
    games[0].iter().zip(&games[1]).map(|(a, b)| i64::from(a.cards) - i64::from(b.cards)).collect()
});

struct Run {
    verdict: Option<Verdict>,
    games: u64,
    sum: i128,
    variance: f64,
}

fn test(difference: f64) -> SequentialTest {
    let reach = 52 * TENTHS as u64;
    SequentialTest { difference: difference * TENTHS as f64, alpha: 0.05, beta: 0.05, reach }
}

/// Draws deals in blocks until the test decides. The mean is `shift` tenths of a card. With a budget, the first block
/// sets the difference. Without `signs` the differences are unchanged, and so skewed.
fn run(test: &SequentialTest, fit: Option<u64>, (shift, signs): (i64, bool), number: u64) -> Run {
    let differences = &*DIFFERENCES;
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
fn answers(runs: u64, fit: Option<u64>, truth: (i64, bool)) -> [u64; 4] {
    let mut counts = [0; 4];
    for number in 0..runs {
        let answers = [Some(Verdict::A), Some(Verdict::B), Some(Verdict::NoDifference), None];
        let found = run(&test(0.1), fit, truth, number).verdict;
        counts[answers.iter().position(|answer| *answer == found).unwrap()] += 1;
    }
    println!("{fit:?} {truth:?}: A, B, no difference, undecided: {counts:?} of {runs}");
    counts
}

/// Checks that a rate is kept, within three standard deviations of the count.
fn at_most(rate: f64, count: u64, all: u64) {
    let n = all as f64;
    assert!(
        count as f64 <= rate * n + 3.0 * (rate * (1.0 - rate) * n).sqrt(),
        "{count} of {all}, not {rate}"
    );
}

/// 10,008 runs with `SARATOGA_SCALE=12`.
#[test]
fn false_findings_keep_to_the_promised_rate() {
    let runs = 834 * scale();
    let [a, b, _, open] = answers(runs, None, (0, true));
    at_most(0.05, a + b, runs);
    at_most(0.025, a.max(b), runs);
    // The error rates are not met by never finding anything.
    assert!(a + b >= runs / 100, "{a} + {b} of {runs}");
    assert!(open <= runs / 200, "{open} of {runs}");
}

#[test]
fn differences_are_found_with_the_promised_power() {
    let runs = 417 * scale();
    for (shift, place) in [(1, 0), (-1, 1)] {
        let answers = answers(runs, None, (shift, true));
        at_most(0.05, runs - answers[place], runs);
        at_most(0.025, answers[1 - place], runs);
    }
}

/// The error rates also hold if the first block has set the difference, even with skewed differences, whose mean and
/// spread in a block are correlated; and most runs are decided.
#[test]
fn a_difference_from_the_first_block_keeps_the_promises() {
    let runs = 834 * scale();
    let mean = DIFFERENCES.iter().sum::<i64>() as f64 * TENTHS as f64 / DEALS as f64;
    let skewed = (-mean.round() as i64, false);
    for (budget, truth) in [(3_000, (0, true)), (20_000, (0, true)), (3_000, skewed), (20_000, skewed)] {
        let [a, b, _, open] = answers(runs, Some(budget), truth);
        at_most(0.05, a + b, runs);
        at_most(0.025, a.max(b), runs);
        at_most(0.05, open, runs);
    }
    // A difference as large as the one set by the first block, or slightly larger.
    let squares = DIFFERENCES.iter().map(|x| ((x * TENTHS).unsigned_abs() as u128).pow(2)).sum();
    let set = test(0.1).likely_within(20_000, DEALS as u64, squares).0.difference;
    let [found, ..] = answers(runs, Some(20_000), ((1.1 * set).ceil() as i64, true));
    at_most(0.05, runs - found, runs);
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
            let Run { games, sum, variance, .. } = run(&test, None, (shift, true), 1_000_000 + number);
            let mean = sum as f64 / games as f64;
            let estimate =
                StoppedTest { test, block: BLOCK, budget: BUDGET, games, mean, variance }.estimate();
            over += u64::from(estimate.value > truth);
            held += u64::from(estimate.low <= truth && truth <= estimate.high);
            plain_over += u64::from(mean > truth);
        }
        println!("truth {shift}/10: over {over}, held {held}, plain mean over {plain_over} of {runs}");
        at_most(0.5, over.max(runs - over), runs);
        at_most(0.05, runs - held, runs);
        if shift == 5 {
            assert!(plain_over > over, "the plain mean is biased upwards: {plain_over}, {over} of {runs}");
        }
    }
}
