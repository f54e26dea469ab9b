//! Findings of a sweep, as sentences.

use super::{Board, BoardCell, Measure, called, cells, line_name, measures};
use crate::format::{Side, count, edge, fixed};
use crate::lab::sweep::{Crossing, Place};
use crate::report::document::{Card, Finding};
use crate::report::table::exact;
use crate::stats::{Difference, Estimate, Sides};

const MOST_DIGITS: usize = 9;
const ORIGINAL: &str = "the original rules";
const MOST_CROSSINGS: usize = 3;

/// Returns at most five findings, the most important first.
pub(super) fn findings(board: &Board<'_>) -> Vec<Finding> {
    let Some(measure) = measures(board).first().copied() else {
        return vec![Finding::open("No games were played", ", so nothing is known.")];
    };
    let mut all = Vec::new();
    if measure == Measure::Edge {
        all.push(sides(board));
    }
    all.extend([true, false].into_iter().filter_map(|highest| extreme(board, measure, highest)));
    all.extend(crossings(board).or_else(|| nearest_found(board)));
    // If a baseline is given explicitly, the question is how far the cells are from it.
    let (largest, axis) = (largest_change(board), matters_most(board, measure));
    let original = board.swept.against == ORIGINAL;
    all.extend(if original { axis.or(largest) } else { largest.or(axis) });
    all
}

/// Returns the cell nearest to a target other than 0.
fn nearest_found(board: &Board<'_>) -> Option<Finding> {
    let cell = nearest(board).filter(|_| board.line != 0.0)?;
    let e = cell.of_chosen(Measure::Edge)?;
    Some(Finding {
        side: Side::of(e),
        finding: format!("Nearest to {} is {}", line_name(board), edge(e).both()),
        rest: format!(", with {}.", board.label(cell)),
    })
}

/// Returns how many cells lie on which side.
fn sides(board: &Board<'_>) -> Finding {
    let Sides { house, player, open, unpriced: free } = board.swept.sides;
    let priced = house + player + open;
    let mut all = cells(priced as u64, "");
    if free > 0 {
        all.push_str(" with a price");
    }
    let finding = if board.line == 0.0 && priced > 1 && house.max(player) == priced {
        format!("The {} gains in all {all}", if house > 0 { "house" } else { "player" })
    } else if board.line == 0.0 {
        format!("Of {all} the house gains in {house}, the player in {player}")
    } else {
        let line = line_name(board);
        let none = |n: usize| if n == 0 { "none".to_string() } else { count(n as u64) };
        let have = if house == 1 { "has" } else { "have" };
        let (house, player) = (none(house), none(player));
        format!("Of {all} {house} surely {have} more than {line}, {player} less")
    };
    let rest = match open {
        _ if finding.contains("in all ") => String::new(),
        0 => ", and none is too close to call".to_string(),
        _ => format!("; too close to call: {}", count(open as u64)),
    };
    let free = if free == 0 { String::new() } else { format!("; without a price: {}", count(free as u64)) };
    let side = match (house, player) {
        (1.., 0) => Side::House,
        (0, 1..) => Side::Player,
        _ => Side::Open,
    };
    let at_once = if priced > 1 { " (95% confidence for all cells at once)" } else { "" };
    Finding {
        side: if board.line == 0.0 { side } else { Side::Open },
        finding,
        rest: format!("{rest}{free}{at_once}."),
    }
}

/// Returns the cell with the highest or the lowest figure.
pub(super) fn furthest<'b, 'a>(
    board: &'b Board<'a>,
    measure: Measure,
    highest: bool,
) -> Option<&'b BoardCell<'a>> {
    let value = |cell: &&BoardCell<'_>| cell.value(measure).map(|e| e.value);
    let played = board.cells.iter().filter(|cell| value(cell).is_some());
    // Among equal cells, the first.
    played.reduce(|best, cell| {
        let (a, b) = (value(&best), value(&cell));
        if (highest && b > a) || (!highest && b < a) { cell } else { best }
    })
}

