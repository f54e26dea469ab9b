//! Bytecode: a program of ops for a machine of 256 registers.
//!
//! [`Op`] is the reference of all ops. Variables and intermediate values take registers from 0 up. Downwards from 255
//! are those shared by all code of a program: constants, properties of the view, and four registers for each memo: the
//! decision it is valid for, the operations it cost, its value and the tag of that. [`super::super::value`] defines the
//! contents of a register.
//!
//! A program prints as `saratoga scripts check --emit ops` shows it: `Add r2 <- r0 r1` writes register 2 and reads two
//! others, `r1!` is read and written, `@7` is the target of a jump. In debug builds and tests [`verify()`] checks every
//! program.

mod dump;
mod op;
mod program;
mod table;
mod verify;

pub use op::Op;
pub use program::{Called, CompiledScript, EntryPoint, MOST_CONSTANTS, MOST_OWN, Program, TooLarge};
pub use table::{CodeOffset, Reg};
pub use verify::verify;
