//! `saratoga price RULES`

use crate::cli::run_plan::{Settled, settled, texts};
use crate::lab::SavedText;
use std::process::ExitCode;

use crate::amounts::plain;
use crate::cli::args::PriceArgs;
use crate::cli::driver::{self, Ending, Experiment, FIRST_BLOCK, Means, Output};
use crate::cli::error::CliError;
use crate::cli::input::{load_players_or_usual, players};
use crate::cli::progress::{GAMES, Line};
use crate::cli::words::{CommandLine, joined, shell_word, unique};
use crate::lab::{self, BatchError, PriceBatch, PriceFinished, PriceStep};
use crate::report::{PricePlayer, PriceReport, Source, count, price_document, price_json, running_figure};
use crate::strategy::StrategySource;

use super::sold::{Sold, all_differ};

/// Games under each changed ruleset, unless the command line says otherwise.
const VARIANT_GAMES: u64 = 20_000;

pub(in crate::cli) fn run(args: PriceArgs) -> Result<ExitCode, CliError> {
    let sold = Sold::load(&args.rules, args.at)?;
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
    driver::run(&args.run, Pricing { args: &args, sold, strategies })
}

/// A ruleset that is to be priced, and who plays it.
struct Pricing<'a> {
    args: &'a PriceArgs,
    sold: Sold,
    strategies: Vec<StrategySource>,
}

impl Experiment for Pricing<'_> {
    type Played = PriceFinished;

    fn folder(&self) -> String {
        let players = joined(&unique(self.strategies.iter().map(StrategySource::id)));
        format!("price-{}-{players}-{}", self.sold.file.id, self.args.run.seed)
    }

    fn inputs(&self) -> Option<Vec<SavedText>> {
        Some(texts([&self.sold.file], &self.strategies))
    }

    fn settled(&self) -> Vec<Settled> {
        let args = self.args;
        vec![
            settled("--strategy", players(&args.strategies, args.patrons.as_ref())),
            self.sold.settled_price(),
            settled("--variant-games", [self.variant_games()]),
        ]
    }

    fn stages(&self) -> Option<u32> {
        let tries = self.sold.loaded.rules.spec().casino.stake > 0 && self.variant_games() > 0;
        Some(1 + u32::from(tries))
    }

    fn play(&mut self, Means { stop, workers, .. }: Means<'_>) -> Result<PriceFinished, CliError> {
        let (args, sold) = (self.args, &self.sold);
        let makers: Vec<_> = self.strategies.iter().map(|source| move || source.instantiate()).collect();
        let batch = PriceBatch {
            named: &sold.named,
            loaded: &sold.loaded,
            players: makers.iter().map(|make| make as &(dyn Fn() -> _ + Sync)).collect(),
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
        played.map_err(|error| faulted(sold, error))
    }

    fn ending(&self, results: &PriceFinished) -> Ending {
        let games = games(results);
        if games == 0 {
            return Ending::Nothing(FIRST_BLOCK);
        }
        Ending::of(results.interrupted, || {
            let (games, variants) = (count(games), count(results.variant_games));
            format!(
                "the figures are those of the first {games} games, and {variants} under each changed ruleset"
            )
        })
    }

    fn report(&mut self, results: PriceFinished, output: &Output) -> Result<(), CliError> {
        let sources = Source::all(&self.sold.file.sources);
        let report = PriceReport {
            command: self.again(&results),
            version: env!("CARGO_PKG_VERSION"),
            id: &self.sold.file.id,
            name: self.sold.file.rules.name(),
            rules: self.sold.loaded.rules.spec(),
            files: &sources,
            players: self
                .strategies
                .iter()
                .map(|it| PricePlayer { name: it.name(), script: it.text() })
                .collect(),
            seed: self.args.run.seed,
            target: self.args.target_edge.0,
            round: self.args.round,
            results: &results,
        };
        let json = price_json(&report).map_err(CliError::no_report)?;
        output.print_document(price_document(&report), &json, Vec::new())
    }
}

impl Pricing<'_> {
    /// Games under each changed ruleset.
    fn variant_games(&self) -> u64 {
        self.args.variant_games.map_or(VARIANT_GAMES.min(self.args.games.0), |games| games.0)
    }

    /// The command line that finds the same again, however many games this run came to.
    fn again(&self, results: &PriceFinished) -> String {
        CommandLine::new("price")
            .word(&self.args.rules)
            .option("-s", self.strategies.iter().map(StrategySource::name))
            .option("--target-edge", [self.args.target_edge])
            .option("--at", self.args.at.map(plain))
            .option("--round", (self.args.round != 100).then(|| plain(self.args.round)))
            .option("-n", [games(results)])
            .option("--variant-games", [results.variant_games])
            .option("--seed", [self.args.run.seed])
            .line()
    }
}

fn games(results: &PriceFinished) -> u64 {
    results.tallies.first().map_or(0, |tally| tally.games())
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
