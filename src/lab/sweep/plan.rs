//! The cells of a sweep, a full grid of its axes, and the baselines they are compared with.

use serde::{Serialize, Serializer};

use crate::diagnostic::Diagnostic;
use crate::rules::{Change, Loaded, Spec, vary};
use crate::units::exact;

/// Maximum number of cells of a sweep.
pub const MOST_CELLS: usize = 2000;

/// One combination of values.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Index of its value on each axis.
    pub at: Vec<usize>,
    /// Index of its ruleset.
    pub ruleset: usize,
    /// Index of its strategy.
    pub strategy: usize,
    /// Its rules, or the faults that make them invalid.
    pub rules: Result<Loaded, Vec<Diagnostic>>,
    /// Whether these values leave the ruleset unchanged.
    pub as_written: bool,
}

/// Cells and axes of a sweep.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its axes.
    pub axes: Vec<Axis>,
    /// The cells, with the last axis varying fastest.
    pub cells: Vec<Cell>,
}

impl Plan {
    /// Creates every combination of the values of `axes`, over `rules`, of which there are several only if an axis has
    /// rulesets. Fails for two axes of one key, or too many cells.
    pub fn grid(axes: Vec<Axis>, rules: &[Loaded]) -> Result<Plan, String> {
        apart(&axes)?;
        let cells = axes.iter().try_fold(1usize, |n, axis| n.checked_mul(axis.values().len()));
        match cells {
            Some(cells) if cells <= MOST_CELLS => {}
            _ => {
                let cells = cells.map_or("too many".into(), |n| n.to_string());
                return Err(format!(
                    "the full grid has {cells} cells, and at most {MOST_CELLS} are allowed; take fewer values"
                ));
            }
        }
        let mut places: Vec<Vec<usize>> = vec![Vec::new()];
        for axis in &axes {
            let longer = |at: &Vec<usize>| {
                let at = at.clone();
                (0..axis.values().len()).map(move |value| [&at[..], &[value]].concat())
            };
            places = places.iter().flat_map(longer).collect();
        }
        Ok(Plan { cells: cells_at(places, &axes, rules), axes })
    }

    /// Returns the valid rulesets of its cells.
    pub fn rulesets(&self) -> impl Iterator<Item = &Loaded> {
        self.cells.iter().filter_map(|cell| cell.rules.as_ref().ok())
    }

    /// Returns the label of a cell: `stock.draw=1, stock.redeals=unlimited`.
    pub fn label(&self, cell: usize) -> String {
        let values = self.axes.iter().zip(&self.cells[cell].at);
        let parts: Vec<String> =
            values.map(|(axis, &value)| format!("{}={}", axis.name(), axis.values()[value])).collect();
        parts.join(", ")
    }
}

fn apart(axes: &[Axis]) -> Result<(), String> {
    for (i, axis) in axes.iter().enumerate() {
        if let Some(other) = axes[..i].iter().find(|other| other.meets(axis)) {
            return Err(if other.name() == axis.name() {
                format!("two axes vary `{}`; give all its values in one", axis.name())
            } else {
                format!("`{}` and `{}` set the same thing; vary one of them", other.name(), axis.name())
            });
        }
    }
    Ok(())
}

fn cells_at(places: Vec<Vec<usize>>, axes: &[Axis], rules: &[Loaded]) -> Vec<Cell> {
    let on = |at: &[usize], kind| axes.iter().position(|axis| axis.kind() == kind).map_or(0, |i| at[i]);
    let cell = |at: Vec<usize>| {
        let ruleset = on(&at, AxisKind::Rules);
        let base = &rules[ruleset];
        let changes: Vec<Change> =
            axes.iter().zip(&at).filter_map(|(axis, &value)| axis.change(value).cloned()).collect();
        let rules = if changes.is_empty() { Ok(base.clone()) } else { vary(base, &changes) };
        let as_written = rules.as_ref().is_ok_and(|rules| same_game(rules.rules.spec(), base.rules.spec()));
        Cell { ruleset, strategy: on(&at, AxisKind::Strategy), at, rules, as_written }
    };
    places.into_iter().map(cell).collect()
}

/// Returns whether two rulesets are the same game, apart from their names.
pub(in crate::lab) fn same_game(a: &Spec, b: &Spec) -> bool {
    let unnamed = |spec: &Spec| Spec {
        name: String::new(),
        also: Vec::new(),
        about: String::new(),
        source: String::new(),
        ..spec.clone()
    };
    unnamed(a) == unnamed(b)
}

