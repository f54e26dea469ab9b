//! What a sweep changes: keys of a ruleset, rulesets, strategies.

use super::values::values;
use crate::rules::Change;

/// What an axis is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisKind {
    /// A key of the ruleset.
    Key(&'static str),
    /// The ruleset itself.
    Rules,
    /// Who plays.
    Strategy,
}

/// One axis of a sweep with its values in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    kind: AxisKind,
    /// By value; empty but for a key.
    changes: Vec<Change>,
    shown: Vec<String>,
}

impl Axis {
    /// A key with values: `stock.draw=1..5`, `stock.redeals=0,1,2,unlimited`, `reserve.size=5..20:3`. Both ends of a
    /// range are among the values.
    ///
    /// # Errors
    /// What is wrong with the text, in a sentence.
    pub fn vary(text: &str) -> Result<Axis, String> {
        let Some((key, list)) = text.split_once('=') else {
            return Err(format!("`{text}` names no values; write it as stock.draw=1..5"));
        };
        let values = values(list).map_err(|fault| format!("`{text}`: {fault}"))?;
        let change = |value: &String| Change::new(key, value).map_err(|error| error.to_string());
        let changes: Vec<Change> = values.iter().map(change).collect::<Result<_, _>>()?;
        let shown = changes.iter().map(|change| change.shown().to_string()).collect();
        let key = changes.first().map_or("", Change::key);
        Ok(Axis { kind: AxisKind::Key(key), changes, shown })
    }

    /// Rulesets, by what they are called.
    pub fn rules(names: Vec<String>) -> Axis {
        Axis { kind: AxisKind::Rules, changes: Vec::new(), shown: names }
    }

    /// Strategies, by what they are called.
    pub fn strategies(names: Vec<String>) -> Axis {
        Axis { kind: AxisKind::Strategy, changes: Vec::new(), shown: names }
    }

    /// What it is of.
    pub fn kind(&self) -> AxisKind {
        self.kind
    }

    /// What it is called: the key, `rules` or `strategy`.
    pub fn name(&self) -> &'static str {
        match self.kind {
            AxisKind::Key(key) => key,
            AxisKind::Rules => "rules",
            AxisKind::Strategy => "strategy",
        }
    }

    /// Its values as a person writes them.
    pub fn values(&self) -> &[String] {
        &self.shown
    }

    /// The change that a value stands for, where the axis is a key.
    pub(super) fn change(&self, value: usize) -> Option<&Change> {
        self.changes.get(value)
    }

    /// Whether two axes set the same thing.
    pub(super) fn meets(&self, other: &Axis) -> bool {
        let within = |a: &str, b: &str| a == b || a.strip_prefix(b).is_some_and(|rest| rest.starts_with('.'));
        let (a, b) = (self.name(), other.name());
        // The faces of a die and when it is rolled are two things.
        within(a, b) || within(b, a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_values() {
        let axis = Axis::vary("heel.size=5..20:5").unwrap();
        assert_eq!((axis.name(), axis.values().len()), ("reserve.size", 4));
        assert_eq!(axis.change(3).map(Change::to_string), Some("reserve.size=20".into()));
        let draw = Axis::vary("stock.draw=3,{ die = 6, roll = pass }").unwrap();
        assert_eq!(draw.values(), ["3", "{ die = 6, roll = pass }"]);
        assert!(draw.meets(&Axis::vary("stock.draw.die=4..8").unwrap()));
        assert!(!draw.meets(&axis));
    }

    #[test]
    fn faults_say_what_to_write() {
        for (text, said) in [
            ("stock.draw", "write it as stock.draw=1..5"),
            ("stock.drow=1..3", "did you mean `stock.draw`?"),
            ("stock.draw=1..", "`stock.draw=1..`: `1..` is not a range"),
            ("stock.draw=1,3 4", "is not one value"),
        ] {
            let fault = Axis::vary(text).unwrap_err();
            assert!(fault.contains(said), "{text}: {fault}");
        }
    }
}
