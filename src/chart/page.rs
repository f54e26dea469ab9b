//! Page of a chart: a drawing area of plotters, in the colours of a theme; and texts: their width in the program's font,
//! and how they are shortened if space is limited.

use std::borrow::Cow;
use std::error::Error;
use std::sync::LazyLock;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{DashedPathElement, PathElement, Rectangle};
use plotters::prelude::{Color, DrawingBackend, RGBColor, ShapeStyle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};

use super::theme::{Role, Theme};
use crate::text::{is_drawn, one_line};

/// Pixels per unit of a page, in every picture: sharp on high-resolution screens, and half units in SVG.
pub(super) const SCALE: u32 = 2;
/// Width of every chart in pixels: 800 units.
pub(super) const WIDTH: i32 = 800 * SCALE as i32;
/// Em of titles, pixels.
pub(super) const TITLE: f64 = 36.0;
/// Space around everything, and height of a line of text.
pub(super) const MARGIN: i32 = 32;
pub(super) const LINE: i32 = 42;
pub(super) type Point = (i32, i32);
pub(super) type Done = Result<(), ChartError>;

/// A chart that could not be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a chart could not be drawn: {0}")]
pub struct ChartError(pub(super) String);

impl<E: Error + Send + Sync> From<DrawingAreaErrorKind<E>> for ChartError {
    fn from(error: DrawingAreaErrorKind<E>) -> ChartError {
        ChartError(error.to_string())
    }
}

pub(super) struct Page<DB: DrawingBackend> {
    pub area: DrawingArea<DB, Shift>,
    theme: Theme,
}

impl<DB: DrawingBackend> Page<DB> {
    /// Creates a blank page on a whole surface.
    pub fn new(surface: DB, theme: Theme) -> Result<Page<DB>, ChartError> {
        let page = Page { area: surface.into_drawing_area(), theme };
        page.area.fill(&page.colour(Role::Paper))?;
        Ok(page)
    }

    pub fn colour(&self, role: Role) -> RGBColor {
        role.colour(self.theme)
    }

    pub fn stroke(&self, role: Role, width: u32) -> ShapeStyle {
        self.colour(role).stroke_width(width)
    }

    pub fn shade(&self, role: Role, shade: f64) -> ShapeStyle {
        self.colour(role).mix(shade).filled()
    }

    /// Draws text whose vertical middle is at `at`.
    pub fn text(&self, words: &str, at: Point, em: f64, role: Role, h: HPos) -> Done {
        if words.is_empty() {
            return Ok(());
        }
        let style = font(em).color(&self.colour(role)).pos(Pos::new(h, VPos::Center));
        Ok(self.area.draw_text(&clean(words), &style, at)?)
    }

    /// Draws text, made smaller or with names cut if it is wider than `room`: see [`fit`].
    pub fn fitted(&self, words: &str, at: Point, room: i32, role: Role, h: HPos) -> Done {
        let (words, em) = fit(words, TEXT, f64::from(room));
        self.text(&words, at, em, role, h)
    }

    /// Draws text on a blank background, so that lines behind it do not cross it.
    pub fn boxed(&self, words: &str, (x, y): Point, em: f64, role: Role, h: HPos) -> Done {
        let (wide, half) = (width(words, em).ceil() as i32 + 6, LINE / 2 - 2);
        let (left, right) = if let HPos::Right = h { (x - wide, x + 4) } else { (x - 4, x + wide) };
        self.fill([(left, y - half), (right, y + half)], Role::Paper, 1.0)?;
        self.text(words, (x, y), em, role, h)
    }

    pub fn line(&self, points: &[Point], role: Role, width: u32) -> Done {
        Ok(self.area.draw(&PathElement::new(points, self.stroke(role, width)))?)
    }

    pub fn broken(&self, points: &[Point], role: Role, width: u32) -> Done {
        let points = points.iter().copied();
        Ok(self.area.draw(&DashedPathElement::new(points, 11, 7, self.stroke(role, width)))?)
    }

    /// Draws a rectangle from its upper left corner to its lower right one.
    pub fn fill(&self, corners: [Point; 2], role: Role, shade: f64) -> Done {
        Ok(self.area.draw(&Rectangle::new(corners, self.shade(role, shade)))?)
    }
}

