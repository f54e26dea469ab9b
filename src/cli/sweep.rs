//! `saratoga sweep`: its arguments and its experiment.

use std::process::ExitCode;

use clap::Args;

use super::checkpoint::resolved;
use super::driver::{self, FIRST_BLOCK, Played, RunContext, Setup};
use super::error::{CliError, at_fault};
use super::input::{at_least_1, each_once, load_all_rules, varied};
use super::options::{PlayerArgs, RunArgs, ScriptArgs};
use super::progress::{GAMES, Line};
use super::terminal::joined;
use crate::lab::Matchup;
use crate::lab::sweep::{Against, AgainstError, Aim, Axis, Plan, SoFar, SweepBatch, Swept, sweep};
use crate::report::{count, sweep_document};
use crate::rules::Loaded;
use crate::stats::Precision;
use crate::strategy::StrategySource;
use crate::units::{Count, Percent};

const MOST_AXES: usize = 3;

/// Show how changes of the rules change the house edge, the win rate and the cards
#[derive(Args, Debug)]
#[command(after_help = "\
Each --vary is an axis: a key of the ruleset and its values. 1..5 means 1, 2,
3, 4 and 5 (both ends are included); 5..20:3 means 5, 8, 11, 14, 17 and 20;
lists are separated by commas, and words need no quotes. Several strategies,
or several rulesets with --rules, are an axis too. A sweep has up to three
axes and plays every combination of their values. Cells whose values make no
valid ruleset are shown with the reason. `saratoga rules show RULES` lists
the keys.

Rulesets with the same packs are dealt the same deals. So each cell is also
compared, deal by deal, with the original rules, or with those of --against;
the difference is known much better than the two edges. Every cell starts with
2,000 games. Further rounds go to the cells that need them, until the 95%
interval of every cell is within --precision (half of it where the edge is
close to --target-edge) or --budget is spent. With -n every cell gets exactly
that many games instead.

What is played is kept in the report's folder. After an interruption the same
command resumes the sweep and ends with the same results.

Examples:
  saratoga sweep --vary stock.redeals=0..5,unlimited -s greedy -s patient
  saratoga sweep demon-casino --vary stock.draw=1..5 --vary stock.redeals=0..2
  saratoga sweep --vary stock.draw=1..3 --vary stock.redeals=0..3 -n 50k
  saratoga sweep --vary stock.redeals=4..6 --against stock.redeals=5
  saratoga sweep exorcism-die-pass --vary stock.draw.die=2..8 --target-edge 5%
  saratoga sweep --rules canfield,storehouse --vary stock.redeals=0..3
  saratoga sweep --vary 'stock.draw=3,[3,2,1],{ die = 6, roll = pass }' --json")]
