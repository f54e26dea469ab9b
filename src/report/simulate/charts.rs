//! The charts that compare entries: games won, house edge and mean cards, one under the other.

use super::clairvoyant::{about, name};
use super::{Entry, Page};
use crate::chart::{Axis, Chart, Divide, Mark, Role, Row, both_sides_of_edges, padded, pair, span};
use crate::format::{FormattedEstimate, Side, edge, fixed, mean, percent};
use crate::lab::Clairvoyant;
use crate::report::bounds::{edge_between, mean_between, percent_between};
use crate::report::labels::{Label, upper_first};
use crate::stats::{Bounded, Estimate};

/// Approximate number of ticks of an axis beside names and figures.
pub(super) const TICKS: usize = 8;

impl Page<'_> {
    /// The charts that compare all entries. One that has nothing to show is left out, such as the edges where no deck has a
    /// fixed price.
    pub fn charts(&self) -> Vec<Chart> {
        let charts = [Some(win_rates(&self.entries)), edges(self), mean_cards(&self.entries)];
        charts.into_iter().flatten().collect()
    }
}

/// Returns the entries with the highest and the lowest figure, by name, with their figures.
fn ends(
    entries: &[Entry<'_>],
    figure: impl Fn(&Entry<'_>) -> Option<Estimate>,
) -> Option<[(String, Estimate); 2]> {
    let all = entries.iter().filter_map(|entry| Some((entry.short.clone(), figure(entry)?)));
    let all: Vec<(String, Estimate)> = all.collect();
    let most = all.iter().max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    let least = all.iter().rev().min_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    Some([most.clone(), least.clone()])
}

/// Returns whether the entries that win most and fewest games differ from all others with confidence.
fn apart(entries: &[Entry<'_>]) -> bool {
    let mut rates: Vec<Estimate> = entries.iter().map(|entry| entry.at_once.wins).collect();
    rates.sort_by(|a, b| a.value.total_cmp(&b.value));
    let [least, middle @ .., most] = &rates[..] else { return false };
    let others = |other: &Estimate| middle.iter().chain([other]).copied().collect::<Vec<_>>();
    others(most).iter().all(|it| it.low > least.high) && others(least).iter().all(|it| it.high < most.low)
}

/// Returns a row for each entry, and below the last of each ruleset that of the clairvoyant player.
fn rows(
    entries: &[Entry<'_>],
    row: impl Fn(&Entry<'_>) -> Option<(Estimate, Role, FormattedEstimate)>,
    bounds: impl Fn(&Clairvoyant) -> Option<(Bounded, FormattedEstimate)>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for entry in entries {
        let Label { rules, player } = &entry.label;
        rows.extend(
            row(entry).map(|(estimate, role, said)| Row::new(pair(rules, player), estimate, role, said)),
        );
        let Some(known) = entry.below else { continue };
        rows.extend(bounds(known).map(|(b, said)| Row {
            name: pair(rules, &name(known)),
            estimate: b.about_least(),
            bounds: Some((b.least, b.most)),
            role: Role::Clairvoyant,
            said,
        }));
    }
    rows
}

/// Returns the addition to the caption of a chart with clairvoyant rows.
fn of_clairvoyant(entries: &[Entry<'_>]) -> String {
    about(entries).map_or(String::new(), |about| {
        format!(
            " {about} Its row (violet) has two lines: the best result that was found, and the best that was \
                 not ruled out."
        )
    })
}

fn win_rates(entries: &[Entry<'_>]) -> Chart {
    let row = |entry: &Entry<'_>| {
        let rate = entry.found.summary.win_rate;
        Some((rate, entry.hue, percent(rate)))
    };
    let bounds = |known: &Clairvoyant| Some((known.winnable.share, percent_between(known.winnable.share)));
    let rows: Vec<Row> = rows(entries, row, bounds).into_iter().map(Row::percent).collect();
    let shown = rows.iter().flat_map(|r| [r.estimate.value, r.estimate.high]);
    let most = span(shown).map_or(1.0, |(_, high)| high.max(0.01));
    let range = (0.0, padded((0.0, most), 0.06).1.min(100.0));
    let x = Axis::percent("games won, % of all games", range, TICKS);
    let found = ends(entries, |entry| Some(entry.found.summary.win_rate));
    let title = match &found {
        Some([(_, a), (_, b)]) if entries.len() > 1 && percent(*a).value == percent(*b).value => {
            format!("Each wins {} of games", percent(*a).value)
        }
        Some([(most, a), (least, b)]) if entries.len() > 1 && apart(entries) => {
            format!(
                "Most games are won by {most}: {}; fewest by {least}: {}",
                percent(*a).value,
                percent(*b).value
            )
        }
        Some([(most, a), (least, b)]) if entries.len() > 1 => {
            format!("Games won: from {} by {least} to {} by {most}", percent(*b).value, percent(*a).value)
        }
        Some([(_, only), _]) => format!("{} of games are won", percent(*only).value),
        None => "Games won".into(),
    };
    let best = found.map_or(String::new(), |[(name, e), _]| match entries.len() {
        1 => format!(" Here: {}.", percent(e).both()),
        _ => format!(" Highest: {name}, {}.", percent(e).both()),
    });
    Chart {
        name: "win-rates".into(),
        title,
        subtitle: with_intervals("share of games won by ruleset and strategy", entries),
        caption: format!(
            "The share of games in which all cards went up (line), with its 95% interval (box).{best}{}",
            of_clairvoyant(entries)
        ),
        ..Chart::rows(x, rows, "points", Vec::new())
    }
}

/// Describes what is shown, and for how many entries its intervals and the title hold jointly.
fn with_intervals(what: &str, entries: &[Entry<'_>]) -> String {
    match entries {
        [_] => format!("{what}, with its 95% interval"),
        _ => format!("{what}, each with a 95% interval; the title holds for all at once"),
    }
}

/// Chooses by the kind of stakes: prices of decks, bought in stages, or both.
fn stakes<T>(entries: &[Entry<'_>], [prices, steps, both]: [T; 3]) -> T {
    match entries.iter().filter(|entry| entry.found.summary.stakes.is_some()).count() {
        0 => prices,
        n if n == entries.len() => steps,
        _ => both,
    }
}

fn title_of_edges(entries: &[Entry<'_>]) -> String {
    let Some([(most, a), (least, b)]) = ends(entries, |entry| entry.at_once.edge) else {
        return "House edge".into();
    };
    let keeps = |e: Estimate| {
        let size = edge(Estimate { value: e.value.abs(), ..e }).value.replace('+', "");
        match Side::of(e) {
            Side::House => format!("keeps {size}"),
            Side::Player => format!("loses {size}"),
            Side::Open => format!("may keep or lose ({})", edge(e).value),
        }
    };
    let priced = entries.iter().filter(|entry| entry.found.summary.house_edge.is_some()).count();
    match (priced, Side::of(a), Side::of(b)) {
        (1, Side::Open, _) => format!("Too close to call: the house edge is {}", edge(a).value),
        (1, ..) => format!("The house {} of the stake", keeps(a)),
        _ => format!("The house {} against {most} and {} against {least}", keeps(a), keeps(b)),
    }
}

fn edges(page: &Page<'_>) -> Option<Chart> {
    let entries = &page.entries[..];
    entries.iter().find(|entry| entry.found.summary.house_edge.is_some())?;
    let row = |entry: &Entry<'_>| {
        let e = entry.found.summary.house_edge?;
        Some((e, Role::of_edge(e), edge(e)))
    };
    let bounds = |known: &Clairvoyant| known.most_cards.house_edge.map(|e| (e, edge_between(e)));
    let rows: Vec<Row> = rows(entries, row, bounds).into_iter().map(Row::percent).collect();
    let shown = rows.iter().flat_map(|r| [r.estimate.value, r.estimate.low, r.estimate.high]);
    let range = both_sides_of_edges(shown);
    let x = Axis::percent(edge_axis(entries), range, TICKS);
    let found = match entries {
        [only] => {
            only.found.summary.house_edge.map_or(String::new(), |e| format!("Here: {}.", edge(e).both()))
        }
        _ => page.sides(),
    };
    let kept = stakes(
        entries,
        [
            "each deck's price",
            "what is staked",
            "each deck's price, or of what is staked where that is bought in stages",
        ],
    );
    let subtitle = stakes(
        entries,
        [
            "what the house keeps of the price of a deck",
            "what the house keeps of what is staked",
            "what the house keeps of the price, or of a stake bought in stages",
        ],
    );
    let chart = Chart::rows(x, rows, "points", Mark::sides_along().to_vec()).divided(Divide::sides());
    Some(Chart {
        name: "house-edge".into(),
        title: title_of_edges(entries),
        subtitle: with_intervals(subtitle, entries),
        caption: format!(
            "What the house keeps of {kept} (line), with its 95% interval (box): right of the zero line the house gains, \
             left of it the player. {found}{}",
            of_clairvoyant(entries)
        ),
        ..chart
    })
}

/// Draws the mean cards, if an entry has a clairvoyant result.
fn mean_cards(entries: &[Entry<'_>]) -> Option<Chart> {
    entries.iter().find(|entry| entry.below.is_some())?;
    let row = |entry: &Entry<'_>| {
        let cards = entry.found.summary.cards;
        Some((cards, entry.hue, mean(cards)))
    };
    let bounds = |known: &Clairvoyant| Some((known.most_cards.cards, mean_between(known.most_cards.cards)));
    let rows = rows(entries, row, bounds);
    let shown = rows.iter().flat_map(|row| [row.estimate.value, row.estimate.high]);
    let most = span(shown).map_or(1.0, |(_, high)| high.max(1.0));
    let all = entries.iter().map(|entry| entry.found.spec.cards()).max().unwrap_or(52) as f64;
    let range = (0.0, padded((0.0, most), 0.04).1.min(all));
    let x = Axis::new("mean cards on the foundations", range, TICKS, fixed);
    let title = match ends(entries, |entry| Some(entry.found.summary.cards)) {
        Some([(name, e), _]) => match entries.iter().find_map(|entry| entry.below) {
            Some(known) => format!(
                "{} brings up {} cards a game; knowing every card, {} are possible",
                upper_first(&name),
                mean(e).value,
                mean_between(known.most_cards.cards).value
            ),
            None => format!("{} brings up {} cards a game", upper_first(&name), mean(e).value),
        },
        None => "Mean cards".into(),
    };
    Some(Chart {
        name: "mean-cards".into(),
        title,
        subtitle: "cards a game by ruleset and strategy, with 95% intervals".into(),
        caption: format!(
            "Mean cards on the foundations (line), with the 95% interval (box).{}",
            of_clairvoyant(entries)
        ),
        ..Chart::rows(x, rows, "cards", Vec::new())
    })
}

pub(super) fn edge_axis(entries: &[Entry<'_>]) -> &'static str {
    match entries.iter().all(|entry| entry.found.summary.stakes.is_none()) {
        true => "house edge, % of the deck's price",
        false => "house edge, % of the stake",
    }
}
