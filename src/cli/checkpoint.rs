//! Checkpoints of a run in the report's folder, from which it can be resumed, and shards.

use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::diagnostic::SourceText;
use crate::files::{Folder, Lock, LockError, Made, reason, remove_unfinished_files};
use crate::format::plural;
use crate::lab::{
    About, Checkpoint, Making, ResumeError, RunPlan, SavedText, Shard, StageProgress, WHOLE, about_blocks,
    block_files, file_name, shard_of_name,
};
use crate::players::House;
use crate::report::whole_text;
use crate::rules::{Loaded, stem};
use crate::strategy::StrategySource;

use super::error::CliError;
use super::options::{Given, ResolvedOption, RunArgs};
use super::terminal::{note, shell_word, unique};

pub(super) fn resolved<V: Display>(
    name: &'static str,
    values: impl IntoIterator<Item = V>,
) -> ResolvedOption {
    (name, values.into_iter().map(|value| value.to_string()).collect())
}

/// Returns the plan of a run, from the options given and the command's resolved ones. Runs with the same plan compute
/// the same blocks, however their command lines are written.
pub(super) fn run_plan(given: &Given, resolved: Vec<ResolvedOption>, inputs: Vec<SavedText>) -> RunPlan {
    let options = given.options.iter().filter(|it| !it.values.is_empty());
    let mut options: Vec<_> = options.map(|it| (it.name.clone(), it.values.clone())).collect();
    options.retain(|(name, _)| resolved.iter().all(|(known, _)| known != name));
    let known = resolved.into_iter().filter(|(_, values)| !values.is_empty());
    options.extend(known.map(|(name, values)| (name.to_string(), values)));
    options.sort();
    RunPlan {
        saratoga: env!("CARGO_PKG_VERSION").into(),
        command: given.command.clone(),
        options,
        words: given.words.clone(),
        inputs,
    }
}

/// Returns the texts of rulesets and strategies that the games of a run depend on.
pub(super) fn texts<'a>(
    rules: impl IntoIterator<Item = &'a Loaded>,
    strategies: impl IntoIterator<Item = &'a StrategySource>,
) -> Vec<SavedText> {
    let rules = rules.into_iter().map(|it| saved("ruleset", &it.id, text_of(&it.sources)));
    let strategies =
        strategies.into_iter().map(|it| saved("strategy", it.name(), it.text().unwrap_or_default()));
    unique(rules.chain(strategies))
}

pub(super) fn saved(kind: &str, name: &str, text: impl Into<String>) -> SavedText {
    SavedText { kind: kind.into(), name: name.into(), text: text.into() }
}

/// Returns a text followed by those it extends, without their folders.
pub(super) fn text_of(sources: &[Arc<SourceText>]) -> String {
    let names: Vec<String> = sources.iter().map(|it| stem(&it.name)).collect();
    whole_text(names.iter().map(|name| &**name).zip(sources.iter().map(|it| &*it.text)))
}

/// Returns the patrons of a house as a text that the games depend on.
pub(super) fn patrons_text(house: &House) -> SavedText {
    let each = house.patrons.iter().map(|it| format!("{} {:?} {}", it.name, it.share, it.decks_each));
    saved("patrons", "", each.collect::<Vec<_>>().join("\n"))
}

const MOST_NOTE: u64 = 64 << 10;

/// Progress of a run when last recorded, in a small file beside its blocks, for `saratoga status`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ProgressNote {
    /// Progress of the current stage.
    #[serde(flatten)]
    pub stage: StageProgress,
    /// Number of blocks computed by the process.
    pub made: u64,
    /// Seconds since the start, by a monotonic clock.
    pub seconds: f64,
    /// Whether nothing is left to compute here.
    pub finished: bool,
}

impl ProgressNote {
    pub fn path(blocks: &Path) -> PathBuf {
        blocks.with_extension("progress")
    }

