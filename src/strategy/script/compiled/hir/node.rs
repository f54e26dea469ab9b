//! The nodes of the HIR.

use super::super::super::intrinsics::{CardProperty, Intrinsic, MoveProperty, SeatProperty, ViewProperty};
use super::super::super::value::Value;
use super::super::facts::Class;
use super::super::operators::{Arith, Compare, Single};

/// A variable.
pub type Slot = usize;
/// A block that can be left.
pub type Label = usize;

/// A case of a `switch`: if the subject is one of the values or in one of the ranges, and the condition holds, the arm
/// of this number is taken.
#[derive(Clone, Debug)]
pub struct Case {
    pub test: Test,
    pub condition: Node,
    pub arm: usize,
}

/// The pattern that the subject of a `switch` is compared with.
#[derive(Clone, Copy, Debug)]
pub enum Test {
    Is(Value),
    /// An inclusive range.
    Within(i64, i64),
}

impl Test {
    /// Returns whether it matches a value.
    pub fn takes(self, subject: Value) -> bool {
        match self {
            Test::Is(value) => value == subject,
            Test::Within(first, last) => subject.is_int && (first..=last).contains(&subject.bits),
        }
    }
}

/// One expression or statement.
#[derive(Clone, Debug)]
pub enum Node {
    Const(Value),
    Read(Slot),
    /// A new variable, which lives to the end of its sequence. Its value is `()`.
    Let(Slot, Box<Node>),
    /// An assignment. Its value is `()`.
    Set(Slot, Box<Node>),
    /// Evaluates to the last node; `()` if there is none.
    Seq(Vec<Node>),
    Arith(Arith, Box<Node>, Box<Node>),
    Compare(Compare, Box<Node>, Box<Node>),
    Single(Single, Box<Node>),
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
    If(Box<Node>, Box<Node>, Box<Node>),
    Switch(Box<Switch>),
    /// A block that [`Node::Leave`] may leave with a value.
    Block(Label, Box<Node>),
    Leave(Label, Box<Node>),
    /// An endless loop, unless it is left. Each round counts as this many operations.
    Loop(Box<Node>, u32),
    /// A loop over a range; there may be a counter from 0.
    For(Box<Range>),
    /// A loop over the legal moves. There is a body for each class of moves, or a single one.
    Moves(Box<Moves>),
    ViewProperty(ViewProperty),
    Intrinsic(Intrinsic, Vec<Node>),
    MoveProperty(MoveProperty, Box<Node>),
    CardProperty(CardProperty, Box<Node>),
    SeatProperty(SeatProperty, Box<Node>),
    /// An element of `memory`.
    Memory(Box<Node>),
    /// Stores a number in `memory`: the index, and the number. Its value is `()`.
    SetMemory(Box<Node>, Box<Node>),
    /// A new list.
    List(Vec<Node>),
    /// A list that is a constant of the script, by its index.
    ConstList(usize),
    /// A separate copy of a list; any other value itself.
    Own(Box<Node>),
    /// An element of a list: the list, and the index.
    Element(Box<Node>, Box<Node>),
    /// The number of elements of a list.
    Len(Box<Node>),
    /// The view after a move. It occurs only while trees are built, and is asked for what follows from the move alone.
    After(Box<Node>),
    /// A playout: the index of the player's name among the texts of the script, the move that comes before, and the
    /// number of the deal.
    Playout(u8, Option<Box<Node>>, Box<Node>),
    /// The number of legal moves.
    MoveCount,
    /// A change of the list of a variable. The value is `()`, except for a removed element.
    Change(Slot, Box<Change>),
    /// A loop over the elements of a list; there may be a counter from 0.
    Each(Box<Each>),
    /// The result of a function of the view alone, computed once per decision.
    Memo(usize),
    /// A number or boolean that depends only on a card.
    Table(usize, Box<Node>),
    /// A function of the script that is not inlined, with the depth of calls it is called at.
    Call(usize, Vec<Node>, usize),
    /// A function of the script that is interpreted.
    Interpret(usize, Vec<Node>, usize),
    /// The interpreter reports the fault here.
    Fault,
}

/// A `switch`: the first matching case takes its arm.
#[derive(Clone, Debug)]
pub struct Switch {
    pub subject: Node,
    pub cases: Vec<Case>,
    pub arms: Vec<Node>,
    /// The arm taken if no case matches.
    pub otherwise: usize,
}

