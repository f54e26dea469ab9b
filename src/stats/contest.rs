//! Contests: tallies of their matches, and figures computed from them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Estimate;
use super::interval::{Moments, TAIL, rate, rate_at, student};
use crate::contest::{ContestSpec, MatchOutcome, Played, Side};

/// Power sums of whole numbers, exact in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Powers {
    n: u64,
    sum: u128,
    squares: u128,
    cubes: u128,
}

impl Powers {
    pub fn add(&mut self, number: u128) {
        self.n += 1;
        self.sum += number;
        self.squares += number.pow(2);
        self.cubes = self.cubes.saturating_add(number.saturating_pow(3));
    }

    /// Returns the mean of these numbers, each divided by `unit`.
    pub fn mean(&self, unit: f64) -> Estimate {
        let moments = Moments::of_sums(self.n, self.sum, self.squares);
        let (n, mean) = (self.n.max(1) as f64, moments.mean);
        let cubes = self.cubes as f64 / n - 3.0 * mean * (self.squares as f64 / n) + 2.0 * mean.powi(3);
        let of = Moments { mean: mean / unit, sd: moments.sd / unit, ..moments };
        let mean = skew_mean(of, cubes / unit.powi(3));
        Estimate { low: if mean.low.is_finite() { mean.low.max(0.0) } else { mean.low }, ..mean }
    }
}

/// Returns the mean of numbers with their frequencies.
fn mean_of_counts(numbers: impl Iterator<Item = (f64, i64)> + Clone) -> Estimate {
    let moments = Moments::of(numbers.clone());
    let cubes: f64 = numbers.map(|(x, times)| (x - moments.mean).powi(3) * times as f64).sum();
    skew_mean(moments, cubes / moments.n.max(1) as f64)
}

/// Returns a mean with its 95% interval, from the moments and the third central moment. Fewer than two values, or values
/// that are all the same, say nothing about the spread, so the limits are infinite.
///
/// The limits are the outer ones of Student's and Hall's (1992), who removes the skewness by a cubic: for small
/// samples with a long tail to one side, Student's interval misses the mean on that side too often.
fn skew_mean(moments: Moments, cubes: f64) -> Estimate {
    let Moments { n, mean: value, sd } = moments;
    if n < 2 || sd <= 0.0 {
        return Estimate { value, low: f64::NEG_INFINITY, high: f64::INFINITY };
    }
    let error = sd / (n as f64).sqrt();
    let half = student((n - 1) as f64);
    let [down, up] = [half, -half].map(|t| untwisted(t, cubes / sd.powi(3), n as f64));
    Estimate { value, low: value - error * down.max(half), high: value - error * up.min(-half) }
}

/// Inverts Hall's cubic: returns the studentized mean of n numbers of this skewness that is as improbable as the
/// normal one.
fn untwisted(t: f64, skewness: f64, n: f64) -> f64 {
    if skewness.abs() < 1e-6 {
        return t;
    }
    let root = n.sqrt();
    3.0 * root / skewness * ((1.0 + skewness / root * (t - skewness / (6.0 * root))).cbrt() - 1.0)
}

/// Tally of the finished matches of one contest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContestTally {
    matches: u64,
    /// Matches in which no side reached the target.
    undecided: u64,
    /// Matches in which several sides had the most points.
    tied: u64,
    /// Deals with shared foundations that a player ended, and those in which nobody could play.
    out: u64,
    stuck: u64,
    rounds: Powers,
    /// Length of the matches, milliseconds.
    millis: Powers,
    sides: Vec<Side>,
    /// For each side, matches it won alone, and matches it won jointly with others.
    won: Vec<(u64, u64)>,
    /// Standing of each player, in the order of the contest.
    players: Vec<Standing>,
    /// Standing of each seat.
    seats: Vec<Standing>,
}

/// Counts for one player, or for all players at one seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Matches that the player's side won alone.
    wins: u64,
    /// Matches that it won jointly with others.
    tied: u64,
    /// Matches by the player's own points.
    points: BTreeMap<i64, u64>,
    rounds: u128,
    actions: u128,
    late: u128,
    out_first: u64,
    runaways: u64,
    /// Length of the matches that the side won alone, milliseconds.
    won_millis: Powers,
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
}

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
    pub seconds: Estimate,
    /// Deals per match, counted for the player who finished most.
    pub rounds: Estimate,
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
    pub points: Estimate,
    /// Matches by points.
    pub histogram: Vec<(i64, u64)>,
    /// Length of the matches that the side won alone, seconds; `None` if it won none.
    pub seconds_to_win: Option<Estimate>,
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
    pub points: Estimate,
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
    fn mean_points(&self) -> Estimate {
        mean_of_counts(self.points.iter().map(|(&points, &matches)| (points as f64, matches as i64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::testing::{close, close_to};

    #[test]
    fn symmetric_numbers_have_limits_of_student() {
        let mean = mean_of_counts([(2.0, 5), (4.0, 10), (6.0, 5)].into_iter());
        let half = student(19.0) * (40.0f64 / 19.0).sqrt() / 20f64.sqrt();
        close_to(mean, [4.0, 4.0 - half, 4.0 + half], 1e-12);
    }

    /// The cubic that the limits undo: g(t) = t + a t^2 / 3 + a^2 t^3 / 27 + a / 6, with a the skewness over the root
    /// of n.
    #[test]
    fn a_long_tail_widens_the_interval_on_its_side() {
        let counts = [(0.0, 15), (1.0, 3), (10.0, 2)];
        let mean = mean_of_counts(counts.into_iter());
        let moments = Moments::of(counts.into_iter());
        let half = student(19.0) * moments.sd / 20f64.sqrt();
        assert_eq!(mean.low, moments.mean - half);
        assert!(mean.high > moments.mean + half);
        let (skewness, n) = (0.8, 20.0f64);
        for t in [-2.0, 0.5, 2.0] {
            let g = |t: f64| {
                let a = skewness / n.sqrt();
                t + a * t * t / 3.0 + a * a * t.powi(3) / 27.0 + a / 6.0
            };
            close(g(untwisted(t, skewness, n)), t, 1e-12);
        }
    }

    #[test]
    fn sums_and_counts_agree() {
        let mut powers = Powers::default();
        [3, 3, 5, 40].into_iter().for_each(|number| powers.add(number));
        let counts = mean_of_counts([(3.0, 2), (5.0, 1), (40.0, 1)].into_iter());
        let sums = powers.mean(1.0);
        close(sums.high, counts.high, 1e-9);
        assert_eq!(sums.low, counts.low.max(0.0));
    }
}
