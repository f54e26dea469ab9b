//! `saratoga compare`

mod question;

use crate::amounts::plain_number;
use crate::cli::keeping::{Settled, settled, texts};
use crate::lab::SavedText;
use std::process::ExitCode;

use crate::cli::args::CompareArgs;
use crate::cli::deals_file::{DealsFile, decks};
use crate::cli::driver::{self, Ending, Experiment, FIRST_BLOCK, Means, Output};
use crate::cli::error::CliError;
use crate::cli::input::{load_all_rules, load_players_or_usual, players};
use crate::cli::progress::{DEALS, Line};
use crate::cli::words::{CommandLine, joined, unique};
use crate::lab::{self, Compared, Comparison, Underway};
use crate::report::{
    CompareReport, ComparedEntry, PairingResult, Source, compare_document, compare_json, count,
    progress_figure,
};
use crate::rules::Loaded;
use crate::stats::{Measure, Summary, summarize};
use crate::strategy::StrategySource;
use question::Question;

/// The most entries: every pair of them is told.
const MOST: usize = 12;

/// A ruleset under a strategy.
struct Side<'a> {
    /// The ruleset as the command line names it.
    named: &'a str,
    loaded: &'a Loaded,
    strategy: &'a StrategySource,
}

pub(in crate::cli) fn run(args: CompareArgs) -> Result<ExitCode, CliError> {
    let named = one_ruleset(&args).map_or_else(|| args.several.clone(), |one| vec![one.to_string()]);
    let mut wanted = players(&args.strategies, args.patrons.as_ref());
    wanted.extend(args.patrons.as_ref().map(ToString::to_string));
    check_names(&named, &wanted)?;
    let rules = load_all_rules(&named)?;
    let strategies = load_players_or_usual(&args.strategies, args.patrons.as_ref(), &args.scripts)?;
    // Settings may have made one of two.
    let set: Vec<String> = strategies.iter().map(|it| it.name().to_string()).collect();
    check_names(&named, &set)?;
    let sides: Vec<Side<'_>> = named
        .iter()
        .zip(&rules)
        .flat_map(|(named, loaded)| strategies.iter().map(move |strategy| Side { named, loaded, strategy }))
        .collect();
    let shape = sides[0].loaded.rules.deck_shape();
    if let Some(other) = sides.iter().find(|side| side.loaded.rules.deck_shape() != shape) {
        return Err(CliError::input(format!(
            "{} and {} use different packs, so they cannot be dealt the same deals; compare rulesets with the same \
             number of packs",
            sides[0].named, other.named
        )));
    }
    let loaded: Vec<(&str, &Loaded)> = sides.iter().map(|side| (side.named, side.loaded)).collect();
    let file = DealsFile::load(args.deals.as_deref(), &loaded, args.games.as_ref(), &args.run)?;
    let specs = sides.iter().map(|side| side.loaded.rules.spec()).collect();
    let question = Question::of(&args, specs, file.as_ref().map(|file| file.deals.len() as u64))?;
    driver::run(&args.run, Contrast { args: &args, sides, question, file: file.as_ref() })
}

/// Two or more of the one, and one of the other, none of them twice.
fn check_names(rules: &[String], strategies: &[String]) -> Result<(), CliError> {
    for (names, what) in [(rules, "ruleset"), (strategies, "strategy")] {
        if let Some(name) = names.iter().enumerate().find(|&(i, name)| names[..i].contains(name)) {
            return Err(CliError::input(format!("the {what} {} is named twice: name each once", name.1)));
        }
    }
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

/// The ruleset of all sides, if they have the same.
fn one_ruleset(args: &CompareArgs) -> Option<&str> {
    args.rules.as_deref().or(args.several.is_empty().then_some("canfield"))
}

/// Sides that are compared, and what is asked of them.
struct Contrast<'a> {
    args: &'a CompareArgs,
    sides: Vec<Side<'a>>,
    question: Question,
    /// The deals, where they are not those of the seed.
    file: Option<&'a DealsFile>,
}

