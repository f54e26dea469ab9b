//! What simulated games came to.

mod charts;

pub use charts::charts;
pub(super) use charts::{own, shared, slug};
