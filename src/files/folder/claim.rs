//! A claim on a folder or a file where the system has no locks, as on some network disks: a file that exactly one process
//! can have made.
//!
//! Its owner writes to it every few seconds. Who finds a claim watches it: while it changes, its owner is alive. One that
//! stays the same for long is of a run that is dead, and makes room for the next. Claims are numbered, the highest counts,
//! and each is made only where none of its number is: of several processes that find a dead one, one makes the next.
//! Nothing depends on what time it is, nor on whether two machines agree on that. A claim of this machine is not watched
//! where the system says that its process has ended.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::process::Process;

/// How often a claim is written to, and how long it may stay the same before it is taken for that of a dead run.
#[derive(Clone, Copy)]
pub(super) struct Beat {
    pub every: Duration,
    pub patience: Duration,
}

/// Network disks may show a change only after some seconds, so that patience is long.
pub(super) const BEAT: Beat = Beat { every: Duration::from_secs(2), patience: Duration::from_secs(30) };

/// Why a folder cannot be locked.
#[derive(Debug)]
pub enum LockError {
    /// Another run has it; who, and the file of its claim, where that is known.
    Busy(Option<String>),
    /// What the system says.
    Io(io::Error),
}

impl LockError {
    /// Who is busy, as the end of what is said of it.
    pub fn who(&self) -> String {
        match self {
            LockError::Busy(Some(who)) => format!(" ({who})"),
            LockError::Busy(None) | LockError::Io(_) => String::new(),
        }
    }
}

/// Most bytes of a claim.
const MOST: u64 = 4096;

/// A claim of this process, until it is dropped.
#[derive(Debug)]
pub(super) struct Claim {
    path: PathBuf,
    lost: Arc<AtomicBool>,
    beating: Option<(SyncSender<()>, JoinHandle<()>)>,
}

