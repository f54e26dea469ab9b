//! Files of rulesets and contests: every fault is found and located, sound files load, and the JSON Schemas agree with
//! the loaders.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use saratoga::contest::{self, LoadedContest};
use saratoga::diagnostic::{Diagnostic, Severity, SourceText, render};
use saratoga::rules::{self, LoadError, Loaded};
use serde_json::{Map, Value};

use crate::common::program::names;
use crate::json_schema::valid;

/// What was read of a file of either kind.
struct Read {
    id: String,
    warnings: Vec<Diagnostic>,
    /// The value written as a file.
    written: String,
}

impl From<Loaded> for Read {
    fn from(loaded: Loaded) -> Read {
        Read { id: loaded.id, warnings: loaded.warnings, written: loaded.rules.spec().to_toml() }
    }
}

impl From<LoadedContest> for Read {
    fn from(loaded: LoadedContest) -> Read {
        let strategies = loaded.strategies.iter().map(|source| source.name());
        assert!(loaded.spec.players.iter().map(|player| &*player.strategy).eq(strategies));
        Read { id: loaded.id, warnings: loaded.warnings, written: loaded.spec.to_toml() }
    }
}

/// A kind of file: how it is read, its schema, folders of sound files of which the first is the shelf, and a folder of
/// faulty ones, some of which the schema refuses too.
struct Kind {
    load: fn(&str) -> Result<Read, LoadError>,
    parse: fn(&str) -> Result<Read, LoadError>,
    schema: Value,
    text: String,
    shelf: Vec<&'static str>,
    good: &'static [&'static str],
    /// Sound files that are also there in full.
    written: &'static str,
    bad: &'static str,
    refused: &'static str,
}

fn kinds() -> [Kind; 2] {
    [
        Kind {
            load: |path| rules::load(path).map(Read::from),
            parse: |text| rules::parse_text("new.toml", text).map(Read::from),
            schema: rules::schema(),
            text: rules::schema_text(),
            shelf: rules::shelf().iter().map(|(name, _)| *name).collect(),
            good: &["rulesets", "tests/data/rules", "tests/data/rules-good"],
            written: "tests/data/rules-good/every-form.toml tests/data/rules-good/extends-path.toml",
            bad: "tests/data/rules-bad",
            refused: "misspelt wrong-place wrong-type wrong-table out-of-range lists empty-draw die die-faces rank \
                      two-heels scores choice-and-stages-wrong",
        },
        Kind {
            load: |path| contest::load(path).map(Read::from),
            parse: |text| contest::parse_text("new.toml", text).map(Read::from),
            schema: contest::schema(),
            text: contest::schema_text(),
            shelf: contest::shelf().iter().map(|(name, _)| *name).collect(),
            good: &["rulesets/contests", "tests/data/contests-good"],
            written: "tests/data/contests-good/every-form.toml tests/data/contests-good/extends.toml \
                      tests/data/contests-good/least.toml",
            bad: "tests/data/contests-bad",
            refused: "misspelt out-of-range decimals wrong-type wrong-place both player-keys",
        },
    ]
}

/// Returns the TOML files of a folder by their path from the root, sorted, without the parts that others refer to.
fn files(dir: &str) -> Vec<String> {
    let mut files: Vec<String> =
        names(Path::new(dir)).into_iter().map(|name| format!("{dir}/{name}")).collect();
    files.retain(|path| path.ends_with(".toml") && !path.contains("/part-"));
    files.sort_by_key(|path| path.trim_end_matches(".toml").to_string());
    assert!(!files.is_empty());
    files
}

fn stem(path: &str) -> &str {
    Path::new(path).file_stem().unwrap().to_str().unwrap()
}

fn faults<T>(read: Result<T, LoadError>, warnings: impl Fn(T) -> Vec<Diagnostic>) -> Vec<Diagnostic> {
    match read {
        Ok(read) => warnings(read),
        Err(LoadError::Faults(faults)) => faults,
        Err(error) => panic!("{error}"),
    }
}

