//! Shared code of the tests of the engine and of scripts.

pub mod scale;
pub mod specs;
pub mod walk;

pub use scale::scale;
pub use walk::{Whim, shelf, walk};
