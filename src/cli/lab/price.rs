//! `saratoga price RULES`

use std::process::ExitCode;

use clap::Args;

use crate::cli::error::CliError;
use crate::cli::folder::Folder;
use crate::cli::many::{joined, note, stop_on_ctrl_c, threads, unique};
use crate::cli::numbers::Count;
use crate::cli::output::shell_word;
use crate::cli::progress::Line;
use crate::lab::{self, BatchError, PriceBatch, PriceFinished, PriceStep};
use crate::report::{PricePlayer, PriceReport, count, price_document, price_json, running_figure};
use crate::strategy::StrategySource;

use super::RunArgs;
use super::amounts::{edge, price};
use super::sold::{Sold, all_differ, plain};

/// What should it cost? The terms, and the rules, for a house edge
///
/// Finds the price of the deck, the pay for each card and the bonus for the win that give a house edge, each alone, from one
/// run; and which single change of the rules (redeals, draw, reserve) brings the edge nearest to it at the price.
#[derive(Args, Debug)]
#[command(after_help = "\
Several strategies make a table, and terms that hold against each of them. Sums
in whole cents are rounded so that the edge is not below the one asked for.
Changed rulesets are dealt the same shuffles. The figures go to the terminal, and
to a folder as an HTML page with charts. Ctrl-C stops, and reports the games that
were finished.

Examples:
  saratoga price                                canfield, greedy, an edge of 5%
  saratoga price canfield -s greedy -s patient --target-edge 10%
  saratoga price demon-casino --at 50 --round 5
  saratoga price ./my-house.toml -s ./mine.rhai --variant-games 0
  saratoga price single-pass --json | jq '.players[0].offers.deck_price'")]
pub(in crate::cli) struct PriceArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    rules: String,
    /// A strategy: a name on the shelf, or a path; may be repeated [default: greedy]
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    strategies: Vec<String>,
    /// The house edge asked for, below 100%
    #[arg(long, value_name = "PERCENT", default_value = "5%", value_parser = edge, allow_hyphen_values = true)]
    target_edge: f64,
    /// Price of the deck at which payments and changed rules are looked at [default: the ruleset's]
    #[arg(long, value_name = "PRICE", value_parser = price, allow_hyphen_values = true)]
    at: Option<i64>,
    /// Games of each player: 5000, 1e6, 250k
    #[arg(short = 'n', long, value_name = "GAMES", default_value_t = GAMES, allow_negative_numbers = true)]
    games: Count,
    /// Games of each player under each changed ruleset, 0 for none [default: 20k, but no more than -n]
    #[arg(long, value_name = "GAMES", allow_negative_numbers = true)]
    variant_games: Option<Count>,
    /// Prices of changed rulesets are whole multiples of this
    #[arg(long, value_name = "PRICE", default_value = "1", value_parser = price, allow_hyphen_values = true)]
    round: i64,
    #[command(flatten)]
    run: RunArgs,
}

/// Games of each player, and under each changed ruleset, unless the command line says otherwise.
const GAMES: Count = Count(100_000);
const VARIANT_GAMES: u64 = 20_000;

pub(in crate::cli) fn run(args: PriceArgs) -> Result<ExitCode, CliError> {
    let sold = Sold::load(&args.rules, args.at)?;
    let spec = sold.loaded.rules.spec();
    if spec.casino.is_staged() {
        return Err(CliError::input(format!(
            "the stake of {} is bought in steps: there is no one price of the deck to find, and other prices would change \
             where the player stops, so nothing follows from games at these; try other `[[casino.stage]]` costs with \
             `saratoga simulate`",
            sold.file.id
        )));
    }
    let names = if args.strategies.is_empty() { vec!["greedy".into()] } else { args.strategies.clone() };
    let strategies = args.run.strategies(names)?;
    all_differ(&strategies)?;
    if args.games.0 == 0 {
        return Err(CliError::input("no games to play: -n must be at least 1"));
    }
    let players = joined(&unique(strategies.iter().map(StrategySource::id)));
    let folder = args.run.folder(&format!("price-{}-{players}-{}", sold.file.id, args.run.seed))?;
    let (files, folders) = Folder::litter(folder.as_ref(), Vec::new());
    let stop = stop_on_ctrl_c(files, folders);
    let results = play(&args, &sold, &strategies, stop)?;
    let played = results.tallies.first().map_or(0, |tally| tally.games());
    if played == 0 {
        note("interrupted before a first block of games was played: there is nothing to report");
        return Ok(ExitCode::from(130));
    }
    if results.interrupted && !args.run.quiet {
        let (games, variants) = (count(played), count(results.variant_games));
        note(&format!(
            "interrupted: the figures are those of the first {games} games, and {variants} under each changed ruleset"
        ));
    }
    let sources = sold.sources();
    let report = PriceReport {
        command: again(&args, &strategies, &results),
        version: env!("CARGO_PKG_VERSION"),
        id: &sold.file.id,
        name: sold.file.rules.name(),
        rules: spec,
        files: &sources,
        players: strategies.iter().map(|it| PricePlayer { name: it.name(), script: it.text() }).collect(),
        seed: args.run.seed,
        target: args.target_edge,
        round: args.round,
        results: &results,
    };
    let json = price_json(&report).map_err(|error| CliError::Run(error.to_string()))?;
    args.run.tell(&price_document(&report), &json, folder.as_ref(), Vec::new())?;
    Ok(ExitCode::from(if results.interrupted { 130 } else { 0 }))
}

