//! The gallery: reports of the folder; and long jobs, started, cancelled, and resumed after a restart, with the reports of the
//! command line.

use std::fs;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::client::Studio;
use crate::program::Lab;
use crate::{CANFIELD, studio, until};

/// Takes seconds on any machine: it is inspected, and cancelled, before it ends.
const GAMES: u64 = 5_000_000;
/// Takes minutes.
const ENDLESS: u64 = 100_000_000;

fn simulation(rules: &str, strategies: &[&str], games: u64) -> Value {
    json!({ "kind": "simulate", "rules": rules, "strategies": strategies, "seed": "7", "games": games })
}

fn plan(patrons: &str, target: &str, decks: u64) -> Value {
    let plan = json!({ "patrons": patrons, "target_edge": target, "decks": decks, "nights": 20 });
    json!({ "kind": "plan", "rules": "canfield", "strategies": [], "seed": "7", "games": 1000, "plan": plan })
}

fn listed(studio: &Studio, name: &str) -> Value {
    let all = studio.post("/api/jobs", &json!({})).json();
    all.as_array().unwrap().iter().find(|it| it["name"] == name).cloned().unwrap_or_default()
}

fn wait(studio: &Studio, name: &str, good: impl Fn(&Value) -> bool) -> Value {
    until(|| Some(listed(studio, name)).filter(&good), || listed(studio, name).to_string())
}

fn state(studio: &Studio, name: &str) -> Value {
    listed(studio, name)["state"].take()
}

/// Returns the games of a job that are done.
fn done(job: &Value) -> u64 {
    job["progress"]["done"].as_u64().unwrap_or(0)
}

fn start(studio: &Studio, games: u64) -> String {
    let answer = studio.post("/api/jobs/start", &simulation("mine.toml", &["greedy"], games));
    answer.json()["name"].as_str().unwrap().to_string()
}

/// Starts a job, and returns its name once it has made progress.
fn started(studio: &Studio, games: u64) -> String {
    let name = start(studio, games);
    wait(studio, &name, |it| done(it) > 0);
    name
}

/// Stops, resumes or removes a job; returns the status of the answer, and the answer.
fn ask(studio: &Studio, what: &str, name: &str) -> (u16, String) {
    let answer = studio.post(&format!("/api/jobs/{what}"), &json!({ "name": name }));
    (answer.status, answer.text())
}

#[test]
fn a_job_is_cancelled_and_taken_up_again_by_another_studio() {
    let (dir, studio) = studio();
    dir.write("mine.toml", "extends = \"canfield\"\n[stock]\nredeals = 1\n");
    let name = started(&studio, GAMES);
    assert_eq!(name, "simulate-mine-7");
    assert_eq!(ask(&studio, "remove", &name).0, 422);
    assert_eq!(ask(&studio, "stop", &name).0, 200);
    let stopped = listed(&studio, &name);
    assert_eq!(stopped["state"], "stopped", "{stopped}");
    assert!(done(&stopped) > 0 && done(&stopped) < stopped["progress"]["of"].as_u64().unwrap(), "{stopped}");
    drop(studio);
    // The finished part is still there, and the job is resumed from it.
    let studio = Studio::start(dir.path(), &[]);
    let kept = wait(&studio, &name, |it| it["state"] == "stopped");
    assert!(done(&kept) >= done(&stopped), "{kept}");
    assert!(!dir.bytes(&format!("reports/{name}/run.blocks")).is_empty());
    assert_eq!(ask(&studio, "resume", &name).0, 200);
    wait(&studio, &name, |it| it["state"] == "done");
    assert!(!dir.at(&format!("jobs/{name}.json")).exists());
    dir.good(&format!("simulate -q --seed 7 -n {GAMES} --out other ./mine.toml"));
    assert_eq!(dir.read(&format!("reports/{name}/summary.json")), dir.read("other/summary.json"));
    assert!(studio.get("/gallery").text().contains(&name));
}

