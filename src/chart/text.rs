//! Text for bitmaps, drawn from a font inside the program, and how wide a text will be.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};
use plotters_backend::text_anchor::HPos;

use crate::text::one_line;

/// Size of most texts, in pixels.
pub(super) const TEXT: f64 = 26.0;

/// DejaVu Sans cut down to Latin, money and a few signs; see `fonts/LICENSE`.
static FONT: LazyLock<Option<FontRef<'static>>> =
    LazyLock::new(|| FontRef::try_from_slice(include_bytes!("fonts/DejaVuSans-subset.ttf")).ok());

/// The font at an em in pixels.
fn scaled(em: f64) -> Option<ab_glyph::PxScaleFont<&'static FontRef<'static>>> {
    let font = FONT.as_ref()?;
    let units = font.units_per_em().unwrap_or(2048.0);
    Some(font.as_scaled(PxScale::from(em as f32 * font.height_unscaled() / units)))
}

/// Glyphs of a text with the pen's place before each, and the width of them all.
fn layout(font: &impl ScaleFont<&'static FontRef<'static>>, text: &str) -> (Vec<(GlyphId, f32)>, f32) {
    let mut pen = 0.0;
    let mut last = None;
    let mut glyphs = Vec::with_capacity(text.len());
    for c in text.chars() {
        let id = font.glyph_id(c);
        if let Some(last) = last {
            pen += font.kern(last, id);
        }
        glyphs.push((id, pen));
        pen += font.h_advance(id);
        last = Some(id);
    }
    (glyphs, pen)
}

/// Width of a text in pixels. DejaVu is among the widest faces, so a reader's own font needs no more.
pub(super) fn width(text: &str, em: f64) -> f64 {
    scaled(em).map_or(em * 0.65 * text.chars().count() as f64, |font| f64::from(layout(&font, text).1))
}

/// Draws a text with its vertical middle at the origin: `put(x, y, coverage)` for every pixel it touches.
pub(super) fn draw<E>(
    text: &str,
    em: f64,
    anchor: HPos,
    mut put: impl FnMut(i32, i32, f64) -> Result<(), E>,
) -> Result<(), E> {
    let Some(font) = scaled(em) else { return Ok(()) };
    let (glyphs, width) = layout(&font, text);
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

/// A text in lines no wider than `room` pixels, broken at spaces; a word that is wider is cut in its middle.
pub(super) fn wrap(text: &str, em: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in clean(text).split(' ').filter(|word| !word.is_empty()) {
        let word = elide(word, em, room);
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
