//! Emits ops for [`Node`]s: sequences and branches.

use super::super::super::intrinsics::Intrinsic;
use super::super::super::value::{Types, Value};
use super::super::bytecode::{CodeOffset, Op, TooLarge};
use super::super::hir::Node;
use super::super::operators::{Arith, Compare};
use super::emitter::{Dest, Emitted, Emitter, Operand};
use super::value::Comparison;

impl Emitter<'_> {
    /// Emits a node whose value goes to `dest`. No code follows a returned value.
    pub(super) fn emit(&mut self, node: &Node, dest: Dest) -> Emitted<()> {
        self.scoped(|e| e.emit_unscoped(node, dest))
    }

    fn emit_unscoped(&mut self, node: &Node, dest: Dest) -> Emitted<()> {
        match node {
            Node::Seq(all) => {
                let Some((last, before)) = all.split_last() else { return self.finish_unit(dest) };
                for node in before {
                    // A variable keeps its register to the end of the sequence.
                    if let Node::Let(slot, value) = node {
                        self.declare(*slot, value)?;
                    } else {
                        self.emit(node, Dest::Drop)?;
                    }
                }
                self.emit(last, dest)
            }
            Node::Let(slot, value) => {
                self.declare(*slot, value)?;
                self.finish_unit(dest)
            }
            Node::Set(slot, value) => {
                let types = self.types.slots[*slot];
                let Some(&to) = self.slots.get(slot) else {
                    self.fault();
                    return Ok(());
                };
                self.emit(value, Dest::Value { to, tagged: types.is_tagged() })?;
                self.finish_unit(dest)
            }
            Node::SetMemory(place, value) => {
                self.scoped(|e| {
                    let (a, b) = e.both(place, value)?;
                    e.check(a, Types::INT);
                    e.check(b, Types::INT);
                    e.push(Op::SetMemory { a: a.reg, b: b.reg });
                    Ok(())
                })?;
                self.finish_unit(dest)
            }
            Node::If(test, yes, no) if matches!(dest, Dest::Drop) && self.only_leaves(test, yes, no)? => {
                Ok(())
            }
            Node::If(test, yes, no) => {
                let (other, end) = (self.label(), self.label());
                self.emit(test, Dest::Branch { target: other, when: false })?;
                let held = self.hold();
                self.learn(test, true);
                self.emit(yes, dest)?;
                self.restore(&held);
                let falls = !matches!(dest, Dest::Return) && !yes.leaves();
                let nothing = matches!(dest, Dest::Drop) && matches!(**no, Node::Const(_));
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
                self.learn_after(test, yes, no);
                Ok(())
            }
            Node::Switch(switch) => self.switch(switch, dest),
            Node::Block(label, body) => {
                let end = self.label();
                self.dests.insert(*label, (dest, end));
                // A path that leaves early may not have computed the memos that come later.
                let held = self.hold();
                self.emit(body, dest)?;
                self.restore(&held);
                self.place(end);
                Ok(())
            }
            Node::Leave(label, value) => {
                let Some(&(dest, end)) = self.dests.get(label) else { return Err(TooLarge) };
                self.emit(value, dest)?;
                if !matches!(dest, Dest::Return) {
                    self.jump(end);
                }
                Ok(())
            }
            Node::Loop(body, cost) => {
                let head = self.label();
                self.place(head);
                let held = self.hold();
                self.emit(body, Dest::Drop)?;
                self.restore(&held);
                let cost = u16::try_from(*cost).map_err(|_| TooLarge)?;
                self.push(Op::Again { at: head as CodeOffset, cost });
                Ok(())
            }
            Node::For(range) => {
                self.range(range)?;
                self.finish_unit(dest)
            }
            Node::Each(each) => {
                self.each(each)?;
                self.finish_unit(dest)
            }
            Node::Moves(moves) => {
                self.moves(moves)?;
                self.finish_unit(dest)
            }
            Node::And(_) | Node::Or(_) | Node::Compare(..) | Node::Not(_)
                if matches!(dest, Dest::Branch { .. }) =>
            {
                let Dest::Branch { target, when } = dest else { return Ok(()) };
                self.branch(node, target, when)
            }
            Node::And(_) | Node::Or(_) => self.truth(node, dest),
            Node::Intrinsic(Intrinsic::Wants, all) if matches!(dest, Dest::Branch { .. }) => {
                let Dest::Branch { target, when } = dest else { return Ok(()) };
                let a = self.must(&all[0], Types::CARD_OR_UNIT)?;
                let at = target as CodeOffset;
                self.push(if when { Op::JumpWanted { a, at } } else { Op::JumpUnwanted { a, at } });
                Ok(())
            }
            _ => self.simple(node, dest),
        }
    }

    /// Emits an `if` of which one branch does nothing and the other only leaves, as one jump.
    fn only_leaves(&mut self, test: &Node, yes: &Node, no: &Node) -> Emitted<bool> {
        let nothing = |node: &Node| matches!(node, Node::Const(_));
        let left = |e: &Self, node: &Node| match node {
            Node::Leave(label, value) if nothing(value) => match e.dests.get(label) {
                Some((Dest::Drop, end)) => Some(*end),
                _ => None,
            },
            _ => None,
        };
        let (target, when) = match (left(self, yes), left(self, no)) {
            (Some(end), None) if nothing(no) => (end, true),
            (None, Some(end)) if nothing(yes) => (end, false),
            _ => return Ok(false),
        };
        self.emit(test, Dest::Branch { target, when })?;
        self.learn(test, !when);
        Ok(true)
    }

    /// Records what follows if one branch of an `if` never reaches its end.
    fn learn_after(&mut self, test: &Node, yes: &Node, no: &Node) {
        match (yes.leaves(), no.leaves()) {
            (true, false) => self.learn(test, false),
            (false, true) => self.learn(test, true),
            _ => {}
        }
    }

    /// Declares a variable with its initial value.
    fn declare(&mut self, slot: usize, value: &Node) -> Emitted<()> {
        let tagged = self.types.slots[slot].is_tagged();
        let to = self.take(1 + usize::from(tagged))?;
        self.emit(value, Dest::Value { to, tagged })?;
        self.slots.insert(slot, to);
        Ok(())
    }

    /// Emits a value without branches, to any destination.
    fn simple(&mut self, node: &Node, dest: Dest) -> Emitted<()> {
        match dest {
            Dest::Drop => {
                if !matches!(node, Node::Const(_) | Node::Read(_) | Node::ViewProperty(_)) {
                    self.operand(node, None)?;
                }
                Ok(())
            }
            Dest::Value { to, tagged } => {
                let value = self.operand(node, Some(to))?;
                self.deliver(value, to, tagged);
                Ok(())
            }
            Dest::Branch { target, when } => {
                if let Some(value) = node.constant() {
                    match value.as_bool() {
                        Some(truth) if truth == when => self.jump(target),
                        Some(_) => {}
                        None => self.fault(),
                    }
                    return Ok(());
                }
                let a = self.must(node, Types::BOOL)?;
                let at = target as CodeOffset;
                self.push(if when { Op::JumpIf { a, at } } else { Op::JumpUnless { a, at } });
                Ok(())
            }
            Dest::Return => {
                if let Node::Const(Value { bits, is_int: true }) = node
                    && let Ok(value) = i32::try_from(*bits)
                {
                    self.push(Op::ReturnSmall { value });
                    return Ok(());
                }
                let Operand { reg: a, types } = self.operand(node, None)?;
                self.push(match types {
                    Types::INT => Op::Return { a },
                    _ if types.is_tagged() => Op::ReturnTagged { a },
                    _ => Op::ReturnOther { a },
                });
                Ok(())
            }
        }
    }

    fn finish_unit(&mut self, dest: Dest) -> Emitted<()> {
        match dest {
            Dest::Drop => Ok(()),
            _ => self.simple(&Node::UNIT, dest),
        }
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
        match node {
            Node::Not(a) => {
                let not = self.types_of(a);
                if not == Types::BOOL {
                    return self.emit(a, Dest::Branch { target, when: !when });
                }
                self.simple(node, Dest::Branch { target, when })
            }
            Node::And(all) | Node::Or(all) => {
                let or = matches!(node, Node::Or(_));
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
            Node::Compare(op, a, b) => {
                self.scoped(|e| e.branch_compare(*op, a, b, target as CodeOffset, when))
            }
            _ => self.simple(node, Dest::Branch { target, when }),
        }
    }

    fn branch_compare(&mut self, op: Compare, a: &Node, b: &Node, at: CodeOffset, when: bool) -> Emitted<()> {
        let equality = matches!(op, Compare::Eq | Compare::Ne);
        if equality && let Some(tested) = self.tested_for_unit(a, b) {
            let a = self.operand(tested, None)?.reg;
            self.push(if (op == Compare::Eq) == when {
                Op::JumpUnit { a, at }
            } else {
                Op::JumpSeen { a, at }
            });
            return Ok(());
        }
        if equality
            && let (Node::Arith(Arith::And, x, y), Some(Value { bits: 0, is_int: true })) = (a, b.constant())
        {
            let none = (op == Compare::Eq) == when;
            if let Some((of, table, bits)) = self.table_and(x, y) {
                let a = self.operand(of, None)?.reg;
                let b = self.operand(bits, None)?.reg;
                let jump = |table| {
                    if none { Op::JumpNoTable { a, b, table, at } } else { Op::JumpTable { a, b, table, at } }
                };
                self.push(jump(table));
                return Ok(());
            }
            let (x, y) = self.both(x, y)?;
            if x.types == Types::INT && y.types == Types::INT {
                let (a, b) = (x.reg, y.reg);
                self.push(if none { Op::JumpNone { a, b, at } } else { Op::JumpAny { a, b, at } });
                return Ok(());
            }
        }
        let (x, y) = self.both(a, b)?;
        if let Comparison::Numbers = Self::comparison(op, x.types, y.types) {
            let (a, b) = (x.reg, y.reg);
            self.push(match (op, when) {
                (Compare::Eq, true) | (Compare::Ne, false) => Op::JumpEq { a, b, at },
                (Compare::Ne, true) | (Compare::Eq, false) => Op::JumpNe { a, b, at },
                (Compare::Lt, true) | (Compare::Ge, false) => Op::JumpLt { a, b, at },
                (Compare::Le, true) | (Compare::Gt, false) => Op::JumpLe { a, b, at },
                (Compare::Gt, true) | (Compare::Le, false) => Op::JumpLt { a: b, b: a, at },
                (Compare::Ge, true) | (Compare::Lt, false) => Op::JumpLe { a: b, b: a, at },
            });
            return Ok(());
        }
        let to = self.take(1)?;
        match Self::comparison(op, x.types, y.types) {
            Comparison::Cards => self.push(Op::CompareCards { op, to, a: x.reg, b: y.reg }),
            Comparison::Known(known) => {
                if known == when {
                    self.push(Op::Jump { at });
                }
                return Ok(());
            }
            _ => {
                let (a, b) = (self.tag(x)?, self.tag(y)?);
                self.push(Op::CompareTagged { op, to, a, b });
            }
        }
        self.push(if when { Op::JumpIf { a: to, at } } else { Op::JumpUnless { a: to, at } });
        Ok(())
    }

    /// Matches a table of numbers combined with a number, neither of which assigns.
    fn table_and<'n>(&mut self, x: &'n Node, y: &'n Node) -> Option<(&'n Node, u8, &'n Node)> {
        let (Node::Table(table, of), bits) = (if matches!(x, Node::Table(..)) { (x, y) } else { (y, x) })
        else {
            return None;
        };
        let table = u8::try_from(*table).ok()?;
        let numbers = self.types.tables[table as usize] == Types::INT && self.types_of(bits) == Types::INT;
        (numbers && !bits.assigns() && !of.assigns()).then_some((of, table, bits))
    }
}
