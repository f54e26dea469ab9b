//! How low the house's profit comes before the last deck: the risk of ruin for every bank at once.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::stats::profit::Deck;

/// The distribution of the lowest profit that the house has before any of its decks.
///
/// With what each deck gains drawn alike and apart, the lowest of the sums `0, x1, x1 + x2, ...` over n decks is
/// distributed as `min(0, x + lowest over n - 1 decks)` (Lindley 1952; the decks taken from the last to the first): a
/// deck is one step of a walk that a wall at 0 holds back.
#[derive(Clone, Debug)]
pub(super) struct Lows {
    unit: i64,
    /// Probability that the lowest profit is so many units below 0.
    depths: Vec<f64>,
}

impl Lows {
    /// Before each of `decks` decks. The gains of the deck are whole multiples of its unit; at each deck a probability
    /// of `tail` may be cut from the depths. Once `stop` is set it gives up, and is of no use.
    pub fn new(deck: &Deck, decks: u32, tail: f64, stop: &AtomicBool) -> Lows {
        let base = deck.least / deck.unit;
        let gains: Vec<(i64, f64)> =
            deck.steps.iter().map(|&(step, chance)| (base + step as i64, chance)).collect();
        let deepest = gains.iter().map(|&(gain, _)| -gain).max().unwrap_or(0).max(0) as usize;
        let mut depths = vec![1.0];
        for _ in 1..decks {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let mut next = vec![0.0; depths.len() + deepest];
            for &(gain, chance) in &gains {
                let by = gain.unsigned_abs() as usize;
                if gain < 0 {
                    add(&mut next[by..], &depths, chance);
                } else {
                    let (to_top, rest) = depths.split_at(by.min(depths.len()));
                    next[0] += chance * to_top.iter().sum::<f64>();
                    add(&mut next, rest, chance);
                }
            }
            let mut cut = 0.0;
            let above = next.iter().rev().take_while(|&&chance| {
                cut += chance;
                cut <= tail
            });
            let kept = next.len() - above.count();
            next.truncate(kept.max(1));
            depths = next;
        }
        Lows { unit: deck.unit, depths }
    }

    /// The probability that the house at some time has lost more than `reach` cents.
    pub fn deeper(&self, reach: i64) -> f64 {
        if reach < 0 {
            return 1.0;
        }
        let from = (reach / self.unit).saturating_add(1) as usize;
        self.depths.get(from..).map_or(0.0, |deep| deep.iter().rev().sum::<f64>()).clamp(0.0, 1.0)
    }

    /// The least loss, cents, that is exceeded with a probability of no more than `risk`.
    pub fn reach_for(&self, risk: f64) -> i64 {
        let mut sum = 0.0;
        let deep = self.depths.iter().enumerate().rev().find(|&(_, &chance)| {
            sum += chance;
            sum > risk
        });
        deep.map_or(0, |(depth, _)| depth as i64 * self.unit)
    }
}

/// Adds the multiple of a row to another.
fn add(to: &mut [f64], from: &[f64], times: f64) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += times * from;
    }
}
