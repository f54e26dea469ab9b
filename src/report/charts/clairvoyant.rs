//! Rows of a player who knows every card below those of the players of a ruleset, and the chart of mean cards that
//! such a row asks for.

use super::axis::{Axis, padded, span};
use super::canvas::{ChartError, Page};
use super::rows::{self, Row};
use super::theme::Palette;
use crate::report::bounds::mean_between;
use crate::report::clairvoyant::{about, after, name};
use crate::report::figures::{Said, fixed, mean};
use crate::report::labels::labels;
use crate::report::{Clairvoyant, Entry};
use crate::stats::Bounded;

pub(super) const TITLE: &str = "Mean cards";

/// Whether any entry has one beside it.
pub(super) fn applies(entries: &[Entry<'_>]) -> bool {
    entries.iter().any(|entry| entry.clairvoyant.is_some())
}

/// How many rows there are for entries that `row` holds for.
pub(super) fn count(
    entries: &[Entry<'_>],
    row: impl Fn(&Entry<'_>) -> bool,
    bounds: impl Fn(&Clairvoyant) -> bool,
) -> usize {
    let own = entries.iter().filter(|entry| row(entry)).count();
    own + (0..entries.len()).filter_map(|i| after(entries, i)).filter(|known| bounds(known)).count()
}

/// A row for each entry that has one, and below the last of each ruleset that of who knows every card.
pub(super) fn with(
    entries: &[Entry<'_>],
    palette: &Palette,
    row: impl Fn(&Entry<'_>, String) -> Option<Row>,
    bounds: impl Fn(&Clairvoyant) -> Option<(Bounded, Said)>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    let labels = labels(entries);
    for (i, (entry, own)) in entries.iter().zip(rows::names(entries)).enumerate() {
        rows.extend(row(entry, own));
        let Some(known) = after(entries, i) else { continue };
        rows.extend(bounds(known).map(|(b, said)| Row {
            name: rows::pair(&labels[i].rules, &name(known)),
            estimate: b.about_least(),
            bounds: Some((b.least, b.most)),
            colour: palette.clairvoyant,
            said,
        }));
    }
    rows
}

/// What is added to the caption of a chart with such rows.
pub(super) fn caption(entries: &[Entry<'_>]) -> String {
    about(entries).map_or(String::new(), |about| {
        format!(
            " {about} Its row (violet) has two lines, for what was found to be possible and for what is not ruled out."
        )
    })
}

pub(super) fn height(entries: &[Entry<'_>]) -> u32 {
    rows::height(count(entries, |_| true, |_| true), 0)
}

pub(super) fn caption_of_cards(entries: &[Entry<'_>]) -> String {
    format!(
        "Mean cards on the foundations (line), with the 95% interval (box). Intervals too narrow to be seen stand once more \
         beside the plot, magnified.{}",
        caption(entries)
    )
}

pub(super) fn draw(page: &Page<'_, '_>, entries: &[Entry<'_>]) -> Result<(), ChartError> {
    let palette = page.palette;
    let row = |entry: &Entry<'_>, name: String| {
        let estimate = entry.summary.cards;
        Some(Row { name, estimate, bounds: None, colour: palette.series[0], said: mean(estimate) })
    };
    let bounds = |known: &Clairvoyant| Some((known.most_cards.cards, mean_between(known.most_cards.cards)));
    let rows = with(entries, palette, row, bounds);
    let shown = rows.iter().flat_map(|row| [row.estimate.value, row.estimate.high]);
    let most = span(shown).map_or(1.0, |(_, high)| high.max(1.0));
    let range = (0.0, padded((0.0, most), 0.04).1);
    let x = |ticks| Axis::new("mean cards on the foundations", range, ticks, fixed);
    let subtitle = "cards a game by ruleset and strategy, with 95% intervals (Student)";
    rows::draw(page, &rows, (TITLE, subtitle, "cards"), x, 0, |_| Ok(()))
}
