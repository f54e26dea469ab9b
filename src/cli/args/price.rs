//! The command line of `saratoga price`.

use clap::Args;

use crate::amounts::{Count, Patrons, Percent, patrons, price};

use super::{RunArgs, ScriptArgs};

/// Find the prices and rule changes that give a chosen house edge
///
/// Finds the price of the deck, the pay per card and the bonus for a win that each give the target edge when it alone is
/// changed, all from one run. Then it tries single changes of the rules (redeals, draw, reserve) and reports which
/// comes closest to the target at the ruleset's price.
#[derive(Args, Debug)]
#[command(after_help = "\
Several strategies make a table, with prices that hold against each of them.
Prices are rounded to whole cents so that the edge is not below the target.
Changed rulesets are dealt the same shuffles. The results are printed and
written to a folder, as an HTML page with charts. Ctrl-C stops the run and
reports the games that were finished.

Examples:
  saratoga price                                canfield, greedy, an edge of 5%
  saratoga price canfield -s greedy -s patient --target-edge 10%
  saratoga price demon-casino --at 50 --round 5
  saratoga price ./my-house.toml -s ./mine.rhai --variant-games 0
  saratoga price single-pass --json | jq '.players[0].offers.deck_price'")]
pub(in crate::cli) struct PriceArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// A strategy: a name on the shelf, or a path; may be repeated [default: greedy]
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// A mix of players, as one more strategy: each game is played by one of them, drawn by the shares; or a file of them
    #[arg(long, value_name = "SHARES", value_parser = patrons)]
    pub patrons: Option<Patrons>,
    /// The house edge to reach, below 100%
    #[arg(long, value_name = "PERCENT", default_value = "5%", allow_hyphen_values = true)]
    pub target_edge: Percent,
    /// Price of the deck at which to find the pay per card, the bonus and the rule change [default: the ruleset's]
    #[arg(long, value_name = "PRICE", value_parser = price, allow_hyphen_values = true)]
    pub at: Option<i64>,
    /// Games of each strategy: 5000, 1e6, 250k
    #[arg(short = 'n', long, value_name = "GAMES", default_value = "100k")]
    pub games: Count,
    /// Games of each strategy under each changed ruleset, 0 for none [default: 20k, but no more than -n]
    #[arg(long, value_name = "GAMES")]
    pub variant_games: Option<Count>,
    /// Round the prices of changed rulesets to whole multiples of this
    #[arg(long, value_name = "PRICE", default_value = "1", value_parser = price, allow_hyphen_values = true)]
    pub round: i64,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}
