//! The command line of `saratoga bankroll`.

use clap::Args;

use crate::amounts::{Count, whole};
use crate::amounts::{Patrons, money, patrons, price};
use crate::lab::FEWEST_REPLICATES;

use super::{RunArgs, ScriptArgs};

/// Report the house's profit over a night, and its risk of ruin
///
/// Reports the house's profit after a number of decks, how often it loses money, how likely a given bank is ruined,
/// how large a bank keeps that risk at 1%, and after how many decks the edge outweighs luck.
#[derive(Args, Debug)]
#[command(after_help = "\
The house is ruined when, before a deck is sold, its bank plus the price of
the deck is less than the most the deck can pay. Distributions are exact for
the games that were played; bootstrap intervals show what a sample of that
size leaves uncertain. With --patrons the player of each deck is drawn by the
shares. Ctrl-C stops the run and reports what was finished.

Examples:
  saratoga bankroll                             canfield, greedy, 200 decks
  saratoga bankroll canfield --at 60 --bank 8000
  saratoga bankroll --at 75 --patrons greedy:70%,patient:25%,hoarder:5%
  saratoga bankroll --patrons beginner:30%,ordinary:60%,expert:8%,shark:2%
  saratoga bankroll demon-casino --decks 50 -n 1e6 --out my-night
  saratoga bankroll single-pass --json | jq '.bankroll.ruin'")]
pub(in crate::cli) struct BankrollArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// A strategy: a name on the shelf, or a path [default: greedy]
    #[arg(short, long, value_name = "STRATEGY", conflicts_with = "patrons")]
    pub strategy: Option<String>,
    /// Several strategies with shares of the decks: greedy:70%,patient:30%; or a file of patrons
    #[arg(long, value_name = "SHARES", value_parser = patrons)]
    pub patrons: Option<Patrons>,
    /// Decks sold in the night, 1 to 5000
    #[arg(long, value_name = "DECKS", default_value_t = 200, value_parser = whole(1, 5000))]
    pub decks: u64,
    /// Money in the bank before the first deck
    #[arg(long, value_name = "MONEY", default_value = "5000", value_parser = money, allow_hyphen_values = true)]
    pub bank: i64,
    /// Price of the deck [default: the ruleset's]
    #[arg(long, value_name = "PRICE", value_parser = price, allow_hyphen_values = true)]
    pub at: Option<i64>,
    /// Games of each strategy, at least 1000: 5000, 1e6, 250k
    #[arg(short = 'n', long, value_name = "GAMES", default_value = "100k")]
    pub games: Count,
    /// Games of each strategy that searches, at most; at least 1000
    #[arg(long, value_name = "GAMES", default_value = "2000")]
    pub search_games: Count,
    /// Bootstrap samples for the intervals, 100 to 10000
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = whole(FEWEST_REPLICATES, 10_000))]
    pub bootstrap: u64,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}
