//! The share of deals on which at least so many cards go up, for each strategy and for who knows every card.

use super::{CLAIRVOYANT, colour};
use crate::report::charts::axis::Axis;
use crate::report::charts::canvas::{ChartError, Page};
use crate::report::charts::frame::{Frame, Key, Mark, Marker, Plot, TEXT};
use crate::report::charts::text;
use crate::report::figures::{fixed, share};
use crate::report::solve::SolveReport;

pub(super) const TITLE: &str = "How many cards go up";
pub(super) const HEIGHT: u32 = 960;

/// Lines that can be told apart.
const LINES: usize = 4;

/// The share with so many cards or more, by cards.
fn at_least(histogram: &[u64]) -> Vec<f64> {
    let all = histogram.iter().sum::<u64>().max(1) as f64;
    let mut so_far = 0;
    let mut shares: Vec<f64> = histogram
        .iter()
        .rev()
        .map(|deals| {
            so_far += deals;
            so_far as f64 / all
        })
        .collect();
    shares.reverse();
    shares
}

/// The cards from which on the player does not lose, where cards alone say so.
pub(super) fn break_even(report: &SolveReport<'_>) -> Option<u16> {
    let casino = &report.rules.casino;
    if casino.is_staged() || casino.stake <= 0 {
        return None;
    }
    let all = report.bounds.all();
    let even = |&cards: &usize| crate::stats::payout(casino, cards, all) >= casino.stake;
    (0..=all).find(even).filter(|&cards| cards > 0).map(|cards| cards as u16)
}

pub(super) fn caption(report: &SolveReport<'_>) -> String {
    let Some(most) = report.most_cards() else { return String::new() };
    let shown = match report.players.len() {
        n if n > LINES => format!(" The first {LINES} strategies are shown."),
        _ => String::new(),
    };
    let even = break_even(report).map(|cards| {
        let at =
            |histogram: &[u64]| share(at_least(histogram).get(usize::from(cards)).copied().unwrap_or(0.0));
        let (low, high) = (at(&most.histogram_least), at(&most.histogram_most));
        let known = if low == high { low } else { format!("{low} to {high}") };
        format!(" With every card known {known} of deals reach the {cards} that break even.")
    });
    format!(
        "The share of deals on which at least so many cards were brought up by each strategy (lines), and can be by a player \
         who knows every card (violet; a band where deals are not proven).{}{shown}",
        even.unwrap_or_default()
    )
}

pub(super) fn draw(page: &Page<'_, '_>, report: &SolveReport<'_>) -> Result<(), ChartError> {
    let palette = page.palette;
    let Some(most) = report.most_cards() else { return Ok(()) };
    let names: Vec<String> =
        report.names().iter().map(|name| text::elide(&text::clean(name), TEXT, 260.0)).collect();
    let mut keys: Vec<Key<'_>> = names
        .iter()
        .take(LINES)
        .enumerate()
        .map(|(i, name)| Key { mark: Mark::Line, colour: colour(palette, i), text: name })
        .collect();
    keys.push(Key { mark: Mark::Line, colour: palette.clairvoyant, text: CLAIRVOYANT });
    let marker = break_even(report).map(|cards| Marker {
        at: f64::from(cards),
        label: format!("break-even: {cards} cards"),
        colour: palette.muted,
    });
    let all = report.bounds.all();
    let frame = Frame {
        height: HEIGHT,
        title: TITLE,
        subtitle: &report.subtitle(),
        keys: &keys,
        markers: marker.as_slice(),
        x: Axis::whole("at least so many cards on the foundations", all, all.div_ceil(52) * 4),
        y: Axis::new("share of deals, %", (0.0, 104.0), 5, |v, d| format!("{}%", fixed(v, d))),
        side: None,
    };
    let plot = frame.draw(page)?;
    let [least, highest] = [&most.histogram_least, &most.histogram_most].map(|it| steps(&plot, it));
    page.band(&highest, &least, palette.clairvoyant, 0.22)?;
    page.line(highest, palette.clairvoyant, 3)?;
    page.line(least, palette.clairvoyant, 5)?;
    for (i, player) in report.players.iter().take(LINES).enumerate() {
        page.line(steps(&plot, &player.summary.histogram), colour(palette, i), 5)?;
    }
    page.line(vec![(plot.left, plot.bottom), (plot.right, plot.bottom)], palette.muted, 2)
}

/// A step wherever the share changes.
fn steps(plot: &Plot, histogram: &[u64]) -> Vec<(i32, i32)> {
    let shares = at_least(histogram);
    let mut points: Vec<(i32, i32)> = Vec::new();
    for (cards, share) in shares.iter().enumerate() {
        let [from, to] = [-0.5, 0.5].map(|side| plot.at(cards as f64 + side, share * 100.0));
        match points.last_mut() {
            Some(last) if last.1 == from.1 => *last = to,
            _ => points.extend([from, to]),
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::at_least;

    #[test]
    fn shares_fall_from_all() {
        assert_eq!(at_least(&[1, 0, 2, 1]), [1.0, 0.75, 0.75, 0.25]);
    }
}
