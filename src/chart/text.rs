//! Text for bitmaps, drawn from a font inside the program, and how wide a text will be.

use std::borrow::Cow;
use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};
use plotters_backend::text_anchor::HPos;

use crate::text::{is_drawn, one_line};

/// Size of most texts, in pixels.
pub(super) const TEXT: f64 = 26.0;

/// The least size to which a text with numbers in it is drawn before names in it are cut.
const SMALL: f64 = 19.0;

/// DejaVu Sans cut down to the letters of [`is_drawn`]; see `fonts/README.md`.
static FONT: LazyLock<Option<FontRef<'static>>> =
    LazyLock::new(|| FontRef::try_from_slice(include_bytes!("fonts/DejaVuSans-subset.ttf")).ok());

/// The font at an em in pixels.
fn scaled(em: f64) -> Option<ab_glyph::PxScaleFont<&'static FontRef<'static>>> {
    let font = FONT.as_ref()?;
    let units = font.units_per_em().unwrap_or(2048.0);
    Some(font.as_scaled(PxScale::from(em as f32 * font.height_unscaled() / units)))
}

/// Glyphs of a text with the pen's place before each, and the width of them all.
fn layout(
    font: &impl ScaleFont<&'static FontRef<'static>>,
    text: &str,
    em: f64,
) -> (Vec<(GlyphId, f32)>, f32) {
    let mut pen = 0.0;
    let mut last = None;
    let mut glyphs = Vec::with_capacity(text.len());
    for c in text.chars() {
        let id = font.glyph_id(c);
        if let Some(last) = last {
            pen += font.kern(last, id);
        }
        glyphs.push((id, pen));
        // A page has other fonts for the rest, in which few letters are wider than an em.
        pen += if is_drawn(c) { font.h_advance(id) } else { em as f32 };
        last = Some(id);
    }
    (glyphs, pen)
}

