//! A sweep as it is kept in a file: what it is of, word for word, and what is played.

use serde::{Deserialize, Serialize};

use super::run::SoFar;
use crate::cards::Seed;

/// How a file of a sweep begins, up to its checksum: FNV-1a, 64 bits, in hexadecimal digits.
const BEFORE: &str = "{\"fnv1a\":\"";
/// And what stands between the checksum and the text it is over, which is everything else up to the end.
const BETWEEN: &str = "\",\"sweep\":";
const AFTER: &str = "}\n";

/// A text that decides what is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedText {
    /// Its name on the shelf, or its path.
    pub name: String,
    /// What it says; of a ruleset with all that it extends, of a strategy that is part of the program nothing.
    pub text: String,
}

/// Everything on which the games of a sweep depend: two sweeps with the same of it play the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedPlan {
    /// Version of the program.
    pub saratoga: String,
    /// The seed of all games.
    pub seed: Seed,
    /// Each axis with its values.
    pub axes: Vec<(String, Vec<String>)>,
    /// Cells of a Latin hypercube; none of a full grid.
    pub latin: Option<usize>,
    /// As it is written on the command line.
    pub precision: String,
    /// The edge that matters, as it is written on the command line.
    pub line: String,
    /// Most games of all cells.
    pub budget: u64,
    /// Games of every cell, where just so many are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<u64>,
    /// The rulesets.
    pub rules: Vec<SavedText>,
    /// The strategies.
    pub strategies: Vec<SavedText>,
    /// What cells are compared with.
    pub against: String,
}

/// A sweep on the disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSweep {
    /// What it is of.
    pub plan: SavedPlan,
    /// What is played.
    pub so_far: SoFar,
}

impl SavedSweep {
    /// The sweep as a file: JSON, with a checksum over it.
    ///
    /// # Errors
    /// Those of writing JSON.
    pub fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let text = serde_json::to_string(self)?;
        let sum = fnv1a(text.as_bytes());
        Ok(format!("{BEFORE}{sum:016x}{BETWEEN}{text}{AFTER}").into_bytes())
    }

    /// Reads a file as it was written: where a byte of it is another, it is refused. The checksum shows damage, not
    /// malice: who can write the file can write the checksum too.
    ///
    /// # Errors
    /// Why it is no such file, in the middle of a sentence.
    pub fn from_bytes(bytes: &[u8]) -> Result<SavedSweep, String> {
        let within = || {
            let (sum, rest) = bytes.strip_prefix(BEFORE.as_bytes())?.split_at_checked(16)?;
            Some((sum, rest.strip_prefix(BETWEEN.as_bytes())?.strip_suffix(AFTER.as_bytes())?))
        };
        let Some((sum, text)) = within() else {
            return Err("it is damaged, or of an older version of saratoga, as it has no checksum".into());
        };
        if format!("{:016x}", fnv1a(text)).as_bytes() != sum {
            return Err("it is damaged: its checksum is of another content".into());
        }
        serde_json::from_slice(text).map_err(|error| error.to_string())
    }
}

/// The checksum of Fowler, Noll and Vo: every byte counts, and nothing is needed for it.
fn fnv1a(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

impl SavedPlan {
    /// In what it differs from a sweep that is asked for; nothing where they are one.
    pub fn differences(&self, asked: &SavedPlan) -> Vec<String> {
        let mut all = Vec::new();
        let mut note = |what: &str, here: String, asked: String| {
            if here.is_empty() && !asked.is_empty() {
                all.push(format!("{what}: {asked} now"));
            } else if here != asked {
                all.push(format!("{what}: {here} saved, {asked} requested"));
            }
        };
        note("version of saratoga", self.saratoga.clone(), asked.saratoga.clone());
        note("--seed", self.seed.to_string(), asked.seed.to_string());
        note("axes", axes(&self.axes), axes(&asked.axes));
        let latin = |n: Option<usize>| n.map_or("a full grid".to_string(), |n| n.to_string());
        note("--latin", latin(self.latin), latin(asked.latin));
        note("--precision", self.precision.clone(), asked.precision.clone());
        note("--target-edge", self.line.clone(), asked.line.clone());
        let each = |n: Option<u64>| n.map_or("by precision".to_string(), |n| n.to_string());
        note("--against", self.against.clone(), asked.against.clone());
        note("-n", each(self.each), each(asked.each));
        note("--budget", self.budget.to_string(), asked.budget.to_string());
        for (what, here, asked) in
            [("ruleset", &self.rules, &asked.rules), ("strategy", &self.strategies, &asked.strategies)]
        {
            let names = |texts: &[SavedText]| {
                texts.iter().map(|text| text.name.as_str()).collect::<Vec<_>>().join(", ")
            };
            note(what, names(here), names(asked));
            for (here, asked) in here.iter().zip(asked).filter(|(here, asked)| here.name == asked.name) {
                let unlike = if here.text == asked.text { "" } else { "another text" };
                note(&format!("{what} {}", here.name), String::new(), unlike.into());
            }
        }
        all
    }
}

fn axes(axes: &[(String, Vec<String>)]) -> String {
    let told: Vec<String> =
        axes.iter().map(|(name, values)| format!("{name}={}", values.join(","))).collect();
    told.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> SavedPlan {
        let text = |name: &str, text: &str| SavedText { name: name.into(), text: text.into() };
        SavedPlan {
            saratoga: "1.0.0".into(),
            seed: 1,
            axes: vec![("stock.draw".into(), vec!["1".into(), "3".into()])],
            latin: None,
            precision: "1pp".into(),
            line: "0%".into(),
            budget: 1000,
            each: None,
            rules: vec![text("canfield", "name = \"Canfield\"")],
            strategies: vec![text("greedy", "")],
            against: "the original rules".into(),
        }
    }

    /// The values are those of the authors of the checksum.
    #[test]
    fn checksums_are_as_published() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn every_difference_is_told() {
        assert!(plan().differences(&plan()).is_empty());
        let mut other = plan();
        other.seed = 2;
        other.axes[0].1.push("5".into());
        other.latin = Some(9);
        other.rules[0].text.push_str("\n[stock]\ndraw = 1");
        other.strategies[0].name = "patient".into();
        assert_eq!(
            plan().differences(&other),
            [
                "--seed: 1 saved, 2 requested",
                "axes: stock.draw=1,3 saved, stock.draw=1,3,5 requested",
                "--latin: a full grid saved, 9 requested",
                "ruleset canfield: another text now",
                "strategy: greedy saved, patient requested",
            ]
        );
        let mut other = plan();
        other.saratoga = "1.1.0".into();
        other.precision = "0.05".into();
        other.line = "5%".into();
        other.budget = 2000;
        assert_eq!(plan().differences(&other).len(), 4);
    }
}
