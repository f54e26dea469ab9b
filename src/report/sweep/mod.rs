//! Report on a sweep: how the rules change the game, cell by cell.

mod figures;

use std::borrow::Cow;

use super::document::{Block, Card, Document, Finding, exact};
use super::labels::{listed, name_in_full, short_names};
use super::quantity::Quantity;
use super::rare_events::{price, rarest};
use super::rules_in_words::{key_in_words, rule_in_words};
use super::run::Run;
use crate::chart::scaled;
use crate::format::{Side, count, edge, fixed, games, one_line, plural};
use crate::lab::sweep::{AxisKind, Crossing, FIRST, MOST_COMPARED, Place, Shape, Swept, SweptCell};
use crate::stats::{Difference, Estimate, Precision, Sides};

/// A sweep as charts and tables show it: axes with names, and cells with figures.
#[derive(Clone)]
struct Board<'a> {
    swept: &'a Swept,
    rules: String,
    players: String,
    /// Rules, players and games: the subtitle of every chart.
    subtitle: String,
    axes: Vec<BoardAxis>,
    cells: Vec<SweptCell>,
    shape: Shape,
    line: f64,
}

#[derive(Clone)]
struct BoardAxis {
    /// What it varies: a key, `rules` or `strategy`.
    key: &'static str,
    name: String,
    people: bool,
    /// Its values in words.
    labels: Vec<String>,
    /// Its values as numbers, if they are numbers in order.
    numbers: Option<Vec<Option<f64>>>,
}

type Measure = Quantity<'static>;

/// Returns the measures of a board, the most informative first: the house edge if a deck has a price; otherwise the games
/// won, unless no two cells differ in them with confidence.
fn measures(board: &Board<'_>) -> Vec<Measure> {
    let mut all = [Measure::Edge, Measure::Wins, Measure::Cards];
    let has = |measure: &Measure| board.cells.iter().any(|cell| value(cell, *measure).is_some());
    if !has(&Measure::Edge) {
        let wins = || board.cells.iter().filter_map(|cell| value(cell, Measure::Wins));
        let highest_low = wins().map(|e| e.low).fold(f64::NEG_INFINITY, f64::max);
        let lowest_high = wins().map(|e| e.high).fold(f64::INFINITY, f64::min);
        if highest_low <= lowest_high {
            all.swap(1, 2);
        }
    }
    all.into_iter().filter(has).collect()
}

/// Selects a measure from the edge, the wins and the cards.
fn by(measure: Measure, (edge, wins, cards): (Option<Estimate>, Estimate, Estimate)) -> Option<Estimate> {
    match measure {
        Measure::Edge => edge,
        Measure::Wins => Some(wins),
        _ => Some(cards),
    }
}

fn value(cell: &SweptCell, measure: Measure) -> Option<Estimate> {
    let summary = cell.summary.as_ref()?;
    by(measure, (summary.house_edge, summary.win_rate, summary.cards))
}

/// Returns a figure with joint confidence for all cells.
fn of_chosen(cell: &SweptCell, measure: Measure) -> Option<Estimate> {
    value(cell, measure)?;
    let at_once = cell.at_once?;
    by(measure, (at_once.edge, at_once.wins, at_once.cards))
}

/// Returns the difference from the baseline, with joint confidence for all cells if `at_once`.
fn difference(cell: &SweptCell, measure: Measure, at_once: bool) -> Option<Estimate> {
    let found = if at_once { &cell.difference_at_once } else { &cell.difference };
    found.as_ref().and_then(|it| by(measure, (it.house_edge, it.win_rate, it.cards)))
}

/// Returns whether the sign of the edge is not known with joint confidence.
fn is_open(cell: &SweptCell, measure: Measure) -> bool {
    measure == Measure::Edge && cell.side == Some(Side::Open)
}

/// Returns half the width of an interval around a value as it is shown, in its unit, rounded up.
fn half_width(measure: Measure, e: Estimate, decimals: usize) -> f64 {
    let unit = 10f64.powi(decimals as i32);
    let e = scaled(e, measure.unit());
    let shown = (e.value * unit).round();
    let half = (shown - e.low * unit).max(e.high * unit - shown);
    (half - 1e-7).ceil() / unit
}

