//! The charts of solved deals: what strategies leave and how many cards go up, how the most cards are spread, and what it
//! took.

use super::SolveReport;
use crate::chart::{Axis, Bar, Beside, Chart, Hues, Key, Mark, Marker, Role, Stand};
use crate::figures::{count, fixed, share};
use crate::report::bounds::mean_between;
use crate::report::labels::upper_first;
use crate::solver::{Goal, Verdict};
use crate::stats::{Bounded, MostCards};

/// What the player who knows every card is called in charts.
const CLAIRVOYANT: &str = "clairvoyant";
/// Lines that can be told apart.
const LINES: usize = 6;
/// A bar so many times as high as the next is cut: it would dwarf all others.
const TOWER: f64 = 2.5;
/// Height of a row with a bar.
const ROW: i32 = 70;

/// The charts that a report has, where it has strategies, or the most cards were asked.
pub(super) struct Charts {
    pub left: Option<Chart>,
    pub curves: Option<Chart>,
    pub most: Option<Chart>,
    pub effort: Chart,
}

pub(super) fn solve_charts(report: &SolveReport<'_>) -> Charts {
    let most = report.most_cards().filter(|_| report.goal == Goal::Cards);
    let with_players = most.as_ref().filter(|_| !report.players.is_empty());
    let titled = |chart: Chart| Chart { subtitle: report.subtitle(), ..chart };
    Charts {
        left: with_players.map(|most| titled(left(report, most))),
        curves: with_players.map(|most| titled(curves(report, most))),
        most: most.as_ref().map(|most| titled(most_cards(report, most))),
        effort: titled(effort(report)),
    }
}

/// What players leave on the table: mean cards, and how far from them to the most that the deals allow.
fn left(report: &SolveReport<'_>, most: &MostCards) -> Chart {
    let names = report.names();
    let hues = Hues::new(names.clone());
    let (mut marks, mut beside) = (Vec::new(), Vec::new());
    let mut bar = |row: usize, cards: f64, (low, high): (f64, f64), most: Bounded, role: Role| {
        let y = (row as f64 + 0.21, row as f64 + 0.79);
        let sure = most.least.max(cards);
        let parts = [
            (0.0, cards, role, 1.0),
            (cards, sure, Role::Clairvoyant, 0.45),
            (sure, most.most.max(sure), Role::Clairvoyant, 0.18),
        ];
        let parts = parts.into_iter().filter(|(from, to, ..)| to > from);
        marks.push(Mark::Bars(
            parts.map(|(from, to, role, shade)| Bar { x: (from, to), y, role, shade }).collect(),
        ));
        let at = row as f64 + 0.5;
        marks.push(Mark::thin(vec![(low, at), (high, at)], Role::Ink));
        marks.extend([low, high].map(|x| Mark::thin(vec![(x, at - 0.13), (x, at + 0.13)], Role::Ink)));
    };
    for (row, (name, it)) in names.iter().zip(&report.players).enumerate() {
        let cards = it.summary.cards;
        bar(row, cards.value, (cards.low, cards.high), it.left.ceiling, hues.of(name));
        let said = mean_between(it.left.cards);
        beside.push(Beside { at: row as f64 + 0.5, text: said.value, more: said.interval, role: Role::Ink });
    }
    let last = names.len();
    bar(last, most.cards.least, (most.cards.low, most.cards.high), most.cards, Role::Clairvoyant);
    let reach = mean_between(most.cards);
    let text = format!("reaches {}", reach.value);
    beside.push(Beside { at: last as f64 + 0.5, text, more: reach.interval, role: Role::Ink });
    let least = names
        .iter()
        .zip(&report.players)
        .min_by(|(_, a), (_, b)| a.left.cards.least.total_cmp(&b.left.cards.least));
    let [title, who] = least.map_or([String::new(), String::new()], |(name, it)| {
        let said = mean_between(it.left.cards);
        let lead =
            if names.len() > 1 { format!("The least is left by {name}:") } else { format!("{name} leaves") };
        [
            format!("{} leaves {} cards a game on the table", upper_first(name), said.value),
            format!("{lead} {} cards a game.", said.both()),
        ]
    });
    let all = report.bounds.all() as f64;
    let x = Axis::new("mean cards on the foundations", (0.0, all), 8, |v, _| format!("{v:.0}"));
    let rows = names.iter().map(String::as_str).chain([CLAIRVOYANT]);
    let mut chart = Chart::plot(x, Axis::rows("", rows), marks);
    chart.panels[0].beside = beside;
    chart.panels[0].beside_title = "cards left, 95% interval".into();
    Chart {
        name: "left-on-the-table".into(),
        title,
        caption: format!(
            "Mean cards of each strategy (bar, with its 95% interval) on the solved deals, and how many \
                 more cards a player who knows every card would bring up: certain (light), and possible \
                 where a deal is undecided (lighter). {who}"
        ),
        keys: vec![
            Key::area(Role::Clairvoyant, 0.45, "left on the table"),
            Key::area(Role::Clairvoyant, 0.18, "perhaps left: undecided"),
            Key::line(Role::Ink, "95% interval"),
        ],
        height: (last as i32 + 1) * ROW,
        ..chart
    }
}

