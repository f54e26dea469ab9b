//! A document as one HTML page: no script, no external resources; light, dark and print.

mod profile;
mod table;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::chart::{self, Chart, ChartError, Theme};
use crate::format::{MINUS, count, one_line};
use crate::report::document::{Block, Card, Details, Document, Finding, Medium};
use crate::report::run::{Run, named, whole_text};
use crate::text::visible;
pub use profile::{ProfilePage, profile_html};
use table::{class, table};

const STYLE: &str = include_str!("style.css");
/// In print, the first sheet of a brief document has its sentences, all cards in a row, and the first three charts.
/// Side by side they are too narrow for captions, which their titles make dispensable.
const BRIEF: &str = "@media print{.cards{grid-template-columns:repeat(6,1fr)}.card{padding:3px 6px}\
                     .card b{font-size:min(11pt,100cqi/(var(--n,1)*.72))}.brief svg.chart{max-height:5.6cm}\
                     .brief .lead{font-size:10.5pt;margin:.4em 0}.brief .answers{margin:.4em 0}\
                     .brief .answers li{margin:.3em 0;padding:.3em .8em;font-size:9.5pt}\
                     .brief>figure:nth-of-type(-n+3){margin:.5em 0}\
                     .brief>figure:nth-of-type(-n+3) figcaption{display:none}\
                     .brief>figure:nth-of-type(-n+2){float:left;width:49%}\
                     .brief>figure:nth-of-type(2){float:right}.brief>figure:nth-of-type(3){clear:both}\
                     .brief>figure:nth-of-type(3) svg.chart{max-height:4.9cm}.card span{font-size:8pt}\
                     .brief .cards{margin:.5em 0}}";

/// Renders the document as one self-contained page.
///
/// # Errors
/// A chart that cannot be drawn.
pub fn document_html(document: &Document<'_>) -> Result<String, ChartError> {
    let Document { title, run, warning, played, cards: of_all, blocks, notes, brief, .. } = document;
    let content = html! {
        h1 { (title) }
        (answers(&document.all_findings()))
        @if !warning.is_empty() { p.lead { (warning) } }
        @if !played.is_empty() { p.muted { (played) } }
        (cards(of_all))
        (all(blocks)?)
        (found(run, notes))
        (sources(run))
    };
    let broad = document.tables().iter().any(|(_, it)| table::letters(it) > BROAD);
    let style = if *brief { BRIEF } else { "" };
    Ok(page(title, run.version, (broad, *brief), style, &content))
}

/// Maximum width of a table on portrait paper, in letters.
const BROAD: usize = 100;

fn page(title: &str, version: &str, (broad, brief): (bool, bool), style: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content={ "saratoga " (version) };
                title { (title) }
                style { (PreEscaped(page_style())) }
                @if !style.is_empty() { style { (PreEscaped(style)) } }
            }
            body { main.broad[broad].brief[brief] { (content) } }
        }
    };
    unbroken(&visible(&page.into_string()))
}

/// Prevents a line break between a minus sign and the currency after it.
fn unbroken(page: &str) -> String {
    let mut parts = page.split(MINUS);
    let mut joined = parts.next().unwrap_or_default().to_string();
    for part in parts {
        joined.push(MINUS);
        let currency = |c: char| !c.is_ascii_digit() && !c.is_whitespace() && !matches!(c, '<' | '&' | '"');
        if part.starts_with(currency) {
            joined.push_str("&#8288;");
        }
        joined.push_str(part);
    }
    joined
}

/// Returns the colours of both themes as CSS properties, then the other styles. Print is always light.
pub(crate) fn page_style() -> String {
    format!(
        ":root{{{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n{STYLE}",
        chart::css(Theme::Light),
        chart::css(Theme::Dark)
    )
}

fn answers(findings: &[Finding]) -> Markup {
    html! {
        @if !findings.is_empty() {
            ul.answers {
                @for it in findings { li class=(class(it.side)) { strong { (it.finding) } (it.rest) } }
            }
        }
    }
}

