//! A sweep kept in the report's folder, so that it can be gone on with.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::cli::error::CliError;
use crate::cli::output::{Folder, shell_word};
use crate::lab::sweep::{SavedPlan, SavedSweep, SoFar, SweepBatch};

/// The file's name.
const NAME: &str = "state.json";
/// Within a round it is written no more often than this: what a crash loses, and nothing that a result depends on.
const EVERY: Duration = Duration::from_secs(2);

/// The file of a sweep.
pub(super) struct State<'f> {
    folder: Option<&'f mut Folder>,
    plan: SavedPlan,
    written: Option<Instant>,
    /// There was one before this run.
    old: bool,
}

impl<'f> State<'f> {
    pub fn new(folder: Option<&'f mut Folder>, plan: SavedPlan) -> State<'f> {
        let old = folder.as_ref().is_some_and(|folder| folder.path().join(NAME).exists());
        State { folder, plan, written: None, old }
    }

    fn path(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.path().join(NAME))
    }

    /// The file while it is being written, which an end at once takes away.
    pub fn part(&self) -> Vec<PathBuf> {
        self.path().into_iter().map(|path| path.with_extension("json.part")).collect()
    }

    /// What is played of this very sweep, if it was begun before.
    pub fn read(&self, batch: &SweepBatch<'_>) -> Result<Option<SoFar>, CliError> {
        let Some(path) = self.path() else { return Ok(None) };
        let shown = path.display();
        let anew = format!(
            "to begin anew in this folder add --restart; to keep both, give another folder with --out{}",
            path.parent().map_or(String::new(), |folder| format!(
                " {}",
                shell_word(&format!("{}-2", folder.display()))
            ))
        );
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(CliError::input(format!("cannot read {shown}: {error}"))),
        };
        let no_sweep = |why: String| {
            CliError::lines(&[&format!("{shown} is no sweep that can be gone on with: {why}"), &anew])
        };
        let saved: SavedSweep =
            serde_json::from_slice(&bytes).map_err(|error| no_sweep(error.to_string()))?;
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

    /// Writes it.
    pub fn write(&mut self, so_far: &SoFar) -> Result<(), CliError> {
        let Some(folder) = &mut self.folder else { return Ok(()) };
        let saved = SavedSweep { plan: self.plan.clone(), so_far: so_far.clone() };
        let text = serde_json::to_string(&saved).map_err(|error| CliError::Run(error.to_string()))?;
        folder.write_all(&[(NAME.to_string(), (text + "\n").into_bytes())])?;
        self.written = Some(Instant::now());
        Ok(())
    }

    /// Takes away what this run wrote: a script that is at fault is changed, and then it is another sweep.
    pub fn forget(&self) {
        if let (Some(path), false) = (self.path(), self.old) {
            let _ = std::fs::remove_file(path);
        }
    }

    /// Writes it, unless it just was.
    pub fn write_at_times(&mut self, so_far: &SoFar) -> Result<(), CliError> {
        if self.written.is_some_and(|written| written.elapsed() < EVERY) {
            Ok(())
        } else {
            self.write(so_far)
        }
    }
}
