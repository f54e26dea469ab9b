//! A document as plain text, broken at spaces to fit the terminal.

mod table;

use std::fmt::Write;

use crate::format::ascii;
use crate::report::document::{Block, Card, Document, Finding, Medium};
use crate::report::table::{DataTable, Layout};
use table::{laid_out, wrapped};

/// Maximum width of running text, for legibility, and of tables.
const TEXT: usize = 90;
const TABLE: usize = 100;
/// Width of the labels before figures.
const LABEL: usize = 22;

/// Renders the words and tables of a document at this width; charts are for the page.
pub fn document_terminal(document: &Document<'_>, width: usize) -> String {
    let mut out = Text { text: String::new(), width, after_table: false };
    out.findings(&document.all_findings());
    if !document.warning.is_empty() {
        out.paragraph(&document.warning);
    }
    out.text.push('\n');
    out.wrapped(&document.title, "", "  ");
    if !document.played.is_empty() {
        out.item("played", &document.played);
    }
    out.cards(&document.cards);
    out.blocks(&document.blocks, &document.title);
    ascii(&out.text)
}

struct Text {
    text: String,
    width: usize,
    /// Whether it ends with a table, after which a blank line is needed.
    after_table: bool,
}

impl Text {
    fn blocks(&mut self, blocks: &[Block], title: &str) {
        for block in blocks {
            self.block(block, title);
        }
    }

    fn block(&mut self, block: &Block, title: &str) {
        match block {
            Block::Heading(text) => self.heading(text),
            Block::Text(text) => self.paragraph(text),
            Block::Warning(text) => self.wrapped(text, "  ", "  "),
            Block::List(items) => items.iter().for_each(|item| self.wrapped(item, "- ", "  ")),
            Block::Verbatim(text) => {
                let _ = writeln!(self.text, "{text}");
            }
            Block::Findings(findings) => self.findings(findings),
            Block::Cards(cards) => self.cards(cards),
            Block::Table(table) => self.table(table),
            Block::Section(section) => {
                // A report with one section has already named its subject.
                if section.title != title {
                    self.text.push('\n');
                    self.wrapped(&section.title, "", "  ");
                    self.after_table = false;
                }
                self.blocks(&section.blocks, title);
            }
            Block::Only(Medium::Terminal, blocks) => self.blocks(blocks, title),
            Block::Only(Medium::Page | Medium::Files, _)
            | Block::Chart(_)
            | Block::Details(_)
            | Block::Index(_) => {}
        }
    }

    fn heading(&mut self, text: &str) {
        self.text.push('\n');
        self.wrapped(text, "", "");
        self.after_table = false;
    }

    fn paragraph(&mut self, text: &str) {
        if std::mem::take(&mut self.after_table) {
            self.text.push('\n');
        }
        self.wrapped(text, "", "");
    }

    fn findings(&mut self, findings: &[Finding]) {
        for Finding { finding, rest, .. } in findings {
            self.paragraph(&format!("{finding}{rest}"));
        }
    }

    fn cards(&mut self, cards: &[Card]) {
        for card in cards {
            self.item(&card.what, &card.said.both());
        }
    }

    fn table(&mut self, table: &DataTable) {
        if table.layout == Layout::Lines {
            for row in &table.rows {
                let mut cells = row.cells.iter().map(|cell| cell.both());
                let name = cells.next().unwrap_or_default();
                let told: Vec<String> = cells.filter(|cell| !cell.is_empty()).collect();
                self.item(&name, &told.join(", "));
            }
            self.after_table = true;
            return;
        }
        self.heading(&table.title);
        self.text.push_str(&laid_out(table, self.width.min(TABLE)));
        self.after_table = true;
    }

    /// Adds a label and its text, wrapped with a hanging indent.
    fn item(&mut self, label: &str, what: &str) {
        let gap = if label.chars().count() >= LABEL { "  " } else { "" };
        self.wrapped(what, &format!("  {label:<LABEL$}{gap}"), &" ".repeat(2 + LABEL));
    }

    fn wrapped(&mut self, what: &str, first: &str, rest: &str) {
        self.text.push_str(&wrapped(what, first, rest, self.width.min(TEXT)));
    }
}
