//! Speeds up loops that look through stock or waste for a useful card.
//!
//! A round of such a loop is three ops: the card; whether a table or the foundations have a use for it; the count and
//! its test. The first of them is replaced by an op that runs all rounds by itself. It reads the operands of the
//! others, which stay in place, and exits where they would have exited.

use super::super::bytecode::{Op, Reg};

/// Puts an op that runs the whole loop at the head of each such loop.
pub fn seek(code: &mut [Op], start: usize) {
    for i in start..code.len() {
        if let Some(seek) = head(code, i) {
            code[i] = seek;
        }
    }
}

/// Returns the op that runs the loop at `head`, if it has this form.
fn head(code: &[Op], head: usize) -> Option<Op> {
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

#[cfg(test)]
mod tests {
    use super::super::super::bytecode::CodeOffset;
    use super::*;

    #[test]
    fn only_loops_that_leave_their_bounds_alone() {
        let code = |step: Reg, to: Reg, back: CodeOffset| {
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
