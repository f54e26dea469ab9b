//! The report on what optimal play is worth: between what players reach and what deals allow.

mod charts;
mod csv;
mod document;
mod json;
mod tables;
mod words;

pub use csv::bracket_csv;
pub use document::bracket_document;
pub use json::bracket_json;

use super::labels::{labels, name_in_full, rule_in_words};
use super::provenance::{Provenance, RulesSource, ScriptSource, Source};
use super::{PairingResult, entry::stem};
use crate::cards::Seed;
use crate::figures::{FormattedEstimate, edge, fixed, gain_estimate, mean, money, percent};
use crate::lab::BracketFinished;
use crate::rules::{Rules, Spec};
use crate::stats::{Bracket, Brackets, Estimate, Gain, House, Measure, Summary, TAIL, Width, summarize};
use crate::text::slug;

/// What the upper bound is called beside the players: it is what one could reach who knows every card.
const BOUND: &str = "clairvoyant (bound)";

/// What was found, and all that its report shows.
#[derive(Clone, Debug)]
pub struct BracketReport<'a> {
    /// The command line that makes it again.
    pub command: String,
    /// Version of the program.
    pub version: &'a str,
    /// The seed of the games.
    pub seed: Seed,
    /// The players: their names, and the scripts of those who have one.
    pub players: Vec<Source<'a>>,
    /// Games of each player by which the best was chosen.
    pub choosing: u64,
    /// Games by which it was to be judged.
    pub games: u64,
    /// Most positions that were expanded in a deal.
    pub nodes: u64,
    /// The rulesets as written, each with its name on the shelf or that of its file.
    pub rules: Vec<(&'a str, &'a str, Vec<Source<'a>>)>,
    /// The key that was varied.
    pub varied: Option<&'a str>,
    /// The rulesets that were played.
    pub points: Vec<BracketPoint<'a>>,
}

/// One ruleset: as written, or with one key changed.
#[derive(Clone, Debug)]
pub struct BracketPoint<'a> {
    id: &'a str,
    value: Option<String>,
    key: Option<&'a str>,
    spec: &'a Spec,
    found: &'a BracketFinished,
    /// On the deals by which players are judged, by player.
    summaries: Vec<Summary>,
    /// On those by which they were chosen.
    choosing: Vec<Summary>,
    brackets: Brackets,
    /// The same with limits of money that hold for all rulesets of the report at once.
    at_once: Brackets,
}

impl<'a> BracketPoint<'a> {
    /// What was found of the ruleset `id` with this change, if there is one: a key and its value. It is one of `several`, of
    /// which the report says who gains.
    pub fn new(
        id: &'a str,
        change: Option<(&'a str, String)>,
        rules: &'a Rules,
        (found, several): (&'a BracketFinished, usize),
    ) -> BracketPoint<'a> {
        let spec = rules.spec();
        let summaries = found.summaries(rules);
        let choosing = found.choosing.iter().map(|tally| summarize(tally, spec, Vec::new())).collect();
        let chosen = found.chosen.map(|player| &summaries[player]);
        let brackets = Brackets::new(spec, chosen, &found.bounds, found.refused.is_some());
        let at_once = match several {
            ..2 => brackets,
            _ => {
                let tail = TAIL / several as f64;
                let net = House::new(&found.tallies[found.chosen[2]], &spec.casino).leaving_out(tail).net();
                brackets.money_at(tail, spec, net, (&found.bounds, found.refused.is_some()))
            }
        };
        let (key, value) = change.unzip();
        BracketPoint { id, value, key, spec, found, summaries, choosing, brackets, at_once }
    }

    /// What its rules are called: those that were varied by what was changed.
    fn label(&self, report: &BracketReport<'_>) -> String {
        let several = report.rules.len() > 1;
        match (self.key.zip(self.value.as_ref()), several) {
            (None, _) => name_in_full(&self.spec.name, self.id),
            (Some((key, value)), false) => rule_in_words(key, value),
            (Some((key, value)), true) => format!("{}, {}", self.id, rule_in_words(key, value)),
        }
    }

    /// The same where there is little room.
    fn short(&self, report: &BracketReport<'_>) -> String {
        match (&self.value, report.rules.len()) {
            (None, _) => self.id.into(),
            (Some(value), 1) => value.clone(),
            (Some(value), _) => format!("{} {value}", self.id),
        }
    }

    /// What links to it name.
    fn anchor(&self) -> String {
        let value = self.value.as_deref().map(|value| format!("-{value}"));
        slug(&format!("{}{}", self.id, value.unwrap_or_default()), 60)
    }

    /// The bracket of a measure with how its figures are said; money is the house edge where there is one.
    fn bracket(&self, measure: Measure) -> Option<(Bracket, Shown<'a>)> {
        match measure {
            Measure::Cards => Some((self.brackets.cards, Shown::Mean)),
            Measure::Wins => Some((self.brackets.wins, Shown::Percent)),
            Measure::Money => self.money(),
        }
    }

    /// The house edge, or the net where there is none.
    fn money(&self) -> Option<(Bracket, Shown<'a>)> {
        let edge = self.brackets.house_edge.map(|edge| (edge, Shown::Edge));
        edge.or_else(|| self.net())
    }

    /// The same as findings have it.
    fn money_at_once(&self) -> Option<(Bracket, Shown<'a>)> {
        let (_, shown) = self.money()?;
        Some((self.at_once.house_edge.unwrap_or(self.at_once.net), shown))
    }

    fn net(&self) -> Option<(Bracket, Shown<'a>)> {
        self.gain().map(|_| (self.brackets.net, Shown::Net(&self.spec.casino)))
    }

    /// Every figure that has a bracket, with the place of the player who was chosen for it.
    fn figures(&self) -> Vec<(usize, Bracket, Shown<'a>)> {
        let Brackets { cards, wins, house_edge, .. } = self.brackets;
        let mut figures = vec![(0, cards, Shown::Mean), (1, wins, Shown::Percent)];
        figures.extend(self.net().map(|(net, shown)| (2, net, shown)));
        figures.extend(house_edge.map(|edge| (2, edge, Shown::Edge)));
        let of = |i: usize| self.found.chosen.get(i).copied().unwrap_or(0);
        figures.into_iter().map(|(i, bracket, shown)| (of(i), bracket, shown)).collect()
    }

    /// Who gains, with the same confidence for all rulesets at once.
    fn gain(&self) -> Option<Gain> {
        self.at_once.gain(self.spec)
    }

    /// What makes a bracket wide, most of all.
    fn widest(&self, bracket: &Bracket) -> Part {
        let Width { sampling, undecided, hidden, .. } = bracket.width;
        if self.is_trivial() {
            if sampling > hidden { Part::Sampling } else { Part::NoBound }
        } else if hidden >= sampling.max(undecided) {
            Part::Hidden
        } else if undecided >= sampling {
            Part::Undecided
        } else {
            Part::Sampling
        }
    }

    fn is_trivial(&self) -> bool {
        self.found.refused.is_some()
    }

    /// Deals that the solver did not decide, of the most cards: all of them, where it refuses the rules.
    fn undecided(&self) -> u64 {
        if self.is_trivial() {
            return self.found.deals();
        }
        self.found.bounds.list().iter().filter(|bound| !bound.is_proven()).count() as u64
    }
}

/// A part of the width of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Sampling,
    Undecided,
    Hidden,
    /// The solver refuses the rules, so that nothing is known of the upper end.
    NoBound,
}

