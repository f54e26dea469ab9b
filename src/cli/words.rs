//! Words of command lines, titles and folders.

use std::fmt::Display;

use crate::text::{one_line, steers};

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

/// A command line that is written down word by word.
#[derive(Clone)]
pub(super) struct CommandLine(String);

impl CommandLine {
    /// Of `saratoga` and these words.
    pub fn new(command: &str) -> CommandLine {
        CommandLine::of("saratoga", command)
    }

    /// The same of a program as a shell reads it.
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

    /// An option once for each of its values, which may be none.
    pub fn option<V: Display>(self, name: &str, values: impl IntoIterator<Item = V>) -> CommandLine {
        values.into_iter().fold(self, |line, value| line.word(name).word(value))
    }

    pub fn flag(self, name: &str, given: bool) -> CommandLine {
        if given { self.word(name) } else { self }
    }

    pub fn line(self) -> String {
        self.0
    }
}

/// Each name once, in the order in which they first stand.
pub(super) fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

/// Names for a title: two, or one and how many more.
pub(super) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => one.to_string(),
        [first, second] => format!("{first} and {second}"),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

/// Names for a folder: three, or one and how many more.
pub(super) fn joined(names: &[&str]) -> String {
    match names {
        [first, rest @ ..] if rest.len() > 2 => format!("{first}+{}-more", rest.len()),
        names => names.join("+"),
    }
}
