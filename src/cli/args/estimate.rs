//! The command line of `saratoga estimate`.

use std::path::PathBuf;

use clap::Args;

use crate::amounts::{Count, Patrons, Rate, patrons, price, whole};

use super::{RunArgs, ScriptArgs};

/// Find out from a night's results who came, and whether it was luck
///
/// Measures every kind of player that may have come, and reports what the results say of the mix of players and of the house
/// edge, with 95% intervals, how likely so high a payout is by chance, and when the results were too bad for chance.
#[derive(Args, Debug)]
#[command(after_help = "\
The file is CSV with a line of column names:
  cards         a row for each deck: its cards on the foundations
  cards,decks   a row for each number of cards: the decks that came to it
  decks,paid    a row for some decks, 30 or more: the money paid for them

Before the night the shares of --patrons are believed as much as --prior decks
of which it is known who played them. The test may be looked at after every
row: an honest night is called too bad for chance in at most --alpha of all
nights. Ctrl-C stops the run and reports what was finished.

Examples:
  saratoga estimate night.csv --rules canfield --at 60
  saratoga estimate night.csv --rules demon-casino --alpha 0.1%
  saratoga estimate night.csv --patrons ordinary:90%,shark:10% --prior 20
  saratoga estimate night.csv --patrons guests.toml --json | jq .edge")]
pub(in crate::cli) struct EstimateArgs {
    /// The results of a night; `-` is standard input
    #[arg(value_name = "NIGHT.csv")]
    pub night: PathBuf,
    /// The ruleset that was played: a name on the shelf, or a path
    #[arg(long, value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// Price at which the deck was sold [default: the ruleset's]
    #[arg(long, value_name = "PRICE", value_parser = price, allow_hyphen_values = true)]
    pub at: Option<i64>,
    /// Who may have come, each with the share of decks that is expected, or a file of them
    #[arg(long, value_name = "SHARES", default_value = super::PATRONS, value_parser = patrons)]
    pub patrons: Patrons,
    /// Decks that the expected shares weigh as much as, 1 to 100000
    #[arg(long, value_name = "DECKS", default_value_t = 10, value_parser = whole(1, 100_000))]
    pub prior: u64,
    /// Error rate: calling an honest night too bad for chance
    #[arg(long, value_name = "RATE", default_value = "1%")]
    pub alpha: Rate,
    /// Games that measure each kind of player: 5000, 1e6, 250k
    #[arg(short = 'n', long, value_name = "GAMES", default_value = "100k")]
    pub games: Count,
    /// Games that measure a player who searches, at most
    #[arg(long, value_name = "GAMES", default_value = "2000")]
    pub search_games: Count,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}
