//! The visible part of a position, as plain data.

use serde::{Serialize, Serializer};

use crate::cards::{Card, Suit};
use crate::game::View;

/// A card face up or face down. In JSON `"TH"`, or `null` for a card that is face down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown(Option<Card>);

impl Shown {
    /// Shows a card's face, or its back for `None`. The card's pack is not shown.
    pub fn of(card: Option<Card>) -> Shown {
        Shown(card.map(|card| Card::of_pack(0, card.kind())))
    }

    /// Returns the card, if it is face up.
    pub fn card(self) -> Option<Card> {
        self.0
    }
}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(card) => serializer.collect_str(&card),
            None => serializer.serialize_none(),
        }
    }
}

/// One foundation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeenFoundation {
    /// Its suit: `C`, `D`, `H` or `S`.
    pub suit: char,
    /// Number of cards on it.
    pub height: usize,
    /// Its top card; `None` if it is empty.
    pub top: Option<Shown>,
}

/// What a person sees and may remember of a position. It is built from a [`View`] alone.
///
/// Cards of a place are listed from the lowest up; `coming` starts with the next card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Seen {
    /// Whether the layout is visible: false while a stage of the stake before it is on offer, or after it was declined.
    pub dealt: bool,
    /// The base rank, one of `A23456789TJQK`; `None` before it is chosen.
    pub base: Option<char>,
    /// The dealt cards to choose the base card from.
    pub offered: Vec<Shown>,
    /// All foundations, grouped by suit in the order C, D, H, S.
    pub foundations: Vec<SeenFoundation>,
    /// The reserves.
    pub reserves: Vec<Vec<Shown>>,
    /// The tableau.
    pub piles: Vec<Vec<Shown>>,
    /// The waste. If it is squared, only its top is visible.
    pub waste: Vec<Shown>,
    /// The known part of the stock: cards seen in an earlier pass, or bought.
    pub coming: Vec<Shown>,
    /// Number of cards in the stock.
    pub stock_left: usize,
    /// Number of cards left in all reserves.
    pub reserve_left: usize,
    /// Number of cards on the foundations.
    pub cards: usize,
    /// Number of cards in the game.
    pub all_cards: usize,
    /// Number of the pass through the stock, from 1.
    pub pass: u32,
    /// Redeals left; `None` if unlimited.
    pub redeals_left: Option<u32>,
    /// Size of the next packet; 0 if a die will decide it.
    pub draw: usize,
}

impl Seen {
    /// Collects what a view shows.
    pub fn of(view: &View<'_>, dealt: bool) -> Seen {
        let base = view.base();
        let foundation = |suit: Suit, height: usize| {
            let top = base.filter(|_| height > 0).map(|base| Card::new(base.up(height - 1), suit));
            SeenFoundation { suit: suit.letter(), height, top: top.map(|card| Shown::of(Some(card))) }
        };
        let foundations = Suit::ALL
            .into_iter()
            .flat_map(|suit| view.foundation_heights(suit).map(move |height| foundation(suit, height)))
            .collect();
        let reserve =
            |r: usize| (0..view.reserve_len(r)).rev().map(|i| Shown::of(view.reserve(r, i))).collect();
        let pile = |p: usize| (0..view.pile_len(p)).rev().map(|i| Shown::of(view.pile(p, i))).collect();
        Seen {
            dealt,
            base: base.map(|base| base.letter()),
            offered: view.offered().iter().map(|&card| Shown::of(Some(card))).collect(),
            foundations,
            reserves: (0..view.reserves()).map(reserve).collect(),
            piles: (0..view.piles()).map(pile).collect(),
            waste: (0..view.waste_left()).rev().map(|i| Shown::of(view.waste(i))).collect(),
            coming: (0..view.stock_left()).map(|i| Shown::of(view.coming(i))).collect(),
            stock_left: view.stock_left(),
            reserve_left: view.reserve_left(),
            cards: view.cards(),
            all_cards: view.all_cards(),
            pass: view.pass(),
            redeals_left: view.redeals_left(),
            draw: view.draw(),
        }
    }
}
