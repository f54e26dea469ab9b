//! Infers the possible types of the values of a tree.
//!
//! A variable has all types that are assigned to it anywhere, so the tree is analysed repeatedly until nothing is
//! added.

use super::super::super::value::Types;
use super::super::operators::Arith;
use super::node::{Change, Node};

/// The types of variables, blocks, memos and tables.
#[derive(Clone, Debug, Default)]
pub struct Inference {
    pub slots: Vec<Types>,
    pub labels: Vec<Types>,
    pub memos: Vec<Types>,
    pub tables: Vec<Types>,
    /// Those of all list elements together.
    pub elements: Types,
    changed: bool,
}

fn add(to: &mut Types, types: Types, changed: &mut bool) {
    let all = to.with(types);
    *changed |= all != *to;
    *to = all;
}

impl Inference {
    pub fn new(slots: usize, labels: usize, memos: usize) -> Inference {
        Inference {
            slots: vec![Types::NONE; slots],
            labels: vec![Types::NONE; labels],
            memos: vec![Types::NONE; memos],
            tables: Vec::new(),
            elements: Types::NONE,
            changed: false,
        }
    }

    /// Infers the types of everything in these trees; `memos` are the trees of the memos.
    pub fn run(&mut self, trees: &[&Node], memos: &[&Node]) {
        loop {
            self.changed = false;
            for tree in trees {
                self.of(tree);
            }
            for (i, memo) in memos.iter().enumerate() {
                let types = self.of(memo);
                add(&mut self.memos[i], types, &mut self.changed);
            }
            if !self.changed {
                return;
            }
        }
    }

    fn assign(&mut self, slot: usize, types: Types) {
        add(&mut self.slots[slot], types, &mut self.changed);
    }

    /// Records that an element of these types is put into a list. Neither a list nor the view can be one.
    pub fn keep(&mut self, types: Types) {
        add(&mut self.elements, types.and(Types::ELEMENT), &mut self.changed);
    }

    fn of_each<'n>(&mut self, nodes: impl IntoIterator<Item = &'n Node>) {
        for node in nodes {
            self.of(node);
        }
    }

    /// Returns the types of a value; none if it never has one.
    pub fn of(&mut self, node: &Node) -> Types {
        match node {
            Node::Const(value) => value.types(),
            Node::Read(slot) => self.slots[*slot],
            Node::Let(slot, value) | Node::Set(slot, value) => {
                let types = self.of(value);
                self.assign(*slot, types);
                Types::UNIT
            }
            Node::Seq(all) => {
                let mut types = Types::UNIT;
                for node in all {
                    types = self.of(node);
                    if types.is_none() && matches!(node, Node::Leave(..) | Node::Fault) {
                        return Types::NONE;
                    }
                }
                types
            }
            Node::Arith(op, a, b) => {
                let both = self.of(a).and(self.of(b));
                match op {
                    Arith::And | Arith::Or | Arith::Xor => both.and(Types::INT.with(Types::BOOL)),
                    _ => both.and(Types::INT),
                }
            }
            Node::Single(op, a) => {
                self.of(a);
                op.types()
            }
            Node::Compare(_, a, b) => {
                self.of(a);
                self.of(b);
                Types::BOOL
            }
            Node::Not(a) => {
                self.of(a);
                Types::BOOL
            }
            Node::And(all) | Node::Or(all) => {
                self.of_each(all);
                Types::BOOL
            }
            Node::If(test, yes, no) => {
                self.of(test);
                self.of(yes).with(self.of(no))
            }
            Node::Switch(switch) => {
                self.of(&switch.subject);
                self.of_each(switch.cases.iter().map(|case| &case.condition));
                switch.arms.iter().fold(Types::NONE, |types, arm| types.with(self.of(arm)))
            }
            Node::Block(label, body) => {
                let types = self.of(body);
                types.with(self.labels[*label])
            }
            Node::Leave(label, value) => {
                let types = self.of(value);
                add(&mut self.labels[*label], types, &mut self.changed);
                Types::NONE
            }
            Node::Loop(body, _) => {
                self.of(body);
                Types::NONE
            }
            Node::For(range) => {
                self.of(&range.first);
                self.of(&range.last);
                self.assign(range.variable, Types::INT);
                range.counter.into_iter().for_each(|slot| self.assign(slot, Types::INT));
                self.of(&range.body);
                Types::UNIT
            }
            Node::Moves(moves) => {
                self.assign(moves.variable, Types::MOVE);
                moves.counter.into_iter().for_each(|slot| self.assign(slot, Types::INT));
                self.of_each(moves.bodies.iter().map(|(_, body)| body));
                Types::UNIT
            }
            Node::ViewProperty(property) => property.types(),
            Node::Intrinsic(ask, all) => {
                self.of_each(all);
                ask.types()
            }
            Node::MoveProperty(property, of) => {
                self.of(of);
                property.types()
            }
            Node::CardProperty(property, of) => {
                self.of(of);
                property.types()
            }
            Node::SeatProperty(property, of) => {
                self.of(of);
                property.types()
            }
            Node::Memory(place) => {
                self.of(place);
                Types::INT
            }
            Node::SetMemory(place, value) => {
                self.of(place);
                self.of(value);
                Types::UNIT
            }
            Node::List(all) => {
                for node in all {
                    let types = self.of(node);
                    self.keep(types);
                }
                Types::LIST
            }
            Node::ConstList(_) => Types::LIST,
            Node::Own(of) => self.of(of),
            Node::Element(list, place) => {
                self.of(list);
                self.of(place);
                self.elements
            }
            Node::Len(list) => {
                self.of(list);
                Types::INT
            }
            Node::MoveCount => Types::INT,
            Node::Playout(_, m, k) => {
                self.of_each(m.iter().chain([k]).map(|node| &**node));
                Types::INT
            }
            Node::After(of) => {
                self.of(of);
                Types::VIEW
            }
            Node::Change(_, change) => match &**change {
                Change::Push(value) => {
                    let types = self.of(value);
                    self.keep(types);
                    Types::UNIT
                }
                Change::Put(place, value) => {
                    self.of(place);
                    let types = self.of(value);
                    self.keep(types);
                    Types::UNIT
                }
                Change::Pop => self.elements.with(Types::UNIT),
                Change::Clear => Types::UNIT,
            },
            Node::Each(each) => {
                self.of(&each.list);
                self.assign(each.variable, self.elements);
                each.counter.into_iter().for_each(|slot| self.assign(slot, Types::INT));
                self.of(&each.body);
                Types::UNIT
            }
            Node::Memo(id) => self.memos[*id],
            Node::Table(id, of) => {
                self.of(of);
                self.tables[*id]
            }
            Node::Call(_, all, _) | Node::Interpret(_, all, _) => {
                self.of_each(all);
                Types::ALL
            }
            Node::Fault => Types::NONE,
        }
    }
}
