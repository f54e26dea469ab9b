//! The page of a contest.

use maud::{Markup, html};

use super::notes::found;
use super::sheet::table;
use super::{figure, page, rules};
use crate::contest::{Foundations, Goal};
use crate::report::charts::{ChartError, contest_charts};
use crate::report::contest::{
    ContestReport, WARNING, answer, contest_in_words, heading, matches, mean_of, remarks, sheets,
    time_in_words,
};
use crate::report::document::Finding;
use crate::report::figures::{FormattedEstimate, count, one_line, share};
use crate::report::labels::name_in_full;
use crate::report::{Source, whole_text};

/// The report of a contest as one page that stands alone.
///
/// # Errors
/// A chart that cannot be drawn.
pub fn contest_html(report: &ContestReport<'_>) -> Result<String, ChartError> {
    let Finding { finding, rest, .. } = answer(report);
    let body = html! {
        ul.answers { li.open { strong { (finding) } (rest) } }
        p.lead { (WARNING) }
        p.muted { (matches(report.summary.matches)) " played by saratoga " (report.version) ", seed " (report.seed) }
        (cards(report))
        @for remark in remarks(report) { p.warning { (remark) "." } }
        p { strong { "Time. " } (time_in_words(report.spec).join(" ")) }
        div.own { @for chart in contest_charts(report) { (figure(&chart)?) } }
        @for sheet in sheets(report) { (table(&sheet)) }
        (in_words(report))
        (notes(report))
    };
    Ok(page(&heading(report), report.version, "", body))
}

/// The figures asked for first.
fn cards(report: &ContestReport<'_>) -> Markup {
    let s = report.summary;
    let part = |n: u64| share(n as f64 / s.matches.max(1) as f64);
    let card = |what: &str, value: &str, below: &str| {
        html! { div.card { span { (what) } b { (value) } span { (below) } } }
    };
    let said = |what: &str, said: FormattedEstimate, unit: &str| {
        let below = if said.interval.is_empty() { "in every match" } else { &said.interval };
        card(what, &format!("{}{unit}", said.value), below)
    };
    let deals = s.deals_out + s.deals_stuck;
    html! {
        div.cards {
            (card("Matches", &count(s.matches), "won by one side alone, tied or undecided"))
            @if let Goal::Target { .. } = report.spec.goal {
                (card("Undecided", &count(s.undecided), &format!("{} of matches: no side reached the target", part(s.undecided))))
            }
            (card("Tied", &count(s.tied), &format!("{} of matches: several sides had most points", part(s.tied))))
            (said("Length of a match", mean_of(s.seconds, s.matches), " s"))
            (said("Deals of a match", mean_of(s.rounds, s.matches), ""))
            @if report.spec.foundations == Foundations::Shared {
                (card("Deals ended by a player", &share(s.deals_out as f64 / deals.max(1) as f64), &format!("{} of {} deals", count(s.deals_out), count(deals))))
                (card("Deals stuck", &share(s.deals_stuck as f64 / deals.max(1) as f64), &format!("{}: no player had a play", count(s.deals_stuck))))
            }
        }
    }
}

/// The contest and its rules, in words and as written.
fn in_words(report: &ContestReport<'_>) -> Markup {
    let ContestReport { spec, rules: layout, rules_id, .. } = report;
    let mut scripts: Vec<(&str, &str)> = Vec::new();
    for (player, script) in spec.players.iter().zip(report.scripts) {
        if let Some(text) = script.filter(|text| !scripts.iter().any(|(_, seen)| seen == text)) {
            scripts.push((&player.strategy, text));
        }
    }
    let written = |what: &str, files: &[Source<'_>]| {
        html! { details { summary { (what) } pre { code { (whole_text(files)) } } } }
    };
    html! {
        h2 { "The contest in words" }
        @if !spec.about.is_empty() { p { (spec.about) } }
        ul { @for line in contest_in_words(spec, layout, rules_id) { li { (line) } } }
        @if !spec.source.is_empty() { p.muted { "Source: " (spec.source) } }
        h3 { "The layout: " (name_in_full(&layout.name, rules_id)) }
        ul { @for line in rules::layout_and_play(layout) { li { (line) } } }
        @if !layout.source.is_empty() { p.muted { "Source: " (layout.source) } }
        (written("The contest as written", report.files))
        (written("The ruleset as written", report.rules_files))
        @for (name, text) in scripts {
            details { summary { "The script " (one_line(name)) } pre { code { (text) } } }
        }
    }
}

/// How the figures were found and what they mean.
fn notes(report: &ContestReport<'_>) -> Markup {
    let notes = html! {
        li {
            "Every match was dealt from shuffled packs and played to its end by the players named, each of whom sees "
            "what a person at the table could see: the own cards, what lies open before the others, the points and the "
            "middle."
        }
        li {
            "In match i player p sits at seat p + i, round the table. Seats differ in their packs and in the chance that "
            "their clocks are drawn from, and in nothing else."
        }
        li {
            "A 95% interval is made by a rule that holds the true figure in 95 of 100 such runs: of twenty intervals one "
            "misses by chance. Rates have Wilson's interval, means Student's. Limits are rounded outwards. Undecided "
            "matches count both ways in every rate of wins: as lost in the lower limit, as won in the upper."
        }
        li {
            "The fair share is what each side would win if all were equally good: the matches that one side won alone, "
            "divided by the number of sides."
        }
    };
    found(&notes, &[report.seed], report.command, report.version)
}
