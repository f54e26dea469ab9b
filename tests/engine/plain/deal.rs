//! The layout of a game.

use saratoga::cards::Card;
use saratoga::game::Chance;
use saratoga::rules::{Base, ChoiceFrom, Part, Spec, Start, TableauFace};

use super::{PCard, PlainGame};

impl PlainGame {
    /// Lays the cards out. The first card of `deck` is dealt first.
    pub fn deal(spec: &Spec, deck: &[Card], chance: &mut dyn Chance) -> PlainGame {
        let packs = spec.deal.packs;
        let mut game = PlainGame {
            packs,
            ranks: spec.pack.ranks,
            base: match spec.foundation.base {
                Base::Rank(rank) => rank.number() as u8,
                Base::Dealt | Base::Choice(_) => 0,
            },
            offered: Vec::new(),
            reserves: vec![Vec::new(); spec.reserve.piles as usize],
            piles: vec![Vec::new(); spec.tableau.deal.len()],
            foundations: vec![Vec::new(); 4 * packs as usize],
            stock: deck.iter().map(|&card| PCard::from(card)).collect(),
            waste: Vec::new(),
            redeals_used: 0,
            pass: 1,
            packet: 0,
        };
        if spec.foundation.start == Start::All {
            for pack in 0..packs {
                for suit in 0..spec.pack.suits {
                    let card = PCard { rank: game.base, suit, pack };
                    game.foundations[(suit + 4 * pack) as usize].push(card);
                }
            }
        }
        for part in &spec.deal.order {
            match part {
                Part::Reserve => game.deal_reserves(spec),
                Part::Foundation => game.deal_foundation(spec),
                Part::Tableau => game.deal_tableau(spec),
            }
        }
        let chosen_later = matches!(spec.foundation.base, Base::Choice(_));
        assert_eq!(game.base == 0, chosen_later, "the deal settles the base rank, unless it is chosen");
        game.begin_pass(spec, chance);
        if spec.stock.opening_draw {
            game.draw(spec, chance);
        }
        game
    }

    fn deal_reserves(&mut self, spec: &Spec) {
        for reserve in 0..self.reserves.len() {
            for _ in 0..spec.reserve.size {
                let card = self.stock.remove(0);
                self.reserves[reserve].push(card);
            }
        }
    }

    fn deal_foundation(&mut self, spec: &Spec) {
        if spec.foundation.start == Start::One {
            let card = self.stock.remove(0);
            self.base = card.rank;
            self.foundations[card.suit as usize].push(card);
        }
    }

    fn deal_tableau(&mut self, spec: &Spec) {
        if let Base::Choice(ChoiceFrom::Dealt(n)) = spec.foundation.base {
            self.offered = self.stock.drain(..n as usize).collect();
            return;
        }
        for (pile, &size) in spec.tableau.deal.iter().enumerate() {
            for i in 0..size {
                let from_top = size - 1 - i;
                let face_up = match spec.tableau.face {
                    TableauFace::All => true,
                    TableauFace::Top => from_top == 0,
                    TableauFace::Alternate => from_top % 2 == 0,
                };
                let card = self.stock.remove(0);
                self.piles[pile].push((card, face_up));
            }
        }
    }
}
