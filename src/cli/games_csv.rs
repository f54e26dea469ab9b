//! `simulate --csv`: every game as a row, written during the run.

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

use crate::files::{Folder, Ready, reason};
use crate::game::{NamedDeal, Outcome};
use crate::report::GamesCsv;
use crate::rules::Loaded;
use crate::strategy::StrategySource;

use super::error::CliError;
use super::terminal::note;

/// One CSV file for each entry: `games.csv`, or `games-<entry>.csv` if there are several. Until the report is written
/// they have random names; files left over are removed.
pub(super) struct GamesFiles<'a> {
    files: Vec<GamesFile<'a>>,
    deals: Option<&'a [NamedDeal]>,
    fault: Option<CliError>,
}

struct GamesFile<'a> {
    name: String,
    part: PathBuf,
    csv: Option<GamesCsv<'a, File>>,
}

impl<'a> GamesFiles<'a> {
    /// Creates the files of pairs of a ruleset, with its name, and a strategy.
    pub fn create(
        folder: &Folder,
        pairs: &[(&str, &'a Loaded, &StrategySource)],
        deals: Option<&'a [NamedDeal]>,
    ) -> Result<GamesFiles<'a>, CliError> {
        let named = deals.is_some_and(|deals| deals.iter().any(|deal| deal.id.is_some()));
        let mut files = GamesFiles { files: Vec::new(), deals, fault: None };
        for (i, (_, loaded, strategy)) in pairs.iter().enumerate() {
            let (id, spec) = (format!("{}-{}", loaded.id, strategy.id()), loaded.rules.spec());
            let mut name = match pairs.len() {
                1 => "games.csv".to_string(),
                _ => format!("games-{id}.csv"),
            };
            // A name may already look like one with a number.
            let mut number = i + 1;
            while files.files.iter().any(|file: &GamesFile<'_>| file.name == name) {
                name = format!("games-{id}-{number}.csv");
                number += 1;
            }
            let (part, file) = folder.part()?;
            let csv = GamesCsv::new(spec, named, file)
                .map_err(CliError::io(format!("cannot write {}", folder.path().join(&name).display())));
            match csv {
                Ok(csv) => files.files.push(GamesFile { name, part, csv: Some(csv) }),
                Err(error) => {
                    let _ = fs::remove_file(part);
                    return Err(error);
                }
            }
        }
        Ok(files)
    }

    pub fn parts(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| file.part.clone()).collect()
    }

    /// Adds the games of a block, from game `first` on. After a write error, the games continue without the file.
    pub fn block(&mut self, first: u64, outcomes: &[Vec<Outcome>]) {
        if self.fault.is_none()
            && let Err((name, error)) = self.rows(first, outcomes)
        {
            note(&format!(
                "warning: cannot write {name}: {}; the games go on, for their figures",
                reason(&error)
            ));
            self.fault = Some(CliError::io(format!("cannot write {name}, so there is no report"))(error));
            // Partial files may be what fills the disk.
            self.files.iter_mut().for_each(|file| file.csv = None);
            self.parts().iter().for_each(|part| drop(fs::remove_file(part)));
        }
    }

    fn rows(&mut self, first: u64, outcomes: &[Vec<Outcome>]) -> Result<(), (String, io::Error)> {
        for (file, outcomes) in self.files.iter_mut().zip(outcomes) {
            if let Some(csv) = &mut file.csv {
                for (game, outcome) in (first..).zip(outcomes) {
                    let deal = self.deals.and_then(|deals| deals.get(usize::try_from(game).ok()?));
                    let id = deal.and_then(|deal| deal.id.as_deref());
                    csv.row(game, id, outcome).map_err(|error| (file.name.clone(), error))?;
                }
            }
        }
        Ok(())
    }

    /// Returns the files, ready to be moved into the folder.
    pub fn finish(&mut self) -> Result<Vec<Ready>, CliError> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        for file in &mut self.files {
            let cannot = CliError::io(format!("cannot write {}, so there is no report", file.name));
            file.csv.take().map_or(Ok(()), |csv| csv.finish().map(drop)).map_err(cannot)?;
        }
        Ok(self.files.iter().map(|file| (file.name.clone(), file.part.clone())).collect())
    }
}

impl Drop for GamesFiles<'_> {
    fn drop(&mut self) {
        self.parts().iter().for_each(|part| drop(fs::remove_file(part)));
    }
}
