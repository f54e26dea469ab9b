//! The cells of a sweep, a full grid of its axes, and the baselines they are compared with.

use super::axis::{Axis, AxisKind};
use crate::diagnostic::Diagnostic;
use crate::rules::{Change, Loaded, Spec, vary};

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
    /// Creates every combination of the values of `axes`, over `rules`, of which there are several only if an axis
    /// has rulesets.
    ///
    /// # Errors
    /// Two axes of one key, or too many cells.
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

/// Checks that no two axes set the same thing.
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

/// Baselines of a comparison: for each cell its own ruleset as written, or with the same changes for all; under the
/// strategy of the cell.
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
    /// Creates the baselines of a plan over `rules`: the rules with the one value of each of `axes`.
    ///
    /// # Errors
    /// Axes with several values, or values that make the rules invalid.
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
}
