//! The pages in a real browser, if `SARATOGA_BROWSER` is set and one is installed, used as people use them: what follows,
//! what is kept, and what is shown. Otherwise each test reports that it was skipped.

use serde_json::{Value, json};

use crate::client::Studio;
use crate::program::Lab;
use crate::webdriver::Browser;
use crate::{CANFIELD, studio};

const PLAYED: &str = "$('#status')?.textContent === 'Done.'";
const EDGE: &str = "$('.player [data-id=edge] b')?.textContent";
const HISTORY: &str = "$('#history').textContent";

/// Opens a page of a new studio.
fn opened(page: &str) -> Option<(Lab, Studio, Browser)> {
    let (dir, studio) = studio();
    let browser = Browser::at(&format!("{}{page}", studio.url))?;
    Some((dir, studio, browser))
}

/// Opens a designer whose first games have been played.
fn designer() -> Option<(Lab, Studio, Browser)> {
    let opened = opened("")?;
    opened.2.wait(PLAYED);
    Some(opened)
}

/// Sets a field like a person who replaces its contents.
fn write(browser: &Browser, css: &str, text: &str) {
    // Not every browser replaces a selection in a text area by typing.
    browser.run(&format!("const e = $('{css}'); e.focus(); e.value = ''"));
    browser.type_in(css, text);
}

fn append(browser: &Browser, text: &str) {
    browser.run("const t = $('#text'); t.setSelectionRange(t.value.length, t.value.length)");
    browser.type_in("#text", text);
}

/// Puts a text in a field and leaves it.
fn put(browser: &Browser, css: &str, text: &str) {
    let set = "f.dispatchEvent(new Event('input')); f.dispatchEvent(new Event('change'))";
    browser.run(&format!("const f = $('{css}'); f.value = {}; {set}", json!(text)));
}

fn replace(browser: &Browser, old: &str, new: &str) {
    let text = browser.run("return $('#text').value");
    put(browser, "#text", &text.as_str().unwrap().replace(old, new));
}

fn reopen(browser: &Browser, address: &str) {
    browser.open("about:blank");
    browser.open(address);
}

fn address(browser: &Browser) -> String {
    browser.run("return location.href").as_str().unwrap().to_string()
}

#[test]
fn a_changed_rule_moves_the_edge_and_is_saved_and_opened_again() {
    let Some((dir, studio, browser)) = designer() else { return };
    let before = browser.wait(EDGE);
    write(&browser, "#stock-redeals", "2");
    browser.wait("$('#text').value.includes('redeals = 2')");
    browser.wait(&format!("{PLAYED} && {EDGE} !== {before} && {EDGE}"));
    // Conversely, a change of the text shows in the form.
    append(&browser, "\n[casino]\nstake = 30\n");
    browser.wait(&format!("$('#casino-stake').value === '30' && {PLAYED}"));
    write(&browser, "#file", "two.toml");
    browser.click("#save");
    browser.says("#note", "Saved");
    let saved = dir.read("two.toml");
    assert_eq!(saved, "extends = \"canfield\"\n\n[stock]\nredeals = 2\n\n[casino]\nstake = 30\n");
    // The address encodes the page.
    reopen(&browser, &address(&browser));
    browser.wait("$('#stock-redeals').value === '2'");
    reopen(&browser, &studio.url);
    browser.wait(PLAYED);
    put(&browser, "#open", "file:two.toml");
    browser.wait("$('#casino-stake').value === '30'");
    browser.is_content();
}

#[test]
fn faults_are_shown_in_their_places_and_games_can_be_stopped_and_pinned() {
    let Some((_dir, _studio, browser)) = designer() else { return };
    browser.click("#pin");
    browser.wait("!$('#pinned').hidden");
    write(&browser, "#stock-redeals", "5");
    browser.says(".difference", "house edge");
    browser.wait(PLAYED);
    browser.type_in("#text", "\n[casino]\nstake = -1\n");
    browser.says("#faults li.error", "casino.stake");
    browser.wait(
        "$$('.marks .error').length === 1 && $('[data-path=\"casino.stake\"] .wrong').textContent !== ''",
    );
    assert_eq!(browser.run("return $('.player').classList.contains('stale')"), true);
    replace(&browser, "-1", "40");
    browser.wait(&format!("!$('#faults li') && {PLAYED}"));
    // The page itself stops them as soon as they are running: a fast machine finishes them before the test could.
    browser.run(
        "setInterval(() => { if ($('.games').textContent.includes('of 10,000,000')) $('#stop').click() }, 10)",
    );
    put(&browser, "#games", "10000000");
    browser.says("#status", "Stopped.");
    browser.is_content();
}

