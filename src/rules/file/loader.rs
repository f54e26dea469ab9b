//! Reads a file with what it extends, and validates the result.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::shape::{KeyDef, Shape, leaf, table_of};
use super::syntax::{self, Parsed, explained};
use super::value::{Key, Reader, lines, shorten};
use crate::diagnostic::{Diagnostic, Severity, SourceText, did_you_mean};
use crate::rules::check::Fault;
use crate::rules::find::{self, Missing, Origin, Shelf, beside, is_path, is_within, named_help, resolve};
use crate::rules::spec::ChoiceFrom;
use crate::rules::spec::Spec;

/// Maximum length of a chain of files that extend one another.
const LONGEST_CHAIN: usize = 32;

/// The partially read values of files of one kind. The default is an empty file.
pub(crate) trait FileKind: Default + 'static {
    /// Result of a file without faults.
    type Whole;

    /// The shelf on which such files are found by name.
    const SHELF: Shelf;
    /// Every key of a file, including `extends`.
    const KEYS: &'static [Key<Self>];
    /// The tables of a file with their descriptions, in the order they are written.
    const TABLES: &'static [(&'static str, &'static str)];
    /// A second name of a table, and the table.
    const SECOND_NAME: Option<(&'static str, &'static str)>;
    /// Words that are not keys, with what to write instead.
    const HINTS: &'static [(&'static str, &'static str)];

    /// Starts a file called `name`, on top of what it extends: descriptive keys are not inherited.
    fn begin(&mut self, name: String);

    /// Validates the keys together, once every file is read, and adds the faults to the others. Returns `None` if there
    /// are too many faults to continue.
    fn judge(reading: &mut Reading<Self>, root: &Arc<SourceText>) -> Option<Self::Whole>;
}

/// A valid file with the texts it was read from: the file itself, then what it extends.
pub(crate) struct Document<T> {
    pub value: T,
    pub warnings: Vec<Diagnostic>,
    pub sources: Vec<Arc<SourceText>>,
}

/// The position at which a key was last set.
pub(crate) struct Place {
    pub source: Arc<SourceText>,
    /// 0 for the requested file, 1 for what it extends, and so on.
    pub depth: usize,
    pub value: Range<usize>,
    /// The elements, if the value is a list.
    pub items: Vec<Range<usize>>,
}

/// Reads a file and what it extends.
pub(crate) fn read<T: FileKind>(
    source: SourceText,
    origin: Origin,
) -> Result<Document<T::Whole>, Vec<Diagnostic>> {
    read_within::<T>(source, origin, None)
}

/// Like [`read`], but files that it extends must lie in the folder `within`, given by its canonical path.
pub(crate) fn read_within<T: FileKind>(
    source: SourceText,
    origin: Origin,
    within: Option<&Path>,
) -> Result<Document<T::Whole>, Vec<Diagnostic>> {
    let source = Arc::new(source);
    let mut reading = Reading::<T>::new();
    reading.within = within.map(Path::to_path_buf);
    reading.layer(&source, &origin, &mut Vec::new());
    reading.finish(&source)
}

/// Reads a text that changes a valid file, whose texts are given as in its [`Document`]; an `extends` in the text is
/// not followed.
pub(crate) fn read_over<T: FileKind>(
    changes: SourceText,
    under: &[Arc<SourceText>],
) -> Result<Document<T::Whole>, Vec<Diagnostic>> {
    let changes = Arc::new(changes);
    let mut reading = Reading::<T>::new();
    reading.sources.push(changes.clone());
    reading.sources.extend_from_slice(under);
    for (depth, source) in reading.sources.clone().iter().enumerate().rev() {
        reading.text(source, &syntax::parse(source), depth);
    }
    reading.finish(&changes)
}

/// Opens a text that the file `from` refers to, by its name on the shelf or by its path relative to that file.
pub(crate) fn named<T: FileKind>(name: &str, from: &str) -> Result<(Origin, SourceText), Missing> {
    open_named(T::SHELF, &words::<T>(), name, from)
}

