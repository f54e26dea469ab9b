//! The command line of `saratoga estimate`.

use std::path::PathBuf;

use clap::Args;

use crate::amounts::{Count, PATRONS, Patrons, Rate, patrons, price, whole};

use super::{RunArgs, ScriptArgs};

/// Find out from a night's results whether it was luck, and who came
///
/// Measures every kind of player that may have come, and answers first whether the payout may have been luck: by one look at the
/// whole night, and by a test that watches it deck by deck. Then it reports what the results say of the mix of players and of
/// the house edge, with 95% intervals.
#[derive(Args, Debug)]
#[command(after_help = "\
The file is CSV with a line of column names; other columns are passed over:
  cards         a row for each deck: its cards on the foundations
  cards,decks   a row for each number of cards: the decks that came to it
  decks,paid    a row for some decks, 30 or more: the money paid for them
Beside cards, paid is checked: it must be what the ruleset pays for them.
Commas, semicolons or tabs separate columns. Money is read as spreadsheets
write it: $6,445.00 or 6.445,00 EUR, (5.00) for -5. What can be read in two
ways is refused, and so are rows of totals and another currency than the
ruleset's. With a file of patrons, decks_each is not used.

Before the night the shares of --patrons are believed as much as --prior decks
of which it is known who played them. --alpha is how rare a payout must be to
be no luck, and how often the watch may give a false alarm, though one looks
after every row. Where no mix of these players explains the night, no edge
and no shares are shown. Ctrl-C stops the run and reports what was finished.

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
    /// Who may have come, 12 at most, each with the share of decks that is expected, or a file of them
    #[arg(long, value_name = "SHARES", default_value = PATRONS, value_parser = patrons)]
    pub patrons: Patrons,
    /// Decks that the expected shares weigh as much as, 1 to 100000
    #[arg(long, value_name = "DECKS", default_value_t = 10, value_parser = whole(1, 100_000))]
    pub prior: u64,
    /// Error rate: calling an honest night no luck
    #[arg(long, value_name = "RATE", default_value = "1%")]
    pub alpha: Rate,
    /// Games that measure each kind of player: 5000, 1e6, 250k
    #[arg(short = 'n', long, value_name = "GAMES", default_value = "100k")]
    pub games: Count,
    /// Games that measure a player who searches, at most; at least 1000
    #[arg(long, value_name = "GAMES", default_value = "2000")]
    pub search_games: Count,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}
