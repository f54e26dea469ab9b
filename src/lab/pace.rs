//! How long a person takes for a game: seconds by kind of move, from a file.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Diagnostic, SourceText, read_file};
use crate::game::{Move, MoveList, Observer, Table};
use crate::rules::file::{FileKind, Key, Reading, Shape, decimal, keys, read};
use crate::rules::find::{Origin, Shelf};

/// The pace used unless another is named: guesses, in a file that says so.
const INCLUDED: &str = include_str!("../../scripts/pace.toml");

/// Longest time for one part of a game, milliseconds: an hour.
const MOST: i64 = 3_600_000;

/// Moves of a finished game, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveCounts {
    /// Moves to the foundations.
    pub foundation: u32,
    /// Moves to piles and spaces.
    pub tableau: u32,
    /// Draws.
    pub draws: u32,
    /// Redeals.
    pub redeals: u32,
    /// Moves chosen from more than one legal move.
    pub choices: u32,
}

impl MoveCounts {
    /// Returns the number of moves.
    pub fn moves(&self) -> u32 {
        self.foundation + self.tableau + self.draws + self.redeals
    }
}

/// Counts the moves of a game.
impl Observer for MoveCounts {
    fn moving(&mut self, _table: &Table, legal: &MoveList, chosen: Move) {
        self.choices += u32::from(legal.len() > 1);
        let kind = match chosen {
            Move::DRAW => &mut self.draws,
            Move::REDEAL => &mut self.redeals,
            m if m.to_foundation() => &mut self.foundation,
            _ => &mut self.tableau,
        };
        *kind += 1;
    }
}

/// Milliseconds for each part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// Shuffling and dealing, once a game.
    pub deal: u32,
    /// A move to the foundations.
    pub foundation: u32,
    /// A move to a pile or a space.
    pub tableau: u32,
    /// A draw.
    pub draw: u32,
    /// A redeal.
    pub redeal: u32,
    /// Thinking, before each move where more than one is legal.
    pub choice: u32,
}

/// Writes `45 s to deal, 1.5 s for a move to the foundations, ...`.
impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [self.deal, self.foundation, self.tableau, self.draw, self.redeal, self.choice];
        let [deal, foundation, tableau, draw, redeal, choice] = parts.map(|it| decimal(it.into()));
        write!(
            f,
            "{deal} s to deal, {foundation} s for a move to the foundations, {tableau} s for one to the tableau, {draw} s for a \
             draw, {redeal} s for a redeal, and {choice} s to think where more than one move is legal"
        )
    }
}

impl Pace {
    /// Returns the pace of the file, or the included one. What a file leaves out stays as in the included one.
    ///
    /// # Errors
    /// All faults of the file.
    pub fn load(path: Option<&str>) -> Result<Pace, Vec<Diagnostic>> {
        let source = match path {
            None => SourceText::of("pace.toml", INCLUDED),
            Some(path) => {
                let unreadable = |error: std::io::Error| {
                    let empty = Arc::new(SourceText::of(path, ""));
                    Diagnostic::error(&empty, 0..0, format!("the file cannot be read: {error}"))
                        .help("name a file such as scripts/pace.toml, with seconds for each part of a game")
                };
                let bytes = read_file(Path::new(path)).map_err(|error| vec![unreadable(error)])?;
                SourceText::decode(path, bytes).map_err(|fault| vec![fault])?
            }
        };
        let origin = Origin::file(path.unwrap_or("pace.toml"));
        Ok(read::<Draft>(source, origin)?.value)
    }

    /// Returns the minutes that a game takes.
    pub fn minutes(&self, game: &MoveCounts) -> f64 {
        let parts = [
            (self.foundation, game.foundation),
            (self.tableau, game.tableau),
            (self.draw, game.draws),
            (self.redeal, game.redeals),
            (self.choice, game.choices),
        ];
        let moves: u64 = parts.map(|(each, times)| u64::from(each) * u64::from(times)).into_iter().sum();
        (u64::from(self.deal) + moves) as f64 / 60_000.0
    }
}

/// The keys of a file, milliseconds.
#[derive(Default)]
struct Draft {
    name: String,
    deal: Option<u32>,
    foundation: Option<u32>,
    tableau: Option<u32>,
    draw: Option<u32>,
    redeal: Option<u32>,
    choice: Option<u32>,
}

impl FileKind for Draft {
    type Whole = Pace;

    const SHELF: Shelf = Shelf { what: "pace", example: "pace.toml", texts: &[] };
    const KEYS: &'static [Key<Draft>] = keys! { Draft:
        "name" = name, Shape::Name, "What this pace is called.";
        "deal" = deal, Shape::Decimal(0, MOST), "Seconds to shuffle and lay out the cards.";
        "foundation" = foundation, Shape::Decimal(0, MOST), "Seconds for a move to the foundations.";
        "tableau" = tableau, Shape::Decimal(0, MOST), "Seconds for a move to a pile or a space.";
        "draw" = draw, Shape::Decimal(0, MOST), "Seconds for a draw.";
        "redeal" = redeal, Shape::Decimal(0, MOST), "Seconds for a redeal.";
        "choice" = choice, Shape::Decimal(0, MOST), "Seconds to think where more than one move is legal.";
    };
    const TABLES: &'static [(&'static str, &'static str)] = &[];
    const SECOND_NAME: Option<(&'static str, &'static str)> = None;
    const HINTS: &'static [(&'static str, &'static str)] = &[
        ("think", "the key is `choice`"),
        ("move", "the keys are `foundation` and `tableau`"),
        ("extends", "what a file leaves out stays as in the included file"),
    ];

    fn begin(&mut self, name: String) {
        self.name = name;
    }

    fn judge(reading: &mut Reading<Draft>, root: &Arc<SourceText>) -> Option<Pace> {
        let usual = match root.text == INCLUDED {
            true => Pace { deal: 0, foundation: 0, tableau: 0, draw: 0, redeal: 0, choice: 0 },
            false => Pace::load(None).ok()?,
        };
        let draft = &reading.value;
        Some(Pace {
            deal: draft.deal.unwrap_or(usual.deal),
            foundation: draft.foundation.unwrap_or(usual.foundation),
            tableau: draft.tableau.unwrap_or(usual.tableau),
            draw: draft.draw.unwrap_or(usual.draw),
            redeal: draft.redeal.unwrap_or(usual.redeal),
            choice: draft.choice.unwrap_or(usual.choice),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_the_sum_of_the_parts() {
        let pace = Pace::load(None).unwrap();
        let game = MoveCounts { foundation: 8, tableau: 9, draws: 30, redeals: 3, choices: 20 };
        assert_eq!(game.moves(), 50);
        // 45 + 8 x 1.5 + 9 x 2 + 30 x 2 + 3 x 4 + 20 x 2 seconds.
        assert!((pace.minutes(&game) - 187.0 / 60.0).abs() < 1e-12);
    }
}