/// The share with so many cards or more, by cards.
fn at_least(histogram: &[u64]) -> Vec<f64> {
    let all = histogram.iter().sum::<u64>().max(1) as f64;
    let mut so_far = 0;
    let so_many = |deals: &u64| {
        so_far += deals;
        so_far as f64 / all
    };
    let mut shares: Vec<f64> = histogram.iter().rev().map(so_many).collect();
    shares.reverse();
    shares
}

/// A step in percent wherever the share changes.
fn steps(histogram: &[u64]) -> Vec<(f64, f64)> {
    let shares = at_least(histogram);
    let step = |(cards, share): (usize, &f64)| [-0.5, 0.5].map(|side| (cards as f64 + side, share * 100.0));
    shares.iter().enumerate().flat_map(step).collect()
}

/// The cards from which on the player does not lose, where cards alone say so.
fn break_even(report: &SolveReport<'_>) -> Option<u16> {
    let casino = &report.rules.casino;
    if casino.is_staged() || casino.stake <= 0 {
        return None;
    }
    let all = report.bounds.all();
    if !casino.is_settled_by_cards(all) {
        return None;
    }
    let even = |&cards: &usize| crate::stats::payout(casino, cards, all) >= casino.stake;
    (0..=all).find(even).filter(|&cards| cards > 0).map(|cards| cards as u16)
}

