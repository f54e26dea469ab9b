//! The passes over the HIR. Each relies on the earlier ones.

use std::collections::BTreeMap;

use super::super::intrinsics::CardProperty;
use super::super::value::{Types, Value};
use super::bytecode;
use super::hir::{FAULT, Hir, Inference, Kind, Loop, Node, Over, Slot, Table};

/// Minimum number of nodes of a tree that is worth a table.
const LEAST_SIZE: usize = 3;
/// Index of `()` in a table.
const NONE: usize = 63;

pub fn simplify(hir: &mut Hir) {
    // Before memos are assessed: one that reduces to a table is not worth caching.
    hir.rewrite(tabulate);
    let memos = hir.memos.clone();
    hir.rewrite(|node, _, _| inline_small_memos(node, &memos));
    // After everything that may replace one variable by another.
    if hir.nodes().any(|node| node.any(&mut Kind::is_of_lists)) {
        hir.rewrite(|node, types, _| own_lists(node, false, types));
    }
}

/// Replaces everything that depends on one card only by a table, computed for every card.
fn tabulate(node: &mut Node, types: &mut Inference, tables: &mut Vec<Table>) {
    if let Some(source) = source(node, types)
        && let Some((table, result)) = compute(node, &source)
    {
        // Booleans and numbers may look alike in a table, but are not the same.
        let alike = |i: &usize| tables[*i] == table && types.tables[*i] == result;
        let id = (0..tables.len()).find(alike).unwrap_or_else(|| {
            tables.push(table);
            types.tables.push(result);
            tables.len() - 1
        });
        *node = Node::new(Kind::Table(id), [Node::leaf(source)]);
        return;
    }
    node.parts.iter_mut().for_each(|part| tabulate(part, types, tables));
}

/// Returns the one variable or property that a tree reads, if it is a card and nothing else matters.
fn source(node: &Node, types: &Inference) -> Option<Kind> {
    if node.size() < LEAST_SIZE || matches!(node.kind, Kind::Let(_) | Kind::Set(_) | Kind::Leave(_)) {
        return None;
    }
    // A test for `()` is an op of its own.
    if let Kind::Compare(_) = node.kind
        && node.size() == LEAST_SIZE
        && node.parts.iter().any(|part| part.is(Value::UNIT))
    {
        return None;
    }
    let (mut own, mut asks) = (Vec::new(), Vec::new());
    let unsound = node.any(&mut |kind| {
        match kind {
            Kind::Let(slot) => own.push(Kind::Read(*slot)),
            Kind::Set(slot) => asks.push((Kind::Read(*slot), Types::NONE)),
            Kind::Read(slot) => asks.push((kind.clone(), types.slots[*slot])),
            Kind::ViewProperty(property) => asks.push((kind.clone(), property.types())),
            _ => {}
        }
        match kind {
            Kind::CardProperty(of) => *of == CardProperty::Up,
            Kind::Intrinsic(_) | Kind::MoveProperty(_) | Kind::SeatProperty(_) | Kind::MoveCount => true,
            Kind::Memo(_) | Kind::Table(_) | Kind::ConstList(_) => true,
            kind => kind.is_of_length() || !kind.is_pure(),
        }
    });
    asks.retain(|(source, _)| !own.contains(source));
    let (source, of) = asks.first()?;
    let card = of.within(Types::CARD_OR_UNIT) && of.has(Types::CARD);
    (!unsound && card && asks.iter().all(|(other, _)| other == source)).then(|| source.clone())
}

