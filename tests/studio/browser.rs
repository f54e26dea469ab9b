//! The pages in a real browser, if `SARATOGA_BROWSER` is set and one is installed. Otherwise each test reports that it
//! was skipped.

use std::fs;

use serde_json::Value;

use crate::client::Studio;
use crate::studio;
use crate::webdriver::Browser;

const PLAYED: &str = "document.getElementById('status').textContent === 'Done.'";
const EDGE: &str = "document.querySelector('.player [data-id=edge] b')?.textContent";

/// Opens a designer whose first games have been played.
fn designer(studio: &Studio) -> Option<Browser> {
    let browser = Browser::start(1300, 900)?;
    browser.open(&studio.url);
    browser.wait(PLAYED);
    Some(browser)
}

/// Sets a field like a person who replaces its contents.
fn write(browser: &Browser, css: &str, text: &str) {
    // Not every browser replaces a selection in a text area by typing.
    browser.run(&format!("const e = document.querySelector('{css}'); e.focus(); e.value = ''"));
    browser.type_in(css, text);
}

#[test]
fn a_changed_rule_moves_the_edge_and_is_saved_and_opened_again() {
    let (dir, studio) = studio();
    let Some(browser) = designer(&studio) else { return };
    let before = browser.wait(EDGE);
    write(&browser, "#stock-redeals", "2");
    browser.wait("document.getElementById('text').value.includes('redeals = 2')");
    browser.wait(&format!("{PLAYED} && {EDGE} !== {before} && {EDGE}"));
    // Conversely, a change of the text shows in the form.
    browser.run(
        "const t = document.getElementById('text'); t.setSelectionRange(t.value.length, t.value.length)",
    );
    browser.type_in("#text", "\n[casino]\nstake = 30\n");
    browser.wait("document.getElementById('casino-stake').value === '30'");
    browser.wait(PLAYED);
    write(&browser, "#file", "two.toml");
    browser.click("#save");
    browser.wait("document.getElementById('note').textContent.startsWith('Saved')");
    let saved = fs::read_to_string(dir.path().join("two.toml")).unwrap();
    assert_eq!(saved, "extends = \"canfield\"\n\n[stock]\nredeals = 2\n\n[casino]\nstake = 30\n");
    // The address encodes the page.
    let address = browser.run("return location.href").as_str().unwrap().to_string();
    browser.open("about:blank");
    browser.open(&address);
    browser.wait("document.getElementById('stock-redeals').value === '2'");
    browser.open("about:blank");
    browser.open(&studio.url);
    browser.wait(PLAYED);
    browser.run("const o = document.getElementById('open'); o.value = 'file:two.toml'; o.dispatchEvent(new Event('change'))");
    browser.wait("document.getElementById('casino-stake').value === '30'");
    assert_eq!(browser.complaints(), Vec::<Value>::new());
}

#[test]
fn faults_are_shown_in_their_places_and_games_can_be_stopped_and_pinned() {
    let (_dir, studio) = studio();
    let Some(browser) = designer(&studio) else { return };
    browser.click("#pin");
    browser.wait("!document.getElementById('pinned').hidden");
    write(&browser, "#stock-redeals", "5");
    browser.wait("document.querySelector('.difference')?.textContent.includes('house edge')");
    browser.wait(PLAYED);
    browser.type_in("#text", "\n[casino]\nstake = -1\n");
    browser.wait("document.querySelector('#faults li.error')?.textContent.includes('casino.stake')");
    let told = "[...document.querySelectorAll('.marks .error')].length === 1 \
        && document.querySelector('[data-path=\"casino.stake\"] .wrong').textContent !== ''";
    browser.wait(told);
    assert_eq!(browser.run("return document.querySelector('.player').classList.contains('stale')"), true);
    browser.run("const t = document.getElementById('text'); t.value = t.value.replace('-1', '40'); t.dispatchEvent(new Event('input'))");
    browser.wait(&format!("!document.querySelector('#faults li') && {PLAYED}"));
    // The page itself stops them as soon as they are running: a fast machine finishes them before the test could.
    browser.run(
        "setInterval(() => { if (document.querySelector('.games').textContent.includes('of 10,000,000')) \
         document.getElementById('stop').click() }, 10); \
         const g = document.getElementById('games'); g.value = '10000000'; g.dispatchEvent(new Event('change'))",
    );
    browser.wait("document.getElementById('status').textContent === 'Stopped.'");
    assert_eq!(browser.complaints(), Vec::<Value>::new());
}

