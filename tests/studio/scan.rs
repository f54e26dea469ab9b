//! What axe-core finds in the pages: nothing serious, in either theme, on a phone and on a wide screen.

use std::fs;

use serde_json::Value;

use crate::studio;
use crate::webdriver::Browser;

/// Pages, and what there is once they are ready to be looked at.
const PAGES: [(&str, &str); 4] = [
    ("", "document.getElementById('status')?.textContent === 'All games are played.'"),
    ("table", "document.querySelector('#moves button')"),
    ("scripts", "document.querySelector('#trial-moves .choice') && document.querySelector('#functions li')"),
    ("gallery", "document.querySelector('main')"),
];

/// The findings that keep somebody from using the page, in words.
fn serious(browser: &Browser) -> Vec<String> {
    let found = browser.run_to_the_end(
        "const done = arguments[0]; axe.run(document, { resultTypes: ['violations'] }).then(done, (e) => done(String(e)));",
    );
    let violations = found["violations"].as_array().unwrap_or_else(|| panic!("axe-core failed: {found}"));
    let grave = |it: &&Value| ["serious", "critical"].contains(&it["impact"].as_str().unwrap_or_default());
    let said = |it: &Value| {
        let nodes = it["nodes"].as_array().into_iter().flatten();
        let html: Vec<_> = nodes.map(|node| format!("{} {}", node["html"], node["failureSummary"])).collect();
        format!("{}: {}\n{}", it["id"], it["help"], html.join("\n"))
    };
    violations.iter().filter(grave).map(said).collect()
}

#[test]
fn axe_core_finds_nothing_serious() {
    let (dir, studio) = studio();
    let Some(browser) = Browser::start(1300, 900) else { return };
    let axe =
        fs::read_to_string(format!("{}/tests/data/axe/axe.min.js", env!("CARGO_MANIFEST_DIR"))).unwrap();
    fs::create_dir_all(dir.path().join("reports/first")).unwrap();
    fs::write(dir.path().join("reports/first/index.html"), "<title>A first report</title>").unwrap();
    let mut all = Vec::new();
    for (theme, width) in [("light", 1300), ("dark", 1300), ("light", 360)] {
        browser.look(theme, width);
        for (page, ready) in PAGES {
            browser.open(&format!("{}{page}", studio.url));
            browser.wait(ready);
            browser.run(&axe);
            all.extend(serious(&browser).into_iter().map(|it| format!("/{page}, {theme}, {width}: {it}")));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n\n"));
    // A page with a fault shows that it looks.
    browser.run("document.querySelector('main').replaceChildren(document.createElement('button'))");
    assert!(serious(&browser)[0].contains("button-name"));
}
