//! `saratoga solve`

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::cards::Deck;
use crate::lab::{SolveBatch, SolveDeal, solve};
use crate::report::{SolveFigures, SolveReport, document_terminal, solve_document, solve_json};
use crate::rules::Rules;
use crate::solver::{Goal, Verdict};

use super::error::CliError;
use super::input::{NamedDeal, deals_file, load_rules};
use super::many::{note, stop_on_ctrl_c, threads};
use super::numbers::{Count, whole};
use super::output::shell_word;
use super::progress::Line;

/// Deals solved unless the command line says otherwise.
const DEALS: u64 = 100;
/// Seconds for a deal unless the command line says otherwise.
const SECONDS: f64 = 10.0;

/// Find what could have been won, or earned, with every card known
#[derive(Args, Debug)]
#[command(after_help = "\
For each deal the answer is won, with the moves; lost, which is proven; or unknown,
where a limit stopped the search. With --goal cards it is the most cards that can
be brought up, or between how many that is. Rules with a die for each draw or pass,
or a shuffle on redeal, cannot be known at the deal and are refused; with a die for
the whole game each face has an answer.

Examples:
  saratoga solve thoughtful -n 200
  saratoga solve single-pass -n 50 --goal cards --seconds 5
  saratoga solve canfield --deals decks.txt --json > answers.jsonl")]
pub(super) struct SolveArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// Deals to solve [default: 100]
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true)]
    pub games: Option<Count>,
    /// Seed of the deals
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX), allow_negative_numbers = true)]
    pub seed: u64,
    /// A file of decks, one a line: the cards, or an id, a tab and the cards; `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "seed"])]
    pub deals: Option<PathBuf>,
    /// What is asked of each deal
    #[arg(long, value_enum, default_value_t = GoalArg::Win)]
    pub goal: GoalArg,
    /// Give a deal up after so many positions
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub nodes: Option<Count>,
    /// Give a deal up after so many seconds [default: 10, or no limit with --nodes]
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub seconds: Option<f64>,
    /// Threads [default: one a core]
    #[arg(long, value_name = "N", value_parser = whole(1, 1024))]
    pub threads: Option<u64>,
    /// Memory for the positions of all threads, such as 512MiB
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = memory)]
    pub memory: usize,
    /// Print JSON Lines: one object a deal
    #[arg(long)]
    pub json: bool,
    /// No progress line
    #[arg(short, long)]
    pub quiet: bool,
}

/// What is asked of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum GoalArg {
    /// Whether it can be won
    Win,
    /// How many cards can be brought up at most
    Cards,
}

fn seconds(text: &str) -> Result<f64, String> {
    let given = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds <= 1e9);
    given.ok_or_else(|| "a number of seconds above 0 is expected, such as 10 or 0.5".into())
}

/// Reads a size in bytes.
fn memory(text: &str) -> Result<usize, String> {
    let fault = || "a size is expected, such as 512MiB or 4GiB".to_string();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let shift = match text[digits..].trim() {
        "" | "B" => 0,
        "k" | "K" | "kiB" | "KiB" => 10,
        "M" | "MiB" => 20,
        "G" | "GiB" => 30,
        _ => return Err(fault()),
    };
    let number: usize = text[..digits].parse().map_err(|_| fault())?;
    let most = usize::MAX >> 2 >> shift;
    if number > most { Err(fault()) } else { Ok(number << shift) }
}

pub(super) fn run(args: SolveArgs) -> Result<ExitCode, CliError> {
    let loaded = load_rules(&args.rules)?;
    let rules = &loaded.rules;
    let given = args.deals.as_deref().map(|path| deals_file(path, rules.deck_shape())).transpose()?;
    let deals = given.as_ref().map_or(args.games.map_or(DEALS, |games| games.0), |deals| deals.len() as u64);
    if deals == 0 {
        return Err(CliError::input("no deals to solve: -n must be at least 1"));
    }
    let time = args.seconds.or(if args.nodes.is_some() { None } else { Some(SECONDS) });
    let goal = if args.goal == GoalArg::Win { Goal::Win } else { Goal::Cards };
    let batch = SolveBatch {
        rules,
        deals,
        deal: &|number| deal(rules, args.seed, given.as_deref(), number),
        goal,
        nodes: args.nodes.map(|nodes| nodes.0),
        time: time.map(Duration::from_secs_f64),
        memory: args.memory,
        threads: threads(args.threads).min(usize::try_from(deals).unwrap_or(usize::MAX)),
    };
    let stop = stop_on_ctrl_c(Vec::new(), Vec::new());
    let rate = |rate: f64| format!("{rate:.1} deals/s");
    let template = "{wide_bar:.cyan/dim} {human_pos} deals  {per_sec}  {eta} left  {msg}";
    let mut line = Line::new(template, Some(deals), rate, args.quiet);
    let mut report = SolveReport {
        command: again(&args),
        version: env!("CARGO_PKG_VERSION"),
        name: rules.name(),
        rules: rules.spec(),
        seed: args.seed,
        goal,
        all: rules.hot.cards,
        answers: Vec::new(),
        bytes: 0,
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut written = Ok(());
    let (mut won, mut open) = (0, 0);
    let refused = solve(&batch, &stop, &mut |solved| {
        let figures = SolveFigures::of(&solved);
        won += u64::from(figures.verdict == Verdict::Won);
        open += u64::from(matches!(figures.verdict, Verdict::Unknown(_)));
        report.bytes = report.bytes.max(solved.answer.bytes);
        report.answers.push(figures);
        if args.json && written.is_ok() {
            // Deals take long: each is told as soon as it is known.
            written = writeln!(out, "{}", solve_json(&solved)).and_then(|()| out.flush());
        }
        line.show(report.answers.len() as u64, || format!("{won} won, {open} open"));
    });
    line.clear();
    refused.map_err(|refused| {
        CliError::input(format!("{} cannot be solved: {refused}; choose rules without", args.rules))
    })?;
    written?;
    let interrupted = stop.load(std::sync::atomic::Ordering::Relaxed);
    if report.answers.is_empty() {
        note("interrupted before a deal was solved: there is nothing to report");
        return Ok(ExitCode::from(130));
    }
    if interrupted && !args.quiet {
        note("interrupted: the figures are those of the deals that were solved");
    }
    if !args.json {
        write!(out, "{}", document_terminal(&solve_document(&report)))?;
    }
    out.flush()?;
    Ok(ExitCode::from(if interrupted { 130 } else { 0 }))
}

fn deal(rules: &Rules, seed: u64, given: Option<&[NamedDeal]>, number: u64) -> SolveDeal {
    match given.and_then(|deals| deals.get(number as usize)) {
        Some(deal) => {
            SolveDeal { id: deal.id.clone().unwrap_or_else(|| number.to_string()), deck: deal.deck.clone() }
        }
        None => SolveDeal { id: number.to_string(), deck: Deck::shuffled(rules.deck_shape(), seed, number) },
    }
}

/// The command line that asks the same again.
fn again(args: &SolveArgs) -> String {
    let mut words = vec!["saratoga solve".to_string(), shell_word(&args.rules)];
    match &args.deals {
        Some(path) => words.push(format!("--deals {}", shell_word(&path.display().to_string()))),
        None => words.push(format!("-n {} --seed {}", args.games.map_or(DEALS, |games| games.0), args.seed)),
    }
    if args.goal == GoalArg::Cards {
        words.push("--goal cards".into());
    }
    words.join(" ")
}
