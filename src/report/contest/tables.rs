//! The tables of a contest, for the terminal and the page alike.

use super::ContestReport;
use super::words::{mean_of, player_of_speeds};
use crate::contest::Foundations;
use crate::figures::{FormattedEstimate, fixed, number, one_line, percent, rounded};
use crate::report::entry::stem;
use crate::report::table::{DataTable, Head, exact, figure, name};
use crate::rules::file::decimal;
use crate::stats::{SpeedPoint, StandingSummary};

/// Every table of the report.
pub(in crate::report) fn tables(report: &ContestReport<'_>) -> Vec<DataTable> {
    let mut tables = vec![players(report), deeds(report), seats(report)];
    if report.summary.sides.len() < report.spec.players.len() {
        tables.insert(0, sides(report));
    }
    if !report.speeds.is_empty() {
        tables.push(speeds(report));
    }
    tables
}

fn sides(report: &ContestReport<'_>) -> DataTable {
    let s = report.summary;
    let row = |side: &crate::stats::SideSummary| {
        let players: Vec<String> = side.players.iter().map(|player| one_line(player)).collect();
        vec![
            exact(one_line(&side.name)),
            exact(players.join(", ")),
            percent(side.win_rate),
            number(side.tied),
        ]
    };
    DataTable::new(
        "Teams",
        "A match is won by the side that has the most points, or the target, alone.",
        vec![name("team"), name("players"), figure("matches won"), figure("tied")],
        s.sides.iter().map(row),
    )
}

fn players(report: &ContestReport<'_>) -> DataTable {
    let n = report.summary.matches;
    let row = |(player, it): (&crate::contest::PlayerSpec, &StandingSummary)| {
        let jitter = format!("{}%", fixed(f64::from(player.jitter) / 10.0, 0));
        vec![
            exact(one_line(&player.name)),
            exact(one_line(stem(&player.strategy))),
            thousandths(player.speed),
            FormattedEstimate::of(f64::from(player.jitter) / 1000.0, jitter),
            percent(it.win_rate),
            mean_of(it.points, n),
        ]
    };
    DataTable::new(
        "Players",
        "Speed is in actions a second, and jitter is the largest share by which an action takes more or \
             less time. A player wins the matches that the player's side wins alone; points are the \
             player's own in a match.",
        vec![
            name("player"),
            name("strategy"),
            figure("speed"),
            figure("jitter"),
            figure("matches won"),
            figure("points of a match"),
        ],
        report.spec.players.iter().zip(&report.summary.players).map(row),
    )
}

/// A number in thousandths, written out.
fn thousandths(n: u32) -> FormattedEstimate {
    FormattedEstimate::of(f64::from(n) / 1000.0, decimal(n.into()))
}

/// The columns of what somebody did in a match, and the cells.
fn done(report: &ContestReport<'_>) -> (Vec<Head>, impl Fn(&StandingSummary) -> Vec<FormattedEstimate>) {
    let shared = report.spec.foundations == Foundations::Shared;
    let mut heads = vec![figure("deals"), figure("actions")];
    if shared {
        heads.extend([figure("too late"), figure("out first")]);
    }
    heads.push(figure("seconds, won"));
    let cells = move |it: &StandingSummary| {
        let mut cells = vec![rounded(it.deals, 1), rounded(it.actions, 1)];
        if shared {
            cells.extend([rounded(it.late, 2), rounded(it.out_first, 3)]);
        }
        cells.push(it.seconds_to_win.map_or(exact("none won"), |seconds| mean_of(seconds, it.wins)));
        cells
    };
    (heads, cells)
}

const DEEDS: &str = "Means of a match: deals finished, actions, moves to the middle that came too late, \
    deals in which the player was out first; and the length of the matches that the player won.";
const OWN_DEEDS: &str = "Means of a match: deals finished and actions; and the length of the matches that \
    the player won.";

fn deeds(report: &ContestReport<'_>) -> DataTable {
    let (columns, cells) = done(report);
    let mut heads = vec![name("player")];
    heads.extend(columns);
    let row = |it: &StandingSummary| {
        let mut row = vec![exact(one_line(&it.name))];
        row.extend(cells(it));
        row
    };
    let shared = report.spec.foundations == Foundations::Shared;
    DataTable::new(
        "What the players did",
        if shared { DEEDS } else { OWN_DEEDS },
        heads,
        report.summary.players.iter().map(row),
    )
}

fn seats(report: &ContestReport<'_>) -> DataTable {
    let n = report.summary.matches;
    let (columns, cells) = done(report);
    let mut heads = vec![name("seat"), figure("matches won"), figure("points of a match")];
    heads.extend(columns);
    let row = |(i, it): (usize, &StandingSummary)| {
        let mut row = vec![exact((i + 1).to_string()), percent(it.win_rate), mean_of(it.points, n)];
        row.extend(cells(it));
        row
    };
    DataTable::new(
        "Seats",
        "The same by seat, whoever sat there. The players move on by one seat from match to match, so that \
             no player has an advantage.",
        heads,
        report.summary.seats.iter().enumerate().map(row),
    )
}

fn speeds(report: &ContestReport<'_>) -> DataTable {
    let row = |point: &SpeedPoint| {
        vec![
            FormattedEstimate::of(point.factor, factor(point.factor)),
            FormattedEstimate::of(point.speed, factor(point.speed)),
            number(point.matches),
            percent(point.win_rate),
            mean_of(point.points, point.matches),
        ]
    };
    DataTable::new(
        format!("{} at other speeds", player_of_speeds(report)),
        "The same matches again, with the first player faster or slower and all others unchanged.",
        vec![
            name("speed times"),
            figure("actions a second"),
            figure("matches"),
            figure("matches won"),
            figure("points of a match"),
        ],
        report.speeds.iter().map(row),
    )
}

/// A speed, or a relative one: `0.67`.
pub(in crate::report) fn factor(factor: f64) -> String {
    decimal((factor * 1000.0).round() as i64)
}
