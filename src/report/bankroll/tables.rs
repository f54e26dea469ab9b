//! Tables of a night: its course, banks and patrons.

use super::BankrollReport;
use super::words::{dollars, edge_of, hands, of_this_night, risk_of_bank};
use crate::figures::{FormattedEstimate, edge, gain_estimate, number};
use crate::report::labels::percent_text;
use crate::report::patrons::{More, tenths};
use crate::report::table::{DataTable, exact, figure, name};
use crate::stats::FanPoint;

/// Rows of the tables of a course.
const ROWS: usize = 8;
/// A risk that needs no larger bank.
const SAFE: f64 = 1e-4;

/// So many of some numbers, evenly spread, the last always among them.
fn spread(n: usize, most: usize) -> impl Iterator<Item = usize> {
    let rows = n.min(most);
    (1..=rows).map(move |i| (i * n).div_ceil(rows) - 1)
}

/// The course of the night, and banks.
pub(in crate::report) fn bankroll_tables(report: &BankrollReport<'_>) -> [DataTable; 2] {
    [night(report), banks(report)]
}

/// The profit as the night goes on.
pub(super) fn night(report: &BankrollReport<'_>) -> DataTable {
    let casino = &report.rules.casino;
    let fan = &report.bankroll.fan;
    let rows = spread(fan.len(), ROWS).map(|i| {
        let FanPoint { decks, quantiles } = fan[i];
        let mut row = vec![number(decks.into())];
        row.extend([0, 2, 4].map(|q| gain_estimate(quantiles[q], casino)));
        row
    });
    let sold = if casino.is_staged() { "hands offered" } else { "decks sold" };
    DataTable::new(
        "Profit as the night goes on",
        "What the house has gained: one night in twenty is as bad as the first figure or worse, half are better than the median, and \
             one in twenty is as good as the last figure or better. Each has its 95% interval.",
        vec![name(sold), figure("bad night (5%)"), figure("median"), figure("good night (95%)")],
        rows,
    )
}

/// The risk of ruin by bank.
pub(super) fn banks(report: &BankrollReport<'_>) -> DataTable {
    // Banks that are hardly ever ruined are all alike.
    let points = &report.bankroll.ruin_by_bank;
    let safe = points.iter().position(|point| point.ruin.high < SAFE).map_or(points.len(), |last| last + 1);
    let rows = spread(safe, ROWS).map(|i| {
        let point = points[i];
        let bank = FormattedEstimate::of(point.bank as f64 / 100.0, dollars(report, point.bank as f64));
        vec![bank, risk_of_bank(report.bankroll, point.bank, point.ruin)]
    });
    DataTable::new(
        "The risk of ruin by bank",
        format!("Within {}.", hands(report, report.bankroll.decks)),
        vec![name("bank"), figure("nights with ruin")],
        rows,
    )
}

/// Who buys the decks, and what the house gains of each alone.
pub(super) fn patrons(report: &BankrollReport<'_>) -> DataTable {
    let more = More::of(report.patrons.iter().map(|it| &it.guest));
    let tonight = of_this_night(report);
    let rows = report.patrons.iter().zip(report.names()).enumerate().map(|(i, (patron, called))| {
        let mut row = vec![exact(called)];
        row.extend(more.cells(Some(&patron.guest)));
        row.push(exact(percent_text(patron.guest.share)));
        row.extend(tonight.map(|shares| exact(tenths(shares[i]))));
        row.extend([edge_of(report, i), number(patron.tally.games())]);
        row
    });
    let mix = report.bankroll.edge().map(|e| {
        let mut row = vec![exact("the mix")];
        row.extend(more.cells(None));
        row.push(exact("100%"));
        row.extend(tonight.map(|_| exact("100%")));
        row.extend([edge(e), number(report.patrons.iter().map(|it| it.tally.games()).sum())]);
        row
    });
    let mut columns = vec![name("patron")];
    columns.extend(more.columns());
    columns.push(figure("share"));
    columns.extend(tonight.map(|_| figure("share of this night")));
    columns.extend([figure("house edge"), figure("games measured")]);
    let in_the_long_run = tonight.map_or("", |_| " in the long run and of this night");
    DataTable::new(
        "The patrons",
        format!(
            "The share of decks that each buys{in_the_long_run}, and the house edge against each alone and against all of them \
             together."
        ),
        columns,
        rows.chain(mix),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_spread_evenly_and_end_with_the_last() {
        assert_eq!(spread(60, 8).collect::<Vec<_>>(), [7, 14, 22, 29, 37, 44, 52, 59]);
        assert_eq!(spread(3, 8).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(spread(0, 8).count(), 0);
    }
}
