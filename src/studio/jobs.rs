//! Long jobs: reports made in the background, with progress. A job that is cancelled, or that ends with the studio,
//! keeps its finished part and can be resumed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::files::{self, Lock, LockError};
use crate::lab::{LEAST_DEALS, MOST_DECKS, MOST_NIGHTS, WHOLE};
use crate::rules::is_path;
use crate::rules::shelf;
use crate::units::{Patrons, PercentRange, patrons};

use super::child;
use super::design::{Faults, read};
use super::gallery::REPORTS;
use super::play::{MOST_GAMES, MOST_STRATEGIES, MOST_WISHES, wishes};
use super::{Folder, NotInFolder, players};

/// Name of the folder of unfinished jobs in the studio's folder.
const JOBS: &str = "jobs";
/// Minimum number of games in a plan or a design.
const LEAST_GAMES: u64 = 1_000;
/// Maximum number of deals of a character.
const MOST_CHARACTER: u64 = 1_000;
/// Maximum size of a job's file, in bytes.
const MOST_BYTES: u64 = 16 << 10;
/// Maximum number appended to a name to make it unique.
const MOST_ALIKE: u32 = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub(super) enum Kind {
    Simulate,
    Plan,
    Character,
    Design,
}

/// A report to be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Job {
    pub kind: Kind,
    /// A name on the shelf, or a file of the folder.
    pub rules: String,
    /// The strategies of a simulation; a plan has its patrons, and a character the usual players.
    pub strategies: Vec<String>,
    #[serde(deserialize_with = "super::play::seed")]
    pub seed: u64,
    /// The games, or the deals of a character.
    pub games: u64,
    /// The options of a plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Planned>,
    /// The options of a design.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub design: Option<Wanted>,
}

/// Options of a design, as on the command line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Wanted {
    /// Keys with their values.
    pub vary: Vec<String>,
    /// The wishes.
    pub want: Vec<String>,
    /// Whether the price of the deck is chosen too.
    pub price: bool,
}

/// Longest text of a key with its values, in bytes.
const MOST_VARIED: usize = 400;

impl Wanted {
    /// Returns the strategies, or what is wrong with any of the options.
    fn check(&self) -> Result<Vec<String>, Faults> {
        if self.vary.len() > MOST_WISHES || self.vary.iter().any(|it| it.len() > MOST_VARIED) {
            return Err(format!("vary at most {MOST_WISHES} keys").into());
        }
        Ok(wishes(&self.want, "greedy")?.into_iter().map(|wish| wish.player).collect())
    }
}

/// Options of a plan, as on the command line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Planned {
    /// Strategies with their shares, or a file of patrons in the folder.
    pub patrons: String,
    /// Target house edge: `5%..10%`.
    pub target_edge: String,
    /// Number of decks per night.
    pub decks: u64,
    /// Number of nights per season.
    pub nights: u64,
}

impl Planned {
    /// Returns the strategies, or what is wrong with any of the options.
    fn check(&self, folder: &Folder) -> Result<Vec<String>, Faults> {
        for (what, most, n) in [("decks", MOST_DECKS, self.decks), ("nights", MOST_NIGHTS, self.nights)] {
            if !(1..=most).contains(&n) {
                return Err(format!("plan 1 to {most} {what}").into());
            }
        }
        self.target_edge.parse::<PercentRange>()?;
        match patrons(&self.patrons)? {
            Patrons::Shares(all) => Ok(all.into_iter().map(|it| it.strategy).collect()),
            // Paths in the file are relative to the file's own folder.
            Patrons::File(name) if name.contains('/') => {
                Err("a file of patrons stands in the studio's own folder".into())
            }
            Patrons::File(name) => {
                let file = folder.text(&name)?.parse::<toml::Table>();
                let file = file.map_err(|error| format!("{name}: {error}"))?;
                let each = file.get("patron").and_then(toml::Value::as_array).into_iter().flatten();
                let strategy = |it: &toml::Value| Some(it.get("strategy")?.as_str()?.to_string());
                Ok(each.filter_map(strategy).collect())
            }
        }
    }
}

