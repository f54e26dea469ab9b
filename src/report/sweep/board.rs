//! A sweep as charts and tables see it: axes with names, and cells with figures.

use super::{SweepReport, names};
use crate::lab::sweep::AxisKind;
use crate::report::figures::{FormattedEstimate, Side, count, edge, fixed, mean, one_line, percent};
use crate::stats::Estimate;

/// How the cells lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum Shape {
    /// One axis along the page, and lines for the values of another where there is one.
    Lines { x: usize, series: Option<usize> },
    /// Two axes, and a map for each value of a third where there is one.
    Maps { x: usize, y: usize, panels: Option<usize> },
    /// Cells scattered over any number of axes.
    Scatter,
}

/// One axis.
#[derive(Clone, Debug)]
pub(in crate::report) struct BoardAxis {
    pub name: String,
    /// What its values are called.
    pub labels: Vec<String>,
    /// The values as numbers, where all but words at the end such as `unlimited` are numbers in order.
    pub numbers: Option<Vec<Option<f64>>>,
}

/// What came of a cell.
#[derive(Clone, Debug)]
pub(in crate::report) enum Play {
    /// The values make no game.
    Impossible,
    /// No game was played yet.
    Waiting,
    Played {
        games: u64,
        edge: Option<Estimate>,
        wins: Estimate,
        cards: Estimate,
    },
}

#[derive(Clone, Debug)]
pub(in crate::report) struct BoardCell {
    pub at: Vec<usize>,
    pub play: Play,
    /// The ruleset as it stands.
    pub as_written: bool,
}

/// Everything a chart of a sweep shows.
#[derive(Clone, Debug)]
pub(in crate::report) struct Board {
    /// Rules, player and games: the line under every title.
    pub subtitle: String,
    pub axes: Vec<BoardAxis>,
    pub cells: Vec<BoardCell>,
    pub shape: Shape,
    /// The edge that matters.
    pub line: f64,
}

/// A figure of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum Measure {
    Edge,
    Wins,
    Cards,
}

impl Measure {
    /// Those a board has, the one that tells most first: the house edge where a deck has a price; otherwise the games
    /// won, unless no two cells surely differ in them.
    pub fn of(board: &Board) -> Vec<Measure> {
        let mut all = [Measure::Edge, Measure::Wins, Measure::Cards];
        let has = |measure: &Measure| board.cells.iter().any(|cell| measure.value(cell).is_some());
        if !has(&Measure::Edge) {
            let wins = || board.cells.iter().filter_map(|cell| Measure::Wins.value(cell));
            let highest_low = wins().map(|e| e.low).fold(f64::NEG_INFINITY, f64::max);
            let lowest_high = wins().map(|e| e.high).fold(f64::INFINITY, f64::min);
            if highest_low <= lowest_high {
                all.swap(1, 2);
            }
        }
        all.into_iter().filter(has).collect()
    }

    /// The figure of a cell, if it has one.
    pub fn value(self, cell: &BoardCell) -> Option<Estimate> {
        match (&cell.play, self) {
            (Play::Played { edge, .. }, Measure::Edge) => *edge,
            (Play::Played { wins, .. }, Measure::Wins) => Some(*wins),
            (Play::Played { cards, .. }, Measure::Cards) => Some(*cards),
            _ => None,
        }
    }

    /// The figure with its interval.
    pub fn say(self, e: Estimate) -> FormattedEstimate {
        match self {
            Measure::Edge => edge(e),
            Measure::Wins => percent(e),
            Measure::Cards => mean(e),
        }
    }

    /// A value alone, with so many decimals.
    pub fn short(self, value: f64, decimals: usize) -> String {
        match self {
            Measure::Edge => {
                let text = fixed(value * 100.0, decimals);
                let gain = value > 0.0 && text.contains(|c| matches!(c, '1'..='9'));
                format!("{}{text}%", if gain { "+" } else { "" })
            }
            Measure::Wins => format!("{}%", fixed(value * 100.0, decimals)),
            Measure::Cards => fixed(value, decimals),
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Edge => "house edge",
            Measure::Wins => "games won",
            Measure::Cards => "mean cards",
        }
    }

    /// The name of its files.
    pub fn file(self) -> &'static str {
        match self {
            Measure::Edge => "house-edge",
            Measure::Wins => "win-rate",
            Measure::Cards => "mean-cards",
        }
    }
}

