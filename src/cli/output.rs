//! Lists in two columns.

use std::io::{self, Write};

/// How wide lists are printed, in a terminal or not.
const WIDTH: usize = 80;

/// Prints a name in a column of its own, and beside it a text wrapped at [`WIDTH`].
pub(super) fn row(out: &mut impl Write, column: usize, name: &str, text: &str) -> io::Result<()> {
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
