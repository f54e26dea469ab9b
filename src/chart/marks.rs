//! What a chart is made of: colours by what they stand for, and marks in the units of its axes.

use crate::figures::{FormattedEstimate, Side};
use crate::stats::Estimate;

/// How many players or rulesets have colours of their own.
pub(super) const SERIES: usize = 7;

/// What a colour stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Role {
    /// The page itself, for rims that set a line off.
    Paper,
    #[default]
    Ink,
    Muted,
    Grid,
    /// The house gains. Nothing else is blue.
    House,
    /// The player gains. Nothing else is orange.
    Player,
    /// A player who knows every card.
    Clairvoyant,
    /// Data of one of several players or rulesets; of a single one the first.
    Series(usize),
}

impl Role {
    /// The side that a house edge is known to favour.
    pub fn of_edge(edge: Estimate) -> Role {
        Role::of_side(Side::of(edge))
    }

    pub fn of_side(side: Side) -> Role {
        match side {
            Side::House => Role::House,
            Side::Player => Role::Player,
            Side::Open => Role::Muted,
        }
    }
}

/// The colours of a page: each player or ruleset has one, in all its charts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hues(Vec<String>);

impl Hues {
    pub fn new<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Hues {
        let mut all: Vec<String> = Vec::new();
        for name in names.into_iter().map(Into::into) {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        Hues(all)
    }

    /// The colour of a name; after the last colour the first comes again.
    pub fn of(&self, name: &str) -> Role {
        Role::Series(self.0.iter().position(|it| it == name).unwrap_or(0) % SERIES)
    }
}

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    pub text: String,
    pub role: Role,
    pub symbol: Symbol,
}

/// What stands before an entry of the legend, as it is in the chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Symbol {
    /// A line of so many pixels.
    Line(u32),
    Broken,
    /// A line up the chart, as that of an interval on a bar.
    Upright,
    /// An estimate in a row: a box with a line in it.
    Interval,
    Dot,
    /// An area, a band or a bar, with its opacity.
    Area(f64),
    /// A frame about a cell.
    Frame,
}

impl Key {
    fn new(role: Role, symbol: Symbol, text: impl Into<String>) -> Key {
        Key { text: text.into(), role, symbol }
    }

    pub fn line(role: Role, text: impl Into<String>) -> Key {
        Key::new(role, Symbol::Line(5), text)
    }

    pub fn thin(role: Role, text: impl Into<String>) -> Key {
        Key::new(role, Symbol::Line(3), text)
    }

    pub fn broken(role: Role, text: impl Into<String>) -> Key {
        Key::new(role, Symbol::Broken, text)
    }

    pub fn upright(role: Role, text: impl Into<String>) -> Key {
        Key::new(role, Symbol::Upright, text)
    }

    pub fn interval(role: Role, text: impl Into<String>) -> Key {
        Key::new(role, Symbol::Interval, text)
    }

    pub fn dot(role: Role, text: impl Into<String>) -> Key {
        Key::new(role, Symbol::Dot, text)
    }

    pub fn frame(role: Role, text: impl Into<String>) -> Key {
        Key::new(role, Symbol::Frame, text)
    }

    pub fn area(role: Role, shade: f64, text: impl Into<String>) -> Key {
        Key::new(role, Symbol::Area(shade), text)
    }

    /// Whether the marks of a chart look so, if any has this colour.
    pub(super) fn is_true<'m>(&self, marks: impl Iterator<Item = &'m Mark> + Clone) -> bool {
        let upright = |points: &[(f64, f64)]| points.first().map(|p| p.0) == points.last().map(|p| p.0);
        let looks_so = |mark: &Mark| match (self.symbol, mark) {
            (Symbol::Line(_), Mark::Line { broken, .. }) => !broken,
            (Symbol::Broken, Mark::Line { broken, .. }) => *broken,
            (Symbol::Upright, Mark::Line { points, .. }) => upright(points),
            (Symbol::Frame, Mark::Line { points, .. }) => points.len() > 2,
            (Symbol::Area(_), Mark::Area { .. } | Mark::Band { .. } | Mark::Bars(_)) => true,
            (Symbol::Dot, Mark::Dots { .. }) | (Symbol::Interval, Mark::Interval { .. }) => true,
            _ => false,
        };
        let mut alike = marks.filter(|mark| mark.has(self.role)).map(looks_so).peekable();
        alike.peek().is_none() || alike.any(|so| so)
    }
}

/// A value of the x axis with a broken line, named above the plot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Marker {
    pub at: f64,
    pub label: String,
    pub role: Role,
}

impl Marker {
    pub fn new(at: f64, role: Role, label: impl Into<String>) -> Marker {
        Marker { at, label: label.into(), role }
    }
}

/// A rectangle of data. One that reaches beyond the plot is drawn cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bar {
    pub x: (f64, f64),
    pub y: (f64, f64),
    pub role: Role,
    pub shade: f64,
}

/// One cell of a map: between whole numbers of both axes from (`x`, `y`) on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    pub x: usize,
    pub y: usize,
    /// Its colour; a cell without one is crossed out.
    pub fill: Option<(Role, f64)>,
    /// What is written in it and below that, from the longest form to the shortest: all cells of a map get the first form
    /// for which there is room.
    pub forms: Vec<[String; 2]>,
}

