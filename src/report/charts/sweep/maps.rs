//! A figure over two axes as a map of coloured cells, or a map for each value of a third axis.

use std::sync::Arc;

use plotters::style::text_anchor::HPos;

use super::super::Picture;
use super::super::canvas::{ChartError, Page, WIDTH};
use super::super::frame::{Done, LINE, MARGIN, TEXT};
use super::super::text;
use super::legend::Shading;
use super::{title, who_wins};
use crate::report::figures::Side;
use crate::report::sweep::{Board, BoardAxis, BoardCell, Measure, Play, line_name};

/// Between two maps.
const GAP: i32 = 36;
/// Where the first map's title or cells begin.
const TOP: i32 = 96 + 4 * LINE;
/// Sizes of the figures in cells, the largest that fits.
const SIZES: [f64; 5] = [30.0, 26.0, 22.0, 19.0, 16.0];
/// Widest name of a row.
const NAME: f64 = 260.0;

/// A place in pixels.
type Spot = (i32, i32);

#[derive(Debug)]
pub(super) struct Maps {
    pub board: Arc<Board>,
    pub measure: Measure,
    pub x: usize,
    pub y: usize,
    pub panels: Option<usize>,
}

/// Where everything goes, in pixels.
struct Layout {
    left: i32,
    top: i32,
    /// Maps in a row.
    across: usize,
    map: i32,
    cell: (i32, i32),
    /// From one row of maps to the next.
    step: i32,
    rows: usize,
}

impl Maps {
    fn axis(&self, axis: usize) -> &BoardAxis {
        &self.board.axes[axis]
    }

    fn maps(&self) -> usize {
        self.panels.map_or(1, |panels| self.axis(panels).labels.len())
    }

    fn layout(&self) -> Layout {
        let (columns, rows) = (self.axis(self.x).labels.len() as i32, self.axis(self.y).labels.len() as i32);
        let maps = self.maps();
        let across = match maps {
            1 | 2 => maps,
            4 => 2,
            _ => 3,
        };
        let widest =
            self.axis(self.y).labels.iter().map(|label| text::width(label, TEXT)).fold(0.0, f64::max);
        let left = MARGIN + widest.min(NAME).ceil() as i32 + 20;
        let room = WIDTH as i32 - MARGIN - left - GAP * (across as i32 - 1);
        let wide = (room / across as i32 / columns).clamp(1, 260);
        let high = match (maps, rows) {
            (1, ..=8) => 92,
            (1, ..=14) => 64,
            (_, ..=8) => 64,
            _ => 40,
        };
        let named = if self.panels.is_some() { LINE } else { 0 };
        let step = named + rows * high + LINE + 22;
        let top = if self.panels.is_some() { TOP + 24 } else { TOP };
        Layout {
            left,
            top,
            across,
            map: wide * columns,
            cell: (wide, high),
            step,
            rows: maps.div_ceil(across),
        }
    }

    fn cell(&self, panel: usize, column: usize, row: usize) -> Option<&BoardCell> {
        let mut at = vec![0; self.board.axes.len()];
        (at[self.x], at[self.y]) = (column, row);
        if let Some(panels) = self.panels {
            at[panels] = panel;
        }
        self.board.cell(&at)
    }

    /// What is written in a cell, and below it.
    fn words(&self, cell: &BoardCell) -> (String, String) {
        let Some(e) = self.measure.value(cell) else {
            let none = if matches!(cell.play, Play::Impossible) { "no game" } else { "not played" };
            return (none.into(), String::new());
        };
        let scale = if self.measure == Measure::Cards { 1.0 } else { 100.0 };
        let half = (e.value - e.low).max(e.high - e.value) * scale;
        let half = (half * 10.0 - 1e-7).ceil() / 10.0;
        let open = self.measure == Measure::Edge && self.board.side(cell) == Some(Side::Open);
        let mark = if open { "?" } else { "" };
        (format!("{}{mark}", self.measure.short(e.value, 1)), format!("±{half:.1}"))
    }

    /// The largest size at which every cell's words fit, if one does, and whether there is room below them.
    fn size(&self, layout: &Layout) -> Option<(f64, bool)> {
        let (wide, high) = layout.cell;
        let widest = |em: f64| {
            let words = self.board.cells.iter().map(|cell| text::width(&self.words(cell).0, em));
            words.fold(0.0, f64::max)
        };
        let fits = |em: &f64| widest(*em) <= f64::from(wide - 10) && *em + 8.0 <= f64::from(high);
        SIZES.into_iter().find(fits).map(|em| (em, f64::from(high) >= 2.0 * em + 26.0))
    }