fn extreme(board: &Board<'_>, measure: Measure, highest: bool) -> Option<Finding> {
    let cell = furthest(board, measure, highest)?;
    let e = cell.of_chosen(measure)?;
    let mut said = measure.say(e);
    let side = if measure == Measure::Edge { Side::of(e) } else { Side::Open };
    if highest && board.cells.len() > 1 {
        said.interval.push_str(", wider because it was chosen among all cells");
    }
    let said = said.both();
    let finding = match (measure, highest) {
        (Measure::Edge, true) => format!("Best for the house: {said}"),
        (Measure::Edge, false) => format!("Best for the player: {said}"),
        (_, true) => format!("Most: {said} {}", called(measure)),
        (_, false) => format!("Fewest: {said} {}", called(measure)),
    };
    // Intervals have joint confidence for all cells.
    let others =
        board.cells.iter().filter(|it| !std::ptr::eq(*it, cell)).filter_map(|it| it.of_chosen(measure));
    let alike = others.filter(|it| if highest { it.high >= e.low } else { it.low <= e.high }).count();
    let alike = match alike as u64 {
        0 => String::new(),
        n => format!(" These games cannot tell it from {}.", cells(n, "other ")),
    };
    Some(Finding { side, finding, rest: format!(", with {}.{alike}", board.label(cell)) })
}

/// Returns the cell whose edge is nearest to the line.
fn nearest<'b, 'a>(board: &'b Board<'a>) -> Option<&'b BoardCell<'a>> {
    let far = |cell: &BoardCell<'_>| cell.value(Measure::Edge).map(|e| (e.value - board.line).abs());
    let priced = board.cells.iter().filter(|cell| far(cell).is_some());
    priced.reduce(|best, cell| if far(cell) < far(best) { cell } else { best })
}

pub(super) fn compared<'b>(
    board: &'b Board<'_>,
) -> impl Iterator<Item = (&'b BoardCell<'b>, &'b Difference)> {
    board.cells.iter().filter_map(|cell| Some((cell, cell.found.difference.as_ref()?)))
}

/// Returns the cell that differs most, with joint confidence for all cells.
pub(super) fn largest_change(board: &Board<'_>) -> Option<Finding> {
    let cells = || compared(board).map(|(cell, _)| cell);
    let known = |&measure: &Measure| cells().any(|cell| cell.difference(measure, false).is_some());
    let measure = measures(board).into_iter().find(known)?;
    let far =
        |cell: &BoardCell<'_>| cell.difference(measure, false).map_or(f64::NEG_INFINITY, |e| e.value.abs());
    let most = cells().reduce(|a, b| if far(b) > far(a) { b } else { a })?;
    let e = most.difference(measure, true)?;
    let told = measure.difference(e);
    let finding =
        format!("Largest difference from {}: {} {}", board.swept.against, told.value, called(measure));
    let rest = format!(" ({}), with {}.", told.interval, board.label(most));
    Some(Finding { side: told.side, finding, rest })
}

/// Returns the values between which the edge crosses the target, and the interpolated position.
fn crossings(board: &Board<'_>) -> Option<Finding> {
    let places = &board.swept.crossings;
    let along = places.first()?.along;
    let name = board.axes.iter().find(|axis| axis.key == along).map_or(along, |axis| &axis.name);
    let surely = places.iter().any(|place| place.sure);
    let placed = places.iter().any(|place| place.crossing.is_some());
    let in_words = places.iter().take(MOST_CROSSINGS).map(|place| {
        let of = match (place.of, place.line) {
            (Some(of), Some(line)) => {
                let lines = board.axes.iter().find(|axis| axis.key == of);
                lines.map_or(String::new(), |axis| format!("for {} ", axis.labels[line]))
            }
            _ => String::new(),
        };
        let perhaps = if surely && !place.sure { "perhaps " } else { "" };
        let [left, right] = &place.between;
        let at = place_in_words(place).map_or(String::new(), |at| format!(", at {at}"));
        format!("{of}{perhaps}between {left} and {right}{at}")
    });
    let finding = format!(
        "The edge {} {} along {name}",
        if surely { "crosses" } else { "may cross" },
        line_name(board).replace("an edge of ", ""),
    );
    let more = match places.len().saturating_sub(MOST_CROSSINGS) {
        0 => String::new(),
        more => format!("; and at {more} more places, which summary.json lists"),
    };
    let read = if placed { ", by straight lines between the values played" } else { "" };
    let rest = format!(" {}{more}{read}.", in_words.collect::<Vec<_>>().join("; "));
    Some(Finding::open(finding, rest))
}

