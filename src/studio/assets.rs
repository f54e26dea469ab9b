//! Files of the pages, embedded in the program.

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::report::page_style;

use super::scripts::words;

const STYLE: &str = include_str!("assets/studio.css");

/// Scripts by name.
const SCRIPTS: &[(&str, &str)] = &[
    ("board.js", include_str!("assets/board.js")),
    ("code.js", include_str!("assets/code.js")),
    ("complete.js", include_str!("assets/complete.js")),
    ("cards.js", include_str!("assets/cards.js")),
    ("api.js", include_str!("assets/api.js")),
    ("charts.js", include_str!("assets/charts.js")),
    ("design.js", include_str!("assets/design.js")),
    ("editor.js", include_str!("assets/editor.js")),
    ("gallery.js", include_str!("assets/gallery.js")),
    ("fields.js", include_str!("assets/fields.js")),
    ("files.js", include_str!("assets/files.js")),
    ("form.js", include_str!("assets/form.js")),
    ("moves.js", include_str!("assets/moves.js")),
    ("rhai.js", include_str!("assets/rhai.js")),
    ("scripts.js", include_str!("assets/scripts.js")),
    ("trial.js", include_str!("assets/trial.js")),
    ("results.js", include_str!("assets/results.js")),
    ("state.js", include_str!("assets/state.js")),
    ("sweep.js", include_str!("assets/sweep.js")),
    ("table.js", include_str!("assets/table.js")),
    ("text.js", include_str!("assets/text.js")),
];

/// The style sheet, shared with the reports.
static STYLES: LazyLock<Bytes> = LazyLock::new(|| format!("{}\n{STYLE}", page_style()).into());
static WORDS: LazyLock<Bytes> = LazyLock::new(|| words().to_string().into());

/// Returns a file by name.
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
