//! `saratoga plan`: its arguments and its experiment.

use std::process::ExitCode;

use clap::Args;

use super::checkpoint::{patrons_text, resolved};
use super::driver::{self, Played, RunContext, Setup};
use super::error::{CliError, at_fault};
use super::input::{at_least_1, buyers, each_once, load_all_rules, load_patrons, load_player, varied};
use super::options::{RunArgs, ScriptArgs};
use super::progress::{GAMES, Line};
use super::terminal::joined;
use crate::lab::sweep::Plan;
use crate::lab::{
    self, Buyer, FEWEST_REPLICATES, MOST_DECKS, MOST_MONEY, MOST_NIGHTS, PlanBatch, PlanFault, PlanStep,
    Planned, Stopped, solvable,
};
use crate::report::{changed_name, count, document_xlsx, plan_document};
use crate::rules::Loaded;
use crate::units::{
    Count, PATRONS, Patrons, PercentRange, money, patrons, plain, plain_number, price, whole,
};

/// Maximum number of rulesets created from one by --vary.
const MOST_VARIED: usize = 50;

/// Plan a paid variant: its price, its nights, and what the best players cost
///
/// Finds a round price at which a mix of players leaves the house an edge in the target range, and reports what a
/// night and a season bring, how large a bank must be, what the best player costs, and the figures of a PAR sheet.
/// Everything is written as a page, a workbook (plan.xlsx) and CSV files.
#[derive(Args, Debug)]
#[command(after_help = "\
The plan is about the first ruleset. Further rulesets are priced for the same
players and stand beside it in a table; --vary makes them of one ruleset. The
price is found on games of its own.
The strategy of --best is measured beside the players who come, as the best
player known. Ctrl-C stops the run and reports what was finished.

Examples:
  saratoga plan                                 canfield, 300 decks a night
  saratoga plan canfield demon-casino --decks 300 --bank 2000
  saratoga plan canfield --vary stock.redeals=0..5
  saratoga plan --patrons beginner:50%,ordinary:50% --target-edge 5%..10%
  saratoga plan ./my-house.toml --round 5 --nights 20 --out my-plan
  saratoga plan canfield --at 60 --json | jq '.rulesets[0].edge'")]
pub(in crate::cli) struct PlanArgs {
    /// Rulesets: names on the shelf, or paths
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: Vec<String>,
    /// Compare the rulesets with these values of a key, as in `saratoga sweep`: stock.redeals=0..5; may be repeated
    #[arg(long, value_name = "KEY=VALUES")]
    pub vary: Vec<String>,
    /// Who plays: strategies, each with its share of the decks, or a file of patrons
    #[arg(long, value_name = "SHARES", default_value = PATRONS, value_parser = patrons)]
    pub patrons: Patrons,
    /// The best player known, measured beside the patrons
    #[arg(long, value_name = "STRATEGY", default_value = "shark")]
    pub best: String,
    /// The range in which the house edge of the mix should be
    #[arg(long, value_name = "RANGE", default_value = "5%..10%", allow_hyphen_values = true)]
    pub target_edge: PercentRange,
    /// Price of the deck, instead of finding one
    #[arg(long, value_name = "PRICE", value_parser = price, allow_hyphen_values = true)]
    pub at: Option<i64>,
    /// Prices are whole multiples of this; rounder ones are preferred
    #[arg(long, value_name = "PRICE", default_value = "1", value_parser = price, allow_hyphen_values = true)]
    pub round: i64,
    /// Decks sold in a night, 1 to 5000
    #[arg(long, value_name = "DECKS", default_value_t = 300, value_parser = whole(1, MOST_DECKS))]
    pub decks: u64,
    /// Nights of a season, 1 to 1000
    #[arg(long, value_name = "NIGHTS", default_value_t = 50, value_parser = whole(1, MOST_NIGHTS))]
    pub nights: u64,
    /// Money in the bank before the first night
    #[arg(long, value_name = "MONEY", default_value = "5000", value_parser = money, allow_hyphen_values = true)]
    pub bank: i64,
    /// Games of each strategy, at least 1000: 5000, 1e6, 250k
    #[arg(short = 'n', long, value_name = "GAMES", default_value = "100k")]
    pub games: Count,
    /// Games of each strategy that searches, at most; at least 1000
    #[arg(long, value_name = "GAMES", default_value = "2000")]
    pub search_games: Count,
    /// Deals to solve for a player who knows every card, 0 for none
    #[arg(long, value_name = "DEALS", default_value = "200")]
    pub clairvoyant: Count,
    /// Positions to look at in each of these deals
    #[arg(long, value_name = "N", default_value = "300k")]
    pub nodes: Count,
    /// Bootstrap samples for the intervals, 100 to 10000
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = whole(FEWEST_REPLICATES, 10_000))]
    pub bootstrap: u64,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

