//! Places of a script: from the lines and columns of Rhai to the bytes of the text.

use std::ops::Range;

use rhai::Position;

/// A text by its lines, for looking up many places in it.
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub fn of(text: &'t str) -> Lines<'t> {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Lines { text, starts: std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect() }
    }

    /// The byte of the text that a position means.
    pub fn offset(&self, position: Position) -> Option<usize> {
        let start = self.starts.get(position.line()? - 1).copied().unwrap_or(self.text.len());
        let column = position.position().unwrap_or(1).max(1) - 1;
        let rest = self.text.get(start..)?;
        Some(start + rest.char_indices().nth(column).map_or(rest.len(), |(i, _)| i))
    }

    /// A part of the text alone, at the place where it stands in the whole.
    pub fn alone(&self, part: &Range<usize>) -> String {
        let line = self.starts.partition_point(|start| *start <= part.start) - 1;
        let column = self.text[self.starts[line]..part.start].chars().count();
        ["\n".repeat(line), " ".repeat(column), self.text[part.clone()].into()].concat()
    }

    /// The word at a position, or the one character that stands there.
    pub fn span(&self, position: Position) -> Range<usize> {
        word_at(self.text, self.offset(position).unwrap_or(0))
    }
}

/// The word that begins at a byte of a text, or the one character that stands there.
pub fn word_at(text: &str, start: usize) -> Range<usize> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let rest = &text[start..];
    let len = match rest.chars().next() {
        Some(c) if word(c) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
        Some(c) => c.len_utf8(),
        None => 0,
    };
    start..start + len
}

/// The byte of a text that a position means.
pub fn offset(text: &str, position: Position) -> Option<usize> {
    Lines::of(text).offset(position)
}

/// The word at a position of a text, or the one character that stands there.
pub fn span(text: &str, position: Position) -> Range<usize> {
    Lines::of(text).span(position)
}
