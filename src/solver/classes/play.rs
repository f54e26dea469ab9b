//! A play in a class of positions.

/// The source of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    Tableau,
    Reserve(u8),
    /// The top of the waste.
    Stock,
    /// The unseen top of the stock.
    Unseen,
    Foundation,
}

/// The target, to which a card takes along what lies on it unless it goes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    Up,
    /// A card that takes it.
    On,
    Space,
}

/// A play of one card, with what lies on it, after turning the stock.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct ClassPlay {
    pub kind: u8,
    pub from: From,
    pub to: To,
    /// The cards in the waste before the play, if it takes a card from there or from the stock.
    pub waste: u8,
    /// The redeals made before the play.
    pub redeals: u8,
}
