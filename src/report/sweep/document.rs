//! A sweep as a document for page and terminal.

use super::board::{Board, Measure, cells, line_name};
use super::charts::sweep_charts;
use super::findings::{cards, findings};
use super::tables::{impossible, lists, tables};
use super::{SweepReport, sweep_csv};
use crate::figures::{count, games, plural};
use crate::lab::sweep::{FIRST, MOST_COMPARED};
use crate::report::document::{Block, Details, Document};
use crate::report::rare::{price, rarest};
use crate::stats::Precision;

/// The document of a sweep.
pub fn sweep_document<'a>(report: &SweepReport<'a>) -> Document<'a> {
    let board = Board::new(report);
    let mut blocks: Vec<Block> = sweep_charts(&board).into_iter().map(Block::Chart).collect();
    blocks.extend(tables(&board).into_iter().map(Block::Table));
    blocks.extend(impossible(report, &board));
    if !lists(&board) {
        let (title, text) = ("Every cell as CSV (cells.csv)".into(), sweep_csv(report));
        blocks.push(Block::Details(Details { title, text }));
    }
    let cells = board.cells.iter().zip(&report.plan.cells).zip(&report.summaries);
    let told = cells.filter_map(|((shown, cell), summary)| {
        let casino = &cell.rules.as_ref().ok()?.rules.spec().casino;
        let summary = summary.as_ref()?;
        Some((casino, price(summary, casino), &summary.histogram[..], board.label(shown)))
    });
    blocks.extend(rarest(told).map(Block::Text));
    Document {
        brief: false,
        title: report.title(),
        provenance: report.provenance(),
        findings: findings(&board),
        warning: warning(report, &board),
        played: played(report),
        cards: cards(&board),
        blocks,
        notes: notes(report, &board),
    }
}

fn played(report: &SweepReport<'_>) -> String {
    let played = report.summaries.iter().flatten().count() as u64;
    let least = report.summaries.iter().flatten().map(|s| s.games).min().unwrap_or(0);
    let most = report.summaries.iter().flatten().map(|s| s.games).max().unwrap_or(0);
    let each = if least == most { count(least) } else { format!("{} to {}", count(least), count(most)) };
    let rounds = report.so_far.round;
    let deals = match (played, report.same_deals()) {
        (..=1, _) => "",
        (_, true) => ", all on the same deals",
        (_, false) => "; cells of the same pack are dealt the same deals",
    };
    format!(
        "{} in {}: {} of {each}{deals}.",
        games(report.so_far.games()),
        plural(rounds.into(), "round"),
        cells(played, "")
    )
}

/// Whether any cell has a house edge.
fn priced(board: &Board) -> bool {
    Measure::of(board).contains(&Measure::Edge)
}

fn warning(report: &SweepReport<'_>, board: &Board) -> String {
    let mut told = Vec::new();
    let cells = 0..report.plan.cells.len();
    let wide = cells.filter_map(|cell| report.standing(cell)).filter(|standing| !standing.enough()).count();
    if !report.so_far.finished {
        let on = if report.saved { ": run the same command again to resume it" } else { "" };
        told.push(format!("This sweep is not finished{on}."));
    } else if wide > 0 {
        told.push(format!(
            "The budget of {} was spent before every cell reached the precision: the intervals of {wide} {} wider.",
            games(report.aim.budget),
            if wide == 1 { "cell are" } else { "cells are" }
        ));
    }
    let none = report.plan.cells.iter().filter(|cell| cell.rules.is_err()).count();
    if none > 0 {
        let (are, games) =
            if none == 1 { ("cell is", "not a valid ruleset") } else { ("cells are", "not valid rulesets") };
        told.push(format!("{none} {are} {games}: the reasons are listed below."));
    }
    if board.line != 0.0 && !priced(board) {
        told.push(format!(
            "No cell has a price, so there is no house edge, and {} was ignored.",
            line_name(board)
        ));
    }
    let undecided: u64 = report.summaries.iter().flatten().map(|s| s.undecided).sum();
    if undecided > 0 {
        told.push(format!(
            "{} stopped undecided; intervals count undecided games both ways.",
            games(undecided)
        ));
    }
    told.join(" ")
}

/// How many games a cell gets, and why.
fn allotment(report: &SweepReport<'_>, board: &Board) -> String {
    if let Some(games) = report.aim.each {
        return format!("Every cell gets exactly {} games.", count(games));
    }
    let (precision, half) = match report.aim.precision {
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
        count(report.aim.budget)
    )
}

fn notes(report: &SweepReport<'_>, board: &Board) -> Vec<String> {
    vec![
        "Game 1, 2, 3 ... of every cell is dealt from the same shuffle, where the packs are the same: cells differ by \
         their rules more than by luck."
            .into(),
        format!(
            "Differences between a cell and {} are of the first {} games of the cell at most, dealt to both, and played by the \
             same strategy. As both have the same luck, they are known much better than the figures themselves.",
            board.against,
            count(MOST_COMPARED)
        ),
        allotment(report, board),
        format!(
            "Intervals are 95% for each cell separately: of a hundred cells, up to five have a true figure outside their interval. \
             What is said of several cells holds for all cells at once (Bonferroni): how many are on which side, which cells are \
             too close to call, where the edge crosses the line, and the figures of the best, the nearest and the worst cell.{}",
            match report.aim.each {
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
