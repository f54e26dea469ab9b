//! The JSON Schema of rulesets says what the reader does.

use std::fs;
use std::path::Path;

use saratoga::rules::{self, LoadError};
use serde_json::{Map, Value};

/// As much of JSON Schema as the schema uses, so that a test can hold files against it.
fn valid(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
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
            // Amounts as text: the reader's own tests hold them.
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

fn file(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap();
    serde_json::to_value(toml::from_str::<toml::Table>(text.trim_start_matches('\u{feff}')).unwrap()).unwrap()
}

fn files(dir: &str) -> impl Iterator<Item = std::path::PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(dir);
    fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
}

#[test]
fn sound_files_are_valid() {
    let schema = rules::schema();
    for path in ["rulesets", "tests/data/rules", "tests/data/rules-good"].into_iter().flat_map(files) {
        valid(&schema, &file(&path), &path.display().to_string()).unwrap();
    }
    for (name, _) in rules::shelf() {
        let full = rules::load(name).unwrap().rules.spec().to_toml();
        valid(&schema, &serde_json::to_value(toml::from_str::<toml::Table>(&full).unwrap()).unwrap(), name)
            .unwrap();
    }
}

#[test]
fn what_the_schema_can_see_is_not_valid() {
    let bad = [
        "misspelt",
        "wrong-place",
        "wrong-type",
        "wrong-table",
        "out-of-range",
        "lists",
        "empty-draw",
        "die",
    ];
    for name in bad.into_iter().chain(["die-faces", "rank", "two-heels", "scores", "not-yet-and-wrong"]) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/rules-bad/{name}.toml"));
        // Whole numbers beyond 64 bits are no TOML to the other reader.
        let text = fs::read_to_string(&path).unwrap().replace("99999999999999999999", "99");
        let value = serde_json::to_value(toml::from_str::<toml::Table>(&text).unwrap()).unwrap();
        assert!(valid(&rules::schema(), &value, name).is_err(), "{name}");
    }
}

/// Every property is described, and the reader knows it; a key the reader writes is a property.
#[test]
fn the_schema_has_the_keys_of_the_reader() {
    let schema = rules::schema();
    let mut keys = Vec::new();
    collect(schema["properties"].as_object().unwrap(), "", &mut keys);
    assert!(keys.len() > 40, "{keys:?}");
    for (path, values) in &keys {
        for value in values {
            let message = match rules::parse_text("key.toml", &format!("{path} = {value}")) {
                Ok(_) => continue,
                Err(LoadError::Faults(faults)) => faults[0].to_string(),
                Err(error) => panic!("{error}"),
            };
            // A key can be in want of another, but it is known, and its value is allowed.
            assert!(!message.contains("is not a key") && !message.contains("cannot"), "{message}");
        }
    }
    let written =
        toml::from_str::<toml::Table>(&rules::load("exorcism").unwrap().rules.spec().to_toml()).unwrap();
    for (table, value) in &written {
        for key in value.as_table().into_iter().flat_map(|table| table.keys()) {
            let path = format!("{table}.{key}");
            assert!(keys.iter().any(|(known, _)| *known == path), "{path}");
        }
    }
    let text: Value = serde_json::from_str(&rules::schema_text()).unwrap();
    assert_eq!(text, schema);
}

/// The paths of all values, each with values the schema allows.
fn collect(properties: &Map<String, Value>, prefix: &str, keys: &mut Vec<(String, Vec<String>)>) {
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
        // The text may be a ruleset or an amount, so it is one that can be either.
        Some("string") if schema.get("pattern").is_some() => vec!["\"4.75\"".into()],
        Some("string") => vec!["\"canfield\"".into()],
        _ => vec![schema["const"].to_string()],
    }
}
