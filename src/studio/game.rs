//! A game played on a page. The page keeps the choices, and every request replays them: the server holds no state, undo
//! means sending fewer choices, and no answer contains a hidden card.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::cards::Deck;
use crate::crash::guard;
use crate::session::{BestLine, Dealt, Hint, Lost, ReviewLimits, Searched, Session, State, Watcher};
use crate::strategy::StrategySource;
use crate::text::one_line;

use super::Folder;
use super::design::{Told, clean, read, told};
use super::mailbox::Mailbox;
use super::players::{self, Draft, fault};

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
    pub name: String,
    pub text: String,
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

/// One step of a strategy, or the reason why there is none.
#[derive(Serialize)]
struct Seen {
    step: Option<Value>,
    failed: Option<String>,
}

/// Analysis of what was possible.
#[derive(Serialize)]
struct Review {
    best: BestLine,
    lost: Lost,
    /// The best line as choices from the deal.
    line: Vec<String>,
}

impl Asked {
    /// Replays the choices of the game.
    ///
    /// # Errors
    /// Returns the faults of the rules or of the deck, or the first illegal choice.
    pub fn sit(&self, folder: &Folder) -> Result<Session, Vec<Told>> {
        let loaded = read(folder, &self.name, &self.text).map_err(|all| told(folder, &self.name, &all))?;
        let rules = Arc::new(loaded.rules);
        let name = format!("./{}", self.name.trim_start_matches("./"));
        let dealt = match self.deck.as_deref().map(str::trim).filter(|deck| !deck.is_empty()) {
            Some(text) => {
                let deck = Deck::parse(text, rules.deck_shape()).map_err(|faults| {
                    let one =
                        |it: &crate::cards::DeckError| fault(format!("the deck: {}", one_line(&it.message)));
                    faults.iter().map(one).collect::<Vec<_>>()
                })?;
                Dealt::given(&name, rules, deck, self.seed, self.game)
            }
            None => Dealt::of_seed(&name, rules, self.seed, self.game),
        };
        if self.choices.len() > MOST_CHOICES {
            return Err(vec![fault(format!("a game has at most {MOST_CHOICES} choices"))]);
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
            done.map_err(|refusal| {
                vec![fault(format!("choice {}: {}", i + 1, one_line(&refusal.to_string())))]
            })?;
        }
        Ok(session)
    }

    /// Loads the strategy that is asked.
    fn player(&self, folder: &Folder) -> Result<StrategySource, Vec<Told>> {
        match &self.script {
            Some(draft) => draft.load(folder),
            None => players::load(folder, self.strategy.as_deref().unwrap_or("greedy")),
        }
    }

    /// Returns the visible state of the game.
    ///
    /// # Errors
    /// As with [`Asked::sit`].
    pub fn state(&self, folder: &Folder) -> Result<State, Vec<Told>> {
        Ok(self.sit(folder)?.state())
    }

    /// Returns a strategy's evaluation of the moves.
    ///
    /// # Errors
    /// As with [`Asked::sit`], and the strategy's own.
    pub fn hint(&self, folder: &Folder) -> Result<Hint, Vec<Told>> {
        let strategy = self.player(folder)?;
        let session = self.sit(folder)?;
        session.hint(&strategy).map_err(|error| vec![fault(clean(folder, &error.to_string()))])
    }

    /// Returns the record of a finished game as a line of JSON; before the end it would reveal every card.
    ///
    /// # Errors
    /// As with [`Asked::sit`], and for a game in progress.
    pub fn record(&self, folder: &Folder) -> Result<Value, Vec<Told>> {
        let session = self.sit(folder)?;
        if session.state().over.is_none() {
            return Err(vec![fault("a record tells every card: end the game first".into())]);
        }
        Ok(json!({ "record": session.record() }))
    }

    /// Returns whether the file named in a record has the text being played.
    pub fn is_saved(&self, folder: &Folder) -> bool {
        folder.text(&self.name).is_ok_and(|text| text == self.text)
    }

