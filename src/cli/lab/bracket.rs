//! `saratoga bracket`

use crate::cli::keeping::{Settled, settled, texts};
use crate::lab::SavedText;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use super::changed::at_fault;
use super::sold::all_differ;
use crate::cli::args::BracketArgs;
use crate::cli::driver::{self, Ending, Experiment, Means, Output};
use crate::cli::error::CliError;
use crate::cli::input::{load_all_rules, load_players, load_strategy};
use crate::cli::progress::{Line, SOLVED};
use crate::cli::words::{CommandLine, joined, unique};
use crate::lab::sweep::{Axis, AxisKind, Cell, Plan};
use crate::lab::{
    BatchError, BracketBatch, BracketError, BracketFinished, FIRST_CHOOSING, Pairing, bracket,
    memory_of_a_thread, solvable,
};
use crate::memory;
use crate::report::{
    BracketPoint, BracketReport, Source, bracket_csv, bracket_document, bracket_json, count,
};
use crate::rules::Loaded;
use crate::strategy::StrategySource;

/// Who plays unless the command line says otherwise.
const PLAYERS: [&str; 4] = ["greedy", "patient", "hoarder", "search:level=2"];
/// The lowest rung of the ladder.
const LOWEST: &str = "random";
/// The part of the games by which the best is chosen besides.
const PART: u64 = 5;

pub(in crate::cli) fn run(args: BracketArgs) -> Result<ExitCode, CliError> {
    let asked = Asked::new(&args)?;
    driver::run(&args.run, Bracketing { args: &args, asked: &asked })
}

/// What a command line asks for.
struct Asked {
    /// Rulesets as the command line names them.
    names: Vec<String>,
    rules: Vec<Loaded>,
    players: Vec<StrategySource>,
    plan: Plan,
    choosing: u64,
}

/// The players to try.
fn players(args: &BracketArgs) -> Vec<String> {
    match &args.strategies[..] {
        [] => PLAYERS.map(String::from).to_vec(),
        given => given.to_vec(),
    }
}

/// A ruleset of the plan.
struct Point<'a> {
    /// As the command line names it, or as the changed ruleset is called.
    named: &'a str,
    base: &'a Loaded,
    change: Option<(&'a str, String)>,
    loaded: &'a Loaded,
}

impl Asked {
    fn new(args: &BracketArgs) -> Result<Asked, CliError> {
        let axis = args.vary.as_deref().map(Axis::vary).transpose();
        let axis = axis.map_err(|fault| CliError::input(format!("--vary {fault}")))?;
        let names = if args.rules.is_empty() { vec!["canfield".to_string()] } else { args.rules.clone() };
        if unique(names.iter().map(String::as_str)).len() < names.len() {
            return Err(CliError::input("a ruleset is named twice: name each once"));
        }
        let rules = load_all_rules(&names)?;
        let mut players = load_players(players(args), &args.scripts)?;
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
        let axes = (names.len() > 1).then(|| Axis::rules(names.clone())).into_iter().chain(axis).collect();
        let plan = Plan::grid(axes, &rules).map_err(CliError::input)?;
        let faults = plan.cells.iter().enumerate().filter_map(|(i, cell)| {
            let faults = cell.rules.as_ref().err()?;
            let here = CliError::input(format!("{} is no valid ruleset:", plan.label(i)));
            Some(CliError::Several(vec![here, CliError::Faults(faults.clone())]))
        });
        CliError::all(faults.collect()).map_or(Ok(()), Err)?;
        let asked = Asked { names, rules, players, plan, choosing };
        asked.check_memory(args)?;
        Ok(asked)
    }

