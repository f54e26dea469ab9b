//! `saratoga rules page`

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::lab::{self, Batch, BatchError, Finished};
use crate::report::{ShelfPage, ShelfRuleset, count, shelf_files, shelf_json, shelf_table};
use crate::rules::{self, Loaded};
use crate::stats::summarize;
use crate::strategy::StrategySource;

use super::args::PageArgs;
use super::error::CliError;
use super::input::{load_all_rules, load_strategy};
use super::many::{note, stop_on_ctrl_c, threads};
use super::output::{Folder, shell_word};
use super::progress::Runs;

/// Games of each ruleset by greedy, unless the command line says otherwise.
const GAMES: u64 = 100_000;
/// And by patient, a script of some length.
const PATIENT_GAMES: u64 = 2000;
/// Where the page goes, unless the command line says otherwise.
const FOLDER: &str = "reports/shelf";

/// A player with the games it plays of each ruleset.
struct Player {
    strategy: StrategySource,
    games: u64,
}

/// A ruleset and a player, by their places in the lists.
#[derive(Clone, Copy)]
struct Run {
    ruleset: usize,
    player: usize,
}

pub(super) fn run(args: PageArgs) -> Result<ExitCode, CliError> {
    let games = [
        ("greedy", "-n", args.games.map_or(GAMES, |games| games.0)),
        ("patient", "--patient-games", args.patient_games.map_or(PATIENT_GAMES, |games| games.0)),
    ];
    let mut players = Vec::new();
    for (name, flag, games) in games {
        if games == 0 {
            return Err(CliError::input(format!("no games to play: {flag} must be at least 1")));
        }
        players.push(Player { strategy: load_strategy(name)?, games });
    }
    let names: Vec<String> = rules::shelf().iter().map(|(name, _)| name.to_string()).collect();
    let rulesets = load_all_rules(&names)?;
    let to = args.out.clone().or_else(|| (!args.json).then(|| PathBuf::from(FOLDER)));
    let mut folder = to.map(Folder::prepare).transpose()?;
    let stop = stop_on_ctrl_c(Vec::new(), folder.as_ref().map_or(Vec::new(), |f| f.made().to_vec()));
    let runs = runs(&rulesets, players.len());
    let finished = play(&args, &rulesets, &players, &runs, &stop)?;
    let interrupted = finished.iter().any(|finished| finished.interrupted);
    let played: u64 = finished.iter().map(|finished| finished.games).sum();
    if played == 0 {
        note("interrupted before a first block of games was played: there is nothing to report");
        return Ok(ExitCode::from(130));
    }
    if interrupted && !args.quiet {
        note(&format!(
            "interrupted: the figures are those of the {} games that were finished",
            count(played)
        ));
    }
    let command = again(&args, &players);
    let page = ShelfPage {
        command: &command,
        version: env!("CARGO_PKG_VERSION"),
        seed: args.seed,
        players: players.iter().map(|player| player.strategy.name()).collect(),
        rulesets: shelf_rulesets(&rulesets, players.len(), &runs, &finished),
    };
    tell(&args, &page, folder.as_mut())?;
    Ok(ExitCode::from(if interrupted { 130 } else { 0 }))
}

/// Every ruleset by every player, the longest runs first, so that no thread is left with one at the end.
fn runs(rulesets: &[Loaded], players: usize) -> Vec<Run> {
    let of = |ruleset| (0..players).map(move |player| Run { ruleset, player });
    let mut runs: Vec<Run> = (0..rulesets.len()).flat_map(of).collect();
    runs.sort_by_key(|run| {
        let spec = rulesets[run.ruleset].rules.spec();
        (std::cmp::Reverse((run.player, spec.deal.packs)), run.ruleset)
    });
    runs
}

fn play(
    args: &PageArgs,
    rulesets: &[Loaded],
    players: &[Player],
    runs: &[Run],
    stop: &std::sync::atomic::AtomicBool,
) -> Result<Vec<Finished>, CliError> {
    let makers: Vec<_> = players.iter().map(|player| || player.strategy.instantiate()).collect();
    let batch = |run: &Run| Batch {
        entries: vec![lab::Entry {
            id: &rulesets[run.ruleset].id,
            rules: &rulesets[run.ruleset].rules,
            strategy: &makers[run.player],
        }],
        seed: args.seed,
        games: 0..players[run.player].games,
        precision: None,
        threads: 1,
        each_game: false,
    };
    let batches: Vec<Batch<'_>> = runs.iter().map(batch).collect();
    let progress = Runs::new(runs.len(), args.quiet);
    let watch = |index: usize, so_far: &Finished| {
        let run: Run = runs[index];
        let (id, player) = (&rulesets[run.ruleset].id, &players[run.player]);
        progress.block(&format!("{id} by {}", player.strategy.id()), so_far.games, player.games);
    };
    let finished: Result<Vec<Finished>, BatchError> =
        lab::simulate_each(&batches, threads(args.threads), stop, &watch);
    progress.clear();
    Ok(finished?)
}

/// The rows of the page, in the order of the shelf.
fn shelf_rulesets<'a>(
    rulesets: &'a [Loaded],
    players: usize,
    runs: &[Run],
    finished: &[Finished],
) -> Vec<ShelfRuleset<'a>> {
    let row = |(ruleset, loaded): (usize, &'a Loaded)| {
        let of = |player: usize| {
            let this =
                runs.iter().zip(finished).filter(move |(r, _)| (r.ruleset, r.player) == (ruleset, player));
            this.map(|(_, finished)| summarize(&finished.tallies[0], loaded.rules.spec(), Vec::new()))
        };
        let summaries = (0..players).flat_map(of).collect();
        ShelfRuleset { id: &loaded.id, rules: loaded.rules.spec(), summaries }
    };
    rulesets.iter().enumerate().map(row).collect()
}

/// Writes the page and prints its figures.
fn tell(args: &PageArgs, page: &ShelfPage<'_>, folder: Option<&mut Folder>) -> Result<(), CliError> {
    let failed =
        |error: &dyn std::fmt::Display| CliError::Run(format!("the page could not be made: {error}"));
    let json = shelf_json(page).map_err(|error| failed(&error))?;
    let written = match folder {
        Some(folder) => {
            folder.write_all(&shelf_files(page, &json).map_err(|error| failed(&error))?)?;
            Some(folder.path().join("index.html"))
        }
        None => None,
    };
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", json.trim_end())?;
    } else {
        write!(out, "{}", shelf_table(page))?;
        if let Some(path) = written {
            writeln!(out, "\nPage: {}", path.display())?;
        }
    }
    out.flush()?;
    Ok(())
}

/// The command line that makes the same page again.
fn again(args: &PageArgs, players: &[Player]) -> String {
    let (games, patient) = (players[0].games, players[1].games);
    let mut words = format!("saratoga rules page -n {games} --patient-games {patient} --seed {}", args.seed);
    if let Some(out) = &args.out {
        words += &format!(" --out {}", shell_word(&out.display().to_string()));
    }
    words
}
