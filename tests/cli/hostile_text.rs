//! Texts of strangers in every output: nothing in them controls a terminal or reverses a line, on a terminal or in a
//! file, and no spreadsheet evaluates them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::cli::run::{Ran, good, run, run_with};
use saratoga::diagnostic::{Diagnostic, SourceText, render};
use saratoga::text::steers;
use serde_json::Value;
use tempfile::tempdir;

const EVIL: &str = "e\u{1b}[31m\u{9b}2J\u{202e}\u{2066}\u{7f}\u{200f}\u{feff}\u{2028}vil";
/// The worst a name in a file may contain: control characters are rejected there.
const TURNED: &str = "t\u{202e}\u{2066}\u{200f}\u{feff}urned";
const DECK: &str = "8S 9H 4D 6C 5H 6H TC JH 3S 7C KS 2C 9D QH 2S JD 8D AC 3C 4S QC 5C 7S 9S 4C 8H KH 3H TS 6S 2D 5D \
                    QS 9C KC JS AH QD 8C 7D TH TD 2H 4H JC AS AD 5S KD 3D 6D 7H";

fn harmless(what: &str, text: &str) {
    let found = text.chars().find(|&c| steers(c) && c != '\n' && c != '\t');
    assert_eq!(found, None, "{what}: {text:?}");
}

/// Runs a command line with hostile words; its output contains no control characters, and no line begins with the
/// words.
fn runs(args: &[&str], folder: &Path, code: i32) -> Ran {
    let ran = run(args, folder);
    harmless(&format!("{args:?}"), &format!("{}{}", ran.out, ran.err));
    assert_eq!(ran.code, Some(code), "{args:?}: {}{}", ran.out, ran.err);
    assert!(!ran.err.lines().any(|line| line.starts_with("fake")), "{args:?}: {}", ran.err);
    ran
}

/// Checks that every text file in a folder and below is harmless.
fn files_are_harmless(folder: &Path) -> usize {
    let mut files = 0;
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        match path.extension().and_then(|it| it.to_str()) {
            _ if path.is_dir() => files += files_are_harmless(&path),
            Some("png") => {}
            // Only the program itself reads the file from which a run is resumed.
            _ if path.ends_with("run.blocks") => {}
            _ => {
                harmless(&path.display().to_string(), &fs::read_to_string(&path).unwrap());
                files += 1;
            }
        }
    }
    files
}

fn turned_rules() -> String {
    format!(
        "name = \"{TURNED}\"\nextends = \"canfield\"\nabout = \"About {TURNED} \\u001b[31m.\"\nalso = [\"{TURNED}\"]\n\
         source = \"\\u001b]0;x\\u0007 {TURNED}\" # {TURNED}\n[casino]\ncurrency = \"\u{202e}$\"\n\
         [[score]]\nname = \"=1+1 {TURNED}\"\nwon = 1\n[[score]]\nname = \"@SUM(A1)\"\nwon = 1\n\
         [[score]]\nname = \"-cmd\"\nwon = -2\nconstant = -7\n"
    )
}

#[test]
fn command_lines_are_shown_harmless() {
    let dir = tempdir().unwrap();
    let here = dir.path();
    let lines = format!("{EVIL}\nfake: all is well");
    let option = format!("--{lines}");
    let both = format!("--seed={lines}");
    for word in [EVIL, &lines, &option] {
        let path = format!("./{word}.toml");
        for args in [
            &["simulate", word][..],
            &["simulate", &path],
            &["simulate", "-s", word],
            &["simulate", "-s", &path],
            &["simulate", "-n", word],
            &["simulate", &option],
            &["simulate", &both],
            &["simulate", "--threads", word],
            &["simulate", "--set", word],
            &["simulate", "--precision", word],
            &[word],
            &["rules", word],
            &["rules", "show", word],
            &["rules", "check", word, &path],
            &["scripts", "show", word],
            &["scripts", "check", &path],
            &["contest", word],
            &["contest", &path],
            &["deal", "--deck", word],
            &["deal", "--deals", word],
            &["check", word],
            &["check", "-", "--rules", word],
            &["sweep", "canfield", "--vary", word],
            &["solve", "--memory", word],
            &["completions", word],
        ] {
            let ran = runs(args, here, 2);
            assert!(ran.out.is_empty() && ran.err.contains("\\u"), "{args:?}: {}", ran.err);
        }
    }
}

