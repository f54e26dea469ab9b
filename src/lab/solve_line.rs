//! One answer as a line of `solve --json`, and checks of such a line against itself, the deal, and the replay of its
//! moves.

use serde::{Deserialize, Serialize};

use crate::cards::Deck;
use crate::game::{End, Record, RecordFault, Table};
use crate::rules::Rules;
use crate::solver::{Limit, Verdict, most_cards};

use super::solve::{Face, Solved, game_die, solvable, solved_game};

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
enum Word {
    Won,
    Lost,
    Unknown,
}

impl SolveLine {
    /// Builds the line for an answer; `rules` is the name of the ruleset, or the path of its file.
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
            // Moves that miss the goal prove nothing.
            moves: match solved.verdict {
                Verdict::Unknown(Limit::Replay) => String::new(),
                _ => solved.moves.clone(),
            },
            deck: deck.to_string(),
        }
    }

    /// Returns the claimed game as a record.
    pub fn record(&self) -> Record {
        let end = if self.verdict == Word::Won { End::Won } else { End::Resigned };
        solved_game(&self.rules, self.deck.clone(), self.moves.clone(), (end, self.cards))
    }

    /// Checks that the parts agree with one another and with the deal, and that the moves reach what it says; returns
    /// whether there are moves. No replay can show that a deal is lost, or that no more cards are possible than
    /// claimed.
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
                // An answer states in its verdict how its moves end.
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

    /// Checks that the face exists on the game's die, and that the moves begin with it.
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

    /// Checks that a limit is given if and only if it left the answer open, and that time is not negative.
    fn check_figures(&self) -> Result<(), RecordFault> {
        let verdict: &str = self.verdict.into();
        let (limit, seconds, open) = (self.limit, self.seconds, self.verdict == Word::Unknown);
        let ended = limit.map_or(String::new(), |limit| limit.to_string());
        first_of([
            (
                limit.is_some() && !open,
                "limit",
                format!("it says `{verdict}`, but also that `{ended}` ended the search"),
            ),
            (
                limit.is_none() && open,
                "verdict",
                "it says `unknown`, but `limit` is missing: what left it open".into(),
            ),
            (
                !(seconds >= 0.0 && seconds.is_finite()),
                "seconds",
                format!("{seconds} seconds cannot have passed"),
            ),
        ])
    }

    /// Checks that the cards lie between those of the deal and the upper bound.
    fn check_cards(&self, rules: &Rules, table: &Table) -> Result<(), RecordFault> {
        let all = rules.hot.cards as u16;
        let (dealt, bound) = (table.cards() as u16, most_cards(table, rules) as u16);
        let (verdict, claimed): (&str, u16) = (self.verdict.into(), self.cards);
        let [won, lost, open] = [Word::Won, Word::Lost, Word::Unknown].map(|word| self.verdict == word);
        // No more can come up if it does not say how many might.
        let most = self.cards_at_most.unwrap_or(claimed);
        let said = self.cards_at_most.is_some();
        first_of([
            (claimed < dealt, "cards", format!("it says {claimed} cards, but the deal puts {dealt} up")),
            (
                claimed > bound,
                "cards",
                format!("it says {claimed} cards, but no more than {bound} of {all} can come up"),
            ),
            (
                won && claimed < all,
                "cards",
                format!("it says `won` with {claimed} cards, but a won deal has all {all} up"),
            ),
            (
                !won && claimed == all,
                "verdict",
                format!("it says `{verdict}`, but a deal whose {all} cards all come up is `won`"),
            ),
            (
                !said && open && claimed < bound,
                "verdict",
                "it says `unknown`, but `cards_at_most` is missing, as if no more cards could come up".into(),
            ),
            (
                said && most <= claimed,
                "cards_at_most",
                format!(
                    "at most {most} cards, but {claimed} come up: leave `cards_at_most` out if no more can"
                ),
            ),
            (said && most > all, "cards_at_most", format!("at most {most} cards, but there are {all}")),
            (
                said && lost && most == all,
                "cards_at_most",
                format!("it says `lost`, but also that all {all} cards might come up"),
            ),
            // Only an exhaustive search can improve on the upper bound computed from the deal.
            (
                said && !lost && most < bound,
                "cards_at_most",
                format!("at most {most} cards, but the deal rules out only more than {bound}"),
            ),
        ])
    }
}

/// Returns the first fault that holds, by its field and message.
fn first_of(faults: impl IntoIterator<Item = (bool, &'static str, String)>) -> Result<(), RecordFault> {
    match faults.into_iter().find(|fault| fault.0) {
        Some((_, field, message)) => Err(RecordFault::of(field, message)),
        None => Ok(()),
    }
}
