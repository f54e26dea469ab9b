//! `saratoga solve`

mod args;
mod players;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(super) use args::SolveArgs;

use crate::cards::Deck;
use crate::lab::{SolveBatch, SolveDeal, Solved, game_die, solve};
use crate::report::{
    Document, SolveFigures, SolveLimits, SolveLine, SolveReport, Source, document_files, document_terminal,
    solve_csv, solve_document, solve_summary_json,
};
use crate::rules::{Loaded, Rules};
use crate::solver::{Goal, Verdict};
use crate::stats::ClairvoyantBounds;

use super::error::CliError;
use super::folder::Folder;
use super::input::{NamedDeal, deals_file, load_rules, load_strategies_with};
use super::many::{note, stop_on_ctrl_c, threads, unique};
use super::output;
use super::progress::Line;
use super::terminal;

/// The deals that are asked about.
pub(super) struct Asked<'a> {
    /// The ruleset as the command line names it.
    named: &'a str,
    rules: &'a Rules,
    seed: u64,
    given: Option<Vec<NamedDeal>>,
    goal: Goal,
}

pub(super) fn run(args: SolveArgs) -> Result<ExitCode, CliError> {
    let loaded = load_rules(&args.rules)?;
    let goal = args.question()?;
    let strategies = load_strategies_with(args.strategies.clone(), &args.settings)?;
    if unique(strategies.iter().map(|it| it.name())).len() < strategies.len() {
        return Err(CliError::input("a strategy is named twice: it plays every deal once"));
    }
    let rules = &loaded.rules;
    crate::lab::solvable(rules).map_err(|refused| {
        CliError::input(format!("{} cannot be solved: {refused}; choose rules without", args.rules))
    })?;
    let given = args.deals.as_deref().map(|path| deals_file(path, rules.deck_shape())).transpose()?;
    let deals = match &given {
        Some(given) => given.len() as u64,
        None => args.games.map_or(args::DEALS, |games| games.0),
    };
    if deals == 0 {
        return Err(CliError::input("no deals to solve: -n must be at least 1"));
    }
    args.check_memory()?;
    let asked = Asked { named: &args.rules, rules, seed: args.seed, given, goal };
    let folder = args.out.clone().map(Folder::prepare).transpose()?;
    let (files, folders) = Folder::litter(folder.as_ref(), Vec::new());
    let stop = stop_on_ctrl_c(files, folders);
    let answers = answers(&args, &asked, deals, stop)?;
    let mut interrupted = stop.load(Ordering::Relaxed);
    if answers.is_empty() {
        note("interrupted before a deal was solved: there is nothing to report");
        return Ok(ExitCode::from(130));
    }
    if interrupted && !args.quiet {
        note("interrupted: the figures are those of the deals that were solved");
    }
    let mut bounds = ClairvoyantBounds::new(rules.hot.cards, game_die(rules).map_or(1, usize::from));
    answers.iter().for_each(|(_, bound)| bounds.push(*bound));
    let answers: Vec<SolveFigures> = answers.into_iter().map(|(figures, _)| figures).collect();
    let threads = threads(args.threads);
    let players = players::play(&asked, &loaded, &strategies, &answers, &mut bounds, threads, stop)?;
    if players.len() < strategies.len() {
        interrupted = true;
        if !args.quiet {
            note(
                "interrupted: the strategies have not played all of these deals, so that nothing is said of them",
            );
        }
    }
    let report = SolveReport {
        command: args.again(goal, bounds.deals() as u64, &strategies),
        version: env!("CARGO_PKG_VERSION"),
        id: &loaded.id,
        rules: rules.spec(),
        sources: sources(&loaded),
        seed: args.seed,
        file: args.deals.as_ref().map(|path| path.display().to_string()),
        goal,
        limits: SolveLimits {
            nodes: args.nodes.map(|nodes| nodes.0),
            seconds: args.most_seconds(),
            memory: args.memory(),
        },
        answers,
        bounds,
        players,
    };
    tell(&args, &report, folder.as_ref())?;
    Ok(ExitCode::from(if interrupted { 130 } else { 0 }))
}