fn called(measure: Measure) -> &'static str {
    if measure == Measure::Cards { "mean cards" } else { measure.name() }
}

fn shape(axes: &[BoardAxis]) -> Shape {
    Shape::of(&axes.iter().map(|axis| (!axis.people, axis.labels.len())).collect::<Vec<_>>())
}

impl<'a> Board<'a> {
    fn new(run: &Run, swept: &'a Swept) -> Board<'a> {
        let axes = swept.axes.iter().map(|axis| {
            let values: Vec<&str> = axis.values().iter().map(String::as_str).collect();
            BoardAxis {
                key: axis.name(),
                name: key_in_words(axis.name()).into(),
                people: !matches!(axis.kind(), AxisKind::Key(_)),
                labels: match axis.kind() {
                    AxisKind::Strategy => short_names(values.into_iter()),
                    _ => values.into_iter().map(one_line).collect(),
                },
                numbers: axis.numbers(),
            }
        });
        let axes: Vec<BoardAxis> = axes.collect();
        let rules = match &run.rules[..] {
            [one] => name_in_full(&one.name, &one.id),
            several => several.iter().map(|rules| &*rules.id).collect::<Vec<_>>().join(", "),
        };
        let players = short_names(run.strategies.iter().map(|strategy| &*strategy.name)).join(", ");
        let subtitle = format!(
            "{rules}, played by {players}: {}, {}, seed {}",
            cells(swept.played().count() as u64, ""),
            games(swept.games),
            run.seed
        );
        Board {
            swept,
            rules,
            players,
            subtitle,
            shape: shape(&axes),
            axes,
            cells: swept.cells.clone(),
            line: swept.target_edge,
        }
    }

    /// Returns the board without the axes that cannot change this figure: a player who ignores prices plays the same
    /// game at any price. Of the cells that become equal, the one with the most games is kept.
    pub fn about(&self, measure: Measure) -> Cow<'_, Board<'a>> {
        let idle = |&axis: &usize| measure != Measure::Edge && self.idle(axis, measure);
        let Some(axis) = (0..self.axes.len()).find(idle) else { return Cow::Borrowed(self) };
        let mut board = self.clone();
        board.axes.remove(axis);
        let mut kept: Vec<SweptCell> = Vec::new();
        for mut cell in std::mem::take(&mut board.cells) {
            cell.at.remove(axis);
            match kept.iter_mut().find(|it| it.at == cell.at) {
                Some(it) => {
                    let as_written = it.as_written || cell.as_written;
                    let most = if cell.games() > it.games() { cell } else { std::mem::take(it) };
                    *it = SweptCell { as_written, ..most };
                }
                None => kept.push(cell),
            }
        }
        board.cells = kept;
        board.shape = shape(&board.axes);
        Cow::Owned(board.about(measure).into_owned())
    }

    /// Returns whether an axis is a price, and cells of as many games that differ only in it have the same figure.
    fn idle(&self, axis: usize, measure: Measure) -> bool {
        let same = |a: &SweptCell, b: &SweptCell| {
            let elsewhere = a.at.iter().zip(&b.at).enumerate().any(|(i, (a, b))| i != axis && a != b);
            elsewhere || a.games() != b.games() || value(a, measure) == value(b, measure)
        };
        self.axes[axis].key.starts_with("casino.")
            && self.cells.iter().enumerate().all(|(i, a)| self.cells[..i].iter().all(|b| same(a, b)))
    }

    /// Returns the cell at these values, each with its axis.
    pub fn cell(&self, values: impl IntoIterator<Item = (usize, usize)>) -> Option<&SweptCell> {
        let mut at = vec![0; self.axes.len()];
        values.into_iter().for_each(|(axis, value)| at[axis] = value);
        self.cells.iter().find(|cell| cell.at == at)
    }

    /// Describes a cell: `1 card a draw, unlimited redeals (greedy)`.
    pub fn label(&self, cell: &SweptCell) -> String {
        let parts = |people: bool| {
            let all = self.axes.iter().zip(&cell.at).filter(move |(axis, _)| axis.people == people);
            let said = all.map(|(axis, &value)| match people {
                true => axis.labels[value].clone(),
                false => rule_in_words(axis.key, &axis.labels[value]),
            });
            said.collect::<Vec<_>>().join(", ")
        };
        let (rules, people) = (parts(false), parts(true));
        if rules.is_empty() || people.is_empty() {
            format!("{rules}{people}")
        } else {
            format!("{rules} ({people})")
        }
    }
}

fn line_name(board: &Board<'_>) -> String {
    match board.line {
        0.0 => "an edge of 0".into(),
        line => format!("an edge of {}", Measure::Edge.short(line, line_decimals(line)).replace('+', "")),
    }
}

/// Returns the decimals that a target needs, at most three.
fn line_decimals(line: f64) -> usize {
    (0..3).find(|&d| (line * 100.0 * 10f64.powi(d as i32)).fract().abs() < 1e-6).unwrap_or(3)
}

fn cells(n: u64, word: &str) -> String {
    plural(n, &format!("{word}cell"))
}

/// Builds the report on the effect of changed rules, cell by cell.
pub fn sweep_document<'a>(run: &'a Run, swept: &Swept) -> Document<'a> {
    let board = Board::new(run, swept);
    let mut blocks = board.figures();
    let paid = board.cells.iter().filter_map(|cell| {
        let (casino, summary) = (cell.casino.as_ref()?, cell.summary.as_ref()?);
        Some((casino, price(summary, casino), &summary.histogram[..], board.label(cell)))
    });
    blocks.extend(rarest(paid).map(Block::Text));
    let axes: Vec<String> = board.axes.iter().map(|axis| axis.name.clone()).collect();
    Document {
        title: format!("{}: {}, played by {}", board.rules, listed(&axes, "and"), board.players),
        findings: findings(&board),
        warning: warning(&board),
        played: played(swept),
        cards: cards(&board),
        blocks,
        notes: notes(&board),
        ..Document::of(run)
    }
}

