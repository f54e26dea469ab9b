//! Small games: all cards of some suits and ranks are up before the first choice is made, and few are left in the
//! stock.

use rand_chacha::ChaCha8Rng;
use saratoga::cards::{Card, Purpose, below, generator};
use saratoga::game::{MoveList, NoChance, Table};
use saratoga::rules::Rules;

use super::deck;

/// Returns a deal in its first pass with at most `left_in_stock` cards in the stock and the rest of it up; `None` if
/// the rules deal no base card, or do not let the cards go up from the waste one after the other.
pub fn deal(rules: &Rules, seed: u64, left_in_stock: usize) -> Option<Table> {
    let mut rng = generator(seed, 0, Purpose::Strategy);
    let cards = deck(rules, seed).cards().to_vec();
    let any = Table::deal(rules, &cards, &mut NoChance);
    let packet = any.packet();
    let many = any.stock().len().saturating_sub(left_in_stock) / packet * packet;
    let ups = ups(&any, &cards, many, &mut rng)?;
    // A packet shows its last card first.
    let first: Vec<Card> = ups.chunks(packet).flat_map(|packet| packet.iter().rev().copied()).collect();
    let dealt_up: Vec<Card> = (0..4).flat_map(|f| any.foundation(f).collect::<Vec<_>>()).collect();
    let mut others = cards.iter().filter(|card| !first.contains(card) && !dealt_up.contains(card));
    let stock = any.stock();
    let small: Vec<Card> = cards
        .iter()
        .map(|card| match stock.iter().position(|other| other == card) {
            Some(place) if place < first.len() => first[place],
            _ if dealt_up.contains(card) => *card,
            _ => *others.next().expect("as many cards as before"),
        })
        .collect();
    let mut table = Table::deal(rules, &small, &mut NoChance);
    let mut legal = MoveList::new();
    let reserves = rules.spec().reserve.piles.into();
    for _ in 0..=2 * many {
        if ups.iter().all(|&card| is_up(&table, card)) {
            return Some(table);
        }
        let goes = table.waste().last().is_some_and(|top| ups.contains(top));
        table.legal_moves(rules, &mut legal);
        let word = if goes { "W>F" } else { "draw" };
        let m = legal.iter().copied().find(|m| m.notation(reserves) == word)?;
        table.apply(rules, m, &mut NoChance);
    }
    None
}

fn is_up(table: &Table, card: Card) -> bool {
    (0..4).any(|foundation| table.foundation(foundation).any(|up| up == card))
}

/// Returns cards in an order in which they may go up, roughly one suit after the other.
fn ups(table: &Table, cards: &[Card], many: usize, rng: &mut ChaCha8Rng) -> Option<Vec<Card>> {
    let base = table.base()?;
    let mut ups = Vec::new();
    let mut suit = below(rng, 4) as usize;
    while ups.len() < many {
        let next = cards
            .iter()
            .filter(|card| card.suit().index() == suit && !is_up(table, **card) && !ups.contains(*card))
            .min_by_key(|card| card.rank().steps_above(base));
        ups.extend(next);
        if next.is_none() || below(rng, 6) == 0 {
            suit = below(rng, 4) as usize;
        }
    }
    Some(ups)
}
