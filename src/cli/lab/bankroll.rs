//! `saratoga bankroll RULES`

use crate::cli::keeping::{Settled, patrons_text, settled, texts};
use crate::lab::SavedText;
use std::process::ExitCode;

use crate::amounts::{PatronShare, Patrons, plain};
use crate::cli::args::BankrollArgs;
use crate::cli::driver::{self, Ending, Experiment, Means, Output};
use crate::cli::error::CliError;
use crate::cli::input::load_patrons;
use crate::cli::progress::{GAMES, Line};
use crate::cli::words::{CommandLine, joined, unique};
use crate::lab::{self, BankrollBatch, BankrollFinished, BankrollStep, MOST_MONEY, Pairing};
use crate::players::House;
use crate::report::{
    BankrollPatron, BankrollReport, Guest, Source, bankroll_document, bankroll_json, count, running_figure,
};
use crate::stats::{Question, greatest_loss};
use crate::strategy::StrategySource;

use super::sold::{Sold, all_differ};

/// Fewer games of a strategy are no ground for the bootstrap.
const LEAST_GAMES: u64 = 1_000;

pub(in crate::cli) fn run(args: BankrollArgs) -> Result<ExitCode, CliError> {
    let sold = Sold::load(&args.rules, args.at)?;
    let only = || Patrons::Shares(vec![PatronShare::whole(alone(&args))]);
    let house = load_patrons(&args.patrons.clone().unwrap_or_else(only), &args.scripts)?;
    let strategies: Vec<StrategySource> = house.patrons.iter().map(|it| it.strategy.clone()).collect();
    // A file has a name for each, by which two who play alike are told apart.
    if house.file.is_none() {
        all_differ(&strategies)?;
    }
    if args.games.0 < LEAST_GAMES {
        return Err(CliError::input(format!(
            "{} games are too few for intervals: -n must be at least {}",
            count(args.games.0),
            count(LEAST_GAMES)
        )));
    }
    if args.search_games.0 < LEAST_GAMES {
        return Err(CliError::input(format!(
            "{} games are too few for intervals: --search-games must be at least {}",
            count(args.search_games.0),
            count(LEAST_GAMES)
        )));
    }
    let price = args.at.unwrap_or(sold.loaded.rules.spec().casino.stake);
    if price.unsigned_abs().saturating_mul(args.decks) > MOST_MONEY {
        return Err(CliError::input(format!(
            "{} decks at this price are too much money to compute to the cent: the price times --decks may be at most {}",
            count(args.decks),
            count(MOST_MONEY / 100)
        )));
    }
    driver::run(&args.run, Banking { args: &args, sold, house, strategies })
}

/// Who plays where no patrons are given.
fn alone(args: &BankrollArgs) -> &str {
    args.strategy.as_deref().unwrap_or("greedy")
}

/// A ruleset whose night is looked at, and who buys the decks.
struct Banking<'a> {
    args: &'a BankrollArgs,
    sold: Sold,
    house: House,
    strategies: Vec<StrategySource>,
}

fn is_slow(source: &StrategySource) -> bool {
    source.instantiate().is_slow()
}

impl Banking<'_> {
    /// Whether a strategy searches, and so plays fewer games.
    fn searches(&self) -> bool {
        self.strategies.iter().any(is_slow)
    }
}

