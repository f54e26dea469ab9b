//! Comparisons checked against a plain recomputation from the list of all games.

use std::sync::atomic::{AtomicBool, Ordering};

use saratoga::game::{End, Outcome};
use saratoga::lab::{Compared, Comparison, Contender, CoursePoint, Workers, compare};
use saratoga::stats::{GameWorth, Measure, SequentialTest, Verdict};

use crate::common::play::{Sides, batch, every_game};

#[derive(Clone, Copy)]
pub struct Plan {
    pub seed: u64,
    pub budget: u64,
    pub measure: Measure,
    pub test: Option<SequentialTest>,
    pub play_all: bool,
    pub threads: usize,
}

pub const PLAN: Plan =
    Plan { seed: 3, budget: 12_300, measure: Measure::Cards, test: None, play_all: false, threads: 2 };

pub fn test(difference: f64, reach: u64) -> Option<SequentialTest> {
    Some(SequentialTest { difference, alpha: 0.05, beta: 0.05, reach })
}

/// Compares sides under the names of a report.
pub fn played(
    sides: &Sides,
    names: &[(&str, &str)],
    plan: Plan,
    workers: Workers<'_>,
    watch: &mut dyn FnMut(u64, Option<&CoursePoint>),
) -> Compared {
    sides.entries(|entries| {
        let contenders = entries.into_iter().zip(names).map(|(pairing, &(id, strategy))| {
            let replay = format!("saratoga replay canfield -s {strategy} --seed {}", plan.seed);
            Contender { id, strategy, replay, pairing }
        });
        let comparison = Comparison {
            entries: contenders.collect(),
            seed: plan.seed,
            given: None,
            budget: plan.budget,
            measure: plan.measure,
            test: plan.test,
            fit_difference: false,
            play_all: plan.play_all,
            show: 4,
            workers,
        };
        compare(&comparison, watch).unwrap()
    })
}

fn compared(pairs: &[(&str, &str)], plan: Plan) -> Compared {
    played(&Sides::new(pairs), pairs, plan, Workers::new(plan.threads), &mut |_, _| {})
}

const TWO: [(&str, &str); 2] = [("canfield", "hoarder"), ("canfield", "greedy")];

/// Runs the test on the list of differences, by the formulas of its documentation; returns its answer and the deals it
/// took.
fn plainly(differences: &[f64], test: &SequentialTest) -> (Option<Verdict>, usize) {
    let (d, reach) = (test.difference, test.reach as f64);
    let ends = (1000..differences.len()).step_by(1000).chain([differences.len()]);
    for n in ends {
        let more = differences[..n].iter().copied().chain([reach, -reach]);
        let count = n as f64 + 2.0;
        let mean = more.clone().sum::<f64>() / count;
        let variance = more.map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let sum: f64 = differences[..n].iter().sum();
        let a = (d * sum - n as f64 * d * d / 2.0) / variance;
        let b = (-d * sum - n as f64 * d * d / 2.0) / variance;
        let verdict = match () {
            () if a >= 40f64.ln() => Some(Verdict::A),
            () if b >= 40f64.ln() => Some(Verdict::B),
            () if a.max(b) <= 0.05f64.ln() => Some(Verdict::NoDifference),
            () => None,
        };
        if verdict.is_some() {
            return (verdict, n);
        }
    }
    (None, differences.len())
}

fn value(measure: Measure, game: &Outcome) -> f64 {
    let cards = f64::from(game.cards);
    match (measure, game.stake) {
        (Measure::Cards, _) => cards,
        (Measure::Wins, _) => f64::from(u8::from(game.end == End::Won)),
        (Measure::Money, None) => 500.0 * cards - 5200.0,
        (Measure::Money, Some(stake)) => {
            (if stake.whole { 500.0 * cards } else { 0.0 }) - stake.staked as f64
        }
    }
}

