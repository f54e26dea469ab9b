//! `saratoga simulate`

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::game::Outcome;
use crate::interrupt;
use crate::lab::{self, Batch, Finished, Watcher};
use crate::report::{
    Clairvoyant, Entry, EntryJson, Report, Section, Source, count, entries_json, report_files,
    terminal_summary, whole_text,
};
use crate::rules::Loaded;
use crate::stats::{Evening, House, Summary, summarize};
use crate::strategy::StrategySource;

use super::args::{EVENING, SimulateArgs};
use super::clairvoyant;
use super::error::CliError;
use super::folder::Folder;
use super::games_csv::GamesFiles;
use super::input::{load_all_rules, load_strategies_with};
use super::many::{joined, listed, note, stop_on_ctrl_c, threads, unique};
use super::output::{self, shell_word};
use super::progress::Progress;

/// Games played unless the command line says otherwise.
const GAMES: u64 = 100_000;
/// The most games that a run with `--precision` plays.
const GAMES_CAP: u64 = 1_000_000_000;

/// A ruleset under a strategy.
struct Pair<'a> {
    /// The ruleset as the command line names it.
    named: &'a str,
    loaded: &'a Loaded,
    strategy: &'a StrategySource,
}

/// What a player who knows every card could have had, by ruleset.
#[derive(Clone, Copy)]
struct Foreseen<'a> {
    known: &'a [Option<Clairvoyant>],
    /// Pairs of each ruleset, which stand beside each other.
    players: usize,
}

impl<'a> Foreseen<'a> {
    fn of_pair(&self, pair: usize) -> Option<&'a Clairvoyant> {
        self.known.get(pair / self.players)?.as_ref()
    }

    /// Deals looked at under every ruleset, if any were.
    fn deals(&self) -> Option<u64> {
        self.known.iter().map(|known| known.as_ref().map(|known| known.deals)).min().flatten()
    }
}

