//! How the evening ends: the distribution of the profit after the last deck.

use super::in_currency;
use crate::report::bankroll::{BankrollReport, hands, risk, subtitle};
use crate::report::charts::Picture;
use crate::report::charts::axis::{Axis, span};
use crate::report::charts::canvas::{ChartError, Page};
use crate::report::charts::frame::{Frame, Key, Mark, Marker};
use crate::report::figures::{fixed, gain_estimate, money};
use crate::stats::Estimate;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Night<'a>(pub &'a BankrollReport<'a>);

impl Picture for Night<'_> {
    fn title(&self) -> String {
        format!("How a night of {} ends", hands(self.0, self.0.bankroll.decks))
    }

    fn caption(&self) -> String {
        let b = self.0.bankroll;
        format!(
            "How often the house ends the night with which profit. It loses on {} of nights, and gains {} on average. The lines on \
             the bars are 95% intervals of their heights.",
            risk(b.losing_night).both(),
            gain_estimate(b.profit, &self.0.rules.casino).both()
        )
    }

    fn height(&self) -> u32 {
        940
    }

    fn draw(&self, page: &Page<'_, '_>) -> Result<(), ChartError> {
        let palette = page.palette;
        let b = self.0.bankroll;
        let casino = self.0.rules.casino.clone();
        let highest =
            b.night.iter().map(|part| part.chance.high.min(1.0)).fold(0.0, f64::max).max(1e-4) * 100.0;
        let ends = b.night.iter().flat_map(|part| [part.from, part.to]).map(|cents| cents as f64 / 100.0);
        let range = span(ends).unwrap_or((-1.0, 1.0));
        let rest = |e: Estimate| Estimate { value: 1.0 - e.value, low: 1.0 - e.high, high: 1.0 - e.low };
        let gains = format!("house does not lose: {}", risk(rest(b.losing_night)).value);
        let loses = format!("house loses: {}", risk(b.losing_night).value);
        let keys = [
            Key { mark: Mark::Area(1.0), colour: palette.player, text: &loses },
            Key { mark: Mark::Area(1.0), colour: palette.house, text: &gains },
        ];
        let mean = Marker {
            at: b.profit.value / 100.0,
            label: format!("mean {}", gain_estimate(b.profit, &casino).both()),
            colour: palette.ink,
        };
        let frame = Frame {
            height: self.height(),
            title: &self.title(),
            subtitle: &subtitle(self.0),
            keys: &keys,
            markers: &[mean],
            x: Axis::new(&in_currency(self.0, "profit of the house at the end"), range, 8, move |v, d| {
                money(v * 100.0, &casino, d == 0)
            }),
            y: Axis::new("share of nights, %", (0.0, highest * 1.06), 5, |v, d| format!("{}%", fixed(v, d))),
            side: None,
        };
        let plot = frame.draw(page)?;
        for part in &b.night {
            let colour = if part.to <= 0 { palette.player } else { palette.house };
            let (left, right) = (plot.x(part.from as f64 / 100.0), plot.x(part.to as f64 / 100.0));
            let top = plot.y(part.chance.value * 100.0);
            page.fill([(left + 1, top), ((right - 2).max(left + 2), plot.bottom)], colour, 0.85)?;
            let middle = (left + right) / 2;
            let (high, low) = (plot.y(part.chance.high * 100.0), plot.y(part.chance.low * 100.0));
            page.line(vec![(middle, high), (middle, low)], palette.ink, 3)?;
        }
        let zero = plot.x(0.0);
        page.line(vec![(zero, plot.top), (zero, plot.bottom)], palette.ink, 3)?;
        page.line(vec![(plot.left, plot.bottom), (plot.right, plot.bottom)], palette.muted, 2)
    }
}
