//! Runs an experiment: everything common to commands that play many games.
//!
//! The report's folder is prepared before a game is played. Ctrl-C, SIGTERM and SIGHUP stop the games, and what was
//! finished is reported; a second request ends the program at once. Figures are printed before the report is written,
//! so that they are not lost if writing fails.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use crate::files::{Folder, Ready};
use crate::interrupt;
use crate::lab::{SavedText, Workers};
use crate::report::{DealsSource, Document, Run, RunRules, RunStrategy, document_files, document_terminal};
use crate::rules::Loaded;
use crate::signals;
use crate::strategy::StrategySource;
use crate::text::steers;

use super::checkpoint::{Keeping, run_plan, texts};
use super::error::CliError;
use super::options::{ResolvedOption, RunArgs};
use super::terminal::{self, unique};

pub(super) struct Setup<'a> {
    pub run: &'a RunArgs,
    /// Name of the report's folder in `reports/`.
    pub folder: String,
    /// Whether a report is written by default.
    pub reports: bool,
    /// The rulesets as in their files, for its report and its JSON.
    pub rules: Vec<&'a Loaded>,
    /// The strategies, for its report and its JSON.
    pub players: Vec<&'a StrategySource>,
    /// The deals of its report, if they do not come from the seed.
    pub deals: Option<DealsSource>,
    /// What its games depend on besides rulesets and strategies; `None` if its blocks cannot be stored.
    pub inputs: Option<Vec<SavedText>>,
    /// The values of options without a fixed default: a run is the same whether its defaults are spelled out or not.
    pub resolved: Vec<ResolvedOption>,
    /// How often games are played one batch after another in a whole run; `None` if the results decide.
    pub stages: Option<u32>,
}

impl<'a> Setup<'a> {
    /// Creates an experiment whose blocks depend on nothing but these.
    pub fn new(
        run: &'a RunArgs,
        rules: impl IntoIterator<Item = &'a Loaded>,
        players: impl IntoIterator<Item = &'a StrategySource>,
    ) -> Setup<'a> {
        Setup {
            run,
            folder: String::new(),
            reports: !run.json,
            rules: rules.into_iter().collect(),
            players: players.into_iter().collect(),
            deals: None,
            inputs: Some(Vec::new()),
            resolved: Vec::new(),
            stages: None,
        }
    }
}

/// Context in which an experiment is played.
#[derive(Clone, Copy)]
pub(super) struct RunContext<'a> {
    /// Threads that run the blocks until a stop is requested.
    pub workers: Workers<'a>,
    /// Folder of the report, if there is one.
    pub folder: Option<&'a Folder>,
}

/// Result of playing, complete or not.
pub(super) struct Played<T> {
    pub found: T,
    /// What the figures cover, if it was interrupted.
    pub interrupted: Option<String>,
    /// Options of the command that reproduces it, where they differ from those given.
    pub again: Vec<ResolvedOption>,
}

/// What a report needs at least.
pub(super) const FIRST_BLOCK: CliError = CliError::Nothing("a first block of games was played");

