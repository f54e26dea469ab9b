//! Made-up results that resemble those of real runs.

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

fn estimate(value: f64, half: f64) -> Estimate {
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

pub fn game(end: End, cards: usize) -> Outcome {
    let cards = cards as u16;
    Outcome { end, cards, moves: 66, redeals: 4, reserve_left: 0, complete_suits: 0, stake: None }
}

impl Sample {
    /// Plays a histogram of cards under these rules, with a course that wobbles.
    pub fn of(mut rules: Spec, strategy: &str, histogram: &[u64]) -> Sample {
        rules.deal.packs = (histogram.len() / 52) as u8;
        let mut tally = Tally::new(&rules);
        for (cards, &games) in histogram.iter().enumerate() {
            let end = if cards + 1 == histogram.len() { End::Won } else { End::Barren };
            tally.add_many(&game(end, cards), games);
        }
        let last = running_point(&tally, &rules).filter(|last| last.games > 0);
        let course = |last: RunningPoint| {
            let half = last.edge.high - last.edge.value;
            let early = (1..last.games.div_ceil(1000).min(40)).map(move |i| {
                let half = half * (last.games as f64 / (1000 * i) as f64).sqrt();
                let edge = estimate(last.edge.value + 0.6 * half * (i as f64).sin(), half);
                RunningPoint { games: 1000 * i, edge }
            });
            early.chain([last])
        };
        let summary = summarize(&tally, &rules, last.into_iter().flat_map(course).collect());
        let night = Night::in_haste(&House::new(&tally, &rules.casino), 200);
        Sample { rules, strategy: strategy.into(), summary, night }
    }

    pub fn sold_at(mut self, stake: i64) -> Sample {
        self.rules.casino.stake = stake;
        Sample::of(self.rules, &self.strategy, &self.summary.histogram)
    }
}

pub fn sample(name: &str, strategy: &str, centre: f64, wins: f64, games: u64) -> Sample {
    let rules = Spec {
        name: name.into(),
        about: "Thirteen cards in reserve, three at a time from the stock.".into(),
        source: "a book of patience".into(),
        ..Spec::default()
    };
    Sample::of(rules, strategy, &hump(52, centre, 4.5, wins, games))
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

/// Sets of entries as in real runs: odd ones, a single one, a few, and many with long names.
pub fn sets() -> Vec<Vec<Sample>> {
    let few = vec![
        sample("canfield", "greedy", 7.0, 0.04, 1_000_000),
        sample("canfield", "patient", 8.6, 0.071, 1_000_000),
        sample("superior", "patient", 11.0, 0.25, 1_000_000),
    ];
    let many = (0..15).map(|i| {
        let name = format!("the-house-variant-with-a-rather-long-name-<&\"{i}\">");
        let strategy = if i % 2 == 0 { "greedy" } else { "scripts/my-own-very-patient-player-v2" };
        sample(&name, strategy, 6.0 + f64::from(i) * 0.5, 0.01 * f64::from(i), 3000)
    });
    let casino =
        Casino { stake: 20_800, pays_per_card: 500, currency: "EUR".into(), ..Spec::default().casino };
    let four = Spec { name: "four packs".into(), casino, ..Spec::default() };
    let mut staged = sample("bsd", "cautious", 9.0, 0.03, 50_000);
    staged.rules.casino.stake = 0;
    staged.rules.casino.stages = StageAt::ALL.map(|at| Stage { at, cost: 1300, limit: 0 }).to_vec();
    let s = &mut staged.summary;
    (s.fair_price, s.price_for_5_percent, s.break_even_cards) = (None, None, None);
    s.stakes = Some(stakes(estimate(6871.0, 12.0), estimate(152.0, 41.0)));
    let always_ten: [u64; 53] = std::array::from_fn(|c| if c == 10 { 500 } else { 0 });
    let edges = vec![
        staged,
        Sample::of(four, "greedy", &hump(208, 40.0, 16.0, 0.0, 50_000)),
        sample("one game", "greedy", 7.0, 0.0, 1),
        Sample::of(Spec { name: "always ten".into(), ..Spec::default() }, "clock", &always_ten),
        sample("cheap", "greedy", 7.0, 0.01, 40_000).sold_at(500),
        sample("dear", "greedy", 7.0, 0.01, 40_000).sold_at(60_000),
    ];
    vec![edges, vec![sample("canfield", "greedy", 7.0, 0.04, 1_000_000)], few, many.collect()]
}

/// Returns a run whose command, rules and script appear in its report.
pub fn run(command: &str, rules: Vec<RunRules>, strategies: &[&str]) -> Run {
    let script = "fn score(view, m) {\n    if m.to_foundation { 10 } else { 1 }\n}\n";
    let strategy = |name: &&str| RunStrategy { name: name.to_string(), text: Some(script.into()) };
    let strategies = strategies.iter().map(strategy).collect();
    Run {
        version: "9.9.9",
        command: command.into(),
        seed: 7,
        deals: None,
        rules,
        strategies,
        interrupted: None,
    }
}

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

pub fn report(samples: Vec<Sample>) -> Played {
    let rules = |it: &Sample| {
        let (name, text) = (&it.rules.name, "name = \"canfield\" # <&>\n[stock]\ndraw = 3\n");
        RunRules { id: name.clone(), name: name.clone(), files: vec![SourceText::of(name, text).into()] }
    };
    let strategies: Vec<&str> = samples.iter().map(|it| &*it.strategy).collect();
    let command = "saratoga simulate canfield demon-casino -s greedy -n 1e6 --seed 7";
    let run = run(command, samples.iter().map(rules).collect(), &strategies);
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
