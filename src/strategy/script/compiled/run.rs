//! The machine that runs compiled code.

use super::super::engine::MAX_CALL_DEPTH;
use super::arith;
use super::ask::{Ask, OfCard};
use super::emit::Program;
use super::facts::Class;
use super::op::{At, Op, Reg};
use super::seek::Seek;
use super::state::{Called, HandOver, Interpret, Meter, Position, Registers};
use super::tables::FAULT;
use super::tree::Compare;
use super::value::{CARDS, MOVES, SEATS, UNIT, Value};

fn value_of(regs: &Registers, reg: Reg) -> Value {
    Value { bits: regs[reg as usize], is_int: regs[reg.wrapping_add(1) as usize] == 1 }
}

#[inline(always)]
fn ordered(op: Compare, a: i64, b: i64) -> bool {
    match op {
        Compare::Eq => a == b,
        Compare::Ne => a != b,
        Compare::Lt => a < b,
        Compare::Le => a <= b,
        Compare::Gt => a > b,
        Compare::Ge => a >= b,
    }
}

/// One run of the machine.
pub struct Machine<'a, I> {
    pub program: &'a Program,
    /// The functions that are called.
    pub called: &'a [Called],
    pub position: &'a Position<'a>,
    pub interpreter: &'a mut I,
    pub meter: Meter,
}

