//! Details of the rules: every row of `tests/data/fine-print.txt`, played by both the engine and the plain
//! implementation. The head of that file explains the format.

use crate::engine::plain::PlainGame;
use crate::engine::plain::ends::PlainEnds;
use crate::engine::support::{Told, legal, plain, seen, words};
use saratoga::cards::Card;
use saratoga::game::{End, Game, PlayerState, View};
use saratoga::rules::{self, Base, ChoiceFrom, Rules, Spec, Start};

const FILE: &str = "tests/data/fine-print.txt";

/// A partial game, and the expectations for its position.
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

/// Returns the lines of the file as key and value; `-` is empty, and an indented line continues the one above.
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

/// Expands `[draw W>F]*2 draw*3`.
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

/// Returns the ruleset of a row. The value before the first key is the ruleset that it extends.
fn spec(row: &Row) -> Spec {
    let (first, rest) = row.rules.split_once(';').unwrap_or((&row.rules, ""));
    let bare = first.is_empty() || first.contains('=');
    let (parent, keys) = if bare { ("rules/bare.toml", row.rules.as_str()) } else { (first, rest) };
    let keys = format!("{keys};{}", row.with).replace(';', "\n");
    let text = format!("extends = \"{parent}\"\n{keys}\n");
    let loaded = rules::parse_text("tests/data/rules of this row", &text);
    loaded.unwrap_or_else(|faults| panic!("{faults}")).rules.spec().clone()
}

/// A given position: rules and a deck that deal exactly that position.
struct Layout {
    /// The rules, with the layout's reserve and piles.
    rules: Rules,
    deck: Vec<Card>,
}

impl Layout {
    /// Creates a position from its text, such as `reserve: 3C, 4C; up: AS; piles: 5H 4S, -, KD; stock: 2C`. Cards are
    /// listed from the bottom, and the stock's from its next card. `up` is the dealt base card, `offered` are the cards
    /// to choose it from. The second occurrence of a card is that of the second pack. The remaining cards follow in the
    /// stock in the order of the packs.
    fn new(mut spec: Spec, text: &str) -> Layout {
        let (mut reserves, mut up, mut offered, mut piles, mut stock) =
            (vec![], vec![], vec![], vec![], vec![]);
        let mut named = [0; 52];
        let mut card = |word: &str| {
            let kind = word.parse::<Card>().unwrap().kind();
            named[kind] += 1;
            Card::of_pack(named[kind] - 1, kind)
        };
        let mut read = |words: &str| words.split_whitespace().map(&mut card).collect::<Vec<Card>>();
        for part in text.split(';').filter(|part| !part.trim().is_empty()) {
            let (place, words) = part.trim().split_once(':').unwrap();
            let mut lists = words.split(',').map(|list| read(&list.replace('-', ""))).collect::<Vec<_>>();
            match place {
                "reserve" => reserves = lists,
                "up" => up = lists.remove(0),
                "offered" => offered = lists.remove(0),
                "piles" => piles = lists,
                "stock" => stock = lists.remove(0),
                other => panic!("{other}"),
            }
        }
        if let Some(first) = reserves.first() {
            assert!(reserves.iter().all(|reserve| reserve.len() == first.len()));
            (spec.reserve.piles, spec.reserve.size) = (reserves.len() as u8, first.len() as u8);
        }
        if !up.is_empty() {
            (spec.foundation.base, spec.foundation.start) = (Base::Dealt, Start::One);
        }
        if !offered.is_empty() {
            let choice = Base::Choice(ChoiceFrom::Dealt(offered.len() as u8));
            (spec.foundation.base, spec.foundation.start) = (choice, Start::None);
            spec.tableau.deal = vec![1; offered.len() - 1];
        }
        if !piles.is_empty() {
            spec.tableau.deal = piles.iter().map(|pile| pile.len() as u8).collect();
        }
        let tableau = if offered.is_empty() { piles.concat() } else { offered };
        let rules = Rules::new(spec).unwrap();
        let mut deck = [reserves.concat(), up, tableau, stock].concat();
        deck.extend(rules.deck_shape().cards().filter(|card| !deck.contains(card)).collect::<Vec<_>>());
        Layout { rules, deck }
    }
}

