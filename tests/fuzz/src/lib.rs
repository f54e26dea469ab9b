//! The properties of the tests, for the fuzzer.

#[path = "../../common/mod.rs"]
pub mod common;
#[path = "../../property/mod.rs"]
pub mod property;
#[path = "../../scripts/mod.rs"]
pub mod scripts;
