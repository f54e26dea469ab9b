//! The border to a terminal: what goes out has no character that would steer it, but the colours of the program's own.

use std::io::{self, StdoutLock, Write};
use std::path::Path;

use crate::text::{Visible, one_line, visible};

/// Standard output.
pub(super) fn stdout() -> Visible<StdoutLock<'static>> {
    Visible::new(io::stdout().lock())
}

/// A path in one line.
pub(super) fn shown(path: &Path) -> String {
    one_line(&path.display().to_string()).into_owned()
}

/// Tells the person something that is no data.
pub(super) fn tell(message: &str) {
    tell_coloured(&visible(message));
}

/// The same for a text that is safe to show already, and may be coloured.
pub(super) fn tell_coloured(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}
