//! `saratoga solve`: its arguments and its experiment.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use strum::EnumString;

use super::checkpoint::{not_written, resolved};
use super::driver::{self, Played, RunContext, Setup};
use super::error::CliError;
use super::input::{at_least_1, deals_file, deals_source, decks, each_once, load_players, load_rules};
use super::options::{RunArgs, ScriptArgs};
use super::progress::{Line, SOLVED};
use super::terminal::{self, CommandLine};
use crate::files::{check_writable, put};
use crate::format::plural;
use crate::lab::{
    Solutions, SolveDeals, SolveFault, SolveLimits, SolveLine, Solved, Solving, game_die, solvable,
    solve_and_play,
};
use crate::memory;
use crate::report::{solve_csv, solve_document};
use crate::solver::{Goal, Verdict, besides};
use crate::stats::ClairvoyantBound;
use crate::text::one_line;
use crate::units::{ByteSize, Count, bytes, plain_number, seconds};

/// Default maximum seconds for a deal.
const SECONDS: f64 = 10.0;
/// Minimum memory of a thread, bytes.
const LEAST_MEMORY: usize = 1 << 10;
/// Default memory of a thread, bytes.
pub(super) const MEMORY: usize = 1 << 30;

/// Find what a player who knows every card could win
#[derive(Args, Debug)]
#[command(
    after_help = "\
Each deal is won (with the moves), lost (with certainty), or unknown because a
limit stopped the search. With --goal cards the answer is the most cards that
can be brought up, or lower and upper bounds on it. Strategies then play the
same deals, and the report says what they leave on the table.

A die for each draw or pass, or a shuffle on redeal, cannot be known at the
deal: such rulesets are refused. With one die roll per game, each face has an
answer, and a deal that is written as won or lost is so with every face. A
limit of --nodes gives the same answers on every machine, with the same
--memory; --seconds does not. Where there is not memory for every thread, fewer
of them search, with the same answers.

Where a merge reports on a part of the deals, the last line of JSON says so.

Examples:
  saratoga solve thoughtful -n 200
  saratoga solve single-pass -n 50 --goal cards --seconds 5
  saratoga solve canfield -s greedy -s patient --nodes 1e6 --out my-report
  saratoga solve canfield --deals decks.txt --json > answers.jsonl
  saratoga solve canfield -n 500 --nodes 1e6 --write-deals won=winnable.txt
  saratoga simulate canfield --deals winnable.txt        only these are dealt",
    mut_arg("out", |arg| arg.help("Write a report to this folder: a page, its figures, the deals and the charts")),
    mut_arg("no_report", |arg| arg.help("Write no report, which is the default")),
    mut_arg("json", |arg| arg.help("Print JSON Lines: one object per deal, then one per strategy"))
)]
pub(in crate::cli) struct SolveArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// A strategy that plays the same deals: a name on the shelf, or a path; may be repeated
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// Games to solve
    #[arg(short = 'n', long, value_name = "GAMES", default_value = "100")]
    pub games: Count,
    /// A file of decks, one per line: the cards, or an id, a tab and the cards; at most 64 MiB; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "seed"])]
    pub deals: Option<PathBuf>,
    /// Write the deals that can be won to a file of decks: won=FILE; or lost=FILE, those that cannot, or open=FILE,
    /// those without an answer; may be repeated
    #[arg(long, value_name = "WHICH=FILE", value_parser = which_deals)]
    pub write_deals: Vec<WriteDeals>,
    /// What to find for each deal [default: win, or cards with strategies]
    #[arg(long, value_enum)]
    pub goal: Option<GoalArg>,
    /// Give up on a deal after this many positions
    #[arg(long, value_name = "N")]
    pub nodes: Option<Count>,
    /// Give up on a deal after this many seconds [default: 10, or no limit with --nodes]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub seconds: Option<f64>,
    /// Memory for the positions of each thread, such as 512MiB; the search may use a quarter more, or 32 MiB
    /// [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<ByteSize>,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Clone, Debug)]
pub(in crate::cli) struct WriteDeals {
    pub which: DealsWith,
    pub path: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "lowercase")]
pub(in crate::cli) enum DealsWith {
    Won,
    Lost,
    Open,
}

