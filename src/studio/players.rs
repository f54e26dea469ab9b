//! Strategies by name, as on the command line, with scripts restricted to the folder.

use std::sync::Arc;

use serde::Deserialize;

use crate::diagnostic::SourceText;
use crate::files::MOST_TEXT;
use crate::players;
use crate::strategy::{LoadError, StrategySource, split_settings};
use crate::text::{one_line, steers};

use super::Folder;
use super::design::{Told, path_of, told};

/// Maximum length of a strategy's name with its settings, in characters.
const LONGEST: usize = 200;

/// Maximum effort of `search` per decision, by setting: several times that of its highest level.
const MOST_THOUGHT: [(&str, u64); 4] =
    [("worlds", 100), ("judged", 200), ("nodes", 200_000), ("ways", 5_000)];

/// Loads a strategy of the shelf, or a script of the folder: `tunable:late=2`, `./mine.rhai`. A page waits for it, so
/// settings that would think for hours are refused.
///
/// # Errors
/// Returns what is wrong with it, in the form shown on a page.
pub(super) fn load(folder: &Folder, name: &str) -> Result<StrategySource, Vec<Told>> {
    let strategy = load_for_job(folder, name)?;
    players::check_thought(name, &MOST_THOUGHT)
        .map_err(|why| vec![fault(format!("{}: {why}", one_line(name)))])?;
    Ok(strategy)
}

/// Loads a strategy without a limit on its thinking: a job has time, and can be stopped.
///
/// # Errors
/// As with [`load`].
pub(super) fn load_for_job(folder: &Folder, name: &str) -> Result<StrategySource, Vec<Told>> {
    let refuse = |why: &str| vec![fault(format!("{}: {why}", one_line(name)))];
    if name.len() > LONGEST || name.contains(steers) {
        return Err(vec![fault("the name of a strategy is one line of at most 200 characters".into())]);
    }
    let (head, settings) = split_settings(name);
    let tail = name.strip_prefix(head).unwrap_or(name);
    // A setting that names a policy or a mix of strategies may be a path.
    if [".rhai", ".toml", "/", "\\"].iter().any(|part| tail.to_ascii_lowercase().contains(part)) {
        return Err(refuse("settings in the studio cannot name files"));
    }
    if !head.contains(['/', '\\', '.']) {
        return players::load(name).map_err(|error| faults(folder, name, error));
    }
    if !head.ends_with(".rhai") {
        return Err(refuse(
            "a strategy is a name on the shelf, or a script of this folder that ends in .rhai",
        ));
    }
    let text = folder.text(head).map_err(|error| vec![fault(error.to_string())])?;
    let source = Arc::new(SourceText::of(head, &text));
    let script = StrategySource::from_script(head, source)
        .map_err(|all| faults(folder, name, LoadError::Faults(all)))?;
    script.set(&settings).map_err(|error| refuse(&error.to_string()))
}

/// The contents of a script editor.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Draft {
    /// The existing or future file of the script, in the folder.
    pub name: String,
    pub text: String,
}

impl Draft {
    /// Returns the script's name as a strategy.
    pub fn path(&self) -> String {
        format!("./{}", self.name.trim_start_matches("./"))
    }

    /// Returns its text, under the same size limit as a file.
    ///
    /// # Errors
    /// Fails if the text is too long, or the name is not that of a script.
    pub fn source(&self, folder: &Folder) -> Result<Arc<SourceText>, Vec<Told>> {
        let long = self.name.len() > LONGEST || self.name.contains(steers);
        if long || !self.name.ends_with(".rhai") {
            return Err(vec![fault("the file of a script is called by one line that ends in .rhai".into())]);
        }
        if self.text.len() as u64 > MOST_TEXT {
            return Err(vec![fault("a script has at most 256 KiB".into())]);
        }
        Ok(Arc::new(SourceText::of(&path_of(folder, &self.name), &self.text)))
    }

    /// Loads the script as a strategy.
    ///
    /// # Errors
    /// Returns every fault of the script.
    pub fn load(&self, folder: &Folder) -> Result<StrategySource, Vec<Told>> {
        let source = self.source(folder)?;
        StrategySource::from_script(self.path(), source).map_err(|all| told(folder, &self.name, &all))
    }
}

/// Returns a fault without a position.
pub(super) fn fault(message: String) -> Told {
    Told { error: true, file: Some(String::new()), line: 0, column: 0, message, help: None }
}

fn faults(folder: &Folder, name: &str, error: LoadError) -> Vec<Told> {
    match error {
        LoadError::Faults(all) => told(folder, name, &all),
        other => vec![fault(one_line(&other.to_string()).into_owned())],
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
            assert_eq!(
                load(&folder, good).map(|it| it.name().to_string()).ok().as_deref(),
                Some(good),
                "{good}"
            );
        }
        for (deep, said) in [
            ("search:worlds=101", "`worlds` is at most 100"),
            ("search:level=1,judged=9_999", "`judged` is at most 200"),
            ("greedy:50%,search:nodes=200001:50%", "`nodes` is at most 200000"),
            ("search:ways=100000,policy=patient", "`ways` is at most 5000"),
        ] {
            assert!(load_for_job(&folder, deep).is_ok(), "{deep}");
            let told = load(&folder, deep).map(drop).unwrap_err();
            assert!(told[0].message.contains(said), "{deep}: {}", told[0].message);
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