#[test]
fn no_number_of_a_tile_is_broken_over_two_lines() {
    let (_dir, studio) = studio();
    let Some(browser) = Browser::at("about:blank") else { return };
    for (theme, width) in [("light", 420), ("dark", 1300)] {
        browser.look(theme, width);
        // A wide currency: `currency = "Reichsmark"`
        let rules = "extends%20%3D%20%22canfield%22%0A%5Bcasino%5D%0Acurrency%20%3D%20%22Reichsmark%22";
        reopen(&browser, &format!("{}#n=1000&rules={rules}", studio.url));
        browser.wait(PLAYED);
        assert!(browser.run("return $$('.card bdi').length").as_u64().unwrap() > 15);
        let out = "it.getBoundingClientRect().right > it.closest('.card').getBoundingClientRect().right";
        let bad =
            format!("return $$('.card bdi').filter((it) => it.getClientRects().length > 1 || {out}).length");
        assert_eq!(browser.run(&bad), 0, "{theme} {width}");
    }
}

#[test]
fn a_plan_is_for_the_mix_and_the_nights_that_are_asked_for() {
    let Some((dir, _studio, browser)) = designer() else { return };
    browser.run("$('#export-plan').closest('details').open = true");
    for (css, text) in [
        ("#plan-patrons", "greedy:60%,random:40%"),
        ("#plan-target", "20%"),
        ("#plan-decks", "40"),
        ("#plan-nights", "7"),
    ] {
        write(&browser, css, text);
    }
    browser.click("#export-plan");
    browser.says("#note", "The report plan-my-house-1 is being made");
    let job = dir.read("jobs/plan-my-house-1.json");
    let job: Value = serde_json::from_str(&job).unwrap();
    let plan = json!({ "patrons": "greedy:60%,random:40%", "target_edge": "20%", "decks": 40, "nights": 7 });
    assert_eq!(job["plan"], plan);
    browser.is_content();
}

#[test]
fn wishes_are_judged_and_a_variant_is_taken_over() {
    let Some((_dir, _studio, browser)) = designer() else { return };
    browser.run("$('#search').closest('details').open = true");
    write(&browser, "#wishes", "cards=8..14\nwins(greedy)=90%..");
    write(&browser, "#vary", "stock.redeals=0..2");
    browser.wait("$('#wished .meets') && $('#wished .misses')");
    browser.click("#search");
    browser.wait("$('#designed-list button')");
    browser.click("#designed-list button");
    browser.wait("$('#text').value.includes('redeals')");
    browser.is_content();
}

#[test]
fn figures_move_nothing_while_they_stream() {
    let Some((_dir, _studio, browser)) = designer() else { return };
    browser.run(
        "window.shift = 0; const sum = (list) => list.getEntries().forEach((e) => { window.shift += e.value; }); \
         new PerformanceObserver(sum).observe({ type: 'layout-shift' })",
    );
    put(&browser, "#games", "10000000");
    // They may be finished before the check.
    browser.says(".games", "10,000,000");
    browser.wait("($('.player progress')?.value ?? 1) > 0.02");
    let shift = browser.run("return window.shift").as_f64().unwrap();
    assert!(shift < 0.01, "{shift}");
}

/// Opens a deal, and makes choices until it is over, whatever is asked meanwhile.
fn play(browser: &Browser, mut choose: impl FnMut()) {
    browser.wait("$('#moves button')");
    while browser.run("return $('#over').hidden") == true {
        let made = browser.run(&format!("return {HISTORY}"));
        choose();
        browser.accept();
        browser.wait(&format!("{HISTORY} !== {made} || !$('#over').hidden"));
    }
}

