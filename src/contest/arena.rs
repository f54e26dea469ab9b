//! A match: several players at once, each with a pack and a clock.
//!
//! A player looks, decides, and acts when the time of the action is over. With shared foundations somebody else may
//! have been faster: then the move fails, the card stays, and the time is lost. A player without a move waits until a
//! shared foundation changes. With separate foundations nobody waits: everybody deals round after round until a side
//! reaches the target.
//!
//! Every action takes time: turning a packet, moving a card, and also a move that comes too late. A player of speed `s`
//! takes `1 / s` seconds per action, plus or minus up to the jitter, uniformly distributed. Times are whole microseconds
//! from the seat's own seeded stream, so a contest is the same on every machine.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::cards::{Card, Deck, Purpose, Seed, below, generator, seat_game};
use crate::crash::guard;
use crate::game::{
    End, Game, Move, Opponents, Outcome, PlayerState, SeededChance, SharedFoundations, Table, View,
};
use crate::interrupt;
use crate::rules::{Base, Rules, Score};
use crate::strategy::{Strategy, StrategyError};

use super::spec::{ContestSpec, DealEnd, Foundations, Goal, PlayerSpec};

/// Error of a strategy, and the match in which it occurred.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error} (strategy {strategy} of {player}, seed {seed}, match {number})")]
pub struct ContestError {
    /// The player at fault.
    pub player: String,
    /// The player's strategy.
    pub strategy: String,
    /// The seed of the run.
    pub seed: Seed,
    /// The match.
    pub number: u64,
    /// The error, with its position in the script.
    pub error: StrategyError,
}

