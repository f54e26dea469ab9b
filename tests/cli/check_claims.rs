//! `saratoga check` accepts the program's output, and rejects every falsified version of it.

use serde_json::{Value, json};

use crate::common::program::{DECK, Lab, lines};

/// Takes a look, and stops at the first draw.
const TIMID: &str = "fn score(view, m) { if m.to_foundation { 2 } else { 1 } }\n\
                     fn stage(view, at, cost) { at == \"deal\" || at == \"first-look\" }\n";
const SHUFFLED: &str =
    "name = \"Shuffled\"\nextends = \"canfield\"\n[stock]\nredeals = 2\non_redeal = \"shuffle\"\n";

fn lab() -> Lab {
    let house = "name = \"House\"\nextends = \"canfield\"\n";
    Lab::with(&[("timid.rhai", TIMID), ("shuffled.toml", SHUFFLED), ("house.toml", house)])
}

/// False versions of a line, each with words of its fault.
struct Lies<'a> {
    truth: &'a Value,
    told: Vec<(String, String)>,
}

impl Lies<'_> {
    /// Begins with lines of an entirely wrong form.
    fn about(truth: &Value) -> Lies<'_> {
        let mut lies = Lies { truth, told: Vec::new() };
        let text = truth.to_string();
        for (key, value) in truth.as_object().unwrap() {
            lies.tell(format!("{{\"{key}\":{value},{}", &text[1..]), format!("duplicate field `{key}`"));
            if !value.is_number() {
                lies.set(key, 7, "");
                continue;
            }
            for number in ["NaN", "1e999", "99999999999999999999999"] {
                if key != "seconds" || number.len() < 9 {
                    let line = text.replace(&format!("\"{key}\":{value}"), &format!("\"{key}\":{number}"));
                    lies.tell(line, "this is not a valid ");
                }
            }
            lies.set(key, -1, "");
            lies.set(key, "7", "invalid type");
        }
        lies.set("note", "x", "unknown field `note`");
        lies
    }

    fn tell(&mut self, line: String, words: impl Into<String>) {
        self.told.push((line, words.into()));
    }

    /// Adds a line with some fields changed, and those that become null left out.
    fn change(&mut self, fields: &[(&str, Value)], words: &str) {
        let mut line = self.truth.as_object().unwrap().clone();
        line.extend(fields.iter().map(|(key, value)| (key.to_string(), value.clone())));
        line.retain(|_, value| !value.is_null());
        self.tell(Value::from(line).to_string(), words);
    }

    fn set(&mut self, key: &str, value: impl Into<Value>, words: &str) {
        self.change(&[(key, value.into())], words);
    }

    /// Adds a line with two cards of the deck swapped.
    fn swap(&mut self, a: usize, b: usize, words: &str) {
        let mut cards: Vec<&str> = self.truth["deck"].as_str().unwrap().split(' ').collect();
        cards.swap(a, b);
        self.set("deck", cards.join(" "), words);
    }

    fn number(&self, key: &str) -> Option<i64> {
        self.truth[key].as_i64()
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

fn accepted(lab: &Lab, line: &str) -> Vec<Value> {
    let text = lab.good(line);
    let checked = lab.run_with("check -", &text);
    assert_eq!(checked.code, Some(0), "{line}: {}", checked.out);
    lines(&text)
}

/// What is false in the moves, the end or the cards is tried in `tests/scripts/property/records.rs`.
fn lies_about_a_game(truth: &Value) -> Lies<'_> {
    let mut lies = Lies::about(truth);
    let moves = truth["moves"].as_str().unwrap();
    if let Some(seed) = lies.number("seed") {
        lies.set("seed", seed + 1, "is not the one that seed");
        lies.set("game", lies.number("game").unwrap() + 1, "as game");
        lies.set("chance", seed, "a `seed` and a `chance`");
        lies.swap(20, 40, "is not the one that seed");
    }
    if let Some(seed) = lies.number("chance").filter(|_| moves.contains("roll:")) {
        // Six faces agree by chance: this seed differs.
        lies.set("chance", seed + 8, "the seed");
        lies.change(&[("chance", Value::Null), ("seed", seed.into())], "deck");
    }
    if let Some((before, after)) = moves.split_once("roll:") {
        let face = after[..1].parse::<u8>().unwrap() % 6 + 1;
        lies.set("moves", format!("{before}roll:{face}{}", &after[1..]), "is not what the seed rolls");
    }
    if let Some((before, after)) = moves.split_once("shuffle:") {
        let other = format!("{before}shuffle:{},{}{}", &after[3..5], &after[..2], &after[5..]);
        lies.set("moves", other, "is not how the seed shuffles");
    }
    lies.set("rules", "no-such-rules", "no-such-rules");
    let card = &truth["deck"].as_str().unwrap()[..2];
    lies.set("deck", format!("{card} {card}"), "the deck: ");
    if let Some(staked) = lies.number("staked") {
        lies.set("staked", staked + 1, "cents were staked");
        lies.set("staked", staked - 100, "cents were staked");
    } else {
        lies.set("staked", 5200, "the rules have no stages");
    }
    for at in ["deal", "first-look", "first-draw", "pass", "unknown-card"] {
        if truth["stopped"] != at {
            lies.set("stopped", at, "");
        }
    }
    lies
}

