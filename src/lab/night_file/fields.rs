//! Fields of a CSV file and their places in the text.

use std::ops::Range;

use csv::{ReaderBuilder, StringRecord};

use crate::text::one_line;

/// Maximum number of column names that an error shows.
pub(super) const MOST_NAMES: usize = 12;

/// Returns the records of a text, including the header.
pub(super) fn records(text: &str, separator: u8) -> impl Iterator<Item = StringRecord> + use<'_> {
    let reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .from_reader(text.as_bytes());
    // Reading from memory cannot fail.
    reader.into_records().filter_map(Result::ok)
}

/// Finds a quoted field that does not end with a quote and a separator, and so would swallow the rows below; says
/// what is wrong.
pub(super) fn stray_quote(text: &str, separator: u8) -> Option<(usize, &'static str)> {
    let bytes = text.as_bytes();
    let ends = |at: usize| bytes.get(at).is_none_or(|b| [separator, b'\n', b'\r'].contains(b));
    let mut at = 0;
    while at < bytes.len() {
        if at > 0 && !ends(at - 1) {
            at += 1;
            continue;
        }
        let opened = at + bytes[at..].iter().take_while(|b| **b == b' ').count();
        if opened > at && bytes.get(opened) == Some(&b'"') {
            // After a space, a quote is an ordinary character.
            let field: Vec<u8> = (opened..).take_while(|i| !ends(*i)).map(|i| bytes[i]).collect();
            if field.iter().filter(|b| **b == b'"').count() % 2 == 1 {
                return Some((opened, "a space stands before this quote, so that it does not open a field"));
            }
            at = opened + field.len();
        } else if bytes[at] == b'"' {
            loop {
                let Some(next) = bytes[at + 1..].iter().position(|b| *b == b'"') else {
                    return Some((opened, "this quote is not closed"));
                };
                at += next + 1;
                if bytes.get(at + 1) != Some(&b'"') {
                    break;
                }
                at += 1;
            }
            let after = at + 1 + bytes[at + 1..].iter().take_while(|b| **b == b' ').count();
            if !ends(after) {
                return Some((at, "there is text after this quote, which closes the field"));
            }
        }
        at += 1;
    }
    None
}

/// Strips spaces around a column name, and quotes after a space.
pub(super) fn bare(name: &str) -> &str {
    name.trim().trim_matches('"').trim()
}

/// Returns the bytes of the line in which a record begins; positions in records are relative to `start`.
pub(super) fn line(text: &str, start: usize, record: &StringRecord) -> Range<usize> {
    let at = start + record.position().map_or(0, |it| it.byte() as usize);
    let rest = text.get(at..).unwrap_or_default().trim_start_matches(['\r', '\n']);
    let at = text.len() - rest.len();
    at..at + rest.split(['\r', '\n']).next().unwrap_or_default().trim_end().len()
}

/// Formats column names for an error.
pub(super) fn names_seen<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names = names.map(|name| one_line(bare(name)).into_owned());
    let mut seen: Vec<String> = names.by_ref().take(MOST_NAMES).collect();
    let more = names.count();
    seen.extend((more > 0).then(|| format!("{more} more")));
    seen.join(", ")
}

/// Returns the bytes of a field without surrounding spaces; the whole line if they cannot be found.
pub(super) fn span(text: &str, line: &Range<usize>, record: &StringRecord, column: usize) -> Range<usize> {
    let mut at = line.start;
    for (i, field) in record.iter().enumerate().take(column + 1) {
        let Some(rest) = text.get(at..) else { return line.clone() };
        let quoted = rest.starts_with('"');
        let inner = at + usize::from(quoted);
        if i == column {
            let bare = field.trim();
            let from = inner + (field.len() - field.trim_start().len());
            let found = text.get(from..).is_some_and(|rest| rest.starts_with(bare));
            return if found { from..from + bare.len() } else { line.clone() };
        }
        let quotes = if quoted { field.matches('"').count() + 1 } else { 0 };
        at = inner + field.len() + quotes + 1;
    }
    line.end..line.end
}

/// Shortens a long field.
pub(super) fn shortened(field: &str) -> String {
    let most = 80;
    match field.char_indices().nth(most) {
        Some((end, _)) => format!("{}... ({} bytes)", &field[..end], field.len()),
        None => field.to_string(),
    }
}
