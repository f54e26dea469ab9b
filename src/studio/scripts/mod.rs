//! Strategy scripts being edited: their faults, which of their functions are compiled, profiles of their lines, and
//! comparison with another strategy. The checks, limits and games are those of the command line.

mod profile;
mod rival;

use serde::Serialize;
use serde_json::{Value, json};

use crate::diagnostic::{Diagnostic, Severity};
use crate::strategy::script::{FunctionReport, Parameter, SHELF, Script};
use crate::text::one_line;

use super::Folder;
use super::design::{Faults, Told, told};
use super::players::Draft;

pub(super) use profile::run as profile;
pub(super) use rival::Ready as Rivals;

#[derive(Debug, Default, Serialize)]
pub(super) struct Judged {
    /// Whether it can play.
    sound: bool,
    faults: Vec<Told>,
    functions: Vec<Function>,
    /// Each with its name, its default and its allowed values.
    parameters: Vec<Value>,
}

#[derive(Debug, Serialize)]
struct Function {
    name: String,
    line: usize,
    compiled: bool,
    /// What prevents it from being compiled, and on which line.
    why: String,
    at: usize,
}

/// Checks a script as `saratoga scripts check` does.
pub(super) fn judge(draft: &Draft, folder: &Folder) -> Judged {
    let checked = draft.source(folder).and_then(|source| {
        let script = Script::new(&draft.0.path(), &source);
        Ok((script.map_err(|faults| told(folder, &draft.0.name, &faults))?, source))
    });
    let (script, source) = match checked {
        Ok(checked) => checked,
        Err(Faults { faults }) => return Judged { faults, ..Judged::default() },
    };
    let found = script.lint();
    let function = |it: FunctionReport| {
        let (line, _) = Diagnostic::warning(&source, it.place, "").position();
        Function {
            name: it.name,
            line,
            compiled: it.stops.is_none(),
            why: it.stops.as_ref().map_or(String::new(), |stops| one_line(&stops.message).into_owned()),
            at: it.stops.as_ref().map_or(line, |stops| stops.position().0),
        }
    };
    let parameter = |it: &Parameter| {
        let default = it.write(it.default);
        json!({ "name": it.name, "default": default, "allowed": it.allowed() })
    };
    Judged {
        sound: found.iter().all(|fault| fault.severity != Severity::Error),
        faults: told(folder, &draft.0.name, &found).faults,
        functions: script.report().into_iter().map(function).collect(),
        parameters: script.parameters().iter().map(parameter).collect(),
    }
}

pub(super) fn shelf_text(name: &str) -> Option<&'static str> {
    SHELF.iter().find(|(shelf, _)| *shelf == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studio::design::Text;

    fn judged(text: &str) -> Judged {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        judge(&Draft(Text { name: "mine.rhai".into(), text: text.into() }), &folder)
    }

    #[test]
    fn every_script_of_the_shelf_is_sound() {
        for (name, _) in SHELF {
            let judged = judged(shelf_text(name).unwrap());
            assert!(judged.sound && !judged.functions.is_empty(), "{name}: {judged:?}");
        }
    }
}
