//! `saratoga check` accepts the program's output, and rejects every falsified version of it.

use serde_json::{Map, Value, json};

use crate::common::program::{DECK, Lab, lines};

/// Takes a look, and stops at the first draw.
const TIMID: &str = "fn score(view, m) { if m.to_foundation { 2 } else { 1 } }\n\
                     fn stage(view, at, cost) { at == \"deal\" || at == \"first-look\" }\n";
/// Gives up after two passes, whether they led anywhere or not.
const TIRED: &str = "fn score(view, m) { if m.to_foundation { 2 } \
                     else if m.from_tableau || m.is_redeal && view.pass > 2 { -1 } else { 1 } }\n";
const SHUFFLED: &str =
    "name = \"Shuffled\"\nextends = \"canfield\"\n[stock]\nredeals = 2\non_redeal = \"shuffle\"\n";

fn lab() -> Lab {
    Lab::with(&[("timid.rhai", TIMID), ("tired.rhai", TIRED), ("shuffled.toml", SHUFFLED)])
}

/// False versions of a line, each with words of its fault.
struct Lies<'a> {
    truth: &'a Map<String, Value>,
    told: Vec<(String, String)>,
}

impl Lies<'_> {
    fn tell(&mut self, line: String, words: impl Into<String>) {
        self.told.push((line, words.into()));
    }

    /// Adds a line with one field changed.
    fn set(&mut self, key: &str, value: impl Into<Value>, words: impl Into<String>) {
        let mut line = self.truth.clone();
        line.insert(key.into(), value.into());
        self.tell(Value::from(line).to_string(), words);
    }

    fn unset(&mut self, key: &str, words: &str) {
        let mut line = self.truth.clone();
        line.remove(key);
        self.tell(Value::from(line).to_string(), words);
    }

    /// Adds a line with two cards of the deck swapped.
    fn swap(&mut self, a: usize, b: usize, words: &str) {
        let mut cards: Vec<&str> = self.text("deck").split(' ').collect();
        cards.swap(a, b);
        self.set("deck", cards.join(" "), words);
    }

    fn text(&self, key: &str) -> &str {
        self.truth[key].as_str().unwrap()
    }

    fn number(&self, key: &str) -> Option<i64> {
        self.truth.get(key).and_then(Value::as_i64)
    }

    /// Adds lines of an entirely wrong form.
    fn misshape(&mut self) {
        let text = Value::from(self.truth.clone()).to_string();
        for (key, value) in self.truth.clone() {
            self.tell(format!("{{\"{key}\":{value},{}", &text[1..]), format!("duplicate field `{key}`"));
            if !value.is_number() {
                self.set(&key, 7, "");
                continue;
            }
            for number in ["NaN", "1e999", "99999999999999999999999"] {
                if key != "seconds" || number.len() < 9 {
                    let line = text.replace(&format!("\"{key}\":{value}"), &format!("\"{key}\":{number}"));
                    self.tell(line, "this is not a valid ");
                }
            }
            self.set(&key, -1, "");
            self.set(&key, "7", "invalid type");
        }
        self.set("note", "x", "unknown field `note`");
    }

    /// Every one is rejected, and its fault contains the given words and is located in the line.
    fn are_refused(self, lab: &Lab) {
        let text: String = self.told.iter().map(|(line, _)| format!("{line}\n")).collect();
        let ran = lab.run_with("check - --json", &text);
        let found = lines(&ran.out);
        assert_eq!((ran.code, found.len()), (Some(2), self.told.len()), "{}", ran.err);
        for ((line, words), found) in self.told.iter().zip(found) {
            assert_eq!(found["good"], false, "{line}");
            let message = found["fault"]["message"].as_str().unwrap();
            assert!(message.contains(words), "`{words}` is not in `{message}`: {line}");
            let column = found["fault"]["column"].as_u64().unwrap() as usize;
            assert!((1..=line.chars().count() + 1).contains(&column), "column {column} of {line}");
        }
    }
}

/// Checks output that is true, and returns its lines.
fn accepted(lab: &Lab, line: &str) -> Vec<Map<String, Value>> {
    let text = lab.good(line);
    let checked = lab.run_with("check -", &text);
    assert_eq!(checked.code, Some(0), "{line}: {}", checked.out);
    lines(&text).into_iter().map(|it| it.as_object().unwrap().clone()).collect()
}

