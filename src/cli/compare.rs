//! `saratoga compare`: its arguments and its experiment.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::checkpoint::resolved;
use super::driver::{self, FIRST_BLOCK, Played, RunContext, Setup};
use super::error::CliError;
use super::input::{DealsFile, at_least_1, decks, each_once, load_all_rules};
use super::options::{PlayerArgs, RunArgs, ScriptArgs};
use super::progress::{DEALS, Line};
use super::terminal::{CommandLine, joined};
use crate::lab::{self, Comparison, Contender, CoursePoint, Matchup};
use crate::report::{compare_document, count, progress_figure};
use crate::rules::{Casino, Loaded, Spec};
use crate::stats::{GameWorth, Measure, SequentialTest};
use crate::strategy::StrategySource;
use crate::units::{Count, Rate, plain_number, whole};

/// Maximum number of entries, as every pair is reported.
const MOST: usize = 12;
/// Default maximum number of deals for two and for more entries.
const BUDGET: u64 = 1_000_000;
const OF_MANY: u64 = 100_000;
const RATE: f64 = 0.05;

/// Find which strategy is better, on the same deals
#[derive(Args, Debug)]
#[command(after_help = "\
All strategies play the same deals and are compared deal by deal.

Two strategies are put to a sequential test. After every 1,000 deals it checks
whether the evidence is enough for one of three results:
  A is better (hypothesis H1: the mean difference is above 0)
  B is better (hypothesis H0: the mean difference is below 0)
  neither is better by d or more
If the strategies are equal, the test names a winner in at most --alpha of all
runs. If one is better by d, the test misses that in at most --beta of all
runs. A winner need not be better by d: a smaller difference may be found or
missed. After an early stop the estimate is corrected for the bias of stopping
(median-unbiased).

Without --difference, d is taken from the spread of the first 1,000 deals, not
from who is ahead in them, so that -n deals are likely to be enough; it is at
least 0.10 cards, 0.5pp or a tenth of the pay for a card, and at most a
twentieth of what two games can differ by. If the deals run out first, the
report also gives the test for a number of deals fixed beforehand.

Three or more strategies play all deals. Every pair is compared, with
intervals that hold for all pairs at once, and the ranking marks the pairs
that it cannot tell apart.

Examples:
  saratoga compare canfield -s patient -s greedy
  saratoga compare canfield -s greedy -s ./mine.rhai --difference 0.05 -n 10M
  saratoga compare canfield -s patient -s greedy --measure wins --show 5
  saratoga compare demon-casino -s greedy -s patient -s hoarder -n 20k
  saratoga compare --rules canfield,superior -s patient
  saratoga compare canfield -s patient -s greedy --deals decks.txt
  saratoga compare canfield -s patient -s greedy --json | jq .test.verdict")]
