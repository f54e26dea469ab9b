//! Emission: from the HIR to bytecode.
//!
//! Registers form a stack from 0 up: a variable takes one where it is declared and frees it at the end of its sequence;
//! intermediate values use theirs in between. Downwards from 255 are those shared by all trees of the program:
//! constants, properties of the view and memos.

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

/// Emits a tree at the end of a program. Returns the properties of the view that must be loaded before it runs, one bit
/// for each of the program's, and its number of places for lists.
///
/// # Errors
/// Fails if it is too large for the machine.
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
