//! The scripts that look ahead.

use super::{ShelfPage, ShelfRuleset};
use crate::figures::{FormattedEstimate, mean, number, percent};
use crate::report::labels::name_in_full;
use crate::report::table::{DataTable, Head, exact, figure, name};
use crate::stats::Summary;

/// A row for each ruleset that they played; none where there is no such ruleset.
pub(super) fn table(shelf: &ShelfPage<'_>, in_full: bool) -> Option<DataTable> {
    let played: Vec<&ShelfRuleset<'_>> =
        shelf.rulesets.iter().filter(|row| row.ahead.iter().any(|s| s.games > 0)).collect();
    if played.is_empty() {
        return None;
    }
    let mut heads: Vec<Head> = vec![name("rules"), figure("games")];
    for player in &shelf.ahead {
        if in_full {
            heads.extend(["games won", "cards"].map(|head| figure(head).below(player)));
        } else {
            heads.push(figure(format!("cards, {player}")));
        }
    }
    let rows = played.into_iter().map(|row| {
        let name = if in_full { name_in_full(&row.rules.name, row.id) } else { row.id.into() };
        let games = row.ahead.iter().map(|s| s.games).max().unwrap_or(0);
        let mut cells = vec![exact(name), number(games)];
        for summary in &row.ahead {
            let [won, cards] = figures(summary);
            cells.extend(in_full.then_some(won));
            cells.push(cards);
        }
        cells
    });
    let about = "Scripts that play sampled deals on before they choose a move, on the first deals of each ruleset of one \
                 pack, with 95% intervals. Foresight knows the coming passes, chooser chooses its base, and sampler \
                 samples for every move.";
    let about = if in_full { about } else { "" };
    Some(DataTable::new("The scripts that look ahead", about, heads, rows.collect::<Vec<_>>()))
}

fn figures(s: &Summary) -> [FormattedEstimate; 2] {
    if s.games == 0 { [exact("no games"), exact("")] } else { [percent(s.win_rate), mean(s.cards)] }
}