/// Plays an experiment until everything is played or a stop is requested, reports it, and returns the exit code.
pub(super) fn run<T>(
    setup: Setup<'_>,
    play: impl FnOnce(RunContext<'_>) -> Result<Played<T>, CliError>,
    report: impl FnOnce(T, &mut Output) -> Result<(), CliError>,
) -> Result<ExitCode, CliError> {
    let run = setup.run;
    let folder = if run.keep.shard.is_some() { None } else { folder(&setup)? };
    let (files, folders) = folder.as_ref().map(Folder::litter).unwrap_or_default();
    let stop = signals::stop_on_ctrl_c(files, folders);
    let plan = setup.inputs.map(|mut inputs| {
        inputs.extend(texts(setup.rules.iter().copied(), setup.players.iter().copied()));
        run_plan(&run.given, setup.resolved, inputs)
    });
    let keeping = Keeping::open(run, plan, folder.as_ref())?;
    let mut workers = Workers::new(run.threads()).heeding(stop);
    if let Some(keeping) = &keeping {
        keeping.checkpoint().expect(setup.stages);
        workers = workers.keeping(keeping.checkpoint());
    }
    let context = RunContext { workers, folder: folder.as_ref() };
    let played = match &keeping {
        Some(keeping) => keeping.watched(|| play(context)),
        None => play(context),
    };
    let Played { found, interrupted, again } = match played.map_err(|error| error.of_threads(run.threads)) {
        Ok(played) => played,
        Err(error) => {
            return match keeping {
                Some(keeping) => keeping.failed(error, run),
                None => Err(error),
            };
        }
    };
    if let (Some(keeping), Some(shard)) = (&keeping, run.keep.shard) {
        return keeping.shard_ended(shard, interrupted.is_none(), run.quiet);
    }
    if let Some(part) = interrupted.as_ref().filter(|_| !run.quiet) {
        terminal::note(&format!("interrupted: {part}"));
    }
    let whole = interrupted.is_none();
    let made = Run {
        version: env!("CARGO_PKG_VERSION"),
        command: run.given.line(&again),
        seed: run.seed,
        deals: setup.deals,
        rules: unique(setup.rules.into_iter().map(RunRules::new)),
        strategies: unique(setup.players.into_iter().map(RunStrategy::new)),
        interrupted,
    };
    let reported = report(found, &mut Output { json: run.json, folder, run: made });
    if let Some(keeping) = keeping {
        // The report is written even if nobody reads the figures.
        let written = reported.as_ref().map_or_else(CliError::is_closed_pipe, |()| true);
        keeping.end(whole && written, run.quiet);
    }
    reported.map(|()| if whole { ExitCode::SUCCESS } else { ExitCode::from(130) })
}

fn folder(setup: &Setup<'_>) -> Result<Option<Folder>, CliError> {
    let path = match &setup.run.out {
        _ if setup.run.no_report => return Ok(None),
        Some(out) => out.clone(),
        None if setup.reports => PathBuf::from("reports").join(plain(&setup.folder)),
        None => return Ok(None),
    };
    Ok(Some(Folder::prepare(path)?))
}

/// Maximum bytes of a folder name composed of other names: file systems allow 255.
const LONGEST: usize = 200;

/// Makes the name of a folder safe for terminals. A long one is cut, and gets a checksum to tell it from others.
fn plain(name: &str) -> String {
    let plain: String = name.chars().map(|c| if steers(c) { '-' } else { c }).collect();
    if plain.len() <= LONGEST {
        return plain;
    }
    let end = (0..=LONGEST).rev().find(|&end| plain.is_char_boundary(end)).unwrap_or(0);
    format!("{}-{:08x}", &plain[..end], crc32fast::hash(plain.as_bytes()))
}

pub(super) type Files = Vec<(String, Vec<u8>)>;

pub(super) struct Output {
    /// Whether they are printed as JSON.
    pub json: bool,
    folder: Option<Folder>,
    /// The run that reproduces the results.
    pub run: Run,
}

impl Output {
    pub fn has_report(&self) -> bool {
        self.folder.is_some()
    }

    /// Prints the document or, as JSON, the run with the result, and writes the report with `more` files.
    pub fn print(
        &self,
        document: Document<'_>,
        result: &impl Serialize,
        more: impl IntoIterator<Item = (String, Vec<u8>)>,
    ) -> Result<(), CliError> {
        let json = self.run.json(result).map_err(CliError::no_report)? + "\n";
        let figures = self.figures(&document, &json);
        self.print_files(&figures, "Report", || {
            Ok((self.files(&document, ("summary.json", &json), more)?, Vec::new()))
        })
    }

    /// Returns what is printed of a report: the JSON, or the document for a terminal.
    pub fn figures(&self, document: &Document<'_>, json: &str) -> String {
        match self.json {
            true => json.to_string(),
            false => document_terminal(document, terminal::width()),
        }
    }

    /// Returns the files of a report: those of its document, the JSON under a name, and `more`.
    pub fn files(
        &self,
        document: &Document<'_>,
        json: (&str, &str),
        more: impl IntoIterator<Item = (String, Vec<u8>)>,
    ) -> Result<Files, CliError> {
        let files = document_files(document, json).map_err(CliError::no_report)?;
        Ok(files.into_iter().chain(more).collect())
    }

    /// Prints figures, writes the report, and says where it is; `what` names the report for the user.
    pub fn print_files(
        &self,
        figures: &str,
        what: &str,
        files: impl FnOnce() -> Result<(Files, Vec<Ready>), CliError>,
    ) -> Result<(), CliError> {
        let write = || match &self.folder {
            Some(folder) => files().and_then(|(files, ready)| Ok(folder.write_all(&files, &ready)?)),
            None => Ok(()),
        };
        let said = self.folder.as_ref().filter(|_| !self.json).map(|folder| {
            let page = folder.path().join("index.html");
            format!("\n{what}: {}\n", terminal::shown(&page))
        });
        print_around(&mut terminal::stdout(), figures, write, &said.unwrap_or_default())?;
        // Its pictures are then left out, and its nights are rough.
        if self.has_report() && self.run.interrupted.is_none() && interrupt::requested() {
            return Err(CliError::RoughReport);
        }
        Ok(())
    }
}

/// Prints figures, writes the report even if nobody reads them, and prints `after`.
fn print_around(
    out: &mut impl Write,
    figures: &str,
    write_report: impl FnOnce() -> Result<(), CliError>,
    after: &str,
) -> Result<(), CliError> {
    let print = |out: &mut dyn Write, text: &str| out.write_all(text.as_bytes()).and_then(|()| out.flush());
    let printed: io::Result<()> = print(out, figures);
    write_report()?;
    printed?;
    Ok(print(out, after)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn threads_that_cannot_be_had_are_a_fault_of_the_option_that_asked_for_them() {
        let failed = |asked| CliError::Threads("no room".into()).of_threads(asked);
        assert!(matches!(failed(None), CliError::Threads(_)));
        let CliError::Input(message) = failed(Some(200)) else { panic!() };
        assert!(message.contains("--threads 200"), "{message}");
    }

    #[test]
    fn figures_come_before_the_report_and_are_not_lost_with_it() {
        let mut out = Vec::new();
        print_around(&mut out, "figures", || Ok(()), " report").unwrap();
        assert_eq!(out, b"figures report");
        out.clear();
        print_around(&mut out, "figures", || Err(CliError::input("full")), " report").unwrap_err();
        assert_eq!(out, b"figures");
        // A closed pipe is an error only if the report was not written.
        let written = Cell::new(false);
        let write = || {
            written.set(true);
            Ok(())
        };
        let closed: &mut [u8] = &mut [];
        assert!(matches!(print_around(&mut { closed }, "figures", write, ""), Err(CliError::Io { .. })));
        assert!(written.get());
    }

    #[test]
    fn names_of_folders_are_short_and_apart() {
        let long = |end: &str| super::plain(&format!("{}{end}", "é".repeat(150)));
        assert!(long("a").len() < 255 && long("a") != long("b") && long("a") == long("a"));
        assert_eq!(super::plain("canfield-\u{1b}-1"), "canfield---1");
    }
}
