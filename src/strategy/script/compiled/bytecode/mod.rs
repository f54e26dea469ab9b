//! Bytecode: a program of ops for a machine of 256 registers.
//!
//! [`Op`] is the reference of all ops. Variables and values on the way take registers from 0 up. From 255 down stand
//! what all code of a program shares: constants, properties of the view, and four registers for each memo: the decision
//! for which it is there, the operations it cost, its value and the tag of that. [`super::super::value`] says what a
//! register holds.
//!
//! A program prints as `saratoga scripts check --emit ops` shows it: `Add r2 <- r0 r1` writes register 2 and reads two
//! others, `r1!` is read and written, `@7` is where a jump leads. In debug builds and tests [`verify()`] looks through
//! every program.

mod dump;
mod op;
mod program;
mod table;
mod verify;

pub use op::Op;
pub use program::{Called, CompiledScript, EntryPoint, MOST_CONSTANTS, MOST_OWN, Program, TooLarge};
pub use table::{CodeOffset, Reg};
pub use verify::verify;
