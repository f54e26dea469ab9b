//! Output to a terminal: no character can control it, except the program's own colours.

use std::io::{self, StdoutLock, Write};
use std::path::Path;

use serde_json::{Value, json};

use crate::text::{Visible, brief, one_line, visible};

pub(super) fn stdout() -> Visible<StdoutLock<'static>> {
    Visible::new(io::stdout().lock())
}

/// Returns the width of the terminal; for a file or a pipe, that of a wide table.
pub(super) fn width() -> usize {
    let known = terminal_size::terminal_size_of(io::stdout());
    known.map_or(100, |(terminal_size::Width(columns), _)| usize::from(columns).max(20))
}

/// Formats a path on one line.
pub(super) fn shown(path: &Path) -> String {
    one_line(&path.display().to_string()).into_owned()
}

/// Prints a message for the user to standard error.
pub(super) fn note(message: &str) {
    note_coloured(&visible(message));
}

/// Prints a message that is already safe, and may be coloured. Every message about an input passes through here, so long
/// quotes are cut here.
pub(super) fn note_coloured(message: &str) {
    let _ = writeln!(io::stderr(), "{}", brief(message));
}

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
