//! The command line of `saratoga play`.

use std::path::PathBuf;

use clap::Args;

use crate::units::whole;

/// Play a game yourself
#[derive(Args, Debug)]
#[command(after_help = "\
On a terminal: pick a move with the arrow keys and Enter, or click. Or name
where the cards come from and where they go: `r` reserve, `w` waste, `1` to
`9` piles, `f` foundations. Space draws or redeals, `u` takes back, `h` asks
the strategy for a hint, `n` lets it make a move, `?` shows all keys.

With --plain, or where input or output is no terminal, moves are read from
standard input, one or more a line, as in R>F or T2>T1x3; `help` lists the
other words. NO_COLOR is heeded.

Examples:
  saratoga play                        game 0 of seed 1 of canfield
  saratoga play klondike --game 17 --save games.jsonl
  saratoga play ./my-house.toml -s patient
  printf 'draw draw\\nhint\\n' | saratoga play --plain")]
pub(in crate::cli) struct TableArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// Who gives hints and can be watched: a name on the shelf, or the path of a script
    #[arg(short, long, value_name = "STRATEGY", default_value = "search")]
    pub strategy: String,
    /// Seed of the deal
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub seed: u64,
    /// Game of the seed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0, u64::MAX))]
    pub game: u64,
    /// A deck of your own: its cards in the order they leave the pack, or a file with them
    #[arg(long, value_name = "CARDS|FILE", conflicts_with = "game")]
    pub deck: Option<String>,
    #[command(flatten)]
    pub table: AtTable,
}

/// How a game is shown and kept.
#[derive(Args, Debug)]
pub(in crate::cli) struct AtTable {
    /// Read moves from standard input line by line, and print positions as text
    #[arg(long)]
    pub plain: bool,
    /// Add the record of the game to this file when you leave
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}
