//! Finished blocks of a run in the report's folder, so that it can be resumed, or made in parts.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};

use crate::figures::plural;
use crate::files::{Folder, Lock, LockError, make_folder, reason};
use crate::lab::{
    About, Checkpoint, Making, ResumeError, RunPlan, Scanned, Shard, WHOLE, Workers, file_name, is_cut_short,
    scan_blocks,
};

use super::args::RunArgs;
use super::error::CliError;
use super::kept_faults::{another, cannot_write, check_beside, check_name, no_locks, unlike, unreadable};
use super::progress_file::{self, Watch};
use super::terminal::note;
use super::words::shell_word;

/// The blocks of a run under way.
pub(super) struct Keeping<'a> {
    kept: Kept<'a>,
    /// Of the file of blocks: others may write to the folder.
    _lock: Option<Lock>,
    /// The folder was named by the person, and the blocks stay in it.
    stays: bool,
    path: PathBuf,
    /// It was told that blocks could not be written.
    warned: AtomicBool,
}

enum Kept<'a> {
    Own(Box<Checkpoint>),
    Merged(&'a Checkpoint),
}

impl<'a> Keeping<'a> {
    /// Opens the blocks of a run, or begins them: in `folder`, or in the folder of its shards. `None` where nothing is kept.
    pub fn open(
        run: &'a RunArgs,
        plan: Option<RunPlan>,
        folder: Option<&Folder>,
    ) -> Result<Option<Keeping<'a>>, CliError> {
        let Some(plan) = plan else {
            return match (run.keep.shard, run.keep.restart) {
                (None, false) => Ok(None),
                _ => Err(CliError::input(
                    "this command keeps no blocks: it has no shards, and nothing to restart",
                )),
            };
        };
        if let Some(merged) = &run.merged {
            let differences = merged.plan.differences(&plan);
            return match differences.is_empty() {
                true => Ok(Some(Keeping {
                    kept: Kept::Merged(&merged.checkpoint),
                    _lock: None,
                    stays: true,
                    path: PathBuf::new(),
                    warned: AtomicBool::new(false),
                })),
                false => Err(unlike(
                    "the shards are of another run than their command is here now",
                    &differences,
                    &[],
                )),
            };
        }
        match (run.keep.shard, folder) {
            (Some(shard), _) => Keeping::shard(run, shard, plan).map(Some),
            (None, Some(folder)) => Keeping::whole(run, folder, plan),
            (None, None) => Ok(None),
        }
    }

    fn whole(run: &RunArgs, folder: &Folder, plan: RunPlan) -> Result<Option<Keeping<'a>>, CliError> {
        if !folder.is_locked() {
            note(&format!(
                "warning: the disk of {} has no locks: this run cannot be resumed, and nobody else may write there meanwhile",
                folder.path().display()
            ));
            return Ok(None);
        }
        let path = folder.path().join(WHOLE);
        // Shards that are merged there write to the same file.
        let lock = Lock::of(&path).map_err(|error| match error {
            LockError::Io(error) => cannot_write(folder.path(), &error),
            LockError::Busy | LockError::Unsupported => CliError::input(format!(
                "the shards in {} are being merged: wait for the end",
                folder.path().display()
            )),
        })?;
        // A folder that nobody named is the next run's.
        let anew = run.keep.restart
            || run.out.is_none() && scan_blocks(&path, |_, _, _| ()).is_ok_and(|it| !it.about.plan.is(&plan));
        let about = About { plan, shard: None };
        let checkpoint = match begin(&path, &about, anew, Making::All, run) {
            // The figures can be had without.
            Err(CliError::Io { what, error }) => {
                note(&format!("warning: {what}: {}; this run cannot be resumed", reason(&error)));
                return Ok(None);
            }
            begun => begun?,
        };
        Ok(Some(Keeping {
            kept: Kept::Own(Box::new(checkpoint)),
            _lock: Some(lock),
            stays: run.out.is_some(),
            path,
            warned: AtomicBool::new(false),
        }))
    }

    fn shard(run: &RunArgs, shard: Shard, plan: RunPlan) -> Result<Keeping<'a>, CliError> {
        let Some(folder) = &run.out else {
            return Err(CliError::input(
                "--shard needs --out: the folder where the shards of the run are kept",
            ));
        };
        let cannot = |error: io::Error| cannot_write(folder, &error);
        make_folder(folder).map_err(cannot)?;
        let path = folder.join(file_name(Some(shard)));
        let lock = Lock::of(&path).map_err(|error| match error {
            LockError::Io(error) => cannot(error),
            LockError::Unsupported => no_locks(folder),
            LockError::Busy => {
                CliError::input(format!("another run is making shard {shard} in {}", folder.display()))
            }
        })?;
        let about = About { plan, shard: Some(shard) };
        check_beside(folder, &path, &about, run)?;
        let mut checkpoint = begin(&path, &about, run.keep.restart, Making::Shard(shard), run)?;
        // What was merged of the rounds before.
        let merged = folder.join(WHOLE);
        if merged.exists() {
            let wanted = |block| !(run.keep.restart && shard.makes(block));
            let scanned = checkpoint.also(&merged, wanted).map_err(|why| unreadable(&merged, &why))?;
            warn_of_damage(&merged, &scanned, "left out: remove it and merge again");
        }
        Ok(Keeping {
            kept: Kept::Own(Box::new(checkpoint)),
            _lock: Some(lock),
            stays: true,
            path,
            warned: AtomicBool::new(false),
        })
    }

    pub fn checkpoint(&self) -> &Checkpoint {
        match &self.kept {
            Kept::Own(checkpoint) => checkpoint,
            Kept::Merged(checkpoint) => checkpoint,
        }
    }

    pub fn workers(&self, threads: usize) -> Workers<'_> {
        Workers::keeping(threads, self.checkpoint())
    }

    /// Plays, and tells others meanwhile how far the run is.
    pub fn watched<T>(&self, play: impl FnOnce() -> T) -> T {
        let Kept::Own(checkpoint) = &self.kept else { return play() };
        let checkpoint: &Checkpoint = checkpoint;
        let watch = Watch::new(progress_file::beside(&self.path));
        let (over, wait) = sync_channel::<()>(0);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                watch.follow(checkpoint, &|time| {
                    let over = wait.recv_timeout(time) != Err(RecvTimeoutError::Timeout);
                    // At once: somebody may make room, long before the end.
                    self.warn_of_fault();
                    over
                })
            });
            let played = play();
            drop(over);
            played
        })
    }

    /// What a run that failed says and leaves, and its exit code.
    pub fn failed(self, error: CliError, run: &RunArgs) -> Result<ExitCode, CliError> {
        match (error, run.keep.shard, &run.merged) {
            (CliError::Missing, Some(shard), _) => Ok(self.shard_ended(shard, true, run.quiet)),
            (CliError::Missing, _, Some(merged)) => Err(merged.incomplete()),
            (error, ..) => {
                self.forget(error.is_lasting());
                Err(error)
            }
        }
    }

    /// What a shard says at its end, and its exit code.
    pub fn shard_ended(&self, shard: Shard, whole: bool, quiet: bool) -> ExitCode {
        let checkpoint = self.checkpoint();
        checkpoint.sync();
        self.warn_of_unusable();
        let (how, next, code) = match (self.warn_of_fault(), whole) {
            // What could not be written is not made, whatever was played.
            (true, _) => ("failed", "once it can be written, the same command resumes it".into(), 1),
            (_, false) => ("interrupted", "the same command resumes it".into(), 130),
            _ => ("finished", format!("once all shards are: saratoga merge {}", self.shown_folder()), 0),
        };
        Watch::new(progress_file::beside(&self.path)).write(checkpoint, code == 0, true);
        if !quiet {
            let (made, _) = checkpoint.made();
            let kept = match checkpoint.kept() {
                0 => String::new(),
                kept => format!(", {kept} were there"),
            };
            note(&format!("shard {shard} {how}: {} made{kept}; {next}", plural(made, "block")));
        }
        ExitCode::from(code)
    }

    fn shown_folder(&self) -> String {
        shell_word(&self.path.parent().unwrap_or(&self.path).display().to_string())
    }

    /// Tells that kept blocks could not be used, and were made again.
    fn warn_of_unusable(&self) {
        let checkpoint = self.checkpoint();
        let made_again = matches!(checkpoint.making(), Making::All | Making::Shard(_));
        let (blocks, are) = match checkpoint.unusable() {
            1 => ("1 kept block".to_string(), "is"),
            n => (plural(n, "kept block"), "are"),
        };
        if made_again && checkpoint.unusable() > 0 {
            note(&format!(
                "warning: {blocks} in {} cannot be read or {are} none of this run: made again",
                self.shown_folder()
            ));
        }
    }

    /// Tells that blocks could not be written, if some could not; once.
    fn warn_of_fault(&self) -> bool {
        let fault = self.checkpoint().fault();
        if let Some(why) = fault.as_ref().filter(|_| !self.warned.swap(true, Ordering::Relaxed)) {
            let path = self.path.display();
            note(&format!("warning: cannot write {path}: {why}; what is not written cannot be resumed"));
        }
        fault.is_some()
    }

    /// Says what became of the blocks once all is played, or not.
    pub fn end(self, finished: bool, quiet: bool) {
        let checkpoint = self.checkpoint();
        checkpoint.sync();
        self.warn_of_unusable();
        let whole = !self.warn_of_fault();
        let (made, _) = checkpoint.made();
        let none = made == 0 && checkpoint.kept() == 0;
        if matches!(self.kept, Kept::Merged(_)) {
            return;
        }
        // Nothing to resume from, or nothing left to be made.
        if none || finished && !self.stays {
            let _ = fs::remove_file(&self.path);
            let _ = fs::remove_file(progress_file::beside(&self.path));
        } else if finished {
            let _ = fs::remove_file(progress_file::beside(&self.path));
        } else {
            Watch::new(progress_file::beside(&self.path)).write(checkpoint, false, true);
        }
        if !none && !finished && !quiet && whole {
            note("the same command resumes this run; --restart starts again");
        }
    }

    /// Takes away what no command can go on with: nothing, blocks in a folder that nobody named, and those of a run that `fails`
    /// every time, since once a script or an option is changed they are another run's. Blocks of before this run stay.
    fn forget(self, fails: bool) {
        let Kept::Own(checkpoint) = &self.kept else { return };
        let none = checkpoint.made().0 == 0 || fails || !self.stays;
        if none && checkpoint.kept() == 0 {
            let _ = fs::remove_file(&self.path);
            let _ = fs::remove_file(progress_file::beside(&self.path));
        } else if !fails {
            checkpoint.sync();
            note("what was finished is kept: the same command resumes it; --restart starts again");
        }
    }
}

