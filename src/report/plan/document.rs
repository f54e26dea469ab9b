//! A plan as a document, for the terminal, the page and a workbook.

use super::formulas::Sheets;
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
    let sheets = Sheets::new(report, tables::par_sheet(report));
    let mut players = tables::players(report);
    let [mut pay_table, mut by_card] = [false, true].map(|whole| tables::pay_table(report, whole));
    sheets.players(&mut players);
    sheets.pay_table(&mut pay_table);
    sheets.by_cards(&mut by_card);
    let shown = [players, sheets.par_sheet(), tables::bands(report), pay_table, tables::season(report)];
    blocks.extend(shown.map(Block::Table));
    blocks.extend(words::unfit(report).into_iter().map(Block::Warning));
    let more = [by_card, tables::night(report)].into_iter().chain(bankroll_tables(&night));
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
