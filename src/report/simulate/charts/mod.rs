//! Charts of simulated games: those over all entries, then each entry's own.

mod cards;
mod common;
mod edge;
mod night;
mod price;
mod rows;

use common::hues;

use crate::chart::Chart;
use crate::report::labels::labels;
use crate::report::{Entry, Report, Section, entry_ids};

/// Returns all charts of a report. Empty ones are left out, such as the edges if no deck has a price.
pub fn charts(report: &Report<'_>) -> Vec<Chart> {
    let own = (0..report.sections.len()).flat_map(|i| own(report, i));
    shared(report).into_iter().chain(own).collect()
}

fn entries<'a>(report: &Report<'a>) -> Vec<Entry<'a>> {
    report.sections.iter().map(|section| section.entry).collect()
}

/// Returns the charts that compare all entries.
pub(in crate::report) fn shared(report: &Report<'_>) -> Vec<Chart> {
    let entries = entries(report);
    if entries.is_empty() {
        return Vec::new();
    }
    let mut charts = vec![rows::win_rates(&entries)];
    charts.extend(rows::edges(&entries));
    charts.extend(rows::mean_cards(&entries));
    charts
}

/// Returns the charts of one section.
pub(in crate::report) fn own(report: &Report<'_>, section: usize) -> Vec<Chart> {
    let Some(Section { entry, night, .. }) = report.sections.get(section).copied() else {
        return Vec::new();
    };
    let entries = entries(report);
    let hue = hues(&entries).of(&labels(&entries)[section].player);
    let mut charts = vec![cards::chart(&entry, hue)];
    charts.extend(price::chart(&entry, hue));
    charts.extend(edge::running(&entry));
    charts.extend(rows::stops(&entry));
    charts.extend(night.and_then(|night| night::chart(&entry, night)));
    let before = if entries.len() > 1 { format!("{}-", slug(report, section)) } else { String::new() };
    let named = |chart: Chart| Chart { name: format!("{before}{}", chart.name), ..chart };
    charts.into_iter().map(named).collect()
}

/// Returns a unique name of a section for files and links: `canfield-greedy`.
pub(in crate::report) fn slug(report: &Report<'_>, section: usize) -> String {
    entry_ids(&entries(report)).swap_remove(section)
}
