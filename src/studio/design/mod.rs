//! A ruleset being edited: its text as judged against the ruleset that it extends, its faults with their positions, and
//! changes from the form. Independent of pages and the server.

mod edit;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use crate::diagnostic::{Diagnostic, Severity, SourceText, listed};
use crate::files::MOST_TEXT;
use crate::rules::{Loaded, Spec, key_values, load, parse_text_within};
use crate::text::one_line;

use super::{Folder, NotInFolder};

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
    match edit::set(&text, &key, value.as_deref()) {
        Err(refused) => judged(folder, &name, text, Some(refused)),
        Ok(changed) => {
            let with = judged(folder, &name, changed, None);
            let inherits = with.values.get(&*key).is_some_and(|it| with.parent_values.get(&*key) == Some(it));
            if !with.sound || OF_ITSELF.contains(&&*key) || !inherits {
                return with;
            }
            let without = edit::set(&with.text, &key, None).map(|text| judged(folder, &name, text, None));
            without.ok().filter(|it| it.values == with.values).unwrap_or(with)
        }
    }
}

fn judged(folder: &Folder, name: &str, text: String, refused: Option<String>) -> Judged {
    let written = edit::written(&text);
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
    fn a_file_lists_only_what_differs_from_what_it_extends() {
        let (_dir, folder) = folder();
        let one = change(&folder, "extends = \"canfield\"\n", "stock.redeals", "2");
        assert_eq!(one.text, "extends = \"canfield\"\n\n[stock]\nredeals = 2\n");
        assert_eq!(
            (&*one.values["stock.redeals"], &*one.parent_values["stock.redeals"]),
            ("2", "\"unlimited\"")
        );
        assert_eq!((one.sound, &*one.parent, one.written.len()), (true, "canfield", 2));
        let back = change(&folder, &one.text, "stock.redeals", "\"unlimited\"");
        assert_eq!(back.text, "extends = \"canfield\"\n");
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
    fn faults_have_their_places_and_no_path_of_this_machine() {
        let (_dir, folder) = folder();
        let text = "extends = \"canfield\"\n[stock]\nredeals = -1\ndraws = 3\n";
        let judged = judge_text(&folder, text, None);
        let places: Vec<_> = judged.faults.iter().map(|it| (it.line, it.column, it.file.is_none())).collect();
        assert_eq!((judged.sound, places), (false, vec![(3, 11, true), (4, 1, true)]));
        for text in
            ["extends = \"./other.toml\"\n", "extends = \"../secret.toml\"\n", "extends = \"/etc/x.toml\"\n"]
        {
            let judged = judge_text(&folder, text, None);
            let json = serde_json::to_string(&judged).unwrap();
            assert!(!judged.sound && !json.contains(folder.root().to_str().unwrap()), "{json}");
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
}
