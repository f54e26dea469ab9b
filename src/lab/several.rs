//! Several batches side by side, such as the rulesets of a shelf, each with its own number of games.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::cards::Seed;
use crate::crash::guard;
use crate::rules::Rules;
use crate::stats::Tally;
use crate::strategy::Strategy;
use crate::threads::spawn_in;

use super::checkpoint::Workers;

use super::batch::{Batch, BatchError, Finished, Pairing, simulate};
use super::measure::Told;

/// Tells which batch, from 0, has come how far.
type Watch<'w> = dyn Fn(usize, &Finished) + Sync + 'w;

/// Plays every batch as [`simulate`] does, on `threads` threads (at least 1) that each take a whole batch
/// after the other; a batch's own `threads` are besides. What comes of each is the same at any number of
/// them. Once `stop` is set, what is left is not played.
///
/// # Errors
/// That of the first batch, in their order, that has one.
pub fn simulate_each(
    batches: &[Batch<'_>],
    threads: usize,
    stop: &AtomicBool,
    watch: &Watch<'_>,
) -> Result<Vec<Finished>, BatchError> {
    let next = AtomicUsize::new(0);
    let fault = AtomicBool::new(false);
    let slots: Vec<Mutex<Option<Result<Finished, BatchError>>>> =
        batches.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        // Batches are begun in their order, so all before one with a fault are played, and the first is found.
        while !fault.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(batch) = batches.get(index) else { break };
            let played = guard(|| simulate(batch, stop, &mut Told(|so_far: &Finished| watch(index, so_far))));
            let played = played.unwrap_or_else(|crash| Err(BatchError::Crashed(crash)));
            fault.fetch_or(played.is_err(), Ordering::Relaxed);
            *slots[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(played);
        }
    };
    std::thread::scope(|scope| {
        let started = (1..threads.min(batches.len())).try_for_each(|_| spawn_in(scope, work));
        if started.is_err() {
            fault.store(true, Ordering::Relaxed);
        }
        work();
        started.map_err(|error| BatchError::Threads(error.to_string()))
    })?;
    // Only what comes after a fault is not played.
    slots.into_iter().filter_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}

/// A player of several rulesets, with the games it plays of each.
pub struct GridPlayer<'a> {
    /// Makes the strategy, once for each thread.
    pub strategy: &'a (dyn Fn() -> Box<dyn Strategy> + Sync),
    /// Games of each ruleset.
    pub games: u64,
    /// Games that are played in one go at least: so few that little is lost by an interruption.
    pub piece: u64,
}

/// What came of one ruleset under one player: the first of the games asked for.
#[derive(Clone, Debug)]
pub struct GridRun {
    /// Counts.
    pub tally: Tally,
    /// It was stopped before its games were played.
    pub interrupted: bool,
}

/// At most so many pieces of a ruleset and a player.
const PIECES: u64 = 100;

/// Some games of a ruleset by a player, by their places in the lists.
struct Piece {
    ruleset: usize,
    player: usize,
    games: Range<u64>,
}

/// All games in pieces: ruleset after ruleset, player after player.
fn pieces(rulesets: usize, players: &[GridPlayer<'_>]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for ruleset in 0..rulesets {
        for (player, &GridPlayer { games, piece, .. }) in players.iter().enumerate() {
            let size = games.div_ceil(PIECES).max(piece);
            for piece in 0..games.div_ceil(size) {
                let games = piece * size..games.min(piece.saturating_add(1).saturating_mul(size));
                pieces.push(Piece { ruleset, player, games });
            }
        }
    }
    pieces
}

/// Plays every ruleset, which has an id, with every player, in pieces that share the threads; for each ruleset a run of
/// each player. `watch` is told the ruleset, the player and whether their last games are played.
///
/// # Errors
/// That of the first piece, in their order, that has one.
pub fn simulate_grid(
    rulesets: &[(&str, &Rules)],
    players: &[GridPlayer<'_>],
    seed: Seed,
    threads: usize,
    stop: &AtomicBool,
    watch: &(dyn Fn(usize, usize, bool) + Sync),
) -> Result<Vec<Vec<GridRun>>, BatchError> {
    let pieces = pieces(rulesets.len(), players);
    let batch = |piece: &Piece| {
        let (id, rules) = rulesets[piece.ruleset];
        Batch {
            entries: vec![Pairing { id, rules, strategy: players[piece.player].strategy }],
            seed,
            games: piece.games.clone(),
            precision: None,
            workers: Workers::new(1),
            each_game: false,
        }
    };
    let batches: Vec<Batch<'_>> = pieces.iter().map(batch).collect();
    let finished = simulate_each(&batches, threads, stop, &|index, so_far| {
        let Piece { ruleset, player, games } = &pieces[index];
        let last = games.end == players[*player].games && so_far.games == games.end - games.start;
        watch(*ruleset, *player, last);
    })?;
    let none = |rules: &Rules| GridRun { tally: Tally::new(rules.spec()), interrupted: false };
    let mut runs: Vec<Vec<GridRun>> =
        rulesets.iter().map(|(_, rules)| vec![none(rules); players.len()]).collect();
    // What comes after a piece that was not finished does not count: the games that do are the first ones.
    for (piece, finished) in pieces.iter().zip(&finished) {
        let run = &mut runs[piece.ruleset][piece.player];
        if !run.interrupted {
            run.tally.merge(&finished.tallies[0]);
        }
        run.interrupted |= finished.interrupted;
    }
    Ok(runs)
}
