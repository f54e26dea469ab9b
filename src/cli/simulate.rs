//! `saratoga simulate`: its command line, and what it does.

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;

use super::checkpoint::resolved;
use super::driver::{self, FIRST_BLOCK, Played, RunContext, Setup};
use super::error::CliError;
use super::input::{DealsFile, at_least_1, decks, load_all_rules, memory_to_solve};
use super::options::{PlayerArgs, RunArgs, ScriptArgs};
use super::progress::{FORESEEN, GAMES as GAMES_PLAYED, Line};
use super::terminal::{joined, note};
use crate::files::{Folder, Ready, reason};
use crate::game::{NamedDeal, Outcome};
use crate::interrupt;
use crate::lab::{
    self, Batch, Clairvoyant, Finished, Matchup, Simulated, Stopped, Watcher, Workers, clairvoyant_bounds,
    solvable,
};
use crate::report::{GamesCsv, count, running_figure, simulate_document};
use crate::rules::{Loaded, Spec};
use crate::signals::stop_on_ctrl_c;
use crate::stats::Precision;
use crate::strategy::StrategySource;
use crate::units::{Count, whole};

const GAMES: u64 = 100_000;
/// Maximum number of games of a run with `--precision`.
const GAMES_CAP: u64 = 1_000_000_000;
/// Default number of decks sold in a night.
const NIGHT: u64 = 200;

/// Play many games and report win rate, cards and house edge
#[derive(Args, Debug)]
#[command(
    after_help = "\
Every strategy plays every ruleset on the same shuffles. The results are
printed and written to a folder, as an HTML page with charts. Ctrl-C stops the
run and reports the games that were finished.

