//! Random scripts for proptest that shrink by lines and parts of lines.

use std::cell::Cell;
use std::ops::Range;

use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};
use rand::Rng as _;

use super::Difference;
use super::grow::{self, Random};

/// Runs a check on random scripts, the same each time unless proptest is told another seed. While it shrinks, a script
/// must keep failing in the same way.
pub fn check(scripts: u32, check: impl Fn(&Random) -> Result<(), Difference>) {
    let mut config =
        Config { failure_persistence: None, max_shrink_iters: 30_000, ..Config::with_cases(scripts) };
    if let RngSeed::Random = config.rng_seed {
        config.rng_seed = RngSeed::Fixed(0);
    }
    let way = Cell::new(None);
    let same = |script: Random| match check(&script) {
        Err(difference) if way.get().is_none_or(|way| way == difference.way) => {
            way.set(Some(difference.way));
            Err(TestCaseError::fail(difference.to_string()))
        }
        _ => Ok(()),
    };
    if let Err(failure) = TestRunner::new(config).run(&Scripts, same) {
        panic!("{failure}");
    }
}

#[derive(Debug)]
struct Scripts;

impl Strategy for Scripts {
    type Tree = Shrinking;
    type Value = Random;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Scripts> {
        Ok(Shrinking::new(grow::script(runner.rng().next_u64())))
    }
}

/// A failing script, and the one being tried in its place.
#[derive(Debug)]
pub struct Shrinking {
    fails: Random,
    tried: Random,
    /// Reductions: what is replaced, and by what.
    edits: Vec<(Range<usize>, String)>,
    next: usize,
    /// Whether any edit was successful since the first was last tried.
    improved: bool,
}

impl Shrinking {
    pub fn new(script: Random) -> Shrinking {
        let edits = edits(&script.text);
        Shrinking { tried: script.clone(), fails: script, edits, next: 0, improved: false }
    }
}

impl ValueTree for Shrinking {
    type Value = Random;

    fn current(&self) -> Random {
        self.tried.clone()
    }

    fn simplify(&mut self) -> bool {
        if self.tried != self.fails {
            self.fails = self.tried.clone();
            self.edits = edits(&self.fails.text);
            // An edit that failed before will usually fail again.
            self.next = self.next.saturating_sub(1);
            self.improved = true;
        }
        self.complicate()
    }

    fn complicate(&mut self) -> bool {
        self.tried = self.fails.clone();
        if self.next >= self.edits.len() && std::mem::take(&mut self.improved) {
            self.next = 0;
        }
        let Some((span, other)) = self.edits.get(self.next) else { return false };
        self.next += 1;
        self.tried.text.replace_range(span.clone(), other);
        true
    }
}

/// Returns the end of the brackets that open first in a text.
fn closed(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        depth += i32::from("({[".contains(c)) - i32::from(")}]".contains(c));
        if depth == 0 && ")}]".contains(c) {
            return Some(i + 1);
        }
    }
    None
}

/// Returns ways to make a script smaller, largest first; not all of them leave a script.
fn edits(text: &str) -> Vec<(Range<usize>, String)> {
    let mut edits = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if let Some(brace) = line.rfind('{').filter(|_| line.ends_with("{\n")) {
            if let Some(inner) = closed(&text[start + brace..]) {
                let last = start + brace + inner;
                let whole = last + text[last..].find('\n').map_or(0, |rest| rest + 1);
                edits.push((start..whole, String::new()));
                // A block instead of what it belongs to.
                edits.push((start..whole, text[end..last - 1].to_string()));
            }
        } else {
            edits.push((start..end, String::new()));
        }
        start = end;
    }
    for (open, _) in text.match_indices(['(', '[', '{']) {
        let Some(inner) = closed(&text[open..]) else { continue };
        let span = open..open + inner;
        for other in ["0", "1", "true", "()", &text[open + 1..span.end - 1]] {
            if other.len() < span.len() {
                edits.push((span.clone(), other.to_string()));
            }
        }
    }
    edits.sort_by_key(|(span, other)| std::cmp::Reverse(span.len() - other.len()));
    edits
}
