//! Colours of cells for figures, and the scale that explains them.

use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;

use super::page::{Done, MARGIN, Page, TEXT, WIDTH};
use super::plot::{Frame, Plot};
use super::{Axis, Mark, Role, WHOLE, text};

/// Weakest and strongest shade, as opacity over the page: text stays readable on each, light or dark.
const WEAKEST: f64 = 0.1;
const STRONGEST: f64 = 0.58;
/// Number of steps of the scale, its size in pixels, and its minimum size beside long words.
const STEPS: i32 = 60;
const LONGEST: i32 = 720;
const SHORTEST: i32 = 480;

/// Colour scale of cells.
#[derive(Clone, Debug)]
pub(crate) struct Shades {
    /// The quantity, with the labelled values.
    pub scale: Axis,
    /// The value at which the colours divide.
    pub centre: f64,
    /// Distance from the centre at which the shade is strongest.
    pub reach: f64,
    pub below: Role,
    pub above: Role,
    /// Meaning of the two ends of the scale.
    pub ends: [String; 2],
}

impl Shades {
    /// Returns the colour and opacity of a figure.
    pub fn of(&self, value: f64) -> (Role, f64) {
        let reach = if self.reach.is_finite() && self.reach > 1e-9 { self.reach } else { 1.0 };
        let share = ((value - self.centre) / reach).clamp(-1.0, 1.0);
        let role = if share > 0.0 { self.above } else { self.below };
        (role, WEAKEST + (STRONGEST - WEAKEST) * if share.is_nan() { 0.0 } else { share.abs() })
    }

    /// Draws the scale, with its middle at height `y` and labels below it.
    pub(super) fn draw<DB: DrawingBackend>(&self, page: &Page<DB>, y: i32) -> Done {
        let room = WIDTH - 2 * MARGIN - 40;
        let wide = |words: &str| text::widest([words]);
        let long = (room - wide(&self.ends[0]) - wide(&self.ends[1])).clamp(SHORTEST, LONGEST);
        let [first, last] =
            self.ends.each_ref().map(|end| text::elide(end, TEXT, f64::from(room - long) / 2.0));
        let left = MARGIN + wide(&first) + if first.is_empty() { 30 } else { 20 };
        page.text(&first, (MARGIN, y), TEXT, Role::Ink, HPos::Left)?;
        let frame = Frame { left, right: left + long, top: y - 15, bottom: y + 15 };
        let bar = Plot::new(page, frame, self.scale.range, self.scale.range);
        let (low, high) = self.scale.range;
        let value = |step: f64| low + (high - low) * step / f64::from(STEPS);
        for step in (0..STEPS).map(f64::from) {
            let (role, shade) = self.of(value(step + 0.5));
            bar.mark(&Mark::area((value(step), value(step + 1.0)), WHOLE, role, shade))?;
        }
        if low < self.centre && self.centre < high {
            let x = bar.x(self.centre);
            page.line(&[(x, y - 19), (x, y + 19)], Role::Ink, 5)?;
        }
        let mut free = MARGIN;
        for tick in &self.scale.ticks {
            let (x, half) = (bar.x(tick.at), wide(&tick.name) / 2 + 1);
            page.line(&[(x, y + 15), (x, y + 21)], Role::Muted, 2)?;
            if x - half >= free {
                page.text(&tick.name, (x, y + 40), TEXT, Role::Ink, HPos::Center)?;
                free = x + half + 16;
            }
        }
        page.text(&last, (left + long + 20, y), TEXT, Role::Ink, HPos::Left)
    }
}
