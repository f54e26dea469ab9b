//! Shared code of the engine's tests: tables and views as text, and scripted chance.

pub mod contests;
pub mod files;
pub mod layout;
pub mod small;
pub mod specs;

pub use crate::common::walk::deck;
pub use crate::common::{Whim, scale, shelf, walk};

use crate::engine::plain::{ChanceAnswer, ChanceRequest, PCard};
use saratoga::cards::{Card, Suit};
use saratoga::game::{Chance, MoveList, Table, View};
use saratoga::rules::Rules;

/// Returns the moves of a list in notation.
pub fn words(rules: &Rules, moves: &MoveList) -> Vec<String> {
    moves.iter().map(|m| m.notation(rules.spec().reserve.piles.into())).collect()
}

/// Returns the legal moves of a table, listed from scratch.
pub fn legal(rules: &Rules, table: &Table) -> Vec<String> {
    let mut moves = MoveList::new();
    table.legal_moves(rules, &mut moves);
    words(rules, &moves)
}

/// Returns the name of a card that distinguishes packs, such as `7H2`, unlike the game's own notation.
fn card_name(card: Card) -> String {
    of_pack(card.to_string(), card.pack())
}

fn of_pack(name: String, pack: usize) -> String {
    if pack == 0 { name } else { format!("{name}{}", pack + 1) }
}

/// Returns what a player of the table sees, in the format of the plain implementation.
pub fn seen(view: &View<'_>) -> String {
    let list = |name: &str, cards: &mut dyn Iterator<Item = Option<Card>>| {
        let cards: String = cards.map(|card| format!(" {}", card.map_or("?".into(), card_name))).collect();
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

/// Returns the whole table in the format of the plain implementation's dump.
pub fn dump(rules: &Rules, table: &Table) -> String {
    let mut text = String::new();
    let mut line = |name: String, cards: Vec<String>| {
        let cards: String = cards.into_iter().map(|card| format!(" {card}")).collect();
        text += &format!("{name}:{cards}\n");
    };
    let plain = |cards: &mut dyn Iterator<Item = Card>| cards.map(card_name).collect::<Vec<_>>();
    let upwards = |mut cards: Vec<String>| {
        cards.reverse();
        cards
    };
    line("base".into(), table.base().map(|rank| rank.to_string()).into_iter().collect());
    line("offered".into(), plain(&mut table.offered().iter().copied()));
    for r in 0..rules.spec().reserve.piles.into() {
        line(format!("reserve {}", r + 1), upwards(plain(&mut table.reserve(r))));
    }
    for p in 0..rules.spec().piles() {
        let mark = |(card, up)| if up { card_name(card) } else { format!("({})", card_name(card)) };
        line(format!("pile {}", p + 1), upwards(table.pile(p).map(mark).collect()));
    }
    for f in 0..4 * usize::from(rules.spec().deal.packs) {
        let name = of_pack(Suit::from_index(f).letter().to_string(), f / 4);
        line(format!("foundation {name}"), upwards(plain(&mut table.foundation(f))));
    }
    line("waste".into(), plain(&mut table.waste().iter().copied()));
    line("stock".into(), plain(&mut table.stock().iter().copied()));
    line("redeals".into(), vec![table.redeals().to_string()]);
    line("pass".into(), vec![table.pass().to_string()]);
    line("packet".into(), vec![table.packet().to_string()]);
    text
}

/// Returns every card of the table, sorted.
pub fn cards(rules: &Rules, table: &Table) -> Vec<Card> {
    let mut cards: Vec<Card> = table.waste().iter().chain(table.stock()).copied().collect();
    cards.extend(table.offered());
    cards.extend((0..rules.spec().reserve.piles.into()).flat_map(|r| table.reserve(r)));
    cards.extend((0..rules.spec().piles()).flat_map(|p| table.pile(p)).map(|(card, _)| card));
    cards.extend((0..4 * usize::from(rules.spec().deal.packs)).flat_map(|f| table.foundation(f)));
    cards.sort();
    cards
}

/// Chance with a cyclic list of rolls, and shuffles that reverse the order. It records what it was asked.
pub struct Told {
    faces: Vec<u8>,
    rolled: usize,
    asked: String,
}

impl Told {
    /// Creates dice that show these faces in turn.
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

/// Answers the plain implementation from the engine's chance.
pub fn answer(chance: &mut impl Chance, request: ChanceRequest) -> ChanceAnswer {
    match request {
        ChanceRequest::Roll { faces } => ChanceAnswer::Roll(chance.roll(faces)),
        ChanceRequest::Shuffle { cards } => {
            let mut cards: Vec<Card> = cards.into_iter().map(PCard::to_card).collect();
            chance.shuffle(&mut cards);
            ChanceAnswer::Order(cards.into_iter().map(PCard::from).collect())
        }
    }
}
