//! Ctrl-C, SIGTERM and SIGHUP end every command promptly, whatever it is doing, and the finished part is reported.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::program::{Lab, Ran, busy, command, has, names, signal, words};

/// The program ends within a second if it has the machine to itself, which a test does not: one that ignores a signal runs
/// for hours.
const SOON: Duration = Duration::from_secs(60);

/// A decision takes so long that no block of games is ever finished.
const SLOW: &str = "const HOLD = param(4, 0..=13);
fn score(view, m) {
    let n = 0;
    for i in 0..2000 { n += i % 7; }
    if m.to_foundation { n + HOLD } else { n }
}
";
const STOPS: &str = "const STOP = param(1, 0..=9);
fn score(view, m) { if view.cards > STOP * 3 || m.is_redeal { -1 } else { 1 } }
";

fn lab() -> Lab {
    Lab::with(&[
        ("slow.rhai", SLOW),
        ("stops.rhai", STOPS),
        // An endless decision, and an endless constant, so that the script is never loaded.
        ("endless.rhai", "fn score(view, m) { loop { } }\n"),
        ("unloaded.rhai", "const X = { loop { } };\nfn score(view, m) { X }\n"),
    ])
}

/// Waits until a process has a handler for SIGTERM.
fn listens(child: &Child) {
    let caught = |status: String| {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?.trim().to_string();
        Some(u64::from_str_radix(&mask, 16).ok()? >> 14 & 1 == 1)
    };
    let begin = Instant::now();
    let file = format!("/proc/{}/status", child.id());
    while !fs::read_to_string(&file).ok().and_then(caught).unwrap_or(begin.elapsed().as_secs() > 0) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns whether this process ignores or blocks SIGHUP, which its children inherit.
fn hangups_are_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let masks = status.lines().filter(|line| line.starts_with("SigIgn:") || line.starts_with("SigBlk:"));
    let last = |line: &str| line.chars().last()?.to_digit(16);
    masks.filter_map(last).any(|mask| mask & 1 == 1)
}

/// Sends a signal to a command once it has worked for so many seconds, and checks that it ends soon with the right exit
/// code.
fn ends(lab: &Lab, line: &str, name: &str, after: f64) -> Ran {
    // Under `nohup` the tests and their children ignore HUP, as they must.
    let name = if name == "HUP" && hangups_are_ignored() { "TERM" } else { name };
    let mut child = lab.start(line);
    busy(&mut child, after);
    signal(name, &child);
    let asked = Instant::now();
    let ran = Ran::end(child);
    assert_eq!(ran.code, Some(130), "{line}: {}", ran.err);
    assert!(asked.elapsed() < SOON, "{line}: {:?}", asked.elapsed());
    ran
}

/// Repeats with more work until something was finished before the signal.
fn ends_amid(lab: &Lab, line: &str, name: &str, finished: impl Fn(&Ran) -> bool) -> Ran {
    let works = [0.4, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0].into_iter();
    let mut runs = works.map(|after| ends(lab, line, name, after));
    runs.find(finished).unwrap_or_else(|| panic!("{line}: nothing is finished"))
}

/// Commands amid a block of games, a script that never loads, a decision without end: there is nothing to report.
#[test]
fn what_has_finished_nothing_ends_too() {
    let lab = lab();
    let before = lab.names();
    let endless = "--script-operations 1e15";
    for (line, signal) in [
        ("simulate -s ./slow.rhai --interpret -n 1e6 -q".to_string(), "INT"),
        ("compare -s ./slow.rhai -s greedy --interpret -n 1e6 -q".into(), "TERM"),
        ("sweep --vary stock.draw=1..4 -s ./slow.rhai --interpret --budget 1e6 -q".into(), "INT"),
        ("tune canfield ./slow.rhai --interpret -q".into(), "TERM"),
        ("price -s ./slow.rhai --interpret -n 1e6 -q".into(), "INT"),
        ("bankroll -s ./slow.rhai --interpret -n 1e6 -q".into(), "HUP"),
        ("contest racing-demon -s ./slow.rhai --interpret -n 1e6 -q".into(), "INT"),
        (
            "solve canfield --nodes 1e15 --goal cards --memory 256MiB --threads 1 --no-report -q".into(),
            "TERM",
        ),
        (format!("scripts check ./unloaded.rhai {endless}"), "INT"),
        (format!("simulate -s ./unloaded.rhai {endless} --no-report -q"), "TERM"),
        (format!("simulate -s ./endless.rhai {endless} --no-report -q"), "INT"),
        (format!("simulate -s ./endless.rhai {endless} --interpret --no-report -q"), "TERM"),
        (format!("replay -s ./endless.rhai {endless}"), "INT"),
    ] {
        let ran = ends(&lab, &line, signal, 0.3);
        assert!(
            ran.out.is_empty() || line.starts_with("replay") || line.starts_with("solve"),
            "{line}: {}",
            ran.out
        );
        assert_eq!(lab.names(), before, "{line}");
    }
}

