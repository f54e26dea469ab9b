//! Report on a sweep: how the rules change the game, cell by cell.

mod charts;
mod findings;
mod tables;
#[cfg(test)]
mod tests;

pub use tables::sweep_csv;

use std::borrow::Cow;

use super::document::{Block, Details, Document};
use super::labels::{key_in_words, listed, name_in_full, rule_in_words, short_names};
use super::quantity::Quantity;
use super::rare_events::{price, rarest};
use super::run::Run;
use crate::chart::scaled;
use crate::format::{Side, count, games, one_line, plural};
use crate::lab::sweep::{AxisKind, FIRST, MOST_COMPARED, Shape, Swept, SweptCell};
use crate::stats::{Estimate, Precision};

use charts::sweep_charts;
use findings::{cards, findings};
use tables::{impossible, lists, tables};

/// A sweep as charts and tables show it: axes with names, and cells with figures.
#[derive(Clone)]
struct Board<'a> {
    swept: &'a Swept,
    rules: String,
    players: String,
    /// Rules, players and games: the subtitle of every chart.
    subtitle: String,
    axes: Vec<BoardAxis>,
    cells: Vec<BoardCell<'a>>,
    shape: Shape,
    line: f64,
}

#[derive(Clone)]
struct BoardAxis {
    /// What it varies: a key, `rules` or `strategy`.
    key: &'static str,
    name: String,
    people: bool,
    /// Its values in words.
    labels: Vec<String>,
    /// Its values as numbers, if they are numbers in order.
    numbers: Option<Vec<Option<f64>>>,
}

#[derive(Clone)]
struct BoardCell<'a> {
    at: Vec<usize>,
    as_written: bool,
    found: &'a SweptCell,
}

type Measure = Quantity<'static>;

/// Returns the measures of a board, the most informative first: the house edge if a deck has a price; otherwise the games
/// won, unless no two cells differ in them with confidence.
fn measures(board: &Board<'_>) -> Vec<Measure> {
    let mut all = [Measure::Edge, Measure::Wins, Measure::Cards];
    let has = |measure: &Measure| board.cells.iter().any(|cell| cell.value(*measure).is_some());
    if !has(&Measure::Edge) {
        let wins = || board.cells.iter().filter_map(|cell| cell.value(Measure::Wins));
        let highest_low = wins().map(|e| e.low).fold(f64::NEG_INFINITY, f64::max);
        let lowest_high = wins().map(|e| e.high).fold(f64::INFINITY, f64::min);
        if highest_low <= lowest_high {
            all.swap(1, 2);
        }
    }
    all.into_iter().filter(has).collect()
}

/// Selects a measure from the edge, the wins and the cards.
fn by(measure: Measure, (edge, wins, cards): (Option<Estimate>, Estimate, Estimate)) -> Option<Estimate> {
    match measure {
        Measure::Edge => edge,
        Measure::Wins => Some(wins),
        _ => Some(cards),
    }
}

impl BoardCell<'_> {
    fn value(&self, measure: Measure) -> Option<Estimate> {
        let summary = self.found.summary.as_ref()?;
        by(measure, (summary.house_edge, summary.win_rate, summary.cards))
    }

    /// Returns a figure with joint confidence for all cells.
    fn of_chosen(&self, measure: Measure) -> Option<Estimate> {
        self.value(measure)?;
        let at_once = self.found.at_once?;
        by(measure, (at_once.edge, at_once.wins, at_once.cards))
    }

    /// Returns the difference from the baseline, with joint confidence for all cells if `at_once`.
    fn difference(&self, measure: Measure, at_once: bool) -> Option<Estimate> {
        let found = if at_once { &self.found.difference_at_once } else { &self.found.difference };
        found.as_ref().and_then(|it| by(measure, (it.house_edge, it.win_rate, it.cards)))
    }

    /// Returns whether the sign of the edge is not known with joint confidence.
    fn is_open(&self, measure: Measure) -> bool {
        measure == Measure::Edge && self.found.side == Some(Side::Open)
    }
}

