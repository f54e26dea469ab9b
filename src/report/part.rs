//! Results of a part of a run: JSON that says so itself.

/// Blocks of a run that its results are without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlocksMissing {
    /// How many.
    pub all: u64,
    /// Those of them that are kept, but cannot be read or are none of the run.
    pub unusable: u64,
}

/// The JSON of results which are without so many blocks of a run: each of its objects that stand alone, or in an array of
/// them, begins with `partial`, and has the command of the whole run, as the part has none of its own. Objects within them
/// stay as they are, and so does every figure.
pub fn json_of_a_part(json: &str, command: &str, blocks: BlocksMissing) -> String {
    let (mut text, mut open) = (String::with_capacity(json.len() + 128), Vec::new());
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        let mut end = first.len_utf8();
        // An object that stands alone.
        let own =
            |open: &[char]| open.last() == Some(&'{') && open.iter().filter(|&&it| it == '{').count() == 1;
        match first {
            '"' => {
                end = string(rest);
                let value = rest[end..]
                    .strip_prefix(':')
                    .filter(|_| own(&open) && &rest[..end] == "\"command\"")
                    .filter(|value| value.trim_start().starts_with('"'));
                if let Some(value) = value {
                    let spaces = value.len() - value.trim_start().len();
                    text += &rest[..end + 1 + spaces];
                    text += &serde_json::Value::from(command).to_string();
                    rest = &value[spaces..];
                    rest = &rest[string(rest)..];
                    continue;
                }
            }
            '{' | '[' => open.push(first),
            '}' | ']' => drop(open.pop()),
            _ => {}
        }
        text += &rest[..end];
        rest = &rest[end..];
        if first == '{' && own(&open) {
            // As the object is laid out: each key in a line, or all of them in one.
            let indent = &rest[..rest.len() - rest.trim_start().len()];
            let (inner, space) = if indent.is_empty() { ("", "") } else { ("  ", " ") };
            let comma = if rest.trim_start().starts_with('}') { "" } else { "," };
            text += &format!(
                "{indent}\"partial\":{space}{{{indent}{inner}\"blocks_missing\":{space}{},{indent}{inner}\"blocks_damaged\":{space}{}{indent}}}{comma}",
                blocks.all, blocks.unusable
            );
        }
    }
    text
}

/// How long the string is with which a text begins, quotes included; 0 where it begins with none.
fn string(text: &str) -> usize {
    let mut escaped = false;
    let closes = |(at, c): (usize, char)| match c {
        _ if at == 0 && c != '"' => Some(0),
        _ if at == 0 || std::mem::take(&mut escaped) => None,
        '\\' => {
            escaped = true;
            None
        }
        '"' => Some(at + 1),
        _ => None,
    };
    text.char_indices().find_map(closes).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn every_object_that_stands_alone_says_that_it_is_a_part() {
        let inner = json!({ "command": "x", "list": [{ "command": "y" }] });
        let value =
            json!({ "a": "{\"command\": 1, \\", "command": "old \"one\"", "in": inner, "z": [1.5, {}] });
        let mut wanted = value.clone();
        wanted["command"] = "new \"é\"".into();
        wanted["partial"] = json!({ "blocks_missing": 7, "blocks_damaged": 2 });
        let told = |text: &str| json_of_a_part(text, "new \"é\"", BlocksMissing { all: 7, unusable: 2 });
        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        let pretty = told(&serde_json::to_string_pretty(&value).unwrap());
        assert_eq!(read(&pretty), wanted);
        assert!(
            pretty.starts_with(
                "{\n  \"partial\": {\n    \"blocks_missing\": 7,\n    \"blocks_damaged\": 2\n  },\n  \"a\""
            ),
            "{pretty}"
        );
        let lines = told(&format!("{value}\n{value}\n"));
        assert_eq!(lines.lines().map(read).collect::<Vec<_>>(), [wanted.clone(), wanted.clone()]);
        let array = json!([value, value]);
        assert_eq!(read(&told(&array.to_string())), json!([wanted, wanted]));
        assert_eq!(told("{}\n"), "{\"partial\":{\"blocks_missing\":7,\"blocks_damaged\":2}}\n");
        assert_eq!((told(""), told("[]\n")), (String::new(), "[]\n".into()));
    }
}
