//! `saratoga plan RULES`

use crate::cli::keeping::{patrons_text, texts};
use crate::lab::BatchError;
use crate::lab::SavedText;
use std::process::ExitCode;

use crate::amounts::plain;
use crate::cli::args::PlanArgs;
use crate::cli::driver::{self, Ending, Experiment, Means, Output};
use crate::cli::error::CliError;
use crate::cli::input::{load_all_rules, load_patrons, load_players};
use crate::cli::progress::{GAMES, Line};
use crate::cli::words::{CommandLine, joined, unique};
use crate::lab::sweep::{Axis, Plan};
use crate::lab::{self, MOST_MONEY, PlanBatch, PlanError, PlanFinished, PlanPlayer, PlanStep, solvable};
use crate::players::House;
use crate::report::{
    Guest, PlanReport, PlannedRules, Source, changed_name, count, document_xlsx, plan_document, plan_json,
};
use crate::rules::Loaded;
use crate::strategy::StrategySource;

use super::changed::at_fault;
use super::sold::all_differ;

/// Fewer games of a strategy are no ground for the bootstrap.
const LEAST_GAMES: u64 = 1_000;
/// Most rulesets that --vary makes of one.
const MOST_VARIED: usize = 50;

/// A ruleset that is planned with.
struct Candidate {
    /// As the command line names it, or with what is changed.
    named: String,
    loaded: Loaded,
    /// What it is called where keys of it are changed.
    changed: Option<String>,
}

/// The rulesets, each with every combination of the values of --vary.
fn candidates(args: &PlanArgs) -> Result<Vec<Candidate>, CliError> {
    let rules = load_all_rules(&args.rules)?;
    let axis = |text: &String| Axis::vary(text).map_err(|fault| CliError::input(format!("--vary {fault}")));
    let axes: Vec<Axis> = args.vary.iter().map(axis).collect::<Result<_, _>>()?;
    if let Some(price) = axes.iter().find(|axis| axis.name() == "casino.stake") {
        return Err(CliError::input(format!(
            "--vary cannot vary `{}`, as a plan finds the price of the deck; --at sets it",
            price.name()
        )));
    }
    let mut all = Vec::new();
    for (named, loaded) in args.rules.iter().zip(rules) {
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
                let here = format!("{named} with {} is no valid ruleset:", label.join(", "));
                CliError::Several(vec![CliError::input(here), CliError::Faults(faults)])
            })?;
            all.push(Candidate { named: loaded.id.clone(), loaded, changed });
        }
    }
    Ok(all)
}

pub(in crate::cli) fn run(args: PlanArgs) -> Result<ExitCode, CliError> {
    let rules = candidates(&args)?;
    let fault = |(i, Candidate { loaded, .. }): (usize, &Candidate)| {
        if loaded.rules.spec().casino.is_staged() {
            return Some(CliError::input(format!(
                "{} sells the stake in stages, so that the deck has no single price; `saratoga bankroll` tells of its nights",
                loaded.id
            )));
        }
        rules[..i]
            .iter()
            .any(|it| it.loaded.id == loaded.id)
            .then(|| CliError::input(format!("{} is named twice: name each ruleset once", loaded.id)))
    };
    CliError::all(rules.iter().enumerate().filter_map(fault).collect()).map_or(Ok(()), Err)?;
    for (option, games) in [("-n", args.games.0), ("--search-games", args.search_games.0)] {
        if games < LEAST_GAMES {
            return Err(CliError::input(format!(
                "{} games are too few for intervals: {option} must be at least {}",
                count(games),
                count(LEAST_GAMES)
            )));
        }
    }
    if args.nodes.0 == 0 && args.clairvoyant.0 > 0 {
        return Err(CliError::input("no deal is solved in 0 positions: --nodes must be at least 1"));
    }
    let house = load_patrons(&args.patrons, &args.scripts)?;
    let best = load_players(vec![args.best.clone()], &args.scripts)?;
    let mut strategies: Vec<StrategySource> = house.patrons.iter().map(|it| it.strategy.clone()).collect();
    // The best player may be one of those who come.
    strategies.extend(
        best.into_iter().filter(|best| house.patrons.iter().all(|it| it.strategy.name() != best.name())),
    );
    // A file has a name for each, by which two who play alike are told apart.
    if house.file.is_none() {
        all_differ(&strategies)?;
    }
    let planning = Planning { args: &args, rules, strategies, house };
    planning.check_price()?;
    driver::run(&args.run, planning)
}

