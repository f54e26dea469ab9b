//! Sentences on a plan.

use crate::format::{
    FormattedEstimate, Side, count, edge, gain_estimate, money, money_estimate, percent, plural,
};
use crate::lab::{NOTHING, Planned, PlannedRules};
use crate::report::bankroll::{decks_to, risk};
use crate::report::document::{Card, Finding};
use crate::report::labels::{name_in_full, percent_text};
use crate::report::patrons::{IN_A_ROW, deviation_of, differ, in_tenths, tenths, unfit_patrons};
use crate::report::quantity::edge_between;
use crate::report::run::Run;
use crate::stats::{AtOnce, Estimate, House, TAIL, reach_of};
use crate::units::plain;

/// Assumed seconds per move, for the duration of a game.
pub(super) const SECONDS_A_MOVE: f64 = 3.0;

pub(super) const WARNING: &str = "Every figure holds only for these rules, this price and these players. Who really comes, and how well they \
    play, decides more than luck does.";

pub(super) struct Report<'a> {
    pub plan: &'a Planned,
    pub rules: &'a PlannedRules,
    pub names: Vec<String>,
    pub target: String,
    pub seed: u64,
}

pub(super) fn rules_of(rules: &PlannedRules) -> String {
    if rules.changed { rules.name.clone() } else { name_in_full(&rules.name, &rules.id) }
}

pub(super) fn dollars(rules: &PlannedRules, cents: f64) -> String {
    money(cents, rules.casino(), false)
}

pub(super) fn sum(rules: &PlannedRules, cents: f64) -> FormattedEstimate {
    FormattedEstimate::of(cents / 100.0, dollars(rules, cents))
}

/// Returns the share of decks that the mix wins, with joint confidence for this number of rulesets.
pub(super) fn wins(rules: &PlannedRules, several: usize) -> Estimate {
    rules.of_mix(|tally| AtOnce::of(tally, rules.spec(), several).wins)
}

/// `30% beginner, 60% ordinary`, by the shares of a night.
pub(super) fn mix_in_words(report: &Report<'_>) -> String {
    let buyers = report.rules.players.iter().zip(&report.names).filter(|(it, _)| it.patron.share > 0.0);
    let shares = buyers.map(|(it, name)| match report.rules.has_visits() {
        true => format!("{} {name}", tenths(it.patron.share_of_night)),
        false => format!("{} {name}", percent_text(it.patron.share)),
    });
    shares.collect::<Vec<_>>().join(", ")
}

pub(super) fn against_target(report: &Report<'_>, e: Estimate) -> String {
    let (low, high) = reach_of(report.plan.target);
    let (place, rest) = match () {
        () if e.low >= low && e.high <= high => ("within", ""),
        () if e.value >= low && e.value <= high => ("within", ", though its interval reaches beyond it"),
        () if e.low > high => ("above", ""),
        () if e.high < low => ("below", ""),
        () if e.value > high => ("above", ", though its interval reaches into it"),
        () => ("below", ", though its interval reaches into it"),
    };
    format!("{place} the target of {}{rest}", report.target)
}

/// If no price with the requested rounding is within the target, says which prices are, and which rounding would do.
pub(super) fn no_round_price(report: &Report<'_>, rules: &PlannedRules) -> Option<String> {
    let offer = rules.offer.filter(|offer| !offer.is_within())?;
    let round = match (report.plan.round, &*rules.casino().currency) {
        (100, "$") => "whole dollar".into(),
        (round, _) => format!("multiple of {}", dollars(rules, round as f64)),
    };
    // To the cent, rounded into the target range.
    let [low, high] = [offer.between.0.ceil(), offer.between.1.floor()].map(|cents| dollars(rules, cents));
    Some(match offer.finer {
        Some((step, price)) => format!(
            "no {round} is between {low} and {high}; with --round {}: {}",
            plain(step),
            dollars(rules, price as f64)
        ),
        None => format!("no {round} leaves such an edge, and no finer price does"),
    })
}

