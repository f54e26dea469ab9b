//! `saratoga rules page`: its arguments and its experiment.

use std::process::ExitCode;

use clap::Args;

use super::driver::{self, FIRST_BLOCK, Played, RunContext, Setup};
use super::error::CliError;
use super::input::{load_all_rules, load_contest, load_strategy};
use super::options::RunArgs;
use super::progress::{Line, PARTS};
use crate::contest::{self, LoadedContest};
use crate::lab::{self, Shelf, ShelfError, looks_ahead};
use crate::report::{count, shelf_document};
use crate::rules;
use crate::units::Count;

/// Default number of games of greedy for each ruleset.
const GAMES: u64 = 100_000;
/// Default number of games of patient, which is slower.
const PATIENT_GAMES: u64 = 2000;
/// Default number of matches of each contest and player.
const MATCHES: u64 = 500;
/// The searching player, and the scripts it is compared with, with greedy in its faster form.
const SEARCH: [&str; 8] =
    ["search:level=2", "greedy", "patient", "hoarder", "reserve-first", "cautious", "racer", "tunable"];
/// The scripts of the shelf that look ahead in sampled deals.
const AHEAD: [&str; 3] = ["foresight", "chooser", "sampler"];

/// Play every ruleset on the shelf and write one page about all of them
#[derive(Args, Debug)]
#[command(
    after_help = "\
Two strategies play every ruleset: greedy, the yardstick, and patient, a
script that plays better and more slowly. With --search-games the player that
searches plays too, beside the best of the scripts, and with --ahead-games the
scripts that look ahead. The page describes each game, gives its other names,
and shows win rate, cards and house edge with 95% intervals. The contests
between several players follow. The same figures are written as shelf.json
and as CSV in tables/. The default takes a few minutes.
Ctrl-C stops the run and reports what was finished.

Examples:
  saratoga rules page                           into reports/shelf
  saratoga rules page -n 1e6 --patient-games 20k --out my-shelf
  saratoga rules page --search-games 100        takes half an hour more
  saratoga rules page -n 2000 --patient-games 200 --json > shelf.json",
    mut_arg("out", |arg| arg.help("Folder for the page [default: reports/shelf]")),
    mut_arg("no_report", |arg| arg.help("Write no page")),
    mut_arg("json", |arg| arg.help("Print the results as a JSON object; write the page only with --out"))
)]
pub(in crate::cli) struct PageArgs {
    /// Games of greedy for each ruleset: 5000, 1e6, 250k [default: 100k]
    #[arg(short = 'n', long, value_name = "GAMES")]
    pub games: Option<Count>,
    /// Games of patient for each ruleset [default: 2000]
    #[arg(long, value_name = "GAMES")]
    pub patient_games: Option<Count>,
    /// Games of search:level=2 for each ruleset of one pack, and of every script on the same deals [default: none]
    ///
    /// Of two packs it plays a quarter as many, of three a ninth, and of four a sixteenth, as each takes longer.
    #[arg(long, value_name = "GAMES")]
    pub search_games: Option<Count>,
    /// Games of foresight, chooser and sampler for each ruleset of one pack [default: none]
    #[arg(long, value_name = "GAMES")]
    pub ahead_games: Option<Count>,
    /// Matches of each contest: with greedy players only, and with patient as the first [default: 500]
    #[arg(long, value_name = "MATCHES")]
    pub matches: Option<Count>,
    #[command(flatten)]
    pub run: RunArgs,
}

