//! Rulesets with one rule changed by their house edge, the nearest to the one asked for first.

use plotters::style::text_anchor::HPos;

use crate::lab::RankedVariant;
use crate::report::charts::Picture;
use crate::report::charts::axis::{Axis, padded, span};
use crate::report::charts::canvas::{ChartError, Page};
use crate::report::charts::frame::{LINE, TEXT};
use crate::report::charts::rows::{self, Row};
use crate::report::charts::side;
use crate::report::figures::{edge, fixed, games, money};
use crate::report::price::{PriceReport, change_in_words, percent_text};
use crate::stats::Estimate;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranking<'a>(pub &'a PriceReport<'a>);

/// A row that is not drawn.
const NOWHERE: Estimate = Estimate { value: f64::NAN, low: f64::NAN, high: f64::NAN };

/// The distance beyond which an edge is only pointed at: so much more than that of three in four rulesets that it would
/// press the others together.
fn far(variants: &[RankedVariant]) -> f64 {
    let at = variants.len() * 3 / 4;
    variants.get(at).map_or(f64::INFINITY, |it| 1.5 * it.here.distance.value)
}

fn times_100(e: Estimate) -> Estimate {
    Estimate { value: e.value * 100.0, low: e.low * 100.0, high: e.high * 100.0 }
}

impl Picture for Ranking<'_> {
    fn title(&self) -> String {
        let casino = &self.0.rules.casino;
        format!("One rule changed, at {} a deck", money(casino.stake as f64, casino, false))
    }

    fn caption(&self) -> String {
        let target = percent_text(self.0.target);
        let best = self.0.results.variants.first().map_or(String::new(), |it| {
            format!(" Nearest: {}, {}.", change_in_words(it.change.as_ref()), edge(it.here.edge).both())
        });
        format!(
            "The house edge of rulesets that differ in one rule (dot), with its 95% interval (box), nearest to the {target} \
             asked for (broken line) first. Right of 0 the house gains, left of it the player; arrows point to edges beyond the picture.{best}"
        )
    }

    fn height(&self) -> u32 {
        rows::height(self.0.results.variants.len(), 1)
    }

    fn draw(&self, page: &Page<'_, '_>) -> Result<(), ChartError> {
        let palette = page.palette;
        let report = self.0;
        let target = report.target * 100.0;
        let variants = &report.results.variants;
        let far = far(variants);
        let shown = |it: &RankedVariant| it.here.distance.value <= far;
        let row = |it: &RankedVariant| Row {
            name: change_in_words(it.change.as_ref()),
            // What is far off has no place in the plot.
            estimate: if shown(it) { times_100(it.here.edge) } else { NOWHERE },
            bounds: None,
            colour: side(it.here.edge, palette),
            said: edge(it.here.edge),
        };
        let rows: Vec<Row> = variants.iter().map(row).collect();
        let values = rows.iter().flat_map(|r| [r.estimate.value, r.estimate.low, r.estimate.high]);
        let (low, high) = padded(span(values.chain([0.0, target])).unwrap_or((-1.0, 1.0)), 0.06);
        // Some of either side is always seen.
        let least = ((high - low) * 0.12).max(0.01);
        let range = (low.min(-least), high.max(least));
        let x = |ticks| {
            Axis::new("house edge, % of the deck's price", range, ticks, |v, d| format!("{}%", fixed(v, d)))
        };
        let whose = if report.players.len() > 1 { "the hardest player's edge, " } else { "" };
        let subtitle = format!(
            "{whose}nearest first to {} (broken line); {} each, the same shuffles, 95% intervals",
            percent_text(report.target),
            games(report.results.variant_games)
        );
        rows::draw(page, &rows, (&self.title(), &subtitle, "points"), x, 1, |plot| {
            let zero = plot.x(0.0);
            page.fill([(plot.left, plot.top), (zero, plot.bottom)], palette.player, 0.12)?;
            page.fill([(zero, plot.top), (plot.right, plot.bottom)], palette.house, 0.12)?;
            page.line(vec![(zero, plot.top - LINE), (zero, plot.bottom)], palette.ink, 3)?;
            page.dashes(plot.x(target), plot.top, plot.bottom, palette.ink)?;
            let y = plot.top - LINE / 2 - 4;
            page.text("← player gains", (zero - 14, y), TEXT, palette.player, HPos::Right)?;
            page.text("house gains →", (zero + 14, y), TEXT, palette.house, HPos::Left)?;
            for (i, (row, it)) in rows.iter().zip(variants).enumerate() {
                let y = rows.len() as f64 - i as f64 - 0.5;
                if shown(it) {
                    page.dot(plot.at(row.estimate.value, y), 10, row.colour)?;
                } else if it.here.edge.value < report.target {
                    page.text("←", (plot.left + 6, plot.y(y)), TEXT, row.colour, HPos::Left)?;
                } else {
                    page.text("→", (plot.right - 6, plot.y(y)), TEXT, row.colour, HPos::Right)?;
                }
            }
            Ok(())
        })
    }
}