#[test]
fn a_job_that_was_stopped_can_be_removed_and_a_faulty_one_says_why() {
    let (dir, studio) = studio();
    dir.write("mine.toml", CANFIELD);
    let name = started(&studio, ENDLESS);
    // While two are running, no third is started.
    let second = start(&studio, ENDLESS);
    assert_eq!(second, format!("{name}-2"));
    let third = studio.post("/api/jobs/start", &simulation("mine.toml", &["greedy"], 10));
    assert!(third.text().contains("2 jobs run already"));
    for name in [&name, &second] {
        ask(&studio, "stop", name);
        assert_eq!(ask(&studio, "remove", name).0, 200);
        assert!(!dir.at(&format!("reports/{name}")).join("run.blocks").exists());
    }
    assert_eq!(studio.post("/api/jobs", &json!({})).json(), json!([]));
    // A job that fails reports the program's own message: the ruleset is changed before it runs.
    let name = started(&studio, ENDLESS);
    ask(&studio, "stop", &name);
    dir.write("mine.toml", "extends = \"canfield\"\n[stock]\nredeals = 3\n");
    ask(&studio, "resume", &name);
    let failed = wait(&studio, &name, |it| it["state"] == "failed");
    assert!(failed["failed"].as_str().unwrap().contains("another run"), "{failed}");
}

#[test]
fn what_is_asked_of_jobs_is_judged_like_the_rest() {
    let guests = "[[patron]]\nstrategy = \"../x.rhai\"\nshare = 100\n";
    let outer = Lab::with(&[("secret.toml", CANFIELD), ("inner/guests.toml", guests)]);
    let inner = outer.at("inner");
    let studio = Studio::start(&inner, &[]);
    let of_kind = |kind: &str| {
        let mut job = simulation("canfield", &[], 10);
        job["kind"] = json!(kind);
        job
    };
    let bad = [
        simulation("../secret.toml", &["greedy"], 10),
        simulation("--help", &["greedy"], 10),
        simulation("canfield", &["../x.rhai"], 10),
        simulation("canfield", &[], 10),
        simulation("canfield", &["greedy"], 0),
        of_kind("plan"),
        plan("beginner:100%", "10%..5%", 300),
        plan("beginner:100%", "5%", 5001),
        plan("beginner:99%", "5%", 300),
        plan("../x.rhai:100%", "5%", 300),
        plan("../guests.toml", "5%", 300),
        plan("guests.toml", "5%", 300),
        of_kind("character"),
        json!({
            "kind": "design", "rules": "canfield", "strategies": [], "seed": "7", "games": 1000,
            "design": { "vary": ["stock.redeals=0..2"], "want": ["wins(../x.rhai)=1%..2%"], "price": false },
        }),
        of_kind("rm"),
    ];
    for (i, body) in bad.iter().enumerate() {
        assert_eq!(studio.post("/api/jobs/start", body).status, 422, "{body}");
        // A job file may come from anyone.
        outer.write(&format!("inner/jobs/bad-{i}.json"), body.to_string());
        assert_eq!(ask(&studio, "resume", &format!("bad-{i}")).0, 422, "{body}");
    }
    for name in ["../secret", "a/b", "", ".", "bad-0.json", "x\u{202e}"] {
        for what in ["resume", "remove"] {
            assert_eq!(ask(&studio, what, name).0, 422, "{what} {name}");
        }
    }
    assert!(!inner.join("reports").exists() && outer.at("secret.toml").exists());
    // A job whose studio ended just as it was done is removed, since its report exists.
    let good = simulation("canfield", &["greedy"], 10);
    outer.write("inner/jobs/orphan.json", good.to_string());
    assert_eq!(state(&studio, "orphan"), "stopped");
    outer.write("inner/reports/orphan/index.html", "<title>Done</title>");
    assert!(listed(&studio, "orphan").is_null() && !inner.join("jobs/orphan.json").exists());
    assert_eq!(ask(&studio, "nothing", "x").0, 422);
}