    fn check_memory(&self, args: &BracketArgs) -> Result<(), CliError> {
        if !self.plan.rulesets().any(|loaded| solvable(&loaded.rules).is_ok()) {
            return Ok(());
        }
        let threads = args.run.threads() as u64;
        let packs =
            self.plan.rulesets().map(|loaded| loaded.rules.spec().deal.packs.into()).max().unwrap_or(1);
        let each = memory_of_a_thread(args.nodes.0, packs);
        let what = format!("solving deals with {threads} threads");
        memory::check(&what, each.saturating_mul(threads), |most| match most / each {
            0 => "ask for fewer --nodes".into(),
            fit => format!("ask for --threads {fit}, or for fewer --nodes"),
        })
        .map_err(CliError::input)
    }

    fn points(&self) -> Vec<Point<'_>> {
        let axes = &self.plan.axes;
        let rules = axes.iter().position(|axis| axis.kind() == AxisKind::Rules);
        let key = axes.iter().position(|axis| matches!(axis.kind(), AxisKind::Key(_)));
        let points = self.plan.cells.iter().filter_map(|cell| {
            let Cell { rules: loaded, at, .. } = cell;
            let loaded = loaded.as_ref().ok()?;
            let place = rules.map_or(0, |axis| at[axis]);
            let (base, named) = self.rules.get(place).zip(self.names.get(place))?;
            let change = key.map(|axis| (axes[axis].name(), axes[axis].values()[at[axis]].clone()));
            let named = if change.is_some() { &loaded.id } else { named };
            Some(Point { named, base, change, loaded })
        });
        points.collect()
    }

    fn varied(&self) -> Option<&'static str> {
        let axis = self.plan.axes.iter().find(|axis| matches!(axis.kind(), AxisKind::Key(_)))?;
        Some(axis.name())
    }
}

/// Brackets that can be found.
struct Bracketing<'a> {
    args: &'a BracketArgs,
    asked: &'a Asked,
}

/// What was found, of the first rulesets.
struct Found {
    /// Which of the points have deals: the first of them, but where a part of a run is reported.
    places: Vec<usize>,
    points: Vec<BracketFinished>,
    interrupted: bool,
}

