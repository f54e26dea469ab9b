//! What a casino should ask and pay, in sentences.

use super::PriceReport;
use super::terms::{change_in_words, dollars, in_short, none_gives, paid_otherwise, redeals_before, why_not};
use crate::figures::{FormattedEstimate, Side, edge, games, money, money_estimate, plural};
use crate::lab::{AtPrice, RankedVariant};
use crate::report::document::{Card, Finding};
use crate::report::labels::{name_in_full, percent_text};
use crate::stats::{Estimate, NoOffer, Offer, Term};

fn rules(report: &PriceReport<'_>) -> String {
    name_in_full(report.name, report.id)
}

fn players(report: &PriceReport<'_>) -> String {
    report.names().join(", ")
}

pub(super) fn title(report: &PriceReport<'_>) -> String {
    format!("What should {} cost? Played by {}", rules(report), players(report))
}

/// The line under the title of a chart.
pub(in crate::report) fn subtitle(report: &PriceReport<'_>, of_games: u64) -> String {
    format!("{}, played by {}: {}, seed {}", rules(report), players(report), games(of_games), report.seed)
}

fn played_games(report: &PriceReport<'_>) -> u64 {
    report.results.tallies.first().map_or(0, |tally| tally.games())
}

pub(super) fn played(report: &PriceReport<'_>) -> String {
    let each = if report.players.len() > 1 { " by each player" } else { "" };
    let mut text = format!("{}{each}", games(played_games(report)));
    match report.results.variants.iter().filter(|it| it.change.is_some()).count() {
        0 => {}
        n => {
            let more = games(report.results.variant_games);
            let which =
                if n == 1 { "a ruleset that differs" } else { &format!("each of {n} rulesets that differ") };
            text.push_str(&format!("; {more}{each} under {which} in one rule"));
        }
    }
    format!("{text}, dealt from seed {}", report.seed)
}

pub(super) fn warning(report: &PriceReport<'_>) -> String {
    let mut text =
        "Every figure holds only for these rules and players: others would need other terms.".to_string();
    let players = report.players.iter().zip(report.names());
    let looking: Vec<String> = players.filter(|(it, _)| it.looks_at_prices()).map(|(_, name)| name).collect();
    if !looking.is_empty() {
        text.push_str(&format!(
            " What is paid may change how {} plays: simulate it at the price you choose.",
            looking.join(", ")
        ));
    }
    text
}

pub(super) fn findings(report: &PriceReport<'_>) -> Vec<Finding> {
    let mut all = vec![now(report)];
    for (i, term) in report.terms().into_iter().enumerate() {
        all.extend(if report.players.len() > 1 {
            for_all(report, i, term)
        } else {
            for_one(report, i, term)
        });
    }
    all.extend(nearest(report));
    all
}

/// How it stands.
fn now(report: &PriceReport<'_>) -> Finding {
    let casino = &report.rules.casino;
    let target = percent_text(report.target);
    let who = format!("under the rules of {} when {} plays", rules(report), players(report));
    // The lowest is chosen among all players.
    let edges = report.results.players.iter().filter_map(|player| player.edge_at_once);
    let Some(now) = edges.min_by(|a, b| a.value.total_cmp(&b.value)) else {
        return Finding {
            side: Side::Open,
            finding: "The deck is free, so there is no house edge".into(),
            rest: format!(", {who}. --at sets a price; the target is an edge of {target}."),
        };
    };
    let price = dollars(report, casino.stake);
    let said = edge(now);
    let (least, who) = match report.players.len() {
        1 => ("is", who),
        _ => (
            "is as low as",
            format!("under the rules of {} with the best of {}", rules(report), players(report)),
        ),
    };
    Finding {
        side: Side::of(now),
        finding: format!("At {price} a deck the house edge {least} {}", said.value),
        rest: format!(" ({}), {who}; the target is {target}.", said.interval_in_words()),
    }
}

/// What else holds at an offer of a term.
fn beside(report: &PriceReport<'_>, term: Term) -> String {
    let casino = &report.rules.casino;
    let card = format!("{} for each card", dollars(report, casino.pays_per_card));
    let win = format!("{} for a win", dollars(report, casino.pays_for_win));
    let price = format!("{} a deck", dollars(report, casino.stake));
    let win = (casino.pays_for_win > 0).then_some(win);
    let paid: Vec<String> = match term {
        Term::DeckPrice => std::iter::once(card).chain(win).collect(),
        Term::PayPerCard => std::iter::once(price).chain(win).collect(),
        Term::WinBonus => vec![price, card],
        _ => [price, card].into_iter().chain(win).collect(),
    };
    let others = paid_otherwise(report);
    let paid: Vec<String> =
        paid.into_iter().chain(others.then(|| "all other terms as they are".into())).collect();
    in_a_row(&paid)
}

