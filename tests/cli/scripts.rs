//! The commands about scripts: what is compiled and what is not, checks, tests of positions, profiles, traces.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::program::{Lab, Ran, has, list};

/// Two functions that are compiled and two that are not.
const MIXED: &str = "fn score(view, m) { note(m); if m.is_draw { ODD } else { rank(m.card) } }\n\
                     const ODD = 1;\n\
                     fn note(m) {\n    let texts = [\"a\", \"b\"];\n    texts.len() }\n\
                     fn rank(c) { if c == () { 0 } else { c.rank } }\n\
                     fn left(view) { view.reserve_left }\n";

#[test]
fn check_says_which_functions_are_compiled_and_what_stops_the_others() {
    let lab = Lab::with(&[("mixed.rhai", MIXED)]);
    let checked = lab.run("scripts check ./mixed.rhai");
    let wanted = "./mixed.rhai: good, with a warning\n  \
                  score  compiled\n  \
                  note   interpreted: line 4, column 18: a string\n  \
                  rank   compiled\n  \
                  left   interpreted: line 7, column 4: it is never used\n";
    assert_eq!((checked.code, &*checked.out), (Some(0), wanted));
    has(&checked.err, "the function `left` is never used");
    let shelf = lab.good("scripts check patient hoarder");
    assert!(!shelf.contains("interpreted") && shelf.matches(" compiled").count() == 13, "{shelf}");
    // The function for stages builds texts, so it is interpreted; it is called rarely.
    has(&lab.good("scripts check cautious"), "  stage      interpreted: line 25, column 14: a string\n");
    // Interpreted scripts say the same to the last byte.
    for line in [
        "simulate canfield bsd -s patient -s ./mixed.rhai -n 60",
        "contest racing-demon -s racer -n 2 --no-factors",
    ] {
        assert_eq!(lab.json(line), lab.json(&format!("{line} --interpret")));
    }
}

#[test]
fn a_fault_is_told_the_same_compiled_or_not() {
    let lab = Lab::with(&[("bad.rhai", "fn score(view, m) {\n    100 / (view.reserve_left - 12)\n}\n")]);
    let [compiled, interpreted] = ["", "--interpret"]
        .map(|how| lab.run(&format!("simulate canfield -s ./bad.rhai -n 200 --seed 3 -q {how}")));
    assert_eq!((compiled.code, &compiled.err), (Some(1), &interpreted.err));
    has(&compiled.err, "division by zero|bad.rhai:2:9");
}

#[test]
fn check_gives_errors_and_warnings_to_people_and_editors() {
    let lint = "const UNTIL = param(4, 0..=9);\nfn never_called(x) { x + 1 }\nfn score(view, m) {\n    let unused = 3;\n    \
                if m.card == \"TH\" { return 90; }\n    if m.count == true { return 80; }\n    \
                if m.to_foundation { return 50; return 40; }\n    1\n}\n";
    let lab = Lab::with(&[
        ("lint.rhai", lint),
        ("bad.rhai", "fn score(view, m) { m.cuont + m.crad }\n"),
        ("half.rhai", "fn score(view, m) {\n    return 50.5;\n}\n"),
        // A list at the top is constant.
        ("seen.rhai", "const SEEN = [0];\nfn score(view, m) { SEEN[0] = 1; 3 }\n"),
    ]);
    let places = |scripts: &str, code: i32| {
        let checked = lab.run(&format!("scripts check --json {scripts}"));
        assert_eq!((checked.code, &*checked.err), (Some(code), ""), "{}", checked.out);
        let found: Value = serde_json::from_str(&checked.out).unwrap();
        let place = |it: &Value| {
            assert!(it["message"].is_string() && it["help"].is_string(), "{it}");
            json!([it["file"], it["severity"], it["line"], it["column"], it["end_line"], it["end_column"]])
        };
        list(&found).iter().map(place).collect::<Vec<_>>()
    };
    let warnings = [[1, 7, 1, 12], [2, 4, 2, 16], [4, 9, 4, 15], [5, 8, 5, 9], [6, 8, 6, 9], [7, 37, 7, 43]];
    let mut wanted: Vec<Value> =
        warnings.iter().map(|[a, b, c, d]| json!(["./lint.rhai", "warning", a, b, c, d])).collect();
    assert_eq!(places("./lint.rhai", 0), wanted);
    assert!(places("patient hoarder", 0).is_empty());
    wanted.extend([(23, 28), (33, 37)].map(|(from, to)| json!(["./bad.rhai", "error", 1, from, 1, to])));
    assert_eq!(places("./lint.rhai ./bad.rhai", 2), wanted);
    // The same for people.
    for (file, good, said) in [
        ("lint", "./lint.rhai: good, with 6 warnings\n", "./lint.rhai:7:37"),
        ("seen", "./seen.rhai: good, with a warning\n", "changes nothing"),
    ] {
        let checked = lab.run(&format!("scripts check ./{file}.rhai"));
        assert!(checked.code == Some(0) && checked.out.starts_with(good), "{}", checked.out);
        has(&checked.err, said);
    }
    lab.refused("scripts check ./half.rhai", "returns a decimal number here|half.rhai:2:12");
    lab.refused("scripts check --emit ./half.rhai", "is not compiled");
    has(&lab.good("scripts check --emit patient"), "score of Draw cost=");
    lab.refused(
        "scripts show search",
        "no script, but settings: level, worlds, judged, nodes, ways, goal and policy;",
    );
}

