//! The charts of a contest: matches won by side and by seat, points, and what speed is worth.

use super::{ContestReport, answer, factor, fair_share, mean_of, player_of_speeds, subtitle};
use crate::chart::{Axis, Bar, Chart, Hues, Key, Mark, Marker, Role, Row, padded, pair, scaled, span};
use crate::contest::PlayerSpec;
use crate::figures::{fixed, one_line, percent, share};
use crate::report::entry::stem;
use crate::rules::file::decimal;
use crate::stats::{Estimate, SpeedPoint, StandingSummary, TAIL, rate_at};

/// Half of all matches, and nine in ten: what lies between these shares of them, with half the height of its bar and its
/// opacity.
const PARTS: [([f64; 2], f64, f64); 2] = [([0.05, 0.95], 0.17, 0.25), ([0.25, 0.75], 0.24, 0.5)];
/// The most that is shown of a rate, in percent: room for the name of 100%.
const MOST: f64 = 105.0;

/// All charts of a contest. That of other speeds is left out where none was asked for.
pub fn contest_charts(report: &ContestReport<'_>) -> Vec<Chart> {
    let all = [Some(wins(report)), Some(points(report)), Some(seats(report)), speeds(report)];
    let titled = |chart: Chart| Chart { subtitle: subtitle(report), ..chart };
    all.into_iter().flatten().map(titled).collect()
}

/// The colours of the players and of their teams.
fn hues(report: &ContestReport<'_>) -> Hues {
    let players = report.spec.players.iter().map(|player| player.name.clone());
    Hues::new(players.chain(report.summary.sides.iter().map(|side| side.name.clone())))
}

/// Rates under each other, and a line at what all would have if they were equal.
fn rates(rates: Vec<(String, Role, Estimate)>, (fair, called): (f64, &str)) -> Chart {
    let row = |(name, role, estimate)| {
        let name: String = name;
        Row::new(name, estimate, role, percent(estimate)).percent()
    };
    let rows: Vec<Row> = rates.into_iter().map(row).collect();
    let at = fair * 100.0;
    let shown = rows.iter().flat_map(|row| [row.estimate.low, row.estimate.high]).chain([at]);
    // From nothing on, unless all lie so close together that nothing could be told apart.
    let (low, high) = span(shown).unwrap_or((0.0, 1.0));
    let low = if high - low < low / 2.0 { padded((low, high), 0.3).0 } else { 0.0 };
    let range = (low, padded((low, high.max(0.01)), 0.06).1.min(100.0));
    let x = Axis::percent("matches won, % of all matches", range, 8);
    Chart {
        markers: vec![Marker::new(at, Role::Ink, format!("{called} {}", share(fair)))],
        ..Chart::rows(x, rows, "points", Vec::new())
    }
}

fn wins(report: &ContestReport<'_>) -> Chart {
    let hues = hues(report);
    let sides = report.summary.sides.iter().map(|side| {
        let player = report.spec.players.iter().find(|player| player.name == side.name);
        let name = match (player, &side.players[..]) {
            (Some(player), [_]) => pair(&side.name, stem(&player.strategy)),
            _ => pair(&side.name, &side.players.join(", ")),
        };
        (name, hues.of(&side.name), side.win_rate)
    });
    let said = answer(report);
    Chart {
        name: "matches-won".into(),
        title: said.finding.trim_end_matches(['.', ':', ',']).into(),
        caption: format!(
            "The share of matches that each won alone (line), with its 95% interval (box). The dashed \
                 vertical line is the fair share: what each would win if all were equally good. {}{}",
            said.finding, said.rest
        ),
        ..rates(sides.collect(), (fair_share(report.summary), "fair share"))
    }
}

