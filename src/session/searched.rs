//! Where a game was lost as a player sees it who searches: also where chance decides, and where a solver finds no answer.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::players::weigh_moves;
use crate::strategy::{StrategyError, StrategySource, Weighed};

use super::choice::Choice;
use super::game::Session;
use super::hint::Expected;
use super::state::Asks;

/// A move that was made, and a better one, as far as was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fell {
    /// It was made after so many choices.
    pub after: usize,
    /// The move in notation.
    pub by: String,
    /// What it led to in the sampled deals.
    pub got: Expected,
    /// The best of the legal moves.
    pub better: String,
    /// What that led to in the same deals.
    pub best: Expected,
}

impl Fell {
    /// Cards that the move gave up, on average.
    pub fn cards(&self) -> f64 {
        self.best.mean_cards() - self.got.mean_cards()
    }
}

/// The moves of a game after which its searched value fell.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Searched {
    /// Decisions between several moves.
    pub decisions: usize,
    /// The first move that gave up so many cards as were asked for.
    pub first: Option<Fell>,
    /// The one that gave up most.
    pub worst: Option<Fell>,
}

impl Session {
    /// Weighs every decision of the game with a player that searches, and finds the moves that gave up `least` cards or
    /// more. `tell` hears how many choices were weighed. Nothing is found by a player who does not search.
    ///
    /// # Errors
    /// Those of the player.
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
                let weighed = several.then(|| weigh_moves(player.name(), view, legal)).flatten()?;
                Some(weighed.map(|all| (legal.iter().position(|&m| m == made), all)))
            });
            let Some((Some(own), all)) = stand.looked.flatten().transpose()? else { continue };
            found.decisions += 1;
            let Some(best) = all.iter().max_by_key(|it| (it.cards, it.wins)) else { continue };
            let word = |it: &Weighed| it.moves.first().map_or(String::new(), |m| m.notation(reserves));
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
