//! The report as one HTML page: no script, nothing fetched, light, dark and in print.

mod entry;
mod figures;
mod notes;
mod rules;

use maud::{DOCTYPE, Markup, PreEscaped, html as markup};

use super::charts::{self, Chart, ChartError, Theme};
use super::wording::{Said, Side, games, money_estimate, percent, plain};
use super::{Entry, Report};
use crate::stats::Estimate;

const STYLE: &str = include_str!("style.css");

/// The whole report as one page that stands alone.
pub fn html(report: &Report<'_>) -> Result<String, ChartError> {
    let several = report.sections.len() > 1;
    let page = markup! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content={ "saratoga " (report.version) };
                title { (report.title) }
                style { (PreEscaped(style())) }
            }
            body {
                main {
                    h1 { (report.title) }
                    p.muted { (games_in_words(report)) }
                    (answers(report))
                    @if several { (comparison(report)) }
                    @for chart in charts::shared(report) { (figure(&chart)?) }
                    @for i in 0..report.sections.len() { (entry::section(report, i)?) }
                    (notes::notes(report))
                }
            }
        }
    };
    Ok(page.into_string())
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
        n => format!(", {n} combinations of rules and player"),
    };
    format!("{} dealt and played by saratoga {}{ways}", games(total), report.version)
}

/// Whose side an edge is known to be on, as a class of the style sheet.
fn side(edge: Option<Estimate>) -> &'static str {
    match edge.map(Side::of) {
        Some(Side::House) => "house",
        Some(Side::Player) => "player",
        Some(Side::Open) | None => "open",
    }
}

/// The answer for each entry in a sentence.
fn answers(report: &Report<'_>) -> Markup {
    markup! {
        ul.answers {
            @for section in &report.sections {
                li class=(side(section.entry.summary.house_edge)) { (answer(&section.entry)) }
            }
        }
    }
}

fn answer(entry: &Entry<'_>) -> Markup {
    let s = entry.summary;
    let who =
        markup! { " with " b { (entry.strategy) } " playing, under the rules of " b { (entry.rules.name) } };
    let Some(edge) = s.house_edge else {
        let won = percent(s.win_rate);
        return markup! {
            strong { "The player wins " (won.value) " of games" } " (" (won.interval_in_words()) ")," (who)
            ". The deck has no price, so there is no house edge."
        };
    };
    let said = percent(edge);
    match Side::of(edge) {
        Side::House => markup! {
            strong { "The house keeps " (said.value) " of each deck sold" } " (" (said.interval_in_words()) "),"
            (who) "."
        },
        Side::Player => {
            let lost = percent(Estimate { value: -edge.value, low: -edge.high, high: -edge.low });
            markup! {
                strong { "The house loses " (lost.value) " of the price of each deck sold" }
                " (" (lost.interval_in_words()) ")," (who) "."
            }
        }
        Side::Open => markup! {
            strong { "Too close to call: the house edge is " (said.value) } " (" (said.interval_in_words()) "),"
            (who) ". More games would tell which side gains."
        },
    }
}

/// The table of all entries.
fn comparison(report: &Report<'_>) -> Markup {
    markup! {
        h2 { "Compared" }
        div.wide.compared {
            table {
                caption { "Each figure with its 95% interval below. Rulesets of the same pack were dealt the same shuffles." }
                thead {
                    tr {
                        th { "Rules" } th { "Player" } th.n { "House edge" } th.n { "Fair price" } th.n { "Games won" }
                        th.n { "Cards" } th.n { "Player profits" }
                    }
                }
                tbody {
                    @for (i, section) in report.sections.iter().enumerate() {
                        @let s = section.entry.summary;
                        @let casino = &section.entry.rules.casino;
                        tr {
                            td { a href={ "#" (charts::slug(report, i)) } { (section.entry.rules.name) } }
                            td { (section.entry.strategy) }
                            @match s.house_edge {
                                Some(edge) => { (cell(&percent(edge))) }
                                None => { td.n { "no price" } }
                            }
                            (cell(&money_estimate(s.fair_price, casino)))
                            (cell(&percent(s.win_rate)))
                            (cell(&plain(s.cards)))
                            (cell(&percent(s.hit_frequency)))
                        }
                    }
                }
            }
        }
    }
}

fn cell(said: &Said) -> Markup {
    markup! { td.n { (said.value) small { (said.interval) } } }
}

/// A chart with its caption.
fn figure(chart: &Chart<'_>) -> Result<Markup, ChartError> {
    let svg = chart.inline_svg()?;
    Ok(markup! {
        figure {
            div.wide { (PreEscaped(svg)) }
            figcaption { (chart.caption()) }
        }
    })
}