/// Returns every word that is a key anywhere in such a file.
fn words<T: FileKind>() -> Vec<&'static str> {
    top_words::<T>().chain(all_defs::<T>().iter().map(|def| leaf(def.path))).collect()
}

/// Returns every top-level word of such a file: its tables, and the keys before the first of them.
pub(super) fn top_words<T: FileKind>() -> impl Iterator<Item = &'static str> {
    tables::<T>().chain(T::KEYS.iter().map(|key| key.def.path).filter(|path| !path.contains('.')))
}

/// Returns every name of a table.
fn tables<T: FileKind>() -> impl Iterator<Item = &'static str> {
    T::TABLES.iter().map(|(table, _)| *table).chain(T::SECOND_NAME.map(|(second, _)| second))
}

/// Returns the keys of such a file, each followed by those of the tables in it.
fn all_defs<T: FileKind>() -> Vec<KeyDef> {
    let mut all = Vec::new();
    for key in T::KEYS {
        all.push(key.def);
        if let Shape::Tables(inner) | Shape::Table(inner) | Shape::Draw(inner) = key.def.shape {
            all.extend(inner());
        }
    }
    all
}

/// A file being read; an extended file is read before the one that extends it.
pub(crate) struct Reading<T> {
    pub value: T,
    sources: Vec<Arc<SourceText>>,
    pub faults: Vec<Diagnostic>,
    pub places: HashMap<&'static str, Place>,
    /// Keys with a fault of their own: no further faults are reported for them.
    pub unsound: HashSet<&'static str>,
    /// Tables with unknown keys, `""` for the top level: those may be misspelt forms of what seems to be missing.
    pub gaps: HashSet<&'static str>,
    /// Whether a file was invalid TOML: then what seems to be missing may only be unreadable.
    syntax: bool,
    /// What the base card is chosen from, if a file sets it.
    pub choice_from: Option<ChoiceFrom>,
    /// The only folder whose files may be extended, if there is such a restriction.
    within: Option<PathBuf>,
}

impl<T: FileKind> Reading<T> {
    fn new() -> Reading<T> {
        Reading {
            value: T::default(),
            sources: Vec::new(),
            faults: Vec::new(),
            places: HashMap::new(),
            unsound: HashSet::new(),
            gaps: HashSet::new(),
            syntax: false,
            choice_from: None,
            within: None,
        }
    }

    /// Reads one file, after what it extends. `chain` holds the files that led here.
    fn layer(&mut self, source: &Arc<SourceText>, origin: &Origin, chain: &mut Vec<(Origin, String)>) {
        self.sources.push(source.clone());
        let parsed = syntax::parse(source);
        chain.push((origin.clone(), source.name.clone()));
        let extends = parsed.table.get("extends");
        if let Some((name, span)) = extends.and_then(|v| Some((v.get_ref().as_str()?, v.span()))) {
            self.extend(name, span, source, chain);
        }
        self.text(source, &parsed, chain.len() - 1);
        chain.pop();
    }

    /// Reads the keys of one text on top of the values so far.
    fn text(&mut self, source: &Arc<SourceText>, parsed: &Parsed, depth: usize) {
        self.syntax |= !parsed.faults.is_empty();
        let defs = all_defs::<T>();
        self.faults.extend(
            parsed.faults.iter().map(|fault| {
                explained(source, fault, &defs, T::SECOND_NAME).unwrap_or_else(|| fault.clone())
            }),
        );
        self.value.begin(find::stem(&source.name));
        self.walk(&parsed.table, source, depth, &parsed.quiet);
    }

