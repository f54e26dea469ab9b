//! The charts of a contest.

mod points;
mod rates;
mod speeds;

use super::canvas::{ChartError, Page};
use super::{Chart, Plot};
use crate::report::contest::ContestReport;

/// One chart of a contest.
#[derive(Clone, Copy, Debug)]
pub(super) enum Picture<'a> {
    Wins(&'a ContestReport<'a>),
    Points(&'a ContestReport<'a>),
    Seats(&'a ContestReport<'a>),
    Speeds(&'a ContestReport<'a>),
}

/// All charts of a contest. That of other speeds is left out where none was asked for.
pub fn contest_charts<'a>(report: &'a ContestReport<'a>) -> Vec<Chart<'a>> {
    let mut pictures = vec![
        ("matches-won", Picture::Wins(report)),
        ("points", Picture::Points(report)),
        ("seats", Picture::Seats(report)),
    ];
    if !report.speeds.is_empty() {
        pictures.push(("speed", Picture::Speeds(report)));
    }
    let chart =
        |(name, picture): (&str, Picture<'a>)| Chart { name: name.into(), plot: Plot::Contest(picture) };
    pictures.into_iter().map(chart).collect()
}

impl Picture<'_> {
    pub fn title(&self) -> &'static str {
        match self {
            Picture::Wins(_) => rates::WINS,
            Picture::Points(_) => points::TITLE,
            Picture::Seats(_) => rates::SEATS,
            Picture::Speeds(_) => speeds::TITLE,
        }
    }

    pub fn caption(&self) -> String {
        match self {
            Picture::Wins(report) => rates::caption_of_wins(report),
            Picture::Points(report) => points::caption(report),
            Picture::Seats(report) => rates::caption_of_seats(report),
            Picture::Speeds(report) => speeds::caption(report),
        }
    }

    pub fn height(&self) -> u32 {
        match self {
            Picture::Wins(report) => rates::height(report.summary.sides.len()),
            Picture::Points(report) => points::height(report),
            Picture::Seats(report) => rates::height(report.summary.seats.len()),
            Picture::Speeds(_) => speeds::HEIGHT,
        }
    }

    pub fn draw(&self, page: &Page<'_, '_>) -> Result<(), ChartError> {
        match self {
            Picture::Wins(report) => rates::draw_wins(page, report),
            Picture::Points(report) => points::draw(page, report),
            Picture::Seats(report) => rates::draw_seats(page, report),
            Picture::Speeds(report) => speeds::draw(page, report),
        }
    }
}
