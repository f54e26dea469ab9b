//! A document as bytes: a text for the terminal, a page, tables as CSV, a workbook, and all files of a folder. Nothing here knows which
//! experiment a document is about.

mod csv;
mod html;
mod terminal;
mod xlsx;

#[cfg(feature = "studio")]
pub(crate) use html::page_style;
pub use html::{ProfilePage, document_html, profile_html};
pub use terminal::document_terminal;
pub use xlsx::document_xlsx;

use super::document::Document;
use crate::chart::ChartError;
use crate::text::visible;

/// Every file of a report with its path inside the folder: the page, the charts, the tables as CSV, and the figures as
/// JSON (given) under a name such as `summary.json`.
///
/// # Errors
/// Those of drawing.
pub fn document_files(
    document: &Document<'_>,
    (name, json): (&str, &str),
) -> Result<Vec<(String, Vec<u8>)>, ChartError> {
    let mut files = vec![(name.to_string(), visible(json).into_owned().into_bytes())];
    files.extend(csv::tables(document).into_iter().map(|(name, text)| (name, text.into_bytes())));
    let names: Vec<_> = document.provenance.rules.iter().map(|it| (it.name, it.id)).collect();
    for chart in document.charts() {
        files.extend(
            chart
                .files(names.iter().copied())?
                .into_iter()
                .map(|file| (format!("charts/{}", file.name), file.bytes)),
        );
    }
    files.push(("index.html".to_string(), document_html(document)?.into_bytes()));
    Ok(files)
}
