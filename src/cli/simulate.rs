//! `saratoga simulate`

use crate::cli::keeping::{ResolvedOption, settled, texts};
use crate::lab::SavedText;
use crate::lab::Workers;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::game::Outcome;
use crate::interrupt;
use crate::lab::{self, Batch, Finished, Watcher};
use crate::report::{
    Clairvoyant, Entry, Pace, Report, Section, Source, count, document_files, document_terminal,
    entries_json, simulate_document, summary_json,
};
use crate::rules::Loaded;
use crate::stats::{AtOnce, House, Night, Summary, Tally, summarize};
use crate::strategy::StrategySource;

use super::args::{NIGHT, RunArgs, SimulateArgs};
use super::clairvoyant;
use super::deals_file::{DealsFile, decks};
use super::driver::{self, Ending, Experiment, FIRST_BLOCK, Output, RunContext};
use super::error::CliError;

use super::games_csv::GamesFiles;
use super::input::{load_all_rules, load_players_or_usual, players};
use super::progress::Progress;
use super::terminal::{self, note};
use super::words::{CommandLine, joined, listed, unique};
use crate::signals::stop_on_ctrl_c;

/// Default number of games.
const GAMES: u64 = 100_000;
/// Maximum number of games of a run with `--precision`.
const GAMES_CAP: u64 = 1_000_000_000;

/// A ruleset under a strategy.
struct Pair<'a> {
    /// The ruleset as the command line names it.
    named: &'a str,
    loaded: &'a Loaded,
    strategy: &'a StrategySource,
}

/// Clairvoyant results, by ruleset.
#[derive(Clone, Copy)]
struct Foreseen<'a> {
    known: &'a [Option<Clairvoyant>],
    /// Number of adjacent pairs of each ruleset.
    players: usize,
}

impl<'a> Foreseen<'a> {
    fn of_pair(&self, pair: usize) -> Option<&'a Clairvoyant> {
        self.known.get(pair / self.players)?.as_ref()
    }

    /// Returns the number of deals solved under every ruleset, if any.
    fn deals(&self) -> Option<u64> {
        self.known.iter().map(|known| known.as_ref().map(|known| known.deals)).min().flatten()
    }
}

pub(super) fn run(args: SimulateArgs) -> Result<ExitCode, CliError> {
    let names = or_default(&args.rules, "canfield");
    let rules = load_all_rules(&names)?;
    let strategies = load_players_or_usual(&args.strategies, args.patrons.as_ref(), &args.scripts)?;
    if let Some(precision) = args.precision {
        for loaded in &rules {
            precision.check(loaded.rules.spec()).map_err(CliError::input)?;
        }
    }
    clairvoyant::check(&args, &names, &rules)?;
    let named: Vec<(&str, &Loaded)> = names.iter().map(String::as_str).zip(&rules).collect();
    let file = DealsFile::load(args.deals.as_deref(), &named, args.games.as_ref(), &args.run)?;
    let pairs: Vec<Pair<'_>> = names
        .iter()
        .zip(&rules)
        .flat_map(|(named, loaded)| strategies.iter().map(move |strategy| Pair { named, loaded, strategy }))
        .collect();
    let games = match (args.games, &file, args.precision) {
        (Some(games), ..) => games.0,
        (None, Some(file), _) => file.deals.len() as u64,
        (None, None, None) => GAMES,
        (None, None, Some(_)) => GAMES_CAP,
    };
    if games == 0 {
        return Err(CliError::input("no games to play: -n must be at least 1"));
    }
    driver::run(&args.run, Simulation { args: &args, rules: &rules, pairs, games, file: file.as_ref() })
}

/// Rulesets under strategies.
struct Simulation<'a> {
    args: &'a SimulateArgs,
    rules: &'a [Loaded],
    pairs: Vec<Pair<'a>>,
    /// Number of games of each pair, or the maximum.
    games: u64,
    /// The file of the deals, if they do not come from the seed.
    file: Option<&'a DealsFile>,
}

/// Result of the games.
struct Played<'a> {
    finished: Finished,
    clairvoyants: Vec<Option<Clairvoyant>>,
    csv: Option<GamesFiles<'a>>,
    /// Time taken; `None` if games were loaded rather than played.
    seconds: Option<f64>,
    /// Whether the run was interrupted, including its clairvoyant phase.
    interrupted: bool,
}

impl<'a> Experiment for Simulation<'a> {
    type Played = Played<'a>;

    fn folder(&self) -> String {
        let rules = unique(self.pairs.iter().map(|pair| &*pair.loaded.id));
        let strategies = unique(self.pairs.iter().map(|pair| pair.strategy.id()));
        format!("{}-{}-{}", joined(&rules), joined(&strategies), self.args.run.seed)
    }

    fn reports(&self, run: &RunArgs) -> bool {
        !run.json || self.args.csv
    }

    fn inputs(&self) -> Option<Vec<SavedText>> {
        let decks = self.file.iter().map(|file| decks(&file.deals));
        Some(decks.chain(texts(self.rules, self.pairs.iter().map(|pair| pair.strategy))).collect())
    }

