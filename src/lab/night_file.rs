//! File of the results of a night: a row for each deck, or for several.

use std::ops::Range;
use std::sync::Arc;

use csv::{ReaderBuilder, StringRecord};

use super::estimate::pays;
use crate::diagnostic::{Diagnostic, SourceText};
use crate::rules::Spec;
use crate::stats::{LEAST_TOGETHER, NightRow, gcd};
use crate::text::one_line;
use crate::units::{DecimalMark, currency_words, hundredths, is_code, plain, same_currency, sum};

/// Maximum number of faults reported; a file with more is probably something else.
const MOST_FAULTS: usize = 20;
/// Maximum number of faults counted, to tell which decimal mark a file has.
const MOST_COUNTED: usize = 1000;
const MOST_DECKS: u64 = 100_000;
/// Words in the name of a column that may give the number of decks of each row.
const COUNTS: [&str; 10] =
    ["decks", "count", "counts", "games", "tally", "times", "qty", "quantity", "frequency", "anzahl"];

/// Number of lines in which names of columns are searched that stand too low.
const MOST_TITLES: usize = 20;

const HELP: &str = "a night is a CSV file whose first line names its columns: `cards`, with a row for each deck; `cards,decks`, \
                    with the number of decks that reached that many cards; or `decks,paid`, with the money paid for all of them";

/// Results of a night.
#[derive(Debug, PartialEq)]
pub struct Night {
    /// The rows, in the order of the file.
    pub rows: Vec<NightRow>,
    /// Whether the cards do not determine the payments beside them: the ruleset has a jackpot or fees.
    pub unchecked: bool,
    /// The first ignored columns.
    pub ignored: Vec<String>,
}

/// Reads the results of a night as saved by a spreadsheet: columns separated by comma, semicolon or tab, column names
/// in the first line, numbers with a decimal point or a decimal comma. Unknown columns are ignored. If a row has both
/// cards and payment, the payment must be what the ruleset pays for the cards.
pub fn read_night(source: SourceText, spec: &Spec) -> Result<Night, Vec<Diagnostic>> {
    let file = NightFile::open(Arc::new(source), spec)?;
    let rows = file.read()?;
    let wrong = |row: &Placed| file.unpayable(row);
    let faults: Vec<Diagnostic> = rows.iter().filter_map(wrong).take(MOST_FAULTS).collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    if let Some(fault) = file.total(&rows).or_else(|| file.other_currency(&rows)) {
        return Err(vec![fault]);
    }
    let rows: Vec<NightRow> = rows.into_iter().map(|it| it.row).filter(|row| row.decks() > 0).collect();
    if rows.is_empty() {
        return Err(vec![file.fault(0..0, "the file has no decks".into(), HELP)]);
    }
    let unchecked = !file.settled && file.cards.is_some() && file.paid.is_some();
    Ok(Night { rows, unchecked, ignored: file.ignored() })
}

struct Placed {
    row: NightRow,
    /// The bytes of its line, and those of the payment.
    line: Range<usize>,
    paid: Range<usize>,
    /// Whether an ignored column has something in this row.
    labelled: bool,
}

/// The rows read with one decimal mark, and the cells that it cannot read.
#[derive(Default)]
struct Reading {
    rows: Vec<Placed>,
    faults: Vec<Diagnostic>,
}

impl Reading {
    /// Returns the first fault that the other decimal mark does not have.
    fn own(&self, other: &Reading) -> Option<&Diagnostic> {
        self.faults.iter().find(|fault| other.faults.iter().all(|it| it.span != fault.span))
    }
}

struct NightFile<'a> {
    source: Arc<SourceText>,
    spec: &'a Spec,
    /// Payment of a deck for each number of cards, cents.
    pays: Vec<i64>,
    /// Whether the cards of a deck determine its payment.
    settled: bool,
    /// Offset of the header line, and the separator of columns.
    start: usize,
    separator: u8,
    names: Vec<String>,
    cards: Option<usize>,
    decks: Option<usize>,
    paid: Option<usize>,
}

