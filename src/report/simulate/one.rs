//! The charts of one entry: the distribution of cards, the edge by price and as games accumulate, what stopping is worth, and
//! the profit of a night.

use super::Entry;
use super::figures::{TICKS, clairvoyant_name, edge_axis};
use crate::chart::{
    Axis, Bar, Chart, Divide, Key, Mark, Marker, Role, Row, WHOLE, both_sides, padded, scaled, span,
    up_to_whole,
};
use crate::format::{Side, count, edge, fixed, gain_estimate, games, mean, money, money_estimate, share};
use crate::report::quantity::mean_between;
use crate::rules::Casino;
use crate::stats::{Estimate, RunningPoint, StageSummary};

impl Entry<'_> {
    pub fn charts(&self) -> Vec<Chart> {
        let more = [price_chart(self), running_chart(self), stops_chart(self), night_chart(self)];
        std::iter::once(cards_chart(self)).chain(more.into_iter().flatten()).collect()
    }
}

/// Returns the share of games that end with fewer cards than break even.
fn house_share(histogram: &[u64], turn: usize) -> f64 {
    let games: u64 = histogram.iter().sum();
    let lost: u64 = histogram.iter().take(turn).sum();
    if games == 0 { f64::NAN } else { lost as f64 / games as f64 }
}

fn cards_chart(entry: &Entry<'_>) -> Chart {
    let s = &entry.found.summary;
    let games = s.histogram.iter().sum::<u64>().max(1) as f64;
    let last = s.histogram.len().max(2) - 1;
    let highest = s.histogram.iter().max().map_or(0.0, |&n| n as f64 / games * 100.0).max(0.01);
    // The first number of cards at which the player does not lose; beyond the last if none does. If the stake is
    // bought in stages, redeals have a cost or more cards pay less, a number of cards has no definite side.
    let sided = entry.found.spec.casino.is_settled_by_cards(last);
    let turn = s.break_even_cards.filter(|_| sided).map_or(usize::MAX, usize::from);
    let lost = share(house_share(&s.histogram, turn));
    let cards = mean(s.cards);

    let mut markers = Vec::new();
    if (1..=last).contains(&turn) {
        let label = format!("break-even: the player does not lose from {turn} cards on");
        markers.push(Marker::new(turn as f64 - 0.5, Role::Ink, label));
    }
    if s.cards.value.is_finite() {
        markers.push(Marker::new(s.cards.value, Role::Muted, format!("mean {}", cards.both())));
    }
    if let Some(known) = &entry.found.clairvoyant {
        let most = known.most_cards.cards;
        let label = format!("{}: mean {}", clairvoyant_name(known), mean_between(most).both());
        markers.push(Marker::new(most.least, Role::Clairvoyant, label));
    }
    let bar = |(cards, &n): (usize, &u64)| {
        let x = cards as f64;
        let role = if sided { side_of_cards(cards, turn) } else { entry.hue };
        Bar { x: (x - 0.4, x + 0.4), y: (0.0, n as f64 / games * 100.0), role, shade: 1.0 }
    };
    let bars = s.histogram.iter().enumerate().filter(|(_, n)| **n > 0).map(bar).collect();
    let mut marks = vec![Mark::Bars(bars)];
    let mut keys = Vec::new();
    if sided {
        let edge = turn.min(last + 1) as f64 - 0.5;
        marks.insert(0, Mark::area((WHOLE.0, edge), WHOLE, Role::House, 0.1));
        let rest = share(1.0 - house_share(&s.histogram, turn));
        keys = vec![
            Key::area(Role::House, 1.0, format!("house gains: {lost} of decks")),
            Key::area(Role::Player, 1.0, format!("player does not lose: {rest}")),
        ];
    }
    let even = match (sided, s.break_even_cards) {
        (false, _) if s.stakes.is_some() => {
            "How many cards break even depends on the stages of the stake that were bought.".to_string()
        }
        (false, _) if entry.found.spec.casino.has_redeal_fees() => {
            "How many cards break even depends on the redeals that were paid for.".into()
        }
        (false, _) => "No number of cards breaks even for good: more cards may pay less.".into(),
        (_, Some(0)) => "A deck never loses money for the player.".into(),
        (_, Some(n)) => format!(
            "The player breaks even from {n} cards on: the house gains on {lost} of decks, the shaded side."
        ),
        (_, None) => "No number of cards pays the price of the deck.".into(),
    };
    let gains =
        if sided && turn > 0 { format!("; the house gains on {lost} of decks") } else { String::new() };
    let x = Axis::whole("cards on the foundations when the game ends", last, last.div_ceil(52) * 4);
    let y = Axis::percent("share of games, %", (0.0, (highest * 1.04).min(100.0)), 5);
    Chart {
        name: "cards".into(),
        title: format!("A game brings up {} cards on average{gains}", cards.value),
        caption: format!("How often each number of cards was reached; {} on average. {even}", cards.both()),
        keys,
        markers,
        ..Chart::plot(x, y, marks)
    }
}

