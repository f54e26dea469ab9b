//! Rulesets that an experiment changed, and faults that only they show.

use crate::cli::error::CliError;
use crate::cli::words::shell_word;
use crate::lab::GameError;
use crate::rules::Loaded;

/// A script's fault with the command that shows it: rules that were changed from those `written` are a file that can be
/// saved.
pub(in crate::cli) fn at_fault<'a>(
    error: GameError,
    written: &[Loaded],
    mut played: impl Iterator<Item = &'a Loaded>,
) -> CliError {
    let changed = played.find(|rules| rules.id == error.rules);
    let Some(text) = changed.and_then(|rules| rules.sources.first()) else { return error.into() };
    if written.iter().any(|rules| rules.id == error.rules) {
        return error.into();
    }
    let GameError { strategy, seed, game, error, .. } = error;
    let shows = format!(
        "saratoga replay cell.toml -s {} --seed {seed} --game {game}\nwhere cell.toml, in this folder, says:\n\n{}",
        shell_word(&strategy),
        text.text
    );
    CliError::game(error, shows)
}
