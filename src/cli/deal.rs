//! `saratoga deal`

use clap::Args;
use std::io::{self, Write};
use std::process::ExitCode;

use serde::Serialize;

use crate::game::{PlayerState, SeededChance, Table, View};
use crate::interrupt;
use crate::report::board;
use crate::text::one_line;

use super::error::CliError;
use super::input::{deals, load_rules};
use super::options::Deals;
use super::terminal;
use crate::signals::finished;

/// Show the deal of a game
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  saratoga deal                        game 0 of seed 1 of canfield
  saratoga deal superior --seed 7 --game 3
  saratoga deal canfield --game 0..1000 --json > decks.jsonl")]
pub(in crate::cli) struct DealArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    #[command(flatten)]
    pub deals: Deals,
    /// Print JSON Lines: one object per game, with its deck
    #[arg(long)]
    pub json: bool,
}

#[derive(Serialize)]
struct DealLine<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    rules: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    game: u64,
    deck: String,
}

pub(super) fn run(args: DealArgs) -> Result<ExitCode, CliError> {
    let loaded = load_rules(&args.rules)?;
    let rules = &loaded.rules;
    let mut out = io::BufWriter::new(terminal::stdout());
    let seeded = args.deals.deck.is_none() && args.deals.deals.is_none();
    let seed = args.deals.seed;
    let named = one_line(&args.rules);
    for deal in deals(&args.deals, &loaded)? {
        if interrupt::requested() {
            break;
        }
        let deck = deal.deck.to_string();
        if args.json {
            let seed = seeded.then_some(seed);
            let line = DealLine { id: deal.id, rules: &args.rules, seed, game: deal.game, deck };
            writeln!(out, "{}", serde_json::to_string(&line).map_err(|e| CliError::Run(e.to_string()))?)?;
            continue;
        }
        let table = Table::deal(rules, deal.deck.cards(), &mut SeededChance::new(seed, deal.game));
        match (&deal.id, seeded) {
            (Some(id), _) => writeln!(out, "{named}, deal {id}")?,
            (None, true) => writeln!(out, "{named}, seed {seed}, game {}", deal.game)?,
            (None, false) => writeln!(out, "{named}")?,
        }
        write!(out, "{}", board(&View::new(&table, rules, &PlayerState::new(seed, deal.game))))?;
        writeln!(out, "  deck  {deck}\n")?;
    }
    out.flush()?;
    Ok(finished())
}
