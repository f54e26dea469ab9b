//! What the results of a night say of who came: the mix of players, the edge they leave, and whether it was luck.

mod chance;
mod posterior;
mod question;

use serde::Serialize;

use super::Estimate;
use chance::{chance_within, course};
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
    pub expected: f64,
    /// The probability that so much or more is paid by chance, if they were; with limits, as the games are a sample.
    pub chance: Estimate,
    /// What the house kept of the stakes, a fraction: 1 - paid / price.
    pub kept: f64,
    /// The edge that the expected players leave.
    pub edge_before: f64,
    /// The share of the decks of each kind, after the night: mean and 95% interval of the posterior.
    pub shares: Vec<Estimate>,
    /// The edge that the players leave, after the night. Its limits reckon with payments that no game has shown.
    pub edge: Estimate,
    /// The probability that the edge is below 0, after the night; at best and at worst, as far as such payments go.
    pub losing: Estimate,
    /// How often the edge lies in equal parts of its range: the lower end of each, and the probability.
    pub density: Vec<(f64, f64)>,
    /// Draws behind the posterior, and how far its chains agree: 1 where they do (Gelman and Rubin's R).
    pub draws: u64,
    /// See `draws`.
    pub agreement: f64,
    /// The course of the test.
    pub course: Vec<Evidence>,
    /// Decks after which the results were too bad for chance; `None` if they never were.
    pub too_bad_after: Option<u64>,
}

/// Parts of the density of the edge.
const PARTS: usize = 40;

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
    let drawn = draw(asked);
    let edges = drawn.edges.iter().copied();
    let (low, high) =
        edges.clone().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), e| (a.min(e), b.max(e)));
    let width = ((high - low) / (PARTS - 1) as f64).max(1e-9);
    // Ends of parts are multiples of their width, so that 0 is one of them and no part lies on both sides of it.
    let low = (low / width).floor() * width;
    let mut density: Vec<(f64, f64)> = (0..PARTS).map(|i| (low + width * i as f64, 0.0)).collect();
    for edge in edges.clone() {
        density[(((edge - low) / width) as usize).min(PARTS - 1)].1 += 1.0 / drawn.edges.len() as f64;
    }
    let below =
        |edges: &[f64]| edges.iter().filter(|edge| **edge < 0.0).count() as f64 / edges.len().max(1) as f64;
    let losing = Estimate { value: below(&drawn.edges), low: below(&drawn.best), high: below(&drawn.worst) };
    let edge = middle(&drawn.edges);
    let edge = Estimate {
        low: edge.low.min(middle(&drawn.worst).low),
        high: edge.high.max(middle(&drawn.best).high),
        ..edge
    };
    let mixed = chance::Mixed::new(asked);
    let (course, too_bad_after) = course(asked, &mixed);
    Some(Estimated {
        decks,
        paid,
        expected: mixed.mean * decks as f64,
        chance: chance_within(&mixed, asked, decks, paid),
        kept: 1.0 - paid as f64 / (price * decks as f64),
        edge_before: 1.0 - (mixed.mean - mixed.fees) / price,
        shares: drawn.shares.iter().map(|share| middle(share)).collect(),
        edge,
        losing,
        density,
        draws: drawn.edges.len() as u64,
        agreement: drawn.agreement,
        course,
        too_bad_after,
    })
}

/// The mean of draws, and the middle 95% of them.
fn middle(draws: &[f64]) -> Estimate {
    let mut sorted = draws.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |level: f64| sorted[((sorted.len() as f64 * level) as usize).min(sorted.len() - 1)];
    let value = draws.iter().sum::<f64>() / draws.len() as f64;
    Estimate { value, low: at(0.025), high: at(0.975) }
}

#[cfg(test)]
mod tests;
