//! A plan as a document, for the terminal, the page and a workbook.

use super::{PlanReport, charts, tables, words};
use crate::report::bankroll::{BankrollReport, bankroll_charts, bankroll_tables};
use crate::report::document::{Block, Document, Medium};

/// The report as a document.
pub fn plan_document<'a>(report: &'a PlanReport<'a>) -> Document<'a> {
    let night: BankrollReport<'_> = report.night();
    let mut nights = bankroll_charts(&night).into_iter();
    let mut blocks = vec![Block::Chart(charts::price(report))];
    blocks.extend(nights.next().map(Block::Chart));
    blocks.push(Block::Chart(charts::players(report)));
    if report.rulesets.len() > 1 {
        blocks.push(Block::Table(tables::side_by_side(report)));
    }
    blocks.push(Block::Table(tables::players(report)));
    blocks.push(Block::Table(tables::par_sheet(report)));
    blocks.push(Block::Table(tables::bands(report)));
    blocks.push(Block::Table(tables::pay_table(report, false)));
    blocks.push(Block::Table(tables::season(report)));
    let more =
        [tables::pay_table(report, true), tables::night(report)].into_iter().chain(bankroll_tables(&night));
    blocks.push(Block::Only(Medium::Files, more.map(Block::Table).collect()));
    // How the night ends, and the bank: for those who read on.
    blocks.push(Block::Only(Medium::Page, nights.map(Block::Chart).collect()));
    Document {
        brief: true,
        title: words::title(report),
        provenance: report.provenance(),
        findings: words::findings(report),
        warning: words::WARNING.into(),
        played: words::played(report),
        cards: words::cards(report),
        blocks,
        notes: words::notes(report),
    }
}