#[test]
fn no_number_of_a_tile_is_broken_over_two_lines() {
    let (_dir, studio) = studio();
    let Some(browser) = Browser::start(1300, 900) else { return };
    for (theme, width) in [("light", 420), ("dark", 1300)] {
        browser.look(theme, width);
        browser.open("about:blank");
        // A wide currency: `currency = "Reichsmark"`
        let rules = "extends%20%3D%20%22canfield%22%0A%5Bcasino%5D%0Acurrency%20%3D%20%22Reichsmark%22";
        browser.open(&format!("{}#n=1000&rules={rules}", studio.url));
        browser.wait(PLAYED);
        let numbers = "[...document.querySelectorAll('.card bdi')]";
        assert!(browser.run(&format!("return {numbers}.length")).as_u64().unwrap() > 15);
        let out = "it.getBoundingClientRect().right > it.closest('.card').getBoundingClientRect().right";
        let bad = format!("return {numbers}.filter((it) => it.getClientRects().length > 1 || {out}).length");
        assert_eq!(browser.run(&bad), 0, "{theme} {width}");
    }
}

#[test]
fn a_plan_is_for_the_mix_and_the_nights_that_are_asked_for() {
    let (dir, studio) = studio();
    let Some(browser) = designer(&studio) else { return };
    browser.run("document.getElementById('export-plan').closest('details').open = true");
    for (name, text) in
        [("patrons", "greedy:60%,random:40%"), ("target", "20%"), ("decks", "40"), ("nights", "7")]
    {
        write(&browser, &format!("#plan-{name}"), text);
    }
    browser.click("#export-plan");
    browser.wait(
        "document.getElementById('note').textContent.startsWith('The plan plan-my-house-1 is being made')",
    );
    let job = fs::read_to_string(dir.path().join("jobs/plan-my-house-1.json")).unwrap();
    let job: Value = serde_json::from_str(&job).unwrap();
    let plan = serde_json::json!({ "patrons": "greedy:60%,random:40%", "target_edge": "20%", "decks": 40, "nights": 7 });
    assert_eq!(job["plan"], plan);
    assert_eq!(browser.complaints(), Vec::<Value>::new());
}

#[test]
fn figures_move_nothing_while_they_stream() {
    let (_dir, studio) = studio();
    let Some(browser) = designer(&studio) else { return };
    browser.run(
        "window.shift = 0; new PerformanceObserver((list) => list.getEntries().forEach((e) => { window.shift += e.value; })) \
         .observe({ type: 'layout-shift' })",
    );
    browser.run("const g = document.getElementById('games'); g.value = '10000000'; g.dispatchEvent(new Event('change'))");
    // They may be finished before the check.
    browser.wait("document.querySelector('.games').textContent.includes('10,000,000')");
    browser.wait("(document.querySelector('.player progress')?.value ?? 1) > 0.02");
    let shift = browser.run("return window.shift").as_f64().unwrap();
    assert!(shift < 0.01, "{shift}");
}

#[test]
fn a_deal_is_played_to_its_end_by_keyboard() {
    let (_dir, studio) = studio();
    let Some(browser) = Browser::start(1300, 900) else { return };
    browser.open(&format!("{}table", studio.url));
    browser.wait("document.querySelector('#moves button')");
    let made = "document.getElementById('history').textContent";
    let mut last = browser.run(&format!("return {made}"));
    for _ in 0..400 {
        if browser.run("return !document.getElementById('over').hidden") == true {
            break;
        }
        // The choice of greedy at first: up, else draw, as long as that does not end the game.
        browser.press(
            if browser
                .run("return document.querySelector('#moves button')?.dataset.word.endsWith('>F') ?? false")
                == true
            {
                "1"
            } else {
                "d"
            },
        );
        browser.accept();
        last = browser.wait(&format!(
            "({made} !== {last} || !document.getElementById('over').hidden) && ({made} || ' ')"
        ));
    }
    browser.wait("document.getElementById('over').textContent.includes('The game is over') || document.getElementById('over').textContent.includes('Won')");
    // What was possible, and where it was lost as judged by the searching strategy.
    for (name, told) in [("What was", "this deal can"), ("Where was", "By search")] {
        browser.run(&format!(
            "[...document.querySelectorAll('#over button')].find((it) => it.textContent.startsWith('{name}')).click()"
        ));
        browser.wait(&format!(
            "document.getElementById('over').textContent.toLowerCase().includes('{told}'.toLowerCase())"
        ));
    }
    // Undo goes back from the end, and redo to it.
    browser.press("z");
    browser.wait("document.getElementById('over').hidden");
    browser.press("y");
    browser.wait("!document.getElementById('over').hidden");
    assert_eq!(browser.complaints(), Vec::<Value>::new());
}

