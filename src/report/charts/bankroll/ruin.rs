//! The risk of ruin against the bank.

use super::in_currency;
use crate::report::bankroll::{BankrollReport, hands, risk, subtitle};
use crate::report::charts::Picture;
use crate::report::charts::axis::{Axis, span};
use crate::report::charts::canvas::{ChartError, Page};
use crate::report::charts::frame::{Frame, Key, Mark, Marker};
use crate::report::figures::{fixed, money, money_estimate};
use crate::stats::RuinPoint;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ruin<'a>(pub &'a BankrollReport<'a>);

impl Picture for Ruin<'_> {
    fn title(&self) -> String {
        format!("Risk of ruin within {} by bank", hands(self.0, self.0.bankroll.decks))
    }

    fn caption(&self) -> String {
        let b = self.0.bankroll;
        let sum = |cents: i64| money(cents as f64, &self.0.rules.casino, false);
        format!(
            "How many nights ruin a bank (line), with 95% intervals (band): before one of {} it cannot be sure to pay, as {} may be \
             lost of one. A bank of {} is ruined on {} of nights; a risk of 1% takes {}.",
            hands(self.0, b.decks),
            sum(b.greatest_loss),
            sum(b.bank),
            risk(b.ruin).both(),
            money_estimate(b.bank_for_1_percent, &self.0.rules.casino).both(),
        )
    }

    fn height(&self) -> u32 {
        960
    }

    fn draw(&self, page: &Page<'_, '_>) -> Result<(), ChartError> {
        let palette = page.palette;
        let b = self.0.bankroll;
        let casino = self.0.rules.casino.clone();
        let points: Vec<&RuinPoint> = b.ruin_by_bank.iter().collect();
        let banks = span(points.iter().map(|p| p.bank as f64 / 100.0)).unwrap_or((0.0, 1.0));
        // The bank for 1% is a line of its own; that of the bank asked for may be far away.
        let markers = [
            Marker {
                at: b.bank as f64 / 100.0,
                label: format!(
                    "bank {}: ruin on {} of nights",
                    money(b.bank as f64, &casino, false),
                    risk(b.ruin).value
                ),
                colour: palette.player,
            },
            Marker {
                at: b.bank_for_1_percent.value / 100.0,
                label: format!("1% risk: bank {}", money_estimate(b.bank_for_1_percent, &casino).both()),
                colour: palette.house,
            },
        ];
        let keys = [
            Key { mark: Mark::Line, colour: palette.series[0], text: "risk of ruin" },
            Key { mark: Mark::Area(0.3), colour: palette.series[0], text: "95% interval" },
        ];
        let frame = Frame {
            height: self.height(),
            title: &self.title(),
            subtitle: &subtitle(self.0),
            keys: &keys,
            markers: &markers,
            x: Axis::new(
                &in_currency(self.0, "bank before the first deck"),
                (0.0, banks.1),
                8,
                move |v, d| money(v * 100.0, &casino, d == 0),
            ),
            y: Axis::new("nights with ruin, %", (0.0, 104.0), 6, |v, d| format!("{}%", fixed(v, d))),
            side: None,
        };
        let plot = frame.draw(page)?;
        // A bank that cannot pay even one greatest loss is ruined before it begins.
        let first = points.first().map_or(0, |p| p.bank) as f64 / 100.0;
        let along = |pick: fn(&RuinPoint) -> f64| -> Vec<(i32, i32)> {
            let start = [plot.at(0.0, 100.0), plot.at(first, 100.0)];
            let rest = points.iter().map(|p| plot.at(p.bank as f64 / 100.0, pick(p) * 100.0));
            start.into_iter().chain(rest).collect()
        };
        page.band(&along(|p| p.ruin.high), &along(|p| p.ruin.low), palette.series[0], 0.3)?;
        page.line(along(|p| p.ruin.value), palette.series[0], 5)?;
        page.dot(plot.at(b.bank as f64 / 100.0, b.ruin.value * 100.0), 10, palette.player)?;
        page.dot(plot.at(b.bank_for_1_percent.value / 100.0, 1.0), 10, palette.house)
    }
}