#[test]
fn a_deal_is_played_to_its_end_by_keyboard() {
    let Some((_dir, _studio, browser)) = opened("table") else { return };
    play(&browser, || {
        // The choice of greedy at first: up, else draw, as long as that does not end the game.
        let up = browser.run("return $('#moves button')?.dataset.word.endsWith('>F') ?? false");
        browser.press(if up == true { "1" } else { "d" });
    });
    browser.wait("/The game is over|Won/.test($('#over').textContent)");
    // What was possible, and where it was lost as judged by the searching strategy.
    for (name, told) in [("What was", "this deal can"), ("Where was", "by search")] {
        browser.run(&format!("$$('#over button').find((it) => it.textContent.startsWith('{name}')).click()"));
        browser.wait(&format!("$('#over').textContent.toLowerCase().includes('{told}')"));
    }
    // Undo goes back from the end, and redo to it.
    browser.press("z");
    browser.wait("$('#over').hidden");
    browser.press("y");
    browser.wait("!$('#over').hidden");
    browser.is_content();
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
    let Some((_dir, _studio, browser)) = opened("table") else { return };
    let seen = "document.addEventListener('pointerdown', (it) => window.kinds.add(it.pointerType), true)";
    browser.run(&format!("window.kinds = new Set(); {seen}"));
    // The places of the first move of a useful card, or else that of the stock.
    let find = "const middle = (e) => { const r = e.getBoundingClientRect(); \
            return [r.x + r.width / 2, r.y + Math.min(r.height / 2, 12)]; }; \
        const made = $('#history').textContent.split(' '); \
        const useful = (w) => w.includes('>') && (!/^T.>T|^F/.test(w) || !made.includes(w)); \
        const b = $$('#moves button').find((b) => useful(b.dataset.word)); \
        if (!b) return { from: middle($('[data-place=S] .at')) }; \
        const [from, rest] = b.dataset.word.split('>'); const to = rest.split('x')[0]; \
        const count = Number(b.dataset.word.split('x')[1] ?? 1); \
        const source = $(`[data-place=\"${from}\"] .at.movable[data-count=\"${count}\"]`); \
        const target = $(to === 'F' ? `.place.foundation` : `[data-place=\"${to}\"] .at:last-of-type`); \
        return { from: middle(source), to: middle(target) };";
    let (mut dragged, mut clicked) = (0, 0);
    play(&browser, || {
        let found = browser.run(find);
        let at = |key: &str| (found[key][0].as_f64().unwrap(), found[key][1].as_f64().unwrap());
        if found["to"].is_null() {
            browser.drag(kind, at("from"), at("from"));
            clicked += 1;
            return;
        }
        if dragged % 2 == 0 {
            browser.drag(kind, at("from"), at("to"));
        } else {
            browser.drag(kind, at("from"), at("from"));
            browser.drag(kind, at("to"), at("to"));
        }
        dragged += 1;
    });
    assert!(dragged >= 4 && clicked >= 4, "{dragged} {clicked}");
    assert_eq!(browser.run("return [...window.kinds].join()"), kind);
    browser.is_content();
}

#[test]
fn a_designer_makes_a_variant_for_a_wanted_edge_and_plays_it() {
    let Some((dir, _studio, browser)) = designer() else { return };
    write(&browser, "#stock-redeals", "2");
    browser.wait("$('#text').value.includes('redeals = 2')");
    browser.wait(&format!("{PLAYED} && $('.player [data-id=edge]').classList.contains('house')"));
    // The price for the target edge, rounded.
    let price = browser.run("return $('.player [data-id=price] b').textContent");
    let price: f64 = price.as_str().unwrap().trim_start_matches('$').parse().unwrap();
    let round = price.ceil().to_string();
    browser.run("$('[data-table=casino]').open = true");
    write(&browser, "#casino-stake", &round);
    browser.wait(&format!("$('#text').value.includes('stake = {round}')"));
    browser.wait(&format!("{PLAYED} && Math.abs(parseFloat({EDGE}) - 5) < 2.5"));
    browser.click("#save");
    browser.says("#note", "Saved");
    let saved = dir.read("my-house.toml");
    assert!(saved.contains(&format!("stake = {round}")));
    browser.click("#to-table");
    browser.wait("$('#moves button')");
    browser.says("#counts", &format!("staked${round}.00"));
    browser.says("#counts", "redeals left2");
    browser.press("d");
    browser.wait(&format!("{HISTORY} === 'draw'"));
    browser.is_content();
}