pub(super) fn run(args: PageArgs) -> Result<ExitCode, CliError> {
    let amounts = [
        ("-n", args.games, "", GAMES),
        ("--patient-games", args.patient_games, "", PATIENT_GAMES),
        ("--search-games", args.search_games, "; leave it out for none", 0),
        ("--ahead-games", args.ahead_games, "; leave it out for none", 0),
        ("--matches", args.matches, "", MATCHES),
    ];
    for (flag, given, hint, _) in amounts {
        if given.is_some_and(|given| given.0 == 0) {
            let what = if flag == "--matches" { "matches" } else { "games" };
            return Err(CliError::input(format!("no {what} to play: {flag} must be at least 1{hint}")));
        }
    }
    let [games, patient, search, ahead, matches] =
        amounts.map(|(_, given, _, usual)| given.map_or(usual, |given| given.0));
    let load = |names: &[&str]| names.iter().map(|name| load_strategy(name)).collect::<Result<Vec<_>, _>>();
    let names: Vec<String> = rules::shelf().iter().map(|(name, _)| name.to_string()).collect();
    let rulesets = load_all_rules(&names)?;
    let contests: Vec<LoadedContest> =
        contest::shelf().iter().map(|(name, _)| load_contest(name)).collect::<Result<_, _>>()?;
    let (players, searching, looking) = (load(&["greedy", "patient"])?, load(&SEARCH)?, load(&AHEAD)?);
    let run = &args.run;
    // The page shows the whole shelf, which every copy of the program has.
    let setup = Setup { folder: "shelf".into(), inputs: None, ..Setup::new(run, [], []) };
    let play = |RunContext { workers, .. }: RunContext<'_>| {
        let shelf = Shelf {
            rulesets: &rulesets,
            contests: &contests,
            players: players.iter().zip([games, patient]).collect(),
            search: (&searching, search),
            ahead: (&looking, ahead),
            matches,
            seed: run.seed,
            workers,
        };
        let of_one_pack = rulesets.iter().filter(|loaded| looks_ahead(&loaded.rules)).count();
        let parts = (rulesets.len() + contests.len()) * players.len()
            + if search > 0 { rulesets.len() } else { 0 }
            + if ahead > 0 { of_one_pack * looking.len() } else { 0 };
        let mut line = Line::bar(PARTS, parts as u64, run.quiet);
        let mut done = 0;
        let found = lab::play_shelf(&shelf, &mut |part, last| {
            done += u64::from(last);
            line.show(done, || part.to_string());
        });
        let found = found.map_err(|error| match error {
            ShelfError::Games(error) => error.into(),
            ShelfError::Matches(id, first, error) => {
                let seats = contests.iter().find(|it| it.id == id).map_or(1, |it| it.spec.players.len());
                let others = format!(" -s {}", players[0].id()).repeat(seats - 1);
                CliError::of_run(error, |error| {
                    let (first, seed, number) = (players[first].id(), run.seed, error.number);
                    let shows =
                        format!("saratoga contest {id} -s {first}{others} --seed {seed} --match {number}");
                    CliError::of_match(*error, shows)
                })
            }
        })?;
        if found.games() == 0 {
            return Err(FIRST_BLOCK);
        }
        let part =
            || format!("the figures are those of the {} games that were finished", count(found.games()));
        Ok(Played { interrupted: found.interrupted.then(part), again: Vec::new(), found })
    };
    driver::run(setup, play, |found, output| {
        let json = output.run.json(&found).map_err(CliError::no_report)? + "\n";
        let document = shelf_document(&output.run, &found);
        output.print_files(&output.figures(&document, &json), "Page", || {
            Ok((output.files(&document, ("shelf.json", &json), [])?, Vec::new()))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::{self, script::SHELF};

    /// Every strategy of the shelf either is compared with the searching player or looks ahead.
    #[test]
    fn no_script_is_left_out() {
        let mut all: Vec<&str> = strategy::names().into_iter().map(|(name, _)| name).collect();
        let looks_ahead =
            |name: &&str| SHELF.iter().any(|(it, text)| it == name && text.contains(".playout("));
        let mut ahead: Vec<&str> = all.iter().copied().filter(looks_ahead).collect();
        all.retain(|name| *name != "random" && !looks_ahead(name));
        let (mut scripts, mut slow) = (SEARCH[1..].to_vec(), AHEAD.to_vec());
        [&mut all, &mut ahead, &mut scripts, &mut slow].into_iter().for_each(|names| names.sort_unstable());
        assert_eq!((all, ahead), (scripts, slow));
    }
}