/// A loop over a range.
#[derive(Clone, Debug)]
pub struct Range {
    pub variable: Slot,
    pub counter: Option<Slot>,
    pub first: Node,
    pub last: Node,
    pub inclusive: bool,
    pub body: Node,
    pub cost: u32,
}

/// A change of a list.
#[derive(Clone, Debug)]
pub enum Change {
    /// Appends an element.
    Push(Node),
    /// Replaces an element: the index, and the element.
    Put(Node, Node),
    /// Removes the last element, which is the value; `()` if there is none.
    Pop,
    /// Removes all elements.
    Clear,
}

/// A loop over a list.
#[derive(Clone, Debug)]
pub struct Each {
    pub variable: Slot,
    pub counter: Option<Slot>,
    pub list: Node,
    pub body: Node,
    pub cost: u32,
}

/// A loop over the legal moves.
#[derive(Clone, Debug)]
pub struct Moves {
    pub variable: Slot,
    pub counter: Option<Slot>,
    pub bodies: Vec<(Option<Class>, Node)>,
    pub cost: u32,
}

impl Node {
    pub const UNIT: Node = Node::Const(Value::UNIT);
    pub const VIEW: Node = Node::Const(Value::VIEW);

    pub const fn int(n: i64) -> Node {
        Node::Const(Value::int(n))
    }

    pub const fn bool(b: bool) -> Node {
        Node::Const(Value::bool(b))
    }

    pub fn constant(&self) -> Option<Value> {
        if let Node::Const(value) = self { Some(*value) } else { None }
    }

    /// Calls `visit` on the node and everything in it, the outer before the inner.
    pub fn walk<'n>(&'n self, visit: &mut impl FnMut(&'n Node)) {
        visit(self);
        self.children(&mut |child| child.walk(visit));
    }

