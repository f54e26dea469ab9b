//! Screen layout of the game: rows of places, each with its cards, their look, and the meaning of clicks there.

use ratatui::layout::Position;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use crate::cards::{Card, Suit};
use crate::session::{LegalMove, Seen, Shown, State};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Plain,
    /// The card and those on it would move.
    Source,
    /// A destination of the move.
    Target,
}

pub(super) const CARD: u16 = 4;
/// Width of the name of a place.
pub(super) const NAME: u16 = 9;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlaceRow {
    /// Its name as a source in moves: `R`, `W`, `T3`, `FS`, `C1`; `S` for the stock.
    pub word: String,
    /// Label before it.
    pub name: String,
    /// Its cards, the lowest first; the last one can be played.
    pub cards: Vec<Shown>,
    /// Text if it is empty.
    pub empty: String,
    /// Text after it.
    pub behind: String,
    /// The card that a foundation takes; `None` before the base is chosen.
    pub next: Option<Card>,
    /// Its row and column.
    pub at: (u16, u16),
    /// Number of its lowest cards that are hidden, as the row has no room for them.
    pub hidden: usize,
}

/// Returns the places of a position, for a screen of this width.
pub(super) fn rows(seen: &Seen, width: u16) -> Vec<PlaceRow> {
    let mut rows: Vec<PlaceRow> = Vec::new();
    let mut y = 0;
    let place = |word: String, name: &str, cards: Vec<Shown>, behind: String, at: (u16, u16)| PlaceRow {
        word,
        name: name.into(),
        cards,
        empty: "--".into(),
        behind,
        next: None,
        at,
        hidden: 0,
    };
    // Foundations are side by side; those of many packs without a gap.
    let gap = u16::from(seen.foundations.len() <= 8);
    for (i, it) in seen.foundations.iter().enumerate() {
        let number = seen.foundations[..=i].iter().filter(|other| other.suit == it.suit).count();
        let word = if number > 1 { format!("F{}{number}", it.suit) } else { format!("F{}", it.suit) };
        let name = if i == 0 { "found." } else { "" };
        let at = (NAME + i as u16 * (CARD + gap), y);
        let row = place(word, name, it.top.into_iter().collect(), String::new(), at);
        rows.push(PlaceRow { empty: format!("-{}", it.suit), next: it.next, ..row });
    }
    y += 1;
    for (i, &card) in seen.offered.iter().enumerate() {
        let name = if i == 0 { "choose" } else { "" };
        let at = (NAME + i as u16 * (CARD + 1), y);
        rows.push(place(format!("C{}", i + 1), name, vec![card], String::new(), at));
    }
    y += u16::from(!seen.offered.is_empty());
    let one = seen.reserves.len() == 1;
    for (i, cards) in seen.reserves.iter().enumerate() {
        let number = if one { String::new() } else { (i + 1).to_string() };
        let name = format!("reserve{number}");
        rows.push(place(format!("R{number}"), &name, cards.clone(), count(cards.len()), (NAME, y)));
        y += 1;
    }
    // The next card is on the right, as the top of the stock. Of the unknown cards at the bottom, only one is drawn.
    let known = seen.coming.iter().rposition(|card| card.card().is_some());
    let drawn = known.map_or(1, |known| known + 2).min(seen.coming.len());
    let stock: Vec<Shown> = seen.coming[..drawn].iter().rev().copied().collect();
    rows.push(place("S".into(), "stock", stock, count(seen.stock_left), (NAME, y)));
    rows.push(place("W".into(), "waste", seen.waste.clone(), count(seen.waste.len()), (NAME, y + 1)));
    y += 2;
    for (i, cards) in seen.piles.iter().enumerate() {
        let word = format!("T{}", i + 1);
        rows.push(place(word.clone(), &word, cards.clone(), String::new(), (NAME, y)));
        y += 1;
    }
    for row in &mut rows {
        let behind = row.behind.len() as u16 + 1;
        let room = width.saturating_sub(row.at.0 + behind + 5) / CARD;
        row.hidden = row.cards.len().saturating_sub(room.max(1).into());
    }
    rows
}

fn count(cards: usize) -> String {
    if cards > 1 { format!("({cards})") } else { String::new() }
}

impl PlaceRow {
    /// Returns the width from the first card to the end of the last.
    pub fn columns(&self) -> u16 {
        let more = if self.hidden > 0 { 5 } else { 0 };
        more + CARD * (self.cards.len() - self.hidden).max(1) as u16
    }

    /// Returns the card at a column of the row, counted from the top card as 1; 0 if there is none.
    fn cards_at(&self, x: u16) -> Option<usize> {
        let within = x.checked_sub(self.at.0).filter(|&x| x < self.columns())?;
        let more = if self.hidden > 0 { 5 } else { 0 };
        let card = usize::from(within.saturating_sub(more) / CARD) + self.hidden;
        Some(self.cards.len().saturating_sub(card))
    }