fn which_deals(text: &str) -> Result<WriteDeals, String> {
    text.split_once('=')
        .filter(|(_, path)| !path.is_empty())
        .and_then(|(word, path)| Some(WriteDeals { which: word.parse().ok()?, path: path.into() }))
        .ok_or_else(|| "write won=FILE, lost=FILE or open=FILE, as in won=winnable.txt".into())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum GoalArg {
    /// Whether it can be won
    Win,
    /// The most cards that can be brought up
    Cards,
}

pub(super) fn run(args: SolveArgs) -> Result<ExitCode, CliError> {
    let loaded = load_rules(&args.rules)?;
    let strategies = load_players(args.strategies.clone(), &args.scripts)?;
    let goal = match (args.goal, strategies.is_empty()) {
        (Some(GoalArg::Win), false) => {
            return Err(CliError::input(
                "--goal win does not compute the maximum cards, which strategies are compared with; leave --goal out, \
                 or use --goal cards",
            ));
        }
        (Some(GoalArg::Cards), _) | (None, false) => Goal::Cards,
        (Some(GoalArg::Win) | None, _) => Goal::Win,
    };
    each_once("strategy", &strategies.iter().map(|it| it.name()).collect::<Vec<_>>())?;
    let rules = &loaded.rules;
    solvable(rules).map_err(|refused| {
        CliError::input(format!("{} cannot be solved: {refused}; choose rules without", args.rules))
    })?;
    let given = args.deals.as_deref().map(|path| deals_file(path, &[&loaded])).transpose()?;
    let deals = given.as_ref().map_or(args.games.0, |given| given.len() as u64);
    at_least_1(deals, "no deals to solve: -n")?;
    if strategies.is_empty() && !args.scripts.settings.is_empty() {
        return Err(CliError::input("--set has no strategy to set: name one with -s"));
    }
    at_least_1(args.nodes.map_or(1, |nodes| nodes.0), "nothing is searched: --nodes")?;
    for (number, WriteDeals { path, .. }) in args.write_deals.iter().enumerate() {
        if args.write_deals[..number].iter().any(|before| before.path == *path) {
            return Err(CliError::input(format!(
                "--write-deals names {} twice: give each list a file of its own",
                path.display()
            )));
        }
        if args.run.writes(path) {
            check_writable(path).map_err(CliError::input)?;
        }
    }
    let memory = args.memory.as_ref().map_or(MEMORY, |memory| memory.bytes);
    if memory < LEAST_MEMORY {
        return Err(CliError::input(format!("--memory must be at least {}KiB", LEAST_MEMORY >> 10)));
    }
    let threads = threads_that_fit(&args, memory, deals)?;
    let limits = SolveLimits {
        nodes: args.nodes.map(|nodes| nodes.0),
        seconds: args.seconds.or(if args.nodes.is_some() { None } else { Some(SECONDS) }),
        // The result of a search depends on it, so it is the same on every machine.
        memory_bytes: memory,
    };
    let run = &args.run;
    let deals = SolveDeals { rules, seed: run.seed, given, count: deals, rolled: false };
    let of_seed = deals.given.is_none();
    let file = args.deals.as_ref().zip(deals.given.as_ref());
    let setup = Setup {
        // Written only on request.
        reports: false,
        deals: file.map(|(path, deals)| deals_source(path, deals)),
        inputs: Some(file.iter().map(|(_, deals)| decks(deals)).collect()),
        resolved: vec![
            resolved("--games", of_seed.then_some(deals.count)),
            resolved("--seed", of_seed.then_some(run.seed)),
            resolved("--goal", [if goal == Goal::Cards { "cards" } else { "win" }]),
            resolved("--seconds", limits.seconds.map(plain_number)),
            resolved("--memory", [memory]),
        ],
        stages: Some(1 + u32::from(!strategies.is_empty())),
        ..Setup::new(run, [&loaded], &strategies)
    };
    // Solves with a progress line. With --json, each answer is printed immediately, as deals take long.
    let play = |RunContext { workers, .. }: RunContext<'_>| {
        let players = &strategies;
        let asked = Solving { named: &args.rules, deals: &deals, goal, limits, players, threads, workers };
        let faces = game_die(rules).map_or(1, u64::from);
        let mut line = Line::bar(SOLVED, deals.count, run.quiet);
        let mut out = BufWriter::new(terminal::stdout());
        let mut written = Ok(());
        let (mut answers, mut won, mut open) = (0, 0, 0);
        let found = solve_and_play(&asked, &mut |solved: &Solved| {
            answers += 1;
            won += u64::from(solved.verdict == Verdict::Won);
            open += u64::from(matches!(solved.verdict, Verdict::Unknown(_)));
            if run.json && written.is_ok() {
                let answer = SolveLine::new(solved, &args.rules, &deals.deal(solved.number).deck);
                written = serde_json::to_string(&answer)
                    .map_err(io::Error::from)
                    .and_then(|answer| writeln!(out, "{answer}"))
                    .and_then(|()| out.flush());
            }
            line.show(answers / faces, || format!("{won} won, {open} open"));
        });
        drop(line);
        let found = found.map_err(|error| {
            CliError::of_run(error, |fault| match fault {
                SolveFault::Game(error) => {
                    let file = args.deals.as_ref().map(|path| path.display().to_string());
                    CliError::of_game(*error, file.as_deref())
                }
                fault => CliError::from(fault),
            })
        })?;
        written?;
        if found.answers.is_empty() {
            return Err(CliError::Nothing("a deal was solved"));
        }
        Ok(Played {
            interrupted: found.interrupted.then(|| {
                let players = match found.players.len() < strategies.len() {
                    true => "; the strategies have not played all of these deals and are left out",
                    false => "",
                };
                format!("the figures are those of the deals that were searched so far{players}")
            }),
            again: vec![
                resolved("--games", of_seed.then_some(found.deals)),
                resolved("--seed", of_seed.then_some(run.seed)),
                resolved("--memory", args.memory.as_ref().map(|memory| &memory.written)),
            ],
            found,
        })
    };
    driver::run(setup, play, |found, output| {
        let document = solve_document(&output.run, &found);
        let written = write_deals(&args, &deals, &found, &output.run.command);
        // The answers have already been printed.
        let lines = found.players.iter().map(|player| Ok(serde_json::to_string(player)? + "\n"));
        let lines = lines.collect::<serde_json::Result<String>>().map_err(CliError::no_report)?;
        let reported = output.print_files(&output.figures(&document, &lines), "Report", || {
            let json = output.run.json(&found).map_err(CliError::no_report)? + "\n";
            let table = ("deals.csv".into(), solve_csv(&found).into_bytes());
            Ok((output.files(&document, ("summary.json", &json), [table])?, Vec::new()))
        });
        // The results are reported even if the deals cannot be written.
        reported.and(written)
    })
}

