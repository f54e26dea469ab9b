//! Scripts: compiled and interpreted, within their limits, and the properties that fuzzing looks for.

mod budget;
#[path = "../common/mod.rs"]
mod common;
mod emit;
mod files;
mod games;
mod limits;
mod lint;
mod playouts;
mod properties;
mod property;
mod sameness;
mod shelf;
mod support;
mod syntax;
