//! Emits ops for [`Node`]s: sequences and branches.

use super::super::super::intrinsics::Intrinsic;
use super::super::super::value::{Types, UNIT, Value};
use super::super::bytecode::{CodeOffset, Op, TooLarge};
use super::super::hir::{Kind, Node};
use super::super::operators::{Arith, Compare};
use super::value::Comparison;
use super::{Dest, Emitted, Emitter, Operand};

impl Emitter<'_, '_> {
    /// Emits a node whose value goes to `dest`. No code follows a returned value.
    pub(super) fn emit(&mut self, node: &Node, dest: Dest) -> Emitted<()> {
        self.scoped(|e| e.emit_unscoped(node, dest))
    }

    fn emit_unscoped(&mut self, node: &Node, dest: Dest) -> Emitted<()> {
        match (&node.kind, &node.parts[..]) {
            (Kind::Seq, all) => {
                let Some((last, before)) = all.split_last() else { return self.simple(&Node::UNIT, dest) };
                for node in before {
                    // A variable keeps its register to the end of the sequence.
                    match (&node.kind, &node.parts[..]) {
                        (Kind::Let(slot), [value]) => self.declare(*slot, value)?,
                        _ => self.emit(node, Dest::Drop)?,
                    }
                }
                self.emit(last, dest)
            }
            (Kind::Let(slot), [value]) => {
                self.declare(*slot, value)?;
                self.simple(&Node::UNIT, dest)
            }
            (Kind::Set(slot), [value]) => {
                let tagged = self.context.types.slots[*slot].is_tagged();
                let Some(&to) = self.slots.get(slot) else {
                    self.push(Op::Fault);
                    return Ok(());
                };
                self.emit(value, Dest::Value { to, tagged })?;
                self.simple(&Node::UNIT, dest)
            }
            (Kind::If, [test, yes, no]) => self.condition([test, yes, no], dest),
            (Kind::Block(label), [body]) => {
                let end = self.label();
                self.dests.insert(*label, (dest, end));
                // A path that leaves early may not have computed the memos that come later.
                let held = self.hold();
                self.emit(body, dest)?;
                self.restore(&held);
                self.place(end);
                Ok(())
            }
            (Kind::Leave(label), [value]) => {
                let Some(&(dest, end)) = self.dests.get(label) else { return Err(TooLarge) };
                self.emit(value, dest)?;
                if !matches!(dest, Dest::Return) {
                    self.jump(end);
                }
                Ok(())
            }
            (Kind::Endless(cost), [body]) => {
                let head = self.label();
                self.place(head);
                let held = self.hold();
                self.emit(body, Dest::Drop)?;
                self.restore(&held);
                let cost = u16::try_from(*cost).map_err(|_| TooLarge)?;
                self.push(Op::Again { at: head as CodeOffset, cost });
                Ok(())
            }
            (Kind::Loop(each), parts) => {
                self.each(each, parts)?;
                self.simple(&Node::UNIT, dest)
            }
            (Kind::And | Kind::Or | Kind::Compare(_) | Kind::Not, _) => match dest {
                Dest::Branch { target, when } => self.branch(node, target, when),
                _ if matches!(node.kind, Kind::And | Kind::Or) => self.truth(node, dest),
                _ => self.simple(node, dest),
            },
            _ => self.simple(node, dest),
        }
    }

    fn condition(&mut self, [test, yes, no]: [&Node; 3], dest: Dest) -> Emitted<()> {
        if let Dest::Drop = dest
            && self.only_leaves(test, yes, no)?
        {
            return Ok(());
        }
        let (other, end) = (self.label(), self.label());
        self.emit(test, Dest::Branch { target: other, when: false })?;
        let held = self.hold();
        self.learn(test, true);
        self.emit(yes, dest)?;
        self.restore(&held);
        let falls = !matches!(dest, Dest::Return) && !yes.leaves();
        let nothing = matches!(dest, Dest::Drop) && no.value().is_some();
        if falls && !nothing {
            self.jump(end);
        }
        self.place(other);
        if !nothing {
            self.learn(test, false);
            self.emit(no, dest)?;
            self.restore(&held);
        }
        self.place(end);
        // What follows if one branch never reaches its end.
        match (yes.leaves(), no.leaves()) {
            (true, false) => self.learn(test, false),
            (false, true) => self.learn(test, true),
            _ => {}
        }
        Ok(())
    }

