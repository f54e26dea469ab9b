//! The passes over the HIR. [`super::pipeline`] lists them in order, with reasons.

mod memos;
mod own_lists;
mod tabulate;

pub use memos::inline_small_memos;
pub use own_lists::own_lists;
pub use tabulate::tabulate;
