//! `saratoga play`, and `saratoga replay --step`: a game at the terminal.

mod draw;
mod keys;
mod places;
mod plain;
mod screen;
mod speech;
#[cfg(test)]
mod tests;
mod thinker;

use crate::units::whole;
use clap::Args;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use crate::cards::Deck;
use crate::files::{self, MOST_RECORDS, reason};
use crate::game::{Record, word_at};
use crate::rules::is_path;
use crate::rules::{Loaded, Rules};
use crate::session::{Dealt, Session, Watcher};
use crate::strategy::StrategySource;

use super::error::CliError;
use super::input::{deals, load_named_rules, load_rules, load_strategy, parse_deck, text_file};
use super::replay::{self, ReplayArgs};
use crate::game::read_deck;

use screen::{Place, Saving};

/// Play a game yourself
#[derive(Args, Debug)]
#[command(after_help = "\
On a terminal: pick a move with the arrow keys and Enter, or click. Or name
where the cards come from and where they go: `r` reserve, `w` waste, `1` to
`9` piles, `f` foundations. Space draws or redeals, `u` takes back, `h` asks
the strategy for a hint, `n` lets it make a move, `?` shows all keys.

With --plain, or where input or output is no terminal, moves are read from
standard input, one or more a line, as in R>F or T2>T1x3; `help` lists the
other words. NO_COLOR is heeded.

Examples:
  saratoga play                        game 0 of seed 1 of canfield
  saratoga play klondike --game 17 --save games.jsonl
  saratoga play ./my-house.toml -s patient
  printf 'draw draw\\nhint\\n' | saratoga play --plain")]
pub(in crate::cli) struct TableArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// Who gives hints and can be watched: a name on the shelf, or the path of a script
    #[arg(short, long, value_name = "STRATEGY", default_value = "search")]
    pub strategy: String,
    /// Seed of the deal
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub seed: u64,
    /// Game of the seed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0, u64::MAX))]
    pub game: u64,
    /// A deck of your own: its cards in the order they leave the pack, or a file with them
    #[arg(long, value_name = "CARDS|FILE", conflicts_with = "game")]
    pub deck: Option<String>,
    #[command(flatten)]
    pub table: AtTable,
}

/// How a game is shown and kept.
#[derive(Args, Debug)]
pub(in crate::cli) struct AtTable {
    /// Read moves from standard input line by line, and print positions as text
    #[arg(long)]
    pub plain: bool,
    /// Add the record of the game to this file when you leave
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}

pub(super) fn run(args: TableArgs) -> Result<ExitCode, CliError> {
    let loaded = load_rules(&args.rules)?;
    let strategy = load_strategy(&args.strategy)?;
    let rules: Arc<Rules> = loaded.rules.into();
    let dealt = match &args.deck {
        Some(deck) => Dealt::given(&args.rules, rules.clone(), deck_of(deck, &rules)?, args.seed, 0),
        None => Dealt::of_seed(&args.rules, rules, args.seed, args.game),
    };
    let session = Session::new(dealt);
    run_session(session, strategy, &args.table, false)
}

fn deck_of(text: &str, rules: &Rules) -> Result<Deck, CliError> {
    if text == "-" {
        return Err(CliError::input(
            "--deck -: standard input is for moves; give the cards, or a file with them",
        ));
    }
    if !is_path(text) {
        return parse_deck("--deck", text, rules.deck_shape());
    }
    read_deck(text_file(Path::new(text))?, rules.deck_shape()).map_err(CliError::Faults)
}

/// Runs `saratoga replay --step`: the game of a record, or one played by the strategy.
pub(super) fn step(args: &ReplayArgs) -> Result<ExitCode, CliError> {
    let table = AtTable { plain: args.plain, save: None };
    let strategy = load_strategy(&args.strategy)?;
    if let Some(file) = &args.record {
        let session = of_record(file, args.line)?;
        return run_session(session, strategy, &table, true);
    }
    let loaded = load_rules(&args.rules)?;
    let mut deals = deals(&args.deals, &loaded)?;
    let rules: Arc<Rules> = loaded.rules.into();
    let (Some(deal), None) = (deals.next(), deals.next()) else {
        return Err(CliError::input("--step shows one game: give its number with --game"));
    };
    let mut session =
        Session::new(Dealt::given(&args.rules, rules.clone(), deal.deck.clone(), args.deals.seed, deal.game));
    let mut watcher = Watcher::new(&strategy);
    let faulted = |error| replay::faulted(args, &deal, error);
    while watcher.step(&mut session).map_err(faulted)?.is_some() {}
    session.go_to(0);
    run_session(session, strategy, &table, true)
}

/// Loads the game of a record: in the given line, or in the first line that is a record.
fn of_record(file: &Path, line: Option<u64>) -> Result<Session, CliError> {
    let name = file.display().to_string();
    let cannot_read = |error: io::Error| CliError::input(format!("cannot read {name}: {}", reason(&error)));
    let opened = files::open(file, MOST_RECORDS).map_err(cannot_read)?;
    let mut lines = files::after_bom(io::BufReader::new(opened)).map_err(cannot_read)?;
    let mut bytes = Vec::new();
    let mut number = 0;
    while files::next_line(&mut lines, &mut bytes, 1 << 24).map_err(cannot_read)? {
        number += 1;
        let text = String::from_utf8_lossy(&bytes);
        let wanted = line.map_or(!text.trim().is_empty(), |line| line == number);
        if !wanted {
            continue;
        }
        let record: Record = serde_json::from_str(&text).map_err(|error| {
            let said = error.to_string();
            let said = said.rsplit_once(" at line ").map_or(&*said, |(said, _)| said);
            CliError::input(format!("{name}:{number}:{}: this is not a valid record: {said}", error.column()))
        })?;
        let Loaded { rules, .. } = load_named_rules(&record.rules)?;
        return Session::of_record(rules, &record).map_err(|fault| {
            let at = fault.word.and_then(|word| word_at(&text, &record.moves, word));
            let column = at.map_or(1, |at| text[..at].chars().count() + 1);
            CliError::input(format!("{name}:{number}:{column}: {fault}"))
        });
    }
    Err(match line {
        Some(line) => CliError::input(format!("{name} has no line {line}: it has {number}")),
        None => CliError::input(format!("{name} has no records: one JSON object per line is expected")),
    })
}

fn run_session(
    session: Session,
    strategy: StrategySource,
    args: &AtTable,
    steps: bool,
) -> Result<ExitCode, CliError> {
    let saving = Saving::new(args.save.clone())?;
    let place = Place { session, strategy, saving, steps };
    let person = io::stdin().is_terminal() && io::stdout().is_terminal();
    if args.plain || !person { plain::run(place, person) } else { screen::run(place) }
}
