//! `saratoga cluster`: files that run a command in shards on common engines.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use serde_json::Value;

use super::checkpoint::ProgressNote;
use super::error::CliError;
use super::options::Given;
use super::solve::MEMORY;
use super::terminal::{self, CommandLine, shell_word};
use crate::files::{make_folder, put, reason};
use crate::format::plural;
use crate::lab::{Copies, MOST_SHARDS, WHOLE, memory_of_a_thread, scan_blocks};
use crate::solver::besides;
use crate::units::{bytes, whole};

/// What runs the shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Engine {
    /// A job array of Slurm, with a merge that depends on it
    Slurm,
    /// GNU parallel on one machine, or on several by ssh
    Parallel,
}

/// Write the files that run a command in shards on a cluster
///
/// Plays the command for a few seconds to measure it, plans shards of the length you ask for, and writes files that
/// are ready to be submitted. It prints the cost of the whole: core-hours, bytes, and how wide its interval will be.
#[derive(Args, Debug)]
#[command(after_help = "\
The command comes after --, without --out, --shard and --threads. Its results
go to --out, a folder that all machines share.
Nothing is submitted: look at the files, then run submit.sh or run.sh.

Examples:
  saratoga cluster slurm --out /data/big -- simulate canfield -s search -n 1e6
  saratoga cluster parallel --out big --cores 4 -- simulate canfield -n 1e9

Slurm and GNU parallel run the command in the folder where you call this, so
relative paths start there.")]
pub(super) struct ClusterArgs {
    /// What runs the shards
    #[arg(value_enum)]
    pub engine: Engine,
    /// The command that is to be run
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
    /// Folder for blocks and the report, as the machines of the cluster see it
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// Folder for the files of the cluster
    #[arg(long, value_name = "DIR", default_value = "cluster")]
    pub files: PathBuf,
    /// Minutes that a shard should take
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole(1, 10_000))]
    pub minutes: u64,
    /// Number of shards, instead of --minutes for each
    #[arg(long, value_name = "N", value_parser = whole(1, MOST_SHARDS))]
    pub shards: Option<u64>,
    /// Cores of a shard
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1, 256))]
    pub cores: u64,
    /// Memory of a shard, in the cluster's notation [default: 2G, or what the searches of all its cores need]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub memory: Option<String>,
    /// Partition of Slurm, if not its default
    #[arg(long, value_name = "NAME", value_parser = partition)]
    pub partition: Option<String>,
    /// Seconds for which the command is measured
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = whole(1, 600))]
    pub measure: u64,
    /// Show no notes
    #[arg(short, long)]
    pub quiet: bool,
}

/// Checks a size for Slurm: a number with its unit.
fn memory(text: &str) -> Result<String, String> {
    let number = text.strip_suffix(['K', 'M', 'G', 'T']).unwrap_or(text);
    match number.parse::<u64>() {
        Ok(1..) if number.len() < text.len() && number.bytes().all(|b| b.is_ascii_digit()) => Ok(text.into()),
        _ => Err("it is a whole number with K, M, G or T, such as 4G".into()),
    }
}

fn partition(text: &str) -> Result<String, String> {
    let named = |c: char| c.is_alphanumeric() || "_-.,".contains(c);
    match !text.is_empty() && text.chars().all(named) {
        true => Ok(text.into()),
        false => Err("it is a name of letters, digits, `_`, `-` and `.`, or several with commas".into()),
    }
}

