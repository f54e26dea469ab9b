//! `saratoga contest`

pub(super) mod args;
mod files;
mod log;
mod run;
mod setup;
mod tell;

use std::process::ExitCode;

use args::ContestArgs;

use super::error::CliError;

pub(super) fn run(args: ContestArgs) -> Result<ExitCode, CliError> {
    match args.command {
        Some(command) => files::run(command),
        None => run::run(&args.play),
    }
}
