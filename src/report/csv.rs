//! Games as comma-separated values, one per row.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, Write};

use crate::game::{Instead, Outcome, Stake};
use crate::rules::{Spec, StageAt};
use crate::stats::{Estimate, Mean, points, staked_and_net};
use crate::text::one_line;

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

/// A row under construction, for tables with stable columns for programs. A field without a figure is empty.
#[derive(Debug, Default)]
pub(super) struct Row(Vec<String>);

impl Row {
    /// The names of columns, joined by commas.
    pub fn head(names: &str) -> Row {
        names.split(',').fold(Row::default(), Row::field)
    }

    /// Adds a value that no spreadsheet evaluates, such as a number.
    pub fn field(mut self, value: impl Display) -> Row {
        self.0.push(value.to_string());
        self
    }

    pub fn text(self, text: &str) -> Row {
        self.field(safe(text))
    }

    /// Adds a figure and its limits.
    pub fn estimate(self, e: Option<Estimate>) -> Row {
        self.figures(e.map_or([None; 3], |e| [e.value, e.low, e.high].map(Some)))
    }

    pub fn mean(self, mean: Option<Mean>) -> Row {
        self.figures(mean.map_or([None; 3], |mean| [Some(mean.value), mean.low, mean.high]))
    }

    fn figures(self, figures: [Option<f64>; 3]) -> Row {
        figures.iter().fold(self, |row, figure| row.field(figure.map_or(String::new(), |x| x.to_string())))
    }
}

/// Returns the text of a table: its head and its rows.
pub(super) fn table(rows: impl IntoIterator<Item = Row>) -> String {
    lines(rows.into_iter().map(|row| row.0))
}

/// Formats lines of fields, quoted if necessary.
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
    use crate::game::End;
    use crate::rules::Score;

    #[test]
    fn rows_and_quotes() {
        let score = |name: &str| Score { name: name.into(), foundation_card: 2, ..Score::default() };
        let scores = vec![score("plain"), score("a \"big\", round one")];
        let spec = Spec { scores, ..Spec::default() };
        let mut csv = GamesCsv::new(&spec, false, Vec::new()).unwrap();
        for (game, end, cards) in [(0, End::Barren, 5), (1, End::Won, 52)] {
            let counts = Outcome {
                end,
                cards,
                moves: 61,
                redeals: 2,
                reserve_left: 9,
                complete_suits: 0,
                stake: None,
            };
            csv.row(game, None, &counts).unwrap();
        }
        let text = String::from_utf8(csv.finish().unwrap()).unwrap();
        assert_eq!(
            text,
            "game,cards,end,moves,redeals,reserve_left,complete_suits,net_cents,plain,\"a \"\"big\"\", round one\"\n\
             0,5,barren,61,2,9,0,-2700,10,10\n\
             1,52,won,61,2,9,0,20800,104,104\n"
        );
    }
}
