//! The page of an experiment.

use maud::{Markup, html};

use super::notes::found;
use super::sheet::table;
use super::{figure, page};
use crate::report::charts::ChartError;
use crate::report::document::{Block, Card, Document};
use crate::report::figures::Side;

/// The document as one page that stands alone.
///
/// # Errors
/// A chart that cannot be drawn.
pub fn document_html(document: &Document<'_>) -> Result<String, ChartError> {
    let notes = html! { @for note in &document.notes { li { (note) } } };
    let body = html! {
        ul.answers {
            @for it in &document.findings { li class=(class(it.side)) { strong { (it.finding) } (it.rest) } }
        }
        @if !document.warning.is_empty() { p.lead { (document.warning) } }
        p.muted { (document.played) }
        @if !document.cards.is_empty() { div.cards { @for it in &document.cards { (card(it)) } } }
        @for it in &document.blocks { (block(it)?) }
        @for it in &document.attached {
            details { summary { (it.title) } pre { code { (it.text) } } }
        }
        (found(&notes, &[document.seed], &document.command, &document.version))
    };
    Ok(page(&document.title, &document.version, "", body))
}

fn class(side: Side) -> &'static str {
    match side {
        Side::House => "house",
        Side::Player => "player",
        Side::Open => "open",
    }
}

fn card(card: &Card) -> Markup {
    html! {
        div class={ "card " (class(card.side)) } {
            span { (card.what) }
            b { (card.said.value) }
            span { (card.said.interval) }
        }
    }
}

fn block(block: &Block<'_>) -> Result<Markup, ChartError> {
    Ok(match block {
        Block::Heading(text) => html! { h2 { (text) } },
        Block::Text(text) => html! { p { (text) } },
        Block::Verbatim(text) => html! { pre.command { code { (text) } } },
        Block::Table(sheet) => table(sheet),
        Block::Chart(chart) => figure(chart)?,
    })
}