impl Board {
    pub fn new(report: &SweepReport<'_>) -> Board {
        let plan = report.plan;
        let axes: Vec<BoardAxis> = plan
            .axes
            .iter()
            .map(|axis| {
                let values: Vec<&str> = axis.values().iter().map(String::as_str).collect();
                let labels: Vec<String> = match axis.kind() {
                    AxisKind::Strategy => names::short(&values).iter().map(|name| one_line(name)).collect(),
                    _ => values.into_iter().map(one_line).collect(),
                };
                let numbers = matches!(axis.kind(), AxisKind::Key(_)).then(|| numbers(&labels)).flatten();
                BoardAxis { name: axis.name().to_string(), labels, numbers }
            })
            .collect();
        let all = plan.cells.iter().zip(&report.summaries).map(|(cell, summary)| BoardCell {
            at: cell.at.clone(),
            as_written: cell.as_written,
            play: match (summary, &cell.rules) {
                (_, Err(_)) => Play::Impossible,
                (None, Ok(_)) => Play::Waiting,
                (Some(s), Ok(_)) => {
                    Play::Played { games: s.games, edge: s.house_edge, wins: s.win_rate, cards: s.cards }
                }
            },
        });
        let all: Vec<BoardCell> = all.collect();
        let played = all.iter().filter(|cell| matches!(cell.play, Play::Played { .. })).count();
        let subtitle = format!(
            "{}, played by {}: {}, {} games, seed {}",
            report.rules_named(),
            report.players(),
            cells(played as u64, ""),
            count(report.so_far.games()),
            report.seed
        );
        Board { subtitle, shape: shape(report), axes, cells: all, line: report.aim.line }
    }

    /// The cell at these values.
    pub fn cell(&self, at: &[usize]) -> Option<&BoardCell> {
        self.cells.iter().find(|cell| cell.at == at)
    }

    /// A cell in words: `stock.draw 1, stock.redeals unlimited`.
    pub fn label(&self, cell: &BoardCell) -> String {
        let part = |(axis, &value): (&BoardAxis, &usize)| format!("{} {}", axis.name, axis.labels[value]);
        self.axes.iter().zip(&cell.at).map(part).collect::<Vec<_>>().join(", ")
    }

    /// Whose side a cell is on, as seen from the line.
    pub fn side(&self, cell: &BoardCell) -> Option<Side> {
        let e = Measure::Edge.value(cell)?;
        let from = |x: f64| x - self.line;
        Some(Side::of(Estimate { value: from(e.value), low: from(e.low), high: from(e.high) }))
    }
}

/// Values as numbers, where they are numbers in order, with nothing but words after them.
pub(super) fn numbers(labels: &[String]) -> Option<Vec<Option<f64>>> {
    let numbers: Vec<Option<f64>> = labels.iter().map(|label| label.parse().ok()).collect();
    let known = numbers.iter().take_while(|number| number.is_some()).count();
    let in_order = numbers[..known].windows(2).all(|pair| pair[0] < pair[1]);
    let words = numbers[known..].iter().all(Option::is_none) && labels.len() - known <= 1;
    (known > 1 && in_order && words).then_some(numbers)
}

/// `1 cell`, `12 cells`; with a word before it, `1 other cell`.
pub(super) fn cells(n: u64, word: &str) -> String {
    format!("{} {word}cell{}", count(n), if n == 1 { "" } else { "s" })
}

fn shape(report: &SweepReport<'_>) -> Shape {
    let axes = &report.plan.axes;
    let people = |i: &usize| !matches!(axes[*i].kind(), AxisKind::Key(_));
    if report.plan.latin.is_some() || axes.len() > 3 {
        return Shape::Scatter;
    }
    // Rulesets and strategies are lines or maps of their own; of keys the one with most values goes along the page.
    let mut order: Vec<usize> = (0..axes.len()).collect();
    order.sort_by_key(|i| (people(i), std::cmp::Reverse(axes[*i].values().len())));
    match order[..] {
        [x] => Shape::Lines { x, series: None },
        [x, other] if people(&other) => Shape::Lines { x, series: Some(other) },
        [x, y] => Shape::Maps { x, y, panels: None },
        [x, y, panels] => Shape::Maps { x, y, panels: Some(panels) },
        _ => Shape::Scatter,
    }
}
