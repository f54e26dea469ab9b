//! `saratoga rules page`: every ruleset of the shelf, the same at any number of threads.

use saratoga::lab::{Shelf, Workers, play_shelf};
use saratoga::report::{Run, document_html, shelf_document};
use saratoga::{contest, players, rules};
use serde_json::Value;

use crate::common::program::{Lab, has, list, names, number, stands_alone};

const GAMES: &str = "rules page -n 20 --patient-games 3 --matches 2";

fn of<'a>(items: &'a Value, id: &str) -> &'a Value {
    list(items).iter().find(|it| it["id"] == id).unwrap()
}

#[test]
fn the_page_has_the_whole_shelf_and_is_the_same_at_any_number_of_threads() {
    let lab = Lab::new();
    let line = format!("{GAMES} --seed 7");
    let told = lab.good(&format!("{line} --threads 1 --out out"));
    assert_eq!(names(&lab.at("out")), ["charts", "index.html", "shelf.json", "tables"]);
    assert_eq!(names(&lab.at("out/charts")).len(), 4);
    let shelf: Vec<&str> = rules::shelf().iter().map(|(name, _)| *name).collect();
    for name in &shelf {
        assert!(told.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}: {told}");
    }
    let page = lab.read("out/index.html");
    has(&page, &format!("saratoga {line}<"));
    stands_alone(&page);
    all_in_html(&page, &shelf);
    let document = lab.data("out/shelf.json");
    assert_eq!(document, lab.json(&format!("{line} --threads 2")));
    let rulesets = list(&document["rulesets"]);
    assert!(rulesets.iter().map(|ruleset| ruleset["id"].as_str().unwrap()).eq(shelf));
    for ruleset in rulesets {
        let games = list(&ruleset["players"]).iter().map(|p| (p["strategy"].as_str(), p["games"].as_u64()));
        assert!(games.eq([(Some("greedy"), Some(20)), (Some("patient"), Some(3))]));
    }
    for (i, (name, _)) in contest::shelf().iter().enumerate() {
        has(&page, &format!("<tr id=\"contest-{name}\">"));
        let among = list(&document["contests"][i]["among"]).iter();
        let played = among.map(|a| (a["strategy"].as_str(), a["matches"].as_u64()));
        assert!(played.eq([(Some("greedy"), Some(2)), (Some("patient"), Some(2))]), "{name}");
    }
    // They are those of the same games and matches, played alone.
    for (id, strategy, games) in [("rainbow", "greedy", 20), ("dutchess", "patient", 3)] {
        let alone = lab.json(&format!("simulate {id} -s {strategy} -n {games} --seed 7"));
        let mut players = list(&of(&document["rulesets"], id)["players"]).iter();
        let player = players.find(|player| player["strategy"] == strategy).unwrap();
        for figure in ["games", "wins", "win_rate", "cards", "house_edge", "ends"] {
            assert_eq!(player[figure], alone["entries"][0]["summary"][figure], "{id}: {figure}");
        }
    }
    let alone = lab.json("contest nerts -s patient -s greedy -s greedy -s greedy -n 2 --no-factors --seed 7");
    for figure in ["wins", "win_rate", "points"] {
        let among = &of(&document["contests"], "nerts")["among"][1];
        assert_eq!(among[figure], alone["summary"]["players"][0][figure], "{figure}");
    }
}

fn all_in_html(page: &str, shelf: &[&str]) {
    for name in shelf {
        let loaded = rules::load(name).unwrap();
        let spec = loaded.rules.spec();
        let row =
            page.split_once(&format!("<tr id=\"{name}\"><th")).and_then(|(_, row)| row.split_once("</th>"));
        assert!(row.is_some_and(|(head, _)| head.contains(&format!(">{}", spec.name))), "{name}: {row:?}");
        for also in &spec.also {
            let names = page.split_once("Other names").unwrap().1;
            let listed = names.split("<dt>").find(|part| part.starts_with(&format!("{also}</dt>")));
            assert!(listed.is_some_and(|part| part.contains(&format!("<a href=\"#{name}\">"))), "{also}");
        }
    }
}

/// Returns a figure as it is read back from JSON, which may lose the last digit.
fn as_read(figure: &impl serde::Serialize) -> Value {
    serde_json::from_str(&serde_json::to_string(figure).unwrap()).unwrap()
}

/// The searching player beside the best script, and the scripts that look ahead: the figures are those of the same games,
/// simulated or compared.
#[test]
fn players_who_think_have_tables_of_their_own() {
    const SCRIPTS: [&str; 3] = ["greedy", "patient", "hoarder"];
    let rulesets = ["single-pass", "bsd", "demon-two-packs"].map(|name| rules::load(name).unwrap());
    let load = |names: &[&str]| names.iter().map(|name| players::load(name).unwrap()).collect::<Vec<_>>();
    let (greedy, search, ahead) = (
        load(&["greedy"]),
        load(&["search:level=2", "greedy", "patient", "hoarder"]),
        load(&["foresight", "sampler"]),
    );
    let shelf = Shelf {
        rulesets: &rulesets,
        contests: &[],
        players: vec![(&greedy[0], 4)],
        search: (&search, 4),
        ahead: (&ahead, 1),
        matches: 0,
        seed: 1,
        workers: Workers::new(2),
    };
    let found = play_shelf(&shelf, &mut |_, _| {}).unwrap();
    let run = Run::default();
    let page = document_html(&shelf_document(&run, &found)).unwrap();
    has(&page, "The searching player and the best script|The scripts that look ahead");
    let lab = Lab::new();
    for ((ruleset, deals), looking) in found.rulesets.iter().zip([4, 4, 1]).zip([2, 2, 0]) {
        let (beside, searched) = (ruleset.beside.as_ref().unwrap(), &ruleset.players[1]);
        assert_eq!((&*searched.strategy, searched.summary.games), ("search:level=2", deals));
        assert_eq!((beside.difference.games, ruleset.ahead.len()), (deals, looking), "{}", ruleset.id);
        let line = format!("compare {} -s search:level=2 -n {deals} --measure money --all-games", ruleset.id);
        let pairs = SCRIPTS.map(|script| lab.json(&format!("{line} -s {script}"))["pairs"][0].take());
        let best = pairs.iter().min_by(|a, b| number(&a["money"]).total_cmp(&number(&b["money"]))).unwrap();
        let own = as_read(&beside.difference);
        assert_eq!((number(&own["money"]), &own["cards"]), (number(&best["money"]), &best["cards"]));
    }
    let alone = lab.json("simulate single-pass -s sampler -n 1")["entries"][0]["summary"]["cards"].take();
    assert_eq!(as_read(&found.rulesets[0].ahead[1].summary.cards), alone);
}
