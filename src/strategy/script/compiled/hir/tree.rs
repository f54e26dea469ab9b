//! The trees of a script.

use super::super::super::value::Value;
use super::super::facts::Class;
use super::super::table::Table;
use super::node::{Node, Slot};
use super::types::Inference;

/// The trees of a script under one set of rules.
#[derive(Clone, Debug)]
pub struct Hir {
    /// Those that the game calls come first, then the functions that are called and not inlined.
    pub trees: Vec<Tree>,
    /// Functions of the view alone, computed once per decision.
    pub memos: Vec<Node>,
    pub types: Inference,
    /// Values that depend on one card.
    pub tables: Vec<Table>,
    /// Constants of the script that are lists.
    pub lists: Vec<Vec<Value>>,
    /// The variable that holds the move of a `score`.
    pub moved: Slot,
}

/// A tree that is emitted on its own.
#[derive(Clone, Debug)]
pub struct Tree {
    pub node: Node,
    /// Upper bound on the operations that Rhai counts for it, except for the rounds of loops.
    pub cost: u32,
    pub role: Role,
}

/// The caller of a tree.
#[derive(Clone, Debug)]
pub enum Role {
    /// The game: for a class of moves, or to choose one.
    Entry(Option<Class>),
    /// Other trees.
    Function {
        name: String,
        parameters: Vec<Slot>,
        /// The depth of calls inlined in it.
        call_depth: usize,
    },
}

impl Hir {
    /// Visits all trees, then all memos.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.trees.iter().map(|tree| &tree.node).chain(&self.memos)
    }

    /// Visits all trees, then all memos, to change them.
    pub fn nodes_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.trees.iter_mut().map(|tree| &mut tree.node).chain(&mut self.memos)
    }
}
