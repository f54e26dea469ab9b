//! The table of several entries: one line an entry where that fits.

use std::collections::BTreeSet;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets::NOTHING};

use super::WIDTH;
use crate::report::Entry;
use crate::report::bounds::{edge_between, mean_between, percent_between};
use crate::report::clairvoyant::{after, name};
use crate::report::figures::{FormattedEstimate, edge, mean, percent};
use crate::report::labels::{Label, labels};

/// Columns that a name may take.
const NAME: usize = 28;

/// How a table is laid out, from the plainest to the narrowest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// One line an entry.
    Flat,
    /// The ruleset on a line of its own, its players below it.
    Grouped,
    /// As grouped, intervals below their figures.
    Stacked,
}

/// The table in the first layout that fits.
pub(super) fn table(entries: &[Entry<'_>]) -> String {
    let labels = labels(entries);
    let rulesets: BTreeSet<&str> = labels.iter().map(|label| &*label.rules).collect();
    let grouping = rulesets.len() < entries.len();
    let layouts = [Layout::Flat, Layout::Grouped, Layout::Stacked];
    let mut text = String::new();
    for layout in layouts.into_iter().filter(|&layout| grouping || layout != Layout::Grouped) {
        text = lay_out(entries, &labels, layout);
        if text.lines().all(|line| line.chars().count() <= WIDTH) {
            break;
        }
    }
    text
}

fn lay_out(entries: &[Entry<'_>], labels: &[Label], layout: Layout) -> String {
    let priced = entries.iter().any(|entry| entry.summary.house_edge.is_some());
    let mut header = if layout == Layout::Flat { vec!["rules", "player"] } else { vec!["rules, player"] };
    let names = header.len();
    header.extend(priced.then_some("house edge"));
    header.extend(["cards", "wins"]);
    let mut rows = Vec::new();
    let mut group = None;
    for (i, (entry, label)) in entries.iter().zip(labels).enumerate() {
        let (rules, player) = (cut(&label.rules), cut(&label.player));
        let mut row = match layout {
            Layout::Flat => vec![rules, player],
            _ => {
                if group != Some(&label.rules) {
                    rows.push(vec![rules]);
                    group = Some(&label.rules);
                }
                vec![format!("  {player}")]
            }
        };
        let said = |said: FormattedEstimate| match layout {
            Layout::Stacked => format!("{}\n{}", said.value, said.interval),
            _ => said.both(),
        };
        let s = entry.summary;
        if s.games == 0 {
            row.push("no games".into());
        } else {
            if priced {
                row.push(s.house_edge.map_or("no price".into(), |e| said(edge(e))));
            }
            row.extend([said(mean(s.cards)), said(percent(s.win_rate))]);
        }
        rows.push(row);
        if let Some(known) = after(entries, i) {
            let mut row = match layout {
                Layout::Flat => vec![cut(&label.rules), name(known)],
                _ => vec![format!("  {}", name(known))],
            };
            if priced {
                row.push(
                    known.most_cards.house_edge.map_or("no one price".into(), |e| said(edge_between(e))),
                );
            }
            row.push(said(mean_between(known.most_cards.cards)));
            row.push(said(percent_between(known.winnable.share)));
            rows.push(row);
        }
    }
    plain(header.into_iter().map(String::from).collect(), rows, names)
}

/// Rows in columns under a header and a rule. The first `names` columns begin at the left, the others end
/// at the right.
pub(in crate::report) fn plain(header: Vec<String>, rows: Vec<Vec<String>>, names: usize) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header);
    table.add_rows(rows);
    for column in table.column_iter_mut().skip(names) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let text = table.to_string();
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    // Every cell has a space before it; names begin at the edge.
    for line in &mut lines {
        *line = line.strip_prefix(' ').unwrap_or(line);
    }
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    lines.insert(1.min(lines.len()), "");
    let rule = "-".repeat(width);
    lines[1] = &rule;
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A name no longer than its column, its middle left out where it must be.
pub(super) fn cut(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    if chars.len() <= NAME {
        return name.into();
    }
    let half = (NAME - 3) / 2;
    let (head, tail) = (&chars[..NAME - 3 - half], &chars[chars.len() - half..]);
    format!("{}...{}", head.iter().collect::<String>(), tail.iter().collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::entry::tests::sample;

    #[test]
    fn the_first_layout_that_fits_is_taken() {
        let (spec, _, summary) = sample();
        let entry = |id, strategy| Entry {
            id,
            rules: &spec,
            strategy,
            seed: 7,
            summary: &summary,
            clairvoyant: None,
        };
        let short = table(&[entry("canfield", "greedy"), entry("canfield", "random")]);
        assert_eq!(short.lines().count(), 4, "{short}");
        let (id, strategy) = ("a-variant-of-the-house-as-played", "my/very-very-patient-player-2.rhai");
        let long = table(&[entry(id, "greedy"), entry(id, strategy)]);
        assert_eq!(long.lines().count(), 5, "{long}");
        assert!(long.contains("a-variant-of-...se-as-played"), "{long}");
        for line in short.lines().chain(long.lines()) {
            assert!(line.chars().count() <= WIDTH && line.trim_end() == line, "`{line}`");
        }
    }
}
