//! What a comparison asks: by what, for how small a difference, how surely, over how many deals.

use crate::amounts::{Rate, plain_number};
use crate::cli::args::CompareArgs;
use crate::cli::error::CliError;
use crate::rules::{Casino, Spec};
use crate::stats::{GameWorth, Measure, SequentialTest};

/// Deals at most of two and of more entries, unless the command line says otherwise.
const BUDGET: u64 = 1_000_000;
const OF_MANY: u64 = 100_000;
/// Both error rates.
const RATE: f64 = 0.05;

/// The question that the command line asks.
#[derive(Debug)]
pub(super) struct Question {
    pub measure: Measure,
    /// Of two entries. Without --difference its difference is the least that may be taken from the first deals.
    pub test: Option<SequentialTest>,
    pub budget: u64,
}

impl Question {
    /// Of entries under these rules, on so many given deals or on those of a seed.
    pub fn of(args: &CompareArgs, specs: Vec<&Spec>, given: Option<u64>) -> Result<Question, CliError> {
        let measure = args.measure;
        let default = given.unwrap_or(if specs.len() == 2 { BUDGET } else { OF_MANY });
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
            if !casinos().any(Casino::is_for_money) {
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
            Some(text) => measure.difference(text, reach).map_err(CliError::input)?,
            None => measure.usual_difference(&a.casino),
        };
        let rate = |given: &Option<Rate>| given.as_ref().map_or(RATE, |rate| rate.1);
        let test = SequentialTest { difference, alpha: rate(&args.alpha), beta: rate(&args.beta), reach };
        Ok(Question { measure, test: Some(test), budget })
    }

    /// A difference as --difference takes it.
    pub fn written(&self, difference: f64) -> String {
        match self.measure {
            Measure::Cards => plain_number(difference),
            Measure::Wins => format!("{}pp", plain_number(100.0 * difference)),
            Measure::Money => plain_number(difference / 100.0),
        }
    }
}
