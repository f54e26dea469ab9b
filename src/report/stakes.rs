//! Text for a stake that is bought in stages.

use crate::format::money;
use crate::rules::{Casino, Stage, StageAt};

pub(super) const NO_PRICE: &str =
    "the stake is bought in stages, and at other prices the player would stop at other points";

pub(super) const SHARE_OF_STAKED: &str = "Where the stake is bought in stages, the house edge is the share \
    of the mean amount staked; its interval is that of a ratio of two means (after Fieller).";

pub(super) const COMPARED: &str = "The value of stopping is what it gains over going on. Every stopped game was also played to its end, by the same \
    player on the same shuffle, with every remaining stage bought.";

/// Describes one stage with its price: `$26.00 before the first draw`.
fn stage(stage: &Stage, casino: &Casino) -> String {
    let cost = money(stage.cost as f64, casino, false);
    match stage.at {
        StageAt::Deal => format!("{cost} for the hand, before anything is dealt"),
        StageAt::FirstLook => format!("{cost} before the first move"),
        StageAt::FirstDraw => format!("{cost} before the first draw"),
        StageAt::Pass => format!("{cost} for each pass after the first"),
        StageAt::UnknownCard => match stage.limit {
            0 => format!("{cost} to be shown each card that went by"),
            limit => format!("{cost} to be shown each card that went by, at most {limit} a game"),
        },
    }
}

pub(super) fn stage_prices(casino: &Casino) -> String {
    casino.stages.iter().map(|it| stage(it, casino)).collect::<Vec<_>>().join(", ")
}

pub(super) fn paid_when(casino: &Casino) -> &'static str {
    match casino.stages.iter().any(|stage| stage.at.of_the_hand()) {
        true => "if every stage up to the first draw was bought",
        false => "however the game ends",
    }
}
