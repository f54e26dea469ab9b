//! Tables of a sweep, and its charts: lines along one axis, maps over two or three.

use super::{
    Board, Measure, called, cells, compared, difference, furthest, half_width, is_open, line_decimals,
    line_name, measures, value,
};
use crate::chart::{
    Axis, Beside, Cell, Chart, Hues, Key, Mark, Marker, Panel, Role, Shades, Stand, WHOLE, padded, scaled,
    span, up_to_whole,
};
use crate::diagnostic::{MOST_LISTED, and_more};
use crate::format::{FormattedEstimate, Side, count, number};
use crate::lab::sweep::{Shape, SweptCell};
use crate::report::document::{Block, Columns, DataTable, Medium, exact};
use crate::report::labels::upper_first;
use crate::stats::{Estimate, Sides};

/// Maximum number of cells listed individually, on its own and with another table; more are in the CSV file alone.
const LISTED: (usize, usize) = (60, 30);
const COLUMNS: usize = 8;

impl Board<'_> {
    pub fn figures(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = charts(self).into_iter().map(Block::Chart).collect();
        blocks.extend(grids(self).into_iter().map(Block::Table));
        let cells = [list(self)].into_iter().chain(differences(self)).map(Block::Table);
        let tables = !matches!(self.shape, Shape::Lines { series: None, .. });
        match self.cells.len() <= if tables { LISTED.1 } else { LISTED.0 } {
            true => blocks.extend(cells),
            false => {
                blocks.push(Block::Only(Medium::Files, cells.collect()));
                let text = Block::Text("tables/every-cell.csv has every cell.".into());
                blocks.push(Block::Only(Medium::Page, vec![text]));
            }
        }
        blocks.extend(impossible(self));
        blocks
    }
}

/// Builds tables of the first figure over two axes, one for each value of a third.
fn grids(board: &Board<'_>) -> Vec<DataTable> {
    let Some(&measure) = measures(board).first() else { return Vec::new() };
    let (across, down, panels) = match board.shape {
        Shape::Lines { x, series: Some(series) } => (series, x, None),
        Shape::Maps { x, y, panels } => (x, y, panels),
        _ => return Vec::new(),
    };
    let long = |axis: usize| board.axes[axis].labels.len() > COLUMNS;
    let (across, down) = if long(across) { (down, across) } else { (across, down) };
    if long(across) {
        return Vec::new();
    }
    let sheet = |panel: Option<(usize, usize)>| {
        let at =
            |column: usize, row: usize| board.cell([(across, column), (down, row)].into_iter().chain(panel));
        let of = panel.map_or(String::new(), |(axis, value)| {
            format!(", {} {}", board.axes[axis].name, board.axes[axis].labels[value])
        });
        let [down, across] = [down, across].map(|axis| &board.axes[axis]);
        let about = "After ± stands half the width of the 95% interval of the cell by itself. ? marks a cell that is too \
             close to call, all cells judged at once.";
        let mut table = DataTable::of(
            format!("The {} by {} and {}{of}", called(measure), down.name, across.name),
            about,
            0..down.labels.len(),
        )
        .name(down.name.clone(), |row| &*down.labels[*row]);
        for (column, label) in across.labels.iter().enumerate() {
            let said = |row: &usize| at(column, *row).map_or(exact(""), |cell| brief(measure, cell));
            table = table.figure(label.clone(), said);
        }
        table.done()
    };
    match panels {
        Some(axis) => (0..board.axes[axis].labels.len()).map(|value| sheet(Some((axis, value)))).collect(),
        None => vec![sheet(None)],
    }
}

fn no_figure(cell: &SweptCell) -> FormattedEstimate {
    exact(if cell.impossible.is_empty() { "-" } else { "no game" })
}

/// Formats a figure with its half-width: `+12.3%` and `±0.4`; too close to call: `+12.3%?`.
fn with_half(measure: Measure, cell: &SweptCell, e: Estimate, decimals: usize) -> [String; 2] {
    let mark = if is_open(cell, measure) { "?" } else { "" };
    let half = half_width(measure, e, decimals);
    [format!("{}{mark}", measure.short(e.value, decimals)), format!("±{half:.decimals$}")]
}

