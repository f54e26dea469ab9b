//! Checks a script: its faults with their positions, its parameters, and which of its functions are compiled.

use serde::Serialize;

use crate::diagnostic::{Diagnostic, Severity};
use crate::strategy::script::{SHELF, Script};
use crate::studio::Folder;
use crate::studio::design::{Told, told};
use crate::studio::players::Draft;
use crate::text::one_line;

/// Result of checking a script.
#[derive(Debug, Default, Serialize)]
pub(in crate::studio) struct Judged {
    /// Whether it can play.
    sound: bool,
    faults: Vec<Told>,
    functions: Vec<Function>,
    parameters: Vec<Parameter>,
}

/// How a function of the script is run.
#[derive(Debug, Serialize)]
struct Function {
    name: String,
    line: usize,
    compiled: bool,
    /// What prevents it from being compiled, and on which line.
    why: String,
    at: usize,
}

#[derive(Debug, Serialize)]
struct Parameter {
    name: String,
    default: String,
    allowed: String,
}

/// Checks a script as `saratoga scripts check` does.
pub(in crate::studio) fn judge(folder: &Folder, draft: &Draft) -> Judged {
    let source = match draft.source(folder) {
        Ok(source) => source,
        Err(faults) => return Judged { faults, ..Judged::default() },
    };
    let script = match Script::new(&draft.path(), &source) {
        Ok(script) => script,
        Err(faults) => return Judged { faults: told(folder, &draft.name, &faults), ..Judged::default() },
    };
    let found = script.lint();
    let function = |it: crate::strategy::script::FunctionReport| {
        let (line, _) = Diagnostic::warning(&source, it.place, "").position();
        Function {
            name: it.name,
            line,
            compiled: it.stops.is_none(),
            why: it.stops.as_ref().map_or(String::new(), |stops| one_line(&stops.message).into_owned()),
            at: it.stops.as_ref().map_or(line, |stops| stops.position().0),
        }
    };
    let parameter = |it: &crate::strategy::script::Parameter| Parameter {
        name: it.name.clone(),
        default: it.write(it.default),
        allowed: it.allowed(),
    };
    Judged {
        sound: found.iter().all(|fault| fault.severity != Severity::Error),
        faults: told(folder, &draft.name, &found),
        functions: script.report().into_iter().map(function).collect(),
        parameters: script.parameters().iter().map(parameter).collect(),
    }
}

/// Returns the text of a script of the shelf.
pub(in crate::studio) fn shelf_text(name: &str) -> Option<&'static str> {
    SHELF.iter().find(|(shelf, _)| *shelf == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(text: &str) -> Judged {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        judge(&folder, &Draft { name: "mine.rhai".into(), text: text.into() })
    }

    #[test]
    fn what_is_compiled_is_told_apart_from_what_is_interpreted() {
        let text = "const HOLD = param(4, 0..=13);\n\nfn odd(x) {\n    let y = \"text\";\n    x\n}\n\n\
            fn score(view, m) {\n    if m.is_draw { HOLD } else { 10 }\n}\n";
        let judged = judged(text);
        assert!(judged.sound, "{judged:?}");
        let told: Vec<_> = judged.functions.iter().map(|it| (&*it.name, it.line, it.compiled)).collect();
        assert_eq!(told, [("odd", 3, false), ("score", 8, true)]);
        assert!((3..=4).contains(&judged.functions[0].at) && !judged.functions[0].why.is_empty());
        assert_eq!((&*judged.parameters[0].name, &*judged.parameters[0].default), ("HOLD", "4"));
    }

    #[test]
    fn faults_have_their_places_and_no_path_of_this_machine() {
        for (text, line) in
            [("fn score(view, m) {\n    m.cards\n}\n", 2), ("fn score(view, m) {\n", 1), ("", 1)]
        {
            let judged = judged(text);
            assert!(!judged.sound && judged.faults[0].file.is_none(), "{judged:?}");
            assert!(judged.faults[0].line >= line, "{judged:?}");
            assert!(!judged.faults.iter().any(|it| it.message.contains("/tmp")), "{judged:?}");
        }
        let long = judged(&"/".repeat(300_000));
        assert!(!long.sound && long.faults[0].message.contains("256 KiB"));
    }

    #[test]
    fn every_script_of_the_shelf_is_sound() {
        for (name, _) in SHELF {
            let judged = judged(shelf_text(name).unwrap());
            assert!(judged.sound && !judged.functions.is_empty(), "{name}: {judged:?}");
        }
    }
}