/// Returns the colour of the side that gains with this many cards.
pub(super) fn side_of_cards(cards: usize, turn: usize) -> Role {
    if cards < turn { Role::House } else { Role::Player }
}

/// Number of points of the curve, denser where it bends more.
const STEPS: usize = 48;
const LOWEST: f64 = -1000.0;

/// The edge of the house at a price in cents, as a fraction. What a deck pays back does not change with its price while the
/// player plays alike, so the edge at price `p` is `1 - payout / p`, and the limits of the mean net give those of the edge.
fn edge_at(payout: Estimate, price: f64) -> Estimate {
    let at = |paid: f64| 1.0 - paid / price;
    Estimate { value: at(payout.value), low: at(payout.high), high: at(payout.low) }
}

/// Draws the edge by price; `None` without a fixed price or a valid payout.
fn price_chart(entry: &Entry<'_>) -> Option<Chart> {
    let (s, casino, hue) = (&entry.found.summary, &entry.found.spec.casino, entry.hue);
    let stake = Some(casino.stake as f64).filter(|stake| *stake > 0.0)?;
    s.house_edge?;
    let (fair, five) = (s.fair_price?, s.price_for_5_percent?);
    // Mean payment of a deck, cents.
    let payout = Estimate { value: stake + s.net.value, low: stake + s.net.low, high: stake + s.net.high };
    if !payout.value.is_finite() {
        return None;
    }
    let known = |price: &f64| price.is_finite() && *price > 0.0;
    let (low, high) = span([stake, fair.value, five.value].into_iter().filter(known))?;
    let (low, high) = (low * 0.7, high * 1.3);
    let (x, at) = Axis::money_curve("price of the deck", casino, (low / 100.0, high / 100.0), 8);
    let curve: Vec<(f64, Estimate)> = (0..=STEPS)
        .map(|i| low * (high / low).powf(i as f64 / STEPS as f64))
        .map(|price| (at(price / 100.0), scaled(edge_at(payout, price), 100.0)))
        .collect();
    let values = curve.iter().flat_map(|(_, e)| [e.value, e.low, e.high]).map(|v| v.max(LOWEST));
    let range = span(values.chain([0.0])).unwrap_or((0.0, 1.0));
    let range = up_to_whole(padded(range, 0.05), range.1);

    let now = edge_at(payout, stake);
    let label = format!("price now {}: edge {}", money(stake, casino, false), edge(now).value);
    let mut markers = vec![Marker::new(at(stake / 100.0), Role::of_edge(now), label)];
    let mut dots = vec![stake];
    for (name, price) in [("fair price", fair), ("5% edge at", five)] {
        if known(&price.value) {
            let label = format!("{name} {}", money_estimate(price, casino).both());
            markers.push(Marker::new(at(price.value / 100.0), Role::Ink, label));
            dots.push(price.value);
        }
    }
    let dots =
        dots.into_iter().map(|price| (at(price / 100.0), edge_at(payout, price).value * 100.0)).collect();
    let mut marks = Mark::sides_above().to_vec();
    marks.extend(Mark::curve(&curve, hue));
    marks.push(Mark::dots(dots, Role::Ink, 10));
    marks.extend(Mark::sides_named(false, ["house gains", "player gains"]));
    let [fair, five] = [fair, five].map(|price| money_estimate(price, casino));
    let y = Axis::percent("house edge, % of the price", range, 6);
    Some(Chart {
        name: "price".into(),
        title: format!("A fair price is {}; an edge of 5% needs {}", fair.value, five.value),
        caption: format!(
            "What the house would keep at other prices if this player played the same (line), with its 95% \
                 interval (band). Fair is {}; an edge of 5% needs {}.",
            fair.both(),
            five.both(),
        ),
        keys: vec![Key::line(hue, "house edge"), Key::area(hue, 0.28, "95% interval")],
        markers,
        ..Chart::plot(x, y, marks)
    })
}

