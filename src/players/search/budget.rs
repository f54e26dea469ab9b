//! The effort spent on one position: the counts of the options, reduced if a world costs more.
//!
//! The counts of a level are meant for one pack and a stock that is soon known. A game of several packs has more
//! reveals, more ways to each, and slower positions; one that turns its stock card by card has a decision at each of
//! them. The reductions depend only on the rules and on what is seen, so that a game is the same on every machine.

use crate::game::View;

use super::options::Options;

/// Number of draws through the stock that the playouts of a decision are meant for.
const DRAWS: usize = 12;

/// Maximum number of ways judged in games of several packs, divided by the packs.
const WAYS_OF_PACKS: usize = 24;

/// Maximum number of ways while the stock is unknown.
const MOST_UNSEEN: usize = 16;

/// Factor for the number of worlds while the stock is unknown: playouts are much cheaper than solves, and each says
/// less.
const PLAYOUTS: usize = 8;

/// Divisor for the positions of a solve while the stock is unknown.
const FEWER: u64 = 8;

/// Minimum number of worlds in which ways are judged.
const LEAST: usize = 3;

/// Counts for one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// Number of worlds in each of which a line is searched.
    pub worlds: usize,
    /// Number of worlds in which a way is judged by solves.
    pub judged: usize,
    /// Number of worlds in which a way is judged by playouts.
    pub playouts: usize,
    /// Maximum number of positions of a solve.
    pub nodes: u64,
    /// Maximum number of positions expanded to find ways.
    pub ways: usize,
    /// Maximum number of ways judged.
    pub most_ways: usize,
    /// The same while the stock is unknown: the policy's way and the nearest.
    pub most_unseen: usize,
    /// Whether a way that wins in all worlds so far is accepted without further comparison.
    pub content: bool,
}

impl Budget {
    /// Returns the budget for the position of a view.
    pub fn of(options: &Options, view: &View<'_>) -> Budget {
        let packs = usize::from(view.rules().deal.packs).max(1);
        let news = view.stock_is_news(view.own_table());
        // A packet that a die will decide counts as three cards.
        let packet = Some(view.draw()).filter(|&cards| cards > 0).unwrap_or(3);
        let draws = (view.stock_left() + view.waste_left()) / packet;
        let (over, under) = (DRAWS, packs * packs * draws.max(DRAWS));
        Budget {
            worlds: options.worlds.div_ceil(packs),
            judged: options.judged.div_ceil(packs).max(LEAST.min(options.judged)),
            playouts: (options.judged * PLAYOUTS * over / under).max(options.judged),
            nodes: if news { options.nodes / FEWER } else { 2 * options.nodes / (packs as u64 + 1) }.max(1),
            ways: options.ways.div_ceil(packs),
            most_ways: if packs > 1 { WAYS_OF_PACKS / packs } else { usize::MAX },
            most_unseen: (MOST_UNSEEN * DRAWS / draws.max(DRAWS)).min(WAYS_OF_PACKS / packs),
            content: packs > 1 || news && draws > DRAWS,
        }
    }
}