/// Records of greedy and of a player who stops; of dice, shuffles, several packs, stages of a stake, and a given deck.
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

/// A given deck is recorded truthfully: its seed is that of the chance, unless it is the deck of the seed.
#[test]
fn a_deck_that_was_given_is_not_told_as_dealt() {
    let lab = lab();
    let one = |options: &str| {
        let record = lab.json(&format!("replay {options} --seed 5"));
        (record["seed"].clone(), record["chance"].clone(), record["deck"].clone())
    };
    let given = one(&format!("exorcism-die-pass --deck '{DECK}'"));
    assert_eq!((given.0, given.1), (json!(null), json!(5)));
    let dealt = one("canfield");
    assert_eq!((&dealt.0, &dealt.1), (&json!(5), &json!(null)));
    assert_eq!(one(&format!("canfield --deck {}", dealt.2)), dealt);
}

fn lies_about_an_answer(truth: &Value, die: bool) -> Lies<'_> {
    let mut lies = Lies::about(truth);
    let (verdict, cards) = (truth["verdict"].as_str().unwrap(), lies.number("cards").unwrap());
    for other in ["won", "lost", "unknown"].into_iter().filter(|other| *other != verdict) {
        lies.set("verdict", other, "");
        // Such claims as an upper bound, or that not all cards can go up, cannot be verified from the record.
        if verdict == "won" || other == "won" {
            let limit = if other == "unknown" { json!("nodes") } else { Value::Null };
            lies.change(&[("verdict", other.into()), ("limit", limit)], "");
        }
    }
    if verdict == "unknown" {
        lies.set("limit", Value::Null, "`limit` is missing");
        lies.set("limit", "tired", "unknown variant `tired`");
        lies.set("cards_at_most", Value::Null, "`cards_at_most` is missing");
    } else {
        lies.set("limit", "nodes", "that `nodes` ended the search");
    }
    lies.set("cards", 53, "53 cards");
    lies.set("cards", 0, "but the deal puts 1 up");
    if verdict != "won" {
        lies.set("cards", 52, "");
        for (most, words) in [(53, "at most 53 cards"), (cards, "at most"), (0, "at most 0 cards")] {
            lies.set("cards_at_most", most, words);
        }
    }
    if verdict == "lost" {
        lies.set("cards_at_most", 52, "all 52 cards might come up");
    }
    if let Some(moves) = truth["moves"].as_str() {
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
        lies.set("face", Value::Null, "`face` is missing");
        lies.set("face", 7, "has faces 1 to 6");
        lies.set("face", 0, "has faces 1 to 6");
        if !truth["moves"].is_null() {
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
        "./house.toml -n 2 --goal cards",
        "single-pass -n 3 -s greedy -s hoarder",
    ] {
        let told = accepted(&lab, &format!("solve {options} --nodes 3000 --memory 16MiB --json"));
        // Strategies have lines of their own.
        let (players, answers): (Vec<_>, Vec<_>) =
            told.into_iter().partition(|it| it["strategy"].is_string());
        assert_eq!(players.len(), options.matches("-s ").count());
        for answer in answers {
            assert!(options.starts_with(answer["rules"].as_str().unwrap()), "{answer}");
            lies_about_an_answer(&answer, options.contains("die")).are_refused(&lab);
        }
    }
}
