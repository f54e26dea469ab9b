//! Parses TOML with error recovery.

use std::ops::Range;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Diagnostic, SourceText, did_you_mean};

use super::shape::{KeyDef, Shape, text as quote};
use super::value::shorten;

/// Number of syntax faults after which a text is abandoned as hardly TOML at all.
const MOST_FAULTS: usize = 50;

/// Number of bytes after the first fault that are searched for more. The parser keeps a copy of the text with every
/// fault, so a large file full of them would exhaust the memory.
const FAULTY_BYTES: usize = 4096;

/// Maximum number of parts of a dotted key. The parser rejects longer ones: from about 80 parts with an error without a
/// position, and from about two thousand without any message.
const MOST_PARTS: usize = 32;

/// Result of parsing a text.
pub(super) struct Parsed<'i> {
    pub table: DeTable<'i>,
    pub faults: Vec<Diagnostic>,
    /// Ranges that could not be parsed: keys and values found there are meaningless.
    pub quiet: Vec<Range<usize>>,
}

/// Parses a text; only the first fault of each line is kept, as the rest mostly follow from it.
pub(super) fn parse(source: &Arc<SourceText>) -> Parsed<'_> {
    if let Some(at) = long_key(&source.text) {
        let message = format!("a key has more than {MOST_PARTS} parts");
        let fault =
            Diagnostic::error(source, at..at, message).help("keys have few parts, such as `casino.stake`");
        let quiet = 0..source.text.len();
        return Parsed {
            table: DeTable::new(),
            faults: vec![fault],
            quiet: std::iter::once(quiet).collect(),
        };
    }
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
        // An unclosed list swallows the rest of the file, where every line then looks wrong.
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
        // What follows a broken header belongs to an unknown table.
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

/// Returns a text without faults completely, or a limited part after the first fault: whole lines, if there are any.
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

/// Finds the first key with too many parts.
fn long_key(text: &str) -> Option<usize> {
    let (mut dots, mut quote, mut comment) = (0, None, false);
    for (at, c) in text.char_indices() {
        match c {
            '\n' => (dots, quote, comment) = (0, None, false),
            _ if comment => {}
            c if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' => quote = Some(c),
            '#' => comment = true,
            '.' if dots + 1 >= MOST_PARTS => return Some(at),
            '.' => dots += 1,
            c if c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '\t') => {}
            _ => dots = 0,
        }
    }
    None
}

/// Finds the start of the outermost list that reaches up to `end`.
fn open_array(table: &DeTable, end: usize) -> Option<usize> {
    table.iter().find_map(|(_, value)| match value.get_ref() {
        DeValue::Array(_) if (value.span().start..=value.span().end).contains(&end) => {
            Some(value.span().start)
        }
        DeValue::Table(inner) => open_array(inner, end),
        _ => None,
    })
}

/// Returns the range of the line that contains a byte.
fn line_of(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let at = at.min(bytes.len());
    let start = bytes[..at].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    let end = bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |i| at + i);
    start..end
}

/// Replaces a fault by a description of the key's allowed values, if it is in the value of a line `key = value` that
/// does not start like a text, list or table. `defs` are the keys of the file, including those of nested tables.
pub(super) fn explained(
    source: &Arc<SourceText>,
    fault: &Diagnostic,
    defs: &[KeyDef],
    second_name: Option<(&str, &str)>,
) -> Option<Diagnostic> {
    let whole = &source.text;
    let start = whole.get(..fault.span.start)?.rfind('\n').map_or(0, |i| i + 1);
    let line = whole[start..].lines().next()?;
    let (key, rest) = line.split_once('=')?;
    let value = rest.split('#').next()?.trim();
    let at = start + key.len() + 1 + (rest.len() - rest.trim_start().len());
    if fault.span.start < start + key.len() || value.starts_with(['"', '\'', '[', '{', '=']) {
        return None;
    }
    let header = whole[..start].lines().map(str::trim).rfind(|line| line.starts_with('['));
    let table = header.map_or("", |line| line.trim_matches(['[', ']', ' ']));
    let table = second_name.filter(|(second, _)| *second == table).map_or(table, |(_, first)| first);
    let key = key.trim();
    let path = if table.is_empty() { key.to_string() } else { format!("{table}.{key}") };
    let def = defs.iter().find(|def| def.path == path)?;
    let allowed = format!("allowed: {}", def.shape.allowed().replace("[[...]]", &format!("[[{path}]]")));
    if value.is_empty() {
        let place = start + line.trim_end().len();
        return Some(Diagnostic::error(source, place..place, format!("`{path}` has no value")).help(allowed));
    }
    let words = def.shape.known_words();
    let quoted = |word: &str| match def.shape {
        Shape::WordList(_) | Shape::Texts => format!("[{}]", quote(word)),
        _ => quote(word),
    };
    let help = match def.shape {
        Shape::Text | Shape::Name | Shape::Texts => format!("put it in quotes: {key} = {}", quoted(value)),
        _ if words.contains(&value) => format!("put it in quotes: {key} = {}", quoted(value)),
        _ => match did_you_mean(value, words) {
            Some(guess) => format!("did you mean {}? {allowed}", quoted(guess)),
            None => allowed,
        },
    };
    let message = format!("`{path}` cannot be {}", shorten(value));
    Some(Diagnostic::error(source, at..at + value.len(), message).help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_of_many_parts_is_a_fault() {
        let key = |parts: usize| vec!["x"; parts].join(".");
        for parts in [40, 100, 2100] {
            for text in [
                format!("extends = \"canfield\"\n{} = 1\n", key(parts)),
                format!("[{}]\na = 1\n", key(parts)),
                format!("a = {{ {} = 1 }}\n", key(parts)),
                format!("{} = 1\n", key(parts).replace('x', "\"y\"")),
            ] {
                let source = Arc::new(SourceText::of("deep.toml", &text));
                let faults = parse(&source).faults;
                assert!(
                    faults.len() == 1 && faults[0].message.contains("more than 32 parts"),
                    "{text}: {faults:?}"
                );
            }
        }
        // Dots in texts and comments are not part of a key.
        let dots = ".".repeat(200);
        let text = format!(
            "about = \"It goes on {dots} and on.\" # {dots}\nsource = '{dots}'\n[casino]\nstake = 1.5\n"
        );
        assert_eq!(parse(&Arc::new(SourceText::of("dots.toml", &text))).faults, []);
    }
}
