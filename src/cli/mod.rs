//! The command line. [`program`] runs one and returns its exit code.
//!
//! Each command has a file with its arguments and the code that runs it, which calls the layers below and prints. The
//! commands are listed in `args`; `driver` has what all experiments share: stopping, resuming and writing a report.

mod args;
mod bankroll;
mod bracket;
mod character;
mod check;
mod checkpoint;
mod cluster;
mod compare;
mod contest;
mod deal;
mod design;
mod driver;
mod error;
mod estimate;
mod input;
mod merge;
mod mistakes;
mod options;
mod perft;
mod plan;
mod play;
mod price;
mod progress;
mod replay;
mod rules;
mod scripts;
mod shelf;
mod simulate;
mod solve;
mod status;
#[cfg(feature = "studio")]
mod studio;
mod sweep;
mod terminal;
mod tune;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::FromArgMatches;
use clap_complete::Shell;

use crate::lab::RunPlan;
use crate::strategy::script::{MAX_OPERATIONS, max_operations, set_max_operations};
use crate::text::{one_line, visible};
use crate::{crash, signals, threads};

use args::{Cli, Command, definition};
use options::Given;
use rules::{RulesArgs, RulesCommand};

pub use error::CliError;

/// Runs one command line, reports errors, and returns the exit code. The first argument is the program's name.
pub fn program(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    crash::keep();
    signals::listen();
    let args: Vec<OsString> = args.into_iter().collect();
    let command = error::command_line(&args);
    let again = command.clone();
    let work = move || match crash::guard(|| run(args).map_err(|error| error.report_in(&again))) {
        Ok(Ok(code) | Err(code)) => code,
        Err(crash) => CliError::from(crash).report_in(&again),
    };
    match threads::run(work) {
        Ok(code) => code.unwrap_or(ExitCode::FAILURE),
        Err(error) => CliError::Run(format!("no thread could be started: {error}")).report_in(&command),
    }
}

/// Runs one command line; the first argument is the program's name. Of the exit codes, 1 means that the run failed, and 2
/// that the command line or an input file is invalid.
pub fn run(args: impl IntoIterator<Item = OsString>) -> Result<ExitCode, CliError> {
    let args: Vec<OsString> = args.into_iter().collect();
    let cli = parse(&args).map_err(|error| misread(&args, error))?;
    if cli.script_operations.0 == 0 {
        return Err(CliError::input(
            "no script can decide in 0 operations: --script-operations must be at least 1",
        ));
    }
    set_max_operations(cli.script_operations.0);
    run_command(cli.command)
}

fn run_command(command: Command) -> Result<ExitCode, CliError> {
    match command {
        Command::Simulate(args) => simulate::run(*args),
        Command::Compare(args) => compare::run(*args),
        Command::Deal(args) => deal::run(args),
        Command::Replay(args) if args.step => play::step(&args),
        Command::Replay(args) => replay::run(*args),
        Command::Play(args) => play::run(*args),
        Command::Check(args) => check::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Contest(args) => contest::run(*args),
        Command::Sweep(args) => sweep::run(*args),
        Command::Design(args) => design::run(*args),
        Command::Tune(args) => tune::run(args),
        Command::Price(args) => price::run(args),
        Command::Plan(args) => plan::run(args),
        Command::Estimate(args) => estimate::run(args),
        Command::Bracket(args) => bracket::run(args),
        Command::Bankroll(args) => bankroll::run(args),
        Command::Character(args) => character::run(args),
        Command::Solve(args) => solve::run(*args),
        Command::Merge(args) => run_again(merge::run(&args)?),
        Command::Status(args) => status::run(&args),
        Command::Cluster(args) => cluster::run(&args, &given_of(&args.command)?),
        #[cfg(feature = "studio")]
        Command::Studio(args) => studio::run(args),
        Command::Rules(args) => rules::run(args),
        Command::Scripts(args) => scripts::run(args),
        Command::Completions { shell } => completions(shell),
        Command::Man => man(),
    }
}

fn given_of(words: &[OsString]) -> Result<Given, CliError> {
    let args: Vec<OsString> = [OsString::from("saratoga")].into_iter().chain(words.iter().cloned()).collect();
    let mut cli = parse(&args).map_err(|error| misread(&args, error))?;
    match cli.command.run_args() {
        Some(run) if run.out.is_some() || run.keep.shard.is_some() || run.threads.is_some() => {
            Err(CliError::input(
                "--out, --shard and --threads of the command are those of the cluster: give --out and --cores before `--`",
            ))
        }
        Some(run) => Ok(run.given.clone()),
        None => Err(CliError::input(
            "only a command that plays many games has shards: simulate, compare, sweep and others",
        )),
    }
}

