//! Rewords syntax faults of a value: TOML's message about an unquoted word does not help.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, SourceText, did_you_mean};

use super::format::text;
use super::shape::{KeyDef, Shape};
use super::value::shorten;

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
        Shape::WordList(_) | Shape::Texts => format!("[{}]", text(word)),
        _ => text(word),
    };
    let help = match def.shape {
        Shape::Text | Shape::Texts => format!("put it in quotes: {key} = {}", quoted(value)),
        _ if words.contains(&value) => format!("put it in quotes: {key} = {}", quoted(value)),
        _ => match did_you_mean(value, words) {
            Some(guess) => format!("did you mean {}? {allowed}", quoted(guess)),
            None => allowed,
        },
    };
    let message = format!("`{path}` cannot be {}", shorten(value));
    Some(Diagnostic::error(source, at..at + value.len(), message).help(help))
}
