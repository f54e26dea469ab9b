//! Rules that allow more: what no play reaches under them, no play reaches under the rules themselves.
//!
//! Under them positions may be told as classes: any part of a run moves, piles may have any height, nothing is forced,
//! and a space that waste or stock would fill at once is filled when the player likes. Take a line of play of the rules
//! themselves. Under these rules it is one too, with the same cards up after each play:
//!
//! - A single card and a whole pile are parts of a run.
//! - What must be played may be played.
//! - A reserve fills spaces at once under both, and first of all. Where it is gone and a card of the waste, or the next
//!   of the stock, fills a space as part of a play, the play leaves a space here, which the player fills with that card
//!   next, whatever its rank.

use crate::rules::{BasePlay, Filler, MoveUnit, Rules, SpaceRank};

/// Such rules; `None` where they would allow no more than the rules do that a reserve is filled from last.
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

/// Whether such rules allow so much more that they seldom prove anything: bases need not go up, or spaces not be filled.
pub(super) fn allows_much_more(rules: &Rules) -> bool {
    let spec = rules.spec();
    spec.foundation.base_play == BasePlay::Forced || spec.spaces.auto.len() > 1
}
