//! Saving the record of a game.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::cli::error::CliError;
use crate::cli::terminal::note;
use crate::files::{check_writable, reason};
use crate::session::Session;
use crate::text::slug;

/// Destination of records, and the last one saved.
pub(super) struct Saving {
    /// The file given on the command line.
    pub file: Option<PathBuf>,
    /// The record saved last.
    kept: Option<String>,
}

impl Saving {
    /// Creates it, for a file if one is given, which must be writable.
    pub fn new(file: Option<PathBuf>) -> Result<Saving, CliError> {
        if let Some(path) = &file {
            check_writable(path).map_err(|why| CliError::input(format!("--save: {why}")))?;
        }
        Ok(Saving { file, kept: None })
    }

    /// Returns whether there are unsaved choices.
    pub fn is_due(&self, session: &Session) -> bool {
        session.choices().len() > 0 && self.kept.as_ref() != line(session).ok().as_ref()
    }

    pub fn proposed(&self, session: &Session) -> String {
        if let Some(file) = &self.file {
            return file.display().to_string();
        }
        let dealt = session.dealt();
        let stem = Path::new(dealt.name()).file_stem().map_or("game".into(), |stem| stem.to_string_lossy());
        let stem = slug(&stem, 40);
        match dealt.is_of_seed() {
            true => format!("{stem}-{}-{}.jsonl", dealt.seed(), dealt.game()),
            false => format!("{stem}.jsonl"),
        }
    }

    /// Appends the record to a file, as one line, and returns a message, or why it could not be written.
    pub fn keep(&mut self, session: &Session, path: &Path) -> Result<String, String> {
        check_writable(path)?;
        let record = line(session)?;
        add(path, &record).map_err(|error| format!("cannot write {}: {}", path.display(), reason(&error)))?;
        self.kept = Some(record);
        let end = session.record().end;
        Ok(format!("The record was added to {} (it ends {end}).", path.display()))
    }

    /// Appends the record to the file of the command line, if there is one and there are unsaved choices.
    pub fn keep_at_end(&mut self, session: &Session) -> Result<(), CliError> {
        if let Some(file) = self.file.clone().filter(|_| self.is_due(session)) {
            note(&self.keep(session, &file).map_err(CliError::Run)?);
        }
        Ok(())
    }
}

fn line(session: &Session) -> Result<String, String> {
    serde_json::to_string(&session.record()).map_err(|error| error.to_string())
}

/// Appends a line to a file, after completing its last line.
fn add(path: &Path, record: &str) -> io::Result<()> {
    let is_new = !path.exists();
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    let ends = last == [b'\n'];
    let text = format!("{}{record}\n", if ends { "" } else { "\n" });
    let written = file.write_all(text.as_bytes());
    if written.is_err() && is_new {
        drop(fs::remove_file(path));
    }
    written
}
