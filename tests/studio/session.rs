//! A game played through the page's requests.

use std::collections::BTreeSet;
use std::io::{BufReader, ErrorKind};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use saratoga::rules;
use saratoga::session::{Dealt, Session};
use serde_json::{Value, json};

use crate::client::Studio;
use crate::program::has;
use crate::{CANFIELD, studio};

fn asked(text: &str, game: u64, choices: &[String]) -> Value {
    json!({ "name": "mine.toml", "text": text, "seed": "7", "game": game, "choices": choices })
}

fn by(strategy: impl Into<Value>, mut body: Value) -> Value {
    body["strategy"] = strategy.into();
    body
}

/// Plays a whole game by the hints of a strategy; returns the choices and every state.
fn play(studio: &Studio, text: &str, game: u64) -> (Vec<String>, Vec<Value>) {
    let (mut choices, mut states) = (Vec::new(), Vec::new());
    loop {
        let body = asked(text, game, &choices);
        states.push(studio.post("/api/table", &body).json());
        if !states[choices.len()]["over"].is_null() {
            return (choices, states);
        }
        let hint = studio.post("/api/hint", &by("greedy", body)).json();
        choices.push(hint["choice"].as_str().unwrap_or("resign").to_string());
    }
}

/// Returns a session of the engine for the same deal.
fn session(game: u64) -> Session {
    Session::new(Dealt::of_seed("./mine.toml", rules::load("canfield").unwrap().rules, 7, game))
}

fn told(session: &Session) -> Value {
    serde_json::to_value(session.state()).unwrap()
}

#[test]
fn a_game_by_requests_is_the_engines_game() {
    let (_dir, studio) = studio();
    let (choices, states) = play(&studio, CANFIELD, 3);
    let mut session = session(3);
    let place = |state: &Value| (state["seen"].clone(), state["moves"].clone(), state["money"].clone());
    for (word, state) in choices.iter().zip(&states) {
        assert_eq!(place(&told(&session)), place(state));
        session.play_to_the_end(word).unwrap();
    }
    assert_eq!(told(&session)["over"], states.last().unwrap()["over"]);
    // Undo means requesting with fewer choices: every byte of the view is the same.
    for at in [choices.len() - 1, choices.len() / 2, 0] {
        let again = studio.post("/api/table", &asked(CANFIELD, 3, &choices[..at])).json();
        assert_eq!(again, states[at]);
    }
}

#[test]
fn a_strategy_that_is_watched_plays_as_it_does_alone() {
    let (dir, studio) = studio();
    let steps = studio.post("/api/watch", &by("greedy", asked(CANFIELD, 3, &[]))).events();
    let words: Vec<String> = steps.iter().map(|it| it["step"]["word"].as_str().unwrap().into()).collect();
    // The baseline strategy has no memory, so its hints are its game.
    assert_eq!(words, play(&studio, CANFIELD, 3).0);
    // It names the file, which must have the rules that were played.
    for text in [None, Some("extends = \"demon-casino\"\n")] {
        if let Some(text) = text {
            dir.write("mine.toml", text);
        }
        let refused = studio.post("/api/record", &asked(CANFIELD, 3, &words));
        assert!(refused.status == 409 && refused.text().contains("mine.toml"), "{}", refused.text());
    }
    dir.write("mine.toml", CANFIELD);
    let record = studio.post("/api/record", &asked(CANFIELD, 3, &words)).json();
    dir.write("game.jsonl", format!("{}\n", record["record"]));
    dir.good("check game.jsonl");
    let review = studio.post("/api/review", &asked(CANFIELD, 3, &words)).last();
    let line: Vec<String> = serde_json::from_value(review["review"]["line"].clone()).unwrap();
    let best = studio.post("/api/table", &asked(CANFIELD, 3, &line)).json();
    assert_eq!(best["seen"]["cards"], review["review"]["best"]["cards"], "{review}");
}

#[test]
fn a_strategy_that_is_watched_keeps_its_pace() {
    let (_dir, studio) = studio();
    let mut body = asked(CANFIELD, 3, &[]);
    (body["pace"], body["steps"]) = (json!(300), json!(3));
    let begin = Instant::now();
    assert_eq!(studio.post("/api/watch", &body).events().len(), 3);
    assert!(begin.elapsed() >= Duration::from_millis(600));
    // A game that nobody watches makes room for others at once.
    (body["pace"], body["steps"]) = (json!(9_000), Value::Null);
    drop((0..16).map(|_| studio.begin("/api/watch", &body)).collect::<Vec<_>>());
    body["steps"] = json!(1);
    assert_eq!(studio.post("/api/watch", &body).events().len(), 1);
}

