//! Files from strangers: what is read, and what is shown of them.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::tempdir;

use crate::cli::run::{Ran, command, good, ran};

const SECRET: &str = "hunter2";

/// Runs a command line that should end at once. One that hangs is killed, and has no exit code.
fn ends(args: &[&str], folder: &Path) -> Ran {
    let mut command = command(args, folder);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    ran(child.wait_with_output().unwrap())
}

fn refused(args: &[&str], folder: &Path, said: &str) {
    let ran = ends(args, folder);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{args:?}: {}", ran.err);
    assert!(ran.err.contains(said), "{args:?}: {}", ran.err);
    assert!(!ran.err.contains(SECRET), "{args:?}: {}", ran.err);
}

/// Creates something unreadable under a name.
type MakeBad<'a> = &'a dyn Fn(&str);

#[test]
fn only_regular_files_up_to_a_size_are_read() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let a_device = |name: &str| symlink("/dev/zero", path.join(name)).unwrap();
    let a_pipe = |name: &str| {
        let made = Command::new("mkfifo").arg(path.join(name)).status().unwrap();
        assert!(made.success());
    };
    // Ten thousand million bytes that take up no space.
    let huge = |name: &str| File::create(path.join(name)).unwrap().set_len(10_000_000_000).unwrap();
    let a_folder = |name: &str| fs::create_dir(path.join(name)).unwrap();
    let kinds: [(MakeBad<'_>, &str); 4] = [
        (&a_device, "it is a device, and a regular file is expected"),
        (&a_pipe, "it is a pipe, and a regular file is expected"),
        (&huge, "it is larger than "),
        (&a_folder, "it is a folder"),
    ];
    fs::write(path.join("child.toml"), "extends = \"bad.toml\"\n").unwrap();
    let contest = "extends = \"nerts\"\nrules = \"bad.toml\"\n";
    fs::write(path.join("rules-contest.toml"), contest).unwrap();
    let contest = "extends = \"nerts\"\n[[player]]\nstrategy = \"bad.rhai\"\n[[player]]\n";
    fs::write(path.join("script-contest.toml"), contest).unwrap();
    fs::create_dir(path.join("out")).unwrap();
    for (make, said) in kinds {
        let names = ["bad.toml", "bad.rhai", "bad.txt", "out/run.blocks"];
        names.iter().for_each(|name| make(name));
        refused(&["rules", "check", "bad.toml"], path, said);
        refused(&["simulate", "bad.toml", "--no-report"], path, said);
        refused(&["rules", "check", "child.toml"], path, said);
        refused(&["scripts", "check", "bad.rhai"], path, said);
        refused(&["contest", "check", "bad.toml"], path, said);
        refused(&["contest", "check", "rules-contest.toml"], path, said);
        refused(&["contest", "check", "script-contest.toml"], path, "cannot read bad.rhai");
        refused(&["deal", "--deals", "bad.txt"], path, said);
        refused(&["solve", "--deals", "bad.txt"], path, said);
        refused(&["check", "bad.txt"], path, said);
        refused(&["simulate", "-n", "50", "--out", "out"], path, "out/run.blocks cannot be resumed: it is ");
        for name in names {
            let bad = path.join(name);
            if bad.is_dir() { fs::remove_dir(bad).unwrap() } else { fs::remove_file(bad).unwrap() }
        }
    }
}

#[test]
fn standard_input_has_an_end_too() {
    let endless = Command::new("sh")
        .args(["-c", "head -c 100000000 /dev/zero | \"$0\" deal --deals -", env!("CARGO_BIN_EXE_saratoga")])
        .output()
        .unwrap();
    assert_eq!(endless.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&endless.stderr).contains("larger than 64 MiB"));
}