pub(super) fn run(args: &ClusterArgs, given: &Given) -> Result<ExitCode, CliError> {
    let here =
        std::env::current_dir().map_err(CliError::io("the folder in which this is called cannot be read"))?;
    let paths = [&args.out, &here].map(|path| path.to_string_lossy());
    check_words(given.words.iter().map(String::as_str).chain(paths.iter().map(|path| &**path)))?;
    let measured = measure(given, args.measure)?;
    let core_seconds = measured.seconds_a_block * measured.blocks as f64;
    let wanted = core_seconds / (args.minutes * 60 * args.cores) as f64;
    // A shard computes at least one block.
    let shards =
        args.shards.unwrap_or((wanted.ceil() as u64).clamp(1, MOST_SHARDS).min(measured.blocks.max(1)));
    let (memory, note) = memory_of_a_shard(args, given);
    let files = files(args, given, &here, shards, &memory);
    let rounds = match args.engine {
        Engine::Slurm => "if the merge says that blocks are missing, run submit.sh again for the next round",
        Engine::Parallel => "run.sh goes on round after round until nothing is missing",
    };
    write(&args.files, &files)?;
    let mut out = terminal::stdout();
    writeln!(out, "{}{}Files:", cost(args, &measured, shards), note)?;
    for (name, _, _) in &files {
        writeln!(out, "  {}", args.files.join(name).display())?;
    }
    writeln!(out, "{rounds}")?;
    if shards > measured.blocks && !measured.open {
        terminal::note(&format!(
            "warning: the first stage has {}, so that {} make nothing of it",
            plural(measured.blocks, "block"),
            plural(shards - measured.blocks, "shard")
        ));
    }
    if args.engine == Engine::Slurm && shards > USUAL_MOST {
        terminal::note(&format!(
            "warning: unless its MaxArraySize was raised, Slurm refuses an array of more than {}: give more --minutes or --cores",
            plural(USUAL_MOST, "task")
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
        in_units(seconds_a_block, [(1.0, 1, "s"), (1e-3, 1, "ms"), (1e-6, 0, "µs")]),
        plural(shards, "shard"),
        plural(args.cores, "core"),
        core_seconds / 3600.0,
        in_units(bytes, [(1e9, 1, "GB"), (1e6, 1, "MB"), (1e3, 0, "kB")])
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

/// Formats an amount in the largest of these units that it reaches, or else in the last.
fn in_units(amount: f64, units: [(f64, usize, &str); 3]) -> String {
    let [.., least] = units;
    let (unit, decimals, name) = units.into_iter().find(|(unit, ..)| amount >= *unit).unwrap_or(least);
    format!("{:.decimals$} {name}", amount / unit)
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
fn executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn executable(_: &Path) -> io::Result<()> {
    Ok(())
}

/// A file: its name, its contents, and whether it is executable.
type Made = (&'static str, String, bool);

/// The files that run a command in shards: templates of shell scripts, in which `{{name}}` stands for a value.
fn files(args: &ClusterArgs, given: &Given, here: &Path, shards: u64, memory: &str) -> Vec<Made> {
    let program = program();
    let command = CommandLine::of(&program, &given.command).words(&given.words).line();
    let (out, here, cores) = (shell_path(&args.out), shell_path(here), args.cores);
    let shard = |number: &str| {
        format!("{command} --shard \"{number}/{shards}\" --threads {cores} --out {out} --quiet")
    };
    // After this time a shard is assumed to hang.
    let minutes = args.minutes * 3 + 10;
    let mut values = vec![
        ("shards", shards.to_string()),
        ("cores", cores.to_string()),
        ("memory", memory.to_string()),
        ("limit", format!("{:02}:{:02}:00", minutes / 60, minutes % 60)),
        ("partition", args.partition.iter().map(|name| format!("#SBATCH --partition={name}\n")).collect()),
        ("merge", format!("{program} merge {out} --threads {cores}")),
    ];
    match args.engine {
        Engine::Slurm => {
            values.extend([("here", here), ("shard", shard("$SLURM_ARRAY_TASK_ID"))]);
            vec![
                ("shards.sbatch", fill(include_str!("cluster/shards.sbatch"), &values), false),
                ("merge.sbatch", fill(include_str!("cluster/merge.sbatch"), &values), false),
                // The merge starts even if shards failed, as otherwise it would wait forever.
                ("submit.sh", include_str!("cluster/submit.sh").into(), true),
            ]
        }
        Engine::Parallel => {
            let shard = format!("cd {here} && exec {}", shard("$1")).replace('\'', "'\\''");
            // Logs are specific to this command: another one may have used the same folder.
            let logs = format!("{:08x}", crc32fast::hash(shard.as_bytes()));
            values.extend([("here", here), ("out", out.clone()), ("shard", shard), ("logs", logs)]);
            vec![("run.sh", fill(include_str!("cluster/run.sh"), &values), true)]
        }
    }
}

fn fill(template: &str, values: &[(&str, String)]) -> String {
    let mut parts = template.split("{{");
    let mut text = parts.next().unwrap_or_default().to_string();
    for (name, after) in parts.filter_map(|part| part.split_once("}}")) {
        text += values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value);
        text += after;
    }
    text
}

/// Quotes a path for a shell, even if it looks like an option.
fn shell_path(path: &Path) -> String {
    let written = path.display().to_string();
    shell_word(&if written.starts_with('-') { format!("./{written}") } else { written })
}

/// Minimum memory of a shard.
const LEAST: u64 = 2 << 30;
/// Memory of the program apart from the threads' searches.
const BESIDE: u64 = 512 << 20;

fn memory_of_a_shard(args: &ClusterArgs, given: &Given) -> (String, String) {
    let each = of_a_thread(given);
    let needed = (args.cores * each + BESIDE).max(LEAST).div_ceil(1 << 30);
    let written = args.memory.clone().unwrap_or(format!("{needed}G"));
    if each == 0 {
        return (written, String::new());
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
    (written, told)
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

/// Default maximum number of tasks of an array.
const USUAL_MOST: u64 = 1_000;

struct Measured {
    /// Number of blocks of the first stage, or the maximum.
    pub blocks: u64,
    pub open: bool,
    /// Number of blocks computed.
    pub made: u64,
    pub seconds_a_block: f64,
    pub bytes_a_block: f64,
    /// Number of games in these blocks, and the resulting half-width of the house edge's interval, if there is one.
    pub interval: Option<(f64, f64)>,
}

/// Runs a command on one thread for this many seconds.
fn measure(given: &Given, seconds: u64) -> Result<Measured, CliError> {
    let cannot = CliError::io("cannot write to the folder of temporary files");
    let folder = tempfile::tempdir().map_err(cannot)?;
    let out = folder.path().join("out");
    let program = std::env::current_exe().map_err(CliError::io("this program cannot be found"))?;
    let mut command = Command::new(&program);
    command.arg(&given.command).args(&given.words).args(["--threads", "1", "--quiet"]);
    command.arg("--out").arg(&out);
    let spawned = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = spawned.map_err(CliError::io("this program cannot be run"))?;
    let (begun, blocks) = (Instant::now(), out.join(WHOLE));
    let (least, most) = (Duration::from_secs(seconds), Duration::from_secs(600));
    // Waits, with a limit, until there is a block and their number is known.
    let known = || ProgressNote::read(&blocks).is_some_and(|note| note.made > 0 && note.stage.of > 0);
    let mut over = false;
    while !over && (begun.elapsed() < least || !known() && begun.elapsed() < most) {
        std::thread::sleep(Duration::from_millis(100));
        over = child.try_wait().map_err(CliError::io("this program cannot be run"))?.is_some();
    }
    let took = begun.elapsed();
    if !over && known() {
        interrupt(&mut child);
    } else {
        let _ = child.kill();
    }
    let ended = child.wait_with_output().map_err(CliError::io("this program cannot be run"))?;
    let mut made = 0;
    let _ = scan_blocks(&blocks, &mut Copies::default(), |_, _, _| made += 1);
    if made == 0 {
        let said = String::from_utf8_lossy(&ended.stderr).trim().to_string();
        return Err(CliError::Input(match said.is_empty() {
            true if took >= most => format!(
                "the command finished no block in {} minutes, so that nothing can be planned: is a block of it less work with \
                 other options?",
                most.as_secs() / 60
            ),
            true => "the command made no block that could be measured".into(),
            false => format!("the command cannot be measured:\n{said}"),
        }));
    }
    // A finished run leaves no note.
    let note = ProgressNote::read(&blocks).filter(|note| note.made > 0);
    let open = note.is_some_and(|note| note.stage.open);
    let bytes = blocks.metadata().map_or(0, |it| it.len());
    Ok(Measured {
        blocks: note.map_or(made, |note| note.stage.of.max(made)),
        open,
        made,
        seconds_a_block: note
            .map_or(took.as_secs_f64() / made as f64, |note| note.seconds / note.made as f64),
        bytes_a_block: bytes as f64 / made as f64,
        // If the results decide how much is played, the width is not predictable.
        interval: if open { None } else { interval(given, &out) },
    })
}

/// Returns the number of games played and the half-width of the house edge's interval.
fn interval(given: &Given, out: &Path) -> Option<(f64, f64)> {
    if given.command != "simulate" {
        return None;
    }
    let summary = fs::read(out.join("summary.json")).ok()?;
    let found: Value = serde_json::from_slice(&summary).ok()?;
    let first = &found["entries"][0]["summary"];
    let edge = &first["house_edge"];
    Some((first["games"].as_f64()?, (edge["high"].as_f64()? - edge["low"].as_f64()?) / 2.0))
}

/// Asks a run to report what it has played and end, if the system supports it.
#[cfg(unix)]
fn interrupt(child: &mut Child) {
    use nix::{sys::signal, unistd::Pid};
    if let Ok(number) = i32::try_from(child.id()) {
        let _ = signal::kill(Pid::from_raw(number), signal::Signal::SIGINT);
    }
}

#[cfg(not(unix))]
fn interrupt(child: &mut Child) {
    let _ = child.kill();
}
