//! The complete description of a run: two runs with the same plan have the same blocks. And of a shard: the part of
//! a run that one of several machines computes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::rules::find::{is_path, stem};
use crate::strategy::{join_settings, split_settings};

const MOST_SHOWN: usize = 60;

/// A text that affects the results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedText {
    /// Kind of text: `ruleset`, `strategy`.
    pub kind: String,
    /// Its shelf name or path.
    pub name: String,
    /// Its contents: for a ruleset, with everything it extends; empty for a strategy that is part of the program.
    pub text: String,
}

/// Everything that the blocks of a run depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunPlan {
    /// Version of the program.
    pub saratoga: String,
    /// The command: `simulate`.
    pub command: String,
    /// Every option that affects a result, with its values, including defaults.
    pub options: Vec<(String, Vec<String>)>,
    /// The words given after the command, except those about where the report goes and how it is made.
    pub words: Vec<String>,
    /// The texts that were read.
    pub inputs: Vec<SavedText>,
}

/// Options whose values are shelf names or paths of files that are among the inputs.
const OF_FILES: [&str; 8] =
    ["RULES", "SCRIPT", "CONTEST", "--rules", "--strategy", "--best", "--patrons", "--deals"];

impl RunPlan {
    /// Returns whether both plans describe the same run; only its spelling and the locations of its files may differ.
    pub fn is(&self, other: &RunPlan) -> bool {
        self.differences(other).is_empty()
    }

    /// Returns a copy with numbers in place of the paths of its files, whose texts the plan has.
    fn without_paths(&self) -> RunPlan {
        let mut plan = self.clone();
        let has_decks = self.inputs.iter().any(|input| input.kind == "decks");
        for (name, values) in plan.options.iter_mut().filter(|(name, _)| OF_FILES.contains(&&**name)) {
            let is_file = |value: &str| match &**name {
                "--deals" => has_decks,
                // A share may contain a path.
                "--patrons" => is_path(value) && !value.contains(','),
                _ => is_path(value),
            };
            let mut files: Vec<String> = Vec::new();
            for value in values {
                let (path, settings) = split_settings(value);
                if is_file(path) {
                    let known = files.iter().position(|file| file == path);
                    let number = known.unwrap_or(files.len());
                    if known.is_none() {
                        files.push(path.into());
                    }
                    *value = join_settings(&format!("file {number}"), &settings);
                }
            }
        }
        // A ruleset is named by its file, without folders.
        let of_files = self.options.iter().filter(|(name, _)| OF_FILES.contains(&&**name));
        let stems: Vec<String> = of_files
            .flat_map(|(_, values)| values)
            .filter(|value| is_path(value))
            .map(|value| stem(value))
            .collect();
        for input in &mut plan.inputs {
            let (path, settings) = split_settings(&input.name);
            if is_path(path) || stems.iter().any(|stem| stem == path) {
                input.name = join_settings("file", &settings);
            }
        }
        plan
    }

    fn values(&self, name: &str) -> Vec<String> {
        let values = self.options.iter().find(|(option, _)| option == name);
        values.map_or(Vec::new(), |(_, values)| values.clone())
    }

    fn of_kind<'p>(&'p self, kind: &'p str) -> impl Iterator<Item = &'p SavedText> {
        self.inputs.iter().filter(move |input| input.kind == kind)
    }

