//! What the studio refuses, and what a hostile client cannot do.

use std::fs;
use std::io::{BufReader, Read};
use std::net::TcpStream;
#[cfg(unix)]
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::client::{Studio, send};
use crate::program::{Lab, names};
use crate::{CANFIELD, asked, studio, until};

#[test]
fn other_names_and_other_sites_are_refused() {
    let (_dir, studio) = studio();
    for host in ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", ""] {
        assert_eq!(studio.send("GET /", &[("host", host)], b"").status, 403, "{host}");
    }
    let twice = [("host", &*studio.host), ("host", "evil.example")];
    assert!([400, 403].contains(&studio.send("GET /", &twice, b"").status));
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://localhost:1"] {
        assert_eq!(studio.send("GET /", &[("origin", origin)], b"").status, 403, "{origin}");
    }
    let own = format!("http://{}", studio.host);
    assert_eq!(studio.send("GET /", &[("origin", &own)], b"").status, 200);
    // A script, a picture or a form of another site is refused; but a link may lead here.
    let cross = |mode: &str, path: &str| {
        let headers = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", mode)];
        studio.send(path, &headers, b"").status
    };
    assert_eq!(cross("no-cors", "GET /assets/api.js"), 403);
    assert_eq!(cross("navigate", "POST /api/rules"), 403);
    assert_eq!(cross("navigate", "GET /"), 200);
}

#[test]
fn what_changes_something_needs_the_token_of_the_page() {
    let (dir, studio) = studio();
    let body = json!({ "name": "mine.toml", "text": "", "known": null }).to_string();
    let kind = ("content-type", "application/json");
    for token in [None, Some(""), Some("0123456789abcdef0123456789abcdef"), Some(&studio.token[1..])] {
        let headers: Vec<_> = [kind].into_iter().chain(token.map(|it| ("x-saratoga-token", it))).collect();
        let read = ["rules", "file", "script", "shelf", "jobs"];
        let started = ["save", "play", "sweep", "profile", "compare", "jobs/start", "jobs/stop"];
        for path in read.into_iter().chain(started) {
            let answer = studio.send(&format!("POST /api/{path}"), &headers, body.as_bytes());
            assert_eq!(answer.status, 403, "{path} {token:?}");
        }
    }
    // A form of another site can send text, but not JSON.
    let headers = [("content-type", "text/plain"), ("x-saratoga-token", &*studio.token)];
    assert_eq!(studio.send("POST /api/save", &headers, body.as_bytes()).status, 415);
    assert!(dir.names().is_empty());
    let headers = [kind, ("x-saratoga-token", &*studio.token)];
    assert_eq!(studio.send("POST /api/save", &headers, body.as_bytes()).status, 200);
    assert_eq!(studio.get("/api/save").status, 405);
}

#[test]
fn pages_may_run_nothing_but_their_own_files() {
    let (_dir, studio) = studio();
    for path in ["/", "/gallery", "/scripts", "/assets/design.js", "/nothing", "/assets/../Cargo.toml"] {
        let answer = studio.get(path);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"), "{path}");
        let page = answer.text();
        let inline =
            ["<style", "style=", "<script>", "onclick", "onload", "javascript:", "http://", "https://"];
        // Scripts may contain such strings, pages may not; a namespace of SVG is not an address.
        let found = inline.iter().find(|it| !path.ends_with(".js") && page.contains(**it));
        assert!(found.is_none(), "{path} has {found:?}");
    }
    assert_eq!(studio.get("/assets/../Cargo.toml").status, 404);
}

#[test]
fn names_and_texts_cannot_inject() {
    let title = "&lt;script&gt;alert(1)&lt;/script&gt;";
    let (dir, studio) = studio();
    dir.write("<img src=x onerror=alert(1)>&'.toml", CANFIELD);
    dir.write("reports/<b>x/index.html", format!("<title>{title}</title>"));
    let page = studio.get("/").text();
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;&amp;") && !page.contains("<img"));
    let gallery = studio.get("/gallery").text();
    assert!(gallery.contains(title) && !gallery.contains("<b>x"), "{gallery}");
}

