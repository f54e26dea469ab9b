//! Likely mistakes in a command line, and suggestions. Nothing here accepts an invalid command line.

use std::ffi::OsString;
use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use strum::Display;

use crate::diagnostic::did_you_mean;
use crate::strategy::read_setting;
use crate::text::visible;
use crate::{contest, players, rules};

use super::terminal::shell_word;

/// Options that do not exist, and what may be meant, if the command has it.
const OPTIONS: [(&str, &[&str]); 34] = [
    ("bets", &["decks"]),
    ("cores", &["threads"]),
    ("cost", &["at", "vary"]),
    ("deals", &["games"]),
    ("deck", &["deals"]),
    ("decks", &["deals"]),
    ("dir", &["out"]),
    ("edge", &["target-edge"]),
    ("evening", &["night", "decks"]),
    ("factor", &["factors"]),
    ("folder", &["out"]),
    ("games", &["matches", "game"]),
    ("jobs", &["threads"]),
    ("key", &["vary"]),
    ("matches", &["games"]),
    ("night", &["decks"]),
    ("money", &["bank", "measure"]),
    ("output", &["out"]),
    ("param", &["set"]),
    ("parameter", &["set"]),
    ("perfect", &["clairvoyant"]),
    ("player", &["strategy"]),
    ("players", &["patrons", "strategy"]),
    ("price", &["at", "vary"]),
    ("rounds", &["games", "matches"]),
    ("runs", &["games", "matches"]),
    ("script", &["strategy"]),
    ("shares", &["patrons"]),
    ("silent", &["quiet"]),
    ("stake", &["at", "vary"]),
    ("time", &["seconds"]),
    ("timeout", &["seconds"]),
    ("width", &["precision"]),
    ("winnable", &["write-deals", "deals"]),
];

/// Words that are no command, and the command that may be meant.
const COMMANDS: [(&str, &str); 15] = [
    ("bench", "simulate"),
    ("edge", "simulate"),
    ("game", "play"),
    ("match", "contest"),
    ("optimize", "tune"),
    ("ruin", "bankroll"),
    ("rule", "rules"),
    ("rulesets", "rules"),
    ("run", "simulate"),
    ("script", "scripts"),
    ("show", "replay"),
    ("strategies", "scripts"),
    ("verify", "check"),
    ("versus", "compare"),
    ("watch", "replay"),
];

/// Adds to the error of a command line what was probably meant.
pub(super) fn explain(mut error: clap::Error, args: &[OsString], mut command: clap::Command) -> clap::Error {
    command.build();
    if let (ErrorKind::InvalidUtf8, Some(arg)) =
        (error.kind(), args.iter().find(|arg| arg.to_str().is_none()))
    {
        let message = format!("`{}` is not UTF-8 text", visible(&arg.to_string_lossy()));
        return command.error(ErrorKind::ValueValidation, message);
    }
    let mut words = args.iter().skip(1).filter_map(|arg| arg.to_str());
    let (mut at, mut named) = (&command, String::new());
    for word in words.by_ref() {
        match at.find_subcommand(word) {
            Some(below) => (at, named) = (below, format!("{named} {word}")),
            None => break,
        }
    }
    let text = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let tip = match error.kind() {
        ErrorKind::UnknownArgument => text(ContextKind::InvalidArg)
            .and_then(|given| several_rulesets(&given, args, at).or_else(|| option(&given, at))),
        ErrorKind::InvalidSubcommand => {
            text(ContextKind::InvalidSubcommand).and_then(|given| subcommand(&given, at, &named))
        }
        _ => None,
    };
    if let Some(tip) = tip {
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    }
    error
}

/// Says how a command takes several rulesets, if they were given as separate words.
fn several_rulesets(given: &str, args: &[OsString], command: &clap::Command) -> Option<String> {
    let takes_several = command.get_arguments().any(|arg| arg.get_long() == Some("rules"));
    let is_ruleset = |name: &&str| kind_of(name) == Some(Kind::Ruleset);
    let named = args.iter().filter_map(|arg| arg.to_str()).filter(is_ruleset).collect::<Vec<_>>().join(",");
    (takes_several && is_ruleset(&given) && command.get_positionals().any(|arg| arg.get_id() == "rules"))
        .then(|| format!("several rulesets are named in one option: --rules {}", shell_word(&named)))
}

fn option(given: &str, command: &clap::Command) -> Option<String> {
    let name = given.trim_start_matches('-').split('=').next().unwrap_or_default();
    let has = |long: &str| command.get_arguments().any(|arg| arg.get_long() == Some(long));
    let meant = OPTIONS.iter().find(|(wrong, _)| *wrong == name).map(|(_, meant)| *meant);
    if let Some(meant) = meant.unwrap_or_default().iter().find(|long| has(long)) {
        return Some(format!("you may mean '--{meant}'"));
    }
    let positional = |id: &str| command.get_positionals().any(|arg| arg.get_id() == id);
    match name {
        "rules" | "ruleset" | "rule" if positional("rules") => {
            Some("name the ruleset without an option, right after the command".into())
        }
        "contest" if positional("contest") => {
            Some("name the contest without an option, right after the command".into())
        }
        _ => None,
    }
}

