//! The typed HIR (high-level intermediate representation): the form between Rhai's syntax tree and bytecode.
//!
//! Everything is resolved in it. Names are gone (a variable is a [`Slot`]), calls are inlined, what is known at load is
//! folded, and every early exit of a block (`return`, `break`, `continue`) is one [`Kind::Leave`]. [`Inference`]
//! determines the types of everything.
//!
//! A [`Node`] is a [`Kind`] with its parts, so that most code treats all kinds alike. A new operation of the machine is
//! a kind, its types in [`Kind::takes`] and [`Kind::types`], its name in `dump.rs`, and its op in `emit/value.rs`.

mod dump;
mod queries;
mod types;

use super::super::intrinsics::{CardProperty, Intrinsic, MoveProperty, SeatProperty, ViewProperty};
use super::super::value::{Types, Value};
use super::facts::Class;
use super::operators::{Arith, Compare, Single};

pub use queries::{MemoFacts, stock_dependent};
pub use types::Inference;

/// A variable.
pub type Slot = usize;
/// A block that can be left.
pub type Label = usize;

/// One expression or statement.
#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    /// Its parts, in the order of evaluation.
    pub parts: Vec<Node>,
}

/// What a node does with its parts.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Const(Value),
    Read(Slot),
    /// A new variable, which lives to the end of its sequence. Its value is `()`.
    Let(Slot),
    /// An assignment. Its value is `()`.
    Set(Slot),
    /// Evaluates to the last part; `()` if there is none.
    Seq,
    Arith(Arith),
    Compare(Compare),
    Single(Single),
    Not,
    And,
    Or,
    /// The test, and a part for each of its results.
    If,
    /// A block that [`Kind::Leave`] may leave with a value.
    Block(Label),
    Leave(Label),
    /// An endless loop, unless it is left. Each round counts as this many operations.
    Endless(u32),
    /// A loop over something, and its body.
    Loop(Loop),
    ViewProperty(ViewProperty),
    Intrinsic(Intrinsic),
    MoveProperty(MoveProperty),
    CardProperty(CardProperty),
    SeatProperty(SeatProperty),
    /// An element of `memory`.
    Memory,
    /// Stores a number in `memory`: the index, and the number. Its value is `()`.
    SetMemory,
    /// A new list.
    List,
    /// A list that is a constant of the script, by its index.
    ConstList(usize),
    /// A separate copy of a list; any other value itself.
    Own,
    /// An element of a list: the list, and the index.
    Element,
    /// The number of elements of a list.
    Len,
    /// A change of the list of a variable. Its value is `()`, except for a removed element.
    Change(Slot, Change),
    /// The view after a move. It occurs only while trees are built, and is asked for what follows from the move alone.
    After,
    /// A playout by the player with this index among the texts of the script: the number of the deal, and the move that
    /// comes before, if there is one.
    Playout(u8),
    /// The number of legal moves.
    MoveCount,
    /// The result of a function of the view alone, computed once per decision.
    Memo(usize),
    /// A number or boolean that depends only on a card.
    Table(usize),
    /// A function of the script that is not inlined, with the depth of calls it is called at.
    Call(usize, usize),
    /// A function of the script that is interpreted.
    Interpret(usize, usize),
    /// The interpreter reports the fault here.
    Fault,
}

/// A change of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    Push,
    /// Replaces an element: the parts are the index, and the element.
    Put,
    /// Removes the last element; the value is `()` if there is none.
    Pop,
    Clear,
}

/// The variables of a loop; each round counts as `cost` operations.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    pub over: Over,
    pub variable: Slot,
    /// A counter of rounds, from 0.
    pub counter: Option<Slot>,
    pub cost: u32,
}

/// What a loop is over.
#[derive(Clone, Debug, PartialEq)]
pub enum Over {
    /// The parts are the bounds and the body.
    Range { inclusive: bool },
    /// The parts are the list and the body.
    List,
    /// The parts are the bodies for these classes of moves, or a single one.
    Moves(Vec<Option<Class>>),
}

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

/// A value for each kind of card, and at 63 for `()`.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub values: [i64; 64],
    /// The cards for which there is a fault instead.
    pub faults: u64,
}

