//! `saratoga solve`

use crate::amounts::plain_number;
use crate::cli::keeping::{Settled, settled, texts};
use crate::lab::SavedText;
use crate::lab::Workers;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::figures::plural;
use crate::files::{check_writable, put};
use crate::lab::{
    AnsweredDeal, AnsweredError, GivenDeals, Pairing, PlayedAnswered, SolveBatch, SolveDeals, Solved,
    game_die, play_answered, solve,
};
use crate::memory;
use crate::report::{
    SolveFigures, SolveLimits, SolveLine, SolvePlayer, SolveReport, Source, document_files,
    document_terminal, solve_csv, solve_document, solve_players_json, solve_summary_json,
};
use crate::rules::Loaded;
use crate::solver::{Goal, Verdict, besides};
use crate::stats::{ClairvoyantBound, ClairvoyantBounds, summarize};
use crate::text::one_line;

use super::args::{DealsWith, GoalArg, RunArgs, SolveArgs, WriteDeals};
use super::deals_file::decks;
use super::driver::{self, Ending, Experiment, Means, Output};
use super::error::CliError;
use super::input::{deals_file, load_players, load_rules};
use super::progress::{Line, SOLVED};
use super::terminal;
use super::words::{CommandLine, unique};
use crate::strategy::StrategySource;

/// Deals solved unless the command line says otherwise.
const DEALS: u64 = 100;
/// Seconds for a deal unless the command line says otherwise.
const SECONDS: f64 = 10.0;
/// Fewest bytes of memory of a thread.
const LEAST_MEMORY: usize = 1 << 10;
/// Bytes of memory of a thread unless the command line says otherwise.
pub(super) const MEMORY: usize = 1 << 30;

pub(super) fn run(args: SolveArgs) -> Result<ExitCode, CliError> {
    let loaded = load_rules(&args.rules)?;
    let goal = goal(&args)?;
    let strategies = load_players(args.strategies.clone(), &args.scripts)?;
    if unique(strategies.iter().map(|it| it.name())).len() < strategies.len() {
        return Err(CliError::input("a strategy is named twice: it plays every deal once"));
    }
    let rules = &loaded.rules;
    crate::lab::solvable(rules).map_err(|refused| {
        CliError::input(format!("{} cannot be solved: {refused}; choose rules without", args.rules))
    })?;
    let given = args.deals.as_deref().map(|path| deals_file(path, &[&loaded])).transpose()?;
    let deals = match &given {
        Some(given) => given.len() as u64,
        None => args.games.map_or(DEALS, |games| games.0),
    };
    if deals == 0 {
        return Err(CliError::input("no deals to solve: -n must be at least 1"));
    }
    if strategies.is_empty() && !args.scripts.settings.is_empty() {
        return Err(CliError::input("--set has no strategy to set: name one with -s"));
    }
    if args.nodes.is_some_and(|nodes| nodes.0 == 0) {
        return Err(CliError::input("nothing is searched: --nodes must be at least 1"));
    }
    for (number, WriteDeals { path, .. }) in args.write_deals.iter().enumerate() {
        if args.write_deals[..number].iter().any(|before| before.path == *path) {
            return Err(CliError::input(format!(
                "--write-deals names {} twice: give each list a file of its own",
                path.display()
            )));
        }
        check_writable(path).map_err(CliError::input)?;
    }
    if memory_of(&args) < LEAST_MEMORY {
        return Err(CliError::input(format!("--memory must be at least {}KiB", LEAST_MEMORY >> 10)));
    }
    let threads = threads_that_fit(&args, deals)?;
    let asked = SolveDeals { rules, seed: args.run.seed, given };
    driver::run(
        &args.run,
        Solving { args: &args, loaded: &loaded, asked, goal, deals, threads, strategies: &strategies },
    )
}

/// Deals to be solved, and who plays them too.
struct Solving<'a> {
    args: &'a SolveArgs,
    loaded: &'a Loaded,
    asked: SolveDeals<'a>,
    goal: Goal,
    deals: u64,
    /// Threads that search.
    threads: usize,
    strategies: &'a [StrategySource],
}

