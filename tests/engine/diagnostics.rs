//! Diagnostics displayed in a terminal.

use std::ops::Range;
use std::sync::Arc;

use saratoga::diagnostic::{Diagnostic, SourceText, render};

fn at(text: &str, span: Range<usize>) -> Diagnostic {
    let source = Arc::new(SourceText { name: "a.toml".into(), text: text.into() });
    Diagnostic::error(&source, span, "no").help("allowed: yes")
}

/// Returns the line with the source and the line with the carets.
fn drawn(diagnostic: Diagnostic) -> (String, String) {
    let text = render(&[diagnostic], false);
    let lines: Vec<&str> = text.lines().collect();
    let carets =
        lines.iter().position(|line| line.contains('^')).unwrap_or_else(|| panic!("no caret in {text}"));
    (lines[carets - 1].to_string(), lines[carets].to_string())
}

#[test]
fn a_fault_is_drawn_under_its_line() {
    let text = render(&[at("a = 1\r\nb = no\r\nc = 2\r\n", 11..13)], false);
    assert_eq!(
        text,
        "error: no\n --> a.toml:2:5\n  |\n2 | b = no\n  |     ^^\n  |\n  = help: allowed: yes\n"
    );
}

#[test]
fn carets_stand_under_what_they_mean() {
    for (text, span) in [("\ta = \tno", 6..8), ("é = \"ü\" no", 10..12), ("x = no", 4..6)] {
        let (line, carets) = drawn(at(text, span));
        let column = |line: &str, what| line[..line.find(what).unwrap()].chars().count();
        assert_eq!(column(&line, "no"), column(&carets, "^^"), "{line}\n{carets}");
    }
}

#[test]
fn every_place_can_be_drawn() {
    let long = format!("{}no{}", "é".repeat(5000), "x".repeat(5000));
    for text in ["", "a", "\n", "a\r\n\r\n", "日本\u{200b}語\u{7}\u{1b}[1m", "\u{feff}a = 1", &long] {
        for start in (0..=text.len() + 2).filter(|i| i % 1999 < 30 || i + 4 > text.len()) {
            for end in [0, start, start + 1, start + 3, text.len(), usize::MAX] {
                let one = at(text, start..end);
                let shown = render(std::slice::from_ref(&one), true);
                assert!(shown.contains("a.toml:") && shown.len() < 4000, "{shown}");
            }
        }
    }
    let (line, carets) = drawn(at(&long, 10_000..10_002));
    assert!(line.contains("no") && line.chars().count() < 200 && carets.contains("^^"), "{line}\n{carets}");
}
