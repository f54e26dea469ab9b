//! Runs an experiment: everything common to commands that play many games.
//!
//! The report's folder is prepared before a game is played. Ctrl-C, SIGTERM and SIGHUP stop the games, and what was
//! finished is reported; a second request ends the program at once. Figures are printed before the report is written,
//! so that they are not lost if writing fails.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use crate::files::{Folder, Ready};
use crate::interrupt;
use crate::lab::{SavedText, Workers};
use crate::report::{DealsSource, Document, Run, RunRules, RunStrategy, document_files, document_terminal};
use crate::rules::Loaded;
use crate::signals;
use crate::strategy::StrategySource;
use crate::text::steers;

use super::args::RunArgs;
use super::checkpoint::{Keeping, ResolvedOption, run_plan};
use super::error::CliError;
use super::terminal;

/// Interface of a command to the driver.
///
/// A method with a default is for some experiments only, but one whose runs can be resumed and shared has `inputs`,
/// `settled`, `again` and `stages`.
pub(super) trait Experiment {
    /// Result of playing, complete or not.
    type Played;

    /// Returns the name of the report's folder in `reports/`.
    fn folder(&self) -> String;

    /// Returns whether a report is written by default.
    fn reports(&self, run: &RunArgs) -> bool {
        !run.json
    }

    /// Returns the rulesets as in their files, for its report and its JSON.
    fn rules(&self) -> Vec<&Loaded>;

    /// Returns the strategies, for its report and its JSON.
    fn players(&self) -> Vec<&StrategySource>;

    /// Returns the deals of its report, if they do not come from the seed.
    fn deals(&self) -> Option<DealsSource> {
        None
    }

    /// Returns options of the command that reproduces its results, if they differ from those given, such as the number of
    /// games when a run was interrupted.
    fn again(&self, _: &Self::Played) -> Vec<ResolvedOption> {
        Vec::new()
    }

    /// Returns the texts that its games depend on, mostly those of [`texts`](super::checkpoint::texts), if its blocks can be
    /// stored. Without them a run cannot be resumed and has no shards.
    fn inputs(&self) -> Option<Vec<SavedText>> {
        None
    }

    /// Returns the values used for options that have no default on the command line, given or not: so a run is the same
    /// whether its defaults are spelled out or not.
    fn settled(&self) -> Vec<ResolvedOption> {
        Vec::new()
    }

    /// Returns the number of stages of a whole run, that is, how often games are played one batch after another; `None` if
    /// the results decide.
    fn stages(&self) -> Option<u32> {
        None
    }

    /// Plays until everything is played or a stop is requested.
    fn play(&mut self, means: RunContext<'_>) -> Result<Self::Played, CliError>;

    /// Returns how much was played.
    fn ending(&self, played: &Self::Played) -> Ending;

    /// Prints the results and writes the report, mostly by [`Output::print_result`].
    fn report(&mut self, played: Self::Played, output: &Output) -> Result<(), CliError>;
}

/// Context in which an experiment is played.
#[derive(Clone, Copy)]
pub(super) struct RunContext<'a> {
    /// Set when a stop is requested.
    pub stop: &'a AtomicBool,
    /// Threads that run the blocks.
    pub workers: Workers<'a>,
    /// Folder of the report, if there is one.
    pub folder: Option<&'a Folder>,
}

/// Extent to which an experiment was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    All,
    /// A part, and what the figures cover.
    Interrupted(String),
    /// Too little for a report; what a report would have needed.
    Nothing(&'static str),
}

impl Ending {
    /// Everything, or a part that `part` describes.
    pub fn of(interrupted: bool, part: impl FnOnce() -> String) -> Ending {
        if interrupted { Ending::Interrupted(part()) } else { Ending::All }
    }
}

/// What a report needs at least.
pub(super) const FIRST_BLOCK: &str = "a first block of games was played";

