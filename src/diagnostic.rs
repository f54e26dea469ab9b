//! Source texts, and faults with their locations in them.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;

use crate::text::one_line;

use crate::files::{self, MOST_TEXT};

/// A text written by a user, with its name in errors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceText {
    /// A path, or the name of something on the shelf.
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl SourceText {
    /// Creates a text called `name`, without a byte order mark.
    pub fn of(name: &str, text: &str) -> SourceText {
        SourceText { name: name.into(), text: text.strip_prefix('\u{feff}').unwrap_or(text).into() }
    }

    /// Decodes the bytes of a text called `name`: UTF-8, or UTF-16 with a byte order mark, as spreadsheets save
    /// "Unicode text". The mark is removed.
    ///
    /// # Errors
    /// The position of the first invalid byte.
    pub fn decode(name: &str, bytes: Vec<u8>) -> Result<SourceText, Diagnostic> {
        if let Some((text, whole)) = utf16(&bytes) {
            let text = Arc::new(SourceText { name: name.into(), text });
            return match text.text.find(char::REPLACEMENT_CHARACTER) {
                None if whole => Ok(Arc::unwrap_or_clone(text)),
                at => {
                    let at = at.unwrap_or(text.text.len());
                    let what = "this is no text in UTF-16: half a character stands here";
                    Err(Diagnostic::error(&text, at..at, what).help("save the file as UTF-8"))
                }
            };
        }
        String::from_utf8(files::without_bom(bytes))
            .map(|text| SourceText { name: name.into(), text })
            .map_err(|error| {
                let at = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let source = Arc::new(SourceText { name: name.into(), text });
                let (what, help) = match source.text.starts_with("PK\u{3}\u{4}") {
                    true => {
                        ("this is a packed file such as a workbook, and no text", "save it as CSV in UTF-8")
                    }
                    false => ("this is not UTF-8 text", "save the file as UTF-8; in Excel as \"CSV UTF-8\""),
                };
                // The lossy text has the three-byte replacement character there.
                Diagnostic::error(&source, at..at + 3, what).help(help)
            })
    }
}

/// Decodes UTF-16 after its byte order mark, which no UTF-8 text begins with, and returns whether it ends with a whole
/// character; faults become replacement characters.
fn utf16(bytes: &[u8]) -> Option<(String, bool)> {
    let unit: fn([u8; 2]) -> u16 = match bytes.get(..2)? {
        [0xff, 0xfe] => u16::from_le_bytes,
        [0xfe, 0xff] => u16::from_be_bytes,
        _ => return None,
    };
    let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|two| unit([two[0], two[1]])).collect();
    Some((String::from_utf16_lossy(&units), bytes.len().is_multiple_of(2)))
}

/// Reads the bytes of a ruleset, a contest or a script.
///
/// # Errors
/// A file that cannot be read, is no regular file, or is larger than 256 KiB.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    files::read(path, MOST_TEXT)
}

/// Severity of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The request cannot be carried out.
    Error,
    /// It can be carried out, but is probably not intended.
    Warning,
}

/// One fault: its location, what was found, what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The text that contains it.
    pub source: Arc<SourceText>,
    /// The offending bytes of the text.
    pub span: Range<usize>,
    /// What is wrong, naming what was found.
    pub message: String,
    /// What is allowed or what to do, if that helps.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Creates an error at `span` of `source`.
    pub fn error(source: &Arc<SourceText>, span: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            source: source.clone(),
            span,
            message: message.into(),
            help: None,
        }
    }

    /// Creates a warning at `span` of `source`.
    pub fn warning(source: &Arc<SourceText>, span: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(source, span, message) }
    }

    /// Adds a line on what is allowed or what to do.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Returns line and column of the fault, both from 1, columns in characters.
    pub fn position(&self) -> (usize, usize) {
        line_column(&self.source.text, self.span.start)
    }

    /// Returns line and column after its last character.
    pub fn end_position(&self) -> (usize, usize) {
        line_column(&self.source.text, self.span.end.max(self.span.start))
    }
}

/// Returns line and column (in characters) of a byte offset, both from 1.
fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

impl fmt::Display for Diagnostic {
    /// Formats as one line: `file:line:column: message; help`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.position();
        write!(f, "{}:{line}:{column}: {}", one_line(&self.source.name), one_line(&self.message))?;
        match &self.help {
            Some(help) => write!(f, "; {}", one_line(help)),
            None => Ok(()),
        }
    }
}

