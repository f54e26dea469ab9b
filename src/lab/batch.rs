//! Many games over threads, in blocks of fixed size that are merged in order.
//!
//! Slow players play a block game by game, so that little is lost when a run is stopped within a block and progress
//! is visible. Running figures and stopping rules are evaluated only at the end of a block that follows all those
//! before it, so that a run gives the same bytes on any number of threads.

use std::ops::{ControlFlow, Range};
use std::time::Duration;

use crate::cards::Seed;
use crate::clock::Moment;
use crate::crash::guard;
use crate::game::{NamedDeal, Outcome};
use crate::rules::{Rules, Spec};
use serde::{Deserialize, Serialize};

use crate::stats::{
    AtOnce, House, MostCards, Night, Precision, RunningPoint, Side, Sides, Summary, Tally, Winnable,
    running_point, summarize,
};
use crate::strategy::{Strategy, StrategyError, StrategySource};

use super::blocks::{Blocks, Cacheable, StopFlag, Stopped, Workers, in_order};
use super::game_runner::{GameError, GameRunner};

/// Number of games in a block.
pub const BLOCK: u64 = 1000;

/// Most blocks, which a merge remembers: those of longer runs have ten, a hundred or a thousand times the games.
const MANY_BLOCKS: u64 = 1_000_000;

/// Smallest sample on which the stopping rule is evaluated.
const FIRST_LOOK: u64 = 10_000;

/// A running figure is recorded each time the number of games has grown by this factor.
const RUNNING_GROWTH: f64 = 1.1;

/// Source of the players of a strategy, one for each thread: a loaded strategy, or a closure.
pub trait StrategyMaker: Sync {
    /// Creates a player.
    fn instantiate(&self) -> Box<dyn Strategy>;
}

impl StrategyMaker for StrategySource {
    fn instantiate(&self) -> Box<dyn Strategy> {
        StrategySource::instantiate(self)
    }
}

impl<F: Fn() -> Box<dyn Strategy> + Sync> StrategyMaker for F {
    fn instantiate(&self) -> Box<dyn Strategy> {
        self()
    }
}

/// Source of the players of a strategy.
pub type MakeStrategy<'a> = &'a dyn StrategyMaker;

/// One ruleset under one strategy.
#[derive(Clone, Copy)]
pub struct Matchup<'a> {
    /// Name or path of the ruleset, as the user wrote it.
    pub id: &'a str,
    /// The rules.
    pub rules: &'a Rules,
    /// The strategy.
    pub strategy: MakeStrategy<'a>,
}

/// Games to play: every entry plays every game.
pub struct Batch<'a> {
    /// The entries.
    pub entries: Vec<Matchup<'a>>,
    /// The seed of all games.
    pub seed: Seed,
    /// Games, by index.
    pub games: Range<u64>,
    /// Stops at the end of the first block after which every entry is this precise.
    pub precision: Option<Precision>,
    /// Threads that play the games.
    pub workers: Workers<'a>,
    /// Whether the watcher receives the outcome of every game.
    pub each_game: bool,
}

impl<'a> Batch<'a> {
    /// Plays all of these games, whose outcomes no watcher receives.
    pub fn new(entries: Vec<Matchup<'a>>, seed: Seed, games: Range<u64>, workers: Workers<'a>) -> Batch<'a> {
        Batch { entries, seed, games, precision: None, workers, each_game: false }
    }
}

/// Result of a batch.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Games played by each entry, counted from the first of the batch.
    pub games: u64,
    /// Tally of each entry.
    pub tallies: Vec<Tally>,
    /// House edge of each entry as games accumulated.
    pub running: Vec<Vec<RunningPoint>>,
    /// Time spent on each entry's games, summed over all threads.
    pub times: Vec<Duration>,
    /// Whether the batch was stopped before all games were played.
    pub interrupted: bool,
}

/// Observer of a batch, called after each block in order.
pub trait Watcher {
    /// Called when a block has been added. `outcomes` has one list for each entry, starting with game `first`, the one
    /// after those of the last call; it is empty unless each game was requested.
    fn block(&mut self, _first: u64, _so_far: &Finished, _outcomes: &[Vec<Outcome>]) {}

    /// Called when games have been added within a block; slow players report every game.
    fn games(&mut self, _so_far: &Finished) {}

    /// Returns whether no more games are needed; called after each block.
    fn enough(&self) -> bool {
        false
    }

    /// Returns whether [`enough`](Watcher::enough) may become true before all games are played.
    fn may_have_enough(&self) -> bool {
        false
    }
}

impl Watcher for () {}