fn compute(node: &Node, source: &Kind) -> Option<(Table, Types)> {
    let (mut table, mut types) = ([0; 64], Types::NONE);
    for kind in (0..52).chain([NONE]) {
        let card = if kind == NONE { Value::UNIT } else { Value::card(kind) };
        match (Evaluation { source, card, slots: BTreeMap::new() }.of(node)) {
            Ok(value) if value.bits == FAULT => return None,
            Ok(value) => {
                table[kind] = value.bits;
                types = types.with(value.types());
            }
            Err(Exit::Fault) => table[kind] = FAULT,
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
struct Evaluation<'s> {
    source: &'s Kind,
    card: Value,
    slots: BTreeMap<Slot, Value>,
}

impl Evaluation<'_> {
    fn truth(&mut self, node: &Node) -> Result<bool, Exit> {
        self.of(node)?.as_bool().ok_or(Exit::Fault)
    }

    fn of(&mut self, node: &Node) -> Result<Value, Exit> {
        let some = |value: Option<Value>| value.ok_or(Exit::Fault);
        if node.kind == *self.source {
            return Ok(self.card);
        }
        match (&node.kind, &node.parts[..]) {
            (Kind::Const(value), _) => Ok(*value),
            (Kind::Read(slot), _) => some(self.slots.get(slot).copied()),
            (Kind::Let(slot) | Kind::Set(slot), [value]) => {
                let value = self.of(value)?;
                self.slots.insert(*slot, value);
                Ok(Value::UNIT)
            }
            (Kind::Seq, all) => all.iter().try_fold(Value::UNIT, |_, node| self.of(node)),
            (Kind::Arith(op), [a, b]) => some(bytecode::arith_values(*op, self.of(a)?, self.of(b)?)),
            (Kind::Compare(op), [a, b]) => {
                some(bytecode::compare(*op, self.of(a)?, self.of(b)?).map(Value::bool))
            }
            (Kind::Single(op), [a]) => some(bytecode::single_value(*op, self.of(a)?)),
            (Kind::Not, [a]) => self.truth(a).map(|truth| Value::bool(!truth)),
            (Kind::And | Kind::Or, all) => {
                let or = node.kind == Kind::Or;
                for node in all {
                    if self.truth(node)? == or {
                        return Ok(Value::bool(or));
                    }
                }
                Ok(Value::bool(!or))
            }
            (Kind::If, [test, yes, no]) => {
                let branch = if self.truth(test)? { yes } else { no };
                self.of(branch)
            }
            (Kind::Block(label), [body]) => match self.of(body) {
                Err(Exit::Leave(left, value)) if left == *label => Ok(value),
                other => other,
            },
            (Kind::Leave(label), [value]) => Err(Exit::Leave(*label, self.of(value)?)),
            (Kind::CardProperty(property), [of]) => {
                let of = self.of(of)?;
                let bits = if of.types() == Types::CARD { property.of_alone(of.bits) } else { None };
                some(bits.map(|bits| Value { bits, is_int: property.types() == Types::INT }))
            }
            _ => Err(Exit::Fault),
        }
    }
}

/// Inlines memos that are computed as quickly as they are looked up.
fn inline_small_memos(node: &mut Node, memos: &[Node]) {
    if let Kind::Memo(id) = node.kind
        && memos[id].size() <= 2
    {
        *node = memos[id].clone();
    }
    node.parts.iter_mut().for_each(|part| inline_small_memos(part, memos));
}

/// Copies lists so that each belongs to one variable; `looks`: whether the value is only looked at.
///
/// A list in the machine may be changed, and what is assigned from a variable, passed on or returned must not change
/// with it. So a read of a list from a variable that stores it makes a copy; a read that only looks at it does not.
fn own_lists(node: &mut Node, looks: bool, types: &Inference) {
    let is_list = match node.kind {
        Kind::Read(slot) => types.slots[slot].has(Types::LIST),
        Kind::ConstList(_) => true,
        _ => false,
    };
    if is_list && !looks {
        *node = Node::new(Kind::Own, [std::mem::replace(node, Node::UNIT)]);
        return;
    }
    let parts = &mut node.parts[..];
    let last = parts.len().saturating_sub(1);
    // Whether each of the parts is only looked at.
    let looked: &dyn Fn(usize) -> bool = match &node.kind {
        Kind::Element | Kind::Len => &|i| i == 0,
        Kind::Loop(Loop { over: Over::List, .. }) => {
            let list = parts[0].kind.clone();
            let changes =
                parts[1].any(&mut |kind| kind.changes().is_some_and(|slot| list == Kind::Read(slot)));
            &move |i| i == 1 || !changes
        }
        Kind::Seq => &|i| looks || i < last,
        Kind::If => &|i| i > 0 && looks,
        Kind::Interpret(..) | Kind::Compare(_) => &|_| true,
        _ => &|_| false,
    };
    parts.iter_mut().enumerate().for_each(|(i, part)| own_lists(part, looked(i), types));
}
