//! Tests of scripts: compiled and interpreted, within their limits, and the properties used for fuzzing.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed test panics")]

mod budget;
#[path = "../common/mod.rs"]
mod common;
mod files;
mod findings;
mod games;
mod limits;
mod playouts;
mod properties;
mod property;
mod sameness;
mod shelf;
mod support;
