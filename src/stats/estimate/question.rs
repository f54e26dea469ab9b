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
    /// The results, in the order of the file.
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

/// Number of orders of the rows from which sorted ones are taken as sorted afterwards: two of these orders are sorted.
const ORDERS: f64 = 2_000.0;

impl Inquest<'_> {
    /// Returns whether the results may be in the order in which the decks were sold: no row counts decks by their cards,
    /// and the rows are not sorted by what a deck was paid.
    pub fn in_order(&self) -> bool {
        let counted = |row: &NightRow| matches!(row, NightRow::Each { decks: 2.., .. });
        if self.results.iter().any(counted) {
            return false;
        }
        let paid = |row: &NightRow| match *row {
            NightRow::Each { cards, .. } => self.pays.get(usize::from(cards)).map_or(0.0, |pay| *pay as f64),
            NightRow::Together { decks, paid } => paid as f64 / f64::from(decks.max(1)),
        };
        let paid: Vec<f64> = self.results.iter().map(paid).collect();
        if !paid.is_sorted() && !paid.iter().rev().is_sorted() {
            return true;
        }
        let (mut orders, mut alike) = (1.0, 0.0);
        for (i, pay) in paid.iter().enumerate() {
            alike = if i > 0 && paid[i - 1] == *pay { alike + 1.0 } else { 1.0 };
            orders *= (i as f64 + 1.0) / alike;
        }
        orders < ORDERS
    }
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
