//! One plot: its grid and names, markers, and the marks of its data.

use plotters_backend::text_anchor::HPos;

use super::axis::Tick;
use super::canvas::{Done, LINE, MARGIN, Page, Point, TEXT, WIDTH};
use super::plot::Plot;
use super::{Bar, Chart, Mark, Panel, Role, Stand, cells, rows, text};

/// Between a marked line and its label.
const GAP: i32 = 14;
/// Least distance between the names of values below each other, and between the ends of those side by side.
const APART: i32 = 34;
const BETWEEN: i32 = 14;
/// Sizes of names of columns, the largest that fits.
const SIZES: [f64; 4] = [TEXT, 22.0, 20.0, 18.0];

impl Panel {
    pub(super) fn draw(&self, page: &Page<'_>, plot: &Plot, chart: &Chart) -> Done {
        if !self.title.is_empty() {
            let at = (plot.left, plot.top - LINE / 2 + 2);
            page.fitted(&self.title, at, plot.right - plot.left, Role::Ink, HPos::Left)?;
        }
        self.grid(page, plot)?;
        let first = chart.panels.first().is_some_and(|first| std::ptr::eq(first, self));
        let marked = if first { markers(page, plot, chart)? } else { Vec::new() };
        for mark in &self.marks {
            self.mark(page, plot, mark, &marked)?;
        }
        if let Some(divide) = &self.divide {
            let x = plot.x(divide.at);
            page.line(&[(x, plot.top - LINE), (x, plot.bottom)], Role::Ink, 3)?;
            let y = plot.top - LINE / 2 - 4;
            let (left, right) = (&divide.left, &divide.right);
            let room = |pixels: i32| f64::from(pixels - GAP);
            let words = text::elide(&left.0, TEXT, room(x - MARGIN));
            page.text(&words, (x - GAP, y), TEXT, left.1, HPos::Right)?;
            let words = text::elide(&right.0, TEXT, room(WIDTH - MARGIN - x));
            page.text(&words, (x + GAP, y), TEXT, right.1, HPos::Left)?;
        }
        rows::beside(page, plot, self)
    }

    /// Grid, names of values and the two axes.
    fn grid(&self, page: &Page<'_>, plot: &Plot) -> Done {
        let high = (plot.bottom - plot.top) / self.y.ticks.len().max(1) as i32;
        let dense = self.y.names && !has_cells(self) && high < 40;
        let room = plot.left - MARGIN - 14;
        for (i, tick) in spread(&self.y.ticks, |at| plot.y(at), |_| 0, APART.min(high)).enumerate() {
            let y = plot.y(tick.at);
            if dense && i.is_multiple_of(2) {
                let half = high / 2;
                page.fill([(MARGIN, y - half), (WIDTH - MARGIN, y + half)], Role::Grid, 0.3)?;
            }
            if !self.y.names {
                page.line(&[(plot.left, y), (plot.right, y)], Role::Grid, 2)?;
            }
            if plot.first {
                page.fitted(&tick.name, (plot.left - 14, y), room, Role::Ink, HPos::Right)?;
            }
        }
        if self.x.names {
            self.columns(page, plot)?;
        } else {
            let wide = |name: &str| super::text::widest(std::iter::once(name));
            for tick in spread(&self.x.ticks, |at| plot.x(at), wide, BETWEEN) {
                let x = plot.x(tick.at);
                page.line(&[(x, plot.top), (x, plot.bottom)], Role::Grid, 2)?;
                let (name, em) = text::fit(&tick.name, TEXT, 300.0);
                let half = (text::width(&name, em) / 2.0).ceil() as i32;
                let x = x.clamp(MARGIN / 2 + half, WIDTH - MARGIN / 2 - half);
                page.text(&name, (x, plot.bottom + 28), em, Role::Ink, HPos::Center)?;
            }
        }
        if has_cells(self) {
            return Ok(());
        }
        page.line(&[(plot.left, plot.top), (plot.left, plot.bottom)], Role::Muted, 2)?;
        page.line(&[(plot.left, plot.bottom), (plot.right, plot.bottom)], Role::Muted, 2)
    }

