//! The charts of an evening: how it goes, how it ends, and the risk of ruin by bank.

mod fan;
mod night;
mod ruin;

use super::Chart;
use crate::report::bankroll::BankrollReport;

/// All charts of an evening.
pub fn bankroll_charts<'a>(report: &'a BankrollReport<'a>) -> Vec<Chart<'a>> {
    let mut charts = vec![
        Chart::of("profit-over-the-evening", fan::Fan(report)),
        Chart::of("profit-of-the-night", night::Night(report)),
    ];
    // Without a loss to fear there is no ruin.
    if report.bankroll.greatest_loss > 0 {
        charts.push(Chart::of("ruin-by-bank", ruin::Ruin(report)));
    }
    charts
}

/// The name of an axis of money.
fn in_currency(report: &BankrollReport<'_>, what: &str) -> String {
    match report.rules.casino.currency.trim() {
        "" => what.into(),
        currency => format!("{what}, {currency}"),
    }
}
