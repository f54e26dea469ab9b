//! Strategies in Rust: the baselines for scripts, and another strategy with errors.

use crate::game::{Move, MoveList, View};
use crate::rules::{Stage, TableauFace};

use super::script::SettingError;
use super::{MoveValue, Strategy, StrategyError};

/// The strategies written in Rust, with descriptions.
pub const NATIVE: &[(&str, &str)] = &[
    ("greedy", "Greedy, the yardstick: plays whatever it can, best kind of move first."),
    ("random", "Random: plays any legal move, each equally likely."),
];

/// The baseline strategy. Plays the first legal of: any card to the foundations; a reserve card to the tableau; a whole
/// pile onto another while the reserve has cards; a pile's face-up run to the tableau if that turns up a hidden card; a
/// waste card to the tableau; draw; redeal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Strategy for Greedy {
    fn name(&self) -> &str {
        "greedy"
    }

    #[inline]
    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        let first = legal.iter().position(|&m| {
            if m.between_piles() {
                view.reserve_left() > 0 && view.empties_pile(m) && !view.to_space(m)
            } else {
                !m.from_foundation() && !m.from_stock()
            }
        });
        // Without hidden tableau cards, nothing turns up.
        match view.rules().tableau.face {
            TableauFace::All => Ok(first),
            _ => Ok(uncovering(view, legal, first)),
        }
    }

    /// Its choice depends only on the list of moves, the reserve and the tableau.
    fn repeats_draw(&self) -> bool {
        true
    }
}

/// Returns the first move between piles that turns up a hidden card, if `first` is a waste card to the tableau, a draw,
/// a redeal or nothing; otherwise `first`.
#[inline(never)]
fn uncovering(view: &View<'_>, legal: &MoveList, first: Option<usize>) -> Option<usize> {
    let comes_later = |m: Move| !m.is_play() || m.from_waste() && m.to_tableau();
    match first.and_then(|i| legal.nth(i)) {
        Some(m) if !comes_later(m) => first,
        _ => legal.iter().position(|&m| m.between_piles() && view.turns_up(m)).or(first),
    }
}

/// Plays a uniformly random legal move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Strategy for Random {
    fn name(&self) -> &str {
        "random"
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        Ok(Some(view.random(legal.len() as u32) as usize))
    }
}

/// The name of the setting, as in `greedy:slip=5`.
pub(super) const SLIP: &str = "slip";

/// Denominator of the error rate.
const OF: u32 = 1_000;

/// Parses an error rate, in percent with at most one decimal, to thousandths: `5`, `2.5` or `5%`.
pub(super) fn read_error_rate(text: &str) -> Result<u16, SettingError> {
    let percent = text.strip_suffix('%').unwrap_or(text);
    let (whole, tenth) = percent.split_once('.').unwrap_or((percent, "0"));
    let digits = |part: &str, most: usize| {
        (1..=most).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit())
    };
    let number = || Some(whole.parse::<u16>().ok()? * 10 + tenth.parse::<u16>().ok()?);
    let slip = if digits(whole, 3) && digits(tenth, 1) { number() } else { None };
    slip.filter(|slip| u32::from(*slip) <= OF).ok_or_else(|| {
        SettingError::value(SLIP, text, "a share of decisions from 0% to 100%, with at most one decimal")
    })
}

/// Returns a random move if this decision is an error, at this rate per [`OF`]. With only one legal move there
/// are no errors.
pub(super) fn erring_move(rate: u16, view: &View<'_>, legal: &MoveList) -> Option<usize> {
    let is_one = rate > 0 && legal.len() > 1 && view.random(OF) < rate.into();
    is_one.then(|| view.random(legal.len() as u32) as usize)
}

/// Another strategy, with errors.
pub(super) struct Erring {
    inner: Box<dyn Strategy>,
    name: String,
    /// Number of errors per [`OF`] decisions.
    rate: u16,
}

impl Erring {
    pub fn new(inner: Box<dyn Strategy>, name: &str, rate: u16) -> Erring {
        Erring { inner, name: name.into(), rate }
    }
}

impl Strategy for Erring {
    fn name(&self) -> &str {
        &self.name
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        match erring_move(self.rate, view, legal) {
            None => self.inner.decide(view, legal),
            erring => Ok(erring),
        }
    }

    fn is_slow(&self) -> bool {
        self.inner.is_slow()
    }

    fn buys(&mut self, view: &View<'_>, legal: &MoveList, stage: &Stage) -> Result<bool, StrategyError> {
        self.inner.buys(view, legal, stage)
    }

    fn scores(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<Vec<i64>>, StrategyError> {
        self.inner.scores(view, legal)
    }

    fn weighed(&self) -> &[MoveValue] {
        self.inner.weighed()
    }

    fn printed(&mut self) -> String {
        self.inner.printed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percentages() {
        assert_eq!(
            ["0", "5", "5%", "2.5", "2.5%", "100"].map(|it| read_error_rate(it).unwrap()),
            [0, 50, 50, 25, 25, 1000]
        );
        for bad in ["", "%", "-1", "101", "2.55", "2.", ".5", "1e1", "5%%", "100.1"] {
            assert!(read_error_rate(bad).is_err(), "{bad}");
        }
    }
}
