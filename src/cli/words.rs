//! Words of command lines, titles and folders.

use std::borrow::Cow;
use std::fmt::Display;

use crate::text::{one_line, steers};

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
