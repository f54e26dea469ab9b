//! The page's figures for programs: JSON and comma-separated values.

use std::collections::BTreeMap;

use serde::Serialize;

use super::beside::{Beside, ShelfBeside};
use super::contests::{self, Contest};
use super::{ShelfPage, ShelfRuleset, facts};
use crate::cards::Seed;
use crate::game::End;
use crate::report::csv::{Row, table};
use crate::rules::Draw;
use crate::stats::{Estimate, Summary};

#[derive(Serialize)]
struct Document<'a> {
    saratoga: &'a str,
    seed: Seed,
    command: &'a str,
    rulesets: Vec<Ruleset<'a>>,
    contests: Vec<Contest<'a>>,
}

#[derive(Serialize)]
struct Ruleset<'a> {
    id: &'a str,
    name: &'a str,
    also: &'a [String],
    about: &'a str,
    source: &'a str,
    packs: u8,
    reserve_piles: u8,
    reserve_size: u8,
    tableau: &'a [u8],
    stock: usize,
    /// Packet sizes by pass; `null` where a die decides.
    draw: Option<&'a [u8]>,
    /// `null` where there is no limit.
    redeals: Option<u32>,
    players: Vec<PlayerObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<Beside<'a>>,
}

#[derive(Serialize)]
struct PlayerObject<'a> {
    strategy: &'a str,
    games: u64,
    wins: u64,
    undecided: u64,
    win_rate: Estimate,
    cards: Estimate,
    house_edge: Option<Estimate>,
    ends: &'a BTreeMap<End, u64>,
}

fn ruleset<'p>(page: &'p ShelfPage<'_>, row: &'p ShelfRuleset<'_>) -> Ruleset<'p> {
    let rules = row.rules;
    let player = |(strategy, s): (&'p str, &'p Summary)| PlayerObject {
        strategy,
        games: s.games,
        wins: s.wins,
        undecided: s.undecided,
        win_rate: s.win_rate,
        cards: s.cards,
        house_edge: s.house_edge,
        ends: &s.ends,
    };
    Ruleset {
        id: row.id,
        name: &rules.name,
        also: &rules.also,
        about: &rules.about,
        source: &rules.source,
        packs: rules.deal.packs,
        reserve_piles: rules.reserve.piles,
        reserve_size: rules.reserve.size,
        tableau: &rules.tableau.deal,
        stock: rules.stock_cards(),
        draw: match &rules.stock.draw {
            Draw::ByPass(sizes) => Some(sizes),
            Draw::Die { .. } => None,
        },
        redeals: rules.stock.redeals,
        players: page.played(row).map(player).collect(),
        beside: row.beside.as_ref().map(ShelfBeside::json),
    }
}

/// The page as a JSON object: the program's version, the seed, the command, one object a ruleset with
/// its facts and one object a player, and the same for the contests. The same run gives the same bytes.
///
/// # Errors
/// None that these types can cause; serde's interface has one.
pub fn shelf_json(page: &ShelfPage<'_>) -> Result<String, serde_json::Error> {
    let rulesets = page.rulesets.iter().map(|row| ruleset(page, row)).collect();
    let contests = page.contests.iter().map(|row| contests::json(page, row)).collect();
    let (saratoga, seed, command) = (page.version, page.seed, page.command);
    let document = Document { saratoga, seed, command, rulesets, contests };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

const HEADER: &str = "id,name,packs,reserve_piles,reserve_size,piles,stock,draw,redeals,strategy,seed,games,wins,\
    win_rate,win_rate_low,win_rate_high,cards,cards_low,cards_high,cards_in_game,\
    house_edge,house_edge_low,house_edge_high,repeated,undecided";

/// The page as comma-separated values: a header, then one row for each ruleset and player.
pub fn shelf_csv(page: &ShelfPage<'_>) -> String {
    let mut rows = vec![Row::head(HEADER)];
    for row in &page.rulesets {
        let rules = row.rules;
        for (strategy, s) in page.played(row) {
            let cells = Row::default().text(row.id).text(&rules.name).field(rules.deal.packs);
            let cells = cells.field(rules.reserve.piles).field(rules.reserve.size);
            let cells = cells.field(rules.piles()).field(rules.stock_cards());
            let cells = cells.text(&facts::draw(rules)).text(&facts::redeals(rules)).text(strategy);
            let cells = cells.field(page.seed).field(s.games).field(s.wins);
            let cells = cells.estimate(Some(s.win_rate)).estimate(Some(s.cards)).field(rules.cards());
            let repeated = s.ends.get(&End::Repeated).copied().unwrap_or(0);
            rows.push(cells.estimate(s.house_edge).field(repeated).field(s.undecided));
        }
    }
    table(rows)
}
