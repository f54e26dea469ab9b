//! `saratoga tune`: its arguments and its experiment.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::checkpoint::{not_written, resolved};
use super::driver::{self, Played, RunContext, Setup};
use super::error::CliError;
use super::input::{at_least_1, load_player, load_rules};
use super::options::{RunArgs, ScriptArgs};
use super::progress::{DEALS, GAMES, Line};
use super::terminal::note;
use crate::files::{check_writable, put};
use crate::lab::tune::{Race, TuneStep, defaults, games_of, tune};
use crate::report::{RunStrategy, count, tune_document};
use crate::stats::Measure;
use crate::strategy::StrategySource;
use crate::strategy::script::Parameter;
use crate::units::{Count, whole};

/// Maximum number of games of a generation, whose results are in memory at once: about 2 GB.
const MOST_KEPT: u64 = 200_000_000;

/// Find good values for a script's parameters
#[derive(Args, Debug)]
#[command(after_help = "\
A script declares its parameters at its top, each with a default:
  const HOLD = param(4, 0..=13);    a whole number and its allowed values
  const BOLD = param(true);         true or false

Candidates race on the same deals. After each heat the worse half drops out,
and the rest play twice as many deals. The winner then plays against the
defaults on fresh deals, so that the reported gain is not inflated by the
choice.

The script with the new values is written next to the original, as
NAME-tuned.rhai (also with --json, unless --no-write); for a script of the
shelf, in the current folder. Without a sure gain, that is, where the 95%
interval reaches down to 0, nothing is written. Ctrl-C stops the race and
reports the last finished generation, without the fresh deals.

The player `search` has four counts to tune: worlds, judged, nodes and ways,
each from a quarter of its value to twice that. Its name with the values
found is written to search-tuned.txt, to give with -s. Its games take far
longer than those of a script: ask for few deals with --deals and -n.

Examples:
  saratoga tune canfield tunable
  saratoga tune ./my-house.toml ./mine.rhai --measure money
  saratoga tune canfield ./mine.rhai --candidates 64 --deals 5k -n 1e6
  saratoga tune canfield search:level=1 --deals 20 -n 200
  saratoga tune single-pass tunable --no-write --json | jq .found")]
pub(in crate::cli) struct TuneArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES")]
    pub rules: String,
    /// A script with parameters: a name on the shelf, or a path; or `search`
    #[arg(value_name = "SCRIPT")]
    pub script: String,
    /// What to improve: cards, wins or money (the player's net)
    #[arg(long, value_name = "MEASURE", default_value_t = Measure::Cards)]
    pub measure: Measure,
    /// Candidates per generation, 2 to 4096
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = whole(2, 4096))]
    pub candidates: u64,
    /// Generations; each searches closer around the winner of the one before, 1 to 10
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole(1, 10))]
    pub generations: u64,
    /// Deals of the first heat; each later heat has twice as many
    #[arg(long, value_name = "DEALS", default_value = "2k")]
    pub deals: Count,
    /// Games that the winner and the defaults each play on fresh deals
    #[arg(short = 'n', long, value_name = "GAMES", default_value = "100k")]
    pub games: Count,
    /// Write the script to this file, even if it exists; only with a sure gain
    #[arg(long, value_name = "FILE", conflicts_with = "no_write")]
    pub write: Option<PathBuf>,
    /// Do not write the script
    #[arg(long)]
    pub no_write: bool,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

