//! What a decision of the machine needs, and what it asks of the interpreter.

use crate::game::{MoveList, View};

use super::super::super::value::Value;
use super::super::bytecode::CompiledScript;

/// Something is irregular: the interpreter has to make this decision, and reports what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bailout;

/// A value passed to a function that is not compiled, or returned by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    One(Value),
    List(Vec<Value>),
}

/// Interface to everything that is not compiled.
pub trait Interpret {
    /// Calls a function at a depth of calls, with `operations` counted so far; returns its value and the count after.
    fn call(
        &mut self,
        function: usize,
        depth: usize,
        arguments: &[Given],
        operations: u64,
    ) -> Result<(Given, u64), Bailout>;

    /// Plays out the sampled deal `k` with the player named by a text of the script, after a move if one is given;
    /// returns the cards, and the count after.
    fn play_on(
        &mut self,
        player: usize,
        m: Option<i64>,
        k: i64,
        operations: u64,
    ) -> Result<(i64, u64), Bailout>;
}

/// A decision to make.
pub struct Asked<'a, I> {
    pub made: &'a CompiledScript,
    pub view: &'a View<'a>,
    pub legal: &'a MoveList,
    /// Maximum operations of a decision.
    pub limit: u64,
    pub interpreter: &'a mut I,
}

/// Operations of compiled code in the time that it takes to step over a card, and in that of a query of the view that
/// has no op of its own.
pub const WALK: u64 = 8;
pub const ASK: u64 = 32;

/// The registers.
pub type Registers = [i64; 256];

/// Counters of a decision.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meter {
    /// Unique to the decision.
    pub decision: i64,
    /// Equal for positions with the same reserves and piles.
    pub arrangement: i64,
    /// Upper bound on the operations that the interpreter would have counted.
    pub operations: u64,
    /// Additional operations of compiled code, for work that takes longer than it counts: copies of lists, and of
    /// registers for calls; some queries of the view.
    pub copied: u64,
}

impl Meter {
    /// Returns the number of the decision, or of the arrangement of reserves and piles.
    #[inline(always)]
    pub fn stamp(&self, arranged: bool) -> i64 {
        if arranged { self.arrangement } else { self.decision }
    }
}
