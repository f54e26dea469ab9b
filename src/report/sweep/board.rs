//! A sweep as charts and tables see it: axes with names, and cells with figures.

use std::borrow::Cow;

use super::{SweepReport, names};
use crate::figures::{FormattedEstimate, Side, edge, fixed, games, mean, one_line, percent, plural};
use crate::lab::sweep::AxisKind;
use crate::report::labels::{key_in_words, rule_in_words};
use crate::stats::{AtOnce, Difference, Estimate};

/// How the cells lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum Shape {
    /// One axis along the page, and lines for the values of another where there is one.
    Lines { x: usize, series: Option<usize> },
    /// Two axes, and a map for each value of a third where there is one.
    Maps { x: usize, y: usize, panels: Option<usize> },
}

/// One axis.
#[derive(Clone, Debug)]
pub(in crate::report) struct BoardAxis {
    /// What it is of: a key, `rules` or `strategy`.
    pub key: String,
    /// The same in words.
    pub name: String,
    /// Rulesets or strategies.
    pub people: bool,
    /// What its values are called.
    pub labels: Vec<String>,
    /// The values as numbers, where all but words at the end such as `unlimited` are numbers in order.
    pub numbers: Option<Vec<Option<f64>>>,
}

/// What came of a cell.
#[derive(Clone, Debug)]
pub(in crate::report) enum CellState {
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
    pub play: CellState,
    /// The ruleset as it stands.
    pub as_written: bool,
    /// Less what it is compared with, on the same deals.
    pub difference: Option<Difference>,
    /// The same with intervals that hold for all cells at once.
    pub chosen_difference: Option<Difference>,
    /// What it came to, with intervals that hold for all cells at once.
    pub at_once: AtOnce,
}

