//! The house's profit over the evening: bands of quantiles, and how sure they are.

use plotters::style::text_anchor::HPos;

use super::in_currency;
use crate::report::bankroll::{BankrollReport, hands, risk, subtitle};
use crate::report::charts::Picture;
use crate::report::charts::axis::{Axis, padded, span};
use crate::report::charts::canvas::{ChartError, Page};
use crate::report::charts::frame::{Frame, Key, Mark, TEXT};
use crate::report::figures::{fixed, money};
use crate::stats::{Estimate, FanPoint};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fan<'a>(pub &'a BankrollReport<'a>);

impl Fan<'_> {
    /// The course from the start: no deck, no profit.
    fn points(&self) -> Vec<FanPoint> {
        let none = Estimate { value: 0.0, low: 0.0, high: 0.0 };
        let start = FanPoint { decks: 0, quantiles: [none; 5] };
        std::iter::once(start).chain(self.0.bankroll.fan.iter().copied()).collect()
    }
}

impl Picture for Fan<'_> {
    fn title(&self) -> String {
        "The house's profit over the evening".into()
    }

    fn caption(&self) -> String {
        let b = self.0.bankroll;
        let sum = |cents: f64| money(cents, &self.0.rules.casino, false);
        let Some(last) = b.fan.last() else { return String::new() };
        let [low, _, median, _, high] = last.quantiles;
        format!(
            "What luck does to the house's profit (line: median; bands: half, and nine in ten, of all nights). After {} half of all \
             nights bring {} or more and nine in ten lie between {} and {}; {} end with a loss. The thin bands about the \
             median and the outer lines are 95% intervals: what is not known of the game itself.",
            hands(self.0, b.decks),
            sum(median.value),
            sum(low.value),
            sum(high.value),
            risk(b.losing_night).both(),
        )
    }

    fn height(&self) -> u32 {
        960
    }

    fn draw(&self, page: &Page<'_, '_>) -> Result<(), ChartError> {
        let palette = page.palette;
        let b = self.0.bankroll;
        let points = self.points();
        let casino = self.0.rules.casino.clone();
        let values = points.iter().flat_map(|p| p.quantiles).flat_map(|q| [q.value, q.low, q.high]);
        let range = padded(span(values.map(|cents| cents / 100.0)).unwrap_or((0.0, 1.0)), 0.12);
        let keys = [
            Key { mark: Mark::Line, colour: palette.house, text: "median" },
            Key { mark: Mark::Area(0.5), colour: palette.house, text: "half of nights" },
            Key { mark: Mark::Area(0.22), colour: palette.house, text: "9 in 10" },
            Key { mark: Mark::Area(0.35), colour: palette.ink, text: "95% interval of a line" },
        ];
        let sold = if casino.is_staged() { "hands offered" } else { "decks sold" };
        let frame = Frame {
            height: self.height(),
            title: &self.title(),
            subtitle: &subtitle(self.0),
            keys: &keys,
            markers: &[],
            x: Axis::new(sold, (0.0, f64::from(b.decks)), 8, fixed),
            y: Axis::new(&in_currency(self.0, "profit of the house"), range, 6, move |v, d| {
                money(v * 100.0, &casino, d == 0)
            }),
            side: None,
        };
        let plot = frame.draw(page)?;
        let zero = plot.y(0.0);
        page.fill([(plot.left, zero), (plot.right, plot.bottom)], palette.player, 0.12)?;
        let along = |pick: &dyn Fn(&FanPoint) -> f64| -> Vec<(i32, i32)> {
            points.iter().map(|p| plot.at(f64::from(p.decks), pick(p) / 100.0)).collect()
        };
        page.band(&along(&|p| p.quantiles[4].value), &along(&|p| p.quantiles[0].value), palette.house, 0.22)?;
        page.band(&along(&|p| p.quantiles[3].value), &along(&|p| p.quantiles[1].value), palette.house, 0.36)?;
        for q in [0, 2, 4] {
            page.band(&along(&|p| p.quantiles[q].high), &along(&|p| p.quantiles[q].low), palette.ink, 0.35)?;
        }
        page.line(vec![(plot.left, zero), (plot.right, zero)], palette.ink, 3)?;
        page.line(along(&|p| p.quantiles[2].value), palette.house, 5)?;
        let losing = format!(
            "the house has lost: {} of nights of {}",
            risk(b.losing_night).value,
            hands(self.0, b.decks)
        );
        let gains = ("the house has gained", (plot.left + 14, plot.top + 24));
        page.text(gains.0, gains.1, TEXT, palette.house, HPos::Left)?;
        page.text(&losing, (plot.left + 14, plot.bottom - 24), TEXT, palette.player, HPos::Left)
    }
}
