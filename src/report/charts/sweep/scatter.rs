//! Every cell over each axis by itself: what an axis does while all others vary.

use std::sync::Arc;

use plotters::style::text_anchor::HPos;

use super::super::Picture;
use super::super::axis::{Axis, padded, place, span};
use super::super::canvas::{ChartError, Page, WIDTH};
use super::super::frame::{Done, LINE, MARGIN, TEXT};
use super::super::text;
use super::{title, who_wins};
use crate::report::figures::{Side, fixed};
use crate::report::sweep::{Board, Measure};

/// Height of a panel's plot, and of the panel with its names.
const PLOT: i32 = 330;
const PANEL: i32 = PLOT + 2 * LINE + 26;
/// Where the first panel begins.
const TOP: i32 = 96 + 2 * LINE;
const GAP: i32 = 40;

#[derive(Debug)]
pub(super) struct Scatter {
    pub board: Arc<Board>,
    pub measure: Measure,
}

impl Scatter {
    fn y_axis(&self) -> Axis {
        let edge = self.measure == Measure::Edge;
        let all = self.board.cells.iter().filter_map(|cell| self.measure.value(cell));
        let line = edge.then_some([0.0, self.board.line]).into_iter().flatten();
        let values = all.flat_map(|e| [e.value, e.low, e.high]).chain(line);
        let range = padded(span(values).unwrap_or((0.0, 1.0)), 0.05);
        let measure = self.measure;
        Axis::new("", range, 6, move |v, d| match measure {
            Measure::Cards => fixed(v, d),
            _ => measure.short(v, d.saturating_sub(2)),
        })
    }

    /// One axis, its plot between these pixels.
    fn panel(
        &self,
        page: &Page<'_, '_>,
        y: &Axis,
        axis: usize,
        (left, right): (i32, i32),
        top: i32,
        named: bool,
    ) -> Done {
        let palette = page.palette;
        let over = &self.board.axes[axis];
        let name = text::elide(&over.name, TEXT, f64::from(right - left));
        page.text(&name, (left, top + 14), TEXT, palette.ink, HPos::Left)?;
        let (top, bottom) = (top + LINE, top + LINE + PLOT);
        let at_y = |value: f64| place(value, y.range, bottom, top);
        let edge = self.measure == Measure::Edge;
        if edge {
            page.fill([(left, top), (right, at_y(0.0))], palette.house, 0.08)?;
            page.fill([(left, at_y(0.0)), (right, bottom)], palette.player, 0.08)?;
        }
        for &tick in &y.ticks {
            page.line(vec![(left, at_y(tick)), (right, at_y(tick))], palette.grid, 2)?;
            if named {
                page.text(&y.label(tick), (left - 12, at_y(tick)), TEXT, palette.ink, HPos::Right)?;
            }
        }
        if edge {
            page.line(vec![(left, at_y(0.0)), (right, at_y(0.0))], palette.ink, 3)?;
            let line = at_y(self.board.line);
            for x in (left..right).step_by(22).filter(|_| self.board.line != 0.0) {
                page.line(vec![(x, line), ((x + 13).min(right), line)], palette.ink, 2)?;
            }
        }
        let values = over.labels.len();
        let at_x = |value: f64| place(value, (-0.5, values as f64 - 0.5), left, right);
        for (i, cell) in self.board.cells.iter().enumerate() {
            let Some(e) = self.measure.value(cell) else { continue };
            // A step of the golden section spreads cells of one value evenly over its width.
            let aside = ((i as f64 * 0.618_034).fract() - 0.5) * 0.5;
            let x = at_x(cell.at[axis] as f64 + aside);
            let colour = match self.board.side(cell) {
                Some(Side::House) => palette.house,
                Some(Side::Player) => palette.player,
                Some(Side::Open) => palette.muted,
                None => palette.series[0],
            };
            page.line(vec![(x, at_y(e.low)), (x, at_y(e.high))], colour, 2)?;
            page.dot((x, at_y(e.value)), 6, colour)?;
        }
        let wide = (right - left) / values.max(1) as i32;
        let widest = over.labels.iter().map(|label| text::width(label, TEXT)).fold(0.0, f64::max);
        let every = ((widest + 14.0) / f64::from(wide.max(1))).ceil().max(1.0) as usize;
        let every = if values <= 3 { 1 } else { every };
        for (value, label) in over.labels.iter().enumerate() {
            let on = self.board.cells.iter().filter(|cell| cell.at[axis] == value);
            let figures: Vec<f64> = on.filter_map(|cell| self.measure.value(cell)).map(|e| e.value).collect();
            if !figures.is_empty() {
                let y = at_y(figures.iter().sum::<f64>() / figures.len() as f64);
                let (from, to) = (at_x(value as f64 - 0.38), at_x(value as f64 + 0.38));
                page.line(vec![(from, y), (to, y)], palette.ink, 5)?;
            }
            if value % every == 0 {
                let label = text::elide(label, TEXT, f64::from(wide * every as i32 - 8));
                page.text(&label, (at_x(value as f64), bottom + 26), TEXT, palette.ink, HPos::Center)?;
            }
        }
        Ok(())
    }
}

impl Picture for Scatter {
    fn title(&self) -> String {
        title(&self.board, self.measure)
    }

    fn caption(&self) -> String {
        let sides = match self.measure {
            Measure::Edge => {
                " Blue: the house has the better of it; orange: the player; grey: too close to call (seen from the \
                 target, where one was given)."
            }
            _ => "",
        };
        format!(
            "{} Each point is a cell with its 95% interval, the same cells in every panel; a bar is the mean of a \
             value's cells.{sides}",
            who_wins(&self.board, self.measure)
        )
    }

    fn height(&self) -> u32 {
        (TOP + self.board.axes.len().div_ceil(2) as i32 * PANEL) as u32
    }

    fn draw(&self, page: &Page<'_, '_>) -> Result<(), ChartError> {
        let y = page.heading(&self.title(), &self.board.subtitle)?;
        let key = match self.measure {
            Measure::Edge => {
                "house edge; above the line at 0 the house wins, below it the player; bars: means"
            }
            Measure::Wins => "games won, % of all games; bars: means",
            Measure::Cards => "mean cards on the foundations; bars: means",
        };
        page.text(key, (MARGIN, y), TEXT, page.palette.muted, HPos::Left)?;
        let axis = self.y_axis();
        let widest = axis.labels().map(|label| text::width(&label, TEXT)).fold(0.0, f64::max).ceil() as i32;
        let left = MARGIN + widest + 16;
        let wide = (WIDTH as i32 - MARGIN - left - GAP) / 2;
        for i in 0..self.board.axes.len() {
            let from = left + (i % 2) as i32 * (wide + GAP);
            self.panel(page, &axis, i, (from, from + wide), TOP + (i / 2) as i32 * PANEL, i % 2 == 0)?;
        }
        Ok(())
    }
}
