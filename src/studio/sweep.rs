//! One number of a ruleset at several values, each played on the same deals.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

use crate::amounts::{money, plain};
use crate::crash::guard;
use crate::figures::{edge, mean, percent};
use crate::lab::{Batch, Pairing, Workers, simulate};
use crate::rules::{Change, Control, Loaded, form, key_values, vary};
use crate::stats::{Summary, summarize};
use crate::strategy::StrategySource;
use crate::text::one_line;

use super::Folder;
use super::design::{Told, read, told};
use super::mailbox::Mailbox;
use super::play::{MOST_GAMES, SLOW_GAMES, side};
use super::players::{self, fault};

/// Most values of a line.
const MOST_VALUES: i64 = 9;

/// What is to be played.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Asked {
    pub name: String,
    pub text: String,
    pub strategy: String,
    #[serde(deserialize_with = "super::play::seed")]
    pub seed: u64,
    pub games: u64,
    /// The key, as in `stock.redeals`.
    pub key: String,
}

/// What can be played.
pub(super) struct Ready {
    base: Loaded,
    strategy: StrategySource,
    changes: Vec<Change>,
    /// The place of the ruleset's own value among them.
    own: Option<usize>,
    asked: Asked,
}

/// A point of the line.
#[derive(Serialize)]
struct Point<'a> {
    point: usize,
    of: usize,
    own: bool,
    key: &'a str,
    value: &'a str,
    /// Why there is no such ruleset, or why its games could not be played.
    failed: Option<String>,
    games: u64,
    /// In percent, with its interval.
    edge: Option<[f64; 3]>,
    win_rate: Option<[f64; 3]>,
    said: String,
    side: &'static str,
    summary: Option<Summary>,
}

impl Ready {
    /// Reads what is asked.
    ///
    /// # Errors
    /// Every fault of the ruleset and of the strategy, and a key that is no number.
    pub fn new(folder: &Folder, asked: Asked) -> Result<Ready, Vec<Told>> {
        if asked.games == 0 || asked.games > MOST_GAMES {
            return Err(vec![fault(format!("play 1 to {MOST_GAMES} games"))]);
        }
        let base = read(folder, &asked.name, &asked.text).map_err(|all| told(folder, &asked.name, &all))?;
        let strategy = players::load(folder, &asked.strategy)?;
        let values = key_values(base.rules.spec());
        let own = values.iter().find(|(key, _)| *key == asked.key).map(|(_, value)| value.trim_matches('"'));
        let own = own.unwrap_or_default().to_string();
        let changes: Vec<Change> = values_of(&asked.key, &own)
            .iter()
            .filter_map(|value| Change::new(&asked.key, value).ok())
            .collect();
        if changes.is_empty() {
            return Err(vec![fault(format!("{} is no number that can be swept", one_line(&asked.key)))]);
        }
        let own = changes.iter().position(|change| change.shown() == own);
        Ok(Ready { base, strategy, changes, own, asked })
    }

    /// How many values there are.
    pub fn values(&self) -> usize {
        self.changes.len()
    }

    /// Plays value after value, until the mailbox is left.
    pub fn play(&self, mailbox: &Arc<Mailbox>) {
        for (point, change) in self.changes.iter().enumerate() {
            if mailbox.stop.load(Ordering::Relaxed) {
                return;
            }
            let played = guard(|| self.play_one(change, mailbox));
            let played = played.unwrap_or_else(|crash| Err(format!("internal error: {crash}")));
            mailbox.put(point, &self.point(point, change, played));
        }
    }

