//! Tests of the commands about contest files.

use std::fs;
use std::path::Path;

use crate::cli::run::{good, names, run, run_with};
use serde_json::Value;
use tempfile::tempdir;

#[test]
fn the_shelf_is_listed() {
    let here = Path::new(".");
    let listed = good(&["contest", "list"], here);
    assert!(listed.contains("\nracing-demon ") && listed.lines().all(|line| line.len() <= 80), "{listed}");
    let json: Value = serde_json::from_str(&good(&["contest", "list", "--json"], here)).unwrap();
    let entries = json.as_array().unwrap();
    assert_eq!(entries.len(), saratoga::contest::shelf().len());
    let nerts = entries.iter().find(|entry| entry["id"] == "nerts").unwrap();
    assert_eq!((&nerts["rules"], &nerts["foundations"]), (&"nerts".into(), &"shared".into()));
    assert_eq!((&nerts["players"], &nerts["match"]["target"]), (&4.into(), &100.into()));
}

/// The shown text can be saved, changed and checked, written out in full or not, in any folder.
#[test]
fn what_is_shown_can_be_copied() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    for (name, _) in saratoga::contest::shelf() {
        for extra in [&[][..], &["--all"]] {
            let text = good(&[&["contest", "show", name][..], extra].concat(), path);
            assert!(extra.is_empty() || text.contains("\n[[player]]\n"), "{text}");
            fs::write(path.join("mine.toml"), text).unwrap();
            assert_eq!(good(&["contest", "check", "./mine.toml"], path), "./mine.toml: good\n");
        }
        let json: Value = serde_json::from_str(&good(&["contest", "show", name, "--json"], path)).unwrap();
        assert_eq!((&json["id"], &json["files"][0]["name"]), (&(*name).into(), &(*name).into()));
        assert!(json["resolved"].as_str().unwrap().contains("[match]"));
    }
    let schema: Value = serde_json::from_str(&good(&["contest", "schema"], path)).unwrap();
    assert_eq!(schema["title"], "Saratoga contest");
}

#[test]
fn faults_end_with_two() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    fs::write(path.join("bad.toml"), "rules = \"exorcism\"\nplayers = 1\n[match]\ndeals = 2\n").unwrap();
    let text = "extends = \"nerts\"\n[[score]]\nname = \"points\"\nout_first = 1\n";
    fs::write(path.join("layout.toml"), text).unwrap();
    let ran = run(&["contest", "check", "./bad.toml", "nertz", "racing-demon"], path);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
    for part in
        ["--> ./bad.toml:2:11", "`players` cannot be 1", "no contest \"nertz\"", "did you mean \"nerts\"?"]
    {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    assert!(ran.err.contains("`saratoga contest list` shows the shelf"), "{}", ran.err);
    // A warning is separate from the data, and prevents nothing.
    let warned = "rules = \"layout.toml\"\nplayers = 2\n[match]\ndeals = 2\n";
    fs::write(path.join("warned.toml"), warned).unwrap();
    let ran = run(&["contest", "check", "warned.toml"], path);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "warned.toml: good, with a warning\n"), "{}", ran.err);
    assert!(ran.err.contains("`out_first`") && ran.err.contains("--> warned.toml:1:9"), "{}", ran.err);
    // The command alone lists the contests; a name cannot be combined with a subcommand.
    let ran = run_with(&["contest"], path, "");
    assert!(ran.code == Some(2) && ran.err.contains("Usage: saratoga contest"), "{}", ran.err);
    assert_eq!(run(&["contest", "nowhere/bad.toml"], path).code, Some(2));
    assert_eq!(names(path), ["bad.toml", "layout.toml", "warned.toml"]);
}