pub(in crate::cli) struct CompareArgs {
    /// A ruleset: a name on the shelf, or a path [default: canfield]
    #[arg(value_name = "RULES")]
    pub rules: Option<String>,
    /// Rulesets to compare under one strategy, separated by commas; all with the same number of packs
    #[arg(long = "rules", value_name = "RULES,RULES", value_delimiter = ',', conflicts_with = "rules")]
    pub several: Vec<String>,
    #[command(flatten)]
    pub players: PlayerArgs,
    /// Maximum of games for each side: 5000, 1e6, 250k [default: 1M for two sides, 100k for more]
    #[arg(short = 'n', long, value_name = "GAMES")]
    pub games: Option<Count>,
    /// Play the decks of this file instead of those of the seed, one per line: the cards, or an id, a tab and the
    /// cards; -n takes the first of them; a deck counts as often as it is listed; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub deals: Option<PathBuf>,
    /// What to compare: cards, wins or money (the player's net)
    #[arg(long, value_name = "MEASURE", default_value_t = Measure::Cards)]
    pub measure: Measure,
    /// The least difference that matters, d: 0.10 (cards), 0.5pp (of games won), 0.50 (money) [default: taken from the
    /// spread of the first deals]
    #[arg(short, long, value_name = "D")]
    pub difference: Option<String>,
    /// Error rate: finding a difference where there is none [default: 5%]
    #[arg(long, value_name = "RATE")]
    pub alpha: Option<Rate>,
    /// Error rate: missing a difference of d [default: 5%]
    #[arg(long, value_name = "RATE")]
    pub beta: Option<Rate>,
    /// Play all deals, even after the test has its result
    #[arg(long)]
    pub all_games: bool,
    /// List the deals with the greatest differences, with commands that replay them: 0 to 100
    #[arg(long, value_name = "DEALS", default_value_t = 0, value_parser = whole(0, 100))]
    pub show: u64,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

pub(super) fn run(args: CompareArgs) -> Result<ExitCode, CliError> {
    let one_ruleset = args.rules.as_deref().or(args.several.is_empty().then_some("canfield"));
    let named = one_ruleset.map_or_else(|| args.several.clone(), |one| vec![one.to_string()]);
    let mut wanted = args.players.names();
    wanted.extend(args.players.patrons.as_ref().map(ToString::to_string));
    check_names(&named, &wanted)?;
    let rules = load_all_rules(&named)?;
    let strategies = args.players.load(&args.scripts)?;
    // Settings may have made two strategies equal.
    let set: Vec<String> = strategies.iter().map(|it| it.name().to_string()).collect();
    check_names(&named, &set)?;
    let loaded: Vec<(&str, &Loaded)> = named.iter().map(String::as_str).zip(&rules).collect();
    let (first, shape) = (loaded[0].0, loaded[0].1.rules.deck_shape());
    if let Some((other, _)) = loaded.iter().find(|(_, it)| it.rules.deck_shape() != shape) {
        return Err(CliError::input(format!(
            "{first} and {other} use different packs, so they cannot be dealt the same deals; compare rulesets with the same \
             number of packs"
        )));
    }
    let file = DealsFile::load(args.deals.as_deref(), &loaded, args.games.as_ref(), &args.run)?;
    let given = file.as_ref().map(|file| &file.deals[..]);
    let side = |&(named, loaded): &(_, _)| strategies.iter().map(move |strategy| (named, loaded, strategy));
    let sides: Vec<(&str, &Loaded, &StrategySource)> = loaded.iter().flat_map(side).collect();
    let specs: Vec<&Spec> = sides.iter().map(|(_, loaded, _)| loaded.rules.spec()).collect();
    let usual = file.as_ref().map_or(if sides.len() == 2 { BUDGET } else { OF_MANY }, |it| it.source.deals);
    let budget = args.games.map_or(usual, |games| games.0);
    at_least_1(budget, "no games to play: -n")?;
    let test = test(&args, &specs)?;
    let measured = match args.measure {
        Measure::Cards => String::new(),
        measure => format!("-{measure}"),
    };
    let (ids, names) = (rules.iter().map(|it| &*it.id), strategies.iter().map(StrategySource::id));
    let asked = test.as_ref().filter(|_| args.difference.is_some());
    let setup = Setup {
        folder: format!("compare-{}-{}{measured}-{}", joined(ids), joined(names), args.run.seed),
        deals: file.as_ref().map(|file| file.source.clone()),
        inputs: Some(given.iter().map(|deals| decks(deals)).collect()),
        resolved: vec![
            resolved("RULES", one_ruleset),
            args.players.resolved(),
            resolved("--games", [budget]),
            resolved("--difference", asked.map(|it| plain_number(it.difference))),
            resolved("--alpha", test.as_ref().map(|it| plain_number(it.alpha))),
            resolved("--beta", test.as_ref().map(|it| plain_number(it.beta))),
        ],
        stages: Some(1),
        ..Setup::new(&args.run, &rules, &strategies)
    };
    let play = |RunContext { workers, .. }: RunContext<'_>| {
        let entries = sides.iter().map(|&(named, loaded, strategy)| Contender {
            id: &loaded.id,
            strategy: strategy.name(),
            replay: CommandLine::new("replay")
                .word(named)
                .option("-s", [strategy.name()])
                .option("--deals", file.as_ref().map(|file| &file.name))
                .option("--seed", [args.run.seed])
                .line(),
            pairing: Matchup { id: named, rules: &loaded.rules, strategy },
        });
        let comparison = Comparison {
            entries: entries.collect(),
            seed: args.run.seed,
            given,
            budget,
            measure: args.measure,
            test,
            fit_difference: args.difference.is_none(),
            play_all: args.all_games,
            show: usize::try_from(args.show).unwrap_or(0),
            workers,
        };
        let open_ended = test.is_some() && !args.all_games;
        let mut line = Line::message(DEALS, (!open_ended).then_some(budget), args.run.quiet);
        let mut watch = |games, last: Option<&CoursePoint>| {
            let figure = |it| progress_figure(it, args.measure, test.as_ref(), &specs[0].casino);
            line.show(games, || last.map_or(String::new(), figure));
        };
        let named = file.as_ref().map(|file| &*file.name);
        let compared = lab::compare(&comparison, &mut watch)
            .map_err(|error| CliError::of_run(error, |error| CliError::of_game(*error, named)))?;
        if compared.games == 0 {
            return Err(FIRST_BLOCK);
        }
        // With fewer deals than requested, another difference would be chosen.
        let fitted = compared.tested.filter(|it| compared.interrupted && it.fitted.is_some());
        let fitted = fitted.map(|it| match args.measure {
            Measure::Cards => plain_number(it.test.difference),
            Measure::Wins => format!("{}pp", plain_number(100.0 * it.test.difference)),
            Measure::Money => plain_number(it.test.difference / 100.0),
        });
        Ok(Played {
            interrupted: compared.interrupted.then(|| {
                let games = count(compared.games);
                format!("the figures are those of the first {games} deals, which were finished")
            }),
            again: vec![
                resolved("RULES", one_ruleset),
                resolved("--rules", (!args.several.is_empty()).then(|| args.several.join(","))),
                args.players.resolved(),
                resolved("--games", [compared.budget]),
                resolved("--difference", args.difference.clone().or(fitted)),
            ],
            found: compared,
        })
    };
    driver::run(setup, play, |compared, output| {
        output.print(compare_document(&output.run, &compared), &compared, [])
    })
}

