//! `saratoga bracket`: its arguments and its experiment.

use std::process::ExitCode;

use clap::Args;

use super::checkpoint::resolved;
use super::driver::{self, Played, RunContext, Setup};
use super::error::{CliError, at_fault};
use super::input::{
    all_differ, at_least_1, each_once, load_all_rules, load_players, load_strategy, memory_to_solve, varied,
};
use super::options::{RunArgs, ScriptArgs};
use super::progress::{Line, SOLVED};
use super::terminal::joined;
use crate::lab::sweep::{Axis, AxisKind, Plan};
use crate::lab::{self, BracketFault, BracketRules, Bracketing, FIRST_CHOOSING, solvable};
use crate::report::{bracket_document, count};
use crate::units::Count;

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
    let axis = varied("--vary", args.vary.as_slice())?;
    each_once("ruleset", &args.rules)?;
    let loaded = load_all_rules(&args.rules)?;
    let named = match &args.strategies[..] {
        [] => PLAYERS.map(String::from).to_vec(),
        given => given.to_vec(),
    };
    let mut players = load_players(named.clone(), &args.scripts)?;
    all_differ(&players)?;
    if players.iter().all(|it| it.name() != LOWEST) {
        players.insert(0, load_strategy(LOWEST)?);
    }
    at_least_1(args.games.0, "-n")?;
    at_least_1(args.nodes.0, "--nodes")?;
    let choosing = args.choose.map_or_else(|| args.games.0.div_ceil(PART), |games| games.0);
    if args.games.0.max(choosing) > FIRST_CHOOSING {
        return Err(CliError::input(format!("at most {} deals can be asked for", count(FIRST_CHOOSING))));
    }
    if choosing == 0 && players.len() > 1 {
        return Err(CliError::input(
            "--choose must be at least 1: the best of several players is chosen on deals of its own",
        ));
    }
    let several = (loaded.len() > 1).then(|| Axis::rules(args.rules.clone()));
    let plan = Plan::grid(several.into_iter().chain(axis).collect(), &loaded).map_err(CliError::input)?;
    CliError::none_of(plan.cells.iter().enumerate().filter_map(|(i, cell)| {
        let faults = cell.rules.as_ref().err()?;
        Some(CliError::no_rules(format!("{} is no valid ruleset:", plan.label(i)), faults.clone()))
    }))?;
    if plan.rulesets().any(|loaded| solvable(&loaded.rules).is_ok()) {
        memory_to_solve("solving deals", ("--nodes", args.nodes.0), args.run.threads(), plan.rulesets())?;
    }
    let varied = plan.axes.iter().find(|axis| matches!(axis.kind(), AxisKind::Key(_))).map(Axis::name);
    let key = varied.map_or(String::new(), |key| format!("-{key}"));
    let setup = Setup {
        folder: format!("bracket-{}{key}-{}", joined(loaded.iter().map(|it| &*it.id)), args.run.seed),
        resolved: vec![
            resolved("RULES", &args.rules),
            resolved("--strategy", named),
            resolved("--choose", [choosing]),
        ],
        stages: Some(2 * plan.rulesets().count() as u32),
        ..Setup::new(&args.run, &loaded, &players)
    };
    let play = |RunContext { workers, .. }: RunContext<'_>| {
        // The rulesets as played.
        let rules = plan.cells.iter().filter_map(|cell| {
            let changed = cell.rules.as_ref().ok()?;
            let change = plan.axes.iter().zip(&cell.at).find_map(|(axis, &at)| axis.change(at));
            let named = if change.is_some() { &changed.id } else { &args.rules[cell.ruleset] };
            let id = &loaded[cell.ruleset].id;
            Some(BracketRules { named, id, change: change.cloned(), rules: &changed.rules })
        });
        let rules: Vec<BracketRules<'_>> = rules.collect();
        let named: Vec<&str> = rules.iter().map(|it| it.named).collect();
        let each = choosing.saturating_add(args.games.0);
        let mut line = Line::message(SOLVED, Some(each.saturating_mul(named.len() as u64)), args.run.quiet);
        let asked = Bracketing {
            rules,
            varied,
            players: &players,
            seed: args.run.seed,
            choosing,
            games: args.games.0,
            nodes: args.nodes.0,
            workers,
        };
        let found = lab::bracket(&asked, &mut |place, done| {
            let what = if done <= choosing { "choosing the best player" } else { "judging it" };
            let before = each.saturating_mul(place as u64);
            line.show(before + done, || format!("{}: {what}", named[place]));
        });
        let found = found.map_err(|error| {
            CliError::of_run(error, |fault| match fault {
                BracketFault::Game(error) => at_fault(*error, &loaded, plan.rulesets()),
                wrong => CliError::Run(wrong.to_string()),
            })
        })?;
        let Some(last) = found.points.last() else {
            return Err(CliError::Nothing("the best player was chosen and a deal was solved"));
        };
        // A single ruleset is reproduced even after an interruption.
        let games = if plan.cells.len() == 1 { last.deals } else { args.games.0 };
        let usual = games.div_ceil(PART) == choosing;
        let choose = (args.choose.is_some() || !usual).then_some(choosing);
        let part = || match plan.cells.len() {
            1 => format!("the figures are those of the first {} deals", count(last.deals)),
            n => format!(
                "the figures are those of {} of {n} rulesets, the last of {} deals",
                found.points.len(),
                count(last.deals)
            ),
        };
        Ok(Played {
            interrupted: found.interrupted.then(part),
            again: vec![resolved("--games", [games]), resolved("--choose", choose)],
            found,
        })
    };
    driver::run(setup, play, |found, output| output.print(bracket_document(&output.run, &found), &found, []))
}