/// Everything a chart of a sweep shows.
#[derive(Clone, Debug)]
pub(in crate::report) struct Board {
    /// Rules, player and games: the line under every title.
    pub subtitle: String,
    pub axes: Vec<BoardAxis>,
    pub cells: Vec<BoardCell>,
    pub shape: Shape,
    /// What cells are compared with.
    pub against: String,
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
            (CellState::Played { edge, .. }, Measure::Edge) => *edge,
            (CellState::Played { wins, .. }, Measure::Wins) => Some(*wins),
            (CellState::Played { cards, .. }, Measure::Cards) => Some(*cards),
            _ => None,
        }
    }

    /// The figure of a cell with an interval that holds for all cells at once.
    pub fn of_chosen(self, cell: &BoardCell) -> Option<Estimate> {
        self.value(cell)?;
        match self {
            Measure::Edge => cell.at_once.edge,
            Measure::Wins => Some(cell.at_once.wins),
            Measure::Cards => Some(cell.at_once.cards),
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

    /// Half the width of an interval about a value as [`Measure::short`] shows it, in its unit: rounded up, so that
    /// the interval never looks narrower than it is.
    pub fn half_width(self, e: Estimate, decimals: usize) -> f64 {
        let scale = if self == Measure::Cards { 1.0 } else { 100.0 };
        let unit = 10f64.powi(decimals as i32);
        let shown = (e.value * scale * unit).round();
        let half = (shown - e.low * scale * unit).max(e.high * scale * unit - shown);
        (half - 1e-7).ceil() / unit
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
                let people = !matches!(axis.kind(), AxisKind::Key(_));
                let (key, name) = (axis.name().to_string(), key_in_words(axis.name()).to_string());
                BoardAxis { key, name, people, labels, numbers }
            })
            .collect();
        let several = report.summaries.iter().flatten().count();
        let tallies = report.so_far.tallies.iter();
        let compared = report.so_far.differences.iter().flatten().count();
        let cells_of_plan = plan.cells.iter().enumerate();
        let all = cells_of_plan.zip(&report.summaries).zip(tallies).map(|(((i, cell), summary), tally)| {
            BoardCell {
                at: cell.at.clone(),
                as_written: cell.as_written,
                difference: report.difference(i, 1),
                chosen_difference: report.difference(i, compared),
                at_once: match (&cell.rules, tally) {
                    (Ok(rules), Some(tally)) => AtOnce::of(tally, rules.rules.spec(), several),
                    _ => AtOnce::default(),
                },
                play: match (summary, &cell.rules) {
                    (_, Err(_)) => CellState::Impossible,
                    (None, Ok(_)) => CellState::Waiting,
                    (Some(s), Ok(_)) => CellState::Played {
                        games: s.games,
                        edge: s.house_edge,
                        wins: s.win_rate,
                        cards: s.cards,
                    },
                },
            }
        });
        let all: Vec<BoardCell> = all.collect();
        let played = all.iter().filter(|cell| matches!(cell.play, CellState::Played { .. })).count();
        let subtitle = format!(
            "{}, played by {}: {}, {}, seed {}",
            report.rules_named(),
            report.players(),
            cells(played as u64, ""),
            games(report.so_far.games()),
            report.seed
        );
        let shape = Shape::of(&axes);
        let against = report.against.name.clone();
        Board { subtitle, shape, axes, cells: all, against, line: report.aim.line }
    }

    /// The board without the axes that cannot move this figure: the same game is played at any price, by who does not look
    /// at it. Of the cells that are one then, the one with the most games stands.
    pub fn about(&self, measure: Measure) -> Cow<'_, Board> {
        let idle = |&axis: &usize| measure != Measure::Edge && self.idle(axis, measure);
        let Some(axis) = (0..self.axes.len()).find(idle) else { return Cow::Borrowed(self) };
        let mut board = self.clone();
        board.axes.remove(axis);
        let mut kept: Vec<BoardCell> = Vec::new();
        for mut cell in std::mem::take(&mut board.cells) {
            cell.at.remove(axis);
            match kept.iter_mut().find(|it| it.at == cell.at) {
                Some(it) => {
                    it.as_written |= cell.as_written;
                    if cell.games() > it.games() {
                        (it.play, it.at_once) = (cell.play, cell.at_once);
                    }
                }
                None => kept.push(cell),
            }
        }
        board.cells = kept;
        board.shape = Shape::of(&board.axes);
        Cow::Owned(board.about(measure).into_owned())
    }

    /// Whether an axis is a price, and cells that differ in nothing else have the same figure, as far as they have as many
    /// games.
    fn idle(&self, axis: usize, measure: Measure) -> bool {
        let same = |a: &BoardCell, b: &BoardCell| {
            let elsewhere = a.at.iter().zip(&b.at).enumerate().any(|(i, (a, b))| i != axis && a != b);
            elsewhere || a.games() != b.games() || measure.value(a) == measure.value(b)
        };
        self.axes[axis].key.starts_with("casino.")
            && self.cells.iter().enumerate().all(|(i, a)| self.cells[..i].iter().all(|b| same(a, b)))
    }

    /// The cell at these values.
    pub fn cell(&self, at: &[usize]) -> Option<&BoardCell> {
        self.cells.iter().find(|cell| cell.at == at)
    }

    /// A cell in words: `1 card a draw, unlimited redeals (greedy)`.
    pub fn label(&self, cell: &BoardCell) -> String {
        let parts = |people: bool| {
            let all = self.axes.iter().zip(&cell.at).filter(move |(axis, _)| axis.people == people);
            let said = all.map(|(axis, &value)| match people {
                true => axis.labels[value].clone(),
                false => rule_in_words(&axis.key, &axis.labels[value]),
            });
            said.collect::<Vec<_>>().join(", ")
        };
        match (parts(false), parts(true)) {
            (rules, people) if people.is_empty() => rules,
            (rules, people) if rules.is_empty() => people,
            (rules, people) => format!("{rules} ({people})"),
        }
    }

    /// Whose side a cell is on, as seen from the line: with 95% confidence for all cells at once.
    pub fn side(&self, cell: &BoardCell) -> Option<Side> {
        let e = Measure::Edge.of_chosen(cell)?;
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

/// What the edge that matters is called: `an edge of 5%`.
pub(in crate::report) fn line_name(board: &Board) -> String {
    match board.line {
        0.0 => "an edge of 0".into(),
        line => format!("an edge of {}", Measure::Edge.short(line, line_decimals(line)).replace('+', "")),
    }
}

/// Decimals that write a target out, three at most.
pub(in crate::report) fn line_decimals(line: f64) -> usize {
    (0..3).find(|&d| (line * 100.0 * 10f64.powi(d as i32)).fract().abs() < 1e-6).unwrap_or(3)
}

/// `1 cell`, `12 cells`; with a word before it, `1 other cell`.
pub(super) fn cells(n: u64, word: &str) -> String {
    plural(n, &format!("{word}cell"))
}

impl Shape {
    fn of(axes: &[BoardAxis]) -> Shape {
        // Rulesets and strategies are lines or maps of their own; of keys the one with most values goes along the page.
        let mut order: Vec<usize> = (0..axes.len()).collect();
        order.sort_by_key(|&i| (axes[i].people, std::cmp::Reverse(axes[i].labels.len())));
        match order[..] {
            [x, other] if axes[other].people => Shape::Lines { x, series: Some(other) },
            [x, y] => Shape::Maps { x, y, panels: None },
            [x, y, panels, ..] => Shape::Maps { x, y, panels: Some(panels) },
            _ => Shape::Lines { x: 0, series: None },
        }
    }
}

impl BoardCell {
    fn games(&self) -> u64 {
        if let CellState::Played { games, .. } = self.play { games } else { 0 }
    }
}
