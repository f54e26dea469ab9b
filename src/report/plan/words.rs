//! What a plan says in sentences.

use super::{PlanReport, PlannedRules};
use crate::amounts::plain;
use crate::figures::{
    FormattedEstimate, Side, count, edge, gain_estimate, games, money, money_estimate, percent, plural,
};
use crate::report::bankroll::{decks_to, risk, unseen_wins};
use crate::report::bounds::edge_between;
use crate::report::document::{Card, Finding};
use crate::report::labels::{name_in_full, percent_text};
use crate::report::patrons::{IN_A_ROW, deviation_of, differ, in_tenths, tenths, unfit_patrons};
use crate::stats::{Estimate, House, reach_of};

/// What a move takes, for the minutes of a game.
pub(super) const SECONDS_A_MOVE: f64 = 3.0;

/// What every reader must know.
pub(super) const WARNING: &str = "Every figure holds only for these rules, this price and these players. Who really comes, and how \
    well they play, decides more than luck does.";

pub(super) fn rules_of(rules: &PlannedRules<'_>) -> String {
    if rules.changed { rules.name.into() } else { name_in_full(rules.name, rules.id) }
}

pub(super) fn dollars(rules: &PlannedRules<'_>, cents: f64) -> String {
    money(cents, rules.casino(), false)
}

/// Money in cents as a figure.
pub(super) fn sum(rules: &PlannedRules<'_>, cents: f64) -> FormattedEstimate {
    FormattedEstimate::of(cents / 100.0, dollars(rules, cents))
}

pub(super) fn title(report: &PlanReport<'_>) -> String {
    let first = report.first();
    let night = plural(first.found.bankroll.decks.into(), "deck");
    format!("A plan for {}: {night} a night", rules_of(first))
}

/// `30% beginner, 60% ordinary`, by the shares of a night.
pub(super) fn mix_in_words(report: &PlanReport<'_>, rules: &PlannedRules<'_>) -> String {
    let shares = report.players.iter().zip(report.shares(rules)).zip(report.names());
    let shares = shares.filter(|((player, _), _)| player.share > 0.0).map(|((player, share), name)| {
        let share = if report.has_visits() { tenths(share) } else { percent_text(player.share) };
        format!("{share} {name}")
    });
    shares.collect::<Vec<_>>().join(", ")
}

pub(super) fn target_in_words(report: &PlanReport<'_>) -> String {
    let (low, high) = report.target;
    if low == high { percent_text(low) } else { format!("{} to {}", percent_text(low), percent_text(high)) }
}

/// Where an edge lies against the target.
pub(super) fn against_target(report: &PlanReport<'_>, e: Estimate) -> String {
    let (low, high) = reach_of(report.target);
    let (place, rest) = match () {
        () if e.low >= low && e.high <= high => ("within", ""),
        () if e.value >= low && e.value <= high => ("within", ", though its interval reaches beyond it"),
        () if e.low > high => ("above", ""),
        () if e.high < low => ("below", ""),
        () if e.value > high => ("above", ", though its interval reaches into it"),
        () => ("below", ", though its interval reaches into it"),
    };
    format!("{place} the target of {}{rest}", target_in_words(report))
}