Examples:
  saratoga simulate                       canfield, greedy, 100,000 games
  saratoga simulate canfield demon-casino -s patient -s greedy -n 1e6 --seed 7
  saratoga simulate single-pass --precision 0.5pp
  saratoga simulate canfield -s greedy -s patient --clairvoyant=500
  saratoga simulate ./my-house.toml -s ./mine.rhai --out my-report
  saratoga simulate canfield --deals decks.txt   the decks of a file
  saratoga simulate storehouse --json | jq '.entries[0].summary.house_edge'",
    mut_arg("json", |arg| arg.help("Print the results as JSON; write a report only with --out or --csv"))
)]
pub(in crate::cli) struct SimulateArgs {
    /// Rulesets: names on the shelf, or paths
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: Vec<String>,
    #[command(flatten)]
    pub players: PlayerArgs,
    /// Games for each ruleset and strategy: 5000, 1e6, 250k [default: 100k, or 1G with --precision]
    #[arg(short = 'n', long, value_name = "GAMES")]
    pub games: Option<Count>,
    /// Play the decks of this file instead of those of the seed, one per line: the cards, or an id, a tab and the
    /// cards; -n takes the first of them; a deck counts as often as it is listed; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "clairvoyant")]
    pub deals: Option<PathBuf>,
    /// Play until every 95% interval is within ± WIDTH: 0.05 (mean cards), 1pp (points of the house edge)
    #[arg(long, value_name = "WIDTH")]
    pub precision: Option<Precision>,
    /// Decks sold in a night, for the chart of the house's profit
    #[arg(long, value_name = "DECKS", default_value_t = NIGHT, value_parser = whole(1, 10_000))]
    pub night: u64,
    /// Also write every game to the report's folder: games.csv, or games-RULES-STRATEGY.csv if there are several
    #[arg(long, conflicts_with = "no_report")]
    pub csv: bool,
    /// Also report, for the first DEALS games, what a clairvoyant player, who knows every card, would reach [default: 200]
    #[arg(long, value_name = "DEALS", num_args = 0..=1, require_equals = true, default_missing_value = "200")]
    pub clairvoyant: Option<Count>,
    /// Limit on the positions searched in each of these deals; the results are the same on every machine
    #[arg(long, value_name = "N", default_value = "200k", requires = "clairvoyant")]
    pub clairvoyant_nodes: Count,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

pub(super) fn run(args: SimulateArgs) -> Result<ExitCode, CliError> {
    let loaded = load_all_rules(&args.rules)?;
    let strategies = args.players.load(&args.scripts)?;
    if let Some(precision) = args.precision {
        for loaded in &loaded {
            precision.check(loaded.rules.spec()).map_err(CliError::input)?;
        }
    }
    check_clairvoyant(&args, &loaded)?;
    let rules: Vec<(&str, &Loaded)> = args.rules.iter().map(String::as_str).zip(&loaded).collect();
    let file = DealsFile::load(args.deals.as_deref(), &rules, args.games.as_ref(), &args.run)?;
    let deals = file.as_ref().map(|file| &file.deals[..]);
    let games = match (args.games, deals, args.precision) {
        (Some(games), ..) => games.0,
        (None, Some(deals), _) => deals.len() as u64,
        (None, None, None) => GAMES,
        (None, None, Some(_)) => GAMES_CAP,
    };
    at_least_1(games, "no games to play: -n")?;
    let ids = loaded.iter().map(|it| &*it.id);
    let names = strategies.iter().map(StrategySource::id);
    let setup = Setup {
        folder: format!("{}-{}-{}", joined(ids), joined(names), args.run.seed),
        reports: !args.run.json || args.csv,
        deals: file.as_ref().map(|file| file.source.clone()),
        inputs: Some(deals.iter().map(|deals| decks(deals)).collect()),
        resolved: vec![resolved("RULES", &args.rules), args.players.resolved(), resolved("--games", [games])],
        stages: Some(1 + args.clairvoyant.map_or(0, |_| loaded.len() as u32)),
        ..Setup::new(&args.run, &loaded, &strategies)
    };
    // Every ruleset under every strategy, in order.
    let pair = |&(named, loaded): &(_, _)| strategies.iter().map(move |strategy| (named, loaded, strategy));
    let pairs: Vec<(&str, &Loaded, &StrategySource)> = rules.iter().flat_map(pair).collect();
    let play = |RunContext { workers, folder }: RunContext<'_>| {
        let folder = folder.filter(|_| args.csv);
        let mut csv = folder.map(|folder| GamesFiles::create(folder, &pairs, deals)).transpose()?;
        stop_on_ctrl_c(csv.as_ref().map_or(Vec::new(), GamesFiles::parts), Vec::new());
        let started = Instant::now();
        let entries =
            pairs.iter().map(|&(id, loaded, strategy)| Matchup { id, rules: &loaded.rules, strategy });
        let batch = Batch {
            entries: entries.collect(),
            seed: args.run.seed,
            games: 0..games,
            precision: args.precision,
            workers,
            // Also in a shard, whose games are written by the merge.
            each_game: args.csv,
        };
        let (_, first, _) = pairs[0];
        let total = games.saturating_mul(pairs.len() as u64);
        // With a precision, the number of games is only a maximum.
        let open = args.precision.is_some() && args.games.is_none();
        let mut watcher = Watch {
            line: match pairs.len() {
                1 if !open => Line::bar(GAMES_PLAYED, total, args.run.quiet),
                _ => Line::message(GAMES_PLAYED, (!open).then_some(total), args.run.quiet),
            },
            // If there are several, the first is shown, by the name of its rules.
            name: if pairs.len() > 1 { format!("{} ", first.id) } else { String::new() },
            spec: first.rules.spec(),
            csv: csv.as_mut(),
        };
        // Ctrl-C drops the blocks under way.
        let played = lab::simulate_deals(&batch, deals, &mut watcher);
        let named = file.as_ref().map(|file| &*file.name);
        let played =
            played.map_err(|error| CliError::of_run(error, |error| CliError::of_game(*error, named)))?;
        drop(watcher);
        // Kept blocks were found rather than played.
        let resumed = workers.checkpoint.is_some_and(|it| it.kept() > 0);
        let seconds = (!resumed).then(|| started.elapsed().as_secs_f64());
        let named =
            pairs.iter().map(|(_, loaded, strategy)| (&*loaded.id, strategy.name(), loaded.rules.spec()));
        let mut found = Simulated::new(named, played);
        if found.games == 0 {
            return Err(FIRST_BLOCK);
        }
        let precise =
            |precision: Precision| found.entries.iter().all(|it| precision.reached(&it.tally, &it.spec));
        if found.games == games && !found.interrupted && !args.precision.is_none_or(precise) {
            note(&format!("warning: {games} games were too few for this precision"));
        }
        if let Some(deals) = args.clairvoyant {
            let deals = deals.0.min(found.games);
            let known = look_ahead(&args, &loaded, deals, workers.part(0))?;
            for (entries, known) in found.entries.chunks_mut(strategies.len()).zip(known) {
                entries.iter_mut().for_each(|it| it.clairvoyant.clone_from(&known));
            }
            found.interrupted |= workers.stopped();
        }
        let known = found.entries.iter().map(|it| it.clairvoyant.as_ref().map(|known| known.deals));
        let known = known.min().flatten();
        Ok(Played {
            interrupted: found.interrupted.then(|| {
                let games = count(found.games);
                format!("the figures are those of the first {games} games, which were finished")
            }),
            again: vec![
                resolved("RULES", &args.rules),
                args.players.resolved(),
                resolved("--games", [found.games]),
                resolved("--precision", None::<&str>),
                resolved("--clairvoyant", known),
                resolved("--clairvoyant-nodes", known.map(|_| args.clairvoyant_nodes)),
            ],
            found: (found, csv, seconds),
        })
    };
    driver::run(setup, play, |(mut found, mut csv, seconds), output| {
        let json = output.run.json(&found).map_err(CliError::no_report)? + "\n";
        let figures = output.figures(&simulate_document(&output.run, &found, seconds), &json);
        output.print_files(&figures, "Report", || {
            let ready = csv.as_mut().map_or(Ok(Vec::new()), GamesFiles::finish)?;
            // The command line allows no more than fits.
            found.add_nights(u32::try_from(args.night).unwrap_or(u32::MAX), interrupt::requested());
            let document = simulate_document(&output.run, &found, None);
            Ok((output.files(&document, ("summary.json", &json), [])?, ready))
        })
    })
}

