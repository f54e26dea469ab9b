//! What a player sees and remembers, by the rules alone.

use saratoga::rules::{OnRedeal, ReserveFace, Spec, WasteFace};

use super::{PCard, PlainGame};

impl PlainGame {
    /// Returns the cards of every place from its top (the stock from its next card), `?` for a hidden one.
    pub fn seen(&self, spec: &Spec) -> String {
        let shown = |card: &PCard, seen: bool| if seen { format!(" {card}") } else { " ?".to_string() };
        let mut text = "offered:".to_string();
        self.offered.iter().for_each(|card| text += &shown(card, true));
        for (number, reserve) in (1..).zip(&self.reserves) {
            text += &format!("\nreserve {number}:");
            for (i, card) in reserve.iter().rev().enumerate() {
                text += &shown(
                    card,
                    match spec.reserve.face {
                        ReserveFace::Top => i == 0,
                        ReserveFace::All => true,
                        ReserveFace::Last => reserve.len() == 1,
                    },
                );
            }
        }
        for (number, pile) in (1..).zip(&self.piles) {
            text += &format!("\npile {number}:");
            pile.iter().rev().for_each(|(card, face_up)| text += &shown(card, *face_up));
        }
        let fanned = spec.stock.waste == WasteFace::Fanned;
        text += "\nwaste:";
        for (i, card) in self.waste.iter().rev().enumerate() {
            text += &shown(card, i == 0 || fanned);
        }
        // A redeal comes after all of the stock was drawn, so every card left has been seen.
        let remembered = fanned && self.pass > 1 && spec.stock.on_redeal == OnRedeal::Turn;
        text += "\nstock:";
        self.stock.iter().for_each(|card| text += &shown(card, remembered));
        text
    }
}
