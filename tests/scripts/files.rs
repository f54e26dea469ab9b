//! Scripts with what they answer, compiled and interpreted, and with all that `scripts check` tells of them.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::common::program::names;
use crate::scripts::support::positions::of_canfield;
use crate::scripts::support::{both, source};
use saratoga::diagnostic::Severity;
use saratoga::rules::StageAt;
use saratoga::strategy::script::{SHELF, Script};

#[test]
fn each_file_answers_as_expected_both_ways() {
    let folder = Path::new("tests/data/scripts");
    let mut files = names(folder);
    files.retain(|name| name.ends_with(".rhai"));
    assert!(files.len() > 45, "{}", files.len());
    let mut wrong = String::new();
    for path in files.iter().map(|name| folder.join(name)) {
        let found = answers(&fs::read_to_string(&path).unwrap());
        let expected = fs::read_to_string(path.with_extension("expected")).unwrap_or_default();
        if found != expected {
            let _ = write!(wrong, "== {}\n{found}", path.with_extension("expected").display());
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Returns which functions of a script are compiled, and its answers at each position until a fault.
fn answers(text: &str) -> String {
    let mut both = match both(text) {
        Ok(both) => both,
        Err(faults) => return faults.iter().map(|fault| format!("{fault}\n")).collect(),
    };
    let mut out = String::new();
    for function in both.compiled.report() {
        out += &match function.stops {
            None => format!("{} is compiled\n", function.name),
            Some(stops) => {
                let line = stops.position().0;
                format!("{} is interpreted, line {line}: {}\n", function.name, stops.message)
            }
        };
    }
    // Two cards together are a text, which is not a fault but is not compiled.
    both.whole &= !text.contains("are a text");
    for (i, position) in of_canfield().iter().enumerate() {
        let answer = match both.everything(position) {
            Ok(answer) => answer.unwrap(),
            Err(difference) => {
                let _ = writeln!(out, "{}: {difference}", i + 1);
                return out;
            }
        };
        let operations = both.operations;
        let _ = write!(out, "{}: ", i + 1);
        match answer.given {
            Ok(None) => out.push_str("gives up"),
            Ok(Some(chosen)) => {
                out += &position.legal[chosen].notation(1);
            }
            Err(fault) => {
                let _ = writeln!(out, "{fault}");
                break;
            }
        }
        let scores = both.scores(position).unwrap().given.unwrap();
        let _ = write!(out, "{}", scores.map_or(String::new(), |scores| format!(" of {scores:?}")));
        let _ = writeln!(out, ", {operations} operations");
        for line in answer.printed.lines() {
            let _ = writeln!(out, "   {line}");
        }
        if text.contains("fn stage(") {
            let buys = StageAt::ALL.map(|at| match both.stage(position, at, 800).unwrap().given {
                Ok(buys) => format!("{at}: {buys}"),
                Err(fault) => format!("{at}: {fault}"),
            });
            let _ = writeln!(out, "   {}", buys.join(", "));
        }
    }
    out
}

/// Returns the script that a statement ends.
fn ended_by(statement: &str) -> String {
    format!(
        "const MOST = 9223372036854775807;\n\
         fn twice(c) {{ c * 2 }}\n\
         fn countdown(n) {{ if n == 0 {{ n / n }} else {{ countdown(n - 1) }} }}\n\
         fn deeper(n) {{ deeper(n + 1) + 1 }}\n\
         fn score(view, m) {{\n\
         let none = view.cards - view.cards;\n\
         let most = MOST - none;\n\
         let least = -MOST - 1;\n\
         {statement}\n\
         }}\n"
    )
}

#[test]
fn each_statement_ends_in_its_fault_both_ways() {
    let position = &of_canfield()[0];
    let list = include_str!("../data/script-faults.tsv");
    let (mut wrong, mut tried) = (String::new(), 0);
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let (statement, expected) = line.split_once('\t').unwrap();
        let text = ended_by(statement);
        let mut both = both(&text).unwrap_or_else(|faults| panic!("{statement}: {faults:?}"));
        let answer = both.everything(position).unwrap_or_else(|error| panic!("{error}\n{text}")).unwrap();
        let found = match answer.given {
            Ok(chosen) => format!("no fault: {chosen:?}"),
            Err(fault) => fault.to_string().trim_start_matches("both.rhai:").to_string(),
        };
        if found != expected {
            let _ = writeln!(wrong, "{statement}\t{found}");
        }
        tried += 1;
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(tried > 80);
}

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
    let path = "tests/data/script-findings.txt";
    let file = fs::read_to_string(path).unwrap();
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