    fn play_one(&self, change: &Change, mailbox: &Mailbox) -> Result<Summary, String> {
        let first = |faults: Vec<_>| {
            faults
                .first()
                .map_or(String::new(), |fault: &crate::diagnostic::Diagnostic| fault.message.clone())
        };
        let varied = vary(&self.base, std::slice::from_ref(change)).map_err(first)?;
        let make = || self.strategy.instantiate();
        let games = if make().is_slow() { self.asked.games.min(SLOW_GAMES / 10) } else { self.asked.games };
        let batch = Batch {
            entries: vec![Pairing { id: &varied.id, rules: &varied.rules, strategy: &make }],
            seed: self.asked.seed,
            games: 0..games,
            precision: None,
            workers: Workers::new(std::thread::available_parallelism().map_or(1, |n| n.get())),
            each_game: false,
        };
        let finished = simulate(&batch, &mailbox.stop, &mut ()).map_err(|error| error.to_string())?;
        Ok(summarize(&finished.tallies[0], varied.rules.spec(), Vec::new()))
    }

    fn point<'a>(&'a self, point: usize, change: &'a Change, played: Result<Summary, String>) -> Point<'a> {
        let percents = |e: crate::stats::Estimate| [e.value, e.low, e.high].map(|x| 100.0 * x);
        let (summary, failed) = match played {
            Ok(summary) => (Some(summary), None),
            Err(failed) => (None, Some(one_line(&failed).into_owned())),
        };
        let said = summary.as_ref().map(|it| match it.house_edge {
            Some(e) => edge(e),
            None => percent(it.win_rate),
        });
        let cards = summary.as_ref().map(|it| mean(it.cards).value).unwrap_or_default();
        Point {
            point,
            of: self.changes.len(),
            own: self.own == Some(point),
            key: change.key(),
            value: change.shown(),
            failed,
            games: summary.as_ref().map_or(0, |it| it.games),
            edge: summary.as_ref().and_then(|it| it.house_edge).map(percents),
            win_rate: summary.as_ref().map(|it| percents(it.win_rate)),
            side: side(said.as_ref().map(|it| it.side).unwrap_or_default()),
            said: said.map_or(String::new(), |it| format!("{}, {cards} cards", it.both())),
            summary,
        }
    }
}

/// The values of a number that are tried: its own and those around it.
fn values_of(key: &str, own: &str) -> Vec<String> {
    let form = form();
    let Some(key) = form.iter().flat_map(|table| &table.keys).find(|it| it.path == key) else {
        return Vec::new();
    };
    match &key.control {
        Control::Number { low, high, words } => {
            let middle = own.parse().unwrap_or(MOST_VALUES / 2);
            let first = (middle - MOST_VALUES / 2).min(high - MOST_VALUES + 1).max(*low);
            let last = (first + MOST_VALUES - 1).min(*high);
            (first..=last).map(|n| n.to_string()).chain(words.iter().map(|word| word.to_string())).collect()
        }
        Control::Money => around(own),
        Control::Choice(words) => words.iter().map(|word| word.to_string()).collect(),
        _ => Vec::new(),
    }
}

/// Amounts from half of one to half as much again.
fn around(own: &str) -> Vec<String> {
    let Some(cents) = money(own).ok().filter(|cents| *cents > 0) else { return Vec::new() };
    let half = MOST_VALUES / 2;
    let mut all: Vec<i64> = (-half..=half).map(|step| cents + cents * step / (2 * half)).collect();
    all.dedup();
    all.into_iter().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_around_the_own_one() {
        assert_eq!(values_of("reserve.size", "13"), (9..=17).map(|n| n.to_string()).collect::<Vec<_>>());
        assert_eq!(values_of("reserve.size", "1")[0], "0");
        assert_eq!(values_of("deal.packs", "1"), ["1", "2", "3", "4"]);
        assert_eq!(values_of("stock.redeals", "unlimited").last().unwrap(), "unlimited");
        assert_eq!(values_of("stock.redeals", "2")[..3], ["0", "1", "2"]);
        assert_eq!(values_of("casino.stake", "52")[..2], ["26", "32.50"]);
        assert!(values_of("casino.pays_for_win", "0").is_empty() && values_of("name", "x").is_empty());
        assert_eq!(values_of("tableau.direction", "down"), ["down", "up", "same"]);
    }
}
