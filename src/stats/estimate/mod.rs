//! Conclusions from the results of a night: the mix of players, the house edge, and whether the results were luck.

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

/// Conclusions from the results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimated {
    /// Decks of the night.
    pub decks: u64,
    /// Total payment, cents, before redeal fees.
    pub paid: i64,
    /// Mean total payment under the expected mix of players, cents.
    #[serde(rename = "paid_expected")]
    pub expected: f64,
    /// Probability, under that mix, of at least the actual payment; its limits allow for the sampling error of the
    /// games.
    pub chance: Estimate,
    /// Probability of at most the actual payment.
    pub chance_of_less: Estimate,
    /// Upper bound of the p-value of the hypothesis that some mix of these kinds played the night.
    pub fit: f64,
    /// Whether no mix explains the night, so that the shares and the edge below are unreliable.
    pub unexplained: bool,
    /// Share of the stakes that the house kept: 1 - paid / price.
    pub kept: f64,
    /// House edge under the expected mix.
    #[serde(rename = "edge_expected")]
    pub edge_before: f64,
    /// Share of the decks of each kind, given the night: mean and 95% interval of the posterior.
    #[serde(skip)]
    pub shares: Vec<Posterior>,
    /// House edge given the night. Its limits allow for unobserved payments.
    pub edge: Posterior,
    /// Probability of a negative edge given the night; its limits allow for unobserved payments.
    #[serde(rename = "chance_of_losing_edge")]
    pub losing: Posterior,
    /// Distribution of the edge in bins of equal width: the lower end of each, and its probability.
    pub density: Vec<(f64, f64)>,
    /// Number of weighted draws behind the posterior.
    pub draws: u64,
    /// Effective number of independent draws, for the least certain mean.
    pub effective_draws: f64,
    /// Whether the results may be in the order in which the decks were sold. If not, the sequential test looks once, at
    /// the end.
    pub in_order: bool,
    /// Course of the sequential test.
    #[serde(rename = "evidence")]
    pub course: Vec<Evidence>,
    /// Number of decks after which the results were too unlucky to be luck; `None` if they never were.
    pub too_bad_after: Option<u64>,
}

/// Draws the conclusions from the results. `None` without decks or suspects.
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
        in_order: asked.in_order(),
        course,
        too_bad_after,
    })
}

#[cfg(test)]
mod tests;
