//! What a sweep found, in sentences.

use super::board::{Board, BoardCell, CellState, Measure, cells, line_name};
use super::crossings::crossings;
use super::differences::largest_change;
use crate::figures::{Side, count, edge};
use crate::report::answer::Sides;
use crate::report::document::{Card, Finding};
use crate::report::table::exact;
use crate::stats::Estimate;

/// The answers, the first first.
pub(super) fn findings(board: &Board) -> Vec<Finding> {
    let mut all = Vec::new();
    let best = Measure::of(board).first().copied();
    if best == Some(Measure::Edge) {
        all.push(sides(board));
    }
    let Some(measure) = best else {
        return vec![say(Side::Open, "No games were played".into(), ", so nothing is known.".into())];
    };
    for highest in [true, false] {
        all.extend(extreme(board, measure, highest));
    }
    all.extend(crossings(board));
    all.extend(largest_change(board));
    all.extend(nearest(board).filter(|_| board.line != 0.0).map(|cell| {
        let (e, line) = (Measure::Edge.of_chosen(cell), line_name(board));
        let said = e.map_or(String::new(), |e| edge(e).both());
        say(
            e.map_or(Side::Open, Side::of),
            format!("Nearest to {line} is {said}"),
            format!(", with {}.", board.label(cell)),
        )
    }));
    all.extend(matters_most(board, measure));
    all
}

fn say(side: Side, finding: String, rest: String) -> Finding {
    Finding { side, finding, rest }
}

/// How many cells lie on which side.
fn sides(board: &Board) -> Finding {
    let played = board.cells.iter().filter(|cell| matches!(cell.play, CellState::Played { .. }));
    let Sides { house, player, open, unpriced: free } = Sides::of(played.map(|cell| board.side(cell)));
    let priced = house + player + open;
    let mut all = cells(priced as u64, "");
    if free > 0 {
        all.push_str(" with a price");
    }
    let finding = if board.line == 0.0 {
        format!("Of {all} the house gains in {house}, the player in {player}")
    } else {
        let line = line_name(board);
        let none = |n: usize| if n == 0 { "none".to_string() } else { count(n as u64) };
        let have = if house == 1 { "has" } else { "have" };
        let (house, player) = (none(house), none(player));
        format!("Of {all} {house} surely {have} more than {line}, {player} less")
    };
    let rest = match open {
        0 => ", and none is too close to call".to_string(),
        1 => "; one is too close to call".into(),
        _ => format!("; {} are too close to call", count(open as u64)),
    };
    let free = match free {
        0 => String::new(),
        1 => "; 1 has no price".into(),
        _ => format!("; {} have no price", count(free as u64)),
    };
    let side = match (house, player) {
        (1.., 0) => Side::House,
        (0, 1..) => Side::Player,
        _ => Side::Open,
    };
    let at_once = if priced > 1 { " (95% confidence for all cells at once)" } else { "" };
    say(if board.line == 0.0 { side } else { Side::Open }, finding, format!("{rest}{free}{at_once}."))
}

/// The cell with the highest or the lowest figure.
pub(super) fn furthest(board: &Board, measure: Measure, highest: bool) -> Option<&BoardCell> {
    let value = |cell: &&BoardCell| measure.value(cell).map(|e| e.value);
    let played = board.cells.iter().filter(|cell| value(cell).is_some());
    // Of equal cells the first.
    played.reduce(|best, cell| {
        let (a, b) = (value(&best), value(&cell));
        if (highest && b > a) || (!highest && b < a) { cell } else { best }
    })
}

fn extreme(board: &Board, measure: Measure, highest: bool) -> Option<Finding> {
    let cell = furthest(board, measure, highest)?;
    let e = measure.of_chosen(cell)?;
    let mut said = measure.say(e);
    let side = if measure == Measure::Edge { Side::of(e) } else { Side::Open };
    if highest && board.cells.len() > 1 {
        said.interval.push_str(", wider because it was chosen among all cells");
    }
    let said = said.both();
    let finding = match (measure, highest) {
        (Measure::Edge, true) => format!("Best for the house: {said}"),
        (Measure::Edge, false) => format!("Best for the player: {said}"),
        (_, true) => format!("Most: {said} {}", measure.name()),
        (_, false) => format!("Fewest: {said} {}", measure.name()),
    };
    // Their intervals hold for all cells at once.
    let others =
        board.cells.iter().filter(|it| !std::ptr::eq(*it, cell)).filter_map(|it| measure.of_chosen(it));
    let alike = others.filter(|it| if highest { it.high >= e.low } else { it.low <= e.high }).count();
    let alike = match alike {
        0 => String::new(),
        1 => " These games cannot tell it from one other cell.".into(),
        n => format!(" These games cannot tell it from {n} other cells."),
    };
    Some(say(side, finding, format!(", with {}.{alike}", board.label(cell))))
}

