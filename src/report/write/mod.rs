//! Output of a document: a text for the terminal, a page, tables as CSV, a workbook, and all files of a folder.
//! Nothing here knows which experiment a document is about.

mod html;
mod terminal;
#[cfg(feature = "native")]
mod xlsx;

pub use html::document_html;
#[cfg(feature = "studio")]
pub(crate) use html::page_style;
pub use terminal::document_terminal;
#[cfg(feature = "native")]
pub use xlsx::document_xlsx;

use super::document::Document;
use super::labels::stem;
use super::run::Run;
use crate::chart::ChartError;
use crate::text::{undrawn, visible};

/// Returns every file of a report with its path inside the folder: the page, the charts, the tables as CSV, and the
/// figures as JSON (given) under a name such as `summary.json`.
///
/// # Errors
/// Those of drawing.
pub fn document_files(
    document: &Document<'_>,
    (name, json): (&str, &str),
) -> Result<Vec<(String, Vec<u8>)>, ChartError> {
    let mut files = vec![(name.to_string(), visible(json).into_owned().into_bytes())];
    files.extend(
        crate::report::csv::tables(document).into_iter().map(|(name, text)| (name, text.into_bytes())),
    );
    let names = names(document.run, &document.also_named);
    for chart in document.charts() {
        let drawn = chart.files(&names)?.into_iter();
        files.extend(drawn.map(|file| (format!("charts/{}", file.name), file.bytes)));
    }
    files.push(("index.html".to_string(), document_html(document)?.into_bytes()));
    Ok(files)
}

/// Returns the names that no font can render, each with a replacement: that of a ruleset's file, or a number.
fn names<'a>(run: &'a Run, also_named: &'a [String]) -> Vec<(&'a str, String)> {
    let numbered = |kind: &'static str, names: Vec<&'a str>| {
        names.into_iter().enumerate().map(move |(i, name)| (name, format!("{kind} {}", i + 1)))
    };
    let scripts = || run.strategies.iter().map(|it| &*it.name);
    let mut names: Vec<_> = run.rules.iter().map(|it| (&*it.name, it.id.clone())).collect();
    names.extend(numbered("ruleset", run.rules.iter().map(|it| &*it.id).collect()));
    names.extend(numbered("script", scripts().collect()));
    names.extend(numbered("script", scripts().map(stem).collect()));
    names.extend(numbered("player", also_named.iter().map(|it| &**it).collect()));
    names.retain(|(name, _)| !undrawn(name).is_empty());
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::run::{RunRules, RunStrategy};

    #[test]
    fn names_that_no_font_has_go_by_others() {
        let rules = [("Кэнфилд", "canfield"), ("四つの山", "four"), ("山", "山")];
        let rules = rules.map(|(name, id)| RunRules { id: id.into(), name: name.into(), files: Vec::new() });
        let scripts = ["greedy", "./四.rhai"].map(|name| RunStrategy { name: name.into(), text: None });
        let run = Run { rules: rules.into(), strategies: scripts.into(), ..Run::default() };
        let players = ["Anna", "花"].map(String::from);
        let names = names(&run, &players);
        let names: Vec<(&str, &str)> = names.iter().map(|(name, other)| (*name, &**other)).collect();
        let scripts = [("./四.rhai", "script 2"), ("四", "script 2")];
        let rules = [("四つの山", "four"), ("山", "山"), ("山", "ruleset 3")];
        assert_eq!(names, [&rules[..], &scripts, &[("花", "player 2")]].concat());
    }
}
