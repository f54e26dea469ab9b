//! Random numbers and memory of a strategy in one game.

use std::cell::{Cell, RefCell};

use rand_chacha::ChaCha8Rng;

use crate::cards::{Purpose, Seed, below, generator};

/// Seed of the sampled deals' random numbers; the number of a deal takes the place of a game.
pub(super) const SAMPLES: Seed = 0x5341_4d50_4c45;

/// Number of values that a strategy may keep from one decision of a game to the next.
pub const MEMORY: usize = 64;

/// The random numbers of a strategy in one seeded game, and what it remembers of that game.
#[derive(Clone, Debug)]
pub struct PlayerState {
    pub(super) seed: Seed,
    pub(super) game: u64,
    pub(super) stream: RefCell<Option<ChaCha8Rng>>,
    /// The member of a mix that plays this game, once drawn.
    drawn: Cell<Option<u32>>,
    /// Allocated when a number is first kept: all are 0 before.
    memory: RefCell<Option<Box<[i64; MEMORY]>>>,
}

impl PlayerState {
    /// Returns the random numbers of game `game` of seed `seed`, with an empty memory; the generator is created when
    /// first needed.
    #[inline]
    pub fn new(seed: Seed, game: u64) -> PlayerState {
        PlayerState {
            seed,
            game,
            stream: RefCell::new(None),
            drawn: Cell::new(None),
            memory: RefCell::new(None),
        }
    }

    /// Copies the state of a stream and its memory. Most games never use theirs.
    #[inline]
    pub(super) fn copy_from(&mut self, other: &PlayerState) {
        (self.seed, self.game) = (other.seed, other.game);
        self.drawn.set(other.drawn.get());
        if self.stream.get_mut().is_some() || other.stream.borrow().is_some() {
            self.stream.get_mut().clone_from(&other.stream.borrow());
        }
        if self.memory.get_mut().is_some() || other.memory.borrow().is_some() {
            self.memory.get_mut().clone_from(&other.memory.borrow());
        }
    }

    /// Rewinds to the state of a copy.
    pub(super) fn rewind_to(&self, copy: &PlayerState) {
        self.stream.borrow_mut().clone_from(&copy.stream.borrow());
        self.memory.borrow_mut().clone_from(&copy.memory.borrow());
    }

    /// Switches to the stream of a sampled deal.
    pub(super) fn begin_sample(&self, number: u64) {
        *self.stream.borrow_mut() = Some(generator(SAMPLES, number, Purpose::Strategy));
    }

    /// Advances to the state of a copy.
    #[inline]
    pub(super) fn follow(&self, copy: &mut PlayerState) {
        if copy.stream.get_mut().is_some() {
            *self.stream.borrow_mut() = copy.stream.get_mut().take();
        }
        if copy.memory.get_mut().is_some() {
            *self.memory.borrow_mut() = copy.memory.get_mut().take();
        }
    }

    /// Returns a remembered number, 0 if it was never set; `None` if the index is out of range.
    #[inline]
    pub(super) fn remembered(&self, place: i64) -> Option<i64> {
        let place = usize::try_from(place).ok().filter(|&place| place < MEMORY)?;
        Some(self.memory.borrow().as_ref().map_or(0, |memory| memory[place]))
    }

    /// Keeps a number for later decisions of the game; `None` if the index is out of range.
    pub(super) fn remember(&self, place: i64, number: i64) -> Option<()> {
        let place = usize::try_from(place).ok().filter(|&place| place < MEMORY)?;
        self.memory.borrow_mut().get_or_insert_with(|| Box::new([0; MEMORY]))[place] = number;
        Some(())
    }

    /// Returns all remembered numbers by index; empty if none was kept.
    pub fn memory(&self) -> Vec<i64> {
        self.memory.borrow().as_ref().map_or(Vec::new(), |memory| memory.to_vec())
    }

    /// Draws one number in `0..n` for the whole game, from its own stream: it picks the member of a mix that plays. `n`
    /// must be positive, and the same each time.
    #[inline]
    pub(super) fn drawn(&self, n: u32) -> u32 {
        let draw = || below(&mut generator(self.seed, self.game, Purpose::Patron), n);
        let drawn = self.drawn.get().unwrap_or_else(draw);
        self.drawn.set(Some(drawn));
        drawn
    }
}