impl<'a> NightFile<'a> {
    fn open(source: Arc<SourceText>, spec: &'a Spec) -> Result<NightFile<'a>, Vec<Diagnostic>> {
        let fault = |span, what: &str| vec![Diagnostic::error(&source, span, what).help(HELP)];
        if let Some(at) = source.text.find('\0') {
            let what = "this is no text in UTF-8: it has a character without a meaning (NUL)";
            return Err(vec![
                Diagnostic::error(&source, at..at + 1, what).help("save the file as CSV in UTF-8"),
            ]);
        }
        // Excel allows a line that declares the separator.
        let first = source.text.split_inclusive(['\r', '\n']).next().unwrap_or_default();
        let told = first.trim_start_matches('"').strip_prefix("sep=").and_then(|it| it.bytes().next());
        let told = told.filter(u8::is_ascii);
        let start = if told.is_some() { first.len() } else { 0 };
        let separators: Vec<u8> = told.map_or(b",;\t|".to_vec(), |told| vec![told]);
        let named = |separator: u8| {
            let head = records(&source.text[start..], separator).next()?;
            let names: Vec<String> = head.iter().map(|name| bare(name).to_lowercase()).collect();
            let known =
                names.iter().filter(|name| ["cards", "decks", "paid"].contains(&name.as_str())).count();
            Some((known, names, separator, head))
        };
        let found = separators
            .into_iter()
            .rev()
            .filter_map(named)
            .max_by_key(|(known, names, ..)| (*known, names.len()));
        let Some((_, names, separator, head)) = found else {
            return Err(fault(0..0, "the file is empty"));
        };
        let column = |name: &str| names.iter().position(|it| it == name);
        let (cards, decks, paid) = (column("cards"), column("decks"), column("paid"));
        let line = line(&source.text, start, &head);
        if cards.is_none() && (paid.is_none() || decks.is_none()) {
            let what = format!("these columns are not those of a night: {}", names_seen(head.iter()));
            let is_head = |line: &str| {
                let mut names = line.split([',', ';', '\t', '|']).map(|name| bare(name).to_lowercase());
                names.any(|name| ["cards", "paid"].contains(&&*name))
            };
            let mut below = source.text[start..].lines().take(MOST_TITLES).enumerate().skip(1);
            if let Some((lines, _)) = below.find(|(_, line)| is_head(line)) {
                let above = if lines == 1 { "the line" } else { "the lines" };
                let help = format!("the names of the columns come first: take out {above} above them");
                return Err(vec![Diagnostic::error(&source, line, what).help(help)]);
            }
            return Err(fault(line, &what));
        }
        for (name, first) in [("cards", cards), ("decks", decks), ("paid", paid)] {
            let again =
                names.iter().skip(first.map_or(names.len(), |first| first + 1)).position(|it| it == name);
            if let (Some(first), Some(again)) = (first, again) {
                let place = span(&source.text, &line, &head, first + 1 + again);
                return Err(fault(place, &format!("there are two columns `{name}`")));
            }
        }
        let has_word = |name: &String, words: &[&str]| {
            name.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
        };
        for (found, known, words, holds) in [
            (decks, "decks", &COUNTS[..], "the number of decks of each row"),
            (paid, "paid", &["paid"], "the money paid"),
        ] {
            let close = names.iter().position(|name| has_word(name, words)).filter(|_| found.is_none());
            let Some(close) = close else { continue };
            let place = span(&source.text, &line, &head, close);
            let what = format!("the column `{}` is not read", one_line(bare(&head[close])));
            let help = format!("call it `{known}` if it has {holds}, and without such a word if it has not");
            return Err(vec![Diagnostic::error(&source, place, what).help(help)]);
        }
        if let Some((at, what)) = stray_quote(&source.text, separator) {
            let help = "a quote opens a field right behind the separator, and closes it right before the next or the end of the line";
            return Err(vec![Diagnostic::error(&source, at..at + 1, what).help(help)]);
        }
        let names = head.iter().map(|name| bare(name).to_string()).collect();
        let pays = pays(spec);
        let settled = spec.casino.jackpot.is_none() && spec.casino.redeal_fees.is_empty();
        Ok(NightFile { source, spec, pays, settled, start, separator, names, cards, decks, paid })
    }

    fn ignored(&self) -> Vec<String> {
        let read = [self.cards, self.decks, self.paid];
        let names =
            self.names.iter().enumerate().filter(|(i, name)| !read.contains(&Some(*i)) && !name.is_empty());
        names.map(|(_, name)| one_line(name).into_owned()).take(MOST_NAMES).collect()
    }

    fn fault(&self, span: Range<usize>, what: String, help: &str) -> Diagnostic {
        let seen = names_seen(self.names.iter().map(String::as_str));
        Diagnostic::error(&self.source, span, what).help(format!("{help}; the columns are {seen}"))
    }

    fn read(&self) -> Result<Vec<Placed>, Vec<Diagnostic>> {
        let [point, comma] = [DecimalMark::Point, DecimalMark::Comma].map(|mark| self.read_with(mark));
        let begin = |own: Option<&Diagnostic>| own.map_or(usize::MAX, |it| it.span.start);
        match (point.faults.len(), comma.faults.len()) {
            (0, 0) => self.decide(point.rows, comma.rows),
            (0, _) => Ok(point.rows),
            (_, 0) => Ok(comma.rows),
            // The decimal mark of the file is the one with fewer faults, or else whose own faults begin later.
            (a, b) if a < b || a == b && begin(point.own(&comma)) >= begin(comma.own(&point)) => {
                Err(self.mixed(&point, &comma))
            }
            _ => Err(self.mixed(&comma, &point)),
        }
    }

    fn read_with(&self, mark: DecimalMark) -> Reading {
        let (mut reading, mut decks) = (Reading::default(), 0);
        let records = records(&self.source.text[self.start..], self.separator).skip(1);
        for record in records.filter(|it| it.iter().any(|it| !it.trim().is_empty())) {
            let line = line(&self.source.text, self.start, &record);
            match self.row(mark, &record, line.clone()) {
                Ok(row) => {
                    decks += u64::from(row.row.decks());
                    reading.rows.push(row);
                }
                Err(found) => reading.faults.extend(found),
            }
            if decks > MOST_DECKS {
                let what = format!("there are more than {MOST_DECKS} decks");
                reading.faults.push(self.fault(line, what, "give a night, or a season in several files"));
            }
            if decks > MOST_DECKS || reading.faults.len() > MOST_COUNTED {
                break;
            }
        }
        reading
    }

    /// Returns the faults of a file's decimal mark. If a row uses the other mark, its fault names a row of each.
    fn mixed(&self, habit: &Reading, other: &Reading) -> Vec<Diagnostic> {
        let mut faults: Vec<Diagnostic> = habit.faults.iter().take(MOST_FAULTS + 1).cloned().collect();
        if let (Some(own), Some(elsewhere)) = (habit.own(other), other.own(habit)) {
            let told = format!(
                "; line {} has {}, by the other decimal mark: write all numbers with the same",
                elsewhere.position().0,
                one_line(&self.source.text[elsewhere.span.clone()])
            );
            let both = own.clone().help(own.help.clone().unwrap_or_default() + told.as_str());
            match faults.iter_mut().find(|it| *it == own) {
                Some(fault) => *fault = both,
                None => faults.push(both),
            }
        }
        faults
    }

    fn row(
        &self,
        mark: DecimalMark,
        record: &StringRecord,
        line: Range<usize>,
    ) -> Result<Placed, Vec<Diagnostic>> {
        if record.iter().skip(self.names.len()).any(|it| !it.trim().is_empty()) {
            let what = format!(
                "this row has {} columns, and the first line names {}",
                record.len(),
                self.names.len()
            );
            return Err(vec![self.fault(line, what, "put a field that holds a separator in quotes")]);
        }
        let is_summary = |(_, cell): &(usize, &str)| is_summary(cell, &self.names);
        if let Some((column, label)) = record.iter().enumerate().find(is_summary) {
            let what = format!("this row sums up others: {}", one_line(&shortened(label.trim())));
            let help = "take rows of totals and averages out; call a guest or a table that has this name something else";
            return Err(vec![self.fault(span(&self.source.text, &line, record, column), what, help)]);
        }
        let mut faults = Vec::new();
        let mut cell = |column: Option<usize>, name: &str, help: &str, read: &dyn Fn(&str) -> Option<i64>| {
            let column = column?;
            let text = record.get(column).unwrap_or_default().trim();
            let number = read(text);
            if number.is_none() {
                let what = match text {
                    "" => format!("`{name}` is missing"),
                    _ => format!("`{name}` cannot be {}", shortened(text)),
                };
                faults.push(self.fault(span(&self.source.text, &line, record, column), what, help));
            }
            number
        };
        let mut whole = |column: Option<usize>, name: &str, least: u32, most: u64| {
            let dealt = if name == "cards" && least > 0 { ", with those that the deal puts up" } else { "" };
            let help = format!("allowed: a whole number from {least} to {most}{dealt}");
            let number = |text: &str| hundredths(text, mark).filter(|it| it % 100 == 0).map(|it| it / 100);
            cell(column, name, &help, &|text| {
                number(text).filter(|it| (i64::from(least)..=most as i64).contains(it))
            })
        };
        let together = self.cards.is_none();
        let cards = whole(
            self.cards,
            "cards",
            self.spec.fewest_cards() as u32,
            self.pays.len().saturating_sub(1) as u64,
        );
        let decks = whole(self.decks, "decks", if together { LEAST_TOGETHER } else { 0 }, MOST_DECKS);
        let help = "allowed: a sum of money such as 35, 35.00, 6,445.00 or 6.445,00, with the same decimal mark in all rows";
        let paid = cell(self.paid, "paid", help, &|text| sum(text, mark, &self.spec.casino.currency));
        if !faults.is_empty() {
            return Err(faults);
        }
        let decks = decks.unwrap_or(1);
        let place =
            |column: Option<usize>| span(&self.source.text, &line, record, column.unwrap_or_default());
        let row = match (cards, paid) {
            (Some(cards), paid) => {
                let pays = self.pays.get(cards as usize).copied().unwrap_or(0).saturating_mul(decks);
                if let Some(paid) = paid.filter(|paid| self.settled && *paid != pays) {
                    let of = match decks {
                        1 => String::new(),
                        decks => format!(" of {decks} decks"),
                    };
                    let what = format!(
                        "`paid` is {}, but the `cards`{of} are {cards}, for which the ruleset pays {}",
                        plain(paid),
                        plain(pays)
                    );
                    let help = "correct the row, name the ruleset that was played, or take one of the two columns out";
                    return Err(vec![self.fault(place(self.paid), what, help)]);
                }
                NightRow::Each { cards: cards as u16, decks: decks as u32 }
            }
            (None, paid) => NightRow::Together { decks: decks as u32, paid: paid.unwrap_or(0) },
        };
        let used = |i: usize| [self.cards, self.decks, self.paid].contains(&Some(i));
        let labelled = record.iter().enumerate().any(|(i, it)| !used(i) && !it.trim().is_empty());
        Ok(Placed { row, paid: place(self.paid), line, labelled })
    }

    /// Returns the least and the most that this many decks can be paid, and the step between possible payments, cents.
    /// With fees or a jackpot, any sum in the range is possible.
    fn sums(&self, decks: u32) -> (i64, i64, i64) {
        let pays = self.pays.get(self.spec.fewest_cards()..).unwrap_or_default();
        let least = pays.iter().copied().min().unwrap_or(0);
        let most = pays.iter().copied().max().unwrap_or(0);
        let step = pays.iter().fold(0, |step, pay| gcd(step, pay - least)).max(1);
        let [least, most] = [least, most].map(|pay| pay.saturating_mul(decks.into()));
        (least, most, if self.settled { step } else { 1 })
    }

    /// Returns the fault of a row whose payment is impossible.
    fn unpayable(&self, placed: &Placed) -> Option<Diagnostic> {
        let NightRow::Together { decks, paid } = placed.row else { return None };
        let (least, most, step) = self.sums(decks);
        if (least..=most).contains(&paid) && (paid - least) % step == 0 {
            return None;
        }
        let steps = if step == 1 { String::new() } else { format!(", in steps of {}", plain(step)) };
        let what = format!("{decks} decks cannot be paid {} together", plain(paid));
        let help = format!(
            "allowed under this ruleset: from {} to {}{steps}; correct the row, or name the ruleset that was played",
            plain(least),
            plain(most)
        );
        Some(self.fault(placed.paid.clone(), what, &help))
    }

    /// Returns the fault of a row that repeats the sums of all rows above it and may be a total: it has no label, or
    /// both sums agree. Some spreadsheets put the total first, so the rows below are summed as well.
    fn total(&self, rows: &[Placed]) -> Option<Diagnostic> {
        let fault = |row: &Placed, side: &str| {
            let what = format!("this row has the sum of those {side}");
            let help = match row.row.decks() {
                1 => "remove the total; if it is a deck, move its row up",
                _ => "remove the total; if it is none, split the row in two",
            };
            self.fault(row.line.clone(), what, help)
        };
        // What a row says, and what it adds to a total.
        let value = |row: &NightRow| match *row {
            NightRow::Each { cards, .. } => i64::from(cards),
            NightRow::Together { paid, .. } => paid,
        };
        let worth = |row: &NightRow| match *row {
            NightRow::Each { cards, decks } => i64::from(cards) * i64::from(decks),
            NightRow::Together { paid, .. } => paid,
        };
        let (together, counted) = (self.cards.is_none(), self.decks.is_some());
        if let [first, rest @ ..] = rows
            && rest.len() > 1
            && counted
            && u64::from(first.row.decks()) == rest.iter().map(|it| u64::from(it.row.decks())).sum::<u64>()
            && value(&first.row) == rest.iter().map(|it| worth(&it.row)).fold(0, i64::saturating_add)
        {
            return Some(fault(first, "below"));
        }
        let (mut decks, mut sum, mut column, mut labelled) = (0, 0i64, 0i64, true);
        for (i, it) in rows.iter().enumerate() {
            let (here, said, last) = (u64::from(it.row.decks()), value(&it.row), i + 1 == rows.len());
            let same_decks = here > 0 && here == decks;
            let is_total = if together {
                i > 1 && same_decks && said == sum
            } else {
                let unlabelled = labelled && !it.labelled;
                let apart = last && !counted && self.is_behind_a_gap(it);
                i > 1 && said == sum && (unlabelled || apart)
                    || counted && i > 2 && last && same_decks && [sum, column].contains(&said)
            };
            if is_total {
                return Some(fault(it, "above"));
            }
            decks += here;
            sum = sum.saturating_add(worth(&it.row));
            column = column.saturating_add(said);
            labelled &= it.labelled;
        }
        None
    }

    /// Returns whether a blank line stands above a row.
    fn is_behind_a_gap(&self, row: &Placed) -> bool {
        let above = self.source.text[..row.line.start].replace("\r\n", "\n");
        let separator = char::from(self.separator);
        let blank = above.trim_end_matches(|c: char| c.is_whitespace() || c == separator);
        above[blank.len()..].matches(['\r', '\n']).count() > 1
    }

    /// Returns the fault of a sum in a currency other than the ruleset's, or with another code than a row above.
    fn other_currency(&self, rows: &[Placed]) -> Option<Diagnostic> {
        self.paid?;
        let mut code: Option<&str> = None;
        for it in rows {
            for word in currency_words(&self.source.text[it.paid.clone()]) {
                let (found, own) = (one_line(word), one_line(&self.spec.casino.currency));
                let what = match code.filter(|code| is_code(word) && !word.eq_ignore_ascii_case(code)) {
                    _ if !same_currency(word, &self.spec.casino.currency) => {
                        format!("`paid` is in {found} here, and the ruleset's money is {own}")
                    }
                    Some(code) => format!("`paid` is in {found} here, and in {code} above"),
                    None => {
                        code = code.or(Some(word).filter(|word| is_code(word)));
                        continue;
                    }
                };
                let help =
                    "change the sums into the ruleset's money, or name a ruleset with this `casino.currency`";
                return Some(self.fault(it.paid.clone(), what, help));
            }
        }
        None
    }

    /// Chooses between two readings: the one whose payments are possible.
    fn decide(&self, point: Vec<Placed>, comma: Vec<Placed>) -> Result<Vec<Placed>, Vec<Diagnostic>> {
        let Some((a, b)) = point.iter().zip(&comma).find(|(a, b)| a.row != b.row) else {
            return Ok(point);
        };
        match [&point, &comma].map(|rows| rows.iter().all(|row| self.unpayable(row).is_none())) {
            [true, false] => Ok(point),
            [false, true] => Ok(comma),
            _ => {
                let told = |row: &NightRow| match *row {
                    NightRow::Each { cards, decks } => format!("cards {cards} and decks {decks}"),
                    NightRow::Together { decks, paid } => format!("decks {decks} and paid {}", plain(paid)),
                };
                let what = format!("this can be read in two ways: {}, or {}", told(&a.row), told(&b.row));
                let help = "write numbers without marks between thousands, and money with a decimal point and two digits";
                Err(vec![self.fault(a.line.clone(), what, help)])
            }
        }
    }
}

/// Maximum number of column names that an error shows.
const MOST_NAMES: usize = 12;

fn records(text: &str, separator: u8) -> impl Iterator<Item = StringRecord> + use<'_> {
    let reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .from_reader(text.as_bytes());
    // Reading from memory cannot fail.
    reader.into_records().filter_map(Result::ok)
}

