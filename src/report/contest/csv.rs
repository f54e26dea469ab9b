//! The tables of a contest as comma-separated values. Rates are fractions; a field without a figure is empty.

use std::fmt::{Display, Write};

use super::ContestReport;
use crate::report::csv::quoted;
use crate::rules::file::decimal;
use crate::stats::{Estimate, Mean, StandingSummary};

/// The tables with the names of their files.
pub(super) fn tables(report: &ContestReport<'_>) -> Vec<(&'static str, String)> {
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
    let mut text = format!("player,team,strategy,speed,jitter,{STANDING}\n");
    for (player, standing) in report.spec.players.iter().zip(&report.summary.players) {
        let team = player.team.as_deref().unwrap_or("");
        let mut row = Row::of(&mut text).text(&player.name).text(team).text(&player.strategy);
        row = row.field(decimal(player.speed.into())).field(decimal(player.jitter.into()));
        row.standing(report, standing).end();
    }
    text
}

fn seats(report: &ContestReport<'_>) -> String {
    let mut text = format!("seat,{STANDING}\n");
    for (i, standing) in report.summary.seats.iter().enumerate() {
        Row::of(&mut text).field(i + 1).standing(report, standing).end();
    }
    text
}

fn sides(report: &ContestReport<'_>) -> String {
    let mut text =
        "side,players,matches,wins,tied,undecided,win_rate,win_rate_low,win_rate_high\n".to_string();
    let summary = report.summary;
    for side in &summary.sides {
        let row = Row::of(&mut text).text(&side.name).field(side.players.len()).field(summary.matches);
        row.field(side.wins).field(side.tied).field(summary.undecided).rate(side.win_rate).end();
    }
    text
}

fn speeds(report: &ContestReport<'_>) -> String {
    let mut text = "factor,speed,matches,win_rate,win_rate_low,win_rate_high,points,points_low,points_high\n"
        .to_string();
    for point in report.speeds {
        let row = Row::of(&mut text).field(point.factor).field(point.speed).field(point.matches);
        row.rate(point.win_rate).mean(Some(point.points)).end();
    }
    text
}

/// A row in the making.
struct Row<'t> {
    text: &'t mut String,
    begun: bool,
}

impl<'t> Row<'t> {
    fn of(text: &'t mut String) -> Row<'t> {
        Row { text, begun: false }
    }

    fn field(mut self, value: impl Display) -> Row<'t> {
        let comma = if self.begun { "," } else { "" };
        let _ = write!(self.text, "{comma}{value}");
        self.begun = true;
        self
    }

    fn text(self, text: &str) -> Row<'t> {
        self.field(quoted(text))
    }

    fn rate(self, rate: Estimate) -> Row<'t> {
        self.field(rate.value).field(rate.low).field(rate.high)
    }

    fn mean(self, mean: Option<Mean>) -> Row<'t> {
        let figures = mean.map_or([None; 3], |mean| [Some(mean.value), mean.low, mean.high]);
        figures.iter().fold(self, |row, figure| row.field(figure.map_or(String::new(), |x| x.to_string())))
    }

    fn standing(self, report: &ContestReport<'_>, it: &StandingSummary) -> Row<'t> {
        let summary = report.summary;
        let row = self.field(summary.matches).field(it.wins).field(it.tied).field(summary.undecided);
        let row = row.rate(it.win_rate).mean(Some(it.points)).field(it.deals).field(it.actions);
        row.field(it.late).field(it.out_first).mean(it.seconds_to_win).field(it.runaways)
    }

    fn end(self) {
        self.text.push('\n');
    }
}