/// What was found.
struct Found<'a> {
    answers: Vec<SolveFigures>,
    bounds: ClairvoyantBounds,
    players: Vec<SolvePlayer<'a>>,
    interrupted: bool,
}

impl<'a> Experiment for Solving<'a> {
    type Played = Found<'a>;

    /// Never used, as a report is only written where it was asked for.
    fn folder(&self) -> String {
        format!("solve-{}-{}", self.loaded.id, self.args.run.seed)
    }

    fn reports(&self, _: &RunArgs) -> bool {
        false
    }

    fn inputs(&self) -> Option<Vec<SavedText>> {
        let decks = self.asked.given.iter().map(|deals| decks(deals));
        Some(decks.chain(texts([self.loaded], self.strategies)).collect())
    }

    fn settled(&self) -> Vec<Settled> {
        let of_seed = self.asked.given.is_none();
        vec![
            settled("--games", of_seed.then_some(self.deals)),
            settled("--seed", of_seed.then_some(self.args.run.seed)),
            settled("--goal", [if self.goal == Goal::Cards { "cards" } else { "win" }]),
            settled("--seconds", most_seconds(self.args).map(plain_number)),
            settled("--memory", [memory_of(self.args)]),
        ]
    }

    fn stages(&self) -> Option<u32> {
        Some(1 + u32::from(!self.strategies.is_empty()))
    }

    fn play(&mut self, Means { stop, workers, .. }: Means<'_>) -> Result<Found<'a>, CliError> {
        let (args, rules) = (self.args, self.asked.rules);
        let answers =
            answers(args, &self.asked, (self.goal, self.deals), (stop, workers.at_most(self.threads)))?;
        let interrupted = stop.load(Ordering::Relaxed);
        let mut bounds = ClairvoyantBounds::new(rules.hot.cards, game_die(rules).map_or(1, usize::from));
        answers.iter().for_each(|(_, bound)| bounds.push(*bound));
        let answers: Vec<SolveFigures> = answers.into_iter().map(|(figures, _)| figures).collect();
        if answers.is_empty() {
            return Ok(Found { answers, bounds, players: Vec::new(), interrupted });
        }
        let players = self.players(&answers, &mut bounds, (stop, workers.part(0)))?;
        let interrupted = interrupted || players.len() < self.strategies.len();
        Ok(Found { answers, bounds, players, interrupted })
    }

    fn ending(&self, found: &Found<'a>) -> Ending {
        if found.answers.is_empty() {
            return Ending::Nothing("a deal was solved");
        }
        Ending::of(found.interrupted, || {
            let players = match found.players.len() < self.strategies.len() {
                true => "; the strategies have not played all of these deals and are left out",
                false => "",
            };
            format!("the figures are those of the deals that were searched so far{players}")
        })
    }

    fn report(&mut self, found: Found<'a>, output: &Output) -> Result<(), CliError> {
        let args = self.args;
        let report = SolveReport {
            command: again(args, self.goal, found.bounds.deals() as u64, self.strategies),
            version: env!("CARGO_PKG_VERSION"),
            id: &self.loaded.id,
            rules: self.asked.rules.spec(),
            sources: Source::all(&self.loaded.sources),
            seed: args.run.seed,
            file: args.deals.as_ref().map(|path| path.display().to_string()),
            goal: self.goal,
            limits: SolveLimits {
                nodes: args.nodes.map(|nodes| nodes.0),
                seconds: most_seconds(args),
                memory: memory_of(args),
            },
            answers: found.answers,
            bounds: found.bounds,
            players: found.players,
        };
        let document = output.told(solve_document(&report));
        let written = self.write_deals(&report);
        // The answers were printed as they came.
        let figures = match output.json {
            true => solve_players_json(&report).map_err(CliError::no_report)?,
            false => document_terminal(&document, terminal::width()),
        };
        let reported = output.print(&figures, "Report", || {
            let json = solve_summary_json(&report).map_err(CliError::no_report)?;
            let mut files = document_files(&document, ("summary.json", &format!("{json}\n")))
                .map_err(CliError::no_report)?;
            files.push(("deals.csv".into(), solve_csv(&report).into_bytes()));
            Ok((files, Vec::new()))
        });
        // What was found is reported also where the deals cannot be written.
        reported.and(written)
    }
}

impl<'a> Solving<'a> {
    /// Writes the deals that are asked for, each with its id.
    fn write_deals(&self, report: &SolveReport<'_>) -> Result<(), CliError> {
        let faces = report.bounds.faces();
        let deals: Vec<_> = report.answers.chunks(faces).zip(report.bounds.list().chunks(faces)).collect();
        for WriteDeals { which, path } in &self.args.write_deals {
            let said = match which {
                DealsWith::Won => "can be won",
                DealsWith::Lost => "cannot be won",
                DealsWith::Open => "are open",
            };
            // With every face of the die, where one is rolled for the game.
            let is = |of_deal: &[ClairvoyantBound]| {
                let all = |answer| of_deal.iter().all(|bound| bound.winnable == Some(answer));
                match (all(true), all(false)) {
                    (true, _) => DealsWith::Won,
                    (_, true) => DealsWith::Lost,
                    _ => DealsWith::Open,
                }
            };
            let wanted: Vec<_> = deals.iter().filter(|(_, of_deal)| is(of_deal) == *which).collect();
            let found = format!("{} of {} {said}", wanted.len(), plural(deals.len() as u64, "deal"));
            let mut text = format!("# {found}: {}\n", one_line(&report.command));
            for (answers, _) in &wanted {
                let Some(answer) = answers.first() else { continue };
                text += &format!("{}\t{}\n", answer.id, self.asked.deal(answer.number).deck);
            }
            put(path, text.as_bytes(), true)
                .map_err(CliError::io(format!("cannot write {}", path.display())))?;
            if !self.args.run.quiet {
                let play =
                    CommandLine::new("simulate").word(&self.args.rules).option("--deals", [path.display()]);
                let play = match wanted.is_empty() {
                    true => String::new(),
                    false => format!("; to play them: {}", play.line()),
                };
                terminal::note(&format!("{found}: {}{play}", path.display()));
            }
        }
        Ok(())
    }