#[cfg(unix)]
#[test]
fn nothing_out_of_the_folder_is_read_or_written() {
    let secret = "name = \"a secret\"\n[stock]\nredeals = 7\n";
    let files = ["secret.toml", "index.html", "secret.rhai"];
    let outer = Lab::with(&files.map(|file| (file, secret)));
    let inner = outer.at("inner");
    outer.write("inner/reports/mine.txt", "");
    outer.write("inner/notes.txt", secret);
    let outside = outer.path().to_str().unwrap();
    let links = [("..", "reports/up"), ("../../..", "reports/upper"), ("../secret.toml", "link.toml")];
    for (to, link) in links.into_iter().chain([(outside, "out")]) {
        symlink(to, inner.join(link)).unwrap();
    }
    let studio = Studio::start(&inner, &[]);
    for path in [
        "/reports/../../secret.toml",
        "/reports/%2e%2e/%2e%2e/index.html",
        "/reports/..%2f..%2findex.html",
        "/reports/upper/index.html",
        "/reports/%2fetc%2fpasswd",
        "/reports/up/notes.txt/",
        "/reports/%00",
        "/../secret.toml",
    ] {
        let answer = studio.get(path);
        assert!(answer.status == 404 || answer.status == 400, "{path}: {}", answer.status);
        assert!(!answer.text().contains("secret"), "{path}");
    }
    let absolute = outer.at("secret.toml").display().to_string();
    for name in ["../secret.toml", "link.toml", "out/secret.toml", &absolute, "notes.txt", "reports", "", "."]
    {
        let read = studio.post("/api/file", &json!({ "name": name }));
        assert!(read.status >= 400 && !read.text().contains("a secret"), "{name}");
        let body = json!({ "name": name, "text": "", "known": secret, "replace": true });
        assert!(studio.post("/api/save", &body).status >= 400, "{name}");
        let text = format!("extends = {name:?}\n");
        let judged = studio.post("/api/rules", &json!({ "name": "mine.toml", "text": text }));
        assert!(!judged.text().contains("a secret"), "{name}: {}", judged.text());
        assert_eq!(judged.json()["sound"], false, "{name}");
    }
    for strategy in ["../secret.rhai", "./out/secret.rhai", "search:policy=../secret.rhai", "/etc/passwd"] {
        let answer = studio.post("/api/play", &asked(CANFIELD, &[strategy], 10));
        assert_eq!(answer.status, 422, "{strategy}");
        assert!(!answer.text().contains("a secret"), "{strategy}");
    }
    assert!(files.iter().all(|file| outer.read(file) == secret));
}

#[cfg(unix)]
#[test]
fn no_report_is_written_through_a_link_out_of_the_folder() {
    let outer = Lab::with(&[("out/mine.txt", ""), ("inner/reports/x", ""), ("inner/mine.toml", CANFIELD)]);
    let inner = outer.at("inner");
    let studio = Studio::start(&inner, &[]);
    let nothing = || assert_eq!(names(&outer.at("out")), ["mine.txt"]);
    let job = json!({ "kind": "simulate", "rules": "mine.toml", "strategies": ["greedy"], "seed": 7, "games": 100 });
    // A job whose report folder is such a link, and the folder of all reports.
    outer.write("inner/jobs/linked.json", job.to_string());
    symlink("../../out", inner.join("reports/linked")).unwrap();
    assert_eq!(studio.post("/api/jobs/resume", &json!({ "name": "linked" })).status, 422);
    fs::remove_dir_all(inner.join("reports")).unwrap();
    symlink("../out", inner.join("reports")).unwrap();
    assert_eq!(studio.post("/api/jobs/start", &job).status, 422);
    nothing();
}