/// Receives the progress of a batch.
impl<F: FnMut(&Finished)> Watcher for F {
    fn games(&mut self, so_far: &Finished) {
        self(so_far);
    }
}

#[derive(Serialize, Deserialize)]
struct Block {
    tallies: Vec<Tally>,
    outcomes: Vec<Vec<Outcome>>,
    times: Vec<f64>,
}

impl Cacheable for Block {
    fn times(&mut self) -> Vec<&mut f64> {
        self.times.iter_mut().collect()
    }
}

/// Reason why a batch could not be played.
pub type BatchError = Stopped<Box<GameError>>;

/// Plays a batch until all games are played, it is precise enough, or it is stopped: then only the blocks before the
/// first unfinished one are counted.
pub fn simulate(batch: &Batch<'_>, watcher: &mut dyn Watcher) -> Result<Finished, BatchError> {
    simulate_deals(batch, None, watcher)
}

/// Plays a batch on fixed deals, if given: game `i` uses deal `i` with the random numbers of game `i` of the seed.
pub fn simulate_deals(
    batch: &Batch<'_>,
    given: Option<&[NamedDeal]>,
    watcher: &mut dyn Watcher,
) -> Result<Finished, BatchError> {
    let specs = || batch.entries.iter().map(|entry| entry.rules.spec());
    let mut finished = Finished {
        games: 0,
        tallies: specs().map(Tally::new).collect(),
        running: vec![Vec::new(); batch.entries.len()],
        times: vec![Duration::ZERO; batch.entries.len()],
        interrupted: false,
    };
    let wanted = batch.games.end.saturating_sub(batch.games.start);
    let slow = is_slow(batch.entries.iter(), batch.workers)?;
    let open = batch.precision.is_some() || watcher.may_have_enough();
    let least = if slow { 1 } else { BLOCK };
    // Blocks stay small if the run may stop at the end of a block, or if all their games are kept in memory.
    let piece = if open || batch.each_game { least } else { games_of_a_block(wanted, least) };
    let mut outcomes: Vec<Vec<Outcome>> = vec![Vec::new(); batch.entries.len()];
    // The first of the games whose outcomes are held.
    let mut first = batch.games.start;
    let mut next_running = 0.0;
    let mut enough = false;
    let halt = StopFlag::new(batch.workers.stop);
    let worker = || players(&batch.entries, &halt);
    let make = |players: &mut Vec<GameRunner<'_>>, games| {
        if players.len() < batch.entries.len() {
            return None;
        }
        halt.unless_interrupted(play_block(batch, given, players, games), |error| &error.error)
    };
    let take = |games: Range<u64>, block: Block| {
        finished.games += games.end - games.start;
        for (sum, tally) in finished.tallies.iter_mut().zip(&block.tallies) {
            sum.merge(tally);
        }
        for (sum, seconds) in finished.times.iter_mut().zip(&block.times) {
            *sum += Duration::try_from_secs_f64(*seconds).unwrap_or_default();
        }
        for (all, outcomes) in outcomes.iter_mut().zip(block.outcomes) {
            all.extend(outcomes);
        }
        watcher.games(&finished);
        if finished.games < wanted && !finished.games.is_multiple_of(BLOCK) {
            return ControlFlow::Continue(());
        }
        if finished.games as f64 >= next_running {
            next_running = finished.games as f64 * RUNNING_GROWTH;
            finished.note_running(batch);
        }
        watcher.block(first, &finished, &outcomes);
        first = games.end;
        outcomes.iter_mut().for_each(Vec::clear);
        let precise = |precision: Precision| {
            finished.tallies.iter().zip(specs()).all(|(tally, spec)| precision.reached(tally, spec))
        };
        enough = watcher.enough() || finished.games >= FIRST_LOOK && batch.precision.is_some_and(precise);
        if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let blocks = Blocks { items: batch.games.clone(), size: piece, open };
    // A checkpoint file may contain anything.
    let fits = |games: Range<u64>, block: &Block| {
        let games = games.end - games.start;
        let fits = |(tally, spec): (&Tally, &Spec)| tally.games() == games && tally.check(spec).is_ok();
        let each = if batch.each_game { games } else { 0 };
        let sound = block.tallies.iter().zip(specs()).all(fits)
            && block.outcomes.iter().all(|outcomes| outcomes.len() as u64 == each);
        let lengths = [block.tallies.len(), block.outcomes.len(), block.times.len()];
        sound && lengths == [batch.entries.len(); 3]
    };
    in_order(batch.workers, &blocks, &halt, worker, make, fits, take)?;
    if first < batch.games.start + finished.games {
        watcher.block(first, &finished, &outcomes);
    }
    finished.interrupted = !enough && finished.games < wanted;
    finished.note_running(batch);
    Ok(finished)
}

