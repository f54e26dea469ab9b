//! The charts of brackets: the ladder of players with the bracket shaded, and brackets over a swept key.

use super::tables::order;
use super::words::side;
use super::{BOUND, BracketPoint, BracketReport, Shown};
use crate::chart::{
    Axis, Bar, Chart, Key, Mark, Marker, Role, Row, Stand, WHOLE, both_sides_of_edges, padded, scaled, span,
};
use crate::figures::{FormattedEstimate, Side, fixed, mean, plural};
use crate::report::labels::{key_in_words, name_in_full, upper_first};
use crate::stats::{Bracket, Measure};

/// How strong a bracket is shaded.
const SHADE: f64 = 0.28;
const LIGHT: f64 = 0.14;
/// Half of a column.
const HALF: f64 = 0.28;
/// House edges below this are not drawn, percent: what knowing every card is worth would press all others together.
const LOWEST: f64 = -400.0;

fn subtitle(report: &BracketReport<'_>, deals: u64) -> String {
    let rules = match &report.rules[..] {
        [(id, name, _)] => format!("{}: ", name_in_full(name, id)),
        _ => String::new(),
    };
    format!("{rules}{}", of_deals(report, deals))
}

fn of_deals(report: &BracketReport<'_>, deals: u64) -> String {
    format!("{} to judge by, seed {}, 95% intervals", plural(deals, "deal"), report.seed)
}

/// Every player by mean cards, from the weakest to the one who knows every card; optimal play lies in the shaded part.
pub(super) fn ladder(report: &BracketReport<'_>, point: &BracketPoint<'_>) -> Chart {
    let bracket = point.brackets.cards;
    let names = report.names();
    let best = point.found.chosen[0];
    let mut rows: Vec<Row> = order(point)
        .into_iter()
        .map(|place| {
            let cards = point.summaries[place].cards;
            let name = names.get(place).cloned().unwrap_or_default();
            let role = if place == best { Role::Ink } else { Role::Muted };
            Row::new(name, cards, role, mean(cards))
        })
        .collect();
    let top = if point.is_trivial() { "all cards (bound)" } else { BOUND };
    let said = match point.is_trivial() {
        true => FormattedEstimate::exact(fixed(bracket.upper.value, 0)),
        false => mean(bracket.upper),
    };
    rows.push(Row::new(top, bracket.upper, Role::Clairvoyant, said));
    let values = rows.iter().flat_map(|row| [row.estimate.low, row.estimate.high]);
    let (_, high) = padded(span(values.chain([0.0])).unwrap_or((0.0, 1.0)), 0.05);
    let high = high.min(point.spec.cards() as f64);
    let x = Axis::new("mean cards on the foundations", (0.0, high), 8, fixed);
    let shade = |from, to, shade| Mark::area((from, to), WHOLE, Role::Clairvoyant, shade);
    let behind = vec![
        shade(bracket.lower.low, bracket.upper.high, LIGHT),
        shade(bracket.lower.value, bracket.upper.value, LIGHT),
    ];
    let casino = &point.spec.casino;
    let mut markers = Vec::new();
    let by_cards_alone = casino.steps.is_empty() && casino.jackpot.is_none() && !casino.has_redeal_fees();
    let by_cards_alone = by_cards_alone && casino.pays_per_card > 0 && casino.pays_for_win == 0;
    if point.brackets.house_edge.is_some() && by_cards_alone {
        let even = casino.stake as f64 / casino.pays_per_card as f64;
        if even < high {
            let label = format!("below {} cards the house gains", fixed(even, 1));
            markers.push(Marker::new(even, Role::Ink, label));
        }
    }
    let (lower, upper) = (fixed(bracket.lower.value, 2), fixed(bracket.upper.value, 2));
    let rules = point.label(report);
    Chart {
        name: format!("ladder-{}", point.anchor()),
        title: format!("{}: optimal play is worth {lower} to {upper} cards", upper_first(&rules)),
        subtitle: match point.value {
            Some(_) => subtitle(report, point.found.deals()),
            None => of_deals(report, point.found.deals()),
        },
        caption: format!(
            "Mean cards of each player (line) with its 95% interval (box), the weakest first. Optimal play lies in the shaded part: \
             from the best player, {}, to what a player could reach who knows every card (the bound).",
            names.get(best).cloned().unwrap_or_default()
        ),
        keys: vec![Key::area(Role::Clairvoyant, SHADE, "optimal play lies here; lighter: sampling error")],
        markers,
        ..Chart::rows(x, rows, "cards", behind)
    }
}

