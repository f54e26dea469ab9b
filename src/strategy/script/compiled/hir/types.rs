//! Infers the possible types of the values of a tree.
//!
//! A variable has all types that are assigned to it anywhere, so the tree is analysed repeatedly until nothing is
//! added.

use super::super::super::value::Types;
use super::super::operators::Arith;
use super::{Change, Kind, Node, Over};

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
        let none = |n| vec![Types::NONE; n];
        Inference { slots: none(slots), labels: none(labels), memos: none(memos), ..Inference::default() }
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

    fn of_each(&mut self, nodes: &[Node]) -> Types {
        nodes.iter().fold(Types::NONE, |all, node| all.with(self.of(node)))
    }

    /// Returns the types of a value; none if it never has one.
    pub fn of(&mut self, node: &Node) -> Types {
        match (&node.kind, &node.parts[..]) {
            (Kind::Const(value), _) => value.types(),
            (Kind::Read(slot), _) => self.slots[*slot],
            (Kind::Memo(id), _) => self.memos[*id],
            (Kind::Let(slot) | Kind::Set(slot), [value]) => {
                let types = self.of(value);
                self.assign(*slot, types);
                Types::UNIT
            }
            (Kind::Seq, all) => {
                let mut types = Types::UNIT;
                for node in all {
                    types = self.of(node);
                    if matches!(node.kind, Kind::Leave(_) | Kind::Fault) {
                        return Types::NONE;
                    }
                }
                types
            }
            (Kind::Arith(op), [a, b]) => {
                let both = self.of(a).and(self.of(b));
                match op {
                    Arith::And | Arith::Or | Arith::Xor => both.and(Types::INT.with(Types::BOOL)),
                    _ => both.and(Types::INT),
                }
            }
            (Kind::If, [test, yes, no]) => {
                self.of(test);
                self.of(yes).with(self.of(no))
            }
            (Kind::Block(label), [body]) => {
                let types = self.of(body);
                types.with(self.labels[*label])
            }
            (Kind::Leave(label), [value]) => {
                let types = self.of(value);
                add(&mut self.labels[*label], types, &mut self.changed);
                Types::NONE
            }
            (Kind::Loop(each), parts) => {
                let types = match each.over {
                    Over::Range { .. } => Types::INT,
                    Over::List => self.elements,
                    Over::Moves(_) => Types::MOVE,
                };
                self.assign(each.variable, types);
                each.counter.into_iter().for_each(|slot| self.assign(slot, Types::INT));
                self.of_each(parts);
                Types::UNIT
            }
            (Kind::List, all) => {
                let types = self.of_each(all);
                self.keep(types);
                Types::LIST
            }
            (Kind::Change(_, change), parts) => {
                self.of_each(parts);
                let kept = parts.last().map_or(Types::NONE, |value| self.of(value));
                self.keep(kept);
                if *change == Change::Pop { self.elements.with(Types::UNIT) } else { Types::UNIT }
            }
            (Kind::Own, [of]) => self.of(of),
            (kind, parts) => {
                self.of_each(parts);
                match kind {
                    Kind::Element => self.elements,
                    Kind::Table(id) => self.tables[*id],
                    kind => kind.types(),
                }
            }
        }
    }
}