#[test]
fn a_variant_is_kept_on_the_way_over_other_pages() {
    let Some((_dir, studio, browser)) = opened("") else { return };
    put(&browser, "#games", "1000");
    put(&browser, "#stock-redeals", "2");
    browser.wait("$('#text').value.includes('redeals = 2')");
    browser.run("$('input[name=strategy][value=patient]').click()");
    let kept = format!(
        "$('#stock-redeals')?.value === '2' && {PLAYED} && $('#strategies-said').textContent === 'greedy, patient'"
    );
    browser.wait(&kept);
    let go = |page: &str| {
        browser.click(&format!("#to-{page}"));
        browser.wait(&format!("location.pathname === '/{page}' && document.readyState === 'complete'"));
    };
    for page in ["gallery", "scripts", "table"] {
        go(page);
        if page == "table" {
            browser.says("#counts", "redeals left2");
            browser.press("d");
            browser.wait(&format!("{HISTORY} === 'draw'"));
        }
        browser.click("#to-designer");
        browser.wait(&kept);
    }
    // The game continues too, as long as it has these rules.
    go("gallery");
    go("table");
    browser.wait("$('#history')?.textContent === 'draw'");
    browser.click("#to-designer");
    browser.wait(&kept);
    put(&browser, "#stock-redeals", "3");
    browser.wait(&format!("$('#text').value.includes('redeals = 3') && {PLAYED}"));
    go("table");
    browser.says("#counts", "redeals left3");
    browser.wait(&format!("{HISTORY} === ''"));
    // Settings in the address take precedence over stored ones, which may be anything.
    reopen(&browser, &format!("{}#rules=extends+%3D+%22canfield%22%0A&n=1000&s=greedy", studio.url));
    browser.wait(&format!("$('#strategies-said')?.textContent === 'greedy' && {PLAYED}"));
    browser.wait("!$('#text').value.includes('redeals')");
    for bad in ["%%%", "n=-1&seed=-7&edge=x&s=&s=", "n=1e9&seed=99999999999999999999&edge="] {
        browser.run(&format!("sessionStorage.setItem('saratoga-designer', '{bad}')"));
        browser.open(&studio.url);
        let idle = "$('#status').textContent === 'Choose a strategy.'";
        browser.wait(&format!("$('#seed')?.value === '1' && ({PLAYED} || {idle})"));
    }
    browser.run("sessionStorage.setItem('saratoga-table', 'moves=x+y&at=z&game=-1')");
    browser.open(&format!("{}table", studio.url));
    browser.wait("$('#moves button')");
}