fn seats(report: &ContestReport<'_>) -> Chart {
    let seats = &report.summary.seats;
    let mean = seats.iter().map(|seat| seat.win_rate.value).sum::<f64>() / seats.len().max(1) as f64;
    let several = seats.len().max(1) as f64;
    let beside = |seat: &StandingSummary| {
        let e = rate_at(TAIL / several, seat.wins, report.summary.undecided, report.summary.matches);
        e.low > mean || e.high < mean
    };
    let off: Vec<String> =
        seats.iter().filter(|seat| beside(seat)).map(|seat| one_line(&seat.name)).collect();
    let row = |seat: &StandingSummary| {
        let role = if beside(seat) { Role::Ink } else { Role::Muted };
        (one_line(&seat.name), role, seat.win_rate)
    };
    Chart {
        name: "seats".into(),
        title: match off.len() {
            0 => "No seat clearly wins more or less than the others".into(),
            _ => format!("Clearly above or below the mean of all seats: {}", off.join(", ")),
        },
        caption: "The share of matches won alone by whoever sat at the seat (line), with its 95% interval \
            (box). The players move on by one seat from match to match, so every seat's share should be the \
            mean of all (dashed vertical line). A seat is flagged if its interval for all seats at once leaves out the mean."
            .into(),
        ..rates(seats.iter().map(row).collect(), (mean, "mean of all seats"))
    }
}

/// The least points that at least this share of matches does not exceed.
fn quantile(histogram: &[(i64, u64)], part: f64) -> Option<f64> {
    let all: u64 = histogram.iter().map(|(_, matches)| matches).sum();
    let rank = (part * all as f64).ceil().max(1.0) as u64;
    let mut seen = 0;
    let points = histogram.iter().find(|(_, matches)| {
        seen += matches;
        seen >= rank
    });
    points.map(|(points, _)| *points as f64)
}

/// Points of a match by player: how they are spread, and their mean.
fn points(report: &ContestReport<'_>) -> Chart {
    let hues = hues(report);
    let standings = &report.summary.players;
    let players = || report.spec.players.iter().zip(standings);
    let rows: Vec<Row> = players()
        .map(|(player, it)| {
            let name = pair(&player.name, stem(&player.strategy));
            let said = mean_of(it.points, report.summary.matches);
            Row::new(name, it.points.estimate(), Role::Ink, said)
        })
        .collect();
    let first = report.spec.players.first().map_or(Role::Series(0), |player| hues.of(&player.name));
    let mut marks = Vec::new();
    for (part, half, shade) in PARTS {
        let bar = |(i, (player, it)): (usize, (&PlayerSpec, &StandingSummary))| {
            let [low, high] = part.map(|q| quantile(&it.histogram, q));
            let at = i as f64 + 0.5;
            Some(Bar { x: (low?, high?), y: (at - half, at + half), role: hues.of(&player.name), shade })
        };
        marks.push(Mark::Bars(players().enumerate().filter_map(bar).collect()));
    }
    let ends = standings.iter().flat_map(|it| PARTS[0].0.map(|q| quantile(&it.histogram, q))).flatten();
    let means = standings.iter().map(|it| it.points.value);
    let (low, high) = padded(span(ends.chain(means)).unwrap_or((0.0, 1.0)), 0.06);
    // Less than a point is nothing to magnify.
    let range = if high - low < 2.0 { (low - 1.0, high + 1.0) } else { (low, high) };
    let best = players().max_by(|a, b| a.1.points.value.total_cmp(&b.1.points.value));
    let title = best.map_or("Points of a match".into(), |(player, it)| {
        format!(
            "Most points of a match in these games: {}, {} on average",
            one_line(&player.name),
            fixed(it.points.value, 1)
        )
    });
    Chart {
        name: "points".into(),
        title,
        caption: "The points that each player had at the end of a match: half of all matches lie in the short bar, nine in \
                  ten in the long one. The line is the mean, and the narrow box about it the mean's 95% interval."
            .into(),
        keys: vec![
            Key::area(first, 0.62, "half of all matches"),
            Key::area(first, 0.25, "9 in 10"),
            Key::interval(Role::Ink, "mean, with its 95% interval"),
        ],
        ..Chart::rows(Axis::new("points of a match", range, 8, fixed), rows, "points", marks)
    }
}