fn played(swept: &Swept) -> String {
    let played = swept.played().count() as u64;
    let least = swept.played().map(SweptCell::games).min().unwrap_or(0);
    let most = swept.played().map(SweptCell::games).max().unwrap_or(0);
    let each = if least == most { count(least) } else { format!("{} to {}", count(least), count(most)) };
    let deals = match (played, swept.same_deals) {
        (..=1, _) => "",
        (_, true) => ", all on the same deals",
        (_, false) => "; cells of the same pack are dealt the same deals",
    };
    format!(
        "{} in {}: {} of {each}{deals}.",
        games(swept.games),
        plural(swept.rounds.into(), "round"),
        cells(played, "")
    )
}

fn priced(board: &Board<'_>) -> bool {
    measures(board).contains(&Measure::Edge)
}

fn warning(board: &Board<'_>) -> String {
    let swept = board.swept;
    let wide = swept.cells.iter().filter(|cell| cell.enough == Some(false)).count() as u64;
    let none = swept.cells.iter().filter(|cell| !cell.impossible.is_empty()).count() as u64;
    let undecided: u64 = swept.played().filter_map(|cell| cell.summary.as_ref()).map(|it| it.undecided).sum();
    let warnings = [
        (!swept.finished)
            .then(|| "This sweep is not finished: run the same command again to resume it.".to_string()),
        (swept.finished && wide > 0).then(|| {
            format!(
                "The budget of {} was spent before every cell reached the precision: {} with wider intervals.",
                games(swept.budget),
                cells(wide, "")
            )
        }),
        (none > 0)
            .then(|| format!("{} without a valid ruleset: the reasons are listed below.", cells(none, ""))),
        (board.line != 0.0 && !priced(board)).then(|| {
            let line = line_name(board);
            format!("No cell has a price, so there is no house edge, and {line} was ignored.")
        }),
        (undecided > 0).then(|| {
            format!("{} stopped undecided; intervals count undecided games both ways.", games(undecided))
        }),
    ];
    warnings.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn allotment(board: &Board<'_>) -> String {
    if let Some(games) = board.swept.games_per_cell {
        return format!("Every cell gets exactly {} games.", count(games));
    }
    let (precision, half) = match board.swept.precision {
        Precision::Cards(width) => (format!("{width} cards of its mean cards"), format!("{}", width / 2.0)),
        Precision::Edge(width) => {
            let points = |width: f64| format!("{} percentage points", round(width * 100.0));
            (format!("{} of its house edge", points(width)), points(width / 2.0))
        }
    };
    let nearer = match priced(board) {
        true => format!(
            "; or within {half} while {} is within two half-widths of its edge, where more precision matters most",
            line_name(board)
        ),
        false => String::new(),
    };
    format!(
        "How many games a cell gets: first {} each, or an equal share of the budget where that is less. Then, \
             round by round, a cell has enough once the half-width of its 95% interval is within {precision}{nearer}. Any other \
             cell gets the games that the square-root law predicts and 5% more, at most three times what it has \
             played; a short budget goes, in blocks of 1,000, to the cells that need most. The sweep ends \
             when every cell has enough or the budget of {} games is spent. Only whole rounds decide, so the result is the \
             same at any number of threads and after an interruption.",
        count(FIRST),
        count(board.swept.budget)
    )
}

fn notes(board: &Board<'_>) -> Vec<String> {
    vec![
        "Game 1, 2, 3 ... of every cell is dealt from the same shuffle, where the packs are the same: cells differ by \
         their rules more than by luck."
            .into(),
        format!(
            "Differences between a cell and {} are of the first {} games of the cell at most, dealt to both, and played by the \
             same strategy. As both have the same luck, they are known much better than the figures themselves.",
            board.swept.against,
            count(MOST_COMPARED)
        ),
        allotment(board),
        format!(
            "Intervals are 95% for each cell separately: of a hundred cells, some five may have a true figure outside their interval. \
             What is said of several cells holds for all cells at once (Bonferroni): how many are on which side, which cells are \
             too close to call, where the edge crosses the line, and the figures of the best, the nearest and the worst cell.{}",
            match board.swept.games_per_cell {
                Some(_) => "",
                None => {
                    " Cells get games by what their intervals show, which may shift them by a small part of their width."
                }
            }
        ),
        "In maps the heavy line separates cells above and below the target edge; it is \
             dashed where one of the two is too close to call."
            .into(),
    ]
}

fn round(x: f64) -> f64 {
    (x * 1e6).round() / 1e6
}

const MOST_DIGITS: usize = 9;
const ORIGINAL: &str = "the original rules";
const MOST_CROSSINGS: usize = 3;

fn findings(board: &Board<'_>) -> Vec<Finding> {
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

fn nearest_found(board: &Board<'_>) -> Option<Finding> {
    let cell = nearest(board).filter(|_| board.line != 0.0)?;
    let e = of_chosen(cell, Measure::Edge)?;
    Some(Finding {
        side: Side::of(e),
        finding: format!("Nearest to {} is {}", line_name(board), edge(e).both()),
        rest: format!(", with {}.", board.label(cell)),
    })
}

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

fn furthest<'b>(board: &'b Board<'_>, measure: Measure, highest: bool) -> Option<&'b SweptCell> {
    let value = |cell: &&SweptCell| value(cell, measure).map(|e| e.value);
    let played = board.cells.iter().filter(|cell| value(cell).is_some());
    // Among equal cells, the first.
    played.reduce(|best, cell| {
        let (a, b) = (value(&best), value(&cell));
        if (highest && b > a) || (!highest && b < a) { cell } else { best }
    })
}

fn extreme(board: &Board<'_>, measure: Measure, highest: bool) -> Option<Finding> {
    let cell = furthest(board, measure, highest)?;
    let e = of_chosen(cell, measure)?;
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
        board.cells.iter().filter(|it| !std::ptr::eq(*it, cell)).filter_map(|it| of_chosen(it, measure));
    let alike = others.filter(|it| if highest { it.high >= e.low } else { it.low <= e.high }).count();
    let alike = match alike as u64 {
        0 => String::new(),
        n => format!(" These games cannot tell it from {}.", cells(n, "other ")),
    };
    Some(Finding { side, finding, rest: format!(", with {}.{alike}", board.label(cell)) })
}

fn nearest<'b>(board: &'b Board<'_>) -> Option<&'b SweptCell> {
    let far = |cell: &SweptCell| value(cell, Measure::Edge).map(|e| (e.value - board.line).abs());
    let priced = board.cells.iter().filter(|cell| far(cell).is_some());
    priced.reduce(|best, cell| if far(cell) < far(best) { cell } else { best })
}

fn compared<'b>(board: &'b Board<'_>) -> impl Iterator<Item = (&'b SweptCell, &'b Difference)> {
    board.cells.iter().filter_map(|cell| Some((cell, cell.difference.as_ref()?)))
}

/// Returns the cell that differs most, with joint confidence for all cells.
fn largest_change(board: &Board<'_>) -> Option<Finding> {
    let cells = || compared(board).map(|(cell, _)| cell);
    let known = |&measure: &Measure| cells().any(|cell| difference(cell, measure, false).is_some());
    let measure = measures(board).into_iter().find(known)?;
    let far =
        |cell: &SweptCell| difference(cell, measure, false).map_or(f64::NEG_INFINITY, |e| e.value.abs());
    let most = cells().reduce(|a, b| if far(b) > far(a) { b } else { a })?;
    let e = difference(most, measure, true)?;
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

/// Returns the axis with the largest mean effect; `None` if it is not ahead of the next with confidence.
fn matters_most(board: &Board<'_>, measure: Measure) -> Option<Finding> {
    // The mean over the cells with one value of an axis: the value, the mean, and half its interval squared.
    let mean = |axis: usize, at: usize| {
        let on = board.cells.iter().filter(|cell| cell.at[axis] == at);
        // The lowest and the highest mean are selected among all.
        let all: Vec<Estimate> = on.filter_map(|cell| of_chosen(cell, measure)).collect();
        let n = all.len() as f64;
        let value = all.iter().map(|e| e.value).sum::<f64>() / n;
        let noise = all.iter().map(|e| ((e.high - e.low) / 2.0).powi(2)).sum::<f64>() / n / n;
        (!all.is_empty()).then_some((at, value, noise))
    };
    let ends = |axis: usize| {
        // Invalid values have no mean.
        let means = (0..board.axes[axis].labels.len()).filter_map(|at| mean(axis, at));
        let low = means.clone().reduce(|a, b| if b.1 < a.1 { b } else { a })?;
        let high = means.reduce(|a, b| if b.1 > a.1 { b } else { a })?;
        Some((axis, low, high))
    };
    type Level = (usize, f64, f64);
    let far = |(_, low, high): &(usize, Level, Level)| high.1 - low.1;
    let mut all = (0..board.axes.len()).map(ends).collect::<Option<Vec<_>>>()?;
    all.sort_by(|a, b| far(b).total_cmp(&far(a)));
    let [most, next, ..] = &all[..] else { return None };
    let noise: f64 = [most, next].iter().map(|(_, low, high)| low.2 + high.2).sum();
    if far(most) - far(next) <= noise.sqrt() {
        return None;
    }
    let (axis, low, high) = *most;
    let axis = &board.axes[axis];
    let said =
        |(at, value, _): (usize, f64, f64)| format!("{} with {}", measure.short(value, 1), axis.labels[at]);
    Some(Finding::open(
        format!("What matters most is {}", axis.name),
        format!(
            ": the {} goes from {} to {}, on average over the other axes.",
            called(measure),
            said(low),
            said(high)
        ),
    ))
}

fn cards(board: &Board<'_>) -> Vec<Card> {
    let mut cards = Vec::new();
    type Figure = fn(&SweptCell) -> Option<Estimate>;
    let chosen: Figure = |cell| of_chosen(cell, Measure::Edge);
    let mut add = |what: String, cell: Option<&SweptCell>, of: Figure| {
        if let Some((cell, e)) = cell.and_then(|cell| Some((cell, of(cell)?))) {
            let mut said = edge(e);
            said.interval = format!("{}; {}", said.interval, board.label(cell));
            cards.push(Card::new(what, said));
        }
    };
    add("best for the house".into(), furthest(board, Measure::Edge, true), chosen);
    add("best for the player".into(), furthest(board, Measure::Edge, false), chosen);
    add(format!("closest to {}", line_name(board).replace("an edge of ", "")), nearest(board), chosen);
    let written: Vec<&SweptCell> = board.cells.iter().filter(|cell| cell.as_written).collect();
    if let [one] = written[..] {
        add("the rules as they are".into(), Some(one), |cell| value(cell, Measure::Edge));
    }
    if cards.is_empty() {
        let played = board.cells.iter().filter(|cell| value(cell, Measure::Cards).is_some()).count();
        cards.push(Card::new("cells", exact(count(played as u64))));
    }
    cards
}

#[cfg(test)]
mod tests;