/// On which side of its place a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stand {
    Left,
    Middle,
    Right,
}

/// A part of a plot. Infinite coordinates mean its border; what is no number is left out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    /// A background.
    Area {
        x: (f64, f64),
        y: (f64, f64),
        role: Role,
        shade: f64,
    },
    /// Between the low and the high value at each place.
    Band {
        points: Vec<(f64, f64, f64)>,
        role: Role,
        shade: f64,
    },
    /// A line of so many pixels, not drawn beyond the plot.
    Line {
        points: Vec<(f64, f64)>,
        role: Role,
        width: u32,
        broken: bool,
    },
    Dots {
        points: Vec<(f64, f64)>,
        role: Role,
        radius: u32,
    },
    Bars(Vec<Bar>),
    /// An estimate in a row: its interval as a box, the figure as a line; bounds, where it only lies between them.
    Interval {
        row: f64,
        estimate: Estimate,
        bounds: Option<(f64, f64)>,
        role: Role,
    },
    Cells(Vec<Cell>),
    Note {
        at: (f64, f64),
        text: String,
        role: Role,
        stand: Stand,
    },
}

/// From border to border.
pub(crate) const WHOLE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
/// How strong the two sides of a background are.
const SIDE: f64 = 0.1;

impl Mark {
    /// Whether any of it has a colour.
    fn has(&self, colour: Role) -> bool {
        match self {
            Mark::Area { role, .. } | Mark::Band { role, .. } | Mark::Line { role, .. } => *role == colour,
            Mark::Dots { role, points, .. } => *role == colour && !points.is_empty(),
            Mark::Interval { role, .. } => *role == colour,
            Mark::Bars(bars) => bars.iter().any(|bar| bar.role == colour),
            Mark::Cells(_) | Mark::Note { .. } => false,
        }
    }

    pub fn line(points: Vec<(f64, f64)>, role: Role) -> Mark {
        Mark::Line { points, role, width: 5, broken: false }
    }

    pub fn thin(points: Vec<(f64, f64)>, role: Role) -> Mark {
        Mark::Line { points, role, width: 3, broken: false }
    }

    /// A line across the plot at a value of the y axis.
    pub fn level(y: f64, role: Role, broken: bool) -> Mark {
        Mark::Line { points: vec![(WHOLE.0, y), (WHOLE.1, y)], role, width: 3, broken }
    }

    /// A line up the plot at a value of the x axis.
    pub fn upright(x: f64, role: Role, broken: bool) -> Mark {
        Mark::Line { points: vec![(x, WHOLE.0), (x, WHOLE.1)], role, width: 3, broken }
    }

    pub fn band(points: Vec<(f64, f64, f64)>, role: Role, shade: f64) -> Mark {
        Mark::Band { points, role, shade }
    }

    pub fn dots(points: Vec<(f64, f64)>, role: Role, radius: u32) -> Mark {
        Mark::Dots { points, role, radius }
    }

    pub fn area(x: (f64, f64), y: (f64, f64), role: Role, shade: f64) -> Mark {
        Mark::Area { x, y, role, shade }
    }

    pub fn note(at: (f64, f64), text: impl Into<String>, role: Role, stand: Stand) -> Mark {
        Mark::Note { at, text: text.into(), role, stand }
    }

    /// Estimates along an axis: the line of the figures on the band of their intervals.
    pub fn curve(points: &[(f64, Estimate)], role: Role) -> [Mark; 2] {
        let band = points.iter().map(|(x, e)| (*x, e.low, e.high)).collect();
        [Mark::band(band, role, 0.28), Mark::line(points.iter().map(|(x, e)| (*x, e.value)).collect(), role)]
    }

    /// The house's side above an edge of 0 and the player's below it.
    pub fn sides_above() -> [Mark; 3] {
        [
            Mark::area(WHOLE, (0.0, WHOLE.1), Role::House, SIDE),
            Mark::area(WHOLE, (WHOLE.0, 0.0), Role::Player, SIDE),
            Mark::level(0.0, Role::Ink, false),
        ]
    }

    /// The house's side right of an edge of 0 and the player's left of it.
    pub fn sides_along() -> [Mark; 2] {
        [
            Mark::area((0.0, WHOLE.1), WHOLE, Role::House, SIDE),
            Mark::area((WHOLE.0, 0.0), WHOLE, Role::Player, SIDE),
        ]
    }
}

/// A row of a chart of estimates.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub name: String,
    /// In the unit of the axis.
    pub estimate: Estimate,
    /// Where the figure is not known but between bounds, these; the estimate is then about the lower.
    pub bounds: Option<(f64, f64)>,
    pub role: Role,
    pub said: FormattedEstimate,
}

impl Row {
    pub fn new(name: impl Into<String>, estimate: Estimate, role: Role, said: FormattedEstimate) -> Row {
        Row { name: name.into(), estimate, bounds: None, role, said }
    }

    /// The row in percent, as the axis is.
    pub fn percent(mut self) -> Row {
        self.estimate = scaled(self.estimate, 100.0);
        self.bounds = self.bounds.map(|(least, most)| (least * 100.0, most * 100.0));
        self
    }
}

/// An estimate in another unit.
pub(crate) fn scaled(e: Estimate, unit: f64) -> Estimate {
    Estimate { value: e.value * unit, low: e.low * unit, high: e.high * unit }
}
