//! `saratoga rules page`

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use crate::contest::LoadedContest;
use crate::lab::{Measured, Pairing, Workers, measure};
use crate::report::{
    ShelfPage, ShelfRuleset, count, document_files, document_terminal, shelf_contests_csv, shelf_csv,
    shelf_document, shelf_json,
};
use crate::rules::{self, Loaded};
use crate::stats::summarize;
use crate::strategy::StrategySource;

use super::args::PageArgs;
use super::driver::{self, Ending, Experiment, FIRST_BLOCK, Means, Output};
use super::error::CliError;
use super::input::{load_all_rules, load_strategy};
use super::progress::Runs;
use super::words::CommandLine;
use super::{shelf_ahead, shelf_contests, shelf_search, terminal};

/// Games of each ruleset by greedy, unless the command line says otherwise.
const GAMES: u64 = 100_000;
/// And by patient, a script of some length.
const PATIENT_GAMES: u64 = 2000;
/// Matches of each contest and player, unless the command line says otherwise.
const MATCHES: u64 = 500;

/// A player with the games it plays of each ruleset.
struct PlayerGames {
    strategy: StrategySource,
    games: u64,
}

pub(super) fn run(args: PageArgs) -> Result<ExitCode, CliError> {
    let games = [
        ("greedy", "-n", args.games.map_or(GAMES, |games| games.0)),
        ("patient", "--patient-games", args.patient_games.map_or(PATIENT_GAMES, |games| games.0)),
    ];
    let mut players = Vec::new();
    for (name, flag, games) in games {
        if games == 0 {
            return Err(CliError::input(format!("no games to play: {flag} must be at least 1")));
        }
        players.push(PlayerGames { strategy: load_strategy(name)?, games });
    }
    let matches = args.matches.map_or(MATCHES, |matches| matches.0);
    if matches == 0 {
        return Err(CliError::input("no matches to play: --matches must be at least 1"));
    }
    for (flag, games) in [("--search-games", args.search_games), ("--ahead-games", args.ahead_games)] {
        if games.is_some_and(|games| games.0 == 0) {
            let message = format!("no games to play: {flag} must be at least 1; leave it out for none");
            return Err(CliError::input(message));
        }
    }
    let names: Vec<String> = rules::shelf().iter().map(|(name, _)| name.to_string()).collect();
    let rulesets = load_all_rules(&names)?;
    let contests = shelf_contests::load_all()?;
    driver::run(&args.run, Shelf { args: &args, rulesets: &rulesets, contests: &contests, players, matches })
}

/// Everything on the shelf, and who plays it.
struct Shelf<'a> {
    args: &'a PageArgs,
    rulesets: &'a [Loaded],
    contests: &'a [LoadedContest],
    players: Vec<PlayerGames>,
    matches: u64,
}

/// What was played: for each ruleset a run of each player, and the contests.
struct Played {
    runs: Vec<Vec<Measured>>,
    /// One for each ruleset, where it was asked for.
    searching: Vec<shelf_search::Played>,
    /// The same of the scripts that look ahead; no runs of rulesets that they do not play.
    ahead: Vec<Vec<Measured>>,
    contests: shelf_contests::Played,
}

impl Played {
    fn games(&self) -> u64 {
        let searched = self.searching.iter().map(|played| played.tally.games());
        let runs = self.runs.iter().chain(&self.ahead).flatten();
        runs.map(|run| run.tally.games()).chain(searched).sum()
    }

    fn interrupted(&self) -> bool {
        self.contests.interrupted
            || self.searching.iter().any(|played| played.interrupted)
            || self.runs.iter().chain(&self.ahead).flatten().any(|run| run.interrupted)
    }
}

