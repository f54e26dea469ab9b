//! How figures become colours of cells, and the scale that explains them.

use plotters_backend::text_anchor::HPos;

use super::axis::place;
use super::canvas::{Done, MARGIN, Page, TEXT, WIDTH};
use super::{Axis, Role, text};

/// The weakest and the strongest shade, as opacity over the page: text stays readable on each, light or dark.
const WEAKEST: f64 = 0.1;
const STRONGEST: f64 = 0.58;
/// Steps of the scale, its pixels, and those it keeps beside long words.
const STEPS: i32 = 60;
const BAR: i32 = 720;
const SHORTEST: i32 = 480;

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Shades {
    /// What is shown, with the values that are named.
    pub scale: Axis,
    /// Where the colours part.
    pub centre: f64,
    /// So far from there the strongest shade is.
    pub reach: f64,
    pub below: Role,
    pub above: Role,
    /// What the two ends of the scale mean.
    pub ends: [String; 2],
}

impl Shades {
    /// Colour and opacity of a figure.
    pub fn of(&self, value: f64) -> (Role, f64) {
        let reach = if self.reach.is_finite() && self.reach > 1e-9 { self.reach } else { 1.0 };
        let share = ((value - self.centre) / reach).clamp(-1.0, 1.0);
        let role = if share > 0.0 { self.above } else { self.below };
        (role, WEAKEST + (STRONGEST - WEAKEST) * if share.is_nan() { 0.0 } else { share.abs() })
    }

    /// The scale, its middle at height `y`, with the names of values below it.
    pub(super) fn draw(&self, page: &Page<'_>, y: i32) -> Done {
        let room = WIDTH - 2 * MARGIN - 40;
        let words: f64 = self.ends.iter().map(|end| text::width(end, TEXT)).sum();
        let bar = (room - words.ceil() as i32).clamp(SHORTEST, BAR);
        let most = f64::from(room - bar);
        let first = text::elide(&self.ends[0], TEXT, most);
        let last = text::elide(&self.ends[1], TEXT, most - text::width(&first, TEXT));
        let left = MARGIN + text::width(&first, TEXT).ceil() as i32 + if first.is_empty() { 30 } else { 20 };
        page.text(&first, (MARGIN, y), TEXT, Role::Ink, HPos::Left)?;
        let (low, high) = self.scale.range;
        for step in 0..STEPS {
            let value = low + (high - low) * (f64::from(step) + 0.5) / f64::from(STEPS);
            let (role, shade) = self.of(value);
            let at = |step: i32| left + bar * step / STEPS;
            page.fill([(at(step), y - 15), (at(step + 1), y + 15)], role, shade)?;
        }
        if low < self.centre && self.centre < high {
            let x = place(self.centre, self.scale.range, left, left + bar);
            page.line(&[(x, y - 19), (x, y + 19)], Role::Ink, 5)?;
        }
        let mut free = MARGIN;
        for tick in &self.scale.ticks {
            let x = place(tick.at, self.scale.range, left, left + bar);
            let half = (text::width(&tick.name, TEXT) / 2.0).ceil() as i32;
            page.line(&[(x, y + 15), (x, y + 21)], Role::Muted, 2)?;
            if x - half >= free {
                page.text(&tick.name, (x, y + 40), TEXT, Role::Ink, HPos::Center)?;
                free = x + half + 16;
            }
        }
        page.text(&last, (left + bar + 20, y), TEXT, Role::Ink, HPos::Left)
    }
}
