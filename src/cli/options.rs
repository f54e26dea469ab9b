//! Options that several commands share, and how each was given on the command line.

use std::any::{Any, TypeId};
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Args};

use crate::cli::terminal::CommandLine;
use crate::lab::{Checkpoint, RunPlan, Shard};
use crate::stats::Precision;
use crate::strategy::{Setting, read_setting};
use crate::units::{
    self, ByteSize, Count, Decimals, Games, Patrons, Percent, PercentRange, Rate, patrons, plain_number,
    whole,
};

/// An option with its effective values, whether given or not. Without values it is redundant.
pub(super) type ResolvedOption = (&'static str, Vec<String>);

/// Options of every command that plays many games.
#[derive(Args, Debug)]
pub(in crate::cli) struct RunArgs {
    /// Seed of the deals
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub seed: u64,
    /// Threads, 1 to 256; they do not change the results [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole(1, 256))]
    pub threads: Option<u64>,
    /// Folder for the report [default: a folder in reports/ named after the run]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write no report
    #[arg(long, conflicts_with = "out")]
    pub no_report: bool,
    /// Print the results as JSON; write a report only with --out
    #[arg(long)]
    pub json: bool,
    /// Show no progress and no notes
    #[arg(short, long)]
    pub quiet: bool,
    #[command(flatten)]
    pub keep: KeepArgs,
    /// The options given that affect the results.
    #[arg(skip)]
    pub given: Given,
    /// Blocks computed elsewhere.
    #[arg(skip)]
    pub merged: Option<Box<Merged>>,
}

/// Options of what is kept of a run.
#[derive(Args, Debug, Default)]
pub(in crate::cli) struct KeepArgs {
    /// Make one part of several: 2/16 is the second of 16. Give --out; `saratoga merge` joins the parts
    #[arg(long, value_name = "K/N", help_heading = "Long runs", conflicts_with_all = ["no_report", "json"])]
    pub shard: Option<Shard>,
    /// Start again, even if the report's folder keeps a part of a run
    #[arg(long, help_heading = "Long runs")]
    pub restart: bool,
}

/// A command line reduced to what affects the results, without where the report goes and how it is made.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct Given {
    /// The command.
    pub command: String,
    /// Every option with its values, including defaults.
    pub options: Vec<GivenOption>,
    /// The words that request the same.
    pub words: Vec<String>,
}

#[derive(Clone, Debug)]
pub(in crate::cli) struct GivenOption {
    /// Its long name, or that of a positional value.
    pub name: String,
    /// What stands before its value: `-n`, `--seed`, `--clairvoyant=`, or nothing.
    pub spelled: String,
    /// Whether it takes no value.
    pub flag: bool,
    /// Whether it was given explicitly.
    pub on_command_line: bool,
    /// Its values.
    pub values: Vec<String>,
}

/// The shards merged by `saratoga merge`.
#[derive(Debug)]
pub(in crate::cli) struct Merged {
    pub checkpoint: Checkpoint,
    pub plan: RunPlan,
    /// Number of shards.
    pub shards: Option<u64>,
    /// The folder of the shards.
    pub folder: PathBuf,
    /// Whether a file of merged blocks existed before.
    pub existed: bool,
}

impl RunArgs {
    /// Returns whether the run writes the file that one of its options names. The options of merged shards may come from
    /// somebody else: a merge replaces no file, and writes below the current folder alone.
    pub fn writes(&self, path: &Path) -> bool {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let is_below = || {
            let below = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some(below.starts_with(std::env::current_dir().ok()?.canonicalize().ok()?))
        };
        self.merged.is_none() || path.symlink_metadata().is_err() && is_below() == Some(true)
    }

    /// Returns the threads requested, or one per core.
    pub fn threads(&self) -> usize {
        let given = self.threads.and_then(|threads| usize::try_from(threads).ok());
        given.or_else(|| std::thread::available_parallelism().ok().map(|n| n.get())).unwrap_or(1)
    }
}

/// The strategies of a command, and a mix of players.
#[derive(Args, Debug)]
pub(in crate::cli) struct PlayerArgs {
    /// A strategy: a name on the shelf, or a path; repeat it for several [default: greedy]
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// A mix of players, as one more strategy: each game is played by one of them, drawn by the shares; or a file of
    /// them
    #[arg(long, value_name = "SHARES", value_parser = patrons)]
    pub patrons: Option<Patrons>,
}

/// Options of every command that loads strategies to play many games.
#[derive(Args, Debug)]
pub(in crate::cli) struct ScriptArgs {
    /// Set a parameter in every script that has it: hold=4; may be repeated
    ///
    /// To set it for one strategy only, write it after the name: -s mine.rhai:hold=4
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    pub settings: Vec<Setting>,
    /// Interpret scripts instead of compiling them: the same games, many times slower
    #[arg(long)]
    pub interpret: bool,
}

fn setting(text: &str) -> Result<Setting, String> {
    read_setting(text).ok_or_else(|| "a setting is NAME=VALUE, such as hold=4 or bold=true".into())
}

/// Which deals a command is about.
#[derive(Args, Debug)]
pub(in crate::cli) struct Deals {
    /// Seed of the deals
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub seed: u64,
    /// One game, 17, or a range without its end, 0..200; with --deals, of those of the file, from 0 [default: 0, or all of a
    /// file]
    #[arg(long, value_name = "GAMES")]
    pub game: Option<Games>,
    /// A deck of your own: its cards in the order they leave the pack
    #[arg(long, value_name = "CARDS", conflicts_with_all = ["game", "deals"])]
    pub deck: Option<String>,
    /// A file of decks, one per line: the cards, or an id, a tab and the cards; at most 64 MiB; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub deals: Option<PathBuf>,
}

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

    /// Returns the command line that reproduces the results, with `again` in place of what was given.
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

/// Returns the parsed values of an option, so that equivalent spellings are equal; `None` for names and paths.
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
