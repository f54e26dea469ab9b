//! Writing a folder of files so that nobody finds half of one.

use std::fs;
use std::path::Path;

use super::error::CliError;

/// Makes sure that the folder is there and can be written to, before any game is played.
pub(super) fn prepare(folder: &Path) -> Result<(), CliError> {
    let cannot = |error| CliError::input(format!("cannot write to {}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(cannot)?;
    let probe = folder.join(".saratoga-probe");
    fs::write(&probe, "").map_err(cannot)?;
    fs::remove_file(&probe).map_err(cannot)
}

/// Writes files, each under another name first and then put in its place.
pub(super) fn write_all(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), CliError> {
    for (name, bytes) in files {
        let path = folder.join(name);
        let cannot = || CliError::io(format!("cannot write {}", path.display()));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(cannot())?;
        }
        let part = path.with_extension("part");
        fs::write(&part, bytes).map_err(cannot())?;
        fs::rename(&part, &path).map_err(cannot())?;
    }
    Ok(())
}
