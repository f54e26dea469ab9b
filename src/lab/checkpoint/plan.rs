//! What a run is of, word for word: blocks of two runs with the same plan are the same.

use serde::{Deserialize, Serialize};

/// Characters of a line that are shown.
const MOST_SHOWN: usize = 60;

/// A text that decides what is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedText {
    /// What it is: `ruleset`, `strategy`.
    pub kind: String,
    /// Its name on the shelf, or its path.
    pub name: String,
    /// What it says; of a ruleset with all that it extends, of a strategy that is part of the program nothing.
    pub text: String,
}

/// Everything on which the blocks of a run depend.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunPlan {
    /// Version of the program.
    pub saratoga: String,
    /// The command: `simulate`.
    pub command: String,
    /// Every option that decides a result, with its values, also those that nobody gave.
    pub options: Vec<(String, Vec<String>)>,
    /// The words after the command that were given, without where the report goes and how it is made.
    pub words: Vec<String>,
    /// The texts that were read.
    pub inputs: Vec<SavedText>,
}

impl RunPlan {
    /// Whether blocks of the other run are those of this one: only how it was written may differ.
    pub fn is(&self, other: &RunPlan) -> bool {
        let all = |plan: &RunPlan| (plan.saratoga.clone(), plan.command.clone(), plan.options.clone());
        all(self) == all(other) && self.inputs == other.inputs
    }

    /// The values of an option.
    fn values(&self, name: &str) -> Vec<&str> {
        let values = self.options.iter().find(|(option, _)| option == name);
        values.map_or(Vec::new(), |(_, values)| values.iter().map(String::as_str).collect())
    }

    /// In what it differs from a run that is asked for; nothing where they are one.
    pub fn differences(&self, asked: &RunPlan) -> Vec<String> {
        let mut all = Vec::new();
        // Lists are compared, as what is shown of two may be the same.
        let note = |all: &mut Vec<String>, what: &str, here: &[&str], asked: &[&str]| {
            let or_none =
                |texts: &[&str]| if texts.is_empty() { "none".to_string() } else { texts.join(", ") };
            if here != asked {
                all.push(format!("{what}: {} saved, {} requested", or_none(here), or_none(asked)));
            }
        };
        note(&mut all, "version of saratoga", &[&self.saratoga], &[&asked.saratoga]);
        note(&mut all, "command", &[&self.command], &[&asked.command]);
        if self.command == asked.command {
            let names = self.options.iter().chain(&asked.options).map(|(name, _)| name.as_str());
            for name in unique(names) {
                note(&mut all, name, &self.values(name), &asked.values(name));
            }
        }
        for kind in unique(self.inputs.iter().chain(&asked.inputs).map(|text| text.kind.as_str())) {
            let of =
                |plan: &RunPlan| plan.inputs.iter().filter(|it| it.kind == kind).cloned().collect::<Vec<_>>();
            let (here, asked) = (of(self), of(asked));
            let [names_here, names_asked] =
                [&here, &asked].map(|texts| texts.iter().map(|it| it.name.as_str()).collect::<Vec<_>>());
            note(&mut all, kind, &names_here, &names_asked);
            let changed = here.iter().zip(&asked).filter(|(a, b)| a.name == b.name && a.text != b.text);
            all.extend(changed.map(|(here, asked)| {
                let difference = first_difference(&here.text, &asked.text);
                format!("{kind} {}: one text saved, another requested; {difference}", here.name)
            }));
        }
        all
    }
}

/// Where two texts differ, as the end of a sentence.
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

/// Each name once.
fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    names.for_each(|name| {
        if !all.contains(&name) {
            all.push(name);
        }
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_told() {
        let text = |kind: &str, name: &str, text: &str| SavedText {
            kind: kind.into(),
            name: name.into(),
            text: text.into(),
        };
        let option = |name: &str, values: &[&str]| {
            (name.to_string(), values.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
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
        assert!(!plan.is(&other));
        assert_eq!(
            plan.differences(&other),
            [
                "--seed: 1 saved, 2 requested",
                "--games: none saved, 5000 requested",
                "ruleset canfield: one text saved, another requested; the first line that differs: `name = 1` saved, `name = 2` requested",
                "strategy: greedy saved, patient requested",
            ]
        );
        // What is shown the same may differ.
        let named = |names: &[&str]| RunPlan {
            options: vec![option("--strategy", names)],
            inputs: names.iter().map(|name| text("strategy", name, "")).collect(),
            ..plan.clone()
        };
        let (one, other) = (named(&["a, b", "c"]), named(&["a", "b, c"]));
        assert!(!one.is(&other) && one.differences(&other).len() == 2);
        let other = RunPlan { saratoga: "1.1.0".into(), command: "price".into(), ..plan.clone() };
        assert_eq!(plan.differences(&other).len(), 2);
    }
}