#[test]
fn large_bodies_and_wild_requests_are_refused() {
    let (_dir, studio) = studio();
    let large = "#".repeat(2 << 20);
    assert_eq!(studio.post("/api/rules", &json!({ "name": "mine.toml", "text": large })).status, 413);
    let text = "#".repeat(300 << 10);
    let judged = studio.post("/api/rules", &json!({ "name": "mine.toml", "text": text })).json();
    assert_eq!((&judged["sound"], judged["faults"].as_array().unwrap().len()), (&json!(false), 1));
    for (strategies, games) in
        [(vec![], 10), (vec!["greedy"; 7], 10), (vec!["greedy"], 0), (vec!["greedy"], u64::MAX)]
    {
        assert_eq!(studio.post("/api/play", &asked("", &strategies, games)).status, 422);
    }
    assert_eq!(studio.post("/api/play", &json!({})).status, 422);
    let mut seeded = asked("", &["greedy"], 10);
    seeded["seed"] = json!("18446744073709551616");
    assert!(studio.post("/api/play", &seeded).text().contains("from 0 to 18446744073709551615"));
    let mut said = String::new();
    let long = format!("GET /{}", "a".repeat(100 << 10));
    let _ = send(&studio.host, &long, &[], b"").read_to_string(&mut said);
    assert!(!said.contains(" 200 "), "{said}");
    assert_eq!(studio.get("/").status, 200);
}

/// More clients than there is room for: of a large file and of streamed results.
#[cfg(target_os = "linux")]
#[test]
fn those_who_read_nothing_hold_nobody_up_and_little_memory() {
    let (dir, studio) = studio();
    let file = vec![b'7'; 8 << 20];
    dir.write("reports/big/games.csv", &file);
    let before = studio.memory();
    let mut unread = Vec::new();
    for _ in 0..30 {
        unread.extend((0..10).map(|_| send(&studio.host, "GET /reports/big/games.csv", &[], b"")));
        assert_eq!(studio.get("/assets/icon.svg").status, 200);
    }
    assert_eq!(studio.get("/").status, 200);
    assert_eq!(studio.get("/reports/big/games.csv").body, file);
    let more = studio.memory().saturating_sub(before) >> 20;
    assert!(more <= 64, "{more} MiB");
}

/// As many requests as there is room for, each of which would take hours, or minutes for a single decision; then one that
/// has to wait for them.
#[test]
fn work_stops_when_its_page_goes_away() {
    let (_dir, mut studio) = studio();
    let deep = "search:level=5,worlds=100,judged=200,nodes=200000,ways=5000";
    // The stock is known by then.
    let known = [vec!["draw"; 8], vec!["redeal"]].concat();
    let klondike = json!({
        "name": "mine.toml", "text": "extends = \"klondike\"\n", "seed": "7", "game": 3, "choices": known, "strategy": deep,
    });
    let profile = json!({
        "script": { "name": "mine.rhai", "text": "fn score(view, m) { if m.is_draw { 1 } else { 5 } }" },
        "rules": { "name": "mine.toml", "text": CANFIELD }, "seed": "7", "games": 10_000,
    });
    for (path, room, long, key, less) in [
        ("/api/play", 4, asked(CANFIELD, &[deep], 1), "strategies", json!(["greedy"])),
        ("/api/play", 4, asked(CANFIELD, &["greedy"], 100_000_000), "games", json!(1_000)),
        ("/api/profile", 4, profile, "games", json!(1)),
        ("/api/hint", 2, klondike.clone(), "strategy", json!("greedy")),
        ("/api/watch", 16, klondike, "strategy", json!("greedy")),
    ] {
        let pages: Vec<_> = (0..room).map(|_| studio.ask(path, &long)).collect();
        studio.works(0.5);
        drop(pages);
        let mut short = long;
        short[key] = less;
        assert_eq!(studio.post(path, &short).status, 200, "{path}");
    }
}

