//! The passes over the HIR. [`super::pipeline`] lists them in order, with reasons.

mod find_lowest;
mod hoist;
mod memos;
mod own_lists;
mod tabulate;
mod test_at_once;
mod unused;

pub use find_lowest::find_lowest;
pub use hoist::hoist;
pub use memos::inline_small_memos;
pub use own_lists::own_lists;
pub use tabulate::tabulate;
pub use test_at_once::test_at_once;
pub use unused::drop_unused;
