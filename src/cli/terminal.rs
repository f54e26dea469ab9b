//! The border to a terminal: what goes out has no character that would steer it, but the colours of the program's own.

use std::io::{self, StdoutLock, Write};
use std::path::Path;

use crate::text::{Visible, one_line, visible};

/// Standard output.
pub(super) fn stdout() -> Visible<StdoutLock<'static>> {
    Visible::new(io::stdout().lock())
}

/// Columns of the terminal; of a file or a pipe as many as a wide table needs.
pub(super) fn width() -> usize {
    let known = terminal_size::terminal_size_of(io::stdout());
    known.map_or(100, |(terminal_size::Width(columns), _)| usize::from(columns).max(20))
}

/// A path in one line.
pub(super) fn shown(path: &Path) -> String {
    one_line(&path.display().to_string()).into_owned()
}

/// Prints what is no data, for the person at the terminal.
pub(super) fn note(message: &str) {
    note_coloured(&visible(message));
}

/// The same for a text that is safe to show already, and may be coloured.
pub(super) fn note_coloured(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}