fn brief(measure: Measure, cell: &SweptCell) -> FormattedEstimate {
    let Some(e) = value(cell, measure) else { return no_figure(cell) };
    let decimals = if half_width(measure, e, 2) < 0.095 { 2 } else { 1 };
    let [value, interval] = with_half(measure, cell, e, decimals);
    FormattedEstimate { value, interval, ..measure.say(e) }
}

/// Begins a table of cells with their values on the axes.
fn of_cells<T>(
    (title, about): (String, &'static str),
    board: &Board<'_>,
    rows: impl IntoIterator<Item = T>,
    cell: impl Fn(&T) -> &SweptCell,
) -> Columns<T> {
    let mut table = DataTable::of(title, about, rows);
    for (i, axis) in board.axes.iter().enumerate() {
        table = table.name(axis.name.clone(), |row| &*axis.labels[cell(row).at[i]]);
    }
    table
}

fn list(board: &Board<'_>) -> DataTable {
    let mut table = of_cells(("Every cell".into(), "With 95% intervals."), board, &board.cells, |cell| cell);
    for measure in measures(board) {
        table = table.figure(called(measure), |cell| {
            value(cell, measure).map_or_else(|| no_figure(cell), |e| measure.say(e))
        });
    }
    table.figure("games", |cell| number(cell.games())).done()
}

/// Explains why cells are invalid: every reason once, in full.
fn impossible(board: &Board<'_>) -> Vec<Block> {
    let mut listed: Vec<(&str, u64, String)> = Vec::new();
    for cell in &board.cells {
        for reason in &cell.impossible {
            match listed.iter_mut().find(|(known, ..)| known == reason) {
                Some((_, others, _)) => *others += 1,
                None => listed.push((reason, 0, board.label(cell))),
            }
        }
    }
    if listed.is_empty() {
        return Vec::new();
    }
    let words = |(reason, others, first): (&str, u64, String)| {
        let others = if others == 0 { String::new() } else { format!(" and {}", cells(others, "other ")) };
        Block::Text(format!("{first}{others}: {reason}"))
    };
    let heading = Block::Heading("Cells without a valid ruleset".into());
    let more =
        and_more(listed.len()).map(|more| Block::Text(format!("{more}: summary.json has all of them")));
    [heading].into_iter().chain(listed.into_iter().take(MOST_LISTED).map(words)).chain(more).collect()
}

fn differences(board: &Board<'_>) -> Option<DataTable> {
    compared(board).next()?;
    let title = format!("Each cell compared with {}, on the same deals", board.swept.against);
    let about = "Each figure of a cell less that of the rules it is compared with, played by the same strategy, with 95% intervals. \
         Both are dealt the same cards, so most of the luck cancels out.";
    let mut table = of_cells((title, about), board, compared(board), |row| row.0);
    for measure in measures(board) {
        let of = |cell: &SweptCell| difference(cell, measure, false);
        let said = |(cell, _): &(&SweptCell, _)| of(cell).map_or(exact("-"), |e| measure.difference(e));
        table = table.figure(called(measure), said).when(compared(board).any(|(it, _)| of(it).is_some()));
    }
    Some(table.figure("deals", |(_, it)| number(it.games)).done())
}

/// Minimum distance between two values, as a fraction of the axis, at which they are placed by number.
const CROWDED: f64 = 0.05;
/// Edge, relative to the line, with the strongest shade: without a cap, the house, which never wins more than the
/// stake, would look pale beside a player who wins several times as much.
const FAR: f64 = 100.0;
const INSET: f64 = 0.07;

fn charts(board: &Board<'_>) -> Vec<Chart> {
    let chart = |measure: Measure| {
        let board = &*board.about(measure);
        let chart = match board.shape {
            _ if board.axes.is_empty() => return None,
            Shape::Lines { x, series } => Lines { board, measure, x, series }.chart(),
            Shape::Maps { x, y, panels } => maps(board, measure, (x, y), panels),
        };
        Some(Chart {
            name: match measure {
                Measure::Wins => "win-rate".into(),
                measure => called(measure).replace(' ', "-"),
            },
            title: title(board, measure),
            subtitle: board.subtitle.clone(),
            ..chart
        })
    };
    measures(board).into_iter().filter_map(chart).collect()
}

/// Returns the cells with the lowest and the highest figure, with it as `say` formats it.
fn ends(
    board: &Board<'_>,
    measure: Measure,
    say: impl Fn(FormattedEstimate) -> String,
) -> Option<[(String, String); 2]> {
    let end = |highest| {
        let cell = furthest(board, measure, highest)?;
        Some((say(measure.say(value(cell, measure)?)), board.label(cell)))
    };
    Some([end(false)?, end(true)?])
}

/// Returns the title: who wins how many cells, or the range of the figure.
fn title(board: &Board<'_>, measure: Measure) -> String {
    let values = board.cells.iter().filter(|cell| value(cell, measure).is_some()).count();
    let name = upper_first(called(measure));
    let Some([(least, low), (most, high)]) = ends(board, measure, |said| said.value) else {
        return format!("No {}", called(measure));
    };
    if measure == Measure::Edge && values > 1 {
        let Sides { house, player, .. } = Sides::of(board.cells.iter().map(|cell| cell.side));
        let of = count(values as u64);
        return match (board.line == 0.0, house, player) {
            (true, n, _) if n == values => "The house gains in every cell".into(),
            (true, _, n) if n == values => "The player gains in every cell".into(),
            (true, ..) => format!("The house gains in {house} of {of} cells, the player in {player}"),
            (false, ..) => {
                format!("{house} of {of} cells have more than {}, {player} have less", line_name(board))
            }
        };
    }
    match values == 1 || least == most {
        true => format!("{name}: {least}"),
        false => format!("{name}: from {least} with {low} to {most} with {high}"),
    }
}

fn measured(measure: Measure) -> &'static str {
    match measure {
        Measure::Edge => "house edge, % of the stake",
        Measure::Wins => "games won, % of all games",
        _ => "mean cards",
    }
}