/// The edge is fully visible after this fraction of the games.
const SETTLED: u64 = 100;
/// Maximum factor by which earlier games may enlarge the picture.
const STRETCH: f64 = 2.5;
/// A band lower than this fraction of the picture is hidden by its line.
const HIDDEN: f64 = 0.005;
/// Points closer together than this fraction of the axis would only make the line rough.
const ROUGH: f64 = 0.006;

/// Returns the lowest and highest edge shown, as fractions; early games may lie beyond.
fn shown(points: &[RunningPoint]) -> (f64, f64) {
    let last = points.last().map_or(0, |p| p.games);
    let over = |from: u64| {
        let late = points.iter().filter(|p| p.games >= from);
        span(late.flat_map(|p| [p.edge.value, p.edge.low, p.edge.high])).unwrap_or((-0.01, 0.01))
    };
    let (whole, late) = (over(0), over(last.div_ceil(SETTLED)));
    let height = |(low, high): (f64, f64)| high - low;
    if height(late) > 0.0 && height(whole) > STRETCH * height(late) { padded(late, 0.3) } else { whole }
}

/// Formats half the width of an interval with one digit, rounded up.
fn rounded_up(half: f64) -> String {
    let decimals = if half > 0.0 { (-half.log10()).ceil().clamp(1.0, 8.0) } else { 1.0 };
    let unit = 10f64.powf(decimals);
    fixed((half * unit).ceil() / unit, decimals as usize)
}