pub(in crate::cli) struct SweepArgs {
    /// The ruleset to change: a name on the shelf, or a path [default: canfield]
    #[arg(value_name = "RULES", conflicts_with = "several")]
    pub rules: Option<String>,
    /// Several rulesets as an axis: canfield,storehouse
    #[arg(long = "rules", value_name = "RULES,...", value_delimiter = ',')]
    pub several: Vec<String>,
    /// A key of the ruleset with its values: stock.draw=1..5; may be repeated
    #[arg(long, value_name = "KEY=VALUES")]
    pub vary: Vec<String>,
    #[command(flatten)]
    pub players: PlayerArgs,
    /// Play exactly this many games in each cell, instead of until --precision is reached: 5000, 1e6, 250k
    #[arg(short = 'n', long, value_name = "GAMES", conflicts_with_all = ["precision", "budget"])]
    pub games: Option<Count>,
    /// The house edge you look for; cells near it get more games: 0%, 5%
    #[arg(long, value_name = "EDGE", default_value = "0%", allow_hyphen_values = true)]
    pub target_edge: Percent,
    /// Compare each cell with these rules instead of the original ones: stock.redeals=3; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub against: Vec<String>,
    /// Half-width of every cell's 95% interval: 1pp (points of the house edge), 0.05 (mean cards)
    /// [default: 1pp, or 0.1 cards where a deck is free]
    #[arg(long, value_name = "WIDTH")]
    pub precision: Option<Precision>,
    /// Most games of all cells together: 500k, 1e7
    #[arg(long, value_name = "GAMES", default_value = "10M")]
    pub budget: Count,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Constructor of the strategy of a cell.
pub(super) fn run(args: SweepArgs) -> Result<ExitCode, CliError> {
    let mut axes = varied("--vary", &args.vary)?;
    let compared = varied("--against", &args.against)?;
    let names = match (&args.rules, &args.several[..]) {
        (Some(one), _) => vec![one.clone()],
        (None, []) => vec!["canfield".to_string()],
        (None, several) => several.iter().map(|name| name.trim().to_string()).collect(),
    };
    each_once("ruleset", &names)?;
    let rules = load_all_rules(&names)?;
    let strategies = args.players.load(&args.scripts)?;
    // With the settings of their parameters, which may make two equal.
    let players: Vec<String> = strategies.iter().map(|it| it.name().to_string()).collect();
    each_once("strategy", &players)?;
    if names.len() > 1 {
        axes.push(Axis::rules(names.clone()));
    }
    if players.len() > 1 {
        axes.push(Axis::strategies(players));
    }
    let plan = plan(axes, &rules)?;
    let against = Against::new(&plan, &rules, &compared).map_err(|error| match error {
        AgainstError::Values(fault) => CliError::input(format!("--against {fault}")),
        AgainstError::Rules(faults) => {
            CliError::no_rules("the rules of --against are no valid ruleset:", faults)
        }
    })?;
    let aim = aim(&args, &plan)?;
    let cells = plan.cells.iter().map(|cell| {
        let loaded = cell.rules.as_ref().ok()?;
        Some(Matchup { id: &loaded.id, rules: &loaded.rules, strategy: &strategies[cell.strategy] })
    });
    let bases = against.pairs.iter().map(|&(rules, strategy)| {
        let loaded = &against.rules[rules];
        Matchup { id: &loaded.id, rules: &loaded.rules, strategy: &strategies[strategy] }
    });
    let batch = SweepBatch {
        cells: cells.collect(),
        bases: bases.collect(),
        against: against.of.clone(),
        seed: args.run.seed,
        aim,
    };
    let mut so_far = SoFar::new(&batch).map_err(CliError::input)?;
    let keys = plan.axes.iter().map(Axis::name).filter(|name| name.contains('.'));
    let ids = strategies.iter().map(StrategySource::id);
    let parts = [joined(rules.iter().map(|it| &*it.id)), joined(keys), joined(ids)];
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    let setup = Setup {
        folder: format!("sweep-{}-{}", parts.join("-"), args.run.seed),
        resolved: vec![
            resolved("RULES", &names),
            resolved("--rules", [""; 0]),
            args.players.resolved(),
            resolved("--precision", [aim.precision]),
        ],
        stages: aim.each.map(|_| 1),
        ..Setup::new(&args.run, &rules, &strategies)
    };
    let play = |RunContext { workers, .. }: RunContext<'_>| {
        let mut line = Line::message(GAMES, None, args.run.quiet);
        // It changes only at the end of a round.
        let mut standing = so_far.enough(&batch);
        // Ctrl-C drops unfinished blocks.
        let played = sweep(&batch, &mut so_far, workers, &mut |so_far, cell| {
            if cell.is_none() {
                standing = so_far.enough(&batch);
            }
            let at = cell.map_or(String::new(), |cell| plan.label(cell));
            line.show(so_far.games(), || {
                let (enough, cells) = standing;
                let round = so_far.round;
                format!("round {round}, {enough} of {cells} cells enough  {at}")
            });
        });
        drop(line);
        played.map_err(|error| CliError::of_run(error, |error| at_fault(*error, &rules, plan.rulesets())))?;
        if so_far.games() == 0 {
            return Err(FIRST_BLOCK);
        }
        let part = || format!("the figures are those of {} games", count(so_far.games()));
        Ok(Played { interrupted: (!so_far.finished).then(part), again: Vec::new(), found: so_far })
    };
    driver::run(setup, play, |so_far, output| {
        let swept = Swept::new(&plan, &against, &so_far, &aim);
        output.print(sweep_document(&output.run, &swept), &swept, [])
    })
}

fn plan(axes: Vec<Axis>, rules: &[Loaded]) -> Result<Plan, CliError> {
    if axes.is_empty() {
        return Err(CliError::input(
            "there is nothing to sweep: vary a key, as in --vary stock.draw=1..5, or name several strategies or rulesets",
        ));
    }
    if axes.len() > MOST_AXES {
        let names: Vec<&str> = axes.iter().map(Axis::name).collect();
        return Err(CliError::input(format!(
            "a sweep has at most {MOST_AXES} axes, and there are {} ({}): leave some to another sweep",
            axes.len(),
            names.join(", ")
        )));
    }
    grid(axes, rules)
}

/// Returns all combinations of values, of which some make a valid ruleset.
pub(super) fn grid(axes: Vec<Axis>, rules: &[Loaded]) -> Result<Plan, CliError> {
    let plan = Plan::grid(axes, rules).map_err(CliError::input)?;
    if plan.cells.iter().all(|cell| cell.rules.is_err()) {
        // The faults of the other cells are mostly the same.
        let faults = plan.cells.into_iter().find_map(|cell| cell.rules.err());
        let what = "every combination is an invalid ruleset; errors of the first:";
        return Err(CliError::no_rules(what, faults.unwrap_or_default()));
    }
    Ok(plan)
}

fn aim(args: &SweepArgs, plan: &Plan) -> Result<Aim, CliError> {
    let specs = || plan.cells.iter().filter_map(|cell| cell.rules.as_ref().ok()).map(|it| it.rules.spec());
    let edge = Precision::Edge(0.01);
    let precision = match args.precision {
        Some(precision) => precision,
        None if specs().all(|spec| edge.check(spec).is_ok()) => edge,
        None => Precision::Cards(0.1),
    };
    specs().try_for_each(|spec| precision.check(spec)).map_err(CliError::input)?;
    let each = args.games.map(|games| games.0);
    at_least_1(each.unwrap_or(1), "no games to play: -n")?;
    let budget = each.map_or(args.budget.0, |each| each.saturating_mul(specs().count() as u64));
    Ok(Aim { precision, line: args.target_edge.0, budget, each })
}
