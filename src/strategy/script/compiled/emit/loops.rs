//! Emits ops for [`Node`]s: loops over ranges and over the legal moves.

use super::super::super::value::{MOVES, Types};
use super::super::bytecode::{CodeOffset, Op, Reg, TooLarge};
use super::super::facts::Class;
use super::super::hir::{Moves, Node, Range};
use super::emitter::{Dest, Emitted, Emitter, Operand};

impl Emitter<'_> {
    pub(super) fn range(&mut self, range: &Range) -> Emitted<()> {
        let (round, last) = (self.take(1)?, self.take(1)?);
        let (head, out) = (self.label(), self.label());
        let one = self.constant(1)?;
        self.scoped(|e| {
            let (a, b) = e.both(&range.first, &range.last)?;
            e.check(a, Types::INT);
            e.check(b, Types::INT);
            if range.inclusive {
                e.push(Op::JumpLt { a: b.reg, b: a.reg, at: out as CodeOffset });
                e.push(Op::Copy { to: last, a: b.reg });
            } else {
                e.push(Op::JumpLe { a: b.reg, b: a.reg, at: out as CodeOffset });
                e.push(Op::Sub { to: last, a: b.reg, b: one });
            }
            e.push(Op::Copy { to: round, a: a.reg });
            Ok(())
        })?;
        let counter = self.start_counter(range.counter)?;
        self.place(head);
        self.next_count(counter, one);
        self.loop_variable(range.variable, round, &range.body)?;
        let held = self.hold();
        self.emit(&range.body, Dest::Drop)?;
        self.restore(&held);
        let cost = u16::try_from(range.cost).map_err(|_| TooLarge)?;
        self.push(Op::Next { a: round, last, at: head as CodeOffset, cost });
        self.place(out);
        Ok(())
    }

    /// Uses the round itself as the variable of a loop, unless the body changes it.
    fn loop_variable(&mut self, slot: usize, round: Reg, body: &Node) -> Emitted<()> {
        let mut changes = self.types.slots[slot].is_tagged();
        body.walk(&mut |node| changes |= matches!(node, Node::Set(set, _) if *set == slot));
        if !changes {
            self.slots.insert(slot, round);
            return Ok(());
        }
        let tagged = self.types.slots[slot].is_tagged();
        let to = self.take(2)?;
        let own = if self.types.slots[slot].has(Types::MOVE) { Types::MOVE } else { Types::INT };
        self.deliver(Operand { reg: round, types: own }, to, tagged);
        self.slots.insert(slot, to);
        Ok(())
    }

    /// Starts a counter of rounds: its variable, and the register that counts.
    pub(super) fn start_counter(&mut self, slot: Option<usize>) -> Emitted<Option<(Reg, Reg, bool)>> {
        let Some(slot) = slot else { return Ok(None) };
        let (count, variable) = (self.take(1)?, self.take(2)?);
        self.push(Op::Small { to: count, value: -1 });
        self.slots.insert(slot, variable);
        Ok(Some((count, variable, self.types.slots[slot].is_tagged())))
    }

    pub(super) fn next_count(&mut self, counter: Option<(Reg, Reg, bool)>, one: Reg) {
        if let Some((count, variable, tagged)) = counter {
            self.push(Op::Add { to: count, a: count, b: one });
            self.deliver(Operand { reg: count, types: Types::INT }, variable, tagged);
        }
    }

    pub(super) fn moves(&mut self, moves: &Moves) -> Emitted<()> {
        let (round, last) = (self.take(1)?, self.take(1)?);
        let (head, out, next) = (self.label(), self.label(), self.label());
        let one = self.constant(1)?;
        self.push(Op::Small { to: round, value: MOVES as i32 });
        self.push(Op::LastMove { to: last });
        self.push(Op::JumpLt { a: last, b: round, at: out as CodeOffset });
        let counter = self.start_counter(moves.counter)?;
        self.place(head);
        self.next_count(counter, one);
        let bodies: Vec<usize> = moves.bodies.iter().map(|_| self.label()).collect();
        if bodies.len() > 1 {
            let table = self.label();
            self.push(Op::ByClass { a: round, at: table as CodeOffset });
            self.place(table);
            for class in Class::ALL {
                let body = moves.bodies.iter().position(|(of, _)| *of == Some(class));
                self.jump(body.map_or(next, |i| bodies[i]));
            }
        }
        for ((_, body), label) in moves.bodies.iter().zip(bodies) {
            self.place(label);
            let held = self.hold();
            self.scoped(|e| {
                e.loop_variable(moves.variable, round, body)?;
                e.emit(body, Dest::Drop)
            })?;
            self.restore(&held);
            self.jump(next);
        }
        self.place(next);
        let cost = u16::try_from(moves.cost).map_err(|_| TooLarge)?;
        self.push(Op::Next { a: round, last, at: head as CodeOffset, cost });
        self.place(out);
        Ok(())
    }
}
