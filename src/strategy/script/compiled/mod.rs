//! The compiler of scripts.
//!
//! # From a script to ops
//! The way of a function is: Rhai's own syntax tree -> [`tree::Node`]s ([`build`], [`statements`],
//! [`expressions`]) -> their types ([`types`]) -> tables for what depends on one card ([`tables`]) -> ops for a
//! machine of 256 registers ([`emit`]) -> [`run`]. It is compiled when a game of new rules begins, since much
//! is known then: the rules, the script's constants, and, for a `score`, the *class* of the move it is
//! asked about ([`facts`]). A script that asks `m.to_foundation` ten times asks nothing of the kind here.
//!
//! # The same as interpreted
//! Compiled code never words a fault. Whatever is not plainly right (an overflow, a card that is `()`, an
//! index that does not exist, too many operations, a result of a wrong type) ends it with [`state::Bailout`],
//! and the interpreter makes the whole decision again from its beginning, with the randomness as it
//! was: if there is a fault, it is the interpreter that reports it, with its words and its place. So the
//! compiler must be right about values, and may be wrong about faults only by being slow.
//!
//! Operations are counted as an upper bound of what the interpreter counts: a loop's round costs the most that
//! a way through its body can. A decision that comes over the budget by this count is handed over, and the
//! interpreter, which counts exactly, stops it or finds that it is within.
//!
//! # Once a decision
//! Properties of the view are read once a decision, before the first score that needs them; those of reserves and
//! piles once a play. A function that
//! is asked about the view alone is a *memo*: computed when first asked for, then known, and until the next play
//! if it asks for nothing but reserves and piles. What hangs on one card
//! only (its colour, the set of cards it can hold) is a *table*, computed for all cards at load.
//!
//! # Not asked at all
//! The classes of moves for which a script looks at stock or waste are known. Where none of them is legal, a
//! decision to draw holds until the list of moves is another one
//! ([`Strategy::repeats_draw`](crate::strategy::Strategy::repeats_draw)).
//!
//! # What calls what
//! Calls are inlined; those of a function by itself, and those that would make a tree too large (or the
//! program, as in functions with loops called from loops), are calls of the machine. Compiled code calls interpreted functions, in the position and with the budget of the decision. The
//! other way round an interpreted function has all that it calls interpreted.

mod ast;
mod bytecode;
mod emit;
mod facts;
mod hir;
mod lower;
mod operators;
mod passes;
mod peephole;
mod pipeline;
mod table;
mod vm;

pub use ast::Sources;
pub use bytecode::CompiledScript;
pub use pipeline::{compile, read};
pub use vm::{Bailout, Interpret, Position, Vm};
