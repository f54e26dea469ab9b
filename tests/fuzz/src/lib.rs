//! The properties of the tests, for the fuzzer.

#[path = "../../common/mod.rs"]
pub mod common;
#[path = "../../engine/plain/mod.rs"]
pub mod plain;
#[path = "../../scripts/property/mod.rs"]
pub mod property;
#[path = "../../scripts/support/mod.rs"]
pub mod support;

pub mod engine {
    pub use crate::plain;
}
