//! The folder that the studio works on; nothing outside it is read or written.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::files::{self, MOST_TEXT, reason};
use crate::rules::is_like_a_ruleset;
use crate::text::{one_line, steers};

/// Maximum number of files listed.
const MOST_FILES: usize = 500;
/// Subfolders searched for rulesets and scripts.
const BELOW: [&str; 3] = ["", "rulesets", "scripts"];

/// A folder, by its canonical path.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

/// Reason why a file of the folder is not available.
#[derive(Debug, thiserror::Error)]
pub enum NotInFolder {
    /// The path leads out of the folder, or is invalid.
    #[error("{} is not a file of this folder", one_line(.0))]
    Outside(String),
    /// An error from the operating system.
    #[error("{}: {}", one_line(.0), reason(.1))]
    Io(String, io::Error),
    /// The file has changed since it was read.
    #[error("{} is on the disk already, with another text", one_line(.0))]
    Changed(String),
}

impl Folder {
    /// Opens an existing folder. Fails if the path is not a folder.
    pub fn open(path: &Path) -> io::Result<Folder> {
        let root = path.canonicalize()?;
        if root.is_dir() { Ok(Folder { root }) } else { Err(io::Error::from(io::ErrorKind::NotADirectory)) }
    }

    /// Returns its canonical path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the canonical path of an existing file in the folder. Links are followed, but not out of the folder.
    /// Fails for a path out of the folder, and on I/O errors.
    pub fn find(&self, name: &str) -> Result<PathBuf, NotInFolder> {
        let path = self.root.join(plain(name)?);
        let real = path.canonicalize().map_err(|error| NotInFolder::Io(name.into(), error))?;
        if real.starts_with(&self.root) { Ok(real) } else { Err(NotInFolder::Outside(name.into())) }
    }

    /// Returns the path of a file in the folder. The file need not exist; its parent must. Fails for a path out of the
    /// folder.
    pub fn place(&self, name: &str) -> Result<PathBuf, NotInFolder> {
        let relative = plain(name)?;
        let outside = || NotInFolder::Outside(name.into());
        let file = relative.file_name().ok_or_else(outside)?;
        let above = self.root.join(relative.parent().unwrap_or(Path::new("")));
        let above = above.canonicalize().map_err(|error| NotInFolder::Io(name.into(), error))?;
        if above.starts_with(&self.root) { Ok(above.join(file)) } else { Err(outside()) }
    }

    /// Checks that a path to be written, which need not exist, is in the folder. Fails for a path out of the folder,
    /// including by way of a link.
    pub fn keeps(&self, name: &str) -> Result<(), NotInFolder> {
        let mut path = self.root.join(plain(name)?);
        while fs::symlink_metadata(&path).is_err() && path.pop() {}
        match path.canonicalize() {
            Ok(real) if real.starts_with(&self.root) => Ok(()),
            _ => Err(NotInFolder::Outside(name.into())),
        }
    }

    /// Reads the text of a ruleset or a script. Fails for a path out of the folder, and for a file that is not a valid
    /// text.
    pub fn text(&self, name: &str) -> Result<String, NotInFolder> {
        let path = self.find(name)?;
        let io = |error| NotInFolder::Io(name.into(), error);
        let bytes = files::read(&path, MOST_TEXT).map_err(io)?;
        String::from_utf8(bytes).map_err(|_| io(io::Error::other("this is not UTF-8 text")))
    }

    /// Writes a text atomically. An existing file is replaced only if its text is `known`. Fails for a path out of the
    /// folder, for a file with another text, and on write errors.
    pub fn save(&self, name: &str, text: &str, known: Option<&str>) -> Result<(), NotInFolder> {
        let path = self.place(name)?;
        if fs::symlink_metadata(&path).is_ok() {
            let found = self.text(name)?;
            if Some(&*found) != known && found != text {
                return Err(NotInFolder::Changed(name.into()));
            }
        }
        files::put(&path, text.as_bytes(), true).map_err(|error| NotInFolder::Io(name.into(), error))
    }

    /// Lists the rulesets, as [`Folder::list`] does, without TOML files of another kind such as patrons.
    pub fn rulesets(&self) -> Vec<String> {
        let mut names = self.list("toml");
        names.retain(|name| self.text(name).map_or(true, |text| is_like_a_ruleset(&text)));
        names
    }

