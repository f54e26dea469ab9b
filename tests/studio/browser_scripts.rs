//! The scripts page in a real browser.

use std::fs;

use serde_json::Value;

use crate::studio;
use crate::webdriver::Browser;

const ASKED: &str = "document.querySelector('#trial-moves .choice .worth')?.textContent || document.querySelector('#trial-moves .choice')";

/// Puts the cursor after a text found in the script.
fn cursor_after(browser: &Browser, found: &str) {
    browser.run(&format!(
        "const t = document.getElementById('script'); const at = t.value.indexOf({found:?}) + {found:?}.length; t.focus(); t.setSelectionRange(at, at)"
    ));
}

#[test]
fn a_script_is_written_checked_profiled_compared_and_saved() {
    let (dir, studio) = studio();
    let Some(browser) = Browser::start(1300, 900) else { return };
    browser.open(&format!("{}scripts", studio.url));
    browser.wait(ASKED);
    browser.wait("document.querySelectorAll('.gutter .row.compiled').length > 5");
    // A fault is reported while typing, at its line.
    cursor_after(&browser, "if m.from_waste { return ");
    browser.press("view.reserv");
    browser.wait("!document.getElementById('completions').hidden");
    browser.wait("document.querySelector('#faults li.error')?.textContent.includes('line 6')");
    browser.wait("document.querySelector('.gutter .row.error b')?.textContent === '6'");
    // Completions are offered; Enter takes the first.
    assert_eq!(browser.run("return document.querySelector('#completions li').textContent"), "reserve_left");
    browser.press("\u{e007}");
    browser.wait("document.getElementById('script').value.includes('return view.reserve_left70')");
    browser.press(" + ");
    browser.wait("document.querySelectorAll('#faults li').length === 0 && document.querySelector('#functions .compiled')");
    browser.wait("document.getElementById('cursor').textContent.includes('line 6') && document.getElementById('cursor').textContent.includes('compiled')");
    // What cannot be compiled is reported separately.
    browser.press("{ let y = \"a\"; 0 } + ");
    browser.wait("document.querySelectorAll('.gutter .row.interpreted').length > 5 && document.querySelector('#functions .interpreted')");
    browser.run("document.getElementById('profile-games').value = '50'");
    browser.click("#profile");
    browser.wait("document.getElementById('profiled').textContent.startsWith('50 of 50 games')");
    assert!(
        browser
            .run("return document.querySelectorAll('.gutter .runs')[2].textContent")
            .as_str()
            .unwrap()
            .len()
            > 1
    );
    // Each move of the deal has its score, and the script plays to the end.
    browser.click("#trial-step");
    browser.wait("document.getElementById('trial-counts').textContent.includes('1 choice made')");
    browser.wait(ASKED);
    browser.click("#trial-run");
    browser.wait("document.getElementById('trial-note').textContent.includes(' moves.')");
    browser.click("#trial-back");
    browser.wait(ASKED);
    browser.run("document.getElementById('deals').value = '10000'");
    browser.click("#compare");
    browser.wait("/better than|Neither|Undecided/.test(document.getElementById('verdict').textContent)");
    assert_eq!(browser.run("return document.querySelectorAll('#course .llr').length"), 2);
    browser.click("#save");
    browser.wait("document.getElementById('note').textContent === 'Saved as my-way.rhai.'");
    let text = browser.run("return document.getElementById('script').value");
    assert_eq!(Value::from(fs::read_to_string(dir.path().join("my-way.rhai")).unwrap()), text);
    // The address encodes the page.
    let address = browser.run("return location.href").as_str().unwrap().to_string();
    browser.open("about:blank");
    browser.open(&address);
    browser.wait("document.getElementById('script').value.includes('view.reserve_left')");
    browser.wait(ASKED);
    assert_eq!(browser.complaints(), Vec::<Value>::new());
}

#[test]
fn a_long_job_is_begun_cancelled_resumed_and_removed_in_the_gallery() {
    let (dir, studio) = studio();
    let Some(browser) = Browser::start(800, 900) else { return };
    browser.open(&format!("{}gallery", studio.url));
    browser.run(
        "document.querySelector('details').open = true; document.getElementById('games').value = '100000000'",
    );
    browser.click("#start");
    browser.wait("document.querySelector('.job .state')?.textContent.startsWith('running, ')");
    let press = |name: &str| {
        browser.wait(&format!(
            "[...document.querySelectorAll('.job button')].some((it) => it.textContent === '{name}')"
        ));
        browser.run(&format!(
            "[...document.querySelectorAll('.job button')].find((it) => it.textContent === '{name}').click()"
        ));
    };
    press("Cancel");
    browser.wait("document.querySelector('.job .state').textContent.startsWith('stopped')");
    press("Resume");
    browser.wait("document.querySelector('.job .state').textContent.startsWith('running')");
    press("Cancel");
    press("Remove");
    assert!(browser.accept());
    browser.wait("!document.querySelector('.job')");
    assert!(!dir.path().join("jobs/simulate-canfield-1.json").exists());
    assert_eq!(browser.complaints(), Vec::<Value>::new());
}

#[test]
fn every_script_of_the_shelf_is_coloured_and_marked_line_by_line() {
    let (_dir, studio) = studio();
    let Some(browser) = Browser::start(1300, 900) else { return };
    browser.open(&format!("{}scripts", studio.url));
    browser.wait(ASKED);
    for (name, text) in saratoga::strategy::script::SHELF {
        browser.run(&format!(
            "const o = document.getElementById('open'); o.value = 'shelf:{name}'; o.dispatchEvent(new Event('change'))"
        ));
        browser.wait(&format!(
            "document.getElementById('file').value === 'my-{name}.rhai' && document.getElementById('script').value.length === {} \
             && document.querySelectorAll('.gutter .row.compiled, .gutter .row.interpreted').length > 3",
            text.encode_utf16().count()
        ));
        // The text painted below the letters is the same, with the same number of lines.
        let same = "document.getElementById('paint').textContent === `${document.getElementById('script').value}\\n ` \
            && document.querySelectorAll('#gutter .row').length === document.getElementById('script').value.split('\\n').length";
        assert_eq!(browser.run(&format!("return {same}")), true, "{name}");
        let kinds = "['note', 'keyword', 'function', 'member'].filter((kind) => !document.querySelector(`#paint .${kind}`))";
        assert_eq!(browser.run(&format!("return {kinds}")), serde_json::json!([]), "{name}");
        // Every function is marked, from its name to its last brace, and nothing else.
        let marked = browser.run(
            "return [...document.querySelectorAll('#gutter .row')].map((it) => /compiled|interpreted/.test(it.className))",
        );
        let marked: Vec<bool> = marked.as_array().unwrap().iter().map(|it| it == true).collect();
        let mut inside = false;
        for (line, (text, marked)) in text.lines().zip(marked).enumerate() {
            inside |= text.starts_with("fn ");
            assert_eq!(marked, inside, "{name}, line {}: {text}", line + 1);
            inside &= text != "}" && !(text.starts_with("fn ") && text.ends_with('}'));
        }
    }
    assert_eq!(browser.complaints(), Vec::<Value>::new());
}