/// Creates a runner for each entry; fewer once the run is stopped, as script engines take time.
pub(super) fn players<'a>(entries: &'a [Matchup<'a>], halt: &'a StopFlag<'_>) -> Vec<GameRunner<'a>> {
    let going_on = entries.iter().take_while(|_| !halt.stopped());
    let player =
        |entry: &'a Matchup<'a>| GameRunner::new(entry.id, entry.rules, entry.strategy.instantiate());
    going_on.map(|entry| player(entry).heeding(halt.flag())).collect()
}

/// Returns whether any of the players is slow. Only a player itself knows, so one of each is created here.
pub(super) fn is_slow<'a: 'p, 'p>(
    mut entries: impl Iterator<Item = &'p Matchup<'a>>,
    workers: Workers<'_>,
) -> Result<bool, BatchError> {
    let is_slow = |entry: &Matchup<'_>| !workers.stopped() && entry.strategy.instantiate().is_slow();
    guard(|| entries.any(is_slow)).map_err(BatchError::Crashed)
}

/// Returns the number of games in a block of a run of this many games: at least `least`.
pub(super) fn games_of_a_block(games: u64, least: u64) -> u64 {
    let many = |&times: &u64| games.div_ceil(least * times) > MANY_BLOCKS;
    least * [1, 10, 100].into_iter().find(|times| !many(times)).unwrap_or(1000)
}

/// Divides the games of one player into blocks.
pub(super) fn blocks_of(games: Range<u64>, slow: bool) -> impl Iterator<Item = Range<u64>> {
    let all = games.end.saturating_sub(games.start);
    let size = if slow { games_of_a_block(all, 1) } else { BLOCK };
    (games.start..games.end).step_by(size as usize).map(move |first| first..games.end.min(first + size))
}

