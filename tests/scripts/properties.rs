//! The properties hold for random inputs and for the corpora of the fuzz targets: see `tests/README.md`.

use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use crate::common::program::{files, names};
use crate::common::scale;
use crate::scripts::property::{CHOICES, PROPERTIES, Property};
use crate::scripts::support::grow;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

/// Stack size of the threads that try inputs: the same as that of the program's own threads.
const STACK: usize = 64 << 20;

fn corpus(name: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    files(&Path::new("tests/fuzz/corpus").join(name))
}

/// Checks every file of the corpus, and random inputs for a generator.
fn check(name: &str, property: Property) {
    let files = corpus(name);
    assert!(files.len() >= 5, "the corpus of {name} is missing");
    let wrong = |(_, bytes): &(&PathBuf, &Vec<u8>)| catch_unwind(|| property(bytes)).is_err();
    let wrong: Vec<&PathBuf> = files.iter().filter(wrong).map(|(file, _)| file).collect();
    assert!(wrong.is_empty(), "{name}: {wrong:?}");
    let Some((_, random)) = RANDOM.into_iter().find(|(of, _)| *of == name) else { return };
    let config = ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 2_000,
        ..ProptestConfig::with_cases(random * scale() as u32)
    };
    // The same inputs each time.
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let inputs = prop::collection::vec(any::<u8>(), 0..1500);
    let tried = TestRunner::new_with_rng(config, rng).run(&inputs, |bytes| {
        property(&[vec![CHOICES], bytes].concat());
        Ok(())
    });
    if let Err(failure) = tried {
        panic!("{name}: {failure}");
    }
}

/// The properties that have a generator, and how many random inputs they get.
const RANDOM: [(&str, u32); 4] = [
    ("scripts_stay_within_budget", 40),
    ("decisions_depend_on_the_view_alone", 60),
    ("accepted_records_replay", 1500),
    ("block_files", 250),
];

#[test]
fn every_property_holds() {
    thread::scope(|scope| {
        for (name, property) in PROPERTIES {
            // The name tells which one it was if the stack overflows.
            let thread = thread::Builder::new().name(name.into()).stack_size(STACK);
            thread.spawn_scoped(scope, move || check(name, property)).unwrap();
        }
    });
}

/// The property is not satisfied by rejecting everything, nor by accepting everything.
#[test]
fn true_records_are_accepted_and_others_are_not() {
    for (file, bytes) in corpus("accepted_records_replay") {
        let (file, text) = (file.display().to_string(), String::from_utf8_lossy(&bytes).into_owned());
        let lines: Vec<bool> = text.lines().map(crate::scripts::property::accepted).collect();
        if file.starts_with("record-") || file.starts_with("answers-") {
            assert!(!lines.is_empty() && lines.iter().all(|&accepted| accepted), "{file}");
        } else if file.starts_with("claim-") {
            assert!(lines.iter().all(|&accepted| !accepted), "{file}");
        }
    }
}

/// Every fuzz target is a property, and vice versa.
#[test]
fn every_property_has_its_fuzz_target() {
    let mut wanted = PROPERTIES.map(|(name, _)| format!("{name}.rs"));
    wanted.sort();
    assert_eq!(names(Path::new("tests/fuzz/fuzz_targets")), wanted);
}

const SCRIPTS: u64 = 40;
const ANSWERS: &str = "SARATOGA_ANSWERS";

fn all_answers() -> String {
    let script = |number: u64| grow::script(number).text.into_bytes();
    let shelf = saratoga::strategy::script::SHELF.iter().map(|(_, text)| text.as_bytes().to_vec());
    let all: Vec<Vec<u8>> = shelf.chain((0..SCRIPTS).map(script)).collect();
    let told = |bytes: &Vec<u8>| crate::scripts::property::answers(bytes, 5).join("\n");
    all.iter().map(told).collect::<Vec<_>>().join("\n\n")
}

#[test]
fn decisions_do_not_depend_on_the_process() {
    if let Some(path) = std::env::var_os(ANSWERS) {
        std::fs::write(path, all_answers()).unwrap();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answers");
    let own = all_answers();
    let name = "scripts::properties::decisions_do_not_depend_on_the_process";
    let mut command = Command::new(std::env::current_exe().unwrap());
    let ran = command.args(["--exact", name]).env(ANSWERS, &file).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), own);
    // There are decisions and faults, and not only those, that could differ.
    assert!(own.matches("Ok(Some(").count() > 60 && own.matches("Err(Script(").count() > 10, "{own}");
}
