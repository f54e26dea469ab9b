//! Comma-separated values: games, one per row, and the tables of a document, with 12 significant digits. A column of figures with intervals is
//! followed by their limits, and one of figures between bounds by the upper bound. Rates are fractions, money is in
//! units of its currency.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{self, Write};

use crate::format::{FormattedEstimate, Number, ascii};
use crate::game::{Instead, Outcome, Stake};
use crate::report::document::{DataTable, Document, Head};
use crate::rules::{Spec, StageAt};
use crate::stats::{points, staked_and_net};
use crate::text::{one_line, slug};

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

/// Writes finished games of one ruleset as rows of `game,cards,end,moves,redeals,reserve_left,
/// complete_suits,net_cents` and the named scores; if deals have ids, `id` follows `game`. Net is the player's, in
/// cents. If the stake is bought in stages, the amount staked, the stage at which the player stopped (empty if none)
/// and the net of continuing (of a stopped game) precede the scores.
#[derive(Debug)]
pub struct GamesCsv<'a, W: Write> {
    rules: &'a Spec,
    ids: bool,
    to: csv::Writer<W>,
}

impl<'a, W: Write> GamesCsv<'a, W> {
    /// Creates a writer and writes the header.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn new(rules: &'a Spec, ids: bool, to: W) -> io::Result<GamesCsv<'a, W>> {
        let mut to = csv::Writer::from_writer(to);
        let names = ["cards", "end", "moves", "redeals", "reserve_left", "complete_suits", "net_cents"];
        for name in ["game"].into_iter().chain(ids.then_some("id")).chain(names) {
            to.write_field(name)?;
        }
        if rules.casino.is_staged() {
            for name in ["staked_cents", "stopped_at", "net_buying_on_cents"] {
                to.write_field(name)?;
            }
        }
        for score in &rules.scores {
            to.write_field(safe(&score.name).as_ref())?;
        }
        to.write_record(None::<&[u8]>)?;
        Ok(GamesCsv { rules, ids, to })
    }

    /// Writes game number `game`, whose deal has this id.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn row(&mut self, game: u64, id: Option<&str>, outcome: &Outcome) -> io::Result<()> {
        let Outcome { end, cards, moves, redeals, reserve_left, complete_suits, .. } = outcome;
        let (staked, net) = staked_and_net(self.rules, outcome);
        self.to.write_field(game.to_string())?;
        if self.ids {
            self.to.write_field(safe(id.unwrap_or_default()).as_ref())?;
        }
        let fields: [&dyn Display; 7] = [cards, end, moves, redeals, reserve_left, complete_suits, &net];
        for field in fields {
            self.to.write_field(field.to_string())?;
        }
        if self.rules.casino.is_staged() {
            let stake = outcome.stake.as_ref();
            let at = stake.and_then(|stake| stake.stopped).map_or("", StageAt::word);
            let on = stake.and_then(|stake| stake.instead).map(|instead| {
                let Instead { end, cards, staked, whole } = instead;
                let stake = Some(Stake { staked, whole, ..Stake::NONE });
                staked_and_net(self.rules, &Outcome { end, cards, stake, ..*outcome }).1.to_string()
            });
            for field in [staked.to_string(), at.to_string(), on.unwrap_or_default()] {
                self.to.write_field(field)?;
            }
        }
        for score in &self.rules.scores {
            self.to.write_field(points(score, outcome).to_string())?;
        }
        Ok(self.to.write_record(None::<&[u8]>)?)
    }

    /// Flushes all buffers and returns the writer.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(self) -> io::Result<W> {
        let mut to = self.to.into_inner().map_err(csv::IntoInnerError::into_error)?;
        to.flush()?;
        Ok(to)
    }
}

pub(super) fn lines(lines: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut to = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    // Writing to memory cannot fail, and the input is UTF-8.
    lines.into_iter().for_each(|line| drop(to.write_record(line)));
    String::from_utf8(to.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Makes a text one line, with an apostrophe before anything that a spreadsheet would evaluate.
pub(super) fn safe(text: &str) -> Cow<'_, str> {
    let text = one_line(text);
    if is_formula(&text) { Cow::Owned(format!("'{text}")) } else { text }
}

/// Returns whether a spreadsheet would evaluate a text, other than as a number.
fn is_formula(field: &str) -> bool {
    let number = |c: char| c.is_ascii_digit() || c == '.';
    let begins = |text: &str| text.starts_with(['=', '+', '-', '@', '\t', '＝', '＋', '－', '＠']);
    let rest = field.trim_start_matches(|c: char| c == '"' || c.is_whitespace());
    (begins(field) || begins(rest)) && !field.strip_prefix('-').is_some_and(|it| it.chars().all(number))
}

#[cfg(test)]
mod tests {
    use super::*;

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
