//! `saratoga check` accepts the program's output, and rejects every falsified version of it.

use std::fs;
use std::path::Path;

use crate::cli::run::{good, run_with};
use serde_json::{Map, Value, json};
use tempfile::tempdir;

/// Takes a look, and stops at the first draw.
const TIMID: &str = "fn score(view, m) { if m.to_foundation { 2 } else { 1 } }\n\
                     fn stage(view, at, cost) { at == \"deal\" || at == \"first-look\" }\n";
/// Gives up after two passes, whether they led anywhere or not.
const TIRED: &str = "fn score(view, m) { if m.to_foundation { 2 } \
                     else if m.from_tableau || m.is_redeal && view.pass > 2 { -1 } else { 1 } }\n";
const SHUFFLED: &str =
    "name = \"Shuffled\"\nextends = \"canfield\"\n[stock]\nredeals = 2\non_redeal = \"shuffle\"\n";
const DECK: &str = "8S 9H 4D 6C 5H 6H TC JH 3S 7C KS 2C 9D QH 2S JD 8D AC 3C 4S QC 5C 7S 9S 4C 8H KH 3H TS 6S 2D 5D \
                    QS 9C KC JS AH QD 8C 7D TH TD 2H 4H JC AS AD 5S KD 3D 6D 7H";

type Object = Map<String, Value>;

