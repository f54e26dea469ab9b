//! `saratoga simulate`: its command line, and what it does.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::Args;

use super::args::{RunArgs, ScriptArgs};
use super::checkpoint::{ResolvedOption, settled, texts};
use super::deals_file::{DealsFile, decks};
use super::driver::{self, Ending, Experiment, FIRST_BLOCK, Output, RunContext};
use super::error::CliError;
use super::games_csv::GamesFiles;
use super::input::{load_all_rules, load_players_or_usual, players};
use super::progress::{FORESEEN, Line, Progress};
use super::terminal::{self, note};
use super::words::{joined, unique};
use crate::files::Folder;
use crate::game::Outcome;
use crate::interrupt;
use crate::lab::{
    self, Batch, Clairvoyant, ClairvoyantBatch, Finished, Matchup, SavedText, Simulated, SolveError, Watcher,
    Workers, clairvoyant_bounds, memory_of_a_thread, solvable,
};
use crate::memory;
use crate::report::{DealsSource, count, document_files, document_terminal, simulate_document};
use crate::rules::{Loaded, Spec};
use crate::signals::stop_on_ctrl_c;
use crate::stats::Precision;
use crate::strategy::StrategySource;
use crate::units::{Count, Patrons, patrons, whole};

/// Default number of games.
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
    /// Rulesets: names on the shelf, or paths [default: canfield]
    #[arg(value_name = "RULES")]
    pub rules: Vec<String>,
    /// A strategy: a name on the shelf, or a path; may be repeated [default: greedy]
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// A mix of players, as one more strategy: each game is played by one of them, drawn by the shares; or a file of
    /// them
    #[arg(long, value_name = "SHARES", value_parser = patrons)]
    pub patrons: Option<Patrons>,
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
    let names = rulesets(&args);
    let rules = load_all_rules(&names)?;
    let strategies = load_players_or_usual(&args.strategies, args.patrons.as_ref(), &args.scripts)?;
    if let Some(precision) = args.precision {
        for loaded in &rules {
            precision.check(loaded.rules.spec()).map_err(CliError::input)?;
        }
    }
    check_clairvoyant(&args, &names, &rules)?;
    let named: Vec<(&str, &Loaded)> = names.iter().map(String::as_str).zip(&rules).collect();
    let file = DealsFile::load(args.deals.as_deref(), &named, args.games.as_ref(), &args.run)?;
    let games = match (args.games, &file, args.precision) {
        (Some(games), ..) => games.0,
        (None, Some(file), _) => file.deals.len() as u64,
        (None, None, None) => GAMES,
        (None, None, Some(_)) => GAMES_CAP,
    };
    if games == 0 {
        return Err(CliError::input("no games to play: -n must be at least 1"));
    }
    let simulation = Simulation {
        args: &args,
        rules: named,
        strategies: &strategies,
        games,
        file: file.as_ref(),
        csv: None,
        seconds: None,
    };
    driver::run(&args.run, simulation)
}

/// The rulesets that a command line names, or the usual one.
fn rulesets(args: &SimulateArgs) -> Vec<String> {
    if args.rules.is_empty() { vec!["canfield".into()] } else { args.rules.clone() }
}

/// Rulesets under strategies.
struct Simulation<'a> {
    args: &'a SimulateArgs,
    /// The rulesets as the command line names them.
    rules: Vec<(&'a str, &'a Loaded)>,
    strategies: &'a [StrategySource],
    /// Number of games of each pair, or the maximum.
    games: u64,
    /// The file of the deals, if they do not come from the seed.
    file: Option<&'a DealsFile>,
    /// Where every game is written, if it is.
    csv: Option<GamesFiles<'a>>,
    /// How long it took; `None` where games were found rather than played.
    seconds: Option<f64>,
}

impl<'a> Simulation<'a> {
    /// Every ruleset under every strategy, in order.
    fn pairs(&self) -> Vec<(&'a str, &'a Loaded, &'a StrategySource)> {
        let strategies = self.strategies;
        let of =
            |&(named, loaded): &(&'a str, &'a Loaded)| strategies.iter().map(move |it| (named, loaded, it));
        self.rules.iter().flat_map(of).collect()
    }

    /// The files of all games, under names of chance until they are whole.
    fn games_files(&self, folder: &Folder) -> Result<GamesFiles<'a>, CliError> {
        let pairs = self.pairs();
        let ids: Vec<String> =
            pairs.iter().map(|(_, loaded, strategy)| format!("{}-{}", loaded.id, strategy.id())).collect();
        let specs: Vec<&Spec> = pairs.iter().map(|(_, loaded, _)| loaded.rules.spec()).collect();
        GamesFiles::create(folder, &ids, &specs, self.file.map(|file| &file.deals[..]))
    }
}

