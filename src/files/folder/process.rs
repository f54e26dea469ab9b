//! A process of this machine, known so well that no other is taken for it.

use std::fs;
use std::path::Path;

/// A process, where the system tells enough of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process {
    /// The machine since it was started, which no other has, nor this one after it was started again.
    machine: String,
    /// Within which processes have their numbers: containers of one machine have the same number for several.
    space: String,
    number: u32,
    /// When it was started, by a clock that never jumps: numbers are given again.
    started: u64,
}

impl Process {
    /// This one.
    pub fn this() -> Option<Process> {
        Process::of(std::process::id())
    }

    /// One of this machine that has not ended.
    fn of(number: u32) -> Option<Process> {
        let machine = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?.trim().to_string();
        let space = fs::read_link("/proc/self/ns/pid").ok()?.to_str()?.to_string();
        let (_, started) = state(number)?;
        Some(Process { machine, space, number, started })
    }

    /// As a line of a claim.
    pub fn written(&self) -> String {
        format!("{} {} {} {}", self.machine, self.space, self.number, self.started)
    }

    /// That of a claim, where it tells.
    pub fn of_claim(text: &str) -> Option<Process> {
        let mut words = text.lines().nth(1)?.split(' ');
        let mut word = || words.next();
        let (machine, space) = (word()?.to_string(), word()?.to_string());
        Some(Process { machine, space, number: word()?.parse().ok()?, started: word()?.parse().ok()? })
    }

    /// Whether it is known for certain that it has ended.
    pub fn has_ended(&self) -> bool {
        let Some(this) = Process::this() else { return false };
        if (&self.machine, &self.space) != (&this.machine, &this.space) {
            return false;
        }
        match state(self.number) {
            // A process that has ended stays until another has asked how.
            Some((state, started)) => {
                started != self.started || matches!(state, 'Z' | 'X') && !has_threads(self.number)
            }
            // Those of other people may be hidden.
            None => is_nobody(self.number),
        }
    }
}

/// Whether threads of a process go on, though its first one has ended.
fn has_threads(number: u32) -> bool {
    std::fs::read_dir(format!("/proc/{number}/task")).is_ok_and(|threads| threads.count() > 1)
}

/// The state of a process and when it was started, as Linux tells them.
fn state(number: u32) -> Option<(char, u64)> {
    let told = crate::files::read(Path::new(&format!("/proc/{number}/stat")), 4096).ok()?;
    let told = String::from_utf8_lossy(&told).into_owned();
    // The name before may hold anything.
    let mut words = told.rsplit_once(')')?.1.split_whitespace();
    let state = words.next()?.chars().next()?;
    Some((state, words.nth(18)?.parse().ok()?))
}

/// Whether no process has a number.
#[cfg(unix)]
fn is_nobody(number: u32) -> bool {
    let number = i32::try_from(number).ok().filter(|number| *number > 0);
    number.is_some_and(|number| {
        let asked = nix::sys::signal::kill(nix::unistd::Pid::from_raw(number), None);
        asked == Err(nix::errno::Errno::ESRCH)
    })
}

#[cfg(not(unix))]
fn is_nobody(_: u32) -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
impl Process {
    /// One that had the number of this before.
    pub fn of_before(self) -> Process {
        Process { started: self.started.wrapping_sub(1), ..self }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_known_for_certain_has_ended() {
        let this = Process::this().unwrap();
        assert_eq!(
            Process::of_claim(&format!(
                "who
{}
beat 1
",
                this.written()
            )),
            Some(this.clone())
        );
        for nothing in [
            "",
            "who",
            "who
",
            "who
beat 7
",
            "who
a b c d
",
            "who
a b 1
",
        ] {
            assert_eq!(Process::of_claim(nothing), None, "{nothing}");
        }
        let nobody = Process { number: i32::MAX as u32, ..this.clone() };
        let before = this.clone().of_before();
        let mut child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        let other = Process::of(child.id()).unwrap();
        for (process, ended) in [(&this, false), (&other, false), (&before, true), (&nobody, true)] {
            assert_eq!(process.has_ended(), ended, "{process:?}");
            // Of another machine, or in another container, nobody knows.
            for elsewhere in [
                Process { machine: "another".into(), ..process.clone() },
                Process { space: "another".into(), ..process.clone() },
            ] {
                assert!(!elsewhere.has_ended(), "{elsewhere:?}");
            }
        }
        child.kill().unwrap();
        while !other.has_ended() {
            std::thread::yield_now();
        }
        child.wait().unwrap();
        assert!(other.has_ended());
    }
}
