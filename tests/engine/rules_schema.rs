//! The JSON Schema of rulesets agrees with the loader.

use std::fs;
use std::path::Path;

use crate::support::json_schema::{collect, file, files, valid};
use saratoga::rules::{self, LoadError};
use serde_json::Value;

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
    for name in bad.into_iter().chain(["die-faces", "rank", "two-heels", "scores", "choice-and-stages-wrong"])
    {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/rules-bad/{name}.toml"));
        // The other TOML parser rejects whole numbers beyond 64 bits.
        let text = fs::read_to_string(&path).unwrap().replace("99999999999999999999", "99");
        let value = serde_json::to_value(toml::from_str::<toml::Table>(&text).unwrap()).unwrap();
        assert!(valid(&rules::schema(), &value, name).is_err(), "{name}");
    }
}

/// Every property has a description, and the loader knows it; every key that the loader writes is a property.
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
            // A key may require another, but it is known, and its value is allowed.
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
