//! Rule changes of `price`: every one at its price, and the one chosen as nearest to the target edge.

use saratoga::lab::Workers;
use std::collections::BTreeMap;

use saratoga::lab::{PricedPlayer, Pricing, price, variants};
use saratoga::rules::{Casino, load};
use saratoga::stats::{House, Tally, Term};
use saratoga::strategy::load as load_strategy;

use super::coverage::{PROGRAM, Study};
use super::{Failed, NEVER, played};

const TARGET: f64 = 0.05;

pub fn all(quick: bool) -> Result<Vec<(String, String, Study)>, Failed> {
    let loaded = load("canfield").map_err(|faults| format!("{faults:?}"))?;
    let casino: &Casino = &loaded.rules.spec().casino;
    let source = load_strategy("greedy").map_err(|fault| format!("{fault:?}"))?;
    let strategy = || source.instantiate();
    let name =
        |change: Option<&saratoga::rules::Change>| change.map_or(String::new(), |it| format!("{it:?}"));
    let mut truths: BTreeMap<String, Tally> = BTreeMap::new();
    let games = if quick { 50_000 } else { 2_000_000 };
    truths.insert(name(None), played(&loaded, games, 4)?);
    for variant in variants(&loaded) {
        if let Ok(rules) = &variant.rules {
            truths.insert(name(Some(&variant.change)), played(rules, games, 4)?);
        }
    }
    eprintln!("{} rulesets", truths.len());
    let mut all = Vec::new();
    for n in [1_000, 5_000] {
        let mut study = Study::default();
        for seed in 0..if quick { 10 } else { 1_000 } {
            let batch = Pricing {
                named: "canfield",
                loaded: &loaded,
                players: vec![PricedPlayer { name: "greedy", looks_at_prices: false, strategy: &strategy }],
                seed: 10_000 + seed,
                games: 1_000,
                variant_games: n,
                target: TARGET,
                round: 500,
                workers: Workers::new(1),
            };
            let found = price(&batch, &NEVER, &mut |_| {})?;
            for (rank, it) in found.variants.iter().enumerate() {
                let tally = truths.get(&name(it.change.as_ref())).ok_or("a ruleset without a truth")?;
                let edge = |cents| {
                    House::new(tally, &Term::DeckPrice.set(casino, cents))
                        .edge()
                        .map_or(0.0, |edge| edge.value)
                };
                let mut add = |figure, at: &saratoga::lab::AtPrice| {
                    study.add(figure, PROGRAM, (at.edge.low, at.edge.high), edge(at.cents), n);
                };
                add("edge of every changed rule", &it.at_price);
                if let Some(round) = &it.round_price {
                    add("edge at every round price", round);
                }
                if rank == 0 {
                    add("edge of the nearest rule", &it.at_price);
                }
            }
            let nearest = found.variants.iter().filter_map(|it| Some((it, it.round_price.as_ref()?)));
            let nearest = nearest.min_by(|a, b| a.1.distance.value.total_cmp(&b.1.distance.value));
            if let Some((it, round)) = nearest {
                let tally = &truths[&name(it.change.as_ref())];
                let casino = Term::DeckPrice.set(casino, round.cents);
                let truth = House::new(tally, &casino).edge().map_or(0.0, |edge| edge.value);
                let limits = (round.edge.low, round.edge.high);
                study.add("edge of the nearest rule at a round price", PROGRAM, limits, truth, n);
            }
        }
        eprintln!("variants {n}");
        all.push(("canfield, rules changed".into(), n.to_string(), study));
    }
    Ok(all)
}
