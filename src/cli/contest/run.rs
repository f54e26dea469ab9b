//! `saratoga contest NAME`

use crate::amounts::Decimals;
use crate::cli::keeping::{Settled, settled, text_of, texts};
use crate::lab::SavedText;
use crate::lab::Workers;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::cli::args::PlayArgs;
use crate::cli::driver::{self, Ending, Experiment, Means, Output};
use crate::cli::error::CliError;
use crate::cli::progress::{Line, MATCHES};
use crate::cli::words::joined;
use crate::contest::{ContestSpec, SPEEDS};
use crate::lab::{self, AtSpeeds, ContestBatch, ContestBatchError, MakeStrategy};
use crate::report::{
    ContestReport, Source, contest_array, contest_csv, contest_document, contest_json, count, document_files,
    document_terminal, running_wins,
};
use crate::rules::file::decimal;
use crate::stats::{ContestTally, SpeedPoint};
use crate::strategy::StrategySource;

use super::log;
use super::setup::Setup;
use crate::cli::terminal;

/// Relative speeds of the first player unless the command line says otherwise, in thousandths.
const FACTORS: [u32; 7] = [500, 670, 800, 1000, 1250, 1500, 2000];

/// What was played, and how long it took.
type Played = (AtSpeeds, f64);

pub(super) fn run(args: &PlayArgs) -> Result<ExitCode, CliError> {
    let setup = Setup::new(args)?;
    if let Some(number) = args.number {
        return log::run(&setup, args, number);
    }
    if args.matches.0 == 0 {
        return Err(CliError::input("no matches to play: -n must be at least 1"));
    }
    let factors = factors(args, &setup)?;
    let spec = &setup.loaded.spec;
    let mut others: Vec<ContestSpec> = factors.0.iter().map(|&it| lab::at_speed(spec, 0, it)).collect();
    // Slow players may have the same speed at two factors.
    others.dedup();
    driver::run(&args.run, Contest { args, setup, factors, others })
}

/// A contest and the same with the first player at other speeds.
struct Contest<'a> {
    args: &'a PlayArgs,
    setup: Setup,
    /// Other speeds of the first player.
    factors: Decimals,
    /// The contest at them.
    others: Vec<ContestSpec>,
}

impl Experiment for Contest<'_> {
    type Played = Played;

    fn folder(&self) -> String {
        let strategies = joined(&self.setup.strategies());
        format!("contest-{}-{strategies}-{}", self.setup.loaded.id, self.args.run.seed)
    }

    fn inputs(&self) -> Option<Vec<SavedText>> {
        let loaded = &self.setup.loaded;
        let text = text_of(&loaded.sources);
        let contest = SavedText { kind: "contest".into(), name: loaded.id.clone(), text };
        Some([contest].into_iter().chain(texts([&loaded.rules], &loaded.strategies)).collect())
    }

    /// Of every player what holds of it, however it was said.
    fn settled(&self) -> Vec<Settled> {
        let players = &self.setup.loaded.spec.players;
        vec![
            settled("--players", [players.len()]),
            settled("--strategy", players.iter().map(|it| &it.strategy)),
            settled("--speed", [Decimals(players.iter().map(|it| it.speed).collect())]),
            settled("--factors", (!self.factors.0.is_empty()).then_some(&self.factors)),
            settled("--no-factors", [""; 0]),
        ]
    }

    fn stages(&self) -> Option<u32> {
        Some(runs(&self.setup, &self.others) as u32)
    }

    fn play(&mut self, Means { stop, workers, .. }: Means<'_>) -> Result<Played, CliError> {
        let started = Instant::now();
        let played = play(self.args, &self.setup, &self.others, (stop, workers))?;
        Ok((played, started.elapsed().as_secs_f64()))
    }

    fn ending(&self, (played, _): &Played) -> Ending {
        let matches = played.tally.matches();
        if matches == 0 {
            return Ending::Nothing("a first block of matches was played");
        }
        Ending::of(played.interrupted, || {
            let all = matches == self.args.matches.0;
            let speeds = if all { ", and of the speeds that were begun" } else { "" };
            format!("the figures are those of the first {} matches{speeds}", count(matches))
        })
    }

    fn report(&mut self, played: Played, output: &Output) -> Result<(), CliError> {
        print(self.args, &self.setup, &played, output)
    }
}

/// The factors of the first player's speed that are asked for, the slowest first.
fn factors(args: &PlayArgs, setup: &Setup) -> Result<Decimals, CliError> {
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
            "--factors {factor}: {factor} times the speed {speed} of {} is not between {low} and {high}",
            spec.players[0].name
        )));
    }
    factors.sort_unstable();
    Ok(Decimals(factors))
}

