//! Finds where a game was lost by sampling with the searching strategy. It also works where chance decides, or where
//! the solver is inconclusive.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::players::evaluate_moves;
use crate::strategy::{MoveValue, StrategyError, StrategySource};

use super::game::Session;
use super::hint::Expected;
use super::look::Choice;
use super::state::Asks;

/// A move made in the game, and the best alternative found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fell {
    /// Number of choices before it.
    pub after: usize,
    /// The move in notation.
    pub by: String,
    /// Its result in the sampled deals.
    pub got: Expected,
    /// The best legal move.
    pub better: String,
    /// Its result in the same deals.
    pub best: Expected,
}

impl Fell {
    /// Returns the mean number of cards given up by the move.
    pub fn cards(&self) -> f64 {
        self.best.mean_cards() - self.got.mean_cards()
    }
}

/// The moves of a game that lost expected cards.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Searched {
    /// Number of decisions with more than one legal move.
    pub decisions: usize,
    /// The first move that gave up at least the requested number of cards.
    pub first: Option<Fell>,
    /// The move that gave up the most.
    pub worst: Option<Fell>,
}

impl Session {
    /// Evaluates every decision of the game with a searching strategy and finds the moves that gave up `least` cards or
    /// more. `tell` receives the number of choices evaluated. A strategy that does not search finds nothing.
    ///
    /// # Errors
    /// Returns the strategy's errors.
    pub fn lost_by_search(
        &self,
        player: &StrategySource,
        least: f64,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(usize),
    ) -> Result<Searched, StrategyError> {
        let mut found = Searched::default();
        let mut at = self.clone();
        let reserves = self.dealt().rules().spec().reserve.piles.into();
        for (after, choice) in self.choices().enumerate() {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            tell(after);
            at.go_to(after);
            let Choice::Move(made) = choice else { continue };
            let stand = at.look(&at.rng(), |view, legal, asks| {
                let several = asks == Asks::Move && legal.len() > 1;
                let weighed = several.then(|| evaluate_moves(player.name(), view, legal)).flatten()?;
                Some(weighed.map(|all| (legal.iter().position(|&m| m == made), all)))
            });
            let Some((Some(own), all)) = stand.looked.flatten().transpose()? else { continue };
            found.decisions += 1;
            let Some(best) = all.iter().max_by_key(|it| (it.cards, it.wins)) else { continue };
            let word = |it: &MoveValue| it.moves.first().map_or(String::new(), |m| m.notation(reserves));
            let fell = Fell {
                after,
                by: word(&all[own]),
                got: Expected::of(&all[own]),
                better: word(best),
                best: Expected::of(best),
            };
            if fell.cards() < least {
                continue;
            }
            if found.worst.as_ref().is_none_or(|worst| fell.cards() > worst.cards()) {
                found.worst = Some(fell.clone());
            }
            found.first.get_or_insert(fell);
        }
        Ok(found)
    }
}