/// The brackets of all rulesets beside each other: of the house edge, and of cards.
pub(super) fn overview(report: &BracketReport<'_>) -> Vec<Chart> {
    let edges = report.points.iter().all(|point| point.brackets.house_edge.is_some());
    let mut charts = Vec::new();
    charts.extend(edges.then(|| columns(report, Measure::Money)));
    charts.push(columns(report, Measure::Cards));
    charts.push(columns(report, Measure::Wins));
    charts
}

/// A bracket in the unit of its axis.
fn drawn(bracket: Bracket, measure: Measure) -> Bracket {
    let unit = if measure == Measure::Cards { 1.0 } else { 100.0 };
    Bracket { lower: scaled(bracket.lower, unit), upper: scaled(bracket.upper, unit), ..bracket }
}

fn columns(report: &BracketReport<'_>, measure: Measure) -> Chart {
    let brackets: Vec<(Bracket, &BracketPoint<'_>)> = report
        .points
        .iter()
        .filter_map(|point| Some((drawn(point.bracket(measure)?.0, measure), point)))
        .collect();
    let values = brackets.iter().flat_map(|(it, _)| [it.lower.low, it.upper.high]);
    let money = measure == Measure::Money;
    let range = match measure {
        Measure::Money => both_sides_of_edges(values.map(|value| value.max(LOWEST))),
        _ => (0.0, padded(span(values.chain([0.0])).unwrap_or((0.0, 1.0)), 0.06).1),
    };
    let mut marks = if money { Mark::sides_above().to_vec() } else { Vec::new() };
    if money {
        let ends: Vec<f64> = [brackets.first(), brackets.last()]
            .map(|it| it.map_or(0.0, |(bracket, _)| bracket.lower.value))
            .to_vec();
        let (right, left) = ((WHOLE.1, Stand::Left), (WHOLE.0, Stand::Right));
        let (house, player) = if ends[0] > ends[1] { (right, left) } else { (left, right) };
        marks.push(Mark::note((house.0, WHOLE.1), "the house gains", Role::House, house.1));
        marks.push(Mark::note((player.0, WHOLE.0), "the player gains", Role::Player, player.1));
    }
    for (i, (bracket, point)) in brackets.iter().enumerate() {
        let gain = if money { Role::of_side(side(point.gain())) } else { Role::Clairvoyant };
        marks.extend(column(i as f64 + 0.5, bracket, gain, range.0));
        let (player, knows) = match measure {
            Measure::Money => (bracket.upper.value, bracket.lower.value),
            _ => (bracket.lower.value, bracket.upper.value),
        };
        let x = (i as f64 + 0.5 - HALF, i as f64 + 0.5 + HALF);
        marks.push(Mark::thin(vec![(x.0, knows), (x.1, knows)], Role::Clairvoyant));
        marks.push(Mark::dots(vec![(i as f64 + 0.5, player)], Role::Ink, 7));
    }
    let shown = match measure {
        Measure::Cards => Shown::Mean,
        Measure::Wins => Shown::Percent,
        Measure::Money => Shown::Edge,
    };
    let y = match measure {
        Measure::Cards => Axis::new("mean cards on the foundations", range, 8, fixed),
        Measure::Wins => Axis::percent("games won, %", range, 8),
        Measure::Money => Axis::percent("house edge, % of the deck's price", range, 8),
    };
    let names = report.points.iter().map(|point| point.short(report));
    let x = Axis::columns(report.varied.map_or("ruleset", key_in_words), names);
    let deals = report.points.iter().map(|point| point.found.deals()).min().unwrap_or(0);
    let (name, title) = match measure {
        Measure::Cards => ("cards", cards_title(report, &brackets)),
        Measure::Wins => ("games-won", wins_title(report, &brackets)),
        Measure::Money => ("house-edge", edge_title(report)),
    };
    let mut chart = Chart::plot(x, y, marks);
    chart.name = name.into();
    chart.title = title;
    chart.subtitle = subtitle(report, deals);
    let gain = brackets.first().map_or(Role::Muted, |(_, point)| Role::of_side(side(point.gain())));
    let role = if money { gain } else { Role::Clairvoyant };
    chart.keys = vec![
        Key::dot(Role::Ink, "best player"),
        Key::thin(Role::Clairvoyant, BOUND),
        Key::area(role, 0.6, "optimal play lies here"),
        Key::area(role, 0.3, "95% interval"),
    ];
    chart.caption = format!(
        "For each ruleset the {} between the bounds of optimal play (column); beyond it, their 95% intervals (lighter). The dot \
         is the best player, the line the player who knows every card.{}",
        shown.name(),
        match measure {
            Measure::Money =>
                " Above 0 the house gains, below it the player; grey columns leave it open; an arrow says that a column goes on below.",
            _ => "",
        }
    );
    chart
}

/// One bracket as an upright column. Of an edge the lower end is that of who knows every card.
fn column(at: f64, bracket: &Bracket, role: Role, floor: f64) -> Vec<Mark> {
    let x = (at - HALF, at + HALF);
    let bar = |from: f64, to: f64, shade| Bar { x, y: (from.max(floor), to.max(floor)), role, shade };
    let Bracket { lower, upper, .. } = *bracket;
    let bars = [
        bar(lower.low, lower.value.min(upper.value), 0.3),
        bar(lower.value.min(upper.value), upper.value.max(lower.value), 0.6),
        bar(upper.value.max(lower.value), upper.high, 0.3),
    ];
    let mut marks = vec![Mark::Bars(bars.into_iter().filter(|bar| bar.y.1 > bar.y.0).collect())];
    if lower.low < floor {
        marks.push(Mark::note((at, floor), "↓", Role::Ink, Stand::Middle));
    }
    marks
}

fn edge_title(report: &BracketReport<'_>) -> String {
    let names = |side_| {
        let on = report.points.iter().filter(|point| side(point.gain()) == side_);
        on.map(|point| point.short(report)).collect::<Vec<_>>()
    };
    let (house, player, open) = (names(Side::House), names(Side::Player), names(Side::Open));
    let mut under = report.varied.map_or("under ".into(), |key| format!("with {} ", key_in_words(key)));
    let mut parts = Vec::new();
    for (who, said) in [
        (&house, "the house gains, whoever plays"),
        (&open, "it is not known who gains"),
        (&player, "a good player gains"),
    ] {
        if !who.is_empty() {
            parts.push(format!("{under}{} {said}", listed(who)));
            under = if report.varied.is_some() { "with ".into() } else { under };
        }
    }
    upper_first(&parts.join("; "))
}

/// `1, 2 and 3`
fn listed(names: &[String]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}

/// The widest bracket, where least is known.
fn widest<'a, 'b>(
    brackets: &'a [(Bracket, &'b BracketPoint<'b>)],
) -> Option<&'a (Bracket, &'b BracketPoint<'b>)> {
    brackets.iter().max_by(|(a, _), (b, _)| a.width.total.total_cmp(&b.width.total))
}

fn cards_title(report: &BracketReport<'_>, brackets: &[(Bracket, &BracketPoint<'_>)]) -> String {
    widest(brackets).map_or(String::new(), |(bracket, point)| {
        let (width, rules) = (fixed(bracket.width.total, 1), point.label(report));
        format!("Optimal play is known to within {width} cards at worst, with {rules}")
    })
}

fn wins_title(report: &BracketReport<'_>, brackets: &[(Bracket, &BracketPoint<'_>)]) -> String {
    widest(brackets).map_or(String::new(), |(bracket, point)| {
        let [least, most] = [bracket.lower.value, bracket.upper.value].map(|it| fixed(it, 1));
        let of = match brackets.len() {
            1 => String::new(),
            _ => format!(" with {}, where least is known", point.label(report)),
        };
        format!("Optimal play wins from {least}% to {most}% of games{of}")
    })
}
