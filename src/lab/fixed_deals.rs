//! Strategies on fixed deals, such as those that were solved.

use serde::{Deserialize, Serialize};

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use crate::cards::{Deck, Seed};
use crate::game::{Observer, Outcome};

use super::batch::{BatchError, Matchup, players};
use super::blocks::{Blocks, Cacheable, StopFlag, Workers, in_order};
use super::game_runner::{GameError, GameRunner};

/// Deals in a block.
const BLOCK: u64 = 100;

/// Fixed deals that every entry plays.
pub struct GivenDeals<'a> {
    /// The entries.
    pub entries: Vec<Matchup<'a>>,
    /// The seed of the random numbers.
    pub seed: Seed,
    /// Number of deals. Deal `i`, from 0, uses the random numbers of game `i` of the seed.
    pub deals: u64,
    /// Returns the deck with a given number.
    pub deck: &'a (dyn Fn(u64) -> Deck + Sync),
    /// Threads that run the blocks.
    pub workers: Workers<'a>,
}

/// A game on a fixed deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenGame {
    /// Outcome of the game.
    pub outcome: Outcome,
    /// Face of the first die rolled, if any.
    pub face: Option<u8>,
}

/// Observer that keeps the first roll.
#[derive(Default)]
struct FirstRoll(Option<u8>);

impl Observer for FirstRoll {
    fn rolled(&mut self, face: u8) {
        self.0.get_or_insert(face);
    }
}

impl Cacheable for Vec<Vec<GivenGame>> {}

/// Plays the games of every entry, in the order of the deals. Returns nothing if `stop` was set before all were
/// played.
///
/// # Errors
/// The error of a strategy on the first deal that has one.
pub fn play_given(
    given: &GivenDeals<'_>,
    stop: &AtomicBool,
) -> Result<Option<Vec<Vec<GivenGame>>>, BatchError> {
    if given.entries.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let mut games = vec![Vec::new(); given.entries.len()];
    let halt = StopFlag::new(stop);
    let worker = || players(&given.entries, &halt);
    let make = |players: &mut Vec<GameRunner<'_>>, deals: Range<u64>| {
        if players.len() < given.entries.len() {
            return None;
        }
        let mut block = || -> Result<Vec<Vec<GivenGame>>, Box<GameError>> {
            let mut block = vec![Vec::new(); players.len()];
            for number in deals.clone() {
                let deck = (given.deck)(number);
                for (player, games) in players.iter_mut().zip(&mut block) {
                    let mut roll = FirstRoll::default();
                    let outcome = player.watch(&deck, given.seed, number, &mut roll)?;
                    games.push(GivenGame { outcome, face: roll.0 });
                }
            }
            Ok(block)
        };
        halt.unless_interrupted(block(), |error| &error.error)
    };
    let mut played = 0;
    let take = |_, block: Vec<Vec<GivenGame>>| {
        played += block.first().map_or(0, |it| it.len() as u64);
        games.iter_mut().zip(block).for_each(|(all, block)| all.extend(block));
        ControlFlow::Continue(())
    };
    let fits = |deals: Range<u64>, block: &Vec<Vec<GivenGame>>| {
        block.len() == given.entries.len()
            && block.iter().all(|games| games.len() as u64 == deals.end - deals.start)
    };
    let blocks = Blocks::all(0..given.deals, BLOCK);
    in_order(given.workers, &blocks, &halt, worker, make, fits, take)?;
    Ok((played == given.deals).then_some(games))
}
