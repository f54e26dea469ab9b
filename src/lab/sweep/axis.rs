//! Axes of a sweep: keys of a ruleset, rulesets, strategies.

use serde::{Serialize, Serializer};

use crate::rules::Change;
use crate::units::exact;

/// Maximum number of values of one axis.
const MOST: usize = 1000;

/// Kind of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisKind {
    /// A key of the ruleset.
    Key(&'static str),
    /// The ruleset itself.
    Rules,
    /// The strategy.
    Strategy,
}

/// One axis of a sweep with its values in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Axis {
    #[serde(rename = "name", serialize_with = "name")]
    kind: AxisKind,
    /// Change of each value; empty unless the axis is a key.
    #[serde(skip)]
    changes: Vec<Change>,
    values: Vec<String>,
}

fn name<S: Serializer>(kind: &AxisKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

impl AxisKind {
    fn name(self) -> &'static str {
        match self {
            AxisKind::Key(key) => key,
            AxisKind::Rules => "rules",
            AxisKind::Strategy => "strategy",
        }
    }
}

impl Axis {
    /// Parses a key with values: `stock.draw=1..5`, `stock.redeals=0,1,2,unlimited`, `reserve.size=5..20:3`. Ranges
    /// include both ends.
    ///
    /// # Errors
    /// The fault of the text, as a sentence.
    pub fn vary(text: &str) -> Result<Axis, String> {
        let Some((key, list)) = text.split_once('=') else {
            return Err(format!("`{text}` names no values; write it as stock.draw=1..5"));
        };
        let values = values(list).map_err(|fault| format!("`{text}`: {fault}"))?;
        let change = |value: &String| Change::new(key, value).map_err(|error| error.to_string());
        let changes: Vec<Change> = values.iter().map(change).collect::<Result<_, _>>()?;
        let shown: Vec<String> = changes.iter().map(|change| change.shown().to_string()).collect();
        let key = changes.first().map_or("", Change::key);
        Ok(Axis { kind: AxisKind::Key(key), changes, values: shown })
    }

    /// Creates an axis of rulesets, by name.
    pub fn rules(names: Vec<String>) -> Axis {
        Axis { kind: AxisKind::Rules, changes: Vec::new(), values: names }
    }

    /// Creates an axis of strategies, by name.
    pub fn strategies(names: Vec<String>) -> Axis {
        Axis { kind: AxisKind::Strategy, changes: Vec::new(), values: names }
    }

    /// Returns the kind of the axis.
    pub fn kind(&self) -> AxisKind {
        self.kind
    }

    /// Returns its name: the key, `rules` or `strategy`.
    pub fn name(&self) -> &'static str {
        self.kind.name()
    }

    /// Returns its values as a user writes them.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Returns its values as numbers, if they are in order, with at most one word such as `unlimited` after them.
    pub fn numbers(&self) -> Option<Vec<Option<f64>>> {
        if !matches!(self.kind, AxisKind::Key(_)) {
            return None;
        }
        let numbers: Vec<Option<f64>> = self.values.iter().map(|value| value.parse().ok()).collect();
        let known = numbers.iter().take_while(|number| number.is_some()).count();
        let in_order = numbers[..known].windows(2).all(|pair| pair[0] < pair[1]);
        let words = numbers[known..].iter().all(Option::is_none) && numbers.len() - known <= 1;
        (known > 1 && in_order && words).then_some(numbers)
    }

    /// Returns the change for a value, if the axis is a key.
    pub fn change(&self, value: usize) -> Option<&Change> {
        self.changes.get(value)
    }

    /// Returns whether two axes set the same thing.
    pub(super) fn meets(&self, other: &Axis) -> bool {
        let within = |a: &str, b: &str| a == b || a.strip_prefix(b).is_some_and(|rest| rest.starts_with('.'));
        let (a, b) = (self.name(), other.name());
        // The faces of a die and the time of its roll are separate.
        within(a, b) || within(b, a)
    }
}

/// Splits a list at commas outside brackets, braces and quotes.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut quote, mut start) = (0i32, None, 0);
    for (at, c) in text.char_indices() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('[' | '{', None) => depth += 1,
            (']' | '}', None) => depth -= 1,
            (',', None) if depth <= 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// Returns every value of a list, with ranges expanded, or the fault and what to write instead.
