//! Ops that are too long for the machine's loop, and would slow it down: calls, and work on lists.

use super::super::super::limits::MAX_CALL_DEPTH;
use super::super::super::value::Value;
use super::super::bytecode::Reg;
use super::lists::Lists;
use super::machine::{Machine, value_of};
use super::state::{Bailout, Given, Interpret, Registers};

/// Operations of compiled code in the time that it takes to copy the registers, and an element of a list.
const FRAME: u64 = 512;
const ELEMENT: u64 = 8;

impl<I: Interpret> Machine<'_, I> {
    #[cold]
    pub(super) fn call(
        &mut self,
        called: usize,
        level: usize,
        (first, count): (Reg, u8),
        site: u8,
        regs: &Registers,
    ) -> Result<Value, Bailout> {
        let Some(called) = self.called.get(called) else { return Err(Bailout) };
        if level + called.call_depth > MAX_CALL_DEPTH {
            return Err(Bailout);
        }
        self.meter.operations += u64::from(called.cost);
        if self.meter.operations > self.position.limit {
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
    pub(super) fn interpret(
        &mut self,
        function: usize,
        depth: usize,
        (first, count): (Reg, u8),
        site: u8,
        regs: &Registers,
    ) -> Result<Value, Bailout> {
        let given = (0..count).map(|i| self.lists.given(value_of(regs, first + 2 * i)));
        let arguments = given.collect::<Result<Vec<Given>, Bailout>>()?;
        let called = self.interpreter.call(function, depth, &arguments, self.meter.operations);
        let (given, operations) = called?;
        self.meter.operations = operations;
        match given {
            Given::One(value) => Ok(value),
            Given::List(values) => self.lists.taken(site, values, self.program.elements),
        }
    }

    /// Plays out a sampled deal, after a move if one is given.
    #[cold]
    #[inline(never)]
    pub(super) fn play_on(&mut self, player: usize, m: Option<i64>, k: i64) -> Result<i64, Bailout> {
        let operations = self.meter.operations;
        let (cards, operations) = self.interpreter.play_on(player, m, k, operations)?;
        self.meter.operations = operations;
        if operations > self.position.limit { Err(Bailout) } else { Ok(cards) }
    }

    /// Copies a list to another place.
    pub(super) fn own(&mut self, list: i64, site: u8) -> Result<i64, Bailout> {
        let copied = self.lists.look(list)?;
        self.meter.operations += Lists::cost(copied);
        self.meter.copied += ELEMENT * copied.len() as u64;
        self.lists.own(list, site)
    }

    pub(super) fn look(&mut self, list: i64) -> Result<&[Value], Bailout> {
        let list = self.lists.look(list)?;
        self.meter.operations += Lists::cost(list);
        Ok(list)
    }

    pub(super) fn element(&mut self, list: i64, place: i64) -> Result<Value, Bailout> {
        let list = self.look(list)?;
        let place = Lists::place(list, place)?;
        list.get(place).copied().ok_or(Bailout)
    }

    pub(super) fn change(&mut self, list: i64) -> Result<&mut Vec<Value>, Bailout> {
        let list = self.lists.change(list)?;
        self.meter.operations += Lists::cost(list);
        Ok(list)
    }
}
