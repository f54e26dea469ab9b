//! A ruleset as written: TOML to [`Spec`], with every fault of the file and of the files it extends.

mod keys;
mod parts;
mod read;
mod schema;
mod shape;
mod syntax;
mod walk;
mod words;
mod write;

pub(crate) use keys::MOST_PILES;
pub(super) use keys::{MOST_COUNT, MOST_HEIGHT};
pub(super) use parts::MOST_POINTS;
pub(super) use read::MOST_CENTS;
pub use schema::{schema, schema_text};
pub(super) use shape::{MOST_DRAWN, MOST_SIZES};

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Severity, SourceText};

use super::check::Fault;
use super::load::{self, Origin};
use super::spec::*;

/// Most files that may extend one another in a row.
const LONGEST_CHAIN: usize = 32;

/// Most faults that are told of one ruleset.
const MOST_FAULTS: usize = 200;

/// A sound ruleset with the texts it was read from: the file itself, then what it extends.
pub(super) struct Document {
    pub spec: Spec,
    pub warnings: Vec<Diagnostic>,
    pub sources: Vec<Arc<SourceText>>,
}

/// Where a key was written last.
struct Place {
    source: Arc<SourceText>,
    /// 0 for the file that was asked for, 1 for what it extends, and so on.
    depth: usize,
    value: Range<usize>,
    /// The elements, where the value is a list.
    items: Vec<Range<usize>>,
}

/// Reads a ruleset and what it extends.
pub(super) fn read(source: SourceText, origin: Origin) -> Result<Document, Vec<Diagnostic>> {
    let source = Arc::new(source);
    let mut reading = Reading {
        spec: Spec::default(),
        sources: Vec::new(),
        faults: Vec::new(),
        places: HashMap::new(),
        unsound: HashSet::new(),
        syntax: false,
        choice_from: None,
    };
    reading.layer(&source, &origin, &mut Vec::new());
    reading.finish(&source)
}

/// A ruleset being read, the file that is extended before the file that extends it.
struct Reading {
    spec: Spec,
    sources: Vec<Arc<SourceText>>,
    faults: Vec<Diagnostic>,
    places: HashMap<&'static str, Place>,
    /// Keys with a fault of their own: nothing more is said of them.
    unsound: HashSet<&'static str>,
    /// Whether a file was no sound TOML: then what is missing may only be unreadable.
    syntax: bool,
    /// What the base card is chosen from, once a file says so.
    choice_from: Option<ChoiceFrom>,
}

impl Reading {
    /// Reads one file, after what it extends. `chain` are the files that led here.
    fn layer(&mut self, source: &Arc<SourceText>, origin: &Origin, chain: &mut Vec<(Origin, String)>) {
        self.sources.push(source.clone());
        let parsed = syntax::parse(source);
        self.syntax |= !parsed.faults.is_empty();
        self.faults.extend(parsed.faults);
        chain.push((origin.clone(), source.name.clone()));
        let extends = parsed.table.get("extends");
        if let Some((name, span)) = extends.and_then(|v| Some((v.get_ref().as_str()?, v.span()))) {
            self.extend(name, span, source, chain);
        }
        // What a ruleset says of itself is not true of one that extends it.
        self.spec.name = load::stem(&source.name);
        self.spec.also.clear();
        self.spec.about.clear();
        self.spec.source.clear();
        self.walk(&parsed.table, source, chain.len() - 1, &parsed.quiet);
        chain.pop();
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
        match load::resolve(name, &source.name) {
            Ok((parent, _)) if chain.iter().any(|(seen, _)| *seen == parent) => {
                let start = chain.iter().position(|(seen, _)| *seen == parent).unwrap_or(0);
                let mut names: Vec<&str> = chain[start..].iter().map(|(_, name)| name.as_str()).collect();
                names.push(names[0]);
                let message = format!("`extends` goes in a circle: {}", names.join(" -> "));
                self.faults.push(fault(message, "one of these files must not extend another".into()));
            }
            Ok(_) if chain.len() >= LONGEST_CHAIN => {
                let message = format!("more than {LONGEST_CHAIN} files extend one another");
                self.faults.push(fault(message, "extend a ruleset nearer to the first".into()));
            }
            Ok((parent, text)) => self.layer(&Arc::new(text), &parent, chain),
            Err(missing) => self.faults.push(fault(missing.message, missing.help)),
        }
    }

    /// Judges the keys together, and puts the faults in the order of the texts.
    fn finish(mut self, root: &Arc<SourceText>) -> Result<Document, Vec<Diagnostic>> {
        if !self.places.contains_key("casino.stake") {
            self.spec.casino.stake = 5200 * i64::from(self.spec.deal.packs);
        }
        if !self.syntax {
            self.judge(root);
        }
        let order = |d: &Diagnostic| {
            let file = self.sources.iter().position(|source| Arc::ptr_eq(source, &d.source));
            (file.unwrap_or(usize::MAX), d.span.start)
        };
        self.faults.sort_by_key(order);
        if self.faults.iter().any(|d| d.severity == Severity::Error) {
            if self.faults.len() > MOST_FAULTS {
                let message = format!("and {} more faults", self.faults.len() - MOST_FAULTS);
                let span = self.faults[MOST_FAULTS].span.clone();
                let source = self.faults[MOST_FAULTS].source.clone();
                self.faults.truncate(MOST_FAULTS);
                self.faults.push(Diagnostic::error(&source, span, message));
            }
            return Err(self.faults);
        }
        Ok(Document { spec: self.spec, warnings: self.faults, sources: self.sources })
    }

    fn judge(&mut self, root: &Arc<SourceText>) {
        self.choice();
        for fault in self.spec.faults() {
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

    /// Joins `foundation.base` and `foundation.choice_from`.
    fn choice(&mut self) {
        let at = |key: &str| self.places.get(key).filter(|_| !self.unsound.contains(key));
        let (base, from) = (at("foundation.base"), at("foundation.choice_from"));
        match (&mut self.spec.foundation.base, self.choice_from) {
            (Base::Choice(chosen), Some(from)) => *chosen = from,
            (Base::Choice(_), None) if !self.unsound.contains("foundation.choice_from") => {
                if let Some(place) = base {
                    let message = "`base = \"choice\"` needs `choice_from`";
                    let help = "add choice_from = \"reserve\", or the number of cards to choose among";
                    self.faults
                        .push(Diagnostic::error(&place.source, place.value.clone(), message).help(help));
                }
            }
            (Base::Dealt | Base::Rank(_), Some(_)) if !self.unsound.contains("foundation.base") => {
                // A ruleset may replace the choice of the one it extends.
                let replaced = |place: &Place| base.is_some_and(|base| base.depth < place.depth);
                if let Some(place) = from.filter(|place| !replaced(place)) {
                    let message = "`foundation.choice_from` goes only with `base = \"choice\"`";
                    self.faults.push(Diagnostic::error(&place.source, place.value.clone(), message));
                }
            }
            _ => {}
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
