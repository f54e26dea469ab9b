//! Files that a command reads, and whether the machines of a cluster have them.

use std::path::{Component, Path, PathBuf};

use crate::cli::error::CliError;

/// The files that a command line names: rulesets, scripts, decks and patrons. A path stands alone, after an option, or in a
/// list of players with their settings and shares.
pub(super) fn named(words: &[String]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in words {
        let value =
            word.strip_prefix("--").and_then(|word| word.split_once('=')).map_or(&**word, |(_, it)| it);
        let within = value.split(',').chain(value.split([',', ':', '=']));
        let file = |part: &&str| part.contains(['.', '/', '\\']) && Path::new(part).is_file();
        for part in std::iter::once(value).chain(within).map(str::trim).filter(file) {
            if !all.iter().any(|it| it == part) {
                all.push(part.into());
            }
        }
    }
    all
}

/// Refuses words with control characters: not every shell has a way to write them.
pub(super) fn check_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<(), CliError> {
    match words.into_iter().find(|word| word.contains(char::is_control)) {
        Some(word) => Err(CliError::input(format!(
            "{word:?} has a control character, which the files of a cluster cannot hold: give a name without one"
        ))),
        None => Ok(()),
    }
}

/// Refuses files that pods do not have, where a volume is at `mount`.
pub(super) fn check_volume(named: &[String], mount: &Path) -> Result<(), CliError> {
    let inside = |file: &&String| Path::new(file).starts_with(mount) && !climbs(file);
    let others: Vec<&str> = named.iter().filter(|file| !inside(file)).map(String::as_str).collect();
    if others.is_empty() {
        return Ok(());
    }
    let mount = mount.display();
    Err(CliError::input(format!(
        "pods have the volume, which is at {mount}, and no other file of this machine: put {} and what it extends in \
         the volume, and name it by its path there ({mount}/...), under which this machine needs it too",
        others.join(", ")
    )))
}

/// The folder of the command within the repository that has its files.
pub(super) fn within_repository(named: &[String]) -> Result<PathBuf, CliError> {
    let here = calling_folder()?;
    let root = here.ancestors().find(|folder| folder.join(".git").exists());
    let inside = |file: &&String| {
        let found = here.join(file).canonicalize().ok().zip(root.and_then(|root| root.canonicalize().ok()));
        Path::new(file).is_relative() && found.is_some_and(|(found, root)| found.starts_with(root))
    };
    let others: Vec<&str> = named.iter().filter(|file| !inside(file)).map(String::as_str).collect();
    if !others.is_empty() {
        return Err(CliError::input(format!(
            "GitHub has only what is in the repository: put {} and what it extends in one, and name it by its path from \
             the folder in which you call this",
            others.join(", ")
        )));
    }
    Ok(root.and_then(|root| here.strip_prefix(root).ok()).unwrap_or(Path::new("")).to_path_buf())
}

/// The folder in which the command was called, from which its paths are.
pub(super) fn calling_folder() -> Result<PathBuf, CliError> {
    std::env::current_dir().map_err(CliError::io("the folder in which this is called cannot be read"))
}

fn climbs(file: &str) -> bool {
    Path::new(file).components().any(|part| part == Component::ParentDir)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_wherever_a_command_names_them() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, "").unwrap();
            path.display().to_string()
        };
        let (rules, script, house) = (file("my rules.toml"), file("a b.rhai"), file("house.toml"));
        let odd = file("a,b:c=d.txt");
        let words = [
            rules.clone(),
            "canfield".into(),
            "nowhere.toml".into(),
            format!("--strategy={script}:hold=4"),
            format!("--strategy=greedy:30%,search:policy={script}"),
            format!("--patrons={house}"),
            format!("--deals={odd}"),
            format!("--rules=canfield,{rules}"),
            "--seed=1".into(),
        ];
        assert_eq!(named(&words), [rules.clone(), script, house, odd]);
        assert!(check_volume(std::slice::from_ref(&rules), dir.path()).is_ok());
        let refused = check_volume(&["mine.toml".into(), rules], Path::new("/data")).unwrap_err();
        let refused = format!("{refused:?}");
        assert!(refused.contains("at /data") && refused.contains("mine.toml, "), "{refused}");
        assert!(check_volume(&["/data/../etc/x.toml".into()], Path::new("/data")).is_err());
    }
}
