//! The report on prices as a document, for the terminal and the page.

use super::{PriceReport, charts, tables, words};
use crate::report::document::{Block, Document};
use crate::report::rare::rarest;

/// The report as a document.
pub fn price_document<'a>(report: &'a PriceReport<'a>) -> Document<'a> {
    let mut blocks = vec![Block::Table(tables::terms(report))];
    let tallies = report.results.tallies.iter().map(|tally| tally.histogram());
    let casino = &report.rules.casino;
    let told = tallies.zip(report.names()).map(|(games, name)| (casino, casino.stake as f64, games, name));
    blocks.extend(rarest(told).map(Block::Text));
    let terms = report.terms().into_iter().filter_map(|term| charts::term_chart(report, term));
    blocks.extend(terms.map(Block::Chart));
    blocks.extend(tables::round_sums(report).map(Block::Table));
    if !report.results.variants.is_empty() {
        blocks.push(Block::Heading(words::variants_heading(report)));
        blocks.extend(charts::one_rule_changed(report).map(Block::Chart));
        blocks.push(Block::Table(tables::variants(report)));
        blocks.extend(words::impossible(report).map(Block::Text));
    }
    Document {
        brief: false,
        title: words::title(report),
        provenance: report.provenance(),
        findings: words::findings(report),
        warning: words::warning(report),
        played: words::played(report),
        cards: words::cards(report),
        blocks,
        notes: words::notes(report),
    }
}