pub(super) fn run(args: TuneArgs) -> Result<ExitCode, CliError> {
    at_least_1(args.deals.0.min(args.games.0), "no games to play: --deals and -n")?;
    let loaded = load_rules(&args.rules)?;
    let script = load_player(&args.script, &args.scripts)?;
    let parameters = script.tuned_parameters();
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
    if args.candidates.saturating_mul(args.deals.0) > MOST_KEPT {
        return Err(CliError::input(format!(
            "{} candidates on {} deals are too many games to keep in memory: at most {} are allowed; \
             ask for fewer --candidates or --deals",
            count(args.candidates),
            count(args.deals.0),
            count(MOST_KEPT)
        )));
    }
    // Without changes it is the original script.
    let with = |values: &[i64]| {
        let each = parameters.iter().zip(values.iter().copied());
        let changed: Vec<(&Parameter, i64)> = each.filter(|(it, value)| it.default != *value).collect();
        script.with_values(&changed)
    };
    let setup = Setup {
        folder: format!("tune-{}-{}-{}", loaded.id, script.id(), args.run.seed),
        ..Setup::new(&args.run, [&loaded], [&script])
    };
    let play = |RunContext { workers, .. }: RunContext<'_>| {
        // The report's folder exists by now, and could have the script's name.
        let target = target(&args, &script)?;
        let race = Race {
            id: &args.rules,
            rules: &loaded.rules,
            parameters: &parameters,
            with: &with,
            measure: args.measure,
            seed: args.run.seed,
            first: args.games.0,
            candidates: usize::try_from(args.candidates).unwrap_or(usize::MAX),
            generations: usize::try_from(args.generations).unwrap_or(usize::MAX),
            deals: args.deals.0,
            workers,
        };
        let most = games_of(race.candidates, race.generations, race.deals);
        let mut line = Line::message(GAMES, Some(most), args.run.quiet);
        let mut fresh = false;
        let tuned = tune(&race, &mut |step| match step {
            TuneStep::Race(underway) => line.show(underway.games, || {
                let best = underway.best.map_or(String::new(), |it| {
                    let each = parameters.iter().zip(&it.values);
                    let values: Vec<String> =
                        each.map(|(it, value)| format!("{}={}", it.name, it.write(*value))).collect();
                    format!(", ahead {}", values.join(" "))
                });
                format!("generation {}: {} in the race{best}", underway.generation, underway.left)
            }),
            TuneStep::Fresh(games) => {
                if !std::mem::replace(&mut fresh, true) {
                    line = Line::message(DEALS, Some(args.games.0), args.run.quiet);
                }
                line.show(games, || "fresh deals".into());
            }
        })?;
        let tuned = tuned.ok_or(CliError::Nothing("a generation of the race was finished"))?;
        // Values without a certain gain do not replace the defaults.
        let target = target.filter(|_| tuned.fresh.gain.is_some_and(|gain| gain.low > 0.0));
        let interrupted = tuned.race.interrupted || tuned.fresh.interrupted;
        Ok(Played {
            interrupted: interrupted.then(|| match tuned.fresh.games {
                0 => "the report covers the race so far; no fresh deals were played".into(),
                _ => "the report covers the race and the fresh deals that were finished".into(),
            }),
            // The script exists by then, so it must be named explicitly.
            again: target.iter().map(|path| resolved("--write", [path.display()])).collect(),
            found: (tuned, target),
        })
    };
    driver::run(setup, play, |(mut tuned, target), output| {
        let winner = &tuned.race.winner;
        let source = (*winner != defaults(&parameters)).then(|| with(winner));
        let changed = source.as_ref().map(RunStrategy::new).filter(|it| !output.run.strategies.contains(it));
        output.run.strategies.splice(0..0, changed);
        // The results are reported even if the script cannot be written.
        let mut failed = None;
        if let (Some(path), Some(source)) = (&target, &source) {
            let name = path.display().to_string();
            // A script, or the name to give with `-s`.
            let text = source.text().map_or_else(|| format!("{}\n", source.name()), str::to_string);
            match put(path, text.as_bytes(), args.write.is_some()) {
                Ok(()) => tuned.written = Some(name),
                Err(error) => failed = Some(CliError::io(format!("cannot write {name}"))(error)),
            }
        }
        let reported = output.print(tune_document(&output.run, &tuned), &tuned, []);
        if let Some(failed) = failed {
            if let Err(report) = reported {
                report.report_in("saratoga tune");
            }
            return Err(failed);
        }
        reported?;
        match (&tuned.written, &args.write) {
            (Some(path), _) if !args.run.quiet => note(&format!("the script with these values: {path}")),
            (None, Some(path)) if args.run.merged.is_none() => {
                note(&format!("{} was not written: no values are better for certain", path.display()));
            }
            _ => {}
        }
        Ok(())
    })
}

/// Returns the path for the script. An existing file is overwritten only if it was named explicitly.
fn target(args: &TuneArgs, script: &StrategySource) -> Result<Option<PathBuf>, CliError> {
    if args.no_write {
        return Ok(None);
    }
    if let Some(path) = &args.write {
        if !args.run.writes(path) {
            not_written(&args.run, path);
            return Ok(None);
        }
        check_writable(path).map_err(CliError::input)?;
        return Ok(Some(path.clone()));
    }
    let path = match script.script() {
        Some(source) => {
            let old = Path::new(&source.name);
            let stem = old.file_stem().and_then(|stem| stem.to_str()).unwrap_or("script");
            let beside = old.parent().filter(|_| old.exists()).unwrap_or(Path::new(""));
            beside.join(format!("{stem}-tuned.rhai"))
        }
        None => PathBuf::from("search-tuned.txt"),
    };
    if !args.run.writes(&path) {
        not_written(&args.run, &path);
        return Ok(None);
    }
    if path.exists() {
        return Err(CliError::input(format!(
            "{0} already exists; `--write {0}` overwrites it, `--no-write` writes no script",
            path.display()
        )));
    }
    check_writable(&path).map_err(CliError::input)?;
    Ok(Some(path))
}
