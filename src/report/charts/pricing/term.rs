//! The house edge against one term of the casino, by player.

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use crate::report::charts::Picture;
use crate::report::charts::axis::{Axis, padded, span};
use crate::report::charts::canvas::{ChartError, Page};
use crate::report::charts::frame::{Done, Frame, Key, Mark, Marker, Plot, TEXT};
use crate::report::charts::theme::Palette;
use crate::report::figures::{edge, fixed, money, money_estimate};
use crate::report::price::{PriceReport, percent_text, subtitle, term_in_words};
use crate::stats::{Estimate, Offer, Term, priced};

const HEIGHT: u32 = 1000;
/// Points of a curve.
const STEPS: i64 = 64;
/// Edges below this are not drawn, percent.
const LOWEST: f64 = -150.0;

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct TermPicture<'a> {
    pub term: Term,
    report: &'a PriceReport<'a>,
    /// The least and the greatest sum shown, cents.
    range: (i64, i64),
}

/// A colour for each of several players.
fn colours(palette: &Palette) -> [RGBColor; 4] {
    [palette.series[0], palette.ink, palette.player, palette.muted]
}

impl<'a> TermPicture<'a> {
    /// `None` where nobody has an offer.
    pub fn new(report: &'a PriceReport<'a>, term: Term) -> Option<TermPicture<'a>> {
        let offers = offers(report, term);
        let known = offers.iter().flatten().map(|offer| offer.rounded.cents);
        let (low, high) = known.clone().min().zip(known.max())?;
        let now = term.of(&report.rules.casino);
        let (low, high) = if now > 0 { (low.min(now), high.max(now)) } else { (low, high) };
        let range = match term {
            Term::DeckPrice => ((low as f64 * 0.85) as i64, (high as f64 * 1.15) as i64),
            _ if now > 0 => ((low as f64 * 0.75) as i64, (high as f64 * 1.25) as i64),
            _ => (0, (high as f64 * 1.5) as i64),
        };
        Some(TermPicture {
            term,
            report,
            range: (range.0.max(i64::from(term == Term::DeckPrice)), range.1.max(range.0 + 100)),
        })
    }

    /// Sums and the edges there of one player.
    fn curve(&self, player: usize) -> Vec<(f64, Estimate)> {
        let (low, high) = self.range;
        let sums = (0..=STEPS).map(|i| low + (high - low) * i / STEPS);
        let tally = self.report.results.tallies.get(player);
        sums.filter_map(|cents| priced(tally?, &self.report.rules.casino, self.term, cents))
            .map(|at| (at.cents as f64, at.edge))
            .collect()
    }

    fn markers(&self, palette: &Palette) -> Vec<Marker> {
        let report = self.report;
        let casino = &report.rules.casino;
        let sum = |cents: i64| money(cents as f64, casino, false);
        let now = self.term.of(casino);
        let mut markers = Vec::new();
        let target = percent_text(report.target);
        let index = Term::ALL.iter().position(|term| *term == self.term).unwrap_or(0);
        match (&offers(report, self.term)[..], report.results.common.get(index).and_then(|it| it.as_ref())) {
            ([Some(only)], _) => markers.push(Marker {
                at: only.exact.value,
                label: format!("{target} at {}", money_estimate(only.exact, casino).both()),
                colour: palette.ink,
            }),
            (_, Some(common)) => markers.push(Marker {
                at: common.cents as f64,
                label: format!("{}: at least {target} against each", sum(common.cents)),
                colour: palette.ink,
            }),
            _ => {}
        }
        if now > 0 && casino.stake > 0 {
            let edges = report.results.players.iter().filter_map(|it| it.edge);
            let edges: Vec<String> = edges.map(|e| edge(e).value).collect();
            let label = format!("now {}: edge {}", sum(now), edges.join(", "));
            markers.push(Marker { at: now as f64, label, colour: palette.muted });
        }
        markers
    }
}

/// The offers of all players for a term.
fn offers<'a>(report: &'a PriceReport<'_>, term: Term) -> Vec<Option<&'a Offer>> {
    let index = Term::ALL.iter().position(|it| *it == term).unwrap_or(0);
    report.results.players.iter().map(|player| player.offers[index].as_ref().ok()).collect()
}

