//! Document of a run: a comparison of all entries, then a section for each.

use super::{Pace, Report, Section, charts, tables};
use crate::format::{edge, gain_estimate, games, mean, money_estimate, percent};
use crate::report::clairvoyant;
use crate::report::document::{self, Block, Card, Document, Finding, Medium};
use crate::report::labels::in_full;
use crate::report::patrons::unfit_patrons;
use crate::report::provenance::of_listed_deals;
use crate::report::rare_events::{price, why_wide};
use crate::report::rules_in_words::rules_in_words;
use crate::report::stakes::{COMPARED, SHARE_OF_STAKED};
use crate::report::verdict::{WARNING, answer, remarks, tally_of_sides};
use crate::report::{Entry, entry_ids};

/// Maximum number of entries with sentences of their own; beyond, the table suffices.
const MOST_ANSWERS: usize = 6;

/// Builds the report of a run; in a terminal, with its pace.
pub fn simulate_document<'a>(report: &Report<'a>, pace: Option<&Pace<'_>>) -> Document<'a> {
    let entries = report.entries();
    let several = entries.len() > 1;
    let mut blocks = Vec::new();
    let answers: Vec<Finding> = entries.iter().map(|entry| answer(entry, entries.len())).collect();
    if several && entries.len() <= MOST_ANSWERS {
        blocks.push(Block::Only(Medium::Page, vec![Block::Findings(answers.clone())]));
    }
    if several {
        blocks.push(Block::Only(Medium::Page, vec![Block::Table(tables::compared(&entries, true))]));
        blocks.push(Block::Only(Medium::Terminal, vec![Block::Table(tables::compared(&entries, false))]));
    }
    blocks.extend(charts::shared(report).into_iter().map(Block::Chart));
    for (i, (section, id)) in report.sections.iter().zip(entry_ids(&entries)).enumerate() {
        let charts = charts::own(report, i).into_iter().map(Block::Chart).collect();
        let blocks_of_one = entry(section, charts);
        blocks.push(Block::Section(document::Section {
            id,
            title: in_full(&section.entry),
            blocks: blocks_of_one,
        }));
    }
    blocks.push(Block::Only(Medium::Terminal, last_words(&entries, pace)));
    Document {
        brief: false,
        title: match &entries[..] {
            [only] => in_full(only),
            _ => report.title.into(),
        },
        provenance: report.provenance(),
        findings: if several { vec![Finding::open(tally_of_sides(&entries), "")] } else { answers },
        warning: WARNING.into(),
        played: if several { played(&entries) } else { String::new() },
        cards: Vec::new(),
        blocks,
        notes: notes(&entries),
    }
}

fn played(entries: &[Entry<'_>]) -> String {
    let total = entries.iter().map(|entry| entry.summary.games).sum();
    format!("{}, by {} combinations of rules and player", games(total), entries.len())
}

/// Builds the section of one entry: its figures, its charts and its rules.
fn entry<'a>(section: &Section<'a>, charts: Vec<Block>) -> Vec<Block> {
    let it = &section.entry;
    let mut blocks = vec![Block::Only(Medium::Page, vec![Block::Cards(cards(it))])];
    blocks.extend(charts);
    blocks.push(Block::Table(tables::figures(it)));
    let price = price(it.summary, &it.rules.casino);
    blocks.extend(why_wide(&it.rules.casino, price, &it.summary.histogram, None).map(Block::Text));
    let unfit = unfit_patrons(section.rules, it.strategy, &it.rules.casino);
    blocks.extend(remarks(it).into_iter().chain(unfit).map(|remark| Block::Warning(format!("{remark}."))));
    blocks.extend(
        it.clairvoyant
            .map(|known| Block::Text(format!("With every card known: {}.", clairvoyant::found(known)))),
    );
    if it.summary.games > 0 {
        blocks.extend(it.summary.stakes.as_ref().map(|stakes| Block::Table(tables::stages(it, stakes))));
        blocks.push(Block::Only(Medium::Page, vec![Block::Table(tables::ends(it.rules, it.summary))]));
        blocks.extend(tables::scores(it.summary).map(Block::Table));
    }
    blocks.push(Block::Only(Medium::Page, rules(it)));
    blocks
}

fn rules(it: &Entry<'_>) -> Vec<Block> {
    let mut blocks = vec![Block::Heading("The rules in words".into())];
    blocks.extend((!it.rules.about.is_empty()).then(|| Block::Text(it.rules.about.clone())));
    blocks.push(Block::List(rules_in_words(it.rules)));
    blocks.extend((!it.rules.source.is_empty()).then(|| Block::Text(format!("Source: {}", it.rules.source))));
    blocks
}

/// Returns the figures an owner asks for first.
fn cards(it: &Entry<'_>) -> Vec<Card> {
    let s = it.summary;
    let casino = &it.rules.casino;
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

/// Explains the figures, for a reader without the notes.
fn last_words(entries: &[Entry<'_>], pace: Option<&Pace<'_>>) -> Vec<Block> {
    let mut words = Vec::new();
    let mut say = |text: String| words.push(Block::Text(text));
    if let Some(note) = clairvoyant::note(entries) {
        say(note);
    }
    let staged = entries.iter().any(|entry| entry.summary.stakes.is_some());
    say(format!(
        "The ranges in brackets are 95% intervals. The house edge is the player's mean loss as a share of \
             the price of the deck{}. Above 0 the house gains.",
        if staged { ", or of the mean amount staked where the stake is bought in stages" } else { "" }
    ));
    if staged {
        say(COMPARED.into());
    }
    if let Some(deals) = entries.iter().find_map(|entry| entry.deals) {
        say(of_listed_deals(deals));
    }
    if let Some(pace) = pace {
        say(pace.words());
    }
    words
}

/// Notes for every reader of simulated games.
pub(in crate::report) const NOTES: [&str; 4] = [
    "Every game was dealt from a shuffled pack and played to its end by the player named, who sees what a person at the \
     table could see and nothing more. A better or a worse player would give other figures.",
    "A 95% interval contains the true figure in at least 95 of 100 such runs. Rates have the exact interval of Clopper \
         and Pearson, means its extension to numbers of a known range (Gaffke 2005): they allow for what is possible but too \
         rare for these games to show, such as a win that pays much. Limits are rounded outwards. Games that were stopped undecided are counted both ways, \
         and the outer limits are shown.",
    "The house edge is what the player loses on average, as a share of the price of the deck. Figures for \
         other prices assume that the player plays the same at any price.",
    "Rulesets of the same pack and all players were dealt the same shuffles, so a difference between two \
         rows is more certain than their separate intervals suggest.",
];

fn notes(entries: &[Entry<'_>]) -> Vec<String> {
    let staged = entries.iter().any(|entry| entry.summary.stakes.is_some());
    let on_stakes: &[&str] = if staged { &[SHARE_OF_STAKED, COMPARED] } else { &[] };
    let listed = entries.iter().find_map(|entry| entry.deals).map(of_listed_deals);
    let notes = NOTES.iter().chain(on_stakes).copied().map(String::from).chain(listed);
    notes.chain(clairvoyant::note(entries)).collect()
}
