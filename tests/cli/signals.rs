//! Ctrl-C, SIGTERM and SIGHUP end every command promptly, whatever it is doing, and the finished part is reported.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::cli::run::{Ran, command, good, names, ran};

/// The program ends within a second if it has the machine to itself. Tests run in parallel, in a debug build; a program
/// that ignores a signal runs for hours.
const SOON: Duration = Duration::from_secs(8);

/// A decision takes so long that no block of games is ever finished.
const SLOW: &str = "const HOLD = param(4, 0..=13);
fn score(view, m) {
    let n = 0;
    for i in 0..2000 { n += i % 7; }
    if m.to_foundation { n + HOLD } else { n }
}
";

/// An endless decision, for a budget that allows it.
const ENDLESS: &str = "fn score(view, m) { loop { } }\n";
/// An endless constant, so that the script is never loaded.
const UNLOADED: &str = "const X = { loop { } };\nfn score(view, m) { X }\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("slow.rhai"), SLOW).unwrap();
    fs::write(folder.path().join("endless.rhai"), ENDLESS).unwrap();
    fs::write(folder.path().join("unloaded.rhai"), UNLOADED).unwrap();
    folder
}

fn start(line: &str, path: &Path) -> Child {
    let args: Vec<&str> = line.split_whitespace().collect();
    let mut command = command(&args, path);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn send(signal: &str, child: &Child) {
    let kill = format!("kill -{signal} {}", child.id());
    // The process may have ended already, which is not a failure of the test.
    std::process::Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status().unwrap();
}

/// Returns whether this process ignores or blocks SIGHUP, which its children inherit.
fn hangups_are_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let masks = status.lines().filter(|line| line.starts_with("SigIgn:") || line.starts_with("SigBlk:"));
    masks
        .filter_map(|line| line.split_whitespace().nth(1)?.chars().last()?.to_digit(16))
        .any(|mask| mask & 1 == 1)
}

/// Reads the output of a command to its end, and measures how long it takes to end.
fn end(child: Child) -> (Ran, Duration) {
    let asked = Instant::now();
    let ran = ran(child.wait_with_output().unwrap());
    (ran, asked.elapsed())
}

/// Sends a signal to a command after a delay, and checks that it ends soon with the right exit code.
fn ends(line: &str, signal: &str, after: u64) -> Ran {
    let folder = folder();
    ends_in(folder.path(), line, signal, after)
}

/// Repeats with a longer delay until something was finished before the signal.
fn ends_amid(path: &Path, line: &str, signal: &str, finished: impl Fn(&Ran) -> bool) -> Ran {
    let waits = [600, 1200, 2500, 5000, 10_000, 20_000, 40_000].into_iter();
    let mut runs = waits.map(|wait| ends_in(path, line, signal, wait));
    runs.find(finished).unwrap_or_else(|| panic!("{line}: nothing is finished"))
}

fn ends_in(path: &Path, line: &str, signal: &str, after: u64) -> Ran {
    // Under `nohup` the tests and their children ignore HUP, as they must.
    let signal = if signal == "HUP" && hangups_are_ignored() { "TERM" } else { signal };
    let mut child = start(line, path);
    std::thread::sleep(Duration::from_millis(after));
    assert_eq!(child.try_wait().unwrap(), None, "{line} was over before the signal");
    send(signal, &child);
    let (ran, took) = end(child);
    println!("{:>5} ms  {signal:<4}  {line}", took.as_millis());
    assert_eq!(ran.code, Some(130), "{line}: {}", ran.err);
    assert!(took < SOON, "{line}: {took:?}");
    ran
}

#[test]
fn runs_by_slow_scripts_end_amid_a_block() {
    for (line, signal) in [
        ("simulate -s ./slow.rhai --interpret -n 1e6 -q", "INT"),
        ("compare -s ./slow.rhai -s greedy --interpret -n 1e6 -q", "TERM"),
        ("sweep --vary stock.draw=1..4 -s ./slow.rhai --interpret --budget 1e6 -q", "INT"),
        ("tune canfield ./slow.rhai --interpret -q", "TERM"),
        ("price -s ./slow.rhai --interpret -n 1e6 -q", "INT"),
        ("bankroll -s ./slow.rhai --interpret -n 1e6 -q", "HUP"),
        ("contest racing-demon -s ./slow.rhai --interpret -n 1e6 -q", "INT"),
    ] {
        let folder = folder();
        let ran = ends_in(folder.path(), line, signal, 700);
        assert!(ran.err.contains("there is nothing to report"), "{line}: {}", ran.err);
        assert_eq!(ran.out, "", "{line}");
        assert_eq!(names(folder.path()), ["endless.rhai", "slow.rhai", "unloaded.rhai"], "{line}");
    }
}

#[test]
fn what_was_finished_is_told() {
    for (line, signal) in [
        ("simulate -n 1G", "TERM"),
        ("compare -s greedy -s random --all-games -n 1G", "INT"),
        ("sweep --vary stock.draw=1..4 --precision 0.001pp --budget 1G", "TERM"),
        ("price -n 1G", "INT"),
        ("bankroll -n 1G", "TERM"),
        ("contest racing-demon -n 1G", "TERM"),
        ("bracket single-pass -s greedy -n 1e6 --choose 5", "INT"),
        ("solve single-pass -n 1e6 --nodes 2000 --out out -s greedy", "INT"),
        ("rules page -n 1G --patient-games 1 --matches 16", "TERM"),
    ] {
        let folder = folder();
        let ran = ends_amid(folder.path(), line, signal, |ran| ran.err.starts_with("interrupted: "));
        assert!(ran.out.contains("index.html"), "{line}: {}", ran.out);
    }
}

