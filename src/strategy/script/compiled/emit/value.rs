//! Emits ops for [`Node`]s: values.

use super::super::super::intrinsics::Intrinsic;
use super::super::super::names::arguments_of;
use super::super::super::value::{Types, UNIT};
use super::super::bytecode::{Op, Reg};
use super::super::hir::Node;
use super::super::operators::{Arith, Compare};
use super::emitter::{Dest, Emitted, Emitter, Operand};

impl Emitter<'_> {
    /// Emits the value of a node, in its own register or an existing one. If it needs a register, `hint` is preferred.
    pub(super) fn operand(&mut self, node: &Node, hint: Option<Reg>) -> Emitted<Operand> {
        match node {
            Node::Const(value) => Ok(Operand { reg: self.constant(value.bits)?, types: value.types() }),
            Node::Read(slot) => {
                let types = self.narrowed(node, self.types.slots[*slot]);
                match self.slots.get(slot) {
                    Some(reg) => Ok(Operand { reg: *reg, types }),
                    None => self.never(),
                }
            }
            Node::ViewProperty(property) => {
                let types = self.narrowed(node, property.types());
                Ok(Operand { reg: self.property(*property)?, types })
            }
            Node::Memo(id) => self.memo(*id),
            Node::Fault => self.never(),
            Node::Arith(op, a, b) => self.arith(*op, a, b, hint),
            Node::Single(op, a) => {
                let to = self.result(hint)?;
                self.scoped(|e| {
                    let a = e.must(a, Types::INT)?;
                    e.push(Op::Single { op: *op, to, a });
                    Ok(Operand { reg: to, types: op.types() })
                })
            }
            Node::Not(a) => {
                let to = self.result(hint)?;
                self.scoped(|e| {
                    let a = e.must(a, Types::BOOL)?;
                    e.push(Op::Not { to, a });
                    Ok(Operand { reg: to, types: Types::BOOL })
                })
            }
            Node::Compare(op, a, b) => self.compare(*op, a, b, hint),
            Node::Table(table, of) => {
                let to = self.result(hint)?;
                let types = self.types.tables[*table];
                self.scoped(|e| {
                    let card = e.operand(of, None)?;
                    let (a, only_unit) = (card.reg, e.program.tables[*table].faults & !(1 << 63) == 0);
                    let table = *table as u16;
                    e.push(if only_unit && card.types == Types::CARD {
                        Op::TableOfCard { to, a, table }
                    } else {
                        Op::Table { to, a, table }
                    });
                    Ok(Operand { reg: to, types })
                })
            }
            Node::CardProperty(of, a) => {
                let to = self.result(hint)?;
                self.scoped(|e| {
                    let a = e.must(a, Types::CARD)?;
                    e.push(Op::CardProperty { of: *of, to, a });
                    Ok(Operand { reg: to, types: of.types() })
                })
            }
            Node::MoveProperty(of, a) => {
                let to = self.result(hint)?;
                self.scoped(|e| {
                    let a = e.must(a, Types::MOVE)?;
                    e.push(Op::MoveProperty { of: *of, to, a });
                    Ok(Operand { reg: to, types: of.types() })
                })
            }
            Node::SeatProperty(of, a) => {
                let to = self.result(hint)?;
                self.scoped(|e| {
                    let a = e.must(a, Types::SEAT)?;
                    e.push(Op::SeatProperty { of: *of, to, a });
                    Ok(Operand { reg: to, types: of.types() })
                })
            }
            Node::Memory(place) => {
                let to = self.result(hint)?;
                self.scoped(|e| {
                    let a = e.must(place, Types::INT)?;
                    e.push(Op::Memory { to, a });
                    Ok(Operand { reg: to, types: Types::INT })
                })
            }
            Node::Playout(player, m, k) => self.playout(*player, m.as_deref(), k, hint),
            Node::Intrinsic(of, all) => self.intrinsic(*of, all, hint),
            Node::Call(number, all, depth) => {
                let (instance, depth) = (*number as u8, *depth as u8);
                self.call(all, |a, to, count, site| Op::Call { instance, depth, count, a, to, site })
            }
            Node::Interpret(function, all, depth) => {
                let (function, depth) = (*function as u8, *depth as u8);
                self.call(all, |a, to, count, site| Op::Interpret { function, depth, count, a, to, site })
            }
            Node::List(_)
            | Node::ConstList(_)
            | Node::Own(_)
            | Node::Element(..)
            | Node::Len(_)
            | Node::MoveCount
            | Node::Change(..) => self.of_list(node, hint),
            _ => {
                let types = self.types_of(node);
                if types.is_none() {
                    self.emit(node, Dest::Drop)?;
                    return self.never();
                }
                let to = match hint {
                    Some(to) if !types.is_tagged() => to,
                    _ => self.take(1 + usize::from(types.is_tagged()))?,
                };
                self.emit(node, Dest::Value { to, tagged: types.is_tagged() })?;
                Ok(Operand { reg: to, types })
            }
        }
    }

    /// Emits a value that is never computed: the machine does not get that far.
    pub(super) fn never(&mut self) -> Emitted<Operand> {
        self.fault();
        Ok(Operand { reg: 0, types: Types::NONE })
    }

    pub(super) fn result(&mut self, hint: Option<Reg>) -> Emitted<Reg> {
        hint.map_or_else(|| self.take(1), Ok)
    }

    /// Returns the register of a value that must be of these types, which together need no tag.
    pub(super) fn must(&mut self, node: &Node, types: Types) -> Emitted<Reg> {
        let value = self.operand(node, None)?;
        self.check(value, types);
        Ok(value.reg)
    }

    /// Emits a bailout unless the value is of these types.
    pub(super) fn check(&mut self, value: Operand, types: Types) {
        if value.types.within(types) && !value.types.is_none() {
            return;
        }
        let a = value.reg;
        if value.types.and(types).is_none() {
            self.fault();
        } else if value.types.is_tagged() {
            self.push(Op::TypeGuardTagged { a, types });
        } else if types == Types::CARD {
            self.push(Op::CardGuard { a });
        } else {
            self.push(Op::TypeGuard { a, types });
        }
    }

    /// Emits two operands, of which the first must not change while the second is evaluated.
    pub(super) fn both(&mut self, a: &Node, b: &Node) -> Emitted<(Operand, Operand)> {
        let mut first = self.operand(a, None)?;
        if b.assigns() && matches!(a, Node::Read(_)) {
            let to = self.take(2)?;
            self.push(Op::Copy { to, a: first.reg });
            if first.types.is_tagged() {
                self.push(Op::Copy { to: to + 1, a: first.reg + 1 });
            }
            first.reg = to;
        }
        Ok((first, self.operand(b, None)?))
    }

    fn arith(&mut self, op: Arith, a: &Node, b: &Node, hint: Option<Reg>) -> Emitted<Operand> {
        let bits = matches!(op, Arith::And | Arith::Or | Arith::Xor);
        let common = self.types_of(a).and(self.types_of(b));
        let either = Types::INT.with(Types::BOOL);
        if bits && common.has(either) {
            // Sometimes numbers and sometimes booleans.
            let to = self.take(2)?;
            return self.scoped(|e| {
                let (a, b) = e.both(a, b)?;
                let (a, b) = (e.tag(a)?, e.tag(b)?);
                e.push(Op::ArithTagged { op, to, a, b });
                Ok(Operand { reg: to, types: either })
            });
        }
        let to = self.result(hint)?;
        if let (Arith::Or, Node::Table(table, of)) = (op, b)
            && common == Types::INT
            && self.types_of(a) == Types::INT
            && !of.assigns()
        {
            return self.scoped(|e| {
                let (a, b) = (e.operand(a, None)?.reg, e.operand(of, None)?.reg);
                e.push(Op::OrTable { to, a, b, table: *table as u16 });
                Ok(Operand { reg: to, types: Types::INT })
            });
        }
        self.scoped(|e| {
            let (a, b) = e.both(a, b)?;
            let types = if bits && !common.has(Types::INT) { Types::BOOL } else { Types::INT };
            e.check(a, types);
            e.check(b, types);
            let (a, b) = (a.reg, b.reg);
            e.push(match op {
                Arith::Add => Op::Add { to, a, b },
                Arith::Sub => Op::Sub { to, a, b },
                Arith::And => Op::BitAnd { to, a, b },
                Arith::Or => Op::BitOr { to, a, b },
                _ => Op::Arith { op, to, a, b },
            });
            Ok(Operand { reg: to, types })
        })
    }

    /// Returns how two values compare, given their types.
    pub(super) fn comparison(op: Compare, a: Types, b: Types) -> Comparison {
        let equality = matches!(op, Compare::Eq | Compare::Ne);
        let no_equality = Types::VIEW.with(Types::SEAT).with(Types::LIST);
        if a == Types::INT && b == Types::INT || a == Types::BOOL && b == Types::BOOL {
            return Comparison::Numbers;
        }
        if a == Types::CARD && b == Types::CARD && !equality {
            return Comparison::Cards;
        }
        let comparable = a.and(b).and(no_equality).is_none();
        if a.and(b).is_none() {
            return Comparison::Known(op == Compare::Ne);
        }
        if equality && comparable && !a.has(Types::INT) && !b.has(Types::INT) {
            return Comparison::Numbers;
        }
        Comparison::Tagged
    }

    fn compare(&mut self, op: Compare, a: &Node, b: &Node, hint: Option<Reg>) -> Emitted<Operand> {
        let to = self.result(hint)?;
        self.scoped(|e| {
            let (a, b) = e.both(a, b)?;
            match Self::comparison(op, a.types, b.types) {
                Comparison::Numbers => e.push(Op::Compare { op, to, a: a.reg, b: b.reg }),
                Comparison::Cards => e.push(Op::CompareCards { op, to, a: a.reg, b: b.reg }),
                Comparison::Known(known) => e.push(Op::Small { to, value: i32::from(known) }),
                Comparison::Tagged => {
                    let (a, b) = (e.tag(a)?, e.tag(b)?);
                    e.push(Op::CompareTagged { op, to, a, b });
                }
            }
            Ok(Operand { reg: to, types: Types::BOOL })
        })
    }

    /// Returns the value with a register beside it that says whether it is a number.
    pub(super) fn tag(&mut self, value: Operand) -> Emitted<Reg> {
        if value.types.is_tagged() {
            return Ok(value.reg);
        }
        let to = self.take(2)?;
        self.push(Op::Copy { to, a: value.reg });
        self.push(Op::Small { to: to + 1, value: i32::from(value.types.has(Types::INT)) });
        Ok(to)
    }

    fn intrinsic(&mut self, of: Intrinsic, all: &[Node], hint: Option<Reg>) -> Emitted<Operand> {
        let to = self.result(hint)?;
        let takes = arguments_of(of);
        if let (Intrinsic::Pile, [pile, below]) = (of, all) {
            return self.scoped(|e| {
                let (a, b) = e.both(pile, below)?;
                e.check(a, Types::INT);
                e.check(b, Types::INT);
                e.push(Op::Pile { to, a: a.reg, b: b.reg });
                Ok(Operand { reg: to, types: of.types() })
            });
        }
        self.scoped(|e| {
            let a = match all {
                [one] => e.must(one, takes[0])?,
                _ => {
                    let first = e.take(3)?;
                    for (i, (node, types)) in all.iter().zip(&takes).enumerate() {
                        let to = first + i as Reg;
                        e.scoped(|e| {
                            let value = e.operand(node, Some(to))?;
                            e.check(value, *types);
                            if value.reg != to {
                                e.push(Op::Copy { to, a: value.reg });
                            }
                            Ok(())
                        })?;
                    }
                    first
                }
            };
            e.push(match of {
                Intrinsic::PileTop => Op::PileTop { to, a },
                Intrinsic::PileLen => Op::PileLen { to, a },
                Intrinsic::Coming => Op::Coming { to, a },
                Intrinsic::Waste => Op::Waste { to, a },
                _ => Op::Intrinsic { of, to, a },
            });
            Ok(Operand { reg: to, types: of.types() })
        })
    }

    fn playout(&mut self, player: u8, m: Option<&Node>, k: &Node, hint: Option<Reg>) -> Emitted<Operand> {
        let to = self.result(hint)?;
        self.scoped(|e| {
            let m = m.map(|m| e.must(m, Types::MOVE)).transpose()?;
            let a = e.must(k, Types::INT)?;
            e.push(Op::Playout { player, after: m.is_some(), to, a, b: m.unwrap_or(a) });
            Ok(Operand { reg: to, types: Types::INT })
        })
    }

    fn call(&mut self, all: &[Node], op: impl FnOnce(Reg, Reg, u8, u8) -> Op) -> Emitted<Operand> {
        let to = self.take(2)?;
        let site = if self.lists { self.site()? } else { u8::MAX };
        self.scoped(|e| {
            let first = e.take(2 * all.len())?;
            for (i, node) in all.iter().enumerate() {
                e.emit(node, Dest::Value { to: first + 2 * i as Reg, tagged: true })?;
            }
            e.push(op(first, to, all.len() as u8, site));
            Ok(Operand { reg: to, types: Types::ALL })
        })
    }

    /// Moves a value to its destination.
    pub(super) fn deliver(&mut self, value: Operand, to: Reg, tagged: bool) {
        if value.types.is_none() {
            return;
        }
        if value.reg != to {
            self.push(Op::Copy { to, a: value.reg });
        }
        if !tagged {
            return;
        }
        if !value.types.is_tagged() {
            self.push(Op::Small { to: to + 1, value: i32::from(value.types.has(Types::INT)) });
        } else if value.reg != to {
            self.push(Op::Copy { to: to + 1, a: value.reg + 1 });
        }
    }

    /// Returns the card of a test for `()`, if the comparison is one.
    pub(super) fn tested_for_unit<'n>(&mut self, a: &'n Node, b: &'n Node) -> Option<&'n Node> {
        let unit = |node: &Node| node.constant().is_some_and(|v| !v.is_int && v.bits == UNIT);
        let tested = match (unit(a), unit(b)) {
            (false, true) => a,
            (true, false) => b,
            _ => return None,
        };
        let types = self.types_of(tested);
        (types.has(Types::UNIT) && !types.has(Types::INT)).then_some(tested)
    }
}

/// How two values are compared.
pub(super) enum Comparison {
    /// By their numbers.
    Numbers,
    Cards,
    Tagged,
    /// They have no type in common.
    Known(bool),
}
