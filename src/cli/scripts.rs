//! `saratoga scripts`

use crate::units::{Count, whole};
use clap::{Args, Subcommand};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use crate::diagnostic::{Diagnostic, Severity};
use crate::players::search::SETTINGS;
use crate::players::{self, PLAYERS};
use crate::rules::{Rules, Spec};
use crate::strategy::NATIVE;
use crate::strategy::script::{self, FunctionReport, Parameter};
use crate::text::one_line;

use super::error::{CliError, warn};
use super::input::{load_all_strategies, load_strategy};
use super::output::{self, Listed};
use super::rules::good;
use super::terminal;
use super::{scripts_profile, scripts_test};

/// List, show and check strategy scripts
#[derive(Args, Debug)]
pub(in crate::cli) struct ScriptsArgs {
    #[command(subcommand)]
    pub command: ScriptsCommand,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ScriptsCommand {
    /// List the strategies on the shelf
    #[command(after_help = "Example:\n  saratoga scripts list")]
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
    },
    /// Print a script, to copy and change
    #[command(after_help = "Example:\n  saratoga scripts show patient > mine.rhai")]
    Show {
        /// A name on the shelf, or a path
        #[arg(value_name = "SCRIPT")]
        script: String,
    },
    /// Check scripts, report every error and warning, and list which functions are compiled
    #[command(after_help = "\
An error is what a script cannot be played with, or what fails whenever it is
run; the exit code is 2 then. A warning is what runs and is likely not meant:
names that nothing uses, code that is never reached, comparisons that always
come out the same, functions that hide a method of the game.

Examples:
  saratoga scripts check ./mine.rhai
  saratoga scripts check --json ./mine.rhai
  saratoga scripts check --emit ./mine.rhai")]
    Check {
        /// Print a JSON array of all errors and warnings, each with its file, line, column and end, for editors
        #[arg(long, conflicts_with = "emit")]
        json: bool,
        /// Instead, print the typed syntax tree that is compiled, under the rules of canfield
        #[arg(long)]
        emit: bool,
        /// Names on the shelf, or paths
        #[arg(value_name = "SCRIPT", required = true)]
        scripts: Vec<String>,
    },
    /// Print how often each line of a script runs, and its share of the time
    #[command(after_help = "Examples:
  saratoga scripts profile canfield ./mine.rhai
  saratoga scripts profile storehouse patient -n 10k --json
  saratoga scripts profile canfield patient --page profile.html")]
    Profile {
        /// A ruleset: a name on the shelf, or a path
        #[arg(value_name = "RULES")]
        rules: String,
        /// A name on the shelf, or a path
        #[arg(value_name = "SCRIPT")]
        script: String,
        /// Games to play: 5000, 1e6, 250k
        #[arg(short = 'n', long, value_name = "GAMES", default_value = "100")]
        games: Count,
        /// Seed of the deals
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX))]
        seed: u64,
        /// Print a JSON array with an object for each line
        #[arg(long)]
        json: bool,
        /// Write it as a page to this file
        #[arg(long, value_name = "FILE", conflicts_with = "json")]
        page: Option<PathBuf>,
    },
    /// Check what strategies choose in recorded positions
    #[command(after_help = "\
A file of positions has a [[position]] for each, with a `record` (as `replay
--json` prints it, or the path of a file of records and a `line`), the number
of a `move`, and the moves that `must` or `must_not` be chosen there.
Exit codes: 0 all choices are right, 1 some are wrong, 2 a file is invalid.

Example:
  saratoga scripts test ./mine.toml")]
    Test {
        /// Files of positions, each beside its script: mine.toml for mine.rhai
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// Print a JSON array with an object for each position
        #[arg(long)]
        json: bool,
    },
    /// Print the definitions of everything a script can use, for editors
    #[command(after_help = "Example:\n  saratoga scripts definitions > saratoga.d.rhai")]
    Definitions,
}