/// The cell whose edge is nearest to the line.
pub(super) fn nearest(board: &Board) -> Option<&BoardCell> {
    let far = |cell: &BoardCell| Measure::Edge.value(cell).map(|e| (e.value - board.line).abs());
    let priced = board.cells.iter().filter(|cell| far(cell).is_some());
    priced.reduce(|best, cell| if far(cell) < far(best) { cell } else { best })
}

/// The mean of a figure over the cells of one value of an axis.
#[derive(Clone, Copy, Debug)]
struct ValueMean {
    /// The number of the value.
    at: usize,
    value: f64,
    /// Half the width of its interval, squared.
    noise: f64,
}

impl ValueMean {
    /// None where no cell is played.
    fn of(board: &Board, measure: Measure, axis: usize, at: usize) -> Option<ValueMean> {
        let on = board.cells.iter().filter(|cell| cell.at[axis] == at);
        // The lowest and the highest mean are chosen among all.
        let all: Vec<Estimate> = on.filter_map(|cell| measure.of_chosen(cell)).collect();
        if all.is_empty() {
            return None;
        }
        let n = all.len() as f64;
        let value = all.iter().map(|e| e.value).sum::<f64>() / n;
        let noise = all.iter().map(|e| ((e.high - e.low) / 2.0).powi(2)).sum::<f64>() / n / n;
        Some(ValueMean { at, value, noise })
    }
}

/// How far the values of an axis move a figure: its lowest and its highest mean.
struct Reach {
    axis: usize,
    low: ValueMean,
    high: ValueMean,
}

impl Reach {
    /// None where nothing is known of an axis.
    fn of(board: &Board, measure: Measure, axis: usize) -> Option<Reach> {
        let values = 0..board.axes[axis].labels.len();
        // Values that make no game have no mean.
        let means = values.filter_map(|at| ValueMean::of(board, measure, axis, at));
        let low = means.clone().reduce(|a, b| if b.value < a.value { b } else { a })?;
        let high = means.reduce(|a, b| if b.value > a.value { b } else { a })?;
        Some(Reach { axis, low, high })
    }

    fn far(&self) -> f64 {
        self.high.value - self.low.value
    }

    fn noise(&self) -> f64 {
        self.low.noise + self.high.noise
    }
}

/// The axis whose values move the figure most, on average over the others; none where it is not surely ahead of the
/// next.
fn matters_most(board: &Board, measure: Measure) -> Option<Finding> {
    if board.axes.len() < 2 {
        return None;
    }
    let all = (0..board.axes.len()).map(|axis| Reach::of(board, measure, axis));
    let mut all: Vec<Reach> = all.collect::<Option<_>>()?;
    all.sort_by(|a, b| b.far().total_cmp(&a.far()));
    let [most, next, ..] = &all[..] else { return None };
    if most.far() - next.far() <= (most.noise() + next.noise()).sqrt() {
        return None;
    }
    let axis = &board.axes[most.axis];
    let finding = format!("What matters most is {}", axis.name);
    let rest = format!(
        ": the {} goes from {} with {} to {} with {}, on average over the other axes.",
        measure.name(),
        measure.short(most.low.value, 1),
        axis.labels[most.low.at],
        measure.short(most.high.value, 1),
        axis.labels[most.high.at]
    );
    Some(say(Side::Open, finding, rest))
}

/// The figures to be seen at once.
pub(super) fn cards(board: &Board) -> Vec<Card> {
    let mut cards = Vec::new();
    type Figure = fn(&BoardCell) -> Option<Estimate>;
    let chosen: Figure = |cell| Measure::Edge.of_chosen(cell);
    let mut add = |what: String, cell: Option<&BoardCell>, of: Figure| {
        if let Some((cell, e)) = cell.and_then(|cell| Some((cell, of(cell)?))) {
            let mut said = edge(e);
            said.interval = format!("{}; {}", said.interval, board.label(cell));
            cards.push(Card { side: Side::of(e), what, said });
        }
    };
    add("best for the house".into(), furthest(board, Measure::Edge, true), chosen);
    add("best for the player".into(), furthest(board, Measure::Edge, false), chosen);
    add(format!("closest to {}", line_name(board).replace("an edge of ", "")), nearest(board), chosen);
    let written: Vec<&BoardCell> = board.cells.iter().filter(|cell| cell.as_written).collect();
    if let [one] = written[..] {
        add("the rules as they are".into(), Some(one), |cell| Measure::Edge.value(cell));
    }
    if cards.is_empty() {
        let played = board.cells.iter().filter(|cell| Measure::Cards.value(cell).is_some()).count();
        cards.push(Card { side: Side::Open, what: "cells".into(), said: exact(count(played as u64)) });
    }
    cards
}
