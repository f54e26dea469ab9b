//! Relaxed rules: whatever cannot be reached under them cannot be reached under the original rules either.
//!
//! Under them positions may be represented by classes: any part of a run moves, piles may have any height, nothing is
//! forced, and a space that waste or stock would fill at once is filled when the player likes. Every line of play of
//! the original rules is also one of these rules, with the same cards up after each play:
//!
//! - A single card and a whole pile are parts of a run.
//! - What must be played may be played.
//! - A reserve fills spaces at once under both, and first of all. When it is exhausted and a card of the waste, or the
//!   next of the stock, fills a space as part of a play, the play leaves a space here, which the player fills with that
//!   card next, whatever its rank.

use crate::rules::{BasePlay, Filler, MoveUnit, Rules, SpaceRank};

/// Returns relaxed rules; `None` if the reserve is not the first to fill spaces, so that the argument does not hold.
pub(super) fn relaxed_rules(rules: &Rules) -> Option<Rules> {
    let mut spec = rules.spec().clone();
    let spaces = &mut spec.spaces;
    if let Some((first, others)) = spaces.auto.split_first() {
        if *first != Filler::Reserve {
            return None;
        }
        for &filler in others {
            if !spaces.after_reserve.contains(&filler) {
                spaces.after_reserve.push(filler);
            }
            spaces.rank = SpaceRank::Any;
        }
        spaces.auto.truncate(1);
    }
    spec.tableau.unit = MoveUnit::Sequence;
    spec.tableau.max_height = 0;
    spec.foundation.base_play = BasePlay::Optional;
    Rules::new(spec).ok()
}

/// Returns whether relaxed rules are too permissive to prove much: base cards need not go up, or spaces need not be
/// filled.
pub(super) fn allows_much_more(rules: &Rules) -> bool {
    let spec = rules.spec();
    spec.foundation.base_play == BasePlay::Forced || spec.spaces.auto.len() > 1
}
