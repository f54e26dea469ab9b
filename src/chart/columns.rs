//! The columns of figures beside rows, and whether intervals are shown once more.

use super::canvas::TEXT;
use super::{Mark, Panel, Role, text};
use crate::stats::Estimate;

/// Pixels of the strip that shows intervals magnified, and how narrow the widest must be for it.
pub(super) const STRIP: i32 = 150;
const BLOT: i32 = 60;
/// Widest text of a column.
const COLUMN: i32 = 420;

/// Widths of the columns of figures.
#[derive(Clone, Copy, Default)]
pub(super) struct Columns {
    figures: i32,
    pub(super) intervals: i32,
    /// Size of the texts, so that none is wider than its column.
    pub(super) em: f64,
}

impl Columns {
    pub fn of(panel: &Panel) -> Columns {
        if !panel.y.names {
            return Columns::default();
        }
        let figures = text::widest(panel.beside.iter().map(|it| &*it.text));
        let intervals = text::widest(panel.beside.iter().map(|it| &*it.more));
        let share = (f64::from(COLUMN) / f64::from(figures.max(intervals).max(1))).min(1.0);
        let scaled = |wide: i32| (f64::from(wide) * share).ceil() as i32;
        Columns { figures: scaled(figures), intervals: scaled(intervals), em: TEXT * share }
    }

    /// Pixels of both with the space between them and before them.
    pub fn width(&self) -> i32 {
        if self.figures + self.intervals == 0 { 0 } else { self.figures + self.intervals + 60 }
    }

    /// The widest reach of an interval from its figure, where the widest would be a blot in a plot of so many pixels.
    pub fn reach(&self, panel: &Panel, pixels: i32) -> Option<f64> {
        panel.magnified.as_ref()?;
        let own = intervals(panel).filter(|(_, _, bounds, _)| bounds.is_none());
        let reach = own.flat_map(|(_, e, ..)| [e.high - e.value, e.value - e.low]);
        let reach = reach.filter(|reach| reach.is_finite()).fold(0.0, f64::max);
        let wide = 2.0 * reach / (panel.x.range.1 - panel.x.range.0) * f64::from(pixels);
        (reach > 0.0 && wide < f64::from(BLOT)).then_some(reach)
    }
}

pub(super) type Drawn = (f64, Estimate, Option<(f64, f64)>, Role);

pub(super) fn intervals(panel: &Panel) -> impl Iterator<Item = Drawn> {
    panel.marks.iter().filter_map(|mark| match *mark {
        Mark::Interval { row, estimate, bounds, role } => Some((row, estimate, bounds, role)),
        _ => None,
    })
}