    fn settled(&self) -> Vec<ResolvedOption> {
        let named = or_default(&self.args.rules, "canfield");
        vec![
            settled("RULES", named),
            settled("--strategy", players(&self.args.strategies, self.args.patrons.as_ref())),
            settled("--games", [self.games]),
        ]
    }

    fn stages(&self) -> Option<u32> {
        Some(1 + self.args.clairvoyant.map_or(0, |_| self.rules.len() as u32))
    }

    fn play(&mut self, RunContext { stop, workers, folder }: RunContext<'_>) -> Result<Played<'a>, CliError> {
        let mut csv = match folder {
            Some(folder) if self.args.csv => {
                let deals = self.file.map(|file| &file.deals[..]);
                Some(GamesFiles::create(folder, &pair_ids(&self.pairs), &pair_specs(&self.pairs), deals)?)
            }
            _ => None,
        };
        stop_on_ctrl_c(csv.as_ref().map_or(Vec::new(), GamesFiles::parts), Vec::new());
        let started = Instant::now();
        let finished = play(self, csv.as_mut(), (stop, workers))?;
        let found = workers.checkpoint.is_some_and(|it| it.kept() > 0);
        let seconds = (!found).then(|| started.elapsed().as_secs_f64());
        if let (Some(precision), false) = (self.args.precision, finished.interrupted)
            && finished.games == self.games
            && !self
                .pairs
                .iter()
                .zip(&finished.tallies)
                .all(|(pair, tally)| precision.reached(tally, pair.loaded.rules.spec()))
        {
            note(&format!("warning: {} games were too few for this precision", self.games));
        }
        let clairvoyants = match finished.games {
            0 => Vec::new(),
            games => clairvoyant::look(self.args, self.rules, games, (stop, workers.part(0)))?,
        };
        let interrupted =
            finished.interrupted || self.args.clairvoyant.is_some() && stop.load(Ordering::Relaxed);
        Ok(Played { finished, clairvoyants, csv, seconds, interrupted })
    }

    fn ending(&self, Played { finished, interrupted, .. }: &Played<'a>) -> Ending {
        if finished.games == 0 {
            return Ending::Nothing(FIRST_BLOCK);
        }
        Ending::of(*interrupted, || {
            let games = count(finished.games);
            format!("the figures are those of the first {games} games, which were finished")
        })
    }

    fn report(&mut self, played: Played<'a>, output: &Output) -> Result<(), CliError> {
        let players = self.pairs.len() / self.rules.len();
        let foreseen = Foreseen { known: &played.clairvoyants, players };
        print(self, (&played.finished, foreseen), played.seconds, output, played.csv)
    }
}

fn or_default<'a>(given: &'a [String], default: &'a str) -> Vec<String> {
    if given.is_empty() { vec![default.to_string()] } else { given.to_vec() }
}

fn pair_ids(pairs: &[Pair<'_>]) -> Vec<String> {
    pairs.iter().map(|pair| format!("{}-{}", pair.loaded.id, pair.strategy.id())).collect()
}

fn pair_specs<'a>(pairs: &[Pair<'a>]) -> Vec<&'a crate::rules::Spec> {
    pairs.iter().map(|pair| pair.loaded.rules.spec()).collect()
}

