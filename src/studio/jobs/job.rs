//! A long job: a report to be made, and the command that makes it.

use std::path::Path;
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::files;
use crate::lab::{MOST_DECKS, MOST_NIGHTS};
use crate::rules::find::is_path;
use crate::rules::shelf;
use crate::studio::design::{Told, read, told};
use crate::studio::gallery::REPORTS;
use crate::studio::play::{MOST_GAMES, MOST_STRATEGIES};
use crate::studio::players::{self, fault};
use crate::studio::{Folder, NotInFolder};
use crate::units::{PatronShare, Patrons, PercentRange, patrons};

/// Name of the folder of unfinished jobs in the studio's folder.
pub(super) const JOBS: &str = "jobs";
/// Minimum number of games in a plan.
const LEAST_PLANNED: u64 = 1_000;
/// Maximum size of a job's file, in bytes.
const MOST_BYTES: u64 = 16 << 10;
/// Maximum number appended to a name to make it unique.
const MOST_ALIKE: u32 = 1_000;

/// The kind of report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::studio) enum Kind {
    Simulate,
    Plan,
}

/// A report to be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::studio) struct Job {
    pub kind: Kind,
    /// A name on the shelf, or a file of the folder.
    pub rules: String,
    /// The strategies; a plan uses its patrons instead.
    pub strategies: Vec<String>,
    #[serde(deserialize_with = "crate::studio::play::seed")]
    pub seed: u64,
    pub games: u64,
    /// The options of a plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Planned>,
}

/// Options of a plan, as on the command line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::studio) struct Planned {
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
    /// Returns the strategies.
    ///
    /// # Errors
    /// Returns what is wrong with any of the options.
    fn check(&self, folder: &Folder) -> Result<Vec<String>, Vec<Told>> {
        let wrong = |why: String| vec![fault(why)];
        for (what, most, n) in [("decks", MOST_DECKS, self.decks), ("nights", MOST_NIGHTS, self.nights)] {
            if !(1..=most).contains(&n) {
                return Err(wrong(format!("plan 1 to {most} {what}")));
            }
        }
        self.target_edge.parse::<PercentRange>().map_err(wrong)?;
        match patrons(&self.patrons).map_err(wrong)? {
            Patrons::Shares(all) => {
                Ok(all.into_iter().map(|PatronShare { strategy, .. }| strategy).collect())
            }
            // Paths in the file are relative to the file's own folder.
            Patrons::File(name) if name.contains('/') => {
                Err(wrong("a file of patrons stands in the studio's own folder".into()))
            }
            Patrons::File(name) => {
                let text = folder.text(&name).map_err(|error| wrong(error.to_string()))?;
                let file: toml::Table = text.parse().map_err(|error| wrong(format!("{name}: {error}")))?;
                let each = file.get("patron").and_then(toml::Value::as_array).into_iter().flatten();
                let strategy = |it: &toml::Value| Some(it.get("strategy")?.as_str()?.to_string());
                Ok(each.filter_map(strategy).collect())
            }
        }
    }
}

