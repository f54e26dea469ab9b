//! What a comparison asks: by what, for how small a difference, how surely, over how many deals.

use crate::cli::args::CompareArgs;
use crate::cli::error::CliError;
use crate::cli::numbers::Rate;
use crate::rules::Spec;
use crate::stats::{GameWorth, Measure, SequentialTest};

/// Deals at most of two and of more entries, unless the command line says otherwise.
const BUDGET: u64 = 1_000_000;
const OF_MANY: u64 = 100_000;
/// The least difference that matters, in cards and as a rate of wins.
const CARDS: f64 = 0.10;
const WINS: f64 = 0.005;
/// Both error rates.
const RATE: f64 = 0.05;

/// The question that the command line asks.
#[derive(Debug)]
pub(super) struct Question {
    pub measure: Measure,
    /// Of two entries.
    pub test: Option<SequentialTest>,
    pub budget: u64,
}

impl Question {
    /// Of entries under these rules.
    pub fn of(args: &CompareArgs, specs: Vec<&Spec>) -> Result<Question, CliError> {
        let measure = args.measure;
        let default = if specs.len() == 2 { BUDGET } else { OF_MANY };
        let budget = args.games.map_or(default, |games| games.0);
        if budget == 0 {
            return Err(CliError::input("no games to play: -n must be at least 1"));
        }
        let casinos = || specs.iter().map(|spec| &spec.casino);
        if measure == Measure::Money {
            let currency = &specs[0].casino.currency;
            if let Some(other) = casinos().find(|casino| casino.currency != *currency) {
                return Err(CliError::input(format!(
                    "the rulesets pay in {currency} and in {}: compare them by cards or wins",
                    other.currency
                )));
            }
            let idle = |spec: &Spec| {
                spec.casino.stake == 0
                    && !spec.casino.is_staged()
                    && spec.casino.pays_per_card == 0
                    && spec.casino.pays_for_win == 0
            };
            if specs.iter().all(|spec| idle(spec)) {
                return Err(CliError::input(
                    "nothing is staked and nothing is paid: compare by cards or wins",
                ));
            }
        }
        let [a, b] = specs[..] else {
            let asked = [
                ("--difference", args.difference.is_some()),
                ("--alpha", args.alpha.is_some()),
                ("--beta", args.beta.is_some()),
                ("--all-games", args.all_games),
            ];
            if let Some((flag, _)) = asked.into_iter().find(|(_, given)| *given) {
                return Err(CliError::input(format!(
                    "{flag} is for a test of two; with {}, every pair is compared over all deals",
                    specs.len()
                )));
            }
            return Ok(Question { measure, test: None, budget });
        };
        let reach = GameWorth::reach(measure, a, b);
        let difference = match &args.difference {
            Some(text) => difference(measure, text, reach).map_err(CliError::input)?,
            None => usual(measure, a).ok_or_else(|| {
                CliError::input(
                    "nothing is paid for a card, so there is no default for the difference in money; give one: \
                     --difference 0.50",
                )
            })?,
        };
        let rate = |given: &Option<Rate>| given.as_ref().map_or(RATE, |rate| rate.1);
        let test = SequentialTest { difference, alpha: rate(&args.alpha), beta: rate(&args.beta), reach };
        Ok(Question { measure, test: Some(test), budget })
    }
}

/// The difference that matters unless one is given: of money a tenth of what a card pays.
fn usual(measure: Measure, spec: &Spec) -> Option<f64> {
    match measure {
        Measure::Cards => Some(CARDS),
        Measure::Wins => Some(WINS),
        Measure::Money => Some(spec.casino.pays_per_card as f64 / 10.0).filter(|cents| *cents > 0.0),
    }
}

/// A difference as it is written: cards, percentage points, or money; in cards, as a fraction, or in cents.
fn difference(measure: Measure, text: &str, reach: u64) -> Result<f64, String> {
    let (form, unit) = match measure {
        Measure::Cards => ("`0.10`, in cards", 1.0),
        Measure::Wins => ("`0.5pp`, in percentage points of games won", 0.01),
        Measure::Money => ("`0.50`, in the money of the ruleset", 100.0),
    };
    let text = text.trim();
    let number = match measure {
        Measure::Wins => text.strip_suffix("pp").map(str::trim_end),
        _ => Some(text),
    };
    let value = number.and_then(|number| number.parse::<f64>().ok()).map(|number| number * unit);
    match value.filter(|value| value.is_finite()) {
        None => {
            let percent = text.strip_suffix('%').filter(|_| measure == Measure::Wins);
            let meant = percent.map_or(String::new(), |number| format!("; did you mean `{number}pp`?"));
            Err(format!("`{text}` is not a difference by {measure}: write {form}{meant}"))
        }
        Some(value) if value <= 0.0 => {
            Err(format!("a difference of {text} does not exist: it must be above 0"))
        }
        Some(value) if value >= reach as f64 => {
            Err(format!("no game can differ by {text}: ask for a smaller difference"))
        }
        Some(value) => Ok(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_written_by_measure() {
        assert_eq!(difference(Measure::Cards, "0.10", 52), Ok(0.1));
        assert_eq!(difference(Measure::Money, "0.50", 26_000), Ok(50.0));
        assert!((difference(Measure::Wins, "0.5 pp", 1).unwrap() - 0.005).abs() < 1e-12);
        for (measure, bad, why) in [
            (Measure::Wins, "0.5", "`0.5pp`"),
            (Measure::Cards, "0.5pp", "in cards"),
            (Measure::Cards, "-1", "above 0"),
            (Measure::Cards, "0", "above 0"),
            (Measure::Cards, "nan", "in cards"),
            (Measure::Cards, "52", "no game can differ"),
            (Measure::Money, "$1", "in the money"),
        ] {
            let said = difference(measure, bad, if measure == Measure::Wins { 1 } else { 52 }).unwrap_err();
            assert!(said.contains(why), "{bad}: {said}");
        }
    }
}
