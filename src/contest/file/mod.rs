//! Contest files: TOML to `ContestSpec`, with every fault of the file, of the files it extends and of what it refers
//! to.

mod draft;
mod judge;
mod keys;
mod schema;
mod strategies;
mod write;

pub(super) use draft::{Draft, Whole};
pub use schema::{schema, schema_text};