/// Rulesets that are planned with, and who plays.
struct Planning<'a> {
    args: &'a PlanArgs,
    rules: Vec<Candidate>,
    /// Patrons, and the best player where it is none of them.
    strategies: Vec<StrategySource>,
    house: House,
}

impl Planning<'_> {
    fn share(&self, player: usize) -> f64 {
        self.house.patrons.get(player).map_or(0.0, |it| it.share.fraction())
    }

    fn decks_each(&self, player: usize) -> u32 {
        self.house.patrons.get(player).map_or(1, |it| it.decks_each)
    }

    /// Whether every ruleset can have the price that was given, before anything is played.
    fn check_price(&self) -> Result<(), CliError> {
        let Some(price) = self.args.at else { return Ok(()) };
        let decks = u32::try_from(self.args.decks).unwrap_or(u32::MAX);
        let faults = self.rules.iter().filter_map(|Candidate { loaded, .. }| {
            lab::at_price(loaded, price, decks).err().map(|error| self.faulted(loaded, error))
        });
        CliError::all(faults.collect()).map_or(Ok(()), Err)
    }

    /// Games of each player.
    fn games(&self) -> Vec<u64> {
        let of = |source: &StrategySource| match source.instantiate().is_slow() {
            true => self.args.games.0.min(self.args.search_games.0),
            false => self.args.games.0,
        };
        self.strategies.iter().map(of).collect()
    }
}

impl Experiment for Planning<'_> {
    /// What came of rulesets, by their places, and whether it is all.
    type Played = (Vec<(usize, PlanFinished)>, bool);

    fn folder(&self) -> String {
        format!("plan-{}-{}", joined(&unique(self.rules.iter().map(|it| &*it.loaded.id))), self.args.run.seed)
    }

    fn inputs(&self) -> Option<Vec<SavedText>> {
        let texts = texts(self.rules.iter().map(|it| &it.loaded), &self.strategies);
        Some([patrons_text(&self.house)].into_iter().chain(texts).collect())
    }

    fn stages(&self) -> Option<u32> {
        let pilots = if self.args.at.is_none() { self.house.patrons.len() } else { 0 };
        let each = pilots + self.strategies.len();
        let solved = |it: &&Candidate| self.args.clairvoyant.0 > 0 && solvable(&it.loaded.rules).is_ok();
        Some((each * self.rules.len() + self.rules.iter().filter(solved).count()) as u32)
    }

    fn play(&mut self, Means { stop, workers, .. }: Means<'_>) -> Result<Self::Played, CliError> {
        let args = self.args;
        let makers: Vec<_> = self.strategies.iter().map(|source| move || source.instantiate()).collect();
        let games = self.games();
        let players: Vec<PlanPlayer<'_>> = makers
            .iter()
            .enumerate()
            .map(|(i, make)| PlanPlayer {
                strategy: make,
                share: self.share(i),
                decks_each: self.decks_each(i),
                games: games[i],
            })
            .collect();
        let each = lab::plan_games(&players, args.at.is_none());
        let all = each.saturating_mul(self.rules.len() as u64);
        let mut line = Line::bar(GAMES, all, args.run.quiet);
        let (mut found, mut missing, mut partly) = (Vec::new(), false, false);
        for (i, Candidate { named, loaded, .. }) in self.rules.iter().enumerate() {
            let batch = PlanBatch {
                loaded,
                named,
                players: &players,
                price: args.at,
                target: (args.target_edge.0.0, args.target_edge.1.0),
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
            let planned = lab::plan(&batch, stop, &mut |step| match step {
                PlanStep::Games(games) => line.show(before + games, || loaded.id.clone()),
                PlanStep::Samples(done) => line.show(before + each, || {
                    format!("{}: {done} of {} bootstrap samples", loaded.id, args.bootstrap)
                }),
                PlanStep::Solved(done) => line.show(before + each, || {
                    format!("{}: {done} of {} deals solved", loaded.id, args.clairvoyant.0)
                }),
            });
            if matches!(planned, Err(PlanError::Batch(BatchError::Missing))) {
                missing = true;
                continue;
            }
            match planned.map_err(|error| self.faulted(loaded, error))? {
                Some(planned) => {
                    let interrupted = planned.interrupted;
                    found.push((i, planned));
                    partly |= interrupted;
                    if interrupted {
                        return Ok((found, true));
                    }
                }
                None => return Ok((found, true)),
            }
        }
        if missing { Err(CliError::Missing) } else { Ok((found, partly)) }
    }

    fn ending(&self, (found, interrupted): &Self::Played) -> Ending {
        if found.is_empty() {
            return Ending::Nothing("the price was found and every player had played at it");
        }
        Ending::of(*interrupted, || match found.len() {
            n if n < self.rules.len() => format!("the figures are those of the first {n} of the rulesets"),
            _ => "the figures are those of the games that were finished".into(),
        })
    }

    fn report(&mut self, (found, _): Self::Played, output: &Output) -> Result<(), CliError> {
        let args = self.args;
        let rulesets = found.iter().map(|(i, found)| {
            let Candidate { loaded, changed, .. } = &self.rules[*i];
            let files = Source::all(&loaded.sources);
            let name = changed.as_deref().unwrap_or(loaded.rules.name());
            PlannedRules { id: &loaded.id, name, changed: changed.is_some(), files, found }
        });
        let players = self.strategies.iter().enumerate().map(|(i, source)| Guest {
            name: self.house.patrons.get(i).map_or(source.name(), |it| &it.name),
            strategy: source.name(),
            share: self.share(i),
            decks_each: self.decks_each(i),
            script: source.text(),
        });
        let report = PlanReport {
            command: self.again(found.len()),
            version: env!("CARGO_PKG_VERSION"),
            seed: args.run.seed,
            target: (args.target_edge.0.0, args.target_edge.1.0),
            given: args.at.is_some(),
            round: args.round,
            players: players.collect(),
            rulesets: rulesets.collect(),
        };
        let json = plan_json(&report).map_err(CliError::no_report)?;
        let document = plan_document(&report);
        let workbook = match output.has_report() {
            true => vec![(
                "plan.xlsx".into(),
                document_xlsx(&output.told(document.clone())).map_err(CliError::no_report)?,
            )],
            false => Vec::new(),
        };
        output.print_document(document, &json, workbook)
    }
}