#[test]
fn no_other_file_is_shown() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let passwd = format!("root:x:0:0:{SECRET}:/root:/bin/sh\n");
    let settings = format!("[registry]\ntoken = \"{SECRET}\"\n");
    let hidden = format!("name = \"mine\"\n[stock]\ndraw = 3\npassphrase-of-mine = \"{SECRET}\"\n");
    // Similar to `packs` by chance.
    let close = format!("name = \"mine\"\npass = \"{SECRET}\"\n");
    let script = format!("{SECRET} = 1;\n");
    for (name, text) in [
        ("passwd", &passwd),
        ("passwd.toml", &passwd),
        ("settings.toml", &settings),
        ("hidden.toml", &hidden),
        ("close.toml", &close),
        ("settings", &settings),
        ("passwd.rhai", &passwd),
        ("script.rhai", &script),
        ("script", &script),
    ] {
        fs::write(path.join(name), text).unwrap();
    }
    symlink(path.join("passwd"), path.join("link.toml")).unwrap();
    symlink(path.join("script"), path.join("link.rhai")).unwrap();
    for (file, said) in [
        ("./passwd", "its name does not end in .toml"),
        ("./settings", "its name does not end in .toml"),
        ("passwd.toml", "line 1, column 5 is not TOML"),
        ("link.toml", "line 1, column 5 is not TOML"),
        ("settings.toml", "line 1, column 2 has a key that no "),
        ("hidden.toml", "column 1 has a key that no "),
        ("close.toml", "line 2, column 1 has a key that no "),
    ] {
        fs::write(path.join("child.toml"), format!("extends = \"{file}\"\n")).unwrap();
        refused(&["rules", "check", "child.toml"], path, said);
        refused(
            &["simulate", "child.toml", "--no-report"],
            path,
            "a ruleset that a file names is on the shelf",
        );
        refused(&["contest", "check", "child.toml"], path, said);
        fs::write(path.join("match.toml"), format!("extends = \"nerts\"\nrules = \"{file}\"\n")).unwrap();
        refused(&["contest", "check", "match.toml"], path, said);
        let absolute = path.join(file);
        let record = good(&["replay", "--json"], path);
        let record = record.replace("\"canfield\"", &format!("\"{}\"", absolute.display()));
        fs::write(path.join("records.jsonl"), record).unwrap();
        let checked = ends(&["check", "records.jsonl"], path);
        assert_eq!(checked.code, Some(2));
        assert!(checked.out.contains(said), "{}{}", checked.out, checked.err);
        assert!(!format!("{}{}", checked.out, checked.err).contains(SECRET), "{file}");
    }
    for (file, said) in [
        ("./script", "must end in .rhai"),
        ("passwd.rhai", "it is no script"),
        ("script.rhai", "it is no script"),
        ("link.rhai", "it is no script"),
    ] {
        let text = format!("extends = \"nerts\"\n[[player]]\nstrategy = \"{file}\"\n[[player]]\n");
        fs::write(path.join("match.toml"), text).unwrap();
        refused(&["contest", "check", "match.toml"], path, said);
    }
    // A ruleset with a fault is shown as usual.
    fs::write(path.join("base.toml"), "[stock]\ndrow = 3\n").unwrap();
    fs::write(path.join("child.toml"), "extends = \"base.toml\"\n").unwrap();
    refused(&["rules", "check", "child.toml"], path, "2 | drow = 3");
}

#[test]
fn what_extends_ends() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    for (name, of) in [("a", "b"), ("b", "c"), ("c", "a"), ("self", "self")] {
        fs::write(path.join(format!("{name}.toml")), format!("extends = \"{of}.toml\"\n")).unwrap();
    }
    refused(
        &["rules", "check", "a.toml"],
        path,
        "`extends` forms a cycle: a.toml -> b.toml -> c.toml -> a.toml",
    );
    refused(&["rules", "check", "self.toml"], path, "forms a cycle");
    refused(&["contest", "check", "a.toml"], path, "forms a cycle");
    // A cycle of links.
    symlink("other.toml", path.join("one.toml")).unwrap();
    fs::write(path.join("other.toml"), "extends = \"one.toml\"\n").unwrap();
    refused(&["rules", "check", "one.toml"], path, "forms a cycle");
    for i in 0..200 {
        fs::write(path.join(format!("{i}.toml")), format!("extends = \"{}.toml\"\n", i + 1)).unwrap();
    }
    refused(&["rules", "check", "0.toml"], path, "more than 32 files extend one another");
}

