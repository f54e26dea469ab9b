//! `saratoga price`: its arguments and its experiment.

use std::process::ExitCode;

use clap::Args;

use super::checkpoint::resolved;
use super::driver::{self, FIRST_BLOCK, Played, RunContext, Setup};
use super::error::CliError;
use super::input::{PricedRuleset, all_differ, at_least_1};
use super::options::{PlayerArgs, RunArgs, ScriptArgs};
use super::progress::{GAMES, Line};
use super::terminal::{joined, shell_word};
use crate::lab::{self, BatchError, PriceStep, Pricing};
use crate::report::{count, price_document};
use crate::strategy::StrategySource;
use crate::units::{Count, Percent, price};

/// Default number of games under each changed ruleset.
const VARIANT_GAMES: u64 = 20_000;

/// Find the prices and rule changes that give a chosen house edge
///
/// Finds the price of the deck, the pay per card and the bonus for a win that each give the target edge when it alone is
/// changed, all from one run. Then it tries single changes of the rules (redeals, draw, reserve) and reports which
/// comes closest to the target at the ruleset's price.
#[derive(Args, Debug)]
#[command(after_help = "\
Several strategies make a table, with prices that hold against each of them.
Prices are rounded to whole cents so that the edge is not below the target.
Changed rulesets are dealt the same shuffles. The results are printed and
written to a folder, as an HTML page with charts. Ctrl-C stops the run and
reports the games that were finished.

Examples:
  saratoga price                                canfield, greedy, an edge of 5%
  saratoga price canfield -s greedy -s patient --target-edge 10%
  saratoga price demon-casino --at 50 --round 5
  saratoga price ./my-house.toml -s ./mine.rhai --variant-games 0
  saratoga price single-pass --json | jq '.players[0].offers.deck_price'")]
pub(in crate::cli) struct PriceArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    #[command(flatten)]
    pub players: PlayerArgs,
    /// The house edge to reach, below 100%
    #[arg(long, value_name = "PERCENT", default_value = "5%", allow_hyphen_values = true)]
    pub target_edge: Percent,
    /// Price of the deck at which to find the pay per card, the bonus and the rule change [default: the ruleset's]
    #[arg(long, value_name = "PRICE", value_parser = price, allow_hyphen_values = true)]
    pub at: Option<i64>,
    /// Games of each strategy: 5000, 1e6, 250k
    #[arg(short = 'n', long, value_name = "GAMES", default_value = "100k")]
    pub games: Count,
    /// Games of each strategy under each changed ruleset, 0 for none [default: 20k, but no more than -n]
    #[arg(long, value_name = "GAMES")]
    pub variant_games: Option<Count>,
    /// Round the prices of changed rulesets to whole multiples of this
    #[arg(long, value_name = "PRICE", default_value = "1", value_parser = price, allow_hyphen_values = true)]
    pub round: i64,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

pub(super) fn run(args: PriceArgs) -> Result<ExitCode, CliError> {
    let sold = PricedRuleset::load(&args.rules, args.at)?;
    if sold.loaded.rules.spec().casino.is_staged() {
        return Err(CliError::input(format!(
            "{} sells the stake in stages, so that the deck has no single price to find, and other prices would change \
             where the player stops; try other `[[casino.stage]]` costs with `saratoga simulate`",
            sold.file.id
        )));
    }
    let strategies = args.players.load(&args.scripts)?;
    all_differ(&strategies)?;
    at_least_1(args.games.0, "no games to play: -n")?;
    let variant_games = args.variant_games.map_or(VARIANT_GAMES.min(args.games.0), |games| games.0);
    let spec = sold.loaded.rules.spec();
    let ids = joined(strategies.iter().map(StrategySource::id));
    let setup = Setup {
        folder: format!("price-{}-{ids}-{}", sold.file.id, args.run.seed),
        resolved: vec![
            args.players.resolved(),
            sold.resolved_price(),
            resolved("--variant-games", [variant_games]),
        ],
        stages: Some(1 + u32::from(spec.casino.stake > 0 && variant_games > 0)),
        ..Setup::new(&args.run, [&sold.file], &strategies)
    };
    let play = |RunContext { workers, .. }: RunContext<'_>| {
        let pricing = Pricing {
            named: &sold.named,
            loaded: &sold.loaded,
            players: &strategies,
            seed: args.run.seed,
            games: args.games.0,
            variant_games,
            target: args.target_edge.0,
            round: args.round,
            workers,
        };
        let tried = lab::variants(&sold.loaded).iter().filter(|(_, rules)| rules.is_ok()).count() as u64 + 1;
        let each = args.games.0.saturating_add(variant_games.saturating_mul(tried));
        let players = strategies.len() as u64;
        let mut line = Line::bar(GAMES, each.saturating_mul(players), args.run.quiet);
        let prices = lab::price(&pricing, &mut |step| match step {
            PriceStep::Games(so_far) => line.show_edge(so_far.games * players, so_far, spec),
            PriceStep::Variants(so_far, rulesets) => {
                line.show(args.games.0.saturating_add(so_far.games * rulesets as u64) * players, || {
                    format!("{rulesets} rulesets with one rule changed")
                });
            }
        });
        let prices = prices.map_err(|error| strategy_fault(&sold, error))?;
        if prices.games() == 0 {
            return Err(FIRST_BLOCK);
        }
        let usual = VARIANT_GAMES.min(prices.games()) == prices.variant_games;
        let variants = (args.variant_games.is_some() || !usual).then_some(prices.variant_games);
        Ok(Played {
            interrupted: prices.interrupted.then(|| {
                let (games, variants) = (count(prices.games()), count(prices.variant_games));
                format!(
                    "the figures are those of the first {games} games, and {variants} under each changed ruleset"
                )
            }),
            again: vec![resolved("--games", [prices.games()]), resolved("--variant-games", variants)],
            found: prices,
        })
    };
    driver::run(setup, play, |prices, output| output.print(price_document(&output.run, &prices), &prices, []))
}

/// Returns the error of a strategy, with the command that reproduces it.
fn strategy_fault(sold: &PricedRuleset, error: BatchError) -> CliError {
    match error {
        BatchError::Fault(error) if error.rules != sold.named => {
            // The id of a changed ruleset consists of that of the ruleset and the change.
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
