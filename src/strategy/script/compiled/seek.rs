//! Loops that look through stock or waste for a card of use.
//!
//! A round of such a loop is three ops: the card; whether a table or the foundations have a use for it; the count
//! and its test. Where they stand so, the first of them becomes one that runs round after round by itself. It
//! reads what the others say, which stay where they are, and leaves the machine where they would have left it.

use crate::cards::Card;

use super::emit::Program;
use super::op::{At, Op, Reg};
use super::state::{HandOver, Meter, Registers};
use super::tables::FAULT;
use super::value::CARDS;

/// The op that runs the loop at `head`, if it is one.
pub fn head(code: &[Op], head: usize) -> Option<Op> {
    let (to, a, at, seek) = match code[head] {
        Op::ComingThen { to, a, at } => (to, a, at, Op::Seek { waste: false, to, a, at }),
        Op::WasteThen { to, a, at } => (to, a, at, Op::Seek { waste: true, to, a, at }),
        _ => return None,
    };
    let Some(&Op::JumpUseless { a: card, b: good, at: round, .. }) = code.get(at as usize) else {
        return None;
    };
    let (count, step, end, back) = match *code.get(round as usize)? {
        Op::AddWhile { a, b, c, at, .. } | Op::SubWhile { a, b, c, at, .. } => (a, b, c, at),
        _ => return None,
    };
    let stays = |reg: Reg| reg != to && reg != a;
    let fits = card == to && count == a && back as usize == head && to != a;
    (fits && stays(good) && stays(step) && stays(end)).then_some(seek)
}

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
    pub fn new(program: &'a Program, at: At, regs: &Registers) -> Option<Seek<'a>> {
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

    /// Runs rounds until one finds a card or the loop is done: then the machine goes on at the op that is given.
    /// `None` where a card is not among those known: the first op of the loop says what is there. What stands at
    /// `index(count)` is the card of a round.
    #[inline(always)]
    pub fn run(
        &self,
        cards: &[Card],
        index: impl Fn(i64) -> usize,
        want: u64,
        (to, a): (Reg, Reg),
        regs: &mut Registers,
        (meter, limit): (&mut Meter, u64),
    ) -> Result<Option<usize>, HandOver> {
        let mut count = regs[a as usize];
        loop {
            let Some(card) = cards.get(index(count)) else {
                regs[a as usize] = count;
                return Ok(None);
            };
            let kind = card.kind() & 63;
            let value = self.values[kind];
            if value == FAULT {
                return Err(HandOver);
            }
            if value & self.good != 0 || want >> kind & 1 != 0 {
                (regs[to as usize], regs[a as usize]) = (CARDS + kind as i64, count);
                return Ok(Some(self.useful));
            }
            let next = if self.down { count.checked_sub(self.step) } else { count.checked_add(self.step) };
            count = next.ok_or(HandOver)?;
            meter.operations += self.cost;
            if meter.operations > limit {
                return Err(HandOver);
            }
            if (count < self.end) == self.down {
                (regs[to as usize], regs[a as usize]) = (CARDS + kind as i64, count);
                return Ok(Some(self.round));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loops_that_leave_their_bounds_alone() {
        let code = |step: Reg, to: Reg, back: At| {
            [
                Op::ComingThen { to, a: 1, at: 2 },
                Op::Fault,
                Op::JumpUseless { a: to, b: 9, table: 0, at: 4 },
                Op::Fault,
                Op::AddWhile { a: 1, b: step, c: 8, at: back, cost: 3 },
            ]
        };
        assert_eq!(head(&code(7, 2, 0), 0), Some(Op::Seek { waste: false, to: 2, a: 1, at: 2 }));
        for other in
            [code(1, 2, 0), code(2, 2, 0), code(7, 9, 0), code(7, 8, 0), code(7, 1, 0), code(7, 2, 3)]
        {
            assert_eq!(head(&other, 0), None, "{other:?}");
        }
        assert_eq!(head(&code(7, 2, 0), 2), None);
        assert_eq!(head(&code(7, 2, 0)[..4], 0), None);
    }
}