/// The messages for each faulty file equal its `.expected` file, and some sound ones written out in full do too;
/// `UPDATE_EXPECTED=1` rewrites them.
#[test]
fn files_are_read_as_expected() {
    let mut wrong = String::new();
    let mut compare = |path: &str, told: String| {
        let expected = Path::new(path).with_extension("expected");
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            fs::write(&expected, &told).unwrap();
        }
        let wanted = fs::read_to_string(&expected).unwrap_or_default().replace("\r\n", "\n");
        if told.is_empty() || told != wanted {
            writeln!(wrong, "{path}\n  wanted:\n{wanted}  told:\n{told}").unwrap();
        }
    };
    let grade = |fault: &Diagnostic| if fault.severity == Severity::Error { "error" } else { "warning" };
    for kind in kinds() {
        for path in files(kind.bad) {
            let faults = faults((kind.load)(&path), |read| read.warnings);
            compare(&path, faults.iter().map(|fault| format!("{}: {fault}\n", grade(fault))).collect());
        }
        for path in kind.written.split(' ') {
            compare(path, (kind.load)(path).unwrap_or_else(|e| panic!("{e}")).written);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Sound files load without messages, and read the same once written out. The shelf is its folder.
#[test]
fn sound_files_load() {
    for kind in kinds() {
        let shelf = files(kind.good[0]);
        assert_eq!(shelf.iter().map(|path| stem(path)).collect::<Vec<_>>(), kind.shelf);
        for path in kind.good.iter().flat_map(|dir| files(dir)) {
            let read = (kind.load)(&path).unwrap_or_else(|e| panic!("{e}"));
            assert!(read.warnings.is_empty(), "{:?}", read.warnings);
            assert_eq!(read.id, stem(&path));
            let again = (kind.parse)(&read.written).unwrap_or_else(|e| panic!("{e}\n{}", read.written));
            assert_eq!(again.written, read.written);
        }
        for (name, path) in kind.shelf.iter().zip(&shelf) {
            let [on_shelf, as_file] = [name, path.as_str()].map(|name| (kind.load)(name).ok().unwrap());
            assert_eq!(on_shelf.written, as_file.written);
            let written = toml_value(&on_shelf.written);
            assert!(["name", "about", "source"].iter().all(|key| written[key].is_string()), "{name}");
            assert_ne!(written["name"], **name, "{name} has a name of its own");
            // Subcommands are not used as names.
            assert!(!["list", "show", "check", "schema", "run", "help"].contains(name), "{name}");
        }
    }
}

/// The files are named in the order in which they extend one another; what describes a parent is not inherited.
#[test]
fn a_ruleset_extends_files_beside_it() {
    let dir = "tests/data/rules-good";
    let loaded = rules::load(&format!("{dir}/extends-path.toml")).unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<&str> = loaded.sources.iter().map(|source| source.name.as_str()).collect();
    let paths = ["extends-path", "part-base"].map(|name| format!("{dir}/{name}.toml"));
    assert_eq!(names, [&*paths[0], &*paths[1], "rainbow", "canfield"]);
    let spec = loaded.rules.spec();
    assert_eq!((&*spec.name, spec.also.len(), &*spec.about, &*spec.source), ("extends-path", 0, "", ""));
}

fn toml_value(text: &str) -> Value {
    // The other TOML parser rejects whole numbers beyond 64 bits.
    let text = text.trim_start_matches('\u{feff}').replace("99999999999999999999", "99");
    serde_json::to_value(toml::from_str::<toml::Table>(&text).unwrap()).unwrap()
}

/// Sound files are valid, also with every key written out; what is wrong in a single place is not.
#[test]
fn a_schema_tells_sound_files_from_faulty_ones() {
    for kind in kinds() {
        for path in kind.good.iter().flat_map(|dir| files(dir)) {
            let written = (kind.load)(&path).ok().unwrap().written;
            for text in [fs::read_to_string(&path).unwrap(), written] {
                valid(&kind.schema, &toml_value(&text), &path).unwrap();
            }
        }
        for name in kind.refused.split(' ') {
            let text = fs::read_to_string(format!("{}/{name}.toml", kind.bad)).unwrap();
            assert!(valid(&kind.schema, &toml_value(&text), name).is_err(), "{name}");
        }
        assert_eq!(serde_json::from_str::<Value>(&kind.text).unwrap(), kind.schema);
    }
}

/// Every property has a description, and the loader knows it with each value that the schema gives as an example.
#[test]
fn a_schema_has_the_keys_of_the_reader() {
    for (kind, least) in kinds().into_iter().zip([41, 17]) {
        let mut keys = Vec::new();
        collect(kind.schema["properties"].as_object().unwrap(), "", &mut keys);
        assert!(keys.len() >= least, "{keys:?}");
        for (path, value) in keys.iter().flat_map(|(path, values)| values.iter().map(move |it| (path, it))) {
            // A key may require another, but it is known, and its value is allowed.
            let faults = faults((kind.parse)(&format!("{path} = {value}")), |_| vec![]);
            let told = faults.first().map(Diagnostic::to_string).unwrap_or_default();
            assert!(!told.contains("is not a key") && !told.contains("cannot"), "{path} = {value}: {told}");
        }
    }
}

/// Collects the paths of all values, each with values that the schema allows.
fn collect(properties: &Map<String, Value>, prefix: &str, keys: &mut Vec<(String, Vec<String>)>) {
    for (name, schema) in properties {
        let path = format!("{prefix}{name}");
        assert!(schema["description"].as_str().is_some_and(|about| about.len() > 5), "{path}");
        match schema["properties"].as_object() {
            Some(inner) => collect(inner, &format!("{path}."), keys),
            None => keys.push((path, examples(schema))),
        }
    }
}

fn examples(schema: &Value) -> Vec<String> {
    if let Some(words) = schema["enum"].as_array() {
        return words.iter().map(Value::to_string).collect();
    }
    if let Some(several) = schema["anyOf"].as_array() {
        return several.iter().flat_map(examples).collect();
    }
    match schema["type"].as_str() {
        Some("integer" | "number") => vec![schema["minimum"].to_string(), schema["maximum"].to_string()],
        Some("boolean") => vec!["true".into(), "false".into()],
        Some("array") => examples(&schema["items"]).into_iter().map(|item| format!("[{item}]")).collect(),
        Some("object") => {
            let first = |(key, schema): (&String, &Value)| format!("{key} = {}", examples(schema)[0]);
            let fields: Vec<String> = schema["properties"].as_object().unwrap().iter().map(first).collect();
            vec![format!("{{ {} }}", fields.join(", "))]
        }
        // The text may be a ruleset or an amount, so one that can be either is used.
        Some("string") if schema.get("pattern").is_some() => vec!["\"0.75\"".into()],
        Some("string") => vec!["\"canfield\"".into()],
        _ => vec![schema["const"].to_string()],
    }
}

fn at(text: &str, span: std::ops::Range<usize>) -> Diagnostic {
    let source = Arc::new(SourceText { name: "a.toml".into(), text: text.into() });
    Diagnostic::error(&source, span, "no").help("allowed: yes")
}

#[test]
fn a_fault_is_drawn_under_its_line() {
    let drawn = "error: no\n --> a.toml:2:5\n  |\n2 | b = no\n  |     ^^\n  |\n  = help: allowed: yes\n";
    assert_eq!(render(&[at("a = 1\r\nb = no\r\nc = 2\r\n", 11..13)], false), drawn);
    let long = format!("{}no{}", "é".repeat(5000), "x".repeat(5000));
    for (text, span) in [("\ta = \tno", 6..8), ("é = \"ü\" no", 10..12), (&long, 10_000..10_002)] {
        let text = render(&[at(text, span)], false);
        let lines: Vec<&str> = text.lines().collect();
        let carets = lines.iter().position(|line| line.contains('^')).unwrap_or_else(|| panic!("{text}"));
        let column = |line: &str, what| line[..line.find(what).unwrap()].chars().count();
        assert_eq!(column(lines[carets - 1], "no"), column(lines[carets], "^^"), "{text}");
        assert!(lines[carets - 1].chars().count() < 200);
    }
    // Every place of any text can be drawn.
    for text in ["", "a", "\n", "a\r\n\r\n", "日本\u{200b}語\u{7}\u{1b}[1m", "\u{feff}a = 1", &long] {
        for start in (0..=text.len() + 2).filter(|i| i % 1999 < 30 || i + 4 > text.len()) {
            for end in [0, start, start + 1, start + 3, text.len(), usize::MAX] {
                let shown = render(&[at(text, start..end)], true);
                assert!(shown.contains("a.toml:") && shown.len() < 4000, "{shown}");
            }
        }
    }
}
