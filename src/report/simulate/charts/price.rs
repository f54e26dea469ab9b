//! The house edge against the price of the deck.
//!
//! The payment of a deck does not depend on its price if the player does not change its play, so the edge at price
//! `p` is `1 - payout / p`, and the limits of the mean net give those of the edge.

use super::common::subtitle;
use crate::chart::{Axis, Chart, Key, Mark, Marker, Role, Stand, WHOLE, padded, scaled, span, up_to_whole};
use crate::format::{edge as edge_in_words, money, money_estimate};
use crate::report::Entry;
use crate::stats::Estimate;

/// Number of points of the curve, denser where it bends more.
const STEPS: usize = 48;
/// Edges below this percentage are not drawn.
const LOWEST: f64 = -1000.0;

/// Returns the house edge at a price in cents, as a fraction.
fn edge(payout: Estimate, price: f64) -> Estimate {
    let at = |paid: f64| 1.0 - paid / price;
    Estimate { value: at(payout.value), low: at(payout.high), high: at(payout.low) }
}

/// Draws the curve; `None` if there is nothing to draw: no price, or no valid payout. A stake bought in stages has no
/// fixed price.
pub(super) fn chart(entry: &Entry<'_>, hue: Role) -> Option<Chart> {
    let (s, casino) = (entry.summary, &entry.rules.casino);
    let stake = Some(casino.stake as f64).filter(|stake| *stake > 0.0)?;
    s.house_edge?;
    let (fair, five) = (s.fair_price?, s.price_for_5_percent?);
    // Mean payment of a deck, cents.
    let payout = Estimate { value: stake + s.net.value, low: stake + s.net.low, high: stake + s.net.high };
    if !payout.value.is_finite() {
        return None;
    }
    let known = |price: &f64| price.is_finite() && *price > 0.0;
    let (low, high) = span([stake, fair.value, five.value].into_iter().filter(known))?;
    let (low, high) = (low * 0.7, high * 1.3);
    let (x, at) = Axis::money_curve("price of the deck", casino, (low / 100.0, high / 100.0), 8);
    let curve: Vec<(f64, Estimate)> = (0..=STEPS)
        .map(|i| low * (high / low).powf(i as f64 / STEPS as f64))
        .map(|price| (at(price / 100.0), scaled(edge(payout, price), 100.0)))
        .collect();
    let values = curve.iter().flat_map(|(_, e)| [e.value, e.low, e.high]).map(|v| v.max(LOWEST));
    let range = span(values.chain([0.0])).unwrap_or((0.0, 1.0));
    let range = up_to_whole(padded(range, 0.05), range.1);

    let now = edge(payout, stake);
    let label = format!("price now {}: edge {}", money(stake, casino, false), edge_in_words(now).value);
    let mut markers = vec![Marker::new(at(stake / 100.0), Role::of_edge(now), label)];
    let mut dots = vec![stake];
    for (name, price) in [("fair price", fair), ("5% edge at", five)] {
        if known(&price.value) {
            let label = format!("{name} {}", money_estimate(price, casino).both());
            markers.push(Marker::new(at(price.value / 100.0), Role::Ink, label));
            dots.push(price.value);
        }
    }
    let dots = dots.into_iter().map(|price| (at(price / 100.0), edge(payout, price).value * 100.0)).collect();
    let mut marks = Mark::sides_above().to_vec();
    marks.extend(Mark::curve(&curve, hue));
    marks.push(Mark::dots(dots, Role::Ink, 10));
    marks.push(Mark::note((WHOLE.0, WHOLE.1), "house gains", Role::House, Stand::Right));
    marks.push(Mark::note((WHOLE.1, WHOLE.0), "player gains", Role::Player, Stand::Left));
    let [fair, five] = [fair, five].map(|price| money_estimate(price, casino));
    let y = Axis::percent("house edge, % of the price", range, 6);
    Some(Chart {
        name: "price".into(),
        title: format!("A fair price is {}; an edge of 5% needs {}", fair.value, five.value),
        subtitle: subtitle(entry),
        caption: format!(
            "What the house would keep at other prices if this player played the same (line), with its 95% \
                 interval (band). Fair is {}; an edge of 5% needs {}.",
            fair.both(),
            five.both(),
        ),
        keys: vec![Key::line(hue, "house edge"), Key::area(hue, 0.28, "95% interval")],
        markers,
        ..Chart::plot(x, y, marks)
    })
}
