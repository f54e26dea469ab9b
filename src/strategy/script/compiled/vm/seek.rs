//! Runs the loops of [`Op::Seek`].

use crate::cards::Card;

use super::super::super::value::CARDS;
use super::super::bytecode::{CodeOffset, Op, Program, Reg};
use super::super::table::FAULT;
use super::state::{Bailout, Meter, Registers};

/// The loop whose second op is at `at`.
pub struct Seek<'a> {
    useful: usize,
    round: usize,
    values: &'a [i64; 64],
    good: i64,
    step: i64,
    end: i64,
    down: bool,
    cost: u64,
}

impl<'a> Seek<'a> {
    #[inline(always)]
    pub fn new(program: &'a Program, at: CodeOffset, regs: &Registers) -> Option<Seek<'a>> {
        let Some(&Op::JumpUseless { b: good, table, at: round, .. }) = program.code.get(at as usize) else {
            return None;
        };
        let (step, end, cost, down) = match *program.code.get(round as usize)? {
            Op::AddWhile { b, c, cost, .. } => (b, c, cost, false),
            Op::SubWhile { b, c, cost, .. } => (b, c, cost, true),
            _ => return None,
        };
        Some(Seek {
            useful: at as usize + 1,
            round: round as usize + 1,
            values: program.values.get((table as usize) << 6..)?.first_chunk()?,
            good: regs[good as usize],
            step: regs[step as usize],
            end: regs[end as usize],
            down,
            cost: u64::from(cost),
        })
    }

    /// Runs rounds until one finds a card or the loop ends, and returns the op to continue with; `None` if a card is
    /// not among the known ones: the first op of the loop then reads it. The card of a round is at `index(count)`.
    #[inline(always)]
    pub fn run(
        &self,
        cards: &[Card],
        index: impl Fn(i64) -> usize,
        want: u64,
        (to, a): (Reg, Reg),
        regs: &mut Registers,
        (meter, limit): (&mut Meter, u64),
    ) -> Result<Option<usize>, Bailout> {
        let mut count = regs[a as usize];
        loop {
            let Some(card) = cards.get(index(count)) else {
                regs[a as usize] = count;
                return Ok(None);
            };
            let kind = card.kind() & 63;
            let value = self.values[kind];
            if value == FAULT {
                return Err(Bailout);
            }
            if value & self.good != 0 || want >> kind & 1 != 0 {
                (regs[to as usize], regs[a as usize]) = (CARDS + kind as i64, count);
                return Ok(Some(self.useful));
            }
            let next = if self.down { count.checked_sub(self.step) } else { count.checked_add(self.step) };
            count = next.ok_or(Bailout)?;
            meter.operations += self.cost;
            if meter.operations > limit {
                return Err(Bailout);
            }
            if (count < self.end) == self.down {
                (regs[to as usize], regs[a as usize]) = (CARDS + kind as i64, count);
                return Ok(Some(self.round));
            }
        }
    }
}
