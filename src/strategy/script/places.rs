//! Converts positions in a script: from Rhai's lines and columns to bytes of the text.

use std::ops::Range;
use std::sync::Arc;

use rhai::Position;

use crate::diagnostic::SourceText;

pub struct Lines {
    pub source: Arc<SourceText>,
    starts: Vec<usize>,
}

impl Lines {
    pub fn of(source: &Arc<SourceText>) -> Lines {
        let ends = source.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Lines { source: source.clone(), starts }
    }

    pub fn offset(&self, position: Position) -> Option<usize> {
        let text = &self.source.text;
        let start = self.starts.get(position.line()? - 1).copied().unwrap_or(text.len());
        let column = position.position().unwrap_or(1).max(1) - 1;
        let rest = text.get(start..)?;
        Some(start + rest.char_indices().nth(column).map_or(rest.len(), |(i, _)| i))
    }

    /// Returns the line of a byte, from 1.
    pub fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    /// Returns a part of the text alone, padded so that its positions are those in the whole.
    pub fn alone(&self, part: &Range<usize>) -> String {
        let (text, line) = (&self.source.text, self.line(part.start) - 1);
        let column = text[self.starts[line]..part.start].chars().count();
        ["\n".repeat(line), " ".repeat(column), text[part.clone()].into()].concat()
    }

    /// Returns the word at a position, or the single character there.
    pub fn span(&self, position: Position) -> Range<usize> {
        word_at(&self.source.text, self.offset(position).unwrap_or(0))
    }
}

/// Returns the word that begins at a byte of a text, or the single character there.
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
