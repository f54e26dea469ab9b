//! Files of rulesets and contests: every fault is found and located, sound files load, and the JSON Schemas agree with
//! the loaders.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use saratoga::contest::{self, ContestSpec, DealEnd, Foundations, Goal, PlayerSpec};
use saratoga::diagnostic::{Diagnostic, Severity, SourceText, render};
use saratoga::rules::{self, *};
use serde_json::{Map, Value};

use crate::json_schema::valid;

/// What was read of a file of either kind.
struct Read {
    id: String,
    warnings: Vec<Diagnostic>,
    /// The whole value, to be compared.
    value: String,
    /// The value written as a file.
    written: String,
    /// What it is called and described by.
    words: [String; 3],
}

impl From<Loaded> for Read {
    fn from(loaded: Loaded) -> Read {
        let spec = loaded.rules.spec().clone();
        let (value, written) = (format!("{spec:?}"), spec.to_toml());
        let words = [spec.name, spec.about, spec.source];
        Read { id: loaded.id, warnings: loaded.warnings, value, written, words }
    }
}

impl From<contest::LoadedContest> for Read {
    fn from(loaded: contest::LoadedContest) -> Read {
        let spec = loaded.spec;
        let strategies: Vec<&str> = loaded.strategies.iter().map(|source| source.name()).collect();
        assert!(spec.players.iter().map(|player| &*player.strategy).eq(strategies));
        let (value, written) = (format!("{spec:?}"), spec.to_toml());
        let words = [spec.name, spec.about, spec.source];
        Read { id: loaded.id, warnings: loaded.warnings, value, written, words }
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
            bad: "tests/data/contests-bad",
            refused: "misspelt out-of-range decimals wrong-type wrong-place both player-keys",
        },
    ]
}

/// Returns the TOML files of a folder by their path from the root, sorted, without the parts that others refer to.
fn files(dir: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = fs::read_dir(root.join(dir)).unwrap_or_else(|e| panic!("{dir}: {e}"));
    let paths = entries.map(|entry| entry.unwrap().path());
    let path = |path: PathBuf| path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
    let mut files: Vec<String> = paths.map(path).collect();
    files.retain(|path| path.ends_with(".toml") && !path.contains("/part-"));
    files.sort_by_key(|path| path.trim_end_matches(".toml").to_string());
    assert!(!files.is_empty());
    files
}

fn stem(path: &str) -> &str {
    Path::new(path).file_stem().unwrap().to_str().unwrap()
}

/// Returns the faults of a file, and its warnings.
fn faults<T>(read: Result<T, LoadError>, warnings: impl Fn(T) -> Vec<Diagnostic>) -> Vec<Diagnostic> {
    match read {
        Ok(read) => warnings(read),
        Err(LoadError::Faults(faults)) => faults,
        Err(error) => panic!("{error}"),
    }
}

/// The messages for each faulty file equal its `.expected` file; `UPDATE_EXPECTED=1` rewrites them.
#[test]
fn faults_are_told() {
    let mut wrong = String::new();
    for (kind, path) in kinds().iter().flat_map(|kind| files(kind.bad).into_iter().map(move |it| (kind, it)))
    {
        let grade = |fault: &Diagnostic| if fault.severity == Severity::Error { "error" } else { "warning" };
        let faults = faults((kind.load)(&path), |read| read.warnings);
        let told: String = faults.iter().map(|fault| format!("{}: {fault}\n", grade(fault))).collect();
        let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join(&path).with_extension("expected");
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            fs::write(&expected, &told).unwrap();
        }
        let wanted = fs::read_to_string(&expected).unwrap_or_default().replace("\r\n", "\n");
        if told.is_empty() || told != wanted {
            writeln!(wrong, "{path}\n  wanted:\n{wanted}  told:\n{told}").unwrap();
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
            assert_eq!((again.value, again.written), (read.value, read.written));
        }
        for (name, path) in kind.shelf.iter().zip(&shelf) {
            let [on_shelf, as_file] = [name, path.as_str()].map(|name| (kind.load)(name).ok().unwrap());
            assert_eq!(on_shelf.value, as_file.value);
            assert!(on_shelf.words.iter().all(|word| !word.is_empty()), "{name}");
            assert_ne!(on_shelf.words[0], *name, "{name} has a name of its own");
            // Subcommands are not used as names.
            assert!(!["list", "show", "check", "schema", "run", "help"].contains(name), "{name}");
        }
    }
}