impl Experiment for Bracketing<'_> {
    type Played = Found;

    fn folder(&self) -> String {
        let rules = joined(&unique(self.asked.rules.iter().map(|rules| &*rules.id)));
        let varied = self.asked.varied().map_or(String::new(), |key| format!("-{key}"));
        format!("bracket-{rules}{varied}-{}", self.args.run.seed)
    }

    fn inputs(&self) -> Option<Vec<SavedText>> {
        Some(texts(&self.asked.rules, &self.asked.players))
    }

    fn settled(&self) -> Vec<Settled> {
        vec![
            settled("RULES", &self.asked.names),
            settled("--strategy", players(self.args)),
            settled("--choose", [self.asked.choosing]),
        ]
    }

    fn stages(&self) -> Option<u32> {
        Some(2 * self.asked.plan.rulesets().count() as u32)
    }

    fn play(&mut self, Means { stop, workers, .. }: Means<'_>) -> Result<Found, CliError> {
        let (args, asked) = (self.args, self.asked);
        let makers: Vec<_> = asked.players.iter().map(|source| move || source.instantiate()).collect();
        let each = asked.choosing.saturating_add(args.games.0);
        let points = asked.points();
        let total = each.saturating_mul(points.len() as u64);
        let mut line = Line::message(SOLVED, Some(total), args.run.quiet);
        let (mut places, mut found, mut missing) = (Vec::new(), Vec::new(), false);
        for (i, point) in points.iter().enumerate() {
            let entries = makers.iter().map(|make| Pairing {
                id: point.named,
                rules: &point.loaded.rules,
                strategy: make,
            });
            let batch = BracketBatch {
                entries: entries.collect(),
                seed: args.run.seed,
                choosing: asked.choosing,
                games: args.games.0,
                nodes: args.nodes.0,
                workers: workers.part(i as u64),
            };
            let before = each.saturating_mul(i as u64);
            let what = |done| if done <= asked.choosing { "choosing the best player" } else { "judging it" };
            let finished = bracket(&batch, stop, &mut |done| {
                line.show(before + done, || format!("{}: {}", point.named, what(done)));
            });
            if matches!(finished, Err(BracketError::Batch(BatchError::Missing))) {
                missing = true;
                continue;
            }
            let finished = finished.map_err(|error| match error {
                BracketError::Batch(BatchError::Game(error)) => {
                    at_fault(*error, &asked.rules, asked.plan.rulesets())
                }
                BracketError::Batch(error) => error.into(),
                wrong => CliError::Run(format!("{}: {wrong}", point.named)),
            })?;
            if finished.deals() > 0 {
                places.push(i);
                found.push(finished);
            }
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        if missing {
            return Err(CliError::Missing);
        }
        let all = found.len() == points.len() && found.iter().all(|it| !it.interrupted);
        Ok(Found { places, points: found, interrupted: !all })
    }

    fn ending(&self, found: &Found) -> Ending {
        if found.points.is_empty() {
            return Ending::Nothing("the best player was chosen and a deal was solved");
        }
        Ending::of(found.interrupted, || {
            let last = found.points.last().map_or(0, BracketFinished::deals);
            match self.asked.plan.cells.len() {
                1 => format!("the figures are those of the first {} deals", count(last)),
                n => format!(
                    "the figures are those of {} of {n} rulesets, the last of {} deals",
                    found.points.len(),
                    count(last)
                ),
            }
        })
    }

    fn report(&mut self, found: Found, output: &Output) -> Result<(), CliError> {
        let asked = self.asked;
        let (points, several) = (asked.points(), found.points.len());
        let report = BracketReport {
            command: self.again(&found),
            version: env!("CARGO_PKG_VERSION"),
            seed: self.args.run.seed,
            players: asked
                .players
                .iter()
                .map(|it| Source { name: it.name(), text: it.text().unwrap_or_default() })
                .collect(),
            choosing: asked.choosing,
            games: self.args.games.0,
            nodes: self.args.nodes.0,
            rules: asked
                .rules
                .iter()
                .map(|loaded| {
                    let files = loaded.sources.iter().map(|it| Source { name: &it.name, text: &it.text });
                    (&*loaded.id, loaded.rules.name(), files.collect())
                })
                .collect(),
            varied: asked.varied(),
            points: found
                .places
                .iter()
                .filter_map(|&place| points.get(place))
                .zip(&found.points)
                .map(|(point, found)| {
                    let of = (found, several);
                    BracketPoint::new(&point.base.id, point.change.clone(), &point.loaded.rules, of)
                })
                .collect(),
        };
        let json = bracket_json(&report).map_err(CliError::no_report)?;
        let more = vec![("brackets.csv".to_string(), bracket_csv(&report).into_bytes())];
        output.print_document(bracket_document(&report), &json, more)
    }
}

impl Bracketing<'_> {
    /// The command line that finds the same again; of one ruleset also where the run was interrupted.
    fn again(&self, found: &Found) -> String {
        let (args, asked) = (self.args, self.asked);
        let games = match &found.points[..] {
            [only] if asked.plan.cells.len() == 1 => only.deals(),
            _ => args.games.0,
        };
        let given = (!args.strategies.is_empty() || !args.scripts.settings.is_empty())
            .then(|| asked.players.iter().filter(|it| given(args, it)).map(StrategySource::name));
        CommandLine::new("bracket")
            .words(if args.rules.is_empty() { vec!["canfield".into()] } else { args.rules.clone() })
            .option("-s", given.into_iter().flatten())
            .option("--vary", &args.vary)
            .option("-n", [games])
            .option("--choose", (games.div_ceil(PART) != asked.choosing).then_some(asked.choosing))
            .option("--nodes", [args.nodes])
            .option("--seed", [args.run.seed])
            .line()
    }
}

/// Whether a player was asked for, and does not only make the lowest rung.
fn given(args: &BracketArgs, player: &StrategySource) -> bool {
    player.name() != LOWEST || args.strategies.iter().any(|name| name == LOWEST)
}
