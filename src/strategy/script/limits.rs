//! Resource limits of scripts.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::game::{MEMORY, MOST_PLAYED_ON};

use super::value::MOST_ELEMENTS;

/// Operations of one decision (all its moves scored): well over what any sensible strategy needs, and reached within a
/// second or so, whatever the operations are.
pub const MAX_OPERATIONS: u64 = 1_000_000;
/// Maximum seconds that this many operations take, whatever they are.
pub const MAX_SECONDS: u64 = 4;
/// Maximum megabytes that a thread uses in such a decision: the most that was reached is 414, where a script and the
/// function that it asks both fill their limits.
pub const MAX_MEGABYTES: u64 = 450;
/// Bytes of a script. The engine counts lines and columns only up to 65,535, and functions are located by them.
pub const MAX_SCRIPT: usize = 64_000;
/// Bytes of a text literal: work on it is not charged by its length.
pub const MAX_LITERAL: usize = 2_048;
/// Depth of nested calls.
pub const MAX_CALL_DEPTH: usize = 32;
/// Depth of nested expressions.
pub const MAX_EXPRESSION_DEPTH: usize = 56;
/// Bytes of a string.
pub const MAX_STRING: usize = 16_384;
/// Elements of an array, including those of nested arrays and maps.
pub const MAX_ARRAY: usize = 8_192;
/// Entries of a map.
pub const MAX_MAP: usize = 1_024;
/// Depth of nested arrays and maps.
pub const MAX_NESTING: usize = 16;
/// Number of variables at one time.
pub const MAX_VARIABLES: usize = 256;
/// Parameters of a function.
pub const MAX_PARAMETERS: usize = 64;
/// Elements of all constants of a script.
pub const MAX_CONSTANT: u64 = 65_536;
/// Values computed as elements or arguments of a list, a map or a call, including the enclosing ones: their total size
/// is checked only when it is complete.
pub const MAX_COMPUTED: usize = 1_024;
/// Functions of a script.
pub const MAX_FUNCTIONS: usize = 256;
/// Closures of a script: they may be nested, and the parser recurses into them.
pub const MAX_CLOSURES: usize = 64;
/// Bytes of printed output kept between two readings.
pub const MAX_PRINTED: usize = 65_536;

/// Returns every limit of a script, with its description and its size.
pub fn limits() -> [(&'static str, u64); 22] {
    let size = |n: usize| n as u64;
    [
        ("operations for one decision, that is, to score all legal moves", MAX_OPERATIONS),
        ("seconds that a decision takes at most, on a core with nothing else to do", MAX_SECONDS),
        ("megabytes of memory that a thread takes at most for it", MAX_MEGABYTES),
        ("operations to load a script", MAX_OPERATIONS),
        ("bytes of a script", size(MAX_SCRIPT)),
        ("bytes of a text that is written in a script", size(MAX_LITERAL)),
        ("bytes of any other text, and of the texts in a list together", size(MAX_STRING)),
        ("elements of a list, those of lists in it counted", size(MAX_ARRAY)),
        ("elements of a list in compiled code", size(MOST_ELEMENTS)),
        ("entries of a map", size(MAX_MAP)),
        ("depth of lists and maps inside each other", size(MAX_NESTING)),
        ("variables at one time in a function; constants of a script", size(MAX_VARIABLES)),
        ("elements of all constants of a script, 8 bytes of a text counted as one", MAX_CONSTANT),
        (
            "values in a list or a call that are computed, those of lists and calls around it counted",
            size(MAX_COMPUTED),
        ),
        ("functions of a script", size(MAX_FUNCTIONS)),
        ("parameters of a function", size(MAX_PARAMETERS)),
        ("closures of a script", size(MAX_CLOSURES)),
        ("depth of calls inside each other", size(MAX_CALL_DEPTH)),
        ("depth of expressions inside each other", size(MAX_EXPRESSION_DEPTH)),
        ("numbers kept in `memory`", size(MEMORY)),
        ("moves of a playout, which then ends", MOST_PLAYED_ON.into()),
        ("bytes printed in a decision that are shown", size(MAX_PRINTED)),
    ]
}

/// Words that would let a script leave the game: other code, clocks, the end of the program.
pub const FORBIDDEN: [&str; 5] = ["eval", "sleep", "exit", "import", "export"];

/// The operations allowed for a decision in this process.
static OPERATIONS: AtomicU64 = AtomicU64::new(MAX_OPERATIONS);

/// Returns how many operations a decision may use: [`MAX_OPERATIONS`], unless it was set.
pub fn max_operations() -> u64 {
    OPERATIONS.load(Ordering::Relaxed)
}

/// Sets how many operations a decision may use, for all scripts loaded afterwards.
pub fn set_max_operations(operations: u64) {
    OPERATIONS.store(operations, Ordering::Relaxed);
}
