//! `saratoga cluster`: files that run a command in shards on common engines.

mod args;
mod job;
mod measure;
mod memory;
mod parallel;
mod slurm;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use crate::files::{make_folder, put, reason};
use crate::format::plural;

use super::args::Given;
use super::error::CliError;
use super::terminal;
use super::words::CommandLine;
pub(super) use args::{ClusterArgs, Engine};
use job::{Job, Made, shell_path};
use measure::{Measured, measure};
use memory::memory;

pub(super) fn run(args: &ClusterArgs, given: &Given) -> Result<ExitCode, CliError> {
    let here =
        std::env::current_dir().map_err(CliError::io("the folder in which this is called cannot be read"))?;
    let paths = [&args.out, &here].map(|path| path.to_string_lossy());
    check_words(given.words.iter().map(String::as_str).chain(paths.iter().map(|path| &**path)))?;
    let measured = measure(given, args.measure)?;
    let core_seconds = measured.seconds_a_block * measured.blocks as f64;
    let wanted = core_seconds / (args.minutes * 60 * args.cores) as f64;
    // A shard computes at least one block.
    let shards = args
        .shards
        .unwrap_or((wanted.ceil() as u64).clamp(1, crate::lab::MOST_SHARDS).min(measured.blocks.max(1)));
    let minutes = args.minutes * 3 + 10;
    let (memory, program) = (memory(args, given), program());
    let job = Job {
        args,
        memory: memory.written,
        command: CommandLine::of(&program, &given.command).words(&given.words).line(),
        program,
        out: shell_path(&args.out),
        here: shell_path(&here),
        shards,
        limit: format!("{:02}:{:02}:00", minutes / 60, minutes % 60),
    };
    let files = match args.engine {
        Engine::Slurm => slurm::files(&job),
        Engine::Parallel => parallel::files(&job),
    };
    write(&args.files, &files)?;
    let mut out = terminal::stdout();
    writeln!(out, "{}{}Files:", cost(args, &measured, shards), memory.told)?;
    for (name, _, _) in &files {
        writeln!(out, "  {}", args.files.join(name).display())?;
    }
    writeln!(out, "{}", rounds(args.engine))?;
    if shards > measured.blocks && !measured.open {
        terminal::note(&format!(
            "warning: the first stage has {}, so that {} make nothing of it",
            plural(measured.blocks, "block"),
            plural(shards - measured.blocks, "shard")
        ));
    }
    if args.engine == Engine::Slurm && shards > slurm::USUAL_MOST {
        terminal::note(&format!(
            "warning: unless its MaxArraySize was raised, Slurm refuses an array of more than {}: give more --minutes or --cores",
            plural(slurm::USUAL_MOST, "task")
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses words with control characters, which not every shell can quote.
fn check_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<(), CliError> {
    match words.into_iter().find(|word| word.contains(char::is_control)) {
        Some(word) => Err(CliError::input(format!(
            "{word:?} has a control character, which the files of a cluster cannot hold: give a name without one"
        ))),
        None => Ok(()),
    }
}

/// Returns the program's name in the files: its path, if its name finds another program.
fn program() -> String {
    const NAME: &str = "saratoga";
    let this = std::env::current_exe().and_then(|path| path.canonicalize());
    let Ok(this) = this else { return NAME.into() };
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&paths).map(|folder| folder.join(NAME)).find(|path| path.is_file());
    match found.and_then(|path| path.canonicalize().ok()) {
        Some(path) if path == this => NAME.into(),
        _ => shell_path(&this),
    }
}

/// Returns the last steps for a command whose results decide how much is played.
fn rounds(engine: Engine) -> &'static str {
    match engine {
        Engine::Parallel => "run.sh goes on round after round until nothing is missing",
        Engine::Slurm => "if the merge says that blocks are missing, run submit.sh again for the next round",
    }
}

/// Describes the total cost.
fn cost(args: &ClusterArgs, measured: &Measured, shards: u64) -> String {
    let Measured { blocks, seconds_a_block, bytes_a_block, open, .. } = *measured;
    let core_seconds = seconds_a_block * blocks as f64;
    let of_shard = core_seconds / shards as f64 / args.cores as f64 / 60.0;
    let most = if open { " at most" } else { "" };
    let bytes = bytes_a_block * blocks as f64;
    let mut text = format!(
        "{}{most} in its first stage, {} a block on one core\n\
         {}, about {of_shard:.1} minutes each on {}\n\
         {:.1} core-hours{most}, {} of blocks\n",
        plural(blocks, "block"),
        span(seconds_a_block),
        plural(shards, "shard"),
        plural(args.cores, "core"),
        core_seconds / 3600.0,
        size(bytes)
    );
    if let Some((games, width)) = measured.interval {
        let all = games * blocks as f64 / measured.made.max(1) as f64;
        text += &format!(
            "expected 95% interval of the house edge: ± {:.2} points\n",
            100.0 * width * (games / all).sqrt()
        );
    }
    text
}

fn span(seconds: f64) -> String {
    match seconds {
        _ if seconds >= 1.0 => format!("{seconds:.1} s"),
        _ if seconds >= 1e-3 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{:.0} µs", seconds * 1e6),
    }
}

fn size(bytes: f64) -> String {
    match bytes {
        _ if bytes >= 1e9 => format!("{:.1} GB", bytes / 1e9),
        _ if bytes >= 1e6 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.0} kB", bytes / 1e3),
    }
}

fn write(folder: &Path, files: &[Made]) -> Result<(), CliError> {
    let what = || format!("cannot write to {}", folder.display());
    make_folder(folder).map_err(|error| CliError::input(format!("{}: {}", what(), reason(&error))))?;
    let written = files.iter().try_for_each(|(name, text, runs)| {
        let path = folder.join(name);
        put(&path, text.as_bytes(), true)?;
        if *runs { executable(&path) } else { Ok(()) }
    });
    written.map_err(|error| {
        // Only if it is empty.
        drop(fs::remove_dir(folder));
        CliError::io(what())(error)
    })
}

#[cfg(unix)]
fn executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}
