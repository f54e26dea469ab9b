//! What the cells of a sweep are compared with on the same deals.

use super::axis::Axis;
use super::plan::{Plan, same_game};
use crate::diagnostic::Diagnostic;
use crate::rules::{Change, Loaded, vary};

/// What cells are compared with: their own rulesets as they are written, or all with the same changes; each cell by the
/// strategy that plays it.
#[derive(Clone, Debug)]
pub struct Against {
    /// What the rules are called: `the original rules`, or the changes.
    pub name: String,
    /// By ruleset.
    pub rules: Vec<Loaded>,
    /// The pairs of ruleset and strategy that any cell is compared with.
    pub pairs: Vec<(usize, usize)>,
    /// By cell, its pair; none where a cell is no game, or the same game.
    pub of: Vec<Option<usize>>,
}

/// Why nothing can be compared with the changes.
#[derive(Clone, Debug)]
pub enum AgainstError {
    /// An axis stands for none or several values.
    Values(String),
    /// The rules are no game.
    Rules(Vec<Diagnostic>),
}

impl Against {
    /// What the cells of a plan over `rules` are compared with: the rules with the one value of each of `axes`.
    ///
    /// # Errors
    /// Axes of several values, or that make no game.
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
