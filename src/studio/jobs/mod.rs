//! Long jobs: reports made in the background, with progress. A job that is cancelled, or that ends with the studio,
//! keeps its finished part and can be resumed.

mod job;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use serde::Serialize;
use serde_json::Value;

use crate::files::{self, Lock, LockError};
use crate::lab::WHOLE;

use super::design::Told;
use super::gallery::REPORTS;
use super::players::fault;
use super::{Folder, NotInFolder, program};
use job::{JOBS, file_of};

pub(super) use job::Job;

/// Maximum number of concurrent jobs: each uses every core.
const MOST_RUNNING: usize = 2;
/// Maximum number of jobs listed.
const MOST_LISTED: usize = 100;
/// Maximum size of a progress note, in bytes.
const MOST_NOTE: u64 = 64 << 10;

/// The jobs of a folder: files of the unfinished ones, and those running.
pub(super) struct Jobs {
    folder: Folder,
    program: PathBuf,
    here: Mutex<BTreeMap<String, Here>>,
}

/// A job run by this studio.
struct Here {
    job: Job,
    stop: Arc<AtomicBool>,
    /// How it ended.
    ended: Arc<Mutex<Option<Result<(), String>>>>,
    thread: Option<JoinHandle<()>>,
}

/// A job as a page shows it.
#[derive(Serialize)]
pub(super) struct Listed {
    name: String,
    job: Job,
    /// `running`, `elsewhere`, `stopped`, `failed` or `done`.
    state: &'static str,
    /// Progress of the current stage, in blocks of games.
    progress: Option<Progress>,
    failed: Option<String>,
}

#[derive(Clone, Copy, Serialize)]
struct Progress {
    stage: u64,
    done: u64,
    of: u64,
}

