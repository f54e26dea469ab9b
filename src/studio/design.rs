//! A ruleset being edited: its text as judged against the ruleset that it extends, its faults with their positions, and
//! changes from the form. Independent of pages and the server.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use toml_edit::{DocumentMut, Item, Table, Value};

use super::{Folder, NotInFolder};
use crate::diagnostic::{Diagnostic, Severity, SourceText, listed};
use crate::files::MOST_TEXT;
use crate::rules::{Loaded, Spec, key_values, load, parse_text_within};
use crate::text::one_line;

/// A ruleset as edited on a page: its text, and the existing or future file of it in the folder.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Text {
    pub name: String,
    pub text: String,
}

impl Text {
    /// Loads the text as a ruleset of the folder.
    pub fn load(&self, folder: &Folder) -> Result<Loaded, Faults> {
        read(folder, &self.name, &self.text)
    }

    /// Returns the name of the ruleset in records and results.
    pub fn path(&self) -> String {
        format!("./{}", self.name.trim_start_matches("./"))
    }
}

/// Request to judge a text, after an optional change.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Asked {
    #[serde(flatten)]
    pub text: Text,
    #[serde(default)]
    pub change: Option<Change>,
}

/// A key of the form with its new value as TOML; `None` restores the value of the extended ruleset.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Change {
    pub key: String,
    pub value: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Told {
    pub error: bool,
    /// `None` for the text itself, or else the other file.
    pub file: Option<String>,
    pub line: usize,
    pub column: usize,
    pub message: String,
    pub help: Option<String>,
}

/// What is wrong with a request, for a page.
#[derive(Debug, Serialize)]
pub(super) struct Faults {
    pub faults: Vec<Told>,
}

impl From<String> for Faults {
    /// Creates a fault without a position.
    fn from(message: String) -> Faults {
        let file = Some(String::new());
        Faults { faults: vec![Told { error: true, file, line: 0, column: 0, message, help: None }] }
    }
}

impl From<&str> for Faults {
    fn from(message: &str) -> Faults {
        message.to_string().into()
    }
}

impl From<NotInFolder> for Faults {
    fn from(error: NotInFolder) -> Faults {
        error.to_string().into()
    }
}

impl fmt::Display for Faults {
    /// Writes the first message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.faults.first().map_or("", |fault| &fault.message))
    }
}

