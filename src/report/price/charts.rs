//! The charts of prices: the edge against each term of the casino, and changed rulesets by their edge.

use super::PriceReport;
use super::terms::{change_in_words, term_in_words};
use super::words::subtitle;
use crate::chart::{
    Axis, Chart, Divide, Hues, Key, Mark, Marker, Role, Row, Stand, WHOLE, both_sides, scaled,
};
use crate::figures::{edge, games, money, money_estimate};
use crate::lab::RankedVariant;
use crate::report::labels::{percent_text, upper_first};
use crate::stats::{Estimate, Offer, Term, priced};

/// Points of a curve.
const STEPS: i64 = 64;
/// Edges below this are not drawn, percent.
const LOWEST: f64 = -150.0;
/// What is not drawn.
const NOWHERE: Estimate = Estimate { value: f64::NAN, low: f64::NAN, high: f64::NAN };

/// The house edge against one term of the casino, by player; none where nobody has an offer.
pub(super) fn term_chart(report: &PriceReport<'_>, term: Term) -> Option<Chart> {
    let casino = &report.rules.casino;
    let index = report.terms().iter().position(|it| *it == term)?;
    let offers: Vec<Option<&Offer>> =
        report.results.players.iter().map(|player| player.offers[index].as_ref().ok()).collect();
    let known = || offers.iter().flatten().map(|offer| offer.rounded.cents);
    let (low, high) = known().min().zip(known().max())?;
    let now = term.of(casino);
    let (low, high) = if now != 0 { (low.min(now), high.max(now)) } else { (low, high) };
    // The least and the greatest sum shown, cents.
    let (low, high) = match term {
        Term::DeckPrice => ((low as f64 * 0.85) as i64, (high as f64 * 1.15) as i64),
        // A fee is below 0.
        _ if now != 0 => {
            let [outer, inner] = [1.25, 0.75].map(|factor| move |sum: i64| (sum as f64 * factor) as i64);
            (if low < 0 { outer(low) } else { inner(low) }, if high < 0 { inner(high) } else { outer(high) })
        }
        _ => ((low.min(0) as f64 * 1.5) as i64, (high.max(0) as f64 * 1.5) as i64),
    };
    let low = if term.may_be_fee() { low } else { low.max(i64::from(term == Term::DeckPrice)) };
    let high = high.max(low + 100);
    let words = term_in_words(term, &report.rules.casino);
    let (x, place) = Axis::money_curve(&words, casino, (low as f64 / 100.0, high as f64 / 100.0), 8);
    let curve = |player: usize| -> Vec<(f64, Estimate)> {
        let tally = report.results.tallies.get(player);
        let even = place(high as f64) == high as f64;
        let step = |i: i64| match even {
            true => low + (high - low) * i / STEPS,
            false => (low as f64 * (high as f64 / low as f64).powf(i as f64 / STEPS as f64)) as i64,
        };
        let sums = (0..=STEPS).map(step);
        let at = sums.filter_map(|cents| priced(tally?, casino, term, cents));
        at.map(|at| (place(at.cents as f64 / 100.0), scaled(at.edge, 100.0))).collect()
    };
    let curves: Vec<Vec<(f64, Estimate)>> = (0..report.players.len()).map(curve).collect();
    let target = report.target * 100.0;
    let values = curves.iter().flatten().flat_map(|(_, e)| [e.value, e.low, e.high]);
    let range = both_sides(values.map(|v| v.max(LOWEST)).chain([target]));

    let names = report.names();
    let hues = Hues::new(names.clone());
    let asked = percent_text(report.target);
    let mut marks = Mark::sides_above().to_vec();
    // Where no line runs: it rises with the price, and falls with what is paid.
    let (left, right) = ((WHOLE.0, Stand::Right), (WHOLE.1, Stand::Left));
    let (above, below) = if term.raises_edge() { (left, right) } else { (right, left) };
    marks.push(Mark::note((above.0, WHOLE.1), "house gains", Role::House, above.1));
    marks.push(Mark::note((below.0, WHOLE.0), "player gains", Role::Player, below.1));
    marks.push(Mark::level(target, Role::Ink, true));
    for ((name, curve), offer) in names.iter().zip(&curves).zip(&offers) {
        let shown: Vec<(f64, Estimate)> = curve.iter().filter(|(_, e)| e.value >= range.0).copied().collect();
        marks.extend(Mark::curve(&shown, hues.of(name)));
        let dot = offer.map(|offer| (place(offer.exact.value / 100.0), target));
        marks.push(Mark::dots(dot.into_iter().collect(), hues.of(name), 10));
    }
    // On the left the line runs well above or well below the target.
    let beside = target + (range.1 - range.0) * 0.035;
    marks.push(Mark::note((WHOLE.0, beside), format!("target edge: {asked}"), Role::Ink, Stand::Right));

    let sum = |cents: i64| money(cents as f64, casino, false);
    let mut markers = Vec::new();
    let common = report.results.common.get(index).and_then(|it| it.as_ref());
    let title = match (&offers[..], common) {
        ([Some(only)], _) => {
            let exact = money_estimate(only.exact, casino);
            markers.push(Marker::new(
                place(only.exact.value / 100.0),
                Role::Ink,
                format!("{asked} at {}", exact.both()),
            ));
            format!("{words} for an edge of {asked}: {}", exact.value)
        }
        (_, Some(common)) => {
            let label = format!("{}: at least {asked} against each", sum(common.cents));
            markers.push(Marker::new(place(common.cents as f64 / 100.0), Role::Ink, label));
            format!("{words} that keeps {asked} or more against each player: {}", sum(common.cents))
        }
        _ => format!("No one {words} keeps {asked} against every player"),
    };
    if now > 0 && casino.stake > 0 {
        let edges = report.results.players.iter().filter_map(|it| it.edge);
        let edges: Vec<String> = edges.map(|e| edge(e).value).collect();
        let label = format!("now {}: edge {}", sum(now), edges.join(", "));
        markers.push(Marker::new(place(now as f64 / 100.0), Role::Muted, label));
    }
    let key = |name: &String| match names.len() {
        1 => Key::line(hues.of(name), "house edge"),
        _ => Key::line(hues.of(name), format!("edge against {name}")),
    };
    let mut keys: Vec<Key> = names.iter().map(key).collect();
    keys.extend(names.first().map(|name| Key::area(hues.of(name), 0.28, "95% interval")));
    let told = names.iter().zip(&offers).filter_map(|(player, offer)| {
        let exact = money_estimate(offer.as_ref()?.exact, casino).both();
        Some(format!("{exact} with {player}"))
    });
    let y = Axis::percent("house edge, % of the price", range, 6);
    let name = match term {
        Term::DeckPrice => "price-of-the-deck".into(),
        Term::PayPerCard => "pay-per-card".into(),
        Term::WinBonus => "bonus-for-the-win".into(),
        Term::StepPay(from) => format!("pay-per-card-after-{from}"),
        Term::StepBonus(from) => format!("bonus-for-{from}-cards"),
        Term::JackpotStart => "start-of-the-jackpot".into(),
        Term::RedealFee => "fee-of-a-redeal".into(),
    };
    Some(Chart {
        name,
        title: upper_first(&title),
        subtitle: subtitle(report, report.results.tallies.first().map_or(0, |tally| tally.games())),
        caption: format!(
            "The house edge at other values of the {words}, if the players played the same (line), with its \
                 95% interval (band). Above 0 the house gains, below it the player. The edge of {asked} is \
                 at {}.",
            told.collect::<Vec<_>>().join(", ")
        ),
        keys,
        markers,
        ..Chart::plot(x, y, marks)
    })
}

