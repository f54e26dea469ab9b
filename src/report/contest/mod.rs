//! The report of a contest: what its matches came to, as a table, a page, JSON and CSV.

mod charts;
mod csv;
mod document;
mod json;
mod tables;
mod words;

pub use charts::contest_charts;
pub use csv::contest_csv;
pub use document::contest_document;
pub use json::{contest_array, contest_json};
pub(super) use tables::factor;
pub(super) use words::{answer, fair_share, mean_of, player_of_speeds, subtitle};

use crate::cards::Seed;
use crate::contest::ContestSpec;
use crate::rules::Spec;
use crate::stats::{ContestSummary, SpeedPoint};

use super::provenance::{Provenance, RulesSource, ScriptSource, Source};

/// Matches of a contest, and all that their report shows.
#[derive(Clone, Copy, Debug)]
pub struct ContestReport<'a> {
    /// The command line that makes it again.
    pub command: &'a str,
    /// Version of the program.
    pub version: &'a str,
    /// The contest's name on the shelf, or that of its file.
    pub id: &'a str,
    /// The contest as it was played.
    pub spec: &'a ContestSpec,
    /// The contest's file as written, then those that it extends.
    pub files: &'a [Source<'a>],
    /// The ruleset's name on the shelf, or that of its file.
    pub rules_id: &'a str,
    /// The ruleset that each player dealt.
    pub rules: &'a Spec,
    /// The ruleset's file as written, then those that it extends.
    pub rules_files: &'a [Source<'a>],
    /// The script of each player; `None` for a strategy that is part of the program.
    pub scripts: &'a [Option<&'a str>],
    /// The seed of the matches.
    pub seed: Seed,
    /// What the matches say.
    pub summary: &'a ContestSummary,
    /// What they say where the first player is slower or faster, by speed; empty if that was not asked.
    pub speeds: &'a [SpeedPoint],
}

impl<'a> ContestReport<'a> {
    fn provenance(&self) -> Provenance<'a> {
        let run = (self.version, self.command);
        let teams = self.summary.sides.iter().map(|side| &*side.name);
        let players = self.spec.players.iter().map(|player| &*player.name).chain(teams).collect();
        Provenance { players, ..Provenance::new(run, self.seed, [self.rules_source()], self.strategies()) }
    }

    fn rules_source(&self) -> RulesSource<'a> {
        RulesSource { id: self.rules_id, name: &self.rules.name, files: self.rules_files.to_vec() }
    }

    /// By player.
    fn strategies(&self) -> impl Iterator<Item = ScriptSource<'a>> {
        let players = self.spec.players.iter().zip(self.scripts);
        players.map(|(player, &text)| ScriptSource { name: &player.strategy, text })
    }
}
