//! The part of a ruleset that decides which moves are legal and what they do.

use super::spec::*;

/// The tables of a [`Spec`] on which proofs about play rest. Whoever relies on some of these rules takes all of them
/// apart without `..`, so that a new rule does not compile before somebody has considered it there.
pub(crate) struct RulesOfPlay<'a> {
    pub deal: &'a DealSpec,
    pub reserve: &'a ReserveSpec,
    pub tableau: &'a TableauSpec,
    pub spaces: &'a SpacesSpec,
    pub foundation: &'a FoundationSpec,
    pub stock: &'a StockSpec,
}

impl Spec {
    /// All but what the ruleset is called, when a game that goes nowhere is stopped, and what is paid and counted.
    pub(crate) fn rules_of_play(&self) -> RulesOfPlay<'_> {
        #[rustfmt::skip]
        let Spec {
            name: _, also: _, about: _, source: _,
            deal, reserve, tableau, spaces, foundation, stock,
            barren_passes: _, idle_redeals: _, casino: _, scores: _,
        } = self;
        RulesOfPlay { deal, reserve, tableau, spaces, foundation, stock }
    }
}