/// Describes the lowest and the highest figure with their intervals.
fn range_in_words(board: &Board<'_>, measure: Measure) -> String {
    match ends(board, measure, |said| said.both()) {
        Some([(least, low), (most, high)]) => format!("From {least} with {low} to {most} with {high}."),
        None => "No games were played.".into(),
    }
}

/// A figure along one axis: a line with its band of intervals for each strategy or ruleset.
struct Lines<'b> {
    board: &'b Board<'b>,
    measure: Measure,
    x: usize,
    series: Option<usize>,
}

impl Lines<'_> {
    /// Returns the positions of values: by number if all are numbers and none crowd, otherwise evenly spaced.
    fn places(&self) -> Vec<f64> {
        let axis = &self.board.axes[self.x];
        let numbers: Option<Vec<f64>> =
            axis.numbers.as_ref().and_then(|numbers| numbers.iter().copied().collect());
        let roomy = |numbers: &Vec<f64>| {
            let whole = numbers.last().unwrap_or(&0.0) - numbers.first().unwrap_or(&0.0);
            numbers.windows(2).all(|pair| pair[1] - pair[0] >= whole * CROWDED)
        };
        numbers.filter(roomy).unwrap_or_else(|| (0..axis.labels.len()).map(|i| i as f64).collect())
    }

    fn on(&self, line: usize) -> Vec<Option<&SweptCell>> {
        let series = self.series.map(|series| (series, line));
        let values = 0..self.board.axes[self.x].labels.len();
        values.map(|x| self.board.cell(series.into_iter().chain([(self.x, x)]))).collect()
    }

    fn figures(&self, line: usize) -> Vec<Option<Estimate>> {
        let figure =
            |cell: Option<&SweptCell>| Some(scaled(value(cell?, self.measure)?, self.measure.unit()));
        self.on(line).into_iter().map(figure).collect()
    }

    fn lines(&self) -> Vec<String> {
        self.series.map_or(vec![String::new()], |series| self.board.axes[series].labels.clone())
    }

    fn y_axis(&self) -> Axis {
        let all = (0..self.lines().len()).flat_map(|line| self.figures(line)).flatten();
        let mut values: Vec<f64> = all.flat_map(|e| [e.value, e.low, e.high]).collect();
        values.push(0.0);
        let edge = self.measure == Measure::Edge;
        values.extend(edge.then_some(self.board.line * 100.0));
        let (low, high) = span(values).unwrap_or((0.0, 1.0));
        let range = padded((low, high), 0.06);
        let range = if edge { up_to_whole(range, high) } else { (low.min(0.0), range.1) };
        Axis::new(measured(self.measure), range, 9, |v, d| self.measure.tick(v, d))
    }

    /// Marks the ruleset as written, if it has a single position.
    fn marker(&self, places: &[f64]) -> Option<Marker> {
        let written = self.board.cells.iter().filter(|cell| cell.as_written).map(|cell| cell.at[self.x]);
        let mut at: Vec<usize> = written.collect();
        at.dedup();
        let [one] = at[..] else { return None };
        Some(Marker::new(places[one], Role::Muted, "the rules as they are"))
    }

    fn sides(&self, marks: &mut Vec<Mark>) {
        marks.extend(Mark::sides_above());
        let line = self.board.line;
        if line != 0.0 {
            marks.push(Mark::level(line * 100.0, Role::Ink, true));
            let name = format!("target {}", self.measure.short(line, line_decimals(line)));
            marks.push(Mark::note((WHOLE.1, line * 100.0), name, Role::Ink, Stand::Left));
        }
        // Each where the lines leave room: above a falling line on the right, below it on the left.
        let figures = || (0..self.lines().len()).map(|line| self.figures(line));
        let first: f64 =
            figures().filter_map(|line| line.into_iter().flatten().next()).map(|e| e.value).sum();
        let last: f64 =
            figures().filter_map(|line| line.into_iter().flatten().next_back()).map(|e| e.value).sum();
        marks.extend(Mark::sides_named(first > last, ["the house gains", "the player wins"]));
    }

    /// Draws one line with its band, interrupted at missing cells.
    fn line(&self, line: usize, role: Role, places: &[f64], marks: &mut Vec<Mark>) {
        let numbers = self.board.axes[self.x].numbers.as_ref();
        let points: Vec<Option<(f64, Estimate)>> =
            places.iter().zip(self.figures(line)).map(|(x, e)| Some((*x, e?))).collect();
        // A value that is no number, such as `unlimited`, is not connected.
        let joined = |i: usize| numbers.is_some_and(|numbers| numbers[i].is_some());
        let in_line = points.iter().enumerate().map(|(i, point)| point.filter(|_| joined(i)));
        for run in in_line.collect::<Vec<_>>().split(Option::is_none) {
            let run: Vec<(f64, Estimate)> = run.iter().flatten().copied().collect();
            marks.extend(Mark::curve(&run, role));
        }
        for (x, e) in points.iter().flatten() {
            marks.push(Mark::limits(*x, *e, role, 3));
            marks.push(Mark::dots(vec![(*x, e.value)], role, 7));
        }
        for (x, cell) in places.iter().zip(self.on(line)) {
            if cell.is_some_and(|cell| !cell.impossible.is_empty()) {
                marks.push(Mark::note((*x, WHOLE.0), "no game", Role::Muted, Stand::Middle));
            }
        }
    }

    fn chart(&self) -> Chart {
        let places = self.places();
        let (Some(&low), Some(&high)) = (places.first(), places.last()) else { return Chart::default() };
        let range = if high > low { padded((low, high), 0.04) } else { (low - 1.0, high + 1.0) };
        let axis = &self.board.axes[self.x];
        let x = Axis::places(axis.name.clone(), range, places.iter().copied().zip(axis.labels.clone()));
        let mut marks = Vec::new();
        if self.measure == Measure::Edge {
            self.sides(&mut marks);
        }
        let hues = Hues::new(self.lines());
        let mut beside = Vec::new();
        for (line, name) in self.lines().into_iter().enumerate() {
            let role = hues.of(&name);
            self.line(line, role, &places, &mut marks);
            if let (Some(e), false) = (self.figures(line).into_iter().flatten().next_back(), name.is_empty())
            {
                beside.push(Beside { at: e.value, text: name, more: String::new(), role });
            }
        }
        let mut chart = Chart::plot(x, self.y_axis(), marks);
        chart.panels[0].beside = beside;
        chart.markers = self.marker(&places).into_iter().collect();
        let first = hues.of(&self.lines().concat());
        chart.keys = vec![match axis.numbers.is_some() {
            true => Key::area(first, 0.28, "95% interval"),
            false => Key::upright(first, "95% interval"),
        }];
        let joined = if axis.numbers.is_some() { "bands" } else { "upright lines" };
        chart.caption =
            format!("{} The {joined} are 95% intervals.", range_in_words(self.board, self.measure));
        chart
    }
}

