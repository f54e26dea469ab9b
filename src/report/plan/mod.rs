//! The report on a plan: the price to ask, what nights bring, and what the best players cost.

mod charts;
mod document;
mod formulas;
mod json;
mod tables;
mod words;

pub use document::plan_document;
pub use json::plan_json;

use super::bankroll::{BankrollPatron, BankrollReport};
use super::labels::{rule_in_words, short_names};
use super::patrons::Guest;
use super::provenance::{Provenance, RulesSource, ScriptSource, Source};
use crate::cards::Seed;
use crate::lab::PlanFinished;
use crate::rules::{Casino, Spec};
use crate::stats::{AtOnce, Estimate, House, TAIL, Tally, summarize};

/// A ruleset of a plan.
#[derive(Clone, Debug)]
pub struct PlannedRules<'a> {
    /// The ruleset's name on the shelf, or that of its file.
    pub id: &'a str,
    /// What the ruleset is called.
    pub name: &'a str,
    /// It is no file: keys of one were changed, as its name says.
    pub changed: bool,
    /// The ruleset's file as written, then those that it extends.
    pub files: Vec<Source<'a>>,
    /// What came of it.
    pub found: &'a PlanFinished,
}

/// What a ruleset is called with keys of it changed to other values: `Canfield, no redeals`.
pub fn changed_name<'a>(name: &str, changes: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let changes = changes.map(|(key, value)| rule_in_words(key, value));
    std::iter::once(name.to_string()).chain(changes).collect::<Vec<_>>().join(", ")
}

/// A plan, and all that its report shows.
#[derive(Clone, Debug)]
pub struct PlanReport<'a> {
    /// The command line that makes it again.
    pub command: String,
    /// Version of the program.
    pub version: &'a str,
    /// The seed of the games.
    pub seed: Seed,
    /// The range in which the edge of the mix should be.
    pub target: (f64, f64),
    /// The price was given, not found.
    pub given: bool,
    /// Prices are whole multiples of this, cents.
    pub round: i64,
    /// Who plays: patrons, then players who are only measured, with a share of 0.
    pub players: Vec<Guest<'a>>,
    /// The rulesets, the one that the plan is about first.
    pub rulesets: Vec<PlannedRules<'a>>,
}

impl<'a> PlannedRules<'a> {
    fn spec(&self) -> &'a Spec {
        self.found.sold.rules.spec()
    }

    fn casino(&self) -> &'a Casino {
        &self.spec().casino
    }

    fn price(&self) -> i64 {
        self.casino().stake
    }

    /// The edge of the mix in a night, with an interval.
    fn edge(&self) -> Estimate {
        self.found.bankroll.edge_of_night().unwrap_or(NOTHING)
    }

    /// What the house gains of the mix on a deck of a night, cents.
    fn gain(&self) -> Estimate {
        self.found.bankroll.deck_of_night.0
    }

    fn source(&self) -> RulesSource<'a> {
        RulesSource { id: self.id, name: self.name, files: self.files.clone() }
    }
}

/// What is not known.
const NOTHING: Estimate = Estimate { value: f64::NAN, low: f64::NEG_INFINITY, high: f64::INFINITY };

