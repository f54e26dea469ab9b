//! `estimate` finds who played a night, from decks that are listed or paid together.

use crate::common::program::{Lab, has, lines, number};

const SMALL: &str = "--at 60 --patrons ordinary:70%,patient:30% -n 20000";

fn decks(lab: &Lab, player: &str, games: &str) -> Vec<i64> {
    let shown = lab.good(&format!("replay canfield -s {player} --game {games} --seed 5 --json"));
    lines(&shown).iter().map(|game| game["cards"].as_i64().unwrap()).collect()
}

fn night(lab: &Lab, file: &str, cards: &[i64]) {
    let rows: String = cards.iter().map(|cards| format!("{cards}\n")).collect();
    lab.write(file, format!("cards\n{rows}"));
}

#[test]
fn a_night_says_who_came() {
    let lab = Lab::new();
    let ordinary = decks(&lab, "ordinary", "0..400");
    night(&lab, "weak.csv", &ordinary);
    night(&lab, "strong.csv", &decks(&lab, "search:level=1", "0..120"));
    let [weak, strong] = ["weak", "strong"].map(|name| lab.json(&format!("estimate {name}.csv {SMALL}")));
    // The edge is computed from the shares.
    for found in [&weak, &strong] {
        let of = |i: usize, key: &str| number(&found["players"][i][key]);
        assert!((of(0, "share") + of(1, "share") - 1.0).abs() < 1e-9);
        let edge: f64 = (0..2).map(|i| of(i, "share") * of(i, "edge")).sum();
        assert!((edge - number(&found["edge"])).abs() < 0.005, "{edge} {}", found["edge"]);
    }
    assert!(number(&weak["players"][0]["share"]) > number(&strong["players"][0]["share"]));
    assert!(number(&weak["edge"]) > number(&strong["edge"]));
    assert!(weak["too_bad_after"].is_null() && number(&strong["too_bad_after"]) <= 120.0);
    assert!(number(&weak["chance"]) > 0.01 && number(&strong["chance"]) < 1e-4);
    // Neither kind plays like that, so no edge of theirs is shown.
    assert_eq!((&weak["unexplained"], &strong["unexplained"]), (&false.into(), &true.into()));
    assert!(number(&strong["fit"]) < 1e-4);
    let told = lab.told(&format!("estimate strong.csv {SMALL}"));
    has(&told, "No mix of these kinds explains the night|Was the sum luck? No|an alarm after|trusted");
    assert!(!told.contains("leave the house") && !told.contains("after the night"), "{told}");
    let paid = 500 * ordinary.iter().sum::<i64>();
    assert_eq!(weak["paid"].as_i64(), Some(paid));
    assert!((number(&weak["kept"]) - (1.0 - paid as f64 / 400.0 / 6000.0)).abs() < 1e-12);
}

#[test]
fn decks_may_be_counted_or_paid_together() {
    let lab = Lab::new();
    let mut cards = decks(&lab, "ordinary", "0..90");
    cards.sort_unstable();
    night(&lab, "each.csv", &cards);
    let counted = cards.chunk_by(|a, b| a == b).map(|same| format!("{};{}\n", same.len(), same[0]));
    lab.write("counted.csv", format!("decks;cards\n{}", counted.collect::<String>()));
    lab.write("together.csv", format!("decks,paid\n90,{}\n", 5 * cards.iter().sum::<i64>()));
    let [each, counted, together] =
        ["each", "counted", "together"].map(|name| lab.json(&format!("estimate {name}.csv {SMALL}")));
    for key in ["edge", "players", "chance", "evidence", "paid"] {
        assert_eq!(each[key], counted[key], "{key}");
    }
    assert_eq!((&together["paid"], &together["chance"]), (&each["paid"], &each["chance"]));
    let [one, other] = [&each, &together].map(|found| {
        let share = &found["players"][0]["share"];
        number(&share["high"]) - number(&share["low"])
    });
    assert!((other - one).abs() < 0.2 && number(&together["edge"]) < 0.5);
}
