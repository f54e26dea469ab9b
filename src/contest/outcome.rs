//! Outcome of a match.

use serde::{Deserialize, Serialize};

use crate::game::Outcome;
use crate::rules::Score;

use super::spec::ContestSpec;

/// Players who win or lose together: a team, or one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The team's name, or the player's.
    pub name: String,
    /// Its players, in the order of the contest.
    pub players: Vec<usize>,
}

impl ContestSpec {
    /// Returns the sides, in the order in which they first appear.
    pub fn sides(&self) -> Vec<Side> {
        let mut sides: Vec<Side> = Vec::new();
        for (i, player) in self.players.iter().enumerate() {
            let team = player.team.as_ref();
            match sides.iter_mut().find(|side| team == Some(&side.name)) {
                Some(side) => side.players.push(i),
                None => {
                    let name = team.unwrap_or(&player.name).clone();
                    sides.push(Side { name, players: vec![i] });
                }
            }
        }
        sides
    }
}

/// A finished match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchOutcome {
    /// The sides that won: more than one if tied, none if the match is undecided.
    pub winners: Vec<usize>,
    /// Microseconds from the first deal to the end.
    pub micros: u64,
    /// The most deals that any player has finished.
    pub rounds: u32,
    /// Deals with shared foundations that somebody ended by going out.
    pub out: u32,
    /// Deals with shared foundations that ended because nobody had a play.
    pub stuck: u32,
    /// Results of each player, in the order of the contest's list.
    pub players: Vec<Played>,
}

/// Results of one player in a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// The player's seat, from 0.
    pub seat: usize,
    /// Points of all finished deals.
    pub points: i64,
    /// Number of deals finished.
    pub rounds: u32,
    /// Number of actions: plays, draws, redeals and moves that came too late.
    pub actions: u64,
    /// Number of moves to shared foundations that came too late.
    pub late: u64,
    /// Number of deals in which the player went out first.
    pub out_first: u32,
    /// Number of deals in which the player was stopped after [`RUNAWAY`](crate::game::RUNAWAY) moves.
    pub runaways: u32,
}

/// Returns the points of a deal under a named score, in its current state.
pub fn deal_points(score: &Score, outcome: &Outcome, out_first: bool) -> i64 {
    let terms = [
        (score.foundation_card, i64::from(outcome.cards)),
        (score.complete_suit, i64::from(outcome.complete_suits)),
        (score.won, i64::from(outcome.end == crate::game::End::Won)),
        (score.reserve_left, i64::from(outcome.reserve_left)),
        (score.redeal, i64::from(outcome.redeals)),
        (score.out_first, i64::from(out_first)),
    ];
    terms
        .iter()
        .fold(score.constant, |sum, (points, count)| sum.saturating_add(points.saturating_mul(*count)))
}
