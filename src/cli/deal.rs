//! `saratoga deal`

use std::io::{self, Write};
use std::process::ExitCode;

use serde::Serialize;

use crate::game::{Luck, SeededChance, Table, View};
use crate::interrupt;
use crate::report::board;

use super::args::DealArgs;
use super::error::CliError;
use super::input::{deals, load_rules};
use super::signals::finished;

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
    let mut out = io::BufWriter::new(io::stdout().lock());
    let seeded = args.deals.deck.is_none() && args.deals.deals.is_none();
    let seed = args.deals.seed;
    for deal in deals(&args.deals, rules.deck_shape())? {
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
            (Some(id), _) => writeln!(out, "{}, deal {id}", args.rules)?,
            (None, true) => writeln!(out, "{}, seed {seed}, game {}", args.rules, deal.game)?,
            (None, false) => writeln!(out, "{}", args.rules)?,
        }
        write!(out, "{}", board(&View::new(&table, rules, &Luck::new(seed, deal.game))))?;
        writeln!(out, "  deck  {deck}\n")?;
    }
    out.flush()?;
    Ok(finished())
}
