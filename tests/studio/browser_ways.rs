//! Typical sequences of actions on the pages, in a real browser: what is kept, what follows, and what is shown.

use std::time::Duration;

use serde_json::{Value, json};

use crate::studio;
use crate::webdriver::Browser;

const PLAYED: &str = "document.getElementById('status')?.textContent === 'Done.'";

/// Puts a text in a field and leaves it.
fn put(browser: &Browser, id: &str, text: &str) {
    browser.run(&format!(
        "const f = document.getElementById('{id}'); f.value = {}; f.dispatchEvent(new Event('input')); f.dispatchEvent(new Event('change'))",
        json!(text)
    ));
}

/// Confirms the dialog that appears.
fn accept(browser: &Browser) {
    for _ in 0..400 {
        if browser.accept() {
            return;
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    panic!("nothing was asked");
}

#[test]
fn a_variant_is_kept_on_the_way_over_other_pages() {
    let (_dir, studio) = studio();
    let Some(browser) = Browser::start(1300, 900) else { return };
    browser.open(&studio.url);
    put(&browser, "games", "1000");
    put(&browser, "stock-redeals", "2");
    browser.wait("document.getElementById('text').value.includes('redeals = 2')");
    browser.run("document.querySelector('input[name=strategy][value=patient]').click()");
    let kept = format!(
        "document.getElementById('stock-redeals')?.value === '2' && {PLAYED} \
         && document.getElementById('strategies-said').textContent === 'greedy, patient'"
    );
    browser.wait(&kept);
    for page in ["gallery", "scripts", "table"] {
        browser.click(&format!("#to-{page}"));
        browser.wait(&format!("location.pathname === '/{page}' && document.readyState === 'complete'"));
        if page == "table" {
            browser.wait("document.getElementById('counts').textContent.includes('redeals left2')");
            browser.press("d");
            browser.wait("document.getElementById('history').textContent === 'draw'");
        }
        browser.click("#to-designer");
        browser.wait(&kept);
    }
    // The game continues too, as long as it has these rules.
    browser.click("#to-gallery");
    browser.wait("location.pathname === '/gallery' && document.readyState === 'complete'");
    browser.click("#to-table");
    browser.wait("document.getElementById('history')?.textContent === 'draw'");
    browser.click("#to-designer");
    browser.wait(&kept);
    put(&browser, "stock-redeals", "3");
    browser.wait("document.getElementById('text').value.includes('redeals = 3')");
    browser.wait(PLAYED);
    browser.click("#to-table");
    browser.wait("document.getElementById('counts')?.textContent.includes('redeals left3') && document.getElementById('history').textContent === ''");
    // Settings in the address take precedence over stored ones, which may be anything.
    browser.open("about:blank");
    browser.open(&format!("{}#rules=extends+%3D+%22canfield%22%0A&n=1000&s=greedy", studio.url));
    browser.wait(&format!(
        "document.getElementById('strategies-said')?.textContent === 'greedy' && {PLAYED} && !document.getElementById('text').value.includes('redeals')"
    ));
    for bad in ["%%%", "n=-1&seed=-7&edge=x&s=&s=", "n=1e9&seed=99999999999999999999&edge="] {
        browser.run(&format!("sessionStorage.setItem('saratoga-designer', '{bad}')"));
        browser.open(&studio.url);
        browser.wait(&format!("document.getElementById('seed')?.value === '1' && ({PLAYED} || document.getElementById('status').textContent === 'Choose a strategy.')"));
    }
    browser.run("sessionStorage.setItem('saratoga-table', 'moves=x+y&at=z&game=-1')");
    browser.open(&format!("{}table", studio.url));
    browser.wait("document.querySelector('#moves button')");
}

#[test]
fn a_sweep_follows_the_rules_and_fields_say_what_is_wrong() {
    let (_dir, studio) = studio();
    let Some(browser) = Browser::start(1300, 900) else { return };
    browser.open(&studio.url);
    put(&browser, "games", "1000");
    browser.wait(&format!("{PLAYED} && document.querySelector('.games').textContent === '1,000 games'"));
    browser.run("document.querySelector('[data-path=\"reserve.size\"] .sweeps').click()");
    let fresh = "!document.getElementById('sweep').classList.contains('stale') && document.querySelectorAll('#sweep-points li').length === 9 \
        && document.getElementById('sweep-note').textContent.startsWith('Each point plays 1,000 games (at most 20,000')";
    let own = |value: &str| {
        format!("{fresh} && document.querySelector('#sweep-points .own button')?.textContent === '{value}'")
    };
    browser.wait(&own("13"));
    browser.run("[...document.querySelectorAll('#sweep-points button')].find((it) => it.textContent === '11').click()");
    // The selected value is the current one, with the results above.
    browser.wait(&format!("{PLAYED} && {}", own("11")));
    browser.wait("document.querySelector('#sweep-points .own span').textContent.startsWith(document.querySelector('.player [data-id=edge] b').textContent)");
    let before = browser.run("return document.getElementById('sweep-points').textContent");
    put(&browser, "seed", "2");
    browser.wait(&format!(
        "{PLAYED} && {} && document.getElementById('sweep-points').textContent !== {before}",
        own("11")
    ));
    // With a fault in the rules nothing can be played, and the results shown belong to other rules.
    browser.type_in("#text", "\n[casino]\nstake = -1\n");
    browser.wait("document.getElementById('sweep').classList.contains('stale') && !document.getElementById('sweep-again').hidden");
    browser.run("const t = document.getElementById('text'); t.value = t.value.replace('-1', '40'); t.dispatchEvent(new Event('input'))");
    browser.wait(&own("11"));
    for (id, bad, told) in [
        ("seed", "99999999999999999999", "18,446"),
        ("seed", "", "whole number"),
        ("target", "", "percentage"),
        ("target", "100", "percentage"),
    ] {
        put(&browser, id, bad);
        browser.wait(&format!("document.getElementById('{id}-wrong').textContent.includes('{told}')"));
    }
    let address = browser.run("return location.hash").as_str().unwrap().to_string();
    assert!(address.contains("seed=2&edge=5"), "{address}");
    put(&browser, "seed", "3");
    browser
        .wait("document.getElementById('seed-wrong').textContent === '' && location.hash.includes('seed=3')");
    put(&browser, "file", " ");
    browser.click("#save");
    browser.wait("document.getElementById('note').textContent === 'Give the file a name first.'");
    browser.click("#pin");
    browser
        .wait("/casino.stake 40, reserve.size 11/.test(document.getElementById('pinned-name').textContent)");
    assert_eq!(browser.complaints(), Vec::<Value>::new());
}

#[test]
fn the_table_fits_a_phone_and_saves_what_its_record_names() {
    let (dir, studio) = studio();
    let Some(browser) = Browser::start(1300, 900) else { return };
    browser.look("light", 360);
    browser.open(&format!("{}table#seed=4&game=2", studio.url));
    browser.wait("document.querySelector('#moves button')");
    let line =
        "new Set([...document.querySelectorAll('#board .upper .place')].map((it) => it.offsetTop)).size";
    assert_eq!(browser.run(&format!("return {line}")), 1);
    let names = "[...document.querySelectorAll('#board .named')].map((it) => it.textContent).join(' ')";
    assert_eq!(browser.run(&format!("return {names}")), "reserve T1 T2 T3 T4");
    // A watched strategy stops when it is paused.
    put(&browser, "speed", "20");
    browser.click("#watch");
    browser.wait("document.getElementById('history').textContent.split(' ').length > 3");
    browser.click("#watch");
    let made = "document.getElementById('history').textContent";
    let at = browser.run(&format!("return {made}"));
    std::thread::sleep(Duration::from_millis(500));
    let moves = |of: &Value| of.as_str().unwrap().split(' ').count();
    assert!(moves(&browser.run(&format!("return {made}"))) <= moves(&at) + 1);
    assert_eq!(browser.run("return document.getElementById('watch').textContent"), "Watch");
    browser.run("setTimeout(() => document.getElementById('resign').click())");
    accept(&browser);
    browser.wait("!document.getElementById('over').hidden");
    browser
        .run("document.querySelector('.more').open = true; document.getElementById('save-record').click()");
    accept(&browser);
    browser.wait("document.getElementById('note').textContent.startsWith('Saved as game-4-2.jsonl')");
    assert_eq!(
        std::fs::read_to_string(dir.path().join("my-house.toml")).unwrap(),
        "extends = \"canfield\"\n"
    );
}

#[cfg(unix)]
#[test]
fn a_page_says_that_its_studio_has_ended() {
    let (_dir, mut studio) = studio();
    let Some(browser) = Browser::start(800, 900) else { return };
    browser.open(&format!("{}gallery", studio.url));
    browser.run("document.querySelector('details').open = true");
    studio.interrupt();
    browser.click("#start");
    browser.wait("document.getElementById('note').textContent.startsWith('The studio has ended.')");
}