/// Finds a quoted field that would swallow the rows below, and says what is wrong.
fn stray_quote(text: &str, separator: u8) -> Option<(usize, &'static str)> {
    let bytes = text.as_bytes();
    let ends = |at: usize| bytes.get(at).is_none_or(|b| [separator, b'\n', b'\r'].contains(b));
    let mut at = 0;
    while at < bytes.len() {
        if at > 0 && !ends(at - 1) {
            at += 1;
            continue;
        }
        let opened = at + bytes[at..].iter().take_while(|b| **b == b' ').count();
        if opened > at && bytes.get(opened) == Some(&b'"') {
            // After a space, a quote is an ordinary character.
            let field: Vec<u8> = (opened..).take_while(|i| !ends(*i)).map(|i| bytes[i]).collect();
            if field.iter().filter(|b| **b == b'"').count() % 2 == 1 {
                return Some((opened, "a space stands before this quote, so that it does not open a field"));
            }
            at = opened + field.len();
        } else if bytes[at] == b'"' {
            loop {
                let Some(next) = bytes[at + 1..].iter().position(|b| *b == b'"') else {
                    return Some((opened, "this quote is not closed"));
                };
                at += next + 1;
                if bytes.get(at + 1) != Some(&b'"') {
                    break;
                }
                at += 1;
            }
            let after = at + 1 + bytes[at + 1..].iter().take_while(|b| **b == b' ').count();
            if !ends(after) {
                return Some((at, "there is text after this quote, which closes the field"));
            }
        }
        at += 1;
    }
    None
}