struct Candidate {
    /// The name on the command line, with any change.
    named: String,
    loaded: Loaded,
    /// Its title if keys were changed.
    changed: Option<String>,
}

/// Returns the rulesets, each with every combination of the values of --vary.
fn candidates(args: &PlanArgs, rules: &[Loaded]) -> Result<Vec<Candidate>, CliError> {
    let axes = varied("--vary", &args.vary)?;
    if let Some(price) = axes.iter().find(|axis| axis.name() == "casino.stake") {
        return Err(CliError::input(format!(
            "--vary cannot vary `{}`, as a plan finds the price of the deck; --at sets it",
            price.name()
        )));
    }
    let mut all = Vec::new();
    for (named, loaded) in args.rules.iter().zip(rules.iter().cloned()) {
        if axes.is_empty() {
            all.push(Candidate { named: named.clone(), loaded, changed: None });
            continue;
        }
        let name = loaded.rules.name().to_string();
        let grid = Plan::grid(axes.clone(), &[loaded]).map_err(CliError::input)?;
        if grid.cells.len() > MOST_VARIED {
            return Err(CliError::input(format!(
                "--vary makes {} rulesets of {named}, and a plan compares at most {MOST_VARIED}; take fewer values, or \
                 `saratoga sweep`, which has room for more",
                grid.cells.len()
            )));
        }
        for cell in grid.cells {
            let values = grid.axes.iter().zip(&cell.at).map(|(axis, &at)| (axis.name(), &*axis.values()[at]));
            let label: Vec<String> = values.clone().map(|(key, value)| format!("{key}={value}")).collect();
            let changed = Some(changed_name(&name, values));
            let loaded = cell.rules.map_err(|faults| {
                CliError::no_rules(format!("{named} with {} is no valid ruleset:", label.join(", ")), faults)
            })?;
            all.push(Candidate { named: loaded.id.clone(), loaded, changed });
        }
    }
    Ok(all)
}

