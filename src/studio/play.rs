//! Simulations with results streamed to a page: the same games and the same results as in `saratoga simulate`.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;

use crate::format::{
    FormattedEstimate, Side, edge, fixed, gain_estimate, mean, money, money_estimate, percent, points,
};
use crate::game::Outcome;
use crate::lab::{Batch, Finished, Matchup, Verdict, Watcher, Wish, Wished, Workers, simulate};
use crate::report::unfit_patrons;
use crate::rules::{Loaded, Spec};
use crate::stats::{DifferenceTally, EdgeUnit, Estimate, GameWorth, House, Night, Summary, summarize};
use crate::strategy::StrategySource;
use crate::text::one_line;
use crate::threads::spawn_in;

use super::Folder;
use super::design::{Faults, Text};
use super::mailbox::{Mailbox, Pace, found};
use super::players;

/// Maximum number of strategies compared side by side.
pub(super) const MOST_STRATEGIES: usize = 6;
/// Maximum number of games per strategy.
pub(super) const MOST_GAMES: u64 = 100_000_000;
/// Maximum number of games of a searching strategy, which would otherwise play for hours.
pub(super) const SLOW_GAMES: u64 = 2_000;
/// Number of decks in the night whose profit is shown, as in a report.
const NIGHT: u32 = 200;
const PACE: Duration = Duration::from_millis(100);

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Asked {
    #[serde(flatten)]
    pub rules: Text,
    pub strategies: Vec<String>,
    #[serde(deserialize_with = "seed")]
    pub seed: u64,
    pub games: u64,
    /// Target house edge, a fraction.
    pub target: f64,
    /// Another ruleset to play on the same deals.
    #[serde(default)]
    pub pinned: Option<Text>,
    /// Wishes about the strategies, as those of `saratoga design`.
    #[serde(default)]
    pub wishes: Vec<String>,
}

/// Maximum number of wishes.
pub(super) const MOST_WISHES: usize = 10;

/// Parses wishes; without a player they are about `usual`.
pub(super) fn wishes(texts: &[String], usual: &str) -> Result<Vec<Wish>, Faults> {
    if texts.len() > MOST_WISHES {
        return Err(format!("there are at most {MOST_WISHES} wishes").into());
    }
    texts.iter().map(|text| Wish::parse(text, usual).map_err(Faults::from)).collect()
}

/// Parses a seed from a number or a string: it has 64 bits, more than a browser's numbers hold.
pub(super) fn seed<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Seed {
        Number(u64),
        Text(String),
    }
    match Seed::deserialize(from)? {
        Seed::Number(seed) => Ok(seed),
        Seed::Text(text) => text
            .parse()
            .map_err(|_| D::Error::custom(format!("a seed is a whole number from 0 to {}", u64::MAX))),
    }
}

pub(super) struct Ready {
    rules: Loaded,
    pinned: Option<Loaded>,
    strategies: Vec<StrategySource>,
    wishes: Vec<Wish>,
    asked: Asked,
}

impl Ready {
    /// Validates a request: its ruleset and its strategies.
    pub fn new(folder: &Folder, asked: Asked) -> Result<Ready, Faults> {
        let (games, count) = (asked.games, asked.strategies.len());
        if games == 0 || games > MOST_GAMES || count == 0 || count > MOST_STRATEGIES {
            return Err(format!("play 1 to {MOST_GAMES} games with 1 to {MOST_STRATEGIES} strategies").into());
        }
        if !(-10.0..1.0).contains(&asked.target) {
            return Err("the house edge that is wanted must be at least -1,000% and below 100%".into());
        }
        let rules = asked.rules.load(folder)?;
        // A pinned ruleset that cannot be read is left out; the page says so.
        let pinned = asked.pinned.as_ref().and_then(|it| it.load(folder).ok());
        let strategies = players::load_all(&asked.strategies, |name| players::load(folder, name))?;
        let wishes = wishes(&asked.wishes, &asked.strategies[0])?;
        Ok(Ready { rules, pinned, strategies, wishes, asked })
    }

    pub fn players(&self) -> usize {
        self.strategies.len()
    }

    /// Plays until the mailbox is closed, each strategy on its own thread so that none waits for another.
    pub fn play(&self, mailbox: &Mailbox) {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let threads = (cores / self.players()).max(1);
        let played = found(|| {
            std::thread::scope(|scope| {
                for sender in 0..self.players() {
                    let work = move || self.play_one(sender, threads, mailbox);
                    if let Err(error) = spawn_in(scope, work) {
                        self.failed(sender, &format!("no thread could be started: {error}"), mailbox);
                    }
                }
            });
            Ok(())
        });
        if let Err(failed) = played {
            self.failed(0, &failed, mailbox);
        }
    }