/// The share of deals on which at least so many cards go up, for each strategy and for who knows every card.
fn curves(report: &SolveReport<'_>, most: &MostCards) -> Chart {
    let names = report.names();
    let hues = Hues::new(names.clone());
    let [least, highest] = [&most.histogram_least, &most.histogram_most].map(|it| steps(it));
    let band = least.iter().zip(&highest).map(|(low, high)| (low.0, low.1, high.1)).collect();
    let mut marks = vec![
        Mark::band(band, Role::Clairvoyant, 0.22),
        Mark::thin(highest, Role::Clairvoyant),
        Mark::line(least, Role::Clairvoyant),
    ];
    let lines = || names.iter().zip(&report.players).take(LINES);
    marks.extend(lines().map(|(name, player)| Mark::line(steps(&player.summary.histogram), hues.of(name))));
    let mut keys: Vec<Key> = lines().map(|(name, _)| Key::line(hues.of(name), name)).collect();
    keys.push(Key::line(Role::Clairvoyant, CLAIRVOYANT));
    if most.histogram_least != most.histogram_most {
        keys.push(Key::area(Role::Clairvoyant, 0.22, "undecided deals"));
    }
    let even = break_even(report);
    let known = even.map(|cards| {
        let at =
            |histogram: &[u64]| share(at_least(histogram).get(usize::from(cards)).copied().unwrap_or(0.0));
        let (low, high) = (at(&most.histogram_least), at(&most.histogram_most));
        (cards, if low == high { low } else { format!("{low} to {high}") })
    });
    let told = known.as_ref().map_or(String::new(), |(cards, known)| {
        format!(" With every card known {known} of deals reach the {cards} that break even.")
    });
    let shown = if report.players.len() > LINES {
        format!(" The first {LINES} strategies are shown.")
    } else {
        String::new()
    };
    let all = report.bounds.all();
    let x = Axis::whole("at least this many cards on the foundations", all, all.div_ceil(52) * 4);
    let y = Axis::percent("share of deals, %", (0.0, 104.0), 5);
    Chart {
        name: "cards-reached".into(),
        title: match known {
            Some((cards, known)) => {
                format!("Knowing every card, {known} of deals reach the {cards} cards that break even")
            }
            None => format!("Knowing every card, {} cards go up on average", mean_between(most.cards).value),
        },
        caption: format!(
            "The share of deals on which at least this many cards were brought up by each strategy (lines), and can be by a player \
             who knows every card (violet; a band where deals are undecided).{told}{shown}"
        ),
        keys,
        markers: even
            .map(|cards| Marker::new(f64::from(cards), Role::Muted, format!("break-even: {cards} cards")))
            .into_iter()
            .collect(),
        ..Chart::plot(x, y, marks)
    }
}

/// The distribution of the most cards of a deal; an undecided deal stands at both of its bounds.
fn most_cards(report: &SolveReport<'_>, most: &MostCards) -> Chart {
    let all = report.bounds.all();
    let answers = report.answers.len();
    let percent = |deals: u64| deals as f64 / answers.max(1) as f64 * 100.0;
    // Proven, then those that may be: at their least and at their most.
    let parts: Vec<[f64; 2]> = (0..=all)
        .map(|cards| {
            let proven = most.histogram_proven[cards];
            let open = most.histogram_least[cards] + most.histogram_most[cards] - 2 * proven;
            [percent(proven), percent(proven + open)]
        })
        .collect();
    let mut heights: Vec<f64> = parts.iter().map(|part| part[1]).collect();
    heights.sort_by(|a, b| b.total_cmp(a));
    let (first, second) = (heights[0], heights.get(1).copied().unwrap_or(0.0));
    let cut = second > 0.0 && first > TOWER * second;
    let top = if cut { 1.5 * second } else { first.max(0.01) * 1.06 };
    let mut marks = Vec::new();
    for (cards, &[proven, may]) in parts.iter().enumerate().filter(|(_, part)| part[1] > 0.0) {
        let at = cards as f64;
        let tower = cut && may >= first;
        // Of a bar that is cut the parts are kept in proportion.
        let sure = if tower { top * proven / may } else { proven };
        let bar = |from: f64, to: f64, shade: f64| Bar {
            x: (at - 0.4, at + 0.4),
            y: (from, to),
            role: Role::Clairvoyant,
            shade,
        };
        let bars = [bar(0.0, if tower && may == proven { may } else { sure }, 1.0), bar(sure, may, 0.3)];
        marks.push(Mark::Bars(bars.into_iter().filter(|bar| bar.y.1 > bar.y.0).collect()));
        if tower {
            let open = if may > proven { format!(" to {}%", fixed(may, 1)) } else { String::new() };
            let said = format!("{cards}: {}%{open} of deals (bar cut)", fixed(proven, 1));
            marks.push(Mark::note((at - 0.6, top), said, Role::Ink, Stand::Left));
        }
    }
    let even = break_even(report).map(|cards| {
        let label = format!("break-even: the player does not lose from {cards} cards on");
        Marker::new(f64::from(cards) - 0.5, Role::Ink, label)
    });
    let said = mean_between(most.cards);
    let mean = Marker::new(most.cards.least, Role::Muted, format!("mean {}", said.both()));
    let mut keys = vec![Key::area(Role::Clairvoyant, 1.0, "proven")];
    let open = answers as u64 - most.proven.min(answers as u64);
    if open > 0 {
        keys.push(Key::area(Role::Clairvoyant, 0.3, "undecided: at least, and at most"));
    }
    let told = match open {
        0 => "All are proven.".to_string(),
        _ => format!(
            "{} of deals are undecided and are drawn twice, lighter: at the cards that were reached, and at the most not \
             ruled out.",
            share(open as f64 / answers.max(1) as f64)
        ),
    };
    let x = Axis::whole("most cards on the foundations", all, all.div_ceil(52) * 4);
    let y = Axis::percent("share of deals, %", (0.0, top), 5);
    Chart {
        name: "most-cards".into(),
        title: format!("A deal allows {} cards on average", said.value),
        caption: format!(
            "How often each number of cards was the most that can be brought up; {} on average. {told}",
            said.both()
        ),
        keys,
        markers: even.into_iter().chain([mean]).collect(),
        ..Chart::plot(x, y, marks)
    }
}

