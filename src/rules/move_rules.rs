//! The part of a ruleset that decides which moves are legal and what they do.

use super::spec::*;

/// The tables of a [`Spec`] that proofs about play depend on. Code that relies on some of these rules destructures all
/// of them without `..`, so that a new rule does not compile until it has been considered there.
pub(crate) struct MoveRules<'a> {
    pub deal: &'a DealSpec,
    pub reserve: &'a ReserveSpec,
    pub tableau: &'a TableauSpec,
    pub spaces: &'a SpacesSpec,
    pub foundation: &'a FoundationSpec,
    pub stock: &'a StockSpec,
}

impl Spec {
    /// Returns everything except names, when a game that leads nowhere is stopped, and what is paid and counted.
    pub(crate) fn move_rules(&self) -> MoveRules<'_> {
        #[rustfmt::skip]
        let Spec {
            name: _, also: _, about: _, source: _,
            deal, reserve, tableau, spaces, foundation, stock,
            barren_passes: _, idle_redeals: _, casino: _, scores: _,
        } = self;
        MoveRules { deal, reserve, tableau, spaces, foundation, stock }
    }
}