pub(super) fn run(args: SimulateArgs) -> Result<ExitCode, CliError> {
    let names = or_default(&args.rules, "canfield");
    let rules = load_all_rules(&names)?;
    let mut strategies = load_strategies_with(or_default(&args.strategies, "greedy"), &args.settings)?;
    if args.interpret {
        strategies = strategies.into_iter().map(StrategySource::interpreted).collect();
    }
    if let Some(precision) = args.precision {
        for loaded in &rules {
            precision.check(loaded.rules.spec()).map_err(CliError::input)?;
        }
    }
    clairvoyant::check(&args, &names, &rules)?;
    let pairs: Vec<Pair<'_>> = names
        .iter()
        .zip(&rules)
        .flat_map(|(named, loaded)| strategies.iter().map(move |strategy| Pair { named, loaded, strategy }))
        .collect();
    let games = match (args.games, args.precision) {
        (Some(games), _) => games.0,
        (None, None) => GAMES,
        (None, Some(_)) => GAMES_CAP,
    };
    if games == 0 {
        return Err(CliError::input("no games to play: -n must be at least 1"));
    }
    // Made before the files in it, so that they are gone when it is taken away.
    let folder = report_folder(&args, &pairs).map(Folder::prepare).transpose()?;
    let mut csv = match &folder {
        Some(folder) if args.csv => Some(GamesFiles::create(folder, &pair_ids(&pairs), &pair_specs(&pairs))?),
        _ => None,
    };
    let parts = csv.as_ref().map_or(Vec::new(), GamesFiles::parts);
    let (files, folders) = Folder::litter(folder.as_ref(), parts);
    let stop = stop_on_ctrl_c(files, folders);
    let started = Instant::now();
    let finished = play(&args, &pairs, games, csv.as_mut(), stop)?;
    let seconds = started.elapsed().as_secs_f64();
    if finished.games == 0 {
        note("interrupted before a first block of games was played: there is nothing to report");
        return Ok(ExitCode::from(130));
    }
    if finished.interrupted && !args.quiet {
        let games = count(finished.games);
        note(&format!("interrupted: the figures are those of the first {games} games, which were finished"));
    }
    if let (Some(precision), false) = (args.precision, finished.interrupted)
        && finished.games == games
        && !pairs.iter().zip(&finished.tallies).all(|(p, t)| precision.reached(t, p.loaded.rules.spec()))
    {
        note(&format!("warning: {games} games were too few for the precision asked for"));
    }
    let clairvoyants = clairvoyant::look(&args, &rules, finished.games, stop)?;
    let foreseen = Foreseen { known: &clairvoyants, players: strategies.len() };
    tell(&args, &pairs, (&finished, foreseen), seconds, folder.as_ref(), csv)?;
    // A second phase that was stopped is an interruption too.
    let interrupted = finished.interrupted || args.clairvoyant.is_some() && stop.load(Ordering::Relaxed);
    Ok(ExitCode::from(if interrupted { 130 } else { 0 }))
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

/// Plays the batch with a progress line; Ctrl-C stops it, and blocks under way are dropped.
fn play(
    args: &SimulateArgs,
    pairs: &[Pair<'_>],
    games: u64,
    csv: Option<&mut GamesFiles<'_>>,
    stop: &AtomicBool,
) -> Result<Finished, CliError> {
    let makers: Vec<_> = pairs.iter().map(|pair| move || pair.strategy.instantiate()).collect();
    let entries = pairs.iter().zip(&makers).map(|(pair, make)| lab::Entry {
        id: pair.named,
        rules: &pair.loaded.rules,
        strategy: make,
    });
    let batch = Batch {
        entries: entries.collect(),
        seed: args.seed,
        games: 0..games,
        precision: args.precision,
        threads: threads(args.threads),
        each_game: csv.is_some(),
    };
    let open_ended = args.precision.is_some() && args.games.is_none();
    // Of several, the first is followed, by the name of its rules.
    let loaded = pairs[0].loaded;
    let name = if pairs.len() > 1 { format!("{} ", loaded.id) } else { String::new() };
    let progress = Progress::new(name, loaded.rules.spec(), pairs.len(), games, open_ended, args.quiet);
    let mut watcher = Watch { progress, csv };
    let played = lab::simulate(&batch, stop, &mut watcher);
    watcher.progress.clear();
    Ok(played?)
}

struct Watch<'a, 'c> {
    progress: Progress<'a>,
    csv: Option<&'a mut GamesFiles<'c>>,
}

impl Watcher for Watch<'_, '_> {
    fn block(&mut self, first: u64, so_far: &Finished, outcomes: &[Vec<Outcome>]) {
        self.progress.block(first, so_far, outcomes);
        if let Some(csv) = &mut self.csv {
            csv.block(first, outcomes);
        }
    }
}

/// Prints the summary and writes the report.
fn tell(
    args: &SimulateArgs,
    pairs: &[Pair<'_>],
    (finished, foreseen): (&Finished, Foreseen<'_>),
    seconds: f64,
    folder: Option<&Folder>,
    csv: Option<GamesFiles<'_>>,
) -> Result<(), CliError> {
    let summaries: Vec<Summary> = pairs
        .iter()
        .zip(finished.tallies.iter().zip(&finished.running))
        .map(|(pair, (tally, running))| summarize(tally, pair.loaded.rules.spec(), running.clone()))
        .collect();
    let speed = (finished.games * pairs.len() as u64) as f64 / seconds;
    let entries: Vec<Entry<'_>> = pairs
        .iter()
        .zip(&summaries)
        .enumerate()
        .map(|(i, (pair, summary))| Entry {
            id: &pair.loaded.id,
            rules: pair.loaded.rules.spec(),
            strategy: pair.strategy.name(),
            seed: args.seed,
            summary,
            clairvoyant: foreseen.of_pair(i),
        })
        .collect();
    let sources: Vec<Vec<Source<'_>>> = pairs
        .iter()
        .map(|pair| pair.loaded.sources.iter().map(|s| Source { name: &s.name, text: &s.text }).collect())
        .collect();
    let parts: Vec<EntryJson<'_>> = (0..pairs.len())
        .map(|i| EntryJson {
            entry: entries[i],
            tally: &finished.tallies[i],
            rules: &sources[i],
            script: pairs[i].strategy.text(),
        })
        .collect();
    let figures = if args.json {
        format!("{}\n", entries_json(&parts).map_err(|e| CliError::Run(e.to_string()))?.trim_end())
    } else {
        terminal_summary(&entries, Some(speed))
    };
    output::tell(&figures, folder, (!args.json).then_some("Report"), |folder| {
        let mut csv = csv;
        let ready = csv.as_mut().map_or(Ok(Vec::new()), GamesFiles::finish)?;
        folder.write_all(&files(args, pairs, (finished, foreseen), &entries, &parts)?, &ready)
    })
}

/// The files of the report.
fn files(
    args: &SimulateArgs,
    pairs: &[Pair<'_>],
    (finished, foreseen): (&Finished, Foreseen<'_>),
    entries: &[Entry<'_>],
    parts: &[EntryJson<'_>],
) -> Result<Vec<(String, Vec<u8>)>, CliError> {
    let evenings: Vec<Option<Evening>> = pairs
        .iter()
        .zip(&finished.tallies)
        .map(|(pair, tally)| {
            let house = House::new(tally, &pair.loaded.rules.spec().casino);
            match interrupt::requested() {
                true => Evening::in_haste(&house, evening_decks(args)),
                false => Evening::new(&house, evening_decks(args)),
            }
        })
        .collect();
    let texts: Vec<String> = parts.iter().map(|part| whole_text(part.rules)).collect();
    let sections = (0..pairs.len()).map(|i| Section {
        entry: entries[i],
        evening: evenings[i].as_ref(),
        rules_text: &texts[i],
        script_text: parts[i].script,
    });
    let report = Report {
        title: &title(pairs),
        command: &again(args, pairs, finished.games, foreseen),
        version: env!("CARGO_PKG_VERSION"),
        sections: sections.collect(),
    };
    let failed =
        |error: &dyn std::fmt::Display| CliError::Run(format!("the report could not be made: {error}"));
    let summary =
        crate::report::summary_json(args.seed, finished.games, parts).map_err(|error| failed(&error))?;
    report_files(&report, &summary).map_err(|error| failed(&error))
}

/// The command line allows no more than fits.
fn evening_decks(args: &SimulateArgs) -> u32 {
    u32::try_from(args.evening).unwrap_or(u32::MAX)
}

fn title(pairs: &[Pair<'_>]) -> String {
    let rules = unique(pairs.iter().map(|pair| pair.loaded.rules.name()));
    let strategies = unique(pairs.iter().map(|pair| pair.strategy.name()));
    format!("{}, played by {}", listed(&rules), listed(&strategies))
}

/// The command line that plays the same games again, however this run came to its number of games.
fn again(args: &SimulateArgs, pairs: &[Pair<'_>], games: u64, foreseen: Foreseen<'_>) -> String {
    let mut words = vec!["saratoga simulate".to_string()];
    words.extend(or_default(&args.rules, "canfield").iter().map(|name| shell_word(name)));
    // Every ruleset has the same players; their names tell how they are set.
    for pair in &pairs[..args.strategies.len().max(1).min(pairs.len())] {
        words.push(format!("-s {}", shell_word(pair.strategy.name())));
    }
    words.push(format!("-n {games} --seed {}", args.seed));
    if args.evening != EVENING {
        words.push(format!("--evening {}", args.evening));
    }
    if let Some(deals) = foreseen.deals() {
        words.push(format!("--clairvoyant={deals} --clairvoyant-nodes {}", args.clairvoyant_nodes));
    }
    words.join(" ")
}

/// The report's folder, if one is to be written.
fn report_folder(args: &SimulateArgs, pairs: &[Pair<'_>]) -> Option<PathBuf> {
    if args.no_report || args.json && args.out.is_none() && !args.csv {
        return None;
    }
    Some(args.out.clone().unwrap_or_else(|| {
        let rules = unique(pairs.iter().map(|pair| &*pair.loaded.id));
        let strategies = unique(pairs.iter().map(|pair| pair.strategy.id()));
        PathBuf::from("reports").join(format!("{}-{}-{}", joined(&rules), joined(&strategies), args.seed))
    }))
}
