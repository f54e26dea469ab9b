//! Tables of a document as comma-separated values, with 12 significant digits. A column of figures with intervals is
//! followed by their limits, and one of figures between bounds by the upper bound. Rates are fractions, money is in
//! units of its currency.

use std::collections::BTreeSet;

use crate::format::{FormattedEstimate, Number, ascii};
use crate::report::csv::{lines, safe};
use crate::report::document::Document;
use crate::report::table::{DataTable, Head};
use crate::text::slug;

/// Returns every table of the page with the path of its file: `tables/players.csv`.
pub(super) fn tables(document: &Document<'_>) -> Vec<(String, String)> {
    let mut taken = BTreeSet::new();
    let mut files = Vec::new();
    for (section, table) in document.tables() {
        // Text in brackets or after a colon may differ from run to run.
        let title = table.title.split(['(', ':']).next().unwrap_or_default();
        let stem = match section {
            "" => slug(title, 60),
            section => format!("{section}-{}", slug(title, 60)),
        };
        let numbered = (2..).map(|n| format!("{stem}-{n}"));
        let free = std::iter::once(stem.clone()).chain(numbered).find(|name| taken.insert(name.clone()));
        files.push((format!("tables/{}.csv", free.unwrap_or(stem)), csv(table)));
    }
    files
}

pub(super) struct Columns {
    pub most: bool,
    pub limits: bool,
}

impl Columns {
    /// Returns the numbers of a cell: its value, then its upper bound and its limits, where a column has them.
    pub fn numbers(&self, cell: &FormattedEstimate) -> Vec<Option<f64>> {
        let (value, most, limits) = match cell.number {
            None => (None, None, None),
            Some(Number::Exact(x)) => (Some(x), None, None),
            Some(Number::Estimate(e)) => (Some(e.value), None, Some([e.low, e.high])),
            Some(Number::Bounded(b)) => (Some(b.least), Some(b.most), Some([b.low, b.high])),
        };
        let mut all = vec![value];
        all.extend(self.most.then_some(most));
        all.extend(self.limits.then_some(limits.map_or([None; 2], |it| it.map(Some))).into_iter().flatten());
        all
    }

    /// Returns their names.
    pub fn header(&self, head: &Head) -> Vec<String> {
        let name = match &*head.group {
            "" => head.text.to_string(),
            group => format!("{group}: {}", head.text),
        };
        let mut names = vec![name.clone()];
        names.extend(self.most.then(|| format!("{name} (upper bound)")));
        names.extend(self.limits.then(|| format!("{name} (low)")));
        names.extend(self.limits.then(|| format!("{name} (high)")));
        names.iter().map(|name| ascii(name)).collect()
    }
}

pub(super) fn columns(table: &DataTable) -> Vec<Columns> {
    (0..table.heads.len())
        .map(|column| {
            let numbers = || table.rows.iter().filter_map(|row| row.cells.get(column)?.number);
            Columns {
                most: numbers().any(|number| matches!(number, Number::Bounded(_))),
                limits: numbers().any(|number| !matches!(number, Number::Exact(_))),
            }
        })
        .collect()
}

fn csv(table: &DataTable) -> String {
    let columns = columns(table);
    let header = |(head, of): (&Head, &Columns)| -> Vec<String> {
        of.header(head).iter().map(|name| safe(name).into_owned()).collect()
    };
    let head: Vec<String> = table.heads.iter().zip(&columns).flat_map(header).collect();
    let rows = table
        .rows
        .iter()
        .map(|row| row.cells.iter().zip(&columns).flat_map(|(cell, of)| fields(cell, of)).collect());
    lines(std::iter::once(head).chain(rows))
}

fn fields(cell: &FormattedEstimate, of: &Columns) -> Vec<String> {
    // A name may contain anything.
    let text = || safe(&ascii(&cell.value)).into_owned();
    let mut numbers = of.numbers(cell).into_iter().map(|x| x.map_or(String::new(), number));
    let value = numbers.next().filter(|_| cell.number.is_some()).unwrap_or_else(text);
    std::iter::once(value).chain(numbers).collect()
}

/// Formats a number; empty for an infinite one. Whole numbers are in full. Others have 12 significant digits, as
/// rounding errors of binary fractions follow beyond.
fn number(x: f64) -> String {
    match x.is_finite() {
        false => String::new(),
        true if x.fract() == 0.0 => x.to_string(),
        true => format!("{x:.11e}").parse().unwrap_or(x).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_no_noise() {
        let written = [
            (1_401.370_200_000_012_1, "1401.3702"),
            (0.1 + 0.2, "0.3"),
            (-1.0 / 3.0, "-0.333333333333"),
            (123_456_789_012_345.0, "123456789012345"),
            (1.5e-9, "0.0000000015"),
            (f64::INFINITY, ""),
            (f64::NAN, ""),
        ];
        for (x, text) in written {
            assert_eq!(number(x), text);
        }
    }
}
