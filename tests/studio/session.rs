//! A game played through the page's requests.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use saratoga::rules;
use saratoga::session::{Dealt, Session};
use serde_json::{Value, json};

use crate::client::Studio;
use crate::studio;

const CANFIELD: &str = "extends = \"canfield\"\n";

fn asked(text: &str, game: u64, choices: &[String]) -> Value {
    json!({ "name": "mine.toml", "text": text, "seed": "7", "game": game, "choices": choices })
}

/// Plays a whole game by the hints of a strategy; returns the choices and every state.
fn play(studio: &Studio, text: &str, game: u64) -> (Vec<String>, Vec<Value>) {
    let (mut choices, mut states) = (Vec::new(), Vec::new());
    loop {
        let state = studio.post("/api/table", &asked(text, game, &choices)).json();
        let over = !state["over"].is_null();
        states.push(state);
        if over {
            return (choices, states);
        }
        let mut body = asked(text, game, &choices);
        body["strategy"] = json!("greedy");
        let hint = studio.post("/api/hint", &body).json();
        let word = hint["choice"].as_str().map(str::to_string);
        choices.push(word.unwrap_or_else(|| "resign".into()));
    }
}

#[test]
fn a_game_by_requests_is_the_engines_game() {
    let (_dir, studio) = studio();
    let (choices, states) = play(&studio, CANFIELD, 3);
    let loaded = rules::load("canfield").unwrap();
    let mut session = Session::new(Dealt::of_seed("./mine.toml", loaded.rules, 7, 3));
    let told = |session: &Session| serde_json::to_value(session.state()).unwrap();
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
    let mut body = asked(CANFIELD, 3, &[]);
    body["strategy"] = json!("greedy");
    let steps = studio.post("/api/watch", &body).events();
    let words: Vec<String> =
        steps.iter().map(|it| it["step"]["word"].as_str().unwrap().to_string()).collect();
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
    let review = studio.post("/api/review", &asked(CANFIELD, 3, &words)).events().pop().unwrap();
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
    let mut body = asked(CANFIELD, 3, &[]);
    body["strategy"] = json!("search:level=4");
    let asking: Vec<_> = (0..40).map(|_| studio.ask("/api/hint", &body)).collect();
    let begin = Instant::now();
    assert_eq!(studio.get("/table").status, 200);
    assert_eq!(studio.post("/api/table", &asked(CANFIELD, 3, &[])).status, 200);
    let served = begin.elapsed();
    // Nobody waits for these, which have not started: so another is asked soon.
    drop(asking);
    assert_eq!(studio.post("/api/hint", &body).status, 200);
    assert!(begin.elapsed() > 2 * served, "{served:?} of {:?}", begin.elapsed());
}

/// A strategy whose page has gone away stops thinking, so that others can.
#[test]
fn who_is_no_longer_asked_stops_thinking() {
    let (_dir, studio) = studio();
    // The stock is known by then, and it would think for a minute.
    let known: Vec<String> = ["draw"; 8].into_iter().chain(["redeal"]).map(str::to_string).collect();
    let mut deep = asked("extends = \"klondike\"\n", 3, &known);
    deep["strategy"] = json!("search:level=5,worlds=100,judged=200,nodes=200000,ways=5000");
    let mut quick = asked(CANFIELD, 3, &[]);
    quick["steps"] = json!(1);
    // As many of each as there is room for.
    for (path, room) in [("/api/hint", 2), ("/api/watch", 16)] {
        let asking: Vec<_> = (0..room).map(|_| studio.ask(path, &deep)).collect();
        // They have started.
        std::thread::sleep(Duration::from_millis(1_000));
        drop(asking);
        let begin = Instant::now();
        assert_eq!(studio.post(path, &quick).status, 200);
        assert!(begin.elapsed() < Duration::from_secs(20), "{path}: {:?}", begin.elapsed());
    }
    deep["strategy"] = json!("search:nodes=10000000");
    let refused = studio.post("/api/hint", &deep);
    assert!(
        refused.status == 422 && refused.text().contains("`nodes` is at most 200000"),
        "{}",
        refused.text()
    );
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
    let rules = rules::load("canfield").unwrap().rules;
    for game in 0..3 {
        let dealt = Dealt::of_seed("./mine.toml", rules.clone(), 7, game);
        let deck = dealt.deck().to_string();
        let order: Vec<&str> = deck.split_whitespace().collect();
        let (choices, states) = play(&studio, CANFIELD, game);
        // By hand: the reserve's top, the base card, the piles; then packets of three, and what the reserve uncovers.
        let mut seen: BTreeSet<String> = order[12..18].iter().map(|card| card.to_string()).collect();
        let (mut turned, mut reserve) = (18, 13);
        let mut first_pass = true;
        for (at, state) in states.iter().enumerate() {
            if at > 0 {
                match &*choices[at - 1] {
                    "draw" if first_pass && state["made"][at - 1]["ended"] == false => {
                        let end = (turned + 3).min(order.len());
                        seen.extend(order[turned..end].iter().map(|card| card.to_string()));
                        turned = end;
                    }
                    "redeal" => first_pass = false,
                    _ => {}
                }
            }
            let left = state["seen"]["reserve_left"].as_u64().unwrap() as usize;
            while reserve > left {
                reserve -= 1;
                if reserve > 0 {
                    seen.insert(order[reserve - 1].to_string());
                }
            }
            let body = asked(CANFIELD, game, &choices[..at]);
            let mut hint = body.clone();
            hint["strategy"] = json!("patient");
            let traffic = [
                state.to_string(),
                if state["over"].is_null() { studio.post("/api/hint", &hint).text() } else { String::new() },
            ];
            for text in &traffic {
                let hidden: Vec<_> = cards(text).difference(&seen).cloned().collect();
                assert!(hidden.is_empty(), "game {game}, after {at} choices: {hidden:?} in {text}");
            }
            // The record, which reveals every card, is available only at the end.
            if state["over"].is_null() && at % 20 == 0 {
                assert_eq!(studio.post("/api/record", &body).status, 422);
                let review = studio.post("/api/review", &body).events();
                assert!(review[0]["failed"].is_string() && cards(&review[0].to_string()).is_empty());
            }
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
        let early = studio.post("/api/lost", &asked(text, game, &choices[..3])).events().pop().unwrap();
        assert!(early["failed"].as_str().unwrap().contains("once it is over"), "{early}");
        let told = studio.post("/api/lost", &asked(text, game, &choices)).events().pop().unwrap();
        let searched = &told["searched"];
        assert!(searched["decisions"].as_u64().unwrap() > 0, "{told}");
        let mean = |it: &Value| it["cards"].as_f64().unwrap() / it["deals"].as_f64().unwrap();
        for fell in [&searched["first"], &searched["worst"]].into_iter().filter(|it| !it.is_null()) {
            let after = fell["after"].as_u64().unwrap() as usize;
            assert_eq!(fell["by"], choices[after], "{fell}");
            assert!(mean(&fell["best"]) - mean(&fell["got"]) >= 1.0, "{fell}");
            // A hint says the same.
            let mut body = asked(text, game, &choices[..after]);
            body["strategy"] = told["by"].clone();
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
