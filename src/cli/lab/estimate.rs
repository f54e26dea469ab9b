//! `saratoga estimate NIGHT.csv`

use std::process::ExitCode;

use crate::amounts::{plain, plain_number};
use crate::cli::args::EstimateArgs;
use crate::cli::driver::{self, Ending, Experiment, Means, Output};
use crate::cli::error::CliError;
use crate::cli::input::{load_patrons, text_file};
use crate::cli::progress::{GAMES, Line};
use crate::cli::terminal::note;
use crate::cli::words::CommandLine;
use crate::lab::{self, EstimateBatch, EstimateFinished, EstimatePlayer, read_night};
use crate::players::House;
use crate::report::{EstimateReport, Guest, Source, count, estimate_document, estimate_json};
use crate::stats::NightRow;
use crate::strategy::StrategySource;

use super::sold::{Sold, all_differ};

/// Fewer games of a player say too little of how it plays.
const LEAST_GAMES: u64 = 1_000;
/// A kind whose share weighs less than so much of a deck has figures after the night that hang on few of the draws.
const LEAST_WEIGHT: f64 = 0.05;
/// More kinds of players than this cannot be told apart by the cards of a night.
const MOST_KINDS: usize = 12;

pub(in crate::cli) fn run(args: EstimateArgs) -> Result<ExitCode, CliError> {
    let sold = Sold::load(&args.rules, args.at)?;
    let spec = sold.loaded.rules.spec();
    if spec.casino.is_staged() {
        return Err(CliError::input(format!(
            "{} sells the stake in stages, so that the cards of a deck do not tell what was paid for it",
            sold.file.id
        )));
    }
    if spec.casino.stake <= 0 {
        return Err(CliError::input(format!(
            "a deck of {} is free, so that it has no edge: give a price with --at",
            sold.file.id
        )));
    }
    let source = text_file(&args.night)?;
    let night = read_night(source, spec).map_err(CliError::Faults)?;
    if night.unchecked {
        note(
            "the column `paid` is not checked: with a jackpot or fees of redeals the cards do not decide it",
        );
    }
    let results = night.rows;
    let together = results.iter().any(|it| matches!(it, NightRow::Together { .. }));
    if together && (spec.casino.jackpot.is_some() || !spec.casino.redeal_fees.is_empty()) {
        return Err(CliError::input(format!(
            "{} has a jackpot or fees of redeals, so that the money paid does not tell how the decks ended: give their cards, in a \
             column `cards`",
            sold.file.id
        )));
    }
    let house = load_patrons(&args.patrons, &args.scripts)?;
    let strategies: Vec<StrategySource> = house.patrons.iter().map(|it| it.strategy.clone()).collect();
    if house.patrons.len() > MOST_KINDS {
        return Err(CliError::input(format!(
            "{} patrons cannot be told apart by a night's results: name at most {MOST_KINDS} who may have come",
            house.patrons.len()
        )));
    }
    let least = house.patrons.iter().map(|it| it.share.fraction()).fold(1.0, f64::min);
    let weight = args.prior as f64 * least;
    if house.patrons.len() > 1 && weight < LEAST_WEIGHT - 1e-9 {
        return Err(CliError::input(format!(
            "with --prior {} a share of {}% weighs as much as {} of a deck, so little that its figures after the night would be others \
             with other draws: --prior must be at least {} for it",
            args.prior,
            plain_number(100.0 * least),
            plain_number(weight),
            (LEAST_WEIGHT / least - 1e-9).ceil()
        )));
    }
    // A file has a name for each, by which two who play alike are told apart.
    if house.file.is_none() {
        all_differ(&strategies)?;
    }
    for (option, games) in [("-n", args.games.0), ("--search-games", args.search_games.0)] {
        if games < LEAST_GAMES {
            return Err(CliError::input(format!(
                "{} games are too few to know how a player does: {option} must be at least {}",
                count(games),
                count(LEAST_GAMES)
            )));
        }
    }
    driver::run(&args.run, Estimating { args: &args, sold, results, house })
}

/// A night, and who may have come.
struct Estimating<'a> {
    args: &'a EstimateArgs,
    sold: Sold,
    results: Vec<NightRow>,
    house: House,
}

impl Experiment for Estimating<'_> {
    type Played = EstimateFinished;

    fn folder(&self) -> String {
        format!("estimate-{}-{}", self.sold.file.id, self.args.run.seed)
    }

    fn play(&mut self, Means { stop, workers, .. }: Means<'_>) -> Result<EstimateFinished, CliError> {
        let args = self.args;
        let makers: Vec<_> = self.house.patrons.iter().map(|it| move || it.strategy.instantiate()).collect();
        let games = |source: &StrategySource| match source.instantiate().is_slow() {
            true => args.games.0.min(args.search_games.0),
            false => args.games.0,
        };
        let players: Vec<EstimatePlayer<'_>> = makers
            .iter()
            .zip(&self.house.patrons)
            .map(|(make, it)| EstimatePlayer {
                strategy: make,
                share: it.share.fraction(),
                games: games(&it.strategy),
            })
            .collect();
        let all = players.iter().map(|it| it.games).fold(0, u64::saturating_add);
        let mut line = Line::bar(GAMES, all, args.run.quiet);
        let batch = EstimateBatch {
            rules: &self.sold.loaded.rules,
            named: &self.sold.named,
            players: &players,
            results: &self.results,
            weight: args.prior as f64,
            alpha: args.alpha.1,
            seed: args.run.seed,
            workers,
        };
        Ok(lab::estimate(&batch, stop, &mut |games| line.show(games, String::new))?)
    }

    fn ending(&self, finished: &EstimateFinished) -> Ending {
        if finished.found.is_none() {
            return Ending::Nothing("every player had played");
        }
        Ending::of(finished.interrupted, || {
            let games: Vec<String> = finished.tallies.iter().map(|tally| count(tally.games())).collect();
            format!("the players were measured by {} games", games.join(", "))
        })
    }

    fn report(&mut self, finished: EstimateFinished, output: &Output) -> Result<(), CliError> {
        let Some(found) = &finished.found else { return Ok(()) };
        let sources = Source::all(&self.sold.file.sources);
        let report = EstimateReport {
            command: self.again(),
            version: env!("CARGO_PKG_VERSION"),
            id: &self.sold.file.id,
            name: self.sold.file.rules.name(),
            rules: self.sold.loaded.rules.spec(),
            files: &sources,
            night: self.args.night.display().to_string(),
            results: &self.results,
            guests: self
                .house
                .patrons
                .iter()
                .map(|it| Guest {
                    name: &it.name,
                    strategy: it.strategy.name(),
                    share: it.share.fraction(),
                    decks_each: it.decks_each,
                    script: it.strategy.text(),
                })
                .collect(),
            tallies: &finished.tallies,
            weight: self.args.prior,
            alpha: self.args.alpha.1,
            seed: self.args.run.seed,
            found,
        };
        let json = estimate_json(&report).map_err(CliError::no_report)?;
        output.print_document(estimate_document(&report), &json, Vec::new())
    }
}

impl Estimating<'_> {
    /// The command line that finds the same again.
    fn again(&self) -> String {
        let args = self.args;
        CommandLine::new("estimate")
            .word(args.night.display())
            .option("--rules", [&args.rules])
            .option("--at", args.at.map(plain))
            .option("--patrons", [self.house.told()])
            .option("--prior", [args.prior])
            .option("--alpha", [&args.alpha.0])
            .option("-n", [args.games.0])
            .option("--search-games", [args.search_games.0])
            .option("--seed", [args.run.seed])
            .line()
    }
}
