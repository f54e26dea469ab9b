//! Summary of a sample of matches.

use serde::Serialize;

use crate::contest::ContestSpec;
use crate::stats::Estimate;
use crate::stats::binomial::{rate, rate_at};
use crate::stats::interval::TAIL;

use super::mean::Mean;
use super::tally::{ContestTally, Standing};

/// Figures of the matches of one contest. Undecided matches count both ways in every rate: the lower limit counts
/// none of them as won, the upper one all.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContestSummary {
    /// Matches counted.
    pub matches: u64,
    /// Matches in which no side reached the target.
    pub undecided: u64,
    /// Matches in which several sides had the most points.
    pub tied: u64,
    /// Deals with shared foundations that ended because a player was out.
    pub deals_out: u64,
    /// Deals with shared foundations that ended because nobody could play.
    pub deals_stuck: u64,
    /// Length of a match, seconds.
    pub seconds: Mean,
    /// Deals per match, counted for the player who finished most.
    pub rounds: Mean,
    /// Figures by side, if several players form teams.
    pub sides: Vec<SideSummary>,
    /// Figures by player, in the order of the contest.
    pub players: Vec<StandingSummary>,
    /// Figures by seat, for all players who sat there.
    pub seats: Vec<StandingSummary>,
}

/// One side: a team, or a player alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideSummary {
    /// The team's name, or the player's.
    pub name: String,
    /// The names of its players.
    pub players: Vec<String>,
    /// Matches it won alone.
    pub wins: u64,
    /// Matches it won jointly with others.
    pub tied: u64,
    /// Wins alone / matches (Clopper and Pearson).
    pub win_rate: Estimate,
    /// The same rate, with joint confidence for all sides (Bonferroni).
    pub at_once: Estimate,
}

/// Figures of one player, or of one seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StandingSummary {
    /// The player's name, or `seat 1`.
    pub name: String,
    /// Matches that the player's side won alone.
    pub wins: u64,
    /// Matches that it won jointly with others.
    pub tied: u64,
    /// Wins alone / matches (Clopper and Pearson).
    pub win_rate: Estimate,
    /// The player's own points per match.
    pub points: Mean,
    /// Matches by points.
    pub histogram: Vec<(i64, u64)>,
    /// Length of the matches that the side won alone, seconds; `None` if it won none.
    pub seconds_to_win: Option<Mean>,
    /// Mean number of deals finished per match.
    pub deals: f64,
    /// Mean number of actions per match.
    pub actions: f64,
    /// Mean number of moves per match that came too late.
    pub late: f64,
    /// Mean number of times per match that the player was out first.
    pub out_first: f64,
    /// Number of deals, over all matches, in which the player was stopped after 10,000 moves.
    pub runaways: u64,
}

/// Results of a player at one speed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpeedPoint {
    /// The player's speed, relative to that of the contest.
    pub factor: f64,
    /// Actions per second.
    pub speed: f64,
    /// Matches played.
    pub matches: u64,
    /// Wins of the player's side alone / matches (Clopper and Pearson).
    pub win_rate: Estimate,
    /// The player's own points per match.
    pub points: Mean,
}

impl ContestTally {
    /// Summarizes the tally.
    pub fn summarize(&self, spec: &ContestSpec) -> ContestSummary {
        let name = |player: usize| spec.players[player].name.clone();
        let side = |(side, &(wins, tied)): (&crate::contest::Side, &(u64, u64))| SideSummary {
            name: side.name.clone(),
            players: side.players.iter().map(|&player| name(player)).collect(),
            wins,
            tied,
            win_rate: rate(wins, self.undecided, self.matches),
            at_once: rate_at(TAIL / self.won.len().max(1) as f64, wins, self.undecided, self.matches),
        };
        let named = |(i, it): (usize, &Standing)| self.standing(it, name(i));
        let placed = |(i, it): (usize, &Standing)| self.standing(it, format!("seat {}", i + 1));
        ContestSummary {
            matches: self.matches,
            undecided: self.undecided,
            tied: self.tied,
            deals_out: self.out,
            deals_stuck: self.stuck,
            seconds: self.millis.mean(1000.0),
            rounds: self.rounds.mean(1.0),
            sides: self.sides.iter().zip(&self.won).map(side).collect(),
            players: self.players.iter().enumerate().map(named).collect(),
            seats: self.seats.iter().enumerate().map(placed).collect(),
        }
    }

    /// Returns the results of a player whose speed was multiplied by `factor`.
    pub fn at_speed(&self, spec: &ContestSpec, player: usize, factor: f64) -> SpeedPoint {
        let standing = &self.players[player];
        SpeedPoint {
            factor,
            speed: f64::from(spec.players[player].speed) / 1000.0,
            matches: self.matches,
            win_rate: rate(standing.wins, self.undecided, self.matches),
            points: standing.mean_points(),
        }
    }

    fn standing(&self, it: &Standing, name: String) -> StandingSummary {
        let each = |count: u128| if self.matches == 0 { 0.0 } else { count as f64 / self.matches as f64 };
        StandingSummary {
            name,
            wins: it.wins,
            tied: it.tied,
            win_rate: rate(it.wins, self.undecided, self.matches),
            points: it.mean_points(),
            histogram: it.points.iter().map(|(&points, &matches)| (points, matches)).collect(),
            seconds_to_win: (it.wins > 0).then(|| it.won_millis.mean(1000.0)),
            deals: each(it.rounds),
            actions: each(it.actions),
            late: each(it.late),
            out_first: each(it.out_first.into()),
            runaways: it.runaways,
        }
    }
}

impl Standing {
    fn mean_points(&self) -> Mean {
        Mean::of_counts(self.points.iter().map(|(&points, &matches)| (points as f64, matches as i64)))
    }
}
