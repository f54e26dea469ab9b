//! What holds of every report: charts are well formed, pages stand alone, lines fit the terminal.

use saratoga::chart::Theme;
use saratoga::report::{Document, document_html, document_terminal};

/// Checks every chart of a document; each must have one of `parts` in its texts.
pub fn charts(document: &Document<'_>, part: &str) {
    for chart in document.charts() {
        let name = chart.name();
        let inline = chart.inline_svg().unwrap();
        assert!(!inline.contains("=\"#"), "{name}: a colour that the page cannot change");
        for svg in [chart.svg(Theme::Dark).unwrap(), inline] {
            let xml = roxmltree::Document::parse(&svg).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
            assert!(!svg.contains(" id="), "{name}: several charts stand in one page");
            assert_eq!(xml.root_element().attribute("role"), Some("img"), "{name}");
            let title = xml.root_element().children().find(|it| it.tag_name().name() == "title");
            assert_eq!(title.and_then(|it| it.text()), Some(&*chart.title().replace('\u{a0}', " ")));
            let texts: Vec<&str> = xml.descendants().filter_map(|node| node.text()).collect();
            assert!(texts.iter().any(|text| text.contains(part)), "{name}: {texts:?}");
        }
    }
}

/// Checks the page of a document, and returns it.
pub fn page(document: &Document<'_>) -> String {
    let page = document_html(document).unwrap().replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "<script", "src=", "<link", "@import", "url(", "NaN", "inf "] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("prefers-color-scheme:dark") && page.contains("@media print"));
    page
}

/// Checks the summary of a document for a terminal, and returns it.
pub fn terminal(document: &Document<'_>) -> String {
    let text = document_terminal(document, 100);
    for line in text.lines() {
        let fits = line.chars().count() <= 100 || line.contains("saratoga ");
        assert!(fits && line.trim_end() == line && line.is_ascii(), "`{line}`");
    }
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    text
}
