//! `saratoga bracket`: its arguments and its experiment.

use std::process::ExitCode;

use clap::Args;

use super::args::{RunArgs, ScriptArgs};
use super::checkpoint::{ResolvedOption, settled, texts};
use super::driver::{self, Ending, Experiment, Output, RunContext};
use super::error::{CliError, at_fault};
use super::input::{all_differ, load_all_rules, load_players, load_strategy};
use super::progress::{Line, SOLVED};
use super::words::{joined, unique};
use crate::lab::sweep::{Axis, AxisKind, Plan};
use crate::lab::{
    self, BatchError, BracketError, BracketRules, Bracketing, FIRST_CHOOSING, OptimalPlay, SavedText,
    memory_of_a_thread, solvable,
};
use crate::memory;
use crate::report::{bracket_csv, bracket_document, count};
use crate::rules::Loaded;
use crate::strategy::StrategySource;
use crate::units::Count;

/// Default players.
const PLAYERS: [&str; 4] = ["greedy", "patient", "hoarder", "search:level=2"];
/// The player that is always included, as the weakest.
const LOWEST: &str = "random";
/// Default ratio of the games to those that select the best player.
const PART: u64 = 5;

/// Bound what optimal play is worth, from below and above
///
/// Optimal play is the best that a player can do who sees only what a person at the table sees. Nobody knows what it is
/// worth. It is worth at least what the best player here reaches, and at most what a player who knows every card
/// could reach.
#[derive(Args, Debug)]
#[command(after_help = "\
The lower bound is the best of the players, chosen on deals of its own
(--choose) and judged on fresh ones. The upper bound is what the solver finds
possible on the same fresh deals; a deal that it does not decide within
--nodes counts with the highest result that is still possible. Rules with a die
for each draw or pass, or with a shuffled redeal, cannot be solved: there the
upper bound is only that all cards go up.

The report says whether the house gains whoever plays, a good player gains, or
it is not known yet, and what would settle it. Ctrl-C stops the run and reports
the deals that were finished.

Examples:
  saratoga bracket single-pass
  saratoga bracket canfield -s patient -s search:level=4 -n 300 --nodes 1e6
  saratoga bracket --vary stock.redeals=0..5,unlimited -n 400
  saratoga bracket canfield draw-one demon-casino -s search:level=3 -n 200
  saratoga bracket ./my-house.toml --json | jq '.points[0].house_edge'")]
pub(in crate::cli) struct BracketArgs {
    /// Rulesets: names on the shelf, or paths
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: Vec<String>,
    /// A player to try; the best one gives the lower bound: a name on the shelf, or a path; may be repeated
    /// [default: greedy, patient, hoarder and search:level=2]. `random` is always tried too, as the
    /// lowest
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// A key of the ruleset with its values, each of which has a bracket: stock.redeals=0..5,unlimited
    #[arg(long, value_name = "KEY=VALUES")]
    pub vary: Option<String>,
    /// Deals on which the players are judged, for each ruleset: 500, 2k
    #[arg(short = 'n', long, value_name = "GAMES", default_value = "1000")]
    pub games: Count,
    /// Other deals on which the best player is chosen [default: a fifth of -n]
    #[arg(long, value_name = "GAMES")]
    pub choose: Option<Count>,
    /// Limit on the positions that the solver searches in each deal
    #[arg(long, value_name = "N", default_value = "300k")]
    pub nodes: Count,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

pub(super) fn run(args: BracketArgs) -> Result<ExitCode, CliError> {
    let axis = args.vary.as_deref().map(Axis::vary).transpose();
    let axis = axis.map_err(|fault| CliError::input(format!("--vary {fault}")))?;
    if unique(args.rules.iter().map(String::as_str)).len() < args.rules.len() {
        return Err(CliError::input("a ruleset is named twice: name each once"));
    }
    let rules = load_all_rules(&args.rules)?;
    let mut players = load_players(players(&args), &args.scripts)?;
    all_differ(&players)?;
    if players.iter().all(|it| it.name() != LOWEST) {
        players.insert(0, load_strategy(LOWEST)?);
    }
    for (count, option) in [(args.games, "-n"), (args.nodes, "--nodes")] {
        if count.0 == 0 {
            return Err(CliError::input(format!("{option} must be at least 1")));
        }
    }
    let choosing = args.choose.map_or_else(|| args.games.0.div_ceil(PART), |games| games.0);
    if args.games.0.max(choosing) > FIRST_CHOOSING {
        return Err(CliError::input(format!("at most {} deals can be asked for", count(FIRST_CHOOSING))));
    }
    if choosing == 0 && players.len() > 1 {
        return Err(CliError::input(
            "--choose must be at least 1: the best of several players is chosen on deals of its own",
        ));
    }
    let several = (rules.len() > 1).then(|| Axis::rules(args.rules.clone()));
    let plan = Plan::grid(several.into_iter().chain(axis).collect(), &rules).map_err(CliError::input)?;
    let faults = plan.cells.iter().enumerate().filter_map(|(i, cell)| {
        let faults = cell.rules.as_ref().err()?;
        let here = CliError::input(format!("{} is no valid ruleset:", plan.label(i)));
        Some(CliError::Several(vec![here, CliError::Faults(faults.clone())]))
    });
    CliError::all(faults.collect()).map_or(Ok(()), Err)?;
    check_memory(&args, &plan)?;
    driver::run(&args.run, BracketExperiment { args: &args, rules, players, plan, choosing })
}

/// Returns the players to try.
fn players(args: &BracketArgs) -> Vec<String> {
    match &args.strategies[..] {
        [] => PLAYERS.map(String::from).to_vec(),
        given => given.to_vec(),
    }
}

fn check_memory(args: &BracketArgs, plan: &Plan) -> Result<(), CliError> {
    if !plan.rulesets().any(|loaded| solvable(&loaded.rules).is_ok()) {
        return Ok(());
    }
    let threads = args.run.threads() as u64;
    let packs = plan.rulesets().map(|loaded| loaded.rules.spec().deal.packs.into()).max().unwrap_or(1);
    let each = memory_of_a_thread(args.nodes.0, packs);
    let what = format!("solving deals with {threads} threads");
    memory::check(&what, each.saturating_mul(threads), |most| match most / each {
        0 => "ask for fewer --nodes".into(),
        fit => format!("ask for --threads {fit}, or for fewer --nodes"),
    })
    .map_err(CliError::input)
}

/// Rulesets to bracket, and the players.
struct BracketExperiment<'a> {
    args: &'a BracketArgs,
    /// The rulesets as written.
    rules: Vec<Loaded>,
    players: Vec<StrategySource>,
    /// The rulesets as played.
    plan: Plan,
    /// Number of games that select the best player.
    choosing: u64,
}

