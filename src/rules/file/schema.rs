//! The JSON Schema of files, for editors.

use serde_json::{Value, json};

use crate::rules::spec::Spec;

use super::loader::FileKind;
use super::shape::{KeyDef, described, table_schema};
use super::value::defs;

/// Returns the JSON Schema (draft 2020-12) of a ruleset file, built from the table of keys that the loader uses.
pub fn schema() -> Value {
    let about = "A variant of Canfield: what is dealt, what is allowed and what is paid.";
    let mut schema = schema_of::<Spec>("Saratoga ruleset", about);
    schema["properties"]["score"]["items"]["required"] = json!(["name"]);
    schema["properties"]["casino"]["properties"]["stage"]["items"]["required"] = json!(["at", "cost"]);
    schema["properties"]["casino"]["properties"]["step"]["items"]["required"] = json!(["from"]);
    schema["properties"]["casino"]["properties"]["jackpot"]["required"] = json!(["start", "share"]);
    schema
}

/// Returns the JSON Schema of a kind of file.
pub(crate) fn schema_of<T: FileKind>(title: &str, about: &str) -> Value {
    let defs = defs(T::KEYS);
    let of = |table: &str| -> Vec<KeyDef> {
        let inside = |path: &str| path.rsplit_once('.').map_or("", |(table, _)| table) == table;
        defs.iter().copied().filter(|def| inside(def.path)).collect()
    };
    let mut schema = table_schema(&of(""), &[]);
    for (table, about) in T::TABLES {
        schema["properties"][*table] = described(table_schema(&of(table), &[]), about);
    }
    if let Some((second, first)) = T::SECOND_NAME {
        let about = format!("Another name for [{first}]; a file has one of the two.");
        schema["properties"][second] = described(table_schema(&of(first), &[]), &about);
        schema["not"] = json!({ "required": [first, second] });
    }
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!(title);
    schema["description"] = json!(about);
    schema
}

/// Returns the schema as indented text, to be saved beside rulesets.
pub fn schema_text() -> String {
    format!("{:#}\n", schema())
}