#[test]
fn names_are_looked_up_on_the_shelf() {
    let [rules, contests] = kinds();
    let told = |kind: &Kind, name: &str| (kind.load)(name).err().unwrap().to_string();
    for (kind, name, words) in [
        (&rules, "canfeild", "there is no ruleset \"canfeild\" on the shelf; did you mean \"canfield\""),
        (&rules, "qqqq", "exorcism-die-draw"),
        (&rules, "rulesets/", "cannot read rulesets/"),
        (&contests, "nrets", "there is no contest \"nrets\" on the shelf; did you mean \"nerts\""),
        (&contests, "canfield", "nerts"),
        (&contests, "no-such-file.toml", "cannot read no-such-file.toml"),
    ] {
        assert!(told(kind, name).contains(words), "{}", told(kind, name));
    }
    assert!(!told(&rules, "qqqq").contains("did you mean"));
    // A contest's ruleset is looked up on the other shelf.
    let text = "rules = \"exorcsim\"\nplayers = 2\n[match]\ndeals = 1\n";
    let message = (contests.parse)(text).err().unwrap().to_string();
    assert!(message.starts_with("new.toml:1:9: there is no ruleset \"exorcsim\" on the shelf"), "{message}");
}

#[test]
fn a_ruleset_extends_files_beside_it() {
    let dir = "tests/data/rules-good";
    let loaded = rules::load(&format!("{dir}/extends-path.toml")).unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<&str> = loaded.sources.iter().map(|source| source.name.as_str()).collect();
    let paths = ["extends-path", "part-base"].map(|name| format!("{dir}/{name}.toml"));
    assert_eq!(names, [&*paths[0], &*paths[1], "rainbow", "canfield"]);
    let spec = loaded.rules.spec();
    // The name and what describes it are not inherited; its own `[heel]` merges into `[reserve]`.
    assert_eq!((&*spec.name, spec.also.len(), &*spec.about, &*spec.source), ("extends-path", 0, "", ""));
    assert_eq!((spec.tableau.build, spec.reserve.size), (Build::Any, 11));
    assert_eq!((spec.reserve.face, spec.casino.pays_per_card), (ReserveFace::All, 475));
    assert!(spec.scores.iter().map(|score| &*score.name).eq(["mine"]), "`[[score]]` is replaced");
}

#[test]
fn files_that_are_no_rulesets_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_string();
    fs::write(path("bytes.toml"), b"name = \"x\"\nabout = \"\xff\xfe\"\n").unwrap();
    let Err(LoadError::Faults(faults)) = rules::load(&path("bytes.toml")) else { panic!() };
    assert!(faults[0].position() == (2, 10) && render(&faults, false).contains("not UTF-8"));
    fs::write(path("long.toml"), vec![b'#'; (1 << 18) + 1]).unwrap();
    assert!(matches!(rules::load(&path("long.toml")), Err(LoadError::Unreadable { .. })));
    // A chain of a hundred files.
    for i in 0..100 {
        fs::write(path(&format!("{i}.toml")), format!("extends = \"{}.toml\"\n", i + 1)).unwrap();
    }
    fs::write(path("100.toml"), "").unwrap();
    let message = rules::load(&path("0.toml")).unwrap_err().to_string();
    assert!(message.contains("more than 32 files extend one another"), "{message}");
    assert_eq!(rules::load(&path("69.toml")).unwrap().sources.len(), 32);
}

