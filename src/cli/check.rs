//! `saratoga check`

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

use crate::cards::Deck;
use crate::game::Record;
use crate::rules::Loaded;

use super::args::CheckArgs;
use super::error::CliError;
use super::input::{load_rules, reason};

pub(super) fn run(args: CheckArgs) -> Result<ExitCode, CliError> {
    let stdin = args.file == Path::new("-");
    let name = if stdin { "standard input".into() } else { args.file.display().to_string() };
    let cannot_read = |error: io::Error| CliError::input(format!("cannot read {name}: {}", reason(&error)));
    let lines: Box<dyn BufRead> = if stdin {
        Box::new(io::stdin().lock())
    } else {
        Box::new(io::BufReader::new(std::fs::File::open(&args.file).map_err(cannot_read)?))
    };
    let forced = args.rules.as_deref().map(load_rules).transpose()?;
    let mut shelf = Rulesets { forced, loaded: BTreeMap::new() };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let (mut good, mut bad) = (0u64, 0u64);
    for (number, line) in (1u64..).zip(lines.split(b'\n')) {
        let bytes = line.map_err(cannot_read)?;
        let fault = match std::str::from_utf8(&bytes) {
            Ok(line) if line.trim().is_empty() => continue,
            Ok(line) => check_line(line, &mut shelf)?,
            Err(error) => {
                let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
                Some((good.chars().count() + 1, "this is not UTF-8 text".to_string()))
            }
        };
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
    if !args.json && good + bad > 0 {
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

/// Rulesets by the name that records give them, each loaded once; or one for all.
struct Rulesets {
    forced: Option<Loaded>,
    loaded: BTreeMap<String, Loaded>,
}

impl Rulesets {
    fn get(&mut self, name: &str) -> Result<&Loaded, CliError> {
        if let Some(loaded) = &self.forced {
            return Ok(loaded);
        }
        if !self.loaded.contains_key(name) {
            self.loaded.insert(name.to_string(), load_rules(name)?);
        }
        Ok(&self.loaded[name])
    }
}

/// The column and the fault of a line, if it has one.
fn check_line(line: &str, shelf: &mut Rulesets) -> Result<Option<(usize, String)>, CliError> {
    let at = |offset: usize| line.get(..offset).map_or(1, |before| before.chars().count() + 1);
    let start = line.len() - line.trim_start().len();
    if !line[start..].starts_with('{') {
        return Ok(Some((at(start), "this is no record: a JSON object is expected".into())));
    }
    let record: Record = match serde_json::from_str(line) {
        Ok(record) => record,
        Err(error) => {
            let message = error.to_string();
            // serde says where in the line, in bytes, and this message names the line of the file already.
            let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
            let column = at(error.column().saturating_sub(1));
            return Ok(Some((column, format!("this is no record: {message}"))));
        }
    };
    let loaded = match shelf.get(&record.rules) {
        Ok(loaded) => loaded,
        // One record's wrong name is a fault of that record; a ruleset at fault stops everything.
        Err(CliError::Input(message)) => {
            let message = message.lines().next().unwrap_or_default().to_string();
            return Ok(Some((value(line, "rules", &record.rules).map_or(1, at), message)));
        }
        Err(other) => return Err(other),
    };
    if let Err(faults) = Deck::parse(&record.deck, loaded.rules.deck_shape()) {
        let start = value(line, "deck", &record.deck);
        let first = faults.first().map_or(0, |fault| fault.span.start);
        let messages: Vec<String> = faults.into_iter().map(|fault| fault.message).collect();
        return Ok(Some((start.map_or(1, |s| at(s + first)), format!("the deck: {}", messages.join("; ")))));
    }
    Ok(record.check(&loaded.rules).err().map(|fault| {
        let column = match fault.word {
            Some(word) => column_of_word(line, &record.moves, word),
            // What is no word's is said of how the game ended.
            None => line.find("\"end\"").map(at),
        };
        (column.unwrap_or(1), fault.to_string())
    }))
}

/// The byte of a line where the value of a key begins, if it is written there as it is.
fn value(line: &str, key: &str, value: &str) -> Option<usize> {
    let key = line.find(&format!("\"{key}\""))? + key.len() + 2;
    let start = key + line[key..].find('"')? + 1;
    line[start..].starts_with(value).then_some(start)
}

/// The column, in characters from 1, of a word of the moves in its line.
fn column_of_word(line: &str, moves: &str, word: usize) -> Option<usize> {
    let start = value(line, "moves", moves)?;
    let word = moves.split_whitespace().nth(word - 1)?;
    let offset = start + (word.as_ptr() as usize - moves.as_ptr() as usize);
    Some(line.get(..offset)?.chars().count() + 1)
}