/// Contests that are played: the one, and those that differ from it.
fn runs(setup: &Setup, others: &[ContestSpec]) -> u64 {
    1 + others.iter().filter(|other| **other != setup.loaded.spec).count() as u64
}

/// Plays the contest, then once more at each of the other speeds.
fn play(
    args: &PlayArgs,
    setup: &Setup,
    others: &[ContestSpec],
    (stop, workers): (&AtomicBool, Workers<'_>),
) -> Result<AtSpeeds, CliError> {
    let spec = &setup.loaded.spec;
    let makers = setup.makers();
    let strategies: Vec<MakeStrategy<'_>> = makers.iter().map(|make| make as MakeStrategy<'_>).collect();
    let all = args.matches.0.saturating_mul(runs(setup, others));
    let mut line = Line::bar(MATCHES, all, args.run.quiet);
    let batch = ContestBatch {
        spec,
        rules: &setup.loaded.rules.rules,
        strategies: &strategies,
        seed: args.run.seed,
        matches: 0..args.matches.0,
        workers,
    };
    let mut watch = |done, at: &ContestSpec, tally: &ContestTally| {
        line.show(done, || {
            let what = match at == spec {
                true => String::new(),
                false => format!(" at {}/s", decimal(at.players[0].speed.into())),
            };
            format!("{}{what}", running_wins(tally, at))
        });
    };
    let played = lab::contest_at_speeds(&batch, others, stop, &mut watch);
    played.map_err(|(spec, error)| faulted(setup, &spec, error))
}

/// What went wrong while playing, and the command that shows it.
fn faulted(setup: &Setup, spec: &ContestSpec, error: ContestBatchError) -> CliError {
    CliError::of_matches(error, |error| {
        let command = setup.command(spec).option("--seed", [error.seed]);
        command.option("--match", [error.number]).line()
    })
}

/// Prints the results and writes the report.
fn print(
    args: &PlayArgs,
    setup: &Setup,
    (played, seconds): &Played,
    output: &Output,
) -> Result<(), CliError> {
    let loaded = &setup.loaded;
    let spec = &loaded.spec;
    let summary = played.tally.summarize(spec);
    let speeds: Vec<SpeedPoint> = played
        .others
        .iter()
        .map(|(other, tally)| {
            let factor = f64::from(other.players[0].speed) / f64::from(spec.players[0].speed);
            tally.at_speed(other, 0, factor)
        })
        .collect();
    let scripts: Vec<Option<&str>> = loaded.strategies.iter().map(StrategySource::text).collect();
    let report = ContestReport {
        command: &again(args, setup, played),
        version: env!("CARGO_PKG_VERSION"),
        id: &loaded.id,
        spec,
        files: &Source::all(&loaded.sources),
        rules_id: &loaded.rules.id,
        rules: loaded.rules.rules.spec(),
        rules_files: &Source::all(&loaded.rules.sources),
        scripts: &scripts,
        seed: args.run.seed,
        summary: &summary,
        speeds: &speeds,
    };
    let figures = if output.json {
        format!("{}\n", contest_array(&report).map_err(CliError::no_report)?.trim_end())
    } else {
        let document = output.told(contest_document(&report, Some(played.matches as f64 / seconds)));
        document_terminal(&document, terminal::width())
    };
    output.print(&figures, "Report", || {
        let json = contest_json(&report).map_err(CliError::no_report)?;
        let document = output.told(contest_document(&report, None));
        let mut files = document_files(&document, ("summary.json", &json)).map_err(CliError::no_report)?;
        files.extend(
            contest_csv(&report).into_iter().map(|(name, text)| (name.to_string(), text.into_bytes())),
        );
        Ok((files, Vec::new()))
    })
}

/// The command line that plays the same matches again.
fn again(args: &PlayArgs, setup: &Setup, played: &AtSpeeds) -> String {
    let factors = args.factors.as_ref().filter(|factors| !factors.0.is_empty());
    let said = factors.map(|factors| {
        let each: Vec<String> = factors.0.iter().map(|factor| decimal((*factor).into())).collect();
        each.join(",")
    });
    let none = said.is_none() && (args.no_factors || args.factors.is_some());
    setup
        .command(&setup.loaded.spec)
        .option("-n", [played.tally.matches()])
        .option("--seed", [args.run.seed])
        .option("--factors", said)
        .flag("--no-factors", none)
        .line()
}