fn values(text: &str) -> Result<Vec<String>, String> {
    let mut values: Vec<String> = Vec::new();
    for part in parts(text) {
        let more = match part.split_once("..") {
            _ if part.is_empty() => {
                return Err("a value is missing: write them as 1..5, 5..20:3 or 0,1,2,unlimited".into());
            }
            Some((first, rest)) if !part.starts_with(['"', '\'', '[', '{']) => range(part, first, rest)?,
            _ => vec![part.to_string()],
        };
        for value in more {
            if values.contains(&value) {
                return Err(format!("it has the value `{value}` twice"));
            }
            values.push(value);
        }
        if values.len() > MOST {
            return Err(format!("it has more than {MOST} values"));
        }
    }
    Ok(values)
}

/// Expands `first..last` or `first..last:step`, including both ends; the last is left out if no step reaches it.
fn range(part: &str, first: &str, rest: &str) -> Result<Vec<String>, String> {
    let fault = || {
        format!(
            "`{part}` is not a range: write it as 1..5 (1, 2, 3, 4 and 5) or 5..20:3 (every third from 5 on), \
             the smaller number first"
        )
    };
    let (last, step) = rest.split_once(':').unwrap_or((rest, "1"));
    let [first, last, step] = [first, last, step].map(|text| thousandths(text.trim()));
    let (Some(first), Some(last), Some(step)) = (first, last, step) else { return Err(fault()) };
    if last < first || step <= 0 {
        return Err(fault());
    }
    if (last - first) / step >= MOST as i64 {
        return Err(format!("`{part}` has more than {MOST} values"));
    }
    let mut values = Vec::new();
    let mut value = first;
    while value <= last {
        values.push(crate::rules::file::decimal(value));
        value += step;
    }
    Ok(values)
}

/// Parses a number with at most three decimals, in thousandths.
fn thousandths(text: &str) -> Option<i64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    exact(digits, 3).filter(|number| *number < 1 << 50).map(|number| sign * number as i64)
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
    fn values_in_order_are_numbers() {
        let of = |text: &str| Axis::vary(text).unwrap().numbers();
        assert_eq!(of("stock.redeals=0,1,unlimited"), Some(vec![Some(0.0), Some(1.0), None]));
        for text in ["stock.draw=2,1", "stock.redeals=0,unlimited,2", "stock.draw=1,[3,2],{ die = 6 }"] {
            assert_eq!(of(text), None, "{text}");
        }
        assert_eq!(Axis::rules(vec!["1".into(), "2".into()]).numbers(), None);
    }

    fn read(text: &str) -> Vec<String> {
        values(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
    }

    #[test]
    fn both_ends_of_a_range_are_meant() {
        assert_eq!(read("1..5"), ["1", "2", "3", "4", "5"]);
        assert_eq!(read("5..20:3"), ["5", "8", "11", "14", "17", "20"]);
        assert_eq!(read("5..20:4"), ["5", "9", "13", "17"]);
        assert_eq!(read("7..7"), ["7"]);
        assert_eq!(read("-1..1"), ["-1", "0", "1"]);
        assert_eq!(read("4.5..6:0.75"), ["4.5", "5.25", "6"]);
    }

    #[test]
    fn lists_keep_what_is_in_brackets_together() {
        assert_eq!(read("0, 1,2,unlimited"), ["0", "1", "2", "unlimited"]);
        assert_eq!(read("3,[3,2,1],{ die = 6, roll = pass }"), ["3", "[3,2,1]", "{ die = 6, roll = pass }"]);
        assert_eq!(read("0..2,5,\"a,..b\""), ["0", "1", "2", "5", "\"a,..b\""]);
    }

    #[test]
    fn faults_say_what_to_write() {
        for (text, said) in [
            ("stock.draw", "write it as stock.draw=1..5"),
            ("stock.drow=1..3", "did you mean `stock.draw`?"),
            ("stock.draw=1,3 4", "is not one value"),
            ("stock.draw=", "a value is missing"),
            ("stock.draw=1,,2", "a value is missing"),
            ("stock.draw=5..1", "the smaller number first"),
            ("stock.draw=1..5:0", "is not a range"),
            ("stock.draw=1..", "`stock.draw=1..`: `1..` is not a range"),
            ("stock.draw=a..b", "is not a range"),
            ("stock.draw=1..3..5", "is not a range"),
            ("stock.draw=1..5000", "more than 1000 values"),
            ("stock.draw=1..3,2", "`2` twice"),
        ] {
            let fault = Axis::vary(text).unwrap_err();
            assert!(fault.contains(said), "{text}: {fault}");
        }
    }
}
