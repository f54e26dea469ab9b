//! A contest as plain text, at most 100 columns wide.

use std::fmt::Write;

use super::table::{cut, plain};
use super::{WIDTH, item, wrapped};
use crate::contest::{ContestSpec, Foundations};
use crate::report::answer::Answer;
use crate::report::contest::{
    ContestReport, Sheet, WARNING, answer, heading, mean_of, remarks, sheets, time_in_words,
};
use crate::report::figures::{Said, ascii, count, one_line, percent};
use crate::stats::ContestTally;

/// How often the first player has won so far, for a progress line.
pub fn running_wins(tally: &ContestTally, spec: &ContestSpec) -> String {
    let name = spec.players.first().map_or(String::new(), |player| one_line(&player.name));
    ascii(&format!("{name} wins {}", percent(tally.at_speed(spec, 0, 1.0).win_rate).both()))
}

/// All figures of a contest in plain words and tables. The speed is that of the whole run.
pub fn contest_terminal(report: &ContestReport<'_>, matches_per_second: Option<f64>) -> String {
    let Answer { finding, rest } = answer(report);
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
    let said = |said: Said, unit: &str| {
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

/// The table with intervals in brackets, or below their figures where that would be too wide.
fn laid_out(sheet: &Sheet) -> String {
    let beside = lay_out(sheet, |said| said.both());
    let fits = beside.lines().all(|line| line.chars().count() <= WIDTH);
    if fits { beside } else { lay_out(sheet, |said| format!("{}\n{}", said.value, said.interval)) }
}

fn lay_out(sheet: &Sheet, both: impl Fn(&Said) -> String) -> String {
    let cell = |said: &Said, figures: bool| match said.interval.is_empty() {
        true if figures => said.value.clone(),
        true => cut(&said.value),
        false => both(said),
    };
    let cells =
        |row: &Vec<Said>| row.iter().zip(&sheet.heads).map(|(said, head)| cell(said, head.figures)).collect();
    let header = sheet.heads.iter().map(|head| head.text.to_string()).collect();
    let names = sheet.heads.iter().take_while(|head| !head.figures).count();
    plain(header, sheet.rows.iter().map(cells).collect(), names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_tables_are_stacked() {
        use crate::report::contest::sheets::Head;
        let sheet = |width: usize| Sheet {
            title: "Players".into(),
            about: "",
            heads: vec![Head { text: "player", figures: false }, Head { text: "points", figures: true }],
            rows: vec![vec![
                Said::exact("a name that is far too long for its column".into()),
                Said { value: "1".repeat(width), interval: "2 to 3".into() },
            ]],
        };
        let narrow = laid_out(&sheet(9));
        assert_eq!(narrow.lines().count(), 3, "{narrow}");
        assert!(narrow.contains("a name that i...r its column  111111111 (2 to 3)"), "{narrow}");
        let wide = laid_out(&sheet(65));
        assert_eq!(wide.lines().count(), 4, "{wide}");
        assert!(wide.lines().all(|line| line.chars().count() <= WIDTH), "{wide}");
    }
}