fn write_deals(
    args: &SolveArgs,
    deals: &SolveDeals<'_>,
    found: &Solutions,
    command: &str,
) -> Result<(), CliError> {
    // For every face of the die, if one is rolled for the game.
    let is = |of_deal: &[ClairvoyantBound]| {
        let all = |answer| of_deal.iter().all(|bound| bound.winnable == Some(answer));
        if all(true) {
            DealsWith::Won
        } else if all(false) {
            DealsWith::Lost
        } else {
            DealsWith::Open
        }
    };
    let answers = found.answers.chunks(found.faces).zip(found.bounds.list().chunks(found.faces));
    let all: Vec<_> =
        answers.filter_map(|(answers, of_deal)| Some((answers.first()?, is(of_deal)))).collect();
    for WriteDeals { which, path } in &args.write_deals {
        let said = match which {
            DealsWith::Won => "can be won",
            DealsWith::Lost => "cannot be won",
            DealsWith::Open => "are open",
        };
        let wanted: Vec<_> = all.iter().filter(|(_, it)| it == which).collect();
        let part = format!("{} of {} {said}", wanted.len(), plural(all.len() as u64, "deal"));
        let mut text = format!("# {part}: {}\n", one_line(command));
        for (answer, _) in &wanted {
            text += &format!("{}\t{}\n", answer.id, deals.deal(answer.number).deck);
        }
        let shown = path.display();
        if !args.run.writes(path) {
            not_written(&args.run, path);
            continue;
        }
        put(path, text.as_bytes(), true).map_err(CliError::io(format!("cannot write {shown}")))?;
        if !args.run.quiet {
            let play = CommandLine::new("simulate").word(&args.rules).option("--deals", [shown.to_string()]);
            let play = match wanted.is_empty() {
                true => String::new(),
                false => format!("; to play them: {}", play.line()),
            };
            terminal::note(&format!("{part}: {shown}{play}"));
        }
    }
    Ok(())
}

/// Returns the number of threads with a deal to solve and memory for it. Refuses more memory than there is for one.
fn threads_that_fit(args: &SolveArgs, memory: usize, deals: u64) -> Result<usize, CliError> {
    let written = args.memory.as_ref().map_or("1GiB", |memory| &memory.written);
    let each = (memory as u64).saturating_add(besides(memory) as u64);
    let what = format!("--memory {written}, with what lists take,");
    memory::check(&what, each, |most| {
        match (most / 5 * 4).min(most.saturating_sub(besides(0) as u64)) >> 20 {
            0 => format!("a search takes at least {}MiB", (besides(0) >> 20) + 1),
            fit => format!("ask for --memory {fit}MiB or less"),
        }
    })
    .map_err(CliError::input)?;
    let threads = args.run.threads().min(usize::try_from(deals).unwrap_or(usize::MAX));
    let mut fit = threads;
    let all = each.saturating_mul(threads as u64);
    let checked = memory::check("", all, |most| {
        fit = usize::try_from(most / each).unwrap_or(threads).clamp(1, threads);
        String::new()
    });
    // They do not change the results.
    if checked.is_err() && args.run.threads.is_some() && !args.run.quiet {
        terminal::note(&format!(
            "warning: there is memory for {} of {threads} threads: for more, ask for less --memory",
            plural(fit as u64, "thread")
        ));
    }
    Ok(fit)
}
