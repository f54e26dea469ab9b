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
                  note   interpreted: line 4, column 18: a string\n  \
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

#[test]
fn check_reports_what_always_fails_and_prints_stages_of_the_compiler() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("half.rhai"), "fn score(view, m) {\n    return 50.5;\n}\n").unwrap();
    let checked = run(&["scripts", "check", "./half.rhai"], dir.path());
    assert_eq!((checked.code, &*checked.out), (Some(2), ""));
    let (told, place) = (&checked.err, "half.rhai:2:12");
    assert!(told.contains("returns a decimal number here") && told.contains(place), "{told}");
    // A list at the top is constant.
    let text = "const SEEN = [0];\nfn score(view, m) { SEEN[0] = 1; 3 }\n";
    fs::write(dir.path().join("seen.rhai"), text).unwrap();
    let checked = run(&["scripts", "check", "./seen.rhai"], dir.path());
    assert!(checked.out.starts_with("./seen.rhai: good, with a warning\n"), "{}", checked.out);
    assert!(checked.code == Some(0) && checked.err.contains("changes nothing"), "{}", checked.err);
    let hir = good(&["scripts", "check", "--emit", "hir", "patient"], Path::new("."));
    assert!(hir.starts_with("score of Draw cost="), "{hir}");
    let ops = good(&["scripts", "check", "--emit", "ops", "patient"], Path::new("."));
    assert!(ops.contains("\n    0  "), "{ops}");
    let none = run(&["scripts", "check", "--emit", "ops", "./half.rhai"], dir.path());
    assert_eq!((none.code, &*none.out), (Some(2), ""));
}
