//! How much is thought about one position: the counts of the options, cut where a world costs more.
//!
//! The counts of a level are meant for one pack and a stock that is soon known. A game of several packs has more reveals,
//! more ways to each, and positions that take longer; one that turns its stock card by card thinks at each of them.
//! Cuts are counts made of the rules and of what is seen, so that a game is the same on every machine.

use crate::game::View;

use super::options::Options;

/// Draws through the stock for which the playouts of a decision are meant.
const DRAWS: usize = 12;

/// Most ways judged in games of several packs, over the packs.
const WAYS_OF_PACKS: usize = 24;

/// Most ways while the stock is not known.
const MOST_UNSEEN: usize = 16;

/// So many worlds are looked at instead of one while the stock is not known: playouts are much cheaper than solves, and
/// say less each.
const PLAYOUTS: usize = 8;

/// And a solve may expand so many times fewer positions.
const FEWER: u64 = 8;

/// Fewest worlds in which ways are judged.
const LEAST: usize = 3;

/// Counts for one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// Worlds in each of which a line is looked for.
    pub worlds: usize,
    /// Worlds in which a way is judged by solves.
    pub judged: usize,
    /// Worlds in which a way is judged by playouts.
    pub playouts: usize,
    /// Positions of a solve.
    pub nodes: u64,
    /// Positions looked at for ways.
    pub ways: usize,
    /// Ways that are judged.
    pub most_ways: usize,
    /// The same while the stock is not known: what the policy does, and the nearest.
    pub most_unseen: usize,
    /// A way that wins in all worlds so far is not compared further.
    pub content: bool,
}

impl Budget {
    /// For the position of a view.
    pub fn of(options: &Options, view: &View<'_>) -> Budget {
        let packs = usize::from(view.rules().deal.packs).max(1);
        let news = view.stock_is_news(view.own_table());
        // A packet that a die is still to say counts as one of three cards.
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
