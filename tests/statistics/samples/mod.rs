//! Made-up summaries that resemble those of real runs.

use std::collections::BTreeMap;
use std::time::Duration;

use saratoga::diagnostic::SourceText;
use saratoga::game::End;
use saratoga::lab::{Simulated, SimulatedEntry};
use saratoga::report::{Document, Run, RunRules, RunStrategy, simulate_document};
use saratoga::rules::{Casino, Spec, Stage, StageAt};
use saratoga::stats::{
    AtOnce, Estimate, Night, RunningPoint, ScoreSummary, Side, Sides, StageSummary, StakesSummary, Summary,
    Tally,
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

/// Limits a rate to 0..=1.
fn within(e: Estimate) -> Estimate {
    Estimate { low: e.low.max(0.0), high: e.high.min(1.0), ..e }
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

/// Returns the summary of a histogram of cards under a casino's terms.
pub fn summary(histogram: Vec<u64>, casino: &Casino) -> Summary {
    let games: u64 = histogram.iter().sum();
    let n = games as f64;
    let last = histogram.len() - 1;
    let paid = |c: usize| {
        let bonus = if c == last { casino.pays_for_win } else { 0 };
        (casino.pays_per_card * c as i64 + bonus) as f64
    };
    let mean = |f: &dyn Fn(usize) -> f64| {
        histogram.iter().enumerate().map(|(c, &k)| f(c) * k as f64).sum::<f64>() / n
    };
    let half = |sd: f64| if games < 2 { f64::INFINITY } else { 1.96 * sd / n.sqrt() };
    let cards = mean(&|c| c as f64);
    let cards_sd = mean(&|c| (c as f64 - cards).powi(2)).sqrt();
    let stake = casino.stake as f64;
    let payout = mean(&paid);
    let net_sd = mean(&|c| (paid(c) - payout).powi(2)).sqrt();
    let net = estimate(payout - stake, half(net_sd));
    let wins = histogram[last];
    let rate = wins as f64 / n;
    let edge = |h: f64| estimate((stake - payout) / stake, h / stake);
    let quantile = |p: f64| {
        let mut sum = 0;
        let at = histogram.iter().position(|&k| {
            sum += k;
            sum as f64 >= p * n
        });
        (p, at.unwrap_or(last) as u16)
    };
    let mut running = Vec::new();
    let mut at = 1000;
    while at < games && stake > 0.0 {
        let h = 1.96 * net_sd / (at as f64).sqrt();
        let wobble = h * 0.6 * (at as f64).ln().sin() * (1.0 - at as f64 / n);
        let e = edge(h);
        let v = e.value + wobble / stake;
        running.push(RunningPoint { games: at, edge: estimate(v, h / stake) });
        at += (at / 40).max(1000);
    }
    if stake > 0.0 {
        running.push(RunningPoint { games, edge: edge(half(net_sd)) });
    }
    let hits: u64 = histogram.iter().enumerate().filter(|(c, _)| paid(*c) > stake).map(|(_, k)| k).sum();
    let hit = hits as f64 / n;
    let wilson = |p: f64| 1.96 * (p * (1.0 - p) / n).sqrt() + 1.0 / n;
    let ends = [(End::Won, wins), (End::Barren, games - wins)].into_iter().filter(|e| e.1 > 0);
    Summary {
        games,
        wins,
        undecided: 0,
        win_rate: within(estimate(rate, wilson(rate))),
        cards: estimate(cards, half(cards_sd)),
        cards_sd,
        cards_quantiles: [0.05, 0.25, 0.5, 0.75, 0.95].map(quantile).to_vec(),
        ends: ends.collect::<BTreeMap<_, _>>(),
        net,
        net_sd,
        house_edge: (stake > 0.0).then(|| edge(half(net_sd))),
        hold_per_100: estimate(-100.0 * net.value, 100.0 * half(net_sd)),
        break_even_cards: (0..=last).find(|&c| paid(c) >= stake).map(|c| c as u16),
        hit_frequency: within(estimate(hit, wilson(hit))),
        fair_price: Some(estimate(payout, half(net_sd))),
        price_for_5_percent: Some(estimate(payout / 0.95, half(net_sd) / 0.95)),
        stakes: None,
        jackpot: None,
        scores: vec![ScoreSummary {
            name: "standard".into(),
            mean: estimate(cards * 5.0 - stake / 100.0, half(cards_sd) * 5.0),
            sd: cards_sd * 5.0,
            min: -47,
            max: 208,
        }],
        moves: estimate(66.2, 0.05),
        redeals: 4.2,
        running,
        histogram,
    }
}

pub fn sample(name: &str, strategy: &str, centre: f64, wins: f64, games: u64) -> Sample {
    let rules = Spec {
        name: name.into(),
        about: "Thirteen cards in reserve, three at a time from the stock.".into(),
        source: "a book of patience".into(),
        ..Spec::default()
    };
    let summary = summary(hump(52, centre, 4.5, wins, games), &rules.casino);
    let night = Some(night(&summary, 200));
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

/// Returns the night of a house with normally distributed profits.
pub fn night(summary: &Summary, last: u32) -> Night {
    let decks: Vec<u32> = (1..=40).map(|i| i * last / 40).collect();
    let quantiles = decks
        .iter()
        .map(|&d| {
            let (mean, sd) = (-summary.net.value * f64::from(d), summary.net_sd * f64::from(d).sqrt());
            [-1.645, -0.674, 0.0, 0.674, 1.645].map(|z| mean + z * sd)
        })
        .collect();
    Night { decks, quantiles, losing_probability: 0.031, normal_from: None }
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
