//! Figures of a night of 100 decks.

use crate::coverage::{Study, Truth};
use crate::night::Night;

/// Samples drawn again for the intervals: a fraction of those of the command, as there are many nights. With these the limits
/// are the third least and greatest, 95% exactly.
const AGAIN: u64 = 119;

/// The case, its price and the bank in cents, and for each number of games how many nights.
type Case = (&'static str, i64, i64, [(u64, u64); 2]);

/// What is studied. A jackpot makes a night of many sums, which takes long.
const CASES: [Case; 3] = [
    ("canfield", 5_500, 60_000, [(1_000, 1_000), (10_000, 1_000)]),
    ("draw-one", 15_000, 200_000, [(1_000, 1_000), (10_000, 4_000)]),
    ("jackpot", 3_000, 6_000_000, [(1_000, 150), (10_000, 150)]),
];

/// Studies the cases that `wanted` takes, and tells each as it is finished.
///
/// # Errors
/// Those of `tell`.
pub fn all<E>(
    truths: &[Truth],
    quick: bool,
    wanted: impl Fn(&str) -> bool,
    mut tell: impl FnMut((String, String, Study)) -> Result<(), E>,
) -> Result<(), E> {
    for (name, stake, bank, sizes) in CASES {
        if !wanted(name) {
            continue;
        }
        let Some(truth) = truths.iter().find(|it| it.name == name) else { continue };
        for (games, samples) in sizes {
            let samples = if quick { 20 } else { samples };
            let study = Night { stake, bank, decks: 100 }.study(truth, games, samples, AGAIN);
            eprintln!("night of {name} {games}: {:.2}%", 100.0 * study.of("risk of ruin", "program").share());
            tell((format!("night of {name}"), games.to_string(), study))?;
        }
    }
    Ok(())
}

/// The names of the cases.
pub fn cases() -> impl Iterator<Item = &'static str> {
    CASES.iter().map(|case| case.0)
}
