//! Emits ops for [`Node`]s: values.

use super::super::super::intrinsics::Intrinsic;
use super::super::super::value::{LISTS, MOVES, Types};
use super::super::bytecode::{Arith, Compare, Op, Reg};
use super::super::hir::{Change, FAULT, Kind, Node};
use super::{Comparison, Dest, Emitted, Emitter, Operand};

impl Emitter<'_, '_> {
    /// Emits the value of a node, in its own register or an existing one. If it needs a register, `hint` is preferred.
    pub(super) fn operand(&mut self, node: &Node, hint: Option<Reg>) -> Emitted<Operand> {
        if let Some(takes) = node.kind.takes() {
            return self.operation(node, &takes, hint);
        }
        match (&node.kind, &node.parts[..]) {
            (Kind::Const(value), _) => Ok(Operand { reg: self.constant(value.bits)?, types: value.types() }),
            (Kind::ConstList(id), _) => {
                Ok(Operand { reg: self.constant(LISTS + *id as i64)?, types: Types::LIST })
            }
            (Kind::Read(slot), _) => match self.slots.get(slot) {
                Some(&reg) => {
                    Ok(Operand { reg, types: self.narrowed(&node.kind, self.context.types.slots[*slot]) })
                }
                None => self.never(),
            },
            (Kind::ViewProperty(property), _) => {
                let types = self.narrowed(&node.kind, property.types());
                Ok(Operand { reg: self.property(*property)?, types })
            }
            (Kind::Memo(id), _) => self.memo(*id),
            (Kind::Fault, _) => self.never(),
            (Kind::Arith(op), [a, b]) => self.arith(*op, a, b, hint),
            (Kind::Compare(op), [a, b]) => {
                let to = self.result(hint)?;
                self.scoped(|e| {
                    let both = e.both(a, b)?;
                    let how = Self::comparison(*op, both.0.types, both.1.types);
                    e.compared(*op, how, to, both)?;
                    Ok(Operand { reg: to, types: Types::BOOL })
                })
            }
            (Kind::Table(table), [of]) => {
                let to = self.result(hint)?;
                let types = self.context.types.tables[*table];
                self.scoped(|e| {
                    let card = e.operand(of, None)?;
                    let (a, only_unit) = (card.reg, !e.context.tables[*table][..52].contains(&FAULT));
                    let table = *table as u16;
                    e.push(if only_unit && card.types == Types::CARD {
                        Op::TableOfCard { to, a, table }
                    } else {
                        Op::Table { to, a, table }
                    });
                    Ok(Operand { reg: to, types })
                })
            }
            (Kind::Call(number, depth), all) => {
                let (instance, depth) = (*number as u8, *depth as u8);
                self.call(all, |a, to, count, site| Op::Call { instance, depth, count, a, to, site })
            }
            (Kind::Interpret(function, depth), all) => {
                let (function, depth) = (*function as u8, *depth as u8);
                self.call(all, |a, to, count, site| Op::Interpret { function, depth, count, a, to, site })
            }
            (Kind::List, all) => {
                let (to, site) = (self.result(hint)?, self.site()?);
                self.scoped(|e| {
                    let a = e.tagged_values(all)?;
                    e.push(Op::List { to, a, count: all.len() as u8, site });
                    Ok(Operand { reg: to, types: Types::LIST })
                })
            }
            (Kind::Own, [of]) => {
                let types = self.types_of(of);
                let (to, site) = (self.take(2)?, self.site()?);
                self.scoped(|e| {
                    let value = e.operand(of, None)?;
                    let a = e.tag(value)?;
                    e.push(Op::Own { to, a, site });
                    Ok(Operand { reg: to, types })
                })
            }
            (Kind::Element, [list, place]) => {
                let to = self.take(2)?;
                self.scoped(|e| {
                    let (a, b) = (e.must(list, Types::LIST)?, e.must(place, Types::INT)?);
                    e.push(Op::Element { to, a, b });
                    Ok(Operand { reg: to, types: e.context.types.elements })
                })
            }
            (Kind::Change(slot, change), parts) => self.change(*change, &Node::read(*slot), parts),
            _ => {
                let types = self.types_of(node);
                if types.is_none() {
                    self.emit(node, Dest::Drop)?;
                    return self.never();
                }
                let to = match hint {
                    Some(to) if !types.is_tagged() => to,
                    _ => self.take_for(types)?,
                };
                self.emit(node, Dest::Value { to, tagged: types.is_tagged() })?;
                Ok(Operand { reg: to, types })
            }
        }
    }

