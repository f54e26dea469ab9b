//! How cards and marks look: in colours, or without.

use ratatui::style::{Color, Modifier, Style};

use crate::session::Shown;

/// The look of the table.
#[derive(Clone, Copy)]
pub(super) struct Look {
    /// Colours are used.
    pub colours: bool,
    /// Suits are drawn as signs, and not as letters.
    pub signs: bool,
}

/// What a card is at the moment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Plain,
    /// It, and what lies on it, would move.
    Source,
    /// It is where cards would go.
    Target,
}

impl Look {
    /// What the environment asks for.
    pub fn new() -> Look {
        let set = |name: &str| std::env::var(name).unwrap_or_default();
        let locale = [set("LC_ALL"), set("LC_CTYPE"), set("LANG")];
        let locale = locale.iter().find(|it| !it.is_empty()).map_or(String::new(), |it| it.to_lowercase());
        Look {
            colours: set("NO_COLOR").is_empty(),
            signs: locale.contains("utf-8") || locale.contains("utf8"),
        }
    }

    /// The four columns of a card: its face or its back, with signs at its sides where it is marked.
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

    /// An empty place.
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

    /// Words beside the cards.
    pub fn label(self) -> Style {
        if self.colours { Style::new().fg(Color::Cyan) } else { Style::new() }
    }

    /// What is said to the person.
    pub fn said(self, wrong: bool) -> Style {
        match (self.colours, wrong) {
            (false, _) => Style::new().add_modifier(Modifier::BOLD),
            (true, true) => Style::new().fg(Color::LightRed).add_modifier(Modifier::BOLD),
            (true, false) => Style::new().fg(Color::LightGreen).add_modifier(Modifier::BOLD),
        }
    }

    /// What is there and of less weight.
    pub fn quiet(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// The line of a list that is chosen.
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
