//! Inputs of commands: rulesets, strategies, decks.

use std::collections::HashSet;
use std::fmt::Display;
use std::io;
use std::path::Path;

use crate::cards::{Card, Deck, DeckShape};
use crate::contest::{self, LoadedContest};
use crate::diagnostic::{SourceText, similar_file};
use crate::files::{self, MOST_DEALS, reason};
use crate::format::count;
use crate::game::{NamedDeal, read_deals, read_deck};
use crate::lab::{Buyer, SavedText, memory_of_a_thread, sweep::Axis};
use crate::memory;
use crate::players::{self, House, is_patron_file};
use crate::report::DealsSource;
use crate::rules::{self, Change, LoadError, Loaded, is_path, vary};
use crate::strategy::{self, StrategySource};
use crate::units::{Count, Games, Patrons, plain};

use super::checkpoint::{resolved, saved};
use super::error::{CliError, warn};
use super::mistakes::{Kind, meant, no_file};
use super::options::{Deals, PlayerArgs, ResolvedOption, RunArgs, ScriptArgs};
use super::terminal::{self, unique};

/// Loads several files; all faults are reported together.
pub(super) fn load_all<T>(
    names: &[String],
    load: impl Fn(&str) -> Result<T, CliError>,
) -> Result<Vec<T>, CliError> {
    let (loaded, faults): (Vec<_>, Vec<_>) = names.iter().map(|name| load(name)).partition(Result::is_ok);
    CliError::none_of(faults.into_iter().filter_map(Result::err))?;
    Ok(loaded.into_iter().flatten().collect())
}

/// Reads keys with the values of an option such as --vary; all faults are reported together.
pub(super) fn varied(option: &str, texts: &[String]) -> Result<Vec<Axis>, CliError> {
    load_all(texts, |text| Axis::vary(text).map_err(|fault| CliError::input(format!("{option} {fault}"))))
}

pub(super) fn load_all_rules(names: &[String]) -> Result<Vec<Loaded>, CliError> {
    load_all(names, load_rules)
}

fn not_loaded(error: LoadError) -> CliError {
    match error {
        LoadError::Faults(faults) => CliError::of_scripts(faults),
        LoadError::Unreadable { path, error } => {
            CliError::input(format!("cannot read {path}: {}{}", reason(&error), near(&path)))
        }
        LoadError::Unknown { shelf, name, suggestion } => {
            let guess = suggestion.map_or(String::new(), |guess| format!("; did you mean \"{guess}\"?"));
            let what = shelf.what;
            let (list, kind) = match what {
                "ruleset" => ("rules", Kind::Ruleset),
                _ => (what, Kind::Contest),
            };
            CliError::lines([
                format!("there is no {what} \"{name}\" on the shelf{guess}"),
                meant(kind, &name).unwrap_or_else(|| {
                    format!("`saratoga {list} list` shows the shelf; the path of a file needs a `/` or an extension")
                }),
            ])
        }
    }
}

fn near(path: &str) -> String {
    similar_file(Path::new(path)).map_or(String::new(), |near| format!("; did you mean {}?", near.display()))
}

pub(super) fn load_rules(name: &str) -> Result<Loaded, CliError> {
    if let (true, Some(meant)) = (name.ends_with(".rhai"), meant(Kind::Ruleset, name)) {
        return Err(CliError::input(meant));
    }
    let loaded = rules::load(name).map_err(not_loaded)?;
    warn(&loaded.warnings);
    Ok(loaded)
}

/// Loads the ruleset named in a record, maybe a stranger's: no contents of another kind of file are reported.
pub(super) fn load_named_rules(name: &str) -> Result<Loaded, CliError> {
    if !is_path(name) {
        return load_rules(name);
    }
    match rules::load_beside(name, "") {
        Ok(Ok(loaded)) => {
            warn(&loaded.warnings);
            Ok(loaded)
        }
        Ok(Err(faults)) => Err(CliError::Faults(faults)),
        Err(missing) => Err(CliError::input(format!("{}; {}", missing.message, missing.help))),
    }
}

pub(super) fn load_contest(name: &str) -> Result<LoadedContest, CliError> {
    let loaded = contest::load(name).map_err(not_loaded)?;
    warn(&loaded.warnings);
    Ok(loaded)
}

pub(super) fn load_all_strategies(names: Vec<String>) -> Result<Vec<StrategySource>, CliError> {
    load_all(&names, load_strategy)
}

pub(super) fn load_players(
    names: Vec<String>,
    options: &ScriptArgs,
) -> Result<Vec<StrategySource>, CliError> {
    set_up(load_all_strategies(names)?, options)
}