    fn draw_map(&self, page: &Page<'_, '_>, layout: &Layout, panel: usize) -> Done {
        let palette = page.palette;
        let (column, row) = (panel % layout.across, panel / layout.across);
        let left = layout.left + column as i32 * (layout.map + GAP);
        let mut top = layout.top + row as i32 * layout.step;
        if let Some(panels) = self.panels {
            let axis = self.axis(panels);
            let name = format!("{} {}", axis.name, axis.labels[panel]);
            let name = text::elide(&name, TEXT, f64::from(layout.map));
            page.text(&name, (left, top), TEXT, palette.ink, HPos::Left)?;
            top += LINE - 10;
        }
        let (wide, high) = layout.cell;
        let size = self.size(layout);
        let shading = Shading::new(&self.board, self.measure);
        let corner = |x: usize, y: usize| (left + x as i32 * wide, top + y as i32 * high);
        let (columns, rows) = (self.axis(self.x).labels.len(), self.axis(self.y).labels.len());
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            let Some(cell) = self.cell(panel, x, y) else { continue };
            let (from, to) = (corner(x, y), corner(x + 1, y + 1));
            match self.measure.value(cell) {
                Some(e) => {
                    let (colour, shade) = shading.of(e.value, palette);
                    page.fill([from, to], colour, shade)?;
                }
                None => {
                    page.line(vec![from, to], palette.grid, 2)?;
                    page.line(vec![(from.0, to.1), (to.0, from.1)], palette.grid, 2)?;
                }
            }
            let frame = vec![from, (to.0, from.1), to, (from.0, to.1), from];
            page.line(frame, palette.paper, 2)?;
            if let Some((em, below)) = size {
                let (words, more) = self.words(cell);
                let middle = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
                let known = self.measure.value(cell).is_some();
                let lift = if below && known { (em * 0.55) as i32 } else { 0 };
                let ink = if known { palette.ink } else { palette.muted };
                page.text(&words, (middle.0, middle.1 - lift), em, ink, HPos::Center)?;
                if below && known {
                    let small = (middle.0, middle.1 + (em * 0.65) as i32);
                    page.text(&more, small, em * 0.72, ink, HPos::Center)?;
                }
            }
        }
        self.contour(page, self.borders(panel, &corner))?;
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            if self.cell(panel, x, y).is_some_and(|cell| cell.as_written) {
                let ((l, t), (r, b)) = (corner(x, y), corner(x + 1, y + 1));
                let (l, t, r, b) = (l + 5, t + 5, r - 5, b - 5);
                page.line(vec![(l, t), (r, t), (r, b), (l, b), (l, t)], palette.ink, 2)?;
            }
        }
        self.names(page, layout, (left, top), column == 0)
    }

    /// The names of columns below a map, and of rows beside the first.
    fn names(&self, page: &Page<'_, '_>, layout: &Layout, (left, top): (i32, i32), first: bool) -> Done {
        let (wide, high) = layout.cell;
        let columns = &self.axis(self.x).labels;
        let rows = &self.axis(self.y).labels;
        let ink = page.palette.ink;
        let small = SIZES[SIZES.len() - 1];
        let widest = columns.iter().map(|label| text::width(label, small)).fold(0.0, f64::max).min(200.0);
        // Where names would meet at any size, only every second, third ... is written.
        let every = ((widest + 8.0) / f64::from(wide)).ceil().max(1.0) as usize;
        let every = if columns.len() <= 3 { 1 } else { every };
        let room = f64::from(wide * every as i32 - 6);
        for (i, label) in columns.iter().enumerate().filter(|(i, _)| i % every == 0) {
            let fits = |em: &f64| *em <= TEXT && text::width(label, *em) <= room;
            let em = SIZES.into_iter().find(fits).unwrap_or(small);
            let at = (left + i as i32 * wide + wide / 2, top + rows.len() as i32 * high + 26);
            page.text(&text::elide(label, em, room), at, em, ink, HPos::Center)?;
        }
        for (i, label) in rows.iter().enumerate().filter(|_| first) {
            let at = (left - 14, top + i as i32 * high + high / 2);
            page.text(&text::elide(label, TEXT, NAME), at, TEXT, ink, HPos::Right)?;
        }
        Ok(())
    }

    /// The borders between cells on different sides of the line, and whether one of the two is too close to call.
    fn borders(&self, panel: usize, corner: &dyn Fn(usize, usize) -> Spot) -> Vec<(Spot, Spot, bool)> {
        let (columns, rows) = (self.axis(self.x).labels.len(), self.axis(self.y).labels.len());
        let edge = |x: usize, y: usize| {
            let cell = self.cell(panel, x, y)?;
            Some((
                Measure::Edge.value(cell)?.value > self.board.line,
                self.board.side(cell) == Some(Side::Open),
            ))
        };
        let mut borders = Vec::new();
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            let Some(here) = edge(x, y) else { continue };
            if let Some(there) = (x + 1 < columns).then(|| edge(x + 1, y)).flatten().filter(|e| e.0 != here.0)
            {
                borders.push((corner(x + 1, y), corner(x + 1, y + 1), here.1 || there.1));
            }
            if let Some(there) = (y + 1 < rows).then(|| edge(x, y + 1)).flatten().filter(|e| e.0 != here.0) {
                borders.push((corner(x, y + 1), corner(x + 1, y + 1), here.1 || there.1));
            }
        }
        borders
    }

    /// Draws borders: whole lines, and broken ones where it is too close to call.
    fn contour(&self, page: &Page<'_, '_>, borders: Vec<(Spot, Spot, bool)>) -> Done {
        // A rim of paper first, under all of the line.
        for (colour, width) in [(page.palette.paper, 12), (page.palette.ink, 6)] {
            for &(from, to, open) in &borders {
                let parts = if open { 5 } else { 1 };
                let at = |i: i32| (from.0 + (to.0 - from.0) * i / 9, from.1 + (to.1 - from.1) * i / 9);
                for part in 0..parts {
                    let ends = if open { (at(2 * part), at(2 * part + 1)) } else { (from, to) };
                    page.line(vec![ends.0, ends.1], colour, width)?;
                }
            }
        }
        Ok(())
    }

    /// What lines and frames mean.
    fn key(&self) -> String {
        let board = &self.board;
        let mut told = Vec::new();
        let borders = (0..self.maps()).map(|panel| self.borders(panel, &|_, _| (0, 0)));
        let above = |cell: &BoardCell| Measure::Edge.value(cell).map(|e| e.value > board.line);
        let mut sides = board.cells.iter().filter_map(above);
        if borders.flatten().next().is_some() {
            told.push(format!("heavy line: {} (broken: too close to call)", line_name(board)));
        } else if let Some(first) = sides.next().filter(|first| sides.all(|side| side == *first)) {
            told.push(match (board.line == 0.0, first) {
                (true, true) => "the house wins in every cell".into(),
                (true, false) => "the player wins in every cell".into(),
                (false, true) => format!("every cell lies above {}", line_name(board)),
                (false, false) => format!("every cell lies below {}", line_name(board)),
            });
        }
        if board.cells.iter().any(|cell| cell.as_written) {
            told.push("framed: the rules as they stand".into());
        }
        told.join("; ")
    }
}

