//! The commands about scripts: checks for editors, memory, and the positions of the shelf.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::program::{Lab, Ran, list, names};

#[test]
fn check_gives_errors_and_warnings_to_editors() {
    let lint = "const UNTIL = param(4, 0..=9);\nfn never_called(x) { x + 1 }\nfn score(view, m) {\n    let unused = 3;\n    \
                if m.card == \"TH\" { return 90; }\n    if m.count == true { return 80; }\n    \
                if m.to_foundation { return 50; return 40; }\n    1\n}\n";
    let lab = Lab::with(&[("lint.rhai", lint), ("bad.rhai", "fn score(view, m) { m.cuont + m.crad }\n")]);
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
        assert!(most < 450_000, "{most} kB of\n{text}");
    }
}

/// How positions fail is told in `tests/data/transcripts/scripts.txt`.
#[test]
fn positions_of_the_shelf_are_good() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    let names = names(&folder);
    let tested = names.iter().filter_map(|name| name.strip_suffix(".toml"));
    let tested = tested.map(|name| folder.join(name)).filter(|it| it.with_extension("rhai").exists());
    let tried = tested.map(|it| Lab::new().good(&format!("scripts test {}.toml", it.display()))).count();
    assert!(tried >= 2, "{tried}");
}