/// The house edge as games accumulate, with its band. None of one point: it is no course.
fn running_chart(entry: &Entry<'_>) -> Option<Chart> {
    let whole = |p: &RunningPoint| [p.edge.value, p.edge.low, p.edge.high].iter().all(|v| v.is_finite());
    let points = entry.found.summary.running.iter().copied().filter(|p| p.games > 0 && whole(p));
    let points: Vec<RunningPoint> = points.collect();
    let [first, .., last] = points[..] else { return None };
    let log = |n: u64| (n as f64).log10();
    let (from, to) = (log(first.games), log(last.games));
    let (low, high) = shown(&points);
    let (bottom, top) = padded((low * 100.0, high * 100.0), 0.08);
    // A range of a hundredth of a percent is not magnified.
    let (bottom, top) = if top - bottom < 0.01 { (bottom - 0.1, top + 0.1) } else { (bottom, top) };
    let (bottom, top) = up_to_whole((bottom, top), high * 100.0);
    let hidden = (high - low) * 100.0 < (top - bottom) * HIDDEN;
    let mut drawn: Vec<(f64, Estimate)> = Vec::new();
    for point in &points {
        let at = log(point.games);
        let rough = drawn.last().is_some_and(|(x, _)| at - x < (to - from) * ROUGH);
        if !rough || point.games == last.games {
            drawn.push((at, scaled(point.edge, 100.0)));
        }
    }
    let said = edge(last.edge);
    let role = Role::of_edge(last.edge);
    let mut marks = Vec::new();
    if bottom < 0.0 && top > 0.0 {
        marks.push(Mark::level(0.0, Role::Ink, false));
    }
    marks.extend(Mark::curve(&drawn, role));
    let end = scaled(last.edge, 100.0);
    marks.push(Mark::limits(to, end, role, 5));
    marks.push(Mark::dots(vec![(to, end.value)], role, 9));
    // The last point whose band leaves the picture.
    let beyond = points.iter().rev().find(|p| p.edge.low < low || p.edge.high > high).map(|p| games(p.games));
    let [beside, told] = beyond.map_or([String::new(), String::new()], |n| {
        [
            format!(" (the first {n} reach beyond the picture)"),
            format!(" Over the first {n} the band is wider than the picture."),
        ]
    });
    let half = (end.high - end.value).max(end.value - end.low);
    let measured = format!("{}{beside}", edge_axis(std::slice::from_ref(entry)));
    // A single number of games is centred in a decade.
    let range = if to - from < 1e-6 { (from - 0.5, to + 0.5) } else { (from, to) };
    let x = Axis::powers("games played (logarithmic scale)", range, |n| count(n.round() as u64));
    let y = Axis::percent(measured, (bottom, top), 6);
    Some(Chart {
        name: "running-edge".into(),
        title: format!(
            "After {} the house edge is {} ± {} points",
            games(last.games),
            said.value,
            rounded_up(half)
        ),
        caption: format!(
            "The house edge over the games so far (line) with its 95% interval (band), which narrows as games are \
             added; after {} it is {}.{told}",
            games(last.games),
            said.both()
        ),
        keys: vec![
            Key::line(role, format!("after {}: {}", games(last.games), said.both())),
            Key::area(
                role,
                0.28,
                if hidden { "95% interval, narrower than the line" } else { "95% interval" },
            ),
        ],
        ..Chart::plot(x, y, marks)
    })
}

fn stops_chart(entry: &Entry<'_>) -> Option<Chart> {
    let casino = &entry.found.spec.casino;
    let stages = entry.found.summary.stakes.iter().flat_map(|stakes| &stakes.stages);
    let row = |stage: &StageSummary| {
        let worth = stage.worth_of_stopping.filter(|e| e.low.is_finite() && e.high.is_finite())?;
        let role = match Side::of(worth) {
            // A gain of the player is no edge of the house.
            Side::House => Role::Player,
            Side::Player => Role::House,
            Side::Open => Role::Muted,
        };
        let name = format!("{}, {} stopped", stage.at, games(stage.stopped));
        Some(Row::new(name, scaled(worth, 0.01), role, gain_estimate(worth, casino)))
    };
    let rows: Vec<Row> = stages.filter_map(row).collect();
    let best = rows.iter().max_by(|a, b| a.estimate.value.total_cmp(&b.estimate.value))?;
    let title = match best.estimate.low > 0.0 {
        true => format!("Stopping is worth most at {}: {} a game", best.name, best.said.value),
        false => "At no stage is stopping known to be worth more than going on".into(),
    };
    let range = both_sides(rows.iter().flat_map(|r| [r.estimate.value, r.estimate.low, r.estimate.high]));
    let currency = casino.currency.trim();
    let x = Axis::new(format!("value of stopping, {currency} a game stopped"), range, TICKS, |v, d| {
        money(v * 100.0, casino, d == 0)
    });
    let all = entry.found.summary.stakes.as_ref().and_then(|stakes| stakes.worth_of_stopping);
    let all = all.map_or(String::new(), |worth| {
        format!(" Over all games it is {} per game dealt.", gain_estimate(worth, casino).both())
    });
    let divide = Divide {
        at: 0.0,
        left: ("← better to continue".into(), Role::House),
        right: ("better to stop →".into(), Role::Player),
    };
    Some(Chart {
        name: "stopping".into(),
        title,
        caption: format!(
            "The mean gain of stopping at a stage over buying it and all later ones, in the games that were \
                 stopped there (line), with its 95% interval (box).{all}"
        ),
        ..Chart::rows(x, rows, currency, Vec::new()).divided(divide)
    })
}

