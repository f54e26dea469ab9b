//! The options given on a command line, except those about where the report goes and how it is made.

use std::any::{Any, TypeId};
use std::path::PathBuf;

use clap::ArgMatches;
use clap::parser::ValueSource;

use crate::stats::Precision;
use crate::units::{self, ByteSize, Count, Decimals, Patrons, Percent, PercentRange, Rate, plain_number};

use super::shared::{Given, GivenOption};
use crate::cli::checkpoint::ResolvedOption;
use crate::cli::words::CommandLine;

/// Options that do not affect the results.
const NEUTRAL: [&str; 10] =
    ["threads", "interpret", "out", "no_report", "json", "quiet", "shard", "restart", "help", "version"];

impl Given {
    pub fn new(command: &str, definition: &clap::Command, matches: &ArgMatches) -> Given {
        let mut given = Given { command: command.into(), ..Given::default() };
        let args = definition.get_arguments().filter(|arg| !NEUTRAL.contains(&arg.get_id().as_str()));
        let (positional, options): (Vec<_>, Vec<_>) = args.partition(|arg| arg.is_positional());
        for arg in positional.into_iter().chain(options) {
            let id = arg.get_id().as_str();
            let Ok(source) = matches.try_contains_id(id).map(|_| matches.value_source(id)) else { continue };
            // 512M has a different meaning for sizes and for games, and names are no numbers.
            let kind = arg.get_value_parser().type_id();
            let others = [TypeId::of::<ByteSize>(), TypeId::of::<String>(), TypeId::of::<PathBuf>()];
            let written = |value: &str| match others.iter().any(|other| kind == *other) {
                true => value.to_string(),
                false => plain(value),
            };
            let flag = !arg.get_action().takes_values();
            let values: Vec<String> = match matches.try_get_raw(id) {
                Ok(Some(values)) => values.map(|it| written(&it.to_string_lossy())).collect(),
                _ => Vec::new(),
            };
            let on_command_line = source == Some(ValueSource::CommandLine);
            if flag && !on_command_line {
                continue;
            }
            let name = match arg.get_long() {
                Some(long) => format!("--{long}"),
                None => arg
                    .get_value_names()
                    .and_then(|names| names.first())
                    .map_or(id.into(), |it| it.to_string()),
            };
            if on_command_line {
                let words = values.iter().map(|value| match arg.get_long() {
                    Some(_) if flag => name.clone(),
                    Some(_) => format!("{name}={value}"),
                    None => value.clone(),
                });
                given.words.extend(words);
            }
            let spelled = match (arg.get_short(), arg.get_long()) {
                (_, Some(long)) if arg.is_require_equals_set() => format!("--{long}="),
                (Some(short), _) => format!("-{short}"),
                (None, Some(long)) => format!("--{long}"),
                (None, None) => String::new(),
            };
            let values = read(matches, id).unwrap_or(values);
            given.options.push(GivenOption { name, spelled, flag, on_command_line, values });
        }
        given
    }

    /// Returns the command line that reproduces the results: the options given, the positional words, the seed, and
    /// `again`, which replaces what was given.
    pub fn line(&self, again: &[ResolvedOption]) -> String {
        let unspoken = again.iter().filter(|(name, _)| self.options.iter().all(|it| it.name != *name));
        let (named, words): (Vec<_>, Vec<_>) = unspoken.partition(|(name, _)| name.starts_with("--"));
        let mut line = CommandLine::new(&self.command);
        for (_, values) in words {
            line = line.words(values);
        }
        for option in &self.options {
            let held = again.iter().find(|(name, _)| *name == option.name).map(|(_, values)| values);
            let spoken = option.on_command_line || option.spelled.is_empty() || option.name == "--seed";
            let values = match held {
                Some(values) => values,
                None if spoken => &option.values,
                None => continue,
            };
            line = match (option.flag, option.spelled.is_empty()) {
                (true, _) if held.is_some() && values.is_empty() => line,
                (true, _) => line.word(&option.spelled),
                (_, true) => line.words(values),
                (_, false) if option.spelled.ends_with('=') => {
                    line.words(values.iter().map(|value| format!("{}{value}", option.spelled)))
                }
                (_, false) => line.option(&option.spelled, values),
            };
        }
        for (name, values) in named {
            line = line.option(name, values);
        }
        let unnamed = self.words.iter().filter(|word| word.starts_with("--script-operations"));
        line.words(unnamed).line()
    }
}

/// Returns the parsed values of an option, so that equivalent spellings are equal; `None` for names and paths, which
/// stay as written.
fn read(matches: &ArgMatches, id: &str) -> Option<Vec<String>> {
    fn of<T: Any + Clone + Send + Sync>(
        matches: &ArgMatches,
        id: &str,
        write: impl Fn(&T) -> String,
    ) -> Option<Vec<String>> {
        Some(matches.try_get_many::<T>(id).ok()??.map(write).collect())
    }
    of::<Count>(matches, id, Count::to_string)
        .or_else(|| of(matches, id, u64::to_string))
        // Sums of money, in cents.
        .or_else(|| of(matches, id, |&cents: &i64| units::plain(cents)))
        .or_else(|| of(matches, id, |&number: &f64| plain_number(number)))
        .or_else(|| of(matches, id, Percent::to_string))
        .or_else(|| of(matches, id, PercentRange::to_string))
        .or_else(|| of(matches, id, |rate: &Rate| plain_number(rate.1)))
        .or_else(|| of(matches, id, |size: &ByteSize| size.bytes.to_string()))
        .or_else(|| of(matches, id, Decimals::to_string))
        .or_else(|| of(matches, id, Patrons::to_string))
        .or_else(|| of(matches, id, Precision::to_string))
}

/// Normalizes a number: 1e6, 1M and 1,000,000 are equal.
fn plain(value: &str) -> String {
    value.parse::<Count>().map_or_else(|_| value.into(), |count| count.0.to_string())
}
