//! `saratoga scripts`

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::diagnostic::{Diagnostic, Severity, render};
use crate::format::plural;
use crate::lab::{GameError, GameRunner, Positions, Tried, read_positions, try_positions};
use crate::players::search::SETTINGS;
use crate::players::{self, PLAYERS};
use crate::rules::Loaded;
use crate::strategy::script::{self, FunctionReport, LineProfile, Parameter, Profiled};
use crate::strategy::{NATIVE, StrategySource};
use crate::text::one_line;
use crate::units::{Count, whole};

use super::error::{CliError, color, warn};
use super::input::{load_all, load_all_strategies, load_rules, load_strategy, text_file};
use super::rules::good;
use super::terminal::{self, Listed};

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
    Profile(ProfileArgs),
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

/// Print how often each line of a script runs, and its share of the time
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  saratoga scripts profile canfield ./mine.rhai
  saratoga scripts profile storehouse patient -n 10k --json")]
pub(in crate::cli) struct ProfileArgs {
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
}

pub(super) fn run(args: ScriptsArgs) -> Result<ExitCode, CliError> {
    let mut out = io::BufWriter::new(terminal::stdout());
    match args.command {
        ScriptsCommand::List { json } => terminal::list(&mut out, json, 22, listed())?,
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
                    "`{name}` is part of the program and has no script{settings}; `saratoga scripts list` names those that have \
                     one"
                ))
            })?;
            writeln!(out, "{}", text.trim_end())?;
        }
        ScriptsCommand::Check { emit: true, scripts, .. } => {
            for (source, name) in load_all_strategies(scripts.clone())?.iter().zip(scripts) {
                let emitted = source.emit().ok_or_else(|| {
                    CliError::input(format!(
                        "`{name}`: the function that decides is not compiled, so there is nothing to show; `scripts check` \
                         without --emit says why"
                    ))
                })?;
                write!(out, "{emitted}")?;
            }
        }
        ScriptsCommand::Check { json: true, scripts, .. } => {
            let found = all_found(&scripts)?;
            writeln!(out, "{:#}", found.iter().map(told).collect::<Value>())?;
            out.flush()?;
            return Ok(ExitCode::from(if found.iter().any(fails) { 2 } else { 0 }));
        }
        ScriptsCommand::Check { scripts, .. } => {
            let found = all_found(&scripts)?;
            if found.iter().any(fails) {
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
        ScriptsCommand::Profile(args) => profile(&mut out, &args)?,
        ScriptsCommand::Test { files, json } => {
            let code = test(&mut out, &files, json)?;
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

fn fails(found: &Diagnostic) -> bool {
    found.severity == Severity::Error
}

fn told(found: &Diagnostic) -> Value {
    let ((line, column), (end_line, end_column)) = (found.position(), found.end_position());
    json!({
        "file": found.source.name,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "severity": if fails(found) { "error" } else { "warning" },
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

/// Plays games, and prints the script with how often each line ran and its share of the time.
fn profile(out: &mut impl Write, args: &ProfileArgs) -> Result<(), CliError> {
    let ProfileArgs { rules, script, games, seed, json } = args;
    let loaded = load_rules(rules)?;
    let source = load_strategy(script)?;
    let source = match source.script() {
        None => load_strategy(&format!("{script}.rhai")).unwrap_or(source),
        Some(_) => source,
    };
    let text = source
        .script()
        .ok_or_else(|| CliError::input(format!("`{script}` is no single script; a profile is of one")))?;
    let (profiled, profile) = Profiled::new(source.name(), text).map_err(CliError::of_scripts)?;
    let mut player = GameRunner::new(&loaded.id, &loaded.rules, Box::new(profiled));
    for game in 0..games.0 {
        player.play(*seed, game).map_err(|error| as_it_stands(error, *seed, &loaded, &source))?;
    }
    let lines = profile.lines();
    if *json {
        let each = lines.iter().zip(text.text.lines()).enumerate().map(|(i, (line, text))| {
            let told = line.map(|line| (line.runs, line.time.as_secs_f64()));
            json!({ "id": i + 1, "text": text, "runs": told.map(|it| it.0), "seconds": told.map(|it| it.1) })
        });
        writeln!(out, "{}", each.collect::<Value>())?;
    } else {
        print_profile(out, args, &lines, &text.text)?;
    }
    Ok(())
}

/// Returns the fault in the original script rather than in the instrumented one, whose columns differ.
fn as_it_stands(error: GameError, seed: u64, loaded: &Loaded, source: &StrategySource) -> CliError {
    let mut player = GameRunner::new(&loaded.id, &loaded.rules, source.clone().interpreted().instantiate());
    player.play(seed, error.game).err().unwrap_or(error).into()
}

fn print_profile(
    out: &mut impl Write,
    ProfileArgs { rules, script, games, seed, .. }: &ProfileArgs,
    lines: &[Option<LineProfile>],
    text: &str,
) -> io::Result<()> {
    let total: Duration = lines.iter().flatten().map(|line| line.time).sum();
    let (rules, script, games) = (one_line(rules), one_line(script), games.0);
    writeln!(
        out,
        "{script} on {rules}, {games} games of seed {seed}, interpreted: {total:.1?} in the script\n"
    )?;
    writeln!(out, "{:>13} {:>6}  line", "runs", "time")?;
    for (i, (line, text)) in lines.iter().zip(text.lines()).enumerate() {
        let (runs, share) = match line {
            None => (String::new(), String::new()),
            Some(line) if line.runs == 0 => ("never".into(), String::new()),
            Some(line) => {
                let share = 100.0 * line.time.as_secs_f64() / total.as_secs_f64().max(1e-9);
                (line.runs.to_string(), format!("{share:.1}%"))
            }
        };
        writeln!(out, "{}", format!("{runs:>13} {share:>6} {:>5} | {text}", i + 1).trim_end())?;
    }
    match lines.iter().flatten().filter(|line| line.runs == 0).count() {
        0 => writeln!(out, "\nEvery line ran."),
        never => writeln!(out, "\n{} never ran.", plural(never as u64, "line")),
    }
}

/// Runs the strategies of files of positions, and reports every position in which a choice violates the requirements.
fn test(out: &mut impl Write, files: &[PathBuf], json: bool) -> Result<ExitCode, CliError> {
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let read: Vec<Positions> = load_all(&names, |name| {
        let path = Path::new(name);
        // For a script, the positions are in the file beside it.
        let is_script = path.extension().is_some_and(|it| it == "rhai");
        let path = if is_script { path.with_extension("toml") } else { path.to_path_buf() };
        read_positions(text_file(&path)?).map_err(CliError::of_scripts)
    })?;
    let (mut tried, mut faults) = (Vec::new(), Vec::new());
    for positions in &read {
        match try_positions(positions) {
            Ok(all) => tried.push(all),
            Err(all) => faults.push(CliError::of_scripts(all)),
        }
    }
    CliError::none_of(faults)?;
    let failures: Vec<Diagnostic> = tried.iter().flatten().filter_map(|it| it.failure.clone()).collect();
    if json {
        let each = read.iter().zip(&tried).flat_map(|(positions, tried)| objects(positions, tried));
        writeln!(out, "{}", each.collect::<Value>())?;
    } else {
        for (positions, tried) in read.iter().zip(&tried) {
            let failed = tried.iter().filter(|it| it.failure.is_some()).count();
            let (file, all) = (&positions.source.name, plural(tried.len() as u64, "position"));
            let told = if failed == 0 { "good".to_string() } else { format!("{failed} failed") };
            writeln!(out, "{}: {all}, {told}", one_line(file))?;
        }
    }
    out.flush()?;
    if failures.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    // The full list: it is as long as the user made it.
    let told: Vec<String> =
        failures.iter().map(|it| render(std::slice::from_ref(it), color()).trim_end().to_string()).collect();
    terminal::note_coloured(&told.join("\n\n"));
    Ok(ExitCode::from(1))
}

fn objects(positions: &Positions, tried: &[Tried]) -> Vec<Value> {
    let strategy = positions.strategy.name();
    let each = positions.all.iter().zip(tried).map(|(position, tried)| {
        json!({
            "id": format!("{}:{}", positions.source.name, tried.line),
            "about": position.about,
            "strategy": strategy,
            "move": position.number,
            "chosen": tried.chosen,
            "good": tried.failure.is_none(),
            "failure": tried.failure.as_ref().map(|it| it.message.clone()),
        })
    });
    each.collect()
}