    fn extend(
        &mut self,
        name: &str,
        span: Range<usize>,
        source: &Arc<SourceText>,
        chain: &mut Vec<(Origin, String)>,
    ) {
        let fault =
            |message: String, help: String| Diagnostic::error(source, span.clone(), message).help(help);
        if let Some(folder) = &self.within
            && is_path(name)
            && !is_within(folder, &beside(name, &source.name))
        {
            let message = format!("`extends` names a file that is not in this folder: {}", shorten(name));
            let help = format!("extend a {} of the shelf or a file of this folder", T::SHELF.what);
            return self.gap(fault(message, help));
        }
        match named::<T>(name, &source.name) {
            Ok((parent, _)) if chain.iter().any(|(seen, _)| *seen == parent) => {
                let start = chain.iter().position(|(seen, _)| *seen == parent).unwrap_or(0);
                let mut names: Vec<&str> = chain[start..].iter().map(|(_, name)| name.as_str()).collect();
                names.push(names[0]);
                let message = format!("`extends` forms a cycle: {}", names.join(" -> "));
                self.gap(fault(message, "one of these files must not extend another".into()));
            }
            Ok(_) if chain.len() >= LONGEST_CHAIN => {
                let message = format!("more than {LONGEST_CHAIN} files extend one another");
                self.gap(fault(message, format!("extend a {} nearer to the first", T::SHELF.what)));
            }
            Ok((parent, text)) => self.layer(&Arc::new(text), &parent, chain),
            Err(missing) => self.gap(fault(missing.message, missing.help)),
        }
    }

    /// Reports a fault that leaves the contents of the extended file unknown.
    fn gap(&mut self, fault: Diagnostic) {
        self.gaps.insert("");
        self.faults.push(fault);
    }

    /// Validates the keys together, and sorts the faults in the order of the texts.
    fn finish(mut self, root: &Arc<SourceText>) -> Result<Document<T::Whole>, Vec<Diagnostic>> {
        let whole = if self.syntax { None } else { T::judge(&mut self, root) };
        // Faults of texts that these files only refer to come last, in their own order.
        let order = |d: &Diagnostic| {
            let file = self.sources.iter().position(|source| Arc::ptr_eq(source, &d.source));
            file.map_or((usize::MAX, 0), |file| (file, d.span.start))
        };
        self.faults.sort_by_key(order);
        self.faults.dedup();
        if self.faults.iter().any(|d| d.severity == Severity::Error) {
            return Err(self.faults);
        }
        match whole {
            Some(value) => Ok(Document { value, warnings: self.faults, sources: self.sources }),
            None => Err(self.faults),
        }
    }

    /// Adds faults at their positions in the files, except for those that follow from another.
    pub fn place(&mut self, faults: Vec<Fault>, root: &Arc<SourceText>) {
        for fault in faults {
            if !fault.keys.iter().any(|key| self.unsound.contains(key)) {
                let (source, span) = self.locate(&fault, root);
                self.faults.push(Diagnostic {
                    severity: fault.severity,
                    source,
                    span,
                    message: fault.message,
                    help: fault.help,
                });
            }
        }
    }

    /// Returns the position to show a fault of several keys: the first of them in the file nearest to the requested
    /// one.
    fn locate(&self, fault: &Fault, root: &Arc<SourceText>) -> (Arc<SourceText>, Range<usize>) {
        let written = fault.keys.iter().filter_map(|key| Some((*key, self.places.get(key)?)));
        match written.min_by_key(|(_, place)| place.depth) {
            Some((key, place)) => {
                let item = fault.item.filter(|_| key == fault.keys[0]).and_then(|i| place.items.get(i));
                (place.source.clone(), item.unwrap_or(&place.value).clone())
            }
            None => (root.clone(), 0..0),
        }
    }

