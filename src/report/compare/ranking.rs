//! Several entries from the best to the worst, and where that cannot be told.

use super::CompareReport;
use super::words::{said, source};
use crate::figures::{Side, ascii, fixed, money, one_line, plural, share};
use crate::report::document::Finding;
use crate::stats::{Estimate, Measure, groups};

/// The entries from the best to the worst.
#[derive(Clone, Debug)]
pub(in crate::report) struct Ranking {
    /// Entries by index, the best first.
    pub order: Vec<usize>,
    /// By entry: a letter for each group of entries that cannot be told apart.
    pub letters: Vec<String>,
    /// Pairs of entries that cannot be told apart, the better placed first.
    pub alike: Vec<(usize, usize)>,
}

impl Ranking {
    /// By the measure of the report, from the intervals of all pairs together.
    pub fn of(report: &CompareReport<'_>) -> Ranking {
        let values: Vec<f64> = (0..report.entries.len()).map(|entry| value(report, entry)).collect();
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
        let apart =
            |a: usize, b: usize| difference(report, a, b).is_some_and(|it| it.low > 0.0 || it.high < 0.0);
        // Places are grouped, so that the best have the first letter.
        let sets = groups(order.len(), |a, b| apart(order[a], order[b]));
        let mut letters = vec![String::new(); order.len()];
        for (set, letter) in sets.iter().zip('a'..='z') {
            set.iter().for_each(|&place| letters[order[place]].push(letter));
        }
        let places = 0..order.len();
        let pairs = places.flat_map(|a| (a + 1..order.len()).map(move |b| (a, b)));
        let alike = pairs.map(|(a, b)| (order[a], order[b])).filter(|&(a, b)| !apart(a, b)).collect();
        Ranking { order, letters, alike }
    }

    /// What it says.
    pub fn findings(&self, report: &CompareReport<'_>, names: &[String]) -> Vec<Finding> {
        let Some(&best) = self.order.first() else { return Vec::new() };
        let what = match report.measure {
            Measure::Cards => "cards",
            Measure::Wins => "games won",
            Measure::Money => "money",
        };
        let level: Vec<&str> = self
            .alike
            .iter()
            .filter(|&&(a, b)| a == best || b == best)
            .map(|&(a, b)| names[if a == best { b } else { a }].as_str())
            .collect();
        let on = format!(
            "over the same {} ({}), with 95% confidence for all {} pairs together",
            plural(report.compared.games, "deal"),
            super::words::common(report),
            report.compared.pairs.len()
        );
        let first = if level.is_empty() {
            let next = self.order.get(1).map_or("", |&next| names[next].as_str());
            Finding {
                side: Side::Open,
                finding: format!("{} is the best of {} by {what}", names[best], names.len()),
                rest: format!(", ahead of {next} and all others, {on}."),
            }
        } else {
            Finding {
                side: Side::Open,
                finding: format!(
                    "The best by {what} is uncertain: {} or {}",
                    names[best],
                    level.join(" or ")
                ),
                rest: format!(", {on}."),
            }
        };
        // How much they may differ all the same.
        let within = |a: usize, b: usize| {
            let casino = &report.entries.first()?.entry.rules.casino;
            let interval = said(report.measure, difference(report, a, b)?, casino).interval;
            let unit = if report.measure == Measure::Cards { " cards" } else { "" };
            Some(format!(" (they differ by {interval}{unit})"))
        };
        let pair = |&(a, b): &(usize, usize)| {
            format!("{} and {}{}", names[a], names[b], within(a, b).unwrap_or_default())
        };
        let pairs: Vec<String> = self.alike.iter().map(pair).collect();
        let second = match pairs.len() {
            0 => (
                "Every difference is significant".to_string(),
                ", so no place in the ranking is in doubt.".to_string(),
            ),
            n => (format!("{} cannot be distinguished", plural(n as u64, "pair")), {
                let more = if report.deals.is_some() { "A longer list of deals" } else { "More deals (-n)" };
                format!(": {}. {more} would show smaller differences.", pairs.join("; "))
            }),
        };
        vec![first, Finding { side: Side::Open, finding: second.0, rest: second.1 }]
    }

    /// One line to be pasted into a discussion.
    pub fn line(&self, report: &CompareReport<'_>, names: &[String]) -> String {
        let Some(first) = report.entries.first() else { return String::new() };
        let places = self.order.iter().map(|&entry| {
            let value = value(report, entry);
            let value = match report.measure {
                Measure::Cards => fixed(value, 2),
                Measure::Wins => share(value),
                Measure::Money => money(value, &first.entry.rules.casino, false),
            };
            format!("{} {value} {}", names[entry], self.letters[entry])
        });
        let which = match report.of_rulesets() {
            true => format!("played by {}", one_line(first.entry.strategy)),
            false => one_line(first.entry.id),
        };
        ascii(&format!(
            "{which}, mean {} of {} of {}: {} (entries that share a letter cannot be distinguished; 95% over all pairs, \
             Bonferroni); saratoga {}",
            report.measure,
            plural(report.compared.games, "deal"),
            source(report),
            places.collect::<Vec<_>>().join(", "),
            report.version
        ))
    }
}

/// By how much one entry is ahead of another, with an interval that holds for all pairs together.
fn difference(report: &CompareReport<'_>, a: usize, b: usize) -> Option<Estimate> {
    let pair = report.compared.pairs.iter().find(|pair| (pair.a, pair.b) == (a.min(b), a.max(b)))?;
    let Estimate { value, low, high } = pair.tally.difference(report.measure, report.tail());
    Some(if a < b {
        Estimate { value, low, high }
    } else {
        Estimate { value: -value, low: -high, high: -low }
    })
}

/// An entry's own mean by the measure of the report: cards, a rate, or cents.
fn value(report: &CompareReport<'_>, entry: usize) -> f64 {
    own(report, entry).map_or(f64::NAN, |estimate| estimate.value)
}

/// The same with the interval of that entry alone.
pub(in crate::report) fn own(report: &CompareReport<'_>, entry: usize) -> Option<Estimate> {
    Some(report.entries.get(entry)?.entry.summary.by(report.measure))
}
