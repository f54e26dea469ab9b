//! Reads a file over what it extends, and judges it as a whole.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Severity, SourceText};

use crate::rules::check::Fault;
use crate::rules::find::{self, Missing, Origin, Shelf, beside, is_path, is_within};
use crate::rules::spec::ChoiceFrom;

use super::named::open_named;
use super::read::{Key, shorten};
use super::shape::{KeyDef, Shape, leaf};
use super::syntax::{self, Parsed};
use super::unquoted::explained;

/// Most files that may extend one another in a row.
const LONGEST_CHAIN: usize = 32;

/// What the files of one kind say, as far as they are read. The default is a file that says nothing.
pub(crate) trait FileKind: Default + 'static {
    /// What is made of a file without faults.
    type Whole;

    /// Where such files are found by name.
    const SHELF: Shelf;
    /// Every key of a file, `extends` among them.
    const KEYS: &'static [Key<Self>];
    /// The tables of a file and what each is about, in the order they are written.
    const TABLES: &'static [(&'static str, &'static str)];
    /// A second name of a table, and the table.
    const SECOND_NAME: Option<(&'static str, &'static str)>;
    /// Words that are no keys, with what to write instead.
    const HINTS: &'static [(&'static str, &'static str)];

    /// Begins a file called `name`, over what it extends: what a file says of itself is not true of another.
    fn begin(&mut self, name: String);

    /// Judges the keys together, once every file is read, and puts its faults with the others. `None` where too
    /// much is at fault.
    fn judge(reading: &mut Reading<Self>, root: &Arc<SourceText>) -> Option<Self::Whole>;
}

/// A sound file with the texts it was read from: the file itself, then what it extends.
pub(crate) struct Document<T> {
    pub value: T,
    pub warnings: Vec<Diagnostic>,
    pub sources: Vec<Arc<SourceText>>,
}

/// Where a key was written last.
pub(crate) struct Place {
    pub source: Arc<SourceText>,
    /// 0 for the file that was asked for, 1 for what it extends, and so on.
    pub depth: usize,
    pub value: Range<usize>,
    /// The elements, where the value is a list.
    pub items: Vec<Range<usize>>,
}

/// Reads a file and what it extends.
pub(crate) fn read<T: FileKind>(
    source: SourceText,
    origin: Origin,
) -> Result<Document<T::Whole>, Vec<Diagnostic>> {
    read_within::<T>(source, origin, None)
}

/// The same, where files that it extends must lie in the folder `within`, whose path is real.
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

/// Reads a text that changes a sound file, whose texts are given as its [`Document`] has them; an `extends` in
/// the text is not followed.
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

/// A text that the file `from` names, by its name on the shelf or by its path from that file.
pub(crate) fn named<T: FileKind>(name: &str, from: &str) -> Result<(Origin, SourceText), Missing> {
    open_named(T::SHELF, &words::<T>(), name, from)
}

/// Every word that is a key anywhere in such a file.
fn words<T: FileKind>() -> Vec<&'static str> {
    top_words::<T>().chain(all_defs::<T>().iter().map(|def| leaf(def.path))).collect()
}

/// Every word that stands at the top of such a file: its tables, and the keys above the first of them.
pub(super) fn top_words<T: FileKind>() -> impl Iterator<Item = &'static str> {
    let tables = T::TABLES.iter().map(|(table, _)| *table);
    let keys = T::KEYS.iter().map(|key| key.def.path).filter(|path| !path.contains('.'));
    tables.chain(T::SECOND_NAME.map(|(second, _)| second)).chain(keys)
}

/// The keys of such a file, each followed by those of the tables in it.
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

/// A file being read, the one that is extended before the one that extends it.
pub(crate) struct Reading<T> {
    pub value: T,
    sources: Vec<Arc<SourceText>>,
    pub faults: Vec<Diagnostic>,
    pub places: HashMap<&'static str, Place>,
    /// Keys with a fault of their own: nothing more is said of them.
    pub unsound: HashSet<&'static str>,
    /// Tables with keys that there are not, `""` above the first: what seems to be missing may be meant by them.
    pub gaps: HashSet<&'static str>,
    /// Whether a file was no sound TOML: then what is missing may only be unreadable.
    syntax: bool,
    /// What the base card is chosen from, once a file says so.
    pub choice_from: Option<ChoiceFrom>,
    /// The only folder whose files may be extended, if there is one.
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

    /// Reads one file, after what it extends. `chain` are the files that led here.
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

    /// Reads the keys of one text over what is known so far.
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

    /// A fault for which nothing is known of the file that is extended.
    fn gap(&mut self, fault: Diagnostic) {
        self.gaps.insert("");
        self.faults.push(fault);
    }

    /// Judges the keys together, and puts the faults in the order of the texts.
    fn finish(mut self, root: &Arc<SourceText>) -> Result<Document<T::Whole>, Vec<Diagnostic>> {
        let whole = if self.syntax { None } else { T::judge(&mut self, root) };
        // Faults of texts that these files only name come last, in the order they are in.
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

    /// Puts faults in their places in the files, but for those that follow from another.
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

    /// The place to show a fault of several keys: the first of them in the file nearest to the one asked for.
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
}
