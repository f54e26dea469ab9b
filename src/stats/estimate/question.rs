//! Input of the estimate: the results of a night and the possible players.

use serde::Serialize;

use crate::cards::Seed;

/// Results of some decks of a night.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum NightRow {
    /// This many decks, each of which ended with this many cards.
    Each {
        /// Cards on the foundations.
        cards: u16,
        /// Number of decks, at least 1.
        decks: u32,
    },
    /// Several decks with their total payment, cents.
    Together {
        /// Number of decks, at least [`LEAST_TOGETHER`].
        decks: u32,
        /// Cents.
        paid: i64,
    },
}

/// Minimum number of decks paid together: their sum is approximated as normal.
pub const LEAST_TOGETHER: u32 = 30;

impl NightRow {
    /// Returns the number of decks.
    pub fn decks(&self) -> u32 {
        match self {
            NightRow::Each { decks, .. } | NightRow::Together { decks, .. } => *decks,
        }
    }
}

/// A kind of player that may have been there, as measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    /// Games by cards.
    pub histogram: Vec<u64>,
    /// Mean cost of a deck in addition to its price, cents: redeal fees.
    pub fees: f64,
    /// Share of the decks that they are expected to buy, above 0.
    pub share: f64,
}

/// Input of the estimate.
#[derive(Clone, Debug, PartialEq)]
pub struct Inquest<'a> {
    /// The results, in chronological order.
    pub results: &'a [NightRow],
    /// The possible players.
    pub suspects: &'a [Suspect],
    /// Payment by cards, cents.
    pub pays: &'a [i64],
    /// The price of a deck, cents, above 0.
    pub price: i64,
    /// Weight of the expected shares, in decks with known buyers, above 0.
    pub weight: f64,
    /// Probability with which an honest night may be called too unlucky.
    pub alpha: f64,
    /// Seed of the draws.
    pub seed: Seed,
}

/// A point in the course of the sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// Decks so far.
    pub decks: u64,
    /// At most one honest night in this many is ever so unlucky for the house; a value up to 1 is no evidence against
    /// luck.
    pub one_in: f64,
}
