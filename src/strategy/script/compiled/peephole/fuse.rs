//! Fuses ops that often occur together.

use super::super::super::intrinsics::Intrinsic;
use super::super::bytecode::{CodeOffset, Op};

/// Fuses ops that often occur together, if no jump leads in between. Their results stay written, so it does not matter
/// who else reads them.
pub fn fuse(code: &mut [Op], start: usize) {
    let mut targets = vec![false; code.len() + 1];
    for op in &code[start..] {
        let mut op = *op;
        if let Some(at) = op.target() {
            targets[(*at as usize).min(code.len())] = true;
        }
    }
    for i in start..code.len().saturating_sub(1) {
        let at = |k: usize| (i + k) as CodeOffset;
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
            (Op::Intrinsic { of: Intrinsic::PileLowest, to, a }, Op::JumpUnit { a: card, at }, _)
                if card == to =>
            {
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
}
