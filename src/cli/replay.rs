//! `saratoga replay`

use std::io::{self, Write};
use std::process::ExitCode;

use crate::interrupt;
use crate::lab::GameRunner;
use crate::report::cents;
use crate::stats::staked_and_net;
use crate::strategy::StrategySource;
use crate::strategy::script::Explained;
use crate::text::one_line;

use super::args::ReplayArgs;
use super::error::CliError;
use super::input::{deals, load_rules, load_strategy};
use super::play;
use super::replay_game::{draw_game, faulted};
use super::terminal;
use crate::signals::finished;

pub(super) fn run(args: ReplayArgs) -> Result<ExitCode, CliError> {
    if args.step {
        return play::step(&args);
    }
    match show(&args) {
        // The games before the current one were shown.
        Err(CliError::Interrupted) | Ok(()) => Ok(finished()),
        Err(error) => Err(error),
    }
}

fn show(args: &ReplayArgs) -> Result<(), CliError> {
    let loaded = load_rules(&args.rules)?;
    let source = load_strategy(&args.strategy)?;
    let rules = &loaded.rules;
    let mut out = io::BufWriter::new(terminal::stdout());
    let mut player = GameRunner::new(&args.rules, rules, source.instantiate());
    let mut deals = deals(&args.deals, &loaded)?.enumerate().peekable();
    let explains = args.explain || args.trace.is_some();
    let mut explained = explains.then(|| explained(args, &source)).transpose()?.flatten();
    let mut draw = explains;
    let staged = rules.spec().casino.is_staged();
    while let Some((i, deal)) = deals.next() {
        if interrupt::requested() {
            break;
        }
        if args.json {
            let mut record = player
                .record(&deal.deck, args.deals.seed, deal.game)
                .map_err(|error| faulted(args, &deal, error.error))?;
            // The name as given, so that the record can be reproduced.
            record.strategy = args.strategy.clone();
            record.id = deal.id;
            writeln!(out, "{}", serde_json::to_string(&record).map_err(|e| CliError::Run(e.to_string()))?)?;
            continue;
        }
        draw |= i == 0 && deals.peek().is_none();
        if draw {
            if i > 0 {
                writeln!(out)?;
            }
            let explained = explained.as_mut();
            let shown = draw_game(&mut out, args, rules, &deal, (&source, explained), &mut player);
            // The moves before an error help to find its cause.
            out.flush()?;
            shown?;
        } else {
            if i == 0 {
                let money = if staged { format!("  {:>9}  {:>9}", "staked", "net") } else { String::new() };
                writeln!(
                    out,
                    "{}{money}",
                    row("game", ["end", "cards", "moves", "redeals", "reserve left"])
                )?;
            }
            let o = player
                .watch(&deal.deck, args.deals.seed, deal.game, &mut ())
                .map_err(|error| faulted(args, &deal, error.error))?;
            let name = deal.id.unwrap_or_else(|| deal.game.to_string());
            let (cards, moves, redeals) = (o.cards.to_string(), o.moves.to_string(), o.redeals.to_string());
            let cells = [o.end.to_string(), cards, moves, redeals, o.reserve_left.to_string()];
            write!(out, "{}", row(&name, cells.each_ref().map(String::as_str)))?;
            if staged {
                let (staked, net) = staked_and_net(rules.spec(), &o);
                let [staked, net] = [staked, net].map(|amount| cents(amount, &rules.spec().casino));
                write!(out, "  {staked:>9}  {net:>9}")?;
            }
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(())
}

/// Returns another instance of the script that explains its scores; `None` for a strategy that is no script.
fn explained(args: &ReplayArgs, source: &StrategySource) -> Result<Option<Explained>, CliError> {
    let trace = args.trace.map(|line| line as usize);
    match source.script() {
        Some(text) => Explained::new(source.name(), text, trace).map(Some).map_err(CliError::of_scripts),
        None if trace.is_some() => {
            let name = one_line(&args.strategy);
            Err(CliError::input(format!("`{name}` is no single script, so no line of it can be traced")))
        }
        None => Ok(None),
    }
}

/// Formats a line of the table of games.
fn row(game: &str, [end, cards, moves, redeals, reserve]: [&str; 5]) -> String {
    format!("{game:>8}  {end:<8}  {cards:>5}  {moves:>5}  {redeals:>7}  {reserve:>12}")
}
