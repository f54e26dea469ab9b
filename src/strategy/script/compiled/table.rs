//! Tables: values that depend on one card alone, for every card.

/// A value for each kind of card, and at 63 for `()`.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub values: [i64; 64],
    /// The cards for which there is a fault instead.
    pub faults: u64,
}

/// Marks a fault among the values; a table that contains this number is not created.
pub const FAULT: i64 = i64::MIN + 63;
