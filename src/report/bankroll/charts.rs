//! The charts of a night: how it goes, how it ends, and the risk of ruin by bank.

use super::BankrollReport;
use super::words::{hands, risk, risk_of_bank, subtitle};
use crate::chart::{Axis, Bar, Chart, Key, Mark, Marker, Role, Stand, WHOLE, padded, scaled, span};
use crate::figures::{fixed, gain_estimate, money, money_estimate};
use crate::stats::{Estimate, FanPoint, NightPart};

pub(in crate::report) fn bankroll_charts(report: &BankrollReport<'_>) -> Vec<Chart> {
    let mut charts = vec![fan(report), end(report)];
    // Without a loss to fear there is no ruin.
    if report.bankroll.greatest_loss > 0 {
        charts.push(ruin(report));
    }
    charts.into_iter().map(|chart| Chart { subtitle: subtitle(report), ..chart }).collect()
}

/// What is shown only where the intervals were computed.
fn measured<T>(report: &BankrollReport<'_>, shown: T) -> Option<T> {
    (report.bankroll.replicates > 0).then_some(shown)
}

/// Who has a profit.
fn brings(profit: f64) -> &'static str {
    if profit < 0.0 { "costs the house" } else { "brings the house" }
}

/// The house's profit over the night: bands of quantiles, and how sure they are.
fn fan(report: &BankrollReport<'_>) -> Chart {
    let b = report.bankroll;
    let casino = &report.rules.casino;
    // From the start: no deck, no profit.
    let none = Estimate { value: 0.0, low: 0.0, high: 0.0 };
    let start = FanPoint { decks: 0, quantiles: [none; 5] };
    let points: Vec<(f64, [Estimate; 5])> = std::iter::once(&start)
        .chain(&b.fan)
        .map(|p| (f64::from(p.decks), p.quantiles.map(|q| scaled(q, 0.01))))
        .collect();
    let values = points.iter().flat_map(|(_, q)| q).flat_map(|q| [q.value, q.low, q.high]);
    let range = padded(span(values).unwrap_or((0.0, 1.0)), 0.12);
    let between = |low: usize, high: usize| {
        points.iter().map(|(x, q)| (*x, q[low].value, q[high].value)).collect::<Vec<_>>()
    };
    let sure = |line: usize| points.iter().map(|(x, q)| (*x, q[line].low, q[line].high)).collect();
    let decks = hands(report, b.decks);
    let losing = risk(b.losing_night);
    let mut marks = vec![
        Mark::area(WHOLE, (WHOLE.0, 0.0), Role::Player, 0.12),
        Mark::band(between(0, 4), Role::House, 0.22),
        Mark::band(between(1, 3), Role::House, 0.36),
    ];
    marks.extend([0, 2, 4].map(|line| Mark::band(sure(line), Role::Ink, 0.35)));
    marks.extend([
        Mark::level(0.0, Role::Ink, false),
        Mark::line(points.iter().map(|(x, q)| (*x, q[2].value)).collect(), Role::House),
        Mark::note((WHOLE.0, WHOLE.1), "the house has gained", Role::House, Stand::Right),
        Mark::note(
            WHOLE_LOW,
            format!("the house has lost: {} of nights of {decks}", losing.value),
            Role::Player,
            Stand::Right,
        ),
    ]);
    let sold = if casino.is_staged() { "hands offered" } else { "decks sold" };
    let x = Axis::new(sold, (0.0, f64::from(b.decks)), 8, fixed);
    let y = Axis::money("profit of the house", casino, range, 6);
    let [low, _, median, _, high] = b.fan.last().map_or([none; 5], |last| last.quantiles);
    let cents = |e: Estimate| money(e.value, casino, false);
    Chart {
        name: "profit-over-the-night".into(),
        title: format!(
            "A typical night of {decks} {} {}; {} end with a loss",
            brings(median.value),
            money(median.value.abs(), casino, true),
            losing.value
        ),
        caption: format!(
            "How luck changes the house's profit during the night. Line: median; bands: the middle half of \
                 all nights, and nine in ten. After {decks}, half of all nights bring {} or more and nine \
                 in ten lie between {} and {}; {} end with a loss.{}",
            cents(median),
            cents(low),
            cents(high),
            losing.both(),
            measured(
                report,
                " The thin bands around the median and the outer lines are 95% intervals: they show how uncertain the \
                 measurement is."
            )
            .unwrap_or_default(),
        ),
        keys: [
            Key::line(Role::House, "median"),
            Key::area(Role::House, 0.5, "half of nights"),
            Key::area(Role::House, 0.22, "9 in 10"),
        ]
        .into_iter()
        .chain(measured(report, Key::area(Role::Ink, 0.35, "95% interval of a line")))
        .collect(),
        ..Chart::plot(x, y, marks)
    }
}