/// Checks for at least two of one kind and one of the other, without duplicates.
fn check_names(rules: &[String], strategies: &[String]) -> Result<(), CliError> {
    each_once("ruleset", rules)?;
    each_once("strategy", strategies)?;
    match (rules.len(), strategies.len()) {
        (1, 1) => Err(CliError::input(
            "there is nothing to compare: name two strategies or more, `-s patient -s greedy`, or two rulesets, \
             `--rules canfield,superior`",
        )),
        (1, n) | (n, 1) if n > MOST => {
            Err(CliError::input(format!("{n} are too many, as every pair is compared: {MOST} is the most")))
        }
        (1, _) | (_, 1) => Ok(()),
        (rules, strategies) => Err(CliError::input(format!(
            "{rules} rulesets and {strategies} strategies: compare several strategies under one ruleset, or several \
             rulesets under one strategy; `saratoga simulate` plays all of them"
        ))),
    }
}

/// Creates the test of two sides. Without --difference, its difference is the minimum, to be raised after the first
/// deals.
fn test(args: &CompareArgs, specs: &[&Spec]) -> Result<Option<SequentialTest>, CliError> {
    let measure = args.measure;
    if measure == Measure::Money {
        let casinos = || specs.iter().map(|spec| &spec.casino);
        let currency = &specs[0].casino.currency;
        if let Some(other) = casinos().find(|casino| casino.currency != *currency) {
            return Err(CliError::input(format!(
                "the rulesets pay in {currency} and in {}: compare them by cards or wins",
                other.currency
            )));
        }
        if !casinos().any(Casino::is_for_money) {
            return Err(CliError::input("nothing is staked and nothing is paid: compare by cards or wins"));
        }
    }
    let [a, b] = specs[..] else {
        let asked = [
            ("--difference", args.difference.is_some()),
            ("--alpha", args.alpha.is_some()),
            ("--beta", args.beta.is_some()),
            ("--all-games", args.all_games),
        ];
        return match asked.into_iter().find(|(_, given)| *given) {
            Some((flag, _)) => Err(CliError::input(format!(
                "{flag} is for a test of two; with {}, every pair is compared over all deals",
                specs.len()
            ))),
            None => Ok(None),
        };
    };
    let reach = GameWorth::reach(measure, a, b);
    let difference = match &args.difference {
        Some(text) => measure.difference(text, reach).map_err(CliError::input)?,
        None => measure.usual_difference(&a.casino),
    };
    let rate = |given: &Option<Rate>| given.as_ref().map_or(RATE, |rate| rate.1);
    Ok(Some(SequentialTest { difference, alpha: rate(&args.alpha), beta: rate(&args.beta), reach }))
}
