//! The time model of contests.
//!
//! Play is simultaneous, so every action takes time: turning a packet, moving a card, and also a move that comes too
//! late. A player of speed `s` takes `1 / s` seconds per action, plus or minus up to the jitter, uniformly distributed.
//! Times are whole microseconds from the seat's own seeded stream, so a contest is the same on every machine.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::cards::{Purpose, Seed, below, generator, seat_game};

use super::spec::PlayerSpec;

/// The clock of one player in one match.
pub(super) struct Clock {
    rng: ChaCha8Rng,
    /// Microseconds of an action, and the maximum deviation.
    period: u32,
    spread: u32,
}

impl Clock {
    /// Creates the clock of a player at a seat of a match.
    pub fn new(player: &PlayerSpec, seed: Seed, number: u64, seat: usize) -> Clock {
        let rng = generator(seed, seat_game(number, 0, seat), Purpose::Clock);
        let period = 1_000_000_000 / player.speed.max(1);
        let spread = (u64::from(period) * u64::from(player.jitter.min(1000)) / 1000) as u32;
        Clock { rng, period, spread }
    }

    /// Draws the microseconds that the next action takes.
    pub fn action(&mut self) -> u64 {
        u64::from(self.period - self.spread + below(&mut self.rng, 2 * self.spread + 1))
    }

    /// Draws a lot that decides between actions in the same microsecond: the lower is first.
    pub fn lot(&mut self) -> u32 {
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

    #[test]
    fn the_slowest_and_the_fastest_have_a_clock() {
        assert!((1_000_000..=199_000_000).contains(&clock(10, 990, 0).action()));
        assert!((10..=1_990).contains(&clock(1_000_000, 990, 0).action()));
    }
}
