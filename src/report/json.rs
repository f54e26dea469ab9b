//! The summary of a run as JSON, with everything needed to run it again.
//!
//! Nothing here depends on the clock, the machine or the number of threads: the same run gives the
//! same bytes.

use serde::Serialize;

use super::{Clairvoyant, Entry, entry_ids};
use crate::cards::Seed;
use crate::stats::{Summary, Tally};

/// The text of a file that a run depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Source<'a> {
    /// Its shelf name or its path.
    pub name: &'a str,
    /// What it says.
    pub text: &'a str,
}

/// A text, followed by those it extends.
pub(crate) fn whole_text(sources: &[Source<'_>]) -> String {
    let texts: Vec<String> = sources
        .iter()
        .enumerate()
        .map(|(i, s)| if i == 0 { s.text.to_string() } else { format!("# {} says:\n\n{}", s.name, s.text) })
        .collect();
    texts.join("\n")
}

/// An entry with what is needed to play it again.
#[derive(Clone, Copy, Debug)]
pub struct EntryJson<'a> {
    /// The entry.
    pub entry: Entry<'a>,
    /// The counts behind its summary.
    pub tally: &'a Tally,
    /// The ruleset file, then what it extends, then what that extends.
    pub rules: &'a [Source<'a>],
    /// The script; `None` for a strategy that is part of the program.
    pub script: Option<&'a str>,
}

#[derive(Serialize)]
struct Document<'a> {
    saratoga: &'static str,
    seed: Seed,
    games: u64,
    entries: Vec<Object<'a>>,
}

#[derive(Serialize)]
struct Object<'a> {
    id: String,
    /// The program's version, once more where an entry stands alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    saratoga: Option<&'static str>,
    seed: Seed,
    games: u64,
    rules: RulesObject<'a>,
    strategy: StrategyObject<'a>,
    summary: &'a Summary,
    tally: &'a Tally,
    /// Where it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    clairvoyant: Option<&'a Clairvoyant>,
}

#[derive(Serialize)]
struct RulesObject<'a> {
    name: &'a str,
    files: &'a [Source<'a>],
}

#[derive(Serialize)]
struct StrategyObject<'a> {
    name: &'a str,
    text: Option<&'a str>,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn objects<'a>(entries: &[EntryJson<'a>], alone: bool) -> Vec<Object<'a>> {
    let plain: Vec<Entry> = entries.iter().map(|entry| entry.entry).collect();
    let object = |(id, of): (String, &EntryJson<'a>)| Object {
        id,
        saratoga: alone.then_some(VERSION),
        seed: of.entry.seed,
        games: of.entry.summary.games,
        rules: RulesObject { name: &of.entry.rules.name, files: of.rules },
        strategy: StrategyObject { name: of.entry.strategy, text: of.script },
        summary: of.entry.summary,
        tally: of.tally,
        clairvoyant: of.entry.clairvoyant,
    };
    entry_ids(&plain).into_iter().zip(entries).map(object).collect()
}

fn pretty(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// The `summary.json` of a run: the program's version, the seed, the games asked of each entry,
/// and the entries. An entry's own `games` are those it played.
///
/// # Errors
/// None that these types can cause; serde's interface has one.
pub fn summary_json(seed: Seed, games: u64, entries: &[EntryJson]) -> Result<String, serde_json::Error> {
    pretty(&Document { saratoga: VERSION, seed, games, entries: objects(entries, false) })
}

/// The entries as a JSON array, for standard output.
///
/// # Errors
/// As [`summary_json`].
pub fn entries_json(entries: &[EntryJson]) -> Result<String, serde_json::Error> {
    pretty(&objects(entries, true))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::entry::tests::sample;
    use super::*;

    #[test]
    fn a_run_can_be_run_again_from_it() {
        let (spec, tally, summary) = sample();
        let entry = Entry {
            id: "canfield",
            rules: &spec,
            strategy: "scripts/patient.rhai",
            seed: 7,
            summary: &summary,
            clairvoyant: None,
        };
        let rules = [
            Source { name: "mine.toml", text: "extends = \"canfield\"\n" },
            Source { name: "canfield", text: "name = \"Canfield\"\n" },
        ];
        let json = EntryJson { entry, tally: &tally, rules: &rules, script: Some("fn score(view, m) { 1 }") };
        let text = summary_json(7, 1000, &[json]).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["saratoga"], VERSION);
        assert_eq!((value["seed"].as_u64(), value["games"].as_u64()), (Some(7), Some(1000)));
        let first = &value["entries"][0];
        assert_eq!(first["id"], "canfield-patient");
        assert_eq!(first["rules"]["files"][1]["text"], "name = \"Canfield\"\n");
        assert_eq!(first["strategy"]["text"], "fn score(view, m) { 1 }");
        assert_eq!(first["summary"]["wins"], 40);
        let back: Tally = serde_json::from_value(first["tally"].clone()).unwrap();
        assert_eq!(back, tally);

        let array: Value = serde_json::from_str(&entries_json(&[json, json]).unwrap()).unwrap();
        assert_eq!(array[1]["id"], "canfield-patient-2");
        assert_eq!(array[0]["saratoga"], VERSION);
        assert_eq!(entries_json(&[]).unwrap(), "[]\n");
    }
}
