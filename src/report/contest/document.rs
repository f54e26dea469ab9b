//! A contest as a document.

use super::charts::contest_charts;
use super::words::{answer, contest_in_words, heading, mean_of, remarks, time_in_words, warning};
use super::{ContestReport, tables};
use crate::contest::{Foundations, Goal};
use crate::figures::{FormattedEstimate, count, plural, share};
use crate::report::document::{Block, Card, Details, Document, Medium};
use crate::report::labels::name_in_full;
use crate::report::provenance::whole_text;
use crate::report::rules_in_words::layout_and_play;

/// The report of a contest. The speed is that of the whole run.
pub fn contest_document<'a>(report: &'a ContestReport<'a>, matches_per_second: Option<f64>) -> Document<'a> {
    let mut blocks: Vec<Block> =
        remarks(report).into_iter().map(|remark| Block::Warning(format!("{remark}."))).collect();
    blocks.extend(contest_charts(report).into_iter().map(Block::Chart));
    blocks.extend(tables::tables(report).into_iter().map(Block::Table));
    let mut last = vec![Block::Text(
        "The ranges in brackets, or below a figure, are 95% intervals. Speed is in actions a second. A move to a shared foundation comes too late if another player was faster. Seats rotate, so that no player has an \
             advantage."
            .into(),
    )];
    if !report.spec.speed_matters() {
        last.push(Block::Text(
            "Where each player plays a fixed number of deals on separate foundations, speed does not help."
                .into(),
        ));
    }
    last.extend(matches_per_second.map(|speed| {
        Block::Text(format!("Played at {} matches a second.", count(speed.max(0.0).round() as u64)))
    }));
    blocks.push(Block::Only(Medium::Terminal, last));
    blocks.push(Block::Text(time_in_words(report.spec).join(" ")));
    blocks.push(Block::Only(Medium::Page, in_words(report)));
    Document {
        brief: false,
        title: heading(report),
        provenance: report.provenance(),
        findings: vec![answer(report)],
        warning: warning(report.spec),
        played: format!("{}, dealt from seed {}", plural(report.summary.matches, "match"), report.seed),
        cards: cards(report),
        blocks,
        notes: NOTES.map(String::from).to_vec(),
    }
}

/// The figures asked for first.
fn cards(report: &ContestReport<'_>) -> Vec<Card> {
    let s = report.summary;
    let part = |n: u64, what: &str| FormattedEstimate {
        interval: format!("{} of matches: {what}", share(n as f64 / s.matches.max(1) as f64)),
        ..FormattedEstimate::of(n as f64, count(n))
    };
    let alone = s.matches - s.undecided - s.tied;
    let mut cards = vec![Card::new("won by one side alone", part(alone, "neither tied nor undecided"))];
    cards.push(Card::new("tied", part(s.tied, "several sides had most points")));
    if let Goal::Target { .. } = report.spec.goal {
        cards.push(Card::new("undecided", part(s.undecided, "no side reached the target")));
    }
    let seconds = mean_of(s.seconds, s.matches);
    cards.push(Card::new(
        "length of a match",
        FormattedEstimate { value: format!("{} seconds", seconds.value), ..seconds },
    ));
    cards.push(Card::new("deals of a match", mean_of(s.rounds, s.matches)));
    if report.spec.foundations == Foundations::Shared {
        let deals = s.deals_out + s.deals_stuck;
        let ended = |n: u64, how: &str| FormattedEstimate {
            interval: format!("{} of {}: {how}", count(n), plural(deals, "deal")),
            ..FormattedEstimate::exact(share(n as f64 / deals.max(1) as f64))
        };
        cards.push(Card::new("deals ended by a player", ended(s.deals_out, "the player was out")));
        cards.push(Card::new("deals stuck", ended(s.deals_stuck, "no player could play")));
    }
    cards
}

/// The contest and its rules, in words and as written.
fn in_words(report: &ContestReport<'_>) -> Vec<Block> {
    let ContestReport { spec, rules, rules_id, .. } = report;
    let mut blocks = vec![Block::Heading("The contest in words".into())];
    let text = |text: &str| (!text.is_empty()).then(|| Block::Text(text.to_string()));
    let source = |source: &str| (!source.is_empty()).then(|| Block::Text(format!("Source: {source}")));
    blocks.extend(text(&spec.about));
    blocks.push(Block::List(contest_in_words(spec, rules, rules_id)));
    blocks.extend(source(&spec.source));
    blocks.push(Block::Heading(format!("The layout: {}", name_in_full(&rules.name, rules_id))));
    blocks.push(Block::List(layout_and_play(rules)));
    blocks.extend(source(&rules.source));
    blocks.push(Block::Details(Details {
        title: "The contest as written".into(),
        text: whole_text(report.files),
    }));
    blocks
}

/// How the figures were found and what they mean.
const NOTES: [&str; 4] = [
    "Every match was dealt from shuffled packs and played to its end by the players named, each of whom \
         sees what a person at the table could see: their own cards, the face-up cards of the others, the \
         points and the shared foundations.",
    "In match i player p sits at seat p + i, round the table. Seats differ only in their packs and in the \
         random numbers for their clocks.",
    "A 95% interval contains the true figure in 95 of 100 such runs: of twenty intervals one misses by \
         chance. Rates have the exact interval of Clopper and Pearson; means have Student's, made wider where few numbers have a long tail \
         (Hall 1992). Limits are rounded outwards. Undecided \
         matches count both ways in every rate of wins: as lost in the lower limit, as won in the upper.",
    "The fair share is what each side would win if all were equally good: the matches that one side won alone, divided \
     by the number of sides.",
];
