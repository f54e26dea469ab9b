//! `saratoga cluster`: files that run a command in shards on common engines.

mod measure;

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use crate::files::{make_folder, put, reason};
use crate::format::plural;
use crate::lab::{MOST_SHARDS, memory_of_a_thread};
use crate::solver::besides;
use crate::units::{bytes, whole};

use super::args::Given;
use super::error::CliError;
use super::solve::MEMORY;
use super::terminal;
use super::words::{CommandLine, shell_word};
use measure::{Measured, measure};

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
    let minutes = args.minutes * 3 + 10;
    let ((memory, note), program) = (memory_of_a_shard(args, given), program());
    let job = Job {
        args,
        memory,
        command: CommandLine::of(&program, &given.command).words(&given.words).line(),
        program,
        out: shell_path(&args.out),
        here: shell_path(&here),
        shards,
        limit: format!("{:02}:{:02}:00", minutes / 60, minutes % 60),
    };
    let files = match args.engine {
        Engine::Slurm => slurm(&job),
        Engine::Parallel => parallel(&job),
    };
    write(&args.files, &files)?;
    let mut out = terminal::stdout();
    writeln!(out, "{}{}Files:", cost(args, &measured, shards), note)?;
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

/// A command in shards.
struct Job<'a> {
    pub args: &'a ClusterArgs,
    /// The program, quoted for a shell.
    pub program: String,
    /// The command, without where its results go.
    pub command: String,
    /// The folder of its results, quoted for a shell.
    pub out: String,
    /// The current folder, to which paths are relative, quoted for a shell.
    pub here: String,
    pub shards: u64,
    /// Memory of a shard, in the cluster's syntax.
    pub memory: String,
    /// Hours and minutes after which a shard is assumed to hang.
    pub limit: String,
}

impl Job<'_> {
    /// Returns the command of a shard, whose number is a shell expression.
    pub fn shard(&self, number: &str) -> String {
        let Job { command, out, shards, .. } = self;
        let threads = self.args.cores;
        format!("{command} --shard \"{number}/{shards}\" --threads {threads} --out {out} --quiet")
    }

    pub fn merge(&self) -> String {
        format!("{} merge {} --threads {}", self.program, self.out, self.args.cores)
    }
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

/// Returns the memory requested, or what all threads of a shard need, and a note of one line; empty if they need little.
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

/// Returns the script that runs GNU parallel.
fn parallel(job: &Job<'_>) -> Vec<Made> {
    let Job { shards, here, out, .. } = job;
    let shard = format!("cd {here} && exec {}", job.shard("$1")).replace('\'', "'\\''");
    let merge = job.merge();
    // Logs are specific to this command: another one may have used the same folder.
    let of = format!("{:08x}", crc32fast::hash(shard.as_bytes()));
    let run = format!(
        "#!/bin/sh\n\
         # Runs the shards and merges them. Run it again after an interruption: what is done is not done again.\n\
         # Where results decide how much is played, the shards go by rounds; each has a log of its own.\n\
         # --jobs 50% leaves half of the cores free; add --sshlogin HOSTS to use other machines that share the folder.\n\
         set -eu\n\
         logs=$(cd \"$(dirname \"$0\")\" && pwd)/shards-{of}\n\
         # Paths are from where the files were made.\n\
         cd {here}\n\
         # The command of a shard, in which parallel finds no {{}} of its own.\n\
         export SARATOGA_SHARD='{shard}'\n\
         round=1 before=\n\
         while :; do\n\
         \x20   log=$logs-$round.log fresh=yes\n\
         \x20   [ ! -e \"$log\" ] || fresh=no\n\
         \x20   seq 1 {shards} | parallel --joblog \"$log\" --resume-failed --retries 3 --env SARATOGA_SHARD \"$@\" \\\n\
         \x20       'sh -c \"$SARATOGA_SHARD\" sh {{}}'\n\
         \x20   # It makes the report, or brings together what the next round begins with.\n\
         \x20   if told=$({merge} 2>&1); then\n\
         \x20       printf '%s\\n' \"$told\"\n\
         \x20       exit\n\
         \x20   fi\n\
         \x20   # A round of before may have been made whole then.\n\
         \x20   made=$(cat {out}/*.blocks 2>/dev/null | wc -c)\n\
         \x20   if [ \"$fresh$made\" = \"yes$before\" ]; then\n\
         \x20       printf '%s\\n' \"$told\" >&2\n\
         \x20       exit 1\n\
         \x20   fi\n\
         \x20   before=$made round=$((round + 1))\n\
         done\n"
    );
    vec![("run.sh", run, true)]
}

/// Default maximum number of tasks of an array.
const USUAL_MOST: u64 = 1_000;

/// Returns a job array of Slurm, and a merge that starts when the array is finished.
fn slurm(job: &Job<'_>) -> Vec<Made> {
    let partition =
        job.args.partition.as_ref().map_or(String::new(), |name| format!("#SBATCH --partition={name}\n"));
    let head = |name: &str, more: &str| {
        format!(
            "#!/bin/sh\n#SBATCH --job-name={name}\n{partition}#SBATCH --cpus-per-task={}\n#SBATCH --mem={}\n\
             #SBATCH --time={}\n{more}",
            job.args.cores, job.memory, job.limit
        )
    };
    let enter = format!("cd {} || exit 1\n", job.here);
    let array = format!(
        "{}# Paths are from where the files were made. A shard that is begun again goes on where it was.\n{enter}exec {}\n",
        head(
            "saratoga",
            &format!(
                "#SBATCH --array=1-{}\n#SBATCH --requeue\n#SBATCH --open-mode=append\n\
                 #SBATCH --output=saratoga-%A-%a.log\n",
                job.shards
            )
        ),
        job.shard("$SLURM_ARRAY_TASK_ID")
    );
    let merge = format!(
        "{}# It looks itself whether every shard is whole, and fails where one is not.\n{enter}exec {}\n",
        head("saratoga-merge", "#SBATCH --output=saratoga-merge-%j.log\n"),
        job.merge()
    );
    // The merge starts even if shards failed, as otherwise it would wait forever.
    let submit = "#!/bin/sh\n\
        # Submits the shards, and the merge after them. Where results decide how much is played, the merge fails and says\n\
        # what is missing: submit again for each round.\n\
        set -eu\n\
        cd \"$(dirname \"$0\")\"\n\
        array=$(sbatch --parsable shards.sbatch)\n\
        merge=$(sbatch --parsable --dependency=\"afterany:${array%%;*}\" merge.sbatch)\n\
        echo \"shards: job $array; merge: job $merge\"\n";
    vec![("shards.sbatch", array, false), ("merge.sbatch", merge, false), ("submit.sh", submit.into(), true)]
}