    /// Reads the note of a file of blocks, if there is one.
    pub fn read(blocks: &Path) -> Option<ProgressNote> {
        let bytes = crate::files::read(&ProgressNote::path(blocks), MOST_NOTE).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    fn write(blocks: &Path, checkpoint: &Checkpoint, finished: bool) {
        let ((made, elapsed), stage) = (checkpoint.made(), checkpoint.progress());
        let note = ProgressNote { stage, made, seconds: elapsed.as_secs_f64(), finished };
        if let Ok(bytes) = serde_json::to_vec(&note) {
            let _ = crate::files::put(&ProgressNote::path(blocks), &bytes, true);
        }
    }
}

pub(super) struct Keeping<'a> {
    kept: Kept<'a>,
    /// Lock of the checkpoint file, since others may write to the folder.
    _lock: Option<Lock>,
    /// The folder of a shard, if this run created it. It is removed after the lock file in it.
    _made: Option<Made>,
    /// Whether the user named the folder, so that the blocks stay in it.
    stays: bool,
    path: PathBuf,
    warned: AtomicBool,
}

enum Kept<'a> {
    Own(Box<Checkpoint>),
    Merged(&'a Checkpoint),
}

impl<'a> Keeping<'a> {
    /// Opens or creates the checkpoint of a run, in `folder` or in that of its shards, if anything is stored.
    pub fn open(
        run: &'a RunArgs,
        plan: Option<RunPlan>,
        folder: Option<&Folder>,
    ) -> Result<Option<Keeping<'a>>, CliError> {
        let Some(plan) = plan else {
            if run.keep.shard.is_none() && !run.keep.restart {
                return Ok(None);
            }
            let why = "this command keeps no blocks: it has no shards, and nothing to restart";
            return Err(CliError::input(why));
        };
        if let Some(merged) = &run.merged {
            let differences = merged.plan.differences(&plan);
            if differences.is_empty() {
                return Ok(Some(Keeping::of(Kept::Merged(&merged.checkpoint), None, true, PathBuf::new())));
            }
            let what = "the shards are of another run than their command is here now".to_string();
            return Err(CliError::lines([what].into_iter().chain(differences)));
        }
        match (run.keep.shard, folder) {
            (Some(shard), _) => Keeping::shard(run, shard, plan).map(Some),
            (None, Some(folder)) => Keeping::whole(run, folder, plan),
            (None, None) => Ok(None),
        }
    }

    fn of(kept: Kept<'a>, lock: Option<Lock>, stays: bool, path: PathBuf) -> Keeping<'a> {
        Keeping { kept, _lock: lock, _made: None, stays, path, warned: AtomicBool::new(false) }
    }

    fn whole(run: &RunArgs, folder: &Folder, plan: RunPlan) -> Result<Option<Keeping<'a>>, CliError> {
        let shown = folder.path().display();
        if !folder.is_locked() {
            note(&format!(
                "warning: the disk of {shown} has no locks: this run cannot be resumed, and nobody else may write there \
                 meanwhile"
            ));
            return Ok(None);
        }
        let path = folder.path().join(WHOLE);
        // A merge of the shards writes to the same file.
        let busy = format!("the shards in {shown} are being merged: wait for the end");
        let lock = lock(&path, folder.path(), busy)?;
        // A default folder is used again by the next run.
        let restart = run.keep.restart
            || run.out.is_none() && about_blocks(&path).is_ok_and(|about| !about.plan.is(&plan));
        let checkpoint = match begin(&path, &About { plan, shard: None }, restart, Making::All, run) {
            // The figures can be computed without it.
            Err(CliError::Io { what, error }) => {
                note(&format!("warning: {what}: {}; this run cannot be resumed", reason(&error)));
                return Ok(None);
            }
            begun => begun?,
        };
        Ok(Some(Keeping::of(Kept::Own(Box::new(checkpoint)), Some(lock), run.out.is_some(), path)))
    }

    fn shard(run: &RunArgs, shard: Shard, plan: RunPlan) -> Result<Keeping<'a>, CliError> {
        let Some(folder) = &run.out else {
            return Err(CliError::input(
                "--shard needs --out: the folder where the shards of the run are kept",
            ));
        };
        let made = Made::folder(folder).map_err(|error| cannot_write(folder, &error))?;
        let path = folder.join(file_name(Some(shard)));
        let busy = format!("another run is making shard {shard} in {}", folder.display());
        let lock = lock(&path, folder, busy)?;
        remove_unfinished_files(folder);
        let about = About { plan, shard: Some(shard) };
        check_beside(folder, &path, &about, run)?;
        let mut checkpoint = begin(&path, &about, run.keep.restart, Making::Shard(shard), run)?;
        // What was merged in earlier rounds.
        let merged = folder.join(WHOLE);
        if merged.exists() {
            let wanted = |block| !(run.keep.restart && shard.makes(block));
            checkpoint.also(&merged, wanted).map_err(|why| unreadable(&merged, &why))?;
        }
        let keeping = Keeping::of(Kept::Own(Box::new(checkpoint)), Some(lock), true, path);
        Ok(Keeping { _made: Some(made), ..keeping })
    }

    pub fn checkpoint(&self) -> &Checkpoint {
        match &self.kept {
            Kept::Own(checkpoint) => checkpoint,
            Kept::Merged(checkpoint) => checkpoint,
        }
    }

    /// Plays, and records the progress every few seconds.
    pub fn watched<T>(&self, play: impl FnOnce() -> T) -> T {
        let Kept::Own(checkpoint) = &self.kept else { return play() };
        let (over, wait) = sync_channel::<()>(0);
        std::thread::scope(|scope| {
            // Without a thread, the progress is not recorded.
            let _ = std::thread::Builder::new().spawn_scoped(scope, move || {
                // The first stage begins at once.
                let mut time = Duration::from_millis(200);
                while wait.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                    // Warns at once, so that the user can make room long before the end.
                    self.warn_of_fault();
                    ProgressNote::write(&self.path, checkpoint, false);
                    // Thousands of shards may share a disk.
                    let first_minute = checkpoint.made().1 < Duration::from_secs(60);
                    time = Duration::from_secs(if first_minute { 2 } else { 10 });
                }
            });
            let played = play();
            drop(over);
            played
        })
    }

    /// Reports a failed run, cleans up, and returns its exit code.
    pub fn failed(self, error: CliError, run: &RunArgs) -> Result<ExitCode, CliError> {
        match (error, run.keep.shard, &run.merged) {
            (CliError::Missing, _, merged) if let Some((path, at)) = self.checkpoint().foreign() => {
                Err(match merged {
                    Some(merged) => merged.foreign(path, at),
                    None => CliError::lines([
                        &*none_of_run(path, at),
                        "restore the file from a copy, or move it away and make it again",
                    ]),
                })
            }
            (CliError::Missing, Some(shard), _) => self.shard_ended(shard, true, run.quiet),
            (CliError::Missing, _, Some(merged)) => Err(merged.incomplete()),
            (CliError::Nothing(_), Some(shard), _) => self.shard_ended(shard, false, run.quiet),
            (error @ CliError::Nothing(_), ..) => {
                let code = error.report_in("");
                self.end(false, run.quiet);
                Ok(code)
            }
            (error, ..) => {
                self.forget(error.is_lasting());
                Err(error)
            }
        }
    }

    /// Reports the end of a shard, and returns its exit code. Blocks that could not be written do not count.
    pub fn shard_ended(&self, shard: Shard, whole: bool, quiet: bool) -> Result<ExitCode, CliError> {
        let checkpoint = self.checkpoint();
        checkpoint.sync();
        let fault = checkpoint.fault();
        ProgressNote::write(&self.path, checkpoint, whole && fault.is_none());
        if let Some(why) = fault {
            let said = format!("shard {shard} is not finished: cannot write {}: {why}", self.path.display());
            return Err(CliError::Run(format!("{said}\n  {}", self.what_is_saved())));
        }
        let folder = shell_word(&folder_of(&self.path).display().to_string());
        let (how, next, code) = match whole {
            false => ("interrupted", "the same command resumes it".into(), 130),
            true => ("finished", format!("once all shards are: saratoga merge {folder}"), 0),
        };
        if !quiet {
            let (made, _) = checkpoint.made();
            let kept = match checkpoint.kept() {
                0 => String::new(),
                kept => format!(", {kept} were there"),
            };
            note(&format!("shard {shard} {how}: {} made{kept}; {next}", plural(made, "block")));
        }
        Ok(ExitCode::from(code))
    }

    fn what_is_saved(&self) -> String {
        let saved = self.checkpoint().saved();
        let StageProgress { stage, done, of, open, .. } = self.checkpoint().progress();
        let of = match self.is_shard() && !open {
            true => format!(" ({done} of {of} in stage {})", u64::from(stage) + 1),
            false => String::new(),
        };
        let is = if saved == 1 { "is" } else { "are" };
        let saved = plural(saved, "block");
        format!("{saved} {is} saved{of}: make room, and the same command goes on from there")
    }

    fn is_shard(&self) -> bool {
        shard_of_name(&self.path).is_some()
    }

    /// Warns, once, if blocks could not be written; returns whether that is so. A shard stops instead, and reports it
    /// then.
    fn warn_of_fault(&self) -> bool {
        let fault = self.checkpoint().fault().filter(|_| !self.is_shard());
        if let Some(why) = fault.as_ref().filter(|_| !self.warned.swap(true, Ordering::Relaxed)) {
            let path = self.path.display();
            note(&format!("warning: cannot write {path}: {why}; what is not written cannot be resumed"));
        }
        fault.is_some()
    }

    /// Reports what happens to the blocks at the end of a run.
    pub fn end(self, finished: bool, quiet: bool) {
        let checkpoint = self.checkpoint();
        checkpoint.sync();
        let whole = !self.warn_of_fault();
        let none = checkpoint.made().0 == 0 && checkpoint.kept() == 0;
        if matches!(self.kept, Kept::Merged(_)) {
            return;
        }
        // Nothing to resume from, or nothing left to compute.
        if none || finished && !self.stays {
            self.remove();
        } else if finished {
            let _ = fs::remove_file(ProgressNote::path(&self.path));
        } else {
            ProgressNote::write(&self.path, checkpoint, false);
        }
        match (finished, whole) {
            (true, _) => {}
            (false, false) => note(&self.what_is_saved()),
            (false, true) if none || quiet => {}
            (false, true) => note("the same command resumes this run; --restart starts again"),
        }
    }

    /// Removes what no command can resume: an empty checkpoint, blocks in a default folder, and those of a run that
    /// always `fails`. Blocks from before this run stay.
    fn forget(self, fails: bool) {
        let Kept::Own(checkpoint) = &self.kept else { return };
        let none = checkpoint.made().0 == 0 || fails || !self.stays;
        if none && checkpoint.kept() == 0 {
            self.remove();
        } else if !fails {
            checkpoint.sync();
            note("what was finished is kept: the same command resumes it; --restart starts again");
        }
    }

    fn remove(&self) {
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(ProgressNote::path(&self.path));
    }
}