/// Em of most texts, in pixels.
pub(super) const TEXT: f64 = 26.0;
/// Minimum em of a text with numbers before names in it are cut.
const SMALL: f64 = 19.0;
/// Font size at which plotters draws with an em of 1.
const SIZE: f64 = 1.24;
/// Em at which texts are measured, since plotters counts whole pixels.
const MEASURED: f64 = 1000.0;

/// DejaVu Sans reduced to the characters of [`is_drawn`]; see `fonts/README.md`. Texts of an SVG inherit their font
/// instead.
static FONT: LazyLock<FontDesc<'static>> = LazyLock::new(|| {
    // A font that cannot be read is reported when drawing.
    let _ = register_font("inherit", FontStyle::Normal, include_bytes!("fonts/DejaVuSans-subset.ttf"));
    FontDesc::new(FontFamily::Name("inherit"), MEASURED * SIZE, FontStyle::Normal)
});

/// Returns the font with an em in pixels.
pub(super) fn font(em: f64) -> FontDesc<'static> {
    FONT.resize(em * SIZE)
}

/// Returns the width of a text in pixels. DejaVu is among the widest fonts, so a reader's own font needs no more.
pub(super) fn width(text: &str, em: f64) -> f64 {
    // A page has other fonts for the rest, in which few characters are wider than an em.
    let (own, other): (String, String) = text.chars().partition(|&c| is_drawn(c));
    let own = FONT.box_size(&own).map_or(0, |size| size.0);
    em * (f64::from(own) / MEASURED + other.chars().count() as f64)
}

/// Replaces each run of characters that the font lacks by one sign, for bitmaps.
pub(super) fn drawn(text: &str) -> String {
    let mut chars: Vec<char> = text.chars().map(|c| if is_drawn(c) { c } else { '\u{fffd}' }).collect();
    chars.dedup_by(|a, b| a == b && *a == '\u{fffd}');
    chars.into_iter().collect()
}

/// Makes a text safe for any picture: one line, with control characters, which XML forbids, made visible.
pub(super) fn clean(text: &str) -> String {
    let line = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    let line: String = line.filter(|c| !matches!(c, '\u{FFFE}' | '\u{FFFF}')).collect();
    one_line(&line).into_owned()
}

/// Shortens a text to `room` pixels, omitting its middle if necessary: names differ at both ends.
pub(super) fn elide(text: &str, em: f64, room: f64) -> String {
    let text = clean(text);
    if width(&text, em) <= room {
        return text;
    }
    let chars: Vec<char> = text.chars().collect();
    let cut = |kept: usize| -> String {
        let (head, tail) = (&chars[..kept.div_ceil(2)], &chars[chars.len() - kept / 2..]);
        head.iter().chain(&['…']).chain(tail).collect()
    };
    (1..chars.len()).rev().map(cut).find(|short| width(short, em) <= room).unwrap_or("…".into())
}

/// Returns whether a word is a number: it has a digit before any letter.
fn is_number(word: &str) -> bool {
    word.chars().find(|c| c.is_alphanumeric()).is_some_and(|c| c.is_ascii_digit())
}

/// Shortens a text to `room` pixels, and returns its em. Numbers are drawn smaller if necessary and never cut:
/// without some digits it would be another number. Names in a text with numbers are cut once it would be too small.
pub(super) fn fit(text: &str, em: f64, room: f64) -> (String, f64) {
    let text = clean(text);
    let share = room / width(&text, em);
    if share >= 1.0 {
        return (text, em);
    }
    let mut words: Vec<Cow<'_, str>> = text.split(' ').map(Cow::Borrowed).collect();
    if !words.iter().any(|word| is_number(word)) {
        return (elide(&text, em, room), em);
    }
    let small = em.min((em * share).max(SMALL));
    // Starting with the widest name.
    while let excess = width(&words.join(" "), small) - room
        && excess > 0.0
    {
        let names = words.iter_mut().filter(|word| !is_number(word) && !word.contains('…'));
        let Some(widest) = names.max_by(|a, b| width(a, small).total_cmp(&width(b, small))) else { break };
        *widest = elide(widest, small, width(widest, small) - excess).into();
    }
    let text = words.join(" ");
    let share = (room / width(&text, small)).min(1.0);
    (text, small * share)
}

