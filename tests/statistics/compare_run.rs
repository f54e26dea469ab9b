//! Comparisons checked against a plain recomputation from the list of all games.

use saratoga::lab::Workers;
use std::sync::atomic::{AtomicBool, Ordering};

use saratoga::game::{End, Outcome};
use saratoga::lab::{
    self, Batch, Compared, Comparison, Contender, Finished, Matchup, Underway, Watcher, compare,
};
use saratoga::rules::{self, Rules};
use saratoga::stats::{GameWorth, Measure, SequentialTest, Verdict};
use saratoga::strategy::{self, StrategySource};

/// The compared entries: rules with strategies.
struct Sides {
    rules: Vec<Rules>,
    strategies: Vec<StrategySource>,
}

impl Sides {
    fn new(pairs: &[(&str, &str)]) -> Sides {
        Sides {
            rules: pairs.iter().map(|(rules, _)| rules::load(rules).unwrap().rules).collect(),
            strategies: pairs.iter().map(|(_, name)| strategy::load(name).unwrap()).collect(),
        }
    }

    fn entries<T>(&self, f: impl FnOnce(Vec<Matchup<'_>>) -> T) -> T {
        let makers: Vec<_> = self.strategies.iter().map(|source| || source.instantiate()).collect();
        let entries = self.rules.iter().zip(&makers);
        f(entries.map(|(rules, make)| Matchup { id: "rules", rules, strategy: make }).collect())
    }

    /// Returns every game of every entry.
    fn games(&self, seed: u64, games: u64) -> Vec<Vec<Outcome>> {
        struct Collect(Vec<Vec<Outcome>>);
        impl Watcher for Collect {
            fn block(&mut self, _: u64, _: &Finished, outcomes: &[Vec<Outcome>]) {
                self.0.resize(outcomes.len(), Vec::new());
                self.0.iter_mut().zip(outcomes).for_each(|(all, block)| all.extend(block));
            }
        }
        let mut collect = Collect(Vec::new());
        self.entries(|entries| {
            let batch = Batch {
                entries,
                seed,
                games: 0..games,
                precision: None,
                workers: Workers::new(1),
                each_game: true,
            };
            lab::simulate(&batch, &AtomicBool::new(false), &mut collect).unwrap();
        });
        collect.0
    }

    fn compare(&self, plan: Plan, watch: &mut dyn FnMut(&Underway), stop: &AtomicBool) -> Compared {
        self.entries(|entries| {
            let contender =
                |pairing| Contender { id: "rules", strategy: "player", replay: String::new(), pairing };
            let comparison = Comparison {
                entries: entries.into_iter().map(contender).collect(),
                seed: plan.seed,
                given: None,
                budget: plan.budget,
                measure: plan.measure,
                test: plan.test,
                fit_difference: false,
                play_all: plan.play_all,
                show: 4,
                workers: Workers::new(plan.threads),
            };
            compare(&comparison, stop, watch).unwrap()
        })
    }
}

#[derive(Clone, Copy)]
struct Plan {
    seed: u64,
    budget: u64,
    measure: Measure,
    test: Option<SequentialTest>,
    play_all: bool,
    threads: usize,
}

const PLAN: Plan =
    Plan { seed: 3, budget: 12_300, measure: Measure::Cards, test: None, play_all: false, threads: 2 };

fn test(difference: f64, reach: u64) -> Option<SequentialTest> {
    Some(SequentialTest { difference, alpha: 0.05, beta: 0.05, reach })
}

fn value(measure: Measure, cents: &dyn Fn(&Outcome) -> f64, game: &Outcome) -> f64 {
    match measure {
        Measure::Cards => f64::from(game.cards),
        Measure::Wins => f64::from(u8::from(game.end == End::Won)),
        Measure::Money => cents(game),
    }
}

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

/// Each answer, for each measure, with a staged stake, and for two rulesets.
#[test]
fn runs_end_where_the_plain_test_does() {
    let cents = |game: &Outcome| 500.0 * f64::from(game.cards) - 5200.0;
    let staged = |game: &Outcome| {
        let stake = game.stake.unwrap();
        (if stake.whole { 500.0 * f64::from(game.cards) } else { 0.0 }) - stake.staked as f64
    };
    type Cents<'a> = &'a dyn Fn(&Outcome) -> f64;
    let by_strategy = |a, b| Sides::new(&[("canfield", a), ("canfield", b)]);
    let cases: [(Sides, Measure, f64, u64, Cents<'_>, Option<Verdict>); 7] = [
        (by_strategy("hoarder", "greedy"), Measure::Cards, 0.4, 52, &cents, Some(Verdict::A)),
        (by_strategy("reserve-first", "greedy"), Measure::Cards, 0.2, 52, &cents, Some(Verdict::B)),
        (
            by_strategy("greedy", "scripts/greedy.rhai"),
            Measure::Cards,
            0.1,
            52,
            &cents,
            Some(Verdict::NoDifference),
        ),
        (by_strategy("hoarder", "greedy"), Measure::Wins, 0.01, 1, &cents, Some(Verdict::A)),
        (by_strategy("hoarder", "greedy"), Measure::Money, 1.0, 26_000, &cents, None),
        (
            Sides::new(&[("bsd", "cautious"), ("bsd", "greedy")]),
            Measure::Money,
            200.0,
            30_000,
            &staged,
            Some(Verdict::A),
        ),
        (
            Sides::new(&[("exorcism-die-pass", "greedy"), ("canfield", "greedy")]),
            Measure::Cards,
            2.0,
            52,
            &cents,
            Some(Verdict::A),
        ),
    ];
    for (i, (sides, measure, difference, reach, cents, wanted)) in cases.into_iter().enumerate() {
        let games = sides.games(3, PLAN.budget);
        let pairs = games[0].iter().zip(&games[1]);
        let differences: Vec<f64> =
            pairs.map(|(a, b)| value(measure, cents, a) - value(measure, cents, b)).collect();
        let test = test(difference, reach);
        let plan = Plan { measure, test, threads: 3, ..PLAN };
        let compared = sides.compare(plan, &mut |_| {}, &AtomicBool::new(false));
        let tested = compared.tested.unwrap();
        let (verdict, taken) = plainly(&differences, &test.unwrap());
        assert_eq!((tested.verdict, compared.games as usize), (verdict, taken), "case {i}");
        assert_eq!(verdict, wanted, "case {i}");
        let seen = &differences[..taken];
        let mean = seen.iter().sum::<f64>() / taken as f64;
        let plain = compared.pairs[0].tally.difference(measure, 0.025).value;
        assert!((plain - mean).abs() < 1e-9 * mean.abs().max(1.0), "case {i}: {plain} {mean}");
        assert!(tested.estimate.low < tested.estimate.value && tested.estimate.value < tested.estimate.high);
        assert_eq!(tested.standing.games, compared.games);
        // The deals that differ most: by the measure, then by cards, earlier ones first.
        let cards = |game: usize| (i64::from(games[0][game].cards) - i64::from(games[1][game].cards)).abs();
        let mut order: Vec<usize> = (0..taken).filter(|&game| differences[game] != 0.0).collect();
        order.sort_by(|&a, &b| {
            let by_measure = differences[b].abs().total_cmp(&differences[a].abs());
            by_measure.then(cards(b).cmp(&cards(a))).then(a.cmp(&b))
        });
        let shown: Vec<usize> = compared.shown.iter().map(|deal| deal.game as usize).collect();
        assert_eq!(shown, order[..order.len().min(4)], "case {i}");
    }
}

/// The same at any number of threads, to the last bit.
#[test]
fn threads_change_nothing() {
    let sides = Sides::new(&[("canfield", "hoarder"), ("canfield", "greedy"), ("canfield", "random")]);
    let two = Sides::new(&[("canfield", "hoarder"), ("canfield", "greedy")]);
    for (sides, test) in [(&sides, None), (&two, test(0.4, 52))] {
        let [one, four] = [1, 4].map(|threads| {
            let plan = Plan { seed: 9, budget: 6_500, test, threads, ..PLAN };
            format!("{:?}", sides.compare(plan, &mut |_| {}, &AtomicBool::new(false)))
        });
        assert_eq!(one, four);
    }
}

#[test]
fn a_run_can_go_on_after_its_answer() {
    let sides = Sides::new(&[("canfield", "hoarder"), ("canfield", "greedy")]);
    let plan = Plan { test: test(0.4, 52), ..PLAN };
    let never = AtomicBool::new(false);
    let stopped = sides.compare(plan, &mut |_| {}, &never);
    let all = sides.compare(Plan { play_all: true, ..plan }, &mut |_| {}, &never);
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
    let sides = Sides::new(&[("canfield", "greedy"), ("superior", "greedy")]);
    let plan = Plan { budget: 1_000_000_000, test: test(0.000_1, 52), ..PLAN };
    let stop = AtomicBool::new(false);
    let mut seen = Vec::new();
    let mut watch = |underway: &Underway| {
        seen.push(underway.games);
        stop.store(underway.games >= 3_000, Ordering::Relaxed);
    };
    let compared = sides.compare(plan, &mut watch, &stop);
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
    let names = ["hoarder", "greedy", "reserve-first"];
    let entries: Vec<(&str, &str)> = names.iter().map(|&name| ("demon-casino", name)).collect();
    let plan = |budget| Plan { seed: 4, budget, ..PLAN };
    let never = AtomicBool::new(false);
    let all = Sides::new(&entries).compare(plan(3_000), &mut |_| {}, &never);
    assert_eq!(all.pairs.iter().map(|pair| (pair.a, pair.b)).collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 2)]);
    assert!(all.tested.is_none() && all.games == 3_000);
    for pair in &all.pairs {
        let two = Sides::new(&[entries[pair.a], entries[pair.b]]);
        let alone = two.compare(plan(3_000), &mut |_| {}, &never);
        assert_eq!(alone.pairs[0].tally.summary(0.025), pair.tally.summary(0.025));
    }
    // A shown deal has the results of each entry.
    let games = Sides::new(&entries).games(4, 3_000);
    let specs = rules::load("demon-casino").unwrap().rules;
    for deal in &all.shown {
        for (entry, outcomes) in games.iter().enumerate() {
            let worth = GameWorth::of(specs.spec(), &outcomes[deal.game as usize]);
            assert_eq!((deal.cards[entry], deal.net[entry]), (worth.cards.stood, worth.money.stood));
        }
    }
}