/// Locks a file of blocks; if another run holds the lock, the error is `busy`.
pub(super) fn lock(path: &Path, folder: &Path, busy: String) -> Result<Lock, CliError> {
    Lock::of(path).map_err(|error| match error {
        LockError::Busy => CliError::input(busy),
        LockError::Io(error) => cannot_write(folder, &error),
        LockError::Unsupported => CliError::input(format!(
            "the disk of {} has no locks, which shards need: give a folder on another disk with --out",
            folder.display()
        )),
    })
}

fn begin(
    path: &Path,
    about: &About,
    restart: bool,
    making: Making,
    run: &RunArgs,
) -> Result<Checkpoint, CliError> {
    if path.is_dir() {
        return Err(unreadable(path, "it is a folder"));
    }
    if restart || !path.exists() {
        let made = Checkpoint::create(path, about, making);
        return made.map_err(CliError::io(format!("cannot write {}", path.display())));
    }
    check_name(path, about.shard)?;
    let checkpoint = Checkpoint::resume(path, &about.plan, making).map_err(|fault| match fault {
        ResumeError::Another(differences) => another(path, differences),
        ResumeError::Unreadable(why) => unreadable(path, &why),
    })?;
    if checkpoint.kept() > 0 && !run.quiet {
        note(&format!("resuming: {} kept; --restart starts again", plural(checkpoint.kept(), "block")));
    }
    Ok(checkpoint)
}

