//! A contest as plain text, at most 100 columns wide.

use std::fmt::Write;

use super::sheet::laid_out;
use super::{item, wrapped};
use crate::contest::{ContestSpec, Foundations};
use crate::report::contest::{
    ContestReport, WARNING, answer, heading, mean_of, remarks, sheets, time_in_words,
};
use crate::report::document::Finding;
use crate::report::figures::{FormattedEstimate, ascii, count, one_line, percent};
use crate::stats::ContestTally;

/// How often the first player has won so far, for a progress line.
pub fn running_wins(tally: &ContestTally, spec: &ContestSpec) -> String {
    let name = spec.players.first().map_or(String::new(), |player| one_line(&player.name));
    ascii(&format!("{name} wins {}", percent(tally.at_speed(spec, 0, 1.0).win_rate).both()))
}

/// All figures of a contest in plain words and tables. The speed is that of the whole run.
pub fn contest_terminal(report: &ContestReport<'_>, matches_per_second: Option<f64>) -> String {
    let Finding { finding, rest, .. } = answer(report);
    let mut text = wrapped(&format!("{finding}{rest}"), "", "");
    text.push_str(&wrapped(WARNING, "", ""));
    text.push('\n');
    text.push_str(&wrapped(&heading(report), "", "  "));
    facts(report, &mut text);
    for sheet in sheets(report) {
        let _ = write!(text, "\n{}\n{}", sheet.title, laid_out(&sheet));
    }
    text.push('\n');
    text.push_str(&wrapped(
        "In brackets, or below a figure, are 95% intervals. Speed is in actions a second; too late are moves to \
         the middle where somebody else was first. Seats are rotated, so that nobody is favoured by a place.",
        "",
        "",
    ));
    text.push_str(&wrapped(&time_in_words(report.spec).join(" "), "", ""));
    if !report.spec.speed_matters() {
        text.push_str("A number of deals on foundations of one's own is not won by being fast.\n");
    }
    if let Some(speed) = matches_per_second {
        let _ = writeln!(text, "Played at {} matches a second.", count(speed.max(0.0).round() as u64));
    }
    ascii(&text)
}

fn facts(report: &ContestReport<'_>, text: &mut String) {
    let s = report.summary;
    let mut say = |label: &str, what: String| text.push_str(&item(label, &what));
    say("matches", format!("{}, dealt from seed {}", count(s.matches), report.seed));
    let won = s.matches - s.undecided - s.tied;
    let parts = [(won, "won by one side alone"), (s.tied, "tied"), (s.undecided, "undecided")];
    say("of these", parts.map(|(n, what)| format!("{} {what}", count(n))).join(", "));
    for remark in remarks(report) {
        say("", remark);
    }
    let said = |said: FormattedEstimate, unit: &str| {
        let interval = if said.interval.is_empty() { String::new() } else { format!(" ({})", said.interval) };
        format!("{}{unit}{interval}", said.value)
    };
    say("length of a match", said(mean_of(s.seconds, s.matches), " seconds"));
    say("deals of a match", said(mean_of(s.rounds, s.matches), ""));
    if report.spec.foundations == Foundations::Shared {
        let (out, stuck) = (count(s.deals_out), count(s.deals_stuck));
        say(
            "how deals ended",
            format!("{out} by a player who was out, {stuck} with no play left for anybody"),
        );
    }
}