struct Map<'b> {
    board: &'b Board<'b>,
    measure: Measure,
    axes: (usize, usize),
    /// The axis of the maps, and the value of this one.
    panel: Option<(usize, usize)>,
}

fn maps(board: &Board<'_>, measure: Measure, axes: (usize, usize), panels: Option<usize>) -> Chart {
    let values = panels.map_or(1, |axis| board.axes[axis].labels.len());
    let map = |value: usize| Map { board, measure, axes, panel: panels.map(|axis| (axis, value)) };
    let maps: Vec<Map<'_>> = (0..values).map(map).collect();
    let shades = shades(board, measure);
    let rows = board.axes[axes.1].labels.len();
    let high = match (maps.len(), rows) {
        (1, ..=8) => 92,
        (1, ..=14) => 64,
        (_, ..=8) => 64,
        _ => 44,
    };
    let mut chart = Chart {
        keys: keys(&maps),
        panels: maps.iter().map(|map| map.panel(&shades)).collect(),
        shades: Some(shades),
        height: rows as i32 * high,
        ..Chart::default()
    };
    chart.caption = format!("{}{}", range_in_words(board, measure), words(&chart, &maps));
    chart
}

/// Returns the part of the caption that explains the words in cells, for those that occur.
fn words(chart: &Chart, maps: &[Map<'_>]) -> String {
    let Some(form) = chart.form() else { return " The scale names the colours.".into() };
    let cells = || maps.iter().flat_map(|map| map.board.cells.iter().map(|cell| map.words(cell)));
    let shown = |sign: char| cells().any(|forms| forms[form].iter().any(|text| text.contains(sign)));
    let mut text = String::new();
    if shown('±') {
        text.push_str(" After ± stands half the width of the 95% interval.");
    }
    if shown('?') {
        text.push_str(" ? marks a cell that is too close to call, all cells judged at once.");
    }
    text
}

fn keys(maps: &[Map<'_>]) -> Vec<Key> {
    let mut keys = Vec::new();
    let Some(board) = maps.first().map(|map| map.board) else { return keys };
    let borders: Vec<bool> = maps.iter().flat_map(Map::borders).map(|(_, open)| open).collect();
    if !borders.is_empty() {
        let open = if borders.contains(&true) { " (dashed: too close to call)" } else { "" };
        keys.push(Key::line(Role::Ink, format!("heavy line: {}{open}", line_name(board))));
    }
    if board.cells.iter().any(|cell| cell.as_written) {
        keys.push(Key::frame(Role::Ink, "the rules as they are"));
    }
    keys
}

fn shades(board: &Board<'_>, measure: Measure) -> Shades {
    let values = board.cells.iter().filter_map(|cell| value(cell, measure)).map(|e| e.value * measure.unit());
    let (low, high) = span(values).unwrap_or((0.0, 1.0));
    let scale = |low: f64, high: f64| {
        let scale = Axis::new("", (low, high), 6, |v, d| measure.tick(v, d));
        Axis { range: (low, high), ..scale }
    };
    if measure != Measure::Edge {
        let high = if high > low { high } else { low + 1.0 };
        let (below, above) = (Role::Series(0), Role::Series(0));
        let ends = [measured(measure).into(), String::new()];
        return Shades { scale: scale(low, high), centre: low, reach: high - low, below, above, ends };
    }
    let centre = board.line * 100.0;
    let reach = (high - centre).abs().max((low - centre).abs()).clamp(1.0, FAR);
    let (least, most) = (low, high);
    let (low, high) = (low.min(centre).max(centre - reach), high.max(centre).min(centre + reach));
    let mut scale = scale(low, high);
    // The strongest shade also represents everything beyond it.
    for tick in &mut scale.ticks {
        if tick.at - 1e-9 <= low && least < low {
            tick.name.insert_str(0, "≤ ");
        } else if tick.at + 1e-9 >= high && most > high {
            tick.name.insert_str(0, "≥ ");
        }
    }
    let (first, last) = match board.line == 0.0 {
        true => ("player gains", "house gains"),
        false => ("below the target", "above"),
    };
    let end = |seen: bool, words: &str| if seen { words.to_string() } else { String::new() };
    let ends = [end(low < centre, first), end(high > centre, last)];
    Shades { scale, centre, reach, below: Role::Player, above: Role::House, ends }
}

impl Map<'_> {
    fn cell(&self, x: usize, y: usize) -> Option<&SweptCell> {
        self.board.cell([(self.axes.0, x), (self.axes.1, y)].into_iter().chain(self.panel))
    }

    fn places(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let [columns, rows] = [self.axes.0, self.axes.1].map(|axis| self.board.axes[axis].labels.len());
        (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y)))
    }

    fn words(&self, cell: &SweptCell) -> [[String; 2]; 4] {
        let alone = |text: String| [text, String::new()];
        let Some(e) = value(cell, self.measure) else {
            let none = if cell.impossible.is_empty() { "not played" } else { "no game" };
            return [none, none, "–", "–"].map(|text| alone(text.into()));
        };
        let value = |decimals| with_half(self.measure, cell, e, decimals)[0].clone();
        [
            with_half(self.measure, cell, e, 1),
            alone(value(1)),
            alone(value(0)),
            alone(value(0).replace('%', "")),
        ]
    }

    fn panel(&self, shades: &Shades) -> Panel {
        let board = self.board;
        let axis = |axis: usize, way: &str| {
            (format!("{} ({way})", board.axes[axis].name), board.axes[axis].labels.clone())
        };
        let ((across, columns), (down, rows)) = (axis(self.axes.0, "across"), axis(self.axes.1, "down"));
        let drawn = |(x, y): (usize, usize)| {
            let cell = self.cell(x, y)?;
            let fill = value(cell, self.measure).map(|e| shades.of(e.value * self.measure.unit()));
            Some(Cell { x, y, fill, forms: self.words(cell).to_vec() })
        };
        let mut marks = vec![Mark::Cells(self.places().filter_map(drawn).collect())];
        // A white outline first, under the whole line.
        for (role, width) in [(Role::Paper, 12), (Role::Ink, 6)] {
            let border = |(ends, broken): ([(f64, f64); 2], bool)| Mark::Line {
                points: ends.to_vec(),
                role,
                width,
                broken,
            };
            marks.extend(self.borders().into_iter().map(border));
        }
        for (x, y) in self.places().filter(|&(x, y)| self.cell(x, y).is_some_and(|cell| cell.as_written)) {
            let [l, t, r, b] =
                [x as f64 + INSET, y as f64 + INSET, x as f64 + 1.0 - INSET, y as f64 + 1.0 - INSET];
            let points = vec![(l, t), (r, t), (r, b), (l, b), (l, t)];
            marks.push(Mark::Line { points, role: Role::Ink, width: 2, broken: false });
        }
        let title = self.panel.map_or(String::new(), |(axis, value)| {
            let axis = &board.axes[axis];
            let label = &axis.labels[value];
            if axis.people { label.clone() } else { upper_first(&format!("{} {label}", axis.name)) }
        });
        let (x, y) = (Axis::columns(across, columns), Axis::rows(down, rows));
        Panel { title, x, y, marks, ..Panel::default() }
    }

    /// Returns the borders between cells on different sides of the line, and whether one is too close to call.
    fn borders(&self) -> Vec<([(f64, f64); 2], bool)> {
        let edge = |x: usize, y: usize| {
            let cell = self.cell(x, y)?;
            let above = value(cell, Measure::Edge)?.value > self.board.line;
            Some((above, cell.side == Some(Side::Open)))
        };
        let mut borders = Vec::new();
        for (x, y) in self.places() {
            let Some(here) = edge(x, y) else { continue };
            let mut part = |there: Option<(bool, bool)>, ends: [(usize, usize); 2]| {
                if let Some(there) = there.filter(|it| it.0 != here.0) {
                    borders.push((ends.map(|(x, y)| (x as f64, y as f64)), here.1 || there.1));
                }
            };
            part(edge(x + 1, y), [(x + 1, y), (x + 1, y + 1)]);
            part(edge(x, y + 1), [(x, y + 1), (x + 1, y + 1)]);
        }
        borders
    }
}