    /// Returns whether the cards of a move go to this place.
    pub fn is_target(&self, m: &LegalMove) -> bool {
        if m.to != "F" || !self.word.starts_with('F') {
            return m.to == self.word;
        }
        // A card goes to the foundations of its suit, on the one below it.
        let Some(card) = m.card.card() else { return false };
        self.next.is_none_or(|next| next == card) && self.word[1..].starts_with(card.suit().letter())
    }

    /// Returns how each of its cards is marked while a move is shown.
    pub fn mark(&self, card: usize, shown: &[&LegalMove], source: Option<&str>) -> Mark {
        let from_top = self.cards.len().saturating_sub(card);
        let moves = |m: &&LegalMove| m.from == self.word && (m.count.max(1) >= from_top);
        if source == Some(&self.word) && shown.iter().any(moves) {
            return Mark::Source;
        }
        let top = from_top <= 1;
        if top && source.is_some() && shown.iter().any(|m| self.is_target(m)) {
            return Mark::Target;
        }
        Mark::Plain
    }
}

/// Returns the place at a position of the screen, and the number of cards from there to its top.
pub(super) fn at(rows: &[PlaceRow], board: Rect, position: Position) -> Option<(&PlaceRow, usize)> {
    let (x, y) = (position.x.checked_sub(board.x)?, position.y.checked_sub(board.y)?);
    let beside: Vec<&PlaceRow> = rows.iter().filter(|row| row.at.1 == y).collect();
    // Where a place is alone in its row, a click anywhere in the row selects it.
    let row = beside.iter().find(|row| row.cards_at(x).is_some() || beside.len() == 1)?;
    Some((row, row.cards_at(x).unwrap_or(0).max(1)))
}

pub(super) fn height(state: &State, width: u16) -> u16 {
    rows(&state.seen, width).last().map_or(1, |row| row.at.1 + 1)
}

#[derive(Clone, Copy)]
pub(super) struct Look {
    /// Whether colours are used.
    pub colours: bool,
    /// Whether suits are drawn as symbols rather than letters.
    pub signs: bool,
}

impl Look {
    /// Reads the settings from the environment.
    pub fn new() -> Look {
        let set = |name: &str| std::env::var(name).unwrap_or_default();
        let locale = [set("LC_ALL"), set("LC_CTYPE"), set("LANG")];
        let locale = locale.iter().find(|it| !it.is_empty()).map_or(String::new(), |it| it.to_lowercase());
        Look {
            colours: set("NO_COLOR").is_empty(),
            signs: locale.contains("utf-8") || locale.contains("utf8"),
        }
    }

    /// Returns the four columns of a card: its face or its back, between marks if it is highlighted.
    pub fn card(self, card: Shown, mark: Mark) -> (String, Style) {
        let face = match card.card() {
            Some(card) if self.signs => format!("{}{}", card.rank(), sign(card.suit())),
            Some(card) => card.to_string(),
            None if self.signs => "\u{2592}\u{2592}".into(),
            None => "##".into(),
        };
        let style = match card.card() {
            _ if !self.colours => Style::new(),
            None => Style::new().fg(Color::LightBlue).bg(Color::Blue),
            Some(card) if card.suit().is_red() => Style::new().fg(Color::Red).bg(Color::White),
            Some(_) => Style::new().fg(Color::Black).bg(Color::White),
        };
        (between(&face, mark), self.marked(style, mark))
    }

    pub fn empty(self, what: &str, mark: Mark) -> (String, Style) {
        let style = if self.colours { Style::new().fg(Color::DarkGray) } else { Style::new() };
        (between(&format!("{what:<2}"), mark), self.marked(style, mark))
    }

    fn marked(self, style: Style, mark: Mark) -> Style {
        match (mark, self.colours) {
            (Mark::Plain, _) => style,
            (Mark::Source, true) => style.bg(Color::Yellow).fg(Color::Black).add_modifier(Modifier::BOLD),
            (Mark::Target, true) => style.bg(Color::Green).fg(Color::Black),
            (Mark::Source | Mark::Target, false) => style.add_modifier(Modifier::BOLD),
        }
    }

    /// Returns the style of labels beside the cards.
    pub fn label(self) -> Style {
        if self.colours { Style::new().fg(Color::Cyan) } else { Style::new() }
    }

    /// Returns the style of messages.
    pub fn said(self, wrong: bool) -> Style {
        match (self.colours, wrong) {
            (false, _) => Style::new().add_modifier(Modifier::BOLD),
            (true, true) => Style::new().fg(Color::LightRed).add_modifier(Modifier::BOLD),
            (true, false) => Style::new().fg(Color::LightGreen).add_modifier(Modifier::BOLD),
        }
    }

    /// Returns the style of secondary text.
    pub fn quiet(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// Returns the style of the selected line of a list.
    pub fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}

fn between(face: &str, mark: Mark) -> String {
    match mark {
        Mark::Plain => format!(" {face} "),
        Mark::Source => format!("[{face}]"),
        Mark::Target => format!(">{face}<"),
    }
}

fn sign(suit: Suit) -> char {
    match suit {
        Suit::Clubs => '\u{2663}',
        Suit::Diamonds => '\u{2666}',
        Suit::Hearts => '\u{2665}',
        Suit::Spades => '\u{2660}',
    }
}
