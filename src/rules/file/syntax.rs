//! TOML as far as it can be made out, and what is wrong with it.

use std::ops::Range;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Diagnostic, SourceText};

/// After so many faults of syntax no more is learnt from a text that is hardly TOML at all.
const MOST_FAULTS: usize = 50;

/// How many bytes after the first fault are looked at for more. The parser keeps a copy of the text with every fault,
/// so that a large file full of them would fill the memory.
const FAULTY_BYTES: usize = 4096;

/// What was made out of a text.
pub(super) struct Parsed<'i> {
    pub table: DeTable<'i>,
    pub faults: Vec<Diagnostic>,
    /// Where the text could not be made out: keys and values found there mean nothing.
    pub quiet: Vec<Range<usize>>,
}

/// Parses a text; the first fault of each line is kept, as the rest of a line mostly follows from it.
pub(super) fn parse(source: &Arc<SourceText>) -> Parsed<'_> {
    let text = looked_at(&source.text);
    let (table, errors) = DeTable::parse_recoverable(text);
    let table = table.into_inner();
    let mut found: Vec<(Range<usize>, String)> =
        errors.iter().map(|e| (e.span().unwrap_or(0..0), e.message().to_string())).collect();
    found.sort_by_key(|(span, _)| span.start);
    let mut quiet: Vec<Range<usize>> = Vec::new();
    let mut faults = Vec::new();
    let unclosed = found.iter().find(|(_, m)| m.starts_with("unclosed array")).map(|(span, _)| span.start);
    if let Some(open) = unclosed.and_then(|end| open_array(&table, end)) {
        // A list that is never closed swallows the rest of the file, where every line then looks wrong.
        quiet.push(open..text.len());
        found.retain(|(span, _)| span.start < open);
        let open = open..(open + 1).min(text.len());
        faults.push(Diagnostic::error(source, open, "this list is never closed").help("close it with `]`"));
    }
    let mut last = None;
    for (span, message) in found {
        let line = line_of(text, span.start);
        if last.as_ref() == Some(&line) {
            continue;
        }
        // Below a broken header stands what belongs to a table that nobody can name.
        let end = match text[line.clone()].trim_start().starts_with('[') {
            true => text[line.end..].find("\n[").map_or(text.len(), |below| line.end + below),
            false => line.end,
        };
        match faults.len() {
            ..MOST_FAULTS => quiet.push(line.start..end),
            MOST_FAULTS => quiet.push(span.start..text.len()),
            _ => {}
        }
        faults.push(Diagnostic::error(source, span, format!("not TOML: {message}")));
        last = Some(line);
    }
    if text.len() < source.text.len() {
        quiet.push(text.len()..source.text.len());
    }
    Parsed { table, faults, quiet }
}

/// A text without faults, or as much of it as is looked at after the first: whole lines, if there are any.
fn looked_at(text: &str) -> &str {
    let Err(first) = DeTable::parse(text) else { return text };
    let first = first.span().map_or(0, |span| span.start);
    let some = &text[..text.floor_char_boundary(first + FAULTY_BYTES)];
    if some.len() == text.len() {
        return text;
    }
    let line = some.rfind('\n').filter(|&end| end > first);
    &some[..line.unwrap_or(some.len())]
}

/// Where the outermost list begins that reaches up to `end`.
fn open_array(table: &DeTable, end: usize) -> Option<usize> {
    table.iter().find_map(|(_, value)| match value.get_ref() {
        DeValue::Array(_) if (value.span().start..=value.span().end).contains(&end) => {
            Some(value.span().start)
        }
        DeValue::Table(inner) => open_array(inner, end),
        _ => None,
    })
}

/// The bytes of the line a byte stands in.
fn line_of(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let at = at.min(bytes.len());
    let start = bytes[..at].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    let end = bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |i| at + i);
    start..end
}
