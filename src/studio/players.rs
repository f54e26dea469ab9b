//! Strategies by name, as on the command line, with scripts restricted to the folder.

use std::sync::Arc;

use serde::Deserialize;

use crate::diagnostic::SourceText;
use crate::files::MOST_TEXT;
use crate::players;
use crate::strategy::{LoadError, StrategySource, split_settings};
use crate::text::{one_line, steers};

use super::Folder;
use super::design::{Faults, Text, path_of, told};

/// Maximum length of a strategy's name with its settings, in characters.
const LONGEST: usize = 200;

/// Maximum effort of `search` per decision, by setting: several times that of its highest level.
const MOST_THOUGHT: [(&str, u64); 4] =
    [("worlds", 100), ("judged", 200), ("nodes", 200_000), ("ways", 5_000)];

/// Loads a strategy of the shelf, or a script of the folder: `tunable:late=2`, `./mine.rhai`. A page waits for it, so
/// settings that would think for hours are refused.
pub(super) fn load(folder: &Folder, name: &str) -> Result<StrategySource, Faults> {
    let strategy = load_for_job(folder, name)?;
    players::check_thought(name, &MOST_THOUGHT).map_err(|why| format!("{}: {why}", one_line(name)))?;
    Ok(strategy)
}

/// Loads strategies; all faults are reported together.
pub(super) fn load_all<'a>(
    names: impl IntoIterator<Item = &'a String>,
    load: impl Fn(&str) -> Result<StrategySource, Faults>,
) -> Result<Vec<StrategySource>, Faults> {
    let (mut loaded, mut faults) = (Vec::new(), Vec::new());
    for name in names {
        match load(name) {
            Ok(strategy) => loaded.push(strategy),
            Err(more) => faults.extend(more.faults),
        }
    }
    if faults.is_empty() { Ok(loaded) } else { Err(Faults { faults }) }
}

/// Loads a strategy without a limit on its thinking: a job has time, and can be stopped.
pub(super) fn load_for_job(folder: &Folder, name: &str) -> Result<StrategySource, Faults> {
    let refuse = |why: &str| Err(Faults::from(format!("{}: {why}", one_line(name))));
    if name.len() > LONGEST || name.contains(steers) {
        return Err("the name of a strategy is one line of at most 200 characters".into());
    }
    let (head, settings) = split_settings(name);
    let tail = name.strip_prefix(head).unwrap_or(name);
    // A setting that names a policy or a mix of strategies may be a path.
    if [".rhai", ".toml", "/", "\\"].iter().any(|part| tail.to_ascii_lowercase().contains(part)) {
        return refuse("settings in the studio cannot name files");
    }
    if !head.contains(['/', '\\', '.']) {
        return players::load(name).map_err(|error| match error {
            LoadError::Faults(all) => told(folder, name, &all),
            other => one_line(&other.to_string()).into_owned().into(),
        });
    }
    if !head.ends_with(".rhai") {
        return refuse("a strategy is a name on the shelf, or a script of this folder that ends in .rhai");
    }
    let source = Arc::new(SourceText::of(head, &folder.text(head)?));
    let script = StrategySource::from_script(head, source).map_err(|all| told(folder, name, &all))?;
    script.set(&settings).or_else(|error| refuse(&error.to_string()))
}

/// The contents of a script editor.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Draft(pub Text);

impl Draft {
    /// Returns its text, under the same limits as a file.
    pub fn source(&self, folder: &Folder) -> Result<Arc<SourceText>, Faults> {
        let Text { name, text } = &self.0;
        if name.len() > LONGEST || name.contains(steers) || !name.ends_with(".rhai") {
            return Err("the file of a script is called by one line that ends in .rhai".into());
        }
        if text.len() as u64 > MOST_TEXT {
            return Err("a script has at most 256 KiB".into());
        }
        Ok(Arc::new(SourceText::of(&path_of(folder, name), text)))
    }

    pub fn load(&self, folder: &Folder) -> Result<StrategySource, Faults> {
        let source = self.source(folder)?;
        StrategySource::from_script(self.0.path(), source).map_err(|all| told(folder, &self.0.name, &all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_those_of_the_folder() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("inner");
        std::fs::create_dir(&inner).unwrap();
        let script = "fn score(view, m) { 1 }\n";
        std::fs::write(inner.join("mine.rhai"), script).unwrap();
        std::fs::write(outer.path().join("other.rhai"), script).unwrap();
        let folder = Folder::open(&inner).unwrap();
        assert_eq!(load(&folder, "./mine.rhai").unwrap().name(), "./mine.rhai");
        for good in [
            "greedy",
            "patient",
            "search:level=1",
            "shark",
            "greedy:slip=20",
            "tunable:late=2",
            "beginner:30%,ordinary:70%",
        ] {
            assert_eq!(load(&folder, good).unwrap().name(), good);
        }
        for (deep, said) in [
            ("search:worlds=101", "`worlds` is at most 100"),
            ("search:level=1,judged=9_999", "`judged` is at most 200"),
            ("greedy:50%,search:nodes=200001:50%", "`nodes` is at most 200000"),
            ("search:ways=100000,policy=patient", "`ways` is at most 5000"),
        ] {
            assert!(load_for_job(&folder, deep).is_ok(), "{deep}");
            let told = load(&folder, deep).map(drop).unwrap_err().to_string();
            assert!(told.contains(said), "{deep}: {told}");
        }
        assert!(load(&folder, "search:worlds=100,judged=200,nodes=200_000,ways=5000").is_ok());
        for bad in [
            "../other.rhai",
            "search:policy=../other.rhai",
            "search:policy=other.rhai",
            "beginner:30%,../other.rhai:70%",
            "patrons.toml",
            "/etc/passwd",
            "nobody",
            "./mine.rhai:hold=3",
            "a\nb",
            "",
        ] {
            assert!(load(&folder, bad).is_err(), "{bad}");
        }
    }
}
