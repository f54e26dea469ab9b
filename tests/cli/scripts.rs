//! The commands about scripts: what is compiled, and what is not.

use std::fs;
use std::path::Path;

use crate::cli::run::{good, run};
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
    let checked = run(&["scripts", "check", "./mixed.rhai"], dir.path());
    let wanted = "./mixed.rhai: good, with a warning\n  \
                  score  compiled\n  \
                  note   interpreted: line 4, column 18: a string\n  \
                  rank   compiled\n  \
                  left   interpreted: line 7, column 4: it is never used\n";
    assert_eq!((checked.code, &*checked.out), (Some(0), wanted));
    assert!(checked.err.contains("the function `left` is never used"), "{}", checked.err);
    let shelf = good(&["scripts", "check", "patient", "hoarder"], Path::new("."));
    assert!(!shelf.contains("interpreted") && shelf.matches(" compiled").count() == 13, "{shelf}");
    // The function for stages builds texts, so it is interpreted; it is called rarely.
    let cautious = good(&["scripts", "check", "cautious"], Path::new("."));
    assert!(cautious.contains("  stage      interpreted: line 25, column 14: a string\n"), "{cautious}");
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
    let hir = good(&["scripts", "check", "--emit", "patient"], Path::new("."));
    assert!(hir.starts_with("score of Draw cost="), "{hir}");
    let none = run(&["scripts", "check", "--emit", "./half.rhai"], dir.path());
    assert_eq!((none.code, &*none.out), (Some(2), ""));
}

#[test]
fn check_gives_errors_and_warnings_as_json_for_editors() {
    let dir = tempdir().unwrap();
    let text = "const UNTIL = param(4, 0..=9);\nfn never_called(x) { x + 1 }\nfn score(view, m) {\n    let unused = 3;\n    \
                if m.card == \"TH\" { return 90; }\n    if m.count == true { return 80; }\n    \
                if m.to_foundation { return 50; return 40; }\n    1\n}\n";
    fs::write(dir.path().join("lint.rhai"), text).unwrap();
    fs::write(dir.path().join("bad.rhai"), "fn score(view, m) { m.cuont + m.crad }\n").unwrap();
    let places = |words: &[&str], code: i32| {
        let checked = run(&[&["scripts", "check", "--json"], words].concat(), dir.path());
        assert_eq!((checked.code, &*checked.err), (Some(code), ""), "{}", checked.out);
        let found: Vec<serde_json::Value> = serde_json::from_str(&checked.out).unwrap();
        let place = |it: &serde_json::Value| {
            assert!(it["message"].is_string() && it["help"].is_string(), "{it}");
            let numbers = ["line", "column", "end_line", "end_column"].map(|key| it[key].as_u64().unwrap());
            (it["file"].as_str().unwrap().to_string(), numbers, it["severity"].as_str().unwrap().to_string())
        };
        found.iter().map(place).collect::<Vec<_>>()
    };
    let told =
        |file: &str, numbers: [u64; 4], severity: &str| (file.to_string(), numbers, severity.to_string());
    let warnings = [[1, 7, 1, 12], [2, 4, 2, 16], [4, 9, 4, 15], [5, 8, 5, 9], [6, 8, 6, 9], [7, 37, 7, 43]];
    let mut wanted = warnings.map(|at| told("./lint.rhai", at, "warning")).to_vec();
    assert_eq!(places(&["./lint.rhai"], 0), wanted);
    assert!(places(&["patient", "hoarder"], 0).is_empty());
    wanted.push(told("./bad.rhai", [1, 23, 1, 28], "error"));
    wanted.push(told("./bad.rhai", [1, 33, 1, 37], "error"));
    assert_eq!(places(&["./lint.rhai", "./bad.rhai"], 2), wanted);
    // The same for people.
    let checked = run(&["scripts", "check", "./lint.rhai"], dir.path());
    assert!(checked.out.starts_with("./lint.rhai: good, with 6 warnings\n"), "{}", checked.out);
    assert!(checked.code == Some(0) && checked.err.contains("./lint.rhai:7:37"), "{}", checked.err);
}

