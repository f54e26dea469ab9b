//! The JSON Schema of contest files, for editors.

use serde_json::{Value, json};

use crate::rules::file::schema_of;

use super::draft::Draft;

/// Returns the JSON Schema (draft 2020-12) of a contest file, built from the table of keys that reads it.
pub fn schema() -> Value {
    let about = "A contest of several players over a ruleset: who plays how and how fast, on which foundations, \
                 and until when.";
    let mut schema = schema_of::<Draft>("Saratoga contest", about);
    schema["not"] = json!({ "required": ["players", "player"] });
    schema["properties"]["match"]["not"] = json!({ "required": ["deals", "target"] });
    schema
}

/// Returns the schema as indented text, to be saved beside contests.
pub fn schema_text() -> String {
    format!("{:#}\n", schema())
}
