//! Finished blocks on disks that are full, have no locks or are somebody else's, and merges of many of them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use saratoga::lab::{About, Shard, file_name, scan_blocks};
use tempfile::tempdir;

use crate::run::{command, good, limited, names, run as run_program};

#[test]
fn a_file_counts_once_by_several_paths() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    for shard in ["1/2", "2/2"] {
        good(&["simulate", "-n", "4000", "--shard", shard, "--out", "parts", "-q"], path);
    }
    let whole = good(&["simulate", "-n", "4000", "--no-report", "-q"], path);
    let merged = good(&["merge", "parts", "parts/.", "parts", "--out", "merged", "-q"], path);
    let figures =
        |text: &str| text.lines().filter(|it| it.starts_with("  games")).collect::<Vec<_>>().join("\n");
    assert!(!figures(&whole).is_empty() && figures(&whole) == figures(&merged), "{merged}");
}

#[cfg(unix)]
#[test]
fn a_shard_that_cannot_be_written_fails() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    // A file of more than so many blocks of 512 bytes cannot be written, as on a full disk.
    let args = ["simulate", "-n", "200k", "--shard", "1/1", "--out", "out"];
    let failed = limited("trap '' 25; ulimit -f 16", &args, path);
    assert_eq!(failed.code, Some(1), "{}", failed.err);
    assert!(failed.err.contains("cannot write out/shard-1-of-1.blocks"), "{}", failed.err);
    assert!(failed.err.contains("shard 1/1 failed"), "{}", failed.err);
    let status = good(&["status", "out"], path);
    assert!(status.contains("stopped"), "{status}");
    let of_two = good(&["status", "out", "./out"], path);
    assert!(of_two.contains("  out/shard-1-of-1") && of_two.contains("  ./out/shard-1-of-1"), "{of_two}");
    let of_both = run_program(&["status", "out", "none"], path);
    assert!(of_both.code == Some(2) && of_both.out.contains("shard-1-of-1"), "{}", of_both.out);
    assert!(of_both.err.contains("cannot read none"), "{}", of_both.err);
    let again = run_program(&args, path);
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert!(again.err.contains("blocks kept") && again.err.contains("finished"), "{}", again.err);
    good(&["merge", "out", "-q"], path);
}

#[cfg(unix)]
#[test]
fn what_disks_leave_of_a_file_is_not_read_into_memory() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    good(&["simulate", "-n", "3000", "--out", "out", "-q"], path);
    let file = path.join("out/run.blocks");
    let made = file.metadata().unwrap().len();
    // A file of holes takes no room on a disk.
    let zeros =
        |length: u64| fs::OpenOptions::new().write(true).open(&file).unwrap().set_len(length).unwrap();
    zeros(made + (5 << 30));
    let refused = limited("ulimit -v 1500000", &["merge", "out", "--threads", "1", "-q"], path);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(refused.err.contains(&format!("damaged at byte {made}")), "{}", refused.err);
    zeros(made);
    zeros(made + (64 << 20));
    good(&["merge", "out", "-q"], path);
    assert_eq!(file.metadata().unwrap().len(), made);
}

/// What a run says of itself may be by a clock that jumped, or by anybody.
#[test]
fn a_clock_that_jumps_changes_nothing_but_the_state() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    good(&["simulate", "-n", "4000", "--shard", "1/2", "--out", "parts", "-q"], path);
    let file = path.join("parts/shard-1-of-2.progress");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let day = 86_400;
    for (written, state) in [
        (now, "running"),
        (now + day, "stopped"),
        (now - day, "stopped"),
        (0, "stopped"),
        (u64::MAX, "stopped"),
    ] {
        for (made, seconds) in [("1", "2.0"), ("18446744073709551615", "1e-300"), ("1", "1e300"), ("0", "-5")]
        {
            let note = format!(
                "{{\"stage\":0,\"done\":1,\"of\":18446744073709551615,\"open\":false,\"made\":{made},\
                 \"seconds\":{seconds},\"written\":{written},\"finished\":false}}"
            );
            fs::write(&file, note).unwrap();
            let told = good(&["status", "parts"], path);
            assert!(told.contains(state), "{written} {made} {seconds}: {told}");
            good(&["status", "parts", "--json"], path);
        }
    }
    // The same command goes on, and the blocks are what they were.
    let again = run_program(&["simulate", "-n", "4000", "--shard", "1/2", "--out", "parts"], path);
    assert!(again.err.contains("2 blocks kept"), "{}", again.err);
}

