//! The command line of `saratoga plan`.

use clap::Args;

use crate::amounts::{Count, PATRONS, Patrons, PercentRange, money, patrons, price, whole};
use crate::lab::{FEWEST_REPLICATES, MOST_DECKS, MOST_NIGHTS};

use super::{RunArgs, ScriptArgs};

/// Plan a paid variant: its price, its nights, and what the best players cost
///
/// Finds a round price at which a mix of players leaves the house an edge in the target range, and reports what a night and a
/// season bring, how large a bank must be, what the best player costs, and the figures of a PAR sheet. Everything is written
/// as a page, a workbook (plan.xlsx) and CSV files.
#[derive(Args, Debug)]
#[command(after_help = "\
The plan is about the first ruleset. Further rulesets are priced for the same
players and stand beside it in a table; --vary makes them of one ruleset. The
price is found on games of its own.
The strategy of --best is measured beside the players who come, as the best
player known. Ctrl-C stops the run and reports what was finished.

Examples:
  saratoga plan                                 canfield, 300 decks a night
  saratoga plan canfield demon-casino --decks 300 --bank 2000
  saratoga plan canfield --vary stock.redeals=0..5
  saratoga plan --patrons beginner:50%,ordinary:50% --target-edge 5%..10%
  saratoga plan ./my-house.toml --round 5 --nights 20 --out my-plan
  saratoga plan canfield --at 60 --json | jq '.rulesets[0].edge'")]
pub(in crate::cli) struct PlanArgs {
    /// Rulesets: names on the shelf, or paths
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: Vec<String>,
    /// Compare the rulesets with these values of a key, as in `saratoga sweep`: stock.redeals=0..5; may be repeated
    #[arg(long, value_name = "KEY=VALUES")]
    pub vary: Vec<String>,
    /// Who plays: strategies, each with its share of the decks, or a file of patrons
    #[arg(long, value_name = "SHARES", default_value = PATRONS, value_parser = patrons)]
    pub patrons: Patrons,
    /// The best player known, measured beside the patrons
    #[arg(long, value_name = "STRATEGY", default_value = "shark")]
    pub best: String,
    /// The range in which the house edge of the mix should be
    #[arg(long, value_name = "RANGE", default_value = "5%..10%", allow_hyphen_values = true)]
    pub target_edge: PercentRange,
    /// Price of the deck, instead of finding one
    #[arg(long, value_name = "PRICE", value_parser = price, allow_hyphen_values = true)]
    pub at: Option<i64>,
    /// Prices are whole multiples of this; rounder ones are preferred
    #[arg(long, value_name = "PRICE", default_value = "1", value_parser = price, allow_hyphen_values = true)]
    pub round: i64,
    /// Decks sold in a night, 1 to 5000
    #[arg(long, value_name = "DECKS", default_value_t = 300, value_parser = whole(1, MOST_DECKS))]
    pub decks: u64,
    /// Nights of a season, 1 to 1000
    #[arg(long, value_name = "NIGHTS", default_value_t = 50, value_parser = whole(1, MOST_NIGHTS))]
    pub nights: u64,
    /// Money in the bank before the first night
    #[arg(long, value_name = "MONEY", default_value = "5000", value_parser = money, allow_hyphen_values = true)]
    pub bank: i64,
    /// Games of each strategy, at least 1000: 5000, 1e6, 250k
    #[arg(short = 'n', long, value_name = "GAMES", default_value = "100k")]
    pub games: Count,
    /// Games of each strategy that searches, at most; at least 1000
    #[arg(long, value_name = "GAMES", default_value = "2000")]
    pub search_games: Count,
    /// Deals to solve for a player who knows every card, 0 for none
    #[arg(long, value_name = "DEALS", default_value = "200")]
    pub clairvoyant: Count,
    /// Positions to look at in each of these deals
    #[arg(long, value_name = "N", default_value = "300k")]
    pub nodes: Count,
    /// Bootstrap samples for the intervals, 100 to 10000
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = whole(FEWEST_REPLICATES, 10_000))]
    pub bootstrap: u64,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}
