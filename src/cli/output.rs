//! Lists in two columns.

use std::io::{self, Write};

use serde_json::{Value, json};

/// Width of printed lists, in a terminal or not.
const WIDTH: usize = 80;

/// Prints a name in its column, and beside it a text wrapped at [`WIDTH`].
fn row(out: &mut impl Write, column: usize, name: &str, text: &str) -> io::Result<()> {
    let mut line = format!("{name:<column$} ");
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            writeln!(out, "{line}")?;
            line = " ".repeat(column + 1);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    writeln!(out, "{}", line.trim_end())
}

/// An item on a shelf: its name, its description, and both with more as JSON.
pub(super) type Listed = (String, String, Value);

/// Prints the items of a shelf as a JSON array, or in two columns.
pub(super) fn list(out: &mut impl Write, json: bool, column: usize, all: Vec<Listed>) -> io::Result<()> {
    if json {
        let all: Vec<Value> = all.into_iter().map(|(_, _, value)| value).collect();
        return writeln!(out, "{:#}", json!(all));
    }
    all.iter().try_for_each(|(name, about, _)| row(out, column, name, about))
}