#[test]
fn a_deal_is_played_to_its_end_by_dragging_and_clicking() {
    by_pointer("mouse");
}

#[test]
fn a_deal_is_played_to_its_end_by_touch() {
    by_pointer("touch");
}

/// Plays a deal with a pointer: alternately by dragging and by two clicks.
fn by_pointer(kind: &str) {
    let (_dir, studio) = studio();
    let Some(browser) = Browser::start(1300, 900) else { return };
    browser.open(&format!("{}table", studio.url));
    browser.run("window.kinds = new Set(); document.addEventListener('pointerdown', (it) => window.kinds.add(it.pointerType), true)");
    browser.wait("document.querySelector('#moves button')");
    // The places of the first move of a useful card, or else that of the stock.
    let find = "const middle = (e) => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + Math.min(r.height / 2, 12)]; }; \
        const made = document.getElementById('history').textContent.split(' '); \
        const b = [...document.querySelectorAll('#moves button')].find((b) => b.dataset.word.includes('>') \
            && (!/^T.>T|^F/.test(b.dataset.word) || !made.includes(b.dataset.word))); \
        if (!b) return { from: middle(document.querySelector('[data-place=S] .at')) }; \
        const [from, rest] = b.dataset.word.split('>'); const to = rest.split('x')[0]; \
        const count = Number(b.dataset.word.split('x')[1] ?? 1); \
        const source = document.querySelector(`[data-place=\"${from}\"] .at.movable[data-count=\"${count}\"]`); \
        const target = document.querySelector(to === 'F' ? `.place.foundation` : `[data-place=\"${to}\"] .at:last-of-type`); \
        return { from: middle(source), to: middle(target) };";
    let (mut dragged, mut clicked) = (0, 0);
    for _ in 0..400 {
        if browser.run("return !document.getElementById('over').hidden") == true {
            break;
        }
        let found = browser.run(find);
        let made = browser.run("return document.getElementById('history').textContent");
        let at = |key: &str| (found[key][0].as_f64().unwrap(), found[key][1].as_f64().unwrap());
        if found["to"].is_null() {
            browser.drag(kind, at("from"), at("from"));
            clicked += 1;
        } else if dragged % 2 == 0 {
            browser.drag(kind, at("from"), at("to"));
            dragged += 1;
        } else {
            browser.drag(kind, at("from"), at("from"));
            browser.drag(kind, at("to"), at("to"));
            dragged += 1;
        }
        browser.accept();
        browser.wait(&format!(
            "document.getElementById('history').textContent !== {made} || !document.getElementById('over').hidden"
        ));
    }
    browser.wait("!document.getElementById('over').hidden");
    assert!(dragged >= 4 && clicked >= 4, "{dragged} {clicked}");
    assert_eq!(browser.run("return [...window.kinds].join()"), kind);
    assert_eq!(browser.complaints(), Vec::<Value>::new());
}

#[test]
fn a_designer_makes_a_variant_for_a_wanted_edge_and_plays_it() {
    let (dir, studio) = studio();
    let Some(browser) = designer(&studio) else { return };
    write(&browser, "#stock-redeals", "2");
    browser.wait("document.getElementById('text').value.includes('redeals = 2')");
    browser.wait(&format!(
        "{PLAYED} && document.querySelector('.player [data-id=edge]').classList.contains('house')"
    ));
    // The price for the target edge, rounded.
    let price = browser.run("return document.querySelector('.player [data-id=price] b').textContent");
    let price: f64 = price.as_str().unwrap().trim_start_matches('$').parse().unwrap();
    let round = format!("{}", price.ceil());
    browser.run("document.querySelector('[data-table=casino]').open = true");
    write(&browser, "#casino-stake", &round);
    browser.wait(&format!("document.getElementById('text').value.includes('stake = {round}')"));
    browser.wait(&format!("{PLAYED} && Math.abs(parseFloat({EDGE}) - 5) < 2.5"));
    browser.click("#save");
    browser.wait("document.getElementById('note').textContent.startsWith('Saved')");
    assert!(
        fs::read_to_string(dir.path().join("my-house.toml")).unwrap().contains(&format!("stake = {round}"))
    );
    browser.click("#to-table");
    browser.wait("document.querySelector('#moves button')");
    let counts = browser.run("return document.getElementById('counts').textContent");
    let counts = counts.as_str().unwrap();
    assert!(counts.contains(&format!("staked${round}.00")) && counts.contains("redeals left2"), "{counts}");
    browser.press("d");
    browser.wait("document.getElementById('history').textContent === 'draw'");
    assert_eq!(browser.complaints(), Vec::<Value>::new());
}
