//! `saratoga tune`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::RunArgs;
use crate::cli::error::CliError;
use crate::cli::folder::{Folder, put};
use crate::cli::input::load_rules;
use crate::cli::many::{note, stop_on_ctrl_c, threads};
use crate::cli::numbers::{Count, whole};
use crate::cli::output::shell_word;
use crate::cli::progress::Line;
use crate::lab::tune::{Race, RaceUnderway, Raced, games_of, race};
use crate::lab::{self, Compared, Comparison};
use crate::report::{
    CompareReport, ComparedEntry, Entry, Source, TuneReport, count, tune_document, tune_json,
};
use crate::rules::Loaded;
use crate::stats::{Measure, Summary, summarize};
use crate::strategy::script::Parameter;
use crate::strategy::{Strategy, StrategySource};

/// Find good values of a script's parameters
#[derive(Args, Debug)]
#[command(after_help = "\
A script declares its parameters at its top, each with a default:
  const HOLD = param(4, 0..=13);    a whole number, and the values it may have
  const BOLD = param(true);         true or false
Candidates race on the same deals: after each heat the worse half is out, and
the others play twice as many deals. The winner is then played against the
defaults on deals that nobody has played yet, so that what is reported is not
flattered by the choice. The script with the new values is written beside the
old one, as NAME-tuned.rhai (with --json too, unless --no-write); a script of
the shelf is written where you are. Defaults that win are left as they are.
Ctrl-C stops the race, and reports on the last generation that was finished,
without the fresh deals that were still to be played.

Examples:
  saratoga tune canfield tunable
  saratoga tune ./my-house.toml ./mine.rhai --measure money
  saratoga tune canfield ./mine.rhai --candidates 64 --deals 5k -n 1e6
  saratoga tune single-pass tunable --no-write --json | jq .found")]
pub(in crate::cli) struct TuneArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES")]
    rules: String,
    /// A script that declares parameters: a name on the shelf, or a path
    #[arg(value_name = "SCRIPT")]
    script: String,
    /// What counts: cards, wins or money (the player's net)
    #[arg(long, value_name = "MEASURE", default_value_t = Measure::Cards)]
    measure: Measure,
    /// Candidates of a generation, 2 to 4096
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = whole(2, 4096), allow_negative_numbers = true)]
    candidates: u64,
    /// Generations, each closer around the winner of the one before, 1 to 10
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole(1, 10), allow_negative_numbers = true)]
    generations: u64,
    /// Deals of the first heat; each later one has twice as many
    #[arg(long, value_name = "DEALS", default_value_t = DEALS, allow_negative_numbers = true)]
    deals: Count,
    /// Fresh deals on which the winner is compared with the defaults
    #[arg(short = 'n', long, value_name = "GAMES", default_value_t = FRESH, allow_negative_numbers = true)]
    games: Count,
    /// Write the script there, over what is there
    #[arg(long, value_name = "FILE", conflicts_with = "no_write")]
    write: Option<PathBuf>,
    /// Do not write the script
    #[arg(long)]
    no_write: bool,
    #[command(flatten)]
    run: RunArgs,
}

const DEALS: Count = Count(2_000);
const FRESH: Count = Count(100_000);

/// What is tuned, and on what.
struct Setup {
    loaded: Loaded,
    script: StrategySource,
    parameters: Vec<Parameter>,
}

impl Setup {
    fn new(args: &TuneArgs) -> Result<Setup, CliError> {
        if args.deals.0 == 0 || args.games.0 == 0 {
            return Err(CliError::input("no games to play: --deals and -n must be at least 1"));
        }
        let loaded = load_rules(&args.rules)?;
        let mut scripts = args.run.strategies(vec![args.script.clone()])?;
        let Some(script) = scripts.pop() else { return Err(CliError::input("there is no script to tune")) };
        let parameters = script.parameters();
        if parameters.is_empty() {
            let why = match script.script() {
                Some(_) => "declares no parameters",
                None => "is part of the program and has no parameters",
            };
            return Err(CliError::input(format!(
                "{} {why}; a script declares them at its top, such as `const HOLD = param(4, 0..=13);`",
                args.script
            )));
        }
        Ok(Setup { loaded, script, parameters })
    }

    /// The script with these values; with none of them changed, the script itself.
    fn with(&self, values: &[i64]) -> StrategySource {
        let each = self.parameters.iter().zip(values.iter().copied());
        let changed: Vec<(&Parameter, i64)> = each.filter(|(it, value)| it.default != *value).collect();
        self.script.with_values(&changed)
    }
}

/// Games of a generation, whose results are in memory at one time: some 2 GB.
const MOST_KEPT: u64 = 200_000_000;

