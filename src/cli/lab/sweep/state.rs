//! A sweep saved in the report's folder, so that it can be resumed.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::cli::error::CliError;
use crate::cli::terminal::note;
use crate::cli::words::shell_word;
use crate::files::{self, Folder, MOST_STATE, reason};
use crate::lab::sweep::{SavedPlan, SavedSweep, SoFar, SweepBatch};

/// The file's name.
const NAME: &str = "state.json";
/// Within a round it is written no more often than this: what a crash loses, and nothing that a result depends on.
const EVERY: Duration = Duration::from_secs(2);

/// The file of a sweep.
pub(super) struct State<'f> {
    folder: Option<&'f Folder>,
    plan: SavedPlan,
    written: Option<Instant>,
    /// It could not be written, which was told.
    failed: bool,
    /// There was one before this run.
    old: bool,
}

impl<'f> State<'f> {
    pub fn new(folder: Option<&'f Folder>, plan: SavedPlan) -> State<'f> {
        let old = folder.is_some_and(|folder| folder.path().join(NAME).exists());
        State { folder, plan, written: None, failed: false, old }
    }

    fn path(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.path().join(NAME))
    }

    /// What is played of this very sweep, if it was begun before.
    pub fn read(&self, batch: &SweepBatch<'_>) -> Result<Option<SoFar>, CliError> {
        let Some(path) = self.path() else { return Ok(None) };
        let shown = path.display();
        let anew = format!(
            "to start again in this folder, add --restart; to keep both, give another folder with --out{}",
            path.parent().map_or(String::new(), |folder| format!(
                " {}",
                shell_word(&format!("{}-2", folder.display()))
            ))
        );
        let no_sweep = |why: String| CliError::lines(&[&format!("{shown} cannot be resumed: {why}"), &anew]);
        let bytes = match files::read(&path, MOST_STATE) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(no_sweep(reason(&error))),
        };
        let saved = SavedSweep::from_bytes(&bytes).map_err(no_sweep)?;
        let differences = saved.plan.differences(&self.plan);
        if !differences.is_empty() {
            let found = format!("another sweep is saved in {shown}:");
            let differences = differences.iter().map(|it| &**it);
            let lines: Vec<&str> = [&*found].into_iter().chain(differences).chain([&*anew]).collect();
            return Err(CliError::lines(&lines));
        }
        saved.so_far.check(batch).map_err(no_sweep)?;
        Ok(Some(saved.so_far))
    }

    /// The file with what it says.
    pub fn file(&self, so_far: &SoFar) -> Result<(String, Vec<u8>), CliError> {
        let saved = SavedSweep { plan: self.plan.clone(), so_far: so_far.clone() };
        let bytes = saved.to_bytes().map_err(CliError::no_report)?;
        Ok((NAME.to_string(), bytes))
    }

    /// Writes it. Where it cannot be written, that is told once, and the games go on for the sake of their figures: it
    /// may be possible later, and is tried with the report at last.
    pub fn write(&mut self, so_far: &SoFar) {
        let Some(folder) = self.folder else { return };
        // What cannot even be made is told with the report.
        let Ok((name, bytes)) = self.file(so_far) else { return };
        let written = folder.put(&name, &bytes);
        if let (Err(error), false) = (&written, self.failed) {
            let (path, why) = (folder.path().join(name), reason(error));
            note(&format!(
                "warning: cannot write {}: {why}; the sweep continues, but is not saved",
                path.display()
            ));
        }
        self.failed |= written.is_err();
        self.written = Some(Instant::now());
    }

    /// Takes away what this run wrote: a script that is at fault is changed, and then it is another sweep.
    pub fn forget(&self) {
        if let (Some(path), false) = (self.path(), self.old) {
            let _ = std::fs::remove_file(path);
        }
    }

    /// Writes it, unless it just was.
    pub fn write_at_times(&mut self, so_far: &SoFar) {
        if self.written.is_none_or(|written| written.elapsed() >= EVERY) {
            self.write(so_far);
        }
    }
}