impl BracketExperiment<'_> {
    fn varied(&self) -> Option<&'static str> {
        let axis = self.plan.axes.iter().find(|axis| matches!(axis.kind(), AxisKind::Key(_)))?;
        Some(axis.name())
    }

    /// Returns the rulesets as played.
    fn points(&self) -> Vec<BracketRules<'_>> {
        let points = self.plan.cells.iter().filter_map(|cell| {
            let loaded = cell.rules.as_ref().ok()?;
            let change = self.plan.axes.iter().zip(&cell.at).find_map(|(axis, &at)| axis.change(at));
            let named = if change.is_some() { &loaded.id } else { &self.args.rules[cell.ruleset] };
            let id = &self.rules[cell.ruleset].id;
            Some(BracketRules { named, id, change: change.cloned(), rules: &loaded.rules })
        });
        points.collect()
    }
}

impl Experiment for BracketExperiment<'_> {
    type Played = OptimalPlay;

    fn folder(&self) -> String {
        let rules = joined(&unique(self.rules.iter().map(|rules| &*rules.id)));
        let varied = self.varied().map_or(String::new(), |key| format!("-{key}"));
        format!("bracket-{rules}{varied}-{}", self.args.run.seed)
    }

    fn rules(&self) -> Vec<&Loaded> {
        self.rules.iter().collect()
    }

    fn players(&self) -> Vec<&StrategySource> {
        self.players.iter().collect()
    }

    fn inputs(&self) -> Option<Vec<SavedText>> {
        Some(texts(&self.rules, &self.players))
    }

    fn settled(&self) -> Vec<ResolvedOption> {
        vec![
            settled("RULES", &self.args.rules),
            settled("--strategy", players(self.args)),
            settled("--choose", [self.choosing]),
        ]
    }

    /// Reproduces the result; for a single ruleset, even after an interruption.
    fn again(&self, found: &OptimalPlay) -> Vec<ResolvedOption> {
        let games = match &found.points[..] {
            [only] if self.plan.cells.len() == 1 => only.deals,
            _ => self.args.games.0,
        };
        let usual = games.div_ceil(PART) == self.choosing;
        let choose = (self.args.choose.is_some() || !usual).then_some(self.choosing);
        vec![settled("--games", [games]), settled("--choose", choose)]
    }

    fn stages(&self) -> Option<u32> {
        Some(2 * self.plan.rulesets().count() as u32)
    }

    fn play(&mut self, RunContext { stop, workers, .. }: RunContext<'_>) -> Result<OptimalPlay, CliError> {
        let args = self.args;
        let makers: Vec<_> = self.players.iter().map(|source| move || source.instantiate()).collect();
        let players = self.players.iter().zip(&makers).map(|(source, make)| (source.name(), make as _));
        let rules = self.points();
        let named: Vec<&str> = rules.iter().map(|it| it.named).collect();
        let each = self.choosing.saturating_add(args.games.0);
        let mut line = Line::message(SOLVED, Some(each.saturating_mul(named.len() as u64)), args.run.quiet);
        let asked = Bracketing {
            rules,
            varied: self.varied(),
            players: players.collect(),
            seed: args.run.seed,
            choosing: self.choosing,
            games: args.games.0,
            nodes: args.nodes.0,
            workers,
        };
        let found = lab::bracket(&asked, stop, &mut |place, done| {
            let what = if done <= self.choosing { "choosing the best player" } else { "judging it" };
            let before = each.saturating_mul(place as u64);
            line.show(before + done, || format!("{}: {what}", named[place]));
        });
        found.map_err(|error| match error {
            BracketError::Batch(BatchError::Game(error)) => {
                at_fault(*error, &self.rules, self.plan.rulesets())
            }
            BracketError::Batch(error) => error.into(),
            wrong => CliError::Run(wrong.to_string()),
        })
    }

    fn ending(&self, found: &OptimalPlay) -> Ending {
        let Some(last) = found.points.last() else {
            return Ending::Nothing("the best player was chosen and a deal was solved");
        };
        Ending::of(found.interrupted, || {
            let last = count(last.deals);
            match self.plan.cells.len() {
                1 => format!("the figures are those of the first {last} deals"),
                n => format!(
                    "the figures are those of {} of {n} rulesets, the last of {last} deals",
                    found.points.len()
                ),
            }
        })
    }

    fn report(&mut self, found: OptimalPlay, output: &Output) -> Result<(), CliError> {
        let json = output.run.json(&found).map_err(CliError::no_report)?;
        let more = vec![("brackets.csv".to_string(), bracket_csv(&found).into_bytes())];
        output.print_document(bracket_document(&output.run, &found), &json, more)
    }
}
