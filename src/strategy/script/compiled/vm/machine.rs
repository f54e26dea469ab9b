//! The machine that runs compiled code.

use super::super::super::intrinsics::{CardProperty, Intrinsic};
use super::super::super::limits::MAX_CALL_DEPTH;
use super::super::super::value::{CARDS, MOVES, SEATS, Types, UNIT, Value};
use super::super::bytecode::{CodeOffset, CompiledScript, Op, Reg};
use super::super::facts::Class;
use super::super::hir::FAULT;
use super::super::operators;
use super::decision::{ASK, Asked, Bailout, Given, Interpret, Meter, Registers, WALK};
use super::lists::Lists;

fn value_of(regs: &Registers, reg: Reg) -> Value {
    Value { bits: regs[reg as usize], is_int: regs[reg.wrapping_add(1) as usize] == 1 }
}

/// Operations of compiled code in the time that it takes to copy the registers, and an element of a list.
const FRAME: u64 = 512;
const ELEMENT: u64 = 8;

/// A run of the machine.
pub struct Machine<'a, 'd, I> {
    pub made: &'a CompiledScript,
    pub asked: &'a mut Asked<'d, I>,
    pub lists: &'a mut Lists,
    pub meter: &'a mut Meter,
}

impl<I: Interpret> Machine<'_, '_, I> {
    /// Runs from an op to a return, at a depth of calls.
    pub fn run(&mut self, at: CodeOffset, regs: &mut Registers, level: usize) -> Result<Value, Bailout> {
        let code = &self.made.code[..];
        let Asked { view, legal, limit, .. } = *self.asked;
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
        macro_rules! set_tagged {
            ($reg:expr, $value:expr) => {
                let value: Value = $value;
                set!($reg, value.bits);
                set!($reg + 1, i64::from(value.is_int));
            };
        }
        macro_rules! jump_if {
            ($test:expr, $at:expr) => {
                // The test makes it a branch, which the processor can predict, rather than a conditional move of `pc`.
                if $test {
                    pc = $at as usize;
                    if pc >= code.len() {
                        return Err(Bailout);
                    }
                }
            };
        }
        loop {
            // By reference: each arm reads only the parts of the op that it needs.
            let Some(op) = code.get(pc) else { return Err(Bailout) };
            pc += 1;
            match *op {
                Op::Copy { to, a } => set!(to, get!(a)),
                Op::Small { to, value } => set!(to, i64::from(value)),
                Op::Add { to, a, b } => set!(to, get!(a).checked_add(get!(b)).ok_or(Bailout)?),
                Op::Sub { to, a, b } => set!(to, get!(a).checked_sub(get!(b)).ok_or(Bailout)?),
                Op::BitAnd { to, a, b } => set!(to, get!(a) & get!(b)),
                Op::BitOr { to, a, b } => set!(to, get!(a) | get!(b)),
                Op::Arith { op, to, a, b } => {
                    set!(to, operators::arith(op, get!(a), get!(b)).ok_or(Bailout)?);
                }
                Op::ArithTagged { op, to, a, b } => {
                    let (a, b) = (value_of(regs, a), value_of(regs, b));
                    set_tagged!(to, operators::arith_values(op, a, b).ok_or(Bailout)?);
                }
                Op::Single { op, to, a } => set!(to, operators::single(op, get!(a)).ok_or(Bailout)?),
                Op::Not { to, a } => set!(to, 1 - get!(a)),
                Op::Compare { op, to, a, b } => set!(to, i64::from(operators::ordered(op, get!(a), get!(b)))),
                Op::CompareTagged { op, to, a, b } => {
                    let compared = operators::compare(op, value_of(regs, a), value_of(regs, b));
                    set!(to, i64::from(compared.ok_or(Bailout)?));
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
                Op::CardGuard { a } => {
                    if !(CARDS..SEATS).contains(&get!(a)) {
                        return Err(Bailout);
                    }
                }
                Op::TypeGuard { a, types } => {
                    if !(Value { bits: get!(a), is_int: false }).types().within(types) {
                        return Err(Bailout);
                    }
                }
                Op::TypeGuardTagged { a, types } => {
                    if !value_of(regs, a).types().within(types) {
                        return Err(Bailout);
                    }
                }
                Op::TableOfCard { to, a, table } => {
                    let at = (table as usize) << 6 | (get!(a) & 63) as usize;
                    let Some(&value) = self.made.values.get(at) else { return Err(Bailout) };
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
                Op::Table { to, a, table } => {
                    set!(to, self.table(table.into(), get!(a))?);
                }
                Op::CardProperty { of: CardProperty::Rank, to, a } => set!(to, ((get!(a) - CARDS) >> 2) + 1),
                Op::CardProperty { of, to, a } => set!(to, of.read(view, get!(a))),
                Op::MoveProperty { of, to, a } => {
                    let Some(&m) = legal.get((get!(a) - MOVES) as usize) else { return Err(Bailout) };
                    set!(to, of.read(view, m));
                }
                Op::SeatProperty { of, to, a } => set!(to, of.read(view, get!(a)).ok_or(Bailout)?),
                Op::ViewProperty { of, to } => set!(to, of.read(view)),
                Op::Pile { to, a, b } => {
                    self.meter.copied += WALK * (get!(b) as u64 & 63);
                    set!(to, Intrinsic::Pile.answer(view, get!(a), get!(b), 0).ok_or(Bailout)?);
                }
                Op::PileLen { to, a } => {
                    set!(to, Intrinsic::PileLen.answer(view, get!(a), 0, 0).ok_or(Bailout)?);
                }
                Op::PileTop { to, a } => {
                    set!(to, Intrinsic::PileTop.answer(view, get!(a), 0, 0).ok_or(Bailout)?);
                }
                Op::Coming { to, a } => match view.known_stock().get(get!(a) as usize) {
                    Some(card) => set!(to, CARDS + card.kind() as i64),
                    None => set!(to, Intrinsic::Coming.answer(view, get!(a), 0, 0).ok_or(Bailout)?),
                },
                Op::Waste { to, a } => {
                    let waste = view.fanned();
                    match waste.get((waste.len() as i64 - 1).wrapping_sub(get!(a)) as usize) {
                        Some(card) => set!(to, CARDS + card.kind() as i64),
                        None => set!(to, Intrinsic::Waste.answer(view, get!(a), 0, 0).ok_or(Bailout)?),
                    }
                }
                Op::Intrinsic { of, to, a } => {
                    self.meter.copied += ASK;
                    let (b, c) = (get!(a.wrapping_add(1)), get!(a.wrapping_add(2)));
                    set!(to, of.answer(view, get!(a), b, c).ok_or(Bailout)?);
                }
                Op::Memory { to, a } => set!(to, view.remembered(get!(a)).ok_or(Bailout)?),
                Op::SetMemory { a, b } => view.remember(get!(a), get!(b)).ok_or(Bailout)?,
                Op::LastMove { to } => set!(to, MOVES + legal.len() as i64 - 1),
                Op::ByClass { a, at } => {
                    let Some(&m) = legal.get((get!(a) - MOVES) as usize) else { return Err(Bailout) };
                    pc = at as usize + Class::of(m) as usize;
                }
                Op::Remember { memo, arranged, at } => {
                    if get!(memo) == self.meter.stamp(arranged) {
                        self.meter.operations += get!(memo + 1) as u64;
                        pc = at as usize;
                    }
                }
                Op::Begin { memo } => set!(memo + 1, self.meter.operations as i64),
                Op::Keep { memo, arranged } => {
                    set!(memo + 1, self.meter.operations as i64 - get!(memo + 1));
                    set!(memo, self.meter.stamp(arranged));
                }
                Op::List { to, a, count, site } => {
                    let values = (0..count).map(|i| value_of(regs, a + 2 * i));
                    set!(to, self.lists.make(site, values)?);
                }
                Op::Own { to, a, site } => {
                    let mut value = value_of(regs, a);
                    if value.types() == Types::LIST {
                        value.bits = self.own(value.bits, site)?;
                    }
                    set_tagged!(to, value);
                }
                Op::Element { to, a, b } => {
                    set_tagged!(to, self.element(get!(a), get!(b))?);
                }
                Op::Len { to, a } => set!(to, self.look(get!(a))?.len() as i64),
                Op::Put { a, b, value } => {
                    let (value, list) = (value_of(regs, value), self.change(get!(a))?);
                    *Lists::at(list, get!(b))? = Lists::element(value)?;
                }
                Op::Push { a, value } => {
                    let value = value_of(regs, value);
                    Lists::push(self.change(get!(a))?, value)?;
                }
                Op::Pop { to, a } => {
                    set_tagged!(to, self.change(get!(a))?.pop().unwrap_or(Value::UNIT));
                }
                Op::Clear { a } => self.change(get!(a))?.clear(),
                Op::Call { instance, depth, count, a, to, site } => {
                    let depth = level + depth as usize;
                    set_tagged!(to, self.call(instance.into(), depth, (a, count), site, regs)?);
                }
                Op::Interpret { function, depth, count, a, to, site } => {
                    let depth = level + depth as usize;
                    set_tagged!(to, self.interpret(function.into(), depth, (a, count), site, regs)?);
                }
                Op::Playout { player, after, to, a, b } => {
                    let m = after.then(|| get!(b) - MOVES);
                    set!(to, self.play_on(player.into(), m, get!(a))?);
                }
                Op::Return { a, is_int } => return Ok(Value { bits: get!(a), is_int }),
                Op::ReturnSmall { value } => return Ok(Value::int(value.into())),
                Op::ReturnTagged { a } => return Ok(value_of(regs, a)),
                Op::Fault => return Err(Bailout),
            }
        }
    }

    /// Looks up a card, or `()`, in a table.
    #[inline(always)]
    fn table(&self, table: usize, card: i64) -> Result<i64, Bailout> {
        let value = *self.made.values.get(table << 6 | (card & 63) as usize).ok_or(Bailout)?;
        if value == FAULT { Err(Bailout) } else { Ok(value) }
    }

    #[inline(always)]
    fn spend(&mut self, cost: u16, limit: u64) -> Result<(), Bailout> {
        self.meter.operations += u64::from(cost);
        if self.meter.operations > limit { Err(Bailout) } else { Ok(()) }
    }

    // What follows is too long for the loop above, and would slow it down.

    #[cold]
    fn call(
        &mut self,
        called: usize,
        level: usize,
        (first, count): (Reg, u8),
        site: u8,
        regs: &Registers,
    ) -> Result<Value, Bailout> {
        let Some(called) = self.made.called.get(called) else { return Err(Bailout) };
        if level + called.call_depth > MAX_CALL_DEPTH {
            return Err(Bailout);
        }
        self.meter.operations += u64::from(called.cost);
        if self.meter.operations > self.asked.limit {
            return Err(Bailout);
        }
        self.meter.copied += FRAME;
        let mut frame = *regs;
        let arguments = 2 * count as usize;
        frame[..arguments].copy_from_slice(&regs[first as usize..][..arguments]);
        let frame_before = self.lists.enter(called.sites)?;
        let value = self.run(called.at, &mut frame, level)?;
        self.lists.leave(frame_before, site, value)
    }

    /// Calls an interpreted function at a depth of calls.
    #[cold]
    #[inline(never)]
    fn interpret(
        &mut self,
        function: usize,
        depth: usize,
        (first, count): (Reg, u8),
        site: u8,
        regs: &Registers,
    ) -> Result<Value, Bailout> {
        let given = (0..count).map(|i| self.lists.given(value_of(regs, first + 2 * i)));
        let arguments = given.collect::<Result<Vec<Given>, Bailout>>()?;
        let called = self.asked.interpreter.call(function, depth, &arguments, self.meter.operations);
        let (given, operations) = called?;
        self.meter.operations = operations;
        match given {
            Given::One(value) => Ok(value),
            Given::List(values) => self.lists.taken(site, values, self.made.elements),
        }
    }

    /// Plays out a sampled deal, after a move if one is given.
    #[cold]
    #[inline(never)]
    fn play_on(&mut self, player: usize, m: Option<i64>, k: i64) -> Result<i64, Bailout> {
        let operations = self.meter.operations;
        let (cards, operations) = self.asked.interpreter.play_on(player, m, k, operations)?;
        self.meter.operations = operations;
        if operations > self.asked.limit { Err(Bailout) } else { Ok(cards) }
    }

    /// Copies a list to another place.
    fn own(&mut self, list: i64, site: u8) -> Result<i64, Bailout> {
        let copied = self.lists.look(list)?;
        self.meter.operations += Lists::cost(copied);
        self.meter.copied += ELEMENT * copied.len() as u64;
        self.lists.own(list, site)
    }

    fn look(&mut self, list: i64) -> Result<&[Value], Bailout> {
        let list = self.lists.look(list)?;
        self.meter.operations += Lists::cost(list);
        Ok(list)
    }

    fn element(&mut self, list: i64, place: i64) -> Result<Value, Bailout> {
        let list = self.look(list)?;
        let place = Lists::place(list, place)?;
        list.get(place).copied().ok_or(Bailout)
    }

    fn change(&mut self, list: i64) -> Result<&mut Vec<Value>, Bailout> {
        let list = self.lists.change(list)?;
        self.meter.operations += Lists::cost(list);
        Ok(list)
    }
}
