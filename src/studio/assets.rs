//! Files of the pages, embedded in the program.

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::report::page_style;
use crate::strategy::script::names;

const STYLE: &str = include_str!("assets/studio.css");

/// Includes scripts of the folder `assets`, each with its name.
macro_rules! scripts {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!("assets/", $name)))),*] };
}

const SCRIPTS: &[(&str, &str)] = scripts!(
    "api.js" "board.js" "cards.js" "charts.js" "code.js" "complete.js" "design.js" "editor.js" "fields.js" "files.js"
    "form.js" "gallery.js" "moves.js" "results.js" "rhai.js" "scripts.js" "state.js" "sweep.js" "table.js" "text.js"
    "trial.js" "wishes.js"
);

/// The style sheet, shared with the reports.
static STYLES: LazyLock<Bytes> = LazyLock::new(|| format!("{}\n{STYLE}", page_style()).into());
/// The names that a script can use, for completion.
static WORDS: LazyLock<Bytes> = LazyLock::new(|| names().to_string().into());

pub(super) fn asset(name: &str) -> Response {
    let (kind, text) = match SCRIPTS.iter().find(|(script, _)| *script == name) {
        Some((_, text)) => ("text/javascript; charset=utf-8", Bytes::from_static(text.as_bytes())),
        None if name == "studio.css" => ("text/css; charset=utf-8", STYLES.clone()),
        None if name == "words.json" => ("application/json", WORDS.clone()),
        None if name == "icon.svg" => {
            ("image/svg+xml", Bytes::from_static(include_bytes!("assets/icon.svg")))
        }
        None => return StatusCode::NOT_FOUND.into_response(),
    };
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}