/// A text as a bitmap can show it: for a run of letters that the font lacks one sign that says so.
pub(super) fn drawn(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_drawn) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars().map(|c| if is_drawn(c) { c } else { '\u{fffd}' }) {
        if c != '\u{fffd}' || !out.ends_with(c) {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Width of a text in pixels. DejaVu is among the widest faces, so a reader's own font needs no more.
pub(super) fn width(text: &str, em: f64) -> f64 {
    scaled(em).map_or(em * 0.65 * text.chars().count() as f64, |font| f64::from(layout(&font, text, em).1))
}

/// Draws a text with its vertical middle at the origin: `put(x, y, coverage)` for every pixel it touches.
pub(super) fn draw<E>(
    text: &str,
    em: f64,
    anchor: HPos,
    mut put: impl FnMut(i32, i32, f64) -> Result<(), E>,
) -> Result<(), E> {
    let Some(font) = scaled(em) else { return Ok(()) };
    let text = drawn(text);
    let (glyphs, width) = layout(&font, &text, em);
    let left = match anchor {
        HPos::Left => 0.0,
        HPos::Center => -width / 2.0,
        HPos::Right => -width,
    };
    // Where SVG's half an ex puts it.
    let baseline = em as f32 * 0.27;
    for (id, pen) in glyphs {
        let glyph = id.with_scale_and_position(font.scale(), point(left + pen, baseline));
        let Some(outline) = font.outline_glyph(glyph) else { continue };
        let bounds = outline.px_bounds();
        let (x0, y0) = (bounds.min.x as i32, bounds.min.y as i32);
        let mut done = Ok(());
        outline.draw(|x, y, coverage| {
            if done.is_ok() && coverage > 0.0 {
                done = put(x0 + x as i32, y0 + y as i32, f64::from(coverage.min(1.0)));
            }
        });
        done?;
    }
    Ok(())
}

/// A text fit for any picture: one line, its control characters, which XML forbids, made visible.
pub(super) fn clean(text: &str) -> String {
    let line = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    let line: String = line.filter(|c| !matches!(c, '\u{FFFE}' | '\u{FFFF}')).collect();
    one_line(&line).into_owned()
}

/// A text for XML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A text no wider than `room` pixels, its middle left out where it must be: names differ at both ends.
pub(super) fn elide(text: &str, em: f64, room: f64) -> String {
    let text = clean(text);
    if width(&text, em) <= room {
        return text;
    }
    let chars: Vec<char> = text.chars().collect();
    for kept in (1..chars.len()).rev() {
        let tail = kept / 2;
        let mut short: String = chars[..kept - tail].iter().collect();
        short.push('…');
        short.extend(&chars[chars.len() - tail..]);
        if width(&short, em) <= room {
            return short;
        }
    }
    "…".into()
}

/// Whether a word is a number: a digit stands in it before any letter.
fn is_number(word: &str) -> bool {
    word.chars().find(|c| c.is_alphanumeric()).is_some_and(|c| c.is_ascii_digit())
}

/// A text no wider than `room` pixels, and the size at which it is that. Numbers are drawn smaller where they must be and never
/// cut: one that lacks digits is another number. Names in a text with numbers are cut once it would be small.
pub(super) fn fit(text: &str, em: f64, room: f64) -> (String, f64) {
    let text = clean(text);
    let share = room / width(&text, em);
    if share >= 1.0 {
        return (text, em);
    }
    if !text.split(' ').any(is_number) {
        return (elide(&text, em, room), em);
    }
    if em * share >= SMALL {
        return (text, em * share);
    }
    let small = em.min(SMALL);
    let mut words: Vec<String> = text.split(' ').map(String::from).collect();
    let over = |words: &[String]| width(&words.join(" "), small) - room;
    // The widest name first.
    for _ in 0..words.len() {
        let names = words.iter().enumerate().filter(|(_, word)| !is_number(word) && !word.contains('…'));
        let Some(widest) = names.max_by(|a, b| width(a.1, small).total_cmp(&width(b.1, small))) else {
            break;
        };
        let (at, own) = (widest.0, width(widest.1, small));
        let excess = over(&words);
        if excess <= 0.0 {
            break;
        }
        words[at] = elide(&words[at], small, own - excess);
    }
    let text = words.join(" ");
    let share = (room / width(&text, small)).min(1.0);
    (text, small * share)
}

/// A text in lines no wider than `room` pixels, broken at spaces; a word that is wider is cut in its middle.
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

/// Two names as one, no wider than `room` pixels; the second keeps at least two fifths of them.
pub(super) fn pair(first: &str, second: &str, em: f64, room: f64) -> String {
    let room = room - width(", ", em);
    let (first, second) = (clean(first), clean(second));
    let short = elide(&second, em, (room - width(&first, em)).max(room * 0.4));
    let first = elide(&first, em, room - width(&short, em));
    format!("{first}, {short}")
}

/// The width of the widest text, in pixels.
pub(super) fn widest<'t>(texts: impl Iterator<Item = &'t str>) -> i32 {
    texts.map(|it| width(&clean(it), TEXT)).fold(0.0, f64::max).ceil() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_is_there() {
        assert!(FONT.is_some());
        assert!(width("mm", 20.0) > width("ll", 20.0));
    }

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
        let font = FONT.as_ref().unwrap();
        for c in (0..=0x10ffff).filter_map(char::from_u32) {
            assert_eq!(font.glyph_id(c).0 != 0, is_drawn(c), "U+{:04X}", u32::from(c));
        }
        assert_eq!(drawn("Новый «Кэнфилд» – Ω, 四つの山!"), "Новый «Кэнфилд» – Ω, �!");
        assert!((width("四", 20.0) - 20.0).abs() < 0.1);
    }

    #[test]
    fn lines_break_at_spaces() {
        let lines = wrap("some words that are a little longer than a line", 20.0, 200.0);
        assert!(lines.len() > 2 && lines.iter().all(|line| width(line, 20.0) <= 200.0), "{lines:?}");
        assert_eq!(lines.join(" "), "some words that are a little longer than a line");
        assert!(wrap(&"w".repeat(90), 20.0, 200.0)[0].contains('…'));
        assert!(wrap("", 20.0, 200.0).is_empty());
    }

    #[test]
    fn any_character_can_be_drawn() {
        let mut pixels = 0;
        draw("漢字 🂡 \u{202e} €", 20.0, HPos::Left, |_, _, _| {
            pixels += 1;
            Ok::<(), ()>(())
        })
        .unwrap();
        assert!(pixels > 0);
    }
}