/// A folder of somebody else's is not written to, and what is in it stays.
#[test]
fn folders_of_others_are_refused() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    fs::create_dir(path.join("theirs")).unwrap();
    for name in ["run.blocks", "shard-1-of-2.blocks"] {
        fs::write(path.join("theirs").join(name), "a film").unwrap();
    }
    for args in [
        &["simulate", "-n", "2000", "--out", "theirs", "-q"][..],
        &["simulate", "-n", "2000", "--shard", "1/2", "--out", "theirs", "-q"],
        &["merge", "theirs", "-q"],
    ] {
        let told = run_program(args, path);
        assert_eq!((told.code, &*told.out), (Some(2), ""), "{args:?}: {}", told.err);
        assert!(told.err.contains("it is no file of blocks"), "{args:?}: {}", told.err);
        assert_eq!(names(&path.join("theirs")), ["run.blocks", "shard-1-of-2.blocks"]);
        assert_eq!(fs::read(path.join("theirs/run.blocks")).unwrap(), b"a film");
    }
}

/// A merge makes the report from the files of the run, and says so where they are not.
#[test]
fn a_merge_says_which_files_it_needs() {
    let dir = tempdir().unwrap();
    let (ran, other) = (dir.path().join("ran"), dir.path().join("other"));
    fs::create_dir_all(&ran).unwrap();
    fs::create_dir_all(&other).unwrap();
    fs::write(ran.join("mine.toml"), "extends = \"canfield\"\n").unwrap();
    good(&["simulate", "mine.toml", "-n", "2000", "--shard", "1/1", "--out", "../other/parts", "-q"], &ran);
    let told = run_program(&["merge", "parts", "-q"], &other);
    assert_eq!(told.code, Some(2));
    assert!(told.err.contains("the run read mine.toml: call this in the folder"), "{}", told.err);
    good(&["merge", "../other/parts", "-q"], &ran);
}

/// The shards of a run, from the blocks of all: what the program writes where it makes them one by one.
fn part(whole: &Path, folder: &Path, of: u64) {
    let bytes = fs::read(whole).unwrap();
    let mut frames = vec![Vec::new(); of as usize];
    let scanned = scan_blocks(whole, |(_, block), (at, length), _| {
        let (from, end) = (at as usize - 24, at as usize + length as usize);
        frames[(block % of) as usize].extend_from_slice(&bytes[from..end]);
    });
    let magic = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let about = scanned.unwrap().about;
    for (number, blocks) in (1..).zip(frames) {
        let shard = Shard::new(number, of);
        let about = serde_json::to_vec(&About { shard, ..about.clone() }).unwrap();
        let key = bytes[magic + 8..magic + 24].to_vec();
        let sum = crc32fast::hash(&[key.clone(), about.clone()].concat());
        let length = about.len() as u32;
        let head = [&bytes[..magic], &length.to_le_bytes(), &sum.to_le_bytes(), &key].concat();
        fs::write(folder.join(file_name(shard)), [head, about, blocks].concat()).unwrap();
    }
}

/// Most memory that a process had, in kB, as Linux tells it.
pub fn most_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|it| it.strip_prefix("VmHWM:")?.trim().split(' ').next()?.parse().ok())
}

