//! Check, before any memory is used, that the machine has enough.
//!
//! The system promises more memory than it has, and kills the program once that is used. So the free memory is read,
//! if the system reports it, and the requested amount is allocated once and released.

use std::fs;
use std::path::Path;

/// Refuses requests that the machine cannot satisfy: `what` needs this many bytes. `instead` says what to do, given
/// the most bytes available.
///
/// # Errors
/// The refusal, as a sentence.
pub fn check(what: &str, bytes: u64, instead: impl FnOnce(u64) -> String) -> Result<(), String> {
    let free = free();
    if free.is_none_or(|free| bytes <= free) && can_be_had(bytes) {
        return Ok(());
    }
    let most = free.map_or(bytes, |free| free.min(bytes));
    let most = (0..64).map(|halved| most >> halved).find(|&most| can_be_had(most)).unwrap_or(0);
    Err(format!(
        "{what} takes {} of memory, and {} can be allocated: {}",
        size(bytes),
        size(most),
        instead(most)
    ))
}

/// Formats a number of bytes.
fn size(bytes: u64) -> String {
    match bytes {
        0..0x4000_0000 => format!("{} MiB", bytes >> 20),
        _ => format!("{:.1} GiB", (bytes >> 20) as f64 / 1024.0),
    }
}

/// Returns whether the system promises this many bytes.
fn can_be_had(bytes: u64) -> bool {
    usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// Returns the bytes available to this program, if the system reports them: those of the machine, or fewer if the
/// program's control group has a limit.
fn free() -> Option<u64> {
    let read = |path: &Path| fs::read_to_string(path).ok();
    let machine = free_of_machine(&read(Path::new("/proc/meminfo"))?)?;
    let groups = read(Path::new("/proc/self/cgroup")).unwrap_or_default();
    Some(machine.min(free_of_groups(&groups, &read).unwrap_or(u64::MAX)))
}

/// Returns the available memory in `/proc/meminfo`.
fn free_of_machine(meminfo: &str) -> Option<u64> {
    let of = |key: &str| {
        let line = meminfo.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    };
    Some(of("MemAvailable")?.saturating_add(of("SwapFree").unwrap_or(0)))
}

/// Returns the least memory left in any control group of the program; in a container, the innermost is the root.
fn free_of_groups(groups: &str, read: &dyn Fn(&Path) -> Option<String>) -> Option<u64> {
    let left = |folder: &Path, limit: &str, used: &str| {
        let limit: u64 = read(&folder.join(limit))?.trim().parse().ok()?;
        let stat = read(&folder.join("memory.stat")).unwrap_or_default();
        let used = stat.lines().find_map(|line| line.strip_prefix(used)?.trim().parse::<u64>().ok());
        Some(limit.saturating_sub(used.unwrap_or(0)))
    };
    let each = groups.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let (root, limit, used) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max", "anon "),
            some if some.split(',').any(|it| it == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "total_rss ")
            }
            _ => return None,
        };
        let inside = Path::new(path.trim_start_matches('/'));
        inside.ancestors().filter_map(|path| left(&Path::new(root).join(path), limit, used)).min()
    });
    each.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_free_is_read() {
        let meminfo = "MemTotal:       24683552 kB\nMemAvailable:    2000 kB\nSwapFree:  48 kB\n";
        assert_eq!(free_of_machine(meminfo), Some(2048 << 10));
        assert_eq!(free_of_machine("MemTotal: 5 kB\n"), None);
        let files = |path: &Path| {
            let text = match path.to_str()? {
                "/sys/fs/cgroup/a/b/memory.max" => "max\n",
                "/sys/fs/cgroup/a/memory.max" => "1000\n",
                "/sys/fs/cgroup/a/memory.stat" => "anon 300\nfile 500\n",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes" => "900",
                _ => return None,
            };
            Some(text.to_string())
        };
        assert_eq!(free_of_groups("0::/a/b\n", &files), Some(700));
        assert_eq!(free_of_groups("5:cpu,memory:/x/y\n2:cpu:/\n", &files), Some(900));
        assert_eq!(free_of_groups("0::/\n", &files), None);
        assert_eq!(free_of_groups("", &files), None);
    }

    #[test]
    fn what_cannot_be_had_is_refused() {
        assert!(check("this", 1 << 20, |_| String::new()).is_ok());
        let message = check("that", 1 << 60, |most| format!("ask for {}", size(most))).unwrap_err();
        assert!(message.starts_with("that takes 1073741824.0 GiB of memory, and "), "{message}");
        assert!(message.contains(" can be allocated: ask for "), "{message}");
        assert_eq!((size(5 << 20), size(3 << 29)), ("5 MiB".into(), "1.5 GiB".into()));
    }
}
