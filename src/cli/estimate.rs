//! `saratoga estimate`: its arguments and its experiment.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::driver::{self, Played, RunContext, Setup};
use super::error::CliError;
use super::input::{PricedRuleset, buyers, load_patrons, text_file};
use super::options::{RunArgs, ScriptArgs};
use super::progress::{GAMES, Line};
use super::terminal::note;
use crate::lab::{self, Inquiry, read_night};
use crate::report::{count, estimate_document};
use crate::stats::NightRow;
use crate::units::{Count, PATRONS, Patrons, Rate, patrons, plain_number, price, whole};

/// Minimum weight of a kind's share, in decks: below, its posterior depends on too few draws.
const LEAST_WEIGHT: f64 = 0.05;
/// Maximum number of kinds of players that the cards of a night can distinguish.
const MOST_KINDS: usize = 12;

/// Find out from a night's results whether it was luck, and who came
///
/// Measures every kind of player that may have come, and answers first whether the payout may have been luck: by one
/// look at the whole night, and by a test that watches it deck by deck. Then it reports what the results say of the
/// mix of players and of the house edge, with 95% intervals.
#[derive(Args, Debug)]
#[command(after_help = "\
The file is CSV with a line of column names; other columns are ignored:
  cards         a row for each deck: its cards on the foundations
  cards,decks   a row for each number of cards: the decks that reached it
  decks,paid    a row for some decks, 30 or more: the money paid for them
Beside cards, paid is checked: it must be what the ruleset pays for them.
Commas, semicolons or tabs separate columns. Money is read as spreadsheets
write it: $6,445.00 or 6.445,00 EUR, (5.00) for -5. An amount with two
readings is refused, and so are rows of totals and any currency but the
ruleset's. With a file of patrons, decks_each is not used.

The expected shares count as much as --prior decks whose players are known.
A payout is no luck if chance alone pays that much, or that little, in fewer
than half of --alpha of all nights. The watch gives a false alarm in at most
--alpha of honest nights, however often you look. It needs a row for each
deck, in the order of sale; counts and sorted rows are judged once, at the
end. If no mix of these players explains the night, the report shows no edge
and no shares. Ctrl-C stops the run and reports what was finished.

Examples:
  saratoga estimate night.csv --rules canfield --at 60
  saratoga estimate night.csv --rules demon-casino --alpha 0.1%
  saratoga estimate night.csv --patrons ordinary:90%,shark:10% --prior 20
  saratoga estimate night.csv --patrons guests.toml --json | jq .edge")]
pub(in crate::cli) struct EstimateArgs {
    /// The results of a night; `-` is standard input
    #[arg(value_name = "NIGHT.csv")]
    pub night: PathBuf,
    /// The ruleset that was played: a name on the shelf, or a path
    #[arg(long, value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// Price at which the deck was sold [default: the ruleset's]
    #[arg(long, value_name = "PRICE", value_parser = price, allow_hyphen_values = true)]
    pub at: Option<i64>,
    /// Players who may have come, at most 12, each with its expected share of the decks; or a file of them
    #[arg(long, value_name = "SHARES", default_value = PATRONS, value_parser = patrons)]
    pub patrons: Patrons,
    /// Weight of the expected shares, in decks, 1 to 100000
    #[arg(long, value_name = "DECKS", default_value_t = 10, value_parser = whole(1, 100_000))]
    pub prior: u64,
    /// Error rate: the share of honest nights that are called no luck
    #[arg(long, value_name = "RATE", default_value = "1%")]
    pub alpha: Rate,
    /// Games that measure each kind of player: 5000, 1e6, 250k
    #[arg(short = 'n', long, value_name = "GAMES", default_value = "100k")]
    pub games: Count,
    /// Games that measure a player who searches, at most; at least 1000
    #[arg(long, value_name = "GAMES", default_value = "2000")]
    pub search_games: Count,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

pub(super) fn run(args: EstimateArgs) -> Result<ExitCode, CliError> {
    let sold = PricedRuleset::load(&args.rules, args.at)?;
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
    if !night.ignored.is_empty() && !args.run.quiet {
        note(&format!("columns of {} that are not read: {}", args.night.display(), night.ignored.join(", ")));
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
    let patrons = buyers(&house, args.games.0, args.search_games.0)?;
    let setup = Setup {
        folder: format!("estimate-{}-{}", sold.file.id, args.run.seed),
        inputs: None,
        ..Setup::new(&args.run, [&sold.file], patrons.iter().map(|it| &it.strategy))
    };
    let play = |RunContext { workers, .. }: RunContext<'_>| {
        let asked = Inquiry {
            rules: &sold.loaded.rules,
            named: &sold.named,
            patrons: &patrons,
            night: args.night.display().to_string(),
            results,
            prior_decks: args.prior,
            alpha: args.alpha.1,
            seed: args.run.seed,
            workers,
        };
        let all = patrons.iter().map(|it| it.games).fold(0, u64::saturating_add);
        let mut line = Line::bar(GAMES, all, args.run.quiet);
        let night = lab::estimate(asked, &mut |games| line.show(games, String::new))?
            .ok_or(CliError::Nothing("every player had played"))?;
        Ok(Played {
            interrupted: night.interrupted.then(|| {
                let games: Vec<String> = night.players.iter().map(|it| count(it.tally.games())).collect();
                format!("the players were measured by {} games", games.join(", "))
            }),
            again: Vec::new(),
            found: night,
        })
    };
    driver::run(setup, play, |night, output| output.print(estimate_document(&output.run, &night), &night, []))
}