impl IntoResponse for Faults {
    fn into_response(self) -> Response {
        (StatusCode::UNPROCESSABLE_ENTITY, Json(self)).into_response()
    }
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Judged {
    pub text: String,
    /// Why the change was not made.
    pub refused: Option<String>,
    pub faults: Vec<Told>,
    /// Whether it can be played; the other fields are known only then.
    pub sound: bool,
    pub title: String,
    pub currency: String,
    pub staged: bool,
    /// The ruleset that it extends; `canfield` by default.
    pub parent: String,
    pub values: BTreeMap<&'static str, String>,
    pub parent_values: BTreeMap<&'static str, String>,
    /// Keys set in the text itself.
    pub written: Vec<String>,
}

/// Keys that are not inherited: names and descriptions.
const OF_ITSELF: [&str; 5] = ["name", "also", "about", "source", "extends"];

/// Judges a text after applying its change. A key set to the extended ruleset's value is removed from the text.
pub(super) fn judge(asked: Asked, folder: &Folder) -> Judged {
    let Asked { text: Text { name, text }, change } = asked;
    let Some(Change { key, value }) = change else { return judged(folder, &name, text, None) };
    match set(&text, &key, value.as_deref()) {
        Err(refused) => judged(folder, &name, text, Some(refused)),
        Ok(changed) => {
            let with = judged(folder, &name, changed, None);
            let inherits = with.values.get(&*key).is_some_and(|it| with.parent_values.get(&*key) == Some(it));
            if !with.sound || OF_ITSELF.contains(&&*key) || !inherits {
                return with;
            }
            let without = set(&with.text, &key, None).map(|text| judged(folder, &name, text, None));
            without.ok().filter(|it| it.values == with.values).unwrap_or(with)
        }
    }
}

fn judged(folder: &Folder, name: &str, text: String, refused: Option<String>) -> Judged {
    let written = written(&text);
    let loaded = match read(folder, name, &text) {
        Ok(loaded) => loaded,
        Err(Faults { faults }) => return Judged { text, refused, faults, written, ..Judged::default() },
    };
    let spec = loaded.rules.spec();
    let (parent, parent_spec) = parent(&loaded);
    Judged {
        refused,
        faults: told(folder, name, &loaded.warnings).faults,
        sound: true,
        title: one_line(loaded.rules.name()).into_owned(),
        currency: one_line(&spec.casino.currency).into_owned(),
        staged: spec.casino.is_staged(),
        parent: clean(folder, &parent),
        values: key_values(spec).into_iter().collect(),
        parent_values: key_values(&parent_spec).into_iter().collect(),
        written,
        text,
    }
}

/// Loads a text as a ruleset of the folder, or returns every fault of it and of what it extends.
pub(super) fn read(folder: &Folder, name: &str, text: &str) -> Result<Loaded, Faults> {
    if text.len() as u64 > MOST_TEXT {
        let source = Arc::new(SourceText::of(name, ""));
        return Err(told(folder, name, &[Diagnostic::error(&source, 0..0, "a ruleset has at most 256 KiB")]));
    }
    // Relative paths are resolved from where it would be saved.
    parse_text_within(folder.root(), &path_of(folder, name), text).map_err(|all| told(folder, name, &all))
}

/// Returns the path of the text, saved or not, which distinguishes its faults from those of other files.
pub(super) fn path_of(folder: &Folder, name: &str) -> String {
    folder.place(name).unwrap_or_else(|_| folder.root().join("unsaved")).display().to_string()
}

/// Returns the extended ruleset: the second of the texts, from the shelf or from a file that was just read.
fn parent(loaded: &Loaded) -> (String, Spec) {
    let canfield = || ("canfield".to_string(), Spec::default());
    let Some(source) = loaded.sources.get(1) else { return canfield() };
    match load(&source.name) {
        Ok(parent) => (source.name.clone(), parent.rules.spec().clone()),
        Err(_) => canfield(),
    }
}

/// Converts the first faults to the form shown on a page.
pub(super) fn told(folder: &Folder, name: &str, faults: &[Diagnostic]) -> Faults {
    let own = path_of(folder, name);
    let one = |fault: &Diagnostic| {
        let (line, column) = fault.position();
        Told {
            error: fault.severity == Severity::Error,
            file: (fault.source.name != own).then(|| clean(folder, &fault.source.name)),
            line,
            column,
            message: clean(folder, &fault.message),
            help: fault.help.as_deref().map(|help| clean(folder, help)),
        }
    };
    Faults { faults: listed(faults).map(one).collect() }
}

/// Makes paths in a message relative to the folder, and puts it on one line.
pub(super) fn clean(folder: &Folder, words: &str) -> String {
    one_line(&words.replace(&format!("{}/", folder.root().display()), "")).into_owned()
}

/// The table that has two names.
const HEEL: (&str, &str) = ("reserve", "heel");

/// Sets `path` to a value written as TOML. Without a value, the key is removed so that the extended ruleset decides;
/// its table is removed too if it becomes empty. An error says in a sentence why the text or the
/// value cannot be read.
fn set(text: &str, path: &str, value: Option<&str>) -> Result<String, String> {
    let mut document: DocumentMut =
        text.parse().map_err(|_| "correct the text first: it is no sound TOML".to_string())?;
    let (table, leaf) = path.rsplit_once('.').unwrap_or(("", path));
    let heel = table == HEEL.0 && document.contains_key(HEEL.1);
    let table = if heel { HEEL.1 } else { table };
    match value.map(str::trim).filter(|value| !value.is_empty()) {
        Some(value) => {
            let item = item_of(value, table, leaf)?;
            put(inner(&mut document, table)?, leaf, item);
        }
        None => take(&mut document, table, leaf),
    }
    Ok(document.to_string())
}

/// Returns the keys set in the text itself, such as `stock.draw`.
fn written(text: &str) -> Vec<String> {
    let Ok(document) = text.parse::<DocumentMut>() else { return Vec::new() };
    let mut paths = Vec::new();
    for (name, item) in document.iter() {
        let name = if name == HEEL.1 { HEEL.0 } else { name };
        match item.as_table_like() {
            Some(table) => paths.extend(table.iter().map(|(leaf, _)| format!("{name}.{leaf}"))),
            None => paths.push(name.to_string()),
        }
    }
    paths
}

/// Parses a value, or tables under the full name of the key.
fn item_of(value: &str, table: &str, leaf: &str) -> Result<Item, String> {
    let header = |name: &str| value.lines().any(|line| line.trim_start().starts_with(name));
    if header("[[") || header(&format!("[{table}.{leaf}]")) {
        let fault = |_| format!("this is no sound TOML; write it as under [[{table}.{leaf}]]");
        let mut document: DocumentMut = value.parse().map_err(fault)?;
        let mut item = match table {
            "" => document.remove(leaf),
            _ => document.get_mut(table).and_then(|it| it.as_table_like_mut()).and_then(|it| it.remove(leaf)),
        };
        // Their positions belong to another text.
        match &mut item {
            Some(Item::ArrayOfTables(tables)) => tables.iter_mut().for_each(|it| it.set_position(None)),
            Some(Item::Table(one)) => one.set_position(None),
            _ => {}
        }
        return item.ok_or_else(|| format!("the tables must be called {table}.{leaf}"));
    }
    value.parse::<Value>().map(Item::Value).map_err(|_| format!("{value} is no value of TOML"))
}

/// Returns the table, creating it if necessary.
fn inner<'d>(document: &'d mut DocumentMut, table: &str) -> Result<&'d mut dyn toml_edit::TableLike, String> {
    if table.is_empty() {
        return Ok(document.as_table_mut());
    }
    let made = !document.contains_key(table);
    let first = document.is_empty();
    let item = document.entry(table).or_insert_with(|| Item::Table(Table::new()));
    if let (true, Some(table)) = (made && !first, item.as_table_mut()) {
        table.decor_mut().set_prefix("\n");
    }
    item.as_table_like_mut().ok_or_else(|| format!("`{table}` must be a table: [{table}]"))
}