pub(in crate::cli) fn run(args: TuneArgs) -> Result<ExitCode, CliError> {
    let setup = Setup::new(&args)?;
    let kept = args.candidates.saturating_mul(args.deals.0);
    if kept > MOST_KEPT {
        return Err(CliError::input(format!(
            "{} candidates on {} deals are {} games to be kept for comparing, and {} are the most: \
             ask for fewer --candidates or --deals",
            count(args.candidates),
            count(args.deals.0),
            count(kept),
            count(MOST_KEPT)
        )));
    }
    let name = format!("tune-{}-{}-{}", setup.loaded.id, setup.script.id(), args.run.seed);
    // Before the script's place is looked at, which may be in it.
    let folder = args.run.folder(&name)?;
    let target = target(&args, &setup)?;
    let (files, folders) = Folder::litter(folder.as_ref(), Vec::new());
    let stop = stop_on_ctrl_c(files, folders);
    let raced = run_race(&args, &setup, stop)?;
    let defaults = lab::tune::defaults(&setup.parameters);
    if !raced.generations_finished() {
        note("interrupted before a generation of the race was finished: there is nothing to report");
        return Ok(ExitCode::from(130));
    }
    let tuned = setup.with(&raced.winner);
    let mut players = vec![&setup.script];
    if raced.winner != defaults {
        players.insert(0, &tuned);
    }
    let compared = compare(&args, &setup, &players, stop)?;
    let interrupted = raced.interrupted || compared.interrupted;
    if interrupted && !args.run.quiet {
        note(match compared.games {
            0 => "interrupted: the race is what was finished of it; no fresh deals were played",
            _ => "interrupted: the race and the fresh deals are those that were finished",
        });
    }
    // What was found is told also where the script cannot be written.
    let written = target.filter(|_| raced.winner != defaults).map(|path| {
        let path_said = path.display().to_string();
        put(&path, tuned.text().unwrap_or("").as_bytes(), args.write.is_some())
            .map_err(CliError::io(format!("cannot write {path_said}")))
            .map(|()| path_said)
    });
    let path = written.as_ref().and_then(|written| written.as_deref().ok());
    let told = tell(&args, &setup, &raced, &players, &compared, path, folder.as_ref());
    let written = match (written.transpose(), told) {
        (written, Ok(())) => written?,
        (Ok(_), Err(error)) => return Err(error),
        (Err(script), Err(report)) => {
            report.report_in("saratoga tune");
            return Err(script);
        }
    };
    if let (Some(path), false) = (&written, args.run.quiet) {
        note(&format!("the script with these values: {path}"));
    }
    Ok(ExitCode::from(if interrupted { 130 } else { 0 }))
}

/// Where the script is to be written. A file that is there already is not written over unless it was named.
fn target(args: &TuneArgs, setup: &Setup) -> Result<Option<PathBuf>, CliError> {
    if args.no_write {
        return Ok(None);
    }
    if let Some(path) = &args.write {
        return writable(path.clone()).map(Some);
    }
    let name = setup.script.script().map_or("", |source| source.name.as_str());
    let old = Path::new(name);
    let stem = old.file_stem().and_then(|stem| stem.to_str()).unwrap_or("script");
    let beside = if old.exists() { old.parent().unwrap_or(Path::new("")) } else { Path::new("") };
    let path = beside.join(format!("{stem}-tuned.rhai"));
    if path.exists() {
        return Err(CliError::input(format!(
            "{0} is there already; `--write {0}` writes over it, `--no-write` writes no script",
            path.display()
        )));
    }
    writable(path).map(Some)
}

/// Makes sure before any game is played that a file can be written.
fn writable(path: PathBuf) -> Result<PathBuf, CliError> {
    let why = match path.parent() {
        _ if path.is_dir() => "it is a folder",
        _ if path.exists() && !path.is_file() => "it is a device or a pipe, and a regular file is expected",
        Some(parent) if !parent.as_os_str().is_empty() && !parent.is_dir() => "there is no such folder",
        _ => return Ok(path),
    };
    Err(CliError::input(format!("cannot write {}: {why}", path.display())))
}