/// A command whose output nobody reads, and one that waits for input.
#[test]
fn what_waits_for_others_ends_too() {
    let lab = lab();
    for line in
        ["deal --game 0..1000000000000 --json", "replay -s ./slow.rhai --game 0..1000000000000", "check -"]
    {
        let mut command = command(&words(line), lab.path());
        let command = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        if line.starts_with("check") {
            listens(&child)
        } else {
            busy(&mut child, 0.3)
        }
        signal("TERM", &child);
        let asked = Instant::now();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{line}");
        assert!(asked.elapsed() < SOON, "{line}: {:?}", asked.elapsed());
        drop(input);
    }
}

#[test]
fn what_was_finished_is_told() {
    for (line, signal) in [
        ("simulate -n 1G", "TERM"),
        ("compare -s greedy -s random --all-games -n 1G", "INT"),
        ("sweep --vary stock.draw=1..4 --precision 0.001pp --budget 1G", "TERM"),
        ("price -n 1G", "INT"),
        ("bankroll -n 1000 --decks 2000 --bootstrap 10000 --threads 1", "TERM"),
        ("contest racing-demon -n 1G", "TERM"),
        ("bracket single-pass -s greedy -n 1e6 --choose 5", "INT"),
        ("solve single-pass -n 1e6 --nodes 2000 --out out -s greedy", "INT"),
        ("rules page -n 1G --patient-games 1 --matches 16", "TERM"),
    ] {
        let ran = ends_amid(&lab(), line, signal, |ran| ran.err.starts_with("interrupted: "));
        has(&ran.out, "index.html");
    }
    let counts = ends(&lab(), "perft --depth 60 --seed 7 --json", "INT", 0.3);
    let counts: Value = serde_json::from_str(&counts.out).unwrap();
    assert!(counts.as_array().unwrap().len() > 1, "{counts}");
}

#[test]
fn a_race_tells_its_winner_without_fresh_deals() {
    let lab = lab();
    let line = "tune canfield ./stops.rhai --candidates 4 --generations 1 --deals 1000 -n 1G --out out";
    let both = "interrupted: the report covers the race and the fresh deals";
    ends_amid(&lab, line, "INT", |ran| ran.err.starts_with(both));
    assert!(lab.at("stops-tuned.rhai").exists());
    // In a later generation: the duration of the first is unknown.
    fs::remove_file(lab.at("stops-tuned.rhai")).unwrap();
    let line = "tune canfield ./stops.rhai --candidates 2 --generations 10 --deals 100k --json -n 1G -q";
    let ran = ends_amid(&lab, line, "TERM", |ran| !ran.out.is_empty());
    assert_eq!(ran.err, "");
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&json["fresh"]["games"], &json["fresh"]["gain"]), (&0.into(), &Value::Null));
}

/// The report of an interrupted run is whole; a second interrupt ends it at once, and leaves no parts for long.
#[test]
fn an_interrupt_reports_what_was_finished() {
    for times in [1, 2] {
        let lab = Lab::new();
        let child = lab.amid("simulate -n 1G --csv --out out/deep --threads 1", "out/deep/run.blocks");
        // Requests close together count as one.
        let kill = vec![format!("kill -INT {}", child.id()); times].join("; sleep 0.25; ");
        Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status().unwrap();
        let ran = Ran::end(child);
        assert_eq!(ran.code, Some(130), "{}", ran.err);
        if times == 2 {
            // What it leaves, the next run clears.
            lab.good("simulate -n 10 --out out/deep --restart -q");
            let names = names(&lab.at("out/deep"));
            assert!(names.iter().all(|name| !name.starts_with(".saratoga")), "{names:?}");
            continue;
        }
        has(&ran.err, "interrupted: the figures are those of the first ");
        let games = lab.data("out/deep/summary.json")["games"].as_u64().unwrap();
        assert_eq!(games as usize, lab.read("out/deep/games.csv").lines().count() - 1);
        // The page says so before anything else.
        let page = lab.read("out/deep/index.html");
        assert!(page.find("This run was interrupted").expect("it says so") < page.find("games won").unwrap());
    }
}

/// As in `nohup saratoga sweep ...`: closing the terminal is not a reason to stop.
#[test]
#[cfg(target_os = "linux")]
fn what_is_told_to_ignore_hangups_does() {
    let lab = lab();
    let mut shell = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_saratoga");
    shell.args(["-c", &format!("trap '' HUP; exec {program} simulate -n 1G --no-report -q")]);
    let shell = shell.current_dir(lab.path()).stdin(Stdio::null());
    let mut child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    busy(&mut child, 0.3);
    signal("HUP", &child);
    busy(&mut child, 0.5);
    signal("TERM", &child);
    let asked = Instant::now();
    let ran = Ran::end(child);
    assert!(ran.code == Some(130) && asked.elapsed() < SOON, "{:?} {}", ran.code, ran.err);
}

/// A request to stop saves the record of a game that a person plays, in its current state.
#[test]
fn a_request_to_stop_keeps_the_record() {
    let lab = Lab::new();
    let mut command = command(&words("play --plain --save g.jsonl"), lab.path());
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"draw draw\n").unwrap();
    // Once the second position is printed, the moves have been made.
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..2 {
        assert!(out.any(|line| line.unwrap().contains("  moves ")));
    }
    signal("INT", &child);
    let ended = Ran::end(child);
    drop(input);
    assert_eq!(ended.code, Some(130), "{}", ended.err);
    assert_eq!(lab.data("g.jsonl")["moves"], "draw draw");
    lab.good("check g.jsonl");
}