#[test]
fn files_with_hostile_names_are_shown_harmless() {
    let dir = tempdir().unwrap();
    let here = dir.path();
    let path = format!("./{EVIL}\nfake.toml");
    fs::write(here.join(&path), "name = \"House\"\nextends = \"canfield\"\n").unwrap();
    for args in [
        &["rules", "check", &path][..],
        &["rules", "show", &path],
        &["rules", "show", &path, "--json"],
        &["deal", &path],
        &["deal", &path, "--json"],
        &["replay", &path],
        &["replay", &path, "--json"],
        &["perft", &path, "--depth", "2"],
        &["simulate", &path, "-n", "100", "--out", "out"],
        &["simulate", &path, "-n", "100"],
        &["contest", "racing-demon", "-n", "10", "--no-factors", "--out", &format!("c{EVIL}\nfake")],
        &[
            "compare",
            &path,
            "-s",
            "greedy",
            "-s",
            "random",
            "-n",
            "100",
            "--difference",
            "0.1",
            "--out",
            "compared",
        ],
        &["solve", &path, "-n", "2", "--nodes", "500", "--memory", "16MiB", "--out", "solved"],
    ] {
        let ran = runs(args, here, 0);
        assert!(!ran.out.lines().any(|line| line.starts_with("fake")), "{args:?}: {}", ran.out);
    }
    for folder in ["out", "compared", "solved"] {
        assert!(files_are_harmless(&here.join(folder)) > 2);
    }
    let records = good(&["replay", &path, "--json"], here);
    let checked = run_with(&["check", "-"], here, &records);
    assert_eq!((checked.code, &*checked.out), (Some(0), "1 record checked: 1 good, 0 at fault\n"));
    fs::write(here.join(EVIL), records.replace("\"moves\":\"", "\"moves\":\"\u{202e}\\u001b\\u009b "))
        .unwrap();
    let found = runs(&["check", EVIL], here, 2);
    assert!(
        found.out.contains("is not legal here") && found.out.starts_with("e\\u001b[31m"),
        "{}",
        found.out
    );
}

#[test]
fn rulesets_are_shown_harmless() {
    let dir = tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("turned.toml"), turned_rules()).unwrap();
    for args in [
        &["rules", "show", "./turned.toml"][..],
        &["rules", "show", "./turned.toml", "--all"],
        &["simulate", "./turned.toml", "canfield", "-n", "200", "--out", "out", "--csv"],
        &["simulate", "./turned.toml", "-n", "200", "--json"],
        &["price", "./turned.toml", "-n", "500", "--out", "price"],
        &["bankroll", "./turned.toml", "-n", "1000", "--bootstrap", "100", "--out", "bankroll"],
        &["bracket", "./turned.toml", "-s", "greedy", "-n", "5", "--out", "bracket"],
        &["sweep", "./turned.toml", "--vary", "reserve.size=12,13", "--budget", "4000", "--out", "sweep"],
    ] {
        runs(args, here, 0);
    }
    assert!(
        ["out", "price", "bankroll", "bracket", "sweep"]
            .map(|it| files_are_harmless(&here.join(it)))
            .iter()
            .all(|&n| n > 2)
    );
    // Data are shown unchanged.
    let shown: Value =
        serde_json::from_str(&runs(&["rules", "show", "./turned.toml", "--json"], here, 0).out).unwrap();
    assert_eq!(shown["files"][0]["text"], turned_rules());
    let summary = fs::read_to_string(here.join("out/summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["rules"][0]["name"], TURNED);

    let csv = fs::read_to_string(here.join("out/games-turned-greedy.csv")).unwrap();
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let turned = "\\u202e\\u2066\\u200f\\ufeffurned";
    assert_eq!(header[8..], [&format!("'=1+1 t{turned}"), "'@SUM(A1)", "'-cmd"]);
    let row: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    assert!(row[7].parse::<i64>().is_ok() && row[10] == "-7", "numbers stay numbers: {row:?}");

    for (name, text) in [
        ("key.toml", "extends = \"canfield\"\n\"\\u001b[31m\\u202e\" = 1\n".to_string()),
        ("value.toml", "extends = \"canfield\"\n[stock]\non_redeal = \"\\u001b[31m\\u202e\\nfake\"\n".into()),
        ("raw.toml", format!("extends = \"canfield\" # {EVIL}\nx = {EVIL}\n")),
        ("extends.toml", "name = \"x\"\nextends = \"\\u001b[31m\\u202e\\nfake\"\n".into()),
        ("path.toml", "name = \"x\"\nextends = \"./\\u001b[31m\\u202e\\nfake.toml\"\n".into()),
    ] {
        fs::write(here.join(name), text).unwrap();
        let ran = runs(&["rules", "check", &format!("./{name}")], here, 2);
        assert!(ran.err.contains("\\u202e"), "{name}: {}", ran.err);
    }
}

#[test]
fn scripts_are_shown_harmless() {
    let dir = tempdir().unwrap();
    let here = dir.path();
    let text = "\\x1b[31m\\u202e\\u009b\\nfake: x";
    let script = |name: &str, body: &str| fs::write(here.join(name), body).unwrap();
    script(
        "prints.rhai",
        &format!("// {EVIL}\nfn score(view, m) {{ print(\"{text}\"); if m.is_draw {{ 0 }} else {{ 1 }} }}"),
    );
    script("throws.rhai", &format!("fn score(view, m) {{ throw \"{text}\"; }}"));
    script("breaks.rhai", &format!("fn score(view, m) {{ let x = \"{EVIL}\" + ; }}"));
    let shown = runs(&["replay", "-s", "./prints.rhai"], here, 0).out;
    assert!(shown.contains("  | \\u001b[31m\\u202e\\u009b\n  | fake: x\n"), "{shown}");
    runs(&["scripts", "show", "./prints.rhai"], here, 0);
    runs(&["scripts", "check", "./prints.rhai"], here, 0);
    for args in [
        &["replay", "-s", "./throws.rhai"][..],
        &["simulate", "-s", "./throws.rhai", "-n", "10", "--no-report"],
    ] {
        assert!(runs(args, here, 1).err.contains("\\u001b[31m\\u202e\\u009b"));
    }
    runs(&["scripts", "check", "./breaks.rhai"], here, 2);
    runs(&["simulate", "-s", "./prints.rhai", "-n", "20", "--out", "out"], here, 0);
    files_are_harmless(&here.join("out"));
}

#[test]
fn deals_are_shown_harmless() {
    let dir = tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("deals.txt"), format!("=cmd|' /C calc'!A0 {EVIL}\t{DECK}\n\u{202e}+1\t{DECK}\n"))
        .unwrap();
    for args in [
        &["deal", "--deals", "deals.txt"][..],
        &["deal", "--deals", "deals.txt", "--json"],
        &["replay", "--deals", "deals.txt"],
        &["replay", "--deals", "deals.txt", "--explain"],
        &["solve", "--deals", "deals.txt", "--nodes", "500", "--memory", "16MiB", "--json"],
        &["solve", "--deals", "deals.txt", "--nodes", "500", "--memory", "16MiB", "--out", "out"],
    ] {
        runs(args, here, 0);
    }
    files_are_harmless(&here.join("out"));
    let csv = fs::read_to_string(here.join("out/deals.csv")).unwrap();
    assert!(csv.lines().nth(1).unwrap().starts_with("'=cmd|"), "{csv}");
    fs::write(here.join("bad.txt"), format!("{EVIL}\t{DECK} {EVIL}\n")).unwrap();
    runs(&["deal", "--deals", "bad.txt"], here, 2);
}

