//! Scripts on the command line: what is compiled, and what is not.

use std::fs;
use std::path::Path;

use crate::run::{good, run};
use tempfile::tempdir;

/// Two functions that are compiled and two that are not.
const MIXED: &str = "fn score(view, m) { note(m); if m.is_draw { ODD } else { rank(m.card) } }\n\
                     const ODD = 1;\n\
                     fn note(m) {\n    let texts = [\"a\", \"b\"];\n    texts.len() }\n\
                     fn rank(c) { if c == () { 0 } else { c.rank } }\n\
                     fn left(view) { view.reserve_left }\n";

#[test]
fn check_says_which_functions_are_compiled_and_what_stops_the_others() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("mixed.rhai"), MIXED).unwrap();
    let told = good(&["scripts", "check", "./mixed.rhai"], dir.path());
    let wanted = "./mixed.rhai: good\n  \
                  score  compiled\n  \
                  note   interpreted: line 4, column 17: an array\n  \
                  rank   compiled\n  \
                  left   interpreted: line 7, column 4: only interpreted functions call it, or nothing does\n";
    assert_eq!(told, wanted);
    let shelf = good(&["scripts", "check", "patient", "hoarder"], Path::new("."));
    assert!(!shelf.contains("interpreted") && shelf.matches(" compiled").count() == 11, "{shelf}");
    // What makes the texts of steps is interpreted, and rarely asked.
    let cautious = good(&["scripts", "check", "cautious"], Path::new("."));
    assert!(cautious.contains("  stage      interpreted: line 24, column 14: a string\n"), "{cautious}");
}

#[test]
fn interpreted_scripts_say_the_same_to_the_last_byte() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("mixed.rhai"), MIXED).unwrap();
    let simulate = |more: &[&str]| {
        let words =
            ["simulate", "canfield", "bsd", "-s", "patient", "-s", "./mixed.rhai", "-n", "60", "--json"];
        good(&[&words, more].concat(), dir.path())
    };
    assert_eq!(simulate(&[]), simulate(&["--interpret"]));
    let contest = |more: &[&str]| {
        let words = ["contest", "racing-demon", "-s", "racer", "-n", "2", "--no-factors", "--json"];
        good(&[&words, more].concat(), dir.path())
    };
    assert_eq!(contest(&[]), contest(&["--interpret"]));
}

#[test]
fn a_fault_is_told_the_same_compiled_or_not() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("bad.rhai"), "fn score(view, m) {\n    100 / (view.reserve_left - 12)\n}\n")
        .unwrap();
    let words = ["simulate", "canfield", "-s", "./bad.rhai", "-n", "200", "--seed", "3", "-q"];
    let (compiled, interpreted) =
        (run(&words, dir.path()), run(&[&words[..], &["--interpret"]].concat(), dir.path()));
    assert_eq!(compiled.code, Some(1));
    assert!(
        compiled.err.contains("division by zero") && compiled.err.contains("bad.rhai:2:9"),
        "{}",
        compiled.err
    );
    assert_eq!(compiled.err, interpreted.err);
}
