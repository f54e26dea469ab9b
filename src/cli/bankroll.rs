//! `saratoga bankroll`: its arguments and its experiment.

use std::process::ExitCode;

use clap::Args;

use super::checkpoint::{patrons_text, resolved};
use super::driver::{self, Played, RunContext, Setup};
use super::error::CliError;
use super::input::{LEAST_GAMES, PricedRuleset, USUAL, buyers, load_patrons};
use super::options::{RunArgs, ScriptArgs};
use super::progress::{GAMES, Line};
use super::terminal::joined;
use crate::lab::{self, BankrollBatch, BankrollNight, BankrollStep, Buyer, FEWEST_REPLICATES, MOST_MONEY};
use crate::report::{bankroll_document, count};
use crate::stats::{Question, greatest_loss};
use crate::units::{Count, PatronShare, Patrons, money, patrons, price, whole};

/// Report the house's profit over a night, and its risk of ruin
///
/// Reports the house's profit after a number of decks, how often it loses money, how likely a given bank is ruined,
/// how large a bank keeps that risk at 1%, and after how many decks the edge outweighs luck.
#[derive(Args, Debug)]
#[command(after_help = "\
The house is ruined when, before a deck is sold, its bank plus the price of
the deck is less than the most the deck can pay. Distributions are exact for
the games that were played; bootstrap intervals show what a sample of that
size leaves uncertain. With --patrons the player of each deck is drawn by the
shares. Ctrl-C stops the run and reports what was finished.

Examples:
  saratoga bankroll                             canfield, greedy, 200 decks
  saratoga bankroll canfield --at 60 --bank 8000
  saratoga bankroll --at 75 --patrons greedy:70%,patient:25%,hoarder:5%
  saratoga bankroll --patrons beginner:30%,ordinary:60%,expert:8%,shark:2%
  saratoga bankroll demon-casino --decks 50 -n 1e6 --out my-night
  saratoga bankroll single-pass --json | jq '.bankroll.ruin'")]
pub(in crate::cli) struct BankrollArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// A strategy: a name on the shelf, or a path [default: greedy]
    #[arg(short, long, value_name = "STRATEGY", conflicts_with = "patrons")]
    pub strategy: Option<String>,
    /// Several strategies with shares of the decks: greedy:70%,patient:30%; or a file of patrons
    #[arg(long, value_name = "SHARES", value_parser = patrons)]
    pub patrons: Option<Patrons>,
    /// Decks sold in the night, 1 to 5000
    #[arg(long, value_name = "DECKS", default_value_t = 200, value_parser = whole(1, 5000))]
    pub decks: u64,
    /// Money in the bank before the first deck
    #[arg(long, value_name = "MONEY", default_value = "5000", value_parser = money, allow_hyphen_values = true)]
    pub bank: i64,
    /// Price of the deck [default: the ruleset's]
    #[arg(long, value_name = "PRICE", value_parser = price, allow_hyphen_values = true)]
    pub at: Option<i64>,
    /// Games of each strategy, at least 1000: 5000, 1e6, 250k
    #[arg(short = 'n', long, value_name = "GAMES", default_value = "100k")]
    pub games: Count,
    /// Games of each strategy that searches, at most; at least 1000
    #[arg(long, value_name = "GAMES", default_value = "2000")]
    pub search_games: Count,
    /// Bootstrap samples for the intervals, 100 to 10000
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = whole(FEWEST_REPLICATES, 10_000))]
    pub bootstrap: u64,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

pub(super) fn run(args: BankrollArgs) -> Result<ExitCode, CliError> {
    let sold = PricedRuleset::load(&args.rules, args.at)?;
    let alone = args.strategy.as_deref().unwrap_or(USUAL);
    let only = || Patrons::Shares(vec![PatronShare::whole(alone)]);
    let house = load_patrons(&args.patrons.clone().unwrap_or_else(only), &args.scripts)?;
    let patrons = buyers(&house, args.games.0, args.search_games.0)?;
    let spec = sold.loaded.rules.spec();
    let price = spec.casino.stake;
    if price.unsigned_abs().saturating_mul(args.decks) > MOST_MONEY {
        return Err(CliError::input(format!(
            "{} decks at this price are too much money to compute to the cent: the price times --decks may be at most {}",
            count(args.decks),
            count(MOST_MONEY / 100)
        )));
    }
    let ids = joined(patrons.iter().map(|it| it.strategy.id()));
    let setup = Setup {
        folder: format!("bankroll-{}-{ids}-{}", sold.file.id, args.run.seed),
        inputs: Some(vec![patrons_text(&house)]),
        resolved: vec![
            resolved("--strategy", args.patrons.is_none().then_some(alone)),
            sold.resolved_price(),
        ],
        stages: Some(patrons.len() as u32),
        ..Setup::new(&args.run, [&sold.file], patrons.iter().map(|it| &it.strategy))
    };
    let play = |RunContext { workers, .. }: RunContext<'_>| {
        let batch = BankrollBatch {
            rules: &sold.loaded.rules,
            named: &sold.named,
            patrons: patrons.iter().collect(),
            seed: args.run.seed,
            question: Question {
                decks: u32::try_from(args.decks).unwrap_or(u32::MAX),
                bank: args.bank,
                greatest_loss: greatest_loss(&spec.casino, spec.cards()),
                price: (price > 0 && !spec.casino.is_staged()).then_some(price),
            },
            replicates: args.bootstrap,
            workers,
        };
        let games = |patrons: &[Buyer]| patrons.iter().map(|it| it.games).fold(0, u64::saturating_add);
        let all = games(&patrons);
        let mut line = Line::bar(GAMES, all, args.run.quiet);
        let finished = lab::bankroll(batch, &mut |step| match step {
            BankrollStep::Games(games, so_far) => line.show_edge(games, so_far, spec),
            BankrollStep::Samples(done) => {
                line.show(all, || format!("{done} of {} bootstrap samples", args.bootstrap))
            }
        })?;
        let night = BankrollNight::new(spec, &patrons, finished)
            .ok_or(CliError::Nothing("a first block of games was played by everyone"))?;
        let played = night.patrons.iter().map(|it| it.tally.games());
        // A run needs at least this many games.
        let most = played.clone().max().filter(|games| *games >= LEAST_GAMES);
        Ok(Played {
            interrupted: night.interrupted.then(|| {
                let games = played.map(count).collect::<Vec<_>>().join(", ");
                match night.bankroll.replicates {
                    0 => format!("the figures are those of {games} games, without intervals"),
                    n => {
                        format!(
                            "the figures are those of {games} games and of {} bootstrap samples",
                            count(n)
                        )
                    }
                }
            }),
            again: vec![resolved("--games", [most.unwrap_or(args.games.0)])],
            found: night,
        })
    };
    driver::run(setup, play, |night, output| output.print(bankroll_document(&output.run, &night), &night, []))
}