pub(super) fn load_player(name: &str, options: &ScriptArgs) -> Result<StrategySource, CliError> {
    Ok(set_up(vec![load_strategy(name)?], options)?.remove(0))
}

/// Default strategy of the commands that play many games.
pub(super) const USUAL: &str = "greedy";

impl PlayerArgs {
    pub fn names(&self) -> Vec<String> {
        match (&self.strategies[..], &self.patrons) {
            ([], None) => vec![USUAL.to_string()],
            (names, _) => names.to_vec(),
        }
    }

    pub fn resolved(&self) -> ResolvedOption {
        resolved("--strategy", self.names())
    }

    pub fn load(&self, options: &ScriptArgs) -> Result<Vec<StrategySource>, CliError> {
        let mut loaded = load_all_strategies(self.names())?;
        if let Some(patrons) = &self.patrons {
            loaded.push(House::load(patrons).map_err(no_strategy)?.mix());
        }
        set_up(loaded, options)
    }
}

/// Loads the patrons of a command, with the options of scripts. Those of a file may have the same strategy, as they have
/// names.
pub(super) fn load_patrons(patrons: &Patrons, options: &ScriptArgs) -> Result<House, CliError> {
    let mut house = House::load(patrons).map_err(no_strategy)?;
    let strategies: Vec<StrategySource> = house.patrons.iter().map(|it| it.strategy.clone()).collect();
    let set = set_up(strategies, options)?;
    for (patron, set) in house.patrons.iter_mut().zip(set) {
        if house.file.is_some() && set.name() != patron.strategy.name() {
            return Err(CliError::input(
                "--set does not reach into a file of patrons; set the parameter there, as in strategy = \"patient:hold=4\"",
            ));
        }
        if patron.name == patron.strategy.name() {
            patron.name = set.name().to_string();
        }
        patron.strategy = set;
    }
    if house.file.is_none() {
        all_differ(&house.patrons.iter().map(|it| it.strategy.clone()).collect::<Vec<_>>())?;
    }
    Ok(house)
}

/// Sets the parameters of all scripts that have them, unless their names already do.
pub(super) fn set_up(
    loaded: Vec<StrategySource>,
    options: &ScriptArgs,
) -> Result<Vec<StrategySource>, CliError> {
    let set = strategy::set_all(loaded, &options.settings).map_err(|faults| {
        let faults = faults.into_iter().map(|it| CliError::input(format!("--set: {it}")));
        CliError::none_of(faults).err().unwrap_or(CliError::Interrupted)
    })?;
    Ok(if options.interpret { set.into_iter().map(StrategySource::interpreted).collect() } else { set })
}

pub(super) fn load_strategy(name: &str) -> Result<StrategySource, CliError> {
    let other = name.ends_with(".toml") && !is_patron_file(name);
    if let (true, Some(meant)) = (other, meant(Kind::Strategy, name)) {
        return Err(CliError::input(meant));
    }
    let loaded = players::load(name).map_err(no_strategy)?;
    if let Some(policy) = players::slow_policy(name) {
        terminal::note(&format!(
            "note: the policy `{policy}` plays games ahead itself, and search asks it thousands of times: a game may take \
             minutes; `patient` is a fast one"
        ));
    }
    Ok(loaded)
}

fn no_strategy(error: strategy::LoadError) -> CliError {
    match error {
        strategy::LoadError::Faults(faults) => CliError::of_scripts(faults),
        strategy::LoadError::Unknown { name, help } => {
            let said = format!("no strategy is called `{name}`");
            match meant(Kind::Strategy, &name) {
                Some(meant) => CliError::lines([said, meant]),
                None => CliError::input(format!("{said}; {help}")),
            }
        }
        other => CliError::input(other),
    }
}

/// Returns the deals that a command line names for a ruleset, in order.
pub(super) fn deals<'a>(
    args: &'a Deals,
    loaded: &Loaded,
) -> Result<Box<dyn Iterator<Item = NamedDeal> + 'a>, CliError> {
    let shape = loaded.rules.deck_shape();
    if let Some(text) = &args.deck {
        let deck = parse_deck("--deck", text, shape)?;
        return Ok(Box::new(std::iter::once(NamedDeal { id: None, game: 0, deck })));
    }
    if let Some(path) = &args.deals {
        let mut deals = deals_file(path, &[loaded])?;
        if let Some(Games(games)) = &args.game {
            let all = deals.len() as u64;
            if games.end > all {
                return Err(CliError::input(format!(
                    "--game {}: {} has {all} decks, which are the games 0 to {}",
                    games.end - 1,
                    path.display(),
                    all - 1
                )));
            }
            deals.retain(|deal| games.contains(&deal.game));
        }
        return Ok(Box::new(deals.into_iter()));
    }
    let games = args.game.as_ref().map_or(0..1, |games| games.0.clone());
    Ok(Box::new(games.map(move |game| NamedDeal::of_seed(shape, args.seed, game))))
}