/// Formats a crossing with enough digits to keep it between its neighbouring values.
fn place_in_words(place: &Place) -> Option<String> {
    let (Crossing { at, low, high }, [left, right], [first, last]) =
        (place.crossing?, place.ends?, place.axis?);
    let ends = [low.unwrap_or(first), high.unwrap_or(last)];
    let half = (ends[1] - ends[0]) / 2.0;
    let enough = if half > 0.0 { (-half.log10()).ceil().clamp(0.0, 3.0) as usize } else { 3 };
    let between = |&d: &usize| format!("{at:.d$}").parse().is_ok_and(|at: f64| left < at && at < right);
    // At an end itself, no number of digits suffices.
    let d = (enough..=MOST_DIGITS).find(between).unwrap_or(enough);
    let unit = 10f64.powi(d as i32);
    let (from, to) = (fixed((ends[0] * unit).floor() / unit, d), fixed((ends[1] * unit).ceil() / unit, d));
    let interval = match (low, high) {
        (Some(_), Some(_)) => format!("{from} to {to}"),
        (None, Some(_)) => format!("{to} or less"),
        (Some(_), None) => format!("{from} or more"),
        (None, None) => "anywhere on the axis".into(),
    };
    Some(format!("{} ({interval})", fixed(at, d)))
}

/// Mean of a figure over the cells with one value of an axis.
#[derive(Clone, Copy)]
struct ValueMean {
    at: usize,
    value: f64,
    /// Half the width of its interval, squared.
    noise: f64,
}

/// Effect of an axis on a figure: its lowest and its highest mean, and their distance.
struct Reach {
    axis: usize,
    low: ValueMean,
    high: ValueMean,
    far: f64,
}

/// Returns the axis with the largest mean effect; `None` if it is not ahead of the next with confidence.
fn matters_most(board: &Board<'_>, measure: Measure) -> Option<Finding> {
    if board.axes.len() < 2 {
        return None;
    }
    let mean = |axis: usize, at: usize| {
        let on = board.cells.iter().filter(|cell| cell.at[axis] == at);
        // The lowest and the highest mean are selected among all.
        let all: Vec<Estimate> = on.filter_map(|cell| cell.of_chosen(measure)).collect();
        let n = all.len() as f64;
        let value = all.iter().map(|e| e.value).sum::<f64>() / n;
        let noise = all.iter().map(|e| ((e.high - e.low) / 2.0).powi(2)).sum::<f64>() / n / n;
        (!all.is_empty()).then_some(ValueMean { at, value, noise })
    };
    let reach = |axis: usize| {
        // Invalid values have no mean.
        let means = (0..board.axes[axis].labels.len()).filter_map(|at| mean(axis, at));
        let low = means.clone().reduce(|a, b| if b.value < a.value { b } else { a })?;
        let high = means.reduce(|a, b| if b.value > a.value { b } else { a })?;
        Some(Reach { axis, low, high, far: high.value - low.value })
    };
    let mut all: Vec<Reach> = (0..board.axes.len()).map(reach).collect::<Option<_>>()?;
    all.sort_by(|a, b| b.far.total_cmp(&a.far));
    let [most, next, ..] = &all[..] else { return None };
    let noise = |it: &Reach| it.low.noise + it.high.noise;
    if most.far - next.far <= (noise(most) + noise(next)).sqrt() {
        return None;
    }
    let axis = &board.axes[most.axis];
    let finding = format!("What matters most is {}", axis.name);
    let rest = format!(
        ": the {} goes from {} with {} to {} with {}, on average over the other axes.",
        called(measure),
        measure.short(most.low.value, 1),
        axis.labels[most.low.at],
        measure.short(most.high.value, 1),
        axis.labels[most.high.at]
    );
    Some(Finding::open(finding, rest))
}

pub(super) fn cards(board: &Board<'_>) -> Vec<Card> {
    let mut cards = Vec::new();
    type Figure = fn(&BoardCell<'_>) -> Option<Estimate>;
    let chosen: Figure = |cell| cell.of_chosen(Measure::Edge);
    let mut add = |what: String, cell: Option<&BoardCell<'_>>, of: Figure| {
        if let Some((cell, e)) = cell.and_then(|cell| Some((cell, of(cell)?))) {
            let mut said = edge(e);
            said.interval = format!("{}; {}", said.interval, board.label(cell));
            cards.push(Card { side: Side::of(e), what, said });
        }
    };
    add("best for the house".into(), furthest(board, Measure::Edge, true), chosen);
    add("best for the player".into(), furthest(board, Measure::Edge, false), chosen);
    add(format!("closest to {}", line_name(board).replace("an edge of ", "")), nearest(board), chosen);
    let written: Vec<&BoardCell<'_>> = board.cells.iter().filter(|cell| cell.as_written).collect();
    if let [one] = written[..] {
        add("the rules as they are".into(), Some(one), |cell| cell.value(Measure::Edge));
    }
    if cards.is_empty() {
        let played = board.cells.iter().filter(|cell| cell.value(Measure::Cards).is_some()).count();
        cards.push(Card { side: Side::Open, what: "cells".into(), said: exact(count(played as u64)) });
    }
    cards
}
