//! Text from strangers, made safe to show: names, paths, scripts and their output may contain characters that control
//! a terminal or reverse a line, and none of them may take effect.
//!
//! Such a character is shown as `\u001b`, which JSON, TOML and scripts read as the original character: a text with
//! such characters only in strings keeps its meaning.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Returns whether a character would have an invisible effect where it is shown: control characters, marks that
/// reverse text, line and paragraph separators, and zero-width spaces.
pub fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{061c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// The characters available in pictures, as ranges: Latin, Greek and Cyrillic letters, punctuation, currency signs,
/// arrows, a few symbols, the suits of cards, and the replacement for all others.
const DRAWN: [(char, char); 26] = [
    (' ', '~'),
    ('\u{a0}', '\u{24f}'),
    ('\u{370}', '\u{377}'),
    ('\u{37a}', '\u{37f}'),
    ('\u{384}', '\u{38a}'),
    ('\u{38c}', '\u{38c}'),
    ('\u{38e}', '\u{3a1}'),
    ('\u{3a3}', '\u{482}'),
    ('\u{48a}', '\u{525}'),
    ('\u{1e00}', '\u{1ef9}'),
    ('\u{2010}', '\u{2027}'),
    ('\u{2030}', '\u{203a}'),
    ('\u{20a0}', '\u{20b5}'),
    ('\u{20b8}', '\u{20ba}'),
    ('₽', '₽'),
    ('№', '№'),
    ('™', '™'),
    ('←', '↕'),
    ('−', '−'),
    ('√', '√'),
    ('∞', '∞'),
    ('≈', '≈'),
    ('≠', '≠'),
    ('≤', '≥'),
    ('♠', '♧'),
    ('�', '�'),
];

/// Returns whether the font of pictures has a character.
pub fn is_drawn(c: char) -> bool {
    DRAWN.iter().any(|&(first, last)| (first..=last).contains(&c))
}

/// Returns the characters of a text that the font of pictures lacks.
pub fn undrawn(text: &str) -> String {
    let mut missing: Vec<char> = text.chars().filter(|&c| !is_drawn(c) && !c.is_control()).collect();
    missing.dedup();
    missing.into_iter().collect()
}

/// Makes every such character of a one-line text visible, except tabs.
pub fn one_line(text: &str) -> Cow<'_, str> {
    shown(text, |c| c != '\t')
}

/// Makes every such character of a text visible, except tabs and line ends.
pub fn visible(text: &str) -> Cow<'_, str> {
    shown(text, |c| c != '\t' && c != '\n')
}

