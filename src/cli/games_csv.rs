//! `simulate --csv`: every game as a row, written as the games come.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use crate::game::Outcome;
use crate::report::GamesCsv;
use crate::rules::Spec;

use super::error::CliError;

/// One CSV file for each entry: `games.csv`, or `games-<entry>.csv` where there are several.
/// Until all games are played they have the extension `part`, and a failed run takes them away.
pub(super) struct GamesFiles<'a> {
    files: Vec<GamesFile<'a>>,
}

struct GamesFile<'a> {
    path: PathBuf,
    part: PathBuf,
    csv: Option<GamesCsv<'a, BufWriter<File>>>,
}

impl<'a> GamesFiles<'a> {
    pub fn create(folder: &Path, ids: &[String], specs: &[&'a Spec]) -> Result<GamesFiles<'a>, CliError> {
        let mut files = GamesFiles { files: Vec::new() };
        for (i, (id, spec)) in ids.iter().zip(specs).enumerate() {
            let twice = ids[..i].contains(id);
            let name = match (ids.len(), twice) {
                (1, _) => "games.csv".to_string(),
                (_, false) => format!("games-{id}.csv"),
                (_, true) => format!("games-{id}-{}.csv", i + 1),
            };
            let path = folder.join(name);
            let part = path.with_extension("csv.part");
            let cannot = || CliError::io(format!("cannot write {}", part.display()));
            let file = File::create(&part).map_err(cannot())?;
            let csv = GamesCsv::new(spec, BufWriter::new(file)).map_err(cannot())?;
            files.files.push(GamesFile { path, part, csv: Some(csv) });
        }
        Ok(files)
    }

    /// The files that are being written.
    pub fn parts(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| file.part.clone()).collect()
    }

    /// Adds the games of a block, from game `first` on.
    pub fn block(&mut self, first: u64, outcomes: &[Vec<Outcome>]) -> io::Result<()> {
        for (file, outcomes) in self.files.iter_mut().zip(outcomes) {
            if let Some(csv) = &mut file.csv {
                for (game, outcome) in (first..).zip(outcomes) {
                    csv.row(game, outcome)?;
                }
            }
        }
        Ok(())
    }

    /// Gives the files their names.
    pub fn finish(mut self) -> Result<(), CliError> {
        for file in &mut self.files {
            let cannot = || CliError::io(format!("cannot write {}", file.path.display()));
            if let Some(csv) = file.csv.take() {
                csv.finish().map_err(cannot())?;
                fs::rename(&file.part, &file.path).map_err(cannot())?;
            }
        }
        Ok(())
    }
}

impl Drop for GamesFile<'_> {
    /// What was not finished is taken away.
    fn drop(&mut self) {
        if self.csv.take().is_some() {
            let _ = fs::remove_file(&self.part);
        }
    }
}
