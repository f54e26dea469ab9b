//! Ctrl-C, SIGTERM and SIGHUP, which are all the same request: stop soon, and tell what was finished.
//!
//! The handler is there before anything is loaded. The first request sets the flag of the process; a command that has
//! begun to play then tells what was finished, however long that takes. Until then, and in commands that have nothing to
//! tell, the program ends a moment later whatever it is at. A second request ends it at once.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::files::between_reports;
use crate::interrupt;

/// How long a command with nothing to tell has to end by itself.
const GRACE: Duration = Duration::from_millis(300);
/// Set by a process that starts this one to its own number: this one ends with it, also where that one is killed.
pub const ENDS_WITH: &str = "SARATOGA_ENDS_WITH";
/// So often it is looked whether that process is still there.
const LOOK: Duration = Duration::from_millis(500);
/// Requests so close together are one: programs that start others pass on what a terminal sends to both.
const TOGETHER: Duration = Duration::from_millis(200);

/// What the end of the program has to see to.
struct Ending {
    /// What was finished is told before.
    tells: bool,
    /// To be removed where a second request ends the program.
    files: Vec<PathBuf>,
    /// The same, where they are empty.
    folders: Vec<PathBuf>,
}

static ENDING: Mutex<Ending> = Mutex::new(Ending { tells: false, files: Vec::new(), folders: Vec::new() });

fn ending() -> MutexGuard<'static, Ending> {
    ENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins to listen. To be called before any other thread is started.
pub fn listen() {
    keep_ignoring();
    outlive_full_files();
    let mut first: Option<Instant> = None;
    // Without a handler these signals just end the program, which is no reason not to run.
    let _ = ctrlc::set_handler(move || {
        let again = interrupt::request();
        let since = *first.get_or_insert_with(Instant::now);
        if again && since.elapsed() >= TOGETHER {
            leave();
        }
        if !ending().tells {
            std::thread::sleep(GRACE);
            if !ending().tells {
                leave();
            }
        }
    });
    end_with_parent();
}

/// Ends the program at once when the process is gone that started it and asked for that.
#[cfg(unix)]
fn end_with_parent() {
    use std::os::unix::process::parent_id;
    let asked = std::env::var(ENDS_WITH).ok().and_then(|number| number.parse::<u32>().ok());
    let Some(parent) = asked else { return };
    let watch = move || {
        while parent_id() == parent {
            std::thread::sleep(LOOK);
        }
        leave();
    };
    let _ = std::thread::Builder::new().name("parent".into()).spawn(watch);
}

#[cfg(not(unix))]
fn end_with_parent() {}

/// From here on what was finished is told when the program is asked to stop, as the flag says. Files that are being
/// written and folders that were made, if they are empty, are taken away when it is asked twice.
pub fn stop_on_ctrl_c(files: Vec<PathBuf>, folders: Vec<PathBuf>) -> &'static AtomicBool {
    let mut ending = ending();
    ending.tells = true;
    ending.files.extend(files);
    ending.folders.extend(folders);
    &interrupt::FLAG
}

/// The exit code of a command that tells what it finds as it goes along, and is at its end: of all, or because it was
/// asked to stop.
pub fn finished() -> ExitCode {
    if interrupt::requested() { ExitCode::from(130) } else { ExitCode::SUCCESS }
}

/// Ends the program at once.
fn leave() -> ! {
    // A folder that is being replaced is a matter of moments, and left in the middle it is neither the old one nor the new.
    let _whole = between_reports();
    let ending = ending();
    ending.files.iter().for_each(|file| drop(std::fs::remove_file(file)));
    ending.folders.iter().for_each(|folder| drop(std::fs::remove_dir(folder)));
    std::process::exit(130);
}

/// A file that may not grow any more, as under `ulimit -f`, is an error of writing like a full disk, and no end of the program.
#[cfg(unix)]
fn outlive_full_files() {
    use nix::sys::signal::{SigSet, Signal};
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
}

#[cfg(not(unix))]
fn outlive_full_files() {}

/// Leaves SIGHUP ignored where it is, as under `nohup`: who closes the terminal then wants the run to go on. Which
/// signals are ignored only Linux tells without unsafe code.
#[cfg(unix)]
fn keep_ignoring() {
    use nix::sys::signal::{SigSet, Signal};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    if ignored >> (Signal::SIGHUP as u64 - 1) & 1 == 1 {
        // All threads to come have the mask of this one.
        let _ = SigSet::from(Signal::SIGHUP).thread_block();
    }
}

#[cfg(not(unix))]
fn keep_ignoring() {}
