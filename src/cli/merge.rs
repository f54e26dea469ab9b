//! `saratoga merge`: joins the shards of a run.

use crate::units::whole;
use clap::Args;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::files::{Lock, Made, reason};
use crate::format::{count, plural};
use crate::lab::{
    About, Checkpoint, Copies, Making, ResumeError, RunPlan, Shard, WHOLE, about_blocks, block_files,
    scan_blocks, shard_of_name,
};

use super::checkpoint::{another_folder, folder_of, lock, none_of_run};
use super::error::CliError;
use super::options::Merged;
use super::terminal::CommandLine;

/// Join the shards of a run, and write its report
///
/// Checks that every shard is there, whole, and of the same run, and writes the report that one machine would have written, to
/// the last byte; only the seconds of `solve` are those of the machines that made the shards. If blocks are missing, it names
/// them and prints the commands that make them.
#[derive(Args, Debug)]
#[command(after_help = "\
A folder may hold any number of shards. Blocks of the merge are kept in the
first folder, or that of --out, so that a later merge only adds what is new.
If results decide what is played next, a run has several rounds: merge after
each, and the commands of the next round are printed. This holds for sweep,
tune, plan, compare, solve -s, simulate --clairvoyant, and --precision.

Examples:
  saratoga simulate canfield -n 1e9 --shard 1/2 --out big     on one machine
  saratoga simulate canfield -n 1e9 --shard 2/2 --out big     on another
  saratoga merge big
  saratoga merge from-ann from-bob --out both")]
pub(in crate::cli) struct MergeArgs {
    /// Folders with shards
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Folder for the report and the merged blocks [default: the first]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Threads, 1 to 256; they do not change the results [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole(1, 256))]
    pub threads: Option<u64>,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
    /// Show no progress and no notes
    #[arg(short, long)]
    pub quiet: bool,
}

const MOST_COMMANDS: usize = 40;
const MOST_FAULTS: usize = 20;
const PARTED: &str =
    "only shards of one run are merged: move the files of one of the two to a folder of their own";

/// The command of the merged blocks, to be run without computing any.
pub(super) struct Again {
    pub args: Vec<OsString>,
    pub merged: Merged,
    /// Held until it has run, so that nobody else merges there meanwhile.
    pub lock: Lock,
}

pub(super) fn run(args: &MergeArgs) -> Result<Again, CliError> {
    let first = args.folders.first().ok_or_else(|| CliError::input("no folder was given"))?;
    let out = args.out.as_ref().unwrap_or(first);
    let target = out.join(WHOLE);
    let sources = sources(&args.folders, args.out.as_deref(), &target)?;
    let cannot = |why: &str| {
        let what = format!("cannot write to {}: {why}", out.display());
        CliError::lines([&*what, "give a folder for what is merged with --out"])
    };
    // Removed again, after the lock file in it, if nothing is merged.
    let _made = Made::folder(out).map_err(|error| cannot(&reason(&error)))?;
    let lock = lock(&target, out, format!("another run or merge is writing to {}", out.display()))?;
    let all: Vec<&Path> =
        target.exists().then_some(&target).into_iter().chain(&sources).map(|it| &**it).collect();
    let (plan, shards) = check(&all, &target)?;
    let existed = target.exists();
    let mut checkpoint = match existed {
        true => Checkpoint::resume(&target, &plan, Making::None).map_err(|fault| match fault {
            ResumeError::Another(_) => cannot("another run is kept there"),
            ResumeError::Unreadable(why) => cannot(&why),
        })?,
        false => Checkpoint::create(&target, &About { plan: plan.clone(), shard: None }, Making::None)
            .map_err(|error| cannot(&reason(&error)))?,
    };
    for path in &sources {
        checkpoint.absorb(path).map_err(|why| cannot(&format!("{}: {why}", path.display())))?;
    }
    checkpoint.sync();
    let mut options: Vec<OsString> = vec!["--out".into(), out.into()];
    options.extend(args.threads.map(|threads| format!("--threads={threads}").into()));
    options.extend(args.json.then(|| "--json".into()));
    options.extend(args.quiet.then(|| "--quiet".into()));
    let words = [OsString::from("saratoga"), plan.command.clone().into()];
    let args = words.into_iter().chain(options).chain(plan.words.iter().map(OsString::from)).collect();
    Ok(Again { args, merged: Merged { checkpoint, plan, shards, folder: out.clone(), existed }, lock })
}

/// Returns the checkpoint files in these folders, and in that of the merge if it exists, except the target.
fn sources(folders: &[PathBuf], merged: Option<&Path>, target: &Path) -> Result<Vec<PathBuf>, CliError> {
    // A file counts once, however many paths lead to it, and the target is no source.
    let mut known: HashSet<PathBuf> = target.canonicalize().into_iter().collect();
    let mut all = Vec::new();
    for folder in folders {
        let found = block_files(folder).map_err(|error| {
            CliError::input(format!("cannot read {}: {}", folder.display(), reason(&error)))
        })?;
        if found.is_empty() {
            return Err(CliError::input(format!(
                "there are no blocks in {}: runs keep them with --out, or with --shard K/N --out",
                folder.display()
            )));
        }
        all.extend(found);
    }
    // The commands for missing blocks compute them there, beside what is already merged.
    all.extend(merged.and_then(|folder| block_files(folder).ok()).unwrap_or_default());
    all.retain(|path| path.canonicalize().map_or(true, |it| known.insert(it)));
    Ok(all)
}