fn play_block(
    batch: &Batch<'_>,
    given: Option<&[NamedDeal]>,
    players: &mut [GameRunner<'_>],
    games: Range<u64>,
) -> Result<Block, Box<GameError>> {
    let mut block = Block { tallies: Vec::new(), outcomes: Vec::new(), times: Vec::new() };
    let mut fault: Option<Box<GameError>> = None;
    for (player, entry) in players.iter_mut().zip(&batch.entries) {
        let begun = Moment::now();
        let mut tally = Tally::new(entry.rules.spec());
        let mut outcomes = Vec::new();
        // After a fault only the games before it matter: another entry may have an earlier one.
        let end = fault.as_ref().map_or(games.end, |error| error.game);
        let played: Result<(), Box<GameError>> = (games.start..end).try_for_each(|game| {
            let outcome = match given.and_then(|deals| deals.get(game as usize)) {
                Some(deal) => player.watch(&deal.deck, batch.seed, game, &mut ())?,
                None => player.play(batch.seed, game)?,
            };
            tally.add(&outcome);
            if batch.each_game {
                outcomes.push(outcome);
            }
            Ok(())
        });
        if played.as_ref().is_err_and(|error| error.error == StrategyError::Interrupted) {
            return played.map(|()| block);
        }
        fault = played.err().or(fault);
        block.tallies.push(tally);
        block.outcomes.push(outcomes);
        block.times.push(begun.elapsed().as_secs_f64());
    }
    fault.map_or(Ok(block), Err)
}

impl Finished {
    fn note_running(&mut self, batch: &Batch<'_>) {
        for ((running, tally), entry) in self.running.iter_mut().zip(&self.tallies).zip(&batch.entries) {
            if tally.games() > running.last().map_or(0, |point| point.games) {
                running.extend(running_point(tally, entry.rules.spec()));
            }
        }
    }
}

/// Returns the games of a player, by index, if each plays at most `most`.
pub(super) fn own_games(number: usize, most: u64, games: u64) -> Range<u64> {
    let first = most.saturating_mul(number as u64);
    first..first.saturating_add(games)
}

/// Plays the games of one player; `watch` is called as games are added.
pub fn measure(
    player: Matchup<'_>,
    games: Range<u64>,
    (seed, workers): (Seed, Workers<'_>),
    mut watch: impl FnMut(&Finished),
) -> Result<Tally, BatchError> {
    let spec = player.rules.spec();
    let batch = Batch::new(vec![player], seed, games, workers);
    let played = simulate(&batch, &mut watch)?;
    Ok(played.tallies.into_iter().next().unwrap_or_else(|| Tally::new(spec)))
}

/// Result of playing rulesets under strategies.
#[derive(Clone, Debug, Serialize)]
pub struct Simulated {
    /// Number of games of each entry.
    pub games: u64,
    /// How many of several entries lie on which side, with 95% confidence for all of them at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sides: Option<Sides>,
    /// Every ruleset under every strategy, in the order in which they were named.
    pub entries: Vec<SimulatedEntry>,
    /// Whether the run was stopped before it was complete.
    #[serde(skip)]
    pub interrupted: bool,
}

/// A ruleset under a strategy.
#[derive(Clone, Debug, Serialize)]
pub struct SimulatedEntry {
    /// Name of the ruleset, on the shelf or of its file.
    pub rules: String,
    /// The strategy's name on the shelf, or the path of its script.
    pub strategy: String,
    /// Its side, with 95% confidence for all entries at once; `None` without a price.
    pub side: Option<Side>,
    /// Its figures.
    pub summary: Summary,
    /// Those of several entries, with intervals that hold for all of them at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_once: Option<AtOnce>,
    /// Tally behind the figures.
    pub tally: Tally,
    /// What a player who knows every card could have had on the first of the deals, where that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clairvoyant: Option<Clairvoyant>,
    /// The ruleset.
    #[serde(skip)]
    pub spec: Spec,
    /// The house's profit over a night, where a page shows it.
    #[serde(skip)]
    pub night: Option<Night>,
    /// Time that its games took, that of all threads together.
    #[serde(skip)]
    pub time: Duration,
}

/// Result of the clairvoyant player on the first games of a seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clairvoyant {
    /// Number of games of the seed, from game 0.
    pub deals: u64,
    /// Maximum number of positions expanded in each.
    pub nodes: u64,
    /// Number of winnable deals.
    pub winnable: Winnable,
    /// The most cards, and their value.
    pub most_cards: MostCards,
}

impl Simulated {
    /// The figures of a batch whose entries are these: the name of a ruleset, that of a strategy, and the ruleset.
    pub fn new<'a>(
        entries: impl IntoIterator<Item = (&'a str, &'a str, &'a Spec)>,
        played: Finished,
    ) -> Simulated {
        let several = played.tallies.len();
        let counts = played.tallies.into_iter().zip(played.running).zip(played.times);
        let entry = |((rules, strategy, spec), ((tally, running), time)): ((&str, &str, &Spec), _)| {
            let summary = summarize(&tally, spec, running);
            let at_once = (several > 1).then(|| AtOnce::of(&tally, spec, several));
            SimulatedEntry {
                rules: rules.into(),
                strategy: strategy.into(),
                side: at_once.map_or(summary.house_edge, |it| it.edge).map(Side::of),
                summary,
                at_once,
                tally,
                clairvoyant: None,
                spec: spec.clone(),
                night: None,
                time,
            }
        };
        let entries: Vec<SimulatedEntry> = entries.into_iter().zip(counts).map(entry).collect();
        Simulated {
            games: played.games,
            sides: (several > 1).then(|| Sides::of(entries.iter().map(|it| it.side))),
            entries,
            interrupted: played.interrupted,
        }
    }

    /// Adds the house's profit over a night of so many decks to every entry; a rough one in haste.
    pub fn add_nights(&mut self, decks: u32, in_haste: bool) {
        for it in &mut self.entries {
            let house = House::new(&it.tally, &it.spec.casino);
            it.night = match in_haste {
                true => Night::in_haste(&house, decks),
                false => Night::new(&house, decks),
            };
        }
    }
}

impl SimulatedEntry {
    /// Its figures with intervals that hold for all entries at once; those of one alone are its own.
    pub fn at_once(&self) -> AtOnce {
        let Summary { house_edge: edge, win_rate: wins, cards, .. } = self.summary;
        self.at_once.unwrap_or(AtOnce { edge, wins, cards })
    }
}

#[cfg(test)]
mod tests {
    use super::games_of_a_block;

    #[test]
    fn blocks_grow_where_they_would_be_too_many() {
        for (games, least, block) in [
            (0, 1000, 1000),
            (1_000_000_000, 1000, 1000),
            (1_000_000_001, 1000, 10_000),
            (1_000_000_000_000, 1000, 1_000_000),
            (u64::MAX, 1000, 1_000_000),
            (1_000_000, 1, 1),
            (10_000_000, 1, 10),
            (u64::MAX, 1, 1000),
        ] {
            assert_eq!(games_of_a_block(games, least), block, "{games}");
        }
    }
}
