//! Shortens jumps that lead to jumps, and removes jumps to the next op.

use super::super::bytecode::{CodeOffset, Op};
use super::super::facts::Class;

/// Redirects every jump from `start` on to its final target, and drops those to the next op.
pub fn thread(code: &mut [Op], start: usize) {
    for i in start..code.len() {
        let mut op = code[i];
        let Some(at) = op.target() else { continue };
        // The jumps of a table all stay, one for each class of moves.
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
}

/// Removes jumps to the next op.
pub fn drop_idle(code: &mut Vec<Op>, start: usize) {
    let mut in_table = 0;
    let mut moved: Vec<CodeOffset> = Vec::with_capacity(code.len() - start + 1);
    let mut kept: Vec<Op> = Vec::with_capacity(code.len() - start);
    for (i, op) in code.iter().enumerate().skip(start) {
        moved.push((start + kept.len()) as CodeOffset);
        let idle = in_table == 0 && matches!(op, Op::Jump { at } if *at as usize == i + 1);
        in_table = match op {
            Op::ByClass { .. } => Class::ALL.len(),
            _ => usize::saturating_sub(in_table, 1),
        };
        if !idle {
            kept.push(*op);
        }
    }
    moved.push((start + kept.len()) as CodeOffset);
    for op in &mut kept {
        if let Some(at) = op.target() {
            *at = moved.get(*at as usize - start).copied().unwrap_or(0);
        }
    }
    code.truncate(start);
    code.extend(kept);
}