    /// The names of columns: where they would meet, smaller, on two lines, or only every third, fourth ...
    fn columns(&self, page: &Page<'_>, plot: &Plot) -> Done {
        let ticks = &self.x.ticks;
        let pitch = f64::from(plot.right - plot.left) / ticks.len().max(1) as f64;
        let wide =
            |em: f64| ticks.iter().map(|tick| text::width(&text::clean(&tick.name), em)).fold(0.0, f64::max);
        let fitting = SIZES.into_iter().find(|em| wide(*em) <= pitch - 8.0);
        let em = fitting.unwrap_or(SIZES[SIZES.len() - 1]);
        let every = match fitting {
            Some(_) => 1,
            None if ticks.len() <= 3 => 1,
            None => ((wide(em).min(200.0) + 8.0) / pitch).ceil().max(1.0) as usize,
        };
        // Words cannot be guessed from their neighbours, so that all are shown, on two lines in turn.
        let words =
            ticks.iter().filter(|tick| tick.name.starts_with(char::is_alphabetic)).count() > ticks.len() / 2;
        let staggered = every == 2 && words;
        for (i, tick) in ticks.iter().enumerate().step_by(if staggered { 1 } else { every }) {
            let (name, em) = text::fit(&tick.name, em, pitch * every as f64 - 6.0);
            let half = (text::width(&name, em) / 2.0).ceil() as i32;
            let x = plot.x(tick.at).clamp(MARGIN / 2 + half, WIDTH - MARGIN / 2 - half);
            let down = if staggered { 18 + 22 * (i % 2) as i32 } else { 28 };
            page.text(&name, (x, plot.bottom + down), em, Role::Ink, HPos::Center)?;
        }
        Ok(())
    }

    fn mark(&self, page: &Page<'_>, plot: &Plot, mark: &Mark, marked: &[i32]) -> Done {
        match mark {
            Mark::Area { x, y, role, shade } => {
                let corners = [plot.at((x.0, y.0)), plot.at((x.1, y.1))];
                page.fill([least(corners), most(corners)], *role, *shade)
            }
            Mark::Band { points, role, shade } => {
                let number = |p: &(f64, f64, f64)| !(p.0.is_nan() || p.1.is_nan() || p.2.is_nan());
                for run in points.split(|p| !number(p)).filter(|run| run.len() > 1) {
                    let upper: Vec<Point> = run.iter().map(|p| plot.at((p.0, p.2))).collect();
                    let lower: Vec<Point> = run.iter().map(|p| plot.at((p.0, p.1))).collect();
                    page.band(&upper, &lower, *role, *shade)?;
                }
                Ok(())
            }
            Mark::Line { points, role, width, broken } => {
                for run in inside(points, plot.y) {
                    let run = steps(run.into_iter().map(|point| plot.at(point)));
                    match broken {
                        true => page.broken(&run, *role, *width)?,
                        false => page.line(&run, *role, *width)?,
                    }
                }
                Ok(())
            }
            Mark::Dots { points, role, radius } => {
                let shown = points.iter().filter(|(x, y)| !x.is_nan() && within(*y, plot.y));
                shown.into_iter().try_for_each(|&at| page.dot(plot.at(at), *radius, *role))
            }
            Mark::Bars(bars) => bars.iter().try_for_each(|bar| bar.draw(page, plot)),
            &Mark::Interval { row, estimate, bounds, role } => {
                rows::interval(page, plot, (row, estimate, bounds, role), |value| plot.x(value))
            }
            Mark::Cells(cells) => cells::draw(page, plot, cells),
            Mark::Note { at, text, role, stand } => note(page, plot, *at, text, *role, *stand, marked),
        }
    }
}

fn has_cells(panel: &Panel) -> bool {
    panel.marks.iter().any(|mark| matches!(mark, Mark::Cells(_)))
}

fn least([a, b]: [Point; 2]) -> Point {
    (a.0.min(b.0), a.1.min(b.1))
}

fn most([a, b]: [Point; 2]) -> Point {
    (a.0.max(b.0), a.1.max(b.1))
}

