//! Transcripts: command lines in a shell, and what they tell. The head of `tests/data/transcripts/play.txt` explains their
//! format.

use std::fs;

use crate::common::program::{Lab, one_line, shell};

/// Plays the sections of a transcript, each in a folder of its own.
fn play(name: &str) {
    let path = format!("tests/data/transcripts/{name}.txt");
    let text = fs::read_to_string(&path).unwrap();
    let (mut lab, mut file, mut said, mut ran) = (Lab::new(), None, String::new(), 0);
    let mut wrong = String::new();
    let head = |(_, line): &(usize, &str)| !line.starts_with("== ");
    for (number, line) in (1..).zip(text.lines()).skip_while(head) {
        let (sign, rest) = line.split_once(' ').unwrap_or((line, ""));
        if sign == "==" {
            (lab, file) = (Lab::new(), None);
        } else if sign == "--" {
            lab.write(rest, "");
            file = Some(rest);
        } else if let Some(code) = sign.strip_prefix('$').filter(|code| code.len() < 2) {
            let told = shell(rest, lab.path());
            said = one_line(&format!("{} {}", told.out, told.err));
            if told.code != code.parse().ok().or(Some(0)) {
                wrong += &format!("{path}:{number}: exit code {:?}\n    {said}\n", told.code);
            }
            (file, ran) = (None, ran + 1);
        } else if let Some(file) = file {
            lab.write(file, lab.read(file) + line + "\n");
        } else {
            let wanted = one_line(if sign == "!" { rest } else { line });
            if said.contains(&wanted) == (sign == "!") {
                wrong += &format!("{path}:{number}: {line}\n    {said}\n");
            }
        }
    }
    assert!(ran > 10 && wrong.is_empty(), "{ran} commands\n{wrong}");
}

#[test]
fn games_of_persons() {
    play("play");
}

#[test]
fn scripts() {
    play("scripts");
}

#[test]
fn money() {
    play("money");
}

#[test]
fn contests_and_deals() {
    play("contests");
}

#[test]
fn runs_and_folders() {
    play("runs");
}

#[test]
fn files_of_strangers() {
    play("hostile");
}
