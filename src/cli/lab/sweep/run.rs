//! Plays a sweep and tells what came of it.

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use super::args::SweepArgs;
use super::setup::Setup;
use super::state::State;
use crate::cli::error::CliError;
use crate::cli::folder::Folder;
use crate::cli::many::{note, stop_on_ctrl_c, threads};
use crate::cli::output::shell_word;
use crate::cli::progress::Line;
use crate::lab::sweep::{SoFar, Standing, SweepBatch, SweepStep, sweep};
use crate::lab::{BatchError, Entry, GameError};
use crate::report::{Source, SweepReport, count, sweep_csv, sweep_document, sweep_json, sweep_summaries};
use crate::strategy::Strategy;

/// Makes the strategy of a cell.
type Make<'a> = Box<dyn Fn() -> Box<dyn Strategy> + Sync + 'a>;

pub(in crate::cli) fn run(args: SweepArgs) -> Result<ExitCode, CliError> {
    let setup = Setup::new(&args)?;
    let makers: Vec<Make<'_>> = setup
        .strategies
        .iter()
        .map(|strategy| -> Make<'_> { Box::new(move || strategy.instantiate()) })
        .collect();
    let cell = |cell: &'_ crate::lab::sweep::Cell| cell.strategy;
    let batch = SweepBatch {
        cells: setup
            .plan
            .cells
            .iter()
            .map(|it| {
                let loaded = it.rules.as_ref().ok()?;
                Some(Entry { id: &loaded.id, rules: &loaded.rules, strategy: &*makers[cell(it)] })
            })
            .collect(),
        seed: args.run.seed,
        aim: setup.aim,
        threads: threads(args.run.threads),
    };
    let fresh = SoFar::new(&batch).map_err(CliError::input)?;
    let folder = args.run.folder(&setup.folder)?;
    let mut state = State::new(folder.as_ref(), setup.saved(&args));
    let saved = if args.restart { None } else { state.read(&batch)? };
    if let (Some(so_far), false) = (&saved, args.run.quiet) {
        let what = if so_far.finished { "this sweep is finished" } else { "going on with this sweep" };
        note(&format!("{what}: {} games are played; --restart begins anew", count(so_far.games())));
    }
    let mut so_far = saved.unwrap_or(fresh);
    let (files, folders) = Folder::litter(folder.as_ref(), Vec::new());
    let stop = stop_on_ctrl_c(files, folders);
    play(&args, &setup, &batch, &mut so_far, &mut state, stop)?;
    if so_far.games() == 0 {
        note("interrupted before a first block of games was played: there is nothing to report");
        return Ok(ExitCode::from(130));
    }
    if !so_far.finished && !args.run.quiet {
        let on = if folder.is_some() { "; the same command goes on" } else { "; nothing of it is saved" };
        note(&format!("interrupted: the figures are those of {} games{on}", count(so_far.games())));
    }
    tell(&args, &setup, &so_far, folder.as_ref(), &state)?;
    Ok(ExitCode::from(if so_far.finished { 0 } else { 130 }))
}

/// Plays with a progress line; Ctrl-C stops it, and blocks under way are dropped.
fn play(
    args: &SweepArgs,
    setup: &Setup,
    batch: &SweepBatch<'_>,
    so_far: &mut SoFar,
    state: &mut State<'_>,
    stop: &AtomicBool,
) -> Result<(), CliError> {
    let rate = |rate: f64| format!("{:.0}k games/s", rate / 1000.0);
    let mut line =
        Line::new("{spinner} {human_pos} games  {per_sec}  {wide_msg}", None, rate, args.run.quiet);
    let played = sweep(batch, so_far, stop, |so_far, step| {
        let at = match step {
            SweepStep::Block(cell) | SweepStep::Cell(cell) => setup.plan.label(cell),
            SweepStep::Round => String::new(),
        };
        line.show(so_far.games(), || {
            format!(
                "round {}, {} of {} cells enough  {at}",
                so_far.round,
                enough(batch, so_far),
                cells(batch)
            )
        });
        match step {
            SweepStep::Block(_) => {}
            SweepStep::Cell(_) => state.write_at_times(so_far),
            SweepStep::Round => state.write(so_far),
        }
        Ok::<(), BatchError>(())
    });
    line.clear();
    match played {
        // Nothing is nothing to go on from.
        Ok(()) if so_far.games() == 0 => Ok(()),
        Ok(()) => {
            state.write(so_far);
            Ok(())
        }
        Err(BatchError::Game(error)) => {
            state.forget();
            Err(at_fault(setup, *error))
        }
        Err(error) => Err(error.into()),
    }
}

fn cells(batch: &SweepBatch<'_>) -> usize {
    batch.cells.iter().flatten().count()
}

fn enough(batch: &SweepBatch<'_>, so_far: &SoFar) -> usize {
    let cells = batch.cells.iter().zip(&so_far.tallies);
    let played = cells.filter_map(|(cell, tally)| Some((cell.as_ref()?, tally.as_ref()?)));
    played.filter(|(cell, tally)| Standing::of(tally, cell.rules.spec(), &batch.aim).enough()).count()
}

/// A script's fault with the command that shows it: the rules of a cell are a file that can be saved.
fn at_fault(setup: &Setup, error: GameError) -> CliError {
    let cells = setup.plan.cells.iter().filter_map(|cell| cell.rules.as_ref().ok());
    let changed = cells.into_iter().find(|rules| rules.id == error.rules);
    let Some(text) = changed.and_then(|rules| rules.sources.first()) else { return error.into() };
    if setup.rules.iter().any(|rules| rules.id == error.rules) {
        return error.into();
    }
    let GameError { strategy, seed, game, error, .. } = error;
    let shows = format!(
        "saratoga replay cell.toml -s {} --seed {seed} --game {game}\nwhere cell.toml, in this folder, says:\n\n{}",
        shell_word(&strategy),
        text.text
    );
    CliError::game(error, shows)
}

fn tell(
    args: &SweepArgs,
    setup: &Setup,
    so_far: &SoFar,
    folder: Option<&Folder>,
    state: &State<'_>,
) -> Result<(), CliError> {
    let strategies = setup.strategies.iter();
    let report = SweepReport {
        command: &setup.command,
        version: env!("CARGO_PKG_VERSION"),
        seed: args.run.seed,
        plan: &setup.plan,
        so_far,
        aim: setup.aim,
        rules: &setup.rules,
        saved: folder.is_some(),
        strategies: strategies
            .map(|it| Source { name: it.name(), text: it.text().unwrap_or_default() })
            .collect(),
        summaries: sweep_summaries(&setup.plan, so_far),
    };
    let json = sweep_json(&report).map_err(|error| CliError::Run(error.to_string()))?;
    // What the sweep goes on from is a file of the report, so that both are of the same games.
    let more = vec![("cells.csv".to_string(), sweep_csv(&report).into_bytes()), state.file(so_far)?];
    args.run.tell(&sweep_document(&report), &json, folder, more)
}
