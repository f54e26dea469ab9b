//! Appearance of cards and marks, with or without colours.

use ratatui::style::{Color, Modifier, Style};

use crate::session::Shown;

/// Appearance of the game.
#[derive(Clone, Copy)]
pub(super) struct Look {
    /// Whether colours are used.
    pub colours: bool,
    /// Whether suits are drawn as symbols rather than letters.
    pub signs: bool,
}

/// Highlight of a card.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Plain,
    /// The card and those on it would move.
    Source,
    /// A destination of the move.
    Target,
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
            Some(card) if self.signs => format!("{}{}", card.rank(), sign(card.suit().letter())),
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

    /// Returns an empty place.
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

fn sign(suit: char) -> char {
    match suit {
        'C' => '\u{2663}',
        'D' => '\u{2666}',
        'H' => '\u{2665}',
        _ => '\u{2660}',
    }
}