/// Reads every file to its end, and returns their common run and number of shards.
fn check(files: &[&Path], target: &Path) -> Result<(RunPlan, Option<u64>), CliError> {
    let mut faults: Vec<(String, Vec<String>)> = Vec::new();
    let mut first: Option<(About, &Path)> = None;
    let mut shards: Option<(u64, &Path)> = None;
    let mut copies = Copies::default();
    for &path in files {
        let shown = path.display();
        let known = about_blocks(path).ok();
        let is_other = known.as_ref().zip(first.as_ref()).is_some_and(|(about, (of, _))| {
            !of.plan.is(&about.plan) || shards.zip(about.shard).is_some_and(|((of, _), it)| of != it.of())
        });
        // Blocks of another run are not compared with these.
        let mut alone = Copies::default();
        match scan_blocks(path, if is_other { &mut alone } else { &mut copies }, |_, _, _| ()) {
            Err(why) => {
                let plan = known.as_ref().or(first.as_ref().map(|(about, _)| about)).map(|about| &about.plan);
                let more = match why.of_two {
                    true => "one of the two files is wrong: move it away, and merge again".into(),
                    false => way_out(path, plan),
                };
                faults.push((format!("{shown}: {why}"), vec![more]));
                continue;
            }
            Ok((about, _)) => {
                match &first {
                    Some((of, other)) if !of.plan.is(&about.plan) => {
                        let mut lines = of.plan.differences(&about.plan);
                        let folder = another_folder(folder_of(target));
                        lines.push(match *other == target {
                            true => format!("give another folder for what is merged: --out {folder}"),
                            false => PARTED.into(),
                        });
                        faults.push((format!("{shown} is of another run than {}:", other.display()), lines));
                    }
                    Some(_) => {}
                    None => first = Some((about.clone(), path)),
                }
                match (about.shard.map(Shard::of), shards) {
                    (Some(all), Some((of, other))) if of != all => {
                        let other = other.display();
                        let said = format!("{shown} is one of {all} shards, and {other} one of {of}");
                        faults.push((said, vec![PARTED.into()]));
                    }
                    (Some(all), _) => shards = Some((all, path)),
                    (None, _) => {}
                }
            }
        }
        if faults.len() > MOST_FAULTS {
            faults.push(("and so on".into(), Vec::new()));
            break;
        }
    }
    match first {
        Some((about, _)) if faults.is_empty() => Ok((about.plan, shards.map(|(of, _)| of))),
        _ => {
            let indented = |line: String| format!("  {line}");
            let each = |(said, more): (String, Vec<String>)| {
                std::iter::once(said).chain(more.into_iter().map(indented))
            };
            let head = "the files cannot be merged:".to_string();
            Err(CliError::lines([head].into_iter().chain(faults.into_iter().flat_map(each))))
        }
    }
}

fn way_out(path: &Path, plan: Option<&RunPlan>) -> String {
    // A renamed file would not be replaced.
    let part = shard_of_name(path).filter(|_| !path.is_dir());
    match (part, plan) {
        (Some(shard), Some(plan)) => {
            format!("this makes the shard again: {}", command(plan, Some(shard), folder_of(path), true))
        }
        (Some(shard), None) => format!("run the command of shard {shard} again, with --restart"),
        (None, _) => "move it away, and merge again: the commands of what is missing then are printed".into(),
    }
}

/// Returns the command that computes a part of a run in a folder; with `restart`, from scratch.
fn command(plan: &RunPlan, shard: Option<Shard>, folder: &Path, restart: bool) -> String {
    CommandLine::new(&plan.command)
        .words(&plan.words)
        .option("--shard", shard)
        .words(restart.then_some("--restart"))
        .option("--out", [folder.display()])
        .line()
}

impl Merged {
    /// Returns the command of the run, which takes the merged blocks.
    pub(super) fn whole_command(&self) -> String {
        command(&self.plan, None, &self.folder, false)
    }

    /// Reports a block with a valid checksum that does not belong to the run.
    pub(super) fn foreign(&self, path: &Path, at: u64) -> CliError {
        let target = self.folder.join(WHOLE);
        let said = none_of_run(path, at);
        if path == target {
            return CliError::lines([&*said, "move the file away: the shards are merged again without it"]);
        }
        let mut lines = vec![said, way_out(path, Some(&self.plan))];
        // The merged file has a copy of the block.
        match self.existed {
            true => lines.push(format!("before you merge again, move {} away", target.display())),
            false => drop(std::fs::remove_file(target)),
        }
        CliError::lines(lines)
    }

    /// Reports which blocks are missing, and the commands that compute them.
    pub(super) fn incomplete(&self) -> CliError {
        let missing = self.checkpoint.missing();
        let mut by_shard: BTreeMap<Option<Shard>, u64> = BTreeMap::new();
        for &block in &missing {
            let shard = self.shards.and_then(|of| Shard::new(block % of + 1, of));
            *by_shard.entry(shard).or_default() += 1;
        }
        let all = missing.len() as u64;
        let (is, them) = if all == 1 { ("is", "it") } else { ("are", "them") };
        let mut lines = vec![format!(
            "{} {is} missing; these commands make {them}, after which merge again:",
            plural(all, "block")
        )];
        let command = |&shard: &_| format!("  {}", command(&self.plan, shard, &self.folder, false));
        lines.extend(by_shard.keys().take(MOST_COMMANDS).map(command));
        if by_shard.len() > MOST_COMMANDS {
            let more = by_shard.len() - MOST_COMMANDS;
            lines.push(format!("  and {} more", count(more as u64)));
        }
        CliError::Run(lines.join("\n"))
    }
}