/// The most memory for the fewest operations stays within the limit stated in the guide.
#[cfg(target_os = "linux")]
#[test]
fn no_script_takes_more_memory_than_the_guide_says() {
    use std::process::{Command, Stdio};

    // In kB, as Linux reports it.
    let most_memory = |process: u32| {
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        status.lines().find_map(|it| it.strip_prefix("VmHWM:")?.trim().split(' ').next()?.parse::<u64>().ok())
    };
    let dir = tempdir().unwrap();
    let copies = |value: &str| -> String { (0..240).map(|i| format!("let b{i} = {value}; ")).collect() };
    let copying = |list: &str| {
        format!(
            "fn f(view, d, x) {{ {} if d > 0 {{ f(view, d - 1, x) }} else {{ 1 }} }}\n\
             fn score(view, m) {{ {list} f(view, 30, x) }}",
            copies("x")
        )
    };
    let this = format!(
        "fn g(d) {{ {} if d > 0 {{ this.g(d - 1) }} else {{ 1 }} }}\n\
         fn score(view, m) {{ let x = []; x.pad(8192, 1); x.g(28) }}",
        copies("this")
    );
    for text in [
        copying("let x = []; x.pad(8192, m);"),
        copying("let x = []; x.pad(8192, 0..3);"),
        copying("let x = #{}; for i in 0..1020 { x[`k${i}`] = i; }"),
        copying("let s = \"\"; s.pad(8000, \"ab\"); let x = s.chars();"),
        this,
        format!(
            "fn g() {{ loop {{ this += \"{}\"; }} }}\nfn score(view, m) {{ let x = \"\"; x.g(); 1 }}",
            "a".repeat(2000)
        ),
    ] {
        fs::write(dir.path().join("costly.rhai"), &text).unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_saratoga"));
        program.args(["simulate", "canfield", "-n", "1", "-s", "./costly.rhai", "--threads", "1", "-q"]);
        let mut child =
            program.current_dir(dir.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut most = 0;
        let status = loop {
            most = most.max(most_memory(child.id()).unwrap_or(0));
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None => std::thread::sleep(std::time::Duration::from_millis(2)),
            }
        };
        assert_eq!(status.code(), Some(1), "{text}");
        assert!(most < 300_000, "{most} kB of\n{text}");
    }
}

/// Tests a folder with a script, its records and its positions; returns the output.
fn tested(positions: &str) -> crate::cli::run::Ran {
    let dir = tempdir().unwrap();
    let records = good(&["replay", "canfield", "-s", "patient", "--game", "2..4", "--json"], Path::new("."));
    fs::write(dir.path().join("games.jsonl"), records).unwrap();
    fs::write(
        dir.path().join("mine.rhai"),
        "fn score(view, m) {\n    memory[0] += if m.is_draw { 1 } else { 0 };\n    \
         if view.cards > 10 { return m.card.rank; }\n    if m.is_draw { 1 + memory[0] % 2 } else { 2 }\n}\n",
    )
    .unwrap();
    fs::write(dir.path().join("mine.toml"), positions).unwrap();
    run(&["scripts", "test", "./mine.toml"], dir.path())
}

#[test]
fn positions_that_come_out_as_they_must_are_good() {
    let good = tested(
        "[[position]]\nabout = \"as patient\"\nrecord = \"games.jsonl\"\nmove = 12\nmust = [\"R>T1\", \"W>F\"]\n\
         [[position]]\nrecord = \"games.jsonl\"\nline = 2\nmove = 5\nmust_not = [\"resign\"]\n",
    );
    assert_eq!((good.code, &*good.out, &*good.err), (Some(0), "./mine.toml: 2 positions, good\n", ""));
    // Those of the shelf.
    let shelf = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    let files: Vec<_> = fs::read_dir(&shelf).unwrap().map(|file| file.unwrap().path()).collect();
    let files: Vec<_> = files.iter().filter(|file| file.extension().is_some_and(|it| it == "toml")).collect();
    assert!(files.len() >= 2, "{files:?}");
    for file in files {
        let told = run(&["scripts", "test", file.to_str().unwrap()], Path::new("."));
        assert_eq!(told.code, Some(0), "{}", told.err);
    }
}

#[test]
fn every_position_that_fails_is_shown_with_its_place() {
    let failed = tested(
        "strategy = \"patient\"\n[[position]]\nabout = \"The waste waits\"\nrecord = \"games.jsonl\"\nmove = 54\n\
         must = [\"W>T3\"]\n[[position]]\nrecord = \"games.jsonl\"\nmove = 12\nmust_not = [\"draw\", \"W>F\"]\n\
         [[position]]\nrecord = \"games.jsonl\"\nmove = 12\nmust = [\"W>F\"]\n",
    );
    assert_eq!((failed.code, &*failed.out), (Some(1), "./mine.toml: 3 positions, 2 failed\n"));
    for wanted in [
        "`patient` chooses `draw` at move 54; it must choose `W>T3`",
        "mine.toml:6:8",
        "The waste waits; legal there: W>T3, W>T4, draw",
        "`patient` chooses `W>F` at move 12; it must not choose `draw` or `W>F`",
        "mine.toml:10:12",
    ] {
        assert!(failed.err.contains(wanted), "{wanted}\n{}", failed.err);
    }
    // A failing script is reported at its own position, with the game position in which it failed.
    let faulty = tested("[[position]]\nrecord = \"games.jsonl\"\nmove = 160\nmust = [\"draw\"]\n");
    assert_eq!(faulty.code, Some(1));
    assert!(
        faulty.err.contains("mine.rhai:3:") && faulty.err.contains("mine.toml:2, up to move 160"),
        "{}",
        faulty.err
    );
}

