//! The charts of a tuning: what the values found are worth beside the defaults, then every candidate over each parameter.

use super::TuneReport;
use crate::chart::{Axis, Chart, Key, Mark, Marker, Role, Row, padded, scaled, span};
use crate::figures::{count, fixed, gain_estimate, mean, money, percent};
use crate::report::compare::{own, subtitle, unit, unit_name};
use crate::report::labels::{rules_in_full, upper_first};
use crate::stats::{Estimate, Measure};

pub(super) fn tune_charts(report: &TuneReport<'_>) -> Vec<Chart> {
    let ahead = Some(()).filter(|()| report.found() && report.compared()).and_then(|()| ahead(report));
    let over = (0..report.parameters.len()).map(|index| over_parameter(report, index));
    ahead.into_iter().chain(over).collect()
}

/// The name of a value on an axis of the measure.
fn tick(report: &TuneReport<'_>) -> impl Fn(f64, usize) -> String {
    move |v, d| match (report.measure, report.casino()) {
        (Measure::Money, Some(casino)) => money(v, casino, d == 0),
        (Measure::Wins, _) => format!("{}%", fixed(v, d)),
        _ => fixed(v, d),
    }
}

/// The values found beside the defaults, on deals that they were not chosen on.
fn ahead(report: &TuneReport<'_>) -> Option<Chart> {
    let casino = report.casino()?;
    let row = |(entry, name): (usize, &str)| {
        let e = own(&report.fresh, entry)?;
        let said = match report.measure {
            Measure::Cards => mean(e),
            Measure::Wins => percent(e),
            Measure::Money => gain_estimate(e, casino),
        };
        let role = if entry == 0 { Role::Series(0) } else { Role::Muted };
        Some(Row::new(name, scaled(e, unit(report.measure)), role, said))
    };
    let rows: Vec<Row> = [(0, "tuned"), (1, "defaults")].into_iter().filter_map(row).collect();
    let range = span(rows.iter().flat_map(|row| [row.estimate.low, row.estimate.high])).unwrap_or((0.0, 1.0));
    let x = Axis::new(report.measured(), padded(range, 0.15), 8, tick(report));
    let said = report.gain().map(|gain| (gain, report.said(gain)));
    let title = match &said {
        Some((Estimate { low, .. }, said)) if *low > 0.0 => {
            format!("The values found are ahead of the defaults: {} {}", said.value, report.measured())
        }
        Some((Estimate { high, .. }, said)) if *high < 0.0 => {
            format!("On fresh deals the defaults are better: {} {}", said.value, report.measured())
        }
        _ => "On fresh deals the values found cannot be distinguished from the defaults".into(),
    };
    let gain = said.map_or(String::new(), |(_, said)| {
        format!(
            " Deal by deal the difference from the defaults is {} ({}).",
            said.value,
            said.interval_in_words()
        )
    });
    Some(Chart {
        name: "tuned".into(),
        title,
        subtitle: subtitle(&report.fresh),
        caption: format!(
            "The script with the values found ({}) and with its defaults, on deals that they were not chosen on: each \
             mean (line) with its own 95% interval (box).{gain}",
            report.values(&report.raced.winner, false)
        ),
        ..Chart::rows(x, rows, unit_name(report.measure), Vec::new())
    })
}

/// Which games the dots are about.
fn in_the_race(report: &TuneReport<'_>) -> String {
    let Some(first) = report.fresh.entries.first() else { return String::new() };
    let games = count(report.raced.games);
    format!("{}: {games} games of the race, seed {}", rules_in_full(&first.entry), first.entry.seed)
}

/// Every candidate over one parameter.
fn over_parameter(report: &TuneReport<'_>, index: usize) -> Chart {
    let parameter = &report.parameters[index];
    let winner = report.raced.winner.get(index);
    let found = winner.map_or(String::new(), |&value| parameter.write(value));
    // Most of what is tried is far behind after one heat, and would press the others together.
    let all = report.raced.candidates.iter().filter(|it| it.heats > 0);
    let stayed = |heats| all.clone().filter(move |it| it.heats >= heats);
    let mut played: Vec<_> =
        if stayed(2).next().is_some() { stayed(2).collect() } else { all.clone().collect() };
    // What was found is drawn last, over the others.
    played.sort_by_key(|it| it.values == report.raced.winner);
    let dot = |it: &&crate::lab::tune::Candidate| {
        let role = if it.values == report.raced.winner { Role::Series(0) } else { Role::Muted };
        let at = (*it.values.get(index)? as f64, it.mean() * unit(report.measure));
        Some(Mark::dots(vec![at], role, 4 + 3 * it.heats.min(8) as u32))
    };
    let marks = played.iter().filter_map(dot).collect();
    let range =
        padded(span(played.iter().map(|it| it.mean() * unit(report.measure))).unwrap_or((0.0, 1.0)), 0.08);
    let range = if range.1 - range.0 < 1e-9 { (range.0 - 1.0, range.1 + 1.0) } else { range };
    let (low, high) = parameter.bounds();
    let (low, high) = (low as f64, high as f64);
    let wide = (high - low).max(1.0);
    let ticks = if high - low <= 1.0 { 2 } else { wide.min(10.0) as usize };
    let mut x = Axis::new(&parameter.name, (low - wide * 0.05, high + wide * 0.05), ticks, |v, _| {
        parameter.write(v.round() as i64)
    });
    // Only whole numbers are values.
    x.ticks.retain(|tick| (tick.at - tick.at.round()).abs() < 1e-9);
    let name = parameter.name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' });
    let same = winner == Some(&parameter.default);
    let default = parameter.write(parameter.default);
    Chart {
        name: format!("parameter-{}", name.collect::<String>().to_lowercase()),
        title: match same {
            true => format!("{}: the default {default} won the race", parameter.name),
            false => format!("{}: {found} won the race; the default is {default}", parameter.name),
        },
        subtitle: in_the_race(report),
        caption: format!(
            "The candidates left after the first heat, each at its value of this parameter (the others \
                 differ too). A larger dot stayed in for more heats and is more certain. The values found \
                 are green; here {found}. Dots of different generations had different deals, and the \
                 highest are partly lucky."
        ),
        keys: vec![Key::dot(Role::Series(0), "values found"), Key::dot(Role::Muted, "other candidates")],
        markers: vec![Marker::new(parameter.default as f64, Role::Muted, format!("default {default}"))],
        ..Chart::plot(x, Axis::new(upper_first(report.measured()), range, 6, tick(report)), marks)
    }
}
