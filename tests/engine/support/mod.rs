//! Shared code of the engine's tests: tables and views as the plain implementation has them, scripted chance, and contests.

pub use crate::common::walk::deck;
pub use crate::common::{Whim, scale, shelf, specs};

use crate::engine::plain::{PCard, PlainGame};
use saratoga::cards::Card;
use saratoga::contest::{ContestSpec, DealEnd, Foundations, Goal, PlayerSpec};
use saratoga::game::{Chance, MoveList, Table, View};
use saratoga::rules::{self, Rules, Spec};

/// Returns the rules of a ruleset of the shelf.
pub fn spec(name: &str) -> Spec {
    rules::load(name).unwrap_or_else(|e| panic!("{e}")).rules.spec().clone()
}

pub fn words(rules: &Rules, moves: &MoveList) -> Vec<String> {
    moves.iter().map(|m| m.notation(rules.spec().reserve.piles.into())).collect()
}

/// Returns the legal moves of a table, listed from scratch.
pub fn legal(rules: &Rules, table: &Table) -> Vec<String> {
    let mut moves = MoveList::new();
    table.legal_moves(rules, &mut moves);
    words(rules, &moves)
}

/// Returns what a player of the table sees, in the format of the plain implementation.
pub fn seen(view: &View<'_>) -> String {
    let list = |name: &str, cards: &mut dyn Iterator<Item = Option<Card>>| {
        let cards: String = cards
            .map(|card| format!(" {}", card.map_or("?".into(), |card| PCard::from(card).to_string())))
            .collect();
        format!("{name}:{cards}")
    };
    let mut lines = vec![list("offered", &mut view.offered().iter().copied().map(Some))];
    for r in 0..view.rules().reserve.piles.into() {
        let cards = &mut (0..view.reserve_len(r)).map(|i| view.reserve(r, i));
        lines.push(list(&format!("reserve {}", r + 1), cards));
    }
    for p in 0..view.piles() {
        lines.push(list(&format!("pile {}", p + 1), &mut (0..view.pile_len(p)).map(|i| view.pile(p, i))));
    }
    lines.push(list("waste", &mut (0..view.waste_left()).map(|i| view.waste(i))));
    lines.push(list("stock", &mut (0..view.stock_left()).map(|i| view.coming(i))));
    lines.join("\n")
}

/// Returns a table in the form of the plain implementation.
pub fn plain(rules: &Rules, table: &Table) -> PlainGame {
    fn upwards<T>(cards: impl Iterator<Item = T>) -> Vec<T> {
        let mut cards: Vec<T> = cards.collect();
        cards.reverse();
        cards
    }
    let spec = rules.spec();
    let listed = |cards: &[Card]| cards.iter().map(|&card| card.into()).collect();
    let pile = |p| upwards(table.pile(p).map(|(card, up)| (card.into(), up)));
    PlainGame {
        packs: spec.deal.packs,
        ranks: spec.pack.ranks,
        base: table.base().map_or(0, |rank| rank.number() as u8),
        offered: listed(table.offered()),
        reserves: (0..spec.reserve.piles.into())
            .map(|r| upwards(table.reserve(r).map(PCard::from)))
            .collect(),
        piles: (0..spec.piles()).map(pile).collect(),
        foundations: (0..4 * usize::from(spec.deal.packs))
            .map(|f| upwards(table.foundation(f).map(PCard::from)))
            .collect(),
        stock: listed(table.stock()),
        waste: listed(table.waste()),
        redeals_used: table.redeals(),
        pass: table.pass(),
        packet: table.packet() as u8,
    }
}

/// Chance with a cyclic list of rolls, and shuffles that reverse the order. It records what it was asked.
pub struct Told {
    faces: Vec<u8>,
    rolled: usize,
    asked: String,
}

impl Told {
    pub fn new(faces: &[u8]) -> Told {
        Told { faces: faces.to_vec(), rolled: 0, asked: String::new() }
    }

    /// Returns ` roll` for each die and ` shuffle` for each shuffle, in the order in which they were requested.
    pub fn asked(&self) -> &str {
        &self.asked
    }
}

impl Chance for Told {
    fn roll(&mut self, faces: u8) -> u8 {
        let face = self.faces.get(self.rolled % self.faces.len().max(1)).expect("a face for the die");
        self.rolled += 1;
        self.asked += " roll";
        assert!((1..=faces).contains(face));
        *face
    }

    fn shuffle(&mut self, stock: &mut [Card]) {
        self.asked += " shuffle";
        stock.reverse();
    }
}

/// Canfield with the score of Patient Exorcism.
pub fn exorcism() -> Spec {
    Spec { scores: spec("exorcism").scores, ..Spec::default() }
}

/// Returns a contest of greedy players with these speeds, in thousandths of an action per second.
pub fn contest(foundations: Foundations, deal_ends: DealEnd, goal: Goal, speeds: &[u32]) -> ContestSpec {
    let player = |(i, &speed): (usize, &u32)| PlayerSpec {
        name: format!("Player {}", i + 1),
        strategy: "greedy".into(),
        speed,
        jitter: 250,
        team: None,
    };
    ContestSpec {
        name: "a contest".into(),
        also: vec![],
        about: String::new(),
        source: String::new(),
        rules: "unnamed".into(),
        foundations,
        score: "points".into(),
        deal_ends,
        goal,
        gather: 30_000,
        players: speeds.iter().enumerate().map(player).collect(),
    }
}
