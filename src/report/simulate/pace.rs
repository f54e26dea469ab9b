//! Speed of play.

use crate::format::count;

/// Speed of play, for users who wait: it varies from run to run.
#[derive(Clone, Debug)]
pub struct Pace<'a> {
    /// Games per second, all threads and players together.
    pub games_per_second: f64,
    /// Seconds per game on one thread, by player.
    pub by_player: Vec<(&'a str, f64)>,
}

impl Pace<'_> {
    /// Describes the pace in one or two sentences.
    pub(super) fn words(&self) -> String {
        let speed = self.games_per_second.max(0.0);
        let speed = if speed < 10.0 { format!("{speed:.1}") } else { count(speed.round() as u64) };
        let each: Vec<String> =
            self.by_player.iter().map(|(name, seconds)| format!("{name} {}", time(*seconds))).collect();
        match &self.by_player[..] {
            [] => format!("Played at {speed} games a second."),
            [(_, seconds)] => format!("Played at {speed} games a second, {} a game.", time(*seconds)),
            _ => format!("Played at {speed} games a second. Time of a game: {}.", each.join(", ")),
        }
    }
}

/// Formats a time in a suitable unit: `2.4 s`, `38 ms`, `0.002 ms`.
fn time(seconds: f64) -> String {
    let ms = seconds.max(0.0) * 1000.0;
    match ms {
        _ if ms >= 999.5 => format!("{seconds:.1} s"),
        _ if ms >= 9.95 => format!("{ms:.0} ms"),
        _ if ms >= 0.095 => format!("{ms:.1} ms"),
        _ if ms >= 0.0005 => format!("{ms:.3} ms"),
        _ => "under 0.001 ms".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_and_fast_players_are_told_in_units_that_suit_them() {
        let words = |speed, players: &[(&'static str, f64)]| {
            Pace { games_per_second: speed, by_player: players.to_vec() }.words()
        };
        assert_eq!(
            words(533_120.4, &[("greedy", 1.9e-6)]),
            "Played at 533,120 games a second, 0.002 ms a game."
        );
        assert_eq!(words(0.41, &[("search:level=5", 2.44)]), "Played at 0.4 games a second, 2.4 s a game.");
        assert_eq!(
            words(26.2, &[("search", 0.0381), ("patient", 4e-4), ("none", 1e-7)]),
            "Played at 26 games a second. Time of a game: search 38 ms, patient 0.4 ms, none under 0.001 ms."
        );
    }
}