/// Describes a position of one implementation, one line per possible key.
fn says(
    game: &PlainGame,
    seen: &str,
    legal: &[String],
    end: Option<End>,
    counts: [u32; 3],
    told: &Told,
) -> String {
    let dump = game.dump();
    let seen: String = seen.lines().map(|line| format!("sees {line}\n")).collect();
    let (legal, end, asked) = (legal.join(" "), end.map_or("", End::word), told.asked());
    let [made, cards, complete] = counts;
    let counts = format!("made: {made}\ncards: {cards}\ncomplete: {complete}");
    format!("{dump}{seen}legal: {legal}\nend: {end}\n{counts}\nasked:{asked}\n")
}

fn engine_says(game: &Game<'_>, told: &Told) -> String {
    let (rules, table, outcome) = (game.rules(), game.table(), game.outcome());
    let (listed, kept) = (legal(rules, table), words(rules, game.legal()));
    assert!(game.end() == Some(End::Won) && kept.is_empty() || kept == listed, "{kept:?}, not {listed:?}");
    let rng = PlayerState::new(0, 0);
    let seen = seen(&View::new(table, rules, &rng));
    let counts = [outcome.moves, outcome.cards.into(), outcome.complete_suits.into()];
    says(&plain(rules, table), &seen, &listed, game.end(), counts, told)
}

fn plain_says(game: &PlainGame, spec: &Spec, end: Option<End>, made: u32, told: &Told) -> String {
    let counts = [made, game.cards_on_foundations() as u32, game.complete_suits() as u32];
    says(game, &game.seen(spec), &game.legal(spec), end, counts, told)
}

/// Plays a row on both, which must agree after every move; returns their final description.
fn play(row: &Row) -> String {
    let layout = Layout::new(spec(row), &row.layout);
    let (rules, spec) = (&layout.rules, layout.rules.spec());
    let faces: Vec<u8> = row.chance.split_whitespace().map(|face| face.parse().unwrap()).collect();
    let (mut told, mut same) = (Told::new(&faces), Told::new(&faces));
    let mut game = Game::new(rules);
    game.deal(&layout.deck, &mut told);
    let mut plain = PlainGame::deal(spec, &layout.deck, &mut same);
    let mut ends = PlainEnds::begin(spec, &plain);
    let (mut end, mut made) = (PlainEnds::stands(spec, &plain), 0);
    let mut moves = row.moves.split(' ').filter(|word| !word.is_empty()).peekable();
    loop {
        let (engine, plainly) = (engine_says(&game, &told), plain_says(&plain, spec, end, made, &same));
        if let Some((engine, plainly)) = engine.lines().zip(plainly.lines()).find(|(one, other)| one != other)
        {
            panic!("after {made} moves\n    the engine says  {engine}\n    the plain one    {plainly}");
        }
        assert_eq!(engine, plainly);
        // `turns` means draws and redeals until the game ends.
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
        plain.play(spec, word, &mut same);
        end = ends.follow(spec, word, &before, &plain);
        made += 1;
    }
}

/// Returns whether the words match; `..` matches any words.
fn fits(said: &str, written: &str) -> bool {
    let parts: Vec<&str> = written.split("..").map(str::trim).collect();
    let after = |left: &'_ str, part: &&str| left.find(part).map(|at| left[at + part.len()..].to_string());
    let in_order = parts.iter().try_fold(said.to_string(), |left, part| after(&left, part)).is_some();
    let ends = said.starts_with(parts[0]) && said.ends_with(parts[parts.len() - 1]);
    if parts.len() == 1 { said == written } else { in_order && ends }
}

#[test]
fn both_play_the_fine_print_as_written() {
    let text = std::fs::read_to_string(FILE).unwrap();
    let rows = rows(&text);
    assert!(rows.len() > 200 && rows.iter().all(|row| !row.expected.is_empty()), "{} rows", rows.len());
    let mut faults = String::new();
    for row in &rows {
        // Shown if it panics, and the last one is at fault.
        println!("{FILE}:{}: {}", row.expected[0].0, row.heading);
        let said = play(row);
        for (line, key, written) in &row.expected {
            let value = said.lines().find_map(|said| said.strip_prefix(&format!("{key}:")));
            let value = value.map_or("there is no such place", str::trim);
            if !fits(value, written) {
                let wrong = format!("  {key}\n    expected   {written}\n    both say   {value}\n");
                faults += &format!("{FILE}:{line}: {}\n{wrong}", row.heading);
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}