/// Shows games played, with the running house edge of the first entry, and writes every game.
struct Watch<'a, 'c> {
    line: Line,
    name: String,
    spec: &'a Spec,
    csv: Option<&'a mut GamesFiles<'c>>,
}

impl Watcher for Watch<'_, '_> {
    fn games(&mut self, so_far: &Finished) {
        self.line.show(so_far.games * so_far.tallies.len() as u64, || {
            format!("{}{}", self.name, running_figure(&so_far.tallies[0], self.spec))
        });
    }

    fn block(&mut self, first: u64, _so_far: &Finished, outcomes: &[Vec<Outcome>]) {
        if let Some(csv) = &mut self.csv {
            csv.block(first, outcomes);
        }
    }
}

/// Refuses rulesets with chance inside the game, before any game is played.
fn check_clairvoyant(args: &SimulateArgs, rules: &[Loaded]) -> Result<(), CliError> {
    let Some(deals) = args.clairvoyant else { return Ok(()) };
    if deals.0 == 0 {
        return Err(CliError::input("--clairvoyant needs at least 1 deal"));
    }
    CliError::none_of(args.rules.iter().zip(rules).filter_map(|(name, loaded)| {
        let refused = solvable(&loaded.rules).err()?;
        Some(CliError::input(format!(
            "--clairvoyant does not work for {name}: {refused}; choose other rules, or leave --clairvoyant out"
        )))
    }))?;
    // No more threads than deals have work.
    let threads = args.run.threads().min(usize::try_from(deals.0).unwrap_or(usize::MAX));
    let nodes = ("--clairvoyant-nodes", args.clairvoyant_nodes.0);
    memory_to_solve("--clairvoyant", nodes, threads, rules.iter())
}

/// What is known of each ruleset on its first deals; nothing where the run was stopped before a deal was solved.
fn look_ahead(
    args: &SimulateArgs,
    rules: &[Loaded],
    deals: u64,
    workers: Workers<'_>,
) -> Result<Vec<Option<Clairvoyant>>, CliError> {
    let nodes = args.clairvoyant_nodes.0;
    let threads = usize::try_from(deals).unwrap_or(usize::MAX);
    let total = deals.saturating_mul(rules.len() as u64);
    let mut line = Line::bar(FORESEEN, total, args.run.quiet);
    let (mut found, mut missing) = (Vec::new(), false);
    for (i, loaded) in rules.iter().enumerate() {
        let before = i as u64 * deals;
        let (asked, part) = ((args.run.seed, deals, nodes), workers.part(i as u64).at_most(threads));
        let bounds = clairvoyant_bounds(&loaded.rules, asked, part, &mut |done| {
            line.show(before + done, String::new);
        });
        if matches!(bounds, Err(Stopped::Missing)) {
            missing = true;
            continue;
        }
        let bounds = bounds?;
        found.push((bounds.deals() > 0).then(|| Clairvoyant {
            deals: bounds.deals() as u64,
            nodes,
            winnable: bounds.winnable(),
            most_cards: bounds.most_cards(loaded.rules.spec()),
        }));
    }
    drop(line);
    if missing {
        return Err(CliError::Missing);
    }
    if !args.run.quiet {
        for (loaded, found) in rules.iter().zip(&found) {
            let (id, what) = (&loaded.id, "the perfect-information bound");
            match found.as_ref().map(|known| known.deals) {
                Some(known) if known == deals => {}
                Some(known) => note(&format!("interrupted: {what} is from {known} deals of {id}")),
                None => note(&format!("interrupted: no deal of {id} was solved for {what}")),
            }
        }
    }
    Ok(found)
}

