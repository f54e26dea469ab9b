//! What the measured games are too few to show, which no interval can hold.

use super::BankrollReport;
use super::words::dollars;
use crate::figures::{Side, count, games, plural, share};
use crate::report::document::Finding;
use crate::stats::payout;

/// Fewer games than this are no ground for the bootstrap.
const FEW_GAMES: u64 = 1_000;
/// Figures that hang on fewer wins than this have intervals that are too narrow.
const FEW_WINS: u64 = 10;

/// Warnings, most grave first; none where the games are ground enough.
pub(super) fn findings(report: &BankrollReport<'_>) -> Vec<Finding> {
    let casino = &report.rules.casino;
    let all = report.rules.cards();
    let win = payout(casino, all, all);
    let warn = |finding: String, rest: String| Finding { side: Side::Open, finding, rest };
    let mut told = Vec::new();
    if report.bankroll.replicates == 0 {
        told.push(warn(
            "The intervals are missing".into(),
            ": the run was interrupted before they were computed.".into(),
        ));
    }
    for (patron, name) in report.patrons.iter().zip(report.names()) {
        let (n, wins) = (patron.tally.games(), patron.tally.wins());
        if n < FEW_GAMES {
            told.push(warn(
                format!("{} of {name} are too few", games(n)),
                ": bootstrap samples from so few games say little, and the intervals are too narrow.".into(),
            ));
        }
        if win <= 0 || n == 0 {
            continue;
        }
        let pays = dollars(report, win as f64);
        if wins == 0 {
            // The rule of three: with 95% confidence what was never seen in n games comes in no more than 3 of n.
            let most = (3.0 / n as f64).min(1.0);
            told.push(warn(
                format!("No win of {name} was seen, so none is in any figure or interval"),
                format!(
                    ": after {}, up to {} of games may still be wins (3 in {}, the rule of three). Each \
                         pays {pays}, so the figures may leave out up to {} a {}.",
                    games(n),
                    share(most),
                    count(n),
                    dollars(report, most * win as f64),
                    if casino.is_staged() { "hand" } else { "deck" }
                ),
            ));
        } else if wins < FEW_WINS && casino.pays_for_win > 0 {
            told.push(warn(
                format!("Only {} of {name} {} seen", plural(wins, "win"), if wins == 1 { "was" } else { "were" }),
                format!(": figures that depend on the {pays} paid for a win have intervals that are too narrow; play more games."),
            ));
        }
    }
    told
}