fn cards(cards: &[Card]) -> Markup {
    html! {
        @if !cards.is_empty() {
            div.cards {
                @for it in cards {
                    div class={ "card " (class(it.side)) } {
                        span { (it.what) }
                        b style={ "--n:" (longest_word(&it.said.value)) } { (it.said.value) }
                        span { (it.said.interval) }
                    }
                }
            }
        }
    }
}

/// Returns the length of the longest word of a text, which the style sheet keeps on one line.
fn longest_word(text: &str) -> usize {
    text.split(' ').map(|word| word.chars().count()).max().unwrap_or(0)
}

fn all(blocks: &[Block]) -> Result<Markup, ChartError> {
    let blocks: Vec<Markup> = blocks.iter().map(block).collect::<Result<_, _>>()?;
    Ok(html! { @for block in blocks { (block) } })
}

fn block(block: &Block) -> Result<Markup, ChartError> {
    Ok(match block {
        Block::Heading(text) => html! { h2 { (text) } },
        Block::Text(text) => html! { p { (text) } },
        Block::Warning(text) => html! { p.warning { (text) } },
        Block::List(items) => html! { ul { @for item in items { li { (item) } } } },
        Block::Verbatim(text) => html! { pre.command { code { (text) } } },
        Block::Findings(it) => answers(it),
        Block::Cards(it) => cards(it),
        Block::Table(it) => table(it),
        Block::Chart(chart) => figure(chart)?,
        Block::Section(section) => {
            let inner = all(&section.blocks)?;
            html! { section id=(section.id) { h2.entry { (section.title) } (inner) } }
        }
        Block::Details(it) => details(it),
        Block::Index(words) => index(words),
        Block::Only(Medium::Page, blocks) => all(blocks)?,
        Block::Only(Medium::Terminal | Medium::Files, _) => html! {},
    })
}

fn figure(chart: &Chart) -> Result<Markup, ChartError> {
    let svg = chart.inline_svg()?;
    Ok(html! {
        figure {
            div.wide { (PreEscaped(svg)) }
            figcaption { (chart.caption()) }
        }
    })
}

fn details(it: &Details) -> Markup {
    html! { details { summary { (it.title) } pre { code { (it.text) } } } }
}

fn index(words: &[(String, Vec<String>)]) -> Markup {
    html! {
        dl.names {
            @for (word, anchors) in words {
                div {
                    dt { (word) }
                    dd {
                        @for (i, anchor) in anchors.iter().enumerate() {
                            @if i > 0 { ", " }
                            a href={ "#" (anchor) } { (anchor) }
                        }
                    }
                }
            }
        }
    }
}

/// Renders rulesets and scripts as played.
fn sources(run: &Run) -> Markup {
    let rules = run.rules.iter().map(|it| Details {
        title: format!("The ruleset {} as written", it.id),
        text: whole_text(named(&it.files)),
    });
    let scripts = run
        .strategies
        .iter()
        .filter_map(|it| Some(Details { title: format!("The script {}", it.name), text: it.text.clone()? }));
    html! { div.sources { @for it in rules.chain(scripts) { (details(&it)) } } }
}

/// Renders the notes, and the command that reproduces the figures.
fn found(run: &Run, notes: &[String]) -> Markup {
    html! {
        div.found {
            h2 { "How this was found" }
            ul {
                @for note in notes { li { (note) } }
                li {
                    (dealt(run))
                }
            }
            (again(&run.command, run.version))
        }
    }
}

fn again(command: &str, version: &str) -> Markup {
    html! {
        p { "To run it again:" }
        pre.command { code { (command) } }
        p.muted { "Made by saratoga " (version) "." }
    }
}

fn dealt(run: &Run) -> String {
    let seed = run.seed;
    match &run.deals {
        Some(deals) => format!(
            "The deals are the first {} of {}. Dice, redeal shuffles and what players draw are those of the seed (here {seed}): the same \
             on every machine, with any number of threads.",
            count(deals.deals),
            one_line(&deals.file)
        ),
        None => format!(
            "The same seed (here {seed}) gives the same games on every machine, with any number of threads."
        ),
    }
}
