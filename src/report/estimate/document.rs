//! What a night says as a document, for the terminal and the page.

use super::{EstimateReport, charts, words};
use crate::figures::{edge, number};
use crate::report::document::{Block, Document};
use crate::report::labels::percent_text;
use crate::report::patrons::More;
use crate::report::table::{DataTable, exact, figure, name};
use crate::stats::House;

/// The report as a document.
pub fn estimate_document<'a>(report: &'a EstimateReport<'a>) -> Document<'a> {
    let mut blocks = vec![Block::Chart(charts::evidence(report)), Block::Table(players(report))];
    if !report.found.unexplained {
        let after = [charts::edge(report), charts::shares(report)];
        blocks.splice(0..0, after.map(Block::Chart));
    }
    Document {
        brief: false,
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

/// The players, with their shares before and after the night.
fn players(report: &EstimateReport<'_>) -> DataTable {
    let found = report.found;
    let more = More::strategies(report.guests.iter());
    let rows = report.names().into_iter().zip(&report.guests).enumerate().map(|(i, (called, guest))| {
        let alone = House::new(&report.tallies[i], &report.rules.casino).edge();
        let mut row = vec![exact(called)];
        row.extend(more.cells(Some(guest)));
        row.push(exact(percent_text(guest.share)));
        row.extend((!found.unexplained).then(|| words::share(&found.shares[i])));
        row.extend([alone.map_or(exact("none"), edge), number(report.tallies[i].games())]);
        row
    });
    let mut columns = vec![name("player")];
    columns.extend(more.columns());
    columns.push(figure("share expected"));
    columns.extend((!found.unexplained).then(|| figure("share after the night")));
    columns.extend([figure("house edge alone"), figure("games measured")]);
    let (title, after) = match found.unexplained {
        true => ("Who was expected", ""),
        false => ("Who came", ", and what it is after the night"),
    };
    DataTable::new(
        title,
        format!(
            "The share of decks that each kind was expected to buy{after}; and the house edge against each alone."
        ),
        columns,
        rows,
    )
}