impl<I: Interpret> Machine<'_, I> {
    /// Runs from an op on to a return, at a depth of calls.
    pub fn run(&mut self, at: At, regs: &mut Registers, level: usize) -> Result<Value, HandOver> {
        let code = &self.program.code[..];
        let Position { view, legal, limit } = *self.position;
        let mut pc = at as usize;
        macro_rules! get {
            ($reg:expr) => {
                regs[$reg as usize]
            };
        }
        macro_rules! set {
            ($reg:expr, $value:expr) => {
                regs[$reg as usize] = $value
            };
        }
        macro_rules! jump_if {
            ($test:expr, $at:expr) => {
                // The test makes it a branch, which the processor can foresee, and not a choice of `pc`.
                if $test {
                    pc = $at as usize;
                    if pc >= code.len() {
                        return Err(HandOver);
                    }
                }
            };
        }
        loop {
            // By reference: each arm reads what it needs of the op, and no more.
            let Some(op) = code.get(pc) else { return Err(HandOver) };
            pc += 1;
            match *op {
                Op::Copy { to, a } => set!(to, get!(a)),
                Op::Small { to, value } => set!(to, i64::from(value)),
                Op::Add { to, a, b } => set!(to, get!(a).checked_add(get!(b)).ok_or(HandOver)?),
                Op::Sub { to, a, b } => set!(to, get!(a).checked_sub(get!(b)).ok_or(HandOver)?),
                Op::BitAnd { to, a, b } => set!(to, get!(a) & get!(b)),
                Op::BitOr { to, a, b } => set!(to, get!(a) | get!(b)),
                Op::Arith { op, to, a, b } => {
                    set!(to, arith::arith(op, get!(a), get!(b)).ok_or(HandOver)?);
                }
                Op::ArithWide { op, to, a, b } => {
                    let (a, b) = (value_of(regs, a), value_of(regs, b));
                    let value = arith::arith_values(op, a, b).ok_or(HandOver)?;
                    set!(to, value.bits);
                    set!(to + 1, i64::from(value.is_int));
                }
                Op::Single { op, to, a } => set!(to, arith::single(op, get!(a)).ok_or(HandOver)?),
                Op::Not { to, a } => set!(to, 1 - get!(a)),
                Op::Compare { op, to, a, b } => set!(to, i64::from(ordered(op, get!(a), get!(b)))),
                Op::CompareWide { op, to, a, b } => {
                    let compared = arith::compare(op, value_of(regs, a), value_of(regs, b));
                    set!(to, i64::from(compared.ok_or(HandOver)?));
                }
                Op::CompareCards { op, to, a, b } => {
                    let (a, b) =
                        (Value { bits: get!(a), is_int: false }, Value { bits: get!(b), is_int: false });
                    set!(to, i64::from(arith::compare(op, a, b).ok_or(HandOver)?));
                }
                Op::Jump { at } => pc = at as usize,
                Op::JumpIf { a, at } => jump_if!(get!(a) != 0, at),
                Op::JumpUnless { a, at } => jump_if!(get!(a) == 0, at),
                Op::JumpEq { a, b, at } => jump_if!(get!(a) == get!(b), at),
                Op::JumpNe { a, b, at } => jump_if!(get!(a) != get!(b), at),
                Op::JumpLt { a, b, at } => jump_if!(get!(a) < get!(b), at),
                Op::JumpLe { a, b, at } => jump_if!(get!(a) <= get!(b), at),
                Op::JumpAny { a, b, at } => jump_if!(get!(a) & get!(b) != 0, at),
                Op::JumpNone { a, b, at } => jump_if!(get!(a) & get!(b) == 0, at),
                Op::JumpUnit { a, at } => jump_if!(get!(a) == UNIT, at),
                Op::JumpSeen { a, at } => jump_if!(get!(a) != UNIT, at),
                Op::JumpWanted { a, at } => {
                    jump_if!(get!(a) != UNIT && view.wanted() >> (get!(a) & 63) & 1 != 0, at)
                }
                Op::JumpUnwanted { a, at } => {
                    jump_if!(get!(a) == UNIT || view.wanted() >> (get!(a) & 63) & 1 == 0, at)
                }
                Op::Again { at, cost } => {
                    self.spend(cost, limit)?;
                    pc = at as usize;
                }
                Op::Next { a, last, at, cost } => {
                    if get!(a) < get!(last) {
                        self.spend(cost, limit)?;
                        set!(a, get!(a) + 1);
                        pc = at as usize;
                    }
                }
                Op::MustCard { a } => {
                    if !(CARDS..SEATS).contains(&get!(a)) {
                        return Err(HandOver);
                    }
                }
                Op::Must { a, types } => {
                    if !(Value { bits: get!(a), is_int: false }).types().within(types) {
                        return Err(HandOver);
                    }
                }
                Op::MustWide { a, types } => {
                    if !value_of(regs, a).types().within(types) {
                        return Err(HandOver);
                    }
                }
                Op::TableOfCard { to, a, table } => {
                    let at = (table as usize) << 6 | (get!(a) & 63) as usize;
                    let Some(&value) = self.program.values.get(at) else { return Err(HandOver) };
                    set!(to, value);
                }
                Op::OrTable { to, a, b, table } => {
                    set!(to, get!(a) | self.table(table.into(), get!(b))?);
                }
                Op::JumpTable { a, b, table, at } => {
                    jump_if!(self.table(table.into(), get!(a))? & get!(b) != 0, at);
                }
                Op::JumpNoTable { a, b, table, at } => {
                    jump_if!(self.table(table.into(), get!(a))? & get!(b) == 0, at);
                }
                Op::AddAgain { a, b, at, cost } => {
                    set!(a, get!(a).checked_add(get!(b)).ok_or(HandOver)?);
                    self.spend(cost, limit)?;
                    pc = at as usize;
                }
                Op::OrTop { to, a, b, table } => {
                    let top = Ask::PileTop.answer(view, get!(a), 0, 0).ok_or(HandOver)?;
                    set!(to, top);
                    if top != UNIT {
                        set!(b, get!(b) | self.table(table.into(), top)?);
                    }
                }
                Op::PileOr { to, a, b, at } => {
                    let card = Ask::Pile.answer(view, get!(a), get!(b), 0).ok_or(HandOver)?;
                    set!(to, card);
                    jump_if!(card == UNIT, at);
                }
                Op::ComingThen { to, a, at } => {
                    let card = match view.known_stock().get(get!(a) as usize) {
                        Some(card) => CARDS + card.kind() as i64,
                        None => Ask::Coming.answer(view, get!(a), 0, 0).ok_or(HandOver)?,
                    };
                    set!(to, card);
                    jump_if!(card != UNIT, at);
                }
                Op::Seek { waste: of_waste, to, a, at } => {
                    let seek = Seek::new(self.program, at, regs).ok_or(HandOver)?;
                    let want = view.wanted();
                    let meter = (&mut self.meter, limit);
                    let (found, ask) = if of_waste {
                        let waste = view.fanned();
                        let top = waste.len() as i64 - 1;
                        let index = |i| top.wrapping_sub(i) as usize;
                        (seek.run(waste, index, want, (to, a), regs, meter)?, Ask::Waste)
                    } else {
                        (
                            seek.run(view.known_stock(), |i| i as usize, want, (to, a), regs, meter)?,
                            Ask::Coming,
                        )
                    };
                    if let Some(on) = found {
                        pc = on;
                    } else {
                        let card = ask.answer(view, get!(a), 0, 0).ok_or(HandOver)?;
                        set!(to, card);
                        jump_if!(card != UNIT, at);
                    }
                }
                Op::LowestOr { to, a, at } => {
                    let card = Ask::PileLowest.answer(view, get!(a), 0, 0).ok_or(HandOver)?;
                    set!(to, card);
                    jump_if!(card == UNIT, at);
                }
                Op::OrUnless { to, a, b, table, more } => {
                    if self.table(table.into(), get!(a))? & get!(b) == 0 {
                        set!(to, get!(to) | self.table(more.into(), get!(a))?);
                    }
                }
                Op::SubWhile { a, b, c, at, cost } => {
                    let next = get!(a).checked_sub(get!(b)).ok_or(HandOver)?;
                    set!(a, next);
                    self.spend(cost, limit)?;
                    jump_if!(next >= get!(c), at);
                }
                Op::WasteThen { to, a, at } => {
                    let waste = view.fanned();
                    let card = match waste.get((waste.len() as i64 - 1).wrapping_sub(get!(a)) as usize) {
                        Some(card) => CARDS + card.kind() as i64,
                        None => Ask::Waste.answer(view, get!(a), 0, 0).ok_or(HandOver)?,
                    };
                    set!(to, card);
                    jump_if!(card != UNIT, at);
                }
                Op::JumpUseless { a, b, table, at } => {
                    let useful = self.table(table.into(), get!(a))? & get!(b) != 0;
                    let wanted = get!(a) != UNIT && view.wanted() >> (get!(a) & 63) & 1 != 0;
                    jump_if!(!useful && !wanted, at);
                }
                Op::AddWhile { a, b, c, at, cost } => {
                    let next = get!(a).checked_add(get!(b)).ok_or(HandOver)?;
                    set!(a, next);
                    self.spend(cost, limit)?;
                    jump_if!(next < get!(c), at);
                }
                Op::Table { to, a, table } => {
                    set!(to, self.table(table.into(), get!(a))?);
                }
                Op::OfCard { of: OfCard::Rank, to, a } => set!(to, ((get!(a) - CARDS) >> 2) + 1),
                Op::OfCard { of, to, a } => set!(to, of.read(view, get!(a))),
                Op::OfMove { of, to, a } => {
                    let Some(&m) = legal.get((get!(a) - MOVES) as usize) else { return Err(HandOver) };
                    set!(to, of.read(view, m));
                }
                Op::OfSeat { of, to, a } => set!(to, of.read(view, get!(a)).ok_or(HandOver)?),
                Op::Look { look, to } => set!(to, look.read(view)),
                Op::Pile { to, a, b } => {
                    set!(to, Ask::Pile.answer(view, get!(a), get!(b), 0).ok_or(HandOver)?);
                }
                Op::PileLen { to, a } => {
                    set!(to, Ask::PileLen.answer(view, get!(a), 0, 0).ok_or(HandOver)?);
                }
                Op::PileTop { to, a } => {
                    set!(to, Ask::PileTop.answer(view, get!(a), 0, 0).ok_or(HandOver)?);
                }
                Op::Coming { to, a } => match view.known_stock().get(get!(a) as usize) {
                    Some(card) => set!(to, CARDS + card.kind() as i64),
                    None => set!(to, Ask::Coming.answer(view, get!(a), 0, 0).ok_or(HandOver)?),
                },
                Op::Waste { to, a } => {
                    let waste = view.fanned();
                    match waste.get((waste.len() as i64 - 1).wrapping_sub(get!(a)) as usize) {
                        Some(card) => set!(to, CARDS + card.kind() as i64),
                        None => set!(to, Ask::Waste.answer(view, get!(a), 0, 0).ok_or(HandOver)?),
                    }
                }
                Op::Ask { ask, to, a } => {
                    let (b, c) = (get!(a.wrapping_add(1)), get!(a.wrapping_add(2)));
                    set!(to, ask.answer(view, get!(a), b, c).ok_or(HandOver)?);
                }
                Op::LastMove { to } => set!(to, MOVES + legal.len() as i64 - 1),
                Op::ByClass { a, at } => {
                    let Some(&m) = legal.get((get!(a) - MOVES) as usize) else { return Err(HandOver) };
                    pc = at as usize + Class::of(m) as usize;
                }
                Op::Remember { memo, at } => {
                    if get!(memo) == self.meter.decision {
                        self.meter.operations += get!(memo + 1) as u64;
                        pc = at as usize;
                    }
                }
                Op::RememberArranged { memo, at } => {
                    if get!(memo) == self.meter.arrangement {
                        self.meter.operations += get!(memo + 1) as u64;
                        pc = at as usize;
                    }
                }
                Op::KeepArranged { memo } => {
                    set!(memo + 1, self.meter.operations as i64 - get!(memo + 1));
                    set!(memo, self.meter.arrangement);
                }
                Op::Begin { memo } => set!(memo + 1, self.meter.operations as i64),
                Op::Keep { memo } => {
                    set!(memo + 1, self.meter.operations as i64 - get!(memo + 1));
                    set!(memo, self.meter.decision);
                }
                Op::Call { instance, depth, count, a, to } => {
                    let value = self.call(instance.into(), level + depth as usize, (a, count), regs)?;
                    set!(to, value.bits);
                    set!(to + 1, i64::from(value.is_int));
                }
                Op::Interpret { function, depth, count, a, to } => {
                    let arguments: Vec<Value> = (0..count).map(|i| value_of(regs, a + 2 * i)).collect();
                    let operations = self.meter.operations;
                    let depth = level + depth as usize;
                    let called = self.interpreter.call(function.into(), depth, &arguments, operations);
                    let (value, operations) = called?;
                    self.meter.operations = operations;
                    set!(to, value.bits);
                    set!(to + 1, i64::from(value.is_int));
                }
                Op::Return { a } => return Ok(Value::int(get!(a))),
                Op::ReturnSmall { value } => return Ok(Value::int(value.into())),
                Op::ReturnOther { a } => return Ok(Value { bits: get!(a), is_int: false }),
                Op::ReturnWide { a } => return Ok(value_of(regs, a)),
                Op::Fault => return Err(HandOver),
            }
        }
    }

    #[cold]
    fn call(
        &mut self,
        called: usize,
        level: usize,
        (first, count): (Reg, u8),
        regs: &Registers,
    ) -> Result<Value, HandOver> {
        let Some(called) = self.called.get(called) else { return Err(HandOver) };
        if level + called.reach > MAX_CALL_DEPTH {
            return Err(HandOver);
        }
        self.meter.operations += u64::from(called.cost);
        if self.meter.operations > self.position.limit {
            return Err(HandOver);
        }
        let mut frame = *regs;
        let arguments = 2 * count as usize;
        frame[..arguments].copy_from_slice(&regs[first as usize..][..arguments]);
        self.run(called.at, &mut frame, level)
    }

    /// What a table says of a card, or of `()`.
    #[inline(always)]
    fn table(&self, table: usize, card: i64) -> Result<i64, HandOver> {
        let value = *self.program.values.get(table << 6 | (card & 63) as usize).ok_or(HandOver)?;
        if value == FAULT { Err(HandOver) } else { Ok(value) }
    }

    #[inline(always)]
    fn spend(&mut self, cost: u16, limit: u64) -> Result<(), HandOver> {
        self.meter.operations += u64::from(cost);
        if self.meter.operations > limit { Err(HandOver) } else { Ok(()) }
    }
}
