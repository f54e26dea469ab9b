//! `saratoga price`: its arguments and its experiment.

use std::process::ExitCode;

use clap::Args;

use super::args::{RunArgs, ScriptArgs};
use super::checkpoint::{ResolvedOption, settled, texts};
use super::driver::{self, Ending, Experiment, FIRST_BLOCK, Output, RunContext};
use super::error::CliError;
use super::input::{all_differ, load_players_or_usual, players};
use super::priced_ruleset::PricedRuleset;
use super::progress::{GAMES, Line};
use super::words::{joined, shell_word, unique};
use crate::lab::{self, BatchError, PriceStep, PricedPlayer, Prices, Pricing, SavedText};
use crate::report::{count, price_document};
use crate::rules::Loaded;
use crate::strategy::StrategySource;
use crate::units::{Count, Patrons, Percent, patrons, price};

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
    /// A strategy: a name on the shelf, or a path; may be repeated [default: greedy]
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// A mix of players, as one more strategy: each game is played by one of them, drawn by the shares; or a file of
    /// them
    #[arg(long, value_name = "SHARES", value_parser = patrons)]
    pub patrons: Option<Patrons>,
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
    let strategies = load_players_or_usual(&args.strategies, args.patrons.as_ref(), &args.scripts)?;
    all_differ(&strategies)?;
    if args.games.0 == 0 {
        return Err(CliError::input("no games to play: -n must be at least 1"));
    }
    driver::run(&args.run, PriceExperiment { args: &args, sold, strategies })
}

/// A ruleset to price, and its players.
struct PriceExperiment<'a> {
    args: &'a PriceArgs,
    sold: PricedRuleset,
    strategies: Vec<StrategySource>,
}

impl Experiment for PriceExperiment<'_> {
    type Played = Prices;

    fn folder(&self) -> String {
        let players = joined(&unique(self.strategies.iter().map(StrategySource::id)));
        format!("price-{}-{players}-{}", self.sold.file.id, self.args.run.seed)
    }

    fn rules(&self) -> Vec<&Loaded> {
        vec![&self.sold.file]
    }

    fn players(&self) -> Vec<&StrategySource> {
        self.strategies.iter().collect()
    }

    fn inputs(&self) -> Option<Vec<SavedText>> {
        Some(texts(self.rules(), self.players()))
    }

    fn settled(&self) -> Vec<ResolvedOption> {
        vec![
            settled("--strategy", players(&self.args.strategies, self.args.patrons.as_ref())),
            self.sold.settled_price(),
            settled("--variant-games", [self.variant_games()]),
        ]
    }

    fn again(&self, prices: &Prices) -> Vec<ResolvedOption> {
        let usual = VARIANT_GAMES.min(prices.games()) == prices.variant_games;
        let variant_games = (self.args.variant_games.is_some() || !usual).then_some(prices.variant_games);
        vec![settled("--games", [prices.games()]), settled("--variant-games", variant_games)]
    }

    fn stages(&self) -> Option<u32> {
        let tries = self.sold.loaded.rules.spec().casino.stake > 0 && self.variant_games() > 0;
        Some(1 + u32::from(tries))
    }

    fn play(&mut self, RunContext { stop, workers, .. }: RunContext<'_>) -> Result<Prices, CliError> {
        let (args, sold) = (self.args, &self.sold);
        let makers: Vec<_> = self.strategies.iter().map(|source| move || source.instantiate()).collect();
        let priced = self.strategies.iter().zip(&makers).map(|(source, make)| PricedPlayer {
            name: source.name(),
            looks_at_prices: source.looks_at_prices(),
            strategy: make,
        });
        let pricing = Pricing {
            named: &sold.named,
            loaded: &sold.loaded,
            players: priced.collect(),
            seed: args.run.seed,
            games: args.games.0,
            variant_games: self.variant_games(),
            target: args.target_edge.0,
            round: args.round,
            workers,
        };
        let tried = lab::variants(&sold.loaded).iter().filter(|it| it.rules.is_ok()).count() as u64 + 1;
        let each = args.games.0.saturating_add(self.variant_games().saturating_mul(tried));
        let players = self.strategies.len() as u64;
        let mut line = Line::bar(GAMES, each.saturating_mul(players), args.run.quiet);
        let spec = sold.loaded.rules.spec();
        let prices = lab::price(&pricing, stop, &mut |step| match step {
            PriceStep::Games(so_far) => line.show_edge(so_far.games * players, so_far, spec),
            PriceStep::Variants(so_far, rulesets) => {
                line.show(args.games.0.saturating_add(so_far.games * rulesets as u64) * players, || {
                    format!("{rulesets} rulesets with one rule changed")
                });
            }
        });
        prices.map_err(|error| strategy_fault(sold, error))
    }

    fn ending(&self, prices: &Prices) -> Ending {
        if prices.games() == 0 {
            return Ending::Nothing(FIRST_BLOCK);
        }
        Ending::of(prices.interrupted, || {
            let (games, variants) = (count(prices.games()), count(prices.variant_games));
            format!(
                "the figures are those of the first {games} games, and {variants} under each changed ruleset"
            )
        })
    }

    fn report(&mut self, prices: Prices, output: &Output) -> Result<(), CliError> {
        output.print_result(price_document(&output.run, &prices), &prices)
    }
}

impl PriceExperiment<'_> {
    /// Returns the number of games under each changed ruleset.
    fn variant_games(&self) -> u64 {
        self.args.variant_games.map_or(VARIANT_GAMES.min(self.args.games.0), |games| games.0)
    }
}

/// Returns the error of a strategy, with the command that reproduces it.
fn strategy_fault(sold: &PricedRuleset, error: BatchError) -> CliError {
    match error {
        BatchError::Game(error) if error.rules != sold.named => {
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