impl Job {
    /// Checks that the job can be done. A file may come from anyone, so it is validated like a request of a page.
    fn check(&self, folder: &Folder) -> Result<(), Faults> {
        let (least, most) = match self.kind {
            Kind::Simulate => (1, MOST_GAMES),
            Kind::Plan | Kind::Design => (LEAST_GAMES, MOST_GAMES),
            Kind::Character => (LEAST_DEALS, MOST_CHARACTER),
        };
        if !(least..=most).contains(&self.games) {
            return Err(format!("play {least} to {most} games").into());
        }
        if !shelf().iter().any(|(name, _)| *name == self.rules) {
            if !self.rules.ends_with(".toml") {
                return Err("rules are a name on the shelf, or a .toml of this folder".into());
            }
            read(folder, &self.rules, &folder.text(&self.rules)?)?;
        }
        let count = self.strategies.len();
        if self.kind == Kind::Simulate && (count == 0 || count > MOST_STRATEGIES) {
            return Err(format!("choose 1 to {MOST_STRATEGIES} strategies").into());
        }
        let patrons = self.plan.as_ref().map(|plan| plan.check(folder)).transpose()?.unwrap_or_default();
        let wished = self.design.as_ref().map(Wanted::check).transpose()?.unwrap_or_default();
        let names = self.strategies.iter().chain(&patrons).chain(&wished);
        players::load_all(names, |name| players::load_for_job(folder, name)).map(drop)
    }

    /// Returns the command that makes the report in the folder of this name, or resumes it.
    fn command(&self, program: &Path, folder: &Folder, name: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(folder.root()).args([self.kind.into(), "--quiet"]);
        // Name and value form one argument, so that no name is parsed as another option.
        command.args(self.strategies.iter().map(|name| format!("--strategy={name}")));
        if let (Kind::Plan, Some(plan)) = (self.kind, &self.plan) {
            let Planned { patrons, target_edge, decks, nights } = plan;
            command.arg(format!("--patrons={patrons}")).arg(format!("--target-edge={target_edge}"));
            command.arg(format!("--decks={decks}")).arg(format!("--nights={nights}"));
        }
        if let (Kind::Design, Some(Wanted { vary, want, price })) = (self.kind, &self.design) {
            command.args(vary.iter().map(|it| format!("--vary={it}")));
            command.args(want.iter().map(|it| format!("--want={it}")));
            command.args(price.then_some("--price=round=1"));
        }
        command.arg(format!("--games={}", self.games)).arg(format!("--seed={}", self.seed));
        command.arg(format!("--out={REPORTS}/{name}"));
        let path = is_path(&self.rules).then(|| format!("./{}", self.rules.trim_start_matches("./")));
        command.arg(path.unwrap_or_else(|| self.rules.clone()));
        // Ctrl-C in a terminal is for the studio, which stops its jobs without a partial report.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    }

    /// Saves the job in the folder, under a name unused by jobs and reports, and returns the name.
    fn keep(&self, folder: &Folder) -> Result<String, NotInFolder> {
        let stem = Path::new(&self.rules).file_stem().and_then(|stem| stem.to_str()).unwrap_or("rules");
        let kind: &str = self.kind.into();
        let letter =
            |c: char| if c.is_ascii_alphanumeric() || c == '_' { c.to_ascii_lowercase() } else { '-' };
        let plain: String = stem.chars().take(60).map(letter).collect();
        let first = format!("{kind}-{plain}-{}", self.seed);
        let names = std::iter::once(first.clone()).chain((2..MOST_ALIKE).map(|n| format!("{first}-{n}")));
        let io = |error| NotInFolder::Io(JOBS.into(), error);
        fs::create_dir_all(folder.root().join(JOBS)).map_err(io)?;
        let bytes = serde_json::to_vec_pretty(self).map_err(|error| io(error.into()))?;
        for name in names {
            let path = folder.place(&format!("{JOBS}/{name}.json"))?;
            // A link counts as taken, wherever it leads.
            let report = folder.root().join(REPORTS).join(&name);
            if path.exists() || fs::symlink_metadata(report).is_ok() {
                continue;
            }
            files::put(&path, &bytes, true).map_err(io)?;
            return Ok(name);
        }
        Err(io(io::Error::other("there are too many of this name")))
    }

    fn find(folder: &Folder, name: &str) -> Result<Job, NotInFolder> {
        let path = folder.find(&file_of(name)?)?;
        let io = |error| NotInFolder::Io(format!("{JOBS}/{name}.json"), error);
        let bytes = files::read(&path, MOST_BYTES).map_err(io)?;
        serde_json::from_slice(&bytes).map_err(|_| io(io::Error::other("this is no job")))
    }
}

/// Returns the file of a job, whose name must be a single word.
fn file_of(name: &str) -> Result<String, NotInFolder> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || name.len() > 120 || !name.chars().all(plain) {
        return Err(NotInFolder::Outside(name.into()));
    }
    Ok(format!("{JOBS}/{name}.json"))
}

