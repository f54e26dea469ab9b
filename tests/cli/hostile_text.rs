//! Texts of strangers in every output: nothing in them controls a terminal or reverses a line, on a terminal or in a
//! file, and no spreadsheet evaluates them.

use std::sync::Arc;

use saratoga::diagnostic::{Diagnostic, SourceText, render};
use saratoga::text::steers;
use serde_json::Value;

use crate::common::program::{DECK, Lab, Ran, columns, files, has};

const EVIL: &str = "e\u{1b}[31m\u{9b}2J\u{202e}\u{2066}\u{7f}\u{200f}\u{feff}\u{2028}vil";
/// The worst a name in a file may contain: control characters are rejected there.
const TURNED: &str = "t\u{202e}\u{2066}\u{200f}\u{feff}urned";

fn harmless(what: &str, text: &str) {
    let found = text.chars().find(|&c| steers(c) && c != '\n' && c != '\t');
    assert_eq!(found, None, "{what}: {text:?}");
}

/// Runs a command line with a hostile word for `EVIL`; its output contains no control characters, and no line begins
/// with the second line of the word.
fn runs(lab: &Lab, line: &str, word: &str, code: i32) -> Ran {
    let quoted = shlex::try_quote(word).unwrap();
    let ran = lab.run(&line.replace("EVIL", &quoted));
    let said = format!("{}{}", ran.out, ran.err);
    harmless(line, &said);
    assert_eq!(ran.code, Some(code), "{line}: {said}");
    assert!(!said.lines().any(|line| line.starts_with("fake: ")), "{line}: {said}");
    ran
}

/// Checks that every text file of these folders is harmless.
fn files_are_harmless(lab: &Lab, folders: &[&str]) {
    for folder in folders {
        let mut texts = 0;
        for (name, bytes) in files(&lab.at(folder)) {
            // Only the program itself reads the file from which a run is resumed.
            if !name.ends_with("run.blocks") && name.extension().is_none_or(|it| it != "png") {
                harmless(&name.display().to_string(), &String::from_utf8(bytes).unwrap());
                texts += 1;
            }
        }
        assert!(texts > 2, "{folder}");
    }
}

/// Command lines that are refused, with a hostile word for `EVIL`.
const REFUSED: &str = "simulate EVIL, simulate ./EVIL.toml, simulate -s EVIL, simulate -s ./EVIL.rhai, simulate -n EVIL, \
    simulate --EVIL, simulate --seed=EVIL, simulate --threads EVIL, simulate --set EVIL, simulate --precision EVIL, EVIL, --EVIL, \
    rules EVIL, rules show EVIL, rules check EVIL ./EVIL.toml, scripts show EVIL, scripts check ./EVIL.rhai, contest EVIL, \
    contest ./EVIL.toml, deal --deck EVIL, deal --deals EVIL, check EVIL, check - --rules EVIL, sweep canfield --vary EVIL, \
    solve --memory EVIL, completions EVIL";

#[test]
fn command_lines_are_shown_harmless() {
    let lab = Lab::new();
    let word = format!("{EVIL}\nfake: all is well");
    for line in REFUSED.split(", ") {
        let ran = runs(&lab, line, &word, 2);
        assert!(ran.out.is_empty() && ran.err.contains("\\u"), "{line}: {}", ran.err);
    }
}

#[test]
fn files_with_hostile_names_are_shown_harmless() {
    let lab = Lab::new();
    let path = format!("./{EVIL}\nfake: x.toml");
    lab.write(&path, "name = \"House\"\nextends = \"canfield\"\n");
    for line in [
        "rules check EVIL",
        "rules show EVIL",
        "rules show EVIL --json",
        "deal EVIL",
        "replay EVIL",
        "replay EVIL --json",
        "perft EVIL --depth 2",
        "simulate EVIL -n 100 --out out",
        "simulate EVIL -n 100",
        "contest racing-demon -n 10 --no-factors --out EVIL.d",
        "compare EVIL -s greedy -s random -n 100 --difference 0.1 --out compared",
        "solve EVIL -n 2 --nodes 500 --memory 16MiB --out solved",
    ] {
        runs(&lab, line, &path, 0);
    }
    files_are_harmless(&lab, &["out", "compared", "solved"]);
    let records = runs(&lab, "replay EVIL --json", &path, 0).out;
    assert_eq!(lab.run_with("check -", &records).out, "1 record checked: 1 good, 0 at fault\n");
    lab.write(EVIL, records.replace("\"moves\":\"", "\"moves\":\"\u{202e}\\u001b\\u009b "));
    let found = runs(&lab, "check EVIL", EVIL, 2);
    has(&found.out, "is not legal here|e\\u001b[31m");
}