/// Returns half the width of an interval around a value as it is shown, in its unit, rounded up.
fn half_width(measure: Measure, e: Estimate, decimals: usize) -> f64 {
    let unit = 10f64.powi(decimals as i32);
    let e = scaled(e, measure.unit());
    let shown = (e.value * unit).round();
    let half = (shown - e.low * unit).max(e.high * unit - shown);
    (half - 1e-7).ceil() / unit
}

fn called(measure: Measure) -> &'static str {
    if measure == Measure::Cards { "mean cards" } else { measure.name() }
}

fn shape(axes: &[BoardAxis]) -> Shape {
    Shape::of(&axes.iter().map(|axis| (!axis.people, axis.labels.len())).collect::<Vec<_>>())
}

impl<'a> Board<'a> {
    fn new(run: &Run, swept: &'a Swept) -> Board<'a> {
        let axes = swept.axes.iter().map(|axis| {
            let values: Vec<&str> = axis.values().iter().map(String::as_str).collect();
            BoardAxis {
                key: axis.name(),
                name: key_in_words(axis.name()).into(),
                people: !matches!(axis.kind(), AxisKind::Key(_)),
                labels: match axis.kind() {
                    AxisKind::Strategy => short_names(values.into_iter()),
                    _ => values.into_iter().map(one_line).collect(),
                },
                numbers: axis.numbers(),
            }
        });
        let axes: Vec<BoardAxis> = axes.collect();
        let board_cell =
            |found: &'a SweptCell| BoardCell { at: found.at.clone(), as_written: found.as_written, found };
        let rules = match &run.rules[..] {
            [one] => name_in_full(&one.name, &one.id),
            several => several.iter().map(|rules| &*rules.id).collect::<Vec<_>>().join(", "),
        };
        let players = short_names(run.strategies.iter().map(|strategy| &*strategy.name)).join(", ");
        let subtitle = format!(
            "{rules}, played by {players}: {}, {}, seed {}",
            cells(swept.played().count() as u64, ""),
            games(swept.games),
            run.seed
        );
        Board {
            swept,
            rules,
            players,
            subtitle,
            shape: shape(&axes),
            axes,
            cells: swept.cells.iter().map(board_cell).collect(),
            line: swept.target_edge,
        }
    }

    /// Returns the board without the axes that cannot change this figure: a player who ignores prices plays the same
    /// game at any price. Of the cells that become equal, the one with the most games is kept.
    pub fn about(&self, measure: Measure) -> Cow<'_, Board<'a>> {
        let idle = |&axis: &usize| measure != Measure::Edge && self.idle(axis, measure);
        let Some(axis) = (0..self.axes.len()).find(idle) else { return Cow::Borrowed(self) };
        let mut board = self.clone();
        board.axes.remove(axis);
        let mut kept: Vec<BoardCell<'a>> = Vec::new();
        for mut cell in std::mem::take(&mut board.cells) {
            cell.at.remove(axis);
            match kept.iter_mut().find(|it| it.at == cell.at) {
                Some(it) => {
                    it.as_written |= cell.as_written;
                    if cell.found.games() > it.found.games() {
                        it.found = cell.found;
                    }
                }
                None => kept.push(cell),
            }
        }
        board.cells = kept;
        board.shape = shape(&board.axes);
        Cow::Owned(board.about(measure).into_owned())
    }

    /// Returns whether an axis is a price, and cells of as many games that differ only in it have the same figure.
    fn idle(&self, axis: usize, measure: Measure) -> bool {
        let same = |a: &BoardCell<'_>, b: &BoardCell<'_>| {
            let elsewhere = a.at.iter().zip(&b.at).enumerate().any(|(i, (a, b))| i != axis && a != b);
            elsewhere || a.found.games() != b.found.games() || a.value(measure) == b.value(measure)
        };
        self.axes[axis].key.starts_with("casino.")
            && self.cells.iter().enumerate().all(|(i, a)| self.cells[..i].iter().all(|b| same(a, b)))
    }

    /// Returns the cell at these values, each with its axis.
    pub fn cell(&self, values: impl IntoIterator<Item = (usize, usize)>) -> Option<&BoardCell<'a>> {
        let mut at = vec![0; self.axes.len()];
        values.into_iter().for_each(|(axis, value)| at[axis] = value);
        self.cells.iter().find(|cell| cell.at == at)
    }

