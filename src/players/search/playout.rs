//! Plays a known deal on with a policy.

use std::sync::Arc;

use crate::game::{Chance, Move, MoveList, PlayerState, Table, View};
use crate::rules::WasteFace;
use crate::strategy::{Strategy, StrategyError, StrategySource};

/// Maximum number of moves in a playout.
const MOST_MOVES: u32 = 2_000;

/// The strategy that plays where nothing can be solved.
pub(super) struct Policy {
    sources: Arc<Policies>,
    /// Each is created on first use, because that compiles a script.
    made: [Option<Box<dyn Strategy>>; KINDS],
}

/// Kinds of rulesets that have a policy of their own.
const KINDS: usize = 3;

/// The policies of a player, by kind of ruleset.
#[derive(Clone, Debug)]
pub(in crate::players) struct Policies([StrategySource; KINDS]);

impl Policies {
    /// Default names: for unlimited passes, for limited passes or a waste that cannot be looked through, and for
    /// contests.
    pub const USUAL: [&'static str; KINDS] = ["patient", "hoarder", "racer"];

    /// Takes one policy for each kind.
    pub fn new(sources: [StrategySource; KINDS]) -> Policies {
        Policies(sources)
    }

    /// Uses the same policy for all kinds.
    pub fn all(source: StrategySource) -> Policies {
        Policies(std::array::from_fn(|_| source.clone()))
    }

    /// Returns the first policy.
    pub fn first(&self) -> &StrategySource {
        &self.0[0]
    }
}

impl Policy {
    pub fn new(sources: &Arc<Policies>) -> Policy {
        Policy { sources: sources.clone(), made: [const { None }; KINDS] }
    }

    pub fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.of(view).decide(view, legal)
    }

    /// Returns the policy for a view.
    fn of(&mut self, view: &View<'_>) -> &mut (dyn Strategy + 'static) {
        let stock = &view.rules().stock;
        let ends = stock.redeals.is_some() || stock.waste == WasteFace::Squared;
        let kind = if view.seats() > 1 { 2 } else { usize::from(ends) };
        let source = &self.sources.0[kind];
        &mut **self.made[kind].get_or_insert_with(|| source.instantiate())
    }

    /// Plays on until the game is over, it leads nowhere, or `enough`, called after each move, returns true.
    pub fn play_out(
        &mut self,
        view: &View<'_>,
        table: &mut Table,
        chance: &mut impl Chance,
        mut enough: impl FnMut(&Table, Move) -> bool,
    ) -> Result<(), StrategyError> {
        let rules = view.compiled();
        let rng = PlayerState::new(0, 0);
        let mut barren = 0;
        let mut legal = MoveList::new();
        let strategy = self.of(view);
        for _ in 0..MOST_MOVES {
            table.legal_moves(rules, &mut legal);
            let chosen = match legal.len() {
                0 => None,
                _ => {
                    let seen = View::new(table, rules, &rng).with_stakes(view.bought());
                    strategy.decide(&seen, &legal)?
                }
            };
            let Some(m) = chosen.and_then(|i| legal.nth(i)) else { return Ok(()) };
            if m.is_play() {
                barren = 0;
            } else if m.is_redeal() {
                barren += 1;
                if barren >= rules.spec().barren_passes() {
                    return Ok(());
                }
            }
            table.apply(rules, m, chance);
            if enough(table, m) {
                return Ok(());
            }
        }
        Ok(())
    }
}
