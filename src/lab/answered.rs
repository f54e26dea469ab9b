//! Strategies on deals that were solved, and what they leave of what the deals allow.

use std::fmt;
use std::sync::atomic::AtomicBool;

use crate::game::Outcome;
use crate::stats::{ClairvoyantBounds, GameWorth, ShortfallSummary, ShortfallTally, Tally};

use super::batch::BatchError;
use super::given::{GivenDeals, GivenGame, play_given};

/// An answer of the solver: of a deal, or of one face of the die that is rolled for the game.
pub struct AnsweredDeal<'a> {
    /// The deal's id.
    pub id: &'a str,
    /// The face.
    pub face: Option<u8>,
}

/// What came of a strategy.
pub struct PlayedAnswered {
    /// Its games, in the order of the deals.
    pub games: Vec<GivenGame>,
    /// What they say alone.
    pub tally: Tally,
    /// And beside what the deals allow.
    pub left: ShortfallSummary,
}

/// Why the deals could not be played.
#[derive(Debug)]
pub enum AnsweredError {
    /// As any batch.
    Batch(BatchError),
    /// A game contradicts the solver.
    Contradiction(String),
}

impl fmt::Display for AnsweredError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnsweredError::Batch(error) => error.fmt(f),
            AnsweredError::Contradiction(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for AnsweredError {}

/// Has every entry of `given`, which is called by `names`, play the deals of the answers, raises what is known of the
/// deals to what was seen, and says what each left of it. Nothing where `stop` was set before all were played.
///
/// # Errors
/// The fault of a strategy, or a game that contradicts the solver.
pub fn play_answered(
    given: &GivenDeals<'_>,
    names: &[&str],
    answers: &[AnsweredDeal<'_>],
    bounds: &mut ClairvoyantBounds,
    stop: &AtomicBool,
) -> Result<Vec<PlayedAnswered>, AnsweredError> {
    let Some(games) = play_given(given, stop).map_err(AnsweredError::Batch)? else { return Ok(Vec::new()) };
    for (name, games) in names.iter().zip(&games) {
        raise(name, games, answers, bounds).map_err(AnsweredError::Contradiction)?;
    }
    let spec = |entry: usize| given.entries[entry].rules.spec();
    let left = |(entry, games): (usize, Vec<GivenGame>)| {
        let (mut tally, mut left) = (Tally::new(spec(entry)), ShortfallTally::new(spec(entry)));
        let faces = bounds.faces();
        for (place, (game, of_deal)) in games.iter().zip(bounds.list().chunks(faces)).enumerate() {
            let outcome: &Outcome = &game.outcome;
            tally.add(outcome);
            if let Some(&bound) = of_deal.get(face(game, answers, place * faces, faces)) {
                left.add(bound, &GameWorth::of(spec(entry), outcome));
            }
        }
        PlayedAnswered { left: left.summary(), tally, games }
    };
    Ok(games.into_iter().enumerate().map(left).collect())
}

/// The place among the faces of a deal of the one that a game rolled.
fn face(game: &GivenGame, answers: &[AnsweredDeal<'_>], first: usize, faces: usize) -> usize {
    let of_deal = answers.get(first..first + faces).unwrap_or_default();
    of_deal.iter().position(|answer| answer.face == game.face).unwrap_or(0)
}

fn raise(
    strategy: &str,
    games: &[GivenGame],
    answers: &[AnsweredDeal<'_>],
    bounds: &mut ClairvoyantBounds,
) -> Result<(), String> {
    let (all, faces) = (bounds.all(), bounds.faces());
    for (place, game) in games.iter().enumerate() {
        let face = face(game, answers, place * faces, faces);
        let Some(bound) = bounds.of_deal_mut(place).get_mut(face) else { continue };
        *bound = bound.raised(game.outcome.cards, all).map_err(|wrong| {
            let deal = answers.get(place * faces).map_or("", |answer| answer.id);
            format!("deal {deal}, played by {strategy}: {wrong}; the solver or the game is wrong")
        })?;
    }
    Ok(())
}
