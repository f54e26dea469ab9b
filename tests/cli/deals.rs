//! Deals from a file: played, compared, written by the solver.

use crate::common::program::{Lab, has, lines, list};

/// Returns a folder with the first decks of seed 1, with and without ids, and as records.
fn decks(games: &str) -> Lab {
    let lab = Lab::new();
    let told = lab.good(&format!("deal canfield --game {games} --json"));
    let decks = lines(&told);
    let line = |(i, deck): (usize, &serde_json::Value)| {
        format!("deal {i}, mine\t{}\n", deck["deck"].as_str().unwrap())
    };
    let text: String = decks.iter().enumerate().map(line).collect();
    lab.write("decks.jsonl", &told);
    lab.write("decks.txt", format!("# of seed 1\n{text}"));
    lab
}

/// The deals of a seed, given as a file, give its games; so do the first of them.
#[test]
fn deals_of_a_seed_are_its_games() {
    let lab = decks("0..500");
    let entries = |line: &str| lab.json(&format!("simulate {line}"))["entries"].take();
    let seeded = entries("-n 500");
    for file in ["decks.txt", "decks.jsonl"] {
        assert_eq!(entries(&format!("--deals {file}")), seeded);
    }
    assert_eq!(entries("--deals decks.txt -n 200 -s patient"), entries("-n 200 -s patient"));
    // The report identifies the deals, and its own command plays them again.
    has(&lab.good("simulate --deals decks.txt --out first -q"), "dealt from decks.txt");
    let summary = lab.data("first/summary.json");
    let deals = &summary["deals"];
    assert_eq!((&deals["file"], &deals["deals"]), (&"decks.txt".into(), &500.into()));
    let command = summary["command"].as_str().unwrap().strip_prefix("saratoga ").unwrap();
    lab.good(&format!("{command} --out second -q"));
    assert!(lab.bytes("first/index.html") == lab.bytes("second/index.html"));
    // The solver and its players read them, too.
    let few: Vec<String> = lab.read("decks.txt").lines().take(10).map(String::from).collect();
    lab.write("few.txt", few.join("\n"));
    let rows = |from: &str, out: &str| {
        lab.good(&format!("solve -s patient --nodes 500 --memory 8MiB {from} --out {out} -q"));
        let column = crate::common::program::columns(&lab.read(&format!("{out}/deals.csv")));
        ["verdict", "cards_at_most", "nodes", "patient cards", "patient end"].map(column)
    };
    assert_eq!(rows("--deals few.txt", "file"), rows("-n 9", "seed"));
}

/// The id of a deal is shown with the deal everywhere, and commands replay it.
#[test]
fn ids_are_kept() {
    let lab = decks("0..30");
    lab.good("simulate --deals decks.txt --csv --out out -q");
    let csv = lab.read("out/games.csv");
    has(&csv, "game,id,cards,|\n7,\"deal 7, mine\",");
    let line = "compare --deals decks.txt -s patient -s greedy --show 2";
    let compared = lab.json(line);
    assert_eq!((&compared["games"], list(&compared["shown"]).len()), (&30.into(), 2));
    for deal in list(&compared["shown"]) {
        assert_eq!(deal["id"], format!("deal {}, mine", deal["game"]));
        for (entry, command) in list(&deal["replay"]).iter().enumerate() {
            let command = command.as_str().unwrap().strip_prefix("saratoga ").unwrap();
            has(command, " --deals decks.txt ");
            let record = lab.json(command);
            assert_eq!((&record["cards"], &record["game"]), (&deal["cards"][entry], &deal["game"]));
        }
    }
    has(&lab.told(line), "30 games of decks.txt, dealt to both|# deal deal ");
    let solved = lines(&lab.good("solve --deals decks.txt --nodes 100 --memory 1MiB --json"));
    assert_eq!(solved[0]["id"], "deal 0, mine");
}

/// The solver writes the deals with that answer, and `simulate` plays them.
#[test]
fn the_solver_writes_what_can_be_won() {
    let lab = Lab::new();
    let limits = "--nodes 3k --memory 4MiB";
    let write = "--write-deals won=w.txt --write-deals lost=l.txt --write-deals open=o.txt";
    let ran = lab.run(&format!("solve single-pass -n 12 {limits} --seed 3 {write} --json"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    has(&ran.err, "saratoga simulate single-pass --deals l.txt");
    // An empty list gives nothing to play.
    assert!(!ran.err.contains("--deals w.txt"), "{}", ran.err);
    let answers = lines(&ran.out);
    for (file, verdict) in [("w.txt", "won"), ("l.txt", "lost"), ("o.txt", "unknown")] {
        let text = lab.read(file);
        let written: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let wanted: Vec<String> = answers
            .iter()
            .filter(|it| it["verdict"] == verdict)
            .map(|it| format!("{}\t{}", it["id"].as_str().unwrap(), it["deck"].as_str().unwrap()))
            .collect();
        assert_eq!(written, wanted, "{verdict}");
        if !wanted.is_empty() {
            let games = lab.json(&format!("simulate single-pass --deals {file}"))["games"].take();
            assert_eq!(games, wanted.len());
            let again = lines(&lab.good(&format!("solve single-pass --deals {file} {limits} --json")));
            assert!(again.iter().all(|it| it["verdict"] == verdict));
        }
    }
}