/// Maximum number of concurrent jobs: each uses every core.
const MOST_RUNNING: usize = 2;
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

    /// Starts a job, and returns its name.
    pub fn start(&self, job: Job) -> Result<String, Faults> {
        job.check(&self.folder)?;
        self.folder.keeps(REPORTS)?;
        let mut here = self.here();
        has_room(&here)?;
        let name = job.keep(&self.folder)?;
        here.insert(name.clone(), self.run(&name, job)?);
        Ok(name)
    }

    /// Resumes a stopped job, whether this studio started it or an earlier one.
    pub fn resume(&self, name: &str) -> Result<(), Faults> {
        let job = Job::find(&self.folder, name)?;
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
    pub fn remove(&self, name: &str) -> Result<(), Faults> {
        let file = file_of(name)?;
        let mut here = self.here();
        if here.get(name).is_some_and(|it| it.ended().is_none()) {
            return Err("cancel the job first".into());
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
            Ok(path) => fs::remove_file(path).map_err(|error| NotInFolder::Io(file, error))?,
            Err(_) if known => return Ok(()),
            Err(error) => return Err(error.into()),
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
        let entries = self.folder.find(JOBS).ok().and_then(|path| fs::read_dir(path).ok());
        for entry in entries.into_iter().flatten().flatten().take(10 * MOST_LISTED) {
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

    fn run(&self, name: &str, job: Job) -> Result<Here, Faults> {
        self.folder.keeps(&format!("{REPORTS}/{name}"))?;
        let (stop, ended) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(None)));
        let command = job.command(&self.program, &self.folder, name);
        let (asked, result, folder, name) =
            (stop.clone(), ended.clone(), self.folder.clone(), name.to_string());
        let work = move || {
            let ran = child::run(command, &asked);
            // The report exists; nothing is left to be done.
            if let (Ok(()), Ok(path)) = (&ran, folder.find(&format!("{JOBS}/{name}.json"))) {
                let _ = fs::remove_file(path);
            }
            *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(ran);
        };
        let thread = std::thread::Builder::new()
            .name("job".into())
            .spawn(work)
            .map_err(|error| format!("no thread could be started: {error}"))?;
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

fn runs_elsewhere(name: &str) -> Faults {
    format!("{name} runs in another studio").into()
}

fn has_room(here: &BTreeMap<String, Here>) -> Result<(), Faults> {
    if here.values().filter(|it| it.ended().is_none()).count() < MOST_RUNNING {
        return Ok(());
    }
    Err(format!("{MOST_RUNNING} jobs run already: wait until one is done, or cancel one").into())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_asked_for_as_on_the_command_line() {
        let job = Job {
            kind: Kind::Plan,
            rules: "mine.toml".into(),
            strategies: Vec::new(),
            seed: 3,
            games: 2_000,
            plan: Some(Planned {
                patrons: "greedy:70%,./mine.rhai:30%".into(),
                target_edge: "2.5%..7.5%".into(),
                decks: 200,
                nights: 20,
            }),
            design: None,
        };
        let folder = Folder::open(Path::new(".")).unwrap();
        let command = job.command(Path::new("saratoga"), &folder, "plan-mine-3");
        let words: Vec<_> = command.get_args().map(|word| word.to_str().unwrap()).collect();
        let told = "plan --quiet --patrons=greedy:70%,./mine.rhai:30% --target-edge=2.5%..7.5% --decks=200 --nights=20 \
            --games=2000 --seed=3 --out=reports/plan-mine-3 ./mine.toml";
        assert_eq!(words.join(" "), told);
    }
}