impl Experiment for Banking<'_> {
    type Played = BankrollFinished;

    fn folder(&self) -> String {
        let players = joined(&unique(self.strategies.iter().map(StrategySource::id)));
        format!("bankroll-{}-{players}-{}", self.sold.file.id, self.args.run.seed)
    }

    fn inputs(&self) -> Option<Vec<SavedText>> {
        let texts = texts([&self.sold.file], &self.strategies);
        Some([patrons_text(&self.house)].into_iter().chain(texts).collect())
    }

    fn settled(&self) -> Vec<Settled> {
        let alone = self.args.patrons.is_none().then(|| alone(self.args));
        vec![settled("--strategy", alone), self.sold.settled_price()]
    }

    fn stages(&self) -> Option<u32> {
        Some(self.strategies.len() as u32)
    }

    fn play(&mut self, Means { stop, workers, .. }: Means<'_>) -> Result<BankrollFinished, CliError> {
        let args = self.args;
        let rules = &self.sold.loaded.rules;
        let spec = rules.spec();
        let makers: Vec<_> = self.strategies.iter().map(|source| move || source.instantiate()).collect();
        let entry = |make| Pairing { id: &self.sold.named, rules, strategy: make };
        let of = |source: &StrategySource| match is_slow(source) {
            true => args.games.0.min(args.search_games.0),
            false => args.games.0,
        };
        let games: Vec<u64> = self.strategies.iter().map(of).collect();
        let batch = BankrollBatch {
            patrons: self
                .house
                .patrons
                .iter()
                .zip(&makers)
                .map(|(patron, make)| {
                    (patron.share.fraction(), patron.decks_each, entry(make as &(dyn Fn() -> _ + Sync)))
                })
                .collect(),
            seed: args.run.seed,
            games: games.clone(),
            question: Question {
                decks: u32::try_from(args.decks).unwrap_or(u32::MAX),
                bank: args.bank,
                greatest_loss: greatest_loss(&spec.casino, spec.cards()),
                price: (spec.casino.stake > 0 && !spec.casino.is_staged()).then_some(spec.casino.stake),
            },
            replicates: args.bootstrap,
            workers,
        };
        let all = games.iter().fold(0, |sum: u64, games| sum.saturating_add(*games));
        let mut line = Line::bar(GAMES, all, args.run.quiet);
        let played = lab::bankroll(batch, stop, &mut |step| match step {
            BankrollStep::Games(number, so_far) => {
                line.show(games.iter().take(number).sum::<u64>() + so_far.games, || {
                    so_far.tallies.first().map_or(String::new(), |tally| running_figure(tally, spec))
                });
            }
            BankrollStep::Samples(done) => {
                line.show(all, || format!("{done} of {} bootstrap samples", args.bootstrap))
            }
        });
        Ok(played?)
    }

    fn ending(&self, finished: &BankrollFinished) -> Ending {
        let Some(bankroll) = &finished.bankroll else {
            return Ending::Nothing("a first block of games was played by everyone");
        };
        Ending::of(finished.interrupted, || {
            let games: Vec<String> = finished.tallies.iter().map(|tally| count(tally.games())).collect();
            let games = games.join(", ");
            match bankroll.replicates {
                0 => format!("the figures are those of {games} games, without intervals"),
                n => format!("the figures are those of {games} games and of {} bootstrap samples", count(n)),
            }
        })
    }

    fn report(&mut self, finished: BankrollFinished, output: &Output) -> Result<(), CliError> {
        let Some(bankroll) = &finished.bankroll else { return Ok(()) };
        let sources = Source::all(&self.sold.file.sources);
        let patrons = self.house.patrons.iter().zip(&finished.tallies);
        let report = BankrollReport {
            command: self.again(&finished),
            version: env!("CARGO_PKG_VERSION"),
            id: &self.sold.file.id,
            name: self.sold.file.rules.name(),
            rules: self.sold.loaded.rules.spec(),
            files: &sources,
            patrons: patrons
                .map(|(patron, tally)| BankrollPatron {
                    guest: Guest {
                        name: &patron.name,
                        strategy: patron.strategy.name(),
                        share: patron.share.fraction(),
                        decks_each: patron.decks_each,
                        script: patron.strategy.text(),
                    },
                    tally,
                })
                .collect(),
            seed: self.args.run.seed,
            bankroll,
        };
        let json = bankroll_json(&report).map_err(CliError::no_report)?;
        output.print_document(bankroll_document(&report), &json, Vec::new())
    }
}

impl Banking<'_> {
    /// The command line that finds the same again, however many games this run came to.
    fn again(&self, finished: &BankrollFinished) -> String {
        let args = self.args;
        let only = self.strategies.first().filter(|_| args.patrons.is_none());
        let games = finished.tallies.iter().map(|tally| tally.games()).max().unwrap_or(0);
        // So few are no run of their own.
        let games = if games < LEAST_GAMES { args.games.0 } else { games };
        CommandLine::new("bankroll")
            .word(&args.rules)
            .option("-s", only.map(StrategySource::name))
            .option("--patrons", only.is_none().then(|| self.house.told()))
            .option("--at", args.at.map(plain))
            .option("--decks", [args.decks])
            .option("--bank", [plain(args.bank)])
            .option("-n", [games])
            .option("--search-games", self.searches().then_some(args.search_games.0))
            .option("--bootstrap", [args.bootstrap])
            .option("--seed", [args.run.seed])
            .line()
    }
}
