//! Given positions: rules and a deck that deal exactly that position.

use saratoga::cards::Card;
use saratoga::rules::*;

pub struct Layout {
    /// The rules, with the layout's reserve and piles.
    pub rules: Rules,
    pub deck: Vec<Card>,
}

impl Layout {
    /// Creates a position from its text, such as `reserve: 3C, 4C; up: AS; piles: 5H 4S, -, KD; stock: 2C`. Cards are
    /// listed from the bottom, and the stock's from its next card. `up` is the dealt base card, `offered` are the cards
    /// to choose it from. The second occurrence of a card is that of the second pack. The remaining cards follow in the
    /// stock in the order of the packs.
    pub fn new(mut spec: Spec, text: &str) -> Layout {
        let (mut reserves, mut up, mut offered, mut piles, mut stock) =
            (vec![], vec![], vec![], vec![], vec![]);
        let mut named = [0; 52];
        let mut card = |word: &str| {
            let kind = word.parse::<Card>().unwrap().kind();
            named[kind] += 1;
            Card::of_pack(named[kind] - 1, kind)
        };
        let mut read = |words: &str| words.split_whitespace().map(&mut card).collect::<Vec<Card>>();
        for part in text.split(';').filter(|part| !part.trim().is_empty()) {
            let (place, words) = part.trim().split_once(':').unwrap();
            let mut lists = words.split(',').map(|list| read(&list.replace('-', ""))).collect::<Vec<_>>();
            match place {
                "reserve" => reserves = lists,
                "up" => up = lists.remove(0),
                "offered" => offered = lists.remove(0),
                "piles" => piles = lists,
                "stock" => stock = lists.remove(0),
                other => panic!("{other}"),
            }
        }
        if let Some(first) = reserves.first() {
            assert!(reserves.iter().all(|reserve| reserve.len() == first.len()));
            (spec.reserve.piles, spec.reserve.size) = (reserves.len() as u8, first.len() as u8);
        }
        if !up.is_empty() {
            (spec.foundation.base, spec.foundation.start) = (Base::Dealt, Start::One);
        }
        if !offered.is_empty() {
            let choice = Base::Choice(ChoiceFrom::Dealt(offered.len() as u8));
            (spec.foundation.base, spec.foundation.start) = (choice, Start::None);
            spec.tableau.deal = vec![1; offered.len() - 1];
        }
        if !piles.is_empty() {
            spec.tableau.deal = piles.iter().map(|pile| pile.len() as u8).collect();
        }
        let tableau = if offered.is_empty() { piles.concat() } else { offered };
        let rules = Rules::new(spec).unwrap();
        let mut deck = [reserves.concat(), up, tableau, stock].concat();
        deck.extend(rules.deck_shape().cards().filter(|card| !deck.contains(card)).collect::<Vec<_>>());
        Layout { rules, deck }
    }
}
