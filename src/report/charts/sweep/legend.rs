//! Colours of a map's cells, and the bar that explains them.

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use super::super::canvas::Page;
use super::super::frame::{Done, MARGIN, TEXT};
use super::super::text;
use super::super::theme::Palette;
use crate::report::sweep::{Board, Measure};

/// The weakest and the strongest shade, as opacity over the page: text stays readable on each, light or dark.
const SHADES: (f64, f64) = (0.1, 0.58);
/// An edge this far from the line has the strongest shade, or a house, which never wins more than the stake, would look pale
/// beside a player who wins several times as much.
const FAR: f64 = 1.0;
/// Steps of the bar.
const STEPS: i32 = 41;
const BAR: i32 = 420;

/// How figures become colours.
pub(super) struct Shading {
    measure: Measure,
    /// Where the colours part: the edge that matters; the lowest figure of others.
    centre: f64,
    /// How far from there the strongest shade is.
    reach: f64,
    line: f64,
}

impl Shading {
    pub fn new(board: &Board, measure: Measure) -> Shading {
        let values = board.cells.iter().filter_map(|cell| measure.value(cell)).map(|e| e.value);
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (f64::min(low, v), f64::max(high, v)));
        let (centre, reach) = match measure {
            Measure::Edge => (board.line, (high - board.line).abs().max((low - board.line).abs()).min(FAR)),
            _ => (low, high - low),
        };
        let reach = if reach.is_finite() && reach > 1e-9 { reach } else { 1.0 };
        Shading { measure, centre, reach, line: board.line }
    }

    /// Colour and opacity of a figure.
    pub fn of(&self, value: f64, palette: &Palette) -> (RGBColor, f64) {
        let share = ((value - self.centre) / self.reach).clamp(-1.0, 1.0);
        let colour = match self.measure {
            Measure::Edge if share > 0.0 => palette.house,
            Measure::Edge => palette.player,
            _ => palette.series[0],
        };
        (colour, SHADES.0 + (SHADES.1 - SHADES.0) * share.abs())
    }

    /// The bar with what its ends mean, its middle at height `y`.
    pub fn draw(&self, page: &Page<'_, '_>, y: i32) -> Done {
        let palette = page.palette;
        let edge = self.measure == Measure::Edge;
        let low = if edge { self.centre - self.reach } else { self.centre };
        let high = self.centre + self.reach;
        let said = |value: f64| self.measure.short(value, if high - low < 0.1 { 1 } else { 0 });
        let won = |value: f64| said(value.abs()).replace('+', "");
        let more = if self.reach < FAR { "" } else { " or more" };
        let (first, last) = match (edge, self.line == 0.0) {
            (true, true) => {
                (format!("the player wins {}{more}", won(low)), format!("the house wins {}", won(high)))
            }
            (true, false) => {
                (format!("below the target: {}", said(low)), format!("above it: {}", said(high)))
            }
            _ => (said(low), said(high)),
        };
        let left = MARGIN + text::width(&first, TEXT).ceil() as i32 + 20;
        let at = |step: i32| left + BAR * step / STEPS;
        page.text(&first, (MARGIN, y), TEXT, palette.ink, HPos::Left)?;
        for step in 0..STEPS {
            let value = low + (high - low) * (f64::from(step) + 0.5) / f64::from(STEPS);
            let (colour, shade) = self.of(value, palette);
            page.fill([(at(step), y - 15), (at(step + 1), y + 15)], colour, shade)?;
        }
        if edge {
            let middle = left + BAR / 2;
            page.line(vec![(middle, y - 19), (middle, y + 19)], palette.ink, 5)?;
        }
        page.text(&last, (left + BAR + 20, y), TEXT, palette.ink, HPos::Left)
    }
}
