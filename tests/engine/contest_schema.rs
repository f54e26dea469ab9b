//! The JSON Schema of contests agrees with the loader.

use std::path::Path;

use crate::support::json_schema::{collect, file, files, valid};
use saratoga::contest;
use serde_json::Value;

fn value(text: &str) -> Value {
    serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap()
}

#[test]
fn sound_files_are_valid() {
    let schema = contest::schema();
    for path in ["rulesets/contests", "tests/data/contests-good"].into_iter().flat_map(files) {
        let name = path.display().to_string();
        if !name.contains("part-") {
            valid(&schema, &file(&path), &name).unwrap();
        }
    }
    for (name, _) in contest::shelf() {
        valid(&schema, &value(&contest::load(name).unwrap().spec.to_toml()), name).unwrap();
    }
}

#[test]
fn what_the_schema_can_see_is_not_valid() {
    let bad = ["misspelt", "out-of-range", "decimals", "wrong-type", "wrong-place", "both", "player-keys"];
    for name in bad {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/contests-bad/{name}.toml"));
        assert!(valid(&contest::schema(), &file(&path), name).is_err(), "{name}");
    }
}

/// Every property has a description, and the loader knows it; every key that the loader writes is a property.
#[test]
fn the_schema_has_the_keys_of_the_reader() {
    let schema = contest::schema();
    let mut keys = Vec::new();
    collect(schema["properties"].as_object().unwrap(), "", &mut keys);
    assert_eq!(keys.len(), 17, "{keys:?}");
    for (path, values) in &keys {
        for value in values {
            let Err(fault) = contest::parse_text("key.toml", &format!("{path} = {value}")) else { panic!() };
            let told = fault.to_string();
            // A key may require others, but it is known, and its value is allowed.
            assert!(!told.contains("is not a key") && !told.contains("cannot"), "{path} = {value}: {told}");
        }
    }
    let players = schema["properties"]["player"]["items"]["properties"].as_object().unwrap();
    let written = value(&contest::load("exorcism-teams").unwrap().spec.to_toml());
    for (key, value) in written.as_object().unwrap() {
        let known = |path: &String| keys.iter().any(|(known, _)| known == path);
        match value {
            Value::Object(table) => {
                assert!(table.keys().all(|inner| known(&format!("{key}.{inner}"))), "{key}")
            }
            Value::Array(list) if key == "player" => {
                let inner = list[0].as_object().unwrap();
                assert!(inner.keys().all(|key| players.contains_key(key)), "{inner:?}");
            }
            _ => assert!(known(key), "{key}"),
        }
    }
    let text: Value = serde_json::from_str(&contest::schema_text()).unwrap();
    assert_eq!(text, schema);
}
