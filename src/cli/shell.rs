//! Completions and the man page, from the same definition as the help.

use std::io::{self, Write};
use std::process::ExitCode;

use clap_complete::Shell;

use super::args::definition;
use super::error::CliError;

pub(super) fn completions(shell: Shell) -> Result<ExitCode, CliError> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut definition(), "saratoga", &mut text);
    io::Write::write_all(&mut io::stdout(), &text)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the man page of the program, then one for each command.
pub(super) fn man() -> Result<ExitCode, CliError> {
    let mut text = Vec::new();
    let mut command = definition();
    command.build();
    pages(&command, &mut text)?;
    io::Write::write_all(&mut io::stdout(), &text)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the page of a command and those of its subcommands.
fn pages(command: &clap::Command, out: &mut Vec<u8>) -> io::Result<()> {
    let page = clap_mangen::Man::new(command.clone());
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    let below = || command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help");
    if below().next().is_some() {
        page.render_subcommands_section(out)?;
    }
    if let Some(notes) = command.get_after_help() {
        // The default formatting would fill the examples into paragraphs.
        writeln!(out, ".SH NOTES\n.nf")?;
        for line in notes.to_string().lines() {
            writeln!(out, "\\&{}", line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq"))?;
        }
        writeln!(out, ".fi")?;
    }
    below().try_for_each(|sub| pages(sub, out))
}
