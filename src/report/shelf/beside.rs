//! The searching player beside the best of the scripts, on the same deals.

use serde::Serialize;

use super::ShelfPage;
use crate::figures::{difference, gain_estimate, mean, number, points};
use crate::report::labels::name_in_full;
use crate::report::table::{DataTable, exact, figure, name};
use crate::stats::{Estimate, PairSummary, Summary};

/// The best of the scripts under a ruleset, on the deals of the page's last player.
#[derive(Clone, Debug)]
pub struct ShelfBeside {
    /// The script with the highest net.
    pub name: String,
    /// What it came to.
    pub script: Summary,
    /// The player less the script, deal by deal.
    pub difference: PairSummary,
}

/// The same in the page's JSON.
#[derive(Serialize)]
pub(super) struct Beside<'a> {
    best_script: &'a str,
    deals: u64,
    cards_of_script: f64,
    cards_difference: Estimate,
    win_rate_difference: Estimate,
    net_difference: Estimate,
}

impl ShelfBeside {
    pub(super) fn json(&self) -> Beside<'_> {
        let ShelfBeside { name, script, difference } = self;
        Beside {
            best_script: name,
            deals: difference.games,
            cards_of_script: script.cards.value,
            cards_difference: difference.cards,
            win_rate_difference: difference.win_rate,
            net_difference: difference.money,
        }
    }
}

/// A row for each ruleset of which deals were played; none where there is no such ruleset.
pub(super) fn table(shelf: &ShelfPage<'_>, in_full: bool) -> Option<DataTable> {
    let rows: Vec<_> = shelf
        .rulesets
        .iter()
        .filter_map(|row| {
            let (beside, own) = (row.beside.as_ref()?, row.summaries.last()?);
            let name = if in_full { name_in_full(&row.rules.name, row.id) } else { row.id.into() };
            let mut cells = vec![exact(name), number(beside.difference.games), exact(beside.name.as_str())];
            if in_full {
                cells.extend([
                    mean(beside.script.cards),
                    mean(own.cards),
                    points(beside.difference.win_rate),
                ]);
            }
            cells.push(difference(beside.difference.cards));
            cells.push(gain_estimate(beside.difference.money, &row.rules.casino));
            Some(cells)
        })
        .collect();
    if rows.is_empty() {
        return None;
    }
    let player = shelf.players.last().copied().unwrap_or_default();
    let mut heads = vec![name("rules"), figure("deals"), name("best script")];
    if in_full {
        heads.extend([figure("cards, script"), figure(format!("cards, {player}")), figure("more games won")]);
    }
    heads.extend([figure("more cards"), figure("more money")]);
    let about = format!(
        "By how much {player} beats the best of the scripts on the same deals, in the mean of a game, with 95% \
         intervals. All scripts of the shelf played these deals, and the best is the one that won most money on \
         them; so the choice favours the script, and the differences are rather too small than too great."
    );
    Some(DataTable::new(
        "The searching player and the best script",
        if in_full { about } else { String::new() },
        heads,
        rows,
    ))
}