/// However many requests ask a slow strategy, pages are served meanwhile.
#[test]
fn pages_do_not_wait_for_players_who_think() {
    let (_dir, studio) = studio();
    let body = by("search:level=4", asked(CANFIELD, 3, &[]));
    let asking: Vec<_> = (0..40).map(|_| studio.ask("/api/hint", &body)).collect();
    assert_eq!(studio.get("/table").status, 200);
    assert_eq!(studio.post("/api/table", &asked(CANFIELD, 3, &[])).status, 200);
    let open = |stream: &&BufReader<TcpStream>| {
        stream.get_ref().set_nonblocking(true).unwrap();
        stream.get_ref().peek(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    };
    assert!(asking.iter().filter(open).count() > 10, "they were answered before the pages");
    // Nobody waits for these, which have not started: so another is asked soon.
    drop(asking);
    assert_eq!(studio.post("/api/hint", &body).status, 200);
    let refused = studio.post("/api/hint", &by("search:nodes=10000000", body));
    assert_eq!(refused.status, 422);
    has(&refused.text(), "`nodes` is at most 200000");
}

#[test]
fn a_name_that_turns_the_line_round_is_shown_as_what_it_is() {
    let (_dir, studio) = studio();
    let text = format!("name = \"a\\u202eb\"\n{CANFIELD}");
    assert_eq!(studio.post("/api/table", &asked(&text, 0, &[])).json()["deal"]["title"], "a\\u202eb");
}

/// Returns every word of a text that is a card.
fn cards(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let card = |word: &&str| {
        let word = word.as_bytes();
        word.len() == 2 && b"A23456789TJQK".contains(&word[0]) && b"CDHS".contains(&word[1])
    };
    words.filter(card).map(str::to_string).collect()
}

#[test]
fn no_hidden_card_is_sent_before_it_turns_up() {
    let (_dir, studio) = studio();
    for game in 0..3 {
        let (choices, states) = play(&studio, CANFIELD, game);
        // What the engine shows is no more than was seen: see `tests/engine/session.rs`.
        let (mut session, mut seen) = (session(game), BTreeSet::new());
        for (at, state) in states.iter().enumerate() {
            seen.extend(cards(&told(&session).to_string()));
            let body = asked(CANFIELD, game, &choices[..at]);
            let mut sent = vec![state.to_string()];
            if let Some(word) = choices.get(at) {
                sent.push(studio.post("/api/hint", &by("patient", body.clone())).text());
                session.play_to_the_end(word).unwrap();
                // The record, which reveals every card, is available only at the end.
                if at % 20 == 0 {
                    assert_eq!(studio.post("/api/record", &body).status, 422);
                    let review = studio.post("/api/review", &body).last();
                    assert!(review["failed"].is_string());
                    sent.push(review.to_string());
                }
            }
            let hidden: Vec<_> = cards(&sent.concat()).difference(&seen).cloned().collect();
            assert!(hidden.is_empty(), "game {game}, after {at} choices: {hidden:?} in {sent:?}");
        }
        assert!(seen.len() > 20);
    }
}

#[test]
fn what_is_not_legal_is_refused() {
    let (_dir, studio) = studio();
    let post = |choices: &[&str], text: &str| {
        let choices: Vec<String> = choices.iter().map(|it| it.to_string()).collect();
        studio.post("/api/table", &asked(text, 0, &choices))
    };
    for bad in ["W>F", "T9>F", "redeal", "buy", "x", "<img src=x>", ""] {
        let answer = post(&[bad], CANFIELD);
        assert_eq!(answer.status, 422, "{bad}");
        assert!(answer.text().contains("choice 1"), "{bad}: {}", answer.text());
    }
    assert_eq!(post(&["draw"], CANFIELD).status, 200);
    assert_eq!(post(&vec!["draw"; 20_000], CANFIELD).status, 422);
    assert_eq!(post(&[], "redeals = 1\n").status, 422);
    let mut deck = asked(CANFIELD, 0, &[]);
    deck["deck"] = json!("TH 7C");
    let told = studio.post("/api/table", &deck);
    assert!(told.status == 422 && told.text().contains("deck"), "{}", told.text());
    // A staged stake is bought or declined, as the casino asks.
    let staged = post(&["buy"], "extends = \"bsd\"\n").json();
    assert_eq!(staged["made"][0]["word"], "buy", "{staged}");
}

#[test]
fn the_search_tells_where_a_game_was_lost() {
    let (_dir, studio) = studio();
    let mut found = 0;
    // A die decides in the second, so clairvoyant play is not defined.
    for (text, game) in
        [(CANFIELD, 3), ("extends = \"exorcism-die-draw\"\n", 3), (CANFIELD, 4), (CANFIELD, 5)]
    {
        let (choices, _) = play(&studio, text, game);
        let early = studio.post("/api/lost", &asked(text, game, &choices[..3])).last();
        assert!(early["failed"].as_str().unwrap().contains("once it is over"), "{early}");
        let told = studio.post("/api/lost", &asked(text, game, &choices)).last();
        let searched = &told["searched"];
        assert!(searched["decisions"].as_u64().unwrap() > 0, "{told}");
        let mean = |it: &Value| it["cards"].as_f64().unwrap() / it["deals"].as_f64().unwrap();
        for fell in [&searched["first"], &searched["worst"]].into_iter().filter(|it| !it.is_null()) {
            let after = fell["after"].as_u64().unwrap() as usize;
            assert_eq!(fell["by"], choices[after], "{fell}");
            assert!(mean(&fell["best"]) - mean(&fell["got"]) >= 1.0, "{fell}");
            // A hint says the same.
            let body = by(told["by"].clone(), asked(text, game, &choices[..after]));
            let hint = studio.post("/api/hint", &body).json();
            let of = |word: &Value| {
                let moves = hint["moves"].as_array().unwrap();
                moves.iter().find(|it| it["word"] == *word).map(|it| it["expected"].clone())
            };
            assert_eq!(of(&fell["by"]).as_ref(), Some(&fell["got"]));
            assert_eq!(of(&fell["better"]).as_ref(), Some(&fell["best"]));
            found += 1;
        }
    }
    assert!(found > 0);
}
