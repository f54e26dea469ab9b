//! Bytecode: ops on registers.

mod dump;
mod op;
mod program;
mod table;
mod verify;

pub use op::Op;
pub use program::{Called, CompiledScript, Entry, MOST_CONSTANTS, MOST_OWN, Program, TooLarge};
pub use table::{CodeOffset, Reg};
pub use verify::verify;
