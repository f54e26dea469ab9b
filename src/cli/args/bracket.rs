//! The command line of `saratoga bracket`.

use clap::Args;

use crate::amounts::Count;

use super::{RunArgs, ScriptArgs};

/// Bound what optimal play is worth, from below and above
///
/// Optimal play is the best that a player can do who sees only what is seen at the table. Nobody knows what it is worth. It is
/// worth at least what the best player here reaches, and at most what a player who knows every card could reach.
#[derive(Args, Debug)]
#[command(after_help = "\
The lower bound is the best of the players, chosen on deals of its own
(--choose) and judged on fresh ones. The upper bound is what the solver finds
possible on the same fresh deals; a deal that it does not decide within
--nodes counts with the highest result that is still possible. Rules with a die
for each draw or pass, or with a shuffled redeal, cannot be solved: there the
upper bound is only that all cards go up.

The report says whether the house gains whoever plays, a good player gains, or
it is not known yet, and what would settle it. Ctrl-C stops the run and reports
the deals that were finished.

Examples:
  saratoga bracket single-pass
  saratoga bracket canfield -s patient -s search:level=4 -n 300 --nodes 1e6
  saratoga bracket --vary stock.redeals=0..5,unlimited -n 400
  saratoga bracket canfield draw-one demon-casino -s search:level=3 -n 200
  saratoga bracket ./my-house.toml --json | jq '.points[0].house_edge'")]
pub(in crate::cli) struct BracketArgs {
    /// Rulesets: names on the shelf, or paths [default: canfield]
    #[arg(value_name = "RULES")]
    pub rules: Vec<String>,
    /// A player to try; the best one gives the lower bound: a name on the shelf, or a path; may be repeated
    /// [default: greedy, patient, hoarder and search:level=2]. `random` is always tried too, as the
    /// lowest
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// A key of the ruleset with its values, each of which has a bracket: stock.redeals=0..5,unlimited
    #[arg(long, value_name = "KEY=VALUES")]
    pub vary: Option<String>,
    /// Deals on which the players are judged, for each ruleset: 500, 2k
    #[arg(short = 'n', long, value_name = "GAMES", default_value = "1000")]
    pub games: Count,
    /// Other deals on which the best player is chosen [default: a fifth of -n]
    #[arg(long, value_name = "GAMES")]
    pub choose: Option<Count>,
    /// Limit on the positions that the solver searches in each deal
    #[arg(long, value_name = "N", default_value = "300k")]
    pub nodes: Count,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}
