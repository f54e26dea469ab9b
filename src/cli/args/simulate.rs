//! The command line of `saratoga simulate`.

use std::path::PathBuf;

use clap::Args;

use crate::stats::Precision;
use crate::units::{Count, Patrons, patrons, whole};

use super::{RunArgs, ScriptArgs};

/// Default number of decks sold in a night.
pub(in crate::cli) const NIGHT: u64 = 200;

/// Play many games and report win rate, cards and house edge
#[derive(Args, Debug)]
#[command(
    after_help = "\
Every strategy plays every ruleset on the same shuffles. The results are
printed and written to a folder, as an HTML page with charts. Ctrl-C stops the
run and reports the games that were finished.

Examples:
  saratoga simulate                       canfield, greedy, 100,000 games
  saratoga simulate canfield demon-casino -s patient -s greedy -n 1e6 --seed 7
  saratoga simulate single-pass --precision 0.5pp
  saratoga simulate canfield -s greedy -s patient --clairvoyant=500
  saratoga simulate ./my-house.toml -s ./mine.rhai --out my-report
  saratoga simulate canfield --deals decks.txt   the decks of a file
  saratoga simulate storehouse --json | jq '.[0].summary.house_edge'",
    mut_arg("json", |arg| arg.help("Print the results as a JSON array; write a report only with --out or --csv"))
)]
pub(in crate::cli) struct SimulateArgs {
    /// Rulesets: names on the shelf, or paths [default: canfield]
    #[arg(value_name = "RULES")]
    pub rules: Vec<String>,
    /// A strategy: a name on the shelf, or a path; may be repeated [default: greedy]
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// A mix of players, as one more strategy: each game is played by one of them, drawn by the shares; or a file of
    /// them
    #[arg(long, value_name = "SHARES", value_parser = patrons)]
    pub patrons: Option<Patrons>,
    /// Games for each ruleset and strategy: 5000, 1e6, 250k [default: 100k, or 1G with --precision]
    #[arg(short = 'n', long, value_name = "GAMES")]
    pub games: Option<Count>,
    /// Play the decks of this file instead of those of the seed, one per line: the cards, or an id, a tab and the
    /// cards; -n takes the first of them; a deck counts as often as it is listed; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "clairvoyant")]
    pub deals: Option<PathBuf>,
    /// Play until every 95% interval is within ± WIDTH: 0.05 (mean cards), 1pp (points of the house edge)
    #[arg(long, value_name = "WIDTH")]
    pub precision: Option<Precision>,
    /// Decks sold in a night, for the chart of the house's profit
    #[arg(long, value_name = "DECKS", default_value_t = NIGHT, value_parser = whole(1, 10_000))]
    pub night: u64,
    /// Also write every game to the report's folder: games.csv, or games-RULES-STRATEGY.csv if there are several
    #[arg(long, conflicts_with = "no_report")]
    pub csv: bool,
    /// Also report, for the first DEALS games, what a player who knows every card would reach [default: 200]
    #[arg(long, value_name = "DEALS", num_args = 0..=1, require_equals = true, default_missing_value = "200")]
    pub clairvoyant: Option<Count>,
    /// Limit on the positions searched in each of these deals; the results are the same on every machine
    #[arg(long, value_name = "N", default_value = "200k", requires = "clairvoyant")]
    pub clairvoyant_nodes: Count,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}