pub(super) fn parse_deck(flag: &str, text: &str, shape: DeckShape) -> Result<Deck, CliError> {
    let source = SourceText { name: flag.to_string(), text: text.to_string() };
    read_deck(source, shape).map_err(CliError::Faults)
}

pub(super) fn text_file(path: &Path) -> Result<SourceText, CliError> {
    let (name, bytes) = if path == Path::new("-") {
        ("standard input".to_string(), files::read_all(io::stdin().lock(), MOST_DEALS))
    } else {
        (path.display().to_string(), files::read(path, MOST_DEALS))
    };
    let bytes = bytes.map_err(|error| {
        let meant = path.to_str().and_then(no_file).map(|meant| format!("; {meant}"));
        let near = meant.or_else(|| path.to_str().map(near)).unwrap_or_default();
        CliError::input(format!("cannot read {name}: {}{near}", reason(&error)))
    })?;
    SourceText::decode(&name, bytes).map_err(|fault| CliError::Faults(vec![fault]))
}

/// Reads a file of decks for rulesets with the same pack, and warns of doubtful lines.
pub(super) fn deals_file(path: &Path, rules: &[&Loaded]) -> Result<Vec<NamedDeal>, CliError> {
    let source = text_file(path)?;
    let name = source.name.clone();
    let ids: Vec<&str> = unique(rules.iter().map(|it| &*it.id));
    let (deals, warnings) =
        read_deals(source, rules[0].rules.deck_shape(), &ids).map_err(CliError::Faults)?;
    warn(&warnings);
    match deals.is_empty() {
        true => Err(CliError::input(format!("{name} has no decks: one per line is expected"))),
        false => Ok(deals),
    }
}

/// Refuses 0 as the value of an option, which `what` ends with.
pub(super) fn at_least_1(count: u64, what: &str) -> Result<(), CliError> {
    if count > 0 { Ok(()) } else { Err(CliError::input(format!("{what} must be at least 1"))) }
}

/// Minimum number of games of a strategy for intervals.
pub(super) const LEAST_GAMES: u64 = 1_000;

/// Refuses too few games for intervals, of `-n` or of `--search-games`.
pub(super) fn enough_games(games: u64, search_games: u64) -> Result<(), CliError> {
    let asked = [("-n", games), ("--search-games", search_games)];
    let Some((option, games)) = asked.into_iter().find(|(_, games)| *games < LEAST_GAMES) else {
        return Ok(());
    };
    let (games, least) = (count(games), count(LEAST_GAMES));
    Err(CliError::input(format!(
        "{games} games are too few for intervals: {option} must be at least {least}"
    )))
}

/// Returns the patrons of a house with their games: with at most `search_games` for one that searches.
pub(super) fn buyers(house: &House, games: u64, search_games: u64) -> Result<Vec<Buyer>, CliError> {
    enough_games(games, search_games)?;
    Ok(house.patrons.iter().map(|it| Buyer::patron(it, games, search_games)).collect())
}

/// Refuses more memory than there is for solving deals of these rulesets within `nodes` positions on every thread.
pub(super) fn memory_to_solve<'a>(
    what: &str,
    (option, nodes): (&str, u64),
    threads: usize,
    rules: impl Iterator<Item = &'a Loaded>,
) -> Result<(), CliError> {
    let packs = rules.map(|loaded| loaded.rules.spec().deal.packs.into()).max().unwrap_or(1);
    let each = memory_of_a_thread(nodes, packs);
    let what = format!("{what} with {threads} threads");
    memory::check(&what, each.saturating_mul(threads as u64), |most| match most / each {
        0 => format!("ask for fewer {option}"),
        fit => format!("ask for --threads {fit}, or for fewer {option}"),
    })
    .map_err(CliError::input)
}

/// Refuses a name that stands twice among several of one kind.
pub(super) fn each_once<T: PartialEq + Display>(what: &str, names: &[T]) -> Result<(), CliError> {
    match names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        Some((_, name)) => Err(CliError::input(format!("the {what} {name} is named twice: name each once"))),
        None => Ok(()),
    }
}

