//! The tables of a contest as comma-separated values. Rates are fractions; a field without a figure is empty.

use super::ContestReport;
use crate::report::csv::{Row, table};
use crate::rules::file::decimal;
use crate::stats::StandingSummary;

/// The tables as CSV with the names of their files, in columns that stay the same for programs.
pub fn contest_csv(report: &ContestReport<'_>) -> Vec<(&'static str, String)> {
    let mut tables = vec![("players.csv", players(report)), ("seats.csv", seats(report))];
    if report.summary.sides.len() < report.spec.players.len() {
        tables.insert(0, ("sides.csv", sides(report)));
    }
    if !report.speeds.is_empty() {
        tables.push(("speeds.csv", speeds(report)));
    }
    tables
}

/// The columns of a player and of a seat alike.
const STANDING: &str = "matches,wins,tied,undecided,win_rate,win_rate_low,win_rate_high,points,points_low,points_high,\
                        deals,actions,late,out_first,seconds_to_win,seconds_to_win_low,seconds_to_win_high,runaways";

fn players(report: &ContestReport<'_>) -> String {
    let mut rows = vec![Row::head(&format!("player,team,strategy,speed,jitter,{STANDING}"))];
    for (player, standing) in report.spec.players.iter().zip(&report.summary.players) {
        let team = player.team.as_deref().unwrap_or("");
        let row = Row::default().text(&player.name).text(team).text(&player.strategy);
        let row = row.field(decimal(player.speed.into())).field(decimal(player.jitter.into()));
        rows.push(with_standing(row, report, standing));
    }
    table(rows)
}

fn seats(report: &ContestReport<'_>) -> String {
    let mut rows = vec![Row::head(&format!("seat,{STANDING}"))];
    for (i, standing) in report.summary.seats.iter().enumerate() {
        rows.push(with_standing(Row::default().field(i + 1), report, standing));
    }
    table(rows)
}

fn sides(report: &ContestReport<'_>) -> String {
    let head = "side,players,matches,wins,tied,undecided,win_rate,win_rate_low,win_rate_high";
    let mut rows = vec![Row::head(head)];
    let summary = report.summary;
    for side in &summary.sides {
        let row = Row::default().text(&side.name).field(side.players.len()).field(summary.matches);
        let row = row.field(side.wins).field(side.tied).field(summary.undecided);
        rows.push(row.estimate(Some(side.win_rate)));
    }
    table(rows)
}

fn speeds(report: &ContestReport<'_>) -> String {
    let head = "factor,speed,matches,win_rate,win_rate_low,win_rate_high,points,points_low,points_high";
    let mut rows = vec![Row::head(head)];
    for point in report.speeds {
        let row = Row::default().field(point.factor).field(point.speed).field(point.matches);
        rows.push(row.estimate(Some(point.win_rate)).mean(Some(point.points)));
    }
    table(rows)
}

fn with_standing(row: Row, report: &ContestReport<'_>, it: &StandingSummary) -> Row {
    let summary = report.summary;
    let row = row.field(summary.matches).field(it.wins).field(it.tied).field(summary.undecided);
    let row = row.estimate(Some(it.win_rate)).mean(Some(it.points)).field(it.deals).field(it.actions);
    row.field(it.late).field(it.out_first).mean(it.seconds_to_win).field(it.runaways)
}