    fn operation(&mut self, node: &Node, takes: &[Types], hint: Option<Reg>) -> Emitted<Operand> {
        let types = node.kind.types();
        if types == Types::UNIT {
            // Its value is a constant.
            self.scoped(|e| e.performed(node, takes, 0))?;
            return self.operand(&Node::UNIT, None);
        }
        let reg = self.result(hint)?;
        self.scoped(|e| e.performed(node, takes, reg))?;
        Ok(Operand { reg, types })
    }

    fn performed(&mut self, node: &Node, takes: &[Types], to: Reg) -> Emitted<()> {
        let in_a_row = matches!(node.kind, Kind::Intrinsic(of) if of != Intrinsic::Pile);
        let (a, b) = match &node.parts[..] {
            [] => (0, 0),
            [a] => (self.must(a, takes[0])?, 0),
            [a, b] if !in_a_row => {
                let (a, b) = self.both(a, b)?;
                self.check(a, takes[0]);
                self.check(b, takes[1]);
                (a.reg, b.reg)
            }
            all => {
                let first = self.take(3)?;
                for ((node, types), to) in all.iter().zip(takes).zip(first..) {
                    self.scoped(|e| {
                        let value = e.operand(node, Some(to))?;
                        e.check(value, *types);
                        e.deliver(value, to, false);
                        Ok(())
                    })?;
                }
                (first, 0)
            }
        };
        let op = match node.kind {
            Kind::Single(op) => Op::Single { op, to, a },
            Kind::Not => Op::Not { to, a },
            Kind::CardProperty(of) => Op::CardProperty { of, to, a },
            Kind::MoveProperty(of) => Op::MoveProperty { of, to, a },
            Kind::SeatProperty(of) => Op::SeatProperty { of, to, a },
            Kind::Memory => Op::Memory { to, a },
            Kind::SetMemory => Op::SetMemory { a, b },
            Kind::Len => Op::Len { to, a },
            Kind::Playout(player) => Op::Playout { player, after: node.parts.len() > 1, to, a, b },
            Kind::Intrinsic(of) => match of {
                Intrinsic::Pile => Op::Pile { to, a, b },
                Intrinsic::PileTop => Op::PileTop { to, a },
                Intrinsic::PileLen => Op::PileLen { to, a },
                Intrinsic::Coming => Op::Coming { to, a },
                Intrinsic::Waste => Op::Waste { to, a },
                _ => Op::Intrinsic { of, to, a },
            },
            _ => {
                let before = self.constant(MOVES - 1)?;
                self.push(Op::LastMove { to });
                Op::Sub { to, a: to, b: before }
            }
        };
        self.push(op);
        Ok(())
    }

    /// Emits a value that is never computed: the machine does not get that far.
    fn never(&mut self) -> Emitted<Operand> {
        self.push(Op::Fault);
        Ok(Operand { reg: 0, types: Types::NONE })
    }

    fn result(&mut self, hint: Option<Reg>) -> Emitted<Reg> {
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
        self.push(if value.types.and(types).is_none() {
            Op::Fault
        } else if value.types.is_tagged() {
            Op::TypeGuardTagged { a, types }
        } else if types == Types::CARD {
            Op::CardGuard { a }
        } else {
            Op::TypeGuard { a, types }
        });
    }

    /// Emits two operands, of which the first must not change while the second is evaluated.
    pub(super) fn both(&mut self, a: &Node, b: &Node) -> Emitted<(Operand, Operand)> {
        let mut first = self.operand(a, None)?;
        if b.assigns() && matches!(a.kind, Kind::Read(_)) {
            let to = self.take(2)?;
            self.deliver(first, to, first.types.is_tagged());
            first.reg = to;
        }
        Ok((first, self.operand(b, None)?))
    }

