//! The results of a night as a file: a row for each deck, or for several.

use std::ops::Range;
use std::sync::Arc;

use crate::amounts::{money, plain};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::stats::{LEAST_TOGETHER, NightRow};

/// A file with more faults than this is read no further: it is surely something else.
const MOST_FAULTS: usize = 20;
/// Decks of a night at most.
const MOST_DECKS: u64 = 100_000;

const HELP: &str = "a night is a CSV file whose first line names its columns: `cards`, with a row for each deck; `cards,decks`, \
                    with the number of decks that came to so many cards; or `decks,paid`, with the money paid for all of them";

/// Reads the results of a night: comma, semicolon or tab between columns, the names of the columns in the first line. Columns of
/// other names are passed over. `pays` is what a deck pays for each number of cards, cents.
///
/// # Errors
/// The faults of all rows.
pub fn read_night(source: SourceText, pays: &[i64]) -> Result<Vec<NightRow>, Vec<Diagnostic>> {
    let source = Arc::new(source);
    let most = pays.len().saturating_sub(1) as u64;
    let dearest = pays.iter().copied().max().unwrap_or(0);
    let fault =
        |span: Range<usize>, what: String, help: &str| Diagnostic::error(&source, span, what).help(help);
    let mut lines = Lines { text: &source.text, at: 0 };
    let Some((first, head)) = lines.find(|(_, line)| !line.trim().is_empty()) else {
        return Err(vec![fault(0..0, "the file is empty".into(), HELP)]);
    };
    let comma = [';', '\t', ','].into_iter().find(|comma| head.contains(*comma)).unwrap_or(',');
    let names: Vec<String> = fields(head, comma, first).map(|(_, name)| name.to_lowercase()).collect();
    let column = |name: &str| names.iter().position(|it| it == name);
    let (cards, decks, paid) = (column("cards"), column("decks"), column("paid"));
    if cards.is_none() && (paid.is_none() || decks.is_none()) || cards.is_some() && paid.is_some() {
        return Err(vec![fault(first..first + head.len(), "these columns tell of no night".into(), HELP)]);
    }
    let (mut rows, mut faults, mut all) = (Vec::new(), Vec::new(), 0u64);
    for (start, line) in lines {
        if line.trim().is_empty() {
            continue;
        }
        let cells: Vec<(usize, &str)> = fields(line, comma, start).collect();
        let mut read = |place: Option<usize>, name: &str, least: u64, most: u64| -> Option<u64> {
            let (at, text) = cells.get(place?).copied().unwrap_or((start + line.len(), ""));
            let number = text.parse::<u64>().ok().filter(|n| (least..=most).contains(n));
            if number.is_none() {
                let what = if text.is_empty() {
                    format!("`{name}` is missing")
                } else {
                    format!("`{name}` cannot be {text}")
                };
                let help = format!("allowed: a whole number from {least} to {most}");
                faults.push(fault(at..at + text.len(), what, &help));
            }
            number
        };
        let row = match (cards, decks) {
            (Some(_), None) => {
                read(cards, "cards", 0, most).map(|n| NightRow::Each { cards: n as u16, decks: 1 })
            }
            (Some(_), Some(_)) => {
                let cards = read(cards, "cards", 0, most);
                let decks = read(decks, "decks", 0, MOST_DECKS);
                cards
                    .zip(decks)
                    .map(|(cards, decks)| NightRow::Each { cards: cards as u16, decks: decks as u32 })
            }
            (None, _) => {
                let decks = read(decks, "decks", LEAST_TOGETHER.into(), MOST_DECKS);
                let (at, text) =
                    paid.and_then(|it| cells.get(it)).copied().unwrap_or((start + line.len(), ""));
                let paid = money(text).map_err(|help| {
                    let what = if text.is_empty() {
                        "`paid` is missing".into()
                    } else {
                        format!("`paid` cannot be {text}")
                    };
                    faults.push(fault(at..at + text.len(), what, &help));
                });
                decks.zip(paid.ok()).map(|(decks, paid)| {
                    let highest = dearest.saturating_mul(decks as i64);
                    if paid > highest {
                        let what = format!("{decks} decks cannot be paid {} together", plain(paid));
                        let help = format!(
                            "allowed: at most {}, which is {} a deck",
                            plain(highest),
                            plain(dearest)
                        );
                        faults.push(fault(at..at + text.len(), what, &help));
                    }
                    NightRow::Together { decks: decks as u32, paid }
                })
            }
        };
        all += row.map_or(0, |row| row.decks().into());
        if all > MOST_DECKS {
            let what = format!("there are more than {MOST_DECKS} decks");
            faults.push(fault(start..start + line.len(), what, "give a night, or a season in several files"));
            break;
        }
        rows.extend(row.filter(|row| row.decks() > 0));
        if faults.len() > MOST_FAULTS {
            break;
        }
    }
    if faults.is_empty() && rows.is_empty() {
        faults.push(fault(0..0, "the file has no decks".into(), HELP));
    }
    if faults.is_empty() { Ok(rows) } else { Err(faults) }
}

/// The lines of a text, each with its place.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let line = rest.split_inclusive('\n').next()?;
        let start = self.at;
        self.at += line.len();
        Some((start, line.trim_end()))
    }
}

/// The fields of a line without spaces and quotes around them, each with its place in the text.
fn fields(line: &str, comma: char, start: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut at = start;
    line.split(comma).map(move |field| {
        let bare = field.trim().trim_matches('"').trim();
        let found = (at + (bare.as_ptr() as usize - field.as_ptr() as usize), bare);
        at += field.len() + comma.len_utf8();
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<NightRow>, String> {
        let pays: Vec<i64> = (0..=52).map(|cards| 500 * cards).collect();
        let told = |faults: Vec<Diagnostic>| {
            let place = |it: &Diagnostic| format!("{:?} {}", it.position(), it.message);
            faults.iter().map(place).collect::<Vec<_>>().join("\n")
        };
        read_night(SourceText::of("night.csv", text), &pays).map_err(told)
    }

    #[test]
    fn three_shapes_are_read() {
        let each = |cards, decks| NightRow::Each { cards, decks };
        assert_eq!(read("cards\n5\n52\r\n\n0"), Ok(vec![each(5, 1), each(52, 1), each(0, 1)]));
        assert_eq!(read("\u{feff}time;Decks; \"Cards\"\n20:00;3;7\n20:30;0;9"), Ok(vec![each(7, 3)]));
        let paid = vec![NightRow::Together { decks: 300, paid: 1_605_050 }];
        assert_eq!(read("decks\tpaid\n300\t$16050.50\n"), Ok(paid));
    }

    #[test]
    fn faults_have_their_places() {
        for (text, said) in [
            ("", "the file is empty"),
            ("cards\n", "the file has no decks"),
            ("deck,card\n1,2", "(1, 1) these columns tell of no night"),
            ("cards,paid\n1,2", "tell of no night"),
            ("cards\n5\n53\nx", "(3, 1) `cards` cannot be 53\n(4, 1) `cards` cannot be x"),
            ("cards,decks\n5, -1", "(2, 4) `decks` cannot be -1"),
            ("cards,decks\n5", "(2, 2) `decks` is missing"),
            ("decks,paid\n29,100", "`decks` cannot be 29"),
            ("decks,paid\n40,ten", "`paid` cannot be ten"),
            ("decks,paid\n40,10400.01", "(2, 4) 40 decks cannot be paid 10400.01 together"),
            ("cards,decks\n5,60000\n6,60000", "more than 100000 decks"),
        ] {
            let told = read(text).unwrap_err();
            assert!(told.contains(said), "{text:?}: {told}");
        }
    }
}