/// Maximum number of other shards' files checked before starting. Each of them checked the others at its start.
const MOST_LOOKED: usize = 20;

/// Checks that nothing else in the folder of a shard belongs to another run: a merge would refuse it in the end. A
/// restart removes what was merged of another run, whose shards must be restarted too.
fn check_beside(folder: &Path, own: &Path, about: &About, run: &RunArgs) -> Result<(), CliError> {
    let all = block_files(folder).map_err(|error| cannot_write(folder, &error))?;
    let (merged, others): (Vec<_>, Vec<_>) =
        all.into_iter().filter(|path| path != own).partition(|path| path.ends_with(WHOLE));
    for path in merged.iter().chain(others.iter().take(MOST_LOOKED)) {
        let fault = match about_blocks(path) {
            Ok(found) if found.plan.is(&about.plan) => match (found.shard, about.shard) {
                (Some(found), Some(shard)) if found.of() != shard.of() => {
                    return Err(other_number(path, found, shard));
                }
                _ => continue,
            },
            Ok(found) => another(path, found.plan.differences(&about.plan)),
            // For an unreadable file of another shard, the merge says what to do.
            Err(_) if !path.ends_with(WHOLE) => continue,
            Err(why) => CliError::lines([
                &*format!("{} cannot be read: {why}", path.display()),
                "move it away: a merge makes it again from the shards",
            ]),
        };
        if path.is_dir() || !run.keep.restart {
            return Err(fault);
        }
        if path.ends_with(WHOLE) {
            let _lock = lock(path, folder, format!("{} is being written", path.display()))?;
            fs::remove_file(path).map_err(|error| cannot_write(folder, &error))?;
            let _ = fs::remove_file(ProgressNote::path(path));
        }
    }
    Ok(())
}