pub(super) fn findings(report: &Report<'_>) -> Vec<Finding> {
    let (first, names) = (report.rules, &report.names);
    let (b, casino) = (&first.bankroll, first.casino());
    let (mix, price) = (edge(first.edge), dollars(first, first.price as f64));
    let several = report.plan.rulesets.len() > 1;
    // If there are several rulesets, the sentences are about the first.
    let of = if several { format!(" of {}", rules_of(first)) } else { String::new() };
    let (low, high) = reach_of(report.plan.target);
    let is_within = (low..=high).contains(&first.edge.value);
    let why = match no_round_price(report, first) {
        Some(why) if is_within => format!(" By the games that found this price, {why}."),
        Some(why) => format!(" No such price leaves an edge within the target, by the games that found it: {why}."),
        None if is_within || report.plan.price_given => String::new(),
        None => " The games that found this price put the edge within the target: more games (-n, --search-games) find one that \
                 both agree on."
            .into(),
    };
    let asks = match (report.plan.price_given, is_within) {
        (true, _) => format!("At {price} a deck{of},"),
        (false, true) => format!("Ask {price} for a deck{of}:"),
        (false, false) => {
            format!("No price was found within the target of {}: at {price} a deck{of},", report.target)
        }
    };
    let (players, who) = match (0..names.len()).find(|&i| first.is_the_mix(i)) {
        Some(only) => (format!("against {}", names[only]), String::new()),
        None => (
            "with this mix of players".into(),
            format!(" The players are {}{}.", mix_in_words(report), in_the_long_run(first)),
        ),
    };
    let mut all = vec![Finding::of(
        &mix,
        format!("{asks} the edge is {} {players}", mix.value),
        format!(", {}.{who}{why}", against_target(report, first.edge)),
    )];
    let (profit, losing) = (gain_estimate(b.profit, casino), risk(b.losing_night));
    let night = plural(b.decks.into(), "deck");
    all.push(Finding {
        side: Side::of(b.profit),
        finding: format!(
            "A night of {night} brings {} on average; {} of nights lose",
            profit.value, losing.value
        ),
        rest: format!(
            " ({}). One night in a hundred ends at {} or below.",
            profit.intervals_in_words(&losing),
            gain_estimate(b.worst_night, casino).value
        ),
    });
    all.push(best_player(report, &night));
    let safe = money_estimate(b.bank_for_1_percent, casino);
    let season = &first.season;
    let many = match season.capital {
        Some(capital) => {
            format!("for any number of such nights, {} is enough", money_estimate(capital, casino).value)
        }
        None => "for many nights no bank is enough, as the house does not gain".into(),
    };
    let (finding, capital) = match b.greatest_loss {
        ..=0 => ("No bank is needed".into(), ": no deck can pay more than it costs".into()),
        _ => (
            format!("A bank of {} keeps the risk of ruin in one night at 1%", safe.value),
            format!(" ({}); {many}", safe.interval_in_words()),
        ),
    };
    let rest = format!(
        "{capital}. Half of all seasons of {} bring {} or more; one in a hundred brings {} or less.",
        plural(season.nights.into(), "night"),
        gain_estimate(season.profit[2], casino).value,
        gain_estimate(season.profit[0], casino).value
    );
    all.push(Finding { side: Side::Open, finding, rest });
    all.extend(most_won(report));
    all
}