fn lies_about_a_game(truth: &Map<String, Value>) -> Lies<'_> {
    let mut lies = Lies { truth, told: Vec::new() };
    lies.misshape();
    let (end, moves) = (lies.text("end").to_string(), lies.text("moves").to_string());
    for other in ["won", "blocked", "barren", "repeated", "resigned", "runaway"] {
        if other != end {
            lies.set("end", other, "");
        }
    }
    for cards in
        [-1, 1, 1000].map(|more| lies.number("cards").unwrap() + more).into_iter().filter(|&n| n >= 0)
    {
        lies.set("cards", cards, "cards, but there are");
    }
    if let Some(seed) = lies.number("seed") {
        lies.set("seed", seed + 1, "is not the one that seed");
        lies.set("game", lies.number("game").unwrap() + 1, "as game");
        lies.set("chance", seed, "a `seed` and a `chance`");
        lies.swap(20, 40, "is not the one that seed");
    }
    if let Some(seed) = lies.number("chance").filter(|_| moves.contains("roll:")) {
        // Six faces agree by chance: this seed differs.
        lies.set("chance", seed + 8, "the seed");
        let mut dealt = truth.clone();
        dealt.remove("chance");
        dealt.insert("seed".into(), seed.into());
        lies.tell(Value::from(dealt).to_string(), "deck");
    }
    if let Some(at) = moves.find("roll:") {
        let face: u8 = moves[at + 5..at + 6].parse().unwrap();
        let other = format!("{}roll:{}{}", &moves[..at], face % 6 + 1, &moves[at + 6..]);
        lies.set("moves", other, "is not what the seed rolls");
    }
    if let Some(at) = moves.find("shuffle:") {
        let (first, second) = (&moves[at + 8..at + 10], &moves[at + 11..at + 13]);
        let other = format!("{}{second},{first}{}", &moves[..at + 8], &moves[at + 13..]);
        lies.set("moves", other, "is not how the seed shuffles");
    }
    lies.set("moves", format!("{moves} T9>F"), "`T9>F`");
    lies.set("moves", format!("{moves} redeal draw"), "");
    if let Some((fewer, _)) = moves.rsplit_once(' ') {
        lies.set("moves", fewer, "");
    }
    lies.set("rules", "no-such-rules", "no-such-rules");
    let card = lies.text("deck")[..2].to_string();
    lies.set("deck", format!("{card} {card}"), "the deck: ");
    if let Some(staked) = lies.number("staked") {
        lies.set("staked", staked + 1, "cents were staked");
        lies.set("staked", staked - 100, "cents were staked");
    } else {
        lies.set("staked", 5200, "the rules have no stages");
    }
    for at in ["deal", "first-look", "first-draw", "pass", "unknown-card"] {
        if truth.get("stopped") != Some(&json!(at)) {
            lies.set("stopped", at, "");
        }
    }
    lies
}

/// Records of greedy and of players who stop or give up; of dice, shuffles, several packs, stages of a stake, and a
/// given deck.
#[test]
fn records_changed_into_something_false_are_refused() {
    let lab = lab();
    for options in [
        "canfield --game 0..4",
        "klondike --game 0..2 --seed 9",
        "exorcism-die-pass",
        "exorcism-die-draw",
        "exorcism-die-game",
        "./shuffled.toml",
        "double-canfield",
        "bsd --game 0..2",
        "bsd -s ./timid.rhai",
        &format!("exorcism-die-pass --deck '{DECK}' --seed 2"),
    ] {
        for line in accepted(&lab, &format!("replay --json {options}")) {
            lies_about_a_game(&line).are_refused(&lab);
        }
    }
}

/// A given deck is recorded truthfully: its seed is that of the chance.
#[test]
fn a_deck_that_was_given_is_not_told_as_dealt() {
    let lab = lab();
    let one = |options: &str| lab.json(&format!("replay {options}"));
    let given = one(&format!("exorcism-die-pass --deck '{DECK}' --seed 5"));
    assert_eq!((given.get("seed"), &given["chance"]), (None, &json!(5)));
    let dealt = one("canfield --seed 5");
    assert_eq!((&dealt["seed"], dealt.get("chance")), (&json!(5), None));
    // A given deck that equals that of the seed is recorded as such.
    assert_eq!(one(&format!("canfield --seed 5 --deck {}", dealt["deck"]))["seed"], json!(5));
}

