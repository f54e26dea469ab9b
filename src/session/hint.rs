//! A strategy asked about a game: its evaluation of the legal moves, and its play, one step at a time.

use serde::Serialize;

use crate::game::{Move, MoveList, PlayerState, View};
use crate::players::evaluate_moves;
use crate::rules::Stage;
use crate::strategy::{MoveValue, Strategy, StrategyError, StrategySource};

use super::game::Session;
use super::look::Choice;
use super::state::Asks;

/// Result of a move, or of a line of play, over sampled deals consistent with everything seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Expected {
    /// Number of sampled deals.
    pub deals: u32,
    /// Number of them that were won.
    pub wins: u32,
    /// Final number of cards on the foundations, summed over the deals.
    pub cards: u64,
}

impl Expected {
    pub(super) fn of(weighed: &MoveValue) -> Expected {
        Expected { deals: weighed.worlds, wins: weighed.wins, cards: weighed.cards }
    }

    /// Returns the fraction of the deals won.
    pub fn won(&self) -> f64 {
        f64::from(self.wins) / f64::from(self.deals.max(1))
    }

    /// Returns the mean number of cards per deal.
    pub fn mean_cards(&self) -> f64 {
        self.cards as f64 / f64::from(self.deals.max(1))
    }
}

/// A strategy's evaluation of one legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Weight {
    /// The move in notation.
    pub word: String,
    /// Its score, if the strategy scores moves: the highest is played, and a negative one never is.
    pub score: Option<i64>,
    /// Its expected result, if the strategy is `search`: too high, as playouts are clairvoyant.
    pub expected: Option<Expected>,
}

/// A line of play evaluated by a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Its moves in notation, up to the next unknown card.
    pub moves: Vec<String>,
    /// Its expected result.
    pub expected: Expected,
}

impl Line {
    /// Returns the lines evaluated for the last decision, best first.
    pub(super) fn weighed(strategy: &dyn Strategy, reserves: usize) -> Vec<Line> {
        let line = |weighed: &MoveValue| Line {
            moves: weighed.moves.iter().map(|m| m.notation(reserves)).collect(),
            expected: Expected::of(weighed),
        };
        strategy.weighed().iter().map(line).collect()
    }
}

/// A strategy's evaluation of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hint {
    /// The strategy.
    pub strategy: String,
    /// The move it would make; `None` if it would give up, or no move is asked for.
    pub choice: Option<String>,
    /// Whether it would buy the stage of the stake on offer.
    pub buys: Option<bool>,
    /// Every legal move, in the engine's order.
    pub moves: Vec<Weight>,
    /// Lines of play that it evaluated, best first.
    pub lines: Vec<Line>,
    /// Output printed by its script.
    pub printed: String,
}

impl Session {
    /// Returns a strategy's evaluation of the position, after replaying to it every move of the game, so that a script
    /// has its `memory`. Fails if the strategy does, or if the program is stopping.
    pub fn hint(&self, strategy: &StrategySource) -> Result<Hint, StrategyError> {
        let mut player = strategy.instantiate();
        let (rng, apart) = (self.beside(&mut *player), self.beside(&mut *strategy.instantiate()));
        let think = |view: &View<'_>, legal: &MoveList, asks| {
            think(strategy, &mut *player, &apart, view, legal, asks)
        };
        let hint = self.look(&rng, think).looked.unwrap_or_else(|| Ok(Hint::default()))?;
        Ok(Hint { strategy: strategy.name().into(), ..hint })
    }
}

fn think(
    source: &StrategySource,
    strategy: &mut dyn Strategy,
    apart: &PlayerState,
    view: &View<'_>,
    legal: &MoveList,
    asks: Asks,
) -> Result<Hint, StrategyError> {
    match asks {
        Asks::Nothing => return Ok(Hint::default()),
        Asks::Stage { at, cost } => {
            let buys = Some(strategy.buys(view, legal, &Stage { at, cost, limit: 0 })?);
            return Ok(Hint { buys, printed: strategy.printed(), ..Hint::default() });
        }
        Asks::Move => {}
    }
    let reserves = view.reserves();
    // Scoring must not use up the random numbers that the choice will draw on.
    let scores = strategy.scores(&view.with_rng(apart), legal)?;
    if scores.is_some() {
        // Discards the output: the choice prints the same again.
        strategy.printed();
    }
    let chosen = strategy.decide(view, legal)?;
    let expected = evaluate_moves(source.name(), view, legal).transpose()?;
    let weight = |(i, m): (usize, &Move)| Weight {
        word: m.notation(reserves),
        score: scores.as_ref().and_then(|scores| scores.get(i).copied()),
        expected: expected.as_ref().and_then(|all| all.get(i)).map(Expected::of),
    };
    Ok(Hint {
        choice: chosen.and_then(|i| legal.nth(i)).map(|m| m.notation(reserves)),
        lines: Line::weighed(strategy, reserves),
        printed: strategy.printed(),
        moves: legal.iter().enumerate().map(weight).collect(),
        ..Hint::default()
    })
}

/// One step of a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The move in notation, or `buy`, `decline`, `resign`.
    pub word: String,
    /// Lines of play evaluated for it, best first; empty if it continues an earlier plan.
    pub lines: Vec<Line>,
    /// Output printed by its script.
    pub printed: String,
}

/// A strategy that plays in a person's session. While it alone makes the choices, it plays as in a batch: a script
/// keeps its `memory`, and its random numbers continue. After somebody else's move or an undo, every choice of the game
/// is replayed to it first.
///
/// It stays on the thread that created it.
pub struct Watcher {
    source: StrategySource,
    strategy: Box<dyn Strategy>,
    rng: Option<PlayerState>,
    /// The choices after which it can continue without a replay.
    at: Vec<Choice>,
}

impl Watcher {
    /// Creates a watcher for a strategy that has not played yet.
    pub fn new(source: &StrategySource) -> Watcher {
        Watcher { source: source.clone(), strategy: source.instantiate(), rng: None, at: Vec::new() }
    }

    /// Returns the strategy's name.
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// Makes the strategy's next choice; returns `None` if the game is over. Fails as [`Session::hint`] does.
    pub fn step(&mut self, session: &mut Session) -> Result<Option<Step>, StrategyError> {
        if self.rng.is_none() || !session.choices().eq(self.at.iter().copied()) {
            self.strategy = self.source.instantiate();
            self.rng = None;
        }
        let strategy = &mut self.strategy;
        let rng = self.rng.get_or_insert_with(|| session.beside(&mut **strategy));
        let stand = session.look(rng, |view, legal, asks| {
            let reserves = view.reserves();
            Ok(match asks {
                Asks::Nothing => None,
                Asks::Stage { at, cost } => {
                    let buys = strategy.buys(view, legal, &Stage { at, cost, limit: 0 })?;
                    Some((if buys { Choice::Buy } else { Choice::Decline }, reserves))
                }
                Asks::Move => {
                    let chosen = strategy.decide(view, legal)?.and_then(|i| legal.nth(i));
                    Some((chosen.map_or(Choice::Resign, Choice::Move), reserves))
                }
            })
        });
        let Some((choice, reserves)) = stand.looked.unwrap_or(Ok(None))? else { return Ok(None) };
        let by = self.source.name().into();
        session.push(choice, Some(by));
        self.at = session.choices().collect();
        let lines = match choice {
            Choice::Move(_) => Line::weighed(&*self.strategy, reserves),
            Choice::Buy | Choice::Decline | Choice::Resign => Vec::new(),
        };
        Ok(Some(Step { word: choice.word(reserves), lines, printed: self.strategy.printed() }))
    }
}
