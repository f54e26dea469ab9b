//! The page as HTML, in the look of the other reports.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::chart::shelf_chart;
use super::{ShelfPage, ShelfRuleset, contests, facts};
use crate::report::answer::{WARNING, remarks};
use crate::report::charts::ChartError;
use crate::report::figures::{count, edge, games, mean, percent};
use crate::report::html::{figure, notes, page, side};
use crate::report::labels::in_full;
use crate::report::stakes::SHARE_OF_STAKED;
use crate::stats::Summary;

/// What this page's figures need to be understood, besides what every report says.
const NOTES: [&str; 3] = [
    "A rate says as much of the player as of the game. Greedy, the yardstick, moves whole piles only, and none \
     once the reserve is gone or where there is none; so in games such as Klondike it hardly plays in the tableau. \
     Patient is made for long games built in alternating colours.",
    "Few of these games were ever sold. Where a ruleset does not say otherwise, the price is that of Canfield: a \
     deck costs $1 for each of its cards and pays $5 for each that goes up.",
    SHARE_OF_STAKED,
];

/// The page of the shelf, standing alone.
///
/// # Errors
/// A chart that cannot be drawn.
pub fn shelf_html(shelf: &ShelfPage<'_>) -> Result<String, ChartError> {
    let total = shelf.entries().map(|entry| entry.summary.games).sum();
    let content = html! {
        p.lead { (players(shelf)) }
        p.lead { (WARNING) }
        p.muted { (games(total)) " dealt and played by saratoga " (shelf.version) }
        (figure(&shelf_chart(shelf).into())?)
        h2 { "The games" }
        (rulesets(shelf))
        (ends(shelf))
        (contests::section(shelf))
        h2 { "Other names" }
        (other_names(shelf))
        (notes(&[shelf.seed], shelf.command, shelf.version, &NOTES))
    };
    Ok(page("The shelf", shelf.version, "shelf", content))
}

/// Who played how much.
fn players(shelf: &ShelfPage<'_>) -> String {
    let said = |player: usize| {
        let played = || shelf.rulesets.iter().map(|row| row.summaries[player].games);
        let (least, most) = (played().min().unwrap_or(0), played().max().unwrap_or(0));
        let games = if least == most { games(most) } else { format!("{} to {}", count(least), games(most)) };
        format!("{games} of each by {}", shelf.players[player])
    };
    let said: Vec<String> = (0..shelf.players.len()).map(said).collect();
    let rulesets = shelf.rulesets.len();
    format!("The {rulesets} rulesets on the shelf, played from seed {}: {}.", shelf.seed, said.join(", "))
}

/// One row for each ruleset.
fn rulesets(shelf: &ShelfPage<'_>) -> Markup {
    html! {
        p {
            "Every figure with its 95% interval below it, under the rules of its row and the player of its column. "
            "Cards are those on the foundations at the end, of all in the packs."
        }
        div.wide {
            table.rulesets {
                thead {
                    tr {
                        th rowspan="2" { "Rules" }
                        @for fact in ["Packs", "Reserve", "Piles", "Stock", "Draw", "Redeals"] {
                            th.n rowspan="2" { (fact) }
                        }
                        @for player in &shelf.players { th.by colspan="3" scope="colgroup" { (player) } }
                    }
                    tr {
                        @for _ in &shelf.players {
                            th.n.first { "Games won" } th.n { "Cards" } th.n { "House edge" }
                        }
                    }
                }
                tbody { @for row in &shelf.rulesets { (ruleset(row)) } }
            }
        }
    }
}

fn ruleset(row: &ShelfRuleset<'_>) -> Markup {
    let rules = row.rules;
    html! {
        tr id=(row.id) {
            th scope="row" {
                b { (rules.name) } " " code { (row.id) }
                @if !rules.also.is_empty() { small { "also " (rules.also.join(", ")) } }
                small { (rules.about) }
            }
            td.n { (rules.deal.packs) }
            td.n { (facts::reserve(rules)) }
            td.n { (facts::piles(rules)) }
            td.n { (rules.stock_cards()) }
            td.n { (facts::draw(rules)) }
            td.n { (facts::redeals(rules)) }
            @for summary in &row.summaries { (figures(summary, rules.cards())) }
        }
    }
}

/// What one player came to.
fn figures(s: &Summary, cards: usize) -> Markup {
    if s.games == 0 {
        return html! { td.first colspan="3" { "no games played" } };
    }
    let (won, reached) = (percent(s.win_rate), mean(s.cards));
    html! {
        td.n.first { (won.value) small { (won.interval) } }
        td.n { (reached.value) " of " (cards) small { (reached.interval) } }
        @match s.house_edge {
            Some(e) => { @let said = edge(e); td.n class=(side(Some(e))) { (said.value) small { (said.interval) } } }
            None => { td.n { "no price" } }
        }
    }
}

/// The ends that need a word, where they occurred.
fn ends(shelf: &ShelfPage<'_>) -> Markup {
    let told: Vec<(String, Vec<String>)> = shelf
        .entries()
        .map(|entry| (in_full(&entry), remarks(&entry)))
        .filter(|(_, remarks)| !remarks.is_empty())
        .collect();
    html! {
        h3 { "Games that ended otherwise than by the cards" }
        @if told.is_empty() {
            p { "None: no game went round in circles, and none was stopped undecided." }
        } @else {
            ul { @for (name, remarks) in &told { li { (name) ": " (remarks.join("; ")) "." } } }
        }
    }
}

/// What else the games are called, and what one types for them.
fn other_names(shelf: &ShelfPage<'_>) -> Markup {
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in &shelf.rulesets {
        for name in &row.rules.also {
            names.entry(name).or_default().push(row.id);
        }
    }
    html! {
        p { "What the sources of a game also call it. One name can stand for several games." }
        dl.names {
            @for (name, ids) in &names {
                div {
                    dt { (name) }
                    dd { @for (i, id) in ids.iter().enumerate() {
                        @if i > 0 { ", " }
                        a href={ "#" (id) } { (id) }
                    } }
                }
            }
        }
    }
}