    /// Has every strategy play the deals of the answers.
    fn players(
        &self,
        answers: &[SolveFigures],
        bounds: &mut ClairvoyantBounds,
        (stop, workers): (&AtomicBool, Workers<'_>),
    ) -> Result<Vec<SolvePlayer<'a>>, CliError> {
        let makers: Vec<_> = self.strategies.iter().map(|strategy| move || strategy.instantiate()).collect();
        let rules = self.asked.rules;
        let given = GivenDeals {
            entries: makers
                .iter()
                .map(|make| Pairing { id: &self.args.rules, rules, strategy: make })
                .collect(),
            seed: self.asked.seed,
            deals: self.deals,
            deck: &|number| self.asked.deal(number).deck,
            workers,
        };
        let names: Vec<&str> = self.strategies.iter().map(StrategySource::name).collect();
        let answers: Vec<AnsweredDeal<'_>> =
            answers.iter().map(|it| AnsweredDeal { id: &it.id, face: it.face }).collect();
        let file = self.args.deals.as_ref().map(|path| path.display().to_string());
        let played = play_answered(&given, &names, &answers, bounds, stop).map_err(|error| match error {
            AnsweredError::Batch(error) => CliError::of_batch(error, file.as_deref()),
            AnsweredError::Contradiction(message) => CliError::Run(message),
        })?;
        let player = |(strategy, played): (&'a StrategySource, PlayedAnswered)| SolvePlayer {
            strategy: strategy.name(),
            script: strategy.text(),
            summary: summarize(&played.tally, rules.spec(), Vec::new()),
            left: played.left,
            games: played.games,
        };
        Ok(self.strategies.iter().zip(played).map(player).collect())
    }
}

/// What is to be found.
fn goal(args: &SolveArgs) -> Result<Goal, CliError> {
    match (args.goal, args.strategies.is_empty()) {
        (Some(GoalArg::Win), false) => Err(CliError::input(
            "--goal win does not compute the maximum cards, which strategies are compared with; leave --goal out, or \
             use --goal cards",
        )),
        (Some(GoalArg::Cards), _) | (None, false) => Ok(Goal::Cards),
        (Some(GoalArg::Win) | None, _) => Ok(Goal::Win),
    }
}

/// Most seconds for a deal.
fn most_seconds(args: &SolveArgs) -> Option<f64> {
    args.seconds.or(if args.nodes.is_some() { None } else { Some(SECONDS) })
}

/// Bytes for the positions of each thread: what a search can find hangs on them, so that they are the same on every machine.
fn memory_of(args: &SolveArgs) -> usize {
    args.memory.as_ref().map_or(MEMORY, |memory| memory.bytes)
}

/// Threads that have a deal to solve, and memory for it. Refuses more memory than there is for one.
fn threads_that_fit(args: &SolveArgs, deals: u64) -> Result<usize, CliError> {
    let written = args.memory.as_ref().map_or("1GiB", |memory| &memory.written);
    let bytes = memory_of(args) as u64;
    let each = bytes.saturating_add(besides(memory_of(args)) as u64);
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

/// The command line that asks the same of so many deals again.
fn again(args: &SolveArgs, goal: Goal, deals: u64, strategies: &[StrategySource]) -> String {
    let file = args.deals.as_ref().map(|path| path.display().to_string());
    let seeded = file.is_none();
    let memory = args.memory.as_ref().filter(|memory| memory.bytes != MEMORY);
    CommandLine::new("solve")
        .word(&args.rules)
        // The names of the strategies tell how they are set.
        .option("-s", strategies.iter().map(StrategySource::name))
        .option("--deals", file)
        .option("-n", seeded.then_some(deals))
        .option("--seed", seeded.then_some(args.run.seed))
        .option("--goal", (goal == Goal::Cards).then_some("cards"))
        .option("--nodes", args.nodes)
        .option("--seconds", args.seconds)
        .option("--memory", memory.map(|memory| &memory.written))
        .option(
            "--write-deals",
            args.write_deals.iter().map(|it| format!("{}={}", it.which.word(), it.path.display())),
        )
        .line()
}

/// Solves with a progress line. With `--json` each answer is printed as soon as it is known: deals take long.
fn answers(
    args: &SolveArgs,
    asked: &SolveDeals<'_>,
    (goal, deals): (Goal, u64),
    (stop, workers): (&AtomicBool, Workers<'_>),
) -> Result<Vec<(SolveFigures, crate::stats::ClairvoyantBound)>, CliError> {
    let batch = SolveBatch {
        rules: asked.rules,
        deals,
        deal: &|number| asked.deal(number),
        goal,
        nodes: args.nodes.map(|nodes| nodes.0),
        time: most_seconds(args).map(Duration::from_secs_f64),
        memory: memory_of(args),
        workers: workers.at_most(usize::try_from(deals).unwrap_or(usize::MAX)),
    };
    let faces = game_die(asked.rules).map_or(1, u64::from);
    let mut line = Line::bar(SOLVED, deals, args.run.quiet);
    let mut out = BufWriter::new(terminal::stdout());
    let mut written = Ok(());
    let mut answers: Vec<(SolveFigures, crate::stats::ClairvoyantBound)> = Vec::new();
    let (mut won, mut open) = (0, 0);
    let solved = solve(&batch, stop, &mut |solved: Solved| {
        let figures = SolveFigures::of(&solved);
        won += u64::from(figures.verdict == Verdict::Won);
        open += u64::from(matches!(figures.verdict, Verdict::Unknown(_)));
        if args.run.json && written.is_ok() {
            let line = SolveLine::new(&solved, &args.rules);
            written = serde_json::to_string(&line)
                .map_err(io::Error::from)
                .and_then(|line| writeln!(out, "{line}"))
                .and_then(|()| out.flush());
        }
        answers.push((figures, solved.bound()));
        line.show(answers.len() as u64 / faces, || format!("{won} won, {open} open"));
    });
    drop(line);
    solved?;
    written?;
    Ok(answers)
}