    /// Calls `visit` on the node's children, in the order of evaluation.
    pub fn children<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
        match self {
            Node::Const(_) | Node::Read(_) | Node::ViewProperty(_) | Node::Memo(_) | Node::Fault => {}
            Node::ConstList(_) | Node::MoveCount => {}
            Node::Let(_, a) | Node::Set(_, a) | Node::Single(_, a) | Node::Not(a) | Node::Table(_, a) => {
                visit(a)
            }
            Node::Block(_, a) | Node::Leave(_, a) | Node::Loop(a, _) => visit(a),
            Node::MoveProperty(_, a) | Node::CardProperty(_, a) | Node::SeatProperty(_, a) => visit(a),
            Node::Memory(a) | Node::Own(a) | Node::Len(a) | Node::After(a) => visit(a),
            Node::Element(a, b) => [a, b].into_iter().for_each(|n| visit(n)),
            Node::Playout(_, m, k) => m.iter().chain([k]).for_each(|n| visit(n)),
            Node::Change(_, change) => match &**change {
                Change::Push(a) => visit(a),
                Change::Put(a, b) => [a, b].into_iter().for_each(visit),
                Change::Pop | Change::Clear => {}
            },
            Node::Each(each) => [&each.list, &each.body].into_iter().for_each(visit),
            Node::Seq(all) | Node::And(all) | Node::Or(all) | Node::List(all) => all.iter().for_each(visit),
            Node::Intrinsic(_, all) | Node::Call(_, all, _) | Node::Interpret(_, all, _) => {
                all.iter().for_each(visit)
            }
            Node::Arith(_, a, b) | Node::Compare(_, a, b) | Node::SetMemory(a, b) => {
                [a, b].into_iter().for_each(|n| visit(n))
            }
            Node::If(a, b, c) => [a, b, c].into_iter().for_each(|n| visit(n)),
            Node::Switch(switch) => {
                visit(&switch.subject);
                switch.cases.iter().for_each(|case| visit(&case.condition));
                switch.arms.iter().for_each(visit);
            }
            Node::For(range) => [&range.first, &range.last, &range.body].into_iter().for_each(visit),
            Node::Moves(moves) => moves.bodies.iter().for_each(|(_, body)| visit(body)),
        }
    }

    /// Calls `visit` on the node's children, for changing them.
    pub fn children_mut(&mut self, visit: &mut dyn FnMut(&mut Node)) {
        match self {
            Node::Const(_) | Node::Read(_) | Node::ViewProperty(_) | Node::Memo(_) | Node::Fault => {}
            Node::ConstList(_) | Node::MoveCount => {}
            Node::Let(_, a) | Node::Set(_, a) | Node::Single(_, a) | Node::Not(a) | Node::Table(_, a) => {
                visit(a)
            }
            Node::Block(_, a) | Node::Leave(_, a) | Node::Loop(a, _) => visit(a),
            Node::MoveProperty(_, a) | Node::CardProperty(_, a) | Node::SeatProperty(_, a) => visit(a),
            Node::Memory(a) | Node::Own(a) | Node::Len(a) | Node::After(a) => visit(a),
            Node::Element(a, b) => [a, b].into_iter().for_each(|n| visit(n)),
            Node::Playout(_, m, k) => m.iter_mut().chain([k]).for_each(|n| visit(n)),
            Node::Change(_, change) => match &mut **change {
                Change::Push(a) => visit(a),
                Change::Put(a, b) => [a, b].into_iter().for_each(visit),
                Change::Pop | Change::Clear => {}
            },
            Node::Each(each) => {
                let Each { list, body, .. } = &mut **each;
                [list, body].into_iter().for_each(visit);
            }
            Node::Seq(all) | Node::And(all) | Node::Or(all) | Node::List(all) => {
                all.iter_mut().for_each(visit);
            }
            Node::Intrinsic(_, all) | Node::Call(_, all, _) | Node::Interpret(_, all, _) => {
                all.iter_mut().for_each(visit);
            }
            Node::Arith(_, a, b) | Node::Compare(_, a, b) | Node::SetMemory(a, b) => {
                [a, b].into_iter().for_each(|n| visit(n))
            }
            Node::If(a, b, c) => [a, b, c].into_iter().for_each(|n| visit(n)),
            Node::Switch(switch) => {
                visit(&mut switch.subject);
                switch.cases.iter_mut().for_each(|case| visit(&mut case.condition));
                switch.arms.iter_mut().for_each(visit);
            }
            Node::For(range) => {
                let Range { first, last, body, .. } = &mut **range;
                [first, last, body].into_iter().for_each(visit);
            }
            Node::Moves(moves) => moves.bodies.iter_mut().for_each(|(_, body)| visit(body)),
        }
    }

    /// Returns whether it may change an outer variable, or `memory`.
    pub fn assigns(&self) -> bool {
        let mut found = false;
        self.walk(&mut |node| {
            found |= matches!(node, Node::Set(..) | Node::SetMemory(..) | Node::Change(..));
        });
        found
    }

    /// Returns whether it contains work whose operations depend on its data: a loop, or a list.
    pub fn is_of_length(&self) -> bool {
        matches!(
            self,
            Node::Loop(..)
                | Node::For(_)
                | Node::Moves(_)
                | Node::Each(_)
                | Node::List(_)
                | Node::Own(_)
                | Node::Element(..)
                | Node::Len(_)
                | Node::Change(..)
        )
    }

    /// Returns whether it is a list operation.
    pub fn is_of_lists(&self) -> bool {
        match self {
            Node::Loop(..) | Node::For(_) | Node::Moves(_) => false,
            Node::ConstList(_) => true,
            _ => self.is_of_length(),
        }
    }

    /// Returns whether it calls something that may change `memory`.
    pub fn calls(&self) -> bool {
        let mut found = false;
        self.walk(&mut |node| found |= matches!(node, Node::Call(..) | Node::Interpret(..)));
        found
    }

    /// Returns whether it may read `memory`.
    pub fn remembers(&self) -> bool {
        let mut found = self.calls();
        self.walk(&mut |node| found |= matches!(node, Node::Memory(_)));
        found
    }

    /// Returns whether it always leaves, so that nothing after it is reached.
    pub fn leaves(&self) -> bool {
        match self {
            Node::Leave(..) | Node::Fault | Node::Loop(..) => true,
            Node::Seq(all) => all.iter().any(Node::leaves),
            Node::If(_, yes, no) => yes.leaves() && no.leaves(),
            _ => false,
        }
    }

    /// Returns its value in every case, if known.
    pub fn outcome(&self) -> Option<Value> {
        match self {
            Node::Const(value) => Some(*value),
            Node::Block(label, body) => match &**body {
                Node::Leave(left, value) if left == label => value.outcome(),
                Node::Leave(..) => None,
                other => other.outcome(),
            },
            _ => None,
        }
    }

    /// Returns the number of nodes in it.
    pub fn size(&self) -> usize {
        let mut size = 0;
        self.walk(&mut |_| size += 1);
        size
    }
}
