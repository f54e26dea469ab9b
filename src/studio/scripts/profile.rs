//! Counts how often each line of a script runs while it plays, like `saratoga scripts profile`.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::lab::{GameError, GameRunner};
use crate::strategy::script::{Profile, Profiled};
use crate::strategy::{StrategyError, StrategySource};
use crate::studio::Folder;
use crate::studio::design::{Text, clean, told};
use crate::studio::mailbox::{Mailbox, Pace, found};
use crate::studio::players::Draft;

/// Maximum number of games: by then even rare lines have run.
const MOST_GAMES: u64 = 10_000;
const PACE: Duration = Duration::from_millis(200);

#[derive(Clone, Debug, Deserialize)]
pub(in crate::studio) struct Asked {
    script: Draft,
    rules: Text,
    #[serde(deserialize_with = "crate::studio::play::seed")]
    seed: u64,
    games: u64,
}

/// Counts of the lines so far.
#[derive(Default, Serialize)]
struct Lines {
    games: u64,
    of: u64,
    done: bool,
    /// Seconds spent in the script.
    seconds: f64,
    /// For each line, how often it ran and its share of the time; `None` for a line on which no statement begins.
    lines: Vec<Option<(u64, f64)>>,
    failed: Option<String>,
}

pub(in crate::studio) fn run(asked: &Asked, folder: &Folder, mailbox: &Mailbox) {
    if let Err(failed) = found(|| measure(folder, asked, mailbox)) {
        mailbox.put(0, &Lines { done: true, failed: Some(failed), ..Lines::default() });
    }
}

fn measure(folder: &Folder, asked: &Asked, mailbox: &Mailbox) -> Result<(), String> {
    let Asked { script, rules, seed, games } = asked;
    if *games == 0 || *games > MOST_GAMES {
        return Err(format!("a profile is of 1 to {MOST_GAMES} games"));
    }
    let loaded = rules.load(folder).map_err(|faults| faults.to_string())?;
    let source = script.source(folder).map_err(|faults| faults.to_string())?;
    let (profiled, profile) = Profiled::new(&script.0.path(), &source)
        .map_err(|faults| told(folder, &script.0.name, &faults).to_string())?;
    let mut player = GameRunner::new(&loaded.id, &loaded.rules, Box::new(profiled)).heeding(&mailbox.stop);
    let mut pace = Pace::new(PACE);
    for game in 0..*games {
        if mailbox.stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        if let Err(error) = player.play(*seed, game) {
            if error.error == StrategyError::Interrupted {
                return Ok(());
            }
            return Err(clean(folder, &as_it_stands(error, asked, folder, &loaded)));
        }
        if pace.is_due() {
            mailbox.put(0, &lines(&profile, game + 1, *games));
        }
    }
    mailbox.put(0, &lines(&profile, *games, *games));
    Ok(())
}

/// Finds the fault in the original script: the instrumented one has other columns.
fn as_it_stands(error: GameError, asked: &Asked, folder: &Folder, loaded: &crate::rules::Loaded) -> String {
    let source = asked.script.load(folder).map(StrategySource::interpreted);
    let again = source.ok().and_then(|source| {
        GameRunner::new(&loaded.id, &loaded.rules, source.instantiate()).play(asked.seed, error.game).err()
    });
    again.unwrap_or(error).to_string()
}

fn lines(profile: &Profile, games: u64, of: u64) -> Lines {
    let lines = profile.lines();
    let seconds: f64 = lines.iter().flatten().map(|line| line.time.as_secs_f64()).sum();
    let share = |time: Duration| time.as_secs_f64() / seconds.max(1e-9);
    let lines = lines.into_iter().map(|line| line.map(|line| (line.runs, share(line.time)))).collect();
    Lines { games, of, done: games == of, seconds, lines, failed: None }
}
