//! The page in short, for a terminal.

use super::{ShelfPage, contests};
use crate::report::figures::{ascii, games, percent};
use crate::report::terminal::plain_table;

/// The share of games won for each ruleset and player, at most 100 columns wide.
pub fn shelf_table(page: &ShelfPage<'_>) -> String {
    let wins = |player: &&str| format!("games won by {player}");
    let header = std::iter::once("rules".to_string()).chain(page.players.iter().map(wins)).collect();
    let row = |row: &super::ShelfRuleset<'_>| {
        let said = row.summaries.iter().map(|s| match s.games {
            0 => "no games".into(),
            _ => percent(s.win_rate).both(),
        });
        std::iter::once(row.id.to_string()).chain(said).collect()
    };
    let table = plain_table(header, page.rulesets.iter().map(row).collect(), 1);
    let one = |player: &&str| format!("matches won by one {player}");
    let header = std::iter::once("contest".to_string()).chain(page.players.iter().map(one)).collect();
    let contests = plain_table(header, contests::rows(page), 1);
    let others = page.players.first().copied().unwrap_or_default();
    let total = page.entries().map(|entry| entry.summary.games).sum();
    ascii(&format!(
        "{table}\n{contests}\n{} dealt from seed {}. In brackets are 95% intervals. The others in a contest play {others}.\n",
        games(total),
        page.seed
    ))
}
