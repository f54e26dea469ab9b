//! Prices of further passes.

use crate::game::View;
use crate::rules::{Casino, StageAt};

/// Price of each further redeal: a stage or its fee, which may differ between redeals.
#[derive(Clone, Copy)]
pub(super) struct Prices<'a> {
    casino: &'a Casino,
    /// Number of redeals made.
    made: u32,
}

impl<'a> Prices<'a> {
    /// Returns the prices from the position of a view on.
    pub fn of(view: &View<'a>) -> Prices<'a> {
        Prices { casino: &view.compiled().spec().casino, made: view.own_table().redeals() }
    }

    /// Returns whether any of them costs something.
    pub fn any(&self) -> bool {
        match self.casino.stage(StageAt::Pass) {
            Some(stage) => stage.cost != 0,
            None => (self.made..)
                .take(self.casino.redeal_fees.len())
                .any(|redeal| self.casino.redeal_fee(redeal) != 0),
        }
    }

    /// Returns the total price of the next `redeals`, in cents.
    pub fn of_next(&self, redeals: usize) -> i64 {
        let redeals = redeals as u32;
        match self.casino.stage(StageAt::Pass) {
            Some(stage) => stage.cost * i64::from(redeals),
            None => self.casino.redeal_fees(self.made + redeals) - self.casino.redeal_fees(self.made),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Deck;
    use crate::game::{PlayerState, SeededChance, Table};
    use crate::rules::parse_text;

    #[test]
    fn fees_and_stages_are_added_up() {
        let told = |text: &str| {
            let rules = parse_text("fees.toml", &format!("extends = \"canfield\"\n{text}")).unwrap().rules;
            let deck = Deck::shuffled(rules.deck_shape(), 1, 0);
            let table = Table::deal(&rules, deck.cards(), &mut SeededChance::new(1, 0));
            let rng = PlayerState::new(1, 0);
            let prices = Prices::of(&View::new(&table, &rules, &rng));
            (prices.any(), [0, 1, 2, 3].map(|redeals| prices.of_next(redeals)))
        };
        assert_eq!(told(""), (false, [0, 0, 0, 0]));
        assert_eq!(told("[casino]\nredeal_fee = 2\n"), (true, [0, 200, 400, 600]));
        assert_eq!(told("[casino]\nredeal_fee = [0, 5]\n"), (true, [0, 0, 500, 1000]));
        assert_eq!(told("[casino]\nredeal_fee = [6, 0]\n"), (true, [0, 600, 600, 600]));
        let stages =
            "[[casino.stage]]\nat = \"deal\"\ncost = 20\n[[casino.stage]]\nat = \"pass\"\ncost = 3\n";
        assert_eq!(told(stages), (true, [0, 300, 600, 900]));
    }
}