/// `SARATOGA_SHARDS=10000` merges so many, and prints the time and the memory that it takes.
#[test]
fn many_shards_take_little_memory() {
    let shards: u64 = std::env::var("SARATOGA_SHARDS").map_or(200, |it| it.parse().unwrap());
    let games = (shards * 1000).to_string();
    let dir = tempdir().unwrap();
    let path = dir.path();
    let line = ["simulate", "-n", &games];
    good(&[&line[..], &["--out", "whole", "-q"]].concat(), path);
    fs::create_dir(path.join("parts")).unwrap();
    part(&path.join("whole/run.blocks"), &path.join("parts"), shards);
    let third = format!("3/{shards}");
    good(&[&line[..], &["--shard", &third, "--out", "one", "-q"]].concat(), path);
    // The time that a block took differs.
    let beginning = |within: &str| {
        let file = path.join(within).join(format!("shard-3-of-{shards}.blocks"));
        let (mut blocks, mut first) = (Vec::new(), None);
        scan_blocks(&file, |key, (at, _), _| {
            blocks.push(key);
            first.get_or_insert(at as usize - 24);
        })
        .unwrap();
        (fs::read(&file).unwrap()[..first.unwrap()].to_vec(), blocks)
    };
    assert!(beginning("one") == beginning("parts"), "that is no shard of the program");
    let began = Instant::now();
    let mut merge = command(&["merge", "parts", "--out", "merged", "-q"], path);
    let mut merge = merge.stdout(Stdio::null()).spawn().unwrap();
    let mut most = 0;
    while merge.try_wait().unwrap().is_none() {
        most = most.max(most_memory(merge.id()).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(merge.wait().unwrap().success());
    println!("{shards} shards: {:.1} s, {} MB", began.elapsed().as_secs_f64(), most / 1000);
    assert!(most < 200_000, "it took {most} kB");
    for name in ["index.html", "summary.json"] {
        let read = |within: &str| fs::read(path.join(within).join(name)).unwrap();
        assert!(read("whole") == read("merged"), "{name}");
    }
}

/// What may not be written to is said, and of a folder that can be read all the same can be merged elsewhere.
#[cfg(unix)]
#[test]
fn folders_that_can_only_be_read_are_told() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempdir().unwrap();
    let path = dir.path();
    good(&["simulate", "-n", "2000", "--shard", "1/1", "--out", "parts", "-q"], path);
    let mode = |mode| fs::set_permissions(path.join("parts"), fs::Permissions::from_mode(mode)).unwrap();
    mode(0o555);
    // Who may do anything may also write there.
    if fs::write(path.join("parts/any"), "").is_err() {
        for args in [
            &["merge", "parts", "-q"][..],
            &["simulate", "-n", "2000", "--shard", "1/2", "--out", "parts", "-q"],
        ] {
            let told = run_program(args, path);
            assert_eq!(told.code, Some(2), "{}", told.err);
            assert!(told.err.contains("cannot write to parts: permission denied"), "{}", told.err);
        }
    }
    good(&["merge", "parts", "--out", "merged", "-q"], path);
    mode(0o755);
}

/// Who reads only the beginning of the figures has not stopped the run.
#[cfg(unix)]
#[test]
fn a_run_whose_figures_nobody_reads_is_finished() {
    let dir = tempdir().unwrap();
    let line = format!("'{}' simulate -n 3000 --out out | head -0", env!("CARGO_BIN_EXE_saratoga"));
    let ran = Command::new("sh").args(["-c", &line]).current_dir(dir.path()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ran.stderr), "");
    assert!(dir.path().join("out/index.html").is_file());
    assert!(good(&["status", "out"], dir.path()).contains("finished"));
}

/// A merge writes its report beside the blocks, and never moves them: somebody may be writing to them.
#[cfg(unix)]
#[test]
fn files_of_blocks_stay_what_they_are_where_a_report_is_written() {
    use std::os::unix::fs::MetadataExt;
    let dir = tempdir().unwrap();
    let line = ["simulate", "canfield", "-n", "3000", "--out", "parts", "-q"];
    good(&[&line[..], &["--shard", "1/1"]].concat(), dir.path());
    let shard = dir.path().join("parts/shard-1-of-1.blocks");
    let lock = dir.path().join("parts/.shard-2-of-2.blocks.lock");
    fs::write(&lock, "").unwrap();
    let (folder, inode) = (dir.path().join("parts"), |path: &Path| fs::metadata(path).unwrap().ino());
    let before = [&folder, &shard, &lock].map(|path| inode(path));
    for _ in 0..2 {
        good(&["merge", "parts", "-q"], dir.path());
        assert_eq!([&folder, &shard, &lock].map(|path| inode(path)), before);
        assert!(folder.join("index.html").is_file());
    }
    // Nothing of what was replaced is left.
    assert!(names(&folder).iter().all(|name| !name.starts_with(".saratoga")), "{:?}", names(&folder));
}

#[cfg(unix)]
#[test]
fn shards_are_not_merged_into_a_run_under_way() {
    let dir = tempdir().unwrap();
    let line = ["simulate", "canfield", "-n", "100M", "--out", "out", "-q"];
    let mut child = command(&line, dir.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let blocks = dir.path().join("out/run.blocks");
    let begin = Instant::now();
    while fs::metadata(&blocks).map_or(0, |it| it.len()) < 2_000 {
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    let merged = run_program(&["merge", "out", "-q"], dir.path());
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(merged.code, Some(2), "{}", merged.err);
    assert!(merged.err.contains("is writing to out"), "{}", merged.err);
    assert!(!dir.path().join("out/index.html").exists());
}

#[test]
fn a_file_that_was_cut_in_its_beginning_begins_anew() {
    let dir = tempdir().unwrap();
    let line = ["simulate", "canfield", "-n", "2000", "--shard", "1/1", "--out", "out", "-q"];
    good(&line, dir.path());
    let file = dir.path().join("out/shard-1-of-1.blocks");
    let whole = fs::read(&file).unwrap();
    for length in [0, 5, 100] {
        fs::write(&file, &whole[..length]).unwrap();
        good(&line, dir.path());
        // How long a block took is in it.
        assert!(fs::read(&file).unwrap().len() + 20 > whole.len());
    }
    // What is no such beginning is not written over.
    fs::write(&file, "notes of mine").unwrap();
    assert_eq!(run_program(&line, dir.path()).code, Some(2));
    assert_eq!(fs::read(&file).unwrap(), b"notes of mine");
}
