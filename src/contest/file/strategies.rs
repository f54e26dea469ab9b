//! Loads the strategies that a contest names.

use std::sync::Arc;

use crate::contest::check::PLAYERS;
use crate::contest::spec::PlayerSpec;
use crate::diagnostic::{Severity, SourceText};
use crate::players::load_beside;
use crate::rules::Fault;
use crate::rules::file::Reading;
use crate::strategy::{LoadError, StrategySource};

use super::draft::Draft;

/// More players than may play are a fault of their own, and no reason to read as many scripts.
const MOST_PLAYERS: usize = PLAYERS.1 as usize;

impl Reading<Draft> {
    /// Loads the strategies, a path from the file that names it. What is at fault in a script is told with the
    /// faults of the contest.
    pub(super) fn strategies(
        &mut self,
        players: &mut [PlayerSpec],
        root: &Arc<SourceText>,
    ) -> Vec<StrategySource> {
        let from = self.places.get("player.strategy").map_or("", |place| &place.source.name).to_string();
        let (mut loaded, mut faults, mut told) = (Vec::new(), Vec::new(), Vec::new());
        for (i, player) in players.iter_mut().enumerate().take(MOST_PLAYERS) {
            let (message, help) = match load_beside(&player.strategy, &from) {
                Ok(source) => {
                    player.strategy = source.name().to_string();
                    loaded.push(source);
                    continue;
                }
                Err(LoadError::Faults(script)) => {
                    if !told.contains(&script) {
                        self.faults.extend(script.iter().cloned());
                        told.push(script);
                    }
                    continue;
                }
                Err(LoadError::Unknown { name, help }) => (format!("no strategy is called \"{name}\""), help),
                Err(LoadError::Setting { name, error }) => (
                    format!("{name}: {error}"),
                    "settings follow a script's name, as in \"./mine.rhai:hold=4\"".into(),
                ),
                Err(LoadError::Player { name, reason }) => (
                    format!("{name}: {reason}"),
                    "settings of a player follow its name, as in \"search:level=2\"".into(),
                ),
                Err(LoadError::Unreadable { path, reason }) => (
                    format!("cannot read {path}: {reason}"),
                    "a path is looked for from the file that names it, a name like \"greedy\" on the shelf"
                        .into(),
                ),
            };
            let keys = vec!["player.strategy", "player"];
            faults.push(Fault { severity: Severity::Error, keys, item: Some(i), message, help: Some(help) });
        }
        self.place(faults, root);
        loaded
    }
}