pub(super) fn run(args: PlanArgs) -> Result<ExitCode, CliError> {
    let files = load_all_rules(&args.rules)?;
    let rules = candidates(&args, &files)?;
    each_once("ruleset", &rules.iter().map(|it| &*it.loaded.id).collect::<Vec<_>>())?;
    let staged = rules.iter().filter(|it| it.loaded.rules.spec().casino.is_staged());
    CliError::none_of(staged.map(|it| {
        CliError::input(format!(
            "{} sells the stake in stages, so that the deck has no single price; `saratoga bankroll` reports its nights",
            it.loaded.id
        ))
    }))?;
    if args.clairvoyant.0 > 0 {
        at_least_1(args.nodes.0, "no deal is solved in 0 positions: --nodes")?;
    }
    let house = load_patrons(&args.patrons, &args.scripts)?;
    let best = load_player(&args.best, &args.scripts)?;
    let mut players = buyers(&house, args.games.0, args.search_games.0)?;
    // The best player may be among the patrons.
    if !house.patrons.iter().any(|it| it.strategy.is_same(&best)) {
        players.push(Buyer::new(best, args.games.0, args.search_games.0));
    }
    let faulted = |loaded: &Loaded, error| faulted(&args, &files, &rules, loaded, error);
    // Checks before playing that every ruleset can have the given price.
    if let Some(price) = args.at {
        CliError::none_of(rules.iter().filter_map(|Candidate { loaded, .. }| {
            Some(faulted(loaded, lab::at_price(loaded, price, args.decks as u32).err()?))
        }))?;
    }
    let pilots = if args.at.is_none() { house.patrons.len() } else { 0 };
    let solved = |it: &&Candidate| args.clairvoyant.0 > 0 && solvable(&it.loaded.rules).is_ok();
    let stages = (pilots + players.len()) * rules.len() + rules.iter().filter(solved).count();
    let setup = Setup {
        folder: format!("plan-{}-{}", joined(rules.iter().map(|it| &*it.loaded.id)), args.run.seed),
        inputs: Some(vec![patrons_text(&house)]),
        stages: Some(stages as u32),
        ..Setup::new(&args.run, &files, players.iter().map(|it| &it.strategy))
    };
    let play = |RunContext { workers, .. }: RunContext<'_>| {
        let mut plan = Planned {
            target: (args.target_edge.0.0, args.target_edge.1.0),
            price_given: args.at.is_some(),
            round: args.round,
            rulesets: Vec::new(),
            interrupted: false,
        };
        let each = lab::plan_games(&players, args.at.is_none());
        let all = each.saturating_mul(rules.len() as u64);
        let mut line = Line::bar(GAMES, all, args.run.quiet);
        let mut missing = false;
        for (i, Candidate { named, loaded, changed }) in rules.iter().enumerate() {
            let batch = PlanBatch {
                loaded,
                named,
                changed: changed.as_deref(),
                players: &players,
                price: args.at,
                target: plan.target,
                round: args.round,
                decks: u32::try_from(args.decks).unwrap_or(u32::MAX),
                bank: args.bank,
                nights: u32::try_from(args.nights).unwrap_or(u32::MAX),
                replicates: args.bootstrap,
                known: (args.clairvoyant.0, args.nodes.0),
                seed: args.run.seed,
                workers: workers.part(i as u64),
            };
            let before = i as u64 * each;
            let planned = lab::plan(&batch, &mut |step| match step {
                PlanStep::Games(games) => line.show(before + games, || loaded.id.clone()),
                PlanStep::Samples(done) => line.show(before + each, || {
                    format!("{}: {done} of {} bootstrap samples", loaded.id, args.bootstrap)
                }),
                PlanStep::Solved(done) => line.show(before + each, || {
                    format!("{}: {done} of {} deals solved", loaded.id, args.clairvoyant.0)
                }),
            });
            if matches!(planned, Err(Stopped::Missing)) {
                missing = true;
                continue;
            }
            let planned = planned.map_err(|error| CliError::of_run(error, |fault| faulted(loaded, fault)))?;
            plan.interrupted = planned.as_ref().is_none_or(|it| it.interrupted);
            plan.rulesets.extend(planned);
            if plan.interrupted {
                break;
            }
        }
        if missing && !plan.interrupted {
            return Err(CliError::Missing);
        }
        let planned = plan.rulesets.len();
        if planned == 0 {
            return Err(CliError::Nothing("the price was found and every player had played at it"));
        }
        // Rulesets created from one are reproduced all together or not at all.
        let most = if args.vary.is_empty() { planned } else { usize::MAX };
        Ok(Played {
            interrupted: plan.interrupted.then(|| match planned < rules.len() {
                true => format!("the figures are those of the first {planned} of the rulesets"),
                false => "the figures are those of the games that were finished".into(),
            }),
            again: vec![resolved("RULES", args.rules.iter().take(most))],
            found: plan,
        })
    };
    driver::run(setup, play, |plan, output| {
        let document = plan_document(&output.run, &plan);
        let mut workbook = Vec::new();
        if output.has_report() {
            workbook.push(("plan.xlsx".into(), document_xlsx(&document).map_err(CliError::no_report)?));
        }
        output.print(document, &plan, workbook)
    })
}

fn faulted(
    args: &PlanArgs,
    files: &[Loaded],
    rules: &[Candidate],
    loaded: &Loaded,
    fault: PlanFault,
) -> CliError {
    match fault {
        PlanFault::Game(error) => at_fault(*error, files, rules.iter().map(|it| &it.loaded)),
        PlanFault::Solve(fault) => CliError::from(fault),
        PlanFault::Price(faults) if args.at.is_some() => CliError::Faults(faults),
        PlanFault::Price(faults) => {
            CliError::no_rules(format!("{} cannot be sold at the price that was found", loaded.id), faults)
        }
        PlanFault::NothingPaid if jackpot_share(loaded) >= 1.0 - args.target_edge.1.0 => {
            CliError::input(format!(
                "no price of {} gives such an edge: the jackpot takes {}% of every price; lower its `share`, or ask for \
                 less with --target-edge",
                loaded.id,
                plain_number(100.0 * jackpot_share(loaded))
            ))
        }
        PlanFault::NothingPaid => CliError::input(format!(
            "no price of {} gives such an edge: these players are paid nothing, or no more than their fees; give a price with --at, or let the ruleset pay \
             for cards",
            loaded.id
        )),
        PlanFault::TooMuch(price) => {
            let advice = match MOST_MONEY / price.unsigned_abs().max(1) {
                0 => "give a lower price with --at, or smaller payments".into(),
                most => format!("--decks may be at most {}", count(most)),
            };
            CliError::input(format!(
                "{} decks of {} at {} each are too much money to compute to the cent: {advice}",
                count(args.decks),
                loaded.id,
                plain(price)
            ))
        }
    }
}

fn jackpot_share(loaded: &Loaded) -> f64 {
    loaded.rules.spec().casino.jackpot.map_or(0.0, |jackpot| f64::from(jackpot.share) / 1000.0)
}
