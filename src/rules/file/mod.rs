//! Ruleset files: TOML to `Spec`, with every fault of the file and of the files it extends.
//!
//! The code that reads and writes them serves every [`FileKind`]. `shape` and `words` define the allowed values, `read`
//! and `format` read and write a single value, `keys` lists every key once with both, and `reading` reads a whole file
//! with what it extends.

mod form;
mod format;
mod hints;
mod keys;
mod loader;
mod named;
mod parts;
mod reference;
mod ruleset;
mod schema;
mod shape;
mod syntax;
mod unquoted;
mod value;
mod walk;
mod words;
mod write;

pub use form::{Control, FormKey, FormTable, form, key_values};
pub(crate) use format::{decimal, list, some, text, word};
pub(crate) use loader::{Document, FileKind, Place, Reading, named, read, read_over, read_within};
pub use reference::{KeyReference, reference};
pub use ruleset::is_like_a_ruleset;
pub(crate) use schema::schema_of;
pub use schema::{schema, schema_text};
pub(crate) use shape::Shape;
pub(crate) use value::{Key, defs, key};
pub(crate) use words::{Word, words};
pub(crate) use write::{keys_to_toml, tables_to_toml};