/// The most memory for the fewest operations stays within the limit stated in the guide.
#[cfg(target_os = "linux")]
#[test]
fn no_script_takes_more_memory_than_the_guide_says() {
    let lab = Lab::new();
    let copies = |value: &str| -> String { (0..240).map(|i| format!("let b{i} = {value}; ")).collect() };
    let copying = |list: &str| {
        format!(
            "fn f(view, d, x) {{ {} if d > 0 {{ f(view, d - 1, x) }} else {{ 1 }} }}\n\
             fn score(view, m) {{ {list} f(view, 30, x) }}",
            copies("x")
        )
    };
    for text in [
        copying("let x = []; x.pad(8192, m);"),
        copying("let x = []; x.pad(8192, 0..3);"),
        copying("let x = #{}; for i in 0..1020 { x[`k${i}`] = i; }"),
        copying("let s = \"\"; s.pad(8000, \"ab\"); let x = s.chars();"),
        format!(
            "fn g(d) {{ {} if d > 0 {{ this.g(d - 1) }} else {{ 1 }} }}\n\
             fn score(view, m) {{ let x = []; x.pad(8192, 1); x.g(28) }}",
            copies("this")
        ),
        format!(
            "fn g() {{ loop {{ this += \"{}\"; }} }}\nfn score(view, m) {{ let x = \"\"; x.g(); 1 }}",
            "a".repeat(2000)
        ),
    ] {
        lab.write("costly.rhai", &text);
        let mut child = lab.start("simulate canfield -n 1 -s ./costly.rhai --threads 1 -q");
        let status = format!("/proc/{}/status", child.id());
        let mut most = 0;
        while child.try_wait().unwrap().is_none() {
            let text = fs::read_to_string(&status).unwrap_or_default();
            let peak =
                text.lines().find_map(|it| it.strip_prefix("VmHWM:")?.trim().split(' ').next()?.parse().ok());
            most = most.max(peak.unwrap_or(0));
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        assert_eq!(Ran::end(child).code, Some(1), "{text}");
        assert!(most < 300_000, "{most} kB of\n{text}");
    }
}

/// Tests positions of a script in a folder with its records.
fn tested(positions: &str) -> Ran {
    let lab = Lab::with(&[(
        "mine.rhai",
        "fn score(view, m) {\n    memory[0] += if m.is_draw { 1 } else { 0 };\n    \
         if view.cards > 10 { return m.card.rank; }\n    if m.is_draw { 1 + memory[0] % 2 } else { 2 }\n}\n",
    )]);
    lab.write("games.jsonl", lab.good("replay canfield -s patient --game 2..4 --json"));
    lab.write("mine.toml", positions);
    lab.run("scripts test ./mine.toml")
}

fn position(line: u32, at: u32, more: &str) -> String {
    format!("[[position]]\nrecord = \"games.jsonl\"\nline = {line}\nmove = {at}\n{more}\n")
}

#[test]
fn positions_that_come_out_as_they_must_are_good() {
    let [one, two] =
        [position(1, 12, "must = [\"R>T1\", \"W>F\"]"), position(2, 5, "must_not = [\"resign\"]")];
    let good = tested(&format!("{one}{two}"));
    assert_eq!((good.code, &*good.out, &*good.err), (Some(0), "./mine.toml: 2 positions, good\n", ""));
    // Those of the shelf.
    let shelf = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts")).unwrap();
    let files =
        shelf.map(|file| file.unwrap().path()).filter(|file| file.extension().is_some_and(|it| it == "toml"));
    let tried = files.map(|file| Lab::new().good(&format!("scripts test {}", file.display()))).count();
    assert!(tried >= 2, "{tried}");
}

#[test]
fn every_position_that_fails_is_shown_with_its_place() {
    let waits = position(1, 54, "must = [\"W>T3\"]\nabout = \"The waste waits\"");
    let [not, good] =
        [position(1, 12, "must_not = [\"draw\", \"W>F\"]"), position(1, 12, "must = [\"W>F\"]")];
    let failed = tested(&format!("strategy = \"patient\"\n{waits}{not}{good}"));
    assert_eq!((failed.code, &*failed.out), (Some(1), "./mine.toml: 3 positions, 2 failed\n"));
    has(&failed.err, "`patient` chooses `draw` at move 54; it must choose `W>T3`|mine.toml:6:8");
    has(
        &failed.err,
        "The waste waits; legal there: W>T3, W>T4, draw|it must not choose `draw` or `W>F`|mine.toml:12:12",
    );
    // A failing script is reported at its own position, with the game position in which it failed.
    let faulty = tested(&position(1, 160, "must = [\"draw\"]"));
    assert_eq!(faulty.code, Some(1));
    has(&faulty.err, "mine.rhai:3:|mine.toml:2, up to move 160");
}

#[test]
fn positions_that_cannot_be_are_faults_of_the_file() {
    let draw = "must = [\"draw\"]";
    let record = |name: &str| position(1, 1, draw).replace("games.jsonl", name);
    for (positions, said) in [
        ("about = \"nothing\"\n".into(), "there is no position in this file"),
        (position(1, 3, draw).replace("move", "mvoe"), "needs its `move`|did you mean `move`?|mine.toml:4:1"),
        (position(1, 3, ""), "needs `must` or `must_not`"),
        (position(9, 3, draw), "games.jsonl has no line 9|mine.toml:3:8|allowed: 1 to 2"),
        (record("{}").replace("line = 1\n", ""), "this is no record: missing field"),
        (record("{}"), "mine.toml:3:8|`line` is for a file of records|leave `line` out"),
        (record("none.jsonl"), "none.jsonl"),
        (position(1, 3, &format!("{draw}\nmust_not = [\"draw\"]")), "`draw` must be chosen and must not"),
        (position(1, 5000, draw), "so there is no move 5000|allowed: 1 to "),
        (
            position(1, 2, "must = [\"W>T9\"]"),
            "`must` names `W>T9`, which is not legal at move 2|legal there: ",
        ),
        (format!("strategy = \"patiend\"\n{}", position(1, 5, draw)), "did you mean `patient`?"),
    ] {
        let told = tested(&positions);
        assert_eq!((told.code, &*told.out), (Some(2), ""), "{positions}\n{}", told.err);
        has(&told.err, said);
    }
}

#[test]
fn explain_names_lines_and_traces_variables() {
    let mine = "fn score(view, m) {\n    let left = view.reserve_left;\n    if m.is_draw {\n        return left;\n    }\n    \
                left * 2\n}\n";
    let looks = "fn score(view, m) {\n    let next = view.after(m);\n    let deal = view.sample(0);\n    \
                 let then = deal.after(m);\n    next.cards + then.cards\n}\n";
    let lab = Lab::with(&[("mine.rhai", mine), ("looks.rhai", looks)]);
    has(&lab.good("replay canfield -s ./mine.rhai --trace 6"), "  line 4\n|  line 6\n|, left = 13\n");
    let told = lab.good("replay canfield -s ./looks.rhai --trace 5");
    has(
        &told,
        "next = the view after draw (1 card up)|deal = a sampled deal (1 card up)|then = a sampled deal after draw",
    );
    lab.refused("replay canfield -s ./mine.rhai --trace 5", "no statement begins on line 5");
    lab.refused("replay canfield -s greedy --trace 5", "`greedy` is no single script");
}

#[test]
fn a_profile_is_also_a_page() {
    let text = "fn score(view, m) {\n    if m.is_draw { return 1; }\n    if view.cards > 60 {\n        return 7 < 8 & 3;\n    }\n    2\n}\n";
    let lab = Lab::with(&[("mine.rhai", text)]);
    let told = lab.good("scripts profile canfield ./mine.rhai -n 5 --page profile.html");
    assert_eq!(told, "The profile is in profile.html.\n");
    for wanted in [
        "<strong>1 line never ran</strong>: <a href=\"#L4\">4</a>",
        "class=\"never\" id=\"L4\"",
        "return 7 &lt; 8 &amp; 3;",
        "saratoga scripts profile canfield ./mine.rhai -n 5 --seed 1 --page profile.html",
    ] {
        has(&lab.read("profile.html"), wanted);
    }
}
