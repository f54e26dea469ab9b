//! Plays one key of a ruleset at several values, or two keys at all pairs of values, on the same deals.

use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

use crate::diagnostic::Diagnostic;
use crate::format::{Side, edge, mean, percent};
use crate::lab::{Batch, Matchup, Workers, simulate};
use crate::rules::{Change, Control, Loaded, Spec, form, key_values, vary};
use crate::stats::{Summary, summarize};
use crate::strategy::StrategySource;
use crate::text::one_line;
use crate::units::{money, plain};

use super::Folder;
use super::design::{Faults, Text};
use super::mailbox::{Mailbox, found};
use super::play::{MOST_GAMES, SLOW_GAMES};
use super::players;

/// Maximum number of values of a numeric key.
const MOST_VALUES: i64 = 9;
/// Stake in cents, for rules without a price of the deck.
const USUAL_STAKE: i64 = 52_00;

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Asked {
    #[serde(flatten)]
    pub rules: Text,
    pub strategy: String,
    #[serde(deserialize_with = "super::play::seed")]
    pub seed: u64,
    pub games: u64,
    /// The key, as in `stock.redeals`.
    pub key: String,
    /// The second key, for a map.
    #[serde(default)]
    pub by: Option<String>,
}

pub(super) struct Ready {
    base: Loaded,
    strategy: StrategySource,
    /// The keys: one for a line, two for a map with the first one across.
    keys: Vec<Values>,
    asked: Asked,
}

/// The values of one key.
struct Values {
    changes: Vec<Change>,
    /// Index of the ruleset's own value among them.
    own: Option<usize>,
}

/// A point of the line, or a cell of the map.
#[derive(Serialize)]
struct Point<'a> {
    /// Its index, in row-major order.
    point: usize,
    of: usize,
    /// Number of values of the first key.
    across: usize,
    own: bool,
    key: &'a str,
    value: &'a str,
    /// The second key of a map, and its value.
    by: Option<[&'a str; 2]>,
    /// Why there is no such ruleset, or why its games failed.
    failed: Option<String>,
    games: u64,
    /// The house edge in percent, with its interval.
    edge: Option<[f64; 3]>,
    win_rate: Option<[f64; 3]>,
    said: String,
    side: Side,
    summary: Option<Summary>,
}

impl Ready {
    /// Validates a request: its ruleset, its strategy, and that its keys can be swept.
    pub fn new(folder: &Folder, asked: Asked) -> Result<Ready, Faults> {
        if asked.games == 0 || asked.games > MOST_GAMES {
            return Err(format!("play 1 to {MOST_GAMES} games").into());
        }
        let base = asked.rules.load(folder)?;
        let strategy = players::load(folder, &asked.strategy)?;
        if asked.by.as_ref() == Some(&asked.key) {
            return Err(format!("a map has two keys, and both are {}", one_line(&asked.key)).into());
        }
        let keys = std::iter::once(&asked.key).chain(&asked.by).map(|key| Values::new(&base, key));
        Ok(Ready { keys: keys.collect::<Result<_, _>>()?, base, strategy, asked })
    }

    pub fn points(&self) -> usize {
        self.keys.iter().map(|key| key.changes.len()).product()
    }

    /// Plays the points in turn, until the mailbox is closed.
    pub fn play(&self, mailbox: &Mailbox) {
        for point in 0..self.points() {
            if mailbox.stop.load(Ordering::Relaxed) {
                return;
            }
            let changes = self.changes(point);
            let played = found(|| self.play_one(&changes, mailbox));
            mailbox.put(point, &self.point(point, &changes, played));
        }
    }

    /// Returns the index of a point's value for each key.
    fn places(&self, point: usize) -> impl Iterator<Item = (usize, &Values)> {
        let across = self.keys[0].changes.len();
        [point % across, point / across].into_iter().zip(&self.keys)
    }

    fn changes(&self, point: usize) -> Vec<Change> {
        self.places(point).map(|(place, values)| values.changes[place].clone()).collect()
    }

    fn play_one(&self, changes: &[Change], mailbox: &Mailbox) -> Result<Summary, String> {
        let first = |faults: Vec<Diagnostic>| faults.first().map_or(String::new(), |it| it.message.clone());
        let varied = vary(&self.base, changes).map_err(first)?;
        let games = if self.strategy.instantiate().is_slow() {
            self.asked.games.min(SLOW_GAMES / 10)
        } else {
            self.asked.games
        };
        let entry = Matchup { id: &varied.id, rules: &varied.rules, strategy: &self.strategy };
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let workers = Workers::new(threads).heeding(&mailbox.stop);
        let batch = Batch::new(vec![entry], self.asked.seed, 0..games, workers);
        let finished = simulate(&batch, &mut ()).map_err(|error| error.to_string())?;
        Ok(summarize(&finished.tallies[0], varied.rules.spec(), Vec::new()))
    }

