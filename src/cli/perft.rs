//! `saratoga perft`

use crate::units::whole;
use clap::Args;
use std::io::Write;
use std::process::ExitCode;

use serde_json::json;

use crate::cards::Deck;
use crate::game::{NoChance, Table, perft_until};
use crate::interrupt;

use super::error::CliError;
use super::input::{load_rules, parse_deck};
use super::terminal;
use crate::signals::finished;

/// Count sequences of legal moves, to compare engines
#[derive(Args, Debug)]
#[command(after_help = "\
Prints one line `depth count` for each depth: the number of sequences of
exactly that many legal moves. The rules that end a game without progress do
not apply. Rulesets with a die or a shuffle are refused.

Examples:
  saratoga perft canfield --depth 8
  saratoga perft ./my-house.toml --deck \"QD 8S 8H 6H ...\" --depth 5")]
pub(in crate::cli) struct PerftArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// The deck: cards in the order they leave the pack [default: game 0 of the seed]
    #[arg(long, value_name = "CARDS")]
    pub deck: Option<String>,
    /// Seed of the deal
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "deck", value_parser = whole(0, u64::MAX))]
    pub seed: u64,
    /// Game of the seed
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "deck", value_parser = whole(0, u64::MAX))]
    pub game: u64,
    /// The greatest depth, 1 to 60
    #[arg(long, value_name = "N", value_parser = whole(1, 60))]
    pub depth: u64,
    /// Print a JSON array, one object per depth
    #[arg(long)]
    pub json: bool,
}

pub(super) fn run(args: PerftArgs) -> Result<ExitCode, CliError> {
    let loaded = load_rules(&args.rules)?;
    let rules = &loaded.rules;
    let shape = rules.deck_shape();
    let deck = match &args.deck {
        Some(text) => parse_deck("--deck", text, shape)?,
        None => Deck::shuffled(shape, args.seed, args.game),
    };
    let table = Table::deal(rules, deck.cards(), &mut NoChance);
    let mut out = terminal::stdout();
    let mut counts = Vec::new();
    for depth in 1..=args.depth as u32 {
        let count = perft_until(&table, rules, depth, &interrupt::FLAG).map_err(|undefined| {
            CliError::input(format!("{undefined}: {} has one; choose rules without", args.rules))
        })?;
        let Some(count) = count else { break };
        if args.json {
            counts.push(json!({ "id": depth.to_string(), "depth": depth, "count": count }));
        } else {
            // Deep counts take long, so each is printed immediately.
            writeln!(out, "{depth} {count}")?;
        }
    }
    if args.json {
        writeln!(out, "{:#}", json!(counts))?;
    }
    Ok(finished())
}
