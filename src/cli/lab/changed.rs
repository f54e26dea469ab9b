//! Rulesets changed by an experiment, and errors that occur only under them.

use crate::cli::error::CliError;
use crate::cli::words::shell_word;
use crate::lab::GameError;
use crate::rules::Loaded;

/// Adds to a script's error the command that reproduces it: rules that differ from those `written` must first be
/// saved to a file.
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
