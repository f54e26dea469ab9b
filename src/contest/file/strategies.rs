//! Loads the strategies named in a contest.

use std::sync::Arc;

use crate::contest::check::PLAYERS;
use crate::contest::spec::PlayerSpec;
use crate::diagnostic::{Severity, SourceText};
use crate::players::load_beside;
use crate::rules::Fault;
use crate::rules::file::Reading;
use crate::strategy::StrategySource;

use super::draft::Draft;

/// Too many players are a fault of their own, and no reason to read that many scripts.
const MOST_PLAYERS: usize = PLAYERS.1 as usize;

impl Reading<Draft> {
    /// Loads the strategies; a path is relative to the file that contains it. Faults of a script are reported with
    /// those of the contest.
    pub(super) fn strategies(
        &mut self,
        players: &mut [PlayerSpec],
        root: &Arc<SourceText>,
    ) -> Vec<StrategySource> {
        let from = self.places.get("player.strategy").map_or("", |place| &place.source.name).to_string();
        let (mut loaded, mut faults, mut told) = (Vec::new(), Vec::new(), Vec::new());
        for (i, player) in players.iter_mut().enumerate().take(MOST_PLAYERS) {
            let told_of = match load_beside(&player.strategy, &from) {
                Ok(source) => {
                    player.strategy = source.name().to_string();
                    loaded.push(source);
                    continue;
                }
                Err(error) => error.in_file(),
            };
            let (message, help) = match told_of {
                Ok(told) => told,
                Err(script) => {
                    if !told.contains(&script) {
                        self.faults.extend(script.iter().cloned());
                        told.push(script);
                    }
                    continue;
                }
            };
            let keys = vec!["player.strategy", "player"];
            faults.push(Fault { severity: Severity::Error, keys, item: Some(i), message, help: Some(help) });
        }
        self.place(faults, root);
        loaded
    }
}
