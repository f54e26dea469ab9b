//! The fine print of the rules: every row of `tests/data/fine-print.txt`, as the engine and the plain implementation
//! both play it. The top of that file says how a row is written.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::plain::PlainGame;
use crate::plain::ends::PlainEnds;
use crate::support::layout::Layout;
use crate::support::{Told, answer, dump, legal, seen, words};
use saratoga::game::{End, Game, StrategyRng, View};
use saratoga::rules::{self, Spec};

const FILE: &str = "tests/data/fine-print.txt";

/// A game as far as it is played, and what is written of its position.
#[derive(Clone, Default)]
struct Row {
    heading: String,
    rules: String,
    with: String,
    layout: String,
    chance: String,
    moves: String,
    /// Line, key and value.
    expected: Vec<(usize, String, String)>,
}

/// The rows of the file.
fn rows(text: &str) -> Vec<Row> {
    let (mut rows, mut row) = (Vec::new(), Row::default());
    for (line, key, value) in entries(text) {
        let sets = ["==", "rules", "with", "layout", "chance", "moves"].contains(&key.as_str());
        if sets && !row.expected.is_empty() {
            rows.push(row.clone());
            row.expected.clear();
        }
        match key.as_str() {
            "==" => row = Row { heading: value, ..Row::default() },
            "rules" => row = Row { heading: row.heading, rules: value, ..Row::default() },
            "layout" => (row.layout, row.moves) = (value, String::new()),
            "with" => row.with = value,
            "chance" => row.chance = value,
            "moves" => row.moves = repeat(&value),
            _ => row.expected.push((line, key, repeat(&value))),
        }
    }
    rows.push(row);
    rows
}

/// The lines of the file as key and value; `-` is nothing, and an indented line goes on with the one above.
fn entries(text: &str) -> Vec<(usize, String, String)> {
    let mut entries: Vec<(usize, String, String)> = Vec::new();
    for (line, words) in (1..).zip(text.lines()).filter(|(_, words)| !words.starts_with('#')) {
        let trimmed = words.trim();
        if trimmed.is_empty() {
            continue;
        }
        if words.starts_with(' ') {
            let (_, _, value) = entries.last_mut().expect("a line to go on with");
            *value += &format!(" {trimmed}");
            continue;
        }
        let heading = trimmed.strip_prefix("== ").map(|heading| ("==", heading));
        let (key, value) =
            heading.or(trimmed.split_once("  ")).unwrap_or_else(|| panic!("{FILE}:{line}: no value"));
        let value = if value.trim() == "-" { "" } else { value.trim() };
        entries.push((line, key.to_string(), value.to_string()));
    }
    entries
}

/// `[draw W>F]*2 draw*3` written out.
fn repeat(text: &str) -> String {
    let mut text = text.to_string();
    while let Some(close) = text.find("]*") {
        let open = text[..close].rfind('[').expect("an opening bracket");
        let digits = text[close + 2..].chars().take_while(char::is_ascii_digit).count();
        let times = text[close + 2..close + 2 + digits].parse().unwrap();
        let inner = format!("{} ", &text[open + 1..close]).repeat(times);
        text.replace_range(open..close + 2 + digits, inner.trim_end());
    }
    let word = |word: &str| match word.split_once('*') {
        Some((word, times)) => vec![word.to_string(); times.parse().unwrap()],
        None => vec![word.to_string()],
    };
    text.split_whitespace().flat_map(word).collect::<Vec<_>>().join(" ")
}

/// The ruleset of a row. What stands before the first key is the ruleset that it extends.
fn spec(row: &Row) -> Spec {
    let (parent, keys) = match row.rules.split_once(';') {
        _ if row.rules.is_empty() => ("rules/bare.toml", ""),
        Some((name, keys)) if !name.contains('=') => (name, keys),
        None if !row.rules.contains('=') => (row.rules.as_str(), ""),
        _ => ("rules/bare.toml", row.rules.as_str()),
    };
    let keys = format!("{keys};{}", row.with).replace(';', "\n");
    let text = format!("extends = \"{parent}\"\n{keys}\n");
    let loaded = rules::parse_text(FILE, &text).unwrap_or_else(|faults| panic!("{faults}"));
    loaded.rules.spec().clone()
}

/// What one of the two says of a position, a line for each key: the dump, and what else may be expected.
struct Says<'a> {
    dump: String,
    seen: String,
    legal: Vec<String>,
    end: Option<End>,
    made: u32,
    cards: usize,
    complete: usize,
    asked: &'a str,
}

impl Says<'_> {
    fn text(self) -> String {
        let mut text = self.dump;
        let (mut reserve, mut pile) = (0, 0);
        for (place, cards) in self.seen.lines().map(|line| line.split_once(':').unwrap()) {
            let number = match place {
                "reserve" => &mut reserve,
                "pile" => &mut pile,
                _ => {
                    writeln!(text, "sees {place}:{cards}").unwrap();
                    continue;
                }
            };
            *number += 1;
            writeln!(text, "sees {place} {number}:{cards}").unwrap();
        }
        writeln!(text, "legal: {}", self.legal.join(" ")).unwrap();
        writeln!(text, "end: {}", self.end.map_or("", End::word)).unwrap();
        writeln!(text, "made: {}\ncards: {}\ncomplete: {}", self.made, self.cards, self.complete).unwrap();
        writeln!(text, "asked:{}", self.asked).unwrap();
        text
    }
}

