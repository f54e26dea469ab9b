//! `saratoga check`

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

use crate::game::Record;
use crate::rules::Loaded;

use super::args::CheckArgs;
use super::error::CliError;
use super::input::load_rules;

pub(super) fn run(args: CheckArgs) -> Result<ExitCode, CliError> {
    let name =
        if args.file == Path::new("-") { "standard input".into() } else { args.file.display().to_string() };
    let cannot_read = |error: io::Error| CliError::input(format!("cannot read {name}: {error}"));
    let lines: Box<dyn BufRead> = if args.file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(io::BufReader::new(std::fs::File::open(&args.file).map_err(cannot_read)?))
    };
    let mut shelf = Rulesets { forced: args.rules.clone(), loaded: BTreeMap::new() };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let (mut good, mut bad) = (0u64, 0u64);
    for (number, line) in (1u64..).zip(lines.lines()) {
        let line = line.map_err(cannot_read)?;
        if line.trim().is_empty() {
            continue;
        }
        let fault = check_line(&line, &mut shelf)?;
        match &fault {
            None => good += 1,
            Some(_) => bad += 1,
        }
        match (args.json, fault) {
            (true, fault) => {
                let fault = fault.map(|(column, fault)| json!({ "column": column, "message": fault }));
                writeln!(
                    out,
                    "{}",
                    json!({ "id": number.to_string(), "line": number, "good": fault.is_none(), "fault": fault })
                )?;
            }
            (false, Some((column, fault))) => writeln!(out, "{name}:{number}:{column}: {fault}")?,
            (false, None) => {}
        }
    }
    if !args.json {
        let records = |n: u64| if n == 1 { "1 record".to_string() } else { format!("{n} records") };
        writeln!(out, "{} checked: {good} good, {bad} at fault", records(good + bad))?;
    }
    out.flush()?;
    match (good + bad, bad) {
        (0, _) => Err(CliError::input(format!("{name} has no records: one JSON object a line is expected"))),
        (_, 0) => Ok(ExitCode::SUCCESS),
        _ => Ok(ExitCode::from(2)),
    }
}

/// Rulesets by the name that records give them, each loaded once.
struct Rulesets {
    forced: Option<String>,
    loaded: BTreeMap<String, Loaded>,
}

impl Rulesets {
    fn get(&mut self, name: &str) -> Result<&Loaded, CliError> {
        let name = self.forced.as_deref().unwrap_or(name).to_string();
        if !self.loaded.contains_key(&name) {
            self.loaded.insert(name.clone(), load_rules(&name)?);
        }
        Ok(&self.loaded[&name])
    }
}

/// The column and the fault of a line, if it has one.
fn check_line(line: &str, shelf: &mut Rulesets) -> Result<Option<(usize, String)>, CliError> {
    let record: Record = match serde_json::from_str(line) {
        Ok(record) => record,
        Err(error) => {
            let message = error.to_string();
            // serde says where in the line, and this message names the line of the file already.
            let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
            return Ok(Some((error.column().max(1), format!("this is no record: {message}"))));
        }
    };
    let loaded = shelf.get(&record.rules)?;
    Ok(record.check(&loaded.rules).err().map(|fault| {
        let column = fault.word.and_then(|word| column_of_word(line, &record.moves, word)).unwrap_or(1);
        (column, fault.to_string())
    }))
}

/// The column, in characters from 1, of a word of the moves in its line.
fn column_of_word(line: &str, moves: &str, word: usize) -> Option<usize> {
    let key = line.find("\"moves\"")?;
    let start = key + line[key..].find(moves)?;
    let word = moves.split_whitespace().nth(word - 1)?;
    let offset = start + (word.as_ptr() as usize - moves.as_ptr() as usize);
    Some(line.get(..offset)?.chars().count() + 1)
}
