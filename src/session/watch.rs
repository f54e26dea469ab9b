//! A strategy played one step at a time.

use serde::Serialize;

use crate::game::PlayerState;
use crate::strategy::{Strategy, StrategyError, StrategySource};

use super::game::Session;
use super::hint::Line;
use super::look::Choice;
use super::state::Asks;

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

    /// Makes the strategy's next choice; returns `None` if the game is over.
    ///
    /// # Errors
    /// Returns the strategy's error, or that the program is stopping.
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
                    let buys = strategy.stage(view, legal, at, cost)?;
                    let (choice, word) =
                        if buys { (Choice::Buy, "buy") } else { (Choice::Decline, "decline") };
                    Some((choice, word.to_string(), reserves))
                }
                Asks::Move => match strategy.decide(view, legal)?.and_then(|i| legal.nth(i)) {
                    Some(m) => Some((Choice::Move(m), m.notation(reserves), reserves)),
                    None => Some((Choice::Resign, "resign".to_string(), reserves)),
                },
            })
        });
        let Some((choice, word, reserves)) = stand.looked.unwrap_or(Ok(None))? else { return Ok(None) };
        let by = self.source.name().into();
        session.push(choice, Some(by));
        self.at = session.choices().collect();
        let lines = match choice {
            Choice::Move(_) => Line::weighed(&*self.strategy, reserves),
            Choice::Buy | Choice::Decline | Choice::Resign => Vec::new(),
        };
        Ok(Some(Step { word, lines, printed: self.strategy.printed() }))
    }
}
