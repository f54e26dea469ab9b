//! Output to a terminal: no character can control it, except the program's own colours.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, StdoutLock, Write};
use std::path::Path;

use serde_json::{Value, json};

use crate::text::{Visible, brief, one_line, steers, visible};

pub(super) fn stdout() -> Visible<StdoutLock<'static>> {
    Visible::new(io::stdout().lock())
}

/// Returns the width of the terminal; for a file or a pipe, that of a wide table.
pub(super) fn width() -> usize {
    let known = terminal_size::terminal_size_of(io::stdout());
    known.map_or(100, |(terminal_size::Width(columns), _)| usize::from(columns).max(20))
}

pub(super) fn shown(path: &Path) -> String {
    one_line(&path.display().to_string()).into_owned()
}

pub(super) fn note(message: &str) {
    note_coloured(&visible(message));
}

/// Prints a message that is already safe, and may be coloured. Long quotes of an input are cut.
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

pub(super) fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./+=:,@%".contains(c);
    let bare = !word.is_empty() && word.chars().all(plain);
    if word.chars().any(steers) {
        // Bash and others support this syntax for control characters.
        let word = word.replace('\\', "\\\\").replace('\'', "\\'").replace('\t', "\\t");
        format!("$'{}'", one_line(&word))
    } else if bare {
        word.into()
    } else {
        // It fails for a NUL, which no argument has.
        shlex::try_quote(word).map_or_else(|_| one_line(word).into_owned(), Cow::into_owned)
    }
}

/// A command line, built word by word.
#[derive(Clone)]
pub(super) struct CommandLine(String);

impl CommandLine {
    /// Creates a command line of `saratoga` and these words.
    pub fn new(command: &str) -> CommandLine {
        CommandLine::of("saratoga", command)
    }

    /// Creates a command line of a program, already quoted for a shell.
    pub fn of(program: &str, command: &str) -> CommandLine {
        CommandLine(format!("{program} {command}"))
    }

    pub fn word(mut self, word: impl Display) -> CommandLine {
        self.0 += " ";
        self.0 += &shell_word(&word.to_string());
        self
    }

    pub fn words<W: Display>(self, words: impl IntoIterator<Item = W>) -> CommandLine {
        words.into_iter().fold(self, |line, word| line.word(word))
    }

    /// Adds an option once for each of its values, if any.
    pub fn option<V: Display>(self, name: &str, values: impl IntoIterator<Item = V>) -> CommandLine {
        values.into_iter().fold(self, |line, value| line.word(name).word(value))
    }

    pub fn line(self) -> String {
        self.0
    }
}

/// Removes duplicates, keeping the order of first occurrence.
pub(super) fn unique<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for it in all {
        if !seen.contains(&it) {
            seen.push(it);
        }
    }
    seen
}

/// Lists names for a folder, without duplicates: three, or one and the number of others.
pub(super) fn joined<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    match &unique(names.into_iter())[..] {
        [first, rest @ ..] if rest.len() > 2 => format!("{first}+{}-more", rest.len()),
        names => names.join("+"),
    }
}