#[test]
fn contests_are_shown_harmless() {
    let dir = tempdir().unwrap();
    let here = dir.path();
    let contest = format!(
        "name = \"{TURNED}\"\nextends = \"racing-demon\"\nabout = \"{TURNED} \\u001b[31m\"\n\
         [[player]]\nname = \"=1+1 {TURNED}\"\n[[player]]\nname = \"+{TURNED}\"\n"
    );
    fs::write(here.join("evil.toml"), contest).unwrap();
    for args in [
        &["contest", "check", "./evil.toml"][..],
        &["contest", "show", "./evil.toml"],
        &["contest", "./evil.toml", "--match", "0"],
        &["contest", "./evil.toml", "--match", "0", "--json"],
        &["contest", "./evil.toml", "-n", "20", "--no-factors", "--out", "out"],
    ] {
        runs(args, here, 0);
    }
    files_are_harmless(&here.join("out"));
    for entry in here.join("out").read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        if entry.extension().is_some_and(|it| it == "csv") {
            let text = fs::read_to_string(&entry).unwrap();
            let cells = text.lines().flat_map(|line| line.split(','));
            let computed = cells.filter(|cell| cell.trim_start_matches('"').starts_with(['=', '+', '@']));
            assert_eq!(computed.count(), 0, "{text}");
        }
    }
}

/// A diagnostic has the program's own colours and no others.
#[test]
fn colours_are_the_programs_own() {
    let source = Arc::new(SourceText { name: EVIL.into(), text: format!("a = 1\nb = {EVIL} # {EVIL}\n") });
    let at = source.text.find(EVIL).unwrap();
    let fault = Diagnostic::error(&source, at..at + EVIL.len(), format!("{EVIL}\nfake")).help(EVIL);
    harmless("plain", &render(std::slice::from_ref(&fault), false));
    harmless("one line", &fault.to_string());
    assert!(!fault.to_string().contains('\n'));
    let coloured = render(&[fault], true);
    let mut rest = &*coloured;
    let mut plain = String::new();
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        let (colour, after) = after.split_once('m').unwrap();
        assert!(colour.chars().all(|c| c.is_ascii_digit() || c == ';'), "{colour:?}");
        plain.push_str(before);
        rest = after;
    }
    harmless("without colours", &format!("{plain}{rest}"));
}
