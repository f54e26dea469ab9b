//! `saratoga character`: its arguments and its experiment.

use std::process::ExitCode;

use clap::Args;

use super::checkpoint::{resolved, saved};
use super::driver::{self, Played, RunContext, Setup};
use super::error::{CliError, at_fault};
use super::input::{all_differ, at_least_1, each_once, load_all_rules, load_players, memory_to_solve};
use super::options::{RunArgs, ScriptArgs};
use super::progress::{Line, SOLVED};
use super::terminal::joined;
use crate::format::plural;
use crate::lab::{self, Characterizing, LEAST_DEALS, Pace, solvable};
use crate::report::{character_document, count};
use crate::units::Count;

const LADDER: [&str; 5] = ["random", "beginner", "ordinary", "expert", "shark"];

/// Describe what a game is like: its length, decisions, luck, skill and hope
///
/// All players play the same deals. The report says how long a game takes, how often there is something to decide, how
/// much of the result is luck and how much skill, when a lost game is lost, and which rule matters most.
#[derive(Args, Debug)]
#[command(after_help = "\
Name the players from the weakest to the strongest. Skill is measured from the
player called `beginner`, or else from the first; the last one is also tried
with more and with less knowledge than a person has. One player, --examine, has
its decisions judged by search, and its losses by the solver.

Examples:
  saratoga character                          canfield
  saratoga character canfield klondike -n 500
  saratoga character ./mine.toml --pace my-pace.toml
  saratoga character demon-casino -s beginner -s patient -s search:level=3
  saratoga character --json | jq '.rulesets[0].skill'")]
pub(in crate::cli) struct CharacterArgs {
    /// Rulesets: names on the shelf, or paths
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: Vec<String>,
    /// A player, a name on the shelf or a path; repeat it, the weakest first
    /// [default: random, beginner, ordinary, expert and shark]
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// The player whose decisions and losses are examined [default: the last but one]
    #[arg(long, value_name = "STRATEGY")]
    pub examine: Option<String>,
    /// Deals, which every player plays; at least 50
    #[arg(short = 'n', long, value_name = "DEALS", default_value = "200")]
    pub games: Count,
    /// Deals on which search judges each decision
    #[arg(long, value_name = "DEALS", default_value = "50")]
    pub judged: Count,
    /// How much better the best move of a real decision must be than the second, in cards
    #[arg(long, value_name = "CARDS", default_value = "1", value_parser = cards)]
    pub matter: f64,
    /// Limit on the positions that the solver searches from each position
    #[arg(long, value_name = "N", default_value = "200k")]
    pub nodes: Count,
    /// A file that says how many seconds each part of a game takes [default: scripts/pace.toml]
    #[arg(long, value_name = "FILE")]
    pub pace: Option<String>,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

fn cards(text: &str) -> Result<f64, String> {
    let cards = text.parse().ok().filter(|cards| (0.0..=52.0).contains(cards));
    cards.ok_or_else(|| "a number of cards from 0 to 52 is expected, such as 0.5".into())
}

pub(super) fn run(args: CharacterArgs) -> Result<ExitCode, CliError> {
    each_once("ruleset", &args.rules)?;
    let loaded = load_all_rules(&args.rules)?;
    let named = match &args.strategies[..] {
        [] => LADDER.map(String::from).to_vec(),
        [one] => {
            return Err(CliError::input(format!("`{one}` alone shows no skill: name two players or more")));
        }
        given => given.to_vec(),
    };
    let players = load_players(named.clone(), &args.scripts)?;
    all_differ(&players)?;
    let place = |name: &str| players.iter().position(|it| it.name() == name);
    if place("beginner").is_some_and(|it| it + 1 == players.len()) {
        return Err(CliError::input(
            "`beginner` is named last: name the players from the weakest to the strongest",
        ));
    }
    let examined = match &args.examine {
        None => players.len() - 2,
        Some(name) => place(name).ok_or_else(|| {
            let names = named.join(", ");
            CliError::input(format!("`{name}` is not among the players: --examine names one of {names}"))
        })?,
    };
    at_least_1(args.nodes.0, "--nodes")?;
    if args.judged.0 > args.games.0 {
        return Err(CliError::input("--judged is at most -n: the judged deals are the first of all"));
    }
    if args.games.0 < LEAST_DEALS {
        let why = "the limits of a quantile need more";
        return Err(CliError::input(format!(
            "{} deals are too few: at least {LEAST_DEALS}, as {why}",
            args.games.0
        )));
    }
    if loaded.iter().any(|it| solvable(&it.rules).is_ok()) {
        memory_to_solve("solving deals", ("--nodes", args.nodes.0), args.run.threads(), loaded.iter())?;
    }
    let pace = Pace::load(args.pace.as_deref()).map_err(CliError::of_scripts)?;
    let setup = Setup {
        folder: format!("character-{}-{}", joined(loaded.iter().map(|it| &*it.id)), args.run.seed),
        inputs: Some(vec![saved("pace", "", pace.to_string())]),
        resolved: vec![
            resolved("RULES", &args.rules),
            resolved("--strategy", named.clone()),
            resolved("--examine", [players[examined].name()]),
        ],
        stages: Some(2 * loaded.len() as u32),
        ..Setup::new(&args.run, &loaded, &players)
    };
    let play = |RunContext { workers, .. }: RunContext<'_>| {
        let entries = players.iter().map(|source| (source.name(), source as _));
        let asked = Characterizing {
            rules: args.rules.iter().map(String::as_str).zip(&loaded).collect(),
            players: entries.collect(),
            beginner: place("beginner").unwrap_or(0),
            examined,
            seed: args.run.seed,
            deals: args.games.0,
            judged: args.judged.0,
            matter: args.matter,
            nodes: args.nodes.0,
            pace,
            workers,
        };
        let each = args.games.0.saturating_mul(2);
        let mut line = Line::message(SOLVED, Some(each.saturating_mul(loaded.len() as u64)), args.run.quiet);
        let found = lab::characterize(&asked, &mut |rules, done| {
            let what = if done <= args.games.0 { "its deals" } else { "its changed rules" };
            let before = each.saturating_mul(rules as u64);
            line.show(before + done, || format!("{}: {what}", args.rules[rules]));
        });
        let found = found
            .map_err(|error| CliError::of_run(error, |error| at_fault(*error, &loaded, loaded.iter())))?;
        if found.rulesets.is_empty() {
            return Err(CliError::Nothing("50 deals were played"));
        }
        let deals = found.rulesets.iter().map(|it| it.deals).min().unwrap_or(0);
        Ok(Played {
            interrupted: found.interrupted.then(|| {
                let unchanged = if found.rulesets.iter().all(|it| it.changes.is_empty()) {
                    "; the changed rules were not played"
                } else {
                    ""
                };
                format!(
                    "the figures are those of {}, on {} deals or more{unchanged}",
                    plural(found.rulesets.len() as u64, "ruleset"),
                    count(deals)
                )
            }),
            again: Vec::new(),
            found,
        })
    };
    driver::run(setup, play, |found, output| {
        output.print(character_document(&output.run, &found), &found, [])
    })
}
