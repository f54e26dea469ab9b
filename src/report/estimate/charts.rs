//! The charts of a night: the edge, the shares, and the evidence deck by deck.

use super::EstimateReport;
use super::words::{alone, decks, edge_after, losing, share, subtitle};
use crate::chart::{Axis, Bar, Chart, Key, Mark, Marker, Role, Row, Stand, WHOLE, both_sides_of_edges, span};
use crate::figures::{count, fixed, plural};
use crate::report::labels::{percent_text, upper_first};

/// How dark the bars of edges are.
const SHADE: f64 = 0.75;

/// Evidence beyond this power of ten is drawn at it.
const TOP: f64 = 9.0;

/// How likely each edge is after the night.
pub(super) fn edge(report: &EstimateReport<'_>) -> Chart {
    let found = report.found;
    let width = match &found.density[..] {
        [first, second, ..] => second.0 - first.0,
        _ => 0.01,
    };
    // What is hardly possible would only lengthen the axis.
    let shown = || found.density.iter().filter(|(_, p)| *p > 0.0005);
    let side = |from: f64| if from + width / 2.0 < 0.0 { Role::Player } else { Role::House };
    let bars = shown().map(|(from, p)| Bar {
        x: (100.0 * from, 100.0 * (from + width)),
        y: (0.0, 100.0 * p),
        role: side(*from),
        shade: SHADE,
    });
    let sides = [(Role::Player, "the house loses"), (Role::House, "the house gains")];
    let drawn = sides.into_iter().filter(|(role, _)| shown().any(|(from, _)| side(*from) == *role));
    let most = found.density.iter().map(|(_, p)| 100.0 * p).fold(0.0, f64::max);
    let ends = shown().flat_map(|(from, _)| [*from, from + width]);
    let range = both_sides_of_edges(ends.chain([found.edge_before]).map(|it| 100.0 * it));
    let said = edge_after(&found.edge);
    let mut marks = vec![Mark::Bars(bars.collect())];
    marks.push(Mark::upright(0.0, Role::Ink, false));
    Chart {
        name: "edge".into(),
        title: format!("The players of this night leave an edge of {} ({})", said.value, said.interval),
        subtitle: subtitle(report),
        caption: format!(
            "How likely each house edge is after the night, given the results and what was expected before. The broken line is the \
             edge of the expected players. The house loses with a probability of {}.",
            losing(&found.losing)
        ),
        keys: drawn.map(|(role, said)| Key::area(role, SHADE, said)).collect(),
        markers: vec![Marker::new(
            100.0 * found.edge_before,
            Role::Ink,
            format!("expected {}", alone(found.edge_before)),
        )],
        ..Chart::plot(
            Axis::percent("house edge, % of the price", range, 8),
            Axis::percent("probability", (0.0, (most * 1.1).min(100.0)), 5),
            marks,
        )
    }
}

/// The shares of the players before and after.
pub(super) fn shares(report: &EstimateReport<'_>) -> Chart {
    let found = report.found;
    let rows: Vec<Row> = report
        .names()
        .into_iter()
        .zip(&found.shares)
        .map(|(name, e)| Row::new(name, e.estimate, Role::Series(0), share(e)).percent())
        .collect();
    let mut marks: Vec<Mark> = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        marks.push(Mark::dots(vec![(row.estimate.value, i as f64 + 0.5)], row.role, 10));
        let expected = 100.0 * report.guests[i].share;
        marks.push(Mark::thin(vec![(expected, i as f64 + 0.15), (expected, i as f64 + 0.85)], Role::Ink));
    }
    let most =
        rows.iter().map(|row| row.estimate.high).chain(report.guests.iter().map(|it| 100.0 * it.share));
    let most = most.fold(0.0, f64::max);
    let top = (0..rows.len())
        .max_by(|a, b| rows[*a].estimate.value.total_cmp(&rows[*b].estimate.value))
        .unwrap_or(0);
    Chart {
        name: "players".into(),
        title: match found.shares[top].estimate.low > 0.5 {
            true => format!("Most of the decks were played by {}: {}", rows[top].name, rows[top].said.both()),
            false => format!("{} may have played the most decks: {}", upper_first(&rows[top].name), rows[top].said.both()),
        },
        subtitle: subtitle(report),
        caption: "The share of the decks that each kind of player bought, after the night: mean (dot) and 95% interval (box). The \
                  upright lines are the expected shares."
            .into(),
        keys: vec![Key::interval(Role::Series(0), "this night"), Key::upright(Role::Ink, "expected")],
        ..Chart::rows(Axis::percent("share of the decks", (0.0, (most * 1.05).min(100.0)), 6), rows, "points", marks)
    }
}

/// How rare the night became, deck by deck.
pub(super) fn evidence(report: &EstimateReport<'_>) -> Chart {
    let found = report.found;
    let bound = (1.0 / report.alpha).log10();
    let top = TOP.max(bound + 2.0);
    // Less than one in one says nothing.
    let points: Vec<(f64, f64)> =
        found.course.iter().map(|at| (at.decks as f64, at.one_in.max(1.0).log10().min(top))).collect();
    let beyond = match points.iter().any(|(_, y)| *y >= top) {
        true => format!(" What is rarer than one in {} is drawn there.", count(10f64.powf(top) as u64)),
        false => String::new(),
    };
    let range = span(points.iter().map(|(_, y)| *y).chain([0.0, bound])).unwrap_or((0.0, 1.0));
    // Room for the name of the alarm above the line.
    let range = (range.0 - 0.1, range.1 + if beyond.is_empty() { 0.5 } else { 1.0 });
    let rate = percent_text(report.alpha);
    let title = match found.too_bad_after {
        Some(after) => {
            format!("Watched deck by deck, the night gave an alarm after {}", plural(after, "deck"))
        }
        None => "Watched deck by deck, the night gave no alarm".into(),
    };
    Chart {
        name: "evidence".into(),
        title,
        subtitle: subtitle(report),
        caption: format!(
            "How rare the payouts of the first decks are if the expected players came, after each deck of {}: at 20, at most one honest \
             night in 20 ever gets so far. The broken line is the alarm, which at most {rate} of honest nights ever reach.{beyond}",
            decks(report)
        ),
        ..Chart::plot(
            Axis::new("decks sold", (0.0, found.decks as f64), 8, fixed),
            Axis::powers("at most one honest night in ... (logarithmic scale)", range, |power| {
                count(power.round() as u64)
            }),
            vec![
                Mark::area(WHOLE, (bound, range.1), Role::Player, 0.12),
                Mark::level(bound, Role::Player, true),
                Mark::line(points, Role::House),
                Mark::note(
                    (WHOLE.0, range.1),
                    format!("alarm (false in at most {rate} of nights)"),
                    Role::Player,
                    Stand::Right,
                ),
            ],
        )
    }
}
