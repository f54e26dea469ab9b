//! The deals that are to be solved.

use crate::cards::Deck;
use crate::game::NamedDeal;
use crate::lab::SolveDeal;
use crate::rules::Rules;
use crate::solver::Goal;

/// The deals that are asked about.
pub(super) struct Asked<'a> {
    /// The ruleset as the command line names it.
    pub named: &'a str,
    pub rules: &'a Rules,
    pub seed: u64,
    pub given: Option<Vec<NamedDeal>>,
    pub goal: Goal,
}

impl Asked<'_> {
    /// The deal of this number: that of the file, or of the seed.
    pub fn deal(&self, number: u64) -> SolveDeal {
        match self.given.as_ref().and_then(|deals| deals.get(number as usize)) {
            Some(deal) => SolveDeal {
                id: deal.id.clone().unwrap_or_else(|| number.to_string()),
                deck: deal.deck.clone(),
                face: None,
            },
            None => SolveDeal {
                id: number.to_string(),
                deck: Deck::shuffled(self.rules.deck_shape(), self.seed, number),
                face: None,
            },
        }
    }
}
