//! `saratoga scripts`

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::json;

use crate::strategy;

use super::args::{ScriptsArgs, ScriptsCommand};
use super::error::CliError;
use super::input::{load_all_strategies, load_strategy};
use super::output;

pub(super) fn run(args: ScriptsArgs) -> Result<ExitCode, CliError> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    match args.command {
        ScriptsCommand::List { json } => list(&mut out, json)?,
        ScriptsCommand::Show { script } => {
            let source = load_strategy(&script)?;
            let text = source.text().ok_or_else(|| {
                CliError::input(format!("`{script}` is part of the program and has no script; {}", hint()))
            })?;
            writeln!(out, "{}", text.trim_end())?;
        }
        ScriptsCommand::Check { scripts } => {
            load_all_strategies(scripts.clone())?;
            for name in scripts {
                writeln!(out, "{name}: good")?;
            }
        }
        ScriptsCommand::Definitions => writeln!(out, "{}", strategy::definitions().trim_end())?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn hint() -> String {
    "`saratoga scripts list` names those that have one".into()
}

fn list(out: &mut impl Write, json: bool) -> Result<(), CliError> {
    let shelf = strategy::shelf();
    if json {
        let entries: Vec<_> = shelf
            .iter()
            .map(|entry| json!({ "id": entry.name, "kind": entry.kind.word(), "about": entry.about }))
            .collect();
        writeln!(out, "{:#}", json!(entries))?;
        return Ok(());
    }
    for entry in shelf {
        let name = format!("{:<15} {}", entry.name, entry.kind.word());
        output::row(out, 22, &name, &entry.about)?;
    }
    Ok(())
}