/// How many deals were decided within how many positions.
fn effort(report: &SolveReport<'_>) -> Chart {
    let all = report.answers.len().max(1);
    let last = report.answers.iter().map(|answer| answer.nodes).max().unwrap_or(1).max(10) as f64;
    // The positions that each deal with such an answer took, ascending.
    let nodes = |which: &dyn Fn(Verdict) -> bool| {
        let some = report.answers.iter().filter(|answer| which(answer.verdict));
        let mut nodes: Vec<u64> = some.map(|answer| answer.nodes.max(1)).collect();
        nodes.sort_unstable();
        nodes
    };
    let line = |nodes: &[u64], role: Role| {
        let percent = |deals: usize| deals as f64 / all as f64 * 100.0;
        let step = |(i, &n): (usize, &u64)| [i, i + 1].map(|deals| ((n as f64).log10(), percent(deals)));
        let mut points = vec![(0.0, 0.0)];
        points.extend(nodes.iter().enumerate().flat_map(step));
        points.push((f64::INFINITY, percent(nodes.len())));
        Mark::Line { points, role, width: 4, broken: false }
    };
    let decided = nodes(&|verdict| !matches!(verdict, Verdict::Unknown(_)));
    let marks = vec![
        line(&nodes(&|verdict| verdict == Verdict::Lost), Role::Muted),
        line(&nodes(&|verdict| verdict == Verdict::Won), Role::Series(0)),
        line(&decided, Role::Ink),
    ];
    let half = decided.get(all.div_ceil(2) - 1).map(|&nodes| count(nodes));
    let told = half
        .as_ref()
        .map_or(String::new(), |nodes| format!(" Half of the deals were decided within {nodes} positions."));
    let end = share(decided.len() as f64 / all as f64);
    let x = Axis::powers("positions expanded", (0.0, last.log10() * 1.01), |v| count(v.round() as u64));
    let y = Axis::percent("share of deals, %", (0.0, 104.0), 5);
    Chart {
        name: "effort".into(),
        title: match half {
            Some(nodes) => {
                format!("Half of the deals were decided within {nodes} positions; in the end {end}")
            }
            None => format!("{end} of the deals were decided"),
        },
        caption: format!(
            "The share of deals that were known to be won, or lost, after this many positions were expanded; the rest were still undecided.\
             {told} In the end {end} were decided."
        ),
        keys: vec![
            Key::line(Role::Ink, "decided"),
            Key::line(Role::Series(0), "can be won"),
            Key::line(Role::Muted, "lost"),
        ],
        ..Chart::plot(x, y, marks)
    }
}

#[cfg(test)]
mod tests {
    use super::at_least;

    #[test]
    fn shares_fall_from_all() {
        assert_eq!(at_least(&[1, 0, 2, 1]), [1.0, 0.75, 0.75, 0.25]);
    }
}