    /// Lists the files with this extension, sorted: those of the folder and of its subfolders `rulesets` and `scripts`.
    pub fn list(&self, extension: &str) -> Vec<String> {
        let mut names = Vec::new();
        for below in BELOW {
            let Ok(entries) = fs::read_dir(self.root.join(below)) else { continue };
            for entry in entries.flatten() {
                let Ok(name) = entry.file_name().into_string() else { continue };
                let name = if below.is_empty() { name } else { format!("{below}/{name}") };
                let wanted = Path::new(&name).extension().is_some_and(|it| it == extension);
                if wanted && self.find(&name).is_ok_and(|path| path.is_file()) {
                    names.push(name);
                }
            }
        }
        names.sort();
        names.truncate(MOST_FILES);
        names
    }
}

/// Checks that a path is relative and made of ordinary names.
fn plain(name: &str) -> Result<&Path, NotInFolder> {
    let path = Path::new(name.strip_prefix("./").unwrap_or(name));
    let ordinary = |part: Component<'_>| match part {
        Component::Normal(part) => part.to_str().is_some_and(|part| !part.starts_with('.')),
        _ => false,
    };
    let sound = !name.contains(|c: char| steers(c) || c == '\\' || c == ':')
        && name.len() <= 255
        && path.components().next().is_some()
        && path.components().all(ordinary);
    if sound { Ok(path) } else { Err(NotInFolder::Outside(name.into())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_out() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("inner");
        fs::create_dir_all(inner.join("rulesets")).unwrap();
        fs::write(outer.path().join("secret.toml"), "secret").unwrap();
        fs::write(inner.join("mine.toml"), "mine").unwrap();
        fs::write(inner.join("rulesets/b.toml"), "b").unwrap();
        let folder = Folder::open(&inner).unwrap();
        assert_eq!(folder.list("toml"), ["mine.toml", "rulesets/b.toml"]);
        assert_eq!(folder.text("./mine.toml").unwrap(), "mine");
        fs::write(inner.join("guests.toml"), "about = \"guests\"\n[[patron]]\nshare = 100\n").unwrap();
        fs::write(inner.join("new.toml"), "").unwrap();
        fs::write(inner.join("wrong.toml"), "must = 1\n[stok]\ndraw = 1\n").unwrap();
        assert_eq!(folder.rulesets(), ["mine.toml", "new.toml", "rulesets/b.toml", "wrong.toml"]);
        let absolute = outer.path().join("secret.toml");
        for bad in [
            "../secret.toml",
            "rulesets/../../secret.toml",
            "",
            ".",
            "..",
            "/etc/passwd",
            "a\\b",
            "a\0b",
            ".hidden",
            absolute.to_str().unwrap(),
            "c:/x",
            "rulesets/./..",
            "a\u{202e}b",
        ] {
            assert!(matches!(folder.find(bad), Err(NotInFolder::Outside(_))), "{bad}");
            assert!(folder.place(bad).is_err(), "{bad}");
            assert!(folder.save(bad, "x", None).is_err(), "{bad}");
        }
        assert_eq!(fs::read_to_string(absolute).unwrap(), "secret");
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_folder_are_not_followed() {
        use std::os::unix::fs::symlink;
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("inner");
        fs::create_dir(&inner).unwrap();
        fs::write(outer.path().join("secret.toml"), "secret").unwrap();
        symlink("../secret.toml", inner.join("link.toml")).unwrap();
        symlink("..", inner.join("up")).unwrap();
        let folder = Folder::open(&inner).unwrap();
        assert!(folder.list("toml").is_empty());
        for bad in ["link.toml", "up/secret.toml"] {
            assert!(folder.text(bad).is_err(), "{bad}");
            assert!(folder.save(bad, "x", Some("secret")).is_err(), "{bad}");
        }
        symlink("../nowhere", inner.join("nowhere")).unwrap();
        for bad in ["up", "up/new", "link.toml", "nowhere", "nowhere/new", "../new"] {
            assert!(folder.keeps(bad).is_err(), "{bad}");
        }
        assert!(folder.keeps("new/and/new").is_ok());
        assert_eq!(fs::read_to_string(outer.path().join("secret.toml")).unwrap(), "secret");
    }
}
