//! A policy plays a known deal on.

use crate::game::{Chance, MoveList, StrategyRng, Table, View};
use crate::strategy::{Strategy, StrategyError, StrategySource};

/// Most moves of a playout.
const MOST_MOVES: u32 = 2_000;

/// Passes in a row without a play after which a playout is over.
const BARREN: u32 = 2;

/// Who plays where nothing can be solved.
pub(super) struct Policy {
    strategy: Box<dyn Strategy>,
    legal: MoveList,
}

impl Policy {
    pub fn new(source: &StrategySource) -> Policy {
        Policy { strategy: source.instantiate(), legal: MoveList::new() }
    }

    pub fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.strategy.decide(view, legal)
    }

    /// Plays on until the game is over, it goes nowhere, or `enough` says so; it is asked after each move.
    pub fn play_out(
        &mut self,
        view: &View<'_>,
        table: &mut Table,
        chance: &mut impl Chance,
        mut enough: impl FnMut(&Table) -> bool,
    ) -> Result<(), StrategyError> {
        let rules = view.compiled();
        let rng = StrategyRng::new(0, 0);
        let mut barren = 0;
        for _ in 0..MOST_MOVES {
            table.legal_moves(rules, &mut self.legal);
            let chosen = match self.legal.len() {
                0 => None,
                _ => {
                    let view = View::new(table, rules, &rng).with_stakes(view.bought());
                    self.strategy.decide(&view, &self.legal)?
                }
            };
            let Some(m) = chosen.and_then(|i| self.legal.nth(i)) else { return Ok(()) };
            if m.is_play() {
                barren = 0;
            } else if m.is_redeal() {
                barren += 1;
                if barren >= BARREN {
                    return Ok(());
                }
            }
            table.apply(rules, m, chance);
            if enough(table) {
                return Ok(());
            }
        }
        Ok(())
    }
}