    /// Emits an `if` of which one branch does nothing and the other only leaves, as one jump.
    fn only_leaves(&mut self, test: &Node, yes: &Node, no: &Node) -> Emitted<bool> {
        let left = |e: &Self, node: &Node| match (&node.kind, &node.parts[..]) {
            (Kind::Leave(label), [value]) if value.value().is_some() => match e.dests.get(label) {
                Some((Dest::Drop, end)) => Some(*end),
                _ => None,
            },
            _ => None,
        };
        let (target, when) = match (left(self, yes), left(self, no)) {
            (Some(end), None) if no.value().is_some() => (end, true),
            (None, Some(end)) if yes.value().is_some() => (end, false),
            _ => return Ok(false),
        };
        self.emit(test, Dest::Branch { target, when })?;
        self.learn(test, !when);
        Ok(true)
    }

    /// Declares a variable with its initial value.
    fn declare(&mut self, slot: usize, value: &Node) -> Emitted<()> {
        let types = self.context.types.slots[slot];
        let to = self.take_for(types)?;
        self.emit(value, Dest::Value { to, tagged: types.is_tagged() })?;
        self.slots.insert(slot, to);
        Ok(())
    }

    /// Emits a value without branches, to any destination.
    fn simple(&mut self, node: &Node, dest: Dest) -> Emitted<()> {
        match dest {
            Dest::Drop => {
                if !matches!(node.kind, Kind::Const(_) | Kind::Read(_) | Kind::ViewProperty(_)) {
                    self.operand(node, None)?;
                }
            }
            Dest::Value { to, tagged } => {
                let value = self.operand(node, Some(to))?;
                self.deliver(value, to, tagged);
            }
            Dest::Branch { target, when } => match node.value() {
                Some(value) => match value.as_bool() {
                    Some(truth) if truth == when => self.jump(target),
                    Some(_) => {}
                    None => self.push(Op::Fault),
                },
                None => {
                    let at = target as CodeOffset;
                    if let (Kind::Intrinsic(Intrinsic::Wants), [card]) = (&node.kind, &node.parts[..]) {
                        let a = self.must(card, Types::CARD_OR_UNIT)?;
                        self.push(if when { Op::JumpWanted { a, at } } else { Op::JumpUnwanted { a, at } });
                    } else {
                        let a = self.must(node, Types::BOOL)?;
                        self.push(if when { Op::JumpIf { a, at } } else { Op::JumpUnless { a, at } });
                    }
                }
            },
            Dest::Return => {
                if let Some(Value { bits, is_int: true }) = node.value()
                    && let Ok(value) = i32::try_from(bits)
                {
                    self.push(Op::ReturnSmall { value });
                    return Ok(());
                }
                let Operand { reg: a, types } = self.operand(node, None)?;
                self.push(match types.is_tagged() {
                    true => Op::ReturnTagged { a },
                    false => Op::Return { a, is_int: types == Types::INT },
                });
            }
        }
        Ok(())
    }

    /// Emits a boolean computed by branches, to a destination that is not a branch.
    fn truth(&mut self, node: &Node, dest: Dest) -> Emitted<()> {
        let (no, end) = (self.label(), self.label());
        self.branch(node, no, false)?;
        self.simple(&Node::bool(true), dest)?;
        if !matches!(dest, Dest::Return) {
            self.jump(end);
        }
        self.place(no);
        self.simple(&Node::bool(false), dest)?;
        self.place(end);
        Ok(())
    }