/// Where no price of the rounding asked for leaves an edge within the target: which do, and what rounding would.
pub(super) fn no_round_price(report: &PlanReport<'_>, rules: &PlannedRules<'_>) -> Option<String> {
    let offer = rules.found.offer.filter(|offer| !offer.is_within())?;
    let round = match (report.round, &*rules.casino().currency) {
        (100, "$") => "whole dollar".into(),
        (round, _) => format!("multiple of {}", dollars(rules, round as f64)),
    };
    // To the cent, and not beyond the target.
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

pub(super) fn findings<'a>(report: &'a PlanReport<'a>) -> Vec<Finding> {
    let first = report.first();
    let b = &first.found.bankroll;
    let casino = first.casino();
    let (mix, price) = (edge(first.edge()), dollars(first, first.price() as f64));
    // Of several rulesets the sentences are about the first.
    let of = if report.rulesets.len() > 1 { format!(" of {}", rules_of(first)) } else { String::new() };
    let missed = !within(report, first) || no_round_price(report, first).is_some();
    let asks = match (report.given, missed) {
        (true, _) => format!("At {price} a deck{of},"),
        (false, false) => format!("Ask {price} for a deck{of}:"),
        (false, true) => {
            format!(
                "No price was found within the target of {}: at {price} a deck{of},",
                target_in_words(report)
            )
        }
    };
    let names = report.names();
    let (players, who) = match (0..names.len()).find(|&i| report.is_the_mix(i)) {
        Some(only) => (format!("against {}", names[only]), String::new()),
        None => (
            "with this mix of players".into(),
            format!(" The players are {}{}.", mix_in_words(report, first), in_the_long_run(report)),
        ),
    };
    let mut all = Vec::new();
    all.push(Finding {
        side: Side::of(first.edge()),
        finding: format!("{asks} the edge is {} {players}", mix.value),
        rest: format!(" ({}), {}.{who}", mix.interval_in_words(), against_target(report, first.edge())),
    });
    if let Some(why) = no_round_price(report, first) {
        all.push(Finding::open(
            "No such price leaves an edge within the target",
            format!(", by the games that found it: {why}."),
        ));
    } else if missed && !report.given {
        all.push(Finding::open(
            "The games that found this price put the edge within the target",
            ", and those played at it do not: more games (-n, --search-games) find a price that both agree on.",
        ));
    }
    let (profit, losing) = (gain_estimate(b.profit, casino), risk(b.losing_night));
    let night = plural(b.decks.into(), "deck");
    all.push(Finding {
        side: Side::of(b.profit),
        finding: format!(
            "A night of {night} brings {} on average; {} of nights lose",
            profit.value, losing.value
        ),
        rest: format!(
            " ({}). One night in a hundred ends at {} or below, and such nights end at {} on average.",
            profit.intervals_in_words(&losing),
            gain_estimate(b.worst_night, casino).both(),
            gain_estimate(b.shortfall, casino).both()
        ),
    });
    let strongest = report.strongest(first);
    let (against, gain) = report.of_strongest(first);
    let side_of_best = Side::of(against);
    let against = edge(against);
    let known = match &first.found.known {
        Some((deals, known)) => known.house_edge.map_or(String::new(), |between| {
            let edge = edge_between(between);
            format!(
                " Nobody can do better than a player who knows every card, against whom the edge is {} ({}; {}).",
                edge.value,
                edge.interval_in_words(),
                games_of(*deals)
            )
        }),
        None => String::new(),
    };
    let chosen = match report.is_the_mix(strongest) || names.len() < 2 {
        true => String::new(),
        false => format!(", wider than in the table as it was chosen among {} players", names.len()),
    };
    let gone = report.decks_of_the_best(first).map_or(String::new(), |decks| {
        let said = best_decks(decks);
        format!(
            " If {} of the {night} of a night are played by {} in place of the mix, the edge is gone ({}).",
            said.value,
            names[strongest],
            said.interval_in_words()
        )
    });
    all.push(Finding {
        side: side_of_best,
        finding: format!(
            "The best player measured, {}, {} {} a deck",
            names[strongest],
            if gain.value < 0.0 { "takes" } else { "leaves you" },
            money_estimate(abs(gain), casino).value
        ),
        rest: format!(
            ": an edge of {} ({}{chosen}).{gone}{known}",
            against.value,
            against.interval_in_words()
        ),
    });
    let safe = money_estimate(b.bank_for_1_percent, casino);
    let safe_bank = format!("A bank of {} keeps the risk of ruin in one night at 1%", safe.value);
    let season = &first.found.season;
    let capital = match season.capital {
        _ if b.greatest_loss <= 0 => ": no deck can pay more than it costs".into(),
        Some(capital) => format!(
            " ({}); for the same risk over any number of such nights, {} is enough",
            safe.interval_in_words(),
            money_estimate(capital, casino).both()
        ),
        None => format!(
            " ({}); for many nights no bank is enough, as the house does not gain",
            safe.interval_in_words()
        ),
    };
    all.push(Finding {
        side: Side::Open,
        finding: if b.greatest_loss <= 0 { "No bank is needed".into() } else { safe_bank },
        rest: format!(
            "{capital}. Half of all seasons of {} bring {} or more; one season in a hundred ends at {} or below.",
            plural(season.nights.into(), "night"),
            gain_estimate(season.profit[2], casino).both(),
            gain_estimate(season.profit[0], casino).both()
        ),
    });
    all.extend(most_won(report));
    all.extend(unseen_wins(&report.night()));
    all
}

