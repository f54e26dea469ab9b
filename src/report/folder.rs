//! A report as the files of its folder.

use super::{ChartError, Report, charts, html};
use crate::text::visible;

/// Every file of a report with its path inside the folder: `index.html`, `summary.json` (given)
/// and the charts.
///
/// # Errors
/// Those of drawing.
pub fn report_files(report: &Report<'_>, summary_json: &str) -> Result<Vec<(String, Vec<u8>)>, ChartError> {
    let mut files = vec![("summary.json".to_string(), visible(summary_json).into_owned().into_bytes())];
    for chart in charts(report) {
        files.extend(chart.files()?.into_iter().map(|file| (format!("charts/{}", file.name), file.bytes)));
    }
    files.push(("index.html".to_string(), html(report)?.into_bytes()));
    Ok(files)
}
