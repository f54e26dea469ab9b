//! What a command line asks for, but for where the report goes and how it is made.

use std::any::TypeId;
use std::path::PathBuf;

use clap::ArgMatches;
use clap::parser::ValueSource;

use crate::amounts::{ByteSize, Count};

use super::shared::Given;

/// Options that decide no result.
const NEUTRAL: [&str; 9] =
    ["threads", "out", "no_report", "json", "quiet", "shard", "restart", "help", "version"];

impl Given {
    /// What the matches of a command say, whose definition is `definition`.
    pub fn new(definition: &clap::Command, matches: &ArgMatches) -> Given {
        let mut given = Given { command: definition.get_name().into(), ..Given::default() };
        let args = definition.get_arguments().filter(|arg| !NEUTRAL.contains(&arg.get_id().as_str()));
        let (positional, options): (Vec<_>, Vec<_>) = args.partition(|arg| arg.is_positional());
        for arg in positional.into_iter().chain(options) {
            let id = arg.get_id().as_str();
            let Ok(Some(source)) = matches.try_contains_id(id).map(|_| matches.value_source(id)) else {
                continue;
            };
            // Of sizes 512M is another number than of games, and names are none.
            let kind = arg.get_value_parser().type_id();
            let others = [TypeId::of::<ByteSize>(), TypeId::of::<String>(), TypeId::of::<PathBuf>()];
            let written = |value: &str| match others.iter().any(|other| kind == *other) {
                true => value.to_string(),
                false => plain(value),
            };
            let flag = !arg.get_action().takes_values();
            let values: Vec<String> = match matches.try_get_raw(id) {
                Ok(Some(values)) => values.map(|it| written(&it.to_string_lossy())).collect(),
                _ => continue,
            };
            let on_command_line = source == ValueSource::CommandLine;
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
            given.options.push((name, values));
        }
        given
    }
}

/// A number without its shape: 1e6, 1M and 1,000,000 are one.
fn plain(value: &str) -> String {
    value.parse::<Count>().map_or_else(|_| value.into(), |count| count.0.to_string())
}