/// Nobody else writes to its folder then, so that another studio can go on.
#[cfg(unix)]
#[test]
fn a_job_ends_with_its_studio() {
    for end in [Studio::interrupt, Studio::kill] {
        let (dir, mut studio) = studio();
        dir.write("mine.toml", CANFIELD);
        let name = started(&studio, ENDLESS);
        end(&mut studio);
        let studio = Studio::start(dir.path(), &[]);
        let left = wait(&studio, &name, |it| it["state"] == "stopped");
        assert_eq!(ask(&studio, "resume", &name).0, 200);
        wait(&studio, &name, |it| done(it) > done(&left));
    }
}

#[test]
fn a_job_of_another_studio_is_left_alone() {
    let (dir, first) = studio();
    dir.write("mine.toml", CANFIELD);
    let name = started(&first, ENDLESS);
    let second = Studio::start(dir.path(), &[]);
    let is_refused = |studio: &Studio| {
        for what in ["resume", "remove"] {
            let (status, said) = ask(studio, what, &name);
            assert!(status == 422 && said.contains("another studio"), "{what}: {said}");
            assert_eq!(state(studio, &name), "elsewhere", "{what}");
        }
    };
    is_refused(&second);
    assert_eq!(state(&first, &name), "running");
    assert!(dir.at(&format!("jobs/{name}.json")).exists());
    // Once it is stopped there, anybody may resume it, and then it belongs to that studio.
    assert_eq!(ask(&first, "stop", &name).0, 200);
    assert_eq!(state(&second, &name), "stopped");
    assert_eq!(ask(&second, "resume", &name).0, 200);
    wait(&first, &name, |it| it["state"] == "elsewhere");
    is_refused(&first);
    ask(&second, "stop", &name);
    assert_eq!(ask(&first, "remove", &name).0, 200);
    assert!([json!(null), json!("stopped")].contains(&state(&second, &name)));
    assert!(!dir.at(&format!("reports/{name}")).exists());
}

#[test]
fn reports_are_listed_newest_first_and_can_run_nothing() {
    let ((dir, studio), now) = (studio(), SystemTime::now());
    assert!(studio.get("/gallery").text().contains("There is no report"));
    for (name, age) in [("old", 7_300), ("new", 10), ("middle", 200)] {
        let page = format!("<title>Report {name}</title><script>1</script>");
        for (file, text) in [("index.html", &*page), ("charts/cards.png", "png"), ("run.blocks", "blocks")] {
            dir.write(&format!("reports/{name}/{file}"), text);
        }
        let page = fs::File::options().write(true).open(dir.at(&format!("reports/{name}/index.html")));
        page.unwrap().set_modified(now - Duration::from_secs(age)).unwrap();
    }
    fs::create_dir(dir.at("reports/empty")).unwrap();
    let gallery = studio.get("/gallery").text();
    let places = ["new", "middle", "old"].map(|name| gallery.find(&format!("Report {name}")).unwrap());
    assert!(places.is_sorted() && !gallery.contains("empty"), "{gallery}");
    assert!(gallery.contains("2 hours ago") && gallery.contains("/reports/new/charts/cards.png"));
    let page = studio.get("/reports/new/index.html");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'") && policy.contains("sandbox"), "{policy}");
    assert!(!policy.contains("script-src") && !policy.contains("allow-scripts"), "{policy}");
    assert_eq!(studio.get("/reports/new/charts/cards.png").header("content-type"), Some("image/png"));
    assert_eq!(studio.get("/reports/new").body, page.body);
    for missing in ["/reports/new/run.blocks", "/reports/none/index.html", "/reports/", "/reports/empty"] {
        assert_eq!(studio.get(missing).status, 404, "{missing}");
    }
}