impl Claim {
    /// Claims what `base` is the lock of: the claim is `base` with a number after it.
    pub fn take(base: &Path, beat: Beat) -> Result<Claim, LockError> {
        loop {
            let number = match newest(base)? {
                None => 1,
                Some(number) if is_dead(base, number, beat)? => number
                    .checked_add(1)
                    .ok_or_else(|| LockError::Io(io::Error::other("there are too many claims")))?,
                Some(_) => continue,
            };
            let path = numbered(base, number);
            let made = OpenOptions::new().write(true).create_new(true).open(&path);
            let mut file = match made {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(LockError::Io(error)),
            };
            let owner = format!("{}\n{}", owner(), Process::this().map_or(String::new(), |it| it.written()));
            let mut last = text(&owner, 0);
            let written = file.write_all(last.as_bytes()).and_then(|()| file.sync_all());
            if let Err(error) = written {
                let _ = fs::remove_file(&path);
                return Err(LockError::Io(error));
            }
            // A folder may be listed without what was made meanwhile.
            if newest(base)?.is_some_and(|it| it > number) {
                let _ = fs::remove_file(&path);
                continue;
            }
            (number.saturating_sub(8)..number).for_each(|it| drop(fs::remove_file(numbered(base, it))));
            let lost = Arc::new(AtomicBool::new(false));
            let (over, wait) = sync_channel::<()>(0);
            let (base, own, is_lost) = (base.to_path_buf(), path.clone(), Arc::clone(&lost));
            let beating = std::thread::Builder::new().spawn(move || {
                let mut beats = 0;
                while wait.recv_timeout(beat.every) == Err(RecvTimeoutError::Timeout) {
                    let newer = newest(&base).is_ok_and(|it| it.is_some_and(|it| it > number));
                    // What cannot be read now may be read at the next beat.
                    let changed = match read(&own) {
                        Ok(found) => found != last,
                        Err(error) => error.kind() == io::ErrorKind::NotFound,
                    };
                    if newer || changed {
                        is_lost.store(true, Ordering::Relaxed);
                        break;
                    }
                    beats += 1;
                    let next = text(&owner, beats);
                    let written = file
                        .seek(SeekFrom::Start(0))
                        .and_then(|_| file.write_all(next.as_bytes()))
                        .and_then(|()| file.sync_all());
                    if written.is_ok() {
                        last = next;
                    }
                }
            });
            let beating = beating.map_err(|error| {
                let _ = fs::remove_file(&path);
                LockError::Io(error)
            })?;
            return Ok(Claim { path, lost, beating: Some((over, beating)) });
        }
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether somebody took this process for dead, or took the file away.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some((over, beating)) = self.beating.take() {
            drop(over);
            let _ = beating.join();
        }
        if !self.is_lost() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Waits until it is known whether a claim is that of a dead run; false where it has gone meanwhile.
fn is_dead(base: &Path, number: u64, beat: Beat) -> Result<bool, LockError> {
    let path = numbered(base, number);
    let gone = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Ok(false),
        _ => Err(LockError::Io(error)),
    };
    let first = match read(&path) {
        Ok(first) => first,
        Err(error) => return gone(error),
    };
    if Process::of_claim(&first).is_some_and(|owner| owner.has_ended()) {
        return Ok(true);
    }
    let since = Instant::now();
    while since.elapsed() < beat.patience {
        std::thread::sleep(beat.every / 4);
        match read(&path) {
            Ok(now) if now == first => {}
            Ok(now) => return Err(LockError::Busy(Some(in_use(&path, &now)))),
            Err(error) => return gone(error),
        }
    }
    Ok(true)
}

/// Who has a claim, as a line that can be printed.
fn in_use(path: &Path, text: &str) -> String {
    let shows = |c: &char| c.is_ascii_graphic() || *c == ' ';
    let owner: String = text.lines().next().unwrap_or_default().chars().filter(shows).collect();
    format!("{owner}; its claim is {}", path.display())
}

/// The number of the newest claim.
pub(super) fn newest(base: &Path) -> Result<Option<u64>, LockError> {
    let (Some(folder), Some(name)) = (base.parent(), base.file_name().and_then(OsStr::to_str)) else {
        return Err(LockError::Io(io::ErrorKind::InvalidInput.into()));
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut newest = None;
    for entry in fs::read_dir(folder).map_err(LockError::Io)? {
        let found = entry.map_err(LockError::Io)?.file_name();
        let number = found.to_str().and_then(|it| it.strip_prefix(name)?.strip_prefix('-'));
        // Only a number as it is written here is that of a claim: no other way of writing it is found again.
        let number = number.and_then(|it| it.parse::<u64>().ok().filter(|number| number.to_string() == it));
        newest = newest.max(number);
    }
    Ok(newest)
}

fn numbered(base: &Path, number: u64) -> PathBuf {
    let mut path = base.as_os_str().to_owned();
    path.push(format!("-{number}"));
    path.into()
}

fn read(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    // A link or a pipe that somebody put there is no claim.
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{} is no file", path.display())));
    }
    File::open(path)?.take(MOST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// This process, as the others are told of it.
fn owner() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname")
        .or_else(|_| std::env::var("HOSTNAME").or_else(|_| std::env::var("COMPUTERNAME")))
        .unwrap_or_default();
    let host = if host.trim().is_empty() { "unknown" } else { host.trim() };
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs());
    format!("process {} on {host}, begun {since} s after 1970", std::process::id())
}

/// What a claim says. It has the same length at every beat.
fn text(owner: &str, beats: u64) -> String {
    format!("{owner}\nbeat {beats:020}\n")
}

#[cfg(test)]
mod tests {
    use super::super::exclusive::put;
    use super::*;

    /// Never done waiting, and quick to beat.
    const ALIVE: Beat = Beat { every: Duration::from_millis(5), patience: Duration::from_secs(600) };
    const HASTY: Beat = Beat { every: Duration::from_millis(5), patience: Duration::from_millis(100) };

    #[test]
    fn who_is_alive_keeps_the_claim() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().join(".out.lock");
        let claim = Claim::take(&base, ALIVE).unwrap();
        let refused = Claim::take(&base, ALIVE).unwrap_err();
        let LockError::Busy(Some(who)) = refused else { panic!("{refused:?}") };
        assert!(who.contains(&format!("process {} on ", std::process::id())), "{who}");
        assert!(who.contains(".out.lock-1"), "{who}");
        assert!(!claim.is_lost());
        drop(claim);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        drop(Claim::take(&base, ALIVE).unwrap());
    }