fn shown(text: &str, shows: impl Fn(char) -> bool) -> Cow<'_, str> {
    // All are ASCII controls or begin with one of these bytes: most texts need no closer look.
    if !text.bytes().any(suspect) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        // CRLF counts as a line end if line ends are kept.
        let ends_line = c == '\r' && !shows('\n') && chars.peek() == Some(&'\n');
        if steers(c) && shows(c) && !ends_line {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Maximum characters of a quote or a word of a message; paths and lists have fewer.
const LONGEST_QUOTE: usize = 250;
/// Maximum characters of a line of a message.
const LONGEST_LINE: usize = 1_500;
/// Maximum characters of a line with a command, which people copy.
const LONGEST_COMMAND: usize = 8_000;
/// Characters shown of a longer quote.
const SHOWN: usize = 60;

/// Cuts long quotes of an input in a message: text between quotes, words without a space, and the middle of lines. Colours of
/// the program stay intact.
pub fn brief(message: &str) -> Cow<'_, str> {
    let is_long = |line: &str| {
        let is_command = line.contains("saratoga ") && line.len() <= LONGEST_COMMAND;
        line.len() > LONGEST_QUOTE && !is_command
    };
    if !message.lines().any(is_long) {
        return Cow::Borrowed(message);
    }
    let lines = message.split('\n').map(|line| if is_long(line) { brief_line(line) } else { line.into() });
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

fn brief_line(line: &str) -> String {
    let mut out = String::new();
    let (mut rest, mut before) = (line, ' ');
    while let Some(first) = rest.chars().next() {
        let is_quote = "`'\"".contains(first) && !before.is_alphanumeric();
        let part = match is_quote.then(|| quoted(&rest[1..], first)).flatten() {
            Some(within) => &rest[..within + 2],
            None if first.is_whitespace() => &rest[..first.len_utf8()],
            None => {
                let ends = |c: char| c.is_whitespace() || c == '\u{1b}';
                let more = rest.char_indices().skip(1).find(|(_, c)| ends(*c) || "`'\"".contains(*c));
                &rest[..more.map_or(rest.len(), |(at, _)| at)]
            }
        };
        if part.chars().count() > LONGEST_QUOTE {
            out.extend(part.chars().take(SHOWN).chain(['…']));
            out.extend(part.chars().last().filter(|last| *last == first && is_quote));
        } else {
            out.push_str(part);
        }
        before = part.chars().last().unwrap_or(' ');
        rest = &rest[part.len()..];
    }
    let count = out.chars().count();
    if count <= LONGEST_LINE {
        return out;
    }
    let head: String = out.chars().take(LONGEST_QUOTE).collect();
    let tail: String = out.chars().skip(count - LONGEST_QUOTE).collect();
    let end = if line.contains('\u{1b}') { "\u{1b}[0m" } else { "" };
    format!("{head} … {tail}{end}")
}

/// Returns the bytes up to the end of an open quote, if it ends before the colour changes.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let closes = |at: &usize| !text[at + 1..].starts_with(char::is_alphanumeric);
    let end = text.match_indices(quote).map(|(at, _)| at).find(closes)?;
    (!text[..end].contains('\u{1b}')).then_some(end)
}

fn suspect(byte: u8) -> bool {
    byte < b' ' || matches!(byte, 0x7f | 0xc2 | 0xd8 | 0xe2 | 0xef)
}

/// A writer that applies [`visible`]. Invalid UTF-8 becomes replacement characters.
#[derive(Debug)]
pub struct Visible<W: Write> {
    to: W,
    /// Bytes whose meaning depends on the next ones: part of a character, or a carriage return.
    rest: Vec<u8>,
}

impl<W: Write> Visible<W> {
    /// Creates a writer that forwards to this one.
    pub fn new(to: W) -> Visible<W> {
        Visible { to, rest: Vec::new() }
    }

    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        for chunk in bytes.utf8_chunks() {
            self.to.write_all(visible(chunk.valid()).as_bytes())?;
            if !chunk.invalid().is_empty() {
                self.to.write_all("\u{fffd}".as_bytes())?;
            }
        }
        Ok(())
    }
}

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        let whole = all.len() - unfinished(&all);
        self.rest = all.split_off(whole);
        self.pass(&all)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl<W: Write> Drop for Visible<W> {
    /// Forwards the incomplete rest as it is.
    fn drop(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        let _ = self.pass(&rest);
    }
}

/// Returns how many bytes at the end depend on what follows.
fn unfinished(bytes: &[u8]) -> usize {
    if bytes.last() == Some(&b'\r') {
        return 1;
    }
    let start = bytes.iter().rev().take(4).position(|byte| byte & 0xc0 != 0x80).map_or(0, |back| back + 1);
    let needed = match bytes.get(bytes.len() - start) {
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        _ => 1,
    };
    if start < needed { start } else { 0 }
}

