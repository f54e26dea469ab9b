//! `saratoga bankroll RULES`

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use clap::Args;

use crate::cli::error::CliError;
use crate::cli::folder::Folder;
use crate::cli::many::{joined, note, stop_on_ctrl_c, threads, unique};
use crate::cli::numbers::{Count, whole};
use crate::cli::output::shell_word;
use crate::cli::progress::Line;
use crate::lab::{self, BankrollBatch, BankrollFinished, BankrollStep, Entry};
use crate::report::{
    BankrollPatron, BankrollReport, bankroll_document, bankroll_json, count, running_figure,
};
use crate::stats::{Question, greatest_loss};
use crate::strategy::StrategySource;

use super::RunArgs;
use super::amounts::{PatronShare, Patrons, money, patrons, price};
use super::sold::{Sold, all_differ, plain};

/// What does the casino's evening look like? Profit, ruin and luck
///
/// Says what the house's profit after so many decks comes to, how often it loses money, how likely it is to be ruined with a
/// bank, which bank it takes for a risk of 1%, and after how many decks the edge shows over luck.
#[derive(Args, Debug)]
#[command(after_help = "\
The house is ruined as soon as, before one of its decks, its bank with the price
of that deck is less than the most that the deck can pay. Distributions are exact
for the measured games; that these are a sample is carried into every figure by
the bootstrap. With --patrons each deck's player is drawn by their shares. Ctrl-C
stops, and reports what was finished.

Examples:
  saratoga bankroll                             canfield, greedy, 200 decks
  saratoga bankroll canfield --at 60 --bank 8000
  saratoga bankroll canfield --at 75 --patrons greedy:70%,patient:25%,hoarder:5%
  saratoga bankroll demon-casino --decks 50 -n 1e6 --out my-evening
  saratoga bankroll single-pass --json | jq '.bankroll.ruin'")]
pub(in crate::cli) struct BankrollArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    rules: String,
    /// A strategy: a name on the shelf, or a path [default: greedy]
    #[arg(short, long, value_name = "STRATEGY", conflicts_with = "patrons")]
    strategy: Option<String>,
    /// Several strategies, with the share of decks that each buys: greedy:70%,patient:30%
    #[arg(long, value_name = "SHARES", value_parser = patrons)]
    patrons: Option<Patrons>,
    /// Decks sold in the evening, 1 to 5000
    #[arg(long, value_name = "DECKS", default_value_t = 200, value_parser = whole(1, 5000), allow_negative_numbers = true)]
    decks: u64,
    /// Money in the bank before the first deck
    #[arg(long, value_name = "MONEY", default_value = "5000", value_parser = money, allow_hyphen_values = true)]
    bank: i64,
    /// Price of the deck [default: the ruleset's]
    #[arg(long, value_name = "PRICE", value_parser = price, allow_hyphen_values = true)]
    at: Option<i64>,
    /// Games of each strategy, at least 1000: 5000, 1e6, 250k
    #[arg(short = 'n', long, value_name = "GAMES", default_value_t = GAMES, allow_negative_numbers = true)]
    games: Count,
    /// Samples drawn again for the intervals, 100 to 10000
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = whole(100, 10_000), allow_negative_numbers = true)]
    bootstrap: u64,
    #[command(flatten)]
    run: RunArgs,
}

/// Games of each strategy unless the command line says otherwise.
const GAMES: Count = Count(100_000);
/// Fewer games of a strategy are no ground for the bootstrap.
const LEAST_GAMES: u64 = 1_000;

/// Cents that change hands in an evening: time and memory grow with them.
const MOST_MONEY: u64 = 50_000_000_000;