    /// Describes a cell: `1 card a draw, unlimited redeals (greedy)`.
    pub fn label(&self, cell: &BoardCell<'_>) -> String {
        let parts = |people: bool| {
            let all = self.axes.iter().zip(&cell.at).filter(move |(axis, _)| axis.people == people);
            let said = all.map(|(axis, &value)| match people {
                true => axis.labels[value].clone(),
                false => rule_in_words(axis.key, &axis.labels[value]),
            });
            said.collect::<Vec<_>>().join(", ")
        };
        let (rules, people) = (parts(false), parts(true));
        if rules.is_empty() || people.is_empty() {
            format!("{rules}{people}")
        } else {
            format!("{rules} ({people})")
        }
    }
}

/// Names the target edge: `an edge of 5%`.
fn line_name(board: &Board<'_>) -> String {
    match board.line {
        0.0 => "an edge of 0".into(),
        line => format!("an edge of {}", Measure::Edge.short(line, line_decimals(line)).replace('+', "")),
    }
}

/// Returns the decimals that a target needs, at most three.
fn line_decimals(line: f64) -> usize {
    (0..3).find(|&d| (line * 100.0 * 10f64.powi(d as i32)).fract().abs() < 1e-6).unwrap_or(3)
}

/// Formats a number of cells: `1 cell`, `12 cells`; with a word before it, `1 other cell`.
fn cells(n: u64, word: &str) -> String {
    plural(n, &format!("{word}cell"))
}

/// Builds the report on the effect of changed rules, cell by cell.
pub fn sweep_document<'a>(run: &'a Run, swept: &Swept) -> Document<'a> {
    let board = Board::new(run, swept);
    let mut blocks: Vec<Block> = sweep_charts(&board).into_iter().map(Block::Chart).collect();
    blocks.extend(tables(&board).into_iter().map(Block::Table));
    blocks.extend(impossible(&board));
    if !lists(&board) {
        let (title, text) = ("Every cell as CSV (cells.csv)".into(), sweep_csv(swept));
        blocks.push(Block::Details(Details { title, text }));
    }
    let paid = board.cells.iter().filter_map(|cell| {
        let (casino, summary) = (cell.found.casino.as_ref()?, cell.found.summary.as_ref()?);
        Some((casino, price(summary, casino), &summary.histogram[..], board.label(cell)))
    });
    blocks.extend(rarest(paid).map(Block::Text));
    let axes: Vec<String> = board.axes.iter().map(|axis| axis.name.clone()).collect();
    Document {
        title: format!("{}: {}, played by {}", board.rules, listed(&axes, "and"), board.players),
        findings: findings(&board),
        warning: warning(&board),
        played: played(swept),
        cards: cards(&board),
        blocks,
        notes: notes(&board),
        ..Document::of(run)
    }
}

fn played(swept: &Swept) -> String {
    let played = swept.played().count() as u64;
    let least = swept.played().map(SweptCell::games).min().unwrap_or(0);
    let most = swept.played().map(SweptCell::games).max().unwrap_or(0);
    let each = if least == most { count(least) } else { format!("{} to {}", count(least), count(most)) };
    let deals = match (played, swept.same_deals) {
        (..=1, _) => "",
        (_, true) => ", all on the same deals",
        (_, false) => "; cells of the same pack are dealt the same deals",
    };
    format!(
        "{} in {}: {} of {each}{deals}.",
        games(swept.games),
        plural(swept.rounds.into(), "round"),
        cells(played, "")
    )
}

