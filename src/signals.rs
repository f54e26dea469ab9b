//! Ctrl-C, SIGTERM and SIGHUP, which all request the same: stop soon, and report what was finished.
//!
//! The handler is installed before anything is loaded. The first request sets the flag of the process; a command that
//! has begun to play then reports what was finished, however long that takes. Until then, and in commands without a
//! report, the program ends a moment later, whatever it is doing. A second request ends it at once.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::files::between_reports;
use crate::interrupt;

/// Time that a command without a report has to end by itself.
const GRACE: Duration = Duration::from_millis(300);
/// Set by a parent process to its own id: this process then ends with its parent, even if the parent is killed.
pub const ENDS_WITH: &str = "SARATOGA_ENDS_WITH";
/// Interval between checks for that process.
const LOOK: Duration = Duration::from_millis(500);
/// Requests this close together count as one: a parent may forward what a terminal sends to both.
const TOGETHER: Duration = Duration::from_millis(200);

/// What must be done before the program ends.
struct Ending {
    /// Whether a report of what was finished comes first.
    tells: bool,
    /// Files to remove if a second request ends the program.
    files: Vec<PathBuf>,
    /// Folders to remove, if they are empty.
    folders: Vec<PathBuf>,
}

static ENDING: Mutex<Ending> = Mutex::new(Ending { tells: false, files: Vec::new(), folders: Vec::new() });

fn ending() -> MutexGuard<'static, Ending> {
    ENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs the handler. Must be called before any other thread is started.
pub fn listen() {
    keep_ignoring();
    outlive_full_files();
    let mut first: Option<Instant> = None;
    // Without a handler, these signals simply end the program, which is acceptable.
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

/// Ends the program when the parent process that requested this is gone.
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

/// Enables a report on interruption, and returns the flag that requests it. On a second request, files that are being
/// written are removed, and so are the created folders, if empty.
pub fn stop_on_ctrl_c(files: Vec<PathBuf>, folders: Vec<PathBuf>) -> &'static AtomicBool {
    let mut ending = ending();
    ending.tells = true;
    ending.files.extend(files);
    ending.folders.extend(folders);
    &interrupt::FLAG
}

/// Returns the exit code of a command that prints results as they come, depending on whether it was interrupted.
pub fn finished() -> ExitCode {
    if interrupt::requested() { ExitCode::from(130) } else { ExitCode::SUCCESS }
}

/// Ends the program at once.
fn leave() -> ! {
    // Replacing a folder takes only moments; an interruption would leave a mixture of the old one and the new.
    let _whole = between_reports();
    let ending = ending();
    ending.files.iter().for_each(|file| drop(std::fs::remove_file(file)));
    ending.folders.iter().for_each(|folder| drop(std::fs::remove_dir(folder)));
    std::process::exit(130);
}

/// Makes exceeding a file size limit, as under `ulimit -f`, a write error like a full disk, instead of ending the
/// program.
#[cfg(unix)]
fn outlive_full_files() {
    use nix::sys::signal::{SigSet, Signal};
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
}

#[cfg(not(unix))]
fn outlive_full_files() {}

/// Keeps SIGHUP ignored if it is, as under `nohup`, where the run should survive its terminal. Only Linux reports
/// ignored signals without unsafe code.
#[cfg(unix)]
fn keep_ignoring() {
    use nix::sys::signal::{SigSet, Signal};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    if ignored >> (Signal::SIGHUP as u64 - 1) & 1 == 1 {
        // All later threads inherit the signal mask of this one.
        let _ = SigSet::from(Signal::SIGHUP).thread_block();
    }
}

#[cfg(not(unix))]
fn keep_ignoring() {}
