//! A game played on a page. The page keeps the choices, and every request replays them: the server holds no state, undo
//! means sending fewer choices, and no answer contains a hidden card.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::cards::Deck;
use crate::session::{Dealt, Hint, ReviewLimits, Session, State, Watcher};
use crate::strategy::StrategySource;
use crate::text::one_line;

use super::Folder;
use super::design::{Faults, Text, clean};
use super::mailbox::{Mailbox, found};
use super::players::{self, Draft};

/// Maximum number of choices in a game: more than the engine allows moves.
const MOST_CHOICES: usize = 12_000;
/// Positions per search in a review.
const POSITIONS: u64 = 200_000;
/// Longest pause after a choice of a watched strategy, and the interval at which the server checks whether somebody is
/// still watching.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
const TICK: Duration = Duration::from_millis(20);
/// Strategy that finds the moves that gave up cards, and the mean number of cards that counts.
const SEARCHER: &str = "search:level=1";
const LEAST: f64 = 1.0;

/// The game of a request and the choices made in it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Asked {
    #[serde(flatten)]
    pub rules: Text,
    #[serde(deserialize_with = "super::play::seed")]
    pub seed: u64,
    #[serde(deserialize_with = "super::play::seed")]
    pub game: u64,
    /// A deck that replaces the one dealt by the seed.
    #[serde(default)]
    pub deck: Option<String>,
    /// Moves in notation, and `buy`, `decline`, `resign`.
    #[serde(default)]
    pub choices: Vec<String>,
    /// The strategy asked for a hint or to play.
    #[serde(default)]
    pub strategy: Option<String>,
    /// Minimum milliseconds between choices of a watched strategy.
    #[serde(default)]
    pub pace: u64,
    /// Maximum number of choices to watch.
    #[serde(default)]
    pub steps: Option<u64>,
    /// A script asked instead of the strategy.
    #[serde(default)]
    pub script: Option<Draft>,
}

/// Waits for a permit to think; returns `None` once nobody is watching.
fn permit<'a>(thinking: &'a Semaphore, stop: &AtomicBool) -> Option<SemaphorePermit<'a>> {
    while !stop.load(Ordering::Relaxed) {
        match thinking.try_acquire() {
            Ok(permit) => return Some(permit),
            Err(_) => std::thread::sleep(TICK),
        }
    }
    None
}

impl Asked {
    /// Replays the choices of the game, up to the first illegal one.
    pub fn sit(&self, folder: &Folder) -> Result<Session, Faults> {
        let (rules, name) = (Arc::new(self.rules.load(folder)?.rules), self.rules.path());
        let dealt = match self.deck.as_deref().map(str::trim).filter(|deck| !deck.is_empty()) {
            Some(text) => {
                let deck = Deck::parse(text, rules.deck_shape()).map_err(|errors| {
                    let fault =
                        |message: &str| Faults::from(format!("the deck: {}", one_line(message))).faults;
                    Faults { faults: errors.iter().flat_map(|it| fault(&it.message)).collect() }
                })?;
                Dealt::given(&name, rules, deck, self.seed, self.game)
            }
            None => Dealt::of_seed(&name, rules, self.seed, self.game),
        };
        if self.choices.len() > MOST_CHOICES {
            return Err(format!("a game has at most {MOST_CHOICES} choices").into());
        }
        let mut session = Session::new(dealt);
        for (i, word) in self.choices.iter().enumerate() {
            let done = match &**word {
                "buy" => session.answer(true),
                "decline" => session.answer(false),
                "resign" => session.resign(),
                // The page has already warned that this move ends the game.
                word => session.play_to_the_end(word),
            };
            done.map_err(|refusal| format!("choice {}: {}", i + 1, one_line(&refusal.to_string())))?;
        }
        Ok(session)
    }

    /// Replays a game that must be over, or says what is told only then.
    fn sit_at_end(&self, folder: &Folder, otherwise: &str) -> Result<Session, Faults> {
        let session = self.sit(folder)?;
        if session.state().over.is_some() { Ok(session) } else { Err(otherwise.into()) }
    }

    fn player(&self, folder: &Folder) -> Result<StrategySource, Faults> {
        match &self.script {
            Some(draft) => draft.load(folder),
            None => players::load(folder, self.strategy.as_deref().unwrap_or("greedy")),
        }
    }

    pub fn state(self, folder: &Folder) -> Result<State, Faults> {
        Ok(self.sit(folder)?.state())
    }