/// Of several rulesets, the one that players like best to play: the one they win most often.
fn most_won(report: &PlanReport<'_>) -> Option<Finding> {
    if report.rulesets.len() < 2 {
        return None;
    }
    // What is chosen among several holds for all of them at once.
    let several = report.rulesets.len();
    let won: Vec<(&PlannedRules<'_>, Estimate)> =
        report.rulesets.iter().map(|rules| (rules, report.wins(rules, several))).collect();
    let (rules, wins) = won.iter().max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    let alike = won.iter().filter(|(it, e)| it.id != rules.id && e.high >= wins.low);
    let alike: Vec<String> = alike.map(|(it, _)| rules_of(it)).collect();
    let alike = match &alike[..] {
        [] => String::new(),
        names => format!(" As far as these games tell, {} may be won as often.", names.join(" or ")),
    };
    let (mix, said) = (edge(rules.edge()), percent(*wins));
    Some(Finding {
        side: Side::of(rules.edge()),
        finding: format!(
            "Of these {} rulesets, {} is won most often: {} of decks",
            report.rulesets.len(),
            rules_of(rules),
            said.value
        ),
        rest: format!(
            " ({}, wider than in the table as it was chosen among them), at {} a deck and an edge of {} ({}), {}.{alike}",
            said.interval_in_words(),
            dollars(rules, rules.price() as f64),
            mix.value,
            mix.interval,
            against_target(report, rules.edge())
        ),
    })
}

/// Whether the edge of the mix lies within the target, whatever its interval.
fn within(report: &PlanReport<'_>, rules: &PlannedRules<'_>) -> bool {
    let (low, high) = reach_of(report.target);
    (low..=high).contains(&rules.edge().value)
}

/// The shares of the mix in the long run, where those of a night differ.
fn in_the_long_run(report: &PlanReport<'_>) -> String {
    let first = report.first();
    let b = &first.found.bankroll;
    let shares: Vec<f64> = report.players.iter().map(|it| it.share).filter(|share| *share > 0.0).collect();
    match (differ(&shares, &b.shares), b.edge()) {
        (true, Some(long)) => format!(
            " of the decks of a night; in the long run they would buy {}, and the edge would be {}",
            in_tenths(&shares),
            edge(long).value
        ),
        _ => String::new(),
    }
}

/// Decks of the best player: whole ones would say nothing of few.
pub(super) fn best_decks(decks: Estimate) -> FormattedEstimate {
    decks_to(decks, if decks.high < 100.0 { 1 } else { 0 })
}

pub(super) fn abs(e: Estimate) -> Estimate {
    if e.value >= 0.0 { e } else { Estimate { value: -e.value, low: -e.high, high: -e.low } }
}

fn games_of(deals: u64) -> String {
    format!("{} solved", plural(deals, "deal"))
}

pub(super) fn played(report: &PlanReport<'_>) -> String {
    let first = report.first();
    let all = report.names().into_iter().zip(&first.found.tallies);
    let each: Vec<String> = all.map(|(name, tally)| format!("{} of {name}", games(tally.games()))).collect();
    format!("{}; seed {}", each.join(", "), report.seed)
}

pub(super) fn cards(report: &PlanReport<'_>) -> Vec<Card> {
    let first = report.first();
    let b = &first.found.bankroll;
    let casino = first.casino();
    let price = sum(first, first.price() as f64);
    vec![
        Card { side: Side::Open, what: "price of a deck".into(), said: price },
        Card::new("house edge of the mix", edge(first.edge())),
        Card {
            side: Side::of(b.profit),
            what: "mean profit of a night".into(),
            said: gain_estimate(b.profit, casino),
        },
        Card::new("losing nights", risk(b.losing_night)),
        Card::new("worst night in 100", gain_estimate(b.worst_night, casino)),
        Card::new("bank for 1% risk", money_estimate(b.bank_for_1_percent, casino)),
    ]
}

/// Which patrons have no fit player, under any of the rulesets.
pub(super) fn unfit(report: &PlanReport<'_>) -> Vec<String> {
    let of = |rules: &PlannedRules<'_>, player: &str| unfit_patrons(&rules.files, player, rules.casino());
    let players = || report.players.iter().map(|it| it.strategy);
    let all = report.rulesets.iter().flat_map(|rules| players().flat_map(|player| of(rules, player)));
    // Variants of a ruleset have the same.
    let mut said: Vec<String> = Vec::new();
    for one in all.map(|it| format!("{it}.")) {
        if !said.contains(&one) {
            said.push(one);
        }
    }
    said
}

/// The hit frequency of the mix.
pub(super) fn hit_frequency(report: &PlanReport<'_>, rules: &PlannedRules<'_>) -> Estimate {
    of_mix(report, rules, |house| house.hit_frequency())
}

/// The mean over a mix of what holds of each patron.
pub(super) fn of_mix(
    report: &PlanReport<'_>,
    rules: &PlannedRules<'_>,
    of: impl Fn(&House) -> Estimate,
) -> Estimate {
    report.of_mix(rules, |tally| of(&House::new(tally, rules.casino())))
}

pub(super) fn notes(report: &PlanReport<'_>) -> Vec<String> {
    let first = report.first();
    let mut notes = Vec::new();
    if !report.given {
        notes.push(format!(
            "The price is a whole multiple of {} at which the mix leaves an edge near the middle of {}; rounder prices are \
             preferred. It was found on games of its own, so the intervals are those of fresh games.",
            dollars(first, report.round as f64),
            target_in_words(report)
        ));
    }
    let has_visits = report.has_visits();
    if has_visits {
        let night = plural(first.found.bankroll.decks.into(), "deck");
        notes.push(IN_A_ROW.into());
        notes.push(format!(
            "The price, the edge of the mix and all that follows from it are of the decks of a night of {night}; only N0, the volatility \
             index and the bank for any number of nights are of visits without end.{}",
            match first.found.bankroll.edge() {
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
            "RTP, the return to player, is 1 minus the house edge. Its bands hold nine in ten stretches of so many decks, if the \
             measured games are the truth; they are convolved from the payments of single decks. The hold is the house's average \
             profit from 100 decks. The volatility index is 1.645 standard deviations of {}. The hit frequency is the share of \
             decks that pay more than they cost.",
            deviation_of(has_visits)
        ),
        format!(
            "Seasons are {} seasons drawn night by night; their limits reckon with the draws and, by the mean and the standard \
             deviation of a night, with the measured games. A drawdown is how far the profit falls below its highest so far, at the \
             end of a night. The adjustment coefficient R solves E[exp(-R gain)] = 1; a bank of b beyond the greatest loss of a \
             deck is ruined with a probability of at most exp(-R b), however many decks follow (Lundberg's inequality).",
            count(first.found.season.drawn)
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
    if first.found.known.is_some() {
        notes.push(
            "A player who knows every card is no real player: its edge only shows what no player can exceed. Fees of redeals are \
             left out of it."
                .into(),
        );
    }
    notes
}

/// A share as a figure.
pub(super) fn share_of(x: f64) -> FormattedEstimate {
    FormattedEstimate::of(x, crate::figures::share(x))
}

/// A rate with its interval.
pub(super) fn rate_of(e: Estimate) -> FormattedEstimate {
    percent(e)
}