fn run_race(args: &TuneArgs, setup: &Setup, stop: &AtomicBool) -> Result<Raced, CliError> {
    let make = |values: &[i64]| -> Box<dyn Strategy> { setup.with(values).instantiate() };
    let plan = Race {
        id: &args.rules,
        rules: &setup.loaded.rules,
        parameters: &setup.parameters,
        strategy: &make,
        measure: args.measure,
        seed: args.run.seed,
        // Deals from 0 on are kept for the comparison.
        first: args.games.0,
        candidates: usize::try_from(args.candidates).unwrap_or(usize::MAX),
        generations: usize::try_from(args.generations).unwrap_or(usize::MAX),
        deals: args.deals.0,
        threads: threads(args.run.threads),
    };
    let most = games_of(plan.candidates, plan.generations, plan.deals);
    let mut line = Line::new(
        "{human_pos} games {per_sec} {eta} left {wide_msg}",
        Some(most),
        |rate| format!("{:.0}k games/s", rate / 1000.0),
        args.run.quiet,
    );
    let mut watch = |underway: &RaceUnderway<'_>| {
        line.show(underway.games, || {
            let best = underway.best.map_or(String::new(), |it| {
                let each = setup.parameters.iter().zip(&it.values);
                let values: Vec<String> = each
                    .map(|(parameter, value)| format!("{}={}", parameter.name, parameter.write(*value)))
                    .collect();
                format!(", ahead {}", values.join(" "))
            });
            format!("generation {}: {} in the race{best}", underway.generation + 1, underway.left)
        });
    };
    let raced = race(&plan, stop, &mut watch);
    line.clear();
    Ok(raced?)
}

fn compare(
    args: &TuneArgs,
    setup: &Setup,
    players: &[&StrategySource],
    stop: &AtomicBool,
) -> Result<Compared, CliError> {
    let makers: Vec<_> = players.iter().map(|source| move || source.instantiate()).collect();
    let entries =
        makers.iter().map(|make| lab::Entry { id: &args.rules, rules: &setup.loaded.rules, strategy: make });
    let comparison = Comparison {
        entries: entries.collect(),
        seed: args.run.seed,
        budget: args.games.0,
        measure: args.measure,
        test: None,
        play_all: true,
        show: 0,
        threads: threads(args.run.threads),
    };
    let mut line = Line::new(
        "{human_pos} deals {per_sec} {eta} left {wide_msg}",
        Some(args.games.0),
        |rate| format!("{:.0}k deals/s", rate / 1000.0),
        args.run.quiet,
    );
    let compared = lab::compare(&comparison, stop, &mut |underway| {
        line.show(underway.games, || "fresh deals".into());
    });
    line.clear();
    Ok(compared?)
}

fn tell(
    args: &TuneArgs,
    setup: &Setup,
    raced: &Raced,
    players: &[&StrategySource],
    compared: &Compared,
    written: Option<&str>,
    folder: Option<&Folder>,
) -> Result<(), CliError> {
    let spec = setup.loaded.rules.spec();
    let summaries: Vec<Summary> =
        compared.tallies.iter().map(|tally| summarize(tally, spec, Vec::new())).collect();
    let seed = args.run.seed;
    let entries = players.iter().zip(&summaries).map(|(source, summary)| ComparedEntry {
        entry: Entry {
            id: &setup.loaded.id,
            rules: spec,
            strategy: source.name(),
            seed,
            summary,
            clairvoyant: None,
        },
        rules: setup.loaded.sources.iter().map(|it| Source { name: &it.name, text: &it.text }).collect(),
        script: source.text(),
        replay: String::new(),
    });
    let command = again(args, setup, written);
    let version = env!("CARGO_PKG_VERSION");
    let fresh = CompareReport {
        command: &command,
        version,
        budget: args.games.0,
        measure: args.measure,
        entries: entries.collect(),
        compared,
    };
    let report = TuneReport {
        command: &command,
        version,
        measure: args.measure,
        parameters: &setup.parameters,
        raced,
        first: args.games.0,
        written,
        fresh,
    };
    let json = tune_json(&report).map_err(|error| CliError::Run(error.to_string()))?;
    args.run.tell(&tune_document(&report), &json, folder, Vec::new())
}

/// The command line that runs the same race again.
fn again(args: &TuneArgs, setup: &Setup, written: Option<&str>) -> String {
    let mut words = vec!["saratoga tune".into(), shell_word(&args.rules), shell_word(setup.script.name())];
    if args.measure != Measure::Cards {
        words.push(format!("--measure {}", args.measure));
    }
    words.push(format!(
        "--candidates {} --generations {} --deals {} -n {} --seed {}",
        args.candidates, args.generations, args.deals.0, args.games.0, args.run.seed
    ));
    match (written, &args.write) {
        // The script is there by then, so that it has to be named.
        (Some(path), _) => words.push(format!("--write {}", shell_word(path))),
        (None, Some(path)) => words.push(format!("--write {}", shell_word(&path.display().to_string()))),
        (None, None) if args.no_write => words.push("--no-write".into()),
        (None, None) => {}
    }
    words.join(" ")
}
