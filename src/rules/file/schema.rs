//! The JSON Schema of ruleset files, for editors.

use serde_json::{Value, json};

use super::keys::{HEEL, KEYS, TABLES};
use super::shape::{Entry, described, table_schema};

/// The JSON Schema (draft 2020-12) of a ruleset file, made from the same table of keys that reads it.
pub fn schema() -> Value {
    let entries: Vec<Entry> = KEYS.iter().map(|key| key.entry).collect();
    let of = |table: &str| -> Vec<Entry> {
        let inside = |path: &str| path.rsplit_once('.').map_or("", |(table, _)| table) == table;
        entries.iter().copied().filter(|entry| inside(entry.path)).collect()
    };
    let mut schema = table_schema(&of(""), &[]);
    for (table, about) in TABLES {
        schema["properties"][*table] = described(table_schema(&of(table), &[]), about);
    }
    let heel = described(
        table_schema(&of("reserve"), &[]),
        "Another name for [reserve]; a file has one of the two.",
    );
    schema["properties"][HEEL] = heel;
    schema["properties"]["score"]["items"]["required"] = json!(["name"]);
    schema["not"] = json!({ "required": ["reserve", HEEL] });
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("Saratoga ruleset");
    schema["description"] = json!("A variant of Canfield: what is dealt, what is allowed and what is paid.");
    schema
}

/// The same as text, indented, to be saved beside rulesets.
pub fn schema_text() -> String {
    format!("{:#}\n", schema())
}
