//! Positions to decide in: of every ruleset of the shelf and of random ones, after random moves, alone, with opponents,
//! and with staged stakes.

use saratoga::cards::{Deck, Purpose, below, generator};
use saratoga::game::{
    Game, MoveList, Observer, Opponents, PlayerState, SeededChance, SharedFoundations, Snapshot, StagedAgent,
    View,
};
use saratoga::rules::{self, Rules, Stage};

use crate::common::{self, Whim, specs};

pub struct Position {
    pub from: String,
    snapshot: Snapshot,
    /// The legal moves; empty if a stage of a stake is offered before anything is visible.
    pub legal: MoveList,
}

impl Position {
    fn new(from: String, view: &View<'_>, legal: &MoveList) -> Position {
        let mut snapshot = Snapshot::default();
        snapshot.take(view, legal);
        Position { from, snapshot, legal: legal.clone() }
    }

    /// Returns its player's view, with seeded random numbers.
    pub fn view<'a>(&'a self, rng: &'a PlayerState) -> View<'a> {
        self.snapshot.view().unwrap().with_rng(rng)
    }
}

/// Returns positions of random games under `random` numbered rulesets and the whole shelf, at most `each` per game.
pub fn positions(seed: u64, random: u64, each: usize) -> Vec<Position> {
    let mut all = Vec::new();
    let numbered = (0..random).map(|number| {
        let number = seed * 1000 + number;
        (format!("random {number}"), Rules::new(specs::numbered(number)).unwrap())
    });
    let shelf = common::shelf().into_iter().map(|(name, rules)| (name.to_string(), rules));
    for (i, (name, rules)) in shelf.chain(numbered).enumerate() {
        let seed = seed + i as u64;
        alone(&name, &rules, seed, each, &mut all);
        if i % 4 == 0 {
            with_opponents(&name, &rules, seed, &mut all);
        }
        if rules.spec().casino.is_staged() {
            in_steps(&name, &rules, seed, each, &mut all);
        }
    }
    all
}

/// Returns four positions of Canfield; the second has few moves.
pub fn of_canfield() -> Vec<Position> {
    positions_of("canfield", &rules::load("canfield").unwrap().rules, 11, 4)
}

pub fn positions_of(name: &str, rules: &Rules, seed: u64, number: usize) -> Vec<Position> {
    let mut all = Vec::new();
    alone(name, rules, seed, number, &mut all);
    all
}

/// Adds positions of a random game, early and late ones.
fn alone(name: &str, rules: &Rules, seed: u64, each: usize, all: &mut Vec<Position>) {
    let mut found = Vec::new();
    common::walk(rules, seed, 120, |game, _| {
        if game.end().is_none() {
            let rng = PlayerState::new(seed, 0);
            let from = format!("{name}, seed {seed}, position {}", found.len());
            found.push(Position::new(from, &View::new(game.table(), rules, &rng), game.legal()));
        }
    });
    let step = found.len().div_ceil(each).max(1);
    let first = seed as usize % step;
    all.extend(found.into_iter().skip(first).step_by(step));
}

/// Adds positions with opponents under the same rules, each in a game of their own.
fn with_opponents(name: &str, rules: &Rules, seed: u64, all: &mut Vec<Position>) {
    let mut rng = generator(seed, 1, Purpose::Dice);
    let seats = 2 + below(&mut rng, 4) as usize;
    let mut opponents = Opponents::new(seats);
    let mut own = None;
    opponents.seat = below(&mut rng, seats as u32) as usize;
    for seat in 0..seats {
        opponents.scores[seat] = i64::from(below(&mut rng, 200)) - 50;
        common::walk(rules, seed + 100 * seat as u64, 20 + below(&mut rng, 40) as usize, |game, _| {
            if game.end().is_none() {
                opponents.show(seat, game.table());
                if seat == opponents.seat {
                    own = Some((*game.table(), game.legal().clone()));
                }
            }
        });
    }
    let Some((table, legal)) = own else { return };
    if let Some(base) = table.base().filter(|_| seed.is_multiple_of(2)) {
        let mut shared = SharedFoundations::new((base, rules.spec().pack), seats);
        for _ in 0..30 {
            let foundation = below(&mut rng, 4 * seats as u32) as usize;
            let next = shared.card(foundation, shared.owners(foundation).len().min(12));
            let _ = shared.put(next, foundation % seats);
        }
        opponents.shared = Some(shared);
    }
    let rng = PlayerState::new(seed, 0);
    let view = View::new(&table, rules, &rng).with_opponents(&opponents);
    all.push(Position::new(format!("{name}, seed {seed}, with opponents"), &view, &legal));
}

/// Adds positions of a game with a staged stake, including those where a stage is offered.
fn in_steps(name: &str, rules: &Rules, seed: u64, each: usize, all: &mut Vec<Position>) {
    let mut collector = Collector { name, seed, whim: Whim::new(seed, 4, 1), found: Vec::new() };
    let mut game = Game::new(rules);
    let mut chance = SeededChance::new(seed, 0);
    game.deal(Deck::shuffled(rules.deck_shape(), seed, 0).cards(), &mut chance);
    game.play_for_stakes(&PlayerState::new(seed, 0), &mut chance, &mut collector).unwrap();
    let step = collector.found.len().div_ceil(each).max(1);
    all.extend(collector.found.into_iter().step_by(step));
}

struct Collector<'a> {
    name: &'a str,
    seed: u64,
    whim: Whim,
    found: Vec<Position>,
}

impl Collector<'_> {
    fn keep(&mut self, view: &View<'_>, legal: &MoveList) {
        let from = format!("{}, seed {}, position {} in steps", self.name, self.seed, self.found.len());
        self.found.push(Position::new(from, view, legal));
    }
}

impl Observer for Collector<'_> {}

impl StagedAgent for Collector<'_> {
    type Error = ();

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, ()> {
        self.keep(view, legal);
        Ok((self.found.len() < 150).then(|| self.whim.choose(legal)))
    }

    fn buys(&mut self, view: &View<'_>, legal: &MoveList, stage: &Stage) -> Result<bool, ()> {
        self.keep(view, legal);
        Ok(stage.at.stops() || self.whim.below(2) == 0)
    }
}