impl Picture for Maps {
    fn title(&self) -> String {
        title(&self.board, self.measure)
    }

    fn caption(&self) -> String {
        let sure = match self.measure {
            Measure::Edge => {
                " With ±: half of the 95% interval; with ?: which side has the edge is too close to call."
            }
            _ => " With ±: half of the 95% interval.",
        };
        format!("{}{sure}", who_wins(&self.board, self.measure))
    }

    fn height(&self) -> u32 {
        let layout = self.layout();
        (layout.top + layout.step * layout.rows as i32 + LINE + 8) as u32
    }

    fn draw(&self, page: &Page<'_, '_>) -> Result<(), ChartError> {
        let layout = self.layout();
        let palette = page.palette;
        let y = page.heading(&self.title(), &self.board.subtitle)?;
        Shading::new(&self.board, self.measure).draw(page, y + 4)?;
        let room = f64::from(WIDTH as i32 - 2 * MARGIN);
        let key = text::elide(&self.key(), TEXT, room);
        page.text(&key, (MARGIN, y + LINE + 10), TEXT, palette.muted, HPos::Left)?;
        let down = format!("{} (down)", self.axis(self.y).name);
        page.text(&down, (MARGIN, y + 2 * LINE + 6), TEXT, palette.muted, HPos::Left)?;
        for panel in 0..self.maps() {
            self.draw_map(page, &layout, panel)?;
        }
        let across = format!("{} (across)", self.axis(self.x).name);
        let middle = layout.left + (layout.map + GAP) * layout.across as i32 / 2 - GAP / 2;
        let at = (middle, self.height() as i32 - 30);
        page.text(&across, at, TEXT, palette.muted, HPos::Center)
    }
}