#[test]
fn a_sweep_follows_the_rules_and_fields_say_what_is_wrong() {
    let Some((_dir, _studio, browser)) = opened("") else { return };
    put(&browser, "#games", "1000");
    browser.wait(&format!("{PLAYED} && $('.games').textContent === '1,000 games'"));
    browser.run("$('[data-path=\"reserve.size\"] .sweeps').click()");
    let own = |value: &str| {
        browser.wait("!$('#sweep').classList.contains('stale') && $$('#sweep-points li').length === 9");
        browser.says("#sweep-note", "Each point plays 1,000 games (at most 20,000");
        browser.wait(&format!("$('#sweep-points .own button')?.textContent === '{value}'"));
    };
    own("13");
    browser.run("$$('#sweep-points button').find((it) => it.textContent === '11').click()");
    // The selected value is the current one, with the results above.
    browser.wait(PLAYED);
    own("11");
    browser.wait(&format!("$('#sweep-points .own span').textContent.startsWith({EDGE})"));
    let before = browser.run("return $('#sweep-points').textContent");
    put(&browser, "#seed", "2");
    browser.wait(&format!("{PLAYED} && $('#sweep-points').textContent !== {before}"));
    own("11");
    // With a fault in the rules nothing can be played, and the results shown belong to other rules.
    browser.type_in("#text", "\n[casino]\nstake = -1\n");
    browser.wait("$('#sweep').classList.contains('stale') && !$('#sweep-again').hidden");
    replace(&browser, "-1", "40");
    own("11");
    for (id, bad, told) in [
        ("seed", "99999999999999999999", "18,446"),
        ("seed", "", "whole number"),
        ("target", "", "percentage"),
        ("target", "100", "percentage"),
    ] {
        put(&browser, &format!("#{id}"), bad);
        browser.says(&format!("#{id}-wrong"), told);
    }
    assert!(address(&browser).contains("seed=2&edge=5"));
    put(&browser, "#seed", "3");
    browser.wait("$('#seed-wrong').textContent === '' && location.hash.includes('seed=3')");
    put(&browser, "#file", " ");
    browser.click("#save");
    browser.says("#note", "Give the file a name first.");
    browser.click("#pin");
    browser.says("#pinned-name", "casino.stake 40, reserve.size 11");
    browser.is_content();
}

#[test]
fn the_table_fits_a_phone_and_saves_what_its_record_names() {
    let (dir, studio) = studio();
    let Some(browser) = Browser::at("about:blank") else { return };
    browser.look("light", 360);
    browser.open(&format!("{}table#seed=4&game=2", studio.url));
    browser.wait("$('#moves button')");
    let lines = "return new Set($$('#board .upper .place').map((it) => it.offsetTop)).size";
    assert_eq!(browser.run(lines), 1);
    let names = "return $$('#board .named').map((it) => it.textContent).join(' ')";
    assert_eq!(browser.run(names), "reserve T1 T2 T3 T4");
    // A watched strategy stops when it is paused.
    put(&browser, "#speed", "20");
    browser.click("#watch");
    browser.wait(&format!("{HISTORY}.split(' ').length > 3"));
    browser.click("#watch");
    let moves = || browser.run(&format!("return {HISTORY}.split(' ').length")).as_u64().unwrap();
    browser.wait("$('#watch').textContent === 'Watch'");
    let at = moves();
    browser.run("setTimeout(() => $('#resign').click())");
    browser.confirm();
    browser.wait("!$('#over').hidden");
    // Resigning may count as a move.
    assert!(moves() <= at + 2, "{} moves, {at} when it was paused", moves());
    browser.run("$('.more').open = true; $('#save-record').click()");
    browser.confirm();
    browser.says("#note", "Saved as game-4-2.jsonl");
    assert_eq!(dir.read("my-house.toml"), CANFIELD);
}

#[cfg(unix)]
#[test]
fn a_page_says_that_its_studio_has_ended() {
    let Some((_dir, mut studio, browser)) = opened("gallery") else { return };
    browser.run("$('details').open = true");
    studio.interrupt();
    browser.click("#start");
    browser.says("#note", "The studio has ended.");
}

const ASKED: &str = "$('#trial-moves .choice')";