    /// Files that somebody made with such names are no claims, and the highest number is one like others.
    #[test]
    fn odd_names_and_numbers_make_no_second_owner() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().join(".out.lock");
        for odd in ["-007", "-+3", "-", "-9x"] {
            fs::write(dir.path().join(format!(".out.lock{odd}")), "").unwrap();
        }
        fs::write(numbered(&base, u64::from(u32::MAX)), "process 1 on elsewhere\nbeat 7\n").unwrap();
        let claim = Claim::take(&base, HASTY).unwrap();
        assert_eq!(claim.path(), numbered(&base, 1 << 32));
        assert!(matches!(Claim::take(&base, ALIVE), Err(LockError::Busy(Some(_)))));
    }

    #[test]
    fn what_a_dead_run_left_is_taken_over() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().join(".out.lock");
        // Of another machine, with a clock of another century.
        fs::write(numbered(&base, 3), "process 1 on elsewhere, begun 99999999999 s after 1970\nbeat 7\n")
            .unwrap();
        let claim = Claim::take(&base, HASTY).unwrap();
        assert_eq!(claim.path(), numbered(&base, 4));
        assert!(!numbered(&base, 3).exists());
    }

    /// What clocks say is no matter: who is alive keeps the claim, and who has ended makes room at once.
    #[cfg(target_os = "linux")]
    #[test]
    fn clocks_that_jump_mix_no_two_processes() {
        let day = Duration::from_secs(86_400);
        let now = SystemTime::now();
        for (begun, time) in
            [(0, UNIX_EPOCH), (u64::MAX, UNIX_EPOCH + day * 36_500), (1, now - day), (1, now + day)]
        {
            let dir = tempfile::tempdir().unwrap();
            let base = dir.path().join(".out.lock");
            let by_clock =
                |path: &Path| File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
            // Another process has its number by now.
            let ended = Process::this().unwrap().of_before();
            let first = format!(
                "process 1 on here, begun {begun} s after 1970
{}",
                ended.written()
            );
            fs::write(numbered(&base, 3), text(&first, 7)).unwrap();
            by_clock(&numbered(&base, 3));
            let since = Instant::now();
            let claim = Claim::take(&base, ALIVE).unwrap();
            assert!(since.elapsed() < Duration::from_secs(60));
            assert_eq!(claim.path(), numbered(&base, 4));
            by_clock(claim.path());
            let refused = Claim::take(&base, ALIVE);
            assert!(matches!(refused, Err(LockError::Busy(_))), "{refused:?}");
            by_clock(claim.path());
            assert!(!claim.is_lost());
        }
    }

    #[test]
    fn of_many_one_has_the_claim() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().join(".out.lock");
        let all: Vec<_> = std::thread::scope(|scope| {
            let all: Vec<_> = (0..8).map(|_| scope.spawn(|| Claim::take(&base, ALIVE))).collect();
            all.into_iter().map(|it| it.join().unwrap()).collect()
        });
        assert_eq!(all.iter().filter(|it| it.is_ok()).count(), 1, "{all:?}");
        assert!(all.iter().all(|it| matches!(it, Ok(_) | Err(LockError::Busy(_)))), "{all:?}");
    }

    #[test]
    fn who_was_taken_for_dead_learns_of_it() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().join(".out.lock");
        for taken in ["newer", "other", "gone"] {
            let claim = Claim::take(&base, ALIVE).unwrap();
            match taken {
                "newer" => fs::write(numbered(&base, 2), "another").unwrap(),
                "other" => put(claim.path(), b"another", true).unwrap(),
                _ => fs::remove_file(claim.path()).unwrap(),
            }
            let since = Instant::now();
            while !claim.is_lost() {
                assert!(since.elapsed() < Duration::from_secs(60), "{taken} is not noticed");
                std::thread::sleep(Duration::from_millis(1));
            }
            let path = claim.path().to_path_buf();
            drop(claim);
            // What is another's now stays.
            assert_eq!(path.exists(), taken != "gone", "{taken}");
            let _ = fs::remove_file(&path);
            let _ = fs::remove_file(numbered(&base, 2));
        }
    }
}
