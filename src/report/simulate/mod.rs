//! Report of a run: rulesets under strategies, individually and compared.

mod charts;
mod clairvoyant;
mod findings;
mod one;
mod tables;

pub(super) use findings::{NOTES, remarks};
pub(super) use one::{brings, night_fan};

use std::collections::BTreeSet;

use super::document::{Block, Card, Document, Finding, Medium, Section};
use super::labels::{Label, in_full, labels, name_in_full, stem};
use super::patrons::unfit_patrons;
use super::rare_events::{price, why_wide};
use super::rules_in_words::rules_in_words;
use super::run::Run;
use crate::chart::{Chart, Hues, Role};
use crate::format::{edge, gain_estimate, games, mean, money_estimate, percent};
use crate::lab::{Clairvoyant, Simulated, SimulatedEntry};
use crate::rules::Spec;
use crate::stats::AtOnce;
use crate::text::slug;

pub(super) const WARNING: &str =
    "Each figure holds only for its rules and its player; another player has another edge.";

/// Maximum number of entries with sentences of their own; beyond, the table suffices.
const MOST_ANSWERS: usize = 6;

/// A run with the words that all of its report uses.
struct Page<'a> {
    run: &'a Run,
    found: &'a Simulated,
    entries: Vec<Entry<'a>>,
}

/// An entry with the words that all of its tables and charts use.
struct Entry<'a> {
    found: &'a SimulatedEntry,
    /// What links to it and its files are called: `canfield-greedy`. No other entry has it.
    id: String,
    /// `Demon, the casino game (demon-casino), played by greedy`
    heading: String,
    label: Label,
    /// What tells it from the others: its player, its ruleset, or both.
    short: String,
    subtitle: String,
    hue: Role,
    /// Its figures with intervals that hold for all entries at once.
    at_once: AtOnce,
    /// The player who knows every card, in the row below the last entry of a ruleset.
    below: Option<&'a Clairvoyant>,
}

/// Builds the report on rulesets under strategies; in a terminal with its pace, if it is known how many seconds it took.
pub fn simulate_document<'a>(run: &'a Run, found: &Simulated, seconds: Option<f64>) -> Document<'a> {
    let page = Page::new(run, found);
    let mut answers: Vec<Finding> = page.entries.iter().map(|entry| page.answer(entry)).collect();
    let mut blocks = Vec::new();
    let (mut title, mut played) = (page.title(), String::new());
    if let [only] = &page.entries[..] {
        title.clone_from(&only.heading);
    } else {
        if answers.len() <= MOST_ANSWERS {
            blocks.push(Block::Only(Medium::Page, vec![Block::Findings(answers)]));
        }
        answers = vec![Finding::open(page.sides(), "")];
        let total = found.entries.iter().map(|it| it.summary.games).sum();
        played = format!("{}, by {} combinations of rules and player", games(total), page.entries.len());
        for (medium, in_full) in [(Medium::Page, true), (Medium::Terminal, false)] {
            blocks.push(Block::Only(medium, vec![Block::Table(page.compared(in_full))]));
        }
    }
    blocks.extend(page.charts().into_iter().map(Block::Chart));
    blocks.extend(page.entries.iter().map(|entry| Block::Section(page.section(entry))));
    blocks.push(Block::Only(Medium::Terminal, page.last_words(seconds)));
    Document {
        title,
        findings: answers,
        warning: WARNING.into(),
        played,
        blocks,
        notes: page.notes(),
        ..Document::of(run)
    }
}

impl<'a> Page<'a> {
    fn new(run: &'a Run, found: &'a Simulated) -> Page<'a> {
        let named = found.entries.iter().map(|it| (&*it.rules, &*it.strategy));
        let labels = labels(named);
        let hues = Hues::new(labels.iter().map(|label| label.player.clone()));
        let one_rules = labels.iter().all(|label| label.rules == labels[0].rules);
        let one_player = labels.iter().all(|label| label.player == labels[0].player);
        let mut ids = BTreeSet::new();
        let entry = |(i, (it, label)): (usize, (&'a SimulatedEntry, Label))| {
            let last =
                found.entries.get(i + 1).is_none_or(|next| next.rules != it.rules || next.spec != it.spec);
            let rules = name_in_full(&it.spec.name, &it.rules);
            let played = games(it.summary.games);
            Entry {
                found: it,
                id: own_id(it, &mut ids),
                heading: in_full(&it.spec.name, &it.rules, &it.strategy),
                short: match (one_rules, one_player) {
                    (true, _) => label.player.clone(),
                    (_, true) => label.rules.clone(),
                    _ => format!("{} in {}", label.player, label.rules),
                },
                subtitle: format!("{rules}, played by {}: {played}, {}", stem(&it.strategy), run.source()),
                hue: hues.of(&label.player),
                label,
                at_once: it.at_once(),
                below: it.clairvoyant.as_ref().filter(|_| last),
            }
        };
        let entries = found.entries.iter().zip(labels).enumerate().map(entry).collect();
        Page { run, found, entries }
    }

