//! Walks the tables of one file and reads every key.

use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::diagnostic::SourceText;

use super::loader::{FileKind, Place, Reading};
use super::shape::{Shape, leaf};
use super::value::Reader;

impl<T: FileKind> Reading<T> {
    /// Reads every key of a file on top of the values so far. Nothing in the ranges `quiet` is reported.
    pub(super) fn walk(
        &mut self,
        table: &DeTable,
        source: &Arc<SourceText>,
        depth: usize,
        quiet: &[Range<usize>],
    ) {
        let mut reader = Reader {
            source,
            faults: Vec::new(),
            def: T::KEYS[0].def,
            items: Vec::new(),
            choice_from: None,
            elsewhere: elsewhere::<T>,
        };
        for (name, value) in table.iter() {
            let word: &str = name.get_ref();
            match tables::<T>().find(|table| *table == word) {
                Some(known) => self.table(&mut reader, known, name, value, table, depth),
                None => self.key(&mut reader, "", name, value, depth),
            }
        }
        self.choice_from = reader.choice_from.or(self.choice_from);
        let quiet = |span: &Range<usize>| quiet.iter().any(|q| span.start <= q.end && q.start <= span.end);
        self.faults.extend(reader.faults.into_iter().filter(|fault| !quiet(&fault.span)));
    }

    fn table(
        &mut self,
        reader: &mut Reader,
        known: &'static str,
        name: &Spanned<DeString>,
        value: &Spanned<DeValue>,
        outer: &DeTable,
        depth: usize,
    ) {
        let second = T::SECOND_NAME.filter(|(second, _)| *second == known);
        if let Some((second, first)) = second.filter(|(_, first)| outer.contains_key(*first)) {
            let help = format!("[{second}] is another name for [{first}]: keep one of the two");
            reader.fault(name.span(), format!("this file has both [{first}] and [{second}]"), help);
            return;
        }
        let DeValue::Table(inner) = value.get_ref() else {
            self.gaps.insert(known);
            reader.fault(name.span(), format!("`{known}` must be a table"), format!("allowed: [{known}]"));
            return;
        };
        let section = second.map_or(known, |(_, first)| first);
        for (name, value) in inner.iter() {
            self.key(reader, section, name, value, depth);
        }
    }

    fn key(
        &mut self,
        reader: &mut Reader,
        section: &'static str,
        name: &Spanned<DeString>,
        value: &Spanned<DeValue>,
        depth: usize,
    ) {
        let parts = |path: &'static str| path.rsplit_once('.').unwrap_or(("", path));
        let Some(key) = T::KEYS.iter().find(|key| parts(key.def.path) == (section, name.get_ref())) else {
            self.gaps.insert(section);
            unknown::<T>(reader, section, name);
            return;
        };
        reader.def = key.def;
        reader.items.clear();
        if !(key.read)(reader, &mut self.value, value) {
            self.unsound.insert(key.def.path);
        }
        let items = std::mem::take(&mut reader.items);
        let place = Place { source: reader.source.clone(), depth, value: value.span(), items };
        self.places.insert(key.def.path, place);
    }
}

/// Returns every name of a table.
fn tables<T: FileKind>() -> impl Iterator<Item = &'static str> {
    T::TABLES.iter().map(|(table, _)| *table).chain(T::SECOND_NAME.map(|(second, _)| second))
}

/// Reports an unknown key, which may be misspelt or in the wrong table.
fn unknown<T: FileKind>(reader: &mut Reader, section: &str, name: &Spanned<DeString>) {
    let mut known: Vec<&str> =
        T::KEYS.iter().map(|key| key.def.path).filter(|path| table_of(path) == section).map(leaf).collect();
    if section.is_empty() {
        known.extend(tables::<T>());
    }
    let of = if section.is_empty() { format!("a {}", T::SHELF.what) } else { format!("[{section}]") };
    reader.unknown(name, &of, &known, false);
}

fn table_of(path: &'static str) -> &'static str {
    path.rsplit_once('.').map_or("", |(table, _)| table)
}

/// See [`Reader::elsewhere`]: where the word is a key, or what to write instead.
fn elsewhere<T: FileKind>(word: &str, inner: bool) -> Option<(String, bool)> {
    let belongs = |tables: Vec<String>| {
        (!tables.is_empty()).then(|| format!("`{word}` belongs under {}", tables.join(" or ")))
    };
    let tables: Vec<&str> =
        T::KEYS.iter().map(|key| key.def.path).filter(|path| leaf(path) == word).map(table_of).collect();
    if tables.contains(&"") {
        return Some((format!("`{word}` belongs above the first [table]"), true));
    }
    if let Some(told) = belongs(tables.iter().map(|table| format!("[{table}]")).collect()) {
        return Some((told, true));
    }
    if T::TABLES.iter().any(|(table, _)| *table == word) {
        return Some((format!("[{word}] is a table of its own"), true));
    }
    if let Some((_, hint)) = T::HINTS.iter().find(|(other, _)| !inner && other.eq_ignore_ascii_case(word)) {
        return Some(((*hint).to_string(), true));
    }
    let with_word = T::KEYS.iter().filter_map(|key| {
        let path = key.def.path;
        let (keys, table) = match key.def.shape {
            Shape::Tables(keys) => (keys(), format!("[[{path}]]")),
            Shape::Table(keys) | Shape::Draw(keys) => (keys(), format!("[{path}]")),
            _ => return None,
        };
        keys.iter().any(|key| leaf(key.path) == word).then_some(table)
    });
    belongs(with_word.collect()).map(|told| (told, false))
}