impl Picture for TermPicture<'_> {
    fn title(&self) -> String {
        format!("House edge by {}", term_in_words(self.term))
    }

    fn caption(&self) -> String {
        let report = self.report;
        let said: Vec<String> = report
            .names()
            .into_iter()
            .zip(offers(report, self.term))
            .filter_map(|(player, offer)| {
                let exact = money_estimate(offer?.exact, &report.rules.casino).both();
                Some(format!("{exact} with {player}"))
            })
            .collect();
        format!(
            "The house edge if the {} were another and the players played alike (line), with its 95% interval (band). \
             Above 0 the house gains, below it the player. The edge of {} is at {}.",
            term_in_words(self.term),
            percent_text(report.target),
            said.join(", ")
        )
    }

    fn height(&self) -> u32 {
        HEIGHT
    }

    fn draw(&self, page: &Page<'_, '_>) -> Result<(), ChartError> {
        let palette = page.palette;
        let report = self.report;
        let casino = report.rules.casino.clone();
        let target = report.target * 100.0;
        let curves: Vec<Vec<(f64, Estimate)>> = (0..report.players.len()).map(|i| self.curve(i)).collect();
        let values = curves.iter().flatten().flat_map(|(_, e)| [e.value, e.low, e.high]);
        let values = values.map(|v| (v * 100.0).max(LOWEST));
        let (low, high) = padded(span(values.chain([0.0, target])).unwrap_or((0.0, 1.0)), 0.05);
        // Some of either side is always seen.
        let least = (high - low) * 0.1;
        let range = (low.min(-least), high.max(least));
        let names = report.names();
        let lines: Vec<String> = match &names[..] {
            [_] => vec!["house edge".into()],
            names => names.iter().map(|name| format!("edge by {name}")).collect(),
        };
        let colour = |i: usize| colours(palette)[i % 4];
        let mut keys: Vec<Key<'_>> = lines
            .iter()
            .enumerate()
            .map(|(i, text)| Key { mark: Mark::Line, colour: colour(i), text })
            .collect();
        if names.len() == 1 {
            keys.push(Key { mark: Mark::Area(0.3), colour: palette.series[0], text: "95% interval" });
        }
        keys.truncate(5);
        let markers = self.markers(palette);
        let sums = (self.range.0 as f64, self.range.1 as f64);
        let unit = match casino.currency.trim() {
            "" => term_in_words(self.term).to_string(),
            currency => format!("{}, {currency}", term_in_words(self.term)),
        };
        let in_units = (sums.0 / 100.0, sums.1 / 100.0);
        let frame = Frame {
            height: HEIGHT,
            title: &self.title(),
            subtitle: &subtitle(report, report.results.tallies.first().map_or(0, |tally| tally.games())),
            keys: &keys,
            markers: &markers.into_iter().map(|it| Marker { at: it.at / 100.0, ..it }).collect::<Vec<_>>(),
            x: Axis::new(&unit, in_units, 8, move |v, d| money(v * 100.0, &casino, d == 0)),
            y: Axis::new("house edge, % of the price", range, 6, |v, d| format!("{}%", fixed(v, d))),
            side: None,
        };
        let plot = frame.draw(page)?;
        sides(page, &plot, self.term)?;
        let y = plot.y(target);
        for x in (plot.left..plot.right).step_by(18) {
            page.line(vec![(x, y), ((x + 11).min(plot.right), y)], palette.ink, 3)?;
        }
        for (i, curve) in curves.iter().enumerate() {
            let shown: Vec<&(f64, Estimate)> =
                curve.iter().filter(|(_, e)| e.value * 100.0 >= range.0).collect();
            let along = |pick: fn(&Estimate) -> f64| -> Vec<(i32, i32)> {
                shown.iter().map(|(cents, e)| plot.at(cents / 100.0, pick(e) * 100.0)).collect()
            };
            page.band(&along(|e| e.high), &along(|e| e.low), colour(i), 0.3)?;
            page.line(along(|e| e.value), colour(i), 5)?;
        }
        for (i, offer) in offers(report, self.term).into_iter().enumerate() {
            if let Some(offer) = offer {
                page.dot(plot.at(offer.exact.value / 100.0, target), 10, colour(i))?;
            }
        }
        // On the left the line runs well above or well below the edge asked for.
        let text = format!("edge asked for: {}", percent_text(report.target));
        page.text(&text, (plot.left + 12, y - 22), TEXT, palette.ink, HPos::Left)
    }
}

/// Whose side is where.
fn sides(page: &Page<'_, '_>, plot: &Plot, term: Term) -> Done {
    let palette = page.palette;
    let zero = plot.y(0.0);
    page.fill([(plot.left, plot.top), (plot.right, zero)], palette.house, 0.12)?;
    page.fill([(plot.left, zero), (plot.right, plot.bottom)], palette.player, 0.12)?;
    page.line(vec![(plot.left, zero), (plot.right, zero)], palette.ink, 3)?;
    // Where no line runs: it rises with the price, and falls with what is paid.
    let left = (plot.left + 14, HPos::Left);
    let right = (plot.right - 14, HPos::Right);
    let (above, below) = if term.raises_edge() { (left, right) } else { (right, left) };
    page.text("house gains", (above.0, plot.top + 26), TEXT, palette.house, above.1)?;
    page.text("player gains", (below.0, plot.bottom - 26), TEXT, palette.player, below.1)
}
