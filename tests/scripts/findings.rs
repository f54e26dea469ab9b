//! The faults of texts and the findings of `scripts check`: scripts with all that is told of each, in
//! `tests/data/script-findings.txt`.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use saratoga::diagnostic::Severity;
use saratoga::strategy::script::{SHELF, Script};

use crate::scripts::support::source;

/// Returns all that is told of a script, one finding a line: its place, message and help.
fn findings(text: &str) -> String {
    let found = Script::new("checked", &source(text)).map_or_else(|faults| faults, |script| script.lint());
    let mut told = String::new();
    for found in found {
        let (line, column) = found.position();
        let kind = if found.severity == Severity::Error { "error" } else { "warning" };
        let help = found.help.map_or(String::new(), |help| format!("; {help}"));
        let _ = writeln!(told, "//> {line}:{column}: {kind}: {}{help}", found.message);
    }
    told
}

/// Each script of the file has the findings below it, and no others. `SARATOGA_UPDATE=1` writes them anew.
#[test]
fn scripts_have_these_findings() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/script-findings.txt");
    let file = fs::read_to_string(&path).unwrap();
    let (mut now, mut scripts) = (String::new(), 0);
    for part in file.split("\n\n").map(str::trim) {
        let script: Vec<&str> = part.lines().filter(|line| !line.starts_with("//>")).collect();
        let _ = write!(
            now,
            "{}\n{}\n",
            script.join("\n"),
            if part.starts_with("==") { String::new() } else { findings(&script.join("\n")) }
        );
        scripts += 1;
    }
    assert!(scripts > 200, "{scripts}");
    if std::env::var_os("SARATOGA_UPDATE").is_some() {
        fs::write(path, now.trim_end().to_string() + "\n").unwrap();
        return;
    }
    for (now, was) in now.split("\n\n").zip(file.split("\n\n")) {
        assert_eq!(now.trim(), was.trim());
    }
}

#[test]
fn the_shelf_is_without_findings() {
    for (name, text) in SHELF {
        assert_eq!(findings(text), "", "{name}");
    }
}