    fn play_one(&self, sender: usize, threads: usize, mailbox: &Mailbox) {
        let strategy = &self.strategies[sender];
        let games = games_of([strategy], self.asked.games);
        let name = self.asked.rules.path();
        let pinned = self.pinned.as_ref().filter(|it| same_pack(it, &self.rules));
        let both = std::iter::once(&self.rules).chain(pinned);
        let entries: Vec<Matchup<'_>> =
            both.map(|rules| Matchup { id: &name, rules: &rules.rules, strategy }).collect();
        let each_game = entries.len() > 1;
        let seed = self.asked.seed;
        let workers = Workers::new(threads).heeding(&mailbox.stop);
        let batch = Batch { entries, seed, games: 0..games, precision: None, workers, each_game };
        let mut teller = Teller {
            of: self,
            sender,
            wanted: games,
            slow: strategy.instantiate().is_slow(),
            remarks: unfit_patrons(&self.rules.sources, strategy.name(), &self.rules.rules.spec().casino),
            mailbox,
            pace: Pace::new(PACE),
            pair: pinned.map(|it| Pair::new(self.rules.rules.spec(), it.rules.spec())),
        };
        match simulate(&batch, &mut teller) {
            Ok(finished) => teller.tell(&finished, true),
            Err(error) => self.failed(sender, &error.to_string(), mailbox),
        }
    }

    fn failed(&self, sender: usize, why: &str, mailbox: &Mailbox) {
        let name = self.strategies[sender].name();
        mailbox.put(sender, &json!({ "strategy": sender, "name": name, "failed": one_line(why) }));
    }
}

/// Returns how many of these games are played: few if one of the strategies searches.
pub(super) fn games_of<'a>(strategies: impl IntoIterator<Item = &'a StrategySource>, games: u64) -> u64 {
    let slow = strategies.into_iter().any(|strategy| strategy.instantiate().is_slow());
    if slow { games.min(SLOW_GAMES) } else { games }
}

/// Returns whether the rulesets use the same pack: only then are they dealt the same shuffles.
fn same_pack(a: &Loaded, b: &Loaded) -> bool {
    a.rules.deck_shape() == b.rules.deck_shape()
}

/// Results of one strategy so far.
#[derive(Serialize)]
struct Figures<'a> {
    /// Its index among the requested strategies.
    strategy: usize,
    name: &'a str,
    games: u64,
    wanted: u64,
    slow: bool,
    done: bool,
    /// Summary as in `saratoga simulate --json`; the running results are included only at the end.
    summary: Summary,
    said: Vec<Said>,
    /// The house edge in percent, if there is one.
    edge: Option<[f64; 3]>,
    target: f64,
    /// Whether ending below break-even means a profit for the house.
    sided: bool,
    difference: Option<Vec<Said>>,
    /// Remarks about the strategy.
    remarks: Vec<String>,
    wishes: Vec<SaidWish<'a>>,
}

/// A wish about a strategy, judged by its figures so far.
#[derive(Serialize)]
struct SaidWish<'a> {
    wish: &'a str,
    value: String,
    interval: String,
    verdict: Option<Verdict>,
}

impl<'a> SaidWish<'a> {
    /// Returns the wish with its figure; `None` if only a search counts it.
    fn of(wish: &'a Wish, summary: &Summary) -> Option<SaidWish<'a>> {
        let (figure, said) = match wish.figure {
            Wished::Wins => (summary.win_rate, percent(summary.win_rate)),
            Wished::Edge => summary.house_edge.map(|e| (e, edge(e)))?,
            Wished::Cards => (summary.cards, mean(summary.cards)),
            Wished::Moves => (summary.moves, mean(summary.moves)),
            Wished::Minutes => return None,
        };
        let verdict = wish.goal.is_none().then(|| wish.verdict(figure));
        Some(SaidWish { wish: &wish.wish, value: said.value, interval: said.interval, verdict })
    }
}

/// A result as display text.
#[derive(Serialize)]
pub(super) struct Said {
    pub id: &'static str,
    pub what: String,
    pub value: String,
    pub interval: String,
    /// A class of the style sheet.
    pub side: Side,
}

impl Said {
    fn new(id: &'static str, what: impl Into<String>, said: FormattedEstimate) -> Said {
        Said { id, what: what.into(), value: said.value, interval: said.interval, side: said.side }
    }
}

/// Differences from the pinned ruleset, deal by deal.
struct Pair<'a> {
    specs: [&'a Spec; 2],
    unit: Option<EdgeUnit>,
    tally: DifferenceTally,
}

impl<'a> Pair<'a> {
    fn new(a: &'a Spec, b: &'a Spec) -> Pair<'a> {
        Pair { specs: [a, b], unit: EdgeUnit::of(a, b), tally: DifferenceTally::default() }
    }

    fn add(&mut self, outcomes: &[Vec<Outcome>]) {
        let [a, b] = outcomes else { return };
        for (a, b) in a.iter().zip(b) {
            let worth = |spec, outcome| GameWorth::of(spec, outcome);
            self.tally.add(self.unit, &worth(self.specs[0], a), &worth(self.specs[1], b));
        }
    }

