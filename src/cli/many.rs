//! What the commands that play many games share.

pub(super) use super::signals::stop_on_ctrl_c;

use super::terminal;

/// Tells the person something that is no data.
pub(super) fn note(message: &str) {
    terminal::tell(message);
}

/// The threads asked for, or one a core.
pub(super) fn threads(given: Option<u64>) -> usize {
    let given = given.and_then(|threads| usize::try_from(threads).ok());
    given.or_else(|| std::thread::available_parallelism().ok().map(|n| n.get())).unwrap_or(1)
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