/// Plays the batch with a progress line; Ctrl-C stops it, and unfinished blocks are dropped.
fn play(
    simulation: &Simulation<'_>,
    csv: Option<&mut GamesFiles<'_>>,
    (stop, workers): (&AtomicBool, Workers<'_>),
) -> Result<Finished, CliError> {
    let Simulation { args, ref pairs, games, file, .. } = *simulation;
    let makers: Vec<_> = pairs.iter().map(|pair| move || pair.strategy.instantiate()).collect();
    let entries = pairs.iter().zip(&makers).map(|(pair, make)| lab::Matchup {
        id: pair.named,
        rules: &pair.loaded.rules,
        strategy: make,
    });
    let batch = Batch {
        entries: entries.collect(),
        seed: args.run.seed,
        games: 0..games,
        precision: args.precision,
        workers,
        // Also in a shard, whose games are written by the merge.
        each_game: args.csv,
    };
    let open_ended = args.precision.is_some() && args.games.is_none();
    // If there are several, the first is shown, by the name of its rules.
    let loaded = pairs[0].loaded;
    let name = if pairs.len() > 1 { format!("{} ", loaded.id) } else { String::new() };
    let progress = Progress::new(name, loaded.rules.spec(), pairs.len(), games, open_ended, args.run.quiet);
    let mut watcher = Watch { progress, csv };
    let played = lab::simulate_deals(&batch, file.map(|file| &file.deals[..]), stop, &mut watcher);
    played.map_err(|error| CliError::of_batch(error, file.map(|file| &*file.name)))
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

/// Prints the summary and writes the report.
fn print(
    simulation: &Simulation<'_>,
    (finished, foreseen): (&Finished, Foreseen<'_>),
    seconds: Option<f64>,
    output: &Output,
    mut csv: Option<GamesFiles<'_>>,
) -> Result<(), CliError> {
    let Simulation { args, ref pairs, file, .. } = *simulation;
    let summaries: Vec<Summary> = pairs
        .iter()
        .zip(finished.tallies.iter().zip(&finished.running))
        .map(|(pair, (tally, running))| summarize(tally, pair.loaded.rules.spec(), running.clone()))
        .collect();
    let pace = seconds.map(|seconds| pace(pairs, finished, seconds));
    let entries: Vec<Entry<'_>> = pairs
        .iter()
        .zip(&summaries)
        .enumerate()
        .map(|(i, (pair, summary))| {
            let of = (&*pair.loaded.id, pair.loaded.rules.spec());
            let alone = Entry::new(of, pair.strategy.name(), args.run.seed, summary);
            let at_once = match pairs.len() {
                1 => alone.at_once,
                several => AtOnce::of(&finished.tallies[i], of.1, several),
            };
            let deals = file.map(|file| &file.source);
            Entry { deals, at_once, clairvoyant: foreseen.of_pair(i), ..alone }
        })
        .collect();
    let sources: Vec<Vec<Source<'_>>> = pairs.iter().map(|pair| Source::all(&pair.loaded.sources)).collect();
    let (title, command) = (title(pairs), again(args, pairs, finished.games, foreseen));
    let section = |i: usize| Section {
        entry: entries[i],
        tally: &finished.tallies[i],
        night: None,
        rules: &sources[i],
        script: pairs[i].strategy.text(),
    };
    let report = Report {
        title: &title,
        command: &command,
        version: env!("CARGO_PKG_VERSION"),
        seed: args.run.seed,
        games: finished.games,
        sections: (0..pairs.len()).map(section).collect(),
    };
    let figures = if output.json {
        format!("{}\n", entries_json(&report).map_err(CliError::no_report)?.trim_end())
    } else {
        document_terminal(&output.told(simulate_document(&report, pace.as_ref())), terminal::width())
    };
    output.print(&figures, "Report", || {
        let ready = csv.as_mut().map_or(Ok(Vec::new()), GamesFiles::finish)?;
        let json = summary_json(&report).map_err(CliError::no_report)?;
        let nights: Vec<Option<Night>> =
            pairs.iter().zip(&finished.tallies).map(|(pair, tally)| night(args, pair, tally)).collect();
        let mut sections = Vec::new();
        for (section, it) in report.sections.iter().zip(&nights) {
            sections.push(Section { night: it.as_ref(), ..*section });
        }
        let document = output.told(simulate_document(&Report { sections, ..report.clone() }, None));
        Ok((document_files(&document, ("summary.json", &json)).map_err(CliError::no_report)?, ready))
    })
}

/// Returns the pace of each player, over all rulesets together.
fn pace<'a>(pairs: &'a [Pair<'_>], finished: &Finished, seconds: f64) -> Pace<'a> {
    let games = finished.games as f64;
    let of_player = |name| {
        let times = pairs.iter().zip(&finished.times).filter(|(pair, _)| pair.strategy.name() == name);
        let (runs, sum) =
            times.fold((0.0, 0.0), |(runs, sum), (_, time)| (runs + 1.0, sum + time.as_secs_f64()));
        (name, sum / (runs * games))
    };
    let players = unique(pairs.iter().map(|pair| pair.strategy.name()));
    Pace {
        games_per_second: games * pairs.len() as f64 / seconds,
        by_player: players.into_iter().map(of_player).collect(),
    }
}

/// Computes the house's profit over a night; approximately once the program is interrupted.
fn night(args: &SimulateArgs, pair: &Pair<'_>, tally: &Tally) -> Option<Night> {
    let house = House::new(tally, &pair.loaded.rules.spec().casino);
    match interrupt::requested() {
        true => Night::in_haste(&house, night_decks(args)),
        false => Night::new(&house, night_decks(args)),
    }
}

/// The command line ensures that it fits.
fn night_decks(args: &SimulateArgs) -> u32 {
    u32::try_from(args.night).unwrap_or(u32::MAX)
}

fn title(pairs: &[Pair<'_>]) -> String {
    let rules = unique(pairs.iter().map(|pair| pair.loaded.rules.name()));
    let strategies = unique(pairs.iter().map(|pair| pair.strategy.name()));
    format!("{}, played by {}", listed(&rules), listed(&strategies))
}

/// Returns the command line that plays the same games again, whatever ended this run.
fn again(args: &SimulateArgs, pairs: &[Pair<'_>], games: u64, foreseen: Foreseen<'_>) -> String {
    // Every ruleset has the same players; their names include their settings.
    let players = &pairs[..args.strategies.len().max(1).min(pairs.len())];
    let deals = foreseen.deals();
    CommandLine::new("simulate")
        .words(or_default(&args.rules, "canfield"))
        .option("-s", players.iter().map(|pair| pair.strategy.name()))
        .option("--deals", args.deals.as_ref().map(|path| path.display()))
        .option("-n", [games])
        .option("--seed", [args.run.seed])
        .option("--night", (args.night != NIGHT).then_some(args.night))
        .words(deals.map(|deals| format!("--clairvoyant={deals}")))
        .option("--clairvoyant-nodes", deals.map(|_| args.clairvoyant_nodes))
        .line()
}