impl Here {
    fn ended(&self) -> Option<Result<(), String>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Jobs {
    pub fn new(folder: Folder, program: PathBuf) -> Jobs {
        Jobs { folder, program, here: Mutex::default() }
    }

    /// Starts a job.
    ///
    /// # Errors
    /// Returns what is wrong with it, or that too many are running.
    pub fn start(&self, job: Job) -> Result<String, Vec<Told>> {
        job.check(&self.folder)?;
        self.folder.keeps(REPORTS).map_err(|error| vec![fault(error.to_string())])?;
        let mut here = self.here();
        has_room(&here)?;
        let name = job.keep(&self.folder).map_err(|error| vec![fault(error.to_string())])?;
        here.insert(name.clone(), self.run(&name, job)?);
        Ok(name)
    }

    /// Resumes a stopped job, whether this studio started it or an earlier one.
    ///
    /// # Errors
    /// Fails if there is no such job, if it cannot be done, or if too many are running.
    pub fn resume(&self, name: &str) -> Result<(), Vec<Told>> {
        let job = Job::find(&self.folder, name).map_err(|error| vec![fault(error.to_string())])?;
        job.check(&self.folder)?;
        let mut here = self.here();
        if here.get(name).is_some_and(|it| it.ended().is_none()) {
            return Ok(());
        }
        if self.elsewhere(name) {
            return Err(runs_elsewhere(name));
        }
        has_room(&here)?;
        here.insert(name.to_string(), self.run(name, job)?);
        Ok(())
    }

    /// Stops a job; its finished part is kept.
    pub fn stop(&self, name: &str) {
        let thread = self.here().get_mut(name).and_then(|it| {
            it.stop.store(true, Ordering::Relaxed);
            it.thread.take()
        });
        // After the join, the job's process has ended.
        let _ = thread.map(JoinHandle::join);
    }

    /// Deletes a job that is not running. Its finished part is deleted too, unless there is a report of it.
    ///
    /// # Errors
    /// Fails if there is no such job, or it is running.
    pub fn remove(&self, name: &str) -> Result<(), Vec<Told>> {
        let wrong = |error: NotInFolder| vec![fault(error.to_string())];
        let file = file_of(name).map_err(wrong)?;
        let mut here = self.here();
        if here.get(name).is_some_and(|it| it.ended().is_none()) {
            return Err(vec![fault("cancel the job first".into())]);
        }
        if self.elsewhere(name) {
            return Err(runs_elsewhere(name));
        }
        let report = self.folder.find(&format!("{REPORTS}/{name}")).ok();
        // Prevents another process from starting to write to the report meanwhile.
        let _lock = match report.as_deref().map(Lock::of) {
            Some(Err(LockError::Busy)) => return Err(runs_elsewhere(name)),
            Some(Ok(lock)) => Some(lock),
            Some(Err(LockError::Io(_) | LockError::Unsupported)) | None => None,
        };
        let known = here.remove(name).is_some();
        match self.folder.find(&file) {
            Ok(path) => fs::remove_file(path).map_err(|error| wrong(NotInFolder::Io(file, error)))?,
            Err(_) if known => return Ok(()),
            Err(error) => return Err(wrong(error)),
        }
        let Some(report) = report else { return Ok(()) };
        if !report.join("index.html").exists() {
            let blocks = report.join(WHOLE);
            let _ = fs::remove_file(blocks.with_extension("progress"));
            // The lock of a killed run must not lock anyone out.
            let _ = fs::remove_file(report.join(format!(".{WHOLE}.lock")));
            let _ = fs::remove_file(blocks);
            let _ = fs::remove_dir(report);
        }
        Ok(())
    }

    /// Lists all jobs, by name.
    pub fn list(&self) -> Vec<Listed> {
        let here = self.here();
        let mut all: BTreeMap<String, Listed> = BTreeMap::new();
        for (name, it) in here.iter() {
            let (state, failed) = match it.ended() {
                None => ("running", None),
                Some(Ok(())) => ("done", None),
                // The resume failed because another studio is running the job.
                Some(Err(_)) if self.elsewhere(name) => ("elsewhere", None),
                Some(Err(_)) if it.stop.load(Ordering::Relaxed) => ("stopped", None),
                Some(Err(why)) => ("failed", Some(why)),
            };
            let progress = self.note(name).filter(|_| state != "done");
            let listed = Listed { name: name.clone(), job: it.job.clone(), state, progress, failed };
            all.insert(name.clone(), listed);
        }
        let Ok(entries) = self
            .folder
            .find(JOBS)
            .and_then(|path| fs::read_dir(path).map_err(|error| NotInFolder::Io(JOBS.into(), error)))
        else {
            return all.into_values().collect();
        };
        for entry in entries.flatten().take(10 * MOST_LISTED) {
            let file = entry.file_name().into_string().unwrap_or_default();
            let Some(name) = file.strip_suffix(".json").filter(|name| !all.contains_key(*name)) else {
                continue;
            };
            let Ok(job) = Job::find(&self.folder, name) else { continue };
            let noted = self.note(name);
            // The studio ended just as the job was done.
            if noted.is_none() && self.folder.find(&format!("{REPORTS}/{name}/index.html")).is_ok() {
                let _ = fs::remove_file(entry.path());
                continue;
            }
            let state = if self.elsewhere(name) { "elsewhere" } else { "stopped" };
            all.insert(name.into(), Listed { name: name.into(), job, state, progress: noted, failed: None });
        }
        all.into_values().take(MOST_LISTED).collect()
    }

    /// Returns whether another process works on a job: it has locked the report's folder.
    fn elsewhere(&self, name: &str) -> bool {
        let Ok(report) = self.folder.find(&format!("{REPORTS}/{name}")) else { return false };
        files::is_locked(&report)
    }

    fn run(&self, name: &str, job: Job) -> Result<Here, Vec<Told>> {
        self.folder.keeps(&format!("{REPORTS}/{name}")).map_err(|error| vec![fault(error.to_string())])?;
        let (stop, ended) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(None)));
        let command = job.command(&self.program, &self.folder, name);
        let (asked, result, folder, name) =
            (stop.clone(), ended.clone(), self.folder.clone(), name.to_string());
        let work = move || {
            let ran = program::run(command, &asked).map(drop);
            // The report exists; nothing is left to be done.
            if let (Ok(()), Ok(path)) = (&ran, folder.find(&format!("{JOBS}/{name}.json"))) {
                let _ = fs::remove_file(path);
            }
            *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(ran);
        };
        let thread = std::thread::Builder::new()
            .name("job".into())
            .spawn(work)
            .map_err(|error| vec![fault(format!("no thread could be started: {error}"))])?;
        Ok(Here { job, stop, ended, thread: Some(thread) })
    }

    /// Reads the progress noted by a job.
    fn note(&self, name: &str) -> Option<Progress> {
        let path = self.folder.find(&format!("{REPORTS}/{name}/{WHOLE}")).ok()?.with_extension("progress");
        let note: Value = serde_json::from_slice(&files::read(&path, MOST_NOTE).ok()?).ok()?;
        let number = |key: &str| note[key].as_u64();
        Some(Progress { stage: number("stage")?, done: number("done")?, of: number("of")? })
    }

    fn here(&self) -> MutexGuard<'_, BTreeMap<String, Here>> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn runs_elsewhere(name: &str) -> Vec<Told> {
    vec![fault(format!("{name} runs in another studio"))]
}

fn has_room(here: &BTreeMap<String, Here>) -> Result<(), Vec<Told>> {
    if here.values().filter(|it| it.ended().is_none()).count() < MOST_RUNNING {
        return Ok(());
    }
    Err(vec![fault(format!("{MOST_RUNNING} jobs run already: wait until one is done, or cancel one"))])
}

/// Stops all jobs with the studio.
impl Drop for Jobs {
    fn drop(&mut self) {
        let names: Vec<String> = self.here().keys().cloned().collect();
        for it in self.here().values() {
            it.stop.store(true, Ordering::Relaxed);
        }
        names.iter().for_each(|name| self.stop(name));
    }
}
