//! The typed HIR (high-level intermediate representation): the form between Rhai's syntax tree and bytecode.
//!
//! Everything is resolved in it. Names are gone (a variable is a [`Slot`]), calls are inlined, what is known at load is
//! folded, and every early exit of a block (`return`, `break`, `continue`) is one [`Node::Leave`]. [`Inference`]
//! determines the types of everything.

mod dump;
mod node;
mod queries;
mod tree;
mod types;

pub use node::{Case, Change, Each, Label, Moves, Node, Range, Slot, Switch, Test};
pub use queries::{MemoFacts, assigned, draws_numbers, is_property_of_arrangement, is_pure, stock_dependent};
pub use tree::{Hir, Role, Tree};
pub use types::Inference;
