//! Shared code of the tests.

pub mod play;
pub mod program;
pub mod scale;
pub mod specs;
pub mod walk;

pub use scale::scale;
pub use walk::{Whim, shelf, walk};