    /// Lets a strategy play on at its pace until the game is over or the mailbox is closed. It thinks while it has a
    /// permit.
    pub fn watch(&self, folder: &Folder, mailbox: &Arc<Mailbox>, thinking: &Semaphore) {
        let sat = self.player(folder).and_then(|strategy| Ok((strategy, self.sit(folder)?)));
        let failed = |failed: String| mailbox.push(&Seen { step: None, failed: Some(failed) });
        let (strategy, mut session) = match sat {
            Ok(sat) => sat,
            Err(faults) => return failed(first_message(faults)),
        };
        let mut watcher = Watcher::new(&strategy);
        let pause = Duration::from_millis(self.pace).min(LONGEST_PAUSE);
        let mut next = Instant::now();
        for _ in 0..self.steps.unwrap_or(u64::MAX) {
            while Instant::now() < next && !mailbox.stop.load(Ordering::Relaxed) {
                std::thread::sleep(TICK.min(pause));
            }
            let Some(permit) = permit(thinking, &mailbox.stop) else { return };
            let stepped = guard(|| watcher.step(&mut session));
            drop(permit);
            match stepped {
                Ok(Ok(Some(step))) => {
                    mailbox.push(&Seen { step: serde_json::to_value(step).ok(), failed: None })
                }
                Ok(Ok(None)) => return,
                Ok(Err(error)) => return failed(clean(folder, &error.to_string())),
                Err(crash) => return failed(format!("internal error: {crash}")),
            }
            next = Instant::now() + pause;
        }
    }

    /// Finds what was possible in a finished game.
    pub fn review(&self, folder: &Folder, mailbox: &Arc<Mailbox>) {
        let review = || Ok(json!({ "review": self.reviewed(folder, mailbox)? }));
        mailbox.push(&or_failed(review));
    }

    /// Finds the moves of a finished game that gave up the most cards, as judged by the searching strategy.
    pub fn lost(&self, folder: &Folder, mailbox: &Arc<Mailbox>) {
        let lost = || {
            let searched = self.searched(folder, mailbox)?;
            Ok(json!({ "searched": searched, "by": SEARCHER, "least": LEAST }))
        };
        mailbox.put(0, &or_failed(lost));
    }

    fn searched(&self, folder: &Folder, mailbox: &Mailbox) -> Result<Searched, String> {
        let session = self.sit(folder).map_err(first_message)?;
        if session.state().over.is_none() {
            return Err("where a game was lost is told once it is over".into());
        }
        let player = players::load(folder, SEARCHER).map_err(first_message)?;
        let of = session.choices().len();
        let mut tell = |at: usize| mailbox.put(0, &json!({ "at": at, "of": of }));
        let searched = session.lost_by_search(&player, LEAST, &mailbox.stop, &mut tell);
        searched.map_err(|error| clean(folder, &error.to_string()))
    }

    fn reviewed(&self, folder: &Folder, mailbox: &Mailbox) -> Result<Review, String> {
        let session = self.sit(folder).map_err(first_message)?;
        if session.state().over.is_none() {
            return Err("what was possible is told once the game is over".into());
        }
        let limits = ReviewLimits { positions: POSITIONS, stop: &mailbox.stop };
        let best = session.best_line(limits).map_err(|refused| refused.to_string())?;
        let lost = session.lost_at(limits).map_err(|refused| refused.to_string())?;
        let mut follow = session.follow(&best);
        follow.go_to(usize::MAX);
        let line = follow.state().made.into_iter().map(|made| made.word).collect();
        Ok(Review { best, lost, line })
    }
}

fn first_message(faults: Vec<Told>) -> String {
    faults.into_iter().next().map_or(String::new(), |it| it.message)
}

/// Returns a result, or why there is none.
fn or_failed(work: impl FnOnce() -> Result<Value, String>) -> Value {
    match guard(work) {
        Ok(Ok(result)) => result,
        Ok(Err(failed)) => json!({ "failed": failed }),
        Err(crash) => json!({ "failed": format!("internal error: {crash}") }),
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