impl Job {
    /// Checks that the job can be done. A file may come from anyone, so it is validated like a request of a page.
    ///
    /// # Errors
    /// Returns every fault of the ruleset and of the strategies.
    pub fn check(&self, folder: &Folder) -> Result<(), Vec<Told>> {
        let least = if self.kind == Kind::Plan { LEAST_PLANNED } else { 1 };
        if !(least..=MOST_GAMES).contains(&self.games) {
            return Err(vec![fault(format!("play {least} to {MOST_GAMES} games"))]);
        }
        let shelved = shelf().iter().any(|(name, _)| *name == self.rules);
        if !shelved {
            if !self.rules.ends_with(".toml") {
                return Err(vec![fault("rules are a name on the shelf, or a .toml of this folder".into())]);
            }
            let text = folder.text(&self.rules).map_err(|error| vec![fault(error.to_string())])?;
            read(folder, &self.rules, &text).map_err(|all| told(folder, &self.rules, &all))?;
        }
        let count = self.strategies.len();
        if self.kind == Kind::Simulate && (count == 0 || count > MOST_STRATEGIES) {
            return Err(vec![fault(format!("choose 1 to {MOST_STRATEGIES} strategies"))]);
        }
        let patrons = match &self.plan {
            Some(plan) => plan.check(folder)?,
            None => Vec::new(),
        };
        let faults: Vec<Told> = (self.strategies.iter().chain(&patrons))
            .filter_map(|name| players::load_for_job(folder, name).err())
            .flatten()
            .collect();
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    /// Returns the command that makes the report in the folder of this name, or resumes it.
    pub fn command(&self, program: &Path, folder: &Folder, name: &str) -> Command {
        let mut command = Command::new(program);
        let word = if self.kind == Kind::Plan { "plan" } else { "simulate" };
        command.current_dir(folder.root()).args([word, "--quiet"]);
        if self.kind == Kind::Simulate {
            // Name and value form one argument, so that no name is parsed as another option.
            command.args(self.strategies.iter().map(|name| format!("--strategy={name}")));
        }
        if let (Kind::Plan, Some(plan)) = (self.kind, &self.plan) {
            let Planned { patrons, target_edge, decks, nights } = plan;
            command.arg(format!("--patrons={patrons}")).arg(format!("--target-edge={target_edge}"));
            command.arg(format!("--decks={decks}")).arg(format!("--nights={nights}"));
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

    /// Saves the job in the folder, under a name unused by jobs and reports.
    ///
    /// # Errors
    /// Returns write errors.
    pub fn keep(&self, folder: &Folder) -> Result<String, NotInFolder> {
        let stem = Path::new(&self.rules).file_stem().and_then(|stem| stem.to_str()).unwrap_or("rules");
        let kind = if self.kind == Kind::Plan { "plan" } else { "simulate" };
        let letter =
            |c: char| if c.is_ascii_alphanumeric() || c == '_' { c.to_ascii_lowercase() } else { '-' };
        let plain: String = stem.chars().take(60).map(letter).collect();
        let first = format!("{kind}-{plain}-{}", self.seed);
        let names = std::iter::once(first.clone()).chain((2..MOST_ALIKE).map(|n| format!("{first}-{n}")));
        let io = |error| NotInFolder::Io(JOBS.into(), error);
        std::fs::create_dir_all(folder.root().join(JOBS)).map_err(io)?;
        let bytes = serde_json::to_vec_pretty(self).map_err(|error| io(error.into()))?;
        for name in names {
            let path = folder.place(&format!("{JOBS}/{name}.json"))?;
            // A link counts as taken, wherever it leads.
            let report = folder.root().join(REPORTS).join(&name);
            if path.exists() || std::fs::symlink_metadata(report).is_ok() {
                continue;
            }
            files::put(&path, &bytes, true).map_err(io)?;
            return Ok(name);
        }
        Err(io(std::io::Error::other("there are too many of this name")))
    }

    /// Loads a job by name.
    ///
    /// # Errors
    /// Fails if there is no such job, or its file is invalid.
    pub fn find(folder: &Folder, name: &str) -> Result<Job, NotInFolder> {
        let path = folder.find(&file_of(name)?)?;
        let io = |error| NotInFolder::Io(format!("{JOBS}/{name}.json"), error);
        let bytes = files::read(&path, MOST_BYTES).map_err(io)?;
        serde_json::from_slice(&bytes).map_err(|_| io(std::io::Error::other("this is no job")))
    }
}

/// Returns the file of a job, whose name must be a single word.
pub(super) fn file_of(name: &str) -> Result<String, NotInFolder> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || name.len() > 120 || !name.chars().all(plain) {
        return Err(NotInFolder::Outside(name.into()));
    }
    Ok(format!("{JOBS}/{name}.json"))
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
        };
        let folder = Folder::open(Path::new(".")).unwrap();
        let command = job.command(Path::new("saratoga"), &folder, "plan-mine-3");
        let words: Vec<_> = command.get_args().map(|word| word.to_str().unwrap()).collect();
        let told = "plan --quiet --patrons=greedy:70%,./mine.rhai:30% --target-edge=2.5%..7.5% --decks=200 --nights=20 \
            --games=2000 --seed=3 --out=reports/plan-mine-3 ./mine.toml";
        assert_eq!(words.join(" "), told);
    }
}
