//! What is asked of a night, and of whom.

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
        /// Decks, at least 1.
        decks: u32,
    },
    /// So many decks that were paid so much together, cents.
    Together {
        /// Decks, at least [`LEAST_TOGETHER`].
        decks: u32,
        /// Cents.
        paid: i64,
    },
}

/// Decks that must be paid together at least: the sum of this many is taken as normal.
pub const LEAST_TOGETHER: u32 = 30;

impl NightRow {
    /// The decks.
    pub fn decks(&self) -> u32 {
        match self {
            NightRow::Each { decks, .. } | NightRow::Together { decks, .. } => *decks,
        }
    }
}

/// A kind of players that may have come, as measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    /// Games by cards.
    pub histogram: Vec<u64>,
    /// The mean of what a deck costs them beside its price, cents: fees of redeals.
    pub fees: f64,
    /// The share of the decks that they are expected to buy, above 0.
    pub share: f64,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Inquest<'a> {
    /// The results, in the order in which they came.
    pub results: &'a [NightRow],
    /// Who may have come.
    pub suspects: &'a [Suspect],
    /// What is paid by cards, cents.
    pub pays: &'a [i64],
    /// The price of a deck, cents, above 0.
    pub price: i64,
    /// The expected shares weigh as much as this many decks whose buyers are known, above 0.
    pub weight: f64,
    /// The probability with which an honest night may be called too unlucky.
    pub alpha: f64,
    /// Of the draws.
    pub seed: Seed,
}

/// A point of the course of the test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// Decks so far.
    pub decks: u64,
    /// At most one honest night in this many is ever so unlucky for the house; 1 or less says nothing against luck.
    pub one_in: f64,
}