fn objects(text: &str) -> Vec<Object> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn folder() -> tempfile::TempDir {
    let folder = tempdir().unwrap();
    for (name, text) in [("timid.rhai", TIMID), ("tired.rhai", TIRED), ("shuffled.toml", SHUFFLED)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Checks lines that are each false in a different way: every one is rejected, and its fault contains the given words
/// and is located in the line.
fn all_refused(lines: &[(String, String, String)], folder: &Path) {
    let text: String = lines.iter().map(|(_, line, _)| format!("{line}\n")).collect();
    let ran = run_with(&["check", "-", "--json"], folder, &text);
    let found = objects(&ran.out);
    assert_eq!((ran.code, found.len()), (Some(2), lines.len()), "{}", ran.err);
    for ((what, line, words), found) in lines.iter().zip(found) {
        assert_eq!(found["good"], false, "{what}: {line}");
        let (message, column) = (found["fault"]["message"].as_str().unwrap(), &found["fault"]["column"]);
        assert!(message.contains(words), "{what}: `{words}` is not in `{message}`");
        let column = column.as_u64().unwrap() as usize;
        assert!((1..=line.chars().count() + 1).contains(&column), "{what}: column {column}");
    }
}

/// Returns a line with one field changed.
fn with(line: &Object, key: &str, value: Value) -> String {
    let mut line = line.clone();
    line.insert(key.into(), value);
    serde_json::to_string(&line).unwrap()
}

fn without(line: &Object, key: &str) -> String {
    let mut line = line.clone();
    line.remove(key);
    serde_json::to_string(&line).unwrap()
}

/// Returns the line with two cards swapped.
fn swapped(line: &Object, a: usize, b: usize) -> String {
    let mut cards: Vec<&str> = line["deck"].as_str().unwrap().split(' ').collect();
    cards.swap(a, b);
    with(line, "deck", json!(cards.join(" ")))
}

/// Adds lines of an entirely wrong form.
fn misshapen(line: &Object, cases: &mut Vec<(String, String, String)>) {
    let text = serde_json::to_string(line).unwrap();
    for (key, value) in line {
        let more = format!("{{\"{key}\":{value},{}", &text[1..]);
        cases.push((format!("{key} twice"), more, format!("duplicate field `{key}`")));
        if value.is_number() {
            for (what, number) in
                [("NaN", "NaN"), ("huge", "1e999"), ("many digits", "99999999999999999999999")]
            {
                let line = text.replace(&format!("\"{key}\":{value}"), &format!("\"{key}\":{number}"));
                let words =
                    if key == "seconds" && what == "many digits" { continue } else { "this is not a valid " };
                cases.push((format!("{key} is {what}"), line, words.into()));
            }
            cases.push((format!("{key} is -1"), with(line, key, json!(-1)), String::new()));
            cases.push((format!("{key} is text"), with(line, key, json!("7")), "invalid type".into()));
        } else {
            cases.push((format!("{key} is a number"), with(line, key, json!(7)), String::new()));
        }
    }
    cases.push(("a field more".into(), with(line, "note", json!("x")), "unknown field `note`".into()));
}

fn mutations_of_record(line: &Object) -> Vec<(String, String, String)> {
    let mut cases = Vec::new();
    misshapen(line, &mut cases);
    let mut case = |what: String, line: String, words: &str| cases.push((what, line, words.into()));
    let number = |key: &str| line.get(key).and_then(Value::as_i64);
    let (end, moves) = (line["end"].as_str().unwrap(), line["moves"].as_str().unwrap());
    for other in ["won", "blocked", "barren", "repeated", "resigned", "runaway"] {
        if other != end {
            case(format!("{end} as {other}"), with(line, "end", json!(other)), "");
        }
    }
    for cards in [-1, 1, 1000].map(|more| number("cards").unwrap() + more).into_iter().filter(|&n| n >= 0) {
        case(format!("{cards} cards"), with(line, "cards", json!(cards)), "cards, but there are");
    }
    if let Some(seed) = number("seed") {
        case("another seed".into(), with(line, "seed", json!(seed + 1)), "is not the one that seed");
        case("another game".into(), with(line, "game", json!(number("game").unwrap() + 1)), "as game");
        case("two seeds".into(), with(line, "chance", json!(seed)), "a `seed` and a `chance`");
        case("two cards of the deck".into(), swapped(line, 20, 40), "is not the one that seed");
    }
    let chance = moves.contains("roll:") || moves.contains("shuffle:");
    if let (Some(seed), true) = (number("chance"), chance) {
        // Six faces agree by chance: some other seed differs.
        let others = (1..40).map(|more| with(line, "chance", json!(seed + more)));
        let other = others.filter(|it| it != &with(line, "chance", json!(seed))).nth(7).unwrap();
        case("another chance".into(), other, "the seed");
        case("given as dealt".into(), with(line, "seed", json!(seed)).replace("\"chance\":1,", ""), "deck");
    }
    if let Some(at) = moves.find("roll:") {
        let face: u8 = moves[at + 5..at + 6].parse().unwrap();
        let other = format!("{}roll:{}{}", &moves[..at], face % 6 + 1, &moves[at + 6..]);
        case("another roll".into(), with(line, "moves", json!(other)), "is not what the seed rolls");
    }
    if let Some(at) = moves.find("shuffle:") {
        let (first, second) = (&moves[at + 8..at + 10], &moves[at + 11..at + 13]);
        let other = format!("{}{second},{first}{}", &moves[..at + 8], &moves[at + 13..]);
        case("another shuffle".into(), with(line, "moves", json!(other)), "is not how the seed shuffles");
    }
    case("a move more".into(), with(line, "moves", json!(format!("{moves} T9>F"))), "`T9>F`");
    case("a draw more".into(), with(line, "moves", json!(format!("{moves} redeal draw"))), "");
    if let Some((fewer, _)) = moves.rsplit_once(' ') {
        case("a move less".into(), with(line, "moves", json!(fewer)), "");
    }
    case("no such rules".into(), with(line, "rules", json!("no-such-rules")), "no-such-rules");
    case(
        "a card twice".into(),
        {
            let deck = line["deck"].as_str().unwrap();
            with(line, "deck", json!(format!("{} {}", &deck[..2], &deck[..2])))
        },
        "the deck: ",
    );
    if let Some(staked) = number("staked") {
        case("a cent more".into(), with(line, "staked", json!(staked + 1)), "cents were staked");
        case("a dollar less".into(), with(line, "staked", json!(staked - 100)), "cents were staked");
    } else {
        case("a stake".into(), with(line, "staked", json!(5200)), "the rules have no stages");
    }
    for at in ["deal", "first-look", "first-draw", "pass", "unknown-card"] {
        if line.get("stopped") != Some(&json!(at)) {
            case(format!("stopped at {at}"), with(line, "stopped", json!(at)), "");
        }
    }
    cases
}

/// Records of greedy and of players who stop or give up; of dice, shuffles, several packs, stages of a stake, and a
/// given deck.
#[test]
fn records_changed_into_something_false_are_refused() {
    let folder = folder();
    let here = folder.path();
    let played: [&[&str]; 10] = [
        &["canfield", "--game", "0..4"],
        &["klondike", "--game", "0..2", "--seed", "9"],
        &["exorcism-die-pass"],
        &["exorcism-die-draw"],
        &["exorcism-die-game"],
        &["./shuffled.toml"],
        &["double-canfield"],
        &["bsd", "--game", "0..2"],
        &["bsd", "-s", "./timid.rhai"],
        &["exorcism-die-pass", "--deck", DECK],
    ];
    for args in played {
        let text = good(&[&["replay", "--json"], args].concat(), here);
        let checked = run_with(&["check", "-"], here, &text);
        assert_eq!(checked.code, Some(0), "{}", checked.out);
        for line in objects(&text) {
            all_refused(&mutations_of_record(&line), here);
        }
    }
}

/// A given deck is recorded truthfully: its seed is that of the chance.
#[test]
fn a_deck_that_was_given_is_not_told_as_dealt() {
    let folder = folder();
    let one =
        |args: &[&str]| objects(&good(&[&["replay", "--json"], args].concat(), folder.path())).remove(0);
    let given = one(&["exorcism-die-pass", "--deck", DECK, "--seed", "5"]);
    assert_eq!((given.get("seed"), &given["chance"]), (None, &json!(5)));
    let dealt = one(&["canfield", "--seed", "5", "--game", "3"]);
    assert_eq!((&dealt["seed"], dealt.get("chance")), (&json!(5), None));
    // A given deck that equals that of the seed is recorded as such.
    let again = one(&[
        "canfield",
        "--seed",
        "5",
        "--deck",
        one(&["canfield", "--seed", "5"])["deck"].as_str().unwrap(),
    ]);
    assert_eq!(again["seed"], json!(5));
}

/// A player who gives up when the stock would only show the same cards has played a barren game, not resigned.
#[test]
fn giving_up_where_nothing_new_comes_is_barren() {
    let folder = folder();
    let here = folder.path();
    let text = good(&["replay", "canfield", "-s", "./tired.rhai", "--game", "0..60", "--json"], here);
    let checked = run_with(&["check", "-"], here, &text);
    assert_eq!(checked.code, Some(0), "{}", checked.out);
    let lines = objects(&text);
    let ends = |end: &str| lines.iter().filter(|line| line["end"] == end).count();
    assert!(ends("barren") > 0 && ends("resigned") > 0, "{} {}", ends("barren"), ends("resigned"));
    for line in lines {
        let other = if line["end"] == "barren" { "resigned" } else { "barren" };
        let words = format!("it says `{other}`");
        all_refused(&[(other.to_string(), with(&line, "end", json!(other)), words)], here);
    }
}

fn mutations_of_answer(line: &Object, die: bool) -> Vec<(String, String, String)> {
    let mut cases = Vec::new();
    misshapen(line, &mut cases);
    let mut case = |what: &str, line: String, words: &str| cases.push((what.into(), line, words.into()));
    let verdict = line["verdict"].as_str().unwrap();
    let cards = line["cards"].as_u64().unwrap();
    let moves = line.get("moves").and_then(Value::as_str);
    for other in ["won", "lost", "unknown"].into_iter().filter(|other| *other != verdict) {
        case("another verdict", with(line, "verdict", json!(other)), "");
        let mut changed: Object = line.clone();
        changed.insert("verdict".into(), json!(other));
        match other {
            "unknown" => drop(changed.insert("limit".into(), json!("nodes"))),
            _ => drop(changed.remove("limit")),
        }
        // Such claims as an upper bound, or that not all cards can go up, cannot be verified from the record.
        if verdict == "won" || other == "won" {
            let text = serde_json::to_string(&changed).unwrap();
            case("another verdict that fits its limit", text, "");
        }
    }
    match verdict {
        "unknown" => {
            case("no limit", without(line, "limit"), "`limit` is missing");
            case("no such limit", with(line, "limit", json!("tired")), "unknown variant `tired`");
            case("no bound", without(line, "cards_at_most"), "`cards_at_most` is missing");
        }
        _ => case("a limit", with(line, "limit", json!("nodes")), "that `nodes` ended the search"),
    }
    case("all cards and more", with(line, "cards", json!(53)), "53 cards");
    case("no cards", with(line, "cards", json!(0)), "but the deal puts 1 up");
    if verdict != "won" {
        case("all cards", with(line, "cards", json!(52)), "");
        case("more than there are", with(line, "cards_at_most", json!(53)), "at most 53 cards");
        case("no more than there are", with(line, "cards_at_most", json!(cards)), "at most");
        case("fewer than came up", with(line, "cards_at_most", json!(0)), "at most 0 cards");
    }
    if verdict == "lost" {
        case("lost, but all might", with(line, "cards_at_most", json!(52)), "all 52 cards might come up");
    }
    if let Some(moves) = moves {
        case("a card more", with(line, "cards", json!(cards + 1)), "cards");
        case("a card less", with(line, "cards", json!(cards - 1)), "");
        case("a move more", with(line, "moves", json!(format!("{moves} T9>F"))), "`T9>F`");
        case("a move less", with(line, "moves", json!(moves.rsplit_once(' ').unwrap().0)), "");
        if verdict == "won" {
            case("another deck", swapped(line, 12, 13), "");
        }
    }
    case("less than no time", with(line, "seconds", json!(-0.5)), "-0.5 seconds");
    case("half a node", with(line, "nodes", json!(0.5)), "invalid type");
    if die {
        let face = line["face"].as_u64().unwrap();
        case("no face", without(line, "face"), "`face` is missing");
        case("a seventh face", with(line, "face", json!(7)), "has faces 1 to 6");
        case("face 0", with(line, "face", json!(0)), "has faces 1 to 6");
        if moves.is_some() {
            case("another face", with(line, "face", json!(face % 6 + 1)), "its moves begin with");
        }
    } else {
        case("a face", with(line, "face", json!(1)), "no die is rolled");
    }
    case("rules without answers", with(line, "rules", json!("exorcism-die-draw")), "no deal of these rules");
    cases
}

#[test]
fn answers_changed_into_something_false_are_refused() {
    let folder = folder();
    let here = folder.path();
    for (rules, goal, n) in [
        ("canfield", "win", "12"),
        ("canfield", "cards", "6"),
        ("single-pass", "cards", "6"),
        ("exorcism-die-game", "cards", "1"),
    ] {
        let args =
            ["solve", rules, "-n", n, "--goal", goal, "--nodes", "3000", "--memory", "16MiB", "--json"];
        let text = good(&args, here);
        let checked = run_with(&["check", "-"], here, &text);
        assert_eq!(checked.code, Some(0), "{}", checked.out);
        for line in objects(&text) {
            all_refused(&mutations_of_answer(&line, rules == "exorcism-die-game"), here);
        }
    }
}
