//! What a person sees of a position, as plain data.

use serde::{Serialize, Serializer};

use crate::cards::{Card, Suit};
use crate::game::View;

/// A card as it lies there: its face, or its back. In JSON `"TH"`, or `null` for a card that is face down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown(Option<Card>);

impl Shown {
    /// A card's face, or the back of one that cannot be seen. Which pack it is of does not show.
    pub fn of(card: Option<Card>) -> Shown {
        Shown(card.map(|card| Card::of_pack(0, card.kind())))
    }

    /// The card, where its face is up.
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
    /// Cards on it.
    pub height: usize,
    /// Its top card; `None` where it is empty.
    pub top: Option<Shown>,
}

/// What a person sees and may remember of a position. It is made of a [`View`] and of nothing else.
///
/// Cards of a place come in the order in which they lie, the lowest first; of `coming` the next card comes first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Seen {
    /// The layout is seen. It is not while a stage of the stake before it is asked for, or was declined.
    pub dealt: bool,
    /// The base rank, one of `A23456789TJQK`; `None` before it is chosen.
    pub base: Option<char>,
    /// The dealt cards among which the base card is still to be chosen.
    pub offered: Vec<Shown>,
    /// All foundations: those of a suit stand together, in the order of the suits C, D, H, S.
    pub foundations: Vec<SeenFoundation>,
    /// The reserves.
    pub reserves: Vec<Vec<Shown>>,
    /// The tableau.
    pub piles: Vec<Vec<Shown>>,
    /// The waste. Where it is squared, only its top is seen.
    pub waste: Vec<Shown>,
    /// The stock, as far as its player knows it: an earlier pass showed it, or cards were bought.
    pub coming: Vec<Shown>,
    /// Cards in the stock.
    pub stock_left: usize,
    /// Cards left in all reserves.
    pub reserve_left: usize,
    /// Cards on the foundations.
    pub cards: usize,
    /// Cards in the game.
    pub all_cards: usize,
    /// The pass through the stock, from 1.
    pub pass: u32,
    /// Redeals left; `None` where they are unlimited.
    pub redeals_left: Option<u32>,
    /// Size of the next packet; 0 while a die will say.
    pub draw: usize,
}

impl Seen {
    /// What a view shows.
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
