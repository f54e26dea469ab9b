//! Properties of any input: each is a function of bytes that panics if it does not hold. The test `properties` runs
//! them on random bytes and on the corpora of `tests/fuzz/`, and so do the fuzz targets of the same names there.

use std::time::{Duration, Instant};

mod blocks;
mod records;
mod scripts;
mod texts;

pub use blocks::block_files;
pub use records::{accepted, accepted_records_replay};
pub use scripts::{
    answers, compiled_and_interpreted_agree, decisions_depend_on_the_view_alone, scripts_stay_within_budget,
};
pub use texts::{contests_never_panic, deals_never_panic, rules_never_panic, ruleset};

pub type Property = fn(&[u8]);

/// Every property with its name, which is also that of its fuzz target and of its corpus folder.
pub const PROPERTIES: [(&str, Property); 8] = [
    ("rules_never_panic", rules_never_panic),
    ("scripts_stay_within_budget", scripts_stay_within_budget),
    ("decisions_depend_on_the_view_alone", decisions_depend_on_the_view_alone),
    ("compiled_and_interpreted_agree", compiled_and_interpreted_agree),
    ("accepted_records_replay", accepted_records_replay),
    ("block_files", block_files),
    ("contests_never_panic", contests_never_panic),
    ("deals_never_panic", deals_never_panic),
];

/// First byte of an input that is not text: the rest are choices for a generator. No text begins with it.
pub const CHOICES: u8 = 0xFF;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A source of choices. When the bytes are used up, every choice is the first one, which must lead to an end.
pub struct Choices<'a> {
    bytes: &'a [u8],
}

impl<'a> Choices<'a> {
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices { bytes }
    }

    fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((&first, rest)) => {
                self.bytes = rest;
                first
            }
            None => 0,
        }
    }

    /// Returns a number in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        match n {
            0 | 1 => 0,
            2..=256 => usize::from(self.byte()) % n,
            _ => (usize::from(self.byte()) << 8 | usize::from(self.byte())) % n,
        }
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub fn number(&mut self) -> u64 {
        (0..8).fold(0, |number, _| number << 8 | u64::from(self.byte()))
    }
}

/// Allowance for machines slower than the one the stated times are meant for, and for checks in test builds.
const SLACK: u32 = 4;

/// Runs what must end within a time of one core: processor time if the system provides it, which is independent of other
/// work on the machine.
fn within<T>(promised: Duration, what: &str, run: impl FnOnce() -> T) -> T {
    let (wall, core) = (Instant::now(), core_time());
    let value = run();
    let took = match (core, core_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => wall.elapsed(),
    };
    assert!(took <= promised * SLACK, "{what} took {took:?}, and {promised:?} are promised");
    value
}

fn core_time() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(told.split_whitespace().next()?.parse().ok()?))
}