/// Converts a text to the name of a file or an anchor: lower-case letters and digits, with `-` between words, at most
/// `most` characters.
pub fn slug(name: &str, most: usize) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.map(str::to_lowercase).collect::<Vec<_>>().join("-");
    // File names have a maximum length.
    let slug: String = slug.chars().take(most).collect();
    if slug.is_empty() { "unnamed".into() } else { slug.trim_end_matches('-').into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\x1b[31m\u{9b}2J\u{7f}\u{202e}\u{2066}\u{200f}\u{61c}\u{2028}\u{feff}\u{200b}\rz";
    const HARMLESS: &str =
        "a\\u001b[31m\\u009b2J\\u007f\\u202e\\u2066\\u200f\\u061c\\u2028\\ufeff\\u200b\\u000dz";

    #[test]
    fn what_steers_is_shown() {
        assert_eq!(one_line(HOSTILE), HARMLESS);
        assert_eq!(visible(HOSTILE), HARMLESS);
        assert_eq!(one_line("a\tb\nc\r\nd"), "a\tb\\u000ac\\u000d\\u000ad");
        assert_eq!(visible("a\tb\nc\r\nd\r"), "a\tb\nc\r\nd\\u000d");
        for plain in ["", "Größe € 漢字 🂡 👩‍👩‍👧 – … ‐", "“quoted” ‘too’"]
        {
            assert!(matches!(one_line(plain), Cow::Borrowed(_) | Cow::Owned(_)));
            assert_eq!(one_line(plain), plain);
        }
        for c in (0..=u32::from(char::MAX)).filter_map(char::from_u32).filter(|&c| steers(c)) {
            assert_eq!(one_line(&c.to_string()) != c.to_string(), c != '\t', "{c:?}");
        }
    }

    #[test]
    fn long_quotes_of_a_message_are_cut() {
        let many = |text: &str| text.repeat(100_000 / text.len());
        let cut = |text: &str| format!("{}…", text.chars().take(60).collect::<String>());
        for (long, short) in [
            (
                format!("`{}` is no price", many("9")),
                format!("{}` is no price", cut(&format!("`{}", many("9")))),
            ),
            (
                format!("the ruleset's value '{}' is too long", many("a 'b")),
                format!("the ruleset's value {}' is too long", cut(&format!("'{}", many("a 'b")))),
            ),
            (format!("cannot read {}", many("é/")), format!("cannot read {}", cut(&many("é/")))),
        ] {
            assert_eq!(brief(&format!("error: {long}\n  help")), format!("error: {short}\n  help"));
        }
        let line = format!("no end: `{}: there is no such file", many("a b "));
        let shown = brief(&line);
        assert!(
            shown.len() < 600 && shown.starts_with("no end: `a b") && shown.ends_with("no such file"),
            "{shown}"
        );
        let coloured = brief(&format!("'\u{1b}[33m{}\u{1b}[0m' is long", many("x"))).into_owned();
        assert!(coloured.len() < 100 && coloured.contains("…\u{1b}[0m' is long"), "{coloured}");
        let command = format!("this makes it again: saratoga sweep --vary stock.draw={}", "1,".repeat(500));
        for kept in ["a short one", &command, &"many words ".repeat(100)] {
            assert_eq!(brief(kept), *kept);
        }
    }

    #[test]
    fn json_means_the_same_afterwards() {
        let text = serde_json::to_string(HOSTILE).unwrap();
        assert_eq!(serde_json::from_str::<String>(&visible(&text)).unwrap(), HOSTILE);
    }

    #[test]
    fn a_writer_may_be_given_any_pieces() {
        let text = format!("{HOSTILE}\r\n漢字 🂡 é\n{HOSTILE}");
        for piece in 1..9 {
            let mut out = Vec::new();
            let mut writer = Visible::new(&mut out);
            text.as_bytes().chunks(piece).for_each(|piece| writer.write_all(piece).unwrap());
            drop(writer);
            assert_eq!(String::from_utf8(out).unwrap(), visible(&text), "{piece}");
        }
        let mut out = Vec::new();
        Visible::new(&mut out).write_all(b"\x9b1m\xe2\x80").unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "\u{fffd}1m\u{fffd}");
    }
}
