//! Cases in which games are actually played: stages of the stake, and a sweep near its target.

use saratoga::cards::{Purpose, below, generator};
use saratoga::game::Outcome;
use saratoga::lab::Matchup;
use saratoga::lab::Workers;
use saratoga::lab::sweep::{Aim, SoFar, SweepBatch, sweep};
use saratoga::lab::{Batch, Finished, Watcher, simulate};
use saratoga::rules::{Loaded, load, parse_text};
use saratoga::stats::{AtOnce, Estimate, House, Precision, Tally, crossing, summarize};
use saratoga::strategy::load as load_strategy;

use super::coverage::{PROGRAM, Study};
use super::{Failed, NEVER, played};

struct Games(Vec<Outcome>);

impl Watcher for Games {
    fn block(&mut self, _first: u64, _so_far: &Finished, outcomes: &[Vec<Outcome>]) {
        self.0.extend(outcomes.iter().flatten());
    }
}

pub fn all_stages(quick: bool) -> Result<Vec<(String, String, Study)>, Failed> {
    let mut all = Vec::new();
    let samples = if quick { 100 } else { 1_000 };
    for n in [50, 200, 1_000, 10_000] {
        all.push(("bsd, in stages".into(), n.to_string(), stages(n, samples, quick)?));
        eprintln!("bsd {n}");
    }
    Ok(all)
}

pub fn all(quick: bool) -> Result<Vec<(String, String, Study)>, Failed> {
    let found = near_its_target(if quick { 5 } else { 1_000 }, quick)?;
    Ok(vec![("sweep of redeals".into(), "--precision 2pp".into(), found)])
}

fn stages(n: u64, samples: u64, quick: bool) -> Result<Study, Failed> {
    let rules = load("bsd").map_err(|faults| format!("{faults:?}"))?;
    let source = load_strategy("cautious").map_err(|fault| format!("{fault:?}"))?;
    let strategy = || source.instantiate();
    let entries = vec![Matchup { id: &rules.id, rules: &rules.rules, strategy: &strategy }];
    let games = if quick { 5_000 } else { 100_000 };
    let batch = Batch {
        entries,
        seed: 3,
        games: 0..games,
        precision: None,
        workers: Workers::new(1),
        each_game: true,
    };
    let mut kept = Games(Vec::new());
    let truth = simulate(&batch, &NEVER, &mut kept)?.tallies.remove(0);
    let spec = rules.rules.spec();
    let truth = summarize(&truth, spec, Vec::new());
    let mut study = Study::default();
    for number in 0..samples {
        let mut rng = generator(21, number, Purpose::Bootstrap);
        let mut tally = Tally::new(spec);
        (0..n).for_each(|_| tally.add(&kept.0[below(&mut rng, games as u32) as usize]));
        let summary = summarize(&tally, spec, Vec::new());
        let pair = |e: saratoga::stats::Estimate| (e.low, e.high);
        study.add("net", PROGRAM, pair(summary.net), truth.net.value, n);
        study.add("profit share", PROGRAM, pair(summary.hit_frequency), truth.hit_frequency.value, n);
        if let (Some(edge), Some(truth)) = (summary.house_edge, truth.house_edge) {
            study.add("house edge", PROGRAM, pair(edge), truth.value, n);
        }
        if let (Some(stakes), Some(truth)) = (&summary.stakes, &truth.stakes) {
            study.add("staked", PROGRAM, pair(stakes.staked), truth.staked.value, n);
        }
    }
    Ok(study)
}

