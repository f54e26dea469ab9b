//! What a sweep found: how the rules change the game, as a document, JSON and CSV.

mod board;
mod charts;
mod crossings;
mod csv;
mod differences;
mod document;
mod findings;
mod json;
mod names;
mod tables;
#[cfg(test)]
mod tests;

pub use csv::sweep_csv;
pub use document::sweep_document;
pub use json::sweep_json;

use super::provenance::{Provenance, RulesSource, ScriptSource, Source};
use crate::cards::Seed;
use crate::lab::sweep::{Against, Aim, Cell, Plan, SoFar, Standing};
use crate::rules::Loaded;
use crate::stats::{Difference, Summary, TAIL, Tally, summarize};

/// A sweep with everything its report says.
#[derive(Clone, Debug)]
pub struct SweepReport<'a> {
    /// The command line that makes it again.
    pub command: &'a str,
    /// Version of the program.
    pub version: &'a str,
    /// The seed of all games.
    pub seed: Seed,
    /// What was swept.
    pub plan: &'a Plan,
    /// What was played.
    pub so_far: &'a SoFar,
    /// What cells are compared with.
    pub against: &'a Against,
    /// What it was after.
    pub aim: Aim,
    /// The rulesets before any change.
    pub rules: &'a [Loaded],
    /// It is kept in a folder, and can be gone on with.
    pub saved: bool,
    /// The strategies, by name, with the text of a script.
    pub strategies: Vec<Source<'a>>,
    /// Of each cell what its games say; none where there is no such game, or none was played yet.
    pub summaries: Vec<Option<Summary>>,
}

/// What the games of each cell say, as far as it has any.
pub fn sweep_summaries(plan: &Plan, so_far: &SoFar) -> Vec<Option<Summary>> {
    let cells = plan.cells.iter().zip(&so_far.tallies);
    let summary = |(cell, tally): (&Cell, &Option<Tally>)| {
        let (rules, tally) = (cell.rules.as_ref().ok()?, tally.as_ref()?);
        (tally.games() > 0).then(|| summarize(tally, rules.rules.spec(), Vec::new()))
    };
    cells.map(summary).collect()
}

fn rules_source(loaded: &Loaded) -> RulesSource<'_> {
    let files = loaded.sources.iter().map(|it| Source { name: &it.name, text: &it.text });
    RulesSource { id: &loaded.id, name: loaded.rules.name(), files: files.collect() }
}

/// `a`, `a and b`, `a, b and c`.
pub(in crate::report) fn and(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

impl<'a> SweepReport<'a> {
    fn provenance(&self) -> Provenance<'a> {
        let run = (self.version, self.command);
        Provenance::new(run, self.seed, self.rules.iter().map(rules_source), self.scripts())
    }

    /// The strategies with their scripts, where they have any.
    fn scripts(&self) -> impl Iterator<Item = ScriptSource<'a>> {
        let text = |text: &'a str| (!text.is_empty()).then_some(text);
        self.strategies.iter().map(move |it| ScriptSource { name: it.name, text: text(it.text) })
    }

    /// A name for the report's page.
    pub(super) fn title(&self) -> String {
        let axes: Vec<&str> =
            self.plan.axes.iter().map(|axis| super::labels::key_in_words(axis.name())).collect();
        format!("{}: {}, played by {}", self.rules_named(), and(&axes), self.players())
    }

    /// The rulesets by name.
    pub(super) fn rules_named(&self) -> String {
        match self.rules {
            [one] => super::labels::name_in_full(one.rules.name(), &one.id),
            several => several.iter().map(|rules| &*rules.id).collect::<Vec<_>>().join(", "),
        }
    }

    /// The strategies by name.
    pub(super) fn players(&self) -> String {
        let names: Vec<&str> = self.strategies.iter().map(|strategy| strategy.name).collect();
        names::short(&names).join(", ")
    }

    /// Whether the cells that are games are dealt from the same packs, and so the same deals.
    pub(super) fn same_deals(&self) -> bool {
        let cells = self.plan.cells.iter().filter_map(|cell| cell.rules.as_ref().ok());
        let mut packs = cells.map(|loaded| loaded.rules.spec().deal.packs);
        let first = packs.next();
        packs.all(|packs| Some(packs) == first)
    }
}

impl SweepReport<'_> {
    /// A cell's games against those of what it is compared with, on the same deals; with intervals that hold for so many
    /// cells at once (Bonferroni).
    pub(super) fn difference(&self, cell: usize, at_once: usize) -> Option<Difference> {
        let rules = self.plan.cells[cell].rules.as_ref().ok()?;
        let tally = self.so_far.differences[cell].as_ref().filter(|tally| tally.games() > 0)?;
        let base = &self.against.rules[self.plan.cells[cell].ruleset];
        let tail = TAIL / at_once.max(1) as f64;
        Some(tally.summary_at(tail, rules.rules.spec(), base.rules.spec()))
    }

    /// How far a cell is, where it has games.
    pub(super) fn standing(&self, cell: usize) -> Option<Standing> {
        let rules = self.plan.cells[cell].rules.as_ref().ok()?;
        let tally = self.so_far.tallies[cell].as_ref().filter(|tally| tally.games() > 0)?;
        Some(Standing::of(tally, rules.rules.spec(), &self.aim))
    }
}
