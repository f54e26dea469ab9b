//! The screen without a terminal: what is drawn, and the effects of keys and the mouse.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use crate::players;
use crate::rules;
use crate::session::{Asks, Dealt, Session};

use super::places::{Look, rows};
use super::screen::{Mode, Place, Saving, Screen};
use super::thinker::Thinker;

fn screen(rules: &str, game: u64) -> Screen {
    let loaded = rules::load(rules).unwrap();
    let strategy = players::load("greedy").unwrap();
    let session = Session::new(Dealt::of_seed(rules, loaded.rules, 1, game));
    let saving = Saving::new(None).unwrap();
    let place = Place { session, strategy: strategy.clone(), saving, steps: false };
    let mut screen = Screen::new(place, Thinker::new(strategy).unwrap());
    screen.look = Look { colours: false, signs: false };
    screen
}

fn drawn(screen: &mut Screen, width: u16, height: u16) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| screen.draw(frame)).unwrap();
    let buffer = terminal.backend().buffer().clone();
    let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..height).map(line).collect()
}

fn key(screen: &mut Screen, code: KeyCode) {
    screen.on(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
}

fn mouse(screen: &mut Screen, kind: MouseEventKind, (column, row): (u16, u16)) {
    let modifiers = KeyModifiers::NONE;
    screen.on(&Event::Mouse(MouseEvent { kind, column, row, modifiers }));
}

/// Every ruleset of one pack fits in 80 columns and 24 lines, and shows every visible card.
#[test]
fn one_pack_fits_in_80_columns_and_24_lines() {
    let mut fitted = 0;
    for (name, _) in rules::shelf() {
        let mut screen = screen(name, 3);
        while screen.asks_stage() {
            key(&mut screen, KeyCode::Char('y'));
        }
        let lines = drawn(&mut screen, 80, 24);
        let small = lines[0].contains("too small");
        if screen.place.session.dealt().rules.spec().deal.packs == 1 {
            assert!(!small, "{name}: {}", lines[0]);
            fitted += 1;
        }
        if small {
            continue;
        }
        let text = lines.concat();
        let seen = &screen.state.seen;
        let tops = seen.piles.iter().chain(&seen.reserves).filter_map(|cards| cards.last()?.card());
        for card in tops.chain(seen.foundations.iter().filter_map(|it| it.top?.card())) {
            assert!(text.contains(&card.to_string()), "{name} {card}\n{}", lines.join("\n"));
        }
        for m in screen.state.moves.iter().take(2) {
            assert!(text.contains(&m.word), "{name} {}\n{}", m.word, lines.join("\n"));
        }
    }
    assert!(fitted > 25, "{fitted}");
    let lines = drawn(&mut screen("canfield", 0), 40, 10);
    assert!(lines[0].contains("The window is too small"), "{lines:?}");
}

/// Games played by the list, by places, and by the mouse equal the game by words.
#[test]
fn keys_and_clicks_make_the_moves() {
    for (name, by) in
        [("canfield", 0), ("thoughtful", 1), ("canfield", 2), ("klondike", 2), ("exorcism-die-draw", 1)]
    {
        let mut screen = screen(name, 7);
        let mut words = Session::new(screen.place.session.dealt().clone());
        for step in 0..150 {
            drawn(&mut screen, 100, 40);
            let moves = screen.state.moves.clone();
            let Some(m) = moves.iter().filter(|m| m.ends.is_none()).nth(step % 3).or(moves.first()) else {
                break;
            };
            if m.ends.is_some() {
                break;
            }
            match by {
                _ if m.count == 0 => key(&mut screen, KeyCode::Char(' ')),
                0 => {
                    let line = moves.iter().position(|it| it == m).unwrap();
                    (0..line).for_each(|_| key(&mut screen, KeyCode::Down));
                    key(&mut screen, KeyCode::Enter);
                }
                1 => {
                    let place = |word: &str| match word.chars().next().unwrap() {
                        'T' => word.chars().nth(1).unwrap(),
                        other => other.to_ascii_lowercase(),
                    };
                    key(&mut screen, KeyCode::Char(place(&m.from)));
                    assert_eq!(screen.source.as_ref(), Some(&m.from), "{name} {}", m.word);
                    key(&mut screen, KeyCode::Char(place(&m.to)));
                    if screen.target.is_some() {
                        let line = screen.shown().iter().position(|it| *it == m).unwrap();
                        (0..line).for_each(|_| key(&mut screen, KeyCode::Down));
                        key(&mut screen, KeyCode::Enter);
                    }
                }
                _ => {
                    let rows = rows(&screen.state.seen, screen.board.width);
                    let from = rows.iter().find(|row| row.word == m.from).unwrap();
                    let to = rows.iter().find(|row| row.is_target(m)).unwrap();
                    let card = from.cards.len() - from.hidden - m.count;
                    let at = |row: &super::places::PlaceRow, card: usize| {
                        let more = if row.hidden > 0 { 5 } else { 0 };
                        (screen.board.x + row.at.0 + more + 4 * card as u16 + 1, screen.board.y + row.at.1)
                    };
                    let (from, to) = (at(from, card), at(to, 0));
                    mouse(&mut screen, MouseEventKind::Down(MouseButton::Left), from);
                    let drags = step % 2 == 0;
                    if drags {
                        mouse(&mut screen, MouseEventKind::Drag(MouseButton::Left), to);
                        mouse(&mut screen, MouseEventKind::Up(MouseButton::Left), to);
                    } else {
                        mouse(&mut screen, MouseEventKind::Up(MouseButton::Left), from);
                        mouse(&mut screen, MouseEventKind::Down(MouseButton::Left), to);
                        mouse(&mut screen, MouseEventKind::Up(MouseButton::Left), to);
                    }
                    screen.last_click = None;
                    screen.pressed = None;
                }
            }
            words.play(&m.word).unwrap();
            assert_eq!(screen.state.seen, words.state().seen, "{name} {step} {}", m.word);
        }
        assert!(words.choices().len() > 20, "{name}");
        // Everything is undone and redone.
        let (seen, choices) = (screen.state.seen.clone(), words.choices().len());
        (0..choices).for_each(|_| key(&mut screen, KeyCode::Char('u')));
        assert_eq!(screen.state.undo, 0);
        (0..choices).for_each(|_| key(&mut screen, KeyCode::Right));
        assert_eq!(screen.state.seen, seen);
    }
}

#[test]
fn a_move_that_would_end_the_game_is_asked_about() {
    let mut screen = screen("canfield", 0);
    while screen.mode == Mode::Play {
        key(&mut screen, KeyCode::Char(' '));
    }
    assert_eq!(screen.mode, Mode::Confirm("redeal".into()));
    assert!(drawn(&mut screen, 80, 24).concat().contains("the game would end there, barren"));
    key(&mut screen, KeyCode::Esc);
    assert_eq!((screen.mode.clone(), screen.state.asks), (Mode::Play, Asks::Move));
    key(&mut screen, KeyCode::Char(' '));
    key(&mut screen, KeyCode::Enter);
    assert!(screen.state.over.is_some());
    assert!(drawn(&mut screen, 80, 24).concat().contains("The game ends barren"));
}

/// Nothing of the layout is drawn before it is bought; leaving offers to save the choices.
#[test]
fn stages_are_asked_and_leaving_offers_to_save() {
    let mut screen = screen("bsd", 3);
    assert!(screen.asks_stage());
    assert!(drawn(&mut screen, 80, 24).concat().contains("The cards are not seen yet."));
    key(&mut screen, KeyCode::Char('y'));
    key(&mut screen, KeyCode::Char('y'));
    assert!(drawn(&mut screen, 80, 24).concat().contains(" reserve "));
    key(&mut screen, KeyCode::Char('q'));
    assert_eq!(screen.mode, Mode::Save("bsd-1-3.jsonl".into(), true));
    assert!(!screen.leaves);
    key(&mut screen, KeyCode::Esc);
    assert!(screen.leaves);
}

/// Without colours, the selection and its targets are still visible.
#[test]
fn marks_need_no_colours() {
    let mut screen = screen("canfield", 17);
    let text = drawn(&mut screen, 80, 24).join("\n");
    assert!(text.contains("[2H]") && text.contains(">3S<"), "{text}");
    key(&mut screen, KeyCode::Char('?'));
    assert!(drawn(&mut screen, 80, 24).concat().contains("draw or redeal"));
    key(&mut screen, KeyCode::Char('?'));
    assert_eq!(screen.mode, Mode::Play);
}
