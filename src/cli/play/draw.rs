//! Drawing of the game.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

use crate::session::{LegalMove, State};
use crate::text::one_line;

use super::keys::HELP;
use super::places::{Look, Mark, NAME, PlaceRow, height, rows};
use super::screen::{Mode, Screen};
use super::speech;

/// Minimum width at which the list of moves is beside the board.
const WIDE: u16 = 116;
/// Width of the board in that case.
const BOARD: u16 = 78;
/// Minimum number of rows of the list.
const LEAST: u16 = 3;
/// Width of the list with the history beside it.
const LIST: u16 = 46;

impl Screen {
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let head = if self.state.money.for_money { 3 } else { 2 };
        let wide = area.width >= WIDE;
        let board_width = if wide { BOARD } else { area.width };
        let board = height(&self.state, board_width);
        let list = if wide { 0 } else { LEAST + 1 };
        if area.width < 60 || area.height < head + board + list + 3 {
            let needs = format!(
                "The window is too small for this game: it needs 60 columns and {} rows.",
                head + board + list + 3
            );
            return frame.render_widget(Paragraph::new(needs).wrap(Wrap { trim: true }), area);
        }
        let said_rows = self.said_rows(area.width).min(area.height - head - board - list - 1);
        let [top, rest, said, keys] = Layout::vertical([
            Constraint::Length(head),
            Constraint::Min(0),
            Constraint::Length(said_rows),
            Constraint::Length(1),
        ])
        .areas(area);
        let (board_area, list_area, history) = if wide {
            let [left, right] =
                Layout::horizontal([Constraint::Length(BOARD), Constraint::Min(0)]).areas(rest);
            let [board_area, history] =
                Layout::vertical([Constraint::Length(board + 1), Constraint::Min(0)]).areas(left);
            (board_area, right, history)
        } else {
            let [board_area, below] =
                Layout::vertical([Constraint::Length(board), Constraint::Min(0)]).areas(rest);
            let [list_area, history] =
                Layout::horizontal([Constraint::Length(LIST), Constraint::Min(0)]).areas(below);
            (board_area, list_area, history)
        };
        self.draw_head(frame, top);
        self.board = board_area;
        self.draw_board(frame, board_area);
        self.draw_list(frame, list_area);
        draw_history(frame, history, &self.state, self.look);
        self.draw_said(frame, said);
        frame.render_widget(Paragraph::new(self.keys()).style(self.look.quiet()), keys);
        if self.mode == Mode::Help {
            draw_help(frame, area);
        }
    }

    fn draw_head(&self, frame: &mut Frame<'_>, area: Rect) {
        let seen = &self.state.seen;
        let mut title = vec![Span::styled(speech::title(&self.state), self.look.said(false))];
        if self.own.is_some() {
            title.push(Span::raw("   the line of a player who knows every card"));
        } else if self.place.steps || self.state.redo > 0 {
            title.push(Span::raw(format!(
                "   step {} of {}",
                self.state.undo,
                self.state.undo + self.state.redo
            )));
        }
        let base = seen.base.map_or("to be chosen".into(), |base| base.to_string());
        let cards = format!("base {base}   {} of {} up   ", seen.cards, seen.all_cards);
        let mut lines = vec![Line::from(title)];
        if seen.dealt {
            lines.push(Line::from(format!("{cards}{}", speech::passes(&self.state))));
        } else {
            lines.push(Line::default());
        }
        lines.push(Line::from(speech::money(&self.state.money)));
        frame.render_widget(Paragraph::new(lines), area);
    }

    fn draw_board(&self, frame: &mut Frame<'_>, area: Rect) {
        if !self.state.seen.dealt {
            let unseen = "  The cards are not seen yet.";
            return frame.render_widget(Paragraph::new(unseen), area);
        }
        let shown = self.shown();
        // Without a selected place, the selected move of the list is shown.
        let chosen: Vec<&LegalMove> = match self.source {
            Some(_) => shown,
            None => shown.get(self.cursor).copied().into_iter().collect(),
        };
        let source = self.source.clone().or_else(|| chosen.first().map(|m| m.from.clone()));
        for row in rows(&self.state.seen, area.width) {
            self.draw_row(frame, area, &row, &chosen, source.as_deref());
        }
    }

    fn draw_row(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        row: &PlaceRow,
        chosen: &[&LegalMove],
        source: Option<&str>,
    ) {
        let y = area.y + row.at.1;
        if y >= area.bottom() {
            return;
        }
        if !row.name.is_empty() {
            let name = Rect::new(area.x, y, NAME.min(area.width), 1);
            frame.render_widget(Paragraph::new(format!(" {}", row.name)).style(self.look.label()), name);
        }
        let mut spans = Vec::new();
        let mut put = |(text, style): (String, Style)| spans.push(Span::styled(text, style));
        if row.hidden > 0 {
            put((format!("+{:<3} ", row.hidden), self.look.quiet()));
        }
        for (i, &card) in row.cards.iter().enumerate().skip(row.hidden) {
            put(self.look.card(card, row.mark(i, chosen, source)));
        }
        if row.cards.is_empty() {
            let is_target = source.is_some() && chosen.iter().any(|m| row.is_target(m));
            // A redeal turns the waste over.
            let is_source = source == Some(&row.word);
            let mark = match (is_target, is_source) {
                (true, _) => Mark::Target,
                (_, true) => Mark::Source,
                _ => Mark::Plain,
            };
            put(self.look.empty(&row.empty, mark));
        }
        if !row.behind.is_empty() {
            put((format!(" {}", row.behind), self.look.quiet()));
        }
        let x = area.x + row.at.0;
        if x < area.right() {
            let width = area.right() - x;
            frame.render_widget(Line::from(spans), Rect::new(x, y, width, 1));
        }
    }

    fn draw_list(&mut self, frame: &mut Frame<'_>, area: Rect) {
        if area.height < 2 {
            self.list = Rect::default();
            return;
        }
        let shown = self.shown();
        let rows = usize::from(area.height - 1);
        let cursor = self.cursor.min(shown.len().saturating_sub(1));
        let first = (cursor + 1).saturating_sub(rows);
        let from = self.source.as_ref().map_or(String::new(), |from| format!(" from {from}"));
        let mut lines =
            vec![Line::styled(format!(" {}{from}", self.list_title(shown.len())), self.look.label())];
        for (i, m) in shown.iter().enumerate().skip(first).take(rows) {
            let text = self.list_line(m, i == cursor);
            lines.push(if i == cursor { Line::styled(text, self.look.chosen()) } else { Line::raw(text) });
        }
        frame.render_widget(Paragraph::new(lines), area);
        self.list = Rect::new(area.x, area.y + 1, area.width, area.height - 1);
        (self.first, self.cursor) = (first, cursor);
    }

    fn list_title(&self, moves: usize) -> String {
        let title = format!("{moves} move{}", if moves == 1 { "" } else { "s" });
        let Some(hint) = &self.hint else { return title };
        let expects = hint.moves.iter().find_map(|it| it.expected);
        match expects {
            Some(it) => format!("{title:<19}   won  cards  in {} deals", it.deals),
            None if hint.moves.iter().any(|it| it.score.is_some()) => format!("{title:<19} score"),
            None => title,
        }
    }

    fn list_line(&self, m: &LegalMove, chosen: bool) -> String {
        let card = match m.card.card() {
            Some(_) => self.look.card(m.card, Mark::Plain).0.trim().to_string(),
            None => String::new(),
        };
        let mark = if chosen { '>' } else { ' ' };
        let mut text = format!("{mark}{:<10} {card:<4}", m.word);
        if let Some(hint) = &self.hint {
            if let Some(weight) = hint.moves.iter().find(|it| it.word == m.word) {
                let score = weight.score.map(|score| format!(" {score:>8}"));
                let expected = weight.expected.map(|it| speech::expected(&it));
                text += &score.or(expected).unwrap_or_default();
            }
            if hint.choice.as_ref() == Some(&m.word) {
                text += &format!("  < {}", one_line(&hint.strategy));
            }
        }
        match m.ends {
            Some(end) => format!("{text}  ends the game, {end}"),
            None => text,
        }
    }

    fn draw_said(&self, frame: &mut Frame<'_>, area: Rect) {
        let (mut text, mut wrong) = match &self.said {
            Some((said, wrong)) => (said.clone(), *wrong),
            None => (String::new(), false),
        };
        let cursor = "_";
        match &self.mode {
            Mode::Move(typed) => (text, wrong) = (format!("Move: {typed}{cursor}"), false),
            Mode::Save(typed, _) => text = format!("{text}\nFile: {typed}{cursor}"),
            _ => {}
        }
        let said = Paragraph::new(text).style(self.look.said(wrong)).wrap(Wrap { trim: true });
        frame.render_widget(said, area);
    }

    /// Returns the rows of the message, at least two to avoid jumps of the layout.
    fn said_rows(&self, width: u16) -> u16 {
        let said = self.said.as_ref().map_or(0, |(said, _)| said.chars().count());
        let typed = u16::from(matches!(self.mode, Mode::Save(..)));
        // Allows for line breaks between words.
        (said.div_ceil(usize::from(width.saturating_sub(8)).max(1)) as u16 + typed).clamp(2, 5)
    }

    fn keys(&self) -> String {
        let always = "u undo  y redo  h hint  n p watch  ? all keys  q leave";
        match (self.state.over.is_some(), self.asks_stage()) {
            (true, _) => " o what was possible  u undo  S save  ? all keys  q leave".into(),
            (_, true) => format!(" y buy  n decline  {always}"),
            _ if self.state.again.is_some() => {
                " right, left: step  Enter play  h hint  n p watch  ? all keys  q leave".into()
            }
            _ => format!(" Enter play  space draw  {always}"),
        }
    }
}

fn draw_history(frame: &mut Frame<'_>, area: Rect, state: &State, look: Look) {
    if area.height < 2 || area.width < 12 {
        return;
    }
    let rows = usize::from(area.height - 1);
    let first = state.made.len().saturating_sub(rows);
    let mut lines = vec![Line::styled(" done", look.label())];
    lines.extend(
        state
            .made
            .iter()
            .enumerate()
            .skip(first)
            .map(|(i, made)| Line::raw(format!(" {:>3}. {}", i + 1, speech::made(made)))),
    );
    frame.render_widget(Paragraph::new(lines), area);
}

fn draw_help(frame: &mut Frame<'_>, area: Rect) {
    let (width, height) = (78.min(area.width), (HELP.len() as u16 + 2).min(area.height));
    let x = area.x + (area.width - width) / 2;
    let y = area.y + (area.height - height) / 2;
    let window = Rect::new(x, y, width, height);
    let lines: Vec<Line<'_>> =
        HELP.iter().map(|(keys, what)| Line::raw(format!("{keys:<16} {what}"))).collect();
    frame.render_widget(Clear, window);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title("Keys")), window);
}
