//! What the compiler makes of the shelf's scripts, stage by stage, as it was when it was last looked at.
//!
//! A change of the compiler shows in `tests/data/scripts-emit`. Write the files anew, and read the difference, with
//! `SARATOGA_UPDATE=1 cargo test --test scripts emit`.

use std::fs;
use std::path::Path;

use saratoga::rules;
use saratoga::strategy::script::{SHELF, Script, Stage};

use crate::support::source;

#[test]
fn emit_of_the_shelf_is_as_before() {
    let rules = rules::load("canfield").unwrap().rules;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scripts-emit");
    let bless = std::env::var_os("SARATOGA_UPDATE").is_some();
    let mut expected = Vec::new();
    for (name, text) in SHELF {
        let script = Script::new(name, &source(text)).unwrap();
        for (stage, ending) in [(Stage::Hir, "hir"), (Stage::Ops, "ops")] {
            let file = format!("{name}.{ending}");
            // What looks ahead is interpreted.
            let Some(emitted) = script.emit(stage, &rules) else { continue };
            if bless {
                fs::write(folder.join(&file), &emitted).unwrap();
            }
            let known = fs::read_to_string(folder.join(&file)).unwrap_or_default();
            let place = known.lines().zip(emitted.lines()).position(|(known, now)| known != now);
            assert!(known == emitted, "{file} differs, first at line {:?}; see {}", place, file!());
            expected.push(file);
        }
    }
    let mut files: Vec<String> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    expected.sort();
    assert_eq!(files, expected);
}