/// The messages are limited, however long the text.
#[test]
fn a_text_full_of_faults_is_cut_short() {
    let text: String = (0..10_000).map(|i| format!("k{i} = 1\n")).collect();
    let Err(LoadError::Faults(faults)) = rules::parse_text("long.toml", &text) else { panic!() };
    assert_eq!(faults.len(), 10_000);
    let drawn = render(&faults, false);
    assert!(drawn.matches("error: ").count() == 20 && drawn.ends_with("\nand 9980 more\n"), "{drawn}");
    let told = LoadError::Faults(faults).to_string();
    assert_eq!((told.lines().count(), told.lines().last()), (21, Some("and 9980 more")));
}

/// The price of a deck follows its packs unless it is given, and rules made by a program are checked too.
#[test]
fn rules_have_a_price_and_are_sound() {
    let stake = |text: &str| rules::parse_text("test.toml", text).unwrap().rules.spec().casino.stake;
    let texts = ["deal.packs = 1", "deal.packs = 3", "deal.packs = 3\ncasino.stake = 52"];
    assert_eq!(texts.map(stake), [5200, 15600, 5200]);
    let mut spec = Spec::default();
    (spec.reserve.size, spec.casino.stake, spec.stock.draw) = (50, -1, Draw::ByPass(vec![]));
    let faults = Rules::new(spec).unwrap_err();
    let keys: Vec<&str> = faults.iter().map(|fault| fault.keys[0]).collect();
    assert_eq!(keys, ["reserve.size", "stock.draw", "tableau.deal", "casino.stake"]);
    assert_eq!(faults[0].to_string(), "reserve.size: `reserve.size` cannot be 50; allowed: 0 to 40");
}

fn player(name: &str, strategy: &str, speed: u32, jitter: u32, team: Option<&str>) -> PlayerSpec {
    let (name, strategy, team) = (name.to_string(), strategy.to_string(), team.map(str::to_string));
    PlayerSpec { name, strategy, speed, jitter, team }
}

#[test]
fn every_form_of_a_contest_is_read() {
    let dir = "tests/data/contests-good";
    let read =
        |name: &str| contest::load(&format!("{dir}/{name}.toml")).unwrap_or_else(|e| panic!("{e}")).spec;
    let players =
        |speed, jitter| [1, 2].map(|i| player(&format!("Player {i}"), "greedy", speed, jitter, None));
    let (a, b) = (Some("A"), Some("B"));
    let wanted = ContestSpec {
        name: "Every form \"quoted\"".into(),
        also: vec!["One".into(), "Two".into()],
        about: "Lines.\nMore.".into(),
        source: String::new(),
        rules: format!("{dir}/part-layout.toml"),
        foundations: Foundations::Shared,
        score: "second".into(),
        deal_ends: DealEnd::Reserve,
        goal: Goal::Target { points: 1000, max_rounds: 7 },
        gather: 500,
        players: vec![
            player("Ann", &format!("{dir}/part-own.rhai"), 1250, 0, a),
            player("Player 2", "scripts/greedy.rhai", 10, 990, b),
            player("Player 3", "scripts/greedy.rhai", 10, 990, b),
            player("Pair 1", "greedy", 1_000_000, 0, a),
            player("Pair 2", "greedy", 1_000_000, 0, a),
        ],
    };
    assert_eq!(read("every-form"), wanted);
    // A contest can replace parts of the one it extends: the players, the end of the match, and what depends on them.
    let extended = ContestSpec {
        name: "extends".into(),
        also: vec![],
        about: String::new(),
        foundations: Foundations::Own,
        deal_ends: DealEnd::AllUp,
        score: "first".into(),
        goal: Goal::Deals(3),
        players: players(1250, 0).into(),
        ..wanted
    };
    assert_eq!(read("extends"), extended);
    let least = ContestSpec {
        name: "least".into(),
        rules: "exorcism".into(),
        score: "points".into(),
        goal: Goal::Deals(1),
        gather: 30_000,
        players: players(1000, 200).into(),
        ..extended
    };
    assert_eq!(read("least"), least);
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
