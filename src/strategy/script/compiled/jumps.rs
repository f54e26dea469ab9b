//! Jumps that lead to jumps, or nowhere, are taken out of the way.

use super::ask::Ask;
use super::facts::Class;
use super::op::{At, Op};
use super::seek;

/// Lets every jump from `start` on go to where it leads in the end, and drops those to the next op.
pub fn thread(code: &mut Vec<Op>, start: usize) {
    for i in start..code.len() {
        let mut op = code[i];
        let Some(at) = op.target() else { continue };
        // The jumps of a table are all there, one for each class of moves.
        if matches!(code[i], Op::ByClass { .. }) {
            continue;
        }
        for _ in 0..8 {
            match code.get(*at as usize) {
                Some(Op::Jump { at: further }) => *at = *further,
                _ => break,
            }
        }
        code[i] = op;
    }
    fuse(code, start);
    drop_idle(code, start);
}

/// Makes one op of some that often stand together, where nothing jumps in between. What they write stays
/// written, so that it does not matter who else reads it.
fn fuse(code: &mut [Op], start: usize) {
    let mut targets = vec![false; code.len() + 1];
    for op in &code[start..] {
        let mut op = *op;
        if let Some(at) = op.target() {
            targets[(*at as usize).min(code.len())] = true;
        }
    }
    for i in start..code.len().saturating_sub(1) {
        let at = |k: usize| (i + k) as At;
        let third = code.get(i + 2).copied().filter(|_| !targets[i + 2]);
        let (fused, ops) = match (code[i], code[i + 1], third) {
            _ if targets[i + 1] => continue,
            (
                Op::PileTop { to, a },
                Op::JumpUnit { a: top, at: to_end },
                Some(Op::OrTable { to: b, a: or, b: of, table }),
            ) if top == to && of == to && or == b && to_end == at(3) && b != to => {
                (Op::OrTop { to, a, b, table }, 3)
            }
            (Op::Pile { to, a, b }, Op::JumpUnit { a: card, at }, _) if card == to => {
                (Op::PileOr { to, a, b, at }, 2)
            }
            (Op::Ask { ask: Ask::PileLowest, to, a }, Op::JumpUnit { a: card, at }, _) if card == to => {
                (Op::LowestOr { to, a, at }, 2)
            }
            (Op::Coming { to, a }, Op::JumpSeen { a: card, at }, _) if card == to => {
                (Op::ComingThen { to, a, at }, 2)
            }
            (Op::Waste { to, a }, Op::JumpSeen { a: card, at }, _) if card == to => {
                (Op::WasteThen { to, a, at }, 2)
            }
            (Op::JumpTable { a, b, table, at: to_end }, Op::OrTable { to, a: or, b: of, table: more }, _)
                if to_end == at(2) && or == to && of == a && to != b && more < 256 =>
            {
                (Op::OrUnless { to, a, b, table, more: more as u8 }, 2)
            }
            (Op::JumpTable { a, b, table, at: useful }, Op::JumpUnwanted { a: card, at: useless }, _)
                if card == a && useful == at(2) =>
            {
                (Op::JumpUseless { a, b, table, at: useless }, 2)
            }
            _ => continue,
        };
        code[i] = fused;
        for k in 1..ops {
            code[i + k] = Op::Jump { at: at(k + 1) };
        }
    }
    for i in start..code.len() {
        if let Some(seek) = seek::head(code, i) {
            code[i] = seek;
        }
    }
}

fn drop_idle(code: &mut Vec<Op>, start: usize) {
    let mut in_table = 0;
    let mut moved: Vec<At> = Vec::with_capacity(code.len() - start + 1);
    let mut kept: Vec<Op> = Vec::with_capacity(code.len() - start);
    for (i, op) in code.iter().enumerate().skip(start) {
        moved.push((start + kept.len()) as At);
        let idle = in_table == 0 && matches!(op, Op::Jump { at } if *at as usize == i + 1);
        in_table = match op {
            Op::ByClass { .. } => Class::ALL.len(),
            _ => usize::saturating_sub(in_table, 1),
        };
        if !idle {
            kept.push(*op);
        }
    }
    moved.push((start + kept.len()) as At);
    for op in &mut kept {
        if let Some(at) = op.target() {
            *at = moved.get(*at as usize - start).copied().unwrap_or(0);
        }
    }
    code.truncate(start);
    code.extend(kept);
}

impl Op {
    /// Where the op may jump to.
    pub fn target(&mut self) -> Option<&mut At> {
        match self {
            Op::Jump { at } | Op::JumpIf { at, .. } | Op::JumpUnless { at, .. } => Some(at),
            Op::JumpEq { at, .. } | Op::JumpNe { at, .. } | Op::JumpLt { at, .. } | Op::JumpLe { at, .. } => {
                Some(at)
            }
            Op::JumpAny { at, .. } | Op::JumpNone { at, .. } => Some(at),
            Op::JumpUnit { at, .. } | Op::JumpSeen { at, .. } => Some(at),
            Op::JumpTable { at, .. } | Op::JumpNoTable { at, .. } | Op::AddAgain { at, .. } => Some(at),
            Op::PileOr { at, .. } | Op::ComingThen { at, .. } | Op::JumpUseless { at, .. } => Some(at),
            Op::LowestOr { at, .. } | Op::WasteThen { at, .. } | Op::SubWhile { at, .. } => Some(at),
            Op::Seek { at, .. } => Some(at),
            Op::AddWhile { at, .. } | Op::RememberArranged { at, .. } => Some(at),
            Op::JumpWanted { at, .. } | Op::JumpUnwanted { at, .. } => Some(at),
            Op::Again { at, .. } | Op::Next { at, .. } | Op::ByClass { at, .. } | Op::Remember { at, .. } => {
                Some(at)
            }
            _ => None,
        }
    }
}
