//! Tables that look the same to their player, for tests that check that nobody sees a hidden card.

use crate::cards::{Card, Deck, Purpose, Suit, below, generator, shuffle};
use crate::rules::Rules;

use super::chance::SeededChance;
use super::moves::MoveList;
use super::player_state::PlayerState;
use super::specs;
use super::table::Table;
use super::view::View;

impl View<'_> {
    /// Returns a table that looks the same in this view, whose player may have bought some of the hidden cards.
    pub fn with_hidden(&self, order: impl FnOnce(&mut [Card])) -> Table {
        self.with_unknown(|cards, _| order(cards))
    }
}

impl Table {
    /// Returns a table that looks the same to its player: `order` receives all hidden cards and may permute them.
    pub fn with_hidden(&self, rules: &Rules, order: impl FnOnce(&mut [Card])) -> Table {
        let rng = PlayerState::new(0, 0);
        View::new(self, rules, &rng).with_hidden(order)
    }
}

/// Collects everything that a player can ask of a position, and its legal moves.
fn told(table: &Table, rules: &Rules) -> String {
    let rng = PlayerState::new(0, 0);
    let view = View::new(table, rules, &rng);
    let mut legal = MoveList::new();
    table.legal_moves(rules, &mut legal);
    let packs = |card: Card| (card, card.pack());
    let reserves =
        (0..view.reserves()).map(|r| (0..view.reserve_len(r)).map(|i| view.reserve(r, i)).collect());
    let piles = (0..view.piles()).map(|p| (0..view.pile_len(p)).map(|i| view.pile(p, i)).collect());
    let waste = (0..view.waste_left()).map(|i| view.waste(i)).collect();
    let stock = (0..view.stock_left()).map(|i| view.coming(i)).collect();
    let places: Vec<Vec<Option<Card>>> = reserves.chain(piles).chain([waste, stock]).collect();
    let places: Vec<Vec<_>> =
        places.into_iter().map(|cards| cards.into_iter().map(|c| c.map(packs)).collect()).collect();
    let heights =
        Suit::ALL.map(|suit| (view.foundation(suit), view.foundation_heights(suit).collect::<Vec<_>>()));
    let wanted: Vec<_> = (0..52)
        .map(|kind| Card::of_pack(0, kind))
        .map(|card| (view.wants(card), view.base().map(|_| view.steps(card))))
        .collect();
    let tops = (view.reserve_top().map(packs), view.waste_top().map(packs));
    let counts =
        (view.cards(), view.reserve_left(), view.spaces(), view.pass(), view.redeals_left(), view.draw());
    let moves: Vec<_> = legal
        .iter()
        .map(|&m| (m, view.card(m).map(packs), view.to_space(m), view.empties_pile(m), view.turns_up(m)))
        .collect();
    format!(
        "{:?} {:?} {places:?} {heights:?} {wanted:?} {tops:?} {counts:?} {moves:?}",
        view.base(),
        view.offered()
    )
}

#[test]
fn neither_view_nor_moves_tell_of_hidden_cards() {
    let (mut positions, mut different) = (0, 0);
    for number in 0..200 {
        let rules = Rules::new(specs::numbered(number)).unwrap();
        let mut chance = SeededChance::new(number, 0);
        let mut rng = generator(number, 0, Purpose::Strategy);
        let deck = Deck::shuffled(rules.deck_shape(), number, 0);
        let mut table = Table::deal(&rules, deck.cards(), &mut chance);
        for made in 0..100 {
            let other = table.with_hidden(&rules, |hidden| shuffle(hidden, &mut rng));
            assert_eq!(told(&other, &rules), told(&table, &rules), "ruleset {number} after {made} moves");
            positions += 1;
            different += u32::from(other.stock() != table.stock());
            let mut legal = MoveList::new();
            table.legal_moves(&rules, &mut legal);
            if legal.is_empty() {
                break;
            }
            table.apply(&rules, legal[below(&mut rng, legal.len() as u32) as usize], &mut chance);
        }
    }
    assert!(different > positions / 4, "{different} of {positions}");
}