/// Strips spaces around a column name, and quotes after a space.
fn bare(name: &str) -> &str {
    name.trim().trim_matches('"').trim()
}

/// Returns the bytes of the line in which a record begins; positions in records are relative to `start`.
fn line(text: &str, start: usize, record: &StringRecord) -> Range<usize> {
    let at = start + record.position().map_or(0, |it| it.byte() as usize);
    let rest = text.get(at..).unwrap_or_default().trim_start_matches(['\r', '\n']);
    let at = text.len() - rest.len();
    at..at + rest.split(['\r', '\n']).next().unwrap_or_default().trim_end().len()
}

fn names_seen<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names = names.map(|name| one_line(bare(name)).into_owned());
    let mut seen: Vec<String> = names.by_ref().take(MOST_NAMES).collect();
    let more = names.count();
    seen.extend((more > 0).then(|| format!("{more} more")));
    seen.join(", ")
}

/// Returns the bytes of a field without surrounding spaces; the whole line if they cannot be found.
fn span(text: &str, line: &Range<usize>, record: &StringRecord, column: usize) -> Range<usize> {
    let mut at = line.start;
    for (i, field) in record.iter().enumerate().take(column + 1) {
        let Some(rest) = text.get(at..) else { return line.clone() };
        let quoted = rest.starts_with('"');
        let inner = at + usize::from(quoted);
        if i == column {
            let bare = field.trim();
            let from = inner + (field.len() - field.trim_start().len());
            let found = text.get(from..).is_some_and(|rest| rest.starts_with(bare));
            return if found { from..from + bare.len() } else { line.clone() };
        }
        let quotes = if quoted { field.matches('"').count() + 1 } else { 0 };
        at = inner + field.len() + quotes + 1;
    }
    line.end..line.end
}