impl<'a> PlanReport<'a> {
    /// The ruleset that the plan is about.
    fn first(&self) -> &PlannedRules<'a> {
        &self.rulesets[0]
    }

    fn provenance(&self) -> Provenance<'a> {
        let run = (self.version, self.command.clone());
        let scripts = self.players.iter().map(|it| ScriptSource { name: it.strategy, text: it.script });
        Provenance::new(run, self.seed, self.rulesets.iter().map(PlannedRules::source), scripts)
    }

    /// What its players are called, no two alike.
    fn names(&self) -> Vec<String> {
        short_names(&self.players.iter().map(|it| it.name).collect::<Vec<_>>())
    }

    /// The patrons' games under a ruleset, with the shares of decks that they buy of a night.
    fn mix<'b>(&self, rules: &'b PlannedRules<'_>) -> Vec<(f64, &'b Tally)> {
        let all = self.players.iter().zip(&rules.found.tallies).zip(self.shares(rules));
        all.filter(|((player, _), _)| player.share > 0.0).map(|((_, tally), share)| (share, tally)).collect()
    }

    /// The share of the decks of a night that each player buys.
    fn shares(&self, rules: &PlannedRules<'_>) -> Vec<f64> {
        let mut of_night = rules.found.bankroll.shares.iter().copied();
        let share = |it: &Guest<'_>| if it.share > 0.0 { of_night.next().unwrap_or(0.0) } else { 0.0 };
        match self.has_visits() {
            true => self.players.iter().map(share).collect(),
            false => self.players.iter().map(|it| it.share).collect(),
        }
    }

    /// Somebody buys several decks in a row.
    fn has_visits(&self) -> bool {
        self.players.iter().any(|it| it.share > 0.0 && it.decks_each > 1)
    }

    /// The mean over the mix of what holds of each patron, whose limits are at most as wide as those of all together.
    fn of_mix(&self, rules: &PlannedRules<'_>, of: impl Fn(&Tally) -> Estimate) -> Estimate {
        let none = Estimate { value: 0.0, low: 0.0, high: 0.0 };
        self.mix(rules).into_iter().fold(none, |sum, (share, tally)| {
            let e = of(tally);
            Estimate {
                value: sum.value + share * e.value,
                low: sum.low + share * e.low,
                high: sum.high + share * e.high,
            }
        })
    }

    /// The share of decks that the mix wins, with an interval that holds for so many rulesets at once.
    fn wins(&self, rules: &PlannedRules<'_>, several: usize) -> Estimate {
        self.of_mix(rules, |tally| AtOnce::of(tally, rules.spec(), several).wins)
    }

    /// Mean cards of the mix.
    fn cards(&self, rules: &PlannedRules<'_>) -> Estimate {
        self.of_mix(rules, |tally| summarize(tally, rules.spec(), Vec::new()).cards)
    }

    /// Only this player buys decks: then the figures of the mix are those against the player too.
    fn is_the_mix(&self, player: usize) -> bool {
        let mut buyers = self.players.iter().enumerate().filter(|(_, it)| it.share > 0.0);
        buyers.next().is_some_and(|(i, _)| i == player) && buyers.next().is_none()
    }

    /// The edge against a player alone.
    fn edge_against(&self, rules: &PlannedRules<'_>, player: usize) -> Estimate {
        if self.is_the_mix(player) {
            return rules.edge();
        }
        self.house(rules, player, 1).and_then(|house| house.edge()).unwrap_or(NOTHING)
    }

    /// What the games of a player say, with intervals that hold for so many players at once.
    fn house(&self, rules: &PlannedRules<'_>, player: usize, several: usize) -> Option<House> {
        let tally = rules.found.tallies.get(player)?;
        Some(House::new(tally, rules.casino()).leaving_out(TAIL / several.max(1) as f64))
    }

    /// The edge against the strongest player, and what the house gains of it on a deck, with intervals that hold for all
    /// players at once, as it was chosen among them.
    fn of_strongest(&self, rules: &PlannedRules<'_>) -> (Estimate, Estimate) {
        let player = self.strongest(rules);
        let house = self.house(rules, player, self.players.len()).filter(|_| !self.is_the_mix(player));
        let Some(house) = house else {
            return (self.edge_against(rules, player), self.gain_of(rules, player));
        };
        let net = house.net();
        let gain = Estimate { value: -net.value, low: -net.high, high: -net.low };
        (house.edge().unwrap_or(NOTHING), gain)
    }

    /// What the house gains of a player on a deck, cents.
    fn gain_of(&self, rules: &PlannedRules<'_>, player: usize) -> Estimate {
        if self.is_the_mix(player) {
            return rules.gain();
        }
        let Some(tally) = rules.found.tallies.get(player) else { return NOTHING };
        let net = House::new(tally, rules.casino()).net();
        Estimate { value: -net.value, low: -net.high, high: -net.low }
    }

    /// The player whom the house gains least of under a ruleset.
    fn strongest(&self, rules: &PlannedRules<'_>) -> usize {
        let edges = (0..self.players.len()).map(|player| (player, self.edge_against(rules, player).value));
        edges.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(player, _)| player)
    }

    /// How many decks of a night the player whom the house gains least of takes in place of the mix, until the house gains
    /// nothing. `None` where the mix leaves it nothing, or that player something. Limits of the players' gains are joined by the
    /// root of the sum of their squares (MOVER; Zou and Donner 2008), as each played games of its own.
    fn decks_of_the_best(&self, rules: &PlannedRules<'_>) -> Option<Estimate> {
        let all = f64::from(rules.found.bankroll.decks);
        let strongest = self.strongest(rules);
        let (mix, best) = (rules.gain().value, self.gain_of(rules, strongest));
        let decks = |mix: f64, best: f64| if mix > 0.0 { all * mix / (mix - best.min(0.0)) } else { 0.0 };
        let value = decks(mix, best.value);
        let shares = self.shares(rules);
        let beyond = |end: fn(Estimate) -> f64| {
            let of_one = |(player, share): (usize, &f64)| {
                let gain = self.gain_of(rules, player);
                let far = end(gain) - gain.value;
                let best = best.value + if player == strongest { far } else { 0.0 };
                (decks(mix + share * far, best) - value).powi(2)
            };
            shares.iter().enumerate().map(of_one).sum::<f64>().sqrt()
        };
        (mix > 0.0 && best.value < 0.0).then(|| Estimate {
            value,
            low: (value - beyond(|it| it.low)).max(0.0),
            high: (value + beyond(|it| it.high)).min(all),
        })
    }

    /// The night of the first ruleset as a report of its own.
    fn night(&'a self) -> BankrollReport<'a> {
        let first = self.first();
        let patrons = self.players.iter().zip(&first.found.tallies).filter(|(player, _)| player.share > 0.0);
        BankrollReport {
            id: if first.changed { first.name } else { first.id },
            name: first.name,
            rules: first.spec(),
            patrons: patrons.map(|(player, tally)| BankrollPatron { guest: *player, tally }).collect(),
            seed: self.seed,
            bankroll: &first.found.bankroll,
        }
    }
}
