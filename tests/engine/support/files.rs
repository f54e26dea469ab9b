//! Rulesets and contests in folders, with the faults that are expected of them.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use saratoga::diagnostic::{Diagnostic, Severity};
use saratoga::rules::LoadError;

/// Returns the TOML files of a folder by their path from the root, sorted, without the parts that others refer to.
pub fn files(dir: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = fs::read_dir(root.join(dir)).unwrap_or_else(|e| panic!("{dir}: {e}"));
    let paths = entries.map(|entry| entry.unwrap().path());
    let path = |path: PathBuf| path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
    let mut files: Vec<String> = paths.map(path).collect();
    files.retain(|path| path.ends_with(".toml") && !path.contains("/part-"));
    files.sort_by_key(|path| path.trim_end_matches(".toml").to_string());
    assert!(!files.is_empty());
    files
}

/// Returns the names of files without folder and extension.
pub fn stems(files: &[String]) -> Vec<&str> {
    files.iter().map(|path| Path::new(path).file_stem().unwrap().to_str().unwrap()).collect()
}

/// Asserts that the messages for each file of a folder equal its `.expected` file; `UPDATE_EXPECTED=1` rewrites them.
/// `load` returns the warnings of a file, or why it cannot be loaded.
pub fn faults_are_told(dir: &str, load: impl Fn(&str) -> Result<Vec<Diagnostic>, LoadError>) {
    let mut wrong = String::new();
    for path in files(dir) {
        let faults = match load(&path) {
            Ok(warnings) => warnings,
            Err(LoadError::Faults(faults)) => faults,
            Err(error) => panic!("{error}"),
        };
        let grade = |fault: &Diagnostic| if fault.severity == Severity::Error { "error" } else { "warning" };
        let told: String = faults.iter().map(|fault| format!("{}: {fault}\n", grade(fault))).collect();
        let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join(&path).with_extension("expected");
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            fs::write(&expected, &told).unwrap();
        }
        let wanted = fs::read_to_string(&expected).unwrap_or_default().replace("\r\n", "\n");
        if told.is_empty() || told != wanted {
            writeln!(wrong, "{path}\n  wanted:\n{wanted}  told:\n{told}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