    /// Lists the differences from a requested run; empty if they are the same.
    pub fn differences(&self, asked: &RunPlan) -> Vec<String> {
        // Values are shown as they are, but compared without paths.
        let [here, there] = [self, asked].map(RunPlan::without_paths);
        let compare = |what: &str, of: &dyn Fn(&RunPlan) -> Vec<String>| {
            let shown =
                |plan| Some(of(plan)).filter(|it| !it.is_empty()).map_or("none".into(), |it| it.join(", "));
            (of(&here) != of(&there))
                .then(|| format!("{what}: {} saved, {} requested", shown(self), shown(asked)))
        };
        let mut all = Vec::new();
        all.extend(compare("version of saratoga", &|plan| vec![plan.saratoga.clone()]));
        all.extend(compare("command", &|plan| vec![plan.command.clone()]));
        if here.command == there.command {
            let names = unique(self.options.iter().chain(&asked.options).map(|(name, _)| name.as_str()));
            all.extend(names.into_iter().filter_map(|name| compare(name, &|plan| plan.values(name))));
        }
        for kind in unique(self.inputs.iter().chain(&asked.inputs).map(|text| text.kind.as_str())) {
            all.extend(compare(kind, &|plan| plan.of_kind(kind).map(|text| text.name.clone()).collect()));
            for ((here, there), shown) in here.of_kind(kind).zip(there.of_kind(kind)).zip(self.of_kind(kind))
            {
                if here.name == there.name && here.text != there.text {
                    let difference = first_difference(&here.text, &there.text);
                    all.push(format!(
                        "{kind} {}: one text saved, another requested; {difference}",
                        shown.name
                    ));
                }
            }
        }
        all
    }
}

/// Describes where two texts differ, as the end of a sentence.
fn first_difference(saved: &str, requested: &str) -> String {
    let same = saved.lines().zip(requested.lines()).take_while(|(a, b)| a == b).count();
    let shown = |text: &str| match text.lines().nth(same).map(str::trim) {
        None => "no more".to_string(),
        Some(line) if line.chars().count() <= MOST_SHOWN => format!("`{line}`"),
        Some(line) => format!("`{}...`", line.chars().take(MOST_SHOWN).collect::<String>()),
    };
    let (saved, requested) = (shown(saved), shown(requested));
    match saved == requested {
        true => "they differ in spaces, at the ends of lines or far in a line".into(),
        false => format!("the first line that differs: {saved} saved, {requested} requested"),
    }
}

fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    names.for_each(|name| {
        if !all.contains(&name) {
            all.push(name);
        }
    });
    all
}

/// Maximum number of shards of a run.
pub const MOST_SHARDS: u64 = 100_000;

/// Shard `number` of `of`. It computes every `of`-th block, so that all shards have the same work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    number: u64,
    of: u64,
}

impl Shard {
    /// Creates shard `number`, from 1, of `of`; `None` if out of range.
    pub fn new(number: u64, of: u64) -> Option<Shard> {
        (of <= MOST_SHARDS && (1..=of).contains(&number)).then_some(Shard { number, of })
    }

    /// Returns the number of the shard, from 1.
    pub fn number(self) -> u64 {
        self.number
    }

    /// Returns the number of shards.
    pub fn of(self) -> u64 {
        self.of
    }

    /// Returns whether this shard computes a block.
    pub fn makes(self, block: u64) -> bool {
        block % self.of == self.number - 1
    }

    /// Returns its first block at or after `block`.
    pub fn next(self, block: u64) -> u64 {
        let ahead = (self.number - 1 + self.of - block % self.of) % self.of;
        block.saturating_add(ahead)
    }

