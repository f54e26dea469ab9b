//! The built program, run in a folder.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Game 0 of seed 1.
pub const DECK: &str = "8S 9H 4S 8C JC 6H 6C 6S QD 8H 9C 2C 2H AD 6D 4C 9D QH 3H 7H TS 2S KC 5H AC KH JH 8D TC 7S \
                        3S 3D QC 4H 4D JD AS QS JS 3C 9S TD 5C 2D KS AH 7C 5D 7D TH KD 5S";

pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn of(output: Output) -> Ran {
        let text = |bytes| String::from_utf8(bytes).expect("the program prints text");
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    pub fn end(child: Child) -> Ran {
        Ran::of(child.wait_with_output().unwrap())
    }
}

pub struct Lab(TempDir);

impl Lab {
    pub fn new() -> Lab {
        Lab(tempfile::tempdir().unwrap())
    }

    pub fn with(files: &[(&str, &str)]) -> Lab {
        let lab = Lab::new();
        files.iter().for_each(|(name, text)| lab.write(name, text));
        lab
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a file, and creates the folders above it.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
        fs::write(self.at(name), text).unwrap();
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.at(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    pub fn data(&self, name: &str) -> Value {
        serde_json::from_slice(&self.bytes(name)).unwrap()
    }

    pub fn names(&self) -> Vec<String> {
        names(self.path())
    }

    /// Runs a command line, whose words may be quoted as in a shell.
    pub fn run(&self, line: &str) -> Ran {
        run_in(line, self.path())
    }

    pub fn run_with(&self, line: &str, input: &str) -> Ran {
        let mut child = spawn(command(&words(line), self.path()).stdin(Stdio::piped()));
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        Ran::end(child)
    }

    /// Returns the output of a command line that must succeed.
    pub fn good(&self, line: &str) -> String {
        let ran = self.run(line);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{line}");
        ran.out
    }

    /// Returns the data that a command line prints.
    pub fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.good(&format!("{line} --json"))).unwrap()
    }

    /// Returns the summary that a run prints, in a single line: it may be wrapped anywhere.
    pub fn told(&self, line: &str) -> String {
        one_line(&self.good(&format!("{line} --no-report -q")))
    }

    /// Checks that a command line is refused before anything is played, with these parts in its message.
    pub fn refused(&self, line: &str, parts: &str) -> String {
        let ran = self.run(line);
        assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{line}: {}", ran.err);
        has(&ran.err, parts);
        ran.err
    }

    /// Starts a command line whose output is read later.
    pub fn start(&self, line: &str) -> Child {
        spawn(&mut command(&words(line), self.path()))
    }

    /// Starts a run, and waits until its file of blocks holds some.
    pub fn amid(&self, line: &str, blocks: &str) -> Child {
        let mut child = self.start(line);
        let size = || self.at(blocks).metadata().map_or(0, |it| it.len());
        // What is made comes first.
        for _ in 0..2 {
            let before = size();
            while size() == before {
                busy(&mut child, 0.01);
            }
        }
        child
    }

    /// Runs a command line under a limit of the shell.
    #[cfg(unix)]
    pub fn limited(&self, limit: &str, line: &str) -> Ran {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{limit}; exec \"$@\""), "sh", PROGRAM]).args(words(line));
        Ran::of(shell.current_dir(self.path()).stdin(Stdio::null()).output().unwrap())
    }
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_saratoga");

pub fn command(args: &[String], folder: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(args).current_dir(folder).stdin(Stdio::null()).env("NO_COLOR", "1");
    command
}

pub fn run_in(line: &str, folder: &Path) -> Ran {
    Ran::of(command(&words(line), folder).output().unwrap())
}

/// Runs a line in a folder, with the program on the path of the shell.
#[cfg(unix)]
pub fn shell(line: &str, folder: &Path) -> Ran {
    let (program, path) = (Path::new(PROGRAM).parent().unwrap(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder).stdin(Stdio::null()).env("NO_COLOR", "1");
    Ran::of(shell.env("PATH", format!("{}:{path}", program.display())).output().unwrap())
}

fn spawn(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until a program has worked for so many seconds of processor time from now on, as far as the system tells.
pub fn busy(child: &mut Child, seconds: f64) {
    let (begin, file) = (Instant::now(), format!("/proc/{}/stat", child.id()));
    let used = || -> Option<f64> {
        let text = fs::read_to_string(&file).ok()?;
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        Some((fields[11].parse::<f64>().ok()? + fields[12].parse::<f64>().ok()?) / 100.0)
    };
    let used = || used().unwrap_or_else(|| begin.elapsed().as_secs_f64());
    let before = used();
    while used() < before + seconds {
        assert_eq!(child.try_wait().unwrap(), None, "it was over too early");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal to a program, which may have ended already.
pub fn signal(signal: &str, child: &Child) {
    let kill = format!("kill -{signal} {}", child.id());
    Command::new("sh").args(["-c", &kill]).stderr(Stdio::null()).status().unwrap();
}

pub fn words(line: &str) -> Vec<String> {
    shlex::split(line).unwrap_or_else(|| panic!("{line} has an open quote"))
}

/// Checks that a text has each of these parts, which are separated by bars.
pub fn has(text: &str, parts: &str) {
    for part in parts.split('|') {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

/// Checks that a page loads nothing, has no odd numbers, and that its ids differ.
pub fn stands_alone(page: &str) {
    let page = page.replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "<script", "src=", "<link", "@import", "url(", "NaN", "inf "] {
        assert!(!page.contains(outside), "{outside}");
    }
    let mut ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|it| it.split('"').next()).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|two| two[0] != two[1]), "{ids:?}");
}

pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns a number, or the value of an estimate.
pub fn number(value: &Value) -> f64 {
    value.as_f64().or(value["value"].as_f64()).unwrap_or_else(|| panic!("{value} is no number"))
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

pub fn mean_cards(histogram: &Value) -> f64 {
    let sum = |weight: fn(usize) -> f64| -> f64 {
        list(histogram).iter().enumerate().map(|(cards, n)| weight(cards) * number(n)).sum()
    };
    sum(|cards| cards as f64) / sum(|_| 1.0)
}

pub fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-9 * b.abs().max(1.0), "{a} is not {b}");
}

/// Returns every file under a folder with its bytes.
pub fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in folder.read_dir().unwrap().map(|entry| entry.unwrap()) {
        let (name, path) = (PathBuf::from(entry.file_name()), entry.path());
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(below, bytes)| (name.join(below), bytes)));
        } else {
            found.insert(name, fs::read(path).unwrap());
        }
    }
    found
}

/// Returns the names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        folder.read_dir().unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Returns a function that gives the columns of a CSV file by name.
pub fn columns(text: &str) -> impl Fn(&str) -> Vec<String> + use<> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.into_records().map(Result::unwrap).collect();
    move |name| {
        let place = heads.iter().position(|head| head == name).unwrap_or_else(|| panic!("no {name}"));
        rows.iter().map(|row| row[place].to_string()).collect()
    }
}
