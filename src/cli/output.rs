//! Writing: figures before their report, lists, and words for a shell.

use std::io::{self, Write};

use crate::interrupt;

use super::error::CliError;
use super::folder::Folder;
use super::terminal;

use crate::text::{one_line, steers};

/// How wide lists are printed, in a terminal or not.
const WIDTH: usize = 80;

/// Prints figures, and then has a report written: what was found is told also where the report cannot be written, and
/// the report is written also where nobody reads the figures. At last it is said where the report is.
pub(super) fn tell(
    figures: &str,
    folder: Option<&Folder>,
    said: Option<&str>,
    write: impl FnOnce(&Folder) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let mut out = terminal::stdout();
    let printed = out.write_all(figures.as_bytes()).and_then(|()| out.flush());
    let before = interrupt::requested();
    if let Some(folder) = folder {
        write(folder)?;
    }
    printed?;
    if let (Some(folder), Some(said)) = (folder, said) {
        writeln!(out, "\n{said}: {}", terminal::shown(&folder.path().join("index.html")))?;
        out.flush()?;
    }
    // Its pictures are left out then, and its evenings are rough.
    if folder.is_some() && !before && interrupt::requested() {
        return Err(CliError::RoughReport);
    }
    Ok(())
}

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

/// A word as a shell reads it.
pub(super) fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./+=:,@%".contains(c);
    let bare = !word.is_empty() && word.chars().all(plain);
    if word.chars().any(steers) {
        // Bash and others read the characters that must not be shown so.
        let word = word.replace('\\', "\\\\").replace('\'', "\\'").replace('\t', "\\t");
        format!("$'{}'", one_line(&word))
    } else if bare {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
