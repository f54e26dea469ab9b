//! What players who know every card could gain: the answers of `solve`, what strategies leave on the table, and the limits
//! of `bracket`.

use serde_json::{Value, json};

use crate::common::program::{Lab, close, columns, has, lines, list, names, number};

#[test]
fn answers_are_lines_and_won_ones_replay() {
    let lab = Lab::new();
    let line = "solve thoughtful -n 12 --seed 3 --nodes 5000 --memory 16MiB --json";
    let text = lab.good(line);
    let answers = lines(&text);
    for (i, answer) in answers.iter().enumerate() {
        assert_eq!(answer["id"], i.to_string());
        match answer["verdict"].as_str().unwrap() {
            "won" => assert_eq!(answer["cards"], 52),
            // The most cards were not requested.
            "lost" => assert!(answer["cards"].as_u64() <= answer["cards_at_most"].as_u64().or(Some(51))),
            verdict => {
                assert_eq!((verdict, &answer["limit"]), ("unknown", &json!("nodes")));
                assert_eq!((&answer["nodes"], &answer["cards_at_most"]), (&json!(5000), &json!(52)));
            }
        }
        assert!(number(&answer["seconds"]) >= 0.0 && number(&answer["nodes"]) > 0.0);
    }
    let open = answers.iter().filter(|answer| answer["moves"].is_null()).count();
    assert!(open < 9, "{open}");
    // Those without moves are not replayed.
    let checked = lab.run_with("check -", &text);
    has(&checked.out, &format!("12 answers checked: 12 good, 0 at fault|; {open} answer"));
    // The same at another number of threads, except for the times.
    let without = |mut answers: Vec<Value>| {
        answers.iter_mut().for_each(|answer| drop(answer.as_object_mut().unwrap().remove("seconds")));
        answers
    };
    assert_eq!(without(lines(&lab.good(&format!("{line} --threads 1")))), without(answers));
}

#[test]
fn a_report_holds_what_is_left_game_by_game() {
    let lab = Lab::new();
    let line = "solve demon-casino -s greedy -s patient -n 40 --nodes 10 --memory 16MiB --seed 5";
    has(&lab.good(&format!("{line} --out made")), "greedy leaves|Left on the table, a game|clairvoyant");
    assert_eq!(names(&lab.at("made/charts")).len(), 12);
    let column = columns(&lab.read("made/deals.csv"));
    let cards = |name: &str| -> Vec<f64> { column(name).iter().map(|it| it.parse().unwrap()).collect() };

    // The games are the same as everywhere else.
    let replayed = lab.good("replay demon-casino -s patient --seed 5 --game 0..40 --json");
    let (greedy, patient) = (cards("greedy cards"), cards("patient cards"));
    assert_eq!(patient, lines(&replayed).iter().map(|game| number(&game["cards"])).collect::<Vec<_>>());

    // Recomputes every value from the rows.
    let summary = lab.data("made/summary.json");
    assert_eq!(summary["command"], format!("saratoga {line}"));
    let (least, most) = (cards("cards"), cards("cards_at_most"));
    let mean = |value: &dyn Fn(usize) -> f64| (0..40).map(value).sum::<f64>() / 40.0;
    let known: Vec<f64> = (0..40).map(|i| least[i].max(greedy[i]).max(patient[i])).collect();
    assert!(known != most, "some deals must be open for this test");
    let at_most = &summary["most_cards"];
    close(number(&at_most["cards"]["least"]), mean(&|i| known[i]));
    close(number(&at_most["cards"]["most"]), mean(&|i| most[i]));
    close(number(&at_most["house_edge"]["most"]), 1.0 - 5.0 * mean(&|i| known[i]) / 52.0);
    for (player, own) in [(0, &greedy), (1, &patient)] {
        let left = &summary["players"][player]["left"];
        let of = |what: &str, key: &str| number(&left[what][key]);
        close(of("cards", "least"), mean(&|i| known[i] - own[i]));
        close(of("cards", "most"), mean(&|i| most[i] - own[i]));
        // $5 a card.
        close(of("money", "least"), 500.0 * of("cards", "least"));
        assert!(of("cards", "low") <= of("cards", "least") && of("cards", "most") <= of("cards", "high"));
    }
    // What a strategy won can be won, even if the solver left it open.
    let verdicts = column("verdict");
    let ends = [column("greedy end"), column("patient end")];
    let by_play = |i: usize| ends.iter().any(|ends| ends[i] == "won");
    let count = |is: &dyn Fn(usize) -> bool| (0..40).filter(|&i| is(i)).count();
    let shown = count(&|i| verdicts[i] == "unknown" && by_play(i));
    assert!(shown > 0, "a strategy must win an open deal for this test");
    assert_eq!(summary["winnable"]["won"], count(&|i| verdicts[i] == "won" || by_play(i)));
    assert_eq!(summary["winnable"]["unknown"], count(&|i| verdicts[i] == "unknown") - shown);
    assert!(number(&summary["peak_memory_bytes"]) > 0.0);
}

