//! `saratoga check`

use clap::Args;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;

use crate::cards::Deck;
use crate::files::{self, MOST_RECORDS, reason};
use crate::game::{Record, key_at, value_at, word_at};
use crate::interrupt;
use crate::lab::SolveLine;
use crate::rules::Loaded;
use crate::text::one_line;

use super::error::CliError;
use super::input::{load_named_rules, load_rules};
use super::terminal;
use crate::signals::finished;

/// Check records of games, and answers of solve, against the rules
#[derive(Args, Debug)]
#[command(after_help = "\
Every move of a record is replayed; its end, its cards and its stakes must be
right. If the record has a seed, its deck, dice and shuffles must be those of
the seed. (For a given deck, `chance` holds the seed of the dice and shuffles.)
Each error is reported with its line and column.

Answers of `solve --json` are checked too: the moves of a won deal must win
it, and the moves to the most cards must reach that many. Replaying cannot
show that a deal is lost, or which strategy played a game.

Examples:
  saratoga replay canfield --game 0..200 --json > records.jsonl
  saratoga check records.jsonl
  saratoga check records.jsonl --rules ./my-house.toml
  saratoga solve canfield -n 20 --nodes 1e5 --json | saratoga check -")]
pub(in crate::cli) struct CheckArgs {
    /// Records or answers, one JSON object per line; at most 4 GiB; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The ruleset to check against [default: the one each record names]
    #[arg(long, value_name = "RULES")]
    pub rules: Option<String>,
    /// Print JSON Lines: one object per line of the file, with its error if it has one
    #[arg(long)]
    pub json: bool,
}

pub(super) fn run(args: CheckArgs) -> Result<ExitCode, CliError> {
    let stdin = args.file == Path::new("-");
    let name = if stdin { "standard input".into() } else { args.file.display().to_string() };
    let shown = name.clone();
    let cannot_read = |error: io::Error| CliError::input(format!("cannot read {shown}: {}", reason(&error)));
    let lines: Box<dyn BufRead> = match stdin {
        true => Box::new(io::stdin().lock()),
        false => Box::new(io::BufReader::new(files::open(&args.file, MOST_RECORDS).map_err(&cannot_read)?)),
    };
    let mut lines = files::after_bom(lines).map_err(&cannot_read)?;
    let forced = args.rules.as_deref().map(load_rules).transpose()?;
    let mut shelf = Rulesets { forced, loaded: BTreeMap::new() };
    let mut out = io::BufWriter::new(terminal::stdout());
    let mut counts = Counts::default();
    let name = one_line(&name);
    let mut bytes = Vec::new();
    for number in 1u64.. {
        if interrupt::requested()
            || !files::next_line(&mut lines, &mut bytes, LONGEST_LINE).map_err(&cannot_read)?
        {
            break;
        }
        let found = match std::str::from_utf8(&bytes) {
            _ if bytes.len() as u64 > LONGEST_LINE => {
                let message = format!("this line is longer than {LONGEST_LINE} bytes, too long for a game");
                Err(Fault { column: 1, message })
            }
            Ok(line) if line.trim().is_empty() || is_of_strategy(line) => continue,
            Ok(line) => check_line(line, &mut shelf, &mut counts)?,
            Err(error) => {
                let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
                Err(Fault { column: good.chars().count() + 1, message: "this is not UTF-8 text".into() })
            }
        };
        match &found {
            Ok(replayed) => {
                counts.good += 1;
                counts.not_replayed += u64::from(!replayed);
            }
            Err(_) => counts.bad += 1,
        }
        if args.json {
            let (good, replayed) = (found.is_ok(), found == Ok(true));
            let fault = found.err().map(|fault| json!({ "column": fault.column, "message": fault.message }));
            let id = number.to_string();
            let line =
                json!({ "id": id, "line": number, "good": good, "replayed": replayed, "fault": fault });
            writeln!(out, "{line}")?;
        } else if let Err(fault) = found {
            writeln!(out, "{name}:{number}:{}: {}", fault.column, one_line(&fault.message))?;
        }
    }
    if !args.json && counts.lines() > 0 {
        writeln!(out, "{counts}")?;
    }
    out.flush()?;
    if interrupt::requested() {
        return Ok(finished());
    }
    if counts.lines() == 0 {
        return Err(CliError::input(format!("{name} has no records: one JSON object per line is expected")));
    }
    Ok(ExitCode::from(if counts.bad == 0 { 0 } else { 2 }))
}

