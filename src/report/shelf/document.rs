//! The shelf as a document.

use std::collections::BTreeMap;

use super::chart::shelf_chart;
use super::{ShelfPage, ShelfRuleset, ahead, beside, contests, facts};
use crate::figures::{FormattedEstimate, count, edge, games, mean, number, percent};
use crate::report::answer::{WARNING, remarks};
use crate::report::document::{Block, Document, Medium};
use crate::report::labels::{in_full, name_in_full};
use crate::report::provenance::Provenance;
use crate::report::simulate::NOTES;
use crate::report::stakes::SHARE_OF_STAKED;
use crate::report::table::{DataTable, Head, Row, exact, figure, name};
use crate::stats::Summary;

/// What this page's figures need to be understood, besides what every report says.
const MORE: [&str; 3] = [
    "A rate says as much about the player as about the game. Greedy, the yardstick, moves whole piles while \
         the reserve has cards, and what covers a hidden card, but no other part of a pile. Patient is made for long games built in alternating colours.",
    "Few of these games were ever sold. Unless a ruleset says otherwise, it has Canfield's prices: $1 for \
         each card of the packs, and $5 back for each card brought up.",
    SHARE_OF_STAKED,
];

/// The page of the shelf; in a terminal, the share of games won for each ruleset and player.
pub fn shelf_document<'a>(shelf: &'a ShelfPage<'a>) -> Document<'a> {
    let total = shelf.entries().map(|entry| entry.summary.games).sum();
    let mut page = vec![Block::Chart(shelf_chart(shelf)), Block::Table(rulesets(shelf))];
    page.extend(beside::table(shelf, true).map(Block::Table));
    page.extend(ahead::table(shelf, true).map(Block::Table));
    page.extend([
        Block::Heading("Games that were stopped or ended by another rule".into()),
        ends(shelf),
        Block::Table(contests::table(shelf)),
        Block::Heading("Other names".into()),
    ]);
    page.push(Block::Text("Other names of each game in its sources. Several games can share a name.".into()));
    page.push(Block::Index(other_names(shelf)));
    let others = shelf.players.first().copied().unwrap_or_default();
    let mut terminal = vec![Block::Table(wins(shelf))];
    terminal.extend(beside::table(shelf, false).map(Block::Table));
    terminal.extend(ahead::table(shelf, false).map(Block::Table));
    terminal.extend([
        Block::Table(contests::wins(shelf)),
        Block::Text(format!(
            "The ranges in brackets are 95% intervals. In a contest, all other players use \
            {others}."
        )),
    ]);
    Document {
        brief: false,
        title: "The shelf".into(),
        provenance: Provenance::new((shelf.version, shelf.command), shelf.seed, [], []),
        findings: Vec::new(),
        warning: WARNING.into(),
        played: format!("{} {}", games(total), players(shelf)),
        cards: Vec::new(),
        blocks: vec![Block::Only(Medium::Page, page), Block::Only(Medium::Terminal, terminal)],
        notes: NOTES.iter().chain(&MORE).map(|note| note.to_string()).collect(),
    }
}

/// Who played how much.
fn players(shelf: &ShelfPage<'_>) -> String {
    let said = |player: usize| {
        let played = || shelf.rulesets.iter().map(|row| row.summaries[player].games);
        let (least, most) = (played().min().unwrap_or(0), played().max().unwrap_or(0));
        let games = if least == most { games(most) } else { format!("{} to {}", count(least), games(most)) };
        format!("{games} of each by {}", shelf.players[player])
    };
    let mut said: Vec<String> = (0..shelf.players.len()).map(said).collect();
    if let Some((last, others)) = shelf.ahead.split_last() {
        let most = shelf.rulesets.iter().flat_map(|row| &row.ahead).map(|s| s.games).max().unwrap_or(0);
        said.push(format!("{} of each of one pack by {} and {last}", games(most), others.join(", ")));
    }
    let rulesets = shelf.rulesets.len();
    format!("of the {rulesets} rulesets on the shelf, dealt from seed {}: {}", shelf.seed, said.join(", "))
}

/// The share of games won for each ruleset and player.
fn wins(shelf: &ShelfPage<'_>) -> DataTable {
    let by = shelf.players.iter().map(|player| figure(format!("games won by {player}")));
    let heads: Vec<Head> = std::iter::once(name("rules")).chain(by).collect();
    let row = |row: &ShelfRuleset<'_>| {
        let said = row.summaries.iter().map(|s| match s.games {
            0 => exact("no games"),
            _ => percent(s.win_rate),
        });
        std::iter::once(exact(row.id)).chain(said).collect::<Vec<_>>()
    };
    DataTable::new("The games", "", heads, shelf.rulesets.iter().map(row))
}

/// Every ruleset with its facts, and what each player came to.
fn rulesets(shelf: &ShelfPage<'_>) -> DataTable {
    let mut heads = vec![name("rules")];
    for player in &shelf.players {
        heads.extend(["games won", "cards", "house edge"].map(|head| figure(head).below(player)));
    }
    heads.extend(
        ["packs", "reserve", "piles", "stock", "draw", "redeals"].map(|head| figure(head).below("rules")),
    );
    let about = "Every figure with its 95% interval below it, under the rules of its row and the player of its column. \
                 Cards are those on the foundations at the end, of all in the packs.";
    DataTable::new("The games", about, heads, shelf.rulesets.iter().map(ruleset))
}

fn ruleset(row: &ShelfRuleset<'_>) -> Row {
    let rules = row.rules;
    let mut cells = vec![exact(name_in_full(&rules.name, row.id))];
    cells.extend(row.summaries.iter().flat_map(|summary| figures(summary, rules.cards())));
    cells.extend([
        number(rules.deal.packs.into()),
        exact(facts::reserve(rules)),
        exact(facts::piles(rules)),
        number(rules.stock_cards() as u64),
        exact(facts::draw(rules)),
        exact(facts::redeals(rules)),
    ]);
    Row {
        cells,
        anchor: row.id.into(),
        about: facts::also_and_about(&rules.also, &rules.about),
        ..Row::default()
    }
}

/// What one player came to.
fn figures(s: &Summary, cards: usize) -> [FormattedEstimate; 3] {
    if s.games == 0 {
        return ["no games", "", ""].map(exact);
    }
    let reached = mean(s.cards);
    let reached = FormattedEstimate { value: format!("{} of {cards}", reached.value), ..reached };
    [percent(s.win_rate), reached, s.house_edge.map_or(exact("no price"), edge)]
}

/// The ends that need a word, where they occurred.
fn ends(shelf: &ShelfPage<'_>) -> Block {
    let told: Vec<String> = shelf
        .entries()
        .map(|entry| (in_full(&entry), remarks(&entry)))
        .filter(|(_, remarks)| !remarks.is_empty())
        .map(|(name, remarks)| format!("{name}: {}.", remarks.join("; ")))
        .collect();
    if told.is_empty() {
        return Block::Text("None: no game went round in circles, and none was stopped undecided.".into());
    }
    Block::List(told)
}

/// What else the games are called, and what one types for them.
fn other_names(shelf: &ShelfPage<'_>) -> Vec<(String, Vec<String>)> {
    let mut names: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in &shelf.rulesets {
        for name in &row.rules.also {
            names.entry(name).or_default().push(row.id.to_string());
        }
    }
    names.into_iter().map(|(name, ids)| (name.to_string(), ids)).collect()
}
