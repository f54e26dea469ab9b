//! The reports of the folder. They may come from anyone, so the browser is forbidden to run anything in them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, SystemTime};

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::try_unfold;
use tokio::task::spawn_blocking;

use crate::files;

use super::{Folder, NotInFolder};

/// Name of the folder of reports in the studio's folder.
pub(super) const REPORTS: &str = "reports";
/// Maximum number of reports listed, and of folders examined.
const MOST_LISTED: usize = 200;
const MOST_SEEN: usize = 5_000;
/// Number of bytes of a page searched for its title.
const HEAD: u64 = 4096;
/// Size of the chunks in which a file is sent, in bytes.
const PIECE: u64 = 64 << 10;
/// Allows a report its own styles and pictures only, and gives it an opaque origin.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'; \
    base-uri 'none'; form-action 'none'; sandbox allow-popups allow-downloads";

pub(super) struct Report {
    pub name: String,
    pub title: String,
    /// When it was written.
    pub written: SystemTime,
    /// A picture from it for the light and the dark theme, if it has any.
    pub picture: Option<[String; 2]>,
}

impl Report {
    /// Describes in words how long ago it was written.
    pub fn age(&self) -> String {
        ago(self.written.elapsed().unwrap_or_default())
    }
}

pub(super) fn list(folder: &Folder) -> Vec<Report> {
    let Ok(entries) = folder
        .find(REPORTS)
        .and_then(|path| fs::read_dir(path).map_err(|error| NotInFolder::Io(REPORTS.into(), error)))
    else {
        return Vec::new();
    };
    let report = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let page = folder.find(&format!("{REPORTS}/{name}/index.html")).ok()?;
        let written = page.metadata().ok()?.modified().ok()?;
        Some((written, name))
    };
    let mut all: Vec<_> = entries.flatten().take(MOST_SEEN).filter_map(report).collect();
    all.sort_by(|a, b| b.cmp(a));
    all.truncate(MOST_LISTED);
    let whole = |(written, name): (SystemTime, String)| {
        let title = title(folder, &name).unwrap_or_else(|| name.clone());
        Report { picture: picture(folder, &name), title, name, written }
    };
    all.into_iter().map(whole).collect()
}

/// Reads the title of a page from near its beginning.
fn title(folder: &Folder, name: &str) -> Option<String> {
    let path = folder.find(&format!("{REPORTS}/{name}/index.html")).ok()?;
    let mut head = Vec::new();
    files::open(&path, u64::MAX).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    let head = String::from_utf8_lossy(&head);
    let title = head.split_once("<title>")?.1.split_once("</title>")?.0;
    let plain = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
    let title = plain.iter().fold(title.to_string(), |text, (entity, c)| text.replace(entity, c));
    Some(crate::text::one_line(&title).into_owned())
}

/// Finds the first chart with a file for both themes.
fn picture(folder: &Folder, name: &str) -> Option<[String; 2]> {
    let charts = folder.find(&format!("{REPORTS}/{name}/charts")).ok()?;
    let mut names: Vec<String> =
        fs::read_dir(charts).ok()?.flatten().filter_map(|it| it.file_name().into_string().ok()).collect();
    names.sort();
    let light = |name: &&String| name.ends_with(".png") && !name.ends_with("-dark.png");
    let light = names.iter().filter(light).min_by_key(|name| *name != "cards.png")?;
    let dark = light.replace(".png", "-dark.png");
    let dark = if names.contains(&dark) { dark } else { light.clone() };
    Some([light.clone(), dark].map(|file| format!("/{REPORTS}/{name}/charts/{file}")))
}

/// Serves a file of a report. Fails for a path out of the folder, for a file of another kind, and on read errors.
pub(super) fn file(folder: &Folder, path: &str) -> Result<Response, NotInFolder> {
    let path = format!("{REPORTS}/{}", path.trim_end_matches('/'));
    let (reports, mut real) = (folder.find(REPORTS)?, folder.find(&path)?);
    if real.is_dir() {
        real = folder.find(&format!("{path}/index.html"))?;
    }
    // A link to elsewhere in the studio's folder is not part of a report.
    let kind = kind(&real).filter(|_| real.starts_with(&reports));
    let kind = kind.ok_or_else(|| NotInFolder::Outside(path.clone()))?;
    let opened = files::open(&real, u64::MAX).and_then(|file| Ok((file.metadata()?.len(), file)));
    let (length, file) = opened.map_err(|error| NotInFolder::Io(path, error))?;
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY)];
    Ok((headers, [(header::CONTENT_LENGTH, length.to_string())], pieces(file, length)).into_response())
}

/// Streams the first `length` bytes of a file, holding one chunk in memory at a time.
fn pieces(file: File, length: u64) -> Body {
    Body::from_stream(try_unfold((file, length), |(file, left)| async move {
        if left == 0 {
            return Ok(None);
        }
        let read = move || -> io::Result<_> {
            let mut piece = Vec::with_capacity(PIECE as usize);
            (&file).take(left.min(PIECE)).read_to_end(&mut piece)?;
            Ok((piece, file))
        };
        match spawn_blocking(read).await.map_err(io::Error::other)?? {
            (piece, _) if piece.is_empty() => Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
            (piece, file) => {
                let left = left - piece.len() as u64;
                Ok(Some((Bytes::from(piece), (file, left))))
            }
        }
    }))
}

fn kind(path: &Path) -> Option<&'static str> {
    Some(match path.extension()?.to_str()? {
        "html" => "text/html; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "json" => "application/json",
        "csv" | "txt" => "text/plain; charset=utf-8",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        _ => return None,
    })
}

fn ago(age: Duration) -> String {
    let seconds = age.as_secs();
    let units = [(86_400, "day"), (3_600, "hour"), (60, "minute")];
    match units.iter().find(|(unit, _)| seconds >= *unit) {
        Some((unit, name)) => format!("{} ago", crate::format::plural(seconds / unit, name)),
        None => "just now".into(),
    }
}
