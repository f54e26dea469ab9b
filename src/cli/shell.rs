//! Completions and the man page, from the same definition as the help.

use std::io;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::Cli;
use super::error::CliError;

pub(super) fn completions(shell: Shell) -> Result<ExitCode, CliError> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "saratoga", &mut text);
    io::Write::write_all(&mut io::stdout(), &text)?;
    Ok(ExitCode::SUCCESS)
}

/// The man page of the program, then one for each command.
pub(super) fn man() -> Result<ExitCode, CliError> {
    let mut text = Vec::new();
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help") {
        clap_mangen::Man::new(sub.clone()).render(&mut text)?;
    }
    io::Write::write_all(&mut io::stdout(), &text)?;
    Ok(ExitCode::SUCCESS)
}
