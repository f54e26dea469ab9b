//! Errors of commands, and their exit codes.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use crate::contest::ContestError;
use crate::crash::Crash;
use crate::diagnostic::{Diagnostic, MOST_LISTED, Severity, and_more, render};
use crate::files::{FolderError, reason};
use crate::interrupt;
use crate::lab::{GameError, SolveFault, Stopped};
use crate::rules::Loaded;
use crate::strategy::StrategyError;
use crate::strategy::script::{MAX_OPERATIONS, max_operations};
use crate::text::{brief, one_line, visible};

use super::terminal::{self, CommandLine, shell_word};

/// Reason why a command failed.
#[derive(Debug)]
pub enum CliError {
    /// Invalid command line, with clap's own message.
    Usage(Box<clap::Error>),
    /// Invalid command line or input file.
    Input(String),
    /// Faults of a file, with their locations.
    Faults(Vec<Diagnostic>),
    /// Faults of several inputs.
    Several(Vec<CliError>),
    /// The run failed.
    Run(String),
    /// Threads could not be started.
    Threads(String),
    /// A script failed while playing.
    Game {
        /// The error, with its place in the script.
        fault: Box<Diagnostic>,
        /// The game or match in which it occurred, as a sentence.
        shows: String,
    },
    /// A bug in the program.
    Internal {
        /// The panic.
        crash: Crash,
        /// The command that reproduces it; `None` if it is the one that was given.
        shows: Option<String>,
    },
    /// The run needs blocks of other shards.
    Missing,
    /// Interrupted by Ctrl-C or SIGTERM before there was anything to report.
    Interrupted,
    /// The same, and what a report would have needed.
    Nothing(&'static str),
    /// Interrupted by Ctrl-C or SIGTERM while the report on complete figures was written.
    RoughReport,
    /// Reading or writing failed.
    Io {
        /// The file or stream.
        what: String,
        /// Error of the operating system.
        error: io::Error,
    },
}

impl CliError {
    /// Returns whether the reader of the output is gone.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, CliError::Io { error, .. } if error.kind() == io::ErrorKind::BrokenPipe)
    }

    pub(super) fn input(message: impl Display) -> CliError {
        CliError::Input(one_line(&message.to_string()).into_owned())
    }

    pub(super) fn lines(lines: impl IntoIterator<Item = impl AsRef<str>>) -> CliError {
        let lines: Vec<_> = lines.into_iter().map(|line| one_line(line.as_ref()).into_owned()).collect();
        CliError::Input(lines.join("\n  "))
    }

    /// Creates the error of a ruleset that is invalid, with a line that says which one it is.
    pub(super) fn no_rules(which: impl Display, faults: Vec<Diagnostic>) -> CliError {
        CliError::Several(vec![CliError::input(which), CliError::Faults(faults)])
    }

    /// Fails with the faults of several inputs, if there are any.
    pub(super) fn none_of(faults: impl IntoIterator<Item = CliError>) -> Result<(), CliError> {
        let mut faults: Vec<CliError> = faults.into_iter().collect();
        match faults.len() {
            _ if faults.iter().any(|fault| matches!(fault, CliError::Interrupted)) => {
                Err(CliError::Interrupted)
            }
            0 | 1 => faults.pop().map_or(Ok(()), Err),
            _ => Err(CliError::Several(faults)),
        }
    }

    /// Returns whether an input is invalid or unreadable.
    pub(super) fn is_of_input(&self) -> bool {
        matches!(self, CliError::Input(_) | CliError::Faults(_) | CliError::Several(_))
    }

    /// Returns whether the same command would always fail again.
    pub(super) fn is_lasting(&self) -> bool {
        matches!(
            self,
            CliError::Game { .. } | CliError::Input(_) | CliError::Faults(_) | CliError::Several(_)
        )
    }

    /// Creates an error from the faults of a script or of a contest. A script interrupted while loading has none.
    pub(super) fn of_scripts(faults: Vec<Diagnostic>) -> CliError {
        if interrupt::requested() { CliError::Interrupted } else { CliError::Faults(faults) }
    }

    /// Maps a write error to a named place.
    pub(super) fn io(what: impl Display) -> impl FnOnce(io::Error) -> CliError {
        let what = what.to_string();
        move |error| CliError::Io { what, error }
    }

    pub(super) fn no_report(error: impl Display) -> CliError {
        CliError::Run(format!("the report could not be made: {error}"))
    }

