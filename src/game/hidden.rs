//! Tables that look the same to their player, for the tests that nobody sees a hidden card.

use crate::cards::{Card, Deck, Purpose, Suit, below, generator, shuffle};
use crate::rules::Rules;

use super::chance::SeededChance;
use super::moves::MoveList;
use super::specs;
use super::strategy_rng::StrategyRng;
use super::table::Table;
use super::view::View;

impl<'a> View<'a> {
    /// A table that looks the same in this view, for which some of the hidden cards may be bought.
    pub fn with_hidden(&self, order: impl FnOnce(&mut [Card])) -> Table {
        self.table().with_hidden_from(self, order)
    }

    /// The same view of another table, after the same purchases.
    pub fn over<'b>(&'b self, table: &'b Table) -> View<'b> {
        View::new(table, self.compiled(), self.rng()).with_stakes(self.stakes())
    }
}

impl Table {
    /// A table that looks the same to its player: the hidden cards in an order of the caller's
    /// choice. `order` is given all of them and may permute them.
    pub fn with_hidden(&self, rules: &Rules, order: impl FnOnce(&mut [Card])) -> Table {
        let rng = StrategyRng::new(0, 0);
        self.with_hidden_from(&View::new(self, rules, &rng), order)
    }

    /// The same, of what this view of the table hides.
    fn with_hidden_from(&self, view: &View<'_>, order: impl FnOnce(&mut [Card])) -> Table {
        let (piles, reserves) = (view.piles(), view.reserves());
        // Each place with whether its cards are hidden, all read before any is changed.
        let pile =
            |p| self.pile(p).enumerate().map(|(i, (card, _))| (card, view.pile(p, i).is_none())).collect();
        let reserve =
            |r| self.reserve(r).enumerate().map(|(i, card)| (card, view.reserve(r, i).is_none())).collect();
        let stock = self.stock().iter().enumerate().map(|(i, &card)| (card, view.coming(i).is_none()));
        // A bought card that went by is not shown, but it is not elsewhere either.
        let unknown = |i, card| view.waste(i).is_none() && !view.stakes().knows(card);
        let waste = self.waste().iter().rev().enumerate().map(|(i, &card)| (card, unknown(i, card)));
        let mut places: Vec<Vec<(Card, bool)>> =
            (0..piles).map(pile).chain((0..reserves).map(reserve)).collect();
        places.push(stock.collect());
        places.push(waste.collect());

        let mut hidden: Vec<Card> =
            places.iter().flatten().filter(|(_, hidden)| *hidden).map(|place| place.0).collect();
        order(&mut hidden);
        let unknown = places.iter_mut().flatten().filter(|(_, hidden)| *hidden);
        unknown.zip(hidden).for_each(|(place, card)| place.0 = card);

        let mut table = *self;
        table.face_down = [0; 4];
        for (p, cards) in places[..piles].iter().enumerate() {
            table.piles[p].top = table.relink(cards);
            for (card, _) in cards.iter().filter(|(_, hidden)| *hidden) {
                table.face_down[card.pack()] |= card.bit();
            }
        }
        for (r, cards) in places[piles..][..reserves].iter().enumerate() {
            table.reserves[r].top = table.relink(cards);
        }
        let (next, waste) = (self.next as usize, self.waste as usize);
        for (i, &(card, _)) in places[piles + reserves].iter().enumerate() {
            table.pack[next + i] = card;
        }
        for (i, &(card, _)) in places[piles + reserves + 1].iter().enumerate() {
            table.pack[waste - 1 - i] = card;
        }
        table
    }

    /// Chains cards, top first; their top.
    fn relink(&mut self, cards: &[(Card, bool)]) -> Card {
        let mut top = Card::NONE;
        for &(card, _) in cards.iter().rev() {
            self.below[card.0 as usize] = top;
            top = card;
        }
        top
    }
}

/// All that a player can ask of a position, and its legal moves.
fn told(table: &Table, rules: &Rules) -> String {
    let rng = StrategyRng::new(0, 0);
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
