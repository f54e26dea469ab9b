//! What the machine works on, and whom it calls.

use crate::game::{MoveList, View};

use super::super::super::value::Value;

/// Something is wrong: the interpreter has to make this decision, and says what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bailout;

/// What is given to a function that is not compiled, or by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    One(Value),
    List(Vec<Value>),
}

/// Runs what is not compiled.
pub trait Interpret {
    /// Calls a function at a depth of calls. `operations` have been counted before; what is given back is
    /// its value and the count after.
    fn call(
        &mut self,
        function: usize,
        depth: usize,
        arguments: &[Given],
        operations: u64,
    ) -> Result<(Given, u64), Bailout>;

    /// Plays the sampled deal `k` on by the player of a text of the script, after a move where one is given: the cards, and the
    /// count after.
    fn play_on(
        &mut self,
        player: usize,
        m: Option<i64>,
        k: i64,
        operations: u64,
    ) -> Result<(i64, u64), Bailout>;
}

/// A position to decide in.
pub struct DecisionPosition<'a> {
    pub view: &'a View<'a>,
    pub legal: &'a MoveList,
    /// Operations that a decision may take.
    pub limit: u64,
}

/// Operations of compiled code in the time in which a card is walked over, and in that of a question to the view that has
/// no op of its own.
pub const WALK: u64 = 8;
pub const ASK: u64 = 32;

/// The registers.
pub type Registers = [i64; 256];

/// What a decision has used so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meter {
    /// Never the same for two decisions.
    pub decision: i64,
    /// The same for positions with the same reserves and piles.
    pub arrangement: i64,
    /// Upper bound of the operations that the interpreter would have counted.
    pub operations: u64,
    /// Operations of compiled code that could have been made in the time of what takes longer than it is counted: copies of
    /// lists, and of registers for calls; some questions to the view.
    pub copied: u64,
}

impl<'a> DecisionPosition<'a> {
    pub fn new(view: &'a View<'a>, legal: &'a MoveList, limit: u64) -> DecisionPosition<'a> {
        DecisionPosition { view, legal, limit }
    }
}
