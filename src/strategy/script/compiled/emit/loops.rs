//! Emits ops for [`Node`]s: loops.

use strum::IntoEnumIterator;

use super::super::super::value::{MOVES, Types};
use super::super::bytecode::{CodeOffset, Op, TooLarge};
use super::super::facts::Class;
use super::super::hir::{Kind, Loop, Node, Over};
use super::{Dest, Emitted, Emitter, Operand};

impl Emitter<'_, '_> {
    /// Emits a loop: `round` goes up to `last`, and is a number, a move, or an index into a list.
    pub(super) fn each(&mut self, each: &Loop, parts: &[Node]) -> Emitted<()> {
        let (round, last) = (self.take(1)?, self.take(1)?);
        let (head, out, next) = (self.label(), self.label(), self.label());
        let (one, at) = (self.constant(1)?, out as CodeOffset);
        let mut list = 0;
        let (of, bodies) = match &each.over {
            Over::Range { inclusive } => {
                self.scoped(|e| {
                    let (first, end) = e.both(&parts[0], &parts[1])?;
                    e.check(first, Types::INT);
                    e.check(end, Types::INT);
                    let (a, b) = (end.reg, first.reg);
                    e.push(if *inclusive { Op::JumpLt { a, b, at } } else { Op::JumpLe { a, b, at } });
                    e.push(if *inclusive {
                        Op::Copy { to: last, a }
                    } else {
                        Op::Sub { to: last, a, b: one }
                    });
                    e.push(Op::Copy { to: round, a: b });
                    Ok(())
                })?;
                (Types::INT, &parts[2..])
            }
            Over::List => {
                list = self.take(2)?;
                self.scoped(|e| {
                    let value = e.operand(&parts[0], Some(list))?;
                    e.check(value, Types::LIST);
                    // A variable keeps its list while the loop runs.
                    e.deliver(Operand { types: Types::LIST, ..value }, list, false);
                    Ok(())
                })?;
                let zero = self.constant(0)?;
                self.push(Op::Len { to: last, a: list });
                self.push(Op::JumpLe { a: last, b: zero, at });
                self.push(Op::Sub { to: last, a: last, b: one });
                self.push(Op::Copy { to: round, a: zero });
                (self.context.types.elements, &parts[1..])
            }
            Over::Moves(_) => {
                self.push(Op::Small { to: round, value: MOVES as i32 });
                self.push(Op::LastMove { to: last });
                self.push(Op::JumpLt { a: last, b: round, at });
                (Types::MOVE, parts)
            }
        };
        let counter = each.counter.map(|slot| Ok((slot, self.take(1)?, self.take(2)?))).transpose()?;
        if let Some((slot, count, variable)) = counter {
            self.push(Op::Small { to: count, value: -1 });
            self.slots.insert(slot, variable);
        }
        self.place(head);
        if let Some((slot, count, variable)) = counter {
            self.push(Op::Add { to: count, a: count, b: one });
            let tagged = self.context.types.slots[slot].is_tagged();
            self.deliver(Operand { reg: count, types: Types::INT }, variable, tagged);
        }
        // The round itself is the variable, unless the body changes it.
        let tagged = self.context.types.slots[each.variable].is_tagged();
        let changes = |kind: &Kind| kind.changes() == Some(each.variable);
        let is_list = matches!(each.over, Over::List);
        let own = is_list || tagged || bodies.iter().any(|body| body.any(&mut |kind| changes(kind)));
        let variable = if own { self.take(2)? } else { round };
        self.slots.insert(each.variable, variable);
        if is_list {
            let element = Operand { reg: variable, types: of };
            self.push(Op::Element { to: variable, a: list, b: round });
            self.deliver(element, variable, tagged);
        } else if own {
            self.deliver(Operand { reg: round, types: of }, variable, tagged);
        }
        let labels: Vec<usize> = bodies.iter().map(|_| self.label()).collect();
        if let Over::Moves(classes) = &each.over
            && classes.len() > 1
        {
            let table = self.label();
            self.push(Op::ByClass { a: round, at: table as CodeOffset });
            self.place(table);
            for class in Class::iter() {
                let body = classes.iter().position(|of| *of == Some(class));
                self.jump(body.map_or(next, |i| labels[i]));
            }
        }
        for (i, (body, label)) in bodies.iter().zip(labels).enumerate() {
            self.place(label);
            let held = self.hold();
            self.emit(body, Dest::Drop)?;
            self.restore(&held);
            if i + 1 < bodies.len() {
                self.jump(next);
            }
        }
        self.place(next);
        let cost = u16::try_from(each.cost).map_err(|_| TooLarge)?;
        self.push(Op::Next { a: round, last, at: head as CodeOffset, cost });
        self.place(out);
        Ok(())
    }
}