impl Planning<'_> {
    /// The command line that finds the same again for the first rulesets.
    fn again(&self, rulesets: usize) -> String {
        let args = self.args;
        let best =
            self.strategies.get(self.house.patrons.len()).map_or(args.best.as_str(), StrategySource::name);
        CommandLine::new("plan")
            // Of rulesets that were made of one, all or none are found again.
            .words(
                &args.rules
                    [..if args.vary.is_empty() { rulesets.min(args.rules.len()) } else { args.rules.len() }],
            )
            .option("--vary", &args.vary)
            .option("--patrons", [self.house.told()])
            .option("--best", [best])
            .option("--target-edge", [args.target_edge])
            .option("--at", args.at.map(plain))
            .option("--round", (args.round != 100).then(|| plain(args.round)))
            .option("--decks", [args.decks])
            .option("--nights", [args.nights])
            .option("--bank", [plain(args.bank)])
            .option("-n", [args.games.0])
            .option("--search-games", [args.search_games.0])
            .option("--clairvoyant", [args.clairvoyant.0])
            .option("--nodes", [args.nodes.0])
            .option("--bootstrap", [args.bootstrap])
            .option("--seed", [args.run.seed])
            .line()
    }

    /// What went wrong, as a person can mend it.
    fn faulted(&self, loaded: &Loaded, error: PlanError) -> CliError {
        match error {
            PlanError::Batch(BatchError::Game(error)) => {
                let played = self.rules.iter().map(|it| &it.loaded);
                let written: Vec<Loaded> =
                    self.rules.iter().filter(|it| it.changed.is_none()).map(|it| it.loaded.clone()).collect();
                at_fault(*error, &written, played)
            }
            PlanError::Batch(error) => CliError::from(error),
            PlanError::Solve(error) => CliError::from(error),
            PlanError::Price(faults) if self.args.at.is_some() => CliError::Faults(faults),
            PlanError::Price(faults) => CliError::Several(vec![
                CliError::input(format!("{} cannot be sold at the price that was found", loaded.id)),
                CliError::Faults(faults),
            ]),
            PlanError::NothingPaid => CliError::input(format!(
                "no price of {} gives such an edge: these players are paid nothing, or no more than their fees; give a price with --at, or let the ruleset pay \
                 for cards",
                loaded.id
            )),
            PlanError::TooMuch(price) => {
                let advice = match MOST_MONEY / price.unsigned_abs().max(1) {
                    0 => "give a lower price with --at, or smaller payments".into(),
                    most => format!("--decks may be at most {}", count(most)),
                };
                CliError::input(format!(
                    "{} decks of {} at {} each are too much money to compute to the cent: {advice}",
                    count(self.args.decks),
                    loaded.id,
                    plain(price)
                ))
            }
        }
    }
}