/// Streams of every kind at once, of games, comparisons, profiles and watched games: each has the same events as alone.
#[test]
fn fifty_streams_of_all_kinds_say_what_they_say_alone() {
    let (_dir, studio) = studio();
    let script =
        json!({ "name": "mine.rhai", "text": "fn score(view, m) {\n    if m.is_draw { 1 } else { 5 }\n}\n" });
    let rules = json!({ "name": "mine.toml", "text": CANFIELD });
    let on = json!({ "script": script, "rules": rules, "rival": "patient", "seed": "7", "games": 600 });
    let watched =
        json!({ "name": "mine.toml", "text": rules["text"], "seed": "7", "game": 3, "strategy": "patient" });
    let kinds = [
        ("/api/play", asked(CANFIELD, &["greedy", "patient"], 600)),
        ("/api/compare", on.clone()),
        ("/api/profile", on),
        ("/api/watch", watched),
    ];
    // Independent of time: how often lines ran, the moves of a game, and the last results of the rest.
    let last = |(path, body): &(&str, Value)| {
        let events = studio.post(path, body).events();
        let counts = |it: &Value| it["lines"].as_array().unwrap().iter().map(|it| it[0].clone()).collect();
        match *path {
            "/api/profile" => counts(events.last().unwrap()),
            "/api/watch" => events.iter().map(|it| it["step"]["word"].clone()).collect(),
            "/api/play" => {
                events.into_iter().filter(|it| it["done"] == true && it["strategy"] == 0).collect()
            }
            _ => json!(events.last()),
        }
    };
    let (kinds, last) = (&kinds, &last);
    let alone: Vec<_> = kinds.iter().map(last).collect();
    std::thread::scope(|scope| {
        let begin = |n: usize| scope.spawn(move || last(&kinds[n % kinds.len()]));
        let threads: Vec<_> = (0..50).map(begin).collect();
        for (n, thread) in threads.into_iter().enumerate() {
            assert_eq!(thread.join().unwrap(), alone[n % alone.len()], "{}", kinds[n % kinds.len()].0);
        }
    });
}

#[test]
fn more_streams_than_there_is_room_for_are_refused() {
    let (_dir, studio) = studio();
    let endless = asked(CANFIELD, &["greedy"], 100_000_000);
    let playing: Vec<_> = (0..4).map(|_| studio.begin("/api/play", &endless)).collect();
    let begun = |mut stream: BufReader<TcpStream>| {
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 200");
        stream
    };
    let waiting: Vec<_> = (4..64).map(|_| begun(studio.ask("/api/play", &endless))).collect();
    assert_eq!(studio.post("/api/play", &endless).status, 503);
    assert_eq!(studio.get("/").status, 200);
    drop((waiting, playing));
    // There is room again once the server notices that they are gone.
    let short = || studio.post("/api/play", &asked(CANFIELD, &["greedy"], 1_000));
    let play = || Some(short()).filter(|answer| answer.status == 200);
    let played = until(play, || "streams of pages that went away are kept".into());
    assert_eq!(played.last()["done"], true);
}

#[test]
fn others_need_the_token_that_is_printed_once() {
    let dir = Lab::new();
    let studio = Studio::start(dir.path(), &["--listen", "127.0.0.1"]);
    let token = studio.url.split_once("token=").expect("a token").1;
    for path in
        ["/", "/gallery", "/assets/studio.css", "/?token=0123456789abcdef0123456789abcdef", "/?token="]
    {
        assert_eq!(studio.get(path).status, 401, "{path}");
    }
    let bad = studio.send("GET /", &[("cookie", "saratoga=0123456789abcdef0123456789abcdef")], b"");
    assert_eq!(bad.status, 401);
    let entry = studio.get(&format!("/?token={token}"));
    assert_eq!((entry.status, entry.header("location")), (303, Some("/")));
    let cookie = entry.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = format!("other=1; saratoga={token}");
    let page = studio.send("GET /", &[("cookie", &cookie)], b"");
    assert_eq!(page.status, 200);
    // The access token differs from the one that the page sends with its requests.
    assert!(!page.text().contains(token));
    let headers = [("cookie", &*cookie), ("content-type", "application/json"), ("x-saratoga-token", token)];
    assert_eq!(studio.send("POST /api/rules", &headers, b"{}").status, 403);
}