    fn arith(&mut self, op: Arith, a: &Node, b: &Node, hint: Option<Reg>) -> Emitted<Operand> {
        let bits = matches!(op, Arith::And | Arith::Or | Arith::Xor);
        let of_a = self.types_of(a);
        let common = of_a.and(self.types_of(b));
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
        let types = if bits && !common.has(Types::INT) { Types::BOOL } else { Types::INT };
        self.scoped(|e| {
            if let (Arith::Or, Kind::Table(table), [of]) = (op, &b.kind, &b.parts[..])
                && common == Types::INT
                && of_a == Types::INT
                && !of.assigns()
            {
                let (a, b) = (e.operand(a, None)?.reg, e.operand(of, None)?.reg);
                e.push(Op::OrTable { to, a, b, table: *table as u16 });
                return Ok(());
            }
            let (a, b) = e.both(a, b)?;
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
            Ok(())
        })?;
        Ok(Operand { reg: to, types })
    }

    pub(super) fn comparison(op: Compare, a: Types, b: Types) -> Comparison {
        let equality = matches!(op, Compare::Eq | Compare::Ne);
        let no_equality = Types::VIEW.with(Types::SEAT).with(Types::LIST);
        if a == Types::INT && b == Types::INT || a == Types::BOOL && b == Types::BOOL {
            return Comparison::Numbers;
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

    pub(super) fn compared(
        &mut self,
        op: Compare,
        how: Comparison,
        to: Reg,
        (x, y): (Operand, Operand),
    ) -> Emitted<()> {
        let (mut a, mut b) = (x.reg, y.reg);
        if let Comparison::Tagged = how {
            (a, b) = (self.tag(x)?, self.tag(y)?);
        }
        self.push(match how {
            Comparison::Numbers => Op::Compare { op, to, a, b },
            Comparison::Tagged => Op::CompareTagged { op, to, a, b },
            Comparison::Known(known) => Op::Small { to, value: i32::from(known) },
        });
        Ok(())
    }

    /// Returns the value with a register beside it that says whether it is a number.
    fn tag(&mut self, value: Operand) -> Emitted<Reg> {
        if value.types.is_tagged() {
            return Ok(value.reg);
        }
        let to = self.take(2)?;
        self.push(Op::Copy { to, a: value.reg });
        self.push(Op::Small { to: to + 1, value: i32::from(value.types.has(Types::INT)) });
        Ok(to)
    }

    /// Emits tagged values in a row, and returns the register of the first.
    fn tagged_values(&mut self, all: &[Node]) -> Emitted<Reg> {
        let first = self.take(2 * all.len())?;
        for (i, node) in all.iter().enumerate() {
            self.emit(node, Dest::Value { to: first + 2 * i as Reg, tagged: true })?;
        }
        Ok(first)
    }

    fn call(&mut self, all: &[Node], op: impl FnOnce(Reg, Reg, u8, u8) -> Op) -> Emitted<Operand> {
        let to = self.take(2)?;
        let site = if self.context.lists { self.site()? } else { u8::MAX };
        self.scoped(|e| {
            let first = e.tagged_values(all)?;
            e.push(op(first, to, all.len() as u8, site));
            Ok(Operand { reg: to, types: Types::ALL })
        })
    }

    /// Emits a change of the list of a variable, which is read after the parts.
    fn change(&mut self, change: Change, variable: &Node, parts: &[Node]) -> Emitted<Operand> {
        let to = if change == Change::Pop { self.take(2)? } else { 0 };
        self.scoped(|e| {
            let value = match parts.last() {
                Some(value) => {
                    let value = e.operand(value, None)?;
                    e.tag(value)?
                }
                None => 0,
            };
            let b = if let [place, _] = parts { e.must(place, Types::INT)? } else { 0 };
            let a = e.must(variable, Types::LIST)?;
            e.push(match change {
                Change::Push => Op::Push { a, value },
                Change::Put => Op::Put { a, b, value },
                Change::Pop => Op::Pop { to, a },
                Change::Clear => Op::Clear { a },
            });
            Ok(())
        })?;
        match change {
            Change::Pop => Ok(Operand { reg: to, types: self.context.types.elements.with(Types::UNIT) }),
            _ => self.operand(&Node::UNIT, None),
        }
    }

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
}
