//! `tune` writes a script only for a sure gain, beside the old one; `--set` is shown wherever the player is.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn saratoga(folder: &Path, line: &str) -> Output {
    let words: Vec<&str> = line.split_whitespace().collect();
    Command::new(env!("CARGO_BIN_EXE_saratoga")).args(words).current_dir(folder).output().unwrap()
}

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

const SCRIPT: &str = "// Draws on and on where it may.
const STOP = param(3, 0..=9);
fn score(view, m) { if view.cards > STOP { -1 } else if m.to_foundation { 9 } else if m.is_draw { 3 } else { 5 } }
";

#[test]
fn the_script_is_written_beside_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    fs::write(folder.path().join("in/mine.rhai"), SCRIPT).unwrap();
    let line =
        "tune single-pass ./in/mine.rhai --candidates 10 --generations 1 --deals 200 -n 2000 -q --out page";
    let (code, out, _) = said(&saratoga(folder.path(), line));
    assert_eq!(code, Some(0), "{out}");
    assert!(out.starts_with("Better with STOP = 9: +"), "{out}");
    let tuned = fs::read_to_string(folder.path().join("in/mine-tuned.rhai")).unwrap();
    assert_eq!(tuned, SCRIPT.replace("param(3,", "param(9,"));
    for file in ["index.html", "summary.json", "charts/tuned.svg", "charts/parameter-stop-dark.png"] {
        assert!(folder.path().join("page").join(file).exists(), "{file}");
    }
    // The written script plays as reported.
    let json = "simulate single-pass -n 2000 --json -q";
    let cards = |strategy: &str| {
        let (_, out, err) = said(&saratoga(folder.path(), &format!("{json} -s {strategy}")));
        let entry: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}"));
        entry["entries"][0]["summary"]["cards"].clone()
    };
    let summary = fs::read_to_string(folder.path().join("page/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["fresh"]["entries"][0]["summary"]["cards"], cards("./in/mine-tuned.rhai"));
    assert_eq!(summary["fresh"]["entries"][1]["summary"]["cards"], cards("./in/mine.rhai"));
    assert_eq!(cards("./in/mine.rhai:stop=9"), cards("./in/mine-tuned.rhai"));

    // An existing file is not overwritten.
    let (code, out, err) = said(&saratoga(folder.path(), line));
    assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
    assert!(err.contains("./in/mine-tuned.rhai already exists"), "{err}");
}

#[test]
fn defaults_that_win_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("best.rhai"), SCRIPT.replace("param(3,", "param(9,")).unwrap();
    let line =
        "tune single-pass ./best.rhai --candidates 10 --generations 1 --deals 200 -n 1000 --no-report --json";
    let (code, out, err) = said(&saratoga(folder.path(), line));
    assert_eq!(code, Some(0), "{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&json["found"]["STOP"], &json["fresh"]["gain"]), (&9.into(), &serde_json::Value::Null));
    assert!(!folder.path().join("best-tuned.rhai").exists());
}

#[test]
fn values_without_a_sure_gain_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    // The number of cards left on the waste makes little difference.
    let script = "const LEFT = param(0, 0..=9);
fn score(view, m) { if m.to_foundation { 9 } else if m.is_draw { 3 } else if view.cards % 10 == LEFT { 2 } else { 5 } }
";
    fs::write(folder.path().join("mine.rhai"), script).unwrap();
    let line = "tune single-pass ./mine.rhai --candidates 10 --generations 1 --deals 20 -n 200 -q --out page";
    for named in ["", " --write named.rhai"] {
        let (code, out, err) = said(&saratoga(folder.path(), &format!("{line}{named}")));
        assert_eq!(code, Some(0), "{err}");
        assert!(out.contains("Nothing was written"), "{out}");
        assert!(
            !folder.path().join("mine-tuned.rhai").exists() && !folder.path().join("named.rhai").exists()
        );
        let summary = fs::read_to_string(folder.path().join("page/summary.json")).unwrap();
        assert!(summary.contains("\"written\": null"), "{summary}");
        fs::remove_dir_all(folder.path().join("page")).unwrap();
    }
}

#[test]
fn a_setting_is_told_wherever_the_player_is() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.rhai"), SCRIPT).unwrap();
    let json = |line: &str| -> serde_json::Value {
        let (_, out, err) = said(&saratoga(folder.path(), line));
        serde_json::from_str(&out).unwrap_or_else(|_| panic!("{line}: {err}"))
    };
    // A setting in a name takes precedence over one for all.
    let line = "compare single-pass -s ./mine.rhai:stop=2 -s ./mine.rhai --set stop=5 -n 2000 --json -q";
    let entries = json(line)["entries"].clone();
    let names = [&entries[0]["strategy"], &entries[1]["strategy"]];
    assert_eq!(names, ["./mine.rhai:stop=2", "./mine.rhai:stop=5"]);
    let page = "compare single-pass -s ./mine.rhai:stop=2 -s ./mine.rhai --set stop=5 -n 2000 -q --out page";
    assert_eq!(said(&saratoga(folder.path(), page)).0, Some(0));
    let page = fs::read_to_string(folder.path().join("page/index.html")).unwrap();
    let command = "saratoga compare single-pass -s ./mine.rhai:stop=2 -s ./mine.rhai -n 2000 --set stop=5 ";
    assert!(page.contains(command));
}
