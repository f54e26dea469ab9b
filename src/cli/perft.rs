//! `saratoga perft`

use std::io::Write;
use std::process::ExitCode;

use serde_json::json;

use crate::cards::Deck;
use crate::game::{NoChance, Table, perft_until};
use crate::interrupt;

use super::args::PerftArgs;
use super::error::CliError;
use super::input::{load_rules, parse_deck};
use super::terminal;
use crate::signals::finished;

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