    /// Attributes a failure to start threads to the option, if it was given.
    pub(super) fn of_threads(self, asked: Option<u64>) -> CliError {
        match (self, asked) {
            (CliError::Threads(message), Some(threads)) => {
                let advice =
                    if threads > 1 { "ask for fewer" } else { "the system has no room for one more" };
                CliError::input(format!("--threads {threads}: {message}; {advice}"))
            }
            (error, _) => error,
        }
    }

    /// Creates the error of a run that stopped; `fault` creates that of a block.
    pub(super) fn of_run<E>(stopped: Stopped<E>, fault: impl FnOnce(E) -> CliError) -> CliError {
        match stopped {
            Stopped::Fault(error) => fault(error),
            Stopped::Crashed(crash) => CliError::from(crash),
            Stopped::Threads(why) => CliError::Threads(format!("the threads could not be started: {why}")),
            Stopped::Missing => CliError::Missing,
        }
    }

    pub(super) fn of_game(error: GameError, deals: Option<&str>) -> CliError {
        let GameError { rules, strategy, seed, game, error } = error;
        let replay = CommandLine::new("replay").word(rules).option("-s", [strategy]).option("--deals", deals);
        CliError::game(error, replay.option("--seed", [seed]).option("--game", [game]).line())
    }

    /// Creates the error of a script, with the game in which it occurred.
    pub(super) fn game(error: StrategyError, shows: String) -> CliError {
        CliError::of_strategy(error, "the game that shows it", shows)
    }

    fn of_strategy(error: StrategyError, what: &str, shows: String) -> CliError {
        let shows = format!("{shows}{}", budget());
        match error {
            StrategyError::Script(fault) => CliError::Game { fault, shows: format!("{what}: {shows}") },
            StrategyError::Interrupted => CliError::Interrupted,
            StrategyError::Crashed(crash) => CliError::Internal { crash: *crash, shows: Some(shows) },
        }
    }

    /// Creates the error of a player's script, with the command that shows the match.
    pub(super) fn of_match(error: ContestError, shows: String) -> CliError {
        let what = format!("{} plays it; the match that shows it", error.player);
        CliError::of_strategy(error.error, &what, shows)
    }

    /// Reports the error to the user, and returns the exit code. `command` is the command line that was given.
    pub(super) fn report_in(self, command: &str) -> ExitCode {
        let (message, code) = match self {
            CliError::Usage(error) if error.use_stderr() && quotes_much(&error) => {
                let styled = error.render();
                let text = if color() { styled.ansi().to_string() } else { styled.to_string() };
                (text.trim_end().to_string(), error.exit_code() as u8)
            }
            CliError::Usage(error) => {
                // A pipe that closes while help is printed is no error.
                return match error.print().and_then(|()| io::stdout().flush()) {
                    Err(failed) if failed.kind() != io::ErrorKind::BrokenPipe => {
                        CliError::from(failed).report_in(command)
                    }
                    _ => ExitCode::from(error.exit_code() as u8),
                };
            }
            CliError::Input(message) => (visible(&format!("error: {message}")).into_owned(), 2),
            CliError::Faults(faults) => (render(&faults, color()).trim_end().to_string(), 2),
            CliError::Several(faults) => {
                let more = and_more(faults.len());
                for (i, fault) in faults.into_iter().take(MOST_LISTED).enumerate() {
                    if i > 0 {
                        terminal::note_coloured("");
                    }
                    fault.report_in(command);
                }
                let Some(more) = more else { return ExitCode::from(2) };
                (format!("\n{more}"), 2)
            }
            CliError::Run(message) | CliError::Threads(message) => {
                (visible(&format!("error: {message}")).into_owned(), 1)
            }
            CliError::Game { fault, shows } => {
                let text = render(std::slice::from_ref(&*fault), color());
                (format!("{}\n{}", text.trim_end(), visible(&shows)), 1)
            }
            CliError::Internal { crash, shows } => (internal(&crash, shows.as_deref().unwrap_or(command)), 1),
            CliError::RoughReport => {
                let what = "it may lack PNG files, and figures of nights are less exact";
                (format!("interrupted while the report was made: {what}"), 130)
            }
            CliError::Missing => ("error: blocks of other shards are missing".into(), 1),
            CliError::Interrupted => ("interrupted: there is nothing to report yet".into(), 130),
            CliError::Nothing(what) => {
                (format!("interrupted before {what}: there is nothing to report"), 130)
            }
            error if error.is_closed_pipe() => return ExitCode::SUCCESS,
            CliError::Io { what, error } => {
                (one_line(&format!("error: {what}: {}", reason(&error))).into_owned(), 1)
            }
        };
        terminal::note_coloured(&message);
        ExitCode::from(code)
    }
}

