//! Memory of a shard: the maximum used by the threads of a command.

use super::args::ClusterArgs;
use crate::cli::args::Given;
use crate::cli::solve::MEMORY;
use crate::format::plural;
use crate::lab::memory_of_a_thread;
use crate::solver::besides;
use crate::units::bytes;

/// Minimum memory of a shard.
const LEAST: u64 = 2 << 30;
/// Memory of the program apart from the threads' searches.
const BESIDE: u64 = 512 << 20;

/// The memory of a shard.
pub(super) struct Memory {
    /// In the cluster's syntax.
    pub written: String,
    /// A note for the user, one line; empty if threads need little.
    pub told: String,
}

/// Returns the memory requested, or what all threads of a shard need.
pub(super) fn memory(args: &ClusterArgs, given: &Given) -> Memory {
    let each = of_a_thread(given);
    let needed = (args.cores * each + BESIDE).max(LEAST).div_ceil(1 << 30);
    let written = args.memory.clone().unwrap_or(format!("{needed}G"));
    if each == 0 {
        return Memory { written, told: String::new() };
    }
    let threads =
        format!("{} that may use {} MiB each", plural(args.cores, "thread"), each.div_ceil(1 << 20));
    // Other syntax is left to the cluster.
    let fit = bytes(&written).map_or(args.cores, |has| (has.bytes as u64).saturating_sub(BESIDE) / each);
    let told = match fit < args.cores {
        true => format!(
            "{written} of memory a shard, which is too little for {threads}: cores are left unused, or shards ended; \
             ask for --memory {needed}G\n"
        ),
        false => format!("{written} of memory a shard, for {threads}\n"),
    };
    Memory { written, told }
}

/// Assumed number of packs, as the rules are not read here; several packs need the most.
const PACKS: usize = 4;

/// Returns the maximum memory of a thread for searches of whole deals, bytes.
fn of_a_thread(given: &Given) -> u64 {
    let of = |name: &str| {
        let values = &given.options.iter().find(|option| option.name == name)?.values;
        values.first().map(String::as_str)
    };
    let number = |name: &str| of(name).and_then(|it| it.parse::<u64>().ok()).unwrap_or(0);
    match &*given.command {
        "solve" => {
            let memory = of("--memory").and_then(|it| bytes(it).ok()).map_or(MEMORY, |it| it.bytes);
            memory.saturating_add(besides(memory)) as u64
        }
        "bracket" => memory_of_a_thread(number("--nodes"), PACKS),
        "plan" if number("--clairvoyant") > 0 => memory_of_a_thread(number("--nodes"), PACKS),
        "simulate" if number("--clairvoyant") > 0 => memory_of_a_thread(number("--clairvoyant-nodes"), PACKS),
        _ => 0,
    }
}