fn priced(board: &Board<'_>) -> bool {
    measures(board).contains(&Measure::Edge)
}

fn warning(board: &Board<'_>) -> String {
    let mut warnings: Vec<String> = Vec::new();
    let swept = board.swept;
    let wide = swept.cells.iter().filter(|cell| cell.enough == Some(false)).count();
    if !swept.finished {
        warnings.push("This sweep is not finished: run the same command again to resume it.".into());
    } else if wide > 0 {
        warnings.push(format!(
            "The budget of {} was spent before every cell reached the precision: {} with wider intervals.",
            games(swept.budget),
            cells(wide as u64, "")
        ));
    }
    let none = swept.cells.iter().filter(|cell| !cell.impossible.is_empty()).count();
    if none > 0 {
        let none = cells(none as u64, "");
        warnings.push(format!("{none} without a valid ruleset: the reasons are listed below."));
    }
    if board.line != 0.0 && !priced(board) {
        warnings.push(format!(
            "No cell has a price, so there is no house edge, and {} was ignored.",
            line_name(board)
        ));
    }
    let undecided: u64 = swept.played().filter_map(|cell| cell.summary.as_ref()).map(|it| it.undecided).sum();
    if undecided > 0 {
        warnings.push(format!(
            "{} stopped undecided; intervals count undecided games both ways.",
            games(undecided)
        ));
    }
    warnings.join(" ")
}

/// Explains how many games a cell gets, and why.
fn allotment(board: &Board<'_>) -> String {
    if let Some(games) = board.swept.games_per_cell {
        return format!("Every cell gets exactly {} games.", count(games));
    }
    let (precision, half) = match board.swept.precision {
        Precision::Cards(width) => (format!("{width} cards of its mean cards"), format!("{}", width / 2.0)),
        Precision::Edge(width) => {
            let points = |width: f64| format!("{} percentage points", round(width * 100.0));
            (format!("{} of its house edge", points(width)), points(width / 2.0))
        }
    };
    let nearer = match priced(board) {
        true => format!(
            "; or within {half} while {} is within two half-widths of its edge, where more precision matters most",
            line_name(board)
        ),
        false => String::new(),
    };
    format!(
        "How many games a cell gets: first {} each, or an equal share of the budget where that is less. Then, \
             round by round, a cell has enough once the half-width of its 95% interval is within {precision}{nearer}. Any other \
             cell gets the games that the square-root law predicts and 5% more, at most three times what it has \
             played; a short budget goes, in blocks of 1,000, to the cells that need most. The sweep ends \
             when every cell has enough or the budget of {} games is spent. Only whole rounds decide, so the result is the \
             same at any number of threads and after an interruption.",
        count(FIRST),
        count(board.swept.budget)
    )
}

fn notes(board: &Board<'_>) -> Vec<String> {
    vec![
        "Game 1, 2, 3 ... of every cell is dealt from the same shuffle, where the packs are the same: cells differ by \
         their rules more than by luck."
            .into(),
        format!(
            "Differences between a cell and {} are of the first {} games of the cell at most, dealt to both, and played by the \
             same strategy. As both have the same luck, they are known much better than the figures themselves.",
            board.swept.against,
            count(MOST_COMPARED)
        ),
        allotment(board),
        format!(
            "Intervals are 95% for each cell separately: of a hundred cells, some five may have a true figure outside their interval. \
             What is said of several cells holds for all cells at once (Bonferroni): how many are on which side, which cells are \
             too close to call, where the edge crosses the line, and the figures of the best, the nearest and the worst cell.{}",
            match board.swept.games_per_cell {
                Some(_) => "",
                None => {
                    " Cells get games by what their intervals show, which may shift them by a small part of their width."
                }
            }
        ),
        "In maps the heavy line separates cells above and below the target edge; it is \
             dashed where one of the two is too close to call."
            .into(),
    ]
}

fn round(x: f64) -> f64 {
    (x * 1e6).round() / 1e6
}
