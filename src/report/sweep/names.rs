//! Short names of strategies.

use crate::report::entry::{settings_apart, stem};

/// Names without folders and extensions, with the settings behind them; with both where another script's would be
/// the same: `mine` and `greedy:hold=4`, but `./mine.rhai` and `./old/mine.rhai`.
pub(super) fn short(names: &[&str]) -> Vec<String> {
    let parts: Vec<(&str, &str)> = names.iter().map(|name| settings_apart(name)).collect();
    let called = |&(path, settings): &(&str, &str)| {
        let shared = parts.iter().any(|(other, _)| *other != path && stem(other) == stem(path));
        format!("{}{settings}", if shared { path } else { stem(path) })
    };
    parts.iter().map(called).collect()
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn scripts_of_one_name_keep_their_paths() {
        assert_eq!(short(&["greedy", "./mine.rhai", "C:/old/a.rhai"]), ["greedy", "mine", "a"]);
        assert_eq!(
            short(&["./mine.rhai", "./x/mine.rhai", "patient"]),
            ["./mine.rhai", "./x/mine.rhai", "patient"]
        );
        assert_eq!(short(&["greedy", "scripts/greedy.rhai"]), ["greedy", "scripts/greedy.rhai"]);
        // Of one script the settings tell enough.
        assert_eq!(short(&["./a.rhai:late=2", "./a.rhai:late=4,x=1"]), ["a:late=2", "a:late=4,x=1"]);
        assert_eq!(short(&["./a.rhai:late=2", "b/a.rhai:late=4"]), ["./a.rhai:late=2", "b/a.rhai:late=4"]);
    }
}