/// An event of a match. Seats count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A seat has dealt its round (from 0).
    Dealt {
        /// The seat.
        seat: usize,
        /// Its round.
        round: u32,
    },
    /// A move was made.
    Made {
        /// The seat that made it.
        seat: usize,
        /// The move.
        made: Move,
        /// The lowest card moved; `None` for a draw or a redeal.
        card: Option<Card>,
    },
    /// A move to a shared foundation came too late: another card lies there.
    Late {
        /// The seat that was late.
        seat: usize,
        /// The move that failed.
        tried: Move,
        /// The card, which stays where it was.
        card: Option<Card>,
    },
    /// A player has no play left and waits for something to change.
    Waits {
        /// The seat that waits.
        seat: usize,
    },
    /// A seat's deal is over.
    Counted {
        /// The seat.
        seat: usize,
        /// The points of the deal.
        points: i64,
        /// Whether this player ended the deal.
        out_first: bool,
    },
}

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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
fn deal_points(score: &Score, outcome: &Outcome, out_first: bool) -> i64 {
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

/// Watches a match without influencing it.
pub trait Witness {
    /// Called on every event, with the microseconds since the match began; `arena` shows the state at that time.
    fn happened(&mut self, _arena: &Arena<'_>, _at: u64, _event: Event) {}
}

/// Ignores everything.
impl Witness for () {}

/// Plays matches of one contest, reusing its memory.
pub struct Arena<'r> {
    spec: &'r ContestSpec,
    rules: &'r Rules,
    score: Score,
    sides: Vec<Side>,
    /// By player.
    strategies: Vec<Box<dyn Strategy>>,
    seats: Vec<Seat<'r>>,
    opponents: Opponents,
    seed: Seed,
    number: u64,
    stop: &'r AtomicBool,
}

impl<'r> Arena<'r> {
    /// Creates an arena for this contest, under rules that it has been checked with, and one strategy for each player.
    /// It stops even within a match when the program is asked to: see [`crate::interrupt`].
    pub fn new(spec: &'r ContestSpec, rules: &'r Rules, strategies: Vec<Box<dyn Strategy>>) -> Arena<'r> {
        let score = spec.score(rules.spec()).cloned().unwrap_or_default();
        let seats = spec.players.iter().map(|who| Seat::new(rules, who)).collect();
        let (opponents, sides) = (Opponents::new(spec.players.len()), spec.sides());
        let stop = &interrupt::FLAG;
        Arena { spec, rules, score, sides, strategies, seats, opponents, seed: 0, number: 0, stop }
    }

    /// Replaces the flag that stops the arena, even within a match.
    pub fn heeding(self, stop: &'r AtomicBool) -> Arena<'r> {
        Arena { stop, ..self }
    }

    /// Returns the contest.
    pub fn spec(&self) -> &'r ContestSpec {
        self.spec
    }

    /// Returns the rules that everybody plays.
    pub fn rules(&self) -> &'r Rules {
        self.rules
    }

    /// Returns the player at a seat, as an index into the contest's list.
    pub fn player(&self, seat: usize) -> usize {
        self.seats[seat].player
    }

    /// Returns the table of a seat.
    pub fn table(&self, seat: usize) -> &Table {
        self.seats[seat].game.table()
    }

    /// Returns the shared foundations, if there are any.
    pub fn shared_foundations(&self) -> Option<&SharedFoundations> {
        self.opponents.shared.as_ref()
    }

    /// Plays match `number` of seed `seed`. In match `i` player `p` sits at seat `p + i`, modulo the number of seats,
    /// so that no player is favoured by a place.
    ///
    /// # Errors
    /// Returns the error of a strategy.
    pub fn play(
        &mut self,
        seed: Seed,
        number: u64,
        witness: &mut impl Witness,
    ) -> Result<MatchOutcome, ContestError> {
        (self.seed, self.number) = (seed, number);
        match guard(|| self.play_match(witness)) {
            Ok(played) => played,
            Err(crash) => {
                // The seat that decided last; a contest has at least two players.
                let seat = self.opponents.seat.min(self.seats.len() - 1);
                Err(self.at_fault(self.seats[seat].player, StrategyError::Crashed(Box::new(crash))))
            }
        }
    }

    fn play_match(&mut self, witness: &mut impl Witness) -> Result<MatchOutcome, ContestError> {
        let players = self.seats.len();
        self.opponents = Opponents::new(players);
        for (player, who) in self.spec.players.iter().enumerate() {
            let seat = (player + (self.number % players as u64) as usize) % players;
            self.seats[seat].sit(player, who, self.seed, self.number, seat);
        }
        let mut outcome = MatchOutcome::default();
        match self.spec.foundations {
            Foundations::Shared => self.shared(&mut outcome, witness)?,
            Foundations::Own => self.side_by_side(&mut outcome, witness)?,
        }
        if let Goal::Deals(_) = self.spec.goal {
            outcome.winners = self.best().1;
        }
        outcome.players = (0..players)
            .map(|player| {
                let seat = self.seats.iter().find(|seat| seat.player == player);
                seat.map(|seat| seat.played).unwrap_or_default()
            })
            .collect();
        outcome.rounds = outcome.players.iter().map(|played| played.rounds).max().unwrap_or(0);
        Ok(outcome)
    }

    /// Plays deal after deal on shared foundations.
    fn shared(&mut self, outcome: &mut MatchOutcome, witness: &mut impl Witness) -> Result<(), ContestError> {
        for round in 0..self.most_rounds() {
            if round > 0 {
                outcome.micros += u64::from(self.spec.gather) * 1000;
            }
            let out = self.shared_deal(round, &mut outcome.micros, witness)?;
            *(if out.is_some() { &mut outcome.out } else { &mut outcome.stuck }) += 1;
            for seat in 0..self.seats.len() {
                self.count(seat, out == Some(seat), outcome.micros, witness);
            }
            if let Goal::Target { points, .. } = self.spec.goal
                && self.best().0 >= points
            {
                outcome.winners = self.best().1;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Plays one deal on shared foundations, starting at `now`. Returns the seat that went out, if one did.
    fn shared_deal(
        &mut self,
        round: u32,
        now: &mut u64,
        witness: &mut impl Witness,
    ) -> Result<Option<usize>, ContestError> {
        let base = match self.rules.spec().foundation.base {
            Base::Rank(base) => base,
            // Checked contests never have such rules.
            _ => crate::cards::Rank::ACE,
        };
        self.opponents.shared =
            Some(SharedFoundations::new((base, self.rules.spec().pack), self.seats.len()));
        for seat in 0..self.seats.len() {
            self.deal(seat, round, *now, witness);
        }
        for seat in 0..self.seats.len() {
            self.decide(seat, *now, witness)?;
        }
        while let Some((seat, next)) = self.take_first() {
            *now = next.at;
            let changed = self.act(seat, next, witness);
            if self.is_out(seat) {
                return Ok(Some(seat));
            }
            // If a shared foundation has changed, players without a move look again.
            for other in 0..self.seats.len() {
                if other == seat || changed && self.seats[other].next.is_none() {
                    self.decide(other, *now, witness)?;
                }
            }
        }
        Ok(None)
    }

    /// Carries out the pending action of a seat. Returns true if it changed a shared foundation.
    fn act(&mut self, seat: usize, next: Next, witness: &mut impl Witness) -> bool {
        let Action::Move(m) = next.action else { return false };
        let it = &mut self.seats[seat];
        it.played.actions += 1;
        let card = View::new(it.game.table(), self.rules, &it.rng).card(m);
        let mut changed = false;
        if let (Some(shared), Some(card), true) = (&mut self.opponents.shared, card, m.to_foundation()) {
            if !shared.put(card, seat) {
                it.played.late += 1;
                witness.happened(self, next.at, Event::Late { seat, tried: m, card: Some(card) });
                return false;
            }
            changed = true;
        }
        it.game.make(m, &mut it.chance);
        if it.game.end() == Some(End::Runaway) {
            it.played.runaways += 1;
        }
        if let (Some(shared), true) = (&self.opponents.shared, changed) {
            let wanted = shared.wanted();
            self.seats.iter_mut().for_each(|seat| seat.game.on_foundations_changed(wanted));
        }
        self.show(seat);
        witness.happened(self, next.at, Event::Made { seat, made: m, card });
        changed
    }

    /// Plays every player's own rounds, until a side has reached the target or all rounds are played.
    fn side_by_side(
        &mut self,
        outcome: &mut MatchOutcome,
        witness: &mut impl Witness,
    ) -> Result<(), ContestError> {
        self.opponents.shared = None;
        for seat in 0..self.seats.len() {
            self.seats[seat].gather(0);
        }
        while let Some((seat, next)) = self.take_first() {
            outcome.micros = next.at;
            match next.action {
                Action::Deal => self.deal(seat, self.seats[seat].played.rounds, next.at, witness),
                Action::Move(_) => {
                    self.act(seat, next, witness);
                }
            }
            self.decide(seat, next.at, witness)?;
            if self.seats[seat].next.is_some() {
                continue;
            }
            self.count(seat, false, next.at, witness);
            if let Goal::Target { points, .. } = self.spec.goal {
                let player = self.seats[seat].player;
                let side = self.sides.iter().position(|side| side.players.contains(&player));
                if let Some(side) = side.filter(|&side| self.total(side) >= points) {
                    outcome.winners = vec![side];
                    return Ok(());
                }
            }
            if self.seats[seat].played.rounds < self.most_rounds() {
                self.seats[seat].gather(next.at + u64::from(self.spec.gather) * 1000);
            }
        }
        Ok(())
    }

    fn most_rounds(&self) -> u32 {
        match self.spec.goal {
            Goal::Deals(deals) => deals,
            Goal::Target { max_rounds, .. } => max_rounds,
        }
    }

    /// Returns the next action to be carried out, with its seat.
    fn take_first(&mut self) -> Option<(usize, Next)> {
        let due = |seat: &Seat<'_>| seat.next.map(|next| (next.at, next.lot));
        let all = (0..self.seats.len()).filter_map(|i| Some((due(&self.seats[i])?, i)));
        let (_, seat) = all.min()?;
        self.seats[seat].next.take().map(|next| (seat, next))
    }

    fn deal(&mut self, seat: usize, round: u32, now: u64, witness: &mut impl Witness) {
        self.seats[seat].deal(self.seed, self.number, round);
        self.show(seat);
        witness.happened(self, now, Event::Dealt { seat, round });
    }

    /// Lets a player look and begin the next action, or wait if there is none.
    fn decide(&mut self, seat: usize, now: u64, witness: &mut impl Witness) -> Result<(), ContestError> {
        self.opponents.seat = seat;
        let it = &mut self.seats[seat];
        it.next = None;
        if it.game.end().is_none() {
            let view = it.game.view(&it.rng).with_opponents(&self.opponents);
            let chosen = match self.stop.load(Ordering::Relaxed) {
                true => Err(StrategyError::Interrupted),
                false => self.strategies[it.player].decide(&view, it.game.legal()),
            };
            let player = it.player;
            let chosen = chosen.map_err(|error| self.at_fault(player, error))?;
            let it = &mut self.seats[seat];
            match chosen.and_then(|i| it.game.legal().get(i).copied()) {
                None => it.game.resign(),
                // This would end the game instead of being carried out.
                Some(m) if it.game.would_be_barren(m) => {
                    it.game.make(m, &mut it.chance);
                }
                Some(m) => it.begin(Action::Move(m), now),
            }
        }
        if self.seats[seat].next.is_none() {
            witness.happened(self, now, Event::Waits { seat });
        }
        Ok(())
    }

    fn at_fault(&self, player: usize, error: StrategyError) -> ContestError {
        ContestError {
            player: self.spec.players[player].name.clone(),
            strategy: self.strategies[player].name().to_string(),
            seed: self.seed,
            number: self.number,
            error,
        }
    }

    /// Returns whether a player has just ended the deal for everybody.
    fn is_out(&self, seat: usize) -> bool {
        let game = &self.seats[seat].game;
        let reserve = self.spec.deal_ends == DealEnd::Reserve && game.table().reserve_left() == 0;
        reserve || game.end() == Some(End::Won)
    }

    /// Shows the current state of a table to everybody.
    fn show(&mut self, seat: usize) {
        let it = &self.seats[seat];
        self.opponents.show(seat, it.game.table());
        self.opponents.scores[seat] = it.played.points + deal_points(&self.score, &it.game.outcome(), false);
    }

    /// Adds the points of a seat's deal.
    fn count(&mut self, seat: usize, out_first: bool, now: u64, witness: &mut impl Witness) {
        let points = deal_points(&self.score, &self.seats[seat].game.outcome(), out_first);
        let it = &mut self.seats[seat];
        it.next = None;
        it.played.points = it.played.points.saturating_add(points);
        it.played.rounds += 1;
        it.played.out_first += u32::from(out_first);
        self.opponents.scores[seat] = it.played.points;
        witness.happened(self, now, Event::Counted { seat, points, out_first });
    }

    /// Returns the points of a side.
    fn total(&self, side: usize) -> i64 {
        let of_side = |seat: &&Seat<'_>| self.sides[side].players.contains(&seat.player);
        self.seats.iter().filter(of_side).map(|seat| seat.played.points).sum()
    }

    /// Returns the most points of any side, and the sides that have them.
    fn best(&self) -> (i64, Vec<usize>) {
        let totals: Vec<i64> = (0..self.sides.len()).map(|side| self.total(side)).collect();
        let most = totals.iter().copied().max().unwrap_or(0);
        (most, (0..totals.len()).filter(|&side| totals[side] == most).collect())
    }
}

/// The pending action of a player, and when it is carried out.
#[derive(Clone, Copy, Debug)]
struct Next {
    /// Microseconds since the match began.
    at: u64,
    /// Decides the order of actions in the same microsecond.
    lot: u32,
    action: Action,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    /// Makes a move of the player's own game.
    Move(Move),
    /// Deals, after gathering and shuffling the cards.
    Deal,
}

/// A seat and its player.
struct Seat<'r> {
    /// The player, as an index into the contest's list.
    player: usize,
    game: Game<'r>,
    rng: PlayerState,
    chance: SeededChance,
    clock: Clock,
    /// `None` while the player can only wait.
    next: Option<Next>,
    played: Played,
    deck: Deck,
    ordered: Deck,
}

impl<'r> Seat<'r> {
    /// Creates a seat with an undealt table.
    fn new(rules: &'r Rules, who: &PlayerSpec) -> Seat<'r> {
        let ordered = Deck::ordered(rules.deck_shape());
        Seat {
            player: 0,
            game: Game::new(rules),
            rng: PlayerState::new(0, 0),
            chance: SeededChance::new(0, 0),
            clock: Clock::new(who, 0, 0, 0),
            next: None,
            played: Played::default(),
            deck: ordered.clone(),
            ordered,
        }
    }

    /// Seats a player for a match.
    fn sit(&mut self, player: usize, who: &PlayerSpec, seed: Seed, number: u64, seat: usize) {
        self.player = player;
        self.clock = Clock::new(who, seed, number, seat);
        self.next = None;
        self.played = Played { seat, ..Played::default() };
    }

    /// Deals a round.
    fn deal(&mut self, seed: Seed, number: u64, round: u32) {
        let game = seat_game(number, round, self.played.seat);
        self.deck.shuffle_again(&self.ordered, seed, game);
        self.rng = PlayerState::new(seed, game);
        self.chance = SeededChance::new(seed, game);
        self.game.deal(self.deck.cards(), &mut self.chance);
    }

    /// Begins an action.
    fn begin(&mut self, action: Action, now: u64) {
        let at = now + self.clock.action();
        self.next = Some(Next { at, lot: self.clock.lot(), action });
    }

    /// Begins to gather the cards for the next deal.
    fn gather(&mut self, at: u64) {
        self.next = Some(Next { at, lot: self.clock.lot(), action: Action::Deal });
    }
}

/// The clock of one player in one match.
struct Clock {
    rng: ChaCha8Rng,
    /// Microseconds of an action, and the maximum deviation.
    period: u32,
    spread: u32,
}

impl Clock {
    /// Creates the clock of a player at a seat of a match.
    fn new(player: &PlayerSpec, seed: Seed, number: u64, seat: usize) -> Clock {
        let rng = generator(seed, seat_game(number, 0, seat), Purpose::Clock);
        let period = 1_000_000_000 / player.speed.max(1);
        let spread = (u64::from(period) * u64::from(player.jitter.min(1000)) / 1000) as u32;
        Clock { rng, period, spread }
    }

    /// Draws the microseconds that the next action takes.
    fn action(&mut self) -> u64 {
        u64::from(self.period - self.spread + below(&mut self.rng, 2 * self.spread + 1))
    }

    /// Draws a lot that decides between actions in the same microsecond: the lower is first.
    fn lot(&mut self) -> u32 {
        self.rng.next_u32()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(speed: u32, jitter: u32, seat: usize) -> Clock {
        let player = PlayerSpec { name: "P".into(), strategy: "greedy".into(), speed, jitter, team: None };
        Clock::new(&player, 7, 3, seat)
    }

    #[test]
    fn actions_take_their_time() {
        let mut steady = clock(2000, 0, 0);
        assert_eq!([steady.action(), steady.action()], [500_000; 2]);
        assert!((1_000_000..=199_000_000).contains(&clock(10, 990, 0).action()));
        assert!((10..=1_990).contains(&clock(1_000_000, 990, 0).action()));
        let mut uneven = clock(1000, 200, 0);
        let times: Vec<u64> = (0..10_000).map(|_| uneven.action()).collect();
        assert!(times.iter().all(|time| (800_000..=1_200_000).contains(time)));
        // The mean of 10,000 uniform draws of that width is within 4,700 of the middle, except with probability 1 in
        // 16,000.
        let mean = times.iter().sum::<u64>() / 10_000;
        assert!((995_300..=1_004_700).contains(&mean), "{mean}");
        assert!(times.iter().any(|time| *time < 805_000) && times.iter().any(|time| *time > 1_195_000));
    }

    #[test]
    fn every_seat_has_a_stream_of_its_own() {
        let times = |seat| {
            let mut clock = clock(1000, 500, seat);
            (0..4).map(|_| (clock.action(), clock.lot())).collect::<Vec<_>>()
        };
        assert_eq!(times(0), times(0));
        assert_ne!(times(0), times(1));
    }
}