#[test]
fn a_die_for_the_game_is_the_one_that_fell() {
    let lab = Lab::new();
    lab.good("solve exorcism-die-game -s greedy -n 6 --nodes 200 --memory 8MiB --out die -q");
    let column = columns(&lab.read("die/deals.csv"));
    let [deals, faces, cards] = ["deal", "face", "greedy cards"].map(column);
    for (deal, record) in lines(&lab.good("replay exorcism-die-game --game 0..6 --json")).iter().enumerate() {
        let rolled = record["moves"].as_str().unwrap().split(' ').next().unwrap();
        let played: Vec<usize> =
            (0..36).filter(|&i| deals[i] == deal.to_string() && !cards[i].is_empty()).collect();
        assert_eq!(played.len(), 1, "one game a deal");
        assert_eq!(format!("roll:{}", faces[played[0]]), rolled);
        assert_eq!(cards[played[0]], record["cards"].to_string());
    }
}

#[test]
fn simulate_adds_a_line_for_each_ruleset() {
    let lab = Lab::new();
    let line = "simulate demon-casino single-pass -s greedy -s random -n 300 --seed 3";
    let asked = "--clairvoyant=25 --clairvoyant-nodes 2000";
    let text = lab.good(&format!("{line} {asked} --out with"));
    assert_eq!(text.matches("clairvoyant, 25 deals").count(), 2, "{text}");
    has(&lab.read("with/index.html"), &format!("clairvoyant, 25 deals|With every card known|{asked}"));
    let summary = lab.data("with/summary.json");
    let known = [0, 1, 2, 3].map(|i| &summary["entries"][i]["clairvoyant"]);
    assert!(known[0] == known[1] && known[2] == known[3] && known[0] != known[2]);
    // Agrees with the solver's answers for these deals.
    lab.good("solve demon-casino --goal cards -n 25 --seed 3 --nodes 2000 --out solved");
    let solved = lab.data("solved/summary.json");
    assert_eq!(
        (&solved["most_cards"], &solved["winnable"]),
        (&known[0]["most_cards"], &known[0]["winnable"])
    );
    assert!(!lab.good(&format!("{line} --json")).contains("clairvoyant"));
    // Fewer games are fewer deals.
    let few = lab.json("simulate single-pass -n 7 --clairvoyant --clairvoyant-nodes 50");
    assert_eq!(few["entries"][0]["clairvoyant"]["winnable"]["answers"], 7);
}

/// A game of one pass with a stock of eight cards, whose deals are all solved at once.
const SMALL: &str = "extends = \"single-pass\"\n[reserve]\nsize = 23\n[tableau]\ndeal = [5, 5, 5, 5]\n";

/// Checks that the bracket contains its values, and that its width is the sum of its parts.
fn sound(bracket: &Value, falls: bool) {
    let at = |end: &str, of: &str| number(&bracket[end][of]);
    let (lower, upper) = (at("lower", "value"), at("upper", "value"));
    assert!(at("lower", "low") <= lower && lower <= at("lower", "high"), "{bracket}");
    assert!(at("upper", "low") <= upper && upper <= at("upper", "high"), "{bracket}");
    assert!(lower <= upper, "{bracket}");
    let width = |part: &str| number(&bracket["width"][part]);
    close(width("sampling") + width("undecided") + width("hidden"), width("total"));
    close(at("upper", "high") - at("lower", "low"), width("total"));
    let proven = number(&bracket["proven"]);
    close(if falls { proven - lower } else { upper - proven }, width("undecided"));
}

#[test]
fn optimal_play_lies_between_players_and_the_clairvoyant() {
    let lab = Lab::with(&[("small.toml", SMALL)]);
    let found = lab.json("bracket ./small.toml -n 80 --choose 20");
    assert_eq!(lab.names(), ["small.toml"], "no report is asked for");
    let players: Vec<&str> =
        list(&found["strategies"]).iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(players, ["random", "greedy", "patient", "hoarder", "search:level=2"]);
    let point = &found["points"][0];
    for measure in ["cards", "wins", "net", "house_edge"] {
        sound(&point[measure], measure == "house_edge");
    }
    // The lower bound is that of the player who was best on the other deals.
    let chosen = |it: &&Value| list(&it["chosen_for"]).contains(&"cards".into());
    let best = list(&point["players"]).iter().find(chosen).unwrap();
    assert_eq!(point["cards"]["lower"], best["judged"]["cards"]);
    // $5 a card for $52: so few cards go up that the house gains, whoever plays.
    assert_eq!(point["gain"], "house");
}

#[test]
fn a_swept_key_has_a_bracket_for_each_value() {
    let lab = Lab::new();
    let line = "bracket --vary stock.redeals=0,1 -s greedy -s patient -n 12 --nodes 200";
    let found = lab.json(line);
    assert_eq!((&found["varied"], &found["choosing_games"]), (&"stock.redeals".into(), &3.into()));
    let points = list(&found["points"]);
    assert_eq!([0, 1].map(|i| points[i]["change"]["value"].as_str().unwrap()), ["0", "1"]);
    for point in points {
        sound(&point["cards"], false);
        sound(&point["house_edge"], true);
    }
    // With so few positions, deals of two passes stay open and count at their maximum.
    assert!(number(&points[1]["upper_bound"]["undecided"]) > 0.0);
    assert!(number(&points[1]["cards"]["width"]["undecided"]) > 0.0);
    // Tables have money in dollars.
    lab.good(&format!("{line} -q -o out"));
    let csv = |table: &str| lab.read(&format!("out/tables/{table}.csv"));
    assert!(csv("optimal-play-lies-between").contains("player's net"));
}