/// Wraps a text at spaces into lines of at most `room` pixels; a wider word is cut in its middle.
pub(super) fn wrap(text: &str, em: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in clean(text).split(' ').filter(|word| !word.is_empty()) {
        let word = if is_number(word) { word.to_string() } else { elide(word, em, room) };
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), em) <= room => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// Joins two names, at most `room` pixels wide; the second keeps at least two fifths of them.
pub(super) fn pair(first: &str, second: &str, em: f64, room: f64) -> String {
    let room = room - width(", ", em);
    let (first, second) = (clean(first), clean(second));
    let short = elide(&second, em, (room - width(&first, em)).max(room * 0.4));
    let first = elide(&first, em, room - width(&short, em));
    format!("{first}, {short}")
}

/// Returns the width of the widest text, in pixels.
pub(super) fn widest<'t>(texts: impl IntoIterator<Item = &'t str>) -> i32 {
    texts.into_iter().map(|it| width(&clean(it), TEXT)).fold(0.0, f64::max).ceil() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use ab_glyph::{Font, FontRef};

    #[test]
    fn long_names_keep_both_ends() {
        let short = elide("a very long name of a house variant", 20.0, 200.0);
        assert!(short.starts_with("a v") && short.ends_with("ant") && short.contains('…'), "{short}");
        assert_eq!(elide("short", 20.0, 200.0), "short");
        assert_eq!(elide("short", 20.0, 0.0), "…");
        assert_eq!(clean("a\u{1}b\nc"), "a\\u0001b c");
    }

    #[test]
    fn numbers_are_never_cut() {
        let limits = "99.9999942% to 100.00000000%";
        for (text, room) in [
            (limits, 200.0),
            ("now $10,000,000.00: edge +99.9999944%", 300.0),
            ("the edge of a ruleset with a name that is far too long: −1,234,567.8%", 400.0),
        ] {
            let (short, em) = fit(text, TEXT, room);
            assert!(width(&short, em) <= room + 0.5 && em > 5.0, "{short} {em}");
            let numbers = |text: &str| -> Vec<String> {
                text.split(' ').filter(|word| is_number(word)).map(String::from).collect()
            };
            assert_eq!(numbers(&short), numbers(text));
        }
        assert_eq!(fit(limits, TEXT, 900.0), (limits.into(), TEXT));
        let (name, em) = fit("a very long name of a house variant", 20.0, 200.0);
        assert!(name.contains('…') && em == 20.0);
    }

    #[test]
    fn the_font_has_the_letters_it_is_said_to_have() {
        let font = FontRef::try_from_slice(include_bytes!("fonts/DejaVuSans-subset.ttf")).unwrap();
        for c in (0..=0x10ffff).filter_map(char::from_u32) {
            assert_eq!(font.glyph_id(c).0 != 0, is_drawn(c), "U+{:04X}", u32::from(c));
        }
    }

    #[test]
    fn letters_are_drawn_where_they_are_measured() {
        for c in ['l', 'm', 'H', 'ж', '8'] {
            let (mut left, mut right) = (i32::MAX, 0);
            let _ = font(100.0).draw(&format!("{c}"), (0, 0), |x, _, ink| {
                if ink > 0.5 {
                    (left, right) = (left.min(x), right.max(x));
                }
                Ok::<(), ()>(())
            });
            let width = width(&c.to_string(), 100.0) as i32;
            assert!(
                left > 1 && right < width - 1 && (left - (width - right)).abs() < 5,
                "{c}: {left} to {right} of {width}"
            );
        }
    }

    #[test]
    fn lines_break_at_spaces() {
        let lines = wrap("some words that are a little longer than a line", 20.0, 200.0);
        assert!(lines.len() > 2 && lines.iter().all(|line| width(line, 20.0) <= 200.0), "{lines:?}");
        assert!(wrap(&"w".repeat(90), 20.0, 200.0)[0].contains('…'));
        assert_eq!(drawn("Новый «Кэнфилд» – Ω, 四つの山!"), "Новый «Кэнфилд» – Ω, �!");
    }
}
