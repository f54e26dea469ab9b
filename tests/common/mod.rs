//! What the tests of the engine share: rulesets to try, decks, chance that is told what to say.

// Every test takes its own part of this module.
#![allow(dead_code)]

pub mod contests;
pub mod layout;
pub mod small;
pub mod specs;

use rand_chacha::ChaCha8Rng;
use saratoga::cards::{Card, Deck, Purpose, Suit, below, generator};
use saratoga::game::{Chance, Game, MoveList, SeededChance, Table, View};
use saratoga::rules::{self, Rules};

/// Every ruleset of the shelf with its name.
pub fn shelf() -> Vec<(&'static str, Rules)> {
    rules::shelf().iter().map(|&(name, _)| (name, rules::load(name).unwrap().rules)).collect()
}

/// The deck of game 0 of a seed, of the shape these rules want.
pub fn deck(rules: &Rules, seed: u64) -> Deck {
    Deck::shuffled(rules.deck_shape(), seed, 0)
}

/// The moves of a list in notation.
pub fn words(rules: &Rules, moves: &MoveList) -> Vec<String> {
    moves.iter().map(|m| m.notation(rules.spec().reserve.piles.into())).collect()
}

/// The legal moves of a table, listed from nothing.
pub fn legal(rules: &Rules, table: &Table) -> Vec<String> {
    let mut moves = MoveList::new();
    table.legal_moves(rules, &mut moves);
    words(rules, &moves)
}

/// The name of a card that tells packs apart, as in `7H2`, although the game's own notation does not.
fn card_name(card: Card) -> String {
    of_pack(card.to_string(), card.pack())
}

fn of_pack(name: String, pack: usize) -> String {
    if pack == 0 { name } else { format!("{name}{}", pack + 1) }
}

/// What a player of the table sees, in the format of the plain implementation.
pub fn seen(view: &View<'_>) -> String {
    let list = |name: &str, cards: &mut dyn Iterator<Item = Option<Card>>| {
        let cards: String = cards.map(|card| format!(" {}", card.map_or("?".into(), card_name))).collect();
        format!("{name}:{cards}")
    };
    let mut lines = vec![list("offered", &mut view.offered().iter().copied().map(Some))];
    let reserves = 0..view.rules().reserve.piles.into();
    lines
        .extend(reserves.map(|r| list("reserve", &mut (0..view.reserve_len(r)).map(|i| view.reserve(r, i)))));
    lines
        .extend((0..view.piles()).map(|p| list("pile", &mut (0..view.pile_len(p)).map(|i| view.pile(p, i)))));
    lines.push(list("waste", &mut (0..view.waste_left()).map(|i| view.waste(i))));
    lines.push(list("stock", &mut (0..view.stock_left()).map(|i| view.coming(i))));
    lines.join("\n")
}

/// The whole table in the format of the plain implementation's dump.
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

/// Every card of the table, sorted.
pub fn cards(rules: &Rules, table: &Table) -> Vec<Card> {
    let mut cards: Vec<Card> = table.waste().iter().chain(table.stock()).copied().collect();
    cards.extend(table.offered());
    cards.extend((0..rules.spec().reserve.piles.into()).flat_map(|r| table.reserve(r)));
    cards.extend((0..rules.spec().piles()).flat_map(|p| table.pile(p)).map(|(card, _)| card));
    cards.extend((0..4 * usize::from(rules.spec().deal.packs)).flat_map(|f| table.foundation(f)));
    cards.sort();
    cards
}

/// A player who takes any legal move, but some sorts of moves oftener than others.
pub struct Whim {
    rng: ChaCha8Rng,
    /// Of ten choices, how many are made among the moves to the foundations, if there are any.
    pub up: u32,
    /// Of ten choices, how many are made among the plays within the table, if there are any.
    pub dither: u32,
    /// Of ten choices, how many are the draw or redeal, if there is one.
    pub turn: u32,
}

impl Whim {
    /// A player whose choices follow from a seed.
    pub fn new(seed: u64, up: u32, dither: u32) -> Whim {
        Whim { rng: generator(seed, 0, Purpose::Strategy), up, dither, turn: 0 }
    }

    /// A whole number in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        below(&mut self.rng, n as u32) as usize
    }

    /// The index of one of the moves.
    pub fn choose(&mut self, moves: &MoveList) -> usize {
        let inside =
            |i: &usize| moves[*i].to_tableau() && (moves[*i].from_tableau() || moves[*i].from_foundation());
        let up = |i: &usize| moves[*i].to_foundation();
        let roll = self.below(10) as u32;
        let liked: Vec<usize> = if roll < self.up {
            (0..moves.len()).filter(up).collect()
        } else if roll < self.up + self.dither {
            (0..moves.len()).filter(inside).collect()
        } else if roll < self.up + self.dither + self.turn {
            (moves.plays()..moves.len()).collect()
        } else {
            Vec::new()
        };
        if liked.is_empty() { self.below(moves.len()) } else { liked[self.below(liked.len())] }
    }
}

/// Walks a game by whim to its end, or to so many moves, and shows every position on the way. A draw or
/// redeal that would end the game is passed over while there are plays.
pub fn walk(rules: &Rules, seed: u64, moves: usize, mut show: impl FnMut(&Game<'_>, Option<&str>)) {
    let mut chance = SeededChance::new(seed, 0);
    let mut whim = Whim::new(seed, 4, seed as u32 % 3);
    let mut game = Game::new(rules);
    game.deal(deck(rules, seed).cards(), &mut chance);
    show(&game, None);
    for _ in 0..moves {
        if game.end().is_some() {
            return;
        }
        let mut chosen = game.legal()[whim.choose(game.legal())];
        if game.would_be_barren(chosen) {
            chosen = game.legal()[0];
        }
        let word = chosen.notation(rules.spec().reserve.piles.into());
        if !game.make(chosen, &mut chance) {
            return;
        }
        show(&game, Some(&word));
    }
}

/// Dice that fall as told, over and over, and shuffles that turn the order about.
pub struct Told {
    faces: Vec<u8>,
    rolled: usize,
}

impl Told {
    /// Dice that show these faces in turn.
    pub fn new(faces: &[u8]) -> Told {
        Told { faces: faces.to_vec(), rolled: 0 }
    }
}

impl Chance for Told {
    fn roll(&mut self, faces: u8) -> u8 {
        let face = self.faces[self.rolled % self.faces.len()];
        self.rolled += 1;
        assert!((1..=faces).contains(&face));
        face
    }

    fn shuffle(&mut self, stock: &mut [Card]) {
        stock.reverse();
    }
}

/// How many times its usual size a random comparison is to be: `SARATOGA_SCALE`, or 1.
pub fn scale() -> u64 {
    std::env::var("SARATOGA_SCALE").ok().and_then(|scale| scale.parse().ok()).unwrap_or(1).max(1)
}
