//! Properties of any input: each is a function of bytes that panics if it does not hold. The test `properties` runs
//! them on random bytes and on the corpora of `tests/fuzz/`, and so do the fuzz targets of the same names there.

mod blocks;
pub mod choices;
mod clock;
mod files;
mod records;
mod rulesets;
mod scripts;

pub use blocks::block_files;
pub use files::{contests_never_panic, deals_never_panic};
pub use records::{accepted, accepted_records_replay};
pub use rulesets::rules_never_panic;
pub use scripts::{
    answers, compiled_and_interpreted_agree, decisions_depend_on_the_view_alone, scripts_stay_within_budget,
};

/// A property of bytes.
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
/// First byte of an input that is the number of a random script.
pub const NUMBER: u8 = 0xFE;

/// Converts an input to text.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
