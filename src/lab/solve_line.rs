//! One answer as a line of `solve --json`, and whether such a line can be true: it is compared with itself, with the deal,
//! and with its moves.

use serde::{Deserialize, Serialize};

use crate::cards::Deck;
use crate::game::{End, Record, RecordFault, Table};
use crate::rules::Rules;
use crate::solver::{Limit, Verdict, most_cards};

use super::solve::{Face, Solved, game_die, solvable};

/// One line of `solve --json`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveLine {
    id: String,
    rules: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    face: Option<u8>,
    verdict: Word,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limit: Option<Limit>,
    cards: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cards_at_most: Option<u16>,
    nodes: u64,
    seconds: f64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    moves: String,
    deck: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Won,
    Lost,
    Unknown,
}

impl Word {
    fn word(self) -> &'static str {
        match self {
            Word::Won => "won",
            Word::Lost => "lost",
            Word::Unknown => "unknown",
        }
    }
}

impl SolveLine {
    /// The line of an answer to a deck, under rules of this name or of a file at this path.
    pub fn new(solved: &Solved, rules: &str, deck: &Deck) -> SolveLine {
        let (verdict, limit) = match solved.verdict {
            Verdict::Won => (Word::Won, None),
            Verdict::Lost => (Word::Lost, None),
            Verdict::Unknown(limit) => (Word::Unknown, Some(limit)),
        };
        SolveLine {
            id: solved.id.clone(),
            rules: rules.to_string(),
            face: solved.face,
            verdict,
            limit,
            cards: solved.cards as u16,
            cards_at_most: (solved.cards_at_most > solved.cards).then_some(solved.cards_at_most as u16),
            nodes: solved.nodes,
            seconds: (solved.seconds * 1e6).round() / 1e6,
            // Moves that did not do what they were to do show nothing.
            moves: match solved.verdict {
                Verdict::Unknown(Limit::Replay) => String::new(),
                _ => solved.moves.clone(),
            },
            deck: deck.to_string(),
        }
    }

    /// What it claims, as the record of a game.
    pub fn record(&self) -> Record {
        Record {
            id: None,
            rules: self.rules.clone(),
            seed: None,
            chance: None,
            game: 0,
            deck: self.deck.clone(),
            strategy: "solver".into(),
            moves: self.moves.clone(),
            end: if self.verdict == Word::Won { End::Won } else { End::Resigned },
            cards: self.cards,
            staked: None,
            stopped: None,
        }
    }