#[test]
fn positions_that_cannot_be_are_faults_of_the_file() {
    let is_fault = |positions: &str, wanted: &[&str]| {
        let told = tested(positions);
        assert_eq!((told.code, &*told.out), (Some(2), ""), "{positions}\n{}", told.err);
        for wanted in wanted {
            assert!(told.err.contains(wanted), "{wanted}\n{}", told.err);
        }
    };
    is_fault("about = \"nothing\"\n", &["there is no position in this file"]);
    is_fault(
        "[[position]]\nrecord = \"games.jsonl\"\nmvoe = 3\nmust = [\"draw\"]\n",
        &["needs its `move`", "did you mean `move`?", "mine.toml:3:1"],
    );
    is_fault(
        "[[position]]\nrecord = \"games.jsonl\"\nmove = 3\n[[position]]\nrecord = \"games.jsonl\"\nline = 9\nmove = 3\n\
         must = [\"draw\"]\n[[position]]\nrecord = \"{}\"\nmove = 1\nmust = [\"draw\"]\n\
         [[position]]\nrecord = \"none.jsonl\"\nmove = 1\nmust = [\"draw\"]\nmust_not = [\"draw\"]\n",
        &[
            "needs `must` or `must_not`",
            "games.jsonl has no line 9",
            "mine.toml:6:8",
            "allowed: 1 to 2, the lines of ./games.jsonl",
            "this is no record: missing field",
            "`draw` must be chosen and must not",
        ],
    );
    is_fault(
        "[[position]]\nrecord = \"games.jsonl\"\nmove = 5000\nmust = [\"draw\"]\n[[position]]\nrecord = \"games.jsonl\"\n\
         move = 2\nmust = [\"W>T9\"]\n",
        &[
            "so there is no move 5000",
            "allowed: 1 to ",
            "`must` names `W>T9`, which is not legal at move 2",
            "legal there: ",
        ],
    );
    is_fault(
        "[[position]]\nrecord = \"{}\"\nline = 2\nmove = 1\nmust = [\"draw\"]\n",
        &["mine.toml:3:8", "`line` is for a file of records", "leave `line` out"],
    );
    is_fault(
        "strategy = \"patiend\"\n[[position]]\nrecord = \"games.jsonl\"\nmove = 5\nmust = [\"draw\"]\n",
        &["no strategy is called", "did you mean `patient`?"],
    );
}

#[test]
fn explain_names_lines_and_traces_variables() {
    let dir = tempdir().unwrap();
    let text = "fn score(view, m) {\n    let left = view.reserve_left;\n    if m.is_draw {\n        return left;\n    }\n    \
                left * 2\n}\n";
    fs::write(dir.path().join("mine.rhai"), text).unwrap();
    let told = good(&["replay", "canfield", "-s", "./mine.rhai", "--trace", "6"], dir.path());
    assert!(told.contains("  line 4\n") && told.contains("  line 6\n"), "{told}");
    assert!(told.contains(", left = 13\n"), "{told}");
    let text = "fn score(view, m) {\n    let next = view.after(m);\n    let deal = view.sample(0);\n    \
                let then = deal.after(m);\n    next.cards + then.cards\n}\n";
    fs::write(dir.path().join("looks.rhai"), text).unwrap();
    let told = good(&["replay", "canfield", "-s", "./looks.rhai", "--trace", "5"], dir.path());
    let wanted = "next = the view after draw (1 card up), deal = a sampled deal (1 card up), then = a sampled deal after draw (1 card up)";
    assert!(told.contains(wanted), "{told}");
    let none = run(&["replay", "canfield", "-s", "./mine.rhai", "--trace", "5"], dir.path());
    assert_eq!(none.code, Some(2));
    assert!(none.err.contains("no statement begins on line 5"), "{}", none.err);
    let native = run(&["replay", "canfield", "-s", "greedy", "--trace", "5"], dir.path());
    assert_eq!(native.code, Some(2));
    assert!(native.err.contains("`greedy` is no single script"), "{}", native.err);
}

#[test]
fn a_profile_is_also_a_page() {
    let dir = tempdir().unwrap();
    let text = "fn score(view, m) {\n    if m.is_draw { return 1; }\n    if view.cards > 60 {\n        return 7 < 8 & 3;\n    }\n    2\n}\n";
    fs::write(dir.path().join("mine.rhai"), text).unwrap();
    let told = good(
        &["scripts", "profile", "canfield", "./mine.rhai", "-n", "5", "--page", "profile.html"],
        dir.path(),
    );
    assert_eq!(told, "The profile is in profile.html.\n");
    let page = fs::read_to_string(dir.path().join("profile.html")).unwrap();
    for wanted in [
        "<strong>1 line never ran</strong>: <a href=\"#L4\">4</a>",
        "class=\"never\" id=\"L4\"",
        "return 7 &lt; 8 &amp; 3;",
        "saratoga scripts profile canfield ./mine.rhai -n 5 --seed 1 --page profile.html",
    ] {
        assert!(page.contains(wanted), "{wanted}\n{page}");
    }
}

#[test]
fn a_player_without_a_script_shows_its_settings() {
    let ran = run(&["scripts", "show", "search"], Path::new("."));
    assert_eq!(ran.code, Some(2));
    let settings = "no script, but settings: level, worlds, judged, nodes, ways, goal and policy;";
    assert!(ran.err.contains(settings), "{}", ran.err);
}
