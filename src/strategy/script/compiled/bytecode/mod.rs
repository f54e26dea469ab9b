//! Bytecode: a program of ops for a machine of 256 registers.
//!
//! [`Op`] is the reference of all ops. Variables and intermediate values take registers from 0 up. Downwards from 255
//! are those shared by all code of a program: constants, properties of the view, and four registers for each memo: the
//! decision it is valid for, the operations it cost, its value and the tag of that. [`super::super::value`] defines the
//! contents of a register.
//!
//! In debug builds and tests [`verify()`] checks every program.

mod op;
mod program;
mod table;
mod verify;

pub use op::Op;
pub use program::{Called, CompiledScript, EntryPoint, MOST_CONSTANTS, MOST_OWN, Program, TooLarge};
pub use table::{CodeOffset, Reg};
pub use verify::verify;
