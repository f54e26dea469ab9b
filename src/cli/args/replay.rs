//! The command line of `saratoga replay`.

use std::path::PathBuf;

use clap::Args;

use crate::units::{Games, whole};

/// Which deals a command is about.
#[derive(Args, Debug)]
pub(in crate::cli) struct Deals {
    /// Seed of the deals
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub seed: u64,
    /// One game, 17, or a range without its end, 0..200; with --deals, of those of the file, from 0 [default: 0, or all of a
    /// file]
    #[arg(long, value_name = "GAMES")]
    pub game: Option<Games>,
    /// A deck of your own: its cards in the order they leave the pack
    #[arg(long, value_name = "CARDS", conflicts_with_all = ["game", "deals"])]
    pub deck: Option<String>,
    /// A file of decks, one per line: the cards, or an id, a tab and the cards; at most 64 MiB; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub deals: Option<PathBuf>,
}

/// Show games move by move
#[derive(Args, Debug)]
#[command(after_help = "\
A single game is shown step by step, several games as one line each. ## is a
face-down card, -- an empty place; on the foundations TS is the top of spades
and -C no clubs yet. R>F moves the reserve's top to a foundation, W>T2 the
waste's top to pile 2, and T4>T2x3 three cards from pile 4 to pile 2.

Examples:
  saratoga replay                      watch greedy play game 0 of seed 1
  saratoga replay superior -s patient --seed 7 --game 3 --explain
  saratoga replay canfield --game 17 --step
  saratoga replay --step --record records.jsonl --line 3
  saratoga replay canfield --game 0..200 --json > records.jsonl")]
pub(in crate::cli) struct ReplayArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// A strategy: a name on the shelf, or the path of a script
    #[arg(short, long, value_name = "STRATEGY", default_value = "greedy")]
    pub strategy: String,
    #[command(flatten)]
    pub deals: Deals,
    /// Show every legal move at each step, with its card, its score and the line of the script that gave it
    #[arg(long, conflicts_with = "json")]
    pub explain: bool,
    /// Show what the variables of a script hold each time that it reaches this line; includes --explain
    #[arg(long, value_name = "LINE", conflicts_with_all = ["json", "step"], value_parser = whole(1, 1_000_000))]
    pub trace: Option<u64>,
    /// Print JSON Lines: one record per game
    #[arg(long)]
    pub json: bool,
    /// Step through one game yourself, forwards and back, at the table of `saratoga play`
    #[arg(long, conflicts_with_all = ["explain", "json", "deals"])]
    pub step: bool,
    /// With --step: the game of a record in this file; -s then gives hints
    #[arg(long, value_name = "FILE", requires = "step", conflicts_with_all = ["rules", "game", "deck"])]
    pub record: Option<PathBuf>,
    /// With --record: the line of the file [default: the first record]
    #[arg(long, value_name = "N", requires = "record", value_parser = whole(1, u64::MAX))]
    pub line: Option<u64>,
    /// With --step: read commands from standard input, and print positions as text
    #[arg(long, requires = "step")]
    pub plain: bool,
}
