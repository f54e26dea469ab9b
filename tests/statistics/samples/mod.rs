//! Made-up summaries that resemble those of real runs.

use std::time::Duration;

use saratoga::diagnostic::SourceText;
use saratoga::game::{End, Outcome};
use saratoga::lab::{Simulated, SimulatedEntry};
use saratoga::report::{Document, Run, RunRules, RunStrategy, simulate_document};
use saratoga::rules::{Casino, Spec, Stage, StageAt};
use saratoga::stats::{
    AtOnce, Estimate, House, Night, RunningPoint, Side, Sides, StageSummary, StakesSummary, Summary, Tally,
    running_point, summarize,
};

/// A ruleset under a strategy, with made-up figures.
#[derive(Debug)]
pub struct Sample {
    pub rules: Spec,
    pub strategy: String,
    pub summary: Summary,
    pub night: Option<Night>,
}

pub fn estimate(value: f64, half: f64) -> Estimate {
    Estimate { value, low: value - half, high: value + half }
}

/// Returns a distribution like those of Canfield: a hump around `centre`, and `wins` of the games won.
pub fn hump(cards: usize, centre: f64, spread: f64, wins: f64, games: u64) -> Vec<u64> {
    let weight = |c: usize| if c == 0 { 0.0 } else { (-((c as f64 - centre) / spread).powi(2) / 2.0).exp() };
    let total: f64 = (0..cards).map(weight).sum();
    let mut histogram: Vec<u64> =
        (0..cards).map(|c| (weight(c) / total * (1.0 - wins) * games as f64).round() as u64).collect();
    histogram.push(games.saturating_sub(histogram.iter().sum()));
    histogram
}

/// Returns the tally of a histogram of cards under a casino's terms.
fn tally(histogram: &[u64], casino: &Casino) -> (Spec, Tally) {
    let mut spec = Spec { casino: casino.clone(), ..Spec::default() };
    spec.deal.packs = (histogram.len() / 52) as u8;
    let mut tally = Tally::new(&spec);
    for (cards, &games) in histogram.iter().enumerate() {
        let end = if cards + 1 == histogram.len() { End::Won } else { End::Barren };
        let cards = cards as u16;
        let game =
            Outcome { end, cards, moves: 66, redeals: 4, reserve_left: 0, complete_suits: 0, stake: None };
        tally.add_many(&game, games);
    }
    (spec, tally)
}

/// Returns the summary of a histogram of cards under a casino's terms, with a course that wobbles.
pub fn summary(histogram: &[u64], casino: &Casino) -> Summary {
    let (spec, tally) = tally(histogram, casino);
    let last = running_point(&tally, &spec).filter(|last| last.games > 0);
    let course = |last: RunningPoint| {
        let half = last.edge.high - last.edge.value;
        let early = (1..last.games.div_ceil(1000).min(40)).map(move |i| {
            let half = half * (last.games as f64 / (1000 * i) as f64).sqrt();
            let edge = estimate(last.edge.value + 0.6 * half * (i as f64).sin(), half);
            RunningPoint { games: 1000 * i, edge }
        });
        early.chain([last])
    };
    summarize(&tally, &spec, last.into_iter().flat_map(course).collect())
}

/// Returns the night of a house.
pub fn night(histogram: &[u64], casino: &Casino, decks: u32) -> Option<Night> {
    let (spec, tally) = tally(histogram, casino);
    Night::in_haste(&House::new(&tally, &spec.casino), decks)
}

pub fn sample(name: &str, strategy: &str, centre: f64, wins: f64, games: u64) -> Sample {
    let rules = Spec {
        name: name.into(),
        about: "Thirteen cards in reserve, three at a time from the stock.".into(),
        source: "a book of patience".into(),
        ..Spec::default()
    };
    let histogram = hump(52, centre, 4.5, wins, games);
    let (summary, night) = (summary(&histogram, &rules.casino), night(&histogram, &rules.casino, 200));
    Sample { rules, strategy: strategy.into(), summary, night }
}

/// Returns a staged stake with stops at two of its stages.
pub fn stakes(staked: Estimate, worth: Estimate) -> StakesSummary {
    let stage = |at, cost, asked, stopped, worth_of_stopping| StageSummary {
        at,
        cost,
        asked,
        bought: asked - stopped,
        stopped,
        worth_of_stopping,
    };
    StakesSummary {
        staked,
        paid: staked,
        stopped: 4000,
        worth_of_stopping: Some(worth),
        stages: vec![
            stage(StageAt::Deal, 1300, 50_000, 0, None),
            stage(StageAt::FirstDraw, 2600, 50_000, 3999, Some(worth)),
            stage(StageAt::Pass, 500, 200_000, 1, Some(staked)),
            stage(StageAt::UnknownCard, 100, 800_000, 0, None),
        ],
    }
}

/// Returns rules with a staged stake.
pub fn staged(name: &str, games: u64) -> Sample {
    let mut sample = sample(name, "cautious", 9.0, 0.03, games);
    sample.rules.casino.stake = 0;
    sample.rules.casino.stages = StageAt::ALL.map(|at| Stage { at, cost: 1300, limit: 0 }).to_vec();
    let s = &mut sample.summary;
    (s.fair_price, s.price_for_5_percent, s.break_even_cards) = (None, None, None);
    s.stakes = Some(stakes(estimate(6871.0, 12.0), estimate(152.0, 41.0)));
    sample
}

/// A run with its result.
#[derive(Debug)]
pub struct Played {
    pub run: Run,
    pub found: Simulated,
}

impl Played {
    pub fn document(&self) -> Document<'_> {
        simulate_document(&self.run, &self.found, None)
    }
}

/// The run that samples are of.
pub fn report(samples: impl IntoIterator<Item = Sample>) -> Played {
    let samples: Vec<Sample> = samples.into_iter().collect();
    let text = "name = \"canfield\" # <&>\n[stock]\ndraw = 3\n";
    let script = "fn score(view, m) {\n    if m.to_foundation { 10 } else { 1 }\n}\n";
    let run = Run {
        version: "0.1.0",
        command: "saratoga simulate canfield demon-casino -s greedy -n 1e6 --seed 7".into(),
        seed: 7,
        deals: None,
        rules: samples.iter().map(|it| rules(&it.rules.name, text)).collect(),
        strategies: samples
            .iter()
            .map(|it| RunStrategy { name: it.strategy.clone(), text: Some(script.into()) })
            .collect(),
        interrupted: None,
    };
    let several = samples.len() > 1;
    let entry = |it: Sample| {
        let Summary { house_edge: edge, win_rate: wins, cards, .. } = it.summary;
        SimulatedEntry {
            rules: it.rules.name.clone(),
            strategy: it.strategy,
            side: edge.map(Side::of),
            at_once: several.then_some(AtOnce { edge, wins, cards }),
            tally: Tally::new(&Spec::default()),
            clairvoyant: None,
            spec: it.rules,
            summary: it.summary,
            night: it.night,
            time: Duration::ZERO,
        }
    };
    let entries: Vec<SimulatedEntry> = samples.into_iter().map(entry).collect();
    let sides = several.then(|| Sides::of(entries.iter().map(|it| it.side)));
    Played { run, found: Simulated { games: 1_000_000, sides, entries, interrupted: false } }
}

fn rules(name: &str, text: &str) -> RunRules {
    RunRules { id: name.into(), name: name.into(), files: vec![SourceText::of(name, text).into()] }
}
