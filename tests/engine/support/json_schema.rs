//! A validator for JSON Schema that covers what the schemas of files use.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

/// Checks a value against the schema; the error says where and why it is invalid.
pub fn valid(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let fail = |why: &str| Err(format!("{at}: {why}"));
    for (word, rule) in schema.as_object().unwrap() {
        let ok = match word.as_str() {
            "type" => match rule.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "integer" => value.is_i64(),
                "number" => value.is_number(),
                other => panic!("{other}"),
            },
            "enum" => rule.as_array().unwrap().contains(value),
            "const" => rule == value,
            "minimum" => value.as_f64().is_none_or(|n| n >= rule.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|n| n <= rule.as_f64().unwrap()),
            "minItems" => value.as_array().is_none_or(|a| a.len() as u64 >= rule.as_u64().unwrap()),
            "maxItems" => value.as_array().is_none_or(|a| a.len() as u64 <= rule.as_u64().unwrap()),
            "uniqueItems" => value.as_array().is_none_or(|a| (1..a.len()).all(|i| !a[..i].contains(&a[i]))),
            "anyOf" => rule.as_array().unwrap().iter().any(|s| valid(s, value, at).is_ok()),
            "not" => valid(rule, value, at).is_err(),
            "required" => {
                let has = |key: &Value| value.get(key.as_str().unwrap()).is_some();
                rule.as_array().unwrap().iter().all(has)
            }
            "items" => match value.as_array() {
                Some(items) => return_all(items.iter().map(|item| valid(rule, item, &format!("{at}[]"))))?,
                None => true,
            },
            "properties" => match value.as_object() {
                Some(object) => {
                    let known = object.iter().filter_map(|(key, value)| Some((key, rule.get(key)?, value)));
                    return_all(known.map(|(key, rule, value)| valid(rule, value, &format!("{at}.{key}"))))?
                }
                None => true,
            },
            "additionalProperties" => match value.as_object() {
                Some(object) => object.keys().all(|key| schema["properties"].get(key).is_some()),
                None => true,
            },
            // Amounts as text are covered by the loader's own tests.
            "pattern" | "description" | "title" | "$schema" => true,
            other => panic!("the schema uses `{other}`, which this test does not know"),
        };
        if !ok {
            return fail(&format!("{value} is not {word} {rule}"));
        }
    }
    Ok(())
}

fn return_all(mut results: impl Iterator<Item = Result<(), String>>) -> Result<bool, String> {
    results.try_for_each(|result| result).map(|()| true)
}

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
