//! The distribution of cards, the break-even line and the house's winning side.

use super::common::{side_of_cards, subtitle};
use crate::chart::{Axis, Bar, Chart, Key, Mark, Marker, Role, WHOLE};
use crate::format::{mean, share};
use crate::report::Entry;
use crate::report::bounds::mean_between;
use crate::report::clairvoyant::name;

/// Returns the share of games that end with fewer cards than break even.
fn house_share(histogram: &[u64], turn: usize) -> f64 {
    let games: u64 = histogram.iter().sum();
    let lost: u64 = histogram.iter().take(turn).sum();
    if games == 0 { f64::NAN } else { lost as f64 / games as f64 }
}

pub(super) fn chart(entry: &Entry<'_>, hue: Role) -> Chart {
    let s = entry.summary;
    let games = s.histogram.iter().sum::<u64>().max(1) as f64;
    let last = s.histogram.len().max(2) - 1;
    let highest = s.histogram.iter().max().map_or(0.0, |&n| n as f64 / games * 100.0).max(0.01);
    // The first number of cards at which the player does not lose; beyond the last if none does. If the stake is
    // bought in stages, redeals have a cost or more cards pay less, a number of cards has no definite side.
    let sided = entry.rules.casino.is_settled_by_cards(last);
    let turn = s.break_even_cards.filter(|_| sided).map_or(usize::MAX, usize::from);
    let lost = share(house_share(&s.histogram, turn));
    let cards = mean(s.cards);

    let mut markers = Vec::new();
    if (1..=last).contains(&turn) {
        let label = format!("break-even: the player does not lose from {turn} cards on");
        markers.push(Marker::new(turn as f64 - 0.5, Role::Ink, label));
    }
    if s.cards.value.is_finite() {
        markers.push(Marker::new(s.cards.value, Role::Muted, format!("mean {}", cards.both())));
    }
    if let Some(known) = entry.clairvoyant {
        let most = known.most_cards.cards;
        let label = format!("{}: mean {}", name(known), mean_between(most).both());
        markers.push(Marker::new(most.least, Role::Clairvoyant, label));
    }
    let bar = |(cards, &n): (usize, &u64)| {
        let x = cards as f64;
        let role = if sided { side_of_cards(cards, turn) } else { hue };
        Bar { x: (x - 0.4, x + 0.4), y: (0.0, n as f64 / games * 100.0), role, shade: 1.0 }
    };
    let bars = s.histogram.iter().enumerate().filter(|(_, n)| **n > 0).map(bar).collect();
    let mut marks = vec![Mark::Bars(bars)];
    let mut keys = Vec::new();
    if sided {
        let edge = turn.min(last + 1) as f64 - 0.5;
        marks.insert(0, Mark::area((WHOLE.0, edge), WHOLE, Role::House, 0.1));
        let rest = share(1.0 - house_share(&s.histogram, turn));
        keys = vec![
            Key::area(Role::House, 1.0, format!("house gains: {lost} of decks")),
            Key::area(Role::Player, 1.0, format!("player does not lose: {rest}")),
        ];
    }
    let even = match (sided, s.break_even_cards) {
        (false, _) if s.stakes.is_some() => {
            "How many cards break even depends on the stages of the stake that were bought.".to_string()
        }
        (false, _) if entry.rules.casino.has_redeal_fees() => {
            "How many cards break even depends on the redeals that were paid for.".into()
        }
        (false, _) => "No number of cards breaks even for good: more cards may pay less.".into(),
        (_, Some(0)) => "A deck never loses money for the player.".into(),
        (_, Some(n)) => format!(
            "The player breaks even from {n} cards on: the house gains on {lost} of decks, the shaded side."
        ),
        (_, None) => "No number of cards pays the price of the deck.".into(),
    };
    let gains =
        if sided && turn > 0 { format!("; the house gains on {lost} of decks") } else { String::new() };
    let x = Axis::whole("cards on the foundations when the game ends", last, last.div_ceil(52) * 4);
    let y = Axis::percent("share of games, %", (0.0, (highest * 1.04).min(100.0)), 5);
    Chart {
        name: "cards".into(),
        title: format!("A game brings up {} cards on average{gains}", cards.value),
        subtitle: subtitle(entry),
        caption: format!("How often each number of cards was reached; {} on average. {even}", cards.both()),
        keys,
        markers,
        ..Chart::plot(x, y, marks)
    }
}
