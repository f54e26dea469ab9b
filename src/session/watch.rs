//! A strategy that plays a step at a time.

use serde::Serialize;

use crate::game::StrategyRng;
use crate::strategy::{Strategy, StrategyError, StrategySource};

use super::choice::Choice;
use super::game::Session;
use super::hint::Line;
use super::state::Asks;

/// What a strategy did in one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The move in notation, or `buy`, `decline`, `resign`.
    pub word: String,
    /// Lines of play that it weighed before, the best first; none where it follows what it chose before.
    pub lines: Vec<Line>,
    /// What its script printed.
    pub printed: String,
}

/// A strategy at a person's table. As long as only it plays, it plays as it would alone: a script keeps its `memory`, and
/// its random numbers go on. Where somebody else has moved, or moves were taken back, it is as if it had sat beside from
/// the deal on, and had been asked about every move that was made.
///
/// It stays on the thread that made it.
pub struct Watcher {
    source: StrategySource,
    strategy: Box<dyn Strategy>,
    rng: Option<StrategyRng>,
    /// The choices after which it goes on.
    at: Vec<Choice>,
}

impl Watcher {
    /// A strategy that has not played yet.
    pub fn new(source: &StrategySource) -> Watcher {
        Watcher { source: source.clone(), strategy: source.instantiate(), rng: None, at: Vec::new() }
    }

    /// The strategy's name.
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// Makes the strategy's next choice; `None` where the game is over.
    ///
    /// # Errors
    /// The strategy's fault, or that the program is to stop.
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