impl Experiment for Simulation<'_> {
    type Played = Simulated;

    fn folder(&self) -> String {
        let rules = unique(self.rules.iter().map(|(_, loaded)| &*loaded.id));
        let strategies = unique(self.strategies.iter().map(StrategySource::id));
        format!("{}-{}-{}", joined(&rules), joined(&strategies), self.args.run.seed)
    }

    fn reports(&self, run: &RunArgs) -> bool {
        !run.json || self.args.csv
    }

    fn rules(&self) -> Vec<&Loaded> {
        self.rules.iter().map(|(_, loaded)| *loaded).collect()
    }

    fn players(&self) -> Vec<&StrategySource> {
        self.strategies.iter().collect()
    }

    fn deals(&self) -> Option<DealsSource> {
        self.file.map(|file| file.source.clone())
    }

    fn inputs(&self) -> Option<Vec<SavedText>> {
        let decks = self.file.iter().map(|file| decks(&file.deals));
        Some(decks.chain(texts(self.rules(), self.players())).collect())
    }

    fn settled(&self) -> Vec<ResolvedOption> {
        vec![
            settled("RULES", rulesets(self.args)),
            settled("--strategy", players(&self.args.strategies, self.args.patrons.as_ref())),
            settled("--games", [self.games]),
        ]
    }

    fn again(&self, found: &Simulated) -> Vec<ResolvedOption> {
        let args = self.args;
        let deals =
            found.entries.iter().map(|it| it.clairvoyant.as_ref().map(|known| known.deals)).min().flatten();
        vec![
            settled("RULES", rulesets(args)),
            settled("--strategy", players(&args.strategies, args.patrons.as_ref())),
            settled("--games", [found.games]),
            settled("--precision", None::<&str>),
            settled("--clairvoyant", deals),
            settled("--clairvoyant-nodes", deals.map(|_| args.clairvoyant_nodes)),
        ]
    }

    fn stages(&self) -> Option<u32> {
        Some(1 + self.args.clairvoyant.map_or(0, |_| self.rules.len() as u32))
    }

    fn play(&mut self, RunContext { stop, workers, folder }: RunContext<'_>) -> Result<Simulated, CliError> {
        let (args, pairs) = (self.args, self.pairs());
        self.csv = folder.filter(|_| args.csv).map(|folder| self.games_files(folder)).transpose()?;
        stop_on_ctrl_c(self.csv.as_ref().map_or(Vec::new(), GamesFiles::parts), Vec::new());
        let started = Instant::now();
        let makers: Vec<_> = pairs.iter().map(|(_, _, strategy)| move || strategy.instantiate()).collect();
        let entries = pairs.iter().zip(&makers);
        let entries = entries.map(|((named, loaded, _), make)| Matchup {
            id: named,
            rules: &loaded.rules,
            strategy: make,
        });
        let batch = Batch {
            entries: entries.collect(),
            seed: args.run.seed,
            games: 0..self.games,
            precision: args.precision,
            workers,
            // Also in a shard, whose games are written by the merge.
            each_game: args.csv,
        };
        let open_ended = args.precision.is_some() && args.games.is_none();
        // If there are several, the first is shown, by the name of its rules.
        let (_, loaded, _) = pairs[0];
        let name = if pairs.len() > 1 { format!("{} ", loaded.id) } else { String::new() };
        let progress =
            Progress::new(name, loaded.rules.spec(), pairs.len(), self.games, open_ended, args.run.quiet);
        let mut watcher = Watch { progress, csv: self.csv.as_mut() };
        // Ctrl-C drops the blocks under way.
        let played = lab::simulate_deals(&batch, self.file.map(|file| &file.deals[..]), stop, &mut watcher);
        let played = played.map_err(|error| CliError::of_batch(error, self.file.map(|file| &*file.name)))?;
        drop(watcher);
        let resumed = workers.checkpoint.is_some_and(|it| it.kept() > 0);
        self.seconds = (!resumed).then(|| started.elapsed().as_secs_f64());
        let named =
            pairs.iter().map(|(_, loaded, strategy)| (&*loaded.id, strategy.name(), loaded.rules.spec()));
        let mut found = Simulated::new(named, played);
        let precise =
            |precision: Precision| found.entries.iter().all(|it| precision.reached(&it.tally, &it.spec));
        if found.games == self.games && !found.interrupted && !args.precision.is_none_or(precise) {
            note(&format!("warning: {} games were too few for this precision", self.games));
        }
        if let Some(deals) = args.clairvoyant.filter(|_| found.games > 0) {
            let deals = deals.0.min(found.games);
            let known = look_ahead(args, &self.rules(), deals, (stop, workers.part(0)))?;
            for (entries, known) in found.entries.chunks_mut(self.strategies.len()).zip(known) {
                entries.iter_mut().for_each(|it| it.clairvoyant.clone_from(&known));
            }
            found.interrupted |= stop.load(Ordering::Relaxed);
        }
        Ok(found)
    }

    fn ending(&self, found: &Simulated) -> Ending {
        if found.games == 0 {
            return Ending::Nothing(FIRST_BLOCK);
        }
        Ending::of(found.interrupted, || {
            let games = count(found.games);
            format!("the figures are those of the first {games} games, which were finished")
        })
    }

    fn report(&mut self, mut found: Simulated, output: &Output) -> Result<(), CliError> {
        let json = output.run.json(&found).map_err(CliError::no_report)? + "\n";
        let figures = match output.json {
            true => json.clone(),
            false => {
                let document = output.told(simulate_document(&output.run, &found, self.seconds));
                document_terminal(&document, terminal::width())
            }
        };
        output.print(&figures, "Report", || {
            let ready = self.csv.as_mut().map_or(Ok(Vec::new()), GamesFiles::finish)?;
            // The command line allows no more than fits.
            found.add_nights(u32::try_from(self.args.night).unwrap_or(u32::MAX), interrupt::requested());
            let document = output.told(simulate_document(&output.run, &found, None));
            Ok((document_files(&document, ("summary.json", &json)).map_err(CliError::no_report)?, ready))
        })
    }
}

