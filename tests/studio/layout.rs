//! The layout of pages, on screens and on paper: no column is narrower than its words, no table is cut off beside an
//! empty margin, no text overlaps another, no sheet of paper is nearly empty.

use serde_json::{Value, json};

use crate::program::Lab;
use crate::webdriver::Browser;

/// Widths of phones, tablets and screens in pixels.
pub const WIDTHS: [u32; 5] = [360, 420, 800, 1300, 1600];
/// Pixels between the margins of a sheet of A4, in portrait and landscape format.
const PAPER: [u32; 2] = [718, 1047];
/// The minimum used height of a sheet, as a fraction, and that of the last one.
const FILLED: f64 = 0.4;
const LAST: f64 = 0.15;

/// A report of every kind: the name of its folder, and the command that makes it.
const REPORTS: [(&str, &str); 16] = [
    (
        "simulate",
        "simulate canfield ./long-name.toml -s greedy -s patient -n 200 --clairvoyant=2 --clairvoyant-nodes 2000",
    ),
    ("stages", "simulate bsd -s greedy -s cautious -n 200"),
    ("compare", "compare canfield -s patient -s greedy -n 1000 --show 2"),
    ("ranking", "compare canfield -s patient -s greedy -s hoarder -n 1000 --show 2"),
    ("sweep", "sweep canfield --vary stock.redeals=0..2 --vary stock.draw=1..3 -n 100"),
    ("price", "price demon-casino -s greedy -s patient -n 1000 --variant-games 200"),
    (
        "plan",
        "plan canfield ./long-name.toml -n 1000 --patrons beginner:60%,ordinary:40% --best greedy --decks 20 --nights 5 --clairvoyant 2 --nodes 2000 --bootstrap 100",
    ),
    ("bankroll", "bankroll canfield --decks 20 --bank 20000 --at 66 -n 1000 --bootstrap 100"),
    ("estimate", "estimate night.csv --rules canfield -n 1000 --patrons beginner:50%,ordinary:50%"),
    ("tune", "tune canfield tunable -n 200 --candidates 4 --generations 2 --deals 50"),
    ("solve", "solve canfield -n 6 --nodes 2000 -s greedy -s patient --goal cards"),
    ("bracket", "bracket canfield --vary stock.redeals=0..1 -n 6 --nodes 2000 -s greedy -s patient"),
    ("character", "character canfield ./long-name.toml -s beginner -s greedy -n 50 --judged 2 --nodes 2000"),
    (
        "design",
        "design canfield --vary stock.draw=1..3 --vary stock.redeals=0..2 --want wins=1%..8% --want edge=3%..6% --price round=1 -n 2000",
    ),
    ("contest", "contest racing-demon -n 40"),
    ("shelf", "rules page -n 30 --patient-games 10 --matches 2"),
];

/// Returns the layout faults of the page in a browser, once its pictures are drawn for the width that it has now.
pub fn faults(browser: &Browser) -> Vec<String> {
    browser.run_to_the_end("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))");
    let found = browser.run(include_str!("layout.js"));
    let found = found.as_array().unwrap_or_else(|| panic!("{found}"));
    found.iter().map(|it| it.as_str().unwrap_or_default().to_string()).collect()
}

/// Returns how far down the printed sheets of a page are used.
fn sheets(browser: &Browser) -> Vec<f64> {
    let pdf = browser.print();
    browser.open("about:blank");
    let script = include_str!("paper.js");
    let script = format!(
        "const done = arguments[0]; (async () => {{ const pdf = {}; {script} }})().then(done, (e) => done(String(e)))",
        json!(pdf)
    );
    let filled = browser.run_to_the_end(&script);
    filled.as_array().unwrap_or_else(|| panic!("{filled}")).iter().filter_map(Value::as_f64).collect()
}

fn write(lab: &Lab, name: &str, command: &str) -> String {
    // A name that no font has is warned of.
    let ran = lab.run(&format!("{command} --threads 1 -q --out {name}"));
    assert_eq!(ran.code, Some(0), "{command}: {}", ran.err);
    format!("file://{}/{name}/index.html", lab.path().display())
}

#[test]
fn every_report_fits_screens_and_paper() {
    let Some(browser) = Browser::start(1300, 900) else { return };
    let cards: Vec<String> = (1..=40).map(|deck| (deck * 7 % 30 + 1).to_string()).collect();
    let long = "extends = \"canfield\"\nname = \"Новый «Кэнфилд» – Ω, 四つの山, with a name that is longer than a line of a chart\"\n";
    let lab =
        Lab::with(&[("night.csv", &format!("cards\n{}\n", cards.join("\n"))), ("long-name.toml", long)]);
    // The next report is made while the browser checks one.
    let (made, reports) = std::sync::mpsc::channel();
    let lab = std::sync::Arc::new(lab);
    let its = lab.clone();
    let maker = std::thread::spawn(move || {
        REPORTS.iter().try_for_each(|(name, command)| made.send((*name, write(&its, name, command))))
    });
    let mut all = Vec::new();
    for (name, page) in reports {
        browser.open(&page);
        for width in WIDTHS {
            // A theme moves nothing: a phone and a screen are enough to check that.
            for theme in
                ["light", "dark"].into_iter().filter(|it| *it == "light" || [420, 1300].contains(&width))
            {
                browser.look(theme, width);
                all.extend(faults(&browser).into_iter().map(|it| format!("{name}, {theme}, {width}: {it}")));
                browser.picture(&format!("{name}-{theme}-{width}"));
            }
        }
        let broad = browser.run("return document.querySelector('main.broad') !== null") == true;
        browser.paper(PAPER[usize::from(broad)]);
        all.extend(faults(&browser).into_iter().map(|it| format!("{name}, on paper: {it}")));
        browser.look("light", 1300);
        let filled = sheets(&browser);
        assert!(!filled.is_empty(), "{name} has no sheets");
        for (i, &share) in filled.iter().enumerate() {
            if share < if i + 1 == filled.len() { LAST } else { FILLED } {
                all.push(format!("{name}: sheet {} of {filled:?} is nearly empty", i + 1));
            }
        }
    }
    maker.join().unwrap().expect("every report was looked at");
    assert!(all.is_empty(), "{}", all.join("\n"));
    // A page with faults shows that the check works.
    browser.look("light", 420);
    browser.run(
        "document.body.innerHTML = '<table style=\"table-layout:fixed;width:60px\"><tr><td style=\"overflow-wrap:anywhere\">beginners<td>1<td>2</table>\
         <p style=\"height:0;margin:0\">one</p><p style=\"margin:0\">another</p>'",
    );
    let found = faults(&browser).join("\n");
    assert!(found.contains("a column is") && found.contains("lies on"), "{found}");
}