/// Sweeps of redeals for an edge of 5% that one of the cells is close to: every cell, and the one chosen as nearest.
fn near_its_target(sweeps: u64, quick: bool) -> Result<Study, Failed> {
    let cells: Result<Vec<Loaded>, Failed> = (2..=6)
        .map(|redeals| {
            let text = format!("extends = \"canfield\"\n[stock]\nredeals = {redeals}\n");
            parse_text("cell.toml", &text).map_err(|faults| format!("{faults:?}").into())
        })
        .collect();
    let cells = cells?;
    let truths: Result<Vec<f64>, Failed> = cells
        .iter()
        .map(|cell| {
            let tally = played(cell, if quick { 50_000 } else { 3_000_000 }, 2)?;
            Ok(House::new(&tally, &cell.rules.spec().casino).edge().map_or(0.0, |edge| edge.value))
        })
        .collect();
    let truths = truths?;
    // The target is approximately the edge of the middle cell.
    let line = truths[2] + 0.002;
    let at = passed(&truths, |edge| *edge, line).next().ok_or("no true edge passes the target")?;
    let true_place = 2.0 + at as f64 + (line - truths[at]) / (truths[at + 1] - truths[at]);
    let source = load_strategy("greedy").map_err(|fault| format!("{fault:?}"))?;
    let strategy = || source.instantiate();
    let mut study = Study::default();
    for seed in 0..sweeps {
        let entries =
            cells.iter().map(|cell| Some(Matchup { id: &cell.id, rules: &cell.rules, strategy: &strategy }));
        let aim = Aim { precision: Precision::Edge(0.02), line, budget: 2_000_000, each: None };
        // Neighbours of the middle cell, on the same deals.
        let bases = vec![Matchup { id: &cells[2].id, rules: &cells[2].rules, strategy: &strategy }];
        let against = vec![None, Some(0), None, Some(0), None];
        let batch = SweepBatch { cells: entries.collect(), bases, against, seed: 1_000 + seed, aim };
        let mut so_far = SoFar::new(&batch)?;
        sweep(&batch, &mut so_far, (&NEVER, Workers::new(1)), &mut |_, _| {})?;
        for ((cell, difference), truth) in cells.iter().zip(&so_far.differences).zip(&truths) {
            let Some(difference) = difference else { continue };
            let found = difference.summary(cell.rules.spec(), cells[2].rules.spec());
            if let Some(edge) = found.house_edge {
                let limits = (edge.low, edge.high);
                study.add("difference of cells", PROGRAM, limits, truth - truths[2], found.games);
            }
        }
        // Where the edge crosses the target, compared with linear interpolation between the true edges.
        let edges: Vec<(f64, Estimate)> = (2..)
            .zip(cells.iter().zip(&so_far.tallies))
            .filter_map(|(redeals, (cell, tally))| {
                let edge = House::new(tally.as_ref()?, &cell.rules.spec().casino).edge()?;
                Some((f64::from(redeals), edge))
            })
            .collect();
        for i in passed(&edges, |point| point.1.value, line) {
            if let Some(place) = crossing(&edges, i, line) {
                let limits = (place.low.unwrap_or(f64::NEG_INFINITY), place.high.unwrap_or(f64::INFINITY));
                study.add("place of a crossing", PROGRAM, limits, true_place, so_far.games());
            }
        }
        let mut nearest: Option<(f64, (f64, f64), f64)> = None;
        for ((cell, tally), &truth) in cells.iter().zip(&so_far.tallies).zip(&truths) {
            let Some(tally) = tally else { continue };
            let spec = cell.rules.spec();
            let Some(edge) = House::new(tally, &spec.casino).edge() else { continue };
            study.add("every cell", PROGRAM, (edge.low, edge.high), truth, tally.games());
            let away = (edge.value - line).abs();
            if nearest.as_ref().is_none_or(|(least, ..)| away < *least) {
                let at_once = AtOnce::of(tally, spec, cells.len()).edge.unwrap_or(edge);
                nearest = Some((away, (at_once.low, at_once.high), truth));
            }
        }
        if let Some((_, limits, truth)) = nearest {
            study.add("nearest cell", PROGRAM, limits, truth, so_far.games());
        }
    }
    Ok(study)
}

/// Returns the indices after which a value crosses the line.
fn passed<T>(points: &[T], figure: impl Fn(&T) -> f64, line: f64) -> impl Iterator<Item = usize> {
    let above: Vec<bool> = points.iter().map(|it| figure(it) > line).collect();
    (1..above.len()).filter(move |&i| above[i - 1] != above[i]).map(|i| i - 1)
}
