//! The distribution of cards, the break-even line and the house's winning side.

use super::axis::Axis;
use super::canvas::{ChartError, Page};
use super::frame::{Frame, Key, Mark, Marker};
use super::subtitle;
use crate::report::Entry;
use crate::report::bounds::mean_between;
use crate::report::clairvoyant::name;
use crate::report::figures::{fixed, mean, share};

pub(super) const TITLE: &str = "Cards on the foundations";
pub(super) const HEIGHT: u32 = 940;

/// The first number of cards at which the player does not lose; beyond the last where none does.
fn turn(entry: &Entry<'_>) -> usize {
    entry.summary.break_even_cards.map_or(usize::MAX, usize::from)
}

/// The share of games on the house's side of the break-even line.
pub(super) fn house_share(entry: &Entry<'_>) -> f64 {
    let s = entry.summary;
    let games: u64 = s.histogram.iter().sum();
    let lost: u64 = s.histogram.iter().take(turn(entry)).sum();
    if games == 0 { f64::NAN } else { lost as f64 / games as f64 }
}

pub(super) fn caption(entry: &Entry<'_>) -> String {
    let s = entry.summary;
    let cards = mean(s.cards).both();
    if s.stakes.is_some() {
        return format!(
            "How often each number of cards was reached; {cards} on average. How many cards break even depends on the \
             steps of the stake that were bought."
        );
    }
    match s.break_even_cards {
        Some(0) => format!(
            "How often each number of cards was reached; {cards} on average. A deck never loses money for the player."
        ),
        Some(n) => format!(
            "How often each number of cards was reached; {cards} on average. The player breaks even from {n} \
             cards on: the house gains on {} of decks, the shaded side.",
            share(house_share(entry))
        ),
        None => format!(
            "How often each number of cards was reached; {cards} on average. No number of cards pays the price of the deck."
        ),
    }
}

pub(super) fn draw(page: &Page<'_, '_>, entry: &Entry<'_>) -> Result<(), ChartError> {
    let palette = page.palette;
    let s = entry.summary;
    let games = s.histogram.iter().sum::<u64>().max(1) as f64;
    let last = s.histogram.len().max(2) - 1;
    let highest = s.histogram.iter().max().map_or(0.0, |&n| n as f64 / games * 100.0).max(0.01);
    let turn = turn(entry);

    let mut markers = Vec::new();
    if (1..=last).contains(&turn) {
        let label = format!("break-even: the player does not lose from {turn} cards on");
        markers.push(Marker { at: turn as f64 - 0.5, label, colour: palette.ink });
    }
    if s.cards.value.is_finite() {
        let label = format!("mean {}", mean(s.cards).both());
        markers.push(Marker { at: s.cards.value, label, colour: palette.muted });
    }
    if let Some(known) = entry.clairvoyant {
        let cards = known.most_cards.cards;
        let label = format!("{}: mean {}", name(known), mean_between(cards).both());
        markers.push(Marker { at: cards.least, label, colour: palette.clairvoyant });
    }
    let gains = format!("house gains: {} of decks", share(house_share(entry)));
    let even = format!("player does not lose: {}", share(1.0 - house_share(entry)));
    let sides = [
        Key { mark: Mark::Area(1.0), colour: palette.house, text: &gains },
        Key { mark: Mark::Area(1.0), colour: palette.player, text: &even },
    ];
    // Where the stake is bought in steps, no number of cards is on one side for good.
    let sided = s.stakes.is_none();
    let keys: &[Key] = if sided { &sides } else { &[] };
    let frame = Frame {
        height: HEIGHT,
        title: TITLE,
        subtitle: &subtitle(entry),
        keys,
        markers: &markers,
        x: Axis::whole("cards on the foundations when the game ends", last, last.div_ceil(52) * 4),
        y: Axis::new("share of games, %", (0.0, highest * 1.04), 5, |v, d| format!("{}%", fixed(v, d))),
        side: None,
    };
    let plot = frame.draw(page)?;
    if sided {
        let edge = plot.x((turn.min(last + 1)) as f64 - 0.5);
        page.fill([(plot.left, plot.top), (edge, plot.bottom)], palette.house, 0.12)?;
    }
    for (cards, &n) in s.histogram.iter().enumerate().filter(|&(_, &n)| n > 0) {
        let x = cards as f64;
        let colour = match sided {
            false => palette.series[0],
            true if cards < turn => palette.house,
            true => palette.player,
        };
        let (left, right) = (plot.x(x - 0.4), plot.x(x + 0.4));
        // A bar of one game in a million is still a line.
        let top = plot.y(n as f64 / games * 100.0).min(plot.bottom - 2);
        page.fill([(left, top), (right.max(left + 1), plot.bottom)], colour, 1.0)?;
    }
    page.line(vec![(plot.left, plot.bottom), (plot.right, plot.bottom)], palette.muted, 2)
}