/// The lower left corner of a plot.
const WHOLE_LOW: (f64, f64) = (WHOLE.0, WHOLE.0);

/// How the night ends: the distribution of the profit after the last deck.
fn end(report: &BankrollReport<'_>) -> Chart {
    let b = report.bankroll;
    let casino = &report.rules.casino;
    let heights = b.night.iter().flat_map(|part| [part.chance.value, part.chance.high]);
    let highest = span(heights).map_or(0.0, |(_, high)| high.min(1.0)).max(1e-4) * 100.0;
    let dollars = |cents: i64| cents as f64 / 100.0;
    // Profits beyond those that can be would only lengthen the axis.
    let can_be = |part: &NightPart| part.chance.high > 0.0;
    let first = b.night.iter().position(can_be).unwrap_or(0);
    let last = b.night.iter().rposition(can_be).map_or(b.night.len(), |last| last + 1);
    let night = &b.night[first..last];
    let ends = night.iter().flat_map(|part| [dollars(part.from), dollars(part.to)]);
    let range = span(ends).unwrap_or((-1.0, 1.0));
    // Between bars there is a little of the page.
    let gap = (range.1 - range.0) * 0.001;
    let mut marks = Vec::new();
    for part in night {
        let role = if part.to <= 0 { Role::Player } else { Role::House };
        let (from, to) = (dollars(part.from), dollars(part.to));
        let chance = scaled(part.chance, 100.0);
        marks.push(Mark::Bars(vec![Bar {
            x: (from + gap, to - gap),
            y: (0.0, chance.value),
            role,
            shade: 0.85,
        }]));
        let middle = (from + to) / 2.0;
        marks.push(Mark::limits(middle, chance, Role::Ink, 3));
    }
    if (range.0..=range.1).contains(&0.0) {
        marks.push(Mark::upright(0.0, Role::Ink, false));
    }
    let rest = |e: Estimate| Estimate { value: 1.0 - e.value, low: 1.0 - e.high, high: 1.0 - e.low };
    let (loses, gains) = (risk(b.losing_night), gain_estimate(b.profit, casino));
    let x = Axis::money("profit of the house at the end", casino, range, 8);
    let y = Axis::percent("share of nights, %", (0.0, (highest * 1.06).min(100.0)), 5);
    Chart {
        name: "profit-at-the-end".into(),
        title: format!(
            "A night of {} {} {} on average; {} end with a loss",
            hands(report, b.decks),
            brings(b.profit.value),
            money(b.profit.value.abs(), casino, false),
            loses.value
        ),
        caption: format!(
            "How often the house ends the night with each profit. It loses on {} of nights; its profit is {} on \
                 average.{}",
            loses.both(),
            gains.both(),
            measured(report, " The lines on the bars are 95% intervals of their heights.")
                .unwrap_or_default()
        ),
        keys: [
            Key::area(Role::Player, 0.85, format!("house loses: {}", loses.value)),
            Key::area(
                Role::House,
                0.85,
                format!("house does not lose: {}", risk(rest(b.losing_night)).value),
            ),
        ]
        .into_iter()
        .chain(measured(report, Key::upright(Role::Ink, "95% interval")))
        .collect(),
        markers: vec![Marker::new(b.profit.value / 100.0, Role::Ink, format!("mean {}", gains.both()))],
        ..Chart::plot(x, y, marks)
    }
}