/// Minimum number of games to predict the luck of a night.
const FEWEST_GAMES: u64 = 30;

/// The house's profit over a night: a fan of quantiles.
fn night_chart(entry: &Entry<'_>) -> Option<Chart> {
    let night = entry.found.night.as_ref()?;
    let casino = &entry.found.spec.casino;
    let given = night.decks.iter().zip(&night.quantiles).map(|(decks, q)| (f64::from(*decks), *q));
    let given = given.filter(|(decks, q)| *decks > 0.0 && q.iter().all(|v| v.is_finite()));
    // At the start of the night: no decks, no profit.
    let points: Vec<(f64, [f64; 5])> = std::iter::once((0.0, [0.0; 5])).chain(given).collect();
    let [_, .., (decks, _)] = points[..] else { return None };
    if entry.found.summary.games < FEWEST_GAMES {
        return None;
    }
    let loses = share(night.losing_probability);
    let night = format!("{} decks", count(decks as u64));
    let key = format!("house loses: {loses} of nights of {night}");
    let sold = if entry.found.summary.stakes.is_some() { "hands offered" } else { "decks sold" };
    let losing = [loses.clone(), format!("{loses} of nights")];
    let mut chart = night_fan(casino, (sold, night), &points, losing, &[]);
    chart.keys.push(Key::area(Role::Player, 0.12, key));
    Some(Chart { name: "night".into(), ..chart })
}

/// Draws the house's profit over a night, by units sold: the median, the middle half of all nights, and nine in ten.
/// `points` have the quantiles in cents, `losing` says how many nights lose, in short and in full, and `limits` are
/// sums that the axis includes too.
pub(in crate::report) fn night_fan(
    casino: &Casino,
    (sold, night): (&str, String),
    points: &[(f64, [f64; 5])],
    [losing, in_full]: [String; 2],
    limits: &[f64],
) -> Chart {
    let band =
        |low: usize, high: usize| points.iter().map(|(x, q)| (*x, q[low] / 100.0, q[high] / 100.0)).collect();
    let all = points.iter().flat_map(|(_, q)| q).chain(limits).map(|cents| cents / 100.0);
    let range = padded(span(all).unwrap_or((0.0, 1.0)), if limits.is_empty() { 0.06 } else { 0.12 });
    let (units, [low, _, median, _, high]) = points.last().copied().unwrap_or_default();
    let [middle, low, high] = [median, low, high].map(|cents| money(cents, casino, false));
    let marks = vec![
        Mark::area(WHOLE, (WHOLE.0, 0.0), Role::Player, 0.12),
        Mark::band(band(0, 4), Role::House, 0.22),
        Mark::band(band(1, 3), Role::House, 0.36),
        Mark::level(0.0, Role::Ink, false),
        Mark::line(points.iter().map(|(x, q)| (*x, q[2] / 100.0)).collect(), Role::House),
    ];
    let x = Axis::new(sold, (0.0, units), 8, fixed);
    Chart {
        title: format!(
            "A typical night of {night} {} {}; {losing} end with a loss",
            brings(median),
            money(median.abs(), casino, true)
        ),
        caption: format!(
            "How luck changes the house's profit during the night. Line: median; bands: the middle half of all nights, \
             and nine in ten. After {night}, half of all nights bring {middle} or more and nine in ten lie between {low} \
             and {high}; {in_full} end with a loss."
        ),
        keys: vec![
            Key::line(Role::House, "median"),
            Key::area(Role::House, 0.5, "half of nights"),
            Key::area(Role::House, 0.22, "9 in 10"),
        ],
        ..Chart::plot(x, Axis::money("profit of the house", casino, range, 6), marks)
    }
}

pub(in crate::report) fn brings(profit: f64) -> &'static str {
    if profit < 0.0 { "costs the house" } else { "brings the house" }
}