    /// Checks that its parts agree with one another and with the deal, and replays its moves: they win, where it says
    /// so, and else reach as many cards as it says. Whether there were moves: no replay shows that a deal is lost, nor
    /// that no more cards can come up than it says.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self, rules: &Rules) -> Result<bool, RecordFault> {
        solvable(rules).map_err(|refused| {
            RecordFault::of("rules", format!("no deal of these rules has an answer: {refused}"))
        })?;
        self.check_face(rules)?;
        self.check_figures()?;
        let deck = Deck::parse(&self.deck, rules.deck_shape()).map_err(|faults| {
            let faults: Vec<String> = faults.into_iter().map(|fault| fault.message).collect();
            RecordFault::of("deck", format!("the deck: {}", faults.join("; ")))
        })?;
        let table = Table::deal(rules, deck.cards(), &mut Face(self.face.unwrap_or(1)));
        self.check_cards(rules, &table)?;
        match (self.verdict, self.moves.is_empty()) {
            (Word::Won, _) => {
                // An answer says in its verdict how its moves end.
                let of_verdict = |fault: RecordFault| match fault.field {
                    "end" => RecordFault { field: "verdict", ..fault },
                    _ => fault,
                };
                self.record().check(rules).map(|_| true).map_err(of_verdict)
            }
            (_, false) => self.record().check_reached(rules).map(|()| true),
            (_, true) => Ok(false),
        }
    }

    /// The face is one that the die of the game has, and the one that the moves begin with.
    fn check_face(&self, rules: &Rules) -> Result<(), RecordFault> {
        let wrong = |message: String| Err(RecordFault::of("face", message));
        match (game_die(rules), self.face) {
            (None, None) => Ok(()),
            (None, Some(face)) => wrong(format!("it has a face, {face}, but no die is rolled for the game")),
            (Some(faces), None) => {
                let message =
                    format!("`face` is missing: a die with faces 1 to {faces} is rolled for the game");
                Err(RecordFault::of("verdict", message))
            }
            (Some(faces), Some(face)) if !(1..=faces).contains(&face) => {
                wrong(format!("a face {face}, but the die of the game has faces 1 to {faces}"))
            }
            (Some(_), Some(face)) => match self.moves.split_whitespace().next() {
                Some(first) if first != format!("roll:{face}") => {
                    wrong(format!("it says face {face}, but its moves begin with `{first}`"))
                }
                _ => Ok(()),
            },
        }
    }

    /// A limit is reported where it left the answer open, and only there; time does not run backwards.
    fn check_figures(&self) -> Result<(), RecordFault> {
        match self.limit {
            Some(limit) if self.verdict != Word::Unknown => {
                let verdict = self.verdict.word();
                return Err(RecordFault::of(
                    "limit",
                    format!("it says `{verdict}`, but also that `{limit}` ended the search"),
                ));
            }
            None if self.verdict == Word::Unknown => {
                let message = "it says `unknown`, but `limit` is missing: what left it open";
                return Err(RecordFault::of("verdict", message.into()));
            }
            _ => {}
        }
        if !(self.seconds >= 0.0 && self.seconds.is_finite()) {
            return Err(RecordFault::of("seconds", format!("{} seconds cannot have passed", self.seconds)));
        }
        Ok(())
    }

    /// The cards are between those of the deal and what is known to be the most.
    fn check_cards(&self, rules: &Rules, table: &Table) -> Result<(), RecordFault> {
        let all = rules.hot.cards as u16;
        let (dealt, bound) = (table.cards() as u16, most_cards(table, rules) as u16);
        let cards = |message: String| Err(RecordFault::of("cards", message));
        let at_most = |message: String| Err(RecordFault::of("cards_at_most", message));
        let (verdict, claimed) = (self.verdict.word(), self.cards);
        if claimed < dealt {
            return cards(format!("it says {claimed} cards, but the deal puts {dealt} up"));
        }
        if claimed > bound {
            return cards(format!("it says {claimed} cards, but no more than {bound} of {all} can come up"));
        }
        if self.verdict == Word::Won && claimed < all {
            return cards(format!("it says `won` with {claimed} cards, but a won deal has all {all} up"));
        }
        if self.verdict != Word::Won && claimed == all {
            let message =
                format!("it says `{verdict}`, but a deal of which all {all} cards come up is `won`");
            return Err(RecordFault::of("verdict", message));
        }
        let Some(most) = self.cards_at_most else {
            if self.verdict == Word::Unknown && claimed < bound {
                let message =
                    "it says `unknown`, but `cards_at_most` is missing, as if no more cards could come up";
                return Err(RecordFault::of("verdict", message.into()));
            }
            return Ok(());
        };
        if most <= claimed {
            return at_most(format!(
                "at most {most} cards, but {claimed} come up: leave `cards_at_most` out if no more can"
            ));
        }
        if most > all {
            return at_most(format!("at most {most} cards, but there are {all}"));
        }
        if self.verdict == Word::Lost && most == all {
            return at_most(format!("it says `lost`, but also that all {all} cards might come up"));
        }
        // Only a search that came to its end rules out more than the look of the deal does.
        if self.verdict != Word::Lost && most < bound {
            return at_most(format!("at most {most} cards, but the deal rules out only more than {bound}"));
        }
        Ok(())
    }
}
