//! `saratoga scripts test`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;

use crate::diagnostic::{Diagnostic, render};
use crate::lab::{Positions, Tried, TryError, read_positions, try_positions};

use super::error::{CliError, color};
use super::input::{load_all, text_file};
use super::terminal;

/// Runs the strategies of files of positions, and reports every position in which a choice violates the requirements.
pub(super) fn test(out: &mut impl Write, files: &[PathBuf], json: bool) -> Result<ExitCode, CliError> {
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let read: Vec<Positions> = load_all(&names, |name| {
        let path = Path::new(name);
        // For a script, the positions are in the file beside it.
        let beside = if path.extension().is_some_and(|it| it == "rhai") { "toml" } else { "" };
        let path = if beside.is_empty() { path.to_path_buf() } else { path.with_extension(beside) };
        read_positions(text_file(&path)?).map_err(CliError::of_scripts)
    })?;
    let (mut tried, mut faults) = (Vec::new(), Vec::new());
    for positions in &read {
        match try_positions(positions) {
            Ok(all) => tried.push(all),
            Err(TryError::Faults(all)) => faults.push(CliError::Faults(all)),
            Err(TryError::Interrupted) => return Err(CliError::Interrupted),
        }
    }
    CliError::none_of(faults)?;
    let failures: Vec<Diagnostic> = tried.iter().flatten().filter_map(|it| it.failure.clone()).collect();
    if json {
        let each = read.iter().zip(&tried).flat_map(|(positions, tried)| objects(positions, tried));
        writeln!(out, "{}", serde_json::Value::from(each.collect::<Vec<_>>()))?;
    } else {
        for (positions, tried) in read.iter().zip(&tried) {
            let failed = tried.iter().filter(|it| it.failure.is_some()).count();
            let (file, all) = (&positions.source.name, tried.len());
            let told = if failed == 0 { "good".to_string() } else { format!("{failed} failed") };
            let what = if all == 1 { "position" } else { "positions" };
            writeln!(out, "{}: {all} {what}, {told}", crate::text::one_line(file))?;
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

fn objects(positions: &Positions, tried: &[Tried]) -> Vec<serde_json::Value> {
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
