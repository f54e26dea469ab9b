//! Every view in both themes at all widths: it fits, and axe-core finds nothing serious. With `SARATOGA_PICTURES=DIR`
//! its picture is written there.

use std::fs;

use serde_json::Value;

use crate::client::Studio;
use crate::layout::{WIDTHS, faults};
use crate::program::Lab;
use crate::webdriver::Browser;

const GAME: &str = "#file=my-house.toml&rules=extends+%3D+%22canfield%22%0A&seed=1&game=8&moves=\
    draw+draw+draw+W%3ET1+T2%3ET1x1+draw+W%3EF+W%3EF+draw+draw+draw+W%3ET3+T4%3ET3x1+draw+draw+draw+draw+W%3ET2+dr\
    aw+redeal+draw+W%3ET2+draw+draw+draw+draw+draw+W%3ET1+W%3ET2+W%3EF+W%3ET1+W%3EF+T4%3ET1x1+W%3ET1+T2%3ET1x4+dra\
    w+draw+draw+draw+redeal+draw+W%3EF+W%3ET2+W%3ET3+T2%3ET3x2+draw+draw+draw+W%3ET4+draw+W%3EF+draw+draw+draw+W%3\
    ET4+T3%3ET4x6+redeal+draw+W%3EF+T4%3EF+draw+draw+draw+draw+draw+redeal+draw+W%3EF+T1%3EF+T1%3EF+T1%3EF+T4%3EF+\
    W%3EF+T2%3ET1x1+R%3ET1+T3%3ET4x1+R%3ET2+R%3ET2+R%3EF+R%3EF+W%3EF+T1%3EF+T4%3EF+draw";

/// A view: its name, its address, and steps that make something visible. Each step waits until its expression is true.
const VIEWS: [(&str, &str, &[&str]); 5] = [
    (
        "designer",
        "#file=my-house.toml&rules=extends+%3D+%22canfield%22%0A&s=greedy&s=patient&n=10000&seed=1&edge=5",
        &[
            "$('#status').textContent === 'Done.'",
            "$('#pin').click() || true",
            "($('#stock-redeals').value = '2', $('#stock-redeals').dispatchEvent(new Event('input')))",
            "$('.difference')?.textContent.includes('house edge')",
            "$('#status').textContent === 'Done.'",
            "$('[data-path=\"reserve.size\"] .sweeps').click() || true",
            "$$('#sweep-points li').length === 9",
            "($('#sweep-by').value = 'stock.redeals', $('#sweep-by').dispatchEvent(new Event('change')))",
            "$$('#sweep-map button').length === 90",
        ],
    ),
    (
        "faults",
        "#file=my-house.toml&rules=extends+%3D+%22canfield%22%0A%5Bstock%5D%0Aredeals+%3D+-1%0A&s=greedy&n=1000&seed=1&edge=5",
        &["$$('#faults li.error').length === 1"],
    ),
    ("table", "table", &["$('#moves button')", "$('#hint').click() || true", "$('#moves .choice')"]),
    (
        "scripts",
        "scripts",
        &[
            "$('#trial-moves .choice')",
            "($('#open').value = 'shelf:patient', $('#open').dispatchEvent(new Event('change')))",
            "$$('#functions li').length > 1 && $('#trial-moves .choice')",
            "$('#profile').click() || true",
            "$('#profiled').textContent.startsWith('50 of 50')",
            "$('#compare').click() || true",
            "$('#verdict').textContent.includes('better than')",
        ],
    ),
    ("gallery", "gallery", &["$$('.reports li').length === 2", "$('.job')"]),
];

/// Returns the findings that prevent somebody from using the page, in words.
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

/// Returns a folder with two reports, a ruleset, a script, and a waiting job.
fn folder() -> Lab {
    let job = "{ \"kind\": \"plan\", \"rules\": \"my-house.toml\", \"strategies\": [], \"seed\": 1, \"games\": 10000000 }";
    let dir = Lab::with(&[
        ("my-house.toml", "extends = \"canfield\"\n\n[stock]\nredeals = 2\n"),
        ("my-way.rhai", "fn score(view, m) { 1 }\n"),
        ("jobs/plan-my-house-1.json", job),
    ]);
    for (name, rules) in [("first", "canfield"), ("second", "demon-casino")] {
        dir.good(&format!("simulate {rules} -n 3000 -q --out reports/{name}"));
    }
    dir
}

#[test]
fn every_view_fits_and_has_no_serious_fault_of_accessibility() {
    let Some(browser) = Browser::start(1300, 900) else { return };
    let dir = folder();
    let studio = Studio::start(dir.path(), &[]);
    let axe = fs::read_to_string("tests/data/axe/axe.min.js").unwrap();
    let mut all = Vec::new();
    for (view, address, acts) in VIEWS {
        browser.look("light", 1300);
        browser.open("about:blank");
        let game = if view == "table" { GAME } else { "" };
        browser.open(&format!("{}{address}{game}", studio.url));
        for act in acts {
            browser.wait(act);
        }
        browser.run(&axe);
        for theme in ["light", "dark"] {
            for width in WIDTHS {
                browser.look(theme, width);
                all.extend(faults(&browser).into_iter().map(|it| format!("{view}, {theme}, {width}: {it}")));
                // Its colours in both themes, its layout at the smallest and largest width.
                if [("light", 360), ("dark", 1300)].contains(&(theme, width)) {
                    let found = serious(&browser);
                    all.extend(found.into_iter().map(|it| format!("{view}, {theme}, {width}: {it}")));
                }
                browser.picture(&format!("{view}-{theme}-{width}"));
            }
        }
        browser.is_content();
    }
    assert!(all.is_empty(), "{}", all.join("\n\n"));
    // A page with a fault shows that the check works.
    browser.run("$('main').replaceChildren(document.createElement('button'))");
    assert!(serious(&browser)[0].contains("button-name"));
}
