//! The command line of `saratoga sweep`.

use clap::Args;

use crate::amounts::{Count, Patrons, Percent, patrons};
use crate::stats::Precision;

use super::{RunArgs, ScriptArgs};

/// Games of all cells together, unless the command line says otherwise.
pub(in crate::cli) const BUDGET: u64 = 10_000_000;

/// Show how changes of the rules change the house edge, the win rate and the cards
#[derive(Args, Debug)]
#[command(after_help = "\
Each --vary is an axis: a key of the ruleset and its values. 1..5 means 1, 2,
3, 4 and 5 (both ends are included); 5..20:3 means 5, 8, 11, 14, 17 and 20;
lists are separated by commas, and words need no quotes. Several strategies,
or several rulesets with --rules, are an axis too. A sweep has up to three
axes and plays every combination of their values. Cells whose values make no
valid ruleset are shown with the reason. `saratoga rules show RULES` lists
the keys.

Rulesets with the same packs are dealt the same deals. So each cell is also
compared, deal by deal, with the original rules, or with those of --against;
the difference is known much better than the two edges. Every cell starts with
2,000 games. Further rounds go to the cells that need them, until the 95%
interval of every cell is within --precision (half of it where the edge is
close to --target-edge) or --budget is spent. With -n every cell gets exactly
that many games instead.

What is played is kept in the report's folder. After an interruption the same
command resumes the sweep and ends with the same results.

Examples:
  saratoga sweep --vary stock.redeals=0..5,unlimited -s greedy -s patient
  saratoga sweep demon-casino --vary stock.draw=1..5 --vary stock.redeals=0..2
  saratoga sweep --vary stock.draw=1..3 --vary stock.redeals=0..3 -n 50k
  saratoga sweep --vary stock.redeals=4..6 --against stock.redeals=5
  saratoga sweep exorcism-die-pass --vary stock.draw.die=2..8 --target-edge 5%
  saratoga sweep --rules canfield,storehouse --vary stock.redeals=0..3
  saratoga sweep --vary 'stock.draw=3,[3,2,1],{ die = 6, roll = pass }' --json")]
pub(in crate::cli) struct SweepArgs {
    /// The ruleset to change: a name on the shelf, or a path [default: canfield]
    #[arg(value_name = "RULES", conflicts_with = "several")]
    pub rules: Option<String>,
    /// Several rulesets as an axis: canfield,storehouse
    #[arg(long = "rules", value_name = "RULES,...", value_delimiter = ',')]
    pub several: Vec<String>,
    /// A key of the ruleset with its values: stock.draw=1..5; may be repeated
    #[arg(long, value_name = "KEY=VALUES")]
    pub vary: Vec<String>,
    /// A strategy: a name on the shelf, or a path; several are an axis [default: greedy]
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// A mix of players, as one more strategy: each game is played by one of them, drawn by the shares; or a file of them
    #[arg(long, value_name = "SHARES", value_parser = patrons)]
    pub patrons: Option<Patrons>,
    /// Play exactly this many games in each cell, instead of until --precision is reached: 5000, 1e6, 250k
    #[arg(short = 'n', long, value_name = "GAMES", conflicts_with_all = ["precision", "budget"])]
    pub games: Option<Count>,
    /// The house edge you look for; cells near it get more games: 0%, 5%
    #[arg(long, value_name = "EDGE", default_value = "0%", allow_hyphen_values = true)]
    pub target_edge: Percent,
    /// Compare each cell with these rules instead of the original ones: stock.redeals=3; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub against: Vec<String>,
    /// Half-width of every cell's 95% interval: 1pp (points of the house edge), 0.05 (mean cards)
    /// [default: 1pp, or 0.1 cards where a deck is free]
    #[arg(long, value_name = "WIDTH")]
    pub precision: Option<Precision>,
    /// Most games of all cells together: 500k, 1e7
    #[arg(long, value_name = "GAMES", default_value = "10M")]
    pub budget: Count,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}