fn shortened(field: &str) -> String {
    let most = 80;
    match field.char_indices().nth(most) {
        Some((end, _)) => format!("{}... ({} bytes)", &field[..end], field.len()),
        None => field.to_string(),
    }
}

/// First or last words of labels of summary rows. Words for totals may stand beside a name; words for other figures
/// may be names themselves (Max), so they count only alone or beside [`OTHER_WORDS`] and names of columns.
const TOTALS: &str = "total totals totale totali totales totaux totais totaal totalt subtotal subtotals subtotale subtotaal summe \
                      zwischensumme gesamt gesamtsumme gesamtergebnis ergebnis итого всего celkem razem łącznie összesen \
                      yhteensä toplam कुल योग المجموع סהכ";
const FIGURES: &str = "average avg count max maximum mean median min minimum sd std stddev stdev sum variance deviation σ ø \
                       durchschnitt mittelwert anzahl standardabweichung moyenne nombre promedio máximo mínimo média gemiddelde \
                       średnia среднее сумма suma somma soma summa 平均 合計 合计 总计 總計 総計 小計 小计 합계 총합계 รวม";
const OTHER_WORDS: &str = "a card de deck dev di each of per row rows standard the value values von";

/// Returns whether a cell labels a total, an average or the like, in a file with these columns.
fn is_summary(cell: &str, columns: &[String]) -> bool {
    // The limit avoids parsing long notes.
    if cell.len() > 100 || cell.bytes().all(|b| !b.is_ascii_alphabetic() && b.is_ascii()) {
        return false;
    }
    let plain: String = cell.to_lowercase().chars().filter(|c| !"\"'״".contains(*c)).collect();
    let words: Vec<&str> = plain.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let is_one = |words: &str, it: &str| words.split_whitespace().any(|word| word == it);
    let is_common = |it: &&str| {
        is_one(FIGURES, it)
            || is_one(OTHER_WORDS, it)
            || columns.iter().any(|name| name.to_lowercase() == **it)
    };
    let [Some(first), Some(last)] = [words.first(), words.last()] else { return false };
    let ends = |list: &str| is_one(list, first) || is_one(list, last);
    words.len() <= 4 && ends(TOTALS) || ends(FIGURES) && words.iter().all(is_common)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, spec: &Spec) -> Result<Vec<NightRow>, String> {
        let told = |faults: Vec<Diagnostic>| {
            let place = |it: &Diagnostic| {
                format!("{:?} {}; {}", it.position(), it.message, it.help.as_deref().unwrap_or_default())
            };
            faults.iter().map(place).collect::<Vec<_>>().join("\n")
        };
        read_night(SourceText::of("night.csv", text), spec).map(|night| night.rows).map_err(told)
    }

    fn in_money(currency: &str) -> Spec {
        let mut spec = Spec::default();
        spec.casino.currency = currency.into();
        spec
    }

    fn each(cards: u16, decks: u32) -> NightRow {
        NightRow::Each { cards, decks }
    }

    fn together(decks: u32, paid: i64) -> NightRow {
        NightRow::Together { decks, paid }
    }

    #[test]
    fn what_spreadsheets_write_is_read() {
        let guests = "player,cards\n\"Guest, A\",8\n\"Guest \"\"B\"\"\nof two lines\",30\n";
        let quoted = "\"sep=|\"\nDecks|Paid\n200|$6,445.00\n40| $ 400.00 \n";
        for (text, rows) in [
            ("cards\n5\n52\r\n\n1", &[each(5, 1), each(52, 1), each(1, 1)][..]),
            ("\u{feff}time;Decks; \"Cards\"\n20:00;3;7\n20:30;0;9", &[each(7, 3)]),
            ("decks\tpaid\n300\t$16050.00\n", &[together(300, 1_605_000)]),
            ("decks,paid\n200,\"$6,445.00\"\n", &[together(200, 644_500)]),
            (guests, &[each(8, 1), each(30, 1)]),
            ("decks;paid;\n200.0;6'445.00;\n40.0;400.00;\n", &[together(200, 644_500), together(40, 40_000)]),
            (quoted, &[together(200, 644_500), together(40, 40_000)]),
            ("sep=\t\rcards\tnote\r7\tx\r8\ty\r", &[each(7, 1), each(8, 1)]),
            ("cards, note\n7, \"a\"\n", &[each(7, 1)]),
            // Another row, or the payments that are possible, decide what a mark between thousands is.
            ("decks;paid\n200;6.450\n30;175,00", &[together(200, 645_000), together(30, 17_500)]),
            ("decks;paid\n200;6.450", &[together(200, 645_000)]),
            // What is paid must be what the cards pay.
            ("Deck,Time,Cards,Paid\n1,20:05,7,$35.00\n2,20:09,14,$70.00\n", &[each(7, 1), each(14, 1)]),
            ("cards;decks;paid\n7;3;105,00\n", &[each(7, 3)]),
            (
                "decks,paid\n400,12705\n200,6200\n200,6500\n",
                &[together(400, 1_270_500), together(200, 620_000), together(200, 650_000)],
            ),
        ] {
            assert_eq!(read(text, &Spec::default()).as_deref(), Ok(rows), "{text:?}");
        }
        let euros = "sep=;\r\n\u{a0}DECKS ;Paid\r\n1.200;6.445,00\u{a0}€\r\n;\r\n";
        assert_eq!(read(euros, &in_money("EUR")), Ok(vec![together(1_200, 644_500)]));
        assert!(read("decks;paid\n40;235 SEK\n40;270 kr\n", &in_money("kr")).is_ok());
        let mut fee = Spec::default();
        fee.casino.redeal_fees = vec![100];
        assert_eq!(read("cards,paid\n7,34", &fee), Ok(vec![each(7, 1)]));
        // A line with this many names is scanned only once.
        let wide = format!("cards,{}\n7", "x,".repeat(200_000));
        assert_eq!(read(&wide, &Spec::default()), Ok(vec![each(7, 1)]));
    }

    #[test]
    fn rows_that_may_be_sums_but_need_not_be_are_decks() {
        for text in [
            "guest,cards\nA,7\nB,14\nSumner,21\n",
            "cards\n7\n14\n21\n",
            "cards\r\n7\r\n14\r\n21\r\n",
            "cards\n7\n\n14\n\n21\n8\n",
            "guest,cards\nMax Weber,7\nKim Min,14\n",
            "cards,decks\n1,1\n2,2\n3,3\n6,6\n7,1\n",
            "cards,note\n7,\n7,all in all the total loss\n",
        ] {
            assert!(read(text, &Spec::default()).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn faults_have_their_places() {
        let long = format!("cards\n{}", "5".repeat(1_000));
        let many = format!("decks;paid\n{}40;ten\n", "40;35,00\n".repeat(50));
        for (text, said) in [
            // Columns.
            ("", "the file is empty"),
            ("cards\n", "the file has no decks"),
            ("cards\n7\0\n", "(2, 2) this is no text in UTF-8"),
            ("deck,card\n1,2", "(1, 1) these columns are not those of a night: deck, card"),
            (
                "# 3 May\n\nGuest;Cards\nA;7\n",
                "(1, 1) these columns are not those of a night: # 3 May; the names",
            ),
            ("cards,paid,Paid\n1,5,5", "(1, 12) there are two columns `paid`"),
            ("cards,Decks ,Paid,decks\n7,1,35,1\n", "(1, 19) there are two columns `decks`"),
            ("cards,decks sold\n7,3\n", "(1, 7) the column `decks sold` is not read; call it `decks`"),
            ("cards,No. of decks\n7,10\n", "(1, 7) the column `No. of decks` is not read; call it `decks`"),
            ("cards,Paid ($)\n7,35\n", "(1, 7) the column `Paid ($)` is not read; call it `paid`"),
            // Quotes and separators.
            ("deck,cards,note\n1,6,\"abc\n2,8,x\n3,52,x\n", "(2, 5) this quote is not closed"),
            ("note,cards\n\"a,6\n\"b,8\nc,9\n", "(3, 1) there is text after this quote"),
            ("decks,paid\n200, \"6,445.00\"", "(2, 6) a space stands before this quote"),
            ("id, note, cards, x, y\n1, \"a, 5, b\", 8\n", "(2, 4) a space stands before this quote"),
            (
                "decks,paid\n200,6445,50",
                "(2, 1) this row has 3 columns, and the first line names 2; put a field",
            ),
            // Numbers.
            (
                "cards\n5\n53\nx",
                "(3, 1) `cards` cannot be 53; allowed: a whole number from 1 to 52, with those that the deal puts up; \
                 the columns are cards\n(4, 1)",
            ),
            ("cards\n0", "(2, 1) `cards` cannot be 0; allowed: a whole number from 1 to 52"),
            ("cards,decks\n5, -1", "(2, 4) `decks` cannot be -1"),
            ("cards,decks\n5", "(2, 2) `decks` is missing"),
            ("decks,paid\n29,100", "(2, 1) `decks` cannot be 29"),
            ("decks,paid\n40,ten", "(2, 4) `paid` cannot be ten"),
            ("decks,cards\n1,7\n1,\u{661}\u{664}\n", "(3, 3) `cards` cannot be"),
            (&long, "5555... (1000 bytes); allowed"),
            ("name,decks,paid\r\n\"A \"\"B\"\"\", 40 ,\"1,23,4\"\r\n", "(2, 17) `paid` cannot be 1,23,4"),
            ("cards,decks\n5,60000\n6,60000", "more than 100000 decks"),
            // Decimal marks.
            (
                "decks;paid\n40;1.234,5\n40;\"1,235.00\"\n",
                "(3, 5) `paid` cannot be 1,235.00; allowed: a sum of money such as 35, 35.00, 6,445.00 or 6.445,00, with the same \
                 decimal mark in all rows; the columns are decks, paid; line 2 has 1.234,5, by the other decimal mark",
            ),
            ("decks;paid\n40;35.00\n40;70,00", "(3, 4) `paid` cannot be 70,00"),
            ("decks;paid\n40;35,00\n40;70.00\n40;75,00\n", "(3, 4) `paid` cannot be 70.00"),
            // Many rows with one decimal mark hide no fault of another kind.
            (&many, "(52, 4) `paid` cannot be ten"),
            // 7,900 is more than 30 decks can pay, and 7.90 is impossible at 5 a card.
            (
                "decks;paid\n30;7.900",
                "(2, 1) this can be read in two ways: decks 30 and paid 7.90, or decks 30 and paid 7900",
            ),
            ("decks;paid\n30;1.250\n30;1855.5", "(2, 4) 30 decks cannot be paid 1.25 together"),
            ("decks;paid\n300;1.234.567", "(2, 5) 300 decks cannot be paid 1234567 together"),
            // Payments.
            (
                "decks,paid\n30,0",
                "(2, 4) 30 decks cannot be paid 0 together; allowed under this ruleset: from 150 to 7800",
            ),
            (
                "decks,paid\n40,10400.01",
                "(2, 4) 40 decks cannot be paid 10400.01 together; allowed under this ruleset: from 200 to 10400, in steps of 5;",
            ),
            ("decks,paid\n40,(35.00)", "(2, 4) 40 decks cannot be paid -35 together"),
            (
                "Deck,Cards,Paid\n1,7,$35.00\n2,14,$75.00\n",
                "(3, 6) `paid` is 75, but the `cards` are 14, for which the ruleset pays 70",
            ),
            ("cards,decks,paid\n7,3,35", "the `cards` of 3 decks are 7, for which the ruleset pays 105"),
            (
                "decks,paid\n40,$235.00\n40,€270.00\n",
                "(3, 4) `paid` is in € here, and the ruleset's money is $; change",
            ),
            ("cards,paid\n7,CA$35\n", "(2, 3) `paid` is in CA$ here, and the ruleset's money is $"),
            // Rows that sum up others.
            ("guest,cards\nA,7\nB,14\nTotal,21\n", "(4, 1)"),
            ("cards,note\n7,\n14,\n21,GRAND TOTAL:\n", "(4, 4)"),
            ("guest;decks;paid\nA;40;1000\n\"Anna Ergebnis\";40;1000\n", "(3, 2)"),
            ("guest,cards\nA,7\n合计,7\n", "(3, 1) this row sums up others: 合计"),
            ("cards,guest\nTotal,A\n", "(2, 1) this row sums up others: Total; take rows of totals"),
            ("guest,cards\nA,7\nAverage of Cards,7\n", "(3, 1) this row sums up others"),
            ("guest,cards,decks\nA,7,1\nCount,2,2\n", "(3, 1) this row sums up others"),
            (
                "table,decks,paid\n1,40,1000\n2,50,1500\n,90,2500\n",
                "(4, 1) this row has the sum of those above",
            ),
            ("guest,cards\nA,7\nB,14\n,21\n", "(4, 1) this row has the sum of those above"),
            ("cards\n7\n14\n9\n\n30\n", "(6, 1) this row has the sum of those above"),
            ("cards,decks\n1,3\n2,5\n3,4\n6,12\n", "(5, 1) this row has the sum of those above"),
            ("cards,decks\n5,1\n6,2\n7,3\n38,6\n", "(5, 1) this row has the sum of those above"),
            ("decks,paid\n400,12700\n200,6200\n200,6500\n", "(2, 1) this row has the sum of those below"),
        ] {
            let told = read(text, &Spec::default()).unwrap_err();
            assert!(
                told.starts_with(said) || !said.starts_with('(') && told.contains(said),
                "{text:?}: {told}"
            );
        }
        let told = read("decks;paid\n40;235 SEK\n40;270 kr\n40;275 NOK\n", &in_money("kr")).unwrap_err();
        assert!(told.starts_with("(4, 4) `paid` is in NOK here, and in SEK above"), "{told}");
        // With a cent per card, any sum is possible.
        let mut cent = Spec::default();
        cent.casino.pays_per_card = 1;
        let told = read("decks;paid\n20000;5\n10000;\"1,250\"", &cent).unwrap_err();
        let said =
            "(3, 1) this can be read in two ways: decks 10000 and paid 1250, or decks 10000 and paid 1.25";
        assert!(told.starts_with(said), "{told}");
    }
}
