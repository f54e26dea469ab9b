//! What a command line of `saratoga sweep` asks for: axes, cells, and what is enough.

use std::path::Path;

use crate::cli::args::{BUDGET, SweepArgs};
use crate::cli::error::CliError;
use crate::cli::input::{load_all_rules, load_players_or_usual};
use crate::cli::words::{CommandLine, joined, unique};
use crate::lab::sweep::{Against, AgainstError, Aim, Axis, Plan};
use crate::rules::Loaded;
use crate::stats::Precision;
use crate::strategy::StrategySource;

/// Most axes of a sweep.
const MOST_AXES: usize = 3;

/// A sweep that can be played.
pub(super) struct Setup {
    /// The rulesets as the command line names them.
    pub names: Vec<String>,
    pub rules: Vec<Loaded>,
    pub strategies: Vec<StrategySource>,
    pub plan: Plan,
    pub against: Against,
    pub aim: Aim,
    /// The command line that makes the same report.
    pub command: String,
    /// The name of the report's folder.
    pub folder: String,
}

impl Setup {
    pub fn new(args: &SweepArgs) -> Result<Setup, CliError> {
        let mut faults = Vec::new();
        let mut axes = Vec::new();
        let mut compared = Vec::new();
        for (option, texts, axes) in
            [("--vary", &args.vary, &mut axes), ("--against", &args.against, &mut compared)]
        {
            for text in texts {
                match Axis::vary(text) {
                    Ok(axis) => axes.push(axis),
                    Err(fault) => faults.push(CliError::input(format!("{option} {fault}"))),
                }
            }
        }
        if let Some(faults) = CliError::all(faults) {
            return Err(faults);
        }
        let names = match (&args.rules, &args.several[..]) {
            (Some(one), _) => vec![one.clone()],
            (None, []) => vec!["canfield".to_string()],
            (None, several) => several.iter().map(|name| name.trim().to_string()).collect(),
        };
        apart("rulesets", &names)?;
        let rules = load_all_rules(&names)?;
        let strategies = load_players_or_usual(&args.strategies, args.patrons.as_ref(), &args.scripts)?;
        // As they play: with the settings of their parameters, which may make one of two.
        let players: Vec<String> = strategies.iter().map(|it| it.name().to_string()).collect();
        apart("strategies", &players)?;
        if names.len() > 1 {
            axes.push(Axis::rules(names.clone()));
        }
        if players.len() > 1 {
            axes.push(Axis::strategies(players));
        }
        let plan = plan(axes, &rules)?;
        let against = Against::new(&plan, &rules, &compared).map_err(|error| match error {
            AgainstError::Values(fault) => CliError::input(format!("--against {fault}")),
            AgainstError::Rules(faults) => CliError::Several(vec![
                CliError::input("the rules of --against are no valid ruleset:"),
                CliError::Faults(faults),
            ]),
        })?;
        let aim = aim(args, &plan)?;
        let (command, folder) = (again(args, &strategies), folder(&plan, &rules, &strategies, args.run.seed));
        Ok(Setup { names, rules, strategies, plan, against, aim, command, folder })
    }
}

/// Refuses two of one name.
fn apart(what: &str, names: &[String]) -> Result<(), CliError> {
    if unique(names.iter().map(String::as_str)).len() == names.len() {
        return Ok(());
    }
    Err(CliError::input(format!("two of the {what} are the same: {}", names.join(", "))))
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
    let plan = Plan::grid(axes, rules).map_err(CliError::input)?;
    if plan.cells.iter().all(|cell| cell.rules.is_err()) {
        // The faults of the others are mostly the same.
        let faults = plan.cells.into_iter().find_map(|cell| cell.rules.err());
        return Err(CliError::Several(vec![
            CliError::input("every combination is an invalid ruleset; errors of the first:"),
            CliError::Faults(faults.unwrap_or_default()),
        ]));
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
    let cells = specs().count() as u64;
    let budget = match each {
        Some(0) => return Err(CliError::input("no games to play: -n must be at least 1")),
        Some(each) => each.saturating_mul(cells),
        None => args.budget.0,
    };
    Ok(Aim { precision, line: args.target_edge.0, budget, each })
}

/// The command line that makes the same report; the names of strategies tell what `--set` set.
fn again(args: &SweepArgs, strategies: &[StrategySource]) -> String {
    let given = !args.strategies.is_empty() || args.patrons.is_some();
    let named = given.then(|| strategies.iter().map(StrategySource::name));
    CommandLine::new("sweep")
        .words(&args.rules)
        .option("--rules", (!args.several.is_empty()).then(|| args.several.join(",")))
        .option("--vary", &args.vary)
        .option("-s", named.into_iter().flatten())
        .option("--target-edge", (args.target_edge.0 != 0.0).then_some(args.target_edge))
        .option("--against", &args.against)
        .option("-n", args.games)
        .option("--precision", args.precision)
        .option("--budget", (args.budget.0 != BUDGET).then_some(args.budget))
        .option("--seed", [args.run.seed])
        .line()
}

fn folder(plan: &Plan, rules: &[Loaded], strategies: &[StrategySource], seed: u64) -> String {
    let rules: Vec<&str> = rules.iter().map(|rules| &*rules.id).collect();
    let keys: Vec<&str> =
        plan.axes.iter().map(|axis| axis.name()).filter(|name| name.contains('.')).collect();
    let players: Vec<&str> =
        strategies.iter().map(|it| Path::new(it.id()).to_str().unwrap_or_default()).collect();
    let parts = [joined(&rules), joined(&keys), joined(&players)];
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    format!("sweep-{}-{seed}", parts.join("-"))
}
