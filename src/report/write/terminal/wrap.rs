//! Line breaking.

use std::fmt::Write as _;

/// Wraps a text at spaces, with the first line after `first` and the others after `rest`.
pub(super) fn wrapped(what: &str, first: &str, rest: &str, width: usize) -> String {
    let mut text = first.to_string();
    let mut column = first.chars().count();
    for (i, word) in what.split(' ').enumerate() {
        let length = word.chars().count();
        if i > 0 && column + 1 + length > width {
            let _ = write!(text, "\n{rest}");
            column = rest.chars().count();
        } else if i > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_are_broken_at_spaces_only() {
        let text = wrapped("a few words and aVeryLongWordThatDoesNotFit here", "- ", "  ", 14);
        assert_eq!(text, "- a few words\n  and\n  aVeryLongWordThatDoesNotFit\n  here\n");
    }
}