struct Watch<'a, 'c> {
    progress: Progress<'a>,
    csv: Option<&'a mut GamesFiles<'c>>,
}

impl Watcher for Watch<'_, '_> {
    fn games(&mut self, so_far: &Finished) {
        self.progress.games(so_far);
    }

    fn block(&mut self, first: u64, _so_far: &Finished, outcomes: &[Vec<Outcome>]) {
        if let Some(csv) = &mut self.csv {
            csv.block(first, outcomes);
        }
    }
}

/// Refuses rulesets with chance inside the game, before any game is played.
fn check_clairvoyant(args: &SimulateArgs, names: &[String], rules: &[Loaded]) -> Result<(), CliError> {
    let Some(deals) = args.clairvoyant else { return Ok(()) };
    if deals.0 == 0 {
        return Err(CliError::input("--clairvoyant needs at least 1 deal"));
    }
    let faults = names.iter().zip(rules).filter_map(|(name, loaded)| {
        let refused = solvable(&loaded.rules).err()?;
        Some(CliError::input(format!(
            "--clairvoyant does not work for {name}: {refused}; choose other rules, or leave --clairvoyant out"
        )))
    });
    CliError::all(faults.collect()).map_or(Ok(()), Err)?;
    let threads = threads_for(args, deals.0);
    let packs = rules.iter().map(|loaded| loaded.rules.spec().deal.packs.into()).max().unwrap_or(1);
    let each = memory_of_a_thread(args.clairvoyant_nodes.0, packs);
    let what = format!("--clairvoyant with {threads} threads");
    memory::check(&what, each.saturating_mul(threads as u64), |most| match most / each {
        0 => "ask for fewer --clairvoyant-nodes".into(),
        fit => format!("ask for --threads {fit}, or for fewer --clairvoyant-nodes"),
    })
    .map_err(CliError::input)
}

/// Returns the number of threads with a deal to solve.
fn threads_for(args: &SimulateArgs, deals: u64) -> usize {
    args.run.threads().min(usize::try_from(deals).unwrap_or(usize::MAX))
}

/// What is known of each ruleset on its first deals; nothing where the run was stopped before a deal was solved.
fn look_ahead(
    args: &SimulateArgs,
    rules: &[&Loaded],
    deals: u64,
    (stop, workers): (&AtomicBool, Workers<'_>),
) -> Result<Vec<Option<Clairvoyant>>, CliError> {
    let nodes = args.clairvoyant_nodes.0;
    let total = deals.saturating_mul(rules.len() as u64);
    let mut line = Line::bar(FORESEEN, total, args.run.quiet);
    let (mut found, mut missing) = (Vec::new(), false);
    for (i, loaded) in rules.iter().enumerate() {
        let asked = ClairvoyantBatch {
            rules: &loaded.rules,
            seed: args.run.seed,
            deals,
            nodes,
            workers: workers.part(i as u64).at_most(usize::try_from(deals).unwrap_or(usize::MAX)),
        };
        let before = i as u64 * deals;
        let bounds = clairvoyant_bounds(&asked, stop, &mut |done| line.show(before + done, String::new));
        if matches!(bounds, Err(SolveError::Missing)) {
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
            match found {
                Some(known) if known.deals == deals => {}
                Some(known) => note(&format!(
                    "interrupted: the perfect-information bound is from {} deals of {}",
                    known.deals, loaded.id
                )),
                None => note(&format!(
                    "interrupted: no deal of {} was solved for the perfect-information bound",
                    loaded.id
                )),
            }
        }
    }
    Ok(found)
}
