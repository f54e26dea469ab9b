//! The report as one HTML page: no script, nothing fetched, light, dark and in print.

mod contest;
mod document;
mod entry;
mod figures;
mod notes;
mod rules;
mod sheet;
mod stakes;

pub use contest::contest_html;
pub use document::document_html;
pub(super) use notes::notes;

use maud::{DOCTYPE, Markup, PreEscaped, html as markup};

use super::answer::{WARNING, answer, tally_of_sides};
use super::bounds::{edge_between, mean_between, percent_between};
use super::charts::{self, Chart, ChartError, Theme};
use super::clairvoyant;
use super::document::Finding;
use super::figures::{FormattedEstimate, Side, edge, games, mean, money_estimate, percent};
use super::labels::labels;
use super::stakes::{COMPARED, SHARE_OF_STAKED};
use super::{Entry, Report, entry_ids};
use crate::cards::Seed;
use crate::stats::Estimate;
use crate::text::visible;

const STYLE: &str = include_str!("style.css");

/// The whole report as one page that stands alone.
///
/// # Errors
/// A chart that cannot be drawn.
pub fn html(report: &Report<'_>) -> Result<String, ChartError> {
    let several = report.sections.len() > 1;
    let seeds: Vec<Seed> = report.sections.iter().map(|s| s.entry.seed).collect();
    let content = markup! {
        (answers(report))
        p.muted { (games_in_words(report)) }
        @if several { (comparison(report)) }
        @for chart in charts::shared(report) { (figure(&chart)?) }
        @for i in 0..report.sections.len() { (entry::section(report, i)?) }
        (notes(&seeds, report.command, report.version, &more_notes(report)))
    };
    Ok(page(report.title, report.version, "", content))
}

/// A whole page with its head and its heading; `class` says to the style sheet what kind of page it is.
pub(super) fn page(title: &str, version: &str, class: &str, content: Markup) -> String {
    let page = markup! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content={ "saratoga " (version) };
                title { (title) }
                style { (PreEscaped(style())) }
            }
            body {
                main class=[(!class.is_empty()).then_some(class)] {
                    h1 { (title) }
                    (content)
                }
            }
        }
    };
    visible(&page.into_string()).into_owned()
}

/// The colours of both themes as CSS properties, then the rest. Paper is always light.
fn style() -> String {
    format!(
        ":root{{{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n{STYLE}",
        charts::css(Theme::Light),
        charts::css(Theme::Dark)
    )
}

fn games_in_words(report: &Report<'_>) -> String {
    let total: u64 = report.sections.iter().map(|s| s.entry.summary.games).sum();
    let ways = match report.sections.len() {
        1 => String::new(),
        n => format!(", {n} pairs of rules and player"),
    };
    format!("{} dealt and played by saratoga {}{ways}", games(total), report.version)
}

/// Whose side an edge is known to be on, as a class of the style sheet.
pub(super) fn side(edge: Option<Estimate>) -> &'static str {
    match edge.map(Side::of) {
        Some(Side::House) => "house",
        Some(Side::Player) => "player",
        Some(Side::Open) | None => "open",
    }
}

/// Reports of more entries answer with the table, where sentences would be a wall of text.
const MOST_ANSWERS: usize = 6;

/// The answer for each entry in a sentence, and what to keep in mind.
fn answers(report: &Report<'_>) -> Markup {
    let entries: Vec<Entry<'_>> = report.sections.iter().map(|s| s.entry).collect();
    markup! {
        @if entries.len() > MOST_ANSWERS {
            p.lead { (tally_of_sides(&entries)) }
        } @else {
            ul.answers {
                @for entry in &entries {
                    @let Finding { finding, rest, .. } = answer(entry);
                    li class=(side(entry.summary.house_edge)) { strong { (finding) } (rest) }
                }
            }
        }
        p.lead { (WARNING) }
    }
}

/// Notes of a page on which a stake is bought in steps, or on which one knows every card.
fn more_notes(report: &Report<'_>) -> Vec<String> {
    let entries: Vec<Entry<'_>> = report.sections.iter().map(|s| s.entry).collect();
    let staged = entries.iter().any(|entry| entry.summary.stakes.is_some());
    let on_stakes: &[&str] = if staged { &[SHARE_OF_STAKED, COMPARED] } else { &[] };
    on_stakes.iter().map(|note| note.to_string()).chain(clairvoyant::note(&entries)).collect()
}

/// The table of all entries.
fn comparison(report: &Report<'_>) -> Markup {
    let entries: Vec<Entry<'_>> = report.sections.iter().map(|s| s.entry).collect();
    let (labels, ids) = (labels(&entries), entry_ids(&entries));
    let priced = entries.iter().any(|entry| entry.summary.house_edge.is_some());
    markup! {
        h2 { "Compared" }
        div.wide.compared {
            table {
                caption { "Each figure with its 95% interval below. Rulesets of the same pack were dealt the same shuffles." }
                thead {
                    tr {
                        th { "Rules" } th { "Player" }
                        @if priced { th.n { "House edge" } }
                        th.n { "Fair price" } th.n { "Games won" } th.n { "Cards" } th.n { "Player profits" }
                    }
                }
                tbody {
                    @for (i, ((entry, label), id)) in entries.iter().zip(&labels).zip(&ids).enumerate() {
                        @let s = entry.summary;
                        tr {
                            td { a href={ "#" (id) } { (label.rules) } }
                            td { (label.player) }
                            @match s.house_edge {
                                Some(e) => { (cell(&edge(e))) }
                                None if priced => { td.n { "no price" } }
                                None => {}
                            }
                            @match s.fair_price {
                                Some(fair) => { (cell(&money_estimate(fair, &entry.rules.casino))) }
                                None => { td.n { "bought in steps" } }
                            }
                            (cell(&percent(s.win_rate)))
                            (cell(&mean(s.cards)))
                            (cell(&percent(s.hit_frequency)))
                        }
                        @if let Some(known) = clairvoyant::after(&entries, i) {
                            tr {
                                td { a href={ "#" (id) } { (label.rules) } }
                                td { (clairvoyant::name(known)) }
                                @match known.most_cards.house_edge {
                                    Some(e) => { (cell(&edge_between(e))) }
                                    None if priced => { td.n { "no one price" } }
                                    None => {}
                                }
                                td.n {}
                                (cell(&percent_between(known.winnable.share)))
                                (cell(&mean_between(known.most_cards.cards)))
                                td.n {}
                            }
                        }
                    }
                }
            }
        }
    }
}

fn cell(said: &FormattedEstimate) -> Markup {
    markup! { td.n { (said.value) @if !said.interval.is_empty() { small { (said.interval) } } } }
}

/// A chart with its caption.
pub(super) fn figure(chart: &Chart<'_>) -> Result<Markup, ChartError> {
    let svg = chart.inline_svg()?;
    Ok(markup! {
        figure {
            div.wide { (PreEscaped(svg)) }
            figcaption { (chart.caption()) }
        }
    })
}
