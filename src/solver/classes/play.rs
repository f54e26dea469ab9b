//! A play in a class of positions.

/// Where a card comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    Tableau,
    Reserve(u8),
    /// It is the top of the waste.
    Stock,
    /// It is the next of the stock, which was not turned.
    Unseen,
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
    /// The cards in the waste when it is taken from there or from the stock.
    pub waste: u8,
    /// The redeals made before it is.
    pub redeals: u8,
}