/// Returns the option for the limit of operations of scripts, if it was given.
fn budget() -> String {
    match max_operations() {
        MAX_OPERATIONS => String::new(),
        other => format!(" --script-operations {other}"),
    }
}

fn quotes_much(error: &clap::Error) -> bool {
    let text = error.render().to_string();
    matches!(brief(&text), Cow::Owned(_))
}

/// Adds the command that reproduces a script's error: rules other than those `written` must first be saved.
pub(super) fn at_fault<'a>(
    error: GameError,
    written: &[Loaded],
    mut played: impl Iterator<Item = &'a Loaded>,
) -> CliError {
    let changed = played.find(|rules| rules.id == error.rules);
    let Some(text) = changed.and_then(|rules| rules.sources.first()) else { return error.into() };
    if written.iter().any(|rules| rules.id == error.rules) {
        return error.into();
    }
    let GameError { strategy, seed, game, error, .. } = error;
    let shows = format!(
        "saratoga replay changed.toml -s {} --seed {seed} --game {game}\nFirst save this ruleset as changed.toml:\n\n{}",
        shell_word(&strategy),
        text.text
    );
    CliError::game(error, shows)
}

fn internal(crash: &Crash, shows: &str) -> String {
    format!("internal error: {crash}\nThis is a fault of saratoga, not of your input. To reproduce: {shows}")
}

pub(super) fn command_line(args: &[OsString]) -> String {
    let words = args.iter().skip(1).map(|word| shell_word(&word.to_string_lossy()));
    std::iter::once("saratoga".to_string()).chain(words).collect::<Vec<_>>().join(" ")
}

pub(super) fn color() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

pub(super) fn warn(warnings: &[Diagnostic]) {
    let only: Vec<Diagnostic> =
        warnings.iter().filter(|w| w.severity == Severity::Warning).cloned().collect();
    if !only.is_empty() {
        terminal::note_coloured(render(&only, color()).trim_end());
    }
}

impl From<clap::Error> for CliError {
    fn from(error: clap::Error) -> CliError {
        CliError::Usage(Box::new(error))
    }
}

impl From<GameError> for CliError {
    fn from(error: GameError) -> CliError {
        CliError::of_game(error, None)
    }
}

impl From<Box<GameError>> for CliError {
    fn from(error: Box<GameError>) -> CliError {
        CliError::from(*error)
    }
}

impl<E> From<Stopped<E>> for CliError
where
    CliError: From<E>,
{
    fn from(stopped: Stopped<E>) -> CliError {
        CliError::of_run(stopped, CliError::from)
    }
}

impl From<SolveFault> for CliError {
    fn from(fault: SolveFault) -> CliError {
        match fault {
            SolveFault::Refused(refused) => CliError::input(refused),
            SolveFault::Game(error) => CliError::from(error),
            SolveFault::Contradiction(message) => CliError::Run(message),
        }
    }
}

impl From<Crash> for CliError {
    fn from(crash: Crash) -> CliError {
        CliError::Internal { crash, shows: None }
    }
}

impl From<FolderError> for CliError {
    fn from(error: FolderError) -> CliError {
        match error {
            FolderError::Unusable(why) => CliError::input(why),
            FolderError::Io { what, error } => CliError::Io { what, error },
        }
    }
}

impl From<io::Error> for CliError {
    /// Standard output is the only destination without a name.
    fn from(error: io::Error) -> CliError {
        CliError::Io { what: "cannot write to standard output".into(), error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crash::guard;

    #[test]
    fn a_fault_of_the_program_names_the_command_that_shows_it() {
        let crash = guard(|| panic!("out of range")).unwrap_err();
        let error = StrategyError::Crashed(Box::new(crash));
        let (rules, strategy) = ("./my house.toml".to_string(), "greedy".to_string());
        let error = CliError::from(GameError { rules, strategy, seed: 7, game: 12, error });
        let CliError::Internal { crash, shows: Some(shows) } = error else { panic!("{error:?}") };
        assert_eq!(
            internal(&crash, &shows),
            "internal error: out of range\nThis is a fault of saratoga, not of your input. \
             To reproduce: saratoga replay './my house.toml' -s greedy --seed 7 --game 12"
        );
        let args = ["/usr/bin/saratoga", "simulate", "./my house.toml", "-n", "1e6"].map(OsString::from);
        assert_eq!(command_line(&args), "saratoga simulate './my house.toml' -n 1e6");
    }
}
