//! One plot of a chart.

use super::axis::place;
use super::canvas::Point;
use super::columns::Columns;

/// Where the data of a plot goes: a rectangle in pixels and the ranges it shows.
pub(super) struct Plot {
    pub left: i32,
    pub right: i32,
    pub top: i32,
    pub bottom: i32,
    pub x: (f64, f64),
    pub y: (f64, f64),
    /// The names of the y axis stand beside it.
    pub first: bool,
    pub markers_top: i32,
    pub columns: Columns,
    pub form: Option<(usize, f64)>,
}

impl Plot {
    /// Pixel of a value, kept inside the plot.
    pub fn x(&self, value: f64) -> i32 {
        place(value, self.x, self.left, self.right)
    }

    /// Pixel of a value, kept inside the plot.
    pub fn y(&self, value: f64) -> i32 {
        place(value, self.y, self.bottom, self.top)
    }

    pub fn at(&self, (x, y): (f64, f64)) -> Point {
        (self.x(x), self.y(y))
    }
}