    fn said(&self) -> Option<Vec<Said>> {
        if self.tally.games() == 0 {
            return None;
        }
        let it = self.tally.summary(self.specs[0], self.specs[1]);
        let mut said = Vec::new();
        said.extend(it.house_edge.map(|e| sided("edge", "house edge", e, points(e))));
        said.push(Said::new("win_rate", "win rate", points(it.win_rate)));
        said.push(Said::new("cards", "cards", crate::format::difference(it.cards)));
        Some(said)
    }
}

fn sided(id: &'static str, what: &str, e: Estimate, said: FormattedEstimate) -> Said {
    Said { side: Side::of(e), ..Said::new(id, what, said) }
}

/// Sends the results of a run to a page.
struct Teller<'a> {
    of: &'a Ready,
    sender: usize,
    wanted: u64,
    slow: bool,
    remarks: Vec<String>,
    mailbox: &'a Mailbox,
    pace: Pace,
    pair: Option<Pair<'a>>,
}

impl Watcher for Teller<'_> {
    fn games(&mut self, so_far: &Finished) {
        if self.pace.is_due() {
            self.tell(so_far, false);
        }
    }

    fn block(&mut self, _first: u64, _so_far: &Finished, outcomes: &[Vec<Outcome>]) {
        if let Some(pair) = &mut self.pair {
            pair.add(outcomes);
        }
    }
}

impl Teller<'_> {
    fn tell(&self, so_far: &Finished, done: bool) {
        if so_far.games == 0 || self.mailbox.stop.load(Ordering::Relaxed) {
            return;
        }
        let spec = self.of.rules.rules.spec();
        let tally = &so_far.tallies[0];
        let running = if done { so_far.running[0].clone() } else { Vec::new() };
        let summary = summarize(tally, spec, running);
        let house = House::new(tally, &spec.casino);
        let last = summary.histogram.len().saturating_sub(1);
        let target = self.of.asked.target;
        let figures = Figures {
            strategy: self.sender,
            name: self.of.strategies[self.sender].name(),
            games: so_far.games,
            wanted: self.wanted,
            slow: self.slow,
            done,
            said: said(&summary, &house, spec, target, done),
            edge: summary.house_edge.map(|e| [e.value, e.low, e.high].map(|x| 100.0 * x)),
            target: 100.0 * target,
            sided: spec.casino.is_settled_by_cards(last),
            difference: self.pair.as_ref().and_then(Pair::said),
            remarks: self.remarks.clone(),
            wishes: self
                .of
                .wishes
                .iter()
                .filter(|wish| wish.player == self.of.asked.strategies[self.sender])
                .filter_map(|wish| SaidWish::of(wish, &summary))
                .collect(),
            summary,
        };
        self.mailbox.put(self.sender, &figures);
    }
}

/// Formats the results in the order of the page.
fn said(summary: &Summary, house: &House, spec: &Spec, target: f64, done: bool) -> Vec<Said> {
    let casino = &spec.casino;
    let mut said = Vec::new();
    let mut say = |id, what: String, figure| said.push(Said::new(id, what, figure));
    if let Some(e) = summary.house_edge {
        say("edge", "house edge".into(), edge(e));
    }
    say("win_rate", "games won".into(), percent(summary.win_rate));
    say("cards", "mean cards".into(), mean(summary.cards));
    if let Some(price) = house.price_for_edge(target).filter(|_| casino.is_for_money()) {
        say("price", format!("price for {}% edge", plain(100.0 * target)), money_estimate(price, casino));
    }
    if let Some(staked) = summary.stakes.as_ref().map(|stakes| stakes.staked) {
        say("staked", "mean stake of a game".into(), money_estimate(staked, casino));
    }
    if summary.house_edge.is_some() {
        say("hold", "mean profit of 100 decks".into(), gain_estimate(summary.hold_per_100, casino));
    }
    // Computed only at the end: it takes a moment, and changes little once most games are played.
    let night = (done && summary.house_edge.is_some()).then(|| Night::in_haste(house, NIGHT)).flatten();
    if let Some(night) = night {
        let profit = night.quantiles.last().copied().unwrap_or_default();
        let [low, median, high] = [profit[0], profit[2], profit[4]].map(|cents| money(cents, casino, true));
        let interval = format!(
            "{low} to {high} in 90% of nights; {} of nights lose",
            percent(night.losing(house)).both()
        );
        let figure = FormattedEstimate { value: median, interval, ..FormattedEstimate::default() };
        say("night", format!("median profit of a night of {NIGHT} decks"), figure);
    }
    said
}

/// Formats a number with at most two decimals, without trailing zeros.
fn plain(x: f64) -> String {
    fixed(x, 2).trim_end_matches('0').trim_end_matches('.').to_string()
}
