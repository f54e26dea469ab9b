//! Text for what a casino pays besides each card and a win, and for a stake that is bought in stages.

use crate::format::{money, plural};
use crate::rules::{Casino, PayStep, Stage, StageAt, WonBy};

fn amount(casino: &Casino, cents: i64) -> String {
    money(cents as f64, casino, false)
}

/// `from 20 cards on $10.00 for each further card, and $50.00 once`
fn step(casino: &Casino, step: &PayStep) -> String {
    let paid = |cents: i64, what: &str| match cents {
        0 => format!("nothing {what}"),
        1.. => format!("{} {what}", amount(casino, cents)),
        _ => format!("a fee of {} {what}", amount(casino, -cents)),
    };
    let further = step.pays_per_card.map(|cents| paid(cents, "for each further card"));
    let once = (step.bonus != 0).then(|| paid(step.bonus, "once"));
    let both: Vec<String> = further.into_iter().chain(once).collect();
    format!("from {} on {}", plural(step.from.into(), "card"), both.join(", and "))
}

fn jackpot(casino: &Casino) -> Option<String> {
    let it = casino.jackpot?;
    let by = match it.won_by {
        WonBy::Win => "a win".to_string(),
        WonBy::Cards(cards) => plural(cards.into(), "card"),
    };
    let growth = match it.growth(casino.stake) {
        0 => String::new(),
        cents => format!(" and grows by {} with each deck", amount(casino, cents)),
    };
    Some(format!("for {by} a jackpot that starts at {}{growth}", amount(casino, it.start)))
}

/// Describes payments by steps and as a jackpot; empty if there are none.
pub(super) fn more_payments(casino: &Casino) -> Vec<String> {
    casino.steps.iter().map(|it| step(casino, it)).chain(jackpot(casino)).collect()
}

/// Describes redeal fees: `each redeal costs $1.00`; `None` if redeals are free.
pub(super) fn redeal_fees(casino: &Casino) -> Option<String> {
    let cost = |&cents: &i64| if cents == 0 { "nothing".into() } else { amount(casino, cents) };
    match &casino.redeal_fees[..] {
        _ if !casino.has_redeal_fees() => None,
        [fee] => Some(format!("each redeal costs {}", cost(fee))),
        [first, later] => {
            Some(format!("the first redeal costs {} and each later one {}", cost(first), cost(later)))
        }
        fees => {
            let each: Vec<String> = fees.iter().map(cost).collect();
            Some(format!(
                "the redeals cost {} in turn, and any later ones as much as the last",
                each.join(", ")
            ))
        }
    }
}

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