    pub fn hint(&self, folder: &Folder) -> Result<Hint, Faults> {
        let (strategy, session) = (self.player(folder)?, self.sit(folder)?);
        Ok(session.hint(&strategy).map_err(|error| clean(folder, &error.to_string()))?)
    }

    /// Returns the record of a finished game as a line of JSON; before the end it would reveal every card.
    pub fn record(&self, folder: &Folder) -> Result<Value, Faults> {
        let session = self.sit_at_end(folder, "a record tells every card: end the game first")?;
        Ok(json!({ "record": session.record() }))
    }

    /// Lets a strategy play on at its pace until the game is over or the mailbox is closed. It thinks while it has a
    /// permit.
    pub fn watch(&self, folder: &Folder, mailbox: &Mailbox, thinking: &Semaphore) {
        if let Err(failed) = self.play_on(folder, mailbox, thinking) {
            mailbox.push(&json!({ "step": null, "failed": failed }));
        }
    }

    fn play_on(&self, folder: &Folder, mailbox: &Mailbox, thinking: &Semaphore) -> Result<(), String> {
        let strategy = self.player(folder).map_err(|faults| faults.to_string())?;
        let mut session = self.sit(folder).map_err(|faults| faults.to_string())?;
        let mut watcher = Watcher::new(&strategy);
        let pause = Duration::from_millis(self.pace).min(LONGEST_PAUSE);
        let mut next = Instant::now();
        for _ in 0..self.steps.unwrap_or(u64::MAX) {
            while Instant::now() < next && !mailbox.stop.load(Ordering::Relaxed) {
                std::thread::sleep(TICK.min(pause));
            }
            let Some(permit) = permit(thinking, &mailbox.stop) else { return Ok(()) };
            let step =
                found(|| watcher.step(&mut session).map_err(|error| clean(folder, &error.to_string())))?;
            drop(permit);
            let Some(step) = step else { return Ok(()) };
            mailbox.push(&json!({ "step": step, "failed": null }));
            next = Instant::now() + pause;
        }
        Ok(())
    }

    /// Finds what was possible in a finished game: the best result and where it was lost, and the best line as choices
    /// from the deal.
    pub fn review(&self, folder: &Folder, mailbox: &Mailbox) {
        mailbox.put_found(|| {
            let session = self.sit_at_end(folder, "what was possible is told once the game is over");
            let session = session.map_err(|faults| faults.to_string())?;
            let limits = ReviewLimits { positions: POSITIONS, stop: &mailbox.stop };
            let best = session.best_line(limits).map_err(|refused| refused.to_string())?;
            let lost = session.lost_at(limits).map_err(|refused| refused.to_string())?;
            let mut follow = session.follow(&best);
            follow.go_to(usize::MAX);
            let line: Vec<String> = follow.state().made.into_iter().map(|made| made.word).collect();
            Ok(json!({ "review": { "best": best, "lost": lost, "line": line } }))
        });
    }

    /// Finds the moves of a finished game that gave up the most cards, as judged by the searching strategy.
    pub fn lost(&self, folder: &Folder, mailbox: &Mailbox) {
        mailbox.put_found(|| {
            let session = self.sit_at_end(folder, "where a game was lost is told once it is over");
            let session = session.map_err(|faults| faults.to_string())?;
            let player = players::load(folder, SEARCHER).map_err(|faults| faults.to_string())?;
            let of = session.choices().len();
            let mut tell = |at: usize| mailbox.put(0, &json!({ "at": at, "of": of }));
            let searched = session.lost_by_search(&player, LEAST, &mailbox.stop, &mut tell);
            let searched = searched.map_err(|error| clean(folder, &error.to_string()))?;
            Ok(json!({ "searched": searched, "by": SEARCHER, "least": LEAST }))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_no_permit_waits_until_nobody_watches() {
        let (thinking, stop) = (Semaphore::new(1), AtomicBool::new(false));
        let first = permit(&thinking, &stop).unwrap();
        std::thread::scope(|scope| {
            let second = scope.spawn(|| permit(&thinking, &stop).is_some());
            std::thread::sleep(2 * TICK);
            assert!(!second.is_finished());
            stop.store(true, Ordering::Relaxed);
            assert!(!second.join().unwrap());
        });
        stop.store(false, Ordering::Relaxed);
        drop(first);
        assert!(permit(&thinking, &stop).is_some());
    }
}
