//! Lowest profit of the house before the last deck, which gives the risk of ruin for every bank at once.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use super::visits::Kind;
use crate::stats::profit::Deck;

/// Gains in units, with probabilities.
type Gains = Vec<(i64, f64)>;

/// The distribution of the lowest profit that the house has before any of its decks.
///
/// If the gains of the decks are independent and identically distributed, the minimum of the sums `0, x1, x1 + x2,
/// ...` over n decks is distributed as `min(0, x + minimum over n - 1 decks)` (Lindley 1952; the decks are taken from
/// last to first): each deck is one step of a walk with a wall at 0. Decks of one visit have the same distribution;
/// visits are independent.
#[derive(Clone, Debug)]
pub(super) struct Lows {
    unit: i64,
    /// Probability that the lowest profit is this many units below 0.
    depths: Vec<f64>,
}

impl Lows {
    /// Computes the lowest profit before each of `decks` decks, sold to these kinds of visits, whose gains are
    /// multiples of one unit; each deck may cut a probability of `tail` from the depths. Once `stop` is set, the
    /// result is meaningless.
    pub fn new(kinds: &[Kind], laid: &[Deck], decks: u32, tail: f64, stop: &AtomicBool) -> Lows {
        let unit = laid.first().map_or(1, |deck| deck.unit);
        let gains: Vec<Gains> = laid
            .iter()
            .map(|deck| {
                let base = deck.least / deck.unit;
                deck.steps.iter().map(|&(step, p)| (base + step as i64, p)).collect()
            })
            .collect();
        let longest = kinds.iter().map(|kind| kind.decks).max().unwrap_or(1) as usize;
        // Depths where a visit begins, by decks left, from none; no deck follows the last.
        let mut begun: VecDeque<Vec<f64>> = VecDeque::from([vec![1.0]]);
        for left in 1..=decks {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let mut next = Vec::new();
            for (kind, gains) in kinds.iter().zip(&gains) {
                // The last visit is cut off, and no deck follows the payment of its last deck.
                let (after, sold) = match kind.decks {
                    whole if whole < left => (&begun[whole as usize - 1], whole),
                    _ => (&begun[begun.len() - 1], left - 1),
                };
                let mut own = Cow::Borrowed(after);
                for deck in 0..sold {
                    if deck > 0 {
                        cut(own.to_mut(), tail);
                    }
                    own = Cow::Owned(one_more(&own, gains));
                }
                next.resize(next.len().max(own.len()), 0.0);
                add(&mut next, &own, kind.chance);
            }
            cut(&mut next, tail);
            begun.push_front(next);
            begun.truncate(longest.max(1));
        }
        Lows { unit, depths: begun.pop_front().unwrap_or_default() }
    }

    /// Returns the probability that the house at some time has lost more than `reach` cents.
    pub fn deeper(&self, reach: i64) -> f64 {
        if reach < 0 {
            return 1.0;
        }
        let from = (reach / self.unit).saturating_add(1) as usize;
        self.depths.get(from..).map_or(0.0, |deep| deep.iter().rev().sum::<f64>()).clamp(0.0, 1.0)
    }

    /// Returns the smallest loss, cents, that is exceeded with a probability of at most `risk`.
    pub fn reach_for(&self, risk: f64) -> i64 {
        let mut sum = 0.0;
        let deep = self.depths.iter().enumerate().rev().find(|&(_, &chance)| {
            sum += chance;
            sum > risk
        });
        deep.map_or(0, |(depth, _)| depth as i64 * self.unit)
    }
}

/// Cuts a probability from the depths, but never all of it.
fn cut(depths: &mut Vec<f64>, tail: f64) {
    let mut cut = 0.0;
    let above = depths.iter().rev().take_while(|&&chance| {
        cut += chance;
        cut <= tail
    });
    let kept = depths.len() - above.count();
    depths.truncate(kept.max(1));
}

/// Returns the depths with one more deck before them.
fn one_more(depths: &[f64], gains: &[(i64, f64)]) -> Vec<f64> {
    let deepest = gains.iter().map(|&(gain, _)| -gain).max().unwrap_or(0).max(0) as usize;
    let mut next = vec![0.0; depths.len() + deepest];
    for &(gain, chance) in gains {
        let by = gain.unsigned_abs() as usize;
        if gain < 0 {
            add(&mut next[by..], depths, chance);
        } else {
            let (to_top, rest) = depths.split_at(by.min(depths.len()));
            next[0] += chance * to_top.iter().sum::<f64>();
            add(&mut next, rest, chance);
        }
    }
    next
}

/// Adds a multiple of one row to another.
fn add(to: &mut [f64], from: &[f64], times: f64) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += times * from;
    }
}
