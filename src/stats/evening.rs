//! The house's profit over an evening of many decks.

/// What the house may make of an evening, deck by deck.
#[derive(Clone, Debug, PartialEq)]
pub struct Evening {
    /// Numbers of decks sold, ascending.
    pub decks: Vec<u32>,
    /// The house's profit after each of them, cents: its 5, 25, 50, 75 and 95% quantiles.
    pub quantiles: Vec<[f64; 5]>,
    /// How likely the house is to end the evening with a loss.
    pub losing_probability: f64,
}