const MOST_RULESETS: usize = 64;

/// Maximum bytes of a line: several times those of the longest game of four packs.
const LONGEST_LINE: u64 = 1 << 24;

#[derive(Default)]
struct Counts {
    good: u64,
    bad: u64,
    /// Valid lines that are answers without moves.
    not_replayed: u64,
    answers: u64,
}

impl Counts {
    fn lines(&self) -> u64 {
        self.good + self.bad
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (one, many) = match self.answers {
            0 => ("record", "records"),
            all if all == self.lines() => ("answer", "answers"),
            _ => ("line", "lines"),
        };
        let lines = self.lines();
        write!(f, "{lines} {} checked: ", if lines == 1 { one } else { many })?;
        write!(f, "{} good, {} at fault", self.good, self.bad)?;
        match self.not_replayed {
            0 => Ok(()),
            1 => write!(f, "; 1 answer has no moves to replay"),
            many => write!(f, "; {many} answers have no moves to replay"),
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Fault {
    column: usize,
    message: String,
}

/// Rulesets by their names in records, each loaded once; or one for all.
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
            // A ruleset has a name for each path that leads to it.
            if self.loaded.len() >= MOST_RULESETS {
                self.loaded.clear();
            }
            self.loaded.insert(name.to_string(), load_named_rules(name)?);
        }
        Ok(&self.loaded[name])
    }
}

/// Returns whether a line of `solve --json` is the summary of a strategy, in which nothing can be checked.
fn is_of_strategy(line: &str) -> bool {
    let object = || serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line);
    key_at(line, "left").is_some()
        && object().is_ok_and(|it| it.contains_key("left") && !it.contains_key("deck"))
}

/// Checks a line, and returns whether its moves were replayed: an answer may have none.
fn check_line(
    line: &str,
    shelf: &mut Rulesets,
    counts: &mut Counts,
) -> Result<Result<bool, Fault>, CliError> {
    let at = |offset: usize| line.get(..offset).map_or(1, |before| before.chars().count() + 1);
    let fault = |column: usize, message: String| Ok(Err(Fault { column, message }));
    let start = line.len() - line.trim_start().len();
    if !line[start..].starts_with('{') {
        return fault(at(start), "not a record: a record is a JSON object on a line of its own".into());
    }
    let answers = key_at(line, "verdict").is_some();
    counts.answers += u64::from(answers);
    let parsed: serde_json::Result<(Record, Option<SolveLine>)> = if answers {
        serde_json::from_str(line).map(|answer: SolveLine| (answer.record(), Some(answer)))
    } else {
        serde_json::from_str(line).map(|record| (record, None))
    };
    let (record, answer) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            let message = error.to_string();
            // serde gives the location in the line in bytes, and the file's line is already in the message.
            let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
            let kind = if answers { "answer" } else { "record" };
            return fault(
                at(error.column().saturating_sub(1)),
                format!("this is not a valid {kind}: {message}"),
            );
        }
    };
    let loaded = match shelf.get(&record.rules) {
        Ok(loaded) => loaded,
        // The path in a stranger's record is not shown: it could be any file.
        Err(CliError::Faults(_)) => {
            let name = &record.rules;
            let message =
                format!("the ruleset `{name}` has errors; `saratoga rules check` with its name lists them");
            return fault(value_at(line, "rules", name).map_or(1, at), message);
        }
        Err(CliError::Input(message)) => {
            let message = message.lines().next().unwrap_or_default().to_string();
            return fault(value_at(line, "rules", &record.rules).map_or(1, at), message);
        }
        Err(other) => return Err(other),
    };
    if let Err(faults) = Deck::parse(&record.deck, loaded.rules.deck_shape()) {
        let start = value_at(line, "deck", &record.deck);
        let first = faults.first().map_or(0, |fault| fault.span.start);
        let messages: Vec<String> = faults.into_iter().map(|fault| fault.message).collect();
        return fault(start.map_or(1, |s| at(s + first)), format!("the deck: {}", messages.join("; ")));
    }
    let replayed = match &answer {
        Some(answer) => answer.check(&loaded.rules),
        None => record.check(&loaded.rules).map(|_| true),
    };
    Ok(replayed.map_err(|fault| {
        let start = match fault.word {
            Some(word) => word_at(line, &record.moves, word),
            None => key_at(line, fault.field),
        };
        Fault { column: start.map_or(1, at), message: fault.to_string() }
    }))
}