#[test]
fn a_race_tells_its_winner_without_fresh_deals() {
    let folder = folder();
    let script = "const STOP = param(1, 0..=9);
fn score(view, m) { if view.cards > STOP * 3 || m.is_redeal { -1 } else { 1 } }
";
    fs::write(folder.path().join("stops.rhai"), script).unwrap();
    let line = "tune canfield ./stops.rhai --candidates 4 --generations 1 --deals 1000 -n 1G --out out";
    let both = "interrupted: the report covers the race and the fresh deals";
    ends_amid(folder.path(), line, "INT", |ran| ran.err.starts_with(both));
    assert!(folder.path().join("stops-tuned.rhai").exists());
    // In a later generation: the duration of the first is unknown.
    fs::remove_file(folder.path().join("stops-tuned.rhai")).unwrap();
    let line = "tune canfield ./stops.rhai --candidates 2 --generations 10 --deals 100k --json -n 1G -q";
    let ran = ends_amid(folder.path(), line, "TERM", |ran| !ran.out.is_empty());
    assert_eq!(ran.err, "");
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&json["fresh"]["games"], &json["fresh"]["gain"]), (&0.into(), &serde_json::Value::Null));
}

#[test]
fn what_has_nothing_to_report_ends_too() {
    for (line, signal) in [
        ("solve canfield --nodes 1e15 --memory 256MiB -q", "INT"),
        ("solve canfield --nodes 1e15 --goal cards --threads 1 -q", "TERM"),
        ("deal --game 0..1000000000000 --json", "INT"),
        ("replay -s ./slow.rhai --game 0..1000000000000", "INT"),
        ("check -", "TERM"),
    ] {
        ends_at_once(line, signal);
    }
}

/// Runs a command whose output nobody reads, and which gets no input.
fn ends_at_once(line: &str, signal: &str) {
    let folder = folder();
    let args: Vec<&str> = line.split_whitespace().collect();
    let mut command = command(&args, folder.path());
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let input = child.stdin.take();
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(child.try_wait().unwrap(), None, "{line} was over before the signal");
    send(signal, &child);
    let asked = Instant::now();
    let code = child.wait().unwrap().code();
    println!("{:>5} ms  {signal:<4}  {line}", asked.elapsed().as_millis());
    assert!(code == Some(130) && asked.elapsed() < SOON, "{line}: {code:?} {:?}", asked.elapsed());
    drop(input);
}

#[test]
fn counts_that_are_known_are_told() {
    let ran = ends("perft --depth 60 --seed 7", "INT", 700);
    assert!(ran.out.starts_with("1 ") && ran.out.ends_with('\n'), "{}", ran.out);
    let ran = ends("perft --depth 60 --seed 7 --json", "TERM", 700);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(json.as_array().unwrap().len() > 1, "{json}");
}

#[test]
fn samples_of_a_night_can_be_stopped() {
    let line = "bankroll -n 1000 --decks 5000 --bootstrap 10000 --threads 1";
    ends_amid(folder().path(), line, "INT", |ran| ran.err.starts_with("interrupted: "));
}

/// If a script takes forever to load, there is nothing to report: the program just ends. An endless decision is
/// abandoned.
#[test]
fn loading_and_deciding_end_at_once() {
    for (line, signal) in [
        ("scripts check ./unloaded.rhai --script-operations 1e15", "INT"),
        ("simulate -s ./unloaded.rhai --script-operations 1e15 --no-report -q", "TERM"),
        ("simulate -s ./endless.rhai --script-operations 1e15 --no-report -q", "INT"),
        ("simulate -s ./endless.rhai --script-operations 1e15 --interpret --no-report -q", "TERM"),
        ("replay -s ./endless.rhai --script-operations 1e15", "INT"),
    ] {
        let folder = folder();
        ends_in(folder.path(), line, signal, 700);
        assert_eq!(names(folder.path()), ["endless.rhai", "slow.rhai", "unloaded.rhai"], "{line}");
    }
}

/// As in `nohup saratoga sweep ...`: closing the terminal is not a reason to stop.
#[test]
#[cfg(target_os = "linux")]
fn what_is_told_to_ignore_hangups_does() {
    let folder = folder();
    let program = env!("CARGO_BIN_EXE_saratoga");
    let line = format!("trap '' HUP; exec {program} simulate -n 1G --no-report -q");
    let mut shell = std::process::Command::new("sh");
    let shell = shell.args(["-c", &line]).current_dir(folder.path()).stdin(Stdio::null());
    let mut child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1000));
    send("HUP", &child);
    std::thread::sleep(Duration::from_millis(1000));
    assert_eq!(child.try_wait().unwrap(), None);
    send("TERM", &child);
    let (ran, took) = end(child);
    assert!(ran.code == Some(130) && took < SOON, "{:?} {took:?} {}", ran.code, ran.err);
}

/// Runs without a signal are unaffected.
#[test]
fn whoever_is_not_stopped_ends_as_ever() {
    let folder = folder();
    let line = ["simulate", "-s", "./slow.rhai", "-n", "20", "--json", "--threads"];
    let one = good(&[&line[..], &["1"]].concat(), folder.path());
    assert_eq!(one, good(&[&line[..], &["3"]].concat(), folder.path()));
}
