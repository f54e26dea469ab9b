//! Helpers: runs of the built program.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Result of a command.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

pub fn command(args: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_saratoga"));
    command.args(args).current_dir(folder).stdin(Stdio::null()).env("NO_COLOR", "1");
    command
}

/// Runs a command line in a folder.
pub fn run(args: &[&str], folder: &Path) -> Ran {
    ran(command(args, folder).output().unwrap())
}

/// Runs a command line with input.
pub fn run_with(args: &[&str], folder: &Path, input: &str) -> Ran {
    let mut command = command(args, folder);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    ran(child.wait_with_output().unwrap())
}

pub fn ran(output: Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).expect("the program prints text");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Returns the output of a command line that must succeed.
pub fn good(args: &[&str], folder: &Path) -> String {
    let ran = run(args, folder);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{args:?}");
    ran.out
}

/// Returns the words of a command line, in which no word has a space.
pub fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Returns every file under a folder with its bytes.
pub fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in folder.read_dir().unwrap().map(|entry| entry.unwrap()) {
        let (name, path) = (PathBuf::from(entry.file_name()), entry.path());
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(below, bytes)| (name.join(below), bytes)));
        } else {
            found.insert(name, fs::read(path).unwrap());
        }
    }
    found
}

/// Returns the names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        folder.read_dir().unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Runs the program under a limit of the shell.
#[cfg(unix)]
pub fn limited(limit: &str, args: &[&str], folder: &Path) -> Ran {
    let script = format!("{limit}; exec \"$@\"");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_saratoga")]).args(args);
    ran(shell.current_dir(folder).stdin(Stdio::null()).output().unwrap())
}
