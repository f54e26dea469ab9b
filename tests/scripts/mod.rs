//! Tests of scripts: compiled and interpreted, within their limits, and the properties used for fuzzing.

mod budget;
mod files;
mod games;
mod limits;
mod playouts;
mod properties;
pub mod property;
mod sameness;
mod shelf;
mod support;