impl Experiment for Contrast<'_> {
    type Played = Compared;

    fn folder(&self) -> String {
        let rules = unique(self.sides.iter().map(|side| &*side.loaded.id));
        let strategies = unique(self.sides.iter().map(|side| side.strategy.id()));
        let measure = match self.args.measure {
            Measure::Cards => String::new(),
            measure => format!("-{measure}"),
        };
        format!("compare-{}-{}{measure}-{}", joined(&rules), joined(&strategies), self.args.run.seed)
    }

    fn inputs(&self) -> Option<Vec<SavedText>> {
        let decks = self.file.iter().map(|file| decks(&file.deals));
        let texts = texts(self.sides.iter().map(|it| it.loaded), self.sides.iter().map(|it| it.strategy));
        Some(decks.chain(texts).collect())
    }

    fn settled(&self) -> Vec<Settled> {
        let (args, question) = (self.args, &self.question);
        let test = question.test.as_ref();
        let given = test.filter(|_| args.difference.is_some());
        vec![
            settled("RULES", one_ruleset(args)),
            settled("--strategy", players(&args.strategies, args.patrons.as_ref())),
            settled("--games", [question.budget]),
            settled("--difference", given.map(|it| plain_number(it.difference))),
            settled("--alpha", test.map(|it| plain_number(it.alpha))),
            settled("--beta", test.map(|it| plain_number(it.beta))),
        ]
    }

    fn stages(&self) -> Option<u32> {
        Some(1)
    }

    fn play(&mut self, Means { stop, workers, .. }: Means<'_>) -> Result<Compared, CliError> {
        let (args, question) = (self.args, &self.question);
        let makers: Vec<_> = self.sides.iter().map(|side| move || side.strategy.instantiate()).collect();
        let entries = self.sides.iter().zip(&makers).map(|(side, make)| lab::Pairing {
            id: side.named,
            rules: &side.loaded.rules,
            strategy: make,
        });
        let comparison = Comparison {
            entries: entries.collect(),
            seed: args.run.seed,
            given: self.file.map(|file| &file.deals[..]),
            budget: question.budget,
            measure: question.measure,
            test: question.test,
            fit_difference: args.difference.is_none(),
            play_all: args.all_games,
            show: usize::try_from(args.show).unwrap_or(0),
            workers,
        };
        let open_ended = question.test.is_some() && !args.all_games;
        let mut line = Line::message(DEALS, (!open_ended).then_some(question.budget), args.run.quiet);
        let casino = &self.sides[0].loaded.rules.spec().casino;
        let mut watch = |underway: &Underway| {
            let figure = || progress_figure(underway, question.measure, question.test.as_ref(), casino);
            line.show(underway.games, figure);
        };
        let compared = lab::compare(&comparison, stop, &mut watch);
        compared.map_err(|error| CliError::of_batch(error, self.file.map(|file| &*file.name)))
    }

    fn ending(&self, compared: &Compared) -> Ending {
        if compared.games == 0 {
            return Ending::Nothing(FIRST_BLOCK);
        }
        Ending::of(compared.interrupted, || {
            let games = count(compared.games);
            format!("the figures are those of the first {games} deals, which were finished")
        })
    }

    fn report(&mut self, compared: Compared, output: &Output) -> Result<(), CliError> {
        let seed = self.args.run.seed;
        let summaries: Vec<Summary> = self
            .sides
            .iter()
            .zip(&compared.tallies)
            .map(|(side, tally)| summarize(tally, side.loaded.rules.spec(), Vec::new()))
            .collect();
        let entries = self.sides.iter().zip(&summaries).map(|(side, summary)| ComparedEntry {
            entry: PairingResult {
                deals: self.file.map(DealsFile::source),
                ..PairingResult::new(
                    (&side.loaded.id, side.loaded.rules.spec()),
                    side.strategy.name(),
                    seed,
                    summary,
                )
            },
            rules: Source::all(&side.loaded.sources),
            script: side.strategy.text(),
            replay: CommandLine::new("replay")
                .word(side.named)
                .option("-s", [side.strategy.name()])
                .option("--deals", self.file.map(|file| &file.name))
                .option("--seed", [seed])
                .line(),
        });
        let command = self.again(&compared);
        let report = CompareReport {
            command: &command,
            version: env!("CARGO_PKG_VERSION"),
            budget: self.budget(&compared),
            measure: self.question.measure,
            entries: entries.collect(),
            compared: &compared,
            deals: self.file.map(|file| &file.deals[..]),
        };
        let json = compare_json(&report).map_err(CliError::no_report)?;
        output.print_document(compare_document(&report), &json, Vec::new())
    }
}

impl Contrast<'_> {
    /// A run that was stopped from outside is made again as one that had no more deals.
    fn budget(&self, compared: &Compared) -> u64 {
        if compared.interrupted { compared.games } else { self.question.budget }
    }

    /// The command line that plays the same games again and comes to the same end.
    fn again(&self, compared: &Compared) -> String {
        let args = self.args;
        let one = one_ruleset(args);
        let measure = self.question.measure;
        // Fewer deals than were asked for would set another difference.
        let fitted = compared.tested.filter(|it| compared.interrupted && it.fitted.is_some());
        let fitted = fitted.map(|it| self.question.written(it.test.difference));
        CommandLine::new("compare")
            .words(one)
            .option("--rules", one.is_none().then(|| args.several.join(",")))
            // The names of the strategies tell how they are set.
            .option("-s", unique(self.sides.iter().map(|side| side.strategy.name())))
            .option("--measure", (measure != Measure::Cards).then_some(measure))
            .option("--difference", args.difference.clone().or(fitted))
            .option("--alpha", args.alpha.as_ref().map(|rate| &rate.0))
            .option("--beta", args.beta.as_ref().map(|rate| &rate.0))
            .option("--deals", self.file.map(|file| &file.name))
            .option("-n", [self.budget(compared)])
            .option("--seed", [args.run.seed])
            .flag("--all-games", args.all_games)
            .option("--show", (args.show > 0).then_some(args.show))
            .line()
    }
}