/// `named` has the words of the commands found, each after a space.
fn subcommand(given: &str, command: &clap::Command, named: &str) -> Option<String> {
    if command.get_name() == "help" {
        let known = command.get_subcommands().map(clap::Command::get_name);
        let other = COMMANDS.iter().find(|(wrong, _)| *wrong == given).map(|(_, meant)| *meant);
        let meant = did_you_mean(given, known).or(other.filter(|_| named == " help"))?;
        return Some(format!("you may mean 'saratoga{named} {meant}'"));
    }
    if command.get_name() != "saratoga" {
        let shows = command.find_subcommand("show").is_some();
        return (shows && kind_of(given).is_some())
            .then(|| format!("to print it: saratoga {} show {}", command.get_name(), shell_word(given)));
    }
    if let Some((_, meant)) = COMMANDS.iter().find(|(wrong, _)| *wrong == given) {
        return Some(format!("you may mean 'saratoga {meant}'"));
    }
    let given = shell_word(given);
    Some(match kind_of(&given)? {
        Kind::Ruleset => format!("to play this ruleset: saratoga simulate {given}"),
        Kind::Strategy => format!("to play this strategy: saratoga simulate -s {given}"),
        Kind::Contest => format!("to play this contest: saratoga contest {given}"),
    })
}

/// What a name may be of.
#[derive(Clone, Copy, PartialEq, Display)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Kind {
    Ruleset,
    Strategy,
    Contest,
}

/// Returns what has this name or path.
fn kind_of(name: &str) -> Option<Kind> {
    let plain = name.split(':').next().unwrap_or_default();
    match () {
        () if rules::shelf().iter().any(|(it, _)| *it == name) => Some(Kind::Ruleset),
        () if contest::shelf().iter().any(|(it, _)| *it == name) => Some(Kind::Contest),
        () if players::names().iter().any(|(it, _)| *it == plain) => Some(Kind::Strategy),
        () if plain.ends_with(".rhai") => Some(Kind::Strategy),
        () if name.ends_with(".toml") => Some(Kind::Ruleset),
        () => None,
    }
}

/// Suggests what is meant by a name that is none of this kind.
pub(super) fn meant(wanted: Kind, name: &str) -> Option<String> {
    let word = shell_word(name);
    let is_strategy = |name: &str| kind_of(name.trim()) == Some(Kind::Strategy);
    match (wanted, kind_of(name)) {
        (Kind::Ruleset | Kind::Contest, Some(Kind::Strategy)) => {
            Some(format!("{name} is a strategy: write -s {word}"))
        }
        (Kind::Ruleset | Kind::Strategy, Some(Kind::Contest)) => {
            Some(format!("{name} is a contest: saratoga contest {word}"))
        }
        (Kind::Contest, Some(Kind::Ruleset)) if !name.ends_with(".toml") => {
            Some(format!("{name} is a ruleset: saratoga simulate {word}"))
        }
        (Kind::Strategy, Some(Kind::Ruleset)) => Some(format!(
            "{name} is a ruleset: name it without -s, or several with --rules for `compare` and `sweep`"
        )),
        (Kind::Ruleset, _) if name.contains(',') => Some(format!(
            "`simulate` takes several rulesets with spaces between them; `compare` and `sweep` take --rules {word}"
        )),
        (Kind::Strategy, _) => settings_after_a_space(name).or_else(|| {
            if !name.split(',').all(is_strategy) {
                return file_beside(name, "rhai");
            }
            let each = name.split(',').map(|name| format!("-s {}", shell_word(name.trim())));
            Some(format!("for several strategies repeat the option: {}", each.collect::<Vec<_>>().join(" ")))
        }),
        _ => file_beside(name, "toml"),
    }
}

pub(super) fn no_file(name: &str) -> Option<String> {
    let what = kind_of(name).filter(|_| !rules::is_path(name))?;
    Some(format!("{name} is a {what} of the shelf, and the path of a file is needed here"))
}

fn file_beside(name: &str, extension: &str) -> Option<String> {
    let file = format!("{name}.{extension}");
    Path::new(&file).is_file().then(|| {
        let path = shell_word(&format!("./{file}"));
        format!("there is a file {file} in this folder: to use it, write {path}")
    })
}

/// Corrects a strategy of the shelf whose settings follow a space.
fn settings_after_a_space(name: &str) -> Option<String> {
    let mut words = name.split([' ', ',']).filter(|word| !word.is_empty());
    let player = words.next()?;
    let settings: Vec<&str> = words.collect();
    let good = |setting: &&str| read_setting(setting).is_some();
    if kind_of(player) != Some(Kind::Strategy) || players::is_profile(player) || !settings.iter().all(good) {
        return None;
    }
    let begin = if player.contains(':') { ',' } else { ':' };
    let meant = match &settings[..] {
        [] => return Some(format!("a strategy is named without spaces: -s {}", shell_word(player))),
        settings => format!("{player}{begin}{}", settings.join(",")),
    };
    Some(format!("settings follow a colon: -s {}", shell_word(&meant)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::definition;

    #[test]
    fn options_and_commands_that_may_be_meant_exist() {
        let command = definition();
        let longs: Vec<&str> = command
            .get_subcommands()
            .flat_map(|sub| sub.get_arguments().filter_map(|arg| arg.get_long()))
            .collect();
        for (_, meant) in OPTIONS {
            assert!(meant.iter().all(|long| longs.contains(long)), "{meant:?}");
        }
        for (wrong, meant) in COMMANDS {
            assert!(command.find_subcommand(meant).is_some() && command.find_subcommand(wrong).is_none());
        }
    }
}