#[test]
fn a_script_is_written_checked_profiled_compared_and_saved() {
    let Some((dir, _studio, browser)) = opened("scripts") else { return };
    browser.wait(ASKED);
    browser.wait("$$('.gutter .row.compiled').length > 5");
    // A fault is reported while typing, at its line.
    let found = "if m.from_waste { return ";
    browser.run(&format!(
        "const t = $('#script'); const at = t.value.indexOf('{found}') + {}; t.focus(); t.setSelectionRange(at, at)",
        found.len()
    ));
    browser.press("view.reserv");
    browser.wait("!$('#completions').hidden");
    browser.says("#faults li.error", "line 6");
    browser.wait("$('.gutter .row.error b')?.textContent === '6'");
    // Completions are offered; Enter takes the first.
    assert_eq!(browser.run("return $('#completions li').textContent"), "reserve_left");
    browser.press("\u{e007}");
    browser.wait("$('#script').value.includes('return view.reserve_left70')");
    browser.press(" + ");
    browser.wait("$$('#faults li').length === 0 && $('#functions .compiled')");
    browser.says("#cursor", "line 6");
    browser.says("#cursor", "compiled");
    // What cannot be compiled is reported separately.
    browser.press("{ let y = \"a\"; 0 } + ");
    browser.wait("$$('.gutter .row.interpreted').length > 5 && $('#functions .interpreted')");
    browser.run("$('#profile-games').value = '50'");
    browser.click("#profile");
    browser.says("#profiled", "50 of 50 games");
    browser.wait("$$('.gutter .runs')[2].textContent.length > 1");
    // Each move of the deal has its score, and the script plays to the end.
    browser.click("#trial-step");
    browser.says("#trial-counts", "1 choice made");
    browser.wait(ASKED);
    browser.click("#trial-run");
    browser.says("#trial-note", " moves.");
    browser.click("#trial-back");
    browser.wait(ASKED);
    browser.run("$('#deals').value = '10000'");
    browser.click("#compare");
    browser.wait("/better than|Neither|Undecided/.test($('#verdict').textContent)");
    assert_eq!(browser.run("return $$('#course .llr').length"), 2);
    browser.click("#save");
    browser.says("#note", "Saved as my-way.rhai.");
    let text = browser.run("return $('#script').value");
    assert_eq!(Value::from(dir.read("my-way.rhai")), text);
    // The address encodes the page.
    reopen(&browser, &address(&browser));
    browser.wait("$('#script').value.includes('view.reserve_left')");
    browser.wait(ASKED);
    browser.is_content();
}

#[test]
fn a_long_job_is_begun_cancelled_resumed_and_removed_in_the_gallery() {
    let Some((dir, _studio, browser)) = opened("gallery") else { return };
    browser.run("$('details').open = true; $('#games').value = '100000000'");
    browser.click("#start");
    browser.says(".job .state", "running, ");
    let press = |name: &str| {
        browser.wait(&format!("$$('.job button').some((it) => it.textContent === '{name}')"));
        browser.run(&format!("$$('.job button').find((it) => it.textContent === '{name}').click()"));
    };
    for (button, state) in [("Cancel", "stopped"), ("Resume", "running")] {
        press(button);
        browser.says(".job .state", state);
    }
    press("Cancel");
    press("Remove");
    assert!(browser.accept());
    browser.wait("!$('.job')");
    assert!(!dir.at("jobs/simulate-canfield-1.json").exists());
    browser.is_content();
}

#[test]
fn every_script_of_the_shelf_is_coloured_and_marked_line_by_line() {
    let Some((_dir, _studio, browser)) = opened("scripts") else { return };
    browser.wait(ASKED);
    for (name, text) in saratoga::strategy::script::SHELF {
        put(&browser, "#open", &format!("shelf:{name}"));
        let length = text.encode_utf16().count();
        browser.wait(&format!(
            "$('#file').value === 'my-{name}.rhai' && $('#script').value.length === {length}"
        ));
        browser.wait("$$('.gutter .row.compiled, .gutter .row.interpreted').length > 3");
        // The text painted below the letters is the same, with the same number of lines.
        browser.wait("$('#paint').textContent === `${$('#script').value}\\n `");
        let lines = browser.run("return $('#script').value.split('\\n').length");
        assert_eq!(browser.run("return $$('#gutter .row').length"), lines, "{name}");
        let kinds =
            "return ['note', 'keyword', 'function', 'member'].filter((kind) => !$(`#paint .${kind}`))";
        assert_eq!(browser.run(kinds), json!([]), "{name}");
        // Every function is marked, from its name to its last brace, and nothing else.
        let marked =
            browser.run("return $$('#gutter .row').map((it) => /compiled|interpreted/.test(it.className))");
        let mut inside = false;
        for (line, (text, marked)) in text.lines().zip(marked.as_array().unwrap()).enumerate() {
            inside |= text.starts_with("fn ");
            assert_eq!(*marked, inside, "{name}, line {}: {text}", line + 1);
            inside &= text != "}" && !(text.starts_with("fn ") && text.ends_with('}'));
        }
    }
    browser.is_content();
}
