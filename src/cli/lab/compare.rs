//! `saratoga compare`

mod args;
mod question;

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

pub(in crate::cli) use args::CompareArgs;

use crate::cli::error::CliError;
use crate::cli::folder::Folder;
use crate::cli::input::load_all_rules;
use crate::cli::many::{joined, note, stop_on_ctrl_c, threads, unique};
use crate::cli::output::shell_word;
use crate::cli::progress::Line;
use crate::lab::{self, Compared, Comparison, Underway};
use crate::report::{
    CompareReport, ComparedEntry, Entry, Source, compare_document, compare_json, count, progress_figure,
};
use crate::rules::Loaded;
use crate::stats::{Measure, Summary, summarize};
use crate::strategy::StrategySource;
use question::Question;

/// The most entries: every pair of them is told.
const MOST: usize = 12;

/// A ruleset under a strategy.
struct Side<'a> {
    /// The ruleset as the command line names it.
    named: &'a str,
    loaded: &'a Loaded,
    strategy: &'a StrategySource,
}

pub(in crate::cli) fn run(args: CompareArgs) -> Result<ExitCode, CliError> {
    let named = args.rulesets();
    let wanted = args.players();
    check_names(&named, &wanted)?;
    let rules = load_all_rules(&named)?;
    let strategies = args.run.strategies(wanted)?;
    // Settings may have made one of two.
    let set: Vec<String> = strategies.iter().map(|it| it.name().to_string()).collect();
    check_names(&named, &set)?;
    let sides: Vec<Side<'_>> = named
        .iter()
        .zip(&rules)
        .flat_map(|(named, loaded)| strategies.iter().map(move |strategy| Side { named, loaded, strategy }))
        .collect();
    let shape = sides[0].loaded.rules.deck_shape();
    if let Some(other) = sides.iter().find(|side| side.loaded.rules.deck_shape() != shape) {
        return Err(CliError::input(format!(
            "{} and {} do not shuffle the same pack, so they cannot be dealt the same deals; compare rulesets of the \
             same number of packs",
            sides[0].named, other.named
        )));
    }
    let question = Question::of(&args, sides.iter().map(|side| side.loaded.rules.spec()).collect())?;
    let folder = args.run.folder(&folder_name(&args, &sides))?;
    let (files, folders) = Folder::litter(folder.as_ref(), Vec::new());
    let stop = stop_on_ctrl_c(files, folders);
    let compared = play(&args, &sides, &question, stop)?;
    if compared.games == 0 {
        note("interrupted before a first block of games was played: there is nothing to report");
        return Ok(ExitCode::from(130));
    }
    if compared.interrupted && !args.run.quiet {
        let games = count(compared.games);
        note(&format!("interrupted: the figures are those of the first {games} deals, which were finished"));
    }
    tell(&args, &sides, &question, &compared, folder.as_ref())?;
    Ok(ExitCode::from(if compared.interrupted { 130 } else { 0 }))
}

/// Two or more of the one, and one of the other, none of them twice.
fn check_names(rules: &[String], strategies: &[String]) -> Result<(), CliError> {
    for (names, what) in [(rules, "ruleset"), (strategies, "strategy")] {
        if let Some(name) = names.iter().enumerate().find(|&(i, name)| names[..i].contains(name)) {
            return Err(CliError::input(format!(
                "the {what} {} is named twice: it has no difference to itself",
                name.1
            )));
        }
    }
    match (rules.len(), strategies.len()) {
        (1, 1) => Err(CliError::input(
            "there is nothing to compare: name two strategies or more, `-s patient -s greedy`, or two rulesets, \
             `--rules canfield,superior`",
        )),
        (1, n) | (n, 1) if n > MOST => {
            Err(CliError::input(format!("{n} are too many to compare every pair: {MOST} at most")))
        }
        (1, _) | (_, 1) => Ok(()),
        (rules, strategies) => Err(CliError::input(format!(
            "{rules} rulesets and {strategies} strategies: compare several strategies under one ruleset, or several \
             rulesets under one strategy; `saratoga simulate` plays all of them"
        ))),
    }
}

