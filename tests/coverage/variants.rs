//! Rule changes of `price`: every one at its price, and the one chosen as nearest to the target edge.

use std::collections::BTreeMap;

use saratoga::lab::{AtPrice, Pricing, Workers, price, variants};
use saratoga::rules::{Change, load};
use saratoga::stats::{House, Tally, Term};
use saratoga::strategy;

use super::coverage::{PROGRAM, Study};
use super::{Row, played};

pub fn all(quick: bool) -> Vec<Row> {
    let loaded = load("canfield").unwrap();
    let name = |change: Option<&Change>| change.map_or(String::new(), |it| format!("{it:?}"));
    let games = if quick { 50_000 } else { 2_000_000 };
    let sources = [strategy::load("greedy").unwrap()];
    let mut truths: BTreeMap<String, Tally> = BTreeMap::from([(name(None), played(&loaded, games, 4))]);
    for variant in variants(&loaded) {
        if let (change, Ok(rules)) = &variant {
            truths.insert(name(Some(change)), played(rules, games, 4));
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
                players: &sources,
                seed: 10_000 + seed,
                games: 1_000,
                variant_games: n,
                target: 0.05,
                round: 500,
                workers: Workers::new(1),
            };
            let found = price(&batch, &mut |_| {}).unwrap();
            let mut add = |figure, change: Option<&Change>, at: &AtPrice| {
                let casino = Term::DeckPrice.set(&loaded.rules.spec().casino, at.cents);
                let truth = House::new(&truths[&name(change)], &casino).edge().map_or(0.0, |edge| edge.value);
                study.add(figure, PROGRAM, at.edge, truth, n);
            };
            for (rank, it) in found.variants.iter().enumerate() {
                let change = it.change.as_ref();
                add("edge of every changed rule", change, &it.at_price);
                if let Some(round) = &it.round_price {
                    add("edge at every round price", change, round);
                }
                if rank == 0 {
                    add("edge of the nearest rule", change, &it.at_price);
                }
            }
            let nearest = found.variants.iter().filter_map(|it| Some((it, it.round_price.as_ref()?)));
            let nearest = nearest.min_by(|a, b| a.1.distance.value.total_cmp(&b.1.distance.value));
            if let Some((it, round)) = nearest {
                add("edge of the nearest rule at a round price", it.change.as_ref(), round);
            }
        }
        eprintln!("variants {n}");
        all.push(("canfield, rules changed".into(), n.to_string(), study));
    }
    all
}
