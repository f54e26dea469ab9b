//! What the measured games are too few to show, which makes intervals wide.

use super::BankrollReport;
use super::words::dollars;
use crate::figures::{Side, games, plural, share};
use crate::report::document::Finding;
use crate::stats::{clopper_pearson, payout};

/// Figures that hang on fewer wins than this have wide intervals.
const FEW_WINS: u64 = 10;

/// Warnings, most grave first; none where the games are ground enough.
pub(in crate::report) fn findings(report: &BankrollReport<'_>) -> Vec<Finding> {
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
        if win <= 0 || n == 0 {
            continue;
        }
        let pays = dollars(report, win as f64);
        if wins < FEW_WINS && (wins == 0 || casino.pays_for_win > 0) {
            let most = clopper_pearson(wins, n).1;
            let seen = match wins {
                0 => format!("No win of {name} was seen"),
                1 => format!("Only 1 win of {name} was seen"),
                _ => format!("Only {} of {name} were seen", plural(wins, "win")),
            };
            told.push(warn(
                seen,
                format!(
                    " in {}. As many as {} of games may be wins, and each pays {pays}. This is what makes the \
                         intervals wide; more games narrow them.",
                    games(n),
                    share(most),
                ),
            ));
        }
    }
    told
}
