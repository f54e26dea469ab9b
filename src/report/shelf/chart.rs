//! Win rates of many rulesets, one row each, with a mark for every player.

use super::ShelfPage;
use crate::chart::{Axis, Chart, Hues, Key, Mark, padded, scaled, span};
use crate::figures::percent;
use crate::stats::{Estimate, TAIL, rate_at};

/// Height of a row.
const ROW: i32 = 36;

/// A ruleset with its rate by player; none where no games were played.
type Lane<'a> = (&'a str, Vec<Option<Estimate>>);

/// How many rulesets the last player may win as often as this one, all judged at once.
fn rivals(shelf: &ShelfPage<'_>, best: &str) -> usize {
    let tail = TAIL / shelf.rulesets.len().max(1) as f64;
    let played = shelf.rulesets.iter().filter_map(|row| Some((row.id, row.summaries.last()?)));
    let rates =
        played.filter(|(_, s)| s.games > 0).map(|(id, s)| (id, rate_at(tail, s.wins, s.undecided, s.games)));
    let (best, others): (Vec<_>, Vec<_>) = rates.partition(|(id, _)| *id == best);
    best.first().map_or(0, |(_, best)| others.iter().filter(|(_, other)| other.high >= best.low).count())
}

/// The chart of the shelf, its rows in order: the last player's best at the top.
pub(in crate::report) fn shelf_chart(shelf: &ShelfPage<'_>) -> Chart {
    let mut lanes: Vec<Lane<'_>> = shelf
        .rulesets
        .iter()
        .map(|row| (row.id, row.summaries.iter().map(|s| (s.games > 0).then_some(s.win_rate)).collect()))
        .collect();
    let rates =
        |lane: &Lane<'_>| -> Vec<f64> { lane.1.iter().rev().map(|e| e.map_or(-1.0, |e| e.value)).collect() };
    lanes.sort_by(|a, b| {
        let pairs = rates(b).into_iter().zip(rates(a));
        pairs.map(|(b, a)| b.total_cmp(&a)).find(|order| order.is_ne()).unwrap_or(a.0.cmp(b.0))
    });
    let hues = Hues::new(shelf.players.iter().copied());
    let mut marks = Vec::new();
    for (i, (_, estimates)) in lanes.iter().enumerate() {
        // The first player has the most games, and so the marks that would be hidden.
        for (player, estimate) in estimates.iter().enumerate().rev() {
            let Some(estimate) = estimate.map(|e| scaled(e, 100.0)) else { continue };
            let role = hues.of(shelf.players[player]);
            marks.push(Mark::Interval { row: i as f64 + 0.5, estimate, bounds: None, role });
        }
    }
    let all = lanes.iter().flat_map(|(_, estimates)| estimates.iter().flatten());
    let most =
        span(all.flat_map(|e| [e.value * 100.0, e.high * 100.0])).map_or(1.0, |(_, high)| high.max(0.01));
    let range = (0.0, padded((0.0, most), 0.03).1.min(100.0));
    let best = shelf.players.iter().enumerate().filter_map(|(i, player)| {
        let played = lanes.iter().filter_map(|(name, estimates)| Some((*name, (*estimates.get(i)?)?)));
        let (name, rate) = played.max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
        Some((name, *player, rate))
    });
    let best: Vec<(&str, &str, Estimate)> = best.collect();
    let title = match best.last() {
        Some((name, player, rate)) => {
            let said = percent(*rate).value;
            match rivals(shelf, name) {
                0 => format!("{player} wins most often in {name}: {said} of games"),
                1 => format!(
                    "{player} won most often in {name}: {said} of games; one other may be won as often"
                ),
                n => format!(
                    "{player} won most often in {name}: {said} of games; {n} others may be won as often"
                ),
            }
        }
        None => "Games won on the shelf".into(),
    };
    let told: Vec<String> = best
        .iter()
        .map(|(name, player, rate)| format!("{name} by {player}, {}", percent(*rate).both()))
        .collect();
    let told = if told.is_empty() { String::new() } else { format!(" Won most often: {}.", told.join("; ")) };
    let x = Axis::percent("games won, % of all games", range, 10);
    Chart {
        name: "win-rates".into(),
        title: crate::report::labels::upper_first(&title),
        subtitle: "share of games won by ruleset and player, with 95% intervals".into(),
        caption: format!(
            "The share of games in which all cards went up (line), with its 95% interval (box), for each ruleset and \
             player.{told}"
        ),
        keys: shelf.players.iter().map(|player| Key::interval(hues.of(player), *player)).collect(),
        height: lanes.len().max(1) as i32 * ROW,
        ..Chart::plot(x, Axis::rows("", lanes.iter().map(|lane| lane.0)), marks)
    }
}
