//! Files from strangers: what is read, and what is shown of them.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::common::program::{Lab, has};

const SECRET: &str = "hunter2";

/// Checks that a command line is refused without showing the secret.
fn refused(lab: &Lab, line: &str, said: &str) {
    let told = lab.refused(line, said);
    assert!(!told.contains(SECRET), "{line}: {told}");
}

#[test]
fn only_regular_files_up_to_a_size_are_read() {
    let player = "extends = \"nerts\"\n[[player]]\nstrategy = \"bad.rhai\"\n[[player]]\n";
    let lab = Lab::with(&[
        ("child.toml", "extends = \"bad.toml\"\n"),
        ("rules-contest.toml", "extends = \"nerts\"\nrules = \"bad.toml\"\n"),
        ("script-contest.toml", player),
        ("out/mine.txt", ""),
    ]);
    let huge = |name: &str| File::create(lab.at(name)).unwrap().set_len(10_000_000_000).unwrap();
    let pipe = |name: &str| assert!(Command::new("mkfifo").arg(lab.at(name)).status().unwrap().success());
    type Make<'a> = &'a dyn Fn(&str);
    let kinds: [(Make<'_>, &str); 4] = [
        (
            &|name| symlink("/dev/zero", lab.at(name)).unwrap(),
            "it is a device, and a regular file is expected",
        ),
        (&pipe, "it is a pipe, and a regular file is expected"),
        // Ten thousand million bytes that take up no space.
        (&huge, "it is larger than "),
        (&|name| fs::create_dir(lab.at(name)).unwrap(), "it is a folder"),
    ];
    for (make, said) in kinds {
        let names = ["bad.toml", "bad.rhai", "bad.txt", "out/run.blocks"];
        names.iter().for_each(|name| make(name));
        for line in [
            "rules check bad.toml",
            "simulate bad.toml --no-report",
            "rules check child.toml",
            "scripts check bad.rhai",
            "contest check bad.toml",
            "contest check rules-contest.toml",
            "deal --deals bad.txt",
            "solve --deals bad.txt",
            "check bad.txt",
        ] {
            refused(&lab, line, said);
        }
        refused(&lab, "contest check script-contest.toml", "cannot read bad.rhai");
        refused(&lab, "simulate -n 50 --out out", "out/run.blocks cannot be resumed: it is ");
        for bad in names.map(|name| lab.at(name)) {
            if bad.is_dir() { fs::remove_dir(bad).unwrap() } else { fs::remove_file(bad).unwrap() }
        }
    }
    // Standard input has an end too.
    let endless = "head -c 100000000 /dev/zero | \"$0\" deal --deals -";
    let told = Command::new("sh").args(["-c", endless, env!("CARGO_BIN_EXE_saratoga")]).output().unwrap();
    assert_eq!(told.status.code(), Some(2));
    has(&String::from_utf8_lossy(&told.stderr), "larger than 64 MiB");
}

#[test]
fn no_other_file_is_shown() {
    let passwd = format!("root:x:0:0:{SECRET}:/root:/bin/sh\n");
    let settings = format!("[registry]\ntoken = \"{SECRET}\"\n");
    let script = format!("{SECRET} = 1;\n");
    let lab = Lab::with(&[
        ("passwd", &passwd),
        ("passwd.toml", &passwd),
        ("settings.toml", &settings),
        ("hidden.toml", &format!("name = \"mine\"\n[stock]\ndraw = 3\npassphrase-of-mine = \"{SECRET}\"\n")),
        // Similar to `packs` by chance.
        ("close.toml", &format!("name = \"mine\"\npass = \"{SECRET}\"\n")),
        ("settings", &settings),
        ("passwd.rhai", &passwd),
        ("script.rhai", &script),
        ("script", &script),
    ]);
    symlink(lab.at("passwd"), lab.at("link.toml")).unwrap();
    symlink(lab.at("script"), lab.at("link.rhai")).unwrap();
    let record = lab.good("replay --json");
    for (file, said) in [
        ("./passwd", "its name does not end in .toml"),
        ("./settings", "its name does not end in .toml"),
        ("passwd.toml", "line 1, column 5 is not TOML"),
        ("link.toml", "line 1, column 5 is not TOML"),
        ("settings.toml", "line 1, column 2 has a key that no "),
        ("hidden.toml", "column 1 has a key that no "),
        ("close.toml", "line 2, column 1 has a key that no "),
    ] {
        lab.write("child.toml", format!("extends = \"{file}\"\n"));
        lab.write("match.toml", format!("extends = \"nerts\"\nrules = \"{file}\"\n"));
        for line in ["rules check child.toml", "contest check child.toml", "contest check match.toml"] {
            refused(&lab, line, said);
        }
        refused(&lab, "simulate child.toml --no-report", "a ruleset that a file names is on the shelf");
        let named = record.replace("\"canfield\"", &format!("\"{}\"", lab.at(file).display()));
        let checked = lab.run_with("check -", &named);
        assert!(
            checked.code == Some(2) && !format!("{}{}", checked.out, checked.err).contains(SECRET),
            "{file}"
        );
        has(&checked.out, said);
    }
    for (file, said) in [
        ("./script", "must end in .rhai"),
        ("passwd.rhai", "it is no script"),
        ("script.rhai", "it is no script"),
        ("link.rhai", "it is no script"),
    ] {
        let text = format!("extends = \"nerts\"\n[[player]]\nstrategy = \"{file}\"\n[[player]]\n");
        lab.write("match.toml", text);
        refused(&lab, "contest check match.toml", said);
    }
    // A ruleset with a fault is shown as usual.
    lab.write("base.toml", "[stock]\ndrow = 3\n");
    lab.write("child.toml", "extends = \"base.toml\"\n");
    refused(&lab, "rules check child.toml", "2 | drow = 3");
}