    /// Reads every key of a file on top of the values so far. Nothing in the ranges `quiet` is reported.
    fn walk(&mut self, table: &DeTable, source: &Arc<SourceText>, depth: usize, quiet: &[Range<usize>]) {
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
        let Some(key) = T::KEYS
            .iter()
            .find(|key| (table_of(key.def.path), leaf(key.def.path)) == (section, name.get_ref()))
        else {
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

/// Opens a text that the file `from` refers to, by its name on the shelf or by its path relative to that file.
///
/// Nobody requested that particular file, and `from` may come from a stranger. So it must look like a file of the
/// shelf's kind, whose keys are `words`; otherwise only the position of the offending part is reported: messages show
/// lines, which could contain a secret key or a password.
pub(super) fn open_named(
    shelf: Shelf,
    words: &[&str],
    name: &str,
    from: &str,
) -> Result<(Origin, SourceText), Missing> {
    let (origin, text) = resolve(shelf, name, from)?;
    if matches!(origin, Origin::Shelf(_)) {
        return Ok((origin, text));
    }
    let source = Arc::new(text.clone());
    let parsed = syntax::parse(&source);
    let mut keys = Keys::default();
    keys.table(&parsed.table, words);
    let what = shelf.what;
    let (why, at) = match (parsed.faults.first(), keys.stranger()) {
        (Some(fault), _) => ("is not TOML".to_string(), fault.position()),
        (None, Some(span)) => {
            (format!("has a key that no {what} has"), Diagnostic::error(&source, span, "").position())
        }
        (None, None) => return Ok((origin, text)),
    };
    let (path, (line, column)) = (&text.name, at);
    Err(Missing {
        message: format!("{path} is no {what}: line {line}, column {column} {why}"),
        help: format!(
            "{}; `saratoga {} check` on the file itself shows its errors",
            named_help(shelf),
            command(what)
        ),
    })
}

fn command(what: &str) -> &str {
    if what == "ruleset" { "rules" } else { what }
}

/// Descriptive keys that any file may have, which do not indicate a ruleset.
pub(super) const OF_ITSELF: [&str; 4] = ["name", "also", "about", "source"];

/// Statistics of the keys in a file.
#[derive(Default)]
struct Keys {
    /// Number of known keys that few other kinds of files have.
    known: usize,
    /// Number of keys that may be misspelt.
    misspelt: usize,
    /// The first misspelt key.
    doubtful: Option<Range<usize>>,
    /// The first unknown key.
    strange: Option<Range<usize>>,
}

impl Keys {
    fn table(&mut self, table: &DeTable, words: &[&str]) {
        for (name, value) in table.iter() {
            let word: &str = name.get_ref();
            if words.contains(&word) {
                self.known += usize::from(!OF_ITSELF.contains(&word));
            } else if did_you_mean(word, words.iter().copied()).is_some() {
                self.misspelt += 1;
                self.doubtful.get_or_insert(name.span());
            } else {
                self.strange.get_or_insert(name.span());
            }
            self.value(value, words);
        }
    }

    fn value(&mut self, value: &Spanned<DeValue>, words: &[&str]) {
        match value.get_ref() {
            DeValue::Table(inner) => self.table(inner, words),
            DeValue::Array(items) => items.iter().for_each(|item| self.value(item, words)),
            _ => {}
        }
    }

    /// Returns the position of a key that shows the file to be of another kind: an unknown one, or one that resembles a
    /// key by chance, given that most of the others are not keys either.
    fn stranger(self) -> Option<Range<usize>> {
        self.strange.or(self.doubtful.filter(|_| self.misspelt > self.known))
    }
}

impl Spec {
    /// Returns the ruleset as a file with every key written out; reading it gives an equal [`Spec`].
    ///
    /// `end.barren_passes` is a comment if no file gave it: its default depends on the die.
    pub fn to_toml(&self) -> String {
        let out = to_toml(self);
        if self.barren_passes.is_some() || self.idle_redeals.is_some() {
            return out;
        }
        out.replacen("[end]\n", "[end]\n# barren_passes is left to its default\n", 1)
    }
}

/// Returns a file with every key: the values of each table, then the keys that are tables themselves.
pub(crate) fn to_toml<T: FileKind>(value: &T) -> String {
    let inside = |table| move |key: &&Key<T>| table_of(key.def.path) == table;
    let mut out = lines(T::KEYS.iter().filter(inside("")), value);
    for (table, _) in T::TABLES {
        out += &format!("\n[{table}]\n{}", lines(T::KEYS.iter().filter(inside(table)), value));
    }
    out.extend(T::KEYS.iter().filter_map(|key| (key.tables)(value)));
    out
}