/// Runs an experiment, and returns the exit code.
pub(super) fn run(run: &RunArgs, mut experiment: impl Experiment) -> Result<ExitCode, CliError> {
    let folder = if run.keep.shard.is_some() { None } else { folder(run, &experiment)? };
    let (files, folders) = folder.as_ref().map(Folder::litter).unwrap_or_default();
    let stop = signals::stop_on_ctrl_c(files, folders);
    let plan = experiment.inputs().map(|inputs| run_plan(&run.given, experiment.settled(), inputs));
    let keeping = Keeping::open(run, plan, folder.as_ref())?;
    let workers = match &keeping {
        Some(keeping) => {
            keeping.checkpoint().expect(experiment.stages());
            keeping.workers(run.threads())
        }
        None => Workers::new(run.threads()),
    };
    let means = RunContext { stop, workers, folder: folder.as_ref() };
    let played = match &keeping {
        Some(keeping) => keeping.watched(|| experiment.play(means)),
        None => experiment.play(means),
    };
    let played = match played.map_err(|error| error.of_threads(run.threads)) {
        Ok(played) => played,
        Err(error) => {
            return match keeping {
                Some(keeping) => keeping.failed(error, run),
                None => Err(error),
            };
        }
    };
    if let (Some(keeping), Some(shard)) = (&keeping, run.keep.shard) {
        let whole = matches!(experiment.ending(&played), Ending::All);
        return keeping.shard_ended(shard, whole, run.quiet);
    }
    let mut interrupted = None;
    let code = match experiment.ending(&played) {
        Ending::Nothing(what) => {
            terminal::note(&format!("interrupted before {what}: there is nothing to report"));
            if let Some(keeping) = keeping {
                keeping.end(false, run.quiet);
            }
            return Ok(ExitCode::from(130));
        }
        Ending::Interrupted(part) => {
            if !run.quiet {
                terminal::note(&format!("interrupted: {part}"));
            }
            interrupted = Some(part);
            ExitCode::from(130)
        }
        Ending::All => ExitCode::SUCCESS,
    };
    let made = Run {
        version: env!("CARGO_PKG_VERSION"),
        command: run.given.line(&experiment.again(&played)),
        seed: run.seed,
        deals: experiment.deals(),
        rules: once(experiment.rules().into_iter().map(RunRules::new)),
        strategies: once(experiment.players().into_iter().map(RunStrategy::new)),
        interrupted,
    };
    let reported = experiment.report(played, &Output { json: run.json, folder, run: made });
    if let Some(keeping) = keeping {
        // The report is written even if nobody reads the figures.
        let whole = reported.as_ref().map_or_else(CliError::is_closed_pipe, |()| true);
        keeping.end(code == ExitCode::SUCCESS && whole, run.quiet);
    }
    reported.map(|()| code)
}

/// Removes duplicates, keeping the order of first occurrence.
fn once<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for it in all {
        if !seen.contains(&it) {
            seen.push(it);
        }
    }
    seen
}

/// Returns the requested folder or, if a report is written by default, one in `reports/`.
fn folder(run: &RunArgs, experiment: &impl Experiment) -> Result<Option<Folder>, CliError> {
    let path = match &run.out {
        _ if run.no_report => return Ok(None),
        Some(out) => out.clone(),
        None if experiment.reports(run) => PathBuf::from("reports").join(plain(&experiment.folder())),
        None => return Ok(None),
    };
    Ok(Some(Folder::prepare(path)?))
}

/// Maximum bytes of a folder name composed of other names: file systems allow 255.
const LONGEST: usize = 200;

/// Makes a composed folder name safe for terminals. A long one is cut and gets a checksum that distinguishes it from
/// others with the same beginning.
fn plain(name: &str) -> String {
    let plain: String = name.chars().map(|c| if steers(c) { '-' } else { c }).collect();
    if plain.len() <= LONGEST {
        return plain;
    }
    let end = (0..=LONGEST).rev().find(|&end| plain.is_char_boundary(end)).unwrap_or(0);
    format!("{}-{:08x}", &plain[..end], crc32fast::hash(plain.as_bytes()))
}

/// The files of a report, by name.
pub(super) type Files = Vec<(String, Vec<u8>)>;

/// Destination of results.
pub(super) struct Output {
    /// Whether they are printed as JSON.
    pub json: bool,
    folder: Option<Folder>,
    /// The run that reproduces the results.
    pub run: Run,
}

impl Output {
    /// Returns whether a report is written.
    pub fn has_report(&self) -> bool {
        self.folder.is_some()
    }

    /// Prints a result and writes its report: the document, and the run with the result as JSON.
    pub fn print_result(&self, document: Document<'_>, result: &impl Serialize) -> Result<(), CliError> {
        let json = self.run.json(result).map_err(CliError::no_report)?;
        self.print_document(document, &json, Vec::new())
    }

    /// Prints the JSON or the document and writes the report, with `more` files. `json` has no newline at its end.
    pub fn print_document(&self, document: Document<'_>, json: &str, more: Files) -> Result<(), CliError> {
        let document = &self.told(document);
        let figures =
            if self.json { format!("{json}\n") } else { document_terminal(document, terminal::width()) };
        self.print(&figures, "Report", || {
            let mut files = document_files(document, ("summary.json", &format!("{json}\n")))
                .map_err(CliError::no_report)?;
            files.extend(more);
            Ok((files, Vec::new()))
        })
    }

    /// Marks the document if the run was interrupted.
    pub fn told<'d>(&self, document: Document<'d>) -> Document<'d> {
        match &self.run.interrupted {
            Some(of) => document.of_an_interrupted_run(of),
            None => document,
        }
    }

    /// Prints figures, writes the report, and says where it is; `what` names the report for the user.
    pub fn print(
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
        let before = interrupt::requested();
        print_around(&mut terminal::stdout(), figures, write, &said.unwrap_or_default())?;
        // Its pictures are then left out, and its nights are rough.
        if self.has_report() && !before && interrupt::requested() {
            return Err(CliError::RoughReport);
        }
        Ok(())
    }
}

/// Prints figures before the report is written, and `after` afterwards. The report is written even if nobody reads
/// the figures.
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