    /// Jumps to the target if the node is `when`; otherwise continues.
    fn branch(&mut self, node: &Node, target: usize, when: bool) -> Emitted<()> {
        match (&node.kind, &node.parts[..]) {
            (Kind::Not, [a]) if self.types_of(a) == Types::BOOL => {
                self.emit(a, Dest::Branch { target, when: !when })
            }
            (kind @ (Kind::And | Kind::Or), all) => {
                let or = *kind == Kind::Or;
                let Some((last, before)) = all.split_last() else { return Err(TooLarge) };
                let out = self.label();
                // A member that decides the whole jumps to the target, or past it.
                let to = if or == when { target } else { out };
                let mut held = None;
                for one in before {
                    self.emit(one, Dest::Branch { target: to, when: or })?;
                    held.get_or_insert_with(|| self.hold());
                    self.learn(one, !or);
                }
                self.emit(last, Dest::Branch { target, when })?;
                if let Some(held) = held {
                    self.restore(&held);
                }
                self.place(out);
                Ok(())
            }
            (Kind::Compare(op), [a, b]) => {
                self.scoped(|e| e.branch_compare(*op, a, b, target as CodeOffset, when))
            }
            _ => self.simple(node, Dest::Branch { target, when }),
        }
    }

    fn branch_compare(&mut self, op: Compare, a: &Node, b: &Node, at: CodeOffset, when: bool) -> Emitted<()> {
        let equality = matches!(op, Compare::Eq | Compare::Ne);
        let equal = (op == Compare::Eq) == when;
        if equality && let Some(tested) = self.tested_for_unit(a, b) {
            let (a, b) = (self.operand(tested, None)?.reg, self.constant(UNIT)?);
            self.push(if equal { Op::JumpEq { a, b, at } } else { Op::JumpNe { a, b, at } });
            return Ok(());
        }
        if equality
            && b.is(Value::int(0))
            && let (Kind::Arith(Arith::And), [x, y]) = (&a.kind, &a.parts[..])
        {
            if let Some((of, table, bits)) = self.table_and(x, y) {
                let (a, b) = (self.operand(of, None)?.reg, self.operand(bits, None)?.reg);
                self.push(if equal {
                    Op::JumpNoTable { a, b, table, at }
                } else {
                    Op::JumpTable { a, b, table, at }
                });
                return Ok(());
            }
            let (x, y) = self.both(x, y)?;
            if x.types == Types::INT && y.types == Types::INT {
                let (a, b) = (x.reg, y.reg);
                self.push(if equal { Op::JumpNone { a, b, at } } else { Op::JumpAny { a, b, at } });
                return Ok(());
            }
        }
        let (x, y) = self.both(a, b)?;
        let (a, b) = (x.reg, y.reg);
        match Self::comparison(op, x.types, y.types) {
            Comparison::Numbers => self.push(match (op, when) {
                (Compare::Eq, true) | (Compare::Ne, false) => Op::JumpEq { a, b, at },
                (Compare::Ne, true) | (Compare::Eq, false) => Op::JumpNe { a, b, at },
                (Compare::Lt, true) | (Compare::Ge, false) => Op::JumpLt { a, b, at },
                (Compare::Le, true) | (Compare::Gt, false) => Op::JumpLe { a, b, at },
                (Compare::Gt, true) | (Compare::Le, false) => Op::JumpLt { a: b, b: a, at },
                (Compare::Ge, true) | (Compare::Lt, false) => Op::JumpLe { a: b, b: a, at },
            }),
            Comparison::Known(known) if known == when => self.push(Op::Jump { at }),
            Comparison::Known(_) => {}
            how => {
                let a = self.take(1)?;
                self.compared(op, how, a, (x, y))?;
                self.push(if when { Op::JumpIf { a, at } } else { Op::JumpUnless { a, at } });
            }
        }
        Ok(())
    }

    /// Matches a table of numbers combined with a number, neither of which assigns.
    fn table_and<'n>(&mut self, x: &'n Node, y: &'n Node) -> Option<(&'n Node, u8, &'n Node)> {
        let (table, bits) = if matches!(x.kind, Kind::Table(_)) { (x, y) } else { (y, x) };
        let (Kind::Table(id), [of]) = (&table.kind, &table.parts[..]) else { return None };
        let numbers = self.types_of(table) == Types::INT && self.types_of(bits) == Types::INT;
        let table = u8::try_from(*id).ok()?;
        (numbers && !bits.assigns() && !of.assigns()).then_some((of, table, bits))
    }
}
