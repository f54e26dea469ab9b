//! Figures of a run as JSON, with everything needed to reproduce it.
//!
//! Nothing here depends on the clock, the machine or the number of threads: the same run gives the same bytes.

use serde::Serialize;

use super::Report;
use crate::cards::Seed;
use crate::report::provenance::{Provenance, RulesSource, ScriptSource};
use crate::report::verdict::sides_of;
use crate::report::{Clairvoyant, entry_ids};
use crate::stats::{AtOnce, Side, Sides, Summary, Tally};

#[derive(Serialize)]
struct Run<'a> {
    #[serde(flatten)]
    provenance: Provenance<'a>,
    games: u64,
    /// Number of entries on each side, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    sides: Option<Sides>,
    entries: Vec<Object<'a>>,
}

#[derive(Serialize)]
struct Object<'a> {
    id: String,
    /// The program's version and the command, repeated if an entry stands alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    saratoga: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
    seed: Seed,
    games: u64,
    rules: RulesSource<'a>,
    strategy: ScriptSource<'a>,
    summary: &'a Summary,
    /// Figures with joint confidence, if there are several entries.
    #[serde(skip_serializing_if = "Option::is_none")]
    at_once: Option<Together>,
    tally: &'a Tally,
    /// Clairvoyant result, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    clairvoyant: Option<&'a Clairvoyant>,
}

#[derive(Serialize)]
struct Together {
    side: Option<Side>,
    #[serde(flatten)]
    figures: AtOnce,
}

fn objects<'a>(report: &Report<'a>, alone: bool) -> Vec<Object<'a>> {
    let object = |(id, of): (String, &super::Section<'a>)| Object {
        id,
        saratoga: alone.then_some(report.version),
        command: alone.then_some(report.command),
        seed: of.entry.seed,
        games: of.entry.summary.games,
        rules: of.rules_source(),
        strategy: of.script_source(),
        summary: of.entry.summary,
        at_once: (report.sections.len() > 1)
            .then(|| Together { side: of.entry.at_once.edge.map(Side::of), figures: of.entry.at_once }),
        tally: of.tally,
        clairvoyant: of.entry.clairvoyant,
    };
    entry_ids(&report.entries()).into_iter().zip(&report.sections).map(object).collect()
}

fn pretty(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Returns the `summary.json` of a run: the program's version, the command, the seed, the games requested for each
/// entry, and the entries. An entry's own `games` are those it played.
///
/// # Errors
/// None for these types; required by serde's interface.
pub fn summary_json(report: &Report<'_>) -> Result<String, serde_json::Error> {
    let entries = objects(report, false);
    let sides = (entries.len() > 1).then(|| sides_of(&report.entries()));
    pretty(&Run { provenance: report.provenance(), games: report.games, sides, entries })
}

/// Returns the entries as a JSON array, for standard output.
///
/// # Errors
/// Those of [`summary_json`].
pub fn entries_json(report: &Report<'_>) -> Result<String, serde_json::Error> {
    pretty(&objects(report, true))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::report::Section;
    use crate::report::entry::tests::{named, sample};
    use crate::report::provenance::Source;

    #[test]
    fn a_run_can_be_run_again_from_it() {
        let (spec, tally, summary) = sample();
        let entry = named("canfield", "scripts/patient.rhai", &spec, &summary);
        let rules = [
            Source { name: "mine.toml", text: "extends = \"canfield\"\n" },
            Source { name: "canfield", text: "name = \"Canfield\"\n" },
        ];
        let script = Some("fn score(view, m) { 1 }");
        let section = Section { entry, tally: &tally, night: None, rules: &rules, script };
        let of = |sections| Report {
            title: "",
            command: "saratoga simulate mine.toml",
            version: "9.9.9",
            seed: 7,
            games: 1000,
            sections,
        };
        let text = summary_json(&of(vec![section])).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (&value["saratoga"], &value["command"]),
            (&"9.9.9".into(), &"saratoga simulate mine.toml".into())
        );
        assert_eq!((value["seed"].as_u64(), value["games"].as_u64()), (Some(7), Some(1000)));
        let first = &value["entries"][0];
        assert_eq!(first["id"], "canfield-patient");
        assert_eq!(first["rules"]["files"][1]["text"], "name = \"Canfield\"\n");
        assert_eq!(first["strategy"]["text"], "fn score(view, m) { 1 }");
        assert_eq!(first["summary"]["wins"], 40);
        let back: Tally = serde_json::from_value(first["tally"].clone()).unwrap();
        assert_eq!(back, tally);

        let array: Value = serde_json::from_str(&entries_json(&of(vec![section, section])).unwrap()).unwrap();
        assert_eq!(array[1]["id"], "canfield-patient-2");
        assert_eq!((&array[0]["saratoga"], &array[1]["command"]), (&value["saratoga"], &value["command"]));
        assert_eq!(entries_json(&of(Vec::new())).unwrap(), "[]\n");
    }
}
