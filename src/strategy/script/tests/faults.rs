//! Every fault at its position, and every limit.

use std::path::Path;

use super::super::MAX_PRINTED;
use super::*;

/// The deepest script that the limits allow takes an eighth of the stack of the program's threads.
#[test]
fn the_deepest_script_fits_the_stack() {
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(deepest_scripts);
    thread.unwrap().join().unwrap();
}

fn deepest_scripts() {
    let rules = &rulesets()[0];
    let nest =
        |open: &str, close: &str, n: usize| format!("{}deep(n + 1){}", open.repeat(n), close.repeat(n));
    for (open, close) in [("1 + (", ")"), ("if true { ", " } else { 0 }"), ("[1, ", "][0]"), ("max(1, ", ")")]
    {
        let text = |n| format!("fn score(view, m) {{ deep(0) }}\nfn deep(n) {{ {} }}", nest(open, close, n));
        let mut deepest = (8..64).rev().find_map(|n| script(&text(n)).ok()).unwrap();
        let fault = play(rules, &mut deepest, 0).unwrap_err().to_string();
        assert!(fault.contains("deep"), "{fault}");
    }
}

#[test]
fn what_is_printed_is_kept_up_to_a_limit() {
    let rules = &rulesets()[0];
    let mut script = sound("fn score(view, m) { for i in 0..10000 { print(`${m} is move ${i}`); } -1 }");
    play(rules, &mut script, 0).unwrap();
    let printed = script.printed();
    assert!(printed.ends_with("...\n") && printed.len() < MAX_PRINTED + 4, "{}", printed.len());
}

/// Every script in `tests/data/scripts-bad` has its faults beside it, one per line: those found at load, or the one in
/// its first games.
#[test]
fn faults_are_told_at_their_place() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scripts-bad");
    let mut wrong = String::new();
    let mut files: Vec<_> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "rhai"));
    files.sort();
    assert!(files.len() > 30);
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let source = Arc::new(SourceText { name, text: std::fs::read_to_string(&path).unwrap() });
        let found = match Script::new("bad", &source) {
            Err(faults) => faults.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("\n"),
            Ok(mut script) => {
                let staged = path.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("stage"));
                let bsd = rules_of("bsd");
                let rules = if staged { &bsd } else { &rulesets()[0] };
                let end = (0..5).find_map(|game| play(rules, &mut script, game).err());
                end.map_or("no fault".to_string(), |e| e.to_string())
            }
        };
        let expected = std::fs::read_to_string(path.with_extension("expected")).unwrap_or_default();
        if found.trim_end() != expected.trim_end() {
            wrong += &format!("== {}\n{found}\n", path.with_extension("expected").display());
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