/// One CSV file for each entry: `games.csv`, or `games-<entry>.csv` if there are several. Until the report is written
/// they have random names; files left over are removed.
struct GamesFiles<'a> {
    files: Vec<GamesFile<'a>>,
    deals: Option<&'a [NamedDeal]>,
    fault: Option<CliError>,
}

struct GamesFile<'a> {
    name: String,
    part: PathBuf,
    csv: Option<GamesCsv<'a, File>>,
}

impl<'a> GamesFiles<'a> {
    /// Creates the files of pairs of a ruleset, with its name, and a strategy.
    fn create(
        folder: &Folder,
        pairs: &[(&str, &'a Loaded, &StrategySource)],
        deals: Option<&'a [NamedDeal]>,
    ) -> Result<GamesFiles<'a>, CliError> {
        let named = deals.is_some_and(|deals| deals.iter().any(|deal| deal.id.is_some()));
        let mut files = GamesFiles { files: Vec::new(), deals, fault: None };
        for (i, (_, loaded, strategy)) in pairs.iter().enumerate() {
            let (id, spec) = (format!("{}-{}", loaded.id, strategy.id()), loaded.rules.spec());
            let mut name = match pairs.len() {
                1 => "games.csv".to_string(),
                _ => format!("games-{id}.csv"),
            };
            // A name may already look like one with a number.
            let mut number = i + 1;
            while files.files.iter().any(|file: &GamesFile<'_>| file.name == name) {
                name = format!("games-{id}-{number}.csv");
                number += 1;
            }
            let (part, file) = folder.part()?;
            let csv = GamesCsv::new(spec, named, file)
                .map_err(CliError::io(format!("cannot write {}", folder.path().join(&name).display())));
            match csv {
                Ok(csv) => files.files.push(GamesFile { name, part, csv: Some(csv) }),
                Err(error) => {
                    let _ = fs::remove_file(part);
                    return Err(error);
                }
            }
        }
        Ok(files)
    }

    fn parts(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| file.part.clone()).collect()
    }

    /// Adds the games of a block, from game `first` on. After a write error, the games continue without the file.
    fn block(&mut self, first: u64, outcomes: &[Vec<Outcome>]) {
        if self.fault.is_none()
            && let Err((name, error)) = self.rows(first, outcomes)
        {
            note(&format!(
                "warning: cannot write {name}: {}; the games go on, for their figures",
                reason(&error)
            ));
            self.fault = Some(CliError::io(format!("cannot write {name}, so there is no report"))(error));
            // Partial files may be what fills the disk.
            self.files.iter_mut().for_each(|file| file.csv = None);
            self.parts().iter().for_each(|part| drop(fs::remove_file(part)));
        }
    }

    fn rows(&mut self, first: u64, outcomes: &[Vec<Outcome>]) -> Result<(), (String, io::Error)> {
        for (file, outcomes) in self.files.iter_mut().zip(outcomes) {
            if let Some(csv) = &mut file.csv {
                for (game, outcome) in (first..).zip(outcomes) {
                    let deal = self.deals.and_then(|deals| deals.get(usize::try_from(game).ok()?));
                    let id = deal.and_then(|deal| deal.id.as_deref());
                    csv.row(game, id, outcome).map_err(|error| (file.name.clone(), error))?;
                }
            }
        }
        Ok(())
    }

    /// Returns the files, ready to be moved into the folder.
    fn finish(&mut self) -> Result<Vec<Ready>, CliError> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        for file in &mut self.files {
            let cannot = CliError::io(format!("cannot write {}, so there is no report", file.name));
            file.csv.take().map_or(Ok(()), |csv| csv.finish().map(drop)).map_err(cannot)?;
        }
        Ok(self.files.iter().map(|file| (file.name.clone(), file.part.clone())).collect())
    }
}

impl Drop for GamesFiles<'_> {
    fn drop(&mut self) {
        self.parts().iter().for_each(|part| drop(fs::remove_file(part)));
    }
}
