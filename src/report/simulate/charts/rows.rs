//! Entries as rows: games won, house edge, mean cards, and the value of stopping.

use super::common::{edge_axis, hues, subtitle};
use crate::chart::{
    Axis, Chart, Divide, Mark, Role, Row, both_sides, both_sides_of_edges, padded, pair, scaled, span,
};
use crate::format::{FormattedEstimate, Side, edge, fixed, gain_estimate, games, mean, money, percent};
use crate::report::bounds::{edge_between, mean_between, percent_between};
use crate::report::clairvoyant::{about, after, name};
use crate::report::labels::{Label, labels, upper_first};
use crate::report::stakes::worth;
use crate::report::verdict::tally_of_sides;
use crate::report::{Clairvoyant, Entry};
use crate::stats::{Bounded, Estimate};

/// Approximate number of ticks of an axis beside names and figures.
const TICKS: usize = 8;

/// Returns what distinguishes an entry from the others, for titles: its player, its ruleset, or both.
fn short_names(entries: &[Entry<'_>]) -> Vec<String> {
    let labels = labels(entries);
    let one_rules = labels.iter().all(|label| label.rules == labels[0].rules);
    let one_player = labels.iter().all(|label| label.player == labels[0].player);
    let name = |label: &Label| match (one_rules, one_player) {
        (true, _) => label.player.clone(),
        (_, true) => label.rules.clone(),
        _ => format!("{} in {}", label.player, label.rules),
    };
    labels.iter().map(name).collect()
}

/// Returns the entries with the highest and the lowest figure, by name, with their figures.
fn ends(
    entries: &[Entry<'_>],
    figure: impl Fn(&Entry<'_>) -> Option<Estimate>,
) -> Option<[(String, Estimate); 2]> {
    let all =
        entries.iter().zip(short_names(entries)).filter_map(|(entry, name)| Some((name, figure(entry)?)));
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
    row: impl Fn(&Entry<'_>, Role) -> Option<(Estimate, Role, FormattedEstimate)>,
    bounds: impl Fn(&Clairvoyant) -> Option<(Bounded, FormattedEstimate)>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    let (hues, labels) = (hues(entries), labels(entries));
    for (i, (entry, label)) in entries.iter().zip(&labels).enumerate() {
        let name_of = || pair(&label.rules, &label.player);
        let own = row(entry, hues.of(&label.player));
        rows.extend(own.map(|(estimate, role, said)| Row::new(name_of(), estimate, role, said)));
        let Some(known) = after(entries, i) else { continue };
        rows.extend(bounds(known).map(|(b, said)| Row {
            name: pair(&label.rules, &name(known)),
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

pub(super) fn win_rates(entries: &[Entry<'_>]) -> Chart {
    let row = |entry: &Entry<'_>, hue| {
        let rate = entry.summary.win_rate;
        Some((rate, hue, percent(rate)))
    };
    let bounds = |known: &Clairvoyant| Some((known.winnable.share, percent_between(known.winnable.share)));
    let rows: Vec<Row> = rows(entries, row, bounds).into_iter().map(Row::percent).collect();
    let shown = rows.iter().flat_map(|r| [r.estimate.value, r.estimate.high]);
    let most = span(shown).map_or(1.0, |(_, high)| high.max(0.01));
    let range = (0.0, padded((0.0, most), 0.06).1.min(100.0));
    let x = Axis::percent("games won, % of all games", range, TICKS);
    let found = ends(entries, |entry| Some(entry.summary.win_rate));
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
    match entries.iter().filter(|entry| entry.summary.stakes.is_some()).count() {
        0 => prices,
        n if n == entries.len() => steps,
        _ => both,
    }
}

/// Says who gains, and how much.
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
    let priced = entries.iter().filter(|entry| entry.summary.house_edge.is_some()).count();
    match (priced, Side::of(a), Side::of(b)) {
        (1, Side::Open, _) => format!("Too close to call: the house edge is {}", edge(a).value),
        (1, ..) => format!("The house {} of the stake", keeps(a)),
        _ => format!("The house {} against {most} and {} against {least}", keeps(a), keeps(b)),
    }
}

pub(super) fn edges(entries: &[Entry<'_>]) -> Option<Chart> {
    entries.iter().find(|entry| entry.summary.house_edge.is_some())?;
    let row = |entry: &Entry<'_>, _| {
        let e = entry.summary.house_edge?;
        Some((e, Role::of_edge(e), edge(e)))
    };
    let bounds = |known: &Clairvoyant| known.most_cards.house_edge.map(|e| (e, edge_between(e)));
    let rows: Vec<Row> = rows(entries, row, bounds).into_iter().map(Row::percent).collect();
    let shown = rows.iter().flat_map(|r| [r.estimate.value, r.estimate.low, r.estimate.high]);
    let range = both_sides_of_edges(shown);
    let x = Axis::percent(edge_axis(entries), range, TICKS);
    let found = match entries {
        [only] => only.summary.house_edge.map_or(String::new(), |e| format!("Here: {}.", edge(e).both())),
        _ => tally_of_sides(entries),
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
pub(super) fn mean_cards(entries: &[Entry<'_>]) -> Option<Chart> {
    entries.iter().find(|entry| entry.clairvoyant.is_some())?;
    let row = |entry: &Entry<'_>, hue| Some((entry.summary.cards, hue, mean(entry.summary.cards)));
    let bounds = |known: &Clairvoyant| Some((known.most_cards.cards, mean_between(known.most_cards.cards)));
    let rows = rows(entries, row, bounds);
    let shown = rows.iter().flat_map(|row| [row.estimate.value, row.estimate.high]);
    let most = span(shown).map_or(1.0, |(_, high)| high.max(1.0));
    let all = entries.iter().map(|entry| entry.rules.cards()).max().unwrap_or(52) as f64;
    let range = (0.0, padded((0.0, most), 0.04).1.min(all));
    let x = Axis::new("mean cards on the foundations", range, TICKS, fixed);
    let title = match ends(entries, |entry| Some(entry.summary.cards)) {
        Some([(name, e), _]) => match entries.iter().find_map(|entry| entry.clairvoyant) {
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

/// Draws the value of stopping at each stage of the stake, if games were stopped.
pub(super) fn stops(entry: &Entry<'_>) -> Option<Chart> {
    let casino = &entry.rules.casino;
    let stages = entry.summary.stakes.iter().flat_map(|stakes| &stakes.stages);
    let row = |stage: &crate::stats::StageSummary| {
        let worth = stage.worth_of_stopping.filter(|e| e.low.is_finite() && e.high.is_finite())?;
        let role = match Side::of(worth) {
            // A gain of the player is no edge of the house.
            Side::House => Role::Player,
            Side::Player => Role::House,
            Side::Open => Role::Muted,
        };
        let name = format!("{}, {} stopped", stage.at, games(stage.stopped));
        Some(Row::new(name, scaled(worth, 0.01), role, gain_estimate(worth, casino)))
    };
    let rows: Vec<Row> = stages.filter_map(row).collect();
    let best = rows.iter().max_by(|a, b| a.estimate.value.total_cmp(&b.estimate.value))?;
    let title = match best.estimate.low > 0.0 {
        true => format!("Stopping is worth most at {}: {} a game", best.name, best.said.value),
        false => "At no stage is stopping known to be worth more than going on".into(),
    };
    let range = both_sides(rows.iter().flat_map(|r| [r.estimate.value, r.estimate.low, r.estimate.high]));
    let currency = casino.currency.trim();
    let x = Axis::new(format!("value of stopping, {currency} a game stopped"), range, TICKS, |v, d| {
        money(v * 100.0, casino, d == 0)
    });
    let all = entry.summary.stakes.as_ref().and_then(|stakes| worth(entry, stakes));
    let all = all.map_or(String::new(), |worth| format!(" Over all games it comes to {worth}."));
    let divide = Divide {
        at: 0.0,
        left: ("← better to continue".into(), Role::House),
        right: ("better to stop →".into(), Role::Player),
    };
    Some(Chart {
        name: "stopping".into(),
        title,
        subtitle: subtitle(entry),
        caption: format!(
            "The mean gain of stopping at a stage over buying it and all later ones, in the games that were \
                 stopped there (line), with its 95% interval (box).{all}"
        ),
        ..Chart::rows(x, rows, currency, Vec::new()).divided(divide)
    })
}
