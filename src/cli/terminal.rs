//! Output to a terminal: no character can control it, except the program's own colours.

use std::io::{self, StdoutLock, Write};
use std::path::Path;

use crate::text::{Visible, brief, one_line, visible};

/// Returns standard output.
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
