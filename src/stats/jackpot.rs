//! Frequency of jackpots, and their size when won.

use super::summary::JackpotSummary;
use super::{Estimate, Tally, rate};
use crate::rules::Casino;

/// Summarizes the jackpot of a tally; `None` if the rules have none.
pub fn jackpot(tally: &Tally, casino: &Casino) -> Option<JackpotSummary> {
    let jackpot = casino.jackpot?;
    let all = tally.histogram().len() - 1;
    let of = |games: &[u64], won: bool| -> u64 {
        let each = games.iter().enumerate().filter(|(cards, _)| jackpot.is_won(*cards, all) == won);
        each.map(|(_, games)| games).sum()
    };
    let wins = of(tally.histogram(), true);
    let rate = rate(wins, of(tally.undecided(), false), tally.games());
    let decks = (wins > 0 && rate.low > 0.0).then(|| Estimate {
        value: 1.0 / rate.value,
        low: 1.0 / rate.high,
        high: 1.0 / rate.low,
    });
    let growth = casino.meter_growth() as f64;
    let at = |decks: f64| jackpot.start as f64 + growth * decks;
    let size = decks.map(|it| Estimate { value: at(it.value), low: at(it.low), high: at(it.high) });
    Some(JackpotSummary { rate, decks, size })
}
