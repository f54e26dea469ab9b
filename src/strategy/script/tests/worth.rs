//! The strength of the shelf's strategies, and that their games end properly.

use super::*;

/// Mean difference of cards to native greedy on the same deals, with its 95% half-width.
fn against_greedy(name: &str, rules: &Rules, games: u64) -> (f64, f64) {
    let mut strategy = load(name).unwrap().instantiate();
    let differences: Vec<f64> = (0..games)
        .map(|game| {
            let of = |s: &mut dyn Strategy| f64::from(watch(rules, s, game, &mut ()).unwrap().cards);
            of(&mut *strategy) - of(&mut Greedy)
        })
        .collect();
    let n = games as f64;
    let mean = differences.iter().sum::<f64>() / n;
    let square = differences.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / (n - 1.0);
    (mean, 1.96 * (square / n).sqrt())
}

#[test]
fn patient_beats_greedy_on_canfield() {
    let (mean, half) = against_greedy("patient", &rulesets()[0], 4_000);
    assert!(mean - half > 1.0, "{mean} +- {half}");
}

#[test]
fn patient_beats_greedy_where_redeals_are_few() {
    let storehouse = crate::rules::load("storehouse").unwrap().rules;
    let (mean, half) = against_greedy("patient", &storehouse, 2_000);
    assert!(mean - half > 0.0, "{mean} +- {half}");
}

#[test]
fn hoarder_beats_greedy_on_a_single_pass() {
    let (mean, half) = against_greedy("hoarder", &rulesets()[1], 20_000);
    assert!(mean - half > 0.01, "{mean} +- {half}");
}

#[test]
fn shelf_strategies_end_well_everywhere() {
    for &(of, _) in SHELF {
        let (name, settings) = quick(of).split_once(':').unwrap_or((of, ""));
        let path = format!("scripts/{name}.rhai:{settings}");
        let mut strategy = load(path.trim_end_matches(':')).unwrap().instantiate();
        for rules in rulesets() {
            for game in 0..20 {
                let outcome = play(&rules, &mut *strategy, game).unwrap().0;
                assert_ne!(outcome.end, End::Runaway, "{name} {} {game}", rules.name());
                // A strategy that tries few deals may find that nothing matters, and go in circles.
                if quick(of) == of {
                    assert_ne!(outcome.end, End::Repeated, "{name} {} {game}", rules.name());
                }
            }
        }
    }
}
