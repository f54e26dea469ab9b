//! The JSON Schemas of rulesets and contests agree with the loaders.

use std::fs;

use crate::engine::support::files::files;
use crate::json_schema::valid;
use saratoga::contest;
use saratoga::rules::{self, LoadError};
use serde_json::{Map, Value};

/// A kind of file: its schema, folders of sound files, the shelf written out, faulty files, and the loader, which
/// returns the first fault.
struct Kind {
    schema: Value,
    text: String,
    good: &'static [&'static str],
    written: Vec<String>,
    bad: (&'static str, &'static [&'static str]),
    parse: fn(&str) -> String,
}

fn kinds() -> [Kind; 2] {
    let rules = |name: &str| rules::load(name).unwrap().rules.spec().to_toml();
    let contests = |name: &str| contest::load(name).unwrap().spec.to_toml();
    #[rustfmt::skip]
    let bad_rules = &[
        "misspelt", "wrong-place", "wrong-type", "wrong-table", "out-of-range", "lists", "empty-draw", "die",
        "die-faces", "rank", "two-heels", "scores", "choice-and-stages-wrong",
    ];
    #[rustfmt::skip]
    let bad_contests = &["misspelt", "out-of-range", "decimals", "wrong-type", "wrong-place", "both", "player-keys"];
    [
        Kind {
            schema: rules::schema(),
            text: rules::schema_text(),
            good: &["rulesets", "tests/data/rules", "tests/data/rules-good"],
            written: rules::shelf().iter().map(|(name, _)| rules(name)).collect(),
            bad: ("tests/data/rules-bad", bad_rules),
            parse: |text| first(rules::parse_text("key.toml", text).err()),
        },
        Kind {
            schema: contest::schema(),
            text: contest::schema_text(),
            good: &["rulesets/contests", "tests/data/contests-good"],
            written: contest::shelf().iter().map(|(name, _)| contests(name)).collect(),
            bad: ("tests/data/contests-bad", bad_contests),
            parse: |text| first(contest::parse_text("key.toml", text).err()),
        },
    ]
}

fn first(error: Option<LoadError>) -> String {
    match error {
        None => String::new(),
        Some(LoadError::Faults(faults)) => faults[0].to_string(),
        Some(error) => panic!("{error}"),
    }
}

fn value(text: &str) -> Value {
    // The other TOML parser rejects whole numbers beyond 64 bits.
    let text = text.trim_start_matches('\u{feff}').replace("99999999999999999999", "99");
    serde_json::to_value(toml::from_str::<toml::Table>(&text).unwrap()).unwrap()
}

/// Sound files are valid, also with every key written out; what is wrong in a single place is not.
#[test]
fn a_schema_tells_sound_files_from_faulty_ones() {
    for kind in kinds() {
        for path in kind.good.iter().flat_map(|dir| files(dir)) {
            valid(&kind.schema, &value(&fs::read_to_string(&path).unwrap()), &path).unwrap();
        }
        for text in &kind.written {
            valid(&kind.schema, &value(text), text).unwrap();
        }
        let (dir, names) = kind.bad;
        for name in names {
            let text = fs::read_to_string(format!("{dir}/{name}.toml")).unwrap();
            assert!(valid(&kind.schema, &value(&text), name).is_err(), "{name}");
        }
        assert_eq!(serde_json::from_str::<Value>(&kind.text).unwrap(), kind.schema);
    }
}

/// Every property has a description, and the loader knows it with each value that the schema gives as an example.
#[test]
fn a_schema_has_the_keys_of_the_reader() {
    for (kind, least) in kinds().into_iter().zip([41, 17]) {
        let mut keys = Vec::new();
        collect(kind.schema["properties"].as_object().unwrap(), "", &mut keys);
        assert!(keys.len() >= least, "{keys:?}");
        for (path, value) in
            keys.iter().flat_map(|(path, values)| values.iter().map(move |value| (path, value)))
        {
            // A key may require another, but it is known, and its value is allowed.
            let told = (kind.parse)(&format!("{path} = {value}"));
            assert!(!told.contains("is not a key") && !told.contains("cannot"), "{path} = {value}: {told}");
        }
    }
}

/// Collects the paths of all values, each with values that the schema allows.
fn collect(properties: &Map<String, Value>, prefix: &str, keys: &mut Vec<(String, Vec<String>)>) {
    for (name, schema) in properties {
        let path = format!("{prefix}{name}");
        assert!(schema["description"].as_str().is_some_and(|about| about.len() > 5), "{path}");
        match schema["properties"].as_object() {
            Some(inner) => collect(inner, &format!("{path}."), keys),
            None => keys.push((path, examples(schema))),
        }
    }
}

fn examples(schema: &Value) -> Vec<String> {
    if let Some(words) = schema["enum"].as_array() {
        return words.iter().map(Value::to_string).collect();
    }
    if let Some(several) = schema["anyOf"].as_array() {
        return several.iter().flat_map(examples).collect();
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