/// Games under each changed ruleset.
fn variant_games(args: &PriceArgs) -> u64 {
    args.variant_games.map_or(VARIANT_GAMES.min(args.games.0), |games| games.0)
}

fn play(
    args: &PriceArgs,
    sold: &Sold,
    strategies: &[StrategySource],
    stop: &std::sync::atomic::AtomicBool,
) -> Result<PriceFinished, CliError> {
    let makers: Vec<_> = strategies.iter().map(|source| move || source.instantiate()).collect();
    let batch = PriceBatch {
        named: &sold.named,
        loaded: &sold.loaded,
        players: makers.iter().map(|make| make as &(dyn Fn() -> _ + Sync)).collect(),
        seed: args.run.seed,
        games: args.games.0,
        variant_games: variant_games(args),
        target: args.target_edge,
        round: args.round,
        threads: threads(args.run.threads),
    };
    let tried = lab::variants(&sold.loaded).iter().filter(|it| it.rules.is_ok()).count() as u64 + 1;
    let each = args.games.0.saturating_add(variant_games(args).saturating_mul(tried));
    let mut line = Line::new(
        "{wide_bar:.cyan/dim} {human_pos} games  {per_sec}  {eta} left  {msg}",
        Some(each.saturating_mul(strategies.len() as u64)),
        |rate| format!("{:.0}k games/s", rate / 1000.0),
        args.run.quiet,
    );
    let players = strategies.len() as u64;
    let played = lab::price(&batch, stop, &mut |step| match step {
        PriceStep::Games(so_far) => line.show(so_far.games * players, || {
            so_far
                .tallies
                .first()
                .map_or(String::new(), |tally| running_figure(tally, sold.loaded.rules.spec()))
        }),
        PriceStep::Variants(so_far, rulesets) => {
            line.show(args.games.0.saturating_add(so_far.games * rulesets as u64) * players, || {
                format!("{rulesets} rulesets with one rule changed")
            });
        }
    });
    line.clear();
    played.map_err(|error| faulted(sold, error))
}

/// What went wrong while playing, and the command that shows it.
fn faulted(sold: &Sold, error: BatchError) -> CliError {
    match error {
        BatchError::Game(error) if error.rules != sold.named => {
            // The id of a changed ruleset is that of the ruleset and the change.
            let change = error.rules.strip_prefix(&*sold.file.id).unwrap_or(&error.rules).trim();
            let shows = format!(
                "saratoga replay FILE -s {} --seed {} --game {}, where FILE is a ruleset that extends {} with {change}",
                shell_word(&error.strategy),
                error.seed,
                error.game,
                sold.named
            );
            CliError::game(error.error, shows)
        }
        other => CliError::from(other),
    }
}

/// The command line that finds the same again, however many games this run came to.
fn again(args: &PriceArgs, strategies: &[StrategySource], results: &PriceFinished) -> String {
    let mut words = vec!["saratoga price".to_string(), shell_word(&args.rules)];
    words.extend(strategies.iter().map(|it| format!("-s {}", shell_word(it.name()))));
    words.push(format!("--target-edge {}", percent(args.target_edge)));
    words.extend(args.at.map(|at| format!("--at {}", plain(at))));
    if args.round != 100 {
        words.push(format!("--round {}", plain(args.round)));
    }
    let games = results.tallies.first().map_or(0, |tally| tally.games());
    words.push(format!("-n {games} --variant-games {} --seed {}", results.variant_games, args.run.seed));
    words.join(" ")
}

/// A fraction as a percentage that reads as the same.
fn percent(fraction: f64) -> String {
    let digits = format!("{:.6}", fraction * 100.0);
    format!("{}%", digits.trim_end_matches('0').trim_end_matches('.'))
}
