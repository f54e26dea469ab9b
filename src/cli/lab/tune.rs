//! `saratoga tune`

use crate::cli::keeping::texts;
use crate::lab::SavedText;
use crate::lab::Workers;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use crate::cli::args::TuneArgs;
use crate::cli::driver::{self, Ending, Experiment, Means, Output};
use crate::cli::error::CliError;
use crate::cli::input::{load_players, load_rules};
use crate::cli::progress::{DEALS, GAMES, Line};
use crate::cli::terminal::note;
use crate::cli::words::CommandLine;
use crate::files::{check_writable, put};
use crate::lab::tune::{Race, RaceUnderway, Raced, games_of, race};
use crate::lab::{self, Compared, Comparison};
use crate::report::{
    CompareReport, ComparedEntry, PairingResult, Source, TuneReport, count, tune_document, tune_json,
};
use crate::rules::Loaded;
use crate::stats::{Measure, Summary, TAIL, summarize};
use crate::strategy::script::Parameter;
use crate::strategy::{Strategy, StrategySource};

/// What is tuned, and on what.
struct Tuning<'a> {
    args: &'a TuneArgs,
    loaded: Loaded,
    script: StrategySource,
    parameters: Vec<Parameter>,
}

impl<'a> Tuning<'a> {
    fn new(args: &'a TuneArgs) -> Result<Tuning<'a>, CliError> {
        if args.deals.0 == 0 || args.games.0 == 0 {
            return Err(CliError::input("no games to play: --deals and -n must be at least 1"));
        }
        let loaded = load_rules(&args.rules)?;
        let mut scripts = load_players(vec![args.script.clone()], &args.scripts)?;
        let Some(script) = scripts.pop() else { return Err(CliError::input("there is no script to tune")) };
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
        Ok(Tuning { args, loaded, script, parameters })
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
    let tuning = Tuning::new(&args)?;
    let kept = args.candidates.saturating_mul(args.deals.0);
    if kept > MOST_KEPT {
        return Err(CliError::input(format!(
            "{} candidates on {} deals are too many games to keep in memory: at most {} are allowed; \
             ask for fewer --candidates or --deals",
            count(args.candidates),
            count(args.deals.0),
            count(MOST_KEPT)
        )));
    }
    driver::run(&args.run, tuning)
}

/// What was played.
struct Played {
    raced: Raced,
    tuned: StrategySource,
    /// The winner and the defaults on fresh deals, once the race has a winner.
    compared: Option<Compared>,
    /// Where the script is to be written, if its new values are better.
    target: Option<PathBuf>,
}

impl Experiment for Tuning<'_> {
    type Played = Played;

    fn folder(&self) -> String {
        format!("tune-{}-{}-{}", self.loaded.id, self.script.id(), self.args.run.seed)
    }

    fn inputs(&self) -> Option<Vec<SavedText>> {
        Some(texts([&self.loaded], [&self.script]))
    }

    fn play(&mut self, Means { stop, workers, .. }: Means<'_>) -> Result<Played, CliError> {
        // The report's folder is there by now, which may be the script's.
        let target = self.target()?;
        let raced = self.race(stop, workers)?;
        let tuned = self.with(&raced.winner);
        let compared = match raced.generations_finished() {
            true => Some(self.compare(
                &self.players(&raced, &tuned),
                stop,
                games_of_values(workers, &raced.winner),
            )?),
            false => None,
        };
        // Values that are no better for certain are not put in place of the defaults.
        let gain = compared.as_ref().filter(|it| it.games > 0).and_then(|it| it.pairs.first());
        let better = gain.is_some_and(|pair| pair.tally.difference(self.args.measure, TAIL).low > 0.0);
        let target = target.filter(|_| better);
        Ok(Played { raced, tuned, compared, target })
    }

    fn ending(&self, played: &Played) -> Ending {
        let Some(compared) = &played.compared else {
            return Ending::Nothing("a generation of the race was finished");
        };
        Ending::of(played.raced.interrupted || compared.interrupted, || match compared.games {
            0 => "the report covers the race as far as it went; no fresh deals were played".into(),
            _ => "the report covers the race and the fresh deals that were finished".into(),
        })
    }

    fn report(&mut self, played: Played, output: &Output) -> Result<(), CliError> {
        let Played { raced, tuned, compared: Some(compared), target } = played else { return Ok(()) };
        // What was found is reported also where the script cannot be written.
        let written = target.map(|path| {
            let name = path.display().to_string();
            put(&path, said(&tuned).as_bytes(), self.args.write.is_some())
                .map_err(CliError::io(format!("cannot write {name}")))
                .map(|()| name)
        });
        let path = written.as_ref().and_then(|written| written.as_deref().ok());
        let reported = self.print(&raced, &self.players(&raced, &tuned), &compared, path, output);
        let written = match (written.transpose(), reported) {
            (written, Ok(())) => written?,
            (Ok(_), Err(error)) => return Err(error),
            (Err(script), Err(report)) => {
                report.report_in("saratoga tune");
                return Err(script);
            }
        };
        if let (Some(path), false) = (&written, self.args.run.quiet) {
            note(&format!("the script with these values: {path}"));
        }
        Ok(())
    }
}

/// What is written of a strategy with new values: a script, or the name to give with `-s`.
fn said(tuned: &StrategySource) -> String {
    tuned.text().map_or_else(|| format!("{}\n", tuned.name()), str::to_string)
}

/// Who makes the games of these values: those of others, which the race of a part of a run may find, are other games.
fn games_of_values<'a>(workers: Workers<'a>, values: &[i64]) -> Workers<'a> {
    values
        .iter()
        .fold(workers.part(1), |workers, value| workers.part(value.cast_unsigned() & (u64::MAX >> 1)))
}