fn engine_says(game: &Game<'_>, told: &Told) -> String {
    let (rules, table, outcome) = (game.rules(), game.table(), game.outcome());
    let listed = legal(rules, table);
    let kept = words(rules, game.legal());
    assert!(game.end() == Some(End::Won) && kept.is_empty() || kept == listed, "{kept:?}, not {listed:?}");
    let rng = StrategyRng::new(0, 0);
    let (end, made) = (game.end(), outcome.moves);
    let (cards, complete) = (outcome.cards.into(), outcome.complete_suits.into());
    let (dump, seen) = (dump(rules, table), seen(&View::new(table, rules, &rng)));
    Says { dump, seen, legal: listed, end, made, cards, complete, asked: told.asked() }.text()
}

fn plain_says(game: &PlainGame, spec: &Spec, end: Option<End>, made: u32, told: &Told) -> String {
    let (dump, seen, legal) = (game.dump(), game.seen(spec), game.legal(spec));
    let complete = game.foundations.iter().filter(|foundation| foundation.len() == 13).count();
    let cards = game.cards_on_foundations();
    Says { dump, seen, legal, end, made, cards, complete, asked: told.asked() }.text()
}

/// Plays a row on both, which must agree after every move. What both say at last.
fn play(row: &Row) -> String {
    let layout = Layout::new(spec(row), &row.layout);
    let (rules, spec) = (&layout.rules, layout.rules.spec());
    let faces: Vec<u8> = row.chance.split_whitespace().map(|face| face.parse().unwrap()).collect();
    let (mut told, mut same) = (Told::new(&faces), Told::new(&faces));
    let mut game = Game::new(rules);
    game.deal(&layout.deck, &mut told);
    let mut plain = PlainGame::deal(spec, &layout.deck, &mut |request| answer(&mut same, request));
    let mut ends = PlainEnds::begin(spec, &plain);
    let (mut end, mut made) = (PlainEnds::stands(spec, &plain), 0);
    let mut moves = row.moves.split(' ').filter(|word| !word.is_empty()).peekable();
    loop {
        let (engine, plainly) = (engine_says(&game, &told), plain_says(&plain, spec, end, made, &same));
        for (engine, plainly) in engine.lines().zip(plainly.lines()) {
            let both = format!("\n    the engine says  {engine}\n    the plain one    {plainly}");
            assert!(engine == plainly, "after {made} moves{both}");
        }
        // `turns` stands for draws and redeals until the game ends.
        let turns = moves.peek() == Some(&"turns");
        let last = plain.legal(spec).pop().unwrap_or_default();
        let word = match moves.peek() {
            Some(_) if turns && end.is_none() => last.as_str(),
            _ => match moves.next().filter(|_| !turns) {
                Some(word) => word,
                None => return engine,
            },
        };
        assert_eq!(end, None, "the game has ended before {word}");
        let named = words(rules, game.legal()).iter().position(|legal| legal == word);
        let chosen =
            game.legal()[named.unwrap_or_else(|| panic!("{word} is not legal: {:?}", plain.legal(spec)))];
        let nowhere = !word.contains('>') && ends.goes_nowhere(spec, word, &plain);
        assert_eq!(game.would_be_barren(chosen), nowhere, "whether {word} leads nowhere");
        assert_eq!(game.make(chosen, &mut told), !nowhere, "whether {word} is made");
        if nowhere {
            end = Some(End::Barren);
            continue;
        }
        let before = plain.clone();
        plain.play(spec, word, &mut |request| answer(&mut same, request));
        end = ends.follow(spec, word, &before, &plain);
        made += 1;
    }
}

/// Whether cards are as written; `..` stands for any number of them.
fn fits(said: &str, written: &str) -> bool {
    let Some((first, rest)) = written.split_once("..") else { return said == written };
    let middle: Vec<&str> = rest.split("..").map(str::trim).collect();
    let Some(mut left) = said.strip_prefix(first.trim()) else { return false };
    for part in &middle[..middle.len() - 1] {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(middle[middle.len() - 1])
}

/// What of a row is not as written.
fn faults(row: &Row) -> String {
    let said = match catch_unwind(AssertUnwindSafe(|| play(row))) {
        Ok(said) => said,
        Err(panic) => {
            let message = panic.downcast_ref::<String>().map(String::as_str);
            let message = message.or(panic.downcast_ref::<&str>().copied()).unwrap_or_default();
            return format!("{FILE}:{}: {}\n  {message}\n", row.expected[0].0, row.heading);
        }
    };
    let mut faults = String::new();
    for (line, key, written) in &row.expected {
        let value = said.lines().find_map(|said| said.strip_prefix(&format!("{key}:")));
        let value = value.map_or("there is no such place", str::trim);
        if !fits(value, written) {
            let wrong = format!("  {key}\n    expected   {written}\n    both say   {value}\n");
            write!(faults, "{FILE}:{line}: {}\n{wrong}", row.heading).unwrap();
        }
    }
    faults
}

#[test]
fn both_play_the_fine_print_as_written() {
    let text = std::fs::read_to_string(FILE).unwrap();
    let rows = rows(&text);
    assert!(rows.len() > 200 && rows.iter().all(|row| !row.expected.is_empty()), "{} rows", rows.len());
    let faults: String = rows.iter().map(faults).collect();
    assert!(faults.is_empty(), "\n{faults}");
}
