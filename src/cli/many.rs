//! What the commands that play many games share.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells the person something that is no data.
pub(super) fn note(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// The threads asked for, or one a core.
pub(super) fn threads(given: Option<u64>) -> usize {
    let given = given.and_then(|threads| usize::try_from(threads).ok());
    given.or_else(|| std::thread::available_parallelism().ok().map(|n| n.get())).unwrap_or(1)
}

/// A flag that the first Ctrl-C sets; the second ends the program at once, and takes away the files
/// it was writing and the folders it made, if they are empty.
pub(super) fn stop_on_ctrl_c(files: Vec<PathBuf>, folders: Vec<PathBuf>) -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let seen = stop.clone();
    // Without a handler Ctrl-C just ends the program, which is no reason not to play.
    let _ = ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            files.iter().for_each(|file| drop(std::fs::remove_file(file)));
            folders.iter().for_each(|folder| drop(std::fs::remove_dir(folder)));
            std::process::exit(130);
        }
    });
    stop
}

/// Each name once, in the order in which they first stand.
pub(super) fn unique<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

/// Names for a title: two, or one and how many more.
pub(super) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => one.to_string(),
        [first, second] => format!("{first} and {second}"),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

/// Names for a folder: three, or one and how many more.
pub(super) fn joined(names: &[&str]) -> String {
    match names {
        [first, rest @ ..] if rest.len() > 2 => format!("{first}+{}-more", rest.len()),
        names => names.join("+"),
    }
}
