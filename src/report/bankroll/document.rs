//! A night as a document, for the terminal and the page.

use super::{BankrollReport, charts, tables, unseen, words};
use crate::report::document::{Block, Document};

/// The report as a document.
pub fn bankroll_document<'a>(report: &'a BankrollReport<'a>) -> Document<'a> {
    let mut blocks: Vec<Block> = charts::bankroll_charts(report).into_iter().map(Block::Chart).collect();
    blocks.push(Block::Table(tables::night(report)));
    blocks.push(Block::Table(tables::banks(report)));
    if report.patrons.len() > 1 {
        blocks.push(Block::Table(tables::patrons(report)));
    }
    Document {
        brief: false,
        title: words::title(report),
        provenance: report.provenance(),
        findings: words::findings(report).into_iter().chain(unseen::findings(report)).collect(),
        warning: words::WARNING.into(),
        played: words::played(report),
        cards: words::cards(report),
        blocks,
        notes: words::notes(report),
    }
}