/// Plays with a progress line; Ctrl-C stops, and blocks under way are dropped.
fn play(
    args: &CompareArgs,
    sides: &[Side<'_>],
    question: &Question,
    stop: &AtomicBool,
) -> Result<Compared, CliError> {
    let makers: Vec<_> = sides.iter().map(|side| move || side.strategy.instantiate()).collect();
    let entries = sides.iter().zip(&makers).map(|(side, make)| lab::Entry {
        id: side.named,
        rules: &side.loaded.rules,
        strategy: make,
    });
    let comparison = Comparison {
        entries: entries.collect(),
        seed: args.run.seed,
        budget: question.budget,
        measure: question.measure,
        test: question.test,
        play_all: args.all_games,
        show: usize::try_from(args.show).unwrap_or(0),
        threads: threads(args.run.threads),
    };
    let open_ended = question.test.is_some() && !args.all_games;
    let template = match open_ended {
        true => "{spinner} {human_pos} deals  {per_sec}  {wide_msg}",
        false => "{human_pos} deals {per_sec} {eta} left {wide_msg}",
    };
    let total = (!open_ended).then_some(question.budget);
    let rate = |rate: f64| format!("{:.0}k deals/s", rate / 1000.0);
    let mut line = Line::new(template, total, rate, args.run.quiet);
    let casino = &sides[0].loaded.rules.spec().casino;
    let mut watch = |underway: &Underway| {
        let figure = || progress_figure(underway, question.measure, question.test.as_ref(), casino);
        line.show(underway.games, figure);
    };
    let played = lab::compare(&comparison, stop, &mut watch);
    line.clear();
    Ok(played?)
}

fn tell(
    args: &CompareArgs,
    sides: &[Side<'_>],
    question: &Question,
    compared: &Compared,
    folder: Option<&Folder>,
) -> Result<(), CliError> {
    let seed = args.run.seed;
    let summaries: Vec<Summary> = sides
        .iter()
        .zip(&compared.tallies)
        .map(|(side, tally)| summarize(tally, side.loaded.rules.spec(), Vec::new()))
        .collect();
    let entries = sides.iter().zip(&summaries).map(|(side, summary)| ComparedEntry {
        entry: Entry {
            id: &side.loaded.id,
            rules: side.loaded.rules.spec(),
            strategy: side.strategy.name(),
            seed,
            summary,
            clairvoyant: None,
        },
        rules: side.loaded.sources.iter().map(|it| Source { name: &it.name, text: &it.text }).collect(),
        script: side.strategy.text(),
        replay: format!(
            "saratoga replay {} -s {} --seed {seed}",
            shell_word(side.named),
            shell_word(side.strategy.name())
        ),
    });
    let command = again(args, sides, question, compared);
    let report = CompareReport {
        command: &command,
        version: env!("CARGO_PKG_VERSION"),
        // A run that was stopped from outside is made again as one that had no more deals.
        budget: if compared.interrupted { compared.games } else { question.budget },
        measure: question.measure,
        entries: entries.collect(),
        compared,
    };
    let json = compare_json(&report).map_err(|error| CliError::Run(error.to_string()))?;
    args.run.tell(&compare_document(&report), &json, folder, Vec::new())
}

/// The command line that plays the same games again and comes to the same end.
fn again(args: &CompareArgs, sides: &[Side<'_>], question: &Question, compared: &Compared) -> String {
    let mut words = vec!["saratoga compare".to_string()];
    match &args.rules {
        Some(rules) => words.push(shell_word(rules)),
        None if args.several.is_empty() => words.push("canfield".into()),
        None => words.push(format!("--rules {}", shell_word(&args.several.join(",")))),
    }
    // The names of the strategies tell how they are set.
    let strategies = unique(sides.iter().map(|side| side.strategy.name()));
    words.extend(strategies.into_iter().map(|name| format!("-s {}", shell_word(name))));
    if question.measure != Measure::Cards {
        words.push(format!("--measure {}", question.measure));
    }
    for (flag, given) in [
        ("difference", args.difference.as_ref()),
        ("alpha", args.alpha.as_ref().map(|rate| &rate.0)),
        ("beta", args.beta.as_ref().map(|rate| &rate.0)),
    ] {
        words.extend(given.map(|given| format!("--{flag} {}", shell_word(given))));
    }
    let games = if compared.interrupted { compared.games } else { question.budget };
    words.push(format!("-n {games} --seed {}", args.run.seed));
    if args.all_games {
        words.push("--all-games".into());
    }
    if args.show > 0 {
        words.push(format!("--show {}", args.show));
    }
    words.join(" ")
}

fn folder_name(args: &CompareArgs, sides: &[Side<'_>]) -> String {
    let rules = unique(sides.iter().map(|side| &*side.loaded.id));
    let strategies = unique(sides.iter().map(|side| side.strategy.id()));
    let measure = match args.measure {
        Measure::Cards => String::new(),
        measure => format!("-{measure}"),
    };
    format!("compare-{}-{}{measure}-{}", joined(&rules), joined(&strategies), args.run.seed)
}
