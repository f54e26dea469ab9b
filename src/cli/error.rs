//! What can go wrong in a command, and the exit code that tells it.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use crate::contest::ContestError;
use crate::diagnostic::{Diagnostic, Severity, render};
use crate::lab::{BatchError, GameError};
use crate::strategy::StrategyError;

use super::output::shell_word;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub enum CliError {
    /// The command line; clap's own message.
    Usage(Box<clap::Error>),
    /// The command line or an input file is at fault.
    Input(String),
    /// Faults of a file, each with its place.
    Faults(Vec<Diagnostic>),
    /// Several inputs are at fault.
    Several(Vec<CliError>),
    /// The run failed.
    Run(String),
    /// A script faulted while playing.
    Game {
        /// What went wrong, with its place in the script.
        fault: Box<Diagnostic>,
        /// Which game or match shows it, in a sentence.
        shows: String,
    },
    /// Ctrl-C or SIGTERM, before there was anything to report.
    Interrupted,
    /// Reading or writing failed.
    Io {
        /// What was read or written.
        what: String,
        /// What the system says.
        error: io::Error,
    },
}

impl CliError {
    /// An input that is at fault.
    pub(super) fn input(message: impl Display) -> CliError {
        CliError::Input(message.to_string())
    }

    /// All the faults of several inputs as one, if there is any.
    pub(super) fn all(mut faults: Vec<CliError>) -> Option<CliError> {
        match faults.len() {
            0 | 1 => faults.pop(),
            _ => Some(CliError::Several(faults)),
        }
    }

    /// Maps the error of writing to a place with a name.
    pub(super) fn io(what: impl Display) -> impl FnOnce(io::Error) -> CliError {
        let what = what.to_string();
        move |error| CliError::Io { what, error }
    }

    /// A script's fault, and the game that shows it.
    pub(super) fn game(error: StrategyError, shows: String) -> CliError {
        match error {
            StrategyError::Script(fault) => {
                CliError::Game { fault, shows: format!("the game that shows it: {shows}") }
            }
            StrategyError::Interrupted => CliError::Interrupted,
        }
    }

    /// The fault of a player's script, and the command that shows the match.
    pub(super) fn of_match(error: ContestError, shows: &str) -> CliError {
        let ContestError { player, error, .. } = error;
        match error {
            StrategyError::Script(fault) => CliError::Game {
                fault,
                shows: format!("{player} plays it; the match that shows it: {shows}"),
            },
            StrategyError::Interrupted => CliError::Interrupted,
        }
    }

    /// Tells the person at the terminal, and gives the exit code.
    pub fn report(self) -> ExitCode {
        match self {
            CliError::Usage(error) => {
                // A pipe that closes while help is printed is no error.
                match error.print().and_then(|()| io::stdout().flush()) {
                    Err(failed) if failed.kind() != io::ErrorKind::BrokenPipe => ExitCode::from(1),
                    _ => ExitCode::from(error.exit_code() as u8),
                }
            }
            CliError::Input(message) => tell(&format!("error: {message}"), 2),
            CliError::Faults(faults) => tell(render(&faults, color()).trim_end(), 2),
            CliError::Several(faults) => {
                for (i, fault) in faults.into_iter().enumerate() {
                    if i > 0 {
                        let _ = writeln!(io::stderr());
                    }
                    fault.report();
                }
                ExitCode::from(2)
            }
            CliError::Run(message) => tell(&format!("error: {message}"), 1),
            CliError::Game { fault, shows } => {
                let text = render(std::slice::from_ref(&*fault), color());
                tell(&format!("{}\n{shows}", text.trim_end()), 1)
            }
            CliError::Interrupted => tell("interrupted: there is nothing to report yet", 130),
            CliError::Io { error, .. } if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            CliError::Io { what, error } => tell(&format!("error: {what}: {error}"), 1),
        }
    }
}

fn tell(message: &str, code: u8) -> ExitCode {
    let _ = writeln!(io::stderr(), "{message}");
    ExitCode::from(code)
}

/// Whether errors may be coloured.
pub(super) fn color() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Prints warnings where people read them, away from the data.
pub(super) fn warn(warnings: &[Diagnostic]) {
    let only: Vec<Diagnostic> =
        warnings.iter().filter(|w| w.severity == Severity::Warning).cloned().collect();
    if !only.is_empty() {
        let _ = writeln!(io::stderr(), "{}", render(&only, color()).trim_end());
    }
}

impl From<clap::Error> for CliError {
    fn from(error: clap::Error) -> CliError {
        CliError::Usage(Box::new(error))
    }
}

impl From<GameError> for CliError {
    fn from(error: GameError) -> CliError {
        let GameError { rules, strategy, seed, game, error } = error;
        let (rules, strategy) = (shell_word(&rules), shell_word(&strategy));
        let shows = format!("saratoga replay {rules} -s {strategy} --seed {seed} --game {game}");
        CliError::game(error, shows)
    }
}

impl From<BatchError> for CliError {
    fn from(error: BatchError) -> CliError {
        match error {
            BatchError::Game(error) => CliError::from(*error),
            BatchError::Threads(_) => CliError::Run(error.to_string()),
        }
    }
}

impl From<io::Error> for CliError {
    /// Standard output is the only place that is written to without a name.
    fn from(error: io::Error) -> CliError {
        CliError::Io { what: "cannot write to standard output".into(), error }
    }
}