/// Marks a fault among the values; a table that contains this number is not created.
pub const FAULT: i64 = i64::MIN + 63;

impl Hir {
    /// Visits all trees, then all memos.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.trees.iter().map(|tree| &tree.node).chain(&self.memos)
    }

    /// Applies a pass to all trees and memos, with the types and tables that it may change.
    pub fn rewrite(&mut self, mut pass: impl FnMut(&mut Node, &mut Inference, &mut Vec<Table>)) {
        let Hir { trees, memos, types, tables, .. } = self;
        trees.iter_mut().map(|tree| &mut tree.node).chain(memos).for_each(|node| pass(node, types, tables));
    }
}

impl Kind {
    /// Returns the types of the arguments of an operation of the machine; `None` for any other kind.
    pub fn takes(&self) -> Option<Vec<Types>> {
        Some(match self {
            Kind::Single(_) | Kind::Memory => vec![Types::INT],
            Kind::SetMemory => vec![Types::INT, Types::INT],
            Kind::Not => vec![Types::BOOL],
            Kind::CardProperty(_) => vec![Types::CARD],
            Kind::MoveProperty(_) => vec![Types::MOVE],
            Kind::SeatProperty(_) => vec![Types::SEAT],
            Kind::Intrinsic(of) => of.arguments(),
            Kind::Playout(_) => vec![Types::INT, Types::MOVE],
            Kind::Len => vec![Types::LIST],
            Kind::MoveCount => vec![],
            _ => return None,
        })
    }

    /// Returns the types of a value, if they follow from the kind.
    pub fn types(&self) -> Types {
        match self {
            Kind::Compare(_) | Kind::Not | Kind::And | Kind::Or => Types::BOOL,
            Kind::Single(op) => op.types(),
            Kind::CardProperty(of) => of.types(),
            Kind::MoveProperty(of) => of.types(),
            Kind::SeatProperty(of) => of.types(),
            Kind::ViewProperty(of) => of.types(),
            Kind::Intrinsic(of) => of.types(),
            Kind::Memory | Kind::Playout(_) | Kind::Len | Kind::MoveCount => Types::INT,
            Kind::List | Kind::ConstList(_) => Types::LIST,
            Kind::After => Types::VIEW,
            Kind::Call(..) | Kind::Interpret(..) => Types::ALL,
            Kind::SetMemory | Kind::Change(..) => Types::UNIT,
            _ => Types::NONE,
        }
    }

    /// Returns whether it changes an outer variable, or `memory`.
    pub fn assigns(&self) -> bool {
        self.changes().is_some() || matches!(self, Kind::SetMemory)
    }

    /// Returns the variable that it changes.
    pub fn changes(&self) -> Option<Slot> {
        match self {
            Kind::Set(slot) | Kind::Change(slot, _) => Some(*slot),
            _ => None,
        }
    }

    /// Returns whether it calls something that may change `memory`.
    pub fn calls(&self) -> bool {
        matches!(self, Kind::Call(..) | Kind::Interpret(..))
    }

    /// Returns whether it may read `memory`.
    pub fn remembers(&self) -> bool {
        self.calls() || matches!(self, Kind::Memory)
    }

    /// Returns whether it is a list operation.
    pub fn is_of_lists(&self) -> bool {
        matches!(self, Kind::List | Kind::ConstList(_) | Kind::Own | Kind::Element | Kind::Len)
            || matches!(self, Kind::Change(..) | Kind::Loop(Loop { over: Over::List, .. }))
    }

    /// Returns whether its operations depend on its data: a loop, or a list.
    pub fn is_of_length(&self) -> bool {
        matches!(self, Kind::Endless(_) | Kind::Loop(_))
            || self.is_of_lists() && !matches!(self, Kind::ConstList(_))
    }

    /// Returns whether evaluating it again in the same decision gives the same value, and costs nothing else.
    pub fn is_pure(&self) -> bool {
        match self {
            Kind::Intrinsic(ask) => ask.is_pure(),
            Kind::Memory | Kind::SetMemory | Kind::Playout(_) => false,
            _ => !self.calls(),
        }
    }