/// Each answer, for each measure, with a staged stake, and for two rulesets.
#[test]
fn runs_end_where_the_plain_test_does() {
    use Measure::{Cards, Money, Wins};
    let by = |a, b| [("canfield", a), ("canfield", b)];
    let staged = [("bsd", "cautious"), ("bsd", "greedy")];
    let rules = [("exorcism-die-pass", "greedy"), ("canfield", "greedy")];
    for (pairs, measure, difference, reach, wanted) in [
        (TWO, Cards, 0.4, 52, Some(Verdict::A)),
        (by("reserve-first", "greedy"), Cards, 0.2, 52, Some(Verdict::B)),
        (by("greedy", "scripts/greedy.rhai"), Cards, 0.1, 52, Some(Verdict::NoDifference)),
        (TWO, Wins, 0.01, 1, Some(Verdict::A)),
        (TWO, Money, 1.0, 26_000, None),
        (staged, Money, 200.0, 30_000, Some(Verdict::A)),
        (rules, Cards, 2.0, 52, Some(Verdict::A)),
    ] {
        let case = format!("{pairs:?} {measure:?}");
        let sides = Sides::new(&pairs);
        let games = sides.entries(|entries| every_game(batch(entries, 3, 0..PLAN.budget, 1)).unwrap().0);
        let both = games[0].iter().zip(&games[1]);
        let differences: Vec<f64> = both.map(|(a, b)| value(measure, a) - value(measure, b)).collect();
        let test = test(difference, reach);
        let compared = compared(&pairs, Plan { measure, test, threads: 3, ..PLAN });
        let tested = compared.tested.unwrap();
        let (verdict, taken) = plainly(&differences, &test.unwrap());
        assert_eq!((tested.verdict, compared.games as usize), (verdict, taken), "{case}");
        assert_eq!((verdict, tested.standing.games), (wanted, compared.games), "{case}");
        let mean = differences[..taken].iter().sum::<f64>() / taken as f64;
        let plain = compared.pairs[0].tally.difference(measure, 0.025).value;
        assert!((plain - mean).abs() < 1e-9 * mean.abs().max(1.0), "{case}: {plain} {mean}");
        assert!(tested.estimate.low < tested.estimate.value && tested.estimate.value < tested.estimate.high);
        // The deals that differ most: by the measure, then by cards, earlier ones first.
        let cards = |game: usize| (i64::from(games[0][game].cards) - i64::from(games[1][game].cards)).abs();
        let mut order: Vec<usize> = (0..taken).filter(|&game| differences[game] != 0.0).collect();
        order.sort_by(|&a, &b| {
            let by_measure = differences[b].abs().total_cmp(&differences[a].abs());
            by_measure.then(cards(b).cmp(&cards(a))).then(a.cmp(&b))
        });
        let shown: Vec<usize> = compared.shown.iter().map(|deal| deal.game as usize).collect();
        assert_eq!(shown, order[..order.len().min(4)], "{case}");
    }
}

#[test]
fn a_run_can_go_on_after_its_answer() {
    let plan = Plan { test: test(0.4, 52), ..PLAN };
    let (stopped, all) = (compared(&TWO, plan), compared(&TWO, Plan { play_all: true, ..plan }));
    let (early, late) = (stopped.tested.unwrap(), all.tested.unwrap());
    assert!(stopped.games < all.games && all.games == 12_300);
    assert_eq!((early.verdict, early.standing), (late.verdict, late.standing));
    // The mean then needs no correction.
    assert_eq!(late.estimate, all.pairs[0].tally.difference(Measure::Cards, 0.025));
    let plain = stopped.pairs[0].tally.difference(Measure::Cards, 0.025);
    assert_ne!(early.estimate, plain);
    // Correcting it for stopping does not make it more precise.
    assert!(early.estimate.high - early.estimate.low > 0.999 * (plain.high - plain.low));
}

/// The finished part is reported as if the run had had no more deals.
#[test]
fn a_run_can_be_stopped_from_outside() {
    let pairs = [("canfield", "greedy"), ("superior", "greedy")];
    let plan = Plan { budget: 1_000_000_000, test: test(0.000_1, 52), ..PLAN };
    let stop = AtomicBool::new(false);
    let mut seen = Vec::new();
    let mut watch = |games, _: Option<&CoursePoint>| {
        seen.push(games);
        stop.store(games >= 3_000, Ordering::Relaxed);
    };
    let compared =
        played(&Sides::new(&pairs), &pairs, plan, Workers::new(plan.threads).heeding(&stop), &mut watch);
    assert!(compared.interrupted && compared.games >= 3_000);
    // The clock calls too, even if no games have been added.
    seen.dedup();
    assert_eq!(seen[..3], [1000, 2000, 3000]);
    assert_eq!(compared.course.last().unwrap().games, compared.games);
    let tested = compared.tested.unwrap();
    let plain = compared.pairs[0].tally.difference(Measure::Cards, 0.025).value;
    assert!(tested.verdict.is_none() && (tested.estimate.value - plain).abs() < 1e-3);
}

/// Every pair of several is treated as if it were alone.
#[test]
fn pairs_of_several_are_those_of_two() {
    let entries = ["hoarder", "greedy", "reserve-first"].map(|name| ("demon-casino", name));
    let plan = Plan { seed: 4, budget: 3_000, ..PLAN };
    let all = compared(&entries, plan);
    assert_eq!(all.pairs.iter().map(|pair| (pair.a, pair.b)).collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
    assert!(all.tested.is_none() && all.games == 3_000);
    for pair in &all.pairs {
        let alone = compared(&[entries[pair.a], entries[pair.b]], plan);
        assert_eq!(alone.pairs[0].tally.summary(0.025), pair.tally.summary(0.025));
    }
    // A shown deal has the results of each entry.
    let sides = Sides::new(&entries);
    let games = sides.entries(|entries| every_game(batch(entries, 4, 0..3_000, 2)).unwrap().0);
    for deal in &all.shown {
        for (entry, outcomes) in games.iter().enumerate() {
            let worth = GameWorth::of(sides.rules[0].rules.spec(), &outcomes[deal.game as usize]);
            assert_eq!((deal.cards[entry], deal.net[entry]), (worth.cards.stood, worth.money.stood));
        }
    }
}
