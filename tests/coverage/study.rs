//! The coverage study: `cargo run --profile bench --example coverage`.
//!
//! Plays millions of games, takes them as the truth, draws samples from them, and writes to reports/coverage/ how often
//! the intervals of the program contain it: the truth (truth.tsv), every quantity (coverage.tsv) and a chart. With `--
//! --chart` it draws the chart from the existing data, with `-- --quick` it tries everything on few samples, and with
//! names of parts such as `-- nights variants` it studies only these; nights take long, so `-- nights draw-one` studies
//! one of them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed test panics")]

mod characters;
mod contests;
#[path = "../common/coverage.rs"]
mod coverage;
#[path = "../common/nights.rs"]
mod night;
mod nights;
#[path = "../common/play.rs"]
mod play;
mod sweeps;
mod variants;

use std::fs;
use std::path::Path;

use coverage::{PROGRAM, Study, Truth};
use play::{batch, greedy};
use saratoga::chart::Theme;
use saratoga::lab::{Matchup, simulate};
use saratoga::report::{CoveragePoint, coverage_chart};
use saratoga::rules::{Casino, Loaded, load, parse_text};
use saratoga::stats::{Precision, Tally};

/// The case in which a win is rare and pays much.
const JACKPOT: &str =
    "extends = \"canfield\"\n[stock]\nredeals = 1\n[casino]\nstake = 30\npays_for_win = 50000\n";

fn played(rules: &Loaded, games: u64, seed: u64) -> Tally {
    let entries = vec![Matchup { id: &rules.id, rules: &rules.rules, strategy: &greedy }];
    simulate(&batch(entries, seed, 0..games, 1), &mut ()).unwrap().tallies.remove(0)
}

/// Formats a truth as a line of the data: name, stake, pay for a card and for a win, then games by cards.
fn line(truth: &Truth) -> String {
    let games: Vec<String> = truth.games.iter().map(u64::to_string).collect();
    let Casino { stake, pays_per_card, pays_for_win, .. } = truth.casino;
    format!("{}\t{stake}\t{pays_per_card}\t{pays_for_win}\t{}\n", truth.name, games.join(" "))
}

/// Results of one case: its name, its games, the quantities.
type Row = (String, String, Study);

const PARTS: [&str; 7] = ["games", "stages", "sweeps", "contests", "characters", "nights", "variants"];

fn main() {
    let folder = Path::new("reports/coverage");
    fs::create_dir_all(folder).unwrap();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|it| it == word);
    let quick = has("--quick");
    if has("--chart") {
        return draw(folder);
    }
    let only: Vec<&str> = PARTS.into_iter().filter(|part| has(part)).collect();
    for part in PARTS.into_iter().filter(|part| only.is_empty() || only.contains(part)) {
        let found = match part {
            "games" => games(folder, quick),
            "stages" => sweeps::all_stages(quick),
            "sweeps" => sweeps::all(quick),
            "contests" => contests::all(quick),
            "characters" => characters::all(quick),
            // They take long, so each case is written when it is finished.
            "nights" => {
                let text = fs::read_to_string(folder.join("truth.tsv")).unwrap();
                let truths: Vec<Truth> = text.lines().filter_map(Truth::read).collect();
                let some = nights::CASES.iter().any(|case| has(case.0));
                let wanted = |case: &str| !some || has(case);
                nights::all(&truths, quick, wanted, |row| write(folder, part, &[row]));
                continue;
            }
            _ => variants::all(quick),
        };
        write(folder, part, &found);
    }
    draw(folder);
}

/// Games of single decks, in fixed numbers and until they are precise.
fn games(folder: &Path, quick: bool) -> Vec<Row> {
    let samples = if quick { 100 } else { 2_000 };
    let truth = |(name, games): (&str, u64)| {
        let rules = if name == "jackpot" { parse_text("jackpot.toml", JACKPOT) } else { load(name) }.unwrap();
        let tally = played(&rules, if quick { games / 20 } else { games }, 1);
        let casino: Casino = rules.rules.spec().casino.clone();
        eprintln!("{name}: {} games, {} won", tally.games(), tally.wins());
        Truth { name: name.into(), casino, games: tally.histogram().to_vec() }
    };
    let many = 2_000_000;
    let truths = [("canfield", many), ("single-pass", many), ("draw-one", many), ("jackpot", 5 * many)];
    let truths = truths.map(truth);
    fs::write(folder.join("truth.tsv"), truths.iter().map(line).collect::<String>()).unwrap();
    let mut rows = Vec::new();
    let mut add = |truth: &Truth, games: String, study: Study| {
        eprintln!("{} {games}: {:.2}%", truth.name, 100.0 * study.of("house edge", PROGRAM).share());
        rows.push((truth.name.clone(), games, study));
    };
    for truth in &truths {
        let sizes: &[u64] = match truth.name.as_str() {
            "jackpot" => &[10_000, 100_000, 1_000_000],
            _ => &[50, 200, 1_000, 10_000],
        };
        sizes.iter().for_each(|&n| add(truth, n.to_string(), truth.fixed(n, samples)));
    }
    let [canfield, .., jackpot] = &truths;
    for (truth, width, many) in [
        (canfield, 0.01, samples),
        (jackpot, 0.10, samples),
        (jackpot, 0.03, samples),
        (jackpot, 0.01, samples / 4),
    ] {
        let precision = Precision::Edge(width);
        let study = truth.until(precision, if quick { 20 } else { many });
        add(truth, format!("--precision {precision}"), study);
    }
    rows
}

const HEAD: &str =
    "part\tcase\tgames\tfigure\tmethod\tsamples\tcovered\ttoo_high\ttoo_low\tmean_games\tmean_width";

/// Writes the results of one part in place of the earlier ones.
fn write(folder: &Path, part: &str, rows: &[Row]) {
    let path = folder.join("coverage.tsv");
    let old = fs::read_to_string(&path).unwrap_or_default();
    // New results replace the old lines.
    let again = |line: &&str| {
        let fields: Vec<&str> = line.split('\t').collect();
        fields[0] == part && rows.iter().any(|(case, games, _)| fields[1..3] == [case, games])
    };
    let mut lines: Vec<String> = old.lines().skip(1).filter(|line| !again(line)).map(String::from).collect();
    for (case, games, study) in rows {
        for it in &study.0 {
            let n = it.samples.max(1) as f64;
            lines.push(format!(
                "{part}\t{case}\t{games}\t{}\t{}\t{}\t{:.5}\t{}\t{}\t{:.0}\t{:.6}",
                it.figure,
                it.method,
                it.samples,
                it.share(),
                it.above,
                it.below,
                it.games as f64 / n,
                it.width / n
            ));
        }
    }
    let place = |line: &String| PARTS.iter().position(|it| line.split('\t').next() == Some(it));
    lines.sort_by_key(place);
    fs::write(path, format!("{HEAD}\n{}\n", lines.join("\n"))).unwrap();
}

fn draw(folder: &Path) {
    let text = fs::read_to_string(folder.join("coverage.tsv")).unwrap();
    let mut points = Vec::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, case, games, "house edge", method, samples, covered, _, _, mean_games, _] = fields[..] else {
            continue;
        };
        points.push(CoveragePoint {
            case: case.into(),
            method: method.into(),
            games: mean_games.parse().unwrap(),
            stopped: games.starts_with("--precision"),
            covered: covered.parse().unwrap(),
            samples: samples.parse().unwrap(),
        });
    }
    let chart = coverage_chart(&points).png(Theme::Light).unwrap();
    fs::write(folder.join("coverage.png"), chart).unwrap();
}