/// How the figures of a measure are said.
#[derive(Clone, Copy, Debug)]
enum Shown<'a> {
    Mean,
    Percent,
    Edge,
    Net(&'a crate::rules::Casino),
}

impl Shown<'_> {
    fn say(self, e: Estimate) -> FormattedEstimate {
        match self {
            Shown::Mean => mean(e),
            Shown::Percent => percent(e),
            Shown::Edge => edge(e),
            Shown::Net(casino) => gain_estimate(e, casino),
        }
    }

    /// What it is called.
    fn name(self) -> &'static str {
        match self {
            Shown::Mean => "cards",
            Shown::Percent => "games won",
            Shown::Edge => "house edge",
            Shown::Net(_) => "player's net",
        }
    }

    /// A length of its axis as a number: money in dollars, as the other tables have it.
    fn number(self, x: f64) -> f64 {
        match self {
            Shown::Net(_) => x / 100.0,
            _ => x,
        }
    }

    /// The same in words.
    fn length(self, x: f64) -> String {
        match self {
            Shown::Mean => fixed(x, 2),
            Shown::Percent | Shown::Edge => format!("{} pp", fixed(x * 100.0, 1)),
            Shown::Net(casino) => money(x, casino, false),
        }
    }
}

impl<'a> BracketReport<'a> {
    fn provenance(&self) -> Provenance<'a> {
        let run = (self.version, self.command.clone());
        let rules = self.rules.iter().map(|(id, name, files)| RulesSource { id, name, files: files.clone() });
        Provenance::new(run, self.seed, rules, self.scripts())
    }

    fn scripts(&self) -> impl Iterator<Item = ScriptSource<'a>> {
        let scripts: Vec<Source<'a>> = self.players.clone();
        scripts
            .into_iter()
            .map(|it| ScriptSource { name: it.name, text: Some(it.text).filter(|text| !text.is_empty()) })
    }

    /// What its players are called, no two alike.
    fn names(&self) -> Vec<String> {
        let Some(point) = self.points.first() else {
            return self.players.iter().map(|it| stem(it.name).into()).collect();
        };
        let entries: Vec<PairingResult<'_>> = self
            .players
            .iter()
            .zip(&point.summaries)
            .map(|(player, summary)| {
                PairingResult::new((point.id, point.spec), player.name, self.seed, summary)
            })
            .collect();
        labels(&entries).into_iter().map(|label| label.player).collect()
    }
}