    /// Returns whether it may draw numbers from the game's stream, store any in `memory`, or print.
    pub fn draws_numbers(&self) -> bool {
        self.calls() || matches!(self, Kind::Intrinsic(Intrinsic::Random) | Kind::SetMemory)
    }
}

impl Node {
    pub const UNIT: Node = Node::leaf(Kind::Const(Value::UNIT));
    pub const VIEW: Node = Node::leaf(Kind::Const(Value::VIEW));
    pub const FAULT: Node = Node::leaf(Kind::Fault);

    pub fn new(kind: Kind, parts: impl Into<Vec<Node>>) -> Node {
        Node { kind, parts: parts.into() }
    }

    /// Creates a node without parts.
    pub const fn leaf(kind: Kind) -> Node {
        Node { kind, parts: Vec::new() }
    }

    pub const fn constant(value: Value) -> Node {
        Node::leaf(Kind::Const(value))
    }

    pub const fn int(n: i64) -> Node {
        Node::constant(Value::int(n))
    }

    pub const fn bool(b: bool) -> Node {
        Node::constant(Value::bool(b))
    }

    pub const fn read(slot: Slot) -> Node {
        Node::leaf(Kind::Read(slot))
    }

    /// Creates a variable.
    pub fn declare(slot: Slot, value: Node) -> Node {
        Node::new(Kind::Let(slot), [value])
    }

    /// Creates a block that may be left with a value.
    pub fn block(label: Label, body: Node) -> Node {
        Node::new(Kind::Block(label), [body])
    }

    pub fn leave(label: Label, value: Node) -> Node {
        Node::new(Kind::Leave(label), [value])
    }

    pub fn when(test: Node, yes: Node, no: Node) -> Node {
        Node::new(Kind::If, [test, yes, no])
    }

    /// Puts code before a node.
    pub fn preceded(self, mut before: Vec<Node>) -> Node {
        if before.is_empty() {
            return self;
        }
        before.push(self);
        Node::new(Kind::Seq, before)
    }

    /// Returns its value, if it is a constant.
    pub fn value(&self) -> Option<Value> {
        if let Kind::Const(value) = self.kind { Some(value) } else { None }
    }

    /// Returns whether it is a certain constant.
    pub fn is(&self, value: Value) -> bool {
        self.value() == Some(value)
    }

    /// Returns whether a test holds for the kind of the node or of anything in it.
    pub fn any(&self, test: &mut dyn FnMut(&Kind) -> bool) -> bool {
        test(&self.kind) || self.parts.iter().any(|part| part.any(test))
    }

    /// Calls `visit` with the kind of the node and of everything in it.
    pub fn each_kind(&self, visit: &mut dyn FnMut(&Kind)) {
        visit(&self.kind);
        self.parts.iter().for_each(|part| part.each_kind(visit));
    }

    /// Returns whether it may change an outer variable, or `memory`.
    pub fn assigns(&self) -> bool {
        self.any(&mut Kind::assigns)
    }

    /// Returns whether it always leaves, so that nothing after it is reached.
    pub fn leaves(&self) -> bool {
        match (&self.kind, &self.parts[..]) {
            (Kind::Leave(_) | Kind::Fault | Kind::Endless(_), _) => true,
            (Kind::Seq, all) => all.iter().any(Node::leaves),
            (Kind::If, [_, yes, no]) => yes.leaves() && no.leaves(),
            _ => false,
        }
    }

    /// Returns its value in every case, if known.
    pub fn outcome(&self) -> Option<Value> {
        match (&self.kind, &self.parts[..]) {
            (Kind::Const(value), _) => Some(*value),
            (Kind::Block(label), [body]) => match (&body.kind, &body.parts[..]) {
                (Kind::Leave(left), [value]) if left == label => value.outcome(),
                (Kind::Leave(_), _) => None,
                _ => body.outcome(),
            },
            _ => None,
        }
    }

    /// Returns the number of nodes in it.
    pub fn size(&self) -> usize {
        1 + self.parts.iter().map(Node::size).sum::<usize>()
    }
}
