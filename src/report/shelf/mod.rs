//! The page of the shelf: every ruleset, what it is, and what each of a few players comes to in it.

mod ahead;
mod beside;
mod chart;
mod contests;
mod data;
mod document;
mod facts;

pub use beside::ShelfBeside;
pub use contests::{ShelfContest, shelf_contests_csv};
pub use data::{shelf_csv, shelf_json};
pub use document::shelf_document;

use super::PairingResult;
use crate::cards::Seed;
use crate::rules::Spec;
use crate::stats::Summary;

/// What the page is made of. Every ruleset is played by every player, from the same seed.
#[derive(Clone, Debug)]
pub struct ShelfPage<'a> {
    /// The command line that makes it again.
    pub command: &'a str,
    /// Version of the program.
    pub version: &'a str,
    /// The seed the games were dealt from.
    pub seed: Seed,
    /// The players, in the order of the columns.
    pub players: Vec<&'a str>,
    /// The scripts that look ahead, where they play.
    pub ahead: Vec<&'a str>,
    /// The rulesets, in the order of the rows.
    pub rulesets: Vec<ShelfRuleset<'a>>,
    /// The contests between several players.
    pub contests: Vec<ShelfContest<'a>>,
}

/// A ruleset of the shelf with what its games say.
#[derive(Clone, Debug)]
pub struct ShelfRuleset<'a> {
    /// Its name on the shelf.
    pub id: &'a str,
    /// The ruleset.
    pub rules: &'a Spec,
    /// A summary for each player, in their order; of no games where none were played.
    pub summaries: Vec<Summary>,
    /// A summary for each script that looks ahead; none where they do not play.
    pub ahead: Vec<Summary>,
    /// The last player beside the best of the scripts, where it is one that searches.
    pub beside: Option<ShelfBeside>,
}

impl<'a> ShelfPage<'a> {
    /// A ruleset with every player and what it came to, the scripts that look ahead last.
    fn played<'p>(&self, row: &'p ShelfRuleset<'a>) -> impl Iterator<Item = (&'a str, &'p Summary)> {
        let ahead = self.ahead.iter().copied().zip(&row.ahead);
        self.players.iter().copied().zip(&row.summaries).chain(ahead)
    }

    /// Every ruleset under every player of which games were played, as the rest of the reports takes it.
    fn entries(&self) -> impl Iterator<Item = PairingResult<'_>> {
        let of = |row| self.played(row).map(move |(strategy, summary)| (row, strategy, summary));
        let played = self.rulesets.iter().flat_map(of).filter(|(_, _, summary)| summary.games > 0);
        played.map(|(row, strategy, summary)| {
            PairingResult::new((row.id, row.rules), strategy, self.seed, summary)
        })
    }
}