/// What speed is worth: how often the first player wins against the player's relative speed.
fn speeds(report: &ContestReport<'_>) -> Option<Chart> {
    let points = report.speeds;
    let (first, last) = (points.first()?, points.last()?);
    let name = player_of_speeds(report);
    let written = report.spec.players.first();
    let role = written.map_or(Role::Series(0), |player| hues(report).of(&player.name));
    let place = |point: &SpeedPoint| point.factor.max(1e-6).log10();
    let fair = fair_share(report.summary);
    let rates = points.iter().flat_map(|p| [p.win_rate.low, p.win_rate.high]).chain([fair]);
    let (low, high) = span(rates).unwrap_or((0.0, 1.0));
    let (bottom, top) = padded((low * 100.0, high * 100.0), 0.08);
    let (left, right) = span(points.iter().map(place).chain([0.0])).unwrap_or((-0.1, 0.1));
    // A lone speed stands in the middle.
    let range = if right - left < 1e-3 { (left - 0.1, right + 0.1) } else { padded((left, right), 0.04) };
    let curve: Vec<(f64, Estimate)> = points.iter().map(|p| (place(p), scaled(p.win_rate, 100.0))).collect();
    let mut marks = vec![Mark::level(fair * 100.0, Role::Muted, false)];
    marks.extend(Mark::curve(&curve, role));
    for (x, e) in &curve {
        marks.push(Mark::limits(*x, *e, role, 3));
        marks.push(Mark::dots(vec![(*x, e.value)], role, 9));
    }
    let said = |point: &SpeedPoint, rate: fn(Estimate) -> String| {
        format!("{} at {} times the speed", rate(point.win_rate), factor(point.factor))
    };
    let both = |rate: fn(Estimate) -> String| match points.len() {
        1 => said(first, rate),
        _ => format!("{}, and {}", said(first, rate), said(last, rate)),
    };
    let nothing = match report.spec.speed_matters() {
        true => "",
        false => {
            " Where each player plays a fixed number of deals on separate foundations, speed does not \
            help."
        }
    };
    let x = Axis::places(
        format!("speed of {name}, as a multiple of the speed in the contest (logarithmic scale)"),
        range,
        points.iter().map(|p| (place(p), factor(p.factor))),
    );
    let y = Axis::percent("matches won, % of all matches", (bottom.max(0.0), top.min(MOST)), 6);
    let as_written = written.map_or(0, |player| player.speed);
    Some(Chart {
        name: "speed".into(),
        title: format!("{name} wins {}", both(|e| percent(e).value)),
        caption: format!(
            "The share of matches that {name} won alone (line) with its 95% interval (band), where only {name} is slower or \
             faster than in the contest and all others play as before. {name} wins {}.{nothing}",
            both(|e| percent(e).both())
        ),
        keys: vec![
            Key::line(role, format!("{name} wins")),
            Key::area(role, 0.28, "95% interval"),
            Key::thin(Role::Muted, format!("fair share {}", share(fair))),
        ],
        markers: vec![Marker::new(
            0.0,
            Role::Ink,
            format!("as in the contest: {}/s", decimal(as_written.into())),
        )],
        ..Chart::plot(x, y, marks)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_of_the_sample() {
        let histogram = [(-3, 1), (0, 2), (10, 1)];
        let at = |part| quantile(&histogram, part);
        assert_eq!(
            [at(0.0), at(0.25), at(0.26), at(0.75), at(0.76), at(1.0)].map(Option::unwrap),
            [-3.0, -3.0, 0.0, 0.0, 10.0, 10.0]
        );
        assert_eq!(quantile(&[], 0.5), None);
    }
}