fn within(value: f64, (from, to): (f64, f64)) -> bool {
    (from.min(to)..=from.max(to)).contains(&value)
}

/// Points without those that a level line goes on through: they would make it rough.
fn steps(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for point in points {
        if matches!(kept[..], [.., a, b] if a.1 == b.1 && b.1 == point.1) {
            kept.pop();
        }
        if kept.last() != Some(&point) {
            kept.push(point);
        }
    }
    kept
}

/// The parts of a line that lie in the range, cut where it leaves it.
fn inside(points: &[(f64, f64)], range: (f64, f64)) -> Vec<Vec<(f64, f64)>> {
    let (low, high) = (range.0.min(range.1), range.0.max(range.1));
    let mut runs: Vec<Vec<(f64, f64)>> = vec![Vec::new()];
    let mut last: Option<(f64, f64)> = None;
    for &(x, y) in points {
        if x.is_nan() || y.is_nan() {
            runs.push(Vec::new());
            last = None;
            continue;
        }
        // Infinite heights are those of the borders.
        let y = if y == f64::INFINITY {
            high
        } else if y == f64::NEG_INFINITY {
            low
        } else {
            y
        };
        if let Some((x0, y0)) = last.filter(|(_, y0)| (*y0 < low) != (y < low) || (*y0 > high) != (y > high))
        {
            let at = |border: f64| (x0 + (x - x0) * (border - y0) / (y - y0), border);
            let mut cuts: Vec<(f64, f64)> =
                [low, high].into_iter().filter(|it| within(*it, (y0, y))).map(at).collect();
            if y < y0 {
                cuts.reverse();
            }
            if !within(y0, range) {
                runs.push(Vec::new());
            }
            if let Some(run) = runs.last_mut() {
                run.extend(cuts);
            }
        }
        if let Some(run) = runs.last_mut().filter(|_| within(y, range)) {
            run.push((x, y));
        }
        last = Some((x, y));
    }
    runs.retain(|run| run.len() > 1);
    runs
}

/// The ticks whose names do not meet: all, or every second, third ... and zero among them; where they are not evenly
/// spread each that is clear of the one before it.
fn spread<'t>(
    ticks: &'t [Tick],
    place: impl Fn(f64) -> i32,
    wide: impl Fn(&str) -> i32,
    apart: i32,
) -> impl Iterator<Item = &'t Tick> {
    let clear = |a: &Tick, b: &Tick| {
        let need = (wide(&a.name).min(300) + wide(&b.name).min(300)) / 2 + apart;
        (place(a.at) - place(b.at)).abs() >= need
    };
    let zero = ticks.iter().position(|tick| tick.at == 0.0).unwrap_or(0);
    let steps = || ticks.windows(2).map(|pair| pair[1].at - pair[0].at);
    let even = steps().all(|step| steps().all(|other| (step - other).abs() <= 1e-6 * step.abs()));
    let every = |n: &usize| -> Vec<&'t Tick> { ticks.iter().skip(zero % n).step_by(*n).collect() };
    let fits = |n: &usize| every(n).windows(2).all(|pair| clear(pair[0], pair[1]));
    let chosen = match (1..=ticks.len().max(1)).find(fits) {
        Some(n) if even || n == 1 => every(&n),
        _ => ticks.iter().fold(Vec::new(), |mut kept: Vec<&Tick>, tick| {
            if kept.last().is_none_or(|last| clear(last, tick)) {
                kept.push(tick);
            }
            kept
        }),
    };
    chosen.into_iter()
}