fn other_number(path: &Path, found: Shard, asked: Shard) -> CliError {
    let (shown, of, folder) = (path.display(), found.of(), another_folder(folder_of(path)));
    CliError::lines([
        format!("{shown} is one of {of} shards, and {asked} is one of {}: they cannot be merged", asked.of()),
        format!("make one of {of} shards, or give another folder with --out {folder}"),
    ])
}

/// Checks that a file holds the shard in its name; otherwise the blocks of two would be mixed.
fn check_name(path: &Path, named: Option<Shard>) -> Result<(), CliError> {
    let held = match about_blocks(path) {
        Ok(about) if about.shard != named => about.shard,
        _ => return Ok(()),
    };
    let what = |shard: Option<Shard>| shard.map_or("a whole run".to_string(), |it| format!("shard {it}"));
    let (held_name, held, named) = (file_name(held), what(held), what(named));
    Err(CliError::lines([
        format!("{} holds {held}, and not {named}: it was renamed", path.display()),
        format!("give it its name back, {held_name}; or add --restart to make {named} in its place"),
    ]))
}

fn cannot_write(folder: &Path, error: &io::Error) -> CliError {
    CliError::input(format!("cannot write to {}: {}", folder.display(), reason(error)))
}

fn another(path: &Path, differences: Vec<String>) -> CliError {
    let what = format!("another run is kept in {}:", path.display());
    CliError::lines([what].into_iter().chain(differences).chain([how_to_restart(folder_of(path))]))
}

fn unreadable(path: &Path, why: &str) -> CliError {
    let folder = folder_of(path);
    let way_out = match path.is_dir() {
        true => format!("move it away, or give another folder with --out {}", another_folder(folder)),
        false => how_to_restart(folder),
    };
    CliError::lines([format!("{} cannot be resumed: {why}", path.display()), way_out])
}

fn how_to_restart(folder: &Path) -> String {
    let other = another_folder(folder);
    format!(
        "to start again in this folder, add --restart; to keep both, give another folder with --out {other}"
    )
}

pub(super) fn none_of_run(path: &Path, at: u64) -> String {
    format!("{}: the block at byte {at} is not of this run", path.display())
}

/// Returns the folder of a file, as given with `--out`.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Says that a merge does not write the file that an option of its shards names, and which command does.
pub(super) fn not_written(run: &RunArgs, path: &Path) {
    if let Some(merged) = &run.merged {
        note(&format!(
            "{} is not written, as it exists or is not below this folder; this writes it: {}",
            path.display(),
            merged.whole_command()
        ));
    }
}

/// Returns a different folder, as a word of a command line.
pub(super) fn another_folder(folder: &Path) -> String {
    // A path such as `..` cannot be extended by a suffix.
    match folder.file_name() {
        Some(_) => shell_word(&format!("{}-2", folder.display())),
        None => shell_word(&folder.join("run-2").display().to_string()),
    }
}
