//! Computes values that depend on a single card for every card at load.

use std::collections::BTreeMap;

use super::super::super::intrinsics::{CardProperty, ViewProperty};
use super::super::super::value::{Types, Value};
use super::super::hir::{Hir, Inference, Node, Slot};
use super::super::operators;
use super::super::table::{FAULT, Table};

/// Minimum number of nodes of a tree that is worth a table.
const LEAST_SIZE: usize = 3;
/// Index of `()` in a table.
const NONE: usize = 63;

/// The card that a tree depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    Variable(Slot),
    ViewProperty(ViewProperty),
}

/// Replaces everything that depends on one card only by a table.
pub fn tabulate(hir: &mut Hir) {
    let Hir { trees, memos, types, tables, .. } = hir;
    trees.iter_mut().map(|tree| &mut tree.node).chain(memos).for_each(|node| in_node(node, types, tables));
}

fn in_node(node: &mut Node, types: &mut Inference, tables: &mut Vec<Table>) {
    if let Some((source, of)) = source(node, types)
        && let Some((table, result)) = compute(node, source)
    {
        // Booleans and numbers may look alike in a table, but are not the same.
        let alike = |i: &usize| tables[*i] == table && types.tables[*i] == result;
        let id = (0..tables.len()).find(alike).unwrap_or_else(|| {
            tables.push(table);
            types.tables.push(result);
            tables.len() - 1
        });
        *node = Node::Table(id, Box::new(of));
        return;
    }
    node.children_mut(&mut |child| in_node(child, types, tables));
}

/// Returns the one card that a tree uses, if it uses nothing else.
fn source(node: &Node, types: &Inference) -> Option<(Source, Node)> {
    if node.size() < LEAST_SIZE || matches!(node, Node::Let(..) | Node::Set(..) | Node::Leave(..)) {
        return None;
    }
    // A test for `()` is an op of its own.
    if let Node::Compare(_, a, b) = node
        && [a, b].iter().any(|n| n.constant() == Some(Value::UNIT))
        && node.size() == LEAST_SIZE
    {
        return None;
    }
    let (mut own, mut asks) = (Vec::new(), Vec::new());
    let mut sound = true;
    node.walk(&mut |node| match node {
        Node::Let(slot, _) => own.push(*slot),
        Node::Set(slot, _) => asks.push(Some((Source::Variable(*slot), Types::NONE))),
        Node::Read(slot) => asks.push(Some((Source::Variable(*slot), types.slots[*slot]))),
        Node::ViewProperty(property) => asks.push(Some((Source::ViewProperty(*property), property.types()))),
        Node::CardProperty(CardProperty::Up, _)
        | Node::Intrinsic(..)
        | Node::MoveProperty(..)
        | Node::SeatProperty(..) => sound = false,
        Node::Memory(_) | Node::SetMemory(..) => sound = false,
        Node::Memo(_) | Node::Call(..) | Node::Interpret(..) | Node::Table(..) => sound = false,
        Node::MoveCount | Node::ConstList(_) | Node::Playout(..) => sound = false,
        other if other.is_of_length() => sound = false,
        _ => {}
    });
    let mut asks = asks.into_iter().flatten().filter(|(source, _)| match source {
        Source::Variable(slot) => !own.contains(slot),
        Source::ViewProperty(_) => true,
    });
    let (source, of) = asks.next()?;
    let card = of.within(Types::CARD_OR_UNIT) && of.has(Types::CARD);
    if !sound || !card || asks.any(|(other, _)| other != source) {
        return None;
    }
    let read = match source {
        Source::Variable(slot) => Node::Read(slot),
        Source::ViewProperty(property) => Node::ViewProperty(property),
    };
    Some((source, read))
}

fn compute(node: &Node, source: Source) -> Option<(Table, Types)> {
    let mut table = Table { values: [0; 64], faults: 0 };
    let mut types = Types::NONE;
    for kind in (0..52).chain([NONE]) {
        let card = if kind == NONE { Value::UNIT } else { Value::card(kind) };
        match (Evaluation { source, card, slots: BTreeMap::new() }.of(node)) {
            Ok(value) if value.bits == FAULT => return None,
            Ok(value) => {
                table.values[kind] = value.bits;
                types = types.with(value.types());
            }
            Err(Exit::Fault) => {
                table.values[kind] = FAULT;
                table.faults |= 1 << kind;
            }
            Err(Exit::Leave(..)) => return None,
        }
    }
    (!types.is_none() && !types.is_tagged()).then_some((table, types))
}

enum Exit {
    Leave(usize, Value),
    Fault,
}

/// Direct evaluation of a tree for one card.
struct Evaluation {
    source: Source,
    card: Value,
    slots: BTreeMap<Slot, Value>,
}

impl Evaluation {
    fn truth(&mut self, node: &Node) -> Result<bool, Exit> {
        self.of(node)?.as_bool().ok_or(Exit::Fault)
    }

    fn of(&mut self, node: &Node) -> Result<Value, Exit> {
        let some = |value: Option<Value>| value.ok_or(Exit::Fault);
        match node {
            Node::Const(value) => Ok(*value),
            Node::ViewProperty(_) => Ok(self.card),
            Node::Read(slot) if self.source == Source::Variable(*slot) => Ok(self.card),
            Node::Read(slot) => some(self.slots.get(slot).copied()),
            Node::Let(slot, value) | Node::Set(slot, value) => {
                let value = self.of(value)?;
                self.slots.insert(*slot, value);
                Ok(Value::UNIT)
            }
            Node::Seq(all) => all.iter().try_fold(Value::UNIT, |_, node| self.of(node)),
            Node::Arith(op, a, b) => {
                let (a, b) = (self.of(a)?, self.of(b)?);
                some(operators::arith_values(*op, a, b))
            }
            Node::Compare(op, a, b) => {
                let (a, b) = (self.of(a)?, self.of(b)?);
                some(operators::compare(*op, a, b).map(Value::bool))
            }
            Node::Single(op, a) => {
                let a = self.of(a)?;
                let bits = if a.is_int { operators::single(*op, a.bits) } else { None };
                some(bits.map(|bits| Value { bits, is_int: op.types() == Types::INT }))
            }
            Node::Not(a) => self.truth(a).map(|truth| Value::bool(!truth)),
            Node::And(all) => {
                for node in all {
                    if !self.truth(node)? {
                        return Ok(Value::bool(false));
                    }
                }
                Ok(Value::bool(true))
            }
            Node::Or(all) => {
                for node in all {
                    if self.truth(node)? {
                        return Ok(Value::bool(true));
                    }
                }
                Ok(Value::bool(false))
            }
            Node::If(test, yes, no) => {
                let branch = if self.truth(test)? { yes } else { no };
                self.of(branch)
            }
            Node::Switch(switch) => {
                let subject = self.of(&switch.subject)?;
                for case in &switch.cases {
                    if case.test.takes(subject) && self.truth(&case.condition)? {
                        return self.of(&switch.arms[case.arm]);
                    }
                }
                self.of(&switch.arms[switch.otherwise])
            }
            Node::Block(label, body) => match self.of(body) {
                Err(Exit::Leave(left, value)) if left == *label => Ok(value),
                other => other,
            },
            Node::Leave(label, value) => {
                let value = self.of(value)?;
                Err(Exit::Leave(*label, value))
            }
            Node::CardProperty(property, of) => {
                let of = self.of(of)?;
                let bits = if of.types() == Types::CARD { property.of_alone(of.bits) } else { None };
                some(bits.map(|bits| Value { bits, is_int: property.types() == Types::INT }))
            }
            _ => Err(Exit::Fault),
        }
    }
}
