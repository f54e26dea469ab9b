//! The lines about money where the stake is bought in steps.

use super::{Side, edge, gain_estimate, money, money_estimate, percent, spread};
use crate::report::Entry;
use crate::report::stakes::{NO_PRICE, fate, paid_when, steps, worth};
use crate::stats::StakesSummary;

pub(super) fn lines(entry: &Entry<'_>, stakes: &StakesSummary, say: &mut impl FnMut(&str, String)) {
    let Entry { rules, summary, .. } = entry;
    let casino = &rules.casino;
    let cents = |amount: i64| money(amount as f64, casino, false);
    let win = match casino.pays_for_win {
        0 => String::new(),
        bonus => format!(", {} more for a win", cents(bonus)),
    };
    let paid = format!("{} back for each card{win}, {}", cents(casino.pays_per_card), paid_when(casino));
    say("the player pays", format!("{}; {paid}", steps(casino)));
    say("staked a game", money_estimate(stakes.staked, casino).both());
    say("paid back a game", money_estimate(stakes.paid, casino).both());
    let sd = spread(summary.games, || money(summary.net_sd, casino, false));
    let net = gain_estimate(summary.net, casino).both();
    say("player's net a game", format!("{net}, standard deviation {sd}"));
    let verdict = |e| match Side::of(e) {
        Side::House => "the house gains",
        Side::Player => "the house loses",
        Side::Open => "too few games to say who gains",
    };
    say(
        "house edge",
        match summary.house_edge {
            Some(e) => format!("{} of what is staked: {}", edge(e).both(), verdict(e)),
            None if stakes.staked.value > 0.0 => "too few games were staked on to tell".into(),
            None => "none: nothing was staked".into(),
        },
    );
    say("house's hold", format!("{} of 100 games", money_estimate(summary.hold_per_100, casino).both()));
    say("player profits", format!("on {} of games", percent(summary.hit_frequency).both()));
    say("fair price", format!("none: {NO_PRICE}"));
    for stage in &stakes.stages {
        let label = format!("stage {}", stage.at);
        say(&label, format!("{}: {}", cents(stage.cost), fate(stage, summary.games)));
        if let Some(worth) = stage.worth_of_stopping {
            say("", format!("stopping there was worth {} each", gain_estimate(worth, casino).both()));
        }
    }
    let never = || "the player never stopped".into();
    say("stopping is worth", worth(entry, stakes).unwrap_or_else(never));
}
