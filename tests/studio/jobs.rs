//! Long jobs: started, cancelled, and resumed after a restart; their reports equal those of the command line.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::Studio;
use crate::studio;

/// Takes seconds on any machine: it is inspected, and cancelled, before it ends.
const GAMES: u64 = 5_000_000;

fn job(games: u64) -> Value {
    json!({ "kind": "simulate", "rules": "mine.toml", "strategies": ["greedy"], "seed": "7", "games": games })
}

fn plan(patrons: &str, target: &str, decks: u64) -> Value {
    let plan = json!({ "patrons": patrons, "target_edge": target, "decks": decks, "nights": 20 });
    json!({ "kind": "plan", "rules": "canfield", "strategies": [], "seed": "7", "games": 1000, "plan": plan })
}

fn listed(studio: &Studio, name: &str) -> Value {
    let all = studio.post("/api/jobs", &json!({})).json();
    all.as_array().unwrap().iter().find(|it| it["name"] == name).cloned().unwrap_or_default()
}

/// Waits until a job satisfies a condition.
fn wait(studio: &Studio, name: &str, good: impl Fn(&Value) -> bool) -> Value {
    let begin = Instant::now();
    loop {
        let found = listed(studio, name);
        if good(&found) {
            return found;
        }
        assert!(begin.elapsed() < Duration::from_secs(240), "{found}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Starts a job, and returns its name once it has made progress.
fn started(studio: &Studio, games: u64) -> String {
    let name = studio.post("/api/jobs/start", &job(games)).json()["name"].as_str().unwrap().to_string();
    wait(studio, &name, |it| it["progress"]["done"].as_u64().unwrap_or(0) > 0);
    name
}

#[test]
fn a_job_is_cancelled_and_taken_up_again_by_another_studio() {
    let (dir, studio) = studio();
    dir.write("mine.toml", "extends = \"canfield\"\n[stock]\nredeals = 1\n");
    let named = |studio: &Studio, what: &str, name: &str| {
        studio.post(&format!("/api/jobs/{what}"), &json!({ "name": name })).status
    };
    let name = started(&studio, GAMES);
    assert_eq!(name, "simulate-mine-7");
    assert_eq!(named(&studio, "remove", &name), 422);
    assert_eq!(named(&studio, "stop", &name), 200);
    let stopped = listed(&studio, &name);
    assert_eq!(stopped["state"], "stopped", "{stopped}");
    let (done, of) =
        (stopped["progress"]["done"].as_u64().unwrap(), stopped["progress"]["of"].as_u64().unwrap());
    assert!(done > 0 && done < of, "{stopped}");
    drop(studio);
    // The finished part is still there, and the job is resumed from it.
    let studio = Studio::start(dir.path(), &[]);
    let kept = wait(&studio, &name, |it| it["state"] == "stopped");
    assert!(kept["progress"]["done"].as_u64().unwrap() >= done, "{kept}");
    let blocks = fs::metadata(dir.at(&format!("reports/{name}/run.blocks"))).unwrap().len();
    assert_eq!(named(&studio, "resume", &name), 200);
    wait(&studio, &name, |it| it["state"] == "done");
    assert!(blocks > 0 && !dir.at(&format!("jobs/{name}.json")).exists());
    dir.good(&format!("simulate -q --seed 7 -n {GAMES} --out other ./mine.toml"));
    assert_eq!(dir.read(&format!("reports/{name}/summary.json")), dir.read("other/summary.json"));
    assert!(studio.get("/gallery").text().contains(&name));
}

#[test]
fn a_job_that_was_stopped_can_be_removed_and_a_faulty_one_says_why() {
    let (dir, studio) = studio();
    dir.write("mine.toml", "extends = \"canfield\"\n");
    let name = started(&studio, 100_000_000);
    // While two are running, no third is started.
    let second =
        studio.post("/api/jobs/start", &job(100_000_000)).json()["name"].as_str().unwrap().to_string();
    assert_eq!(second, format!("{name}-2"));
    assert!(studio.post("/api/jobs/start", &job(10)).text().contains("2 jobs run already"));
    for name in [&name, &second] {
        studio.post("/api/jobs/stop", &json!({ "name": name }));
        assert_eq!(studio.post("/api/jobs/remove", &json!({ "name": name })).status, 200);
        assert!(!dir.at(&format!("reports/{name}")).join("run.blocks").exists());
    }
    assert_eq!(studio.post("/api/jobs", &json!({})).json(), json!([]));
    // A job that fails reports the program's own message: the ruleset is changed before it runs.
    let name = started(&studio, 100_000_000);
    studio.post("/api/jobs/stop", &json!({ "name": name }));
    dir.write("mine.toml", "extends = \"canfield\"\n[stock]\nredeals = 3\n");
    studio.post("/api/jobs/resume", &json!({ "name": name }));
    let failed = wait(&studio, &name, |it| it["state"] == "failed");
    assert!(failed["failed"].as_str().unwrap().contains("another run"), "{failed}");
}

#[test]
fn what_is_asked_of_jobs_is_judged_like_the_rest() {
    let outer = tempfile::tempdir().unwrap();
    let inner = outer.path().join("inner");
    fs::create_dir_all(inner.join("jobs")).unwrap();
    fs::write(outer.path().join("secret.toml"), "extends = \"canfield\"\n").unwrap();
    fs::write(inner.join("guests.toml"), "[[patron]]\nstrategy = \"../x.rhai\"\nshare = 100\n").unwrap();
    let studio = Studio::start(&inner, &[]);
    let bad = [
        json!({ "kind": "simulate", "rules": "../secret.toml", "strategies": ["greedy"], "seed": "1", "games": 10 }),
        json!({ "kind": "simulate", "rules": "--help", "strategies": ["greedy"], "seed": "1", "games": 10 }),
        json!({ "kind": "simulate", "rules": "canfield", "strategies": ["../x.rhai"], "seed": "1", "games": 10 }),
        json!({ "kind": "simulate", "rules": "canfield", "strategies": [], "seed": "1", "games": 10 }),
        json!({ "kind": "simulate", "rules": "canfield", "strategies": ["greedy"], "seed": "1", "games": 0 }),
        json!({ "kind": "plan", "rules": "canfield", "strategies": [], "seed": "1", "games": 10 }),
        plan("beginner:100%", "10%..5%", 300),
        plan("beginner:100%", "5%", 5001),
        plan("beginner:99%", "5%", 300),
        plan("../x.rhai:100%", "5%", 300),
        plan("../guests.toml", "5%", 300),
        plan("guests.toml", "5%", 300),
        json!({ "kind": "rm", "rules": "canfield", "strategies": [], "seed": "1", "games": 10 }),
    ];
    for (i, body) in bad.iter().enumerate() {
        assert_eq!(studio.post("/api/jobs/start", body).status, 422, "{body}");
        // A job file may come from anyone.
        fs::write(inner.join(format!("jobs/bad-{i}.json")), body.to_string()).unwrap();
        let name = json!({ "name": format!("bad-{i}") });
        assert_eq!(studio.post("/api/jobs/resume", &name).status, 422, "{body}");
    }
    for name in ["../secret", "a/b", "", ".", "bad-0.json", "x\u{202e}"] {
        for what in ["resume", "remove"] {
            let answer = studio.post(&format!("/api/jobs/{what}"), &json!({ "name": name }));
            assert_eq!(answer.status, 422, "{what} {name}");
        }
    }
    assert!(!inner.join("reports").exists() && outer.path().join("secret.toml").exists());
    // A job whose studio ended just as it was done is removed, since its report exists.
    let good = json!({ "kind": "simulate", "rules": "canfield", "strategies": ["greedy"], "seed": "1", "games": 10 });
    fs::write(inner.join("jobs/orphan.json"), good.to_string()).unwrap();
    assert_eq!(listed(&studio, "orphan")["state"], "stopped");
    fs::create_dir_all(inner.join("reports/orphan")).unwrap();
    fs::write(inner.join("reports/orphan/index.html"), "<title>Done</title>").unwrap();
    assert!(listed(&studio, "orphan").is_null() && !inner.join("jobs/orphan.json").exists());
    assert_eq!(studio.post("/api/jobs/nothing", &json!({ "name": "x" })).status, 422);
}

#[cfg(unix)]
#[test]
fn jobs_end_with_the_studio() {
    let (dir, mut studio) = studio();
    dir.write("mine.toml", "extends = \"canfield\"\n");
    let name = started(&studio, 100_000_000);
    studio.interrupt();
    let blocks = || fs::metadata(dir.at(&format!("reports/{name}/run.blocks"))).unwrap().len();
    let before = blocks();
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(blocks(), before);
}

#[test]
fn a_job_of_another_studio_is_left_alone() {
    let (dir, first) = studio();
    dir.write("mine.toml", "extends = \"canfield\"\n");
    let name = started(&first, 100_000_000);
    let second = Studio::start(dir.path(), &[]);
    let ask = |studio: &Studio, what: &str| {
        let answer = studio.post(&format!("/api/jobs/{what}"), &json!({ "name": name }));
        (answer.status, answer.text().contains("another studio"))
    };
    for what in ["resume", "remove"] {
        assert_eq!(ask(&second, what), (422, true), "{what}");
        assert_eq!(listed(&second, &name)["state"], "elsewhere", "{what}");
    }
    assert_eq!(listed(&first, &name)["state"], "running");
    assert!(dir.at(&format!("jobs/{name}.json")).exists());
    // Once it is stopped there, anybody may resume it, and then it belongs to that studio.
    assert_eq!(ask(&first, "stop").0, 200);
    assert_eq!(listed(&second, &name)["state"], "stopped");
    assert_eq!(ask(&second, "resume").0, 200);
    wait(&first, &name, |it| it["state"] == "elsewhere");
    for what in ["resume", "remove"] {
        assert_eq!(ask(&first, what), (422, true), "{what}");
    }
    ask(&second, "stop");
    assert_eq!(ask(&first, "remove").0, 200);
    assert!(listed(&second, &name).is_null() || listed(&second, &name)["state"] == "stopped");
    assert!(!dir.at(&format!("reports/{name}")).exists());
}

#[cfg(unix)]
#[test]
fn a_job_ends_with_a_studio_that_is_killed() {
    let (dir, mut killed) = studio();
    dir.write("mine.toml", "extends = \"canfield\"\n");
    let name = started(&killed, 100_000_000);
    killed.kill();
    let studio = Studio::start(dir.path(), &[]);
    let left = wait(&studio, &name, |it| it["state"] == "stopped");
    let blocks = || fs::metadata(dir.at(&format!("reports/{name}/run.blocks"))).unwrap().len();
    let before = blocks();
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(blocks(), before, "{left}");
    assert_eq!(studio.post("/api/jobs/resume", &json!({ "name": name })).status, 200);
    wait(&studio, &name, |_| blocks() > before);
}