/// Replaces a value and keeps the comment after it.
fn put(table: &mut dyn toml_edit::TableLike, leaf: &str, mut item: Item) {
    let old = table.get(leaf).and_then(Item::as_value).map(|value| value.decor().clone());
    if let (Some(decor), Some(value)) = (old, item.as_value_mut()) {
        *value.decor_mut() = decor;
    }
    match table.get_mut(leaf) {
        Some(place) => *place = item,
        None => drop(table.insert(leaf, item)),
    }
}

fn take(document: &mut DocumentMut, table: &str, leaf: &str) {
    if table.is_empty() {
        document.remove(leaf);
        return;
    }
    let Some(inner) = document.get_mut(table).and_then(Item::as_table_like_mut) else { return };
    inner.remove(leaf);
    let empty = inner.is_empty();
    let commented = document
        .get(table)
        .and_then(Item::as_table)
        .and_then(|it| it.decor().prefix())
        .and_then(|prefix| prefix.as_str())
        .is_some_and(|prefix| prefix.contains('#'));
    if empty && !commented {
        document.remove(table);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Folder) {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        (dir, folder)
    }

    fn judge_text(folder: &Folder, text: &str, change: Option<Change>) -> Judged {
        judge(Asked { text: Text { name: "mine.toml".into(), text: text.into() }, change }, folder)
    }

    fn change(folder: &Folder, text: &str, key: &str, value: &str) -> Judged {
        judge_text(folder, text, Some(Change { key: key.into(), value: Some(value.into()) }))
    }

    #[test]
    fn every_value_of_the_form_can_be_set_and_taken_back() {
        let (_dir, folder) = folder();
        for (name, text) in crate::rules::shelf() {
            let judged = judge_text(&folder, text, None);
            assert!(judged.sound, "{name}: {:?}", judged.faults);
            for (key, value) in judged.values.iter().filter(|(_, value)| !value.is_empty()) {
                let same = change(&folder, text, key, value);
                assert_eq!(same.values, judged.values, "{name} {key} {value} {:?}", same.refused);
            }
        }
    }

    #[test]
    fn nothing_out_of_the_folder_is_extended() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("inner");
        std::fs::create_dir(&inner).unwrap();
        std::fs::write(outer.path().join("secret.toml"), "[stock]\nredeals = 7\n").unwrap();
        std::fs::write(inner.join("base.toml"), "[stock]\nredeals = 7\n").unwrap();
        let folder = Folder::open(&inner).unwrap();
        let of = |text: &str| judge_text(&folder, text, None);
        assert_eq!(of("extends = \"./base.toml\"\n").values["stock.redeals"], "7");
        let other = of("extends = \"../secret.toml\"\n");
        assert!(!other.sound && other.faults[0].message.contains("not in this folder"), "{:?}", other.faults);
        // Not even through a file in the folder.
        std::fs::write(inner.join("way.toml"), "extends = \"../secret.toml\"\n").unwrap();
        assert!(!of("extends = \"./way.toml\"\n").sound);
    }

    const TEXT: &str =
        "# My house.\nextends = \"canfield\"\n\n[stock]\nredeals = 1 # two passes\n\n[casino]\nstake = 30\n";

    #[test]
    fn one_value_changes_and_comments_stay() {
        assert_eq!(set(TEXT, "stock.redeals", Some("4")).unwrap(), TEXT.replace("1 #", "4 #"));
        let more = set(TEXT, "stock.draw", Some("[3, 2, 1]")).unwrap();
        assert_eq!(more, TEXT.replace("passes\n", "passes\ndraw = [3, 2, 1]\n"));
        let new = set(TEXT, "reserve.size", Some("10")).unwrap();
        assert_eq!(new, format!("{TEXT}\n[reserve]\nsize = 10\n"));
        let name = set(TEXT, "name", Some("\"Mine\"")).unwrap();
        assert_eq!(name, TEXT.replace("\"canfield\"\n", "\"canfield\"\nname = \"Mine\"\n"));
        assert_eq!(set("", "stock.draw", Some("1")).unwrap(), "[stock]\ndraw = 1\n");
    }

    #[test]
    fn a_key_is_taken_away_with_a_table_that_it_leaves_empty() {
        let without = set(TEXT, "casino.stake", None).unwrap();
        assert_eq!(without, TEXT.replace("\n[casino]\nstake = 30\n", ""));
        assert_eq!(set(&without, "casino.stake", None).unwrap(), without);
        assert_eq!(set("[heel]\nsize = 3\n", "reserve.size", Some("4")).unwrap(), "[heel]\nsize = 4\n");
    }

    #[test]
    fn tables_are_replaced_as_a_whole() {
        let steps = "[[casino.step]]\nfrom = 20\nbonus = 5\n\n[[casino.step]]\nfrom = 30\nbonus = 9";
        let with = set(TEXT, "casino.step", Some(steps)).unwrap();
        let loaded = crate::rules::parse_text("a.toml", &with).unwrap();
        let casino = &loaded.rules.spec().casino;
        assert_eq!((casino.steps.len(), casino.stake), (2, 3000), "{with}");
        let one = set(&with, "casino.step", Some("[[casino.step]]\nfrom = 40\nbonus = 1\n")).unwrap();
        assert_eq!(crate::rules::parse_text("a.toml", &one).unwrap().rules.spec().casino.steps.len(), 1);
        assert_eq!(set(&one, "casino.step", None).unwrap().trim_end(), TEXT.trim_end());
        let jackpot =
            set(TEXT, "casino.jackpot", Some("[casino.jackpot]\nstart = 100\nshare = 0.02")).unwrap();
        assert!(crate::rules::parse_text("a.toml", &jackpot).unwrap().rules.spec().casino.jackpot.is_some());
        let score = set(TEXT, "score", Some("[[score]]\nname = \"p\"\nwon = 1")).unwrap();
        assert_eq!(crate::rules::parse_text("a.toml", &score).unwrap().rules.spec().scores.len(), 1);
    }

    #[test]
    fn what_is_no_toml_is_refused() {
        for (text, value) in
            [("a = ", "1"), (TEXT, "1 2"), (TEXT, "x"), (TEXT, "1\nb = 2"), (TEXT, "[[other]]\na = 1")]
        {
            assert!(set(text, "stock.draw", Some(value)).is_err(), "{text} {value}");
        }
        assert!(set("stock = 3\n", "stock.draw", Some("1")).is_err());
    }

    #[test]
    fn written_keys_are_those_of_the_text() {
        assert_eq!(written(TEXT), ["extends", "stock.redeals", "casino.stake"]);
        assert_eq!(written("[heel]\nsize = 1\n"), ["reserve.size"]);
    }
}
