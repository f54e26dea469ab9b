//! Counts sequences of legal moves, to check the rules against other implementations.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::rules::{Draw, OnRedeal, Rules};

use super::chance::NoChance;
use super::moves::MoveList;
use super::table::Table;

/// Error: perft is not defined if chance decides inside the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("perft counts sequences of moves, and is not defined where a die or a shuffle decides")]
pub struct PerftUndefined;

/// Returns the number of sequences of exactly `depth` legal moves from a position. A dead end above that depth counts
/// 0; ends other than a lack of moves are ignored.
///
/// # Errors
/// Fails if the rules have a die or shuffle on redeal.
pub fn perft(table: &Table, rules: &Rules, depth: u32) -> Result<u64, PerftUndefined> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    perft_until(table, rules, depth, &NEVER).map(Option::unwrap_or_default)
}

/// Like [`perft`], but returns `None` if `stop` was set before the count was complete.
///
/// # Errors
/// As with [`perft`].
pub fn perft_until(
    table: &Table,
    rules: &Rules,
    depth: u32,
    stop: &AtomicBool,
) -> Result<Option<u64>, PerftUndefined> {
    let stock = &rules.spec().stock;
    if stock.on_redeal == OnRedeal::Shuffle || matches!(stock.draw, Draw::Die { .. }) {
        return Err(PerftUndefined);
    }
    let mut buffers: Vec<MoveList> = (0..depth).map(|_| MoveList::new()).collect();
    Ok(count(table, rules, &mut buffers, stop))
}

fn count(table: &Table, rules: &Rules, buffers: &mut [MoveList], stop: &AtomicBool) -> Option<u64> {
    let Some((moves, deeper)) = buffers.split_first_mut() else { return Some(1) };
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    table.legal_moves(rules, moves);
    if deeper.is_empty() {
        return Some(moves.len() as u64);
    }
    let each = |&m: &_| {
        let mut next = *table;
        next.apply(rules, m, &mut NoChance);
        count(&next, rules, deeper, stop)
    };
    moves.iter().map(each).sum()
}