/// Maximum number of faults listed: more would not help, and would hide the first.
pub const MOST_LISTED: usize = 20;

/// Returns the diagnostics to list, in order: if there are too many, errors are preferred to warnings.
pub fn listed(diagnostics: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
    let errors = diagnostics.iter().filter(|it| it.severity == Severity::Error).count().min(MOST_LISTED);
    let (mut errors, mut warnings) = (errors, MOST_LISTED - errors);
    diagnostics.iter().filter(move |it| {
        let left = if it.severity == Severity::Error { &mut errors } else { &mut warnings };
        let fits = *left > 0;
        *left -= usize::from(fits);
        fits
    })
}

/// Returns the last line of a shortened list of `all` diagnostics, if it is shortened.
pub fn and_more(all: usize) -> Option<String> {
    (all > MOST_LISTED).then(|| format!("and {} more", all - MOST_LISTED))
}

/// Formats the diagnostics that are [`listed`], one per line.
pub fn one_a_line(diagnostics: &[Diagnostic]) -> String {
    let told = listed(diagnostics).map(Diagnostic::to_string);
    told.chain(and_more(diagnostics.len())).collect::<Vec<_>>().join("\n")
}

/// Renders the diagnostics that are [`listed`] for a terminal: the message, file, line and column, the line of the
/// text with the offending part marked, and the help.
pub fn render(diagnostics: &[Diagnostic], color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    let told = listed(diagnostics).map(|diagnostic| render_one(diagnostic, &renderer));
    for told in told.chain(and_more(diagnostics.len())) {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&told);
        out.push('\n');
    }
    out
}

/// Maximum length of a line that is shown; of a longer one, only the location is given.
const LONGEST_EXCERPT: usize = 20_000;

fn render_one(diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let (line, column) = diagnostic.position();
    let (text, span) = excerpt(&diagnostic.source.text, &diagnostic.span);
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let name = one_line(&diagnostic.source.name);
    if text.len() > LONGEST_EXCERPT {
        let place = format!("it is at {name}:{line}:{column}, in a line of {} bytes", text.len());
        let group = Group::with_title(level.primary_title(one_line(&diagnostic.message)));
        let group = group.element(Level::NOTE.message(place));
        let help = diagnostic.help.as_ref().map(|help| Level::HELP.message(one_line(help)));
        return renderer.render(&[group.elements(help)]);
    }
    let annotation = AnnotationKind::Primary.span(span);
    let snippet = Snippet::source(text).line_start(line).path(name).annotation(annotation);
    let mut group = level.primary_title(one_line(&diagnostic.message)).element(snippet);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(one_line(help)));
    }
    renderer.render(&[group])
}

/// Returns the line in which a span begins, and the part of the span in it.
fn excerpt(text: &str, span: &Range<usize>) -> (String, Range<usize>) {
    let floor = |at: usize| (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
    let (start, end) = (floor(span.start), floor(span.end.max(span.start)));
    let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    // A carriage return ends the line too.
    let line = text[line_start..line_end].trim_end_matches('\r');
    let within = |at: usize| (at - line_start).min(line.len());
    let before = one_line(&line[..within(start)]);
    let marked = one_line(&line[within(start)..within(end)]);
    let after = one_line(&line[within(end)..]);
    let span = before.len()..before.len() + marked.len();
    (format!("{before}{marked}{after}"), span)
}

/// Returns the closest of `known` to a misspelt `word`, if one is close enough to suggest.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Such a long word is close to none, and comparing it is slow.
    if word.len() > 100 {
        return None;
    }
    let word = word.to_lowercase();
    known
        .into_iter()
        .map(|k| (strsim::damerau_levenshtein(&word, &k.to_lowercase()), k))
        .filter(|(d, k)| *d <= 1 + k.len().min(word.len()) / 4)
        .min_by_key(|(d, _)| *d)
        .map(|(_, k)| k)
}

/// Returns a file in the same folder as a missing one, with a similar name.
pub fn similar_file(path: &Path) -> Option<PathBuf> {
    if path.exists() {
        return None;
    }
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let files = folder.read_dir().ok()?.flatten();
    let mut names: Vec<String> = files.filter_map(|it| it.file_name().into_string().ok()).collect();
    // A broken link exists itself.
    names.retain(|name| name != wanted);
    names.sort();
    did_you_mean(wanted, names.iter().map(String::as_str)).map(|name| path.with_file_name(name))
}