/// Begins the blocks in a file, or goes on with them.
fn begin(
    path: &Path,
    about: &About,
    anew: bool,
    making: Making,
    run: &RunArgs,
) -> Result<Checkpoint, CliError> {
    if path.is_dir() {
        return Err(unreadable(path, "it is a folder"));
    }
    if anew || !path.exists() || is_cut_short(path, about) {
        let made = Checkpoint::create(path, about, making);
        return made.map_err(CliError::io(format!("cannot write {}", path.display())));
    }
    check_name(path, about.shard)?;
    let resumed = Checkpoint::resume(path, &about.plan, making);
    let (checkpoint, scanned) = resumed.map_err(|fault| match fault {
        ResumeError::Another(differences) => another(path, &differences),
        ResumeError::Unreadable(why) => unreadable(path, &why),
    })?;
    warn_of_damage(path, &scanned, "made again");
    if checkpoint.kept() > 0 && !run.quiet {
        note(&format!("resuming: {} kept; --restart starts again", plural(checkpoint.kept(), "block")));
    }
    Ok(checkpoint)
}

/// Tells of what a run that was killed does not leave.
fn warn_of_damage(path: &Path, scanned: &Scanned, then: &str) {
    if let Some(damage) = scanned.end.damage() {
        note(&format!("warning: {} is {damage}: all from there on is {then}", path.display()));
    }
}
