//! Games played by the library.

use std::ops::Range;

use saratoga::game::Outcome;
use saratoga::lab::{Batch, BatchError, Finished, Matchup, Watcher, Workers, simulate};
use saratoga::rules::{self, Loaded};
use saratoga::strategy::{self, Greedy, Strategy, StrategySource};

pub fn batch(entries: Vec<Matchup<'_>>, seed: u64, games: Range<u64>, threads: usize) -> Batch<'_> {
    Batch::new(entries, seed, games, Workers::new(threads))
}

pub fn greedy() -> Box<dyn Strategy> {
    Box::new(Greedy)
}

/// A watcher of blocks: the first game, the result so far, and the outcomes.
pub struct Each<F>(pub F);

impl<F: FnMut(u64, &Finished, &[Vec<Outcome>])> Watcher for Each<F> {
    fn block(&mut self, first: u64, so_far: &Finished, outcomes: &[Vec<Outcome>]) {
        (self.0)(first, so_far, outcomes);
    }
}

/// Returns every game of every entry, and their tallies.
pub fn every_game(batch: Batch<'_>) -> Result<(Vec<Vec<Outcome>>, Finished), BatchError> {
    let mut games = vec![Vec::new(); batch.entries.len()];
    let mut keep = Each(|_, so_far: &Finished, outcomes: &[Vec<Outcome>]| {
        for (all, block) in games.iter_mut().zip(outcomes) {
            all.extend(block);
            assert_eq!(all.len() as u64, so_far.games);
        }
    });
    let finished = simulate(&Batch { each_game: true, ..batch }, &mut keep)?;
    Ok((games, finished))
}

pub struct Sides {
    pub rules: Vec<Loaded>,
    pub strategies: Vec<StrategySource>,
}

impl Sides {
    pub fn new(pairs: &[(&str, &str)]) -> Sides {
        Sides {
            rules: pairs.iter().map(|(rules, _)| rules::load(rules).unwrap()).collect(),
            strategies: pairs.iter().map(|(_, name)| strategy::load(name).unwrap()).collect(),
        }
    }

    /// Passes them on as entries.
    pub fn entries<T>(&self, f: impl FnOnce(Vec<Matchup<'_>>) -> T) -> T {
        let entries = self.rules.iter().zip(&self.strategies);
        f(entries.map(|(it, strategy)| Matchup { id: &it.id, rules: &it.rules, strategy }).collect())
    }
}
