//! The contests on the page of the shelf.

use crate::lab::Workers;
use std::sync::atomic::AtomicBool;

use crate::cli::input::load_contest;
use crate::contest::{self, LoadedContest};
use crate::lab::{self, ContestBatch, MakeStrategy};
use crate::report::ShelfContest;
use crate::stats::ContestTally;
use crate::strategy::StrategySource;

use super::args::RunArgs;
use super::error::CliError;
use super::progress::Runs;

/// Every contest of the shelf.
pub(super) fn load_all() -> Result<Vec<LoadedContest>, CliError> {
    contest::shelf().iter().map(|(name, _)| load_contest(name)).collect()
}

/// What came of the contests: a tally for each contest and strategy.
pub(super) struct Played {
    pub tallies: Vec<Vec<ContestTally>>,
    pub interrupted: bool,
}

/// Plays every contest with each strategy in the first player's place and the first strategy in all others.
pub(super) fn play(
    contests: &[LoadedContest],
    strategies: &[&StrategySource],
    matches: u64,
    run: &RunArgs,
    stop: &AtomicBool,
) -> Result<Played, CliError> {
    let progress = Runs::new(contests.len() * strategies.len(), run.quiet);
    let makers: Vec<_> = strategies.iter().map(|strategy| || strategy.instantiate()).collect();
    let mut played = Played { tallies: Vec::new(), interrupted: false };
    for contest in contests {
        let mut tallies = Vec::new();
        for (strategy, maker) in strategies.iter().zip(&makers) {
            let mut line_up: Vec<MakeStrategy<'_>> = vec![&makers[0]; contest.spec.players.len()];
            line_up[0] = maker;
            let batch = ContestBatch {
                spec: &contest.spec,
                rules: &contest.rules.rules,
                strategies: &line_up,
                seed: run.seed,
                matches: 0..matches,
                workers: Workers::new(run.threads()),
            };
            let mut watch = |tally: &ContestTally, _: &[contest::MatchOutcome]| {
                progress.piece(&format!("{} by {}", contest.id, strategy.id()), tally.matches() == matches);
            };
            let finished = lab::contest(&batch, stop, &mut watch).map_err(|error| {
                CliError::of_matches(error, |error| {
                    let words = line_up_words(strategies, strategy, contest.spec.players.len());
                    format!(
                        "saratoga contest {} {words} --seed {} --match {}",
                        contest.id, run.seed, error.number
                    )
                })
            });
            let finished = finished?;
            played.interrupted |= finished.interrupted;
            tallies.push(finished.tally);
        }
        played.tallies.push(tallies);
    }
    Ok(played)
}

/// The line-up as options of `saratoga contest`.
fn line_up_words(strategies: &[&StrategySource], first: &StrategySource, players: usize) -> String {
    let others = vec![format!("-s {}", strategies[0].id()); players - 1];
    format!("-s {} {}", first.id(), others.join(" "))
}

/// A row of the page.
pub(super) fn row<'a>((contest, tallies): (&'a LoadedContest, &Vec<ContestTally>)) -> ShelfContest<'a> {
    let summaries = tallies.iter().map(|tally| tally.summarize(&contest.spec)).collect();
    ShelfContest { id: &contest.id, spec: &contest.spec, rules: contest.rules.rules.name(), summaries }
}