/// Draws the marked values, and says where. Labels stand right of their lines from left to right, then those that
/// only have room on the left, from right to left: so none is crossed by a line that starts above it
/// on its own side.
fn markers(page: &Page<'_>, plot: &Plot, chart: &Chart) -> Result<Vec<i32>, super::ChartError> {
    let edge = WIDTH - MARGIN;
    let mut marks: Vec<(bool, i32, (String, f64), Role)> = Vec::new();
    for marker in &chart.markers {
        let x = plot.x(marker.at);
        let (label, em) = text::fit(&marker.label, TEXT, f64::from(edge - MARGIN - 10));
        let flipped = x + GAP + text::width(&label, em).ceil() as i32 > edge;
        marks.push((flipped, x, (label, em), marker.role));
    }
    marks.sort_by_key(|&(flipped, x, ..)| (flipped, if flipped { -x } else { x }));
    let line = |i: usize| plot.markers_top + LINE * i as i32;
    for (i, (_, x, _, role)) in marks.iter().enumerate() {
        page.broken(&[(*x, line(i) - LINE / 2 + 2), (*x, plot.bottom)], *role, 3)?;
    }
    for (i, (flipped, x, (label, em), role)) in marks.iter().enumerate() {
        let width = text::width(label, *em).ceil() as i32;
        if !flipped {
            page.boxed(label, (x + GAP, line(i)), *em, *role, HPos::Left)?;
        } else if x - GAP - width >= MARGIN {
            page.boxed(label, (x - GAP, line(i)), *em, *role, HPos::Right)?;
        } else {
            page.boxed(label, (edge, line(i)), *em, *role, HPos::Right)?;
        }
    }
    Ok(marks.into_iter().map(|(_, x, ..)| x).collect())
}

/// A text in the plot. It stays in the picture, and stands beside a marked line, not across it.
fn note(
    page: &Page<'_>,
    plot: &Plot,
    at: (f64, f64),
    text: &str,
    role: Role,
    stand: Stand,
    marked: &[i32],
) -> Done {
    // A side of 0 that is lower than a line goes without its name.
    let side =
        matches!(role, Role::House | Role::Player) && at.1.is_infinite() && plot.y.0 < 0.0 && plot.y.1 > 0.0;
    if side && (plot.y(at.1) - plot.y(0.0)).abs() < LINE {
        return Ok(());
    }
    let (text, em) = text::fit(text, TEXT, f64::from(plot.right - plot.left - 2 * GAP));
    let width = text::width(&text, em).ceil() as i32;
    let x = plot.x(at.0);
    let mut left = match stand {
        Stand::Right => x + GAP,
        Stand::Left => x - GAP - width,
        Stand::Middle => x - width / 2,
    };
    let range = (plot.left + GAP, (plot.right - GAP - width).max(plot.left + GAP));
    left = left.clamp(range.0, range.1);
    for &line in marked {
        if (left - 8..left + width + 8).contains(&line) {
            let (right_of, left_of) = (line + GAP, line - GAP - width);
            let better = if stand == Stand::Left { [left_of, right_of] } else { [right_of, left_of] };
            left = better.into_iter().find(|x| (range.0..=range.1).contains(x)).unwrap_or(left);
        }
    }
    let y = plot.y(at.1).clamp(plot.top + 24, (plot.bottom - 24).max(plot.top + 24));
    page.text(&text, (left, y), em, role, HPos::Left)
}

impl Bar {
    fn draw(&self, page: &Page<'_>, plot: &Plot) -> Done {
        let corners = [plot.at((self.x.0, self.y.0)), plot.at((self.x.1, self.y.1))];
        if [self.x.0, self.x.1, self.y.0, self.y.1].iter().any(|v| v.is_nan()) {
            return Ok(());
        }
        let (from, to) = (least(corners), most(corners));
        // A bar of one game in a million is still a line.
        let up = !within(self.y.1, plot.y) || to.1 == plot.bottom;
        let top = if up && self.y.0 != self.y.1 { from.1.min(to.1 - 2) } else { from.1 };
        page.fill([(from.0, top), (to.0.max(from.0 + 1), to.1)], self.role, self.shade)?;
        // It goes on beyond the picture.
        if self.y.1.is_finite() && !within(self.y.1, plot.y) {
            page.line(&[(from.0 - 8, top + 40), (to.0 + 8, top + 24)], Role::Paper, 8)?;
        }
        if self.x.1.is_finite() && !within(self.x.1, plot.x) {
            for x in [to.0 - 60, to.0 - 36] {
                page.line(&[(x, to.1 + 4), (x + 18, from.1 - 4)], Role::Paper, 8)?;
            }
        }
        Ok(())
    }
}