/// The distance beyond which an edge is only pointed at: so much more than that of three in four rulesets that it would
/// press the others together.
fn far(variants: &[RankedVariant]) -> f64 {
    let at = variants.len() * 3 / 4;
    variants.get(at).map_or(f64::INFINITY, |it| 1.5 * it.here.distance.value)
}

/// Rulesets with one rule changed by their house edge, the nearest to the target first; none of no rulesets.
pub(super) fn one_rule_changed(report: &PriceReport<'_>) -> Option<Chart> {
    let variants = &report.results.variants;
    let nearest = variants.first()?;
    let (far, target) = (far(variants), report.target * 100.0);
    let shown = |it: &RankedVariant| it.here.distance.value <= far;
    let row = |it: &RankedVariant| {
        // What is far off has no place in the plot.
        let estimate = if shown(it) { scaled(it.here.edge, 100.0) } else { NOWHERE };
        Row::new(
            change_in_words(it.change.as_ref()),
            estimate,
            Role::of_edge(it.here.edge),
            edge(it.here.edge),
        )
    };
    let rows: Vec<Row> = variants.iter().map(row).collect();
    let values = rows.iter().flat_map(|r| [r.estimate.value, r.estimate.low, r.estimate.high]);
    let range = both_sides(values.chain([target]));
    let mut marks = Mark::sides_along().to_vec();
    marks.push(Mark::upright(target, Role::Ink, true));
    for (i, (row, it)) in rows.iter().zip(variants).enumerate() {
        let y = i as f64 + 0.5;
        marks.push(match (shown(it), it.here.edge.value < report.target) {
            (true, _) => Mark::dots(vec![(row.estimate.value, y)], row.role, 10),
            (false, true) => Mark::note((WHOLE.0, y), "←", row.role, Stand::Right),
            (false, false) => Mark::note((WHOLE.1, y), "→", row.role, Stand::Left),
        });
    }
    let x = Axis::percent("house edge, % of the deck's price", range, 8);
    let casino = &report.rules.casino;
    let price = money(casino.stake as f64, casino, false);
    let (best, said) = (change_in_words(nearest.change.as_ref()), edge(nearest.here.edge));
    let target = percent_text(report.target);
    let whose = if report.players.len() > 1 { "the hardest player's edge, " } else { "" };
    Some(Chart {
        name: "one-rule-changed".into(),
        title: format!("At {price} a deck, nearest to {target} is {best}: {}", said.value),
        subtitle: format!(
            "{whose}nearest first to {target} (dashed line); {} each, the same shuffles, 95% intervals for all at once",
            games(report.results.variant_games)
        ),
        caption: format!(
            "The house edge of rulesets that differ in one rule (dot), with its 95% interval for all of them at once (box), nearest \
                 to the target of {target} (dashed line) first. Right of 0 the house gains, left of it the \
                 player; arrows point to edges beyond the picture. Nearest: {best}, {}.",
            said.both()
        ),
        keys: vec![Key::broken(Role::Ink, format!("target: {target}"))],
        ..Chart::rows(x, rows, "points", marks).divided(Divide::sides())
    })
}
