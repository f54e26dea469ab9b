//! All tests but those of the studio, which open a browser and so have a binary of their own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed test panics")]

mod cli;
mod common;
mod engine;
#[path = "common/json_schema.rs"]
mod json_schema;
mod scripts;
mod statistics;