impl Tuning<'_> {
    /// The winner of the race, if it is not the script itself, and the script.
    fn players<'s>(&'s self, raced: &Raced, tuned: &'s StrategySource) -> Vec<&'s StrategySource> {
        match raced.winner == lab::tune::defaults(&self.parameters) {
            true => vec![&self.script],
            false => vec![tuned, &self.script],
        }
    }

    /// Where the script is to be written. A file that is there already is not written over unless it was named.
    fn target(&self) -> Result<Option<PathBuf>, CliError> {
        let args = self.args;
        if args.no_write {
            return Ok(None);
        }
        if let Some(path) = &args.write {
            check_writable(path).map_err(CliError::input)?;
            return Ok(Some(path.clone()));
        }
        let name = self.script.script().map_or("", |source| source.name.as_str());
        let old = Path::new(name);
        let stem = old.file_stem().and_then(|stem| stem.to_str()).unwrap_or("script");
        let beside = if old.exists() { old.parent().unwrap_or(Path::new("")) } else { Path::new("") };
        let path = match self.script.script() {
            Some(_) => beside.join(format!("{stem}-tuned.rhai")),
            None => PathBuf::from("search-tuned.txt"),
        };
        if path.exists() {
            return Err(CliError::input(format!(
                "{0} already exists; `--write {0}` overwrites it, `--no-write` writes no script",
                path.display()
            )));
        }
        check_writable(&path).map_err(CliError::input)?;
        Ok(Some(path))
    }

    fn race(&self, stop: &AtomicBool, workers: Workers<'_>) -> Result<Raced, CliError> {
        let args = self.args;
        let make = |values: &[i64]| -> Box<dyn Strategy> { self.with(values).instantiate() };
        let plan = Race {
            id: &args.rules,
            rules: &self.loaded.rules,
            parameters: &self.parameters,
            strategy: &make,
            measure: args.measure,
            seed: args.run.seed,
            // Deals from 0 on are kept for the comparison.
            first: args.games.0,
            candidates: usize::try_from(args.candidates).unwrap_or(usize::MAX),
            generations: usize::try_from(args.generations).unwrap_or(usize::MAX),
            deals: args.deals.0,
            workers: workers.part(0),
        };
        let most = games_of(plan.candidates, plan.generations, plan.deals);
        let mut line = Line::message(GAMES, Some(most), args.run.quiet);
        let mut watch = |underway: &RaceUnderway<'_>| {
            line.show(underway.games, || {
                let best = underway.best.map_or(String::new(), |it| {
                    let each = self.parameters.iter().zip(&it.values);
                    let values: Vec<String> = each
                        .map(|(parameter, value)| format!("{}={}", parameter.name, parameter.write(*value)))
                        .collect();
                    format!(", ahead {}", values.join(" "))
                });
                format!("generation {}: {} in the race{best}", underway.generation + 1, underway.left)
            });
        };
        Ok(race(&plan, stop, &mut watch)?)
    }

    fn compare(
        &self,
        players: &[&StrategySource],
        stop: &AtomicBool,
        workers: Workers<'_>,
    ) -> Result<Compared, CliError> {
        let args = self.args;
        let makers: Vec<_> = players.iter().map(|source| move || source.instantiate()).collect();
        let entries = makers.iter().map(|make| lab::Pairing {
            id: &args.rules,
            rules: &self.loaded.rules,
            strategy: make,
        });
        let comparison = Comparison {
            entries: entries.collect(),
            seed: args.run.seed,
            given: None,
            budget: args.games.0,
            measure: args.measure,
            test: None,
            fit_difference: false,
            play_all: true,
            show: 0,
            workers,
        };
        let mut line = Line::message(DEALS, Some(args.games.0), args.run.quiet);
        let compared = lab::compare(&comparison, stop, &mut |underway| {
            line.show(underway.games, || "fresh deals".into());
        });
        Ok(compared?)
    }

    fn print(
        &self,
        raced: &Raced,
        players: &[&StrategySource],
        compared: &Compared,
        written: Option<&str>,
        output: &Output,
    ) -> Result<(), CliError> {
        let args = self.args;
        let spec = self.loaded.rules.spec();
        let summaries: Vec<Summary> =
            compared.tallies.iter().map(|tally| summarize(tally, spec, Vec::new())).collect();
        let seed = args.run.seed;
        let entries = players.iter().zip(&summaries).map(|(source, summary)| ComparedEntry {
            entry: PairingResult::new((&self.loaded.id, spec), source.name(), seed, summary),
            rules: Source::all(&self.loaded.sources),
            script: source.text(),
            replay: String::new(),
        });
        let command = self.again(written);
        let version = env!("CARGO_PKG_VERSION");
        let fresh = CompareReport {
            command: &command,
            version,
            budget: args.games.0,
            measure: args.measure,
            entries: entries.collect(),
            compared,
            deals: None,
        };
        let report = TuneReport {
            command: &command,
            version,
            measure: args.measure,
            parameters: &self.parameters,
            raced,
            first: args.games.0,
            written,
            fresh,
        };
        let json = tune_json(&report).map_err(CliError::no_report)?;
        output.print_document(tune_document(&report), &json, Vec::new())
    }

    /// The command line that runs the same race again.
    fn again(&self, written: Option<&str>) -> String {
        let args = self.args;
        let named = args.write.as_ref().map(|path| path.display().to_string());
        // The script is there by then, so that it has to be named.
        let write = written.map(str::to_string).or(named);
        CommandLine::new("tune")
            .word(&args.rules)
            .word(self.script.name())
            .option("--measure", (args.measure != Measure::Cards).then_some(args.measure))
            .option("--candidates", [args.candidates])
            .option("--generations", [args.generations])
            .option("--deals", [args.deals])
            .option("-n", [args.games])
            .option("--seed", [args.run.seed])
            .flag("--no-write", write.is_none() && args.no_write)
            .option("--write", write)
            .line()
    }
}