/// Solves with a progress line. With `--json` each answer is printed as soon as it is known: deals take long.
fn answers(
    args: &SolveArgs,
    asked: &Asked<'_>,
    deals: u64,
    stop: &AtomicBool,
) -> Result<Vec<(SolveFigures, crate::stats::ClairvoyantBound)>, CliError> {
    let batch = SolveBatch {
        rules: asked.rules,
        deals,
        deal: &|number| asked.deal(number),
        goal: asked.goal,
        nodes: args.nodes.map(|nodes| nodes.0),
        time: args.most_seconds().map(Duration::from_secs_f64),
        memory: args.memory(),
        threads: threads(args.threads).min(usize::try_from(deals).unwrap_or(usize::MAX)),
    };
    let faces = game_die(asked.rules).map_or(1, u64::from);
    let rate = |rate: f64| format!("{rate:.1} deals/s");
    let template = "{wide_bar:.cyan/dim} {human_pos} deals  {per_sec}  {eta} left  {msg}";
    let mut line = Line::new(template, Some(deals), rate, args.quiet);
    let mut out = BufWriter::new(terminal::stdout());
    let mut written = Ok(());
    let mut answers: Vec<(SolveFigures, crate::stats::ClairvoyantBound)> = Vec::new();
    let (mut won, mut open) = (0, 0);
    let solved = solve(&batch, stop, &mut |solved: Solved| {
        let figures = SolveFigures::of(&solved);
        won += u64::from(figures.verdict == Verdict::Won);
        open += u64::from(matches!(figures.verdict, Verdict::Unknown(_)));
        if args.json && written.is_ok() {
            let line = SolveLine::new(&solved, asked.named);
            written = serde_json::to_string(&line)
                .map_err(io::Error::from)
                .and_then(|line| writeln!(out, "{line}"))
                .and_then(|()| out.flush());
        }
        answers.push((figures, solved.bound()));
        line.show(answers.len() as u64 / faces, || format!("{won} won, {open} open"));
    });
    line.clear();
    solved?;
    written?;
    Ok(answers)
}

impl Asked<'_> {
    fn deal(&self, number: u64) -> SolveDeal {
        match self.given.as_ref().and_then(|deals| deals.get(number as usize)) {
            Some(deal) => SolveDeal {
                id: deal.id.clone().unwrap_or_else(|| number.to_string()),
                deck: deal.deck.clone(),
                face: None,
            },
            None => SolveDeal {
                id: number.to_string(),
                deck: Deck::shuffled(self.rules.deck_shape(), self.seed, number),
                face: None,
            },
        }
    }
}

fn sources(loaded: &Loaded) -> Vec<Source<'_>> {
    loaded.sources.iter().map(|it| Source { name: &it.name, text: &it.text }).collect()
}

/// Prints the summary, unless the answers were printed, and writes the report.
fn tell(args: &SolveArgs, report: &SolveReport<'_>, folder: Option<&Folder>) -> Result<(), CliError> {
    let document = solve_document(report);
    let figures = if args.json { String::new() } else { document_terminal(&document) };
    let said = (!args.json).then_some("Report");
    output::tell(&figures, folder, said, |folder| write(report, &document, folder))
}

fn write(report: &SolveReport<'_>, document: &Document<'_>, folder: &Folder) -> Result<(), CliError> {
    let failed =
        |error: &dyn std::fmt::Display| CliError::Run(format!("the report could not be made: {error}"));
    let json = solve_summary_json(report).map_err(|error| failed(&error))?;
    let mut files = document_files(document, &format!("{json}\n")).map_err(|error| failed(&error))?;
    files.push(("deals.csv".into(), solve_csv(report).into_bytes()));
    folder.write_all(&files, &[])
}
