//! Patrons, who buy the decks of a house, from a command line or from a file.

mod file;
mod patron;

use std::path::Path;
use std::sync::Arc;

use crate::diagnostic::{SourceText, read_file};
use crate::rules::file::read;
use crate::rules::find::Origin;
use crate::strategy::{LoadError, StrategySource, mix};
use crate::units::{PatronShare, Patrons};

use super::load::load_one;
use file::Draft;
pub use patron::Patron;
pub(super) use patron::named;

/// All the patrons of a house.
#[derive(Clone, Debug)]
pub struct House {
    /// The file that defines them, by the path as given.
    pub file: Option<Arc<SourceText>>,
    /// The patrons, whose shares add up to 100%.
    pub patrons: Vec<Patron>,
}

impl House {
    /// Loads patrons given by name and share, or in a file.
    ///
    /// # Errors
    /// Fails if a file cannot be read; returns all of its faults, or what is wrong with a strategy.
    pub fn load(given: &Patrons) -> Result<House, LoadError> {
        let shares = match given {
            Patrons::File(path) => return load_file(path),
            Patrons::Shares(shares) => shares,
        };
        let one = |share: &PatronShare| {
            if share.strategy.ends_with(".toml") {
                let reason = "a patron must be one strategy, not several".into();
                return Err(LoadError::Player { name: share.strategy.clone(), reason });
            }
            let strategy = load_one(&share.strategy)?;
            let name = strategy.name().to_string();
            Ok(Patron { name, strategy, share: share.clone(), decks_each: 1 })
        };
        let patrons = shares.iter().map(one).collect::<Result<_, _>>()?;
        Ok(House { file: None, patrons })
    }

    /// Returns the path of the file, or the strategies with their settings and shares: `greedy:70%,patient:30%`.
    pub fn told(&self) -> String {
        let each = || self.patrons.iter().map(|it| format!("{}:{}", it.strategy.name(), it.share.percent()));
        self.file.as_ref().map_or_else(|| each().collect::<Vec<_>>().join(","), |file| file.name.clone())
    }

    /// Returns one strategy for all of them, which draws a patron by the shares for each game.
    pub fn mix(&self) -> StrategySource {
        let members = self.patrons.iter().map(|it| (it.strategy.clone(), it.share.parts()));
        mix(self.file.as_deref(), members.collect())
    }
}

/// Returns whether a path is that of a file of patrons: rulesets have the same extension.
pub fn is_patron_file(path: &str) -> bool {
    let patrons = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).contains("[[patron");
    path.ends_with(".toml") && read_file(Path::new(path)).is_ok_and(patrons)
}

fn load_file(path: &str) -> Result<House, LoadError> {
    let unreadable = |error: std::io::Error| LoadError::Unreadable {
        path: path.into(),
        reason: match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".into(),
            _ => error.to_string(),
        },
    };
    let bytes = read_file(Path::new(path)).map_err(unreadable)?;
    let source = SourceText::decode(path, bytes).map_err(|fault| LoadError::Faults(vec![fault]))?;
    let document = read::<Draft>(source, Origin::file(path)).map_err(LoadError::Faults)?;
    Ok(House { file: document.sources.into_iter().next(), patrons: document.value })
}

#[cfg(test)]
mod tests;