/// Refuses a player who is named twice, even if only the settings make them equal.
pub(super) fn all_differ(players: &[StrategySource]) -> Result<(), CliError> {
    let earlier = |i: usize| players[..i].iter().find(|other| players[i].is_same(other));
    match (0..players.len()).find_map(|i| Some((&players[i], earlier(i)?))) {
        None => Ok(()),
        Some((player, other)) if player.name() == other.name() => Err(CliError::input(format!(
            "{} is named twice, perhaps because of --set: name each strategy once",
            player.name()
        ))),
        Some((player, other)) => Err(CliError::input(format!(
            "{} and {} are the same player: name one of them, with the shares of both",
            other.name(),
            player.name()
        ))),
    }
}

/// Deals of a file, as many as are to be played.
pub(super) struct DealsFile {
    /// The file as the command line names it.
    pub name: String,
    pub deals: Vec<NamedDeal>,
    /// Description for a report.
    pub source: DealsSource,
}

impl DealsFile {
    /// Reads the first `games` deals of the file, if one is given; all rulesets must deal the same decks.
    pub fn load(
        path: Option<&Path>,
        rules: &[(&str, &Loaded)],
        games: Option<&Count>,
        run: &RunArgs,
    ) -> Result<Option<DealsFile>, CliError> {
        let (Some(path), Some((first, loaded))) = (path, rules.first()) else { return Ok(None) };
        if path == Path::new("-") && run.keep.shard.is_some() {
            return Err(CliError::input(
                "--deals -: each shard and the merge read the deals, so put them into a file",
            ));
        }
        let shape = loaded.rules.deck_shape();
        if let Some((other, _)) = rules.iter().find(|(_, it)| it.rules.deck_shape() != shape) {
            return Err(CliError::input(format!(
                "--deals: {first} and {other} use different decks, so one file cannot be for both; play them one by one"
            )));
        }
        let mut deals = deals_file(path, &rules.iter().map(|(_, loaded)| *loaded).collect::<Vec<_>>())?;
        let name = path.display().to_string();
        if let Some(games) = games {
            if games.0 > deals.len() as u64 {
                return Err(CliError::input(format!(
                    "-n {games} is more than the {} deals of {name}; leave -n out to play all of them",
                    count(deals.len() as u64)
                )));
            }
            deals.truncate(usize::try_from(games.0).unwrap_or(usize::MAX));
        }
        let source = deals_source(path, &deals);
        Ok(Some(DealsFile { name, deals, source }))
    }
}

/// Describes the deals of a file for a report.
pub(super) fn deals_source(path: &Path, deals: &[NamedDeal]) -> DealsSource {
    let crc32 = crc32fast::hash(decks(deals).text.as_bytes());
    let different: HashSet<&[Card]> = deals.iter().map(|deal| deal.deck.cards()).collect();
    let repeated = (deals.len() - different.len()) as u64;
    DealsSource { file: path.display().to_string(), deals: deals.len() as u64, repeated, crc32 }
}

/// Returns the deals as a text that the run depends on.
pub(super) fn decks(deals: &[NamedDeal]) -> SavedText {
    let line = |deal: &NamedDeal| match &deal.id {
        Some(id) => format!("{id}\t{}", deal.deck),
        None => deal.deck.to_string(),
    };
    let text = deals.iter().map(line).collect::<Vec<_>>().join("\n");
    saved("decks", &format!("{} of a file", deals.len()), text)
}

/// A ruleset as named and priced.
pub(super) struct PricedRuleset {
    /// The name on the command line.
    pub named: String,
    /// The ruleset as in its file.
    pub file: Loaded,
    /// The ruleset with the requested price.
    pub loaded: Loaded,
}

impl PricedRuleset {
    /// Loads a ruleset, with the deck at `price` cents, if given.
    pub fn load(named: &str, price: Option<i64>) -> Result<PricedRuleset, CliError> {
        let file = load_rules(named)?;
        let loaded = match price {
            Some(_) if file.rules.spec().casino.is_staged() => {
                return Err(CliError::input(format!(
                    "--at sets the price of a deck, but {} sells the stake in stages; change its `[[casino.stage]]` instead",
                    file.id
                )));
            }
            Some(cents) => {
                let value = format!("{}.{:02}", cents / 100, cents % 100);
                let change = Change::new("casino.stake", &value).map_err(CliError::input)?;
                let sold = vary(&file, &[change]).map_err(CliError::Faults)?;
                Loaded { id: file.id.clone(), ..sold }
            }
            None => file.clone(),
        };
        Ok(PricedRuleset { named: named.to_string(), file, loaded })
    }

    /// Returns the price of the deck, even if it is the ruleset's own.
    pub fn resolved_price(&self) -> ResolvedOption {
        resolved("--at", [plain(self.loaded.rules.spec().casino.stake)])
    }
}
