//! Brackets as a document, for the terminal and the page.

use super::{BracketReport, charts, tables, words};
use crate::chart::Chart;
use crate::report::document::{Block, Document, Section};
use crate::report::labels::upper_first;
use crate::stats::Measure;

/// The report as a document.
pub fn bracket_document<'a>(report: &'a BracketReport<'a>) -> Document<'a> {
    let mut blocks = Vec::new();
    if report.points.len() > 1 {
        blocks.extend(charts::overview(report).into_iter().map(Block::Chart));
        let paid = report.points.iter().all(|point| point.brackets.house_edge.is_some());
        blocks.extend(paid.then(|| Block::Table(tables::by_player(report, Measure::Money))));
        blocks.push(Block::Table(tables::by_player(report, Measure::Cards)));
    }
    blocks.push(Block::Table(tables::brackets(report)));
    blocks.push(Block::Table(tables::widths(report)));
    match &report.points[..] {
        [only] => {
            blocks.push(Block::Table(tables::ladder(report, only)));
            let ladder = charts::ladder(report, only);
            blocks.push(Block::Chart(Chart { name: "ladder".into(), ..ladder }));
        }
        points => blocks.extend(points.iter().map(|point| {
            Block::Section(Section {
                id: point.anchor(),
                title: upper_first(&point.label(report)),
                blocks: vec![
                    Block::Table(tables::ladder(report, point)),
                    Block::Chart(charts::ladder(report, point)),
                ],
            })
        })),
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
