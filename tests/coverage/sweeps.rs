//! Cases in which games are actually played: stages of the stake, and a sweep near its target.

use saratoga::cards::{Purpose, below, generator};
use saratoga::lab::sweep::{Aim, SoFar, SweepBatch, crossing, sweep};
use saratoga::lab::{MakeStrategy, Matchup, Workers};
use saratoga::rules::{Loaded, parse_text};
use saratoga::stats::{AtOnce, Estimate, House, Precision, Tally, summarize};

use super::coverage::{PROGRAM, Study};
use super::play::{Sides, batch, every_game};
use super::{Row, greedy, played};

pub fn all_stages(quick: bool) -> Vec<Row> {
    let sides = Sides::new(&[("bsd", "cautious")]);
    let games = if quick { 5_000 } else { 100_000 };
    let (mut kept, mut truth) = sides.entries(|it| every_game(batch(it, 3, 0..games, 1)).unwrap());
    let (kept, truth, spec) = (kept.remove(0), truth.tallies.remove(0), sides.rules[0].rules.spec());
    let truth = summarize(&truth, spec, Vec::new());
    let study = |n: u64| {
        let mut study = Study::default();
        for number in 0..if quick { 100 } else { 1_000 } {
            let mut rng = generator(21, number, Purpose::Bootstrap);
            let mut tally = Tally::new(spec);
            (0..n).for_each(|_| tally.add(&kept[below(&mut rng, games as u32) as usize]));
            let found = summarize(&tally, spec, Vec::new());
            let mut add = |figure, e, truth: Estimate| study.add(figure, PROGRAM, e, truth.value, n);
            add("net", found.net, truth.net);
            add("profit share", found.hit_frequency, truth.hit_frequency);
            if let (Some(edge), Some(truth)) = (found.house_edge, truth.house_edge) {
                add("house edge", edge, truth);
            }
            if let (Some(stakes), Some(truth)) = (&found.stakes, &truth.stakes) {
                add("staked", stakes.staked, truth.staked);
            }
        }
        eprintln!("bsd {n}");
        ("bsd, in stages".into(), n.to_string(), study)
    };
    [50, 200, 1_000, 10_000].map(study).into()
}

fn entry<'a>(cell: &'a Loaded, strategy: MakeStrategy<'a>) -> Matchup<'a> {
    Matchup { id: &cell.id, rules: &cell.rules, strategy }
}

/// Sweeps of redeals for an edge of 5% that one of the cells is close to: every cell, and the one chosen as nearest.
pub fn all(quick: bool) -> Vec<Row> {
    let cell = |redeals| {
        parse_text("cell.toml", &format!("extends = \"canfield\"\n[stock]\nredeals = {redeals}\n")).unwrap()
    };
    let cells: Vec<Loaded> = (2..=6).map(cell).collect();
    let edge = |cell: &Loaded, tally: &Tally| House::new(tally, &cell.rules.spec().casino).edge();
    let truth = |cell| {
        let tally = played(cell, if quick { 50_000 } else { 3_000_000 }, 2);
        edge(cell, &tally).map_or(0.0, |edge| edge.value)
    };
    let truths: Vec<f64> = cells.iter().map(truth).collect();
    // The target is approximately the edge of the middle cell.
    let line = truths[2] + 0.002;
    let at = passed(&truths, |edge| *edge, line).next().expect("a true edge passes the target");
    let true_place = 2.0 + at as f64 + (line - truths[at]) / (truths[at + 1] - truths[at]);
    let mut study = Study::default();
    for seed in 0..if quick { 5 } else { 1_000 } {
        let aim = Aim { precision: Precision::Edge(0.02), line, budget: 2_000_000, each: None };
        // Neighbours of the middle cell, on the same deals.
        let against = vec![None, Some(0), None, Some(0), None];
        let entries = cells.iter().map(|cell| Some(entry(cell, &greedy))).collect();
        let bases = vec![entry(&cells[2], &greedy)];
        let batch = SweepBatch { cells: entries, bases, against, seed: 1_000 + seed, aim };
        let mut so_far = SoFar::new(&batch).unwrap();
        sweep(&batch, &mut so_far, Workers::new(1), &mut |_, _| {}).unwrap();
        for ((cell, difference), truth) in cells.iter().zip(&so_far.differences).zip(&truths) {
            let Some(difference) = difference else { continue };
            let found = difference.summary(cell.rules.spec(), cells[2].rules.spec());
            if let Some(edge) = found.house_edge {
                study.add("difference of cells", PROGRAM, edge, truth - truths[2], found.games);
            }
        }
        // Where the edge crosses the target, compared with linear interpolation between the true edges.
        let tallies = || cells.iter().zip(so_far.tallies.iter().flatten());
        let edges: Vec<(f64, Estimate)> = (2..)
            .zip(tallies())
            .filter_map(|(redeals, (cell, tally))| Some((f64::from(redeals), edge(cell, tally)?)))
            .collect();
        for i in passed(&edges, |point| point.1.value, line) {
            if let Some(place) = crossing(&edges, i, line) {
                let (low, high) =
                    (place.low.unwrap_or(f64::NEG_INFINITY), place.high.unwrap_or(f64::INFINITY));
                let place = Estimate { value: true_place, low, high };
                study.add("place of a crossing", PROGRAM, place, true_place, so_far.games());
            }
        }
        let mut nearest: Option<(f64, Estimate, f64)> = None;
        for ((cell, tally), &truth) in tallies().zip(&truths) {
            let Some(edge) = edge(cell, tally) else { continue };
            study.add("every cell", PROGRAM, edge, truth, tally.games());
            let away = (edge.value - line).abs();
            if nearest.is_none_or(|(least, ..)| away < least) {
                let at_once = AtOnce::of(tally, cell.rules.spec(), cells.len()).edge.unwrap_or(edge);
                nearest = Some((away, at_once, truth));
            }
        }
        if let Some((_, edge, truth)) = nearest {
            study.add("nearest cell", PROGRAM, edge, truth, so_far.games());
        }
    }
    vec![("sweep of redeals".into(), "--precision 2pp".into(), study)]
}

/// Returns the indices after which a value crosses the line.
fn passed<T>(points: &[T], figure: impl Fn(&T) -> f64, line: f64) -> impl Iterator<Item = usize> {
    let above: Vec<bool> = points.iter().map(|it| figure(it) > line).collect();
    (1..above.len()).filter(move |&i| above[i - 1] != above[i]).map(|i| i - 1)
}
