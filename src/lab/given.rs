//! Strategies on given deals, such as those that were solved.

use serde::{Deserialize, Serialize};

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use crate::cards::{Deck, Seed};
use crate::game::{Observer, Outcome};

use super::batch::{BatchError, Pairing, players};
use super::blocks::{Blocks, Halt, in_order};
use super::checkpoint::Workers;
use super::player::{GameError, Player};

/// Deals in a block.
const BLOCK: usize = 100;

/// Deals to be played by every entry.
pub struct GivenDeals<'a> {
    /// The entries.
    pub entries: Vec<Pairing<'a>>,
    /// The seed whose chance goes with the deals.
    pub seed: Seed,
    /// Their numbers: the games of the seed whose chance goes with each.
    pub numbers: &'a [u64],
    /// The deck of a number.
    pub deck: &'a (dyn Fn(u64) -> Deck + Sync),
    /// Who makes the blocks.
    pub workers: Workers<'a>,
}

/// A game on a given deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenGame {
    /// How it went.
    pub outcome: Outcome,
    /// The face of the first die that was rolled, if one was.
    pub face: Option<u8>,
}

/// Keeps the first roll.
#[derive(Default)]
struct FirstRoll(Option<u8>);

impl Observer for FirstRoll {
    fn rolled(&mut self, face: u8) {
        self.0.get_or_insert(face);
    }
}

/// The games of every entry, in the order of the deals; nothing where `stop` was set before all were played.
///
/// # Errors
/// The fault of a strategy on the first deal, in their order, that has one.
pub fn play_given(
    given: &GivenDeals<'_>,
    stop: &AtomicBool,
) -> Result<Option<Vec<Vec<GivenGame>>>, BatchError> {
    let mut games = vec![Vec::with_capacity(given.numbers.len()); given.entries.len()];
    let halt = Halt::new(stop);
    let worker = || players(&given.entries, &halt);
    let make = |players: &mut Vec<Player<'_>>, index: u64| {
        let first = usize::try_from(index).ok()?.checked_mul(BLOCK)?;
        let numbers = given.numbers.get(first..).filter(|_| players.len() == given.entries.len())?;
        let mut block = || -> Result<Vec<Vec<GivenGame>>, GameError> {
            let mut block = vec![Vec::new(); players.len()];
            for &number in numbers.iter().take(BLOCK) {
                let deck = (given.deck)(number);
                for (player, games) in players.iter_mut().zip(&mut block) {
                    let mut roll = FirstRoll::default();
                    let outcome = player.watch(&deck, given.seed, number, &mut roll)?;
                    games.push(GivenGame { outcome, face: roll.0 });
                }
            }
            Ok(block)
        };
        if numbers.is_empty() { None } else { halt.unless_interrupted(block(), |error| &error.error) }
    };
    let mut played = 0;
    let take = |_, block: Vec<Vec<GivenGame>>| {
        played += block.first().map_or(0, Vec::len);
        games.iter_mut().zip(block).for_each(|(all, block)| all.extend(block));
        ControlFlow::Continue(())
    };
    let blocks = Blocks::all(given.numbers.len().div_ceil(BLOCK) as u64);
    let fits = |_, block: &Vec<Vec<GivenGame>>| block.len() == given.entries.len();
    in_order(given.workers, blocks, &halt, worker, make, fits, take)?;
    Ok((played == given.numbers.len() || given.entries.is_empty()).then_some(games))
}