#[test]
fn rulesets_are_shown_harmless() {
    let rules = format!(
        "name = \"{TURNED}\"\nextends = \"canfield\"\nabout = \"About {TURNED} \\u001b[31m.\"\nalso = [\"{TURNED}\"]\n\
         source = \"\\u001b]0;x\\u0007 {TURNED}\" # {TURNED}\n[casino]\ncurrency = \"\u{202e}$\"\n\
         [[score]]\nname = \"=1+1 {TURNED}\"\nwon = 1\n[[score]]\nname = \"@SUM(A1)\"\nwon = 1\n\
         [[score]]\nname = \"-cmd\"\nwon = -2\nconstant = -7\n"
    );
    let lab = Lab::with(&[("turned.toml", &rules)]);
    for line in [
        "rules show ./turned.toml",
        "rules show ./turned.toml --all",
        "simulate ./turned.toml canfield -n 200 --out out --csv",
        "simulate ./turned.toml -n 200 --json",
        "price ./turned.toml -n 500 --out price",
        "bankroll ./turned.toml -n 1000 --bootstrap 100 --decks 20 --out bankroll",
        "bracket ./turned.toml -s greedy -n 5 --out bracket",
        "sweep ./turned.toml --vary reserve.size=12,13 --budget 4000 --out sweep",
    ] {
        runs(&lab, line, "", 0);
    }
    files_are_harmless(&lab, &["out", "price", "bankroll", "bracket", "sweep"]);
    // Data are shown unchanged.
    let shown = runs(&lab, "rules show ./turned.toml --json", "", 0).out;
    assert_eq!(serde_json::from_str::<Value>(&shown).unwrap()["files"][0]["text"], rules);
    assert_eq!(lab.data("out/summary.json")["rules"][0]["name"], TURNED);
    let csv = lab.read("out/games-turned-greedy.csv");
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    assert_eq!(header[8..], ["'=1+1 t\\u202e\\u2066\\u200f\\ufeffurned", "'@SUM(A1)", "'-cmd"]);
    let numbers = columns(&csv);
    assert!(
        numbers("net_cents")[0].parse::<i64>().is_ok() && numbers("'-cmd")[0] == "-7",
        "numbers stay numbers"
    );
    for text in [
        "extends = \"canfield\"\n\"\\u001b[31m\\u202e\" = 1\n",
        "extends = \"canfield\"\n[stock]\non_redeal = \"\\u001b[31m\\u202e\\nfake: x\"\n",
        &format!("extends = \"canfield\" # {EVIL}\nx = {EVIL}\n"),
        "name = \"x\"\nextends = \"\\u001b[31m\\u202e\\nfake: x\"\n",
        "name = \"x\"\nextends = \"./\\u001b[31m\\u202e\\nfake: x.toml\"\n",
    ] {
        lab.write("bad.toml", text);
        has(&runs(&lab, "rules check ./bad.toml", "", 2).err, "\\u202e");
    }
}

#[test]
fn scripts_are_shown_harmless() {
    let text = "\\x1b[31m\\u202e\\u009b\\nfake: x";
    let prints =
        format!("// {EVIL}\nfn score(view, m) {{ print(\"{text}\"); if m.is_draw {{ 0 }} else {{ 1 }} }}");
    let lab = Lab::with(&[
        ("prints.rhai", &prints),
        ("throws.rhai", &format!("fn score(view, m) {{ throw \"{text}\"; }}")),
        ("breaks.rhai", &format!("fn score(view, m) {{ let x = \"{EVIL}\" + ; }}")),
    ]);
    for (line, code, said) in [
        ("replay -s ./prints.rhai", 0, "  | \\u001b[31m\\u202e\\u009b\n  | fake: x\n"),
        ("scripts show ./prints.rhai", 0, "fn score"),
        ("scripts check ./prints.rhai", 0, "good"),
        ("simulate -s ./prints.rhai -n 20 --out out", 0, "index.html"),
        ("replay -s ./throws.rhai", 1, "\\u001b[31m\\u202e\\u009b"),
        ("simulate -s ./throws.rhai -n 10 --no-report", 1, "\\u001b[31m\\u202e\\u009b"),
        ("scripts check ./breaks.rhai", 2, "breaks.rhai:1:"),
    ] {
        let ran = runs(&lab, line, "", code);
        has(&format!("{}{}", ran.out, ran.err), said);
    }
    files_are_harmless(&lab, &["out"]);
}

#[test]
fn deals_and_contests_are_shown_harmless() {
    let contest = format!(
        "name = \"{TURNED}\"\nextends = \"racing-demon\"\nabout = \"{TURNED} \\u001b[31m\"\n\
         [[player]]\nname = \"=1+1 {TURNED}\"\n[[player]]\nname = \"+{TURNED}\"\n"
    );
    let lab = Lab::with(&[
        ("evil.toml", &contest),
        ("deals.txt", &format!("=cmd|' /C calc'!A0 {EVIL}\t{DECK}\n\u{202e}+1\t{DECK}\n")),
        ("bad.txt", &format!("{EVIL}\t{DECK} {EVIL}\n")),
    ]);
    let limits = "--nodes 500 --memory 16MiB";
    for line in [
        "deal --deals deals.txt",
        "deal --deals deals.txt --json",
        "replay --deals deals.txt --explain",
        &format!("solve --deals deals.txt {limits} --json"),
        &format!("solve --deals deals.txt {limits} --out solved"),
        "contest check ./evil.toml",
        "contest show ./evil.toml",
        "contest ./evil.toml --match 0",
        "contest ./evil.toml --match 0 --json",
        "contest ./evil.toml -n 20 --no-factors --out contest",
    ] {
        runs(&lab, line, "", 0);
    }
    runs(&lab, "deal --deals bad.txt", "", 2);
    files_are_harmless(&lab, &["solved", "contest"]);
    has(&lab.read("solved/deals.csv"), "\n'=cmd|");
    for (name, bytes) in files(&lab.at("contest")) {
        let text = String::from_utf8_lossy(&bytes);
        let mut cells = text.lines().flat_map(|line| line.split(','));
        let computed = |cell: &str| cell.trim_start_matches('"').starts_with(['=', '+', '@']);
        assert!(name.extension().is_none_or(|it| it != "csv") || !cells.any(computed), "{text}");
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
    let mut plain = String::new();
    for (i, part) in render(&[fault], true).split("\u{1b}[").enumerate() {
        let (colour, text) = if i == 0 { ("", part) } else { part.split_once('m').unwrap() };
        assert!(colour.chars().all(|c| c.is_ascii_digit() || c == ';'), "{colour:?}");
        plain.push_str(text);
    }
    harmless("without colours", &plain);
}
