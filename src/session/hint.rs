//! What a strategy thinks of the legal moves.

use serde::Serialize;

use crate::game::{Move, MoveList, StrategyRng, View};
use crate::players::weigh_moves;
use crate::strategy::{Strategy, StrategyError, StrategySource, Weighed};

use super::game::Session;
use super::state::Asks;

/// What came of a move, or of a line of play, in sampled deals that agree with all that was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Expected {
    /// Deals that were sampled.
    pub deals: u32,
    /// So many of them were won.
    pub wins: u32,
    /// The cards on the foundations at the end of all of them together.
    pub cards: u64,
}

impl Expected {
    pub(super) fn of(weighed: &Weighed) -> Expected {
        Expected { deals: weighed.worlds, wins: weighed.wins, cards: weighed.cards }
    }

    /// The share of the deals that were won.
    pub fn won(&self) -> f64 {
        f64::from(self.wins) / f64::from(self.deals.max(1))
    }

    /// Cards of a deal, on average.
    pub fn mean_cards(&self) -> f64 {
        self.cards as f64 / f64::from(self.deals.max(1))
    }
}

/// What a strategy thinks of one legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Weight {
    /// The move in notation.
    pub word: String,
    /// Its score, where the strategy scores moves: the highest is played, and a negative one never is.
    pub score: Option<i64>,
    /// What it leads to, where the strategy is `search`. A player who knew every card from there on plays on, so that
    /// the values are too high; the better move is the one with more.
    pub expected: Option<Expected>,
}

/// A line of play that a strategy weighed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Its moves in notation, up to the next card that is not known.
    pub moves: Vec<String>,
    /// What it leads to.
    pub expected: Expected,
}

impl Line {
    /// What a strategy weighed for its last decision, the best first.
    pub(super) fn weighed(strategy: &dyn Strategy, reserves: usize) -> Vec<Line> {
        let line = |weighed: &Weighed| Line {
            moves: weighed.moves.iter().map(|m| m.notation(reserves)).collect(),
            expected: Expected::of(weighed),
        };
        strategy.weighed().iter().map(line).collect()
    }
}

/// What a strategy thinks of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hint {
    /// The strategy.
    pub strategy: String,
    /// The move it would make; `None` where it would give up, or is not asked for a move.
    pub choice: Option<String>,
    /// Whether it would buy the stage of the stake that is asked for.
    pub buys: Option<bool>,
    /// Every legal move, in the engine's order.
    pub moves: Vec<Weight>,
    /// Lines of play that it weighed, the best first.
    pub lines: Vec<Line>,
    /// What its script printed.
    pub printed: String,
}

impl Session {
    /// What a strategy thinks of the position, as if it had sat beside from the deal on, and had been asked about every
    /// move that was made: so the same game gets the same answer, and a script has its `memory`.
    ///
    /// # Errors
    /// The strategy's fault, or that the program is to stop.
    pub fn hint(&self, strategy: &StrategySource) -> Result<Hint, StrategyError> {
        let mut player = strategy.instantiate();
        let (rng, apart) = (self.beside(&mut *player), self.beside(&mut *strategy.instantiate()));
        let think = |view: &View<'_>, legal: &MoveList, asks| {
            think(strategy, &mut *player, &apart, view, legal, asks)
        };
        self.look(&rng, think).looked.unwrap_or_else(|| Ok(nothing(strategy)))
    }
}

fn nothing(strategy: &StrategySource) -> Hint {
    Hint {
        strategy: strategy.name().into(),
        choice: None,
        buys: None,
        moves: Vec::new(),
        lines: Vec::new(),
        printed: String::new(),
    }
}

fn think(
    source: &StrategySource,
    strategy: &mut dyn Strategy,
    apart: &StrategyRng,
    view: &View<'_>,
    legal: &MoveList,
    asks: Asks,
) -> Result<Hint, StrategyError> {
    let mut hint = nothing(source);
    match asks {
        Asks::Nothing => return Ok(hint),
        Asks::Stage { at, cost } => {
            hint.buys = Some(strategy.stage(view, legal, at, cost)?);
            hint.printed = strategy.printed();
            return Ok(hint);
        }
        Asks::Move => {}
    }
    let reserves = view.reserves();
    // Asking for the scores must not use up the randomness that the choice will draw on.
    let scores = strategy.scores(&view.with_rng(apart), legal)?;
    if scores.is_some() {
        // The choice prints the same once more.
        strategy.printed();
    }
    let chosen = strategy.decide(view, legal)?;
    hint.choice = chosen.and_then(|i| legal.nth(i)).map(|m| m.notation(reserves));
    hint.lines = Line::weighed(strategy, reserves);
    hint.printed = strategy.printed();
    let expected = weigh_moves(source.name(), view, legal).transpose()?;
    let weight = |(i, m): (usize, &Move)| Weight {
        word: m.notation(reserves),
        score: scores.as_ref().and_then(|scores| scores.get(i).copied()),
        expected: expected.as_ref().and_then(|all| all.get(i)).map(Expected::of),
    };
    hint.moves = legal.iter().enumerate().map(weight).collect();
    Ok(hint)
}
