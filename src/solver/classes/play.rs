//! A play in a class of positions.

/// Where a card comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    Tableau,
    Reserve,
    /// It is the top of the waste.
    Stock,
    Foundation,
}

/// Where it goes, with what lies on it unless it goes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    Up,
    /// On a card that takes it.
    On,
    Space,
}

/// A card goes somewhere, the stock being turned so far first.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct ClassPlay {
    pub kind: u8,
    pub from: From,
    pub to: To,
    /// The cards in the waste when it is taken from there.
    pub waste: u8,
}
