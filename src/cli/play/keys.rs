//! Actions of keys and the mouse.

use std::time::{Duration, Instant};

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;

use crate::session::{LegalMove, Session};

use super::places::{at, rows};
use super::screen::{Mode, PAUSES, Screen};

/// Maximum time between the clicks of a double click.
const DOUBLE: Duration = Duration::from_millis(400);

/// The keys with their actions, for the help.
pub(super) const HELP: [(&str, &str); 17] = [
    ("up, down, Enter", "choose a move of the list, and make it"),
    ("r w 1..9 f s", "from reserve, waste, pile, foundation or stock;"),
    ("", "then the same keys say where to"),
    ("space", "draw or redeal"),
    ("click, drag", "the same by mouse; a double click goes to the foundations"),
    ("u, left", "take back; right or y makes it again"),
    ("Home, End", "to the deal, and to the last position"),
    ("h", "hint: what the strategy would do, and thinks of every move"),
    ("n", "the strategy makes one move"),
    ("p, + and -", "it plays on until p; its pace"),
    (":", "type a move, as in T12>T3x2"),
    ("x", "give up"),
    ("o, b", "what was possible, then its moves; b: back to your game"),
    ("S", "save the record"),
    ("Esc", "forget what was chosen"),
    ("q, Ctrl-C", "leave"),
    ("", "Any key closes this."),
];