/// Returns the house's gain from the strongest player, with joint confidence, as it was selected among all.
pub(super) fn best_player(report: &Report<'_>, night: &str) -> Finding {
    let first = report.rules;
    let strongest = first.strongest();
    let (player, name) = (&first.players[strongest], &report.names[strongest]);
    let (mut against, mut gain, mut chosen) = (player.edge(), player.gain(), String::new());
    let several = report.names.len();
    if !first.is_the_mix(strongest) {
        let house = House::new(&player.patron.tally, first.casino()).leaving_out(TAIL / several as f64);
        against = house.edge().unwrap_or(NOTHING);
        gain = -house.net();
        if several > 1 {
            chosen = format!(", as the best of {several} players");
        }
    }
    let gone = first.decks_of_the_best.map_or(String::new(), |decks| {
        let said = best_decks(decks);
        format!(
            " The edge is gone once {name} plays {} of the {night} ({}).",
            said.value,
            said.interval_in_words()
        )
    });
    let known = first.known.as_ref().and_then(|it| Some((it.deals, it.most_cards.house_edge?)));
    let known = known.map_or(String::new(), |(deals, between)| {
        let said = edge_between(between);
        format!(
            " A player who knows every card leaves an edge of {} ({}; {} solved).",
            said.value,
            said.interval_in_words(),
            plural(deals, "deal")
        )
    });
    let said = edge(against);
    Finding {
        side: Side::of(against),
        finding: format!(
            "The best player measured, {name}, {} {} a deck",
            if gain.value < 0.0 { "takes" } else { "leaves you" },
            money_estimate(abs(gain), first.casino()).value
        ),
        rest: format!(": an edge of {} ({}{chosen}).{gone}{known}", said.value, said.interval_in_words()),
    }
}

/// Names, among several rulesets, the one that players win most often, which they like best.
pub(super) fn most_won(report: &Report<'_>) -> Option<Finding> {
    if report.plan.rulesets.len() < 2 {
        return None;
    }
    // A selection among several needs joint confidence.
    let several = report.plan.rulesets.len();
    let won: Vec<(&PlannedRules, Estimate)> =
        report.plan.rulesets.iter().map(|rules| (rules, wins(rules, several))).collect();
    let (rules, wins) = won.iter().max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    let alike = won.iter().filter(|(it, e)| it.id != rules.id && e.high >= wins.low);
    let alike: Vec<String> = alike.map(|(it, _)| rules_of(it)).collect();
    let alike = match &alike[..] {
        [] => String::new(),
        names => format!(" By these games, {} may be won as often.", names.join(" or ")),
    };
    let (mix, said) = (edge(rules.edge), percent(*wins));
    Some(Finding {
        side: Side::of(rules.edge),
        finding: format!(
            "Of these {} rulesets, {} is won most often: {} of decks",
            report.plan.rulesets.len(),
            rules_of(rules),
            said.value
        ),
        rest: format!(
            " ({}, as the highest of them), at {} a deck and an edge of {}.{alike}",
            said.interval_in_words(),
            dollars(rules, rules.price as f64),
            mix.value
        ),
    })
}

/// Describes the shares of the mix in the long run, if those of a night differ.
pub(super) fn in_the_long_run(rules: &PlannedRules) -> String {
    let buyers = || rules.players.iter().filter(|it| it.patron.share > 0.0);
    let shares: Vec<f64> = buyers().map(|it| it.patron.share).collect();
    let of_night: Vec<f64> = buyers().map(|it| it.patron.share_of_night).collect();
    match (differ(&shares, &of_night), rules.bankroll.edge()) {
        (true, Some(long)) => format!(
            " of the decks of a night; in the long run they would buy {}, and the edge would be {}",
            in_tenths(&shares),
            edge(long).value
        ),
        _ => String::new(),
    }
}

/// Formats the decks of the best player; small numbers with decimals.
pub(super) fn best_decks(decks: Estimate) -> FormattedEstimate {
    decks_to(decks, if decks.high < 100.0 { 1 } else { 0 })
}

pub(super) fn abs(e: Estimate) -> Estimate {
    if e.value >= 0.0 { e } else { -e }
}

pub(super) fn cards(rules: &PlannedRules) -> Vec<Card> {
    let (b, casino) = (&rules.bankroll, rules.casino());
    let profit = gain_estimate(b.profit, casino);
    vec![
        Card::new("price of a deck", sum(rules, rules.price as f64)),
        Card::new("house edge of the mix", edge(rules.edge)),
        Card::new("mean profit of a night", profit.on(Side::of(b.profit))),
        Card::new("losing nights", risk(b.losing_night)),
        Card::new("worst night in 100", gain_estimate(b.worst_night, casino)),
        Card::new("bank for 1% risk", money_estimate(b.bank_for_1_percent, casino)),
    ]
}

