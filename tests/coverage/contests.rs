//! Rates of a contest: a set of played matches is the truth, from which samples are drawn.

use saratoga::cards::{Purpose, below, generator};
use saratoga::contest::load;
use saratoga::lab::{ContestBatch, MakeStrategy, Workers, contest};
use saratoga::stats::{ContestTally, Estimate};

use super::Row;
use super::coverage::{PROGRAM, Study};

pub fn all(quick: bool) -> Vec<Row> {
    let samples = if quick { 100 } else { 2_000 };
    let mut all = Vec::new();
    for name in ["racing-demon", "exorcism-competition"] {
        let loaded = load(name).unwrap();
        let strategies: Vec<MakeStrategy<'_>> =
            loaded.strategies.iter().map(|it| it as MakeStrategy<'_>).collect();
        let batch = ContestBatch {
            spec: &loaded.spec,
            rules: &loaded.rules.rules,
            strategies: &strategies,
            seed: 5,
            matches: 0..if quick { 1_000 } else { 20_000 },
            workers: Workers::new(1),
        };
        let mut matches = Vec::new();
        let played = contest(&batch, &mut |_, played| matches.extend_from_slice(played));
        let truth = played.unwrap().summarize(&loaded.spec);
        for n in [20, 100, 1_000] {
            let mut study = Study::default();
            for number in 0..samples {
                let mut rng = generator(22, number, Purpose::Bootstrap);
                let mut tally = ContestTally::new(&loaded.spec);
                (0..n).for_each(|_| tally.add(&matches[below(&mut rng, matches.len() as u32) as usize]));
                let found = tally.summarize(&loaded.spec);
                let mut add = |figure, e: Estimate, truth| study.add(figure, PROGRAM, e, truth, n);
                let mut worst = (Estimate { value: 0.0, low: 0.0, high: 0.0 }, 0.0);
                for (side, truth) in found.sides.iter().zip(&truth.sides) {
                    let truth = truth.win_rate.value;
                    add("win rate of a side", side.win_rate, truth);
                    if side.at_once.low > truth || side.at_once.high < truth {
                        worst = (side.at_once, truth);
                    }
                }
                // Either all hold, or one that does not decides.
                add("win rates of all sides at once", worst.0, worst.1);
                for (player, truth) in found.players.iter().zip(&truth.players) {
                    add("points of a player", player.points, truth.points.value);
                }
                add("length of a match", found.seconds, truth.seconds.value);
            }
            eprintln!("{name} {n}");
            all.push((name.to_string(), n.to_string(), study));
        }
    }
    all
}
