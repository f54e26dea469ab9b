//! Results of a night of 100 decks.

use super::Row;
use super::coverage::Truth;
use super::night::Night;

/// Number of resamples for the intervals: a fraction of the command's, as there are many nights. With this number the
/// limits are the third smallest and largest, exactly 95%.
const AGAIN: u64 = 119;

/// The cases: price and bank in cents, and the number of nights for each number of games. A jackpot gives a night many
/// possible sums, which takes long.
/// A ruleset, two amounts, and pairs of a size and a number of samples.
type Case = (&'static str, i64, i64, [(u64, u64); 2]);

pub const CASES: [Case; 3] = [
    ("canfield", 5_500, 60_000, [(1_000, 1_000), (10_000, 1_000)]),
    ("draw-one", 15_000, 200_000, [(1_000, 1_000), (10_000, 4_000)]),
    ("jackpot", 3_000, 6_000_000, [(1_000, 150), (10_000, 150)]),
];

/// Studies the cases selected by `wanted`, and passes each to `tell` when it is finished.
pub fn all(truths: &[Truth], quick: bool, wanted: impl Fn(&str) -> bool, mut tell: impl FnMut(Row)) {
    for (name, stake, bank, sizes) in CASES.into_iter().filter(|case| wanted(case.0)) {
        let truth = truths.iter().find(|it| it.name == name).unwrap();
        for (games, samples) in sizes {
            let samples = if quick { 20 } else { samples };
            let study = Night { stake, bank, decks: 100 }.study(truth, games, samples, AGAIN);
            eprintln!("night of {name} {games}: {:.2}%", 100.0 * study.of("risk of ruin", "program").share());
            tell((format!("night of {name}"), games.to_string(), study));
        }
    }
}