impl Screen {
    pub fn on(&mut self, event: &Event) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.on_key(*key),
            Event::Mouse(mouse) => self.on_mouse(*mouse),
            _ => {}
        }
    }

    fn on_key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (self.mode.clone(), key.code) {
            (Mode::Save(_, true), KeyCode::Char('c')) if control => self.leaves = true,
            (_, KeyCode::Char('c')) if control => self.leave(),
            (Mode::Play, code) => self.on_play(code, control),
            (Mode::Help, _) => self.mode = Mode::Play,
            (Mode::Confirm(word), KeyCode::Enter) => self.try_to(|session| session.play_to_the_end(&word)),
            (Mode::Resign, KeyCode::Enter) => self.try_to(Session::resign),
            (Mode::Confirm(_) | Mode::Resign, _) => {
                self.mode = Mode::Play;
                self.said = None;
            }
            (Mode::Move(text), code) => self.on_text(text, code, false),
            (Mode::Save(text, leaves), code) => match code {
                KeyCode::Char('g') if control => {
                    self.mode = Mode::Play;
                    self.said = None;
                }
                KeyCode::Esc if leaves => self.leaves = true,
                _ => self.on_text(text, code, leaves),
            },
        }
    }

    fn on_text(&mut self, mut text: String, code: KeyCode, leaves: bool) {
        match code {
            KeyCode::Esc => {
                self.mode = Mode::Play;
                self.said = None;
                return;
            }
            KeyCode::Enter => {
                match self.mode {
                    Mode::Save(..) => self.keep(&text, leaves),
                    _ => {
                        self.mode = Mode::Play;
                        self.make(text.trim());
                    }
                }
                return;
            }
            KeyCode::Backspace => drop(text.pop()),
            KeyCode::Char(c) => text.push(c),
            _ => {}
        }
        self.mode = match self.mode {
            Mode::Save(..) => Mode::Save(text, leaves),
            _ => Mode::Move(text),
        };
    }

    fn on_play(&mut self, code: KeyCode, control: bool) {
        match code {
            KeyCode::Char('y') if self.asks_stage() => self.try_to(|session| session.answer(true)),
            KeyCode::Char('n') if self.asks_stage() => self.try_to(|session| session.answer(false)),
            KeyCode::Char('r') if control => self.go(Session::redo, "There is nothing to make again."),
            KeyCode::Up | KeyCode::Char('k') => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.cursor = (self.cursor + 1).min(self.last()),
            KeyCode::PageUp => self.cursor = self.cursor.saturating_sub(8),
            KeyCode::PageDown => self.cursor = (self.cursor + 8).min(self.last()),
            KeyCode::Enter => {
                if let Some(word) = self.shown().get(self.cursor).map(|m| m.word.clone()) {
                    self.make(&word);
                }
            }
            KeyCode::Char(' ') => self.turn(),
            KeyCode::Char('u') | KeyCode::Left | KeyCode::Backspace => {
                self.go(Session::undo, "There is nothing to take back.");
            }
            KeyCode::Char('y' | 'U') | KeyCode::Right => {
                self.go(Session::redo, "There is nothing to make again.");
            }
            KeyCode::Home | KeyCode::End => {
                self.watching = false;
                self.place.session.go_to(if code == KeyCode::Home { 0 } else { usize::MAX });
                self.refresh();
            }
            KeyCode::Esc => {
                (self.source, self.target, self.hint, self.said, self.cursor) = (None, None, None, None, 0);
                self.watching = false;
            }
            KeyCode::Char('h') => self.ask_hint(),
            KeyCode::Char('n') => self.step(),
            KeyCode::Char('p') => {
                self.watching = !self.watching;
                self.next_step = Instant::now();
                self.say(if self.watching { "The strategy plays on; p pauses." } else { "Paused." });
            }
            KeyCode::Char('+') => self.speed = (self.speed + 1).min(PAUSES.len() - 1),
            KeyCode::Char('-') => self.speed = self.speed.saturating_sub(1),
            KeyCode::Char('o') => self.possible(),
            KeyCode::Char('b') => self.back(),
            KeyCode::Char('x') => {
                self.watching = false;
                if self.state.over.is_none() {
                    self.mode = Mode::Resign;
                    self.say("Give up? Enter gives up; any other key plays on.");
                }
            }
            KeyCode::Char(':') => {
                self.mode = Mode::Move(String::new());
                self.said = None;
            }
            KeyCode::Char('S') => {
                self.mode = Mode::Save(self.place.saving.proposed(&self.place.session), false);
                self.say("Save the record: Enter saves, Esc does not.");
            }
            KeyCode::Char('?') => self.mode = Mode::Help,
            KeyCode::Char('q') => self.leave(),
            KeyCode::Char(c) => self.on_place_key(c),
            _ => {}
        }
    }

    fn last(&self) -> usize {
        self.shown().len().saturating_sub(1)
    }

    fn turn(&mut self) {
        let turn = self.state.moves.iter().find(|m| m.count == 0).map(|m| m.word.clone());
        match turn {
            Some(word) => self.make(&word),
            None => self.fault("Neither a draw nor a redeal is legal here."),
        }
    }

    /// Handles the key of a place: the first selects the source, the second the target.
    fn on_place_key(&mut self, key: char) {
        let is_named = |word: &str| match key {
            'r' => word.starts_with('R'),
            'w' => word == "W",
            's' => word == "S",
            'f' => word.starts_with('F'),
            'c' => word.starts_with('C'),
            '1'..='9' => word == format!("T{key}") || word == format!("C{key}"),
            '0' => word == "T10",
            _ => false,
        };
        if !"rwsfc0123456789".contains(key) {
            return self.fault(&format!("`{key}` is no key here; ? lists them"));
        }
        if let Some(from) = &self.source {
            let to =
                self.state.moves.iter().find(|m| m.from == *from && is_named(&m.to)).map(|m| m.to.clone());
            if let Some(to) = to {
                return self.move_to(&to, None);
            }
        }
        // If several places have the key, each press selects the next.
        let mut words: Vec<String> = self
            .state
            .moves
            .iter()
            .filter(|m| m.count > 0 && is_named(&m.from))
            .map(|m| m.from.clone())
            .collect();
        words.dedup();
        let now = words.iter().position(|word| self.source.as_ref() == Some(word));
        match words.get(now.map_or(0, |now| now + 1)) {
            Some(word) => self.choose(&word.clone()),
            None if now.is_some() => (self.source, self.target, self.cursor) = (None, None, 0),
            None => self.fault(&format!("No move from or to `{key}` is legal here.")),
        }
    }

    fn choose(&mut self, word: &str) {
        (self.source, self.target, self.cursor, self.said) = (Some(word.into()), None, 0, None);
    }

    /// Moves from the selected source. `count` is the number of cards, if known.
    fn move_to(&mut self, to: &str, count: Option<usize>) {
        let Some(from) = self.source.clone() else { return };
        let moves: Vec<&LegalMove> =
            self.state.moves.iter().filter(|m| m.from == from && m.to == to).collect();
        let exact = moves.iter().find(|m| Some(m.count) == count);
        match (&moves[..], exact) {
            ([one], _) | (_, Some(one)) => {
                let word = one.word.clone();
                self.make(&word);
            }
            ([], _) => self.fault(&format!("No move from {from} to {to} is legal here.")),
            _ => {
                (self.target, self.cursor) = (Some(to.into()), 0);
                self.say("How many cards? Choose in the list, or click the lowest card that is to move.");
            }
        }
    }

    fn on_mouse(&mut self, mouse: MouseEvent) {
        if self.mode != Mode::Play {
            if let (MouseEventKind::Down(_), Mode::Help) = (mouse.kind, &self.mode) {
                self.mode = Mode::Play;
            }
            return;
        }
        let position = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => self.on_press(position),
            MouseEventKind::Up(MouseButton::Left) => self.on_release(position),
            MouseEventKind::Down(MouseButton::Right) => {
                self.go(Session::undo, "There is nothing to take back.");
            }
            MouseEventKind::ScrollUp => self.cursor = self.cursor.saturating_sub(1),
            MouseEventKind::ScrollDown => self.cursor = (self.cursor + 1).min(self.last()),
            _ => {}
        }
    }

    /// Returns the place at a position, and the number of cards from there to its top.
    fn place_at(&self, position: Position) -> Option<(String, usize)> {
        let rows = rows(&self.state.seen, self.board.width);
        at(&rows, self.board, position).map(|(row, cards)| (row.word.clone(), cards))
    }

    fn on_press(&mut self, position: Position) {
        self.pressed = None;
        if self.list.contains(position) {
            let line = self.first + usize::from(position.y - self.list.y);
            if let Some(word) = self.shown().get(line).map(|m| m.word.clone()) {
                self.make(&word);
            }
            return;
        }
        let Some((word, cards)) = self.place_at(position) else { return };
        if word == "S" && self.source.is_none() && self.state.moves.iter().any(|m| m.count == 0) {
            return self.turn();
        }
        let twice = self.last_click.take().is_some_and(|(at, last)| last == word && at.elapsed() < DOUBLE);
        let up = |m: &&LegalMove| m.from == word && m.to == "F";
        if twice && let Some(word) = self.state.moves.iter().find(up).map(|m| m.word.clone()) {
            return self.make(&word);
        }
        self.last_click = Some((Instant::now(), word.clone()));
        if self.moves_to(&word) {
            let count = self.pressed_count();
            return self.move_to(&target(&word), count);
        }
        if self.state.moves.iter().any(|m| m.from == word && m.count > 0) {
            self.choose(&word);
            self.pressed = Some((word, cards));
        } else {
            (self.source, self.target) = (None, None);
            self.fault(&format!("No move from {word} is legal here."));
        }
    }

    fn on_release(&mut self, position: Position) {
        let Some((from, cards)) = self.pressed.take() else { return };
        let Some((word, _)) = self.place_at(position) else { return };
        if word == from {
            // A click: keeps the number of cards.
            self.pressed = Some((from, cards));
        } else if self.moves_to(&word) {
            self.move_to(&target(&word), Some(cards));
        } else {
            self.fault(&format!("No move from {from} to {word} is legal here."));
        }
    }

    fn pressed_count(&mut self) -> Option<usize> {
        self.pressed.take().map(|(_, cards)| cards)
    }

    fn moves_to(&self, word: &str) -> bool {
        let Some(from) = &self.source else { return false };
        let to = target(word);
        from != word && self.state.moves.iter().any(|m| m.from == *from && m.to == to)
    }
}

fn target(word: &str) -> String {
    if word.starts_with('F') { "F".into() } else { word.into() }
}