/// Runs the command whose blocks were merged.
fn run_again(again: merge::Again) -> Result<ExitCode, CliError> {
    let merge::Again { args, merged, lock: _lock } = again;
    let line = || error::command_line(&args);
    let mut cli = parse(&args).map_err(|_| {
        CliError::input(format!("the blocks are of a command that this program does not have: {}", line()))
    })?;
    // The limit of its scripts is among its words.
    set_max_operations(cli.script_operations.0.max(max_operations()));
    let Some(run) = cli.command.run_args() else {
        return Err(CliError::input(format!("the blocks are of a command that keeps none: {}", line())));
    };
    // A report needs the input files of the run, which may be elsewhere.
    let away = files_away(&merged.plan);
    run.merged = Some(Box::new(merged));
    run_command(cli.command).map_err(|error| match error {
        error if away.is_empty() || !error.is_of_input() => error,
        error => CliError::Several(vec![
            error,
            CliError::input(format!(
                "the run read {}: call this in the folder in which it ran, or bring what it read here",
                away.join(", ")
            )),
        ]),
    })
}

fn files_away(plan: &RunPlan) -> Vec<String> {
    let given = plan.options.iter().filter(|(name, _)| !name.starts_with("--write"));
    let given = given.flat_map(|(_, values)| values);
    // Settings follow the path of a script.
    let paths = given.filter_map(|value| value.split(':').next());
    let is_file = |path: &&str| {
        let end = Path::new(path).extension().and_then(|end| end.to_str());
        end.is_some_and(|end| ["toml", "rhai", "csv", "jsonl", "txt"].contains(&end))
    };
    paths.filter(is_file).filter(|path| !Path::new(path).exists()).map(String::from).collect()
}

/// Parses a command line, and stores in it which options were given.
fn parse(args: &[OsString]) -> Result<Cli, clap::Error> {
    let definition = definition();
    let matches = definition.clone().try_get_matches_from(args);
    let matches = matches.map_err(|error| mistakes::explain(error, args, definition.clone()))?;
    let mut cli = Cli::from_arg_matches(&matches)?;
    // A subcommand may have subcommands of its own.
    let (mut names, mut below) = (Vec::new(), (&definition, &matches));
    while let Some((name, inner)) = below.1.subcommand()
        && let Some(definition) = below.0.find_subcommand(name)
    {
        names.push(name);
        below = (definition, inner);
    }
    let run = match &mut cli.command {
        Command::Rules(RulesArgs { command: RulesCommand::Page(args) }) => Some(&mut args.run),
        command => command.run_args(),
    };
    if let Some(run) = run {
        run.given = Given::new(&names.join(" "), below.0, below.1);
        // It does not affect results, only whether a script can be played.
        let operations = cli.script_operations;
        if operations.0 != MAX_OPERATIONS {
            run.given.words.push(format!("--script-operations={operations}"));
        }
    }
    Ok(cli)
}

/// Returns the error of a command line. Arguments that it quotes must not control the terminal, so a line with such
/// characters is parsed again with them made visible.
fn misread(args: &[OsString], error: clap::Error) -> CliError {
    let plain: Vec<Option<&str>> = args.iter().map(|arg| arg.to_str()).collect();
    let shown: Vec<String> = args.iter().map(|arg| one_line(&arg.to_string_lossy()).into_owned()).collect();
    if plain.iter().zip(&shown).all(|(plain, shown)| *plain == Some(shown)) {
        return CliError::from(error);
    }
    match parse(&shown.iter().map(OsString::from).collect::<Vec<_>>()) {
        Err(shown) => CliError::from(shown),
        Ok(_) => CliError::Input(visible(&error.to_string()).into_owned()),
    }
}

fn completions(shell: Shell) -> Result<ExitCode, CliError> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut definition(), "saratoga", &mut text);
    io::stdout().write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the man page of the program, then one for each command.
fn man() -> Result<ExitCode, CliError> {
    let mut text = Vec::new();
    let mut command = definition();
    command.build();
    pages(&command, &mut text)?;
    io::stdout().write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}

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