/// Names the patrons without a suitable player, under any of the rulesets.
pub(super) fn unfit(run: &Run, plan: &Planned) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    for rules in &run.rules {
        // Ids of variants begin with the id of their ruleset.
        let Some(planned) = plan.rulesets.iter().find(|it| it.id.starts_with(&rules.id)) else { continue };
        for player in &planned.players {
            let unfit = unfit_patrons(&rules.files, &player.patron.strategy, planned.casino());
            for one in unfit.into_iter().map(|it| it + ".") {
                if !said.contains(&one) {
                    said.push(one);
                }
            }
        }
    }
    said
}

pub(super) fn notes(report: &Report<'_>) -> Vec<String> {
    let first = report.rules;
    let mut notes = Vec::new();
    if !report.plan.price_given {
        notes.push(format!(
            "The price is a whole multiple of {} at which the mix leaves an edge near the middle of {}; rounder prices are \
             preferred. It was found on games of its own, so the intervals are those of fresh games.",
            dollars(first, report.plan.round as f64),
            report.target
        ));
    }
    let has_visits = first.has_visits();
    if has_visits {
        let night = plural(first.bankroll.decks.into(), "deck");
        notes.push(IN_A_ROW.into());
        notes.push(format!(
            "The price, the edge of the mix and all that follows from it are of the decks of a night of {night}; the volatility \
             index and the bands of many decks are of visits without end. N0 counts from the first deck of a night.{}",
            match first.bankroll.edge() {
                Some(long) => format!(" In the long run the edge would be {}.", edge(long).both()),
                None => String::new(),
            }
        ));
    }
    notes.extend([
        "The edge of the mix is the mean of the edges against its players, by the shares of decks that they buy. Each player \
         played games of its own."
            .into(),
        "Nights are exact for the games that were played: the profit is the convolution of what the house gains of each deck. \
         Intervals of the night are bootstrap intervals with one more game, the worst possible or the best."
            .into(),
        format!(
            "RTP, the return to player, is 1 minus the house edge. Its bands hold nine in ten stretches of that many decks, if the \
             measured games are the truth; they are convolved from the payments of {}. The hold is the house's average \
             profit from 100 decks. The volatility index is 1.645 standard deviations of {}. The hit frequency is the share of \
             decks that pay more than they cost.",
            if has_visits { "whole visits" } else { "single decks" },
            deviation_of(has_visits)
        ),
        format!(
            "Seasons are {} seasons drawn night by night; their limits reckon with the draws and, by the mean and the standard \
             deviation of a night, with the measured games. A drawdown is how far the profit falls below its highest so far, at the \
             end of a night. The adjustment coefficient R solves E[exp(-R gain)] = 1; a bank of b beyond the greatest loss of a \
             deck is ruined with a probability of at most exp(-R b), however many decks follow (Lundberg's inequality).",
            count(first.season.drawn)
        ),
        format!("Minutes of play are estimated at {} seconds a move.", SECONDS_A_MOVE),
    ]);
    if let Some(jackpot) = first.casino().jackpot.filter(|it| it.share > 0) {
        notes.push(format!(
            "The jackpot's growth, {} of each price, counts as paid when it is set aside: the return to player is that of the pay \
             table and of this. The pay table and the highest payment have the jackpot at its start.",
            percent_text(f64::from(jackpot.share) / 1_000.0)
        ));
    }
    if first.casino().has_redeal_fees() {
        notes.push(
            "Fees of redeals are in the edge, the nights and the return to player, and in the pay table as a line of their own."
                .into(),
        );
    }
    if first.known.is_some() {
        notes.push(
            "A player who knows every card is no real player: its edge only shows what no player can exceed. Fees of redeals are \
             left out of it."
                .into(),
        );
    }
    notes
}

pub(super) fn share_of(x: f64) -> FormattedEstimate {
    FormattedEstimate::of(x, crate::format::share(x))
}
