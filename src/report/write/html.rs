//! A document as one HTML page: no script, no external resources; light, dark and print.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::chart::{self, Chart, ChartError, Theme};
use crate::format::{FormattedEstimate, MINUS, Side, count, one_line};
use crate::report::document::{Block, Card, DataTable, Details, Document, Finding, Head, Medium, Row};
use crate::report::run::{Run, named, whole_text};
use crate::text::visible;

const STYLE: &str = include_str!("style.css");
/// In print, the first sheet of a brief document has its sentences, all cards in a row, and the first three charts.
/// Side by side they are too narrow for captions, which their titles make dispensable.
const BRIEF: &str = include_str!("brief.css");

/// Renders the document as one self-contained page.
///
/// # Errors
/// A chart that cannot be drawn.
pub fn document_html(document: &Document<'_>) -> Result<String, ChartError> {
    let Document { title, run, warning, played, cards: of_all, blocks, notes, brief, .. } = document;
    let broad = document.tables().iter().any(|(_, it)| letters(it) > BROAD);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content={ "saratoga " (run.version) };
                title { (title) }
                style { (PreEscaped(page_style())) }
                @if *brief { style { (PreEscaped(BRIEF)) } }
            }
            body {
                main.broad[broad].brief[*brief] {
                    h1 { (title) }
                    (answers(&document.all_findings()))
                    @if !warning.is_empty() { p.lead { (warning) } }
                    @if !played.is_empty() { p.muted { (played) } }
                    (cards(of_all))
                    (all(blocks)?)
                    (found(run, notes))
                    (sources(run))
                }
            }
        }
    };
    Ok(unbroken(&visible(&page.into_string())))
}

/// Maximum width of a table on portrait paper, in letters.
const BROAD: usize = 100;

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
                    div class={ "card " (class(it.said.side)) } {
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

fn found(run: &Run, notes: &[String]) -> Markup {
    html! {
        div.found {
            h2 { "How this was found" }
            ul {
                @for note in notes { li { (note) } }
                li { (dealt(run)) }
            }
            p { "To run it again:" }
            pre.command { code { (run.command) } }
            p.muted { "Made by saratoga " (run.version) "." }
        }
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

/// Maximum number of columns with room for intervals beside their figures.
const NARROW: usize = 3;

const SHORT: usize = 10;

/// Maximum length of a row name that stays on one line; longer text wraps, but keeps this minimum width.
const WHOLE: usize = 12;
const PROSE: usize = 24;

const PADDING: usize = 2;

/// Renders a table with its intervals below the figures, or beside them if it is narrow.
fn table(it: &DataTable) -> Markup {
    let groups = groups(&it.heads);
    let grouped = groups.iter().any(|(group, _)| !group.is_empty());
    html! {
        h3 { (it.title) }
        @if !it.about.is_empty() { p.muted { (it.about) } }
        div.wide.compared.short[it.rows.len() <= SHORT] {
            table.rulesets[grouped].pairs[it.heads.len() <= NARROW].two[it.heads.len() < NARROW] {
                thead {
                    @if grouped {
                        tr {
                            @for (group, heads) in &groups {
                                @if group.is_empty() { @for head in *heads { (th(head, true, false)) } }
                                @else { th.by colspan=(heads.len()) scope="colgroup" { (group) } }
                            }
                        }
                        tr {
                            @for (group, heads) in &groups {
                                @if !group.is_empty() {
                                    @for (i, head) in heads.iter().enumerate() { (th(head, false, i == 0)) }
                                }
                            }
                        }
                    } @else {
                        tr { @for head in &it.heads { (th(head, false, false)) } }
                    }
                }
                tbody { @for row in &it.rows { (tr(row, &it.heads)) } }
            }
        }
    }
}

/// Returns the width of a table in letters, about: figures are never broken, heads and names at their spaces.
fn letters(it: &DataTable) -> usize {
    let word = |text: &str| text.split(' ').map(|word| word.chars().count()).max().unwrap_or(0);
    let cell = |cell: &FormattedEstimate, head: &Head| match head.figures {
        // Intervals are written smaller.
        true => cell.value.chars().count().max(cell.interval.chars().count() * 4 / 5),
        false => cell.value.chars().count().min(WHOLE),
    };
    let column = |(i, head): (usize, &Head)| {
        let cells = it.rows.iter().filter_map(|row| Some(cell(row.cells.get(i)?, head)));
        cells.max().unwrap_or(0).max(word(&head.text)) + PADDING
    };
    it.heads.iter().enumerate().map(column).sum()
}

fn groups(heads: &[Head]) -> Vec<(&str, &[Head])> {
    heads.chunk_by(|a, b| a.group == b.group).map(|heads| (&*heads[0].group, heads)).collect()
}

fn th(head: &Head, whole: bool, first: bool) -> Markup {
    html! { th.n[head.figures].first[first] rowspan=[whole.then_some("2")] { (head.text) } }
}

fn tr(row: &Row, heads: &[Head]) -> Markup {
    html! {
        tr id=[(!row.anchor.is_empty()).then_some(&row.anchor)] {
            @for (i, (cell, head)) in row.cells.iter().zip(heads).enumerate() {
                @if i == 0 && !head.figures {
                    th.whole[cell.value.chars().count() <= WHOLE].prose[is_prose(&cell.value)] scope="row" {
                        @if row.link.is_empty() { (cell.value) } @else { a href={ "#" (row.link) } { (cell.value) } }
                        @if !row.about.is_empty() { small { (row.about) } }
                    }
                } @else {
                    td.n[head.figures].prose[!head.figures && is_prose(&cell.value)].first[starts(heads, i)].(class(cell.side))[cell.side != Side::Open] { (said(cell)) }
                }
            }
        }
    }
}

fn is_prose(text: &str) -> bool {
    text.chars().count() > PROSE
}

fn starts(heads: &[Head], i: usize) -> bool {
    i > 0 && !heads[i].group.is_empty() && heads[i - 1].group != heads[i].group
}

fn said(cell: &FormattedEstimate) -> Markup {
    // If it must break, it breaks after `to`.
    let interval = cell.interval.replace(" to ", "\u{a0}to ");
    html! { (cell.value) @if !interval.is_empty() { small { (interval) } } }
}

fn class(side: Side) -> &'static str {
    match side {
        Side::House => "house",
        Side::Player => "player",
        Side::Open => "open",
    }
}
