//! The properties of the tests, for the fuzzer.

#[path = "../../engine/plain/mod.rs"]
pub mod plain;
#[path = "../../scripts/property/mod.rs"]
pub mod property;
#[path = "../../scripts/support/mod.rs"]
pub mod support;

/// What the properties use of the shared code of the tests.
pub mod common {
    #[path = "../../../common/blocks.rs"]
    pub mod blocks;
    #[path = "../../../common/play.rs"]
    pub mod play;
    #[path = "../../../common/specs.rs"]
    pub mod specs;
    #[path = "../../../common/walk.rs"]
    pub mod walk;

    pub use walk::{Whim, shelf, walk};
}

pub mod engine {
    pub use crate::plain;
}