/// `a`, `a and b`, `a, b and c`
fn in_a_row(all: &[String]) -> String {
    match all {
        [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        all => all.concat(),
    }
}

/// What one does to get the edge by a term.
fn order(report: &PriceReport<'_>, term: Term, cents: i64) -> String {
    let sum = dollars(report, cents.abs());
    match term {
        Term::StepPay(from) if cents < 0 => format!("Or charge {sum} for each card after {from}"),
        Term::StepBonus(from) if cents < 0 => {
            format!("Or charge {sum} once for {}", plural(from.into(), "card"))
        }
        Term::DeckPrice => format!("Sell the deck at {sum}"),
        Term::PayPerCard => format!("Or pay {sum} for each card"),
        Term::WinBonus => format!("Or pay a bonus of {sum} for the win"),
        Term::StepPay(from) => format!("Or pay {sum} for each card after {from}"),
        Term::StepBonus(from) => format!("Or pay a bonus of {sum} for {}", plural(from.into(), "card")),
        Term::JackpotStart => format!("Or start the jackpot at {sum}"),
        Term::RedealFee => match redeals_before(&report.rules.casino) {
            0 => format!("Or charge {sum} for a redeal"),
            n => format!("Or charge {sum} for each redeal after {n}"),
        },
    }
}

/// What is paid as what is charged.
fn as_fee(paid: Estimate) -> Estimate {
    Estimate { value: -paid.value, low: -paid.high, high: -paid.low }
}

fn for_one(report: &PriceReport<'_>, i: usize, term: Term) -> Option<Finding> {
    let target = percent_text(report.target);
    match report.results.players.first()?.offers.get(i)? {
        Ok(Offer { exact, rounded, .. }) => Some(Finding {
            side: Side::of(rounded.edge),
            finding: format!("{} for an edge of {target}", order(report, term, rounded.cents)),
            rest: format!(
                ", with {}: the edge is then {}. The exact sum is {}.",
                beside(report, term),
                edge(rounded.edge).both(),
                money_estimate(if rounded.cents < 0 { as_fee(*exact) } else { *exact }, &report.rules.casino)
                    .both()
            ),
        }),
        Err(NoOffer::FreeDeck) => None,
        Err(why) => Some(Finding {
            side: Side::Open,
            finding: none_gives(report, why, term),
            rest: format!(", with {}: {}.", beside(report, term), why_not(report, term, why)),
        }),
    }
}

fn for_all(report: &PriceReport<'_>, i: usize, term: Term) -> Option<Finding> {
    let target = percent_text(report.target);
    if let Some(common) = report.results.common.get(i)?.as_ref() {
        let names = report.names();
        let hardest = names.get(common.hardest)?;
        let edges = names.iter().zip(&common.edges);
        let edges: Vec<String> = edges.map(|(player, e)| format!("{player} {}", edge(*e).both())).collect();
        let lowest = common.edges.get(common.hardest)?;
        return Some(Finding {
            side: Side::of(*lowest),
            finding: format!("{} for an edge of at least {target}", order(report, term, common.cents)),
            rest: format!(
                " against each player, with {}; against {hardest} the edge is lowest. The edges are then: {}.",
                beside(report, term),
                edges.join(", ")
            ),
        });
    }
    let offers = report.names().into_iter().zip(&report.results.players);
    let (player, why) =
        offers.filter_map(|(player, it)| Some((player, it.offers.get(i)?.as_ref().err()?))).next()?;
    (*why != NoOffer::FreeDeck).then(|| Finding {
        side: Side::Open,
        finding: format!("{} against each player", none_gives(report, why, term)),
        rest: format!(", with {}: against {player}, {}.", beside(report, term), why_not(report, term, why)),
    })
}

/// Which others cannot be told from a ruleset by their distance from the target edge; `None` where there are none.
fn alike(
    variants: &[RankedVariant],
    best: &RankedVariant,
    at: impl Fn(&RankedVariant) -> Option<AtPrice>,
) -> Option<String> {
    let high = at(best)?.distance.high;
    let open = |it: &&RankedVariant| *it != best && at(it).is_some_and(|at| at.distance.low <= high);
    let (changed, as_they_are): (Vec<_>, Vec<_>) =
        variants.iter().filter(open).partition(|it| it.change.is_some());
    let which = match (changed.len(), as_they_are.is_empty()) {
        (0, true) => return None,
        (0, false) => "the unchanged rules".to_string(),
        // Of the rules as they are, all changed ones are others.
        (1, true) if best.change.is_none() => "one of the changes".into(),
        (n, true) if best.change.is_none() => format!("{n} of the changes"),
        (1, true) => "one other change".into(),
        (n, true) => format!("{n} other changes"),
        (1, false) => "the unchanged rules and one other change".into(),
        (n, false) => format!("the unchanged rules and {n} other changes"),
    };
    Some(format!("{which} may come as near, as far as these games can tell"))
}

/// The single change that brings the edge nearest.
fn nearest(report: &PriceReport<'_>) -> Option<Finding> {
    let variants = &report.results.variants;
    let best = variants.first()?;
    let target = percent_text(report.target);
    let price = dollars(report, best.here.cents);
    let told = alike(variants, best, |it| Some(it.here))
        .unwrap_or("every other ruleset is clearly farther off".into());
    let free = variants.iter().filter(|it| it.change.is_some()).filter_map(|it| Some((it, it.round?)));
    let free = free.min_by(|(_, a), (_, b)| a.distance.value.total_cmp(&b.distance.value));
    let free = free.map_or(String::new(), |(it, at)| {
        let alike = alike(variants, it, |it| it.round).map_or(String::new(), |alike| format!("; {alike}"));
        format!(
            " With one rule changed and any round price, the nearest is {} at {}: {}{alike}.",
            change_in_words(it.change.as_ref()),
            dollars(report, at.cents),
            edge(at.edge).both()
        )
    });
    let said = edge(best.here.edge).both();
    let finding = match &best.change {
        None => format!(
            "No single change of the rules comes nearer to {target} at {price} than the rules as they are"
        ),
        Some(_) => format!(
            "Or leave the deck at {price} and change one rule; nearest to {target}: {}",
            change_in_words(best.change.as_ref())
        ),
    };
    Some(Finding {
        side: Side::of(best.here.edge),
        finding,
        rest: format!(", with an edge of {said}; {told}.{free}"),
    })
}

pub(super) fn cards(report: &PriceReport<'_>) -> Vec<Card> {
    let mut cards = Vec::new();
    let mut card = |what: String, side, said| cards.push(Card { side, what, said });
    let [only] = &report.results.players[..] else {
        for (term, common) in report.terms().into_iter().zip(&report.results.common) {
            if let Some(common) = common {
                let what = format!("{}, each player", in_short(term, &report.rules.casino));
                card(what, Side::Open, FormattedEstimate::exact(dollars(report, common.cents)));
            }
        }
        return cards;
    };
    let target = percent_text(report.target);
    for (term, offer) in report.terms().into_iter().zip(&only.offers) {
        if let Ok(offer) = offer {
            let exact = money_estimate(offer.exact, &report.rules.casino);
            let said = FormattedEstimate { value: dollars(report, offer.rounded.cents), ..exact };
            card(format!("{} for {target}", in_short(term, &report.rules.casino)), Side::House, said);
        }
    }
    if let Some(now) = only.edge {
        card(format!("edge at {}", dollars(report, report.rules.casino.stake)), Side::of(now), edge(now));
    }
    if let Some(RankedVariant { change: Some(change), here: AtPrice { cents, edge: e, .. }, .. }) =
        report.results.variants.first()
    {
        let here = money(*cents as f64, &report.rules.casino, cents % 100 == 0);
        let what = format!("{} at {here}", change_in_words(Some(change)));
        card(what, Side::of(*e), edge(*e));
    }
    cards
}

pub(super) fn variants_heading(report: &PriceReport<'_>) -> String {
    format!("One rule changed, at {} a deck", dollars(report, report.rules.casino.stake))
}

/// The changes that cannot be made.
pub(super) fn impossible(report: &PriceReport<'_>) -> Option<String> {
    let each = report.results.impossible.iter();
    let each: Vec<String> =
        each.map(|(change, why)| format!("{} ({why})", change_in_words(Some(change)))).collect();
    (!each.is_empty()).then(|| format!("Not possible under these rules: {}.", each.join("; ")))
}

pub(super) fn notes(report: &PriceReport<'_>) -> Vec<String> {
    let mut notes = vec![
        "The house edge is what the player loses on average, as a share of the price of the deck. All terms \
             follow from how many games ended with how many cards on the foundations: another price needs \
             no new games, as long as the player plays the same."
            .to_string(),
        "Sums in whole cents are rounded so that the edge is not below the target: a price up, a payment down. At a safe sum even the lower limit of the edge is not below the target."
            .into(),
        "A 95% interval contains the true figure in 95 of 100 such runs: it allows for great \
             payments too rare for these games to show. Limits are rounded outwards. \
             Games that were stopped undecided count as they stood, and both ways in the limits."
            .into(),
    ];
    if !report.results.variants.is_empty() {
        notes.push(format!(
            "Changed rulesets were dealt the same shuffles, the first {} of each player. They are ranked by \
                 how far the edge, that of the hardest player, is from the target; the round price of a \
                 changed ruleset is the multiple of {} at which it is nearest. Their intervals hold for \
                 all of them at once (Bonferroni), so also for the one that is nearest.",
            games(report.results.variant_games),
            dollars(report, report.round)
        ));
    }
    notes
}