    /// What is played and who plays: two of each at most, or one and how many more.
    fn title(&self) -> String {
        let listed = |mut names: Vec<&str>| {
            let mut seen = BTreeSet::new();
            names.retain(|name| seen.insert(*name));
            match names[..] {
                [first, second] => format!("{first} and {second}"),
                [first, _, ..] => format!("{first} and {} more", names.len() - 1),
                _ => names.concat(),
            }
        };
        let rules = listed(self.found.entries.iter().map(|it| &*it.spec.name).collect());
        let players = listed(self.found.entries.iter().map(|it| &*it.strategy).collect());
        format!("{rules}, played by {players}")
    }

    fn section(&self, entry: &Entry<'_>) -> Section {
        let SimulatedEntry { summary, spec, .. } = entry.found;
        let casino = &spec.casino;
        let mut blocks = vec![Block::Only(Medium::Page, vec![Block::Cards(cards(entry))])];
        let before = if self.entries.len() > 1 { format!("{}-", entry.id) } else { String::new() };
        let charts = entry.charts().into_iter();
        blocks.extend(charts.map(|it| Block::Chart(Chart { name: format!("{before}{}", it.name), ..it })));
        blocks.push(Block::Table(self.figures(entry)));
        blocks.extend(why_wide(casino, price(summary, casino), &summary.histogram, None).map(Block::Text));
        let files = self.run.rules.iter().find(|it| it.id == entry.found.rules && it.name == spec.name);
        let files = files.map_or(&[][..], |it| &it.files[..]);
        let unfit = unfit_patrons(files, &entry.found.strategy, casino);
        let warnings = entry.remarks().into_iter().chain(unfit);
        blocks.extend(warnings.map(|warning| Block::Warning(format!("{warning}."))));
        let known = entry.known();
        blocks.extend(known.map(|known| Block::Text(format!("With every card known: {known}."))));
        if summary.games > 0 {
            blocks.extend(summary.stakes.as_ref().map(|stakes| Block::Table(entry.stages(stakes))));
            blocks.push(Block::Only(Medium::Page, vec![Block::Table(entry.ends())]));
            blocks.extend(entry.scores().map(Block::Table));
        }
        blocks.push(Block::Only(Medium::Page, rules(spec)));
        Section { id: entry.id.clone(), title: entry.heading.clone(), blocks }
    }
}

/// A name for files and links, in small letters, digits and `-`; what is taken gets `-2`, `-3`, ... after it.
fn own_id(entry: &SimulatedEntry, taken: &mut BTreeSet<String>) -> String {
    let id = format!("{}-{}", slug(&entry.rules, 40), slug(stem(&entry.strategy), 40));
    let mut free = id.clone();
    let mut number = 2;
    while !taken.insert(free.clone()) {
        free = format!("{id}-{number}");
        number += 1;
    }
    free
}

fn rules(spec: &Spec) -> Vec<Block> {
    let mut blocks = vec![Block::Heading("The rules in words".into())];
    blocks.extend((!spec.about.is_empty()).then(|| Block::Text(spec.about.clone())));
    blocks.push(Block::List(rules_in_words(spec)));
    blocks.extend((!spec.source.is_empty()).then(|| Block::Text(format!("Source: {}", spec.source))));
    blocks
}

fn cards(entry: &Entry<'_>) -> Vec<Card> {
    let s = &entry.found.summary;
    let casino = &entry.found.spec.casino;
    let mut cards = Vec::new();
    if let Some(e) = s.house_edge {
        cards.push(Card::new("house edge", edge(e)));
        cards.push(Card::new("hold of 100 decks", money_estimate(s.hold_per_100, casino)));
        cards.extend(
            s.fair_price.map(|fair| Card::new("fair price of the deck", money_estimate(fair, casino))),
        );
        let staked = s.stakes.as_ref().map(|stakes| money_estimate(stakes.staked, casino));
        cards.extend(staked.map(|staked| Card::new("staked a game", staked)));
        cards.push(Card::new("decks with a profit for the player", percent(s.hit_frequency)));
    } else if let Some(pays) = s.fair_price.filter(|_| casino.is_for_money()) {
        cards.push(Card::new("a deck pays on average", money_estimate(pays, casino)));
    }
    if let Some(jackpot) = &s.jackpot {
        cards.push(Card::new("decks that win the jackpot", percent(jackpot.rate)));
        cards.extend(
            jackpot.size.map(|size| Card::new("jackpot when it is won", money_estimate(size, casino))),
        );
    }
    if let Some(worth) = s.stakes.as_ref().and_then(|stakes| stakes.worth_of_stopping) {
        cards.push(Card::new("value of stopping, a game", gain_estimate(worth, casino)));
    }
    cards.push(Card::new("games won", percent(s.win_rate)));
    cards.push(Card::new("mean cards", mean(s.cards)));
    cards
}