    /// Returns how many of this many blocks it computes.
    pub fn blocks_of(self, blocks: u64) -> u64 {
        blocks.saturating_add(self.of - self.number) / self.of
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Shard, String> {
        text.parse()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        let Some((number, of)) = numbers else {
            return Err("a shard is K/N, such as 2/16 for the second of 16 parts".into());
        };
        Shard::new(number, of).ok_or_else(|| match of {
            1..=MOST_SHARDS => format!("there is no shard {number} of {of}: they are 1 to {of}"),
            _ => format!("a run has 1 to {MOST_SHARDS} shards, not {of}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(kind: &str, name: &str, text: &str) -> SavedText {
        SavedText { kind: kind.into(), name: name.into(), text: text.into() }
    }

    fn option(name: &str, values: &[&str]) -> (String, Vec<String>) {
        (name.to_string(), values.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn every_difference_is_told() {
        let plan = RunPlan {
            saratoga: "1.0.0".into(),
            command: "simulate".into(),
            options: vec![option("RULES", &["canfield"]), option("--seed", &["1"])],
            words: vec!["canfield".into()],
            inputs: vec![text("ruleset", "canfield", "name = 1"), text("strategy", "greedy", "")],
        };
        assert!(plan.differences(&plan).is_empty() && plan.is(&plan));
        let mut other = plan.clone();
        other.words.clear();
        assert!(plan.is(&other), "how it is written does not matter");
        other.options[1].1 = vec!["2".into()];
        other.options.push(option("--games", &["5000"]));
        other.inputs[0].text = "name = 2".into();
        other.inputs[1].name = "patient".into();
        assert_eq!(
            plan.differences(&other),
            [
                "--seed: 1 saved, 2 requested",
                "--games: none saved, 5000 requested",
                "ruleset canfield: one text saved, another requested; the first line that differs: `name = 1` saved, `name = 2` requested",
                "strategy: greedy saved, patient requested",
            ]
        );
    }

    /// Files are compared by their contents, wherever they are.
    #[test]
    fn paths_make_no_difference() {
        let plan = |rules: [&str; 2], script: &str, deals: &str| RunPlan {
            options: vec![
                option("RULES", &rules),
                option("--strategy", &[script]),
                option("--deals", &[deals]),
            ],
            inputs: vec![
                text("decks", "3 of a file", "AS 2S"),
                text("ruleset", &stem(rules[0]), "name = 1"),
                text("ruleset", &stem(rules[1]), "name = 2"),
                text("strategy", script, "fn score"),
            ],
            ..RunPlan::default()
        };
        let here = plan(["a.toml", "canfield"], "./mine.rhai:hold=4", "decks");
        let mut moved = plan(["../x/b.toml", "canfield"], "/home/mine.rhai:hold=4", "../decks.txt");
        assert!(here.is(&moved) && here.differences(&moved).is_empty());
        for (rules, script, said) in [
            (["canfield", "a.toml"], "4", "RULES: a.toml, canfield saved, canfield, a.toml requested"),
            (["a.toml", "superior"], "4", "RULES: a.toml, canfield saved, a.toml, superior requested"),
            (
                ["a.toml", "canfield"],
                "5",
                "--strategy: ./mine.rhai:hold=4 saved, ./mine.rhai:hold=5 requested",
            ),
            (["a.toml", "a.toml"], "4", "RULES: a.toml, canfield saved, a.toml, a.toml requested"),
        ] {
            let differences = here.differences(&plan(rules, &format!("./mine.rhai:hold={script}"), "decks"));
            assert_eq!(differences.first().map(String::as_str), Some(said));
        }
        // Which of two files is named twice matters.
        let [one, two] = [["a.toml", "a.toml", "b.toml"], ["a.toml", "b.toml", "b.toml"]]
            .map(|rules| RunPlan { options: vec![option("RULES", &rules)], ..here.clone() });
        assert!(!one.is(&two));
        moved.inputs[1].text = "name = 3".into();
        assert!(here.differences(&moved)[0].starts_with("ruleset a: one text saved"));
    }

    #[test]
    fn every_block_is_made_by_one_shard() {
        for of in [1, 2, 3, 7, 16] {
            let shards: Vec<Shard> = (1..=of).map(|k| Shard::new(k, of).unwrap()).collect();
            for block in 0..40 {
                assert_eq!(shards.iter().filter(|shard| shard.makes(block)).count(), 1);
                for shard in &shards {
                    assert_eq!(Some(shard.next(block)), (block..).find(|&block| shard.makes(block)));
                    let own = (0..block).filter(|&block| shard.makes(block)).count() as u64;
                    assert_eq!(shard.blocks_of(block), own, "{shard} of {block} blocks");
                }
            }
        }
    }

    #[test]
    fn shards_are_read_as_they_are_written() {
        assert_eq!("2/16".parse::<Shard>().unwrap().to_string(), "2/16");
        for bad in ["", "2", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b", "1/100001"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
