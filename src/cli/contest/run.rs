//! `saratoga contest NAME`

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::cli::error::CliError;
use crate::cli::folder::Folder;
use crate::cli::many::{joined, note, stop_on_ctrl_c, threads};
use crate::cli::progress::Line;
use crate::contest::{ContestSpec, SPEEDS};
use crate::lab::{self, ContestBatch, ContestBatchError, MakeStrategy};
use crate::report::{count, running_wins};
use crate::rules::file::decimal;
use crate::stats::ContestTally;

use super::args::PlayArgs;
use super::log;
use super::setup::Setup;
use super::tell::tell;

/// Relative speeds of the first player unless the command line says otherwise, in thousandths.
const FACTORS: [u32; 7] = [500, 670, 800, 1000, 1250, 1500, 2000];

/// What was played.
pub(super) struct Played {
    pub tally: ContestTally,
    /// The contest with the first player at other speeds, and what was counted of it.
    pub speeds: Vec<(ContestSpec, ContestTally)>,
    pub interrupted: bool,
}

pub(super) fn run(args: &PlayArgs) -> Result<ExitCode, CliError> {
    let setup = Setup::new(args)?;
    if let Some(number) = args.number {
        return log::run(&setup, args, number);
    }
    if args.matches.0 == 0 {
        return Err(CliError::input("no matches to play: -n must be at least 1"));
    }
    let others = other_speeds(args, &setup)?;
    let folder = folder(args, &setup).map(Folder::prepare).transpose()?;
    let (files, folders) = Folder::litter(folder.as_ref(), Vec::new());
    let stop = stop_on_ctrl_c(files, folders);
    let started = Instant::now();
    let played = play(args, &setup, others, stop)?;
    let seconds = started.elapsed().as_secs_f64();
    let matches = played.tally.matches();
    if matches == 0 {
        note("interrupted before a first block of matches was played: there is nothing to report");
        return Ok(ExitCode::from(130));
    }
    if played.interrupted && !args.quiet {
        let speeds = if matches < args.matches.0 { "" } else { ", and of the speeds that were begun" };
        note(&format!("interrupted: the figures are those of the first {} matches{speeds}", count(matches)));
    }
    tell(args, &setup, &played, seconds, folder.as_ref())?;
    Ok(ExitCode::from(if played.interrupted { 130 } else { 0 }))
}

/// The contest with the first player at the speeds asked for, the slowest first.
fn other_speeds(args: &PlayArgs, setup: &Setup) -> Result<Vec<ContestSpec>, CliError> {
    let spec = &setup.loaded.spec;
    let speed = u64::from(spec.players[0].speed);
    let reached = |factor: u32| {
        let speed = speed * u64::from(factor) / 1000;
        (SPEEDS.0 as u64..=SPEEDS.1 as u64).contains(&speed)
    };
    let mut factors = match &args.factors {
        _ if args.no_factors => Vec::new(),
        Some(given) => given.0.clone(),
        None if !spec.speed_matters() => Vec::new(),
        None => FACTORS.into_iter().filter(|factor| reached(*factor)).collect(),
    };
    if let Some(factor) = factors.iter().find(|factor| !reached(**factor)) {
        let [factor, speed, low, high] = [i64::from(*factor), speed as i64, SPEEDS.0, SPEEDS.1].map(decimal);
        return Err(CliError::input(format!(
            "--factors {factor} times the speed {speed} of {} is out of reach: speeds go from {low} to {high}",
            spec.players[0].name
        )));
    }
    factors.sort_unstable();
    let mut others: Vec<ContestSpec> = factors.iter().map(|&factor| lab::at_speed(spec, 0, factor)).collect();
    // Slow players may have the same speed at two factors.
    others.dedup();
    Ok(others)
}

/// Plays the contest, then once more at each of the other speeds, until all is played or `stop` is set.
fn play(
    args: &PlayArgs,
    setup: &Setup,
    others: Vec<ContestSpec>,
    stop: &AtomicBool,
) -> Result<Played, CliError> {
    let spec = &setup.loaded.spec;
    let makers = setup.makers();
    let strategies: Vec<MakeStrategy<'_>> = makers.iter().map(|make| make as MakeStrategy<'_>).collect();
    let runs = 1 + others.iter().filter(|other| *other != spec).count() as u64;
    let mut line = Line::new(
        "{wide_bar:.cyan/dim} {human_pos} matches  {per_sec}  {eta} left  {msg}",
        Some(args.matches.0.saturating_mul(runs)),
        |rate| format!("{rate:.0} matches/s"),
        args.quiet,
    );
    let mut done = 0;
    let mut one = |spec: &ContestSpec, what: String| {
        let batch = ContestBatch {
            spec,
            rules: &setup.loaded.rules.rules,
            strategies: &strategies,
            seed: args.seed,
            matches: 0..args.matches.0,
            threads: threads(args.threads),
        };
        let finished = lab::contest(&batch, stop, &mut |tally, _| {
            line.show(done + tally.matches(), || format!("{}{what}", running_wins(tally, spec)));
        });
        done += finished.as_ref().map_or(0, |finished| finished.tally.matches());
        if finished.is_err() {
            line.clear();
        }
        finished.map_err(|error| faulted(setup, spec, error))
    };
    let main = one(spec, String::new())?;
    let mut played = Played { tally: main.tally, speeds: Vec::new(), interrupted: main.interrupted };
    for other in others {
        if played.interrupted {
            break;
        }
        if other == *spec {
            played.speeds.push((other, played.tally.clone()));
            continue;
        }
        let finished = one(&other, format!(" at {}/s", decimal(other.players[0].speed.into())))?;
        played.interrupted = finished.interrupted;
        if finished.tally.matches() > 0 {
            played.speeds.push((other, finished.tally));
        }
    }
    line.clear();
    Ok(played)
}

/// What went wrong while playing, and the command that shows it.
fn faulted(setup: &Setup, spec: &ContestSpec, error: ContestBatchError) -> CliError {
    CliError::of_matches(error, |error| {
        format!("{} --seed {} --match {}", setup.command(spec), error.seed, error.number)
    })
}

/// The report's folder, if one is to be written.
fn folder(args: &PlayArgs, setup: &Setup) -> Option<PathBuf> {
    if args.no_report || args.json && args.out.is_none() {
        return None;
    }
    Some(args.out.clone().unwrap_or_else(|| {
        let strategies = joined(&setup.strategies());
        PathBuf::from("reports").join(format!("contest-{}-{strategies}-{}", setup.loaded.id, args.seed))
    }))
}
