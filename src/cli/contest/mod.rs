//! `saratoga contest`

mod files;
mod log;
mod run;
mod setup;

use std::process::ExitCode;

use super::args::ContestArgs;
use super::error::CliError;

pub(super) fn run(args: ContestArgs) -> Result<ExitCode, CliError> {
    match args.command {
        Some(command) => files::run(command),
        None => run::run(&args.play),
    }
}
