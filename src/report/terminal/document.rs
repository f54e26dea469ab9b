//! The findings of an experiment as plain text, at most 100 columns wide.

use std::fmt::Write;

use super::sheet::laid_out;
use super::{item, wrapped};
use crate::report::document::{Block, Document};
use crate::report::figures::ascii;

/// All that a document says in words and tables; charts are for the page.
pub fn document_terminal(document: &Document<'_>) -> String {
    let mut text = String::new();
    for it in &document.findings {
        text.push_str(&wrapped(&format!("{}{}", it.finding, it.rest), "", ""));
    }
    if !document.warning.is_empty() {
        text.push_str(&wrapped(&document.warning, "", ""));
    }
    text.push('\n');
    text.push_str(&wrapped(&document.title, "", "  "));
    text.push_str(&item("played", &document.played));
    for card in &document.cards {
        let said = if card.said.interval.is_empty() { card.said.value.clone() } else { card.said.both() };
        text.push_str(&item(&card.what, &said));
    }
    for block in &document.blocks {
        match block {
            Block::Heading(heading) => {
                let _ = write!(text, "\n{}", wrapped(heading, "", ""));
            }
            Block::Text(words) => text.push_str(&wrapped(words, "", "")),
            Block::Verbatim(words) => {
                let _ = writeln!(text, "{words}");
            }
            Block::Table(sheet) => {
                let _ = write!(text, "\n{}\n{}", sheet.title, laid_out(sheet));
            }
            Block::Chart(_) => {}
        }
    }
    ascii(&text)
}
