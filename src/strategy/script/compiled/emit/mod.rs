//! Emission: from the HIR to bytecode.
//!
//! Registers are a stack from 0 up: a variable takes one where it is declared and gives it back at the end
//! of its sequence, values on the way take and give back theirs in between. From 255 down stand what all
//! trees of the program share: constants, properties of the view and memos.

mod emitter;
mod flow;
mod lists;
mod loops;
mod switch;
mod value;

pub use emitter::Context;

use super::bytecode::{Program, TooLarge};
use super::hir::{Hir, Role, Tree};
use emitter::Emitter;

/// Emits a tree at the end of a program. The properties of the view that must be there before it runs, a bit for each
/// of the program's; and how many places for lists it has.
///
/// # Errors
/// If it is too large for the machine.
pub fn emit(
    program: &mut Program,
    context: &mut Context<'_>,
    hir: &Hir,
    tree: &Tree,
) -> Result<(u64, usize), TooLarge> {
    let mut emitter = Emitter::new(program, context);
    match &tree.role {
        Role::Entry(_) => emitter.move_in_first(hir.moved)?,
        Role::Function { parameters, .. } => {
            emitter.parameters(parameters)?;
            emitter.reads_properties(&tree.node)?;
        }
    }
    emitter.finish(&tree.node)
}