#[test]
fn a_mark_of_utf_8_is_no_part_of_a_text() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let write = |name: &str, text: &str| fs::write(path.join(name), format!("\u{feff}{text}")).unwrap();
    write("rules.toml", "name = \"Mine\"\nextends = \"base.toml\"\n");
    write("base.toml", "extends = \"canfield\"\n");
    write("script.rhai", "fn score(view, m) { if m.to_foundation { 2 } else { 1 } }\n");
    write("match.toml", "extends = \"nerts\"\n[[player]]\nstrategy = \"script.rhai\"\n[[player]]\n");
    let deck = good(&["deal", "--json"], path);
    let deck = deck.split("\"deck\":\"").nth(1).unwrap().split('"').next().unwrap();
    write("decks.txt", &format!("mine\t{deck}\n"));
    write("records.jsonl", &good(&["replay", "--json"], path));
    for line in [
        "rules check rules.toml",
        "scripts check script.rhai",
        "contest check match.toml",
        "replay rules.toml -s script.rhai --deals decks.txt",
        "check records.jsonl",
    ] {
        good(&line.split(' ').collect::<Vec<_>>(), path);
    }
    // Columns agree with those shown by editors.
    for (name, text, args, place) in [
        ("bad.toml", "nane = 1\n", ["rules", "check"], "bad.toml:1:1"),
        ("bad.toml", "players = 1\n", ["contest", "check"], "bad.toml:1:11"),
        ("bad.rhai", "fn score(view, m) { nothing }\n", ["scripts", "check"], "bad.rhai:1:21"),
        ("bad.txt", "8S 9X\n", ["deal", "--deals"], "bad.txt:1:4"),
    ] {
        for text in [text.to_string(), format!("\u{feff}{text}")] {
            fs::write(path.join(name), text).unwrap();
            refused(&[&args[..], &[name]].concat(), path, place);
        }
    }
    fs::write(path.join("bad.jsonl"), "\u{feff}nothing\n").unwrap();
    assert!(ends(&["check", "bad.jsonl"], path).out.starts_with("bad.jsonl:1:1: "));
}

/// Returns the number of errors, and the last line.
fn listed(args: &[&str], folder: &Path) -> (usize, String) {
    let ran = ends(args, folder);
    assert_eq!(ran.code, Some(2), "{args:?}: {}", ran.err);
    let errors = ran.err.lines().filter(|line| line.starts_with("error")).count();
    (errors, ran.err.lines().last().unwrap_or_default().to_string())
}

#[test]
fn lists_of_faults_stop_after_twenty() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let many = |line: &dyn Fn(usize) -> String| (0..10_000).map(line).collect::<String>();
    fs::write(path.join("keys.toml"), many(&|i| format!("key{i} = 1\n"))).unwrap();
    fs::write(path.join("inner.toml"), format!("[stock]\n{}", many(&|i| format!("key{i} = 1\n")))).unwrap();
    let few = |line: &dyn Fn(usize) -> String| (0..4_000).map(line).collect::<String>();
    let names = few(&|i| format!("name{i};\n"));
    fs::write(path.join("names.rhai"), format!("fn score(view, m) {{\n{names}1\n}}\n")).unwrap();
    let calls = few(&|i| format!("call{i}();\n"));
    fs::write(path.join("calls.rhai"), format!("fn score(view, m) {{\n{calls}1\n}}\n")).unwrap();
    fs::write(path.join("seats.toml"), many(&|_| "[[player]]\nstrategy = \"x\"\n".into())).unwrap();
    fs::write(path.join("decks.txt"), many(&|_| "XX\n".into())).unwrap();
    let more = "and 9980 more".to_string();
    for (args, last) in [
        (["rules", "check", "keys.toml"], &*more),
        (["rules", "check", "inner.toml"], &more),
        (["contest", "check", "keys.toml"], ""),
        (["contest", "check", "seats.toml"], ""),
        (["scripts", "check", "names.rhai"], "and 3980 more"),
        (["scripts", "check", "calls.rhai"], "and 3980 more"),
        (["deal", "--deals", "decks.txt"], ""),
    ] {
        let (errors, told) = listed(&args, path);
        assert!(errors <= 20, "{args:?}: {errors}");
        assert!(told.starts_with("and ") && told.ends_with(" more") || last.is_empty(), "{args:?}: {told}");
        assert!(last.is_empty() || told == last, "{args:?}: {told}");
    }
    let axes: Vec<String> = (0..100).map(|i| format!("--vary=key{i}=1..2")).collect();
    let args: Vec<&str> = ["sweep"].into_iter().chain(axes.iter().map(String::as_str)).collect();
    assert_eq!(listed(&args, path), (20, "and 80 more".to_string()));
    let paths: Vec<String> = (0..50).map(|i| format!("no{i}.toml")).collect();
    let args: Vec<&str> = ["rules", "check"].into_iter().chain(paths.iter().map(String::as_str)).collect();
    assert_eq!(listed(&args, path), (20, "and 30 more".to_string()));
}
