//! What tests of the engine and of scripts share.

pub mod scale;
pub mod specs;
pub mod walk;

pub use scale::scale;
pub use walk::{Whim, shelf, walk};