impl Experiment for Shelf<'_> {
    type Played = Played;

    fn folder(&self) -> String {
        "shelf".into()
    }

    fn play(&mut self, Means { stop, .. }: Means<'_>) -> Result<Played, CliError> {
        let runs = play(self.args, self.rulesets, &self.players, stop)?;
        let searching = match self.args.search_games {
            Some(games) => shelf_search::play(self.rulesets, games.0, &self.args.run, stop)?,
            None => Vec::new(),
        };
        let ahead = match self.args.ahead_games {
            Some(games) => shelf_ahead::play(self.rulesets, games.0, &self.args.run, stop)?,
            None => Vec::new(),
        };
        let strategies: Vec<&StrategySource> = self.players.iter().map(|player| &player.strategy).collect();
        let contests = shelf_contests::play(self.contests, &strategies, self.matches, &self.args.run, stop)?;
        Ok(Played { runs, searching, ahead, contests })
    }

    fn ending(&self, played: &Played) -> Ending {
        let games = played.games();
        if games == 0 {
            return Ending::Nothing(FIRST_BLOCK);
        }
        Ending::of(played.interrupted(), || {
            format!("the figures are those of the {} games that were finished", count(games))
        })
    }

    fn report(&mut self, played: Played, output: &Output) -> Result<(), CliError> {
        let command = again(self.args, &self.players);
        let contests = self.contests.iter().zip(&played.contests.tallies);
        let page = ShelfPage {
            command: &command,
            version: env!("CARGO_PKG_VERSION"),
            seed: self.args.run.seed,
            players: self
                .players
                .iter()
                .map(|player| player.strategy.name())
                .chain(self.args.search_games.map(|_| shelf_search::PLAYER))
                .collect(),
            ahead: self.args.ahead_games.map_or(Vec::new(), |_| shelf_ahead::SCRIPTS.to_vec()),
            rulesets: self
                .rulesets
                .iter()
                .zip(&played.runs)
                .enumerate()
                .map(|(i, (loaded, runs))| {
                    let ahead = played.ahead.get(i).map_or(&[][..], Vec::as_slice);
                    shelf_ruleset(loaded, runs, played.searching.get(i), ahead)
                })
                .collect(),
            contests: contests.map(shelf_contests::row).collect(),
        };
        let json = shelf_json(&page).map_err(CliError::no_report)?;
        let document = shelf_document(&page);
        let figures = match output.json {
            true => format!("{}\n", json.trim_end()),
            false => document_terminal(&document, terminal::width()),
        };
        output.print(&figures, "Page", || {
            let mut files = document_files(&document, ("shelf.json", &json)).map_err(CliError::no_report)?;
            files.push(("shelf.csv".into(), shelf_csv(&page).into_bytes()));
            files.push(("contests.csv".into(), shelf_contests_csv(&page).into_bytes()));
            Ok((files, Vec::new()))
        })
    }
}

/// Plays each ruleset with each player.
fn play(
    args: &PageArgs,
    rulesets: &[Loaded],
    players: &[PlayerGames],
    stop: &AtomicBool,
) -> Result<Vec<Vec<Measured>>, CliError> {
    let progress = Runs::new(rulesets.len() * players.len(), args.run.quiet);
    let one = |loaded: &Loaded, player: &PlayerGames| {
        let make = || player.strategy.instantiate();
        let entry = Pairing { id: &loaded.id, rules: &loaded.rules, strategy: &make };
        let run = (args.run.seed, Workers::new(args.run.threads()));
        let name = format!("{} by {}", loaded.id, player.strategy.id());
        measure(entry, 0..player.games, run, stop, |so_far| {
            progress.piece(&name, so_far.games == player.games)
        })
    };
    let each = |loaded| players.iter().map(|player| one(loaded, player)).collect::<Result<_, _>>();
    Ok(rulesets.iter().map(each).collect::<Result<_, _>>()?)
}

/// A row of the page.
fn shelf_ruleset<'a>(
    loaded: &'a Loaded,
    runs: &[Measured],
    searching: Option<&shelf_search::Played>,
    ahead: &[Measured],
) -> ShelfRuleset<'a> {
    let rules = loaded.rules.spec();
    let tallies = runs.iter().map(|run| &run.tally).chain(searching.map(|played| &played.tally));
    let summaries = tallies.map(|tally| summarize(tally, rules, Vec::new())).collect();
    let ahead = ahead.iter().map(|run| summarize(&run.tally, rules, Vec::new())).collect();
    let beside = searching.and_then(|played| played.beside.clone());
    ShelfRuleset { id: &loaded.id, rules, summaries, ahead, beside }
}

/// The command line that makes the same page again.
fn again(args: &PageArgs, players: &[PlayerGames]) -> String {
    CommandLine::new("rules page")
        .option("-n", [players[0].games])
        .option("--patient-games", [players[1].games])
        .option("--search-games", args.search_games)
        .option("--ahead-games", args.ahead_games)
        .option("--seed", [args.run.seed])
        .option("--matches", args.matches)
        .option("--out", args.run.out.as_ref().map(|out| out.display()))
        .line()
}
