//! Ruleset files: TOML to `Spec`, with every fault of the file and of the files it extends.
//!
//! The code that reads and writes them serves every [`FileKind`]. `keys` lists every key once, with the field that it
//! sets and the [`Shape`] of its value; `value` and `words` read and write a value of each type, and `loader` reads a
//! whole file with what it extends.

mod describe;
mod keys;
mod loader;
mod ruleset;
mod shape;
mod syntax;
mod value;

pub(crate) use describe::schema_of;
pub use describe::{
    Control, FormKey, FormTable, KeyReference, form, key_values, reference, schema, schema_text,
};

pub(crate) use keys::defs;
pub(crate) use loader::{Document, FileKind, Place, Reading, named, read, read_over, read_within, to_toml};
pub use ruleset::is_like_a_ruleset;
pub(crate) use shape::{KeyDef, Shape};
pub use shape::{decimal, text};
pub(crate) use value::{At, Field, Ignored, Key, Nested, Node, Reader, keys};
