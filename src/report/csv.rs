//! Games as comma-separated values, one a row.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::game::Outcome;
use crate::rules::Spec;
use crate::stats::{payout, points};

/// Writes finished games of one ruleset as rows of `game,cards,end,moves,redeals,reserve_left,
/// complete_suits,net_cents` and the named scores. Net is the player's, in cents. It writes in
/// small pieces: give it a buffered writer.
#[derive(Debug)]
pub struct GamesCsv<'a, W> {
    rules: &'a Spec,
    to: W,
}

impl<'a, W: Write> GamesCsv<'a, W> {
    /// Begins with the header.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn new(rules: &'a Spec, mut to: W) -> io::Result<GamesCsv<'a, W>> {
        write!(to, "game,cards,end,moves,redeals,reserve_left,complete_suits,net_cents")?;
        for score in &rules.scores {
            write!(to, ",{}", quoted(&score.name))?;
        }
        writeln!(to)?;
        Ok(GamesCsv { rules, to })
    }

    /// Writes game number `game`.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn row(&mut self, game: u64, outcome: &Outcome) -> io::Result<()> {
        let Outcome { end, cards, moves, redeals, reserve_left, complete_suits } = outcome;
        let casino = &self.rules.casino;
        let paid = payout(casino, usize::from(*cards), self.rules.cards());
        let net = paid.saturating_sub(casino.stake);
        write!(self.to, "{game},{cards},{end},{moves},{redeals},{reserve_left},{complete_suits},{net}")?;
        for score in &self.rules.scores {
            write!(self.to, ",{}", points(score, outcome))?;
        }
        writeln!(self.to)
    }

    /// Passes on what is left in the writer's buffer, and gives the writer back.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.to.flush()?;
        Ok(self.to)
    }
}

/// A field as RFC 4180, section 2, asks: in quotes if it holds a comma, a quote or a line break,
/// its own quotes doubled.
pub(super) fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(field)
    }
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
        let mut csv = GamesCsv::new(&spec, Vec::new()).unwrap();
        let lost =
            Outcome { end: End::Barren, cards: 5, moves: 61, redeals: 2, reserve_left: 9, complete_suits: 0 };
        let won =
            Outcome { end: End::Won, cards: 52, moves: 99, redeals: 1, reserve_left: 0, complete_suits: 4 };
        csv.row(0, &lost).unwrap();
        csv.row(1, &won).unwrap();
        let text = String::from_utf8(csv.finish().unwrap()).unwrap();
        assert_eq!(
            text,
            "game,cards,end,moves,redeals,reserve_left,complete_suits,net_cents,plain,\"a \"\"big\"\", round one\"\n\
             0,5,barren,61,2,9,0,-2700,10,10\n\
             1,52,won,99,1,0,4,20800,104,104\n"
        );
    }
}