pub(in crate::cli) fn run(args: BankrollArgs) -> Result<ExitCode, CliError> {
    let sold = Sold::load(&args.rules, args.at)?;
    let shares = shares(&args);
    let strategies = args.run.strategies(shares.iter().map(|it| it.strategy.clone()).collect())?;
    all_differ(&strategies)?;
    if args.games.0 < LEAST_GAMES {
        return Err(CliError::input(format!(
            "{} games are too few: the intervals come from samples drawn again from the games, which say nothing of what so few did \
             not show; -n must be at least {}",
            count(args.games.0),
            count(LEAST_GAMES)
        )));
    }
    let price = args.at.unwrap_or(sold.loaded.rules.spec().casino.stake);
    if price.unsigned_abs().saturating_mul(args.decks) > MOST_MONEY {
        return Err(CliError::input(format!(
            "{} decks at such a price are more money than can be computed cent by cent: the price times --decks may be \
             {} at the most",
            count(args.decks),
            count(MOST_MONEY / 100)
        )));
    }
    let players = joined(&unique(strategies.iter().map(StrategySource::id)));
    let folder = args.run.folder(&format!("bankroll-{}-{players}-{}", sold.file.id, args.run.seed))?;
    let (files, folders) = Folder::litter(folder.as_ref(), Vec::new());
    let stop = stop_on_ctrl_c(files, folders);
    let finished = play(&args, &sold, &shares, &strategies, stop)?;
    let Some(bankroll) = &finished.bankroll else {
        note("interrupted before a first block of games was played by everyone: there is nothing to report");
        return Ok(ExitCode::from(130));
    };
    if finished.interrupted && !args.run.quiet {
        let games: Vec<String> = finished.tallies.iter().map(|tally| count(tally.games())).collect();
        note(&match bankroll.replicates {
            0 => {
                format!("interrupted: the figures are those of {} games, without intervals", games.join(", "))
            }
            n => format!(
                "interrupted: the figures are those of {} games and of {} samples drawn again",
                games.join(", "),
                count(n)
            ),
        });
    }
    let sources = sold.sources();
    let patrons = strategies.iter().zip(&shares).zip(&finished.tallies);
    let report = BankrollReport {
        command: again(&args, &shares, &strategies, &finished),
        version: env!("CARGO_PKG_VERSION"),
        id: &sold.file.id,
        name: sold.file.rules.name(),
        rules: sold.loaded.rules.spec(),
        files: &sources,
        patrons: patrons
            .map(|((source, share), tally)| BankrollPatron {
                name: source.name(),
                share: share.fraction(),
                script: source.text(),
                tally,
            })
            .collect(),
        seed: args.run.seed,
        bankroll,
    };
    let json = bankroll_json(&report).map_err(|error| CliError::Run(error.to_string()))?;
    args.run.tell(&bankroll_document(&report), &json, folder.as_ref(), Vec::new())?;
    Ok(ExitCode::from(if finished.interrupted { 130 } else { 0 }))
}

/// Who buys the decks.
fn shares(args: &BankrollArgs) -> Vec<PatronShare> {
    match &args.patrons {
        Some(Patrons(patrons)) => patrons.clone(),
        None => vec![PatronShare::whole(args.strategy.as_deref().unwrap_or("greedy"))],
    }
}

fn play(
    args: &BankrollArgs,
    sold: &Sold,
    shares: &[PatronShare],
    strategies: &[StrategySource],
    stop: &AtomicBool,
) -> Result<BankrollFinished, CliError> {
    let rules = &sold.loaded.rules;
    let spec = rules.spec();
    let makers: Vec<_> = strategies.iter().map(|source| move || source.instantiate()).collect();
    let entry = |make| Entry { id: &sold.named, rules, strategy: make };
    let batch = BankrollBatch {
        patrons: shares
            .iter()
            .zip(&makers)
            .map(|(share, make)| (share.fraction(), entry(make as &(dyn Fn() -> _ + Sync))))
            .collect(),
        seed: args.run.seed,
        games: args.games.0,
        question: Question {
            decks: u32::try_from(args.decks).unwrap_or(u32::MAX),
            bank: args.bank,
            greatest_loss: greatest_loss(&spec.casino, spec.cards()),
            price: (spec.casino.stake > 0 && !spec.casino.is_staged()).then_some(spec.casino.stake),
        },
        replicates: args.bootstrap,
        threads: threads(args.run.threads),
    };
    let mut line = Line::new(
        "{wide_bar:.cyan/dim} {human_pos} games  {per_sec}  {eta} left  {msg}",
        Some(args.games.0.saturating_mul(strategies.len() as u64)),
        |rate| format!("{:.0}k games/s", rate / 1000.0),
        args.run.quiet,
    );
    let all = args.games.0.saturating_mul(strategies.len() as u64);
    let played = lab::bankroll(batch, stop, &mut |step| match step {
        BankrollStep::Games(number, so_far) => {
            line.show(args.games.0.saturating_mul(number as u64) + so_far.games, || {
                so_far.tallies.first().map_or(String::new(), |tally| running_figure(tally, spec))
            });
        }
        BankrollStep::Samples(done) => {
            line.show(all, || format!("{done} of {} samples drawn again", args.bootstrap))
        }
    });
    line.clear();
    Ok(played?)
}

/// The command line that finds the same again, however many games this run came to.
fn again(
    args: &BankrollArgs,
    shares: &[PatronShare],
    strategies: &[StrategySource],
    finished: &BankrollFinished,
) -> String {
    let mut words = vec!["saratoga bankroll".to_string(), shell_word(&args.rules)];
    // A loaded strategy's name has its settings.
    match (&args.patrons, strategies) {
        (None, [only, ..]) => words.push(format!("-s {}", shell_word(only.name()))),
        _ => {
            let each =
                strategies.iter().zip(shares).map(|(it, share)| format!("{}:{}", it.name(), share.percent()));
            words.push(format!("--patrons {}", shell_word(&each.collect::<Vec<_>>().join(","))));
        }
    }
    words.extend(args.at.map(|at| format!("--at {}", plain(at))));
    words.push(format!("--decks {} --bank {}", args.decks, plain(args.bank)));
    let games = finished.tallies.iter().map(|tally| tally.games()).max().unwrap_or(0);
    // So few are no run of their own.
    let games = if games < LEAST_GAMES { args.games.0 } else { games };
    words.push(format!("-n {games} --bootstrap {} --seed {}", args.bootstrap, args.run.seed));
    words.join(" ")
}