/// The risk of ruin against the bank.
fn ruin(report: &BankrollReport<'_>) -> Chart {
    let b = report.bankroll;
    let casino = &report.rules.casino;
    let whole = |cents: i64| money(cents as f64, casino, false);
    let known = b.ruin_by_bank.iter().map(|p| (p.bank as f64 / 100.0, scaled(p.ruin, 100.0)));
    let mut points: Vec<(f64, Estimate)> = known.collect();
    let (least, most) = span(points.iter().map(|(bank, _)| *bank)).unwrap_or((0.0, 1.0));
    let (bank, one) = (b.bank as f64 / 100.0, b.bank_for_1_percent.value / 100.0);
    if bank < least {
        // It cannot pay even one greatest loss, and is ruined before it begins.
        let sure = Estimate { value: 100.0, low: 100.0, high: 100.0 };
        points.splice(0..0, [(bank, sure), (least, sure)]);
    }
    let hue = Role::Series(0);
    let said = money_estimate(b.bank_for_1_percent, casino);
    let ruined = risk_of_bank(b, b.bank, b.ruin);
    let decks = hands(report, b.decks);
    let can = b.can_ruin(b.bank);
    let named = match can {
        true => format!("bank {}: ruin on {} of nights", whole(b.bank), ruined.value),
        false => format!("bank {}: ruin cannot happen", whole(b.bank)),
    };
    let mut marks = Mark::curve(&points, hue).to_vec();
    marks.push(Mark::dots(vec![(one, 1.0)], Role::Muted, 10));
    // The bank for 1% is a line of its own; that of the bank asked for may be far away.
    let mut markers = Vec::new();
    let highest = span(points.iter().flat_map(|(_, ruin)| [ruin.value, ruin.high])).map_or(0.0, |it| it.1);
    let top = (highest.max(0.01) * 1.04).min(100.0);
    if bank > most {
        marks.push(Mark::note((WHOLE.1, top * 0.9), format!("{named} →"), Role::Ink, Stand::Left));
    } else {
        marks.push(Mark::dots(vec![(bank, b.ruin.value * 100.0)], Role::Ink, 10));
        markers.push(Marker::new(bank, Role::Ink, named));
    }
    markers.push(Marker::new(one, Role::Muted, format!("1% risk: bank {}", said.both())));
    let x = Axis::money("bank before the first deck", casino, (least.min(bank), most), 8);
    let y = Axis::percent("nights with ruin, %", (0.0, top), 6);
    Chart {
        name: "ruin-by-bank".into(),
        title: match can {
            true => format!("A bank of {} is ruined on {} of nights of {decks}", whole(b.bank), ruined.value),
            false => format!("A bank of {} cannot be ruined in a night of {decks}", whole(b.bank)),
        },
        caption: format!(
            "The share of nights that ruin a bank (line){}. A bank is ruined when it cannot cover the greatest loss of one deck, \
             {}. A bank of {} {}; a risk of 1% takes a bank of {}.",
            measured(report, ", with 95% intervals (band)").unwrap_or_default(),
            whole(b.greatest_loss),
            whole(b.bank),
            match can {
                true => format!("is ruined on {} of nights", ruined.both()),
                false => format!("covers that {} times, and cannot be ruined", b.decks),
            },
            said.both(),
        ),
        keys: std::iter::once(Key::line(hue, "risk of ruin"))
            .chain(measured(report, Key::area(hue, 0.28, "95% interval")))
            .collect(),
        markers,
        ..Chart::plot(x, y, marks)
    }
}
