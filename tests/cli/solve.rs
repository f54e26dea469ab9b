//! The answers of `solve` replay, keep the names of their deals, and agree with its summary.

use crate::cli::run::{good, run, run_with};
use serde_json::{Value, json};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn answers_are_lines_and_won_ones_replay() {
    let folder = tempfile::tempdir().unwrap();
    let args =
        ["solve", "thoughtful", "-n", "12", "--seed", "3", "--nodes", "5000", "--memory", "16MiB", "--json"];
    let answers = lines(&good(&args, folder.path()));
    let ids: Vec<_> = answers.iter().map(|answer| answer["id"].as_str().unwrap().parse()).collect();
    assert_eq!(ids, (0..12).map(Ok).collect::<Vec<Result<usize, _>>>());
    let mut won = 0;
    for answer in &answers {
        match answer["verdict"].as_str().unwrap() {
            "won" => {
                won += 1;
                assert_eq!(answer["cards"], 52);
                let checked = run_with(&["check", "-"], folder.path(), &answer.to_string());
                assert_eq!(
                    (checked.code, &*checked.out),
                    (Some(0), "1 answer checked: 1 good, 0 at fault\n")
                );
            }
            // The most cards were not requested.
            "lost" => assert!(answer["cards"].as_u64() <= answer["cards_at_most"].as_u64().or(Some(51))),
            verdict => {
                assert_eq!((verdict, answer["limit"].as_str()), ("unknown", Some("nodes")));
                assert_eq!((&answer["nodes"], &answer["cards_at_most"]), (&json!(5000), &json!(52)));
            }
        }
        assert!(answer["seconds"].as_f64().unwrap() >= 0.0 && answer["nodes"].as_u64().unwrap() > 0);
    }
    assert!(won > 3, "{won}");
    // The same at another number of threads, except for the times.
    let mut twice = args.to_vec();
    twice.extend(["--threads", "1"]);
    let without = |mut answers: Vec<Value>| {
        answers.iter_mut().for_each(|answer| drop(answer.as_object_mut().unwrap().remove("seconds")));
        answers
    };
    assert_eq!(without(lines(&good(&twice, folder.path()))), without(answers));
}

/// Strategies have lines of their own after those of the deals, which `check` skips.
#[test]
fn strategies_have_lines_too() {
    let folder = tempfile::tempdir().unwrap();
    let args =
        ["solve", "single-pass", "-n", "3", "--nodes", "2000", "-s", "greedy", "-s", "hoarder", "--json"];
    let printed = good(&args, folder.path());
    let found = lines(&printed);
    assert_eq!(found.len(), 5, "{printed}");
    let names: Vec<_> = found[3..].iter().map(|it| it["strategy"].as_str().unwrap()).collect();
    assert_eq!(names, ["greedy", "hoarder"]);
    assert!(found[3]["left"].is_object(), "{}", found[3]);
    let checked = run_with(&["check", "-"], folder.path(), &printed);
    assert_eq!(checked.code, Some(0), "{}", checked.out);
    assert!(checked.out.starts_with("3 answers checked: 3 good"), "{}", checked.out);
}

/// Whole outputs can be passed to `check`: for any goal, with a die, and under custom rules.
#[test]
fn answers_are_checked_as_they_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("house.toml"), "name = \"House\"\nextends = \"canfield\"\n").unwrap();
    for (rules, goal) in [
        ("canfield", "win"),
        ("canfield", "cards"),
        ("./house.toml", "cards"),
        ("exorcism-die-game", "cards"),
    ] {
        let args =
            ["solve", rules, "-n", "6", "--goal", goal, "--nodes", "3000", "--memory", "16MiB", "--json"];
        let text = good(&args, folder.path());
        let answers = lines(&text);
        assert!(answers.iter().all(|answer| answer["rules"] == rules));
        let without = answers.iter().filter(|answer| answer["moves"].is_null()).count();
        assert!(without < answers.len(), "{text}");
        let checked = run_with(&["check", "-"], folder.path(), &text);
        let n = answers.len();
        let end = match without {
            0 => String::new(),
            1 => "; 1 answer has no moves to replay".into(),
            many => format!("; {many} answers have no moves to replay"),
        };
        assert_eq!(checked.out, format!("{n} answers checked: {n} good, 0 at fault{end}\n"));
        assert_eq!(checked.code, Some(0));
    }
}

#[test]
fn the_summary_says_the_share_and_the_cards() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["solve", "single-pass", "-n", "6", "--goal", "cards", "--nodes", "2000", "--memory", "16MiB"];
    let text = good(&args, folder.path());
    for part in [
        "of the deals can be won",
        "6 deals",
        "most cards, mean",
        "house edge against clairvoyance",
        "undecided",
        "What it took",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn a_die_for_the_game_has_an_answer_for_each_face() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["solve", "exorcism-die-game", "-n", "1", "--nodes", "500", "--memory", "16MiB", "--json"];
    let answers = lines(&good(&args, folder.path()));
    let faces: Vec<_> = answers.iter().map(|answer| answer["face"].as_u64()).collect();
    assert_eq!(faces, (1..=6).map(Some).collect::<Vec<_>>());
}

#[test]
fn deals_of_a_file_keep_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let deck = lines(&good(&["deal", "canfield", "--json"], folder.path()))[0]["deck"].clone();
    std::fs::write(folder.path().join("decks.txt"), format!("mine\t{}\n", deck.as_str().unwrap())).unwrap();
    let args = ["solve", "canfield", "--deals", "decks.txt", "--nodes", "100", "--memory", "1MiB", "--json"];
    let answers = lines(&good(&args, folder.path()));
    assert_eq!((answers.len(), &answers[0]["id"], &answers[0]["deck"]), (1, &json!("mine"), &deck));
}

/// More memory than any machine has is rejected before any is used, with the possible maximum; so are too many threads.
#[test]
fn what_cannot_be_had_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for memory in ["99999GiB", "99999999999999999999999GiB"] {
        let ran = run(&["solve", "-n", "1", "--nodes", "10", "--memory", memory], folder.path());
        assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{}", ran.err);
        let start = format!("error: --memory {memory}, with what lists take, takes ");
        assert!(ran.err.starts_with(&start), "{}", ran.err);
        assert!(ran.err.contains(" can be allocated: ask for --memory "), "{}", ran.err);
        // The stated maximum is possible.
        let most = ran.err.rsplit("--memory ").next().unwrap().split(' ').next().unwrap();
        let mebibytes: u64 = most.strip_suffix("MiB").unwrap().parse().unwrap();
        let less = format!("{}MiB", mebibytes / 2);
        good(&["solve", "-n", "1", "--nodes", "10", "--memory", &less], folder.path());
    }
    let args = ["simulate", "single-pass", "-n", "10", "--no-report"];
    let args = [&args[..], &["--clairvoyant=2", "--clairvoyant-nodes", "1e19"]].concat();
    assert_eq!(run(&[&args[..], &["--threads", "1"]].concat(), folder.path()).code, Some(0));
}