    fn point<'a>(&self, point: usize, changes: &'a [Change], played: Result<Summary, String>) -> Point<'a> {
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
            of: self.points(),
            across: self.keys[0].changes.len(),
            own: self.places(point).all(|(place, values)| values.own == Some(place)),
            key: changes[0].key(),
            value: changes[0].shown(),
            by: changes.get(1).map(|change| [change.key(), change.shown()]),
            failed,
            games: summary.as_ref().map_or(0, |it| it.games),
            edge: summary.as_ref().and_then(|it| it.house_edge).map(percents),
            win_rate: summary.as_ref().map(|it| percents(it.win_rate)),
            side: said.as_ref().map(|it| it.side).unwrap_or_default(),
            said: said.map_or(String::new(), |it| format!("{}, {cards} cards", it.both())),
            summary,
        }
    }
}

impl Values {
    fn new(base: &Loaded, key: &str) -> Result<Values, String> {
        let values = key_values(base.rules.spec());
        let own = values.iter().find(|(of, _)| *of == key).map(|(_, value)| value.trim_matches('"'));
        let own = own.unwrap_or_default().to_string();
        let changes: Vec<Change> = values_of(key, &own, stake(base.rules.spec()))
            .iter()
            .filter_map(|value| Change::new(key, value).ok())
            .collect();
        if changes.is_empty() {
            return Err(format!("{} has no values to sweep here", one_line(key)));
        }
        let own = changes.iter().position(|change| change.shown() == own);
        Ok(Values { changes, own })
    }
}

/// Returns the price of a deck in cents, or the usual one if the deck is free.
fn stake(spec: &Spec) -> i64 {
    let casino = &spec.casino;
    if casino.is_staged() || casino.stake == 0 { USUAL_STAKE } else { casino.stake }
}

/// Returns the values to try: for a number, its own and those around it; for a choice, its words.
fn values_of(key: &str, own: &str, stake: i64) -> Vec<String> {
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
        // A prize is worth several decks; the pay for a card is a fraction of one.
        Control::Money if key.path == "casino.pays_for_win" => around(own, stake / 2),
        Control::Money if key.path == "casino.stake" => around(own, stake / 5),
        Control::Money => around(own, stake / 50),
        Control::Choice(words) => words.iter().map(|word| word.to_string()).collect(),
        _ => Vec::new(),
    }
}

/// Returns an amount and round ones around it, from half to one and a half times as much; around zero they are about
/// `step` apart.
fn around(own: &str, step: i64) -> Vec<String> {
    let Ok(cents) = money(own) else { return Vec::new() };
    let half = MOST_VALUES / 2;
    let step = round(if cents > 0 { cents / (2 * half) } else { step });
    let first = (cents / step - half).max(0);
    let mut all: Vec<i64> = (first..first + MOST_VALUES).map(|n| n * step).chain([cents]).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter().map(plain).collect()
}

/// Returns the largest round amount up to `cents` and at least one cent: 1, 2.50 or 5 times a power of ten.
fn round(cents: i64) -> i64 {
    let mut round = 1;
    for step in std::iter::successors(Some(1_i64), |ten| ten.checked_mul(10)) {
        // 2.5 times a power of ten must be a whole number of cents.
        let quarter = if step >= 10 { 5 * step / 2 } else { 2 * step };
        for amount in [step, quarter, step.saturating_mul(5)] {
            if amount > cents {
                return round;
            }
            round = amount;
        }
    }
    round
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_around_the_own_one() {
        let of = |key: &str, own: &str| values_of(key, own, USUAL_STAKE);
        assert_eq!(of("reserve.size", "13"), (9..=17).map(|n| n.to_string()).collect::<Vec<_>>());
        assert_eq!(of("reserve.size", "1")[0], "0");
        assert_eq!(of("deal.packs", "1"), ["1", "2", "3", "4"]);
        assert_eq!(of("stock.redeals", "unlimited").last().unwrap(), "unlimited");
        assert_eq!(of("stock.redeals", "2")[..3], ["0", "1", "2"]);
        assert!(of("name", "x").is_empty());
        assert_eq!(of("tableau.direction", "down"), ["down", "up", "same"]);
    }

    #[test]
    fn amounts_are_round_and_the_own_one_is_among_them() {
        let of = |key: &str, own: &str| values_of(key, own, USUAL_STAKE).join(" ");
        assert_eq!(of("casino.stake", "52"), "30 35 40 45 50 52 55 60 65 70");
        assert_eq!(of("casino.stake", "100"), "60 70 80 90 100 110 120 130 140");
        assert_eq!(of("casino.pays_per_card", "5"), "3 3.50 4 4.50 5 5.50 6 6.50 7");
        assert_eq!(of("casino.stake", "0"), "0 10 20 30 40 50 60 70 80");
        assert_eq!(of("casino.stake", "0.03"), "0 0.01 0.02 0.03 0.04 0.05 0.06 0.07 0.08");
        assert_eq!(of("casino.pays_for_win", "0"), "0 25 50 75 100 125 150 175 200");
        assert_eq!(of("casino.pays_per_card", "0"), "0 1 2 3 4 5 6 7 8");
        let [low, high] = [1, 20].map(|cents| values_of("casino.pays_for_win", "0", cents)[1].clone());
        assert_eq!((&*low, &*high), ("0.01", "0.10"));
        assert!(around("", 100).is_empty());
        assert_eq!(round(i64::MAX).to_string().trim_end_matches('0'), "5");
    }
}
