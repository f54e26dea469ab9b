//! The progress line, shown only in a terminal.

use std::fmt;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::lab::Finished;
use crate::report::running_figure;
use crate::rules::Spec;
use crate::text::one_line;

const REFRESH: Duration = Duration::from_millis(150);
/// Interval between updates while nothing is finished.
const TICK: Duration = Duration::from_millis(500);

/// The unit counted, and the format of its rate.
pub(super) struct Unit(&'static str, fn(f64) -> String);

pub(super) const GAMES: Unit = Unit("games", pace);
pub(super) const DEALS: Unit = Unit("deals", |rate| format!("{:.0}k deals/s", rate / 1000.0));
pub(super) const SOLVED: Unit = Unit("deals", |rate| format!("{rate:.1} deals/s"));
pub(super) const FORESEEN: Unit = Unit("deals with every card known", |rate| format!("{rate:.1} deals/s"));
pub(super) const PARTS: Unit = Unit("parts", |rate| format!("{rate:.1} parts/s"));
pub(super) const MATCHES: Unit = Unit("matches", |rate| format!("{rate:.0} matches/s"));

/// Formats games per second or, for slow players, the time per game.
fn pace(rate: f64) -> String {
    match rate {
        _ if rate >= 1000.0 => format!("{:.0}k games/s", rate / 1000.0),
        _ if rate >= 1.0 || rate <= 0.0 => format!("{rate:.0} games/s"),
        _ => format!("{:.1} s a game", 1.0 / rate),
    }
}

/// Estimates the remaining time from the mean so far; unknown before the first.
fn left(done: u64, total: u64, elapsed: Duration) -> String {
    match done {
        0 => "?".into(),
        _ => {
            let each = elapsed.as_secs_f64() / done as f64;
            let seconds = (total.saturating_sub(done) as f64 * each).min(1e9);
            format!("{:#}", HumanDuration(Duration::from_secs_f64(seconds)))
        }
    }
}

fn write_left(state: &ProgressState, out: &mut dyn fmt::Write) {
    let _ = out.write_str(&left(state.pos(), state.len().unwrap_or(0), state.elapsed()));
}

pub(super) struct Line {
    bar: ProgressBar,
    drawn: Option<Instant>,
}

impl Line {
    /// Creates a bar with a short message.
    pub fn bar(unit: Unit, total: u64, quiet: bool) -> Line {
        let name = unit.0;
        let template =
            format!("{{wide_bar:.cyan/dim}} {{human_pos}} {name}  {{per_sec}}  {{left}} left  {{msg}}");
        Line::new(&template, Some(total), unit.1, quiet)
    }

    /// Creates a line with a long message instead of the bar. Without a total, no remaining time is shown.
    pub fn message(unit: Unit, total: Option<u64>, quiet: bool) -> Line {
        let name = unit.0;
        // The line is cut to the terminal, as a wrapped one could not be erased.
        let template = match total {
            Some(_) => format!("{{human_pos}} {name} {{per_sec}} {{left}} left {{wide_msg}}"),
            None => format!("{{spinner}} {{human_pos}} {name}  {{per_sec}}  {{wide_msg}}"),
        };
        Line::new(&template, total, unit.1, quiet)
    }

    fn new(template: &str, total: Option<u64>, rate: fn(f64) -> String, quiet: bool) -> Line {
        let hidden = quiet || !io::stderr().is_terminal();
        let bar = match total {
            _ if hidden => ProgressBar::hidden(),
            Some(total) => ProgressBar::new(total),
            None => ProgressBar::no_length(),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            let pace = move |state: &ProgressState, out: &mut dyn fmt::Write| {
                let seconds = state.elapsed().as_secs_f64().max(1e-9);
                let _ = out.write_str(&rate(state.pos() as f64 / seconds));
            };
            bar.set_style(style.with_key("per_sec", pace).with_key("left", write_left));
        }
        let target =
            if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(8) };
        bar.set_draw_target(target);
        if !hidden {
            // Visible from the first second, even if a game takes longer.
            bar.enable_steady_tick(TICK);
        }
        Line { bar, drawn: None }
    }

    /// Redraws the line, unless it was just redrawn.
    pub fn show(&mut self, done: u64, message: impl FnOnce() -> String) {
        if self.bar.is_hidden() || self.drawn.is_some_and(|drawn| drawn.elapsed() < REFRESH) {
            return;
        }
        self.drawn = Some(Instant::now());
        self.bar.set_position(done);
        self.bar.set_message(one_line(&message()).into_owned());
    }

    /// Redraws the line with the running house edge of the first entry, whose rules are `spec`.
    pub fn show_edge(&mut self, done: u64, so_far: &Finished, spec: &Spec) {
        self.show(done, || so_far.tallies.first().map_or(String::new(), |tally| running_figure(tally, spec)));
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_that_of_the_mean_game() {
        let after = Duration::from_secs(24);
        assert_eq!(left(0, 100, after), "?");
        assert_eq!(left(8, 100, after), "5m");
        assert_eq!(left(99, 100, after), "0s");
        assert_eq!(left(100, 100, after), "0s");
        assert_eq!(left(1, u64::MAX, after), left(1, u64::MAX / 2, after));
    }
}