/// Baselines of cells: their own ruleset as written, or with the same changes for all, under their strategy.
#[derive(Clone, Debug)]
pub struct Against {
    /// Name of the baseline rules: `the original rules`, or the changes.
    pub name: String,
    /// Baseline rules, by ruleset.
    pub rules: Vec<Loaded>,
    /// The pairs of ruleset and strategy that some cell is compared with.
    pub pairs: Vec<(usize, usize)>,
    /// Index of each cell's pair; `None` if the cell is invalid, or the same game as its baseline.
    pub of: Vec<Option<usize>>,
}

/// Reason why there is no baseline with the changes.
#[derive(Clone, Debug)]
pub enum AgainstError {
    /// An axis has no value, or several.
    Values(String),
    /// The rules are invalid.
    Rules(Vec<Diagnostic>),
}

impl Against {
    /// Creates the baselines of a plan over `rules`: the rules with the one value of each of `axes`. Fails for axes
    /// with several values, or values that make the rules invalid.
    pub fn new(plan: &Plan, rules: &[Loaded], axes: &[Axis]) -> Result<Against, AgainstError> {
        let one = |axis: &Axis| match axis.values() {
            [_] => axis.change(0).cloned().ok_or(()),
            _ => Err(()),
        };
        let changes: Result<Vec<Change>, &Axis> =
            axes.iter().map(|axis| one(axis).map_err(|()| axis)).collect();
        let changes = changes.map_err(|axis| {
            AgainstError::Values(format!(
                "`{}={}` is {} values; cells are compared with one",
                axis.name(),
                axis.values().join(","),
                axis.values().len()
            ))
        })?;
        let changed =
            |rules: &Loaded| if changes.is_empty() { Ok(rules.clone()) } else { vary(rules, &changes) };
        let rules: Vec<Loaded> =
            rules.iter().map(changed).collect::<Result<_, _>>().map_err(AgainstError::Rules)?;
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let of = plan.cells.iter().map(|cell| {
            let base = rules[cell.ruleset].rules.spec();
            cell.rules.as_ref().ok().filter(|loaded| !same_game(loaded.rules.spec(), base))?;
            let pair = (cell.ruleset, cell.strategy);
            Some(pairs.iter().position(|it| *it == pair).unwrap_or_else(|| {
                pairs.push(pair);
                pairs.len() - 1
            }))
        });
        let of = of.collect();
        let name = match &changes[..] {
            [] => "the original rules".to_string(),
            some => some.iter().map(Change::to_string).collect::<Vec<_>>().join(", "),
        };
        Ok(Against { name, rules, pairs, of })
    }
}

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
    use crate::rules::load;

    fn axes(texts: &[&str]) -> Vec<Axis> {
        texts.iter().map(|text| Axis::vary(text).unwrap()).collect()
    }

    #[test]
    fn a_grid_has_every_combination() {
        let rules = [load("canfield").unwrap(), load("demon-casino").unwrap()];
        let mut all = axes(&["stock.draw=1,3", "reserve.size=0,13,41"]);
        all.push(Axis::rules(vec!["canfield".into(), "demon-casino".into()]));
        let plan = Plan::grid(all, &rules).unwrap();
        assert_eq!(plan.cells.len(), 12);
        assert_eq!(plan.cells[1].at, [0, 0, 1]);
        assert_eq!(plan.label(7), "stock.draw=3, reserve.size=0, rules=demon-casino");
        // 41 is more than a reserve holds, which makes four invalid cells: two draws by two rulesets.
        assert_eq!(plan.cells.iter().filter(|cell| cell.rules.is_err()).count(), 4);
        let written: Vec<&[usize]> =
            plan.cells.iter().filter(|cell| cell.as_written).map(|cell| &cell.at[..]).collect();
        assert_eq!(written, [&[1, 1, 0][..], &[1, 1, 1]]);
    }

    #[test]
    fn axes_are_of_different_things() {
        let rules = [load("canfield").unwrap()];
        let fault = |texts: &[&str]| Plan::grid(axes(texts), &rules).unwrap_err();
        assert!(fault(&["stock.draw=1", "stock.draw=2"]).contains("give all its values in one"));
        assert!(fault(&["stock.draw=1", "stock.draw.die=2"]).contains("set the same thing"));
        assert!(fault(&["reserve.size=0..40", "stock.redeals=0..60"]).contains("2501 cells"));
    }

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