pub(super) fn run(args: ScriptsArgs) -> Result<ExitCode, CliError> {
    let mut out = io::BufWriter::new(terminal::stdout());
    match args.command {
        ScriptsCommand::List { json } => output::list(&mut out, json, 22, listed())?,
        ScriptsCommand::Show { script: name } => {
            let mut source = load_strategy(&name)?;
            // A script may have the same name as a native strategy, and can be shown.
            if let (None, Ok(script)) = (source.text(), load_strategy(&format!("{name}.rhai"))) {
                source = script;
            }
            let text = source.text().ok_or_else(|| {
                let is_player = PLAYERS.iter().any(|(player, _)| *player == name);
                let settings = if is_player { format!(", but settings: {SETTINGS}") } else { String::new() };
                CliError::input(format!(
                    "`{name}` is part of the program and has no script{settings}; {}",
                    hint()
                ))
            })?;
            writeln!(out, "{}", text.trim_end())?;
        }
        ScriptsCommand::Check { emit: true, scripts, .. } => {
            let rules = Rules::compile(Spec::default());
            for (source, name) in load_all_strategies(scripts.clone())?.iter().zip(scripts) {
                let emitted = source.emit(&rules);
                let not_compiled = || {
                    CliError::input(format!(
                        "`{}`: the function that decides is not compiled, so there is nothing to show; `scripts check` \
                         without --emit says why",
                        one_line(&name)
                    ))
                };
                write!(out, "{}", emitted.ok_or_else(not_compiled)?)?;
            }
        }
        ScriptsCommand::Check { json: true, scripts, .. } => {
            let found = all_found(&scripts)?;
            let told: Vec<_> = found.iter().map(told).collect();
            writeln!(out, "{:#}", json!(told))?;
            out.flush()?;
            let fails = found.iter().any(|fault| fault.severity == Severity::Error);
            return Ok(if fails { ExitCode::from(2) } else { ExitCode::SUCCESS });
        }
        ScriptsCommand::Check { scripts, .. } => {
            let found = all_found(&scripts)?;
            if found.iter().any(|fault| fault.severity == Severity::Error) {
                return Err(CliError::of_scripts(found));
            }
            for name in &scripts {
                let source = load_strategy(name)?;
                let warnings = source.lint();
                warn(&warnings);
                good(&mut out, name, warnings.len())?;
                parameters(&mut out, &source.parameters())?;
                functions(&mut out, &source.functions())?;
            }
        }
        ScriptsCommand::Profile { rules, script, games, seed, json, page } => {
            let asked = scripts_profile::Asked { rules, script, games: games.0, seed, json, page };
            scripts_profile::profile(&mut out, &asked)?;
        }
        ScriptsCommand::Test { files, json } => {
            let code = scripts_test::test(&mut out, &files, json)?;
            out.flush()?;
            return Ok(code);
        }
        ScriptsCommand::Definitions => writeln!(out, "{}", script::definitions().trim_end())?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the errors and warnings of scripts, including those that prevent loading.
fn all_found(scripts: &[String]) -> Result<Vec<Diagnostic>, CliError> {
    let (mut found, mut others) = (Vec::new(), Vec::new());
    for name in scripts {
        match load_strategy(name) {
            Ok(source) => found.extend(source.lint()),
            Err(CliError::Faults(faults)) => found.extend(faults),
            Err(error) => others.push(error),
        }
    }
    if others.is_empty() {
        return Ok(found);
    }
    others.extend((!found.is_empty()).then(|| CliError::Faults(found)));
    CliError::none_of(others).map(|()| Vec::new())
}

fn told(found: &Diagnostic) -> serde_json::Value {
    let ((line, column), (end_line, end_column)) = (found.position(), found.end_position());
    json!({
        "file": found.source.name,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "severity": if found.severity == Severity::Error { "error" } else { "warning" },
        "message": found.message,
        "help": found.help,
    })
}

/// Prints a line for each parameter: its default, and its other possible values.
fn parameters(out: &mut impl Write, parameters: &[Parameter]) -> io::Result<()> {
    let longest = parameters.iter().map(|p| p.name.chars().count()).max().unwrap_or(0);
    for parameter in parameters {
        let (name, default) = (&parameter.name, parameter.write(parameter.default));
        writeln!(out, "  {name:<longest$}  a parameter, {default}: {}", parameter.allowed())?;
    }
    Ok(())
}

/// Prints a line for each function: whether it is compiled, and otherwise which line prevents it.
fn functions(out: &mut impl Write, functions: &[FunctionReport]) -> io::Result<()> {
    let longest = functions.iter().map(|f| f.name.chars().count()).max().unwrap_or(0);
    for FunctionReport { name, stops, dice, .. } in functions {
        match stops {
            None if *dice => {
                writeln!(out, "  {name:<longest$}  compiled, but interpreted under rules with a die")?;
            }
            None => writeln!(out, "  {name:<longest$}  compiled")?,
            Some(stops) => {
                let (line, column) = stops.position();
                writeln!(
                    out,
                    "  {name:<longest$}  interpreted: line {line}, column {column}: {}",
                    one_line(&stops.message)
                )?;
            }
        }
    }
    Ok(())
}

fn hint() -> String {
    "`saratoga scripts list` names those that have one".into()
}

fn listed() -> Vec<Listed> {
    let one = |(name, about): (&str, &str)| {
        let is_in = |list: &[(&str, &str)]| list.iter().any(|(other, _)| *other == name);
        let kind = if is_in(NATIVE) {
            "native"
        } else if is_in(PLAYERS) {
            "search"
        } else if players::is_profile(name) {
            "profile"
        } else {
            "script"
        };
        let json = json!({ "id": name, "kind": kind, "about": about });
        (format!("{name:<15} {kind}"), about.to_string(), json)
    };
    players::names().into_iter().map(one).collect()
}
