//! Files that a schema describes, and the keys that it has.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

pub use crate::json_schema::valid;

/// Reads a TOML file as a value.
pub fn file(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap();
    serde_json::to_value(toml::from_str::<toml::Table>(text.trim_start_matches('\u{feff}')).unwrap()).unwrap()
}

/// Returns the TOML files of a folder.
pub fn files(dir: &str) -> impl Iterator<Item = std::path::PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(dir);
    fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
}

/// Collects the paths of all values, each with values that the schema allows.
pub fn collect(properties: &Map<String, Value>, prefix: &str, keys: &mut Vec<(String, Vec<String>)>) {
    for (name, schema) in properties {
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        assert!(
            schema["description"].as_str().is_some_and(|about| about.len() > 5),
            "{path} is not described"
        );
        match schema["properties"].as_object() {
            Some(inner) => collect(inner, &path, keys),
            None => keys.push((path, examples(schema))),
        }
    }
}

fn examples(schema: &Value) -> Vec<String> {
    let list = |word: &str| schema[word].as_array().cloned().unwrap_or_default();
    if !list("enum").is_empty() {
        return list("enum").iter().map(Value::to_string).collect();
    }
    if !list("anyOf").is_empty() {
        return list("anyOf").iter().flat_map(examples).collect();
    }
    match schema["type"].as_str() {
        Some("integer" | "number") => vec![schema["minimum"].to_string(), schema["maximum"].to_string()],
        Some("boolean") => vec!["true".into(), "false".into()],
        Some("array") => examples(&schema["items"]).into_iter().map(|item| format!("[{item}]")).collect(),
        Some("object") => {
            let first = |(key, schema): (&String, &Value)| format!("{key} = {}", examples(schema)[0]);
            let fields: Vec<String> = schema["properties"].as_object().unwrap().iter().map(first).collect();
            vec![format!("{{ {} }}", fields.join(", "))]
        }
        // The text may be a ruleset or an amount, so one that can be either is used.
        Some("string") if schema.get("pattern").is_some() => vec!["\"0.75\"".into()],
        Some("string") => vec!["\"canfield\"".into()],
        _ => vec![schema["const"].to_string()],
    }
}
