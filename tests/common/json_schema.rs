//! A validator for JSON Schema that covers what the schemas of files use.

use serde_json::Value;

/// Checks a value against the schema; the error says where and why it is invalid.
pub fn valid(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    valid_in(schema, schema, value, at)
}

/// Checks a value against a part of a schema, whose references are into the whole.
fn valid_in(whole: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let valid = |schema: &Value, value: &Value, at: &str| valid_in(whole, schema, value, at);
    let fields = || value.as_object().into_iter().flatten();
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
            // The last of several tells most.
            "anyOf" => {
                let tried = rule.as_array().unwrap().iter().map(|schema| valid(schema, value, at));
                tried.reduce(|one, other| if one.is_ok() { one } else { other }).unwrap()?;
                true
            }
            "not" => valid(rule, value, at).is_err(),
            "required" => {
                let has = |key: &Value| value.get(key.as_str().unwrap()).is_some();
                rule.as_array().unwrap().iter().all(has)
            }
            "items" => {
                let mut items = value.as_array().into_iter().flatten();
                items.try_for_each(|item| valid(rule, item, &format!("{at}[]")))?;
                true
            }
            "properties" => {
                let mut known = fields().filter_map(|(key, value)| Some((key, rule.get(key)?, value)));
                known.try_for_each(|(key, rule, value)| valid(rule, value, &format!("{at}.{key}")))?;
                true
            }
            "additionalProperties" => {
                let mut others = fields().filter(|(key, _)| schema["properties"].get(key).is_none());
                if *rule != false {
                    others.try_for_each(|(key, value)| valid(rule, value, &format!("{at}.{key}")))?;
                }
                others.next().is_none()
            }
            "propertyNames" => {
                assert_eq!(rule["pattern"], SNAKE_CASE);
                fields().all(|(key, _)| is_snake_case(key))
            }
            "dependentRequired" => rule.as_object().unwrap().iter().all(|(key, needed)| {
                let has = |key: &Value| value.get(key.as_str().unwrap()).is_some();
                value.get(key).is_none() || needed.as_array().unwrap().iter().all(has)
            }),
            "$ref" => {
                let path = rule.as_str().unwrap().strip_prefix('#').unwrap();
                valid(whole.pointer(path).unwrap(), value, at)?;
                true
            }
            // Amounts as text are covered by the loader's own tests.
            "pattern" | "description" | "title" | "$schema" | "$defs" => true,
            other => panic!("the schema uses `{other}`, which this test does not know"),
        };
        if !ok {
            let short: String = value.to_string().chars().take(200).collect();
            return Err(format!("{at}: {short} is not {word} {rule}"));
        }
    }
    Ok(())
}

const SNAKE_CASE: &str = "^[a-z][a-z0-9_]*$";

fn is_snake_case(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_lowercase())
        && key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}
