//! Emits ops for [`Node`]s: lists.

use super::super::super::value::{LISTS, MOVES, Types};
use super::super::bytecode::{CodeOffset, Op, Reg, TooLarge};
use super::super::hir::{Change, Each, Node};
use super::emitter::{Dest, Emitted, Emitter, Operand};

impl Emitter<'_> {
    /// Emits the value of a list operation.
    pub(super) fn of_list(&mut self, node: &Node, hint: Option<Reg>) -> Emitted<Operand> {
        match node {
            Node::List(all) => {
                let (to, site) = (self.result(hint)?, self.site()?);
                self.scoped(|e| {
                    let a = e.take(2 * all.len())?;
                    for (i, node) in all.iter().enumerate() {
                        e.emit(node, Dest::Value { to: a + 2 * i as Reg, tagged: true })?;
                    }
                    e.push(Op::List { to, a, count: all.len() as u8, site });
                    Ok(Operand { reg: to, types: Types::LIST })
                })
            }
            Node::ConstList(id) => {
                let reg = self.constant(LISTS + *id as i64)?;
                Ok(Operand { reg, types: Types::LIST })
            }
            Node::Own(of) => {
                let types = self.types_of(of);
                let to = self.take(2)?;
                let site = self.site()?;
                self.scoped(|e| {
                    let value = e.operand(of, None)?;
                    if value.types == Types::LIST {
                        e.push(Op::Own { to, a: value.reg, site });
                    } else {
                        let a = e.tag(value)?;
                        e.push(Op::OwnTagged { to, a, site });
                    }
                    Ok(Operand { reg: to, types })
                })
            }
            Node::Element(list, place) => {
                let types = self.types.elements;
                let to = if types.is_tagged() { self.take(2)? } else { self.result(hint)? };
                self.scoped(|e| {
                    let a = e.must(list, Types::LIST)?;
                    let b = e.must(place, Types::INT)?;
                    if types.is_none() {
                        return e.never();
                    }
                    e.push(if types.is_tagged() {
                        Op::ElementTagged { to, a, b }
                    } else {
                        Op::Element { to, a, b }
                    });
                    Ok(Operand { reg: to, types })
                })
            }
            Node::Len(list) => {
                let to = self.result(hint)?;
                self.scoped(|e| {
                    let a = e.must(list, Types::LIST)?;
                    e.push(Op::Len { to, a });
                    Ok(Operand { reg: to, types: Types::INT })
                })
            }
            Node::MoveCount => {
                let to = self.result(hint)?;
                self.scoped(|e| {
                    let before = e.constant(MOVES - 1)?;
                    e.push(Op::LastMove { to });
                    e.push(Op::Sub { to, a: to, b: before });
                    Ok(Operand { reg: to, types: Types::INT })
                })
            }
            Node::Change(slot, change) => self.change(&Node::Read(*slot), change),
            _ => self.never(),
        }
    }

    /// Emits a change of the list of a variable.
    fn change(&mut self, variable: &Node, change: &Change) -> Emitted<Operand> {
        if let Change::Pop = change {
            let to = self.take(2)?;
            let a = self.must(variable, Types::LIST)?;
            self.push(Op::Pop { to, a });
            return Ok(Operand { reg: to, types: self.types.elements.with(Types::UNIT) });
        }
        self.scoped(|e| {
            match change {
                Change::Push(value) => {
                    let value = e.tagged_value(value)?;
                    let a = e.must(variable, Types::LIST)?;
                    e.push(Op::Push { a, value });
                }
                Change::Put(place, value) => {
                    let value = e.tagged_value(value)?;
                    let b = e.must(place, Types::INT)?;
                    let a = e.must(variable, Types::LIST)?;
                    e.push(Op::Put { a, b, value });
                }
                Change::Pop | Change::Clear => {
                    let a = e.must(variable, Types::LIST)?;
                    e.push(Op::Clear { a });
                }
            }
            Ok(())
        })?;
        self.operand(&Node::UNIT, None)
    }

    fn tagged_value(&mut self, node: &Node) -> Emitted<Reg> {
        let value = self.operand(node, None)?;
        self.tag(value)
    }

    /// Emits a loop over a list.
    pub(super) fn each(&mut self, each: &Each) -> Emitted<()> {
        let (list, round, last) = (self.take(2)?, self.take(1)?, self.take(1)?);
        let (head, out) = (self.label(), self.label());
        let (one, zero) = (self.constant(1)?, self.constant(0)?);
        self.scoped(|e| {
            let value = e.operand(&each.list, Some(list))?;
            e.check(value, Types::LIST);
            // A variable keeps its list while the loop runs.
            if value.reg != list {
                e.push(Op::Copy { to: list, a: value.reg });
            }
            Ok(())
        })?;
        self.push(Op::Len { to: last, a: list });
        self.push(Op::JumpLe { a: last, b: zero, at: out as CodeOffset });
        self.push(Op::Sub { to: last, a: last, b: one });
        self.push(Op::Copy { to: round, a: zero });
        let counter = self.start_counter(each.counter)?;
        let variable = self.take(2)?;
        self.place(head);
        self.next_count(counter, one);
        let (of, own) = (self.types.elements, self.types.slots[each.variable]);
        if of.is_none() {
            self.fault();
        } else if of.is_tagged() {
            self.push(Op::ElementTagged { to: variable, a: list, b: round });
        } else {
            self.push(Op::Element { to: variable, a: list, b: round });
            self.deliver(Operand { reg: variable, types: of }, variable, own.is_tagged());
        }
        self.slots.insert(each.variable, variable);
        let held = self.hold();
        self.emit(&each.body, Dest::Drop)?;
        self.restore(&held);
        let cost = u16::try_from(each.cost).map_err(|_| TooLarge)?;
        self.push(Op::Next { a: round, last, at: head as CodeOffset, cost });
        self.place(out);
        Ok(())
    }
}