/// A player who gives up when the stock would only show the same cards has played a barren game, not resigned.
#[test]
fn giving_up_where_nothing_new_comes_is_barren() {
    let lab = lab();
    let games = accepted(&lab, "replay canfield -s ./tired.rhai --game 0..60 --json");
    let ends = |end: &str| games.iter().filter(|line| line["end"] == end).count();
    assert!(ends("barren") > 0 && ends("resigned") > 0, "{} {}", ends("barren"), ends("resigned"));
    for line in games {
        let other = if line["end"] == "barren" { "resigned" } else { "barren" };
        let mut lie = Lies { truth: &line, told: Vec::new() };
        lie.set("end", other, format!("it says `{other}`"));
        lie.are_refused(&lab);
    }
}

fn lies_about_an_answer(truth: &Map<String, Value>, die: bool) -> Lies<'_> {
    let mut lies = Lies { truth, told: Vec::new() };
    lies.misshape();
    let (verdict, cards) = (lies.text("verdict").to_string(), lies.number("cards").unwrap());
    for other in ["won", "lost", "unknown"].into_iter().filter(|other| *other != verdict) {
        lies.set("verdict", other, "");
        // Such claims as an upper bound, or that not all cards can go up, cannot be verified from the record.
        if verdict == "won" || other == "won" {
            let mut line = truth.clone();
            line.insert("verdict".into(), json!(other));
            match other {
                "unknown" => drop(line.insert("limit".into(), json!("nodes"))),
                _ => drop(line.remove("limit")),
            }
            lies.tell(Value::from(line).to_string(), "");
        }
    }
    if verdict == "unknown" {
        lies.unset("limit", "`limit` is missing");
        lies.set("limit", "tired", "unknown variant `tired`");
        lies.unset("cards_at_most", "`cards_at_most` is missing");
    } else {
        lies.set("limit", "nodes", "that `nodes` ended the search");
    }
    lies.set("cards", 53, "53 cards");
    lies.set("cards", 0, "but the deal puts 1 up");
    if verdict != "won" {
        lies.set("cards", 52, "");
        lies.set("cards_at_most", 53, "at most 53 cards");
        lies.set("cards_at_most", cards, "at most");
        lies.set("cards_at_most", 0, "at most 0 cards");
    }
    if verdict == "lost" {
        lies.set("cards_at_most", 52, "all 52 cards might come up");
    }
    if let Some(moves) = truth.get("moves").and_then(Value::as_str) {
        lies.set("cards", cards + 1, "cards");
        lies.set("cards", cards - 1, "");
        lies.set("moves", format!("{moves} T9>F"), "`T9>F`");
        lies.set("moves", moves.rsplit_once(' ').unwrap().0, "");
        if verdict == "won" {
            lies.swap(12, 13, "");
        }
    }
    lies.set("seconds", -0.5, "-0.5 seconds");
    lies.set("nodes", 0.5, "invalid type");
    if die {
        lies.unset("face", "`face` is missing");
        lies.set("face", 7, "has faces 1 to 6");
        lies.set("face", 0, "has faces 1 to 6");
        if truth.contains_key("moves") {
            lies.set("face", lies.number("face").unwrap() % 6 + 1, "its moves begin with");
        }
    } else {
        lies.set("face", 1, "no die is rolled");
    }
    lies.set("rules", "exorcism-die-draw", "no deal of these rules");
    lies
}

#[test]
fn answers_changed_into_something_false_are_refused() {
    let lab = lab();
    for options in [
        "canfield -n 12 --goal win",
        "canfield -n 6 --goal cards",
        "single-pass -n 6 --goal cards",
        "exorcism-die-game -n 1 --goal cards",
    ] {
        for line in accepted(&lab, &format!("solve {options} --nodes 3000 --memory 16MiB --json")) {
            lies_about_an_answer(&line, options.contains("die")).are_refused(&lab);
        }
    }
}
