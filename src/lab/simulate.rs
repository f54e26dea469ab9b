//! Rulesets under strategies, all on the same shuffles, each for itself.

use std::time::Duration;

use serde::Serialize;

use super::batch::Finished;
use super::solve::Clairvoyant;
use crate::rules::Spec;
use crate::stats::{AtOnce, House, Night, Side, Sides, Summary, Tally, summarize};

/// Result of playing rulesets under strategies.
#[derive(Clone, Debug, Serialize)]
pub struct Simulated {
    /// Number of games of each entry.
    pub games: u64,
    /// How many of several entries lie on which side, with 95% confidence for all of them at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sides: Option<Sides>,
    /// Every ruleset under every strategy, in the order in which they were named.
    pub entries: Vec<SimulatedEntry>,
    /// Whether the run was stopped before it was complete.
    #[serde(skip)]
    pub interrupted: bool,
}

/// A ruleset under a strategy.
#[derive(Clone, Debug, Serialize)]
pub struct SimulatedEntry {
    /// Name of the ruleset, on the shelf or of its file.
    pub rules: String,
    /// The strategy's name on the shelf, or the path of its script.
    pub strategy: String,
    /// Its side, with 95% confidence for all entries at once; `None` without a price.
    pub side: Option<Side>,
    /// Its figures.
    pub summary: Summary,
    /// Those of several entries, with intervals that hold for all of them at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_once: Option<AtOnce>,
    /// Tally behind the figures.
    pub tally: Tally,
    /// What a player who knows every card could have had on the first of the deals, where that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clairvoyant: Option<Clairvoyant>,
    /// The ruleset.
    #[serde(skip)]
    pub spec: Spec,
    /// The house's profit over a night, where a page shows it.
    #[serde(skip)]
    pub night: Option<Night>,
    /// Time that its games took, that of all threads together.
    #[serde(skip)]
    pub time: Duration,
}

impl Simulated {
    /// The figures of a batch whose entries are these: the name of a ruleset, that of a strategy, and the ruleset.
    pub fn new<'a>(
        entries: impl IntoIterator<Item = (&'a str, &'a str, &'a Spec)>,
        played: Finished,
    ) -> Simulated {
        let several = played.tallies.len();
        let counts = played.tallies.into_iter().zip(played.running).zip(played.times);
        let entry = |((rules, strategy, spec), ((tally, running), time)): ((&str, &str, &Spec), _)| {
            let summary = summarize(&tally, spec, running);
            let at_once = (several > 1).then(|| AtOnce::of(&tally, spec, several));
            SimulatedEntry {
                rules: rules.into(),
                strategy: strategy.into(),
                side: at_once.map_or(summary.house_edge, |it| it.edge).map(Side::of),
                summary,
                at_once,
                tally,
                clairvoyant: None,
                spec: spec.clone(),
                night: None,
                time,
            }
        };
        let entries: Vec<SimulatedEntry> = entries.into_iter().zip(counts).map(entry).collect();
        Simulated {
            games: played.games,
            sides: (several > 1).then(|| Sides::of(entries.iter().map(|it| it.side))),
            entries,
            interrupted: played.interrupted,
        }
    }

    /// Adds the house's profit over a night of so many decks to every entry; a rough one in haste.
    pub fn add_nights(&mut self, decks: u32, in_haste: bool) {
        for it in &mut self.entries {
            let house = House::new(&it.tally, &it.spec.casino);
            it.night = match in_haste {
                true => Night::in_haste(&house, decks),
                false => Night::new(&house, decks),
            };
        }
    }
}

impl SimulatedEntry {
    /// Its figures with intervals that hold for all entries at once; those of one alone are its own.
    pub fn at_once(&self) -> AtOnce {
        let Summary { house_edge: edge, win_rate: wins, cards, .. } = self.summary;
        self.at_once.unwrap_or(AtOnce { edge, wins, cards })
    }
}
