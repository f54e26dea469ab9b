//! What the results of a night say of who came: the mix of players, the edge they leave, and whether it was luck.

mod chance;
mod fit;
mod posterior;
mod question;

use serde::Serialize;

use super::Estimate;
use chance::{chances_within, course};
use fit::fit;
pub use posterior::Posterior;
use posterior::draw;
pub use question::{Evidence, Inquest, LEAST_TOGETHER, NightRow, Suspect};

/// What the results say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimated {
    /// Decks of the night.
    pub decks: u64,
    /// What was paid for them, cents; fees of redeals are not taken off.
    pub paid: i64,
    /// What would be paid on average if the players were those expected.
    #[serde(rename = "paid_expected")]
    pub expected: f64,
    /// The probability that so much or more is paid by chance, if they were; with limits, as the games are a sample.
    pub chance: Estimate,
    /// The probability that so much or less is paid.
    pub chance_of_less: Estimate,
    /// A bound for the probability that any mix of these kinds plays a night so unlike them.
    pub fit: f64,
    /// No mix explains the night: shares and edge below are not to be trusted.
    pub unexplained: bool,
    /// What the house kept of the stakes, a fraction: 1 - paid / price.
    pub kept: f64,
    /// The edge that the expected players leave.
    #[serde(rename = "edge_expected")]
    pub edge_before: f64,
    /// The share of the decks of each kind, after the night: mean and 95% interval of the posterior.
    #[serde(skip)]
    pub shares: Vec<Posterior>,
    /// The edge that the players leave, after the night. Its limits reckon with payments that no game has shown.
    pub edge: Posterior,
    /// The probability that the edge is below 0, after the night; at best and at worst for such payments.
    #[serde(rename = "chance_of_losing_edge")]
    pub losing: Posterior,
    /// How often the edge lies in equal parts of its range: the lower end of each, and the probability.
    pub density: Vec<(f64, f64)>,
    /// Weighted draws behind the posterior.
    pub draws: u64,
    /// Independent draws that would know its means as well, the least certain of them.
    pub effective_draws: f64,
    /// The course of the test.
    #[serde(rename = "evidence")]
    pub course: Vec<Evidence>,
    /// Decks after which the results were too unlucky to be luck; `None` if they never were.
    pub too_bad_after: Option<u64>,
}

/// What the results say of the players, the edge and chance. `None` without decks or suspects.
pub fn inquire(asked: &Inquest<'_>) -> Option<Estimated> {
    let decks: u64 = asked.results.iter().map(|it| u64::from(it.decks())).sum();
    if decks == 0 || asked.suspects.is_empty() {
        return None;
    }
    let paid: i64 = asked
        .results
        .iter()
        .map(|it| match *it {
            NightRow::Each { cards, decks } => {
                asked.pays.get(usize::from(cards)).copied().unwrap_or(0).saturating_mul(decks.into())
            }
            NightRow::Together { paid, .. } => paid,
        })
        .fold(0, i64::saturating_add);
    let price = asked.price as f64;
    let mixed = chance::Mixed::new(asked);
    let [chance, chance_of_less] = chances_within(&mixed, asked, decks, paid);
    let (course, too_bad_after) = course(asked, &mixed);
    let drawn = draw(asked);
    let fit = fit(asked, decks, paid);
    Some(Estimated {
        decks,
        paid,
        expected: mixed.mean * decks as f64,
        chance,
        chance_of_less,
        fit,
        unexplained: fit <= asked.alpha,
        kept: 1.0 - paid as f64 / (price * decks as f64),
        edge_before: 1.0 - (mixed.mean - mixed.fees) / price,
        shares: drawn.shares,
        edge: drawn.edge,
        losing: drawn.losing,
        density: drawn.density,
        draws: drawn.points,
        effective_draws: drawn.effective,
        course,
        too_bad_after,
    })
}

#[cfg(test)]
mod tests;
