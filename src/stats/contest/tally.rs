//! Tally of matches in whole numbers: merging is exact, in any order.

use std::collections::BTreeMap;

use super::mean::Powers;
use crate::contest::{ContestSpec, MatchOutcome, Played, Side};

/// Tally of the finished matches of one contest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContestTally {
    pub(super) matches: u64,
    /// Matches in which no side reached the target.
    pub(super) undecided: u64,
    /// Matches in which several sides had the most points.
    pub(super) tied: u64,
    /// Deals with shared foundations that a player ended, and those in which nobody could play.
    pub(super) out: u64,
    pub(super) stuck: u64,
    pub(super) rounds: Powers,
    /// Length of the matches, milliseconds.
    pub(super) millis: Powers,
    pub(super) sides: Vec<Side>,
    /// For each side, matches it won alone, and matches it won jointly with others.
    pub(super) won: Vec<(u64, u64)>,
    /// Standing of each player, in the order of the contest.
    pub(super) players: Vec<Standing>,
    /// Standing of each seat.
    pub(super) seats: Vec<Standing>,
}

/// Counts for one player, or for all players at one seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Matches that the player's side won alone.
    pub(super) wins: u64,
    /// Matches that it won jointly with others.
    pub(super) tied: u64,
    /// Matches by the player's own points.
    pub(super) points: BTreeMap<i64, u64>,
    pub(super) rounds: u128,
    pub(super) actions: u128,
    pub(super) late: u128,
    pub(super) out_first: u64,
    pub(super) runaways: u64,
    /// Length of the matches that the side won alone, milliseconds.
    pub(super) won_millis: Powers,
}

impl ContestTally {
    /// Creates an empty tally for matches of this contest.
    pub fn new(spec: &ContestSpec) -> ContestTally {
        let sides = spec.sides();
        let standings = vec![Standing::default(); spec.players.len()];
        ContestTally {
            matches: 0,
            undecided: 0,
            tied: 0,
            out: 0,
            stuck: 0,
            rounds: Powers::default(),
            millis: Powers::default(),
            won: vec![(0, 0); sides.len()],
            sides,
            players: standings.clone(),
            seats: standings,
        }
    }

    /// Returns the number of matches.
    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// Counts a finished match of the same contest.
    pub fn add(&mut self, outcome: &MatchOutcome) {
        let millis = u128::from(outcome.micros / 1000);
        let tied = outcome.winners.len() > 1;
        self.matches += 1;
        self.undecided += u64::from(outcome.winners.is_empty());
        self.tied += u64::from(tied);
        self.out += u64::from(outcome.out);
        self.stuck += u64::from(outcome.stuck);
        self.rounds.add(outcome.rounds.into());
        self.millis.add(millis);
        for &side in &outcome.winners {
            *(if tied { &mut self.won[side].1 } else { &mut self.won[side].0 }) += 1;
        }
        for (player, played) in outcome.players.iter().enumerate() {
            let wins = outcome.winners.iter().any(|&side| self.sides[side].players.contains(&player));
            for standing in [&mut self.players[player], &mut self.seats[played.seat]] {
                standing.add(played, wins && !tied, wins && tied, millis);
            }
        }
    }

    /// Adds another tally of the same contest.
    pub fn merge(&mut self, other: &ContestTally) {
        self.matches += other.matches;
        self.undecided += other.undecided;
        self.tied += other.tied;
        self.out += other.out;
        self.stuck += other.stuck;
        self.rounds.merge(&other.rounds);
        self.millis.merge(&other.millis);
        for (won, other) in self.won.iter_mut().zip(&other.won) {
            *won = (won.0 + other.0, won.1 + other.1);
        }
        let standings = self.players.iter_mut().chain(&mut self.seats);
        for (standing, other) in standings.zip(other.players.iter().chain(&other.seats)) {
            standing.merge(other);
        }
    }
}

impl Standing {
    fn add(&mut self, played: &Played, won: bool, tied: bool, millis: u128) {
        self.wins += u64::from(won);
        self.tied += u64::from(tied);
        *self.points.entry(played.points).or_default() += 1;
        self.rounds += u128::from(played.rounds);
        self.actions += u128::from(played.actions);
        self.late += u128::from(played.late);
        self.out_first += u64::from(played.out_first);
        self.runaways += u64::from(played.runaways);
        if won {
            self.won_millis.add(millis);
        }
    }

    fn merge(&mut self, other: &Standing) {
        self.wins += other.wins;
        self.tied += other.tied;
        self.rounds += other.rounds;
        self.actions += other.actions;
        self.late += other.late;
        self.out_first += other.out_first;
        self.runaways += other.runaways;
        self.won_millis.merge(&other.won_millis);
        for (&points, &matches) in &other.points {
            *self.points.entry(points).or_default() += matches;
        }
    }
}
