//! Money on the command line: nights, prices, mixes of patrons, steps, fees, jackpots and stages follow from the games
//! that are counted.

use serde_json::Value;

use crate::common::program::{Lab, close, has, list, mean_cards, number, one_line};

const NIGHT: &str = "-n 3000 --bootstrap 100 --decks 20";

#[test]
fn a_night_follows_from_the_histogram() {
    let lab = Lab::new();
    let found = lab.json(&format!("bankroll canfield --at 60 --bank 2000 {NIGHT}"));
    assert!(lab.names().is_empty(), "no report is asked for");
    let games: Vec<(f64, f64)> = list(&found["patrons"][0]["tally"]["histogram"])
        .iter()
        .enumerate()
        .map(|(cards, n)| (6000.0 - 500.0 * cards as f64, number(n)))
        .collect();
    let mean = games.iter().map(|(gain, n)| gain * n).sum::<f64>() / 3000.0;
    let sd = (games.iter().map(|(gain, n)| (gain - mean).powi(2) * n).sum::<f64>() / 3000.0).sqrt();
    let night = &found["bankroll"];
    close(number(&night["profit"]), 20.0 * mean);
    close(number(&night["deck_sd"]), sd);
    close(number(&night["n0"]), (sd / mean).powi(2));
    assert_eq!((night["bank"].as_i64(), night["greatest_loss"].as_i64()), (Some(200_000), Some(20_000)));
    for figure in ["profit", "losing_night", "ruin", "bank_for_1_percent", "volatility_index"] {
        let [low, value, high] = ["low", "value", "high"].map(|key| number(&night[figure][key]));
        assert!(low <= value && value <= high, "{figure}");
    }
    assert_eq!(list(&night["fan"]).len(), 20);
    // A stake that is bought in steps has a night, but no price.
    let staged = lab.json(&format!("bankroll bsd -s cautious {NIGHT}"))["bankroll"].take();
    assert!(staged["volatility_index"].is_null() && staged["price"].is_null());
    let simulated = lab.json("simulate bsd -s cautious -n 3000");
    close(-number(&staged["deck_profit"]), number(&simulated["entries"][0]["summary"]["net"]));
}

#[test]
fn patrons_play_games_of_their_own() {
    let lab = Lab::new();
    let found = lab.json(&format!("bankroll canfield --patrons greedy:75%,reserve-first:25% {NIGHT}"));
    let patrons = list(&found["patrons"]);
    let profit = |patron: &Value| 5200.0 - 500.0 * mean_cards(&patron["tally"]["histogram"]);
    let mixed = 20.0 * (0.75 * profit(&patrons[0]) + 0.25 * profit(&patrons[1]));
    close(number(&found["bankroll"]["profit"]), mixed);
    // The second plays games 3000 to 5999.
    let alone = |n: u32| lab.json(&format!("simulate canfield -s reserve-first -n {n}"));
    let [first, both] = [3000, 6000].map(|n| alone(n)["entries"][0]["summary"]["histogram"].take());
    for cards in 0..=52 {
        let own = number(&patrons[1]["tally"]["histogram"][cards]);
        assert_eq!(own, number(&both[cards]) - number(&first[cards]));
    }
}

const GUESTS: &str = "[[patron]]\nname = \"tourist\"\nstrategy = \"greedy\"\nslip = 35\nshare = 60\n\
                      [[patron]]\nname = \"regular\"\nstrategy = \"./mine.rhai\"\nshare = 40\ndecks_each = 4\n";

/// Runs a command, and the command that its report names: both find the same.
fn twice(lab: &Lab, line: &str) -> Value {
    let first = lab.json(line);
    let again = first["command"].as_str().unwrap().strip_prefix("saratoga ").unwrap();
    assert_eq!(lab.json(again), first, "{line}");
    first
}

#[test]
fn a_mix_is_a_player_like_any_other() {
    let script = include_str!("../../scripts/patient.rhai");
    let lab = Lab::with(&[("guests.toml", GUESTS), ("mine.rhai", script)]);
    let mix = "--patrons greedy:40%,patient:60%";
    let played = twice(&lab, &format!("simulate canfield -n 4000 {mix} -s greedy -s patient"));
    let edges = [0, 1, 2].map(|i| number(&played["entries"][i]["summary"]["house_edge"]));
    assert_eq!(played["entries"][2]["strategy"], "greedy:40%,patient:60%");
    // The games are the same, so only who played which can differ.
    assert!((edges[2] - 0.4 * edges[0] - 0.6 * edges[1]).abs() < 0.05, "{edges:?}");
    for line in [
        format!("compare -n 2000 -s greedy {mix} --show 1"),
        format!("price canfield -n 2000 {mix} --variant-games 0"),
        format!("sweep canfield -n 500 --vary stock.redeals=3..4 -s greedy {mix}"),
        "sweep canfield -n 500 --vary stock.redeals=3..4 --patrons guests.toml".into(),
    ] {
        twice(&lab, &line);
    }
    // Each game equals that of one of them playing alone.
    let games = |player: &str| lab.good(&format!("replay canfield -s {player} --game 0..40 --json"));
    let moves = |text: String| {
        let lines = crate::common::program::lines(&text);
        lines.iter().map(|game| game["moves"].clone()).collect::<Vec<_>>()
    };
    let [mix, greedy, patient] = ["greedy:40%,patient:60%", "greedy", "patient"].map(|it| moves(games(it)));
    assert!((0..40).all(|i| mix[i] == greedy[i] || mix[i] == patient[i]));
    assert!(mix != greedy && mix != patient);
}

#[test]
fn a_file_says_who_comes() {
    let script = include_str!("../../scripts/patient.rhai");
    let lab = Lab::with(&[
        ("guests.toml", GUESTS),
        ("apart.toml", &GUESTS.replace("decks_each = 4", "")),
        ("mine.rhai", script),
        ("night.csv", "cards\n5\n9\n"),
    ]);
    let line = "bankroll canfield --at 60 --patrons guests.toml -n 2000 --bootstrap 100 --decks 8";
    let found = twice(&lab, line);
    let patrons = list(&found["patrons"]);
    assert_eq!((&patrons[0]["name"], &patrons[0]["strategy"]), (&"tourist".into(), &"greedy:slip=35".into()));
    assert_eq!((&patrons[1]["name"], &patrons[1]["decks_each"]), (&"regular".into(), &4.into()));
    let [tourist, regular] = [0, 1].map(|i| number(&patrons[i]["share_of_night"]));
    assert!(tourist > 0.6 && (tourist + regular - 1.0).abs() < 1e-9, "{tourist}");
    // Decks bought one after the other make a night less certain, and no deck dearer.
    let apart = lab.json(&line.replace("guests", "apart"));
    let of = |found: &Value, key: &str| number(&found["bankroll"][key]);
    for same in ["deck_profit", "deck_sd"] {
        close(of(&found, same), of(&apart, same));
    }
    for more in ["sd", "n0", "volatility_index"] {
        assert!(of(&found, more) > of(&apart, more), "{more}");
    }
    has(&lab.told(line), "buy 60% and 40%|share of this night|decks each");
    has(&lab.told("estimate night.csv --at 60 --patrons guests.toml -n 1000"), "`decks_each` is not used");
    let plan = "plan canfield --patrons guests.toml --best patient -n 2000 --search-games 1000 --bootstrap 100 \
                --clairvoyant 0 --decks 8 --nights 2";
    assert_eq!(twice(&lab, plan)["rulesets"][0]["players"][1]["decks_each"], 4);
}

const PAID: &str = "extends = \"canfield\"\n[casino]\nredeal_fee = [0, 1]\n[[casino.step]]\nfrom = 20\npays_per_card = 7\n\
                    bonus = 10\n[casino.jackpot]\nstart = 200\nshare = 0.02\n";

#[test]
fn every_amount_can_be_asked_for_and_varied() {
    let fees = "extends = \"canfield\"\n[[casino.step]]\nfrom = 1\nbonus = -80\n";
    let lab = Lab::with(&[("paid.toml", PAID), ("fees.toml", fees)]);
    for (line, parts) in [
        (
            "simulate ./paid.toml -n 2000",
            "from 20 cards on $7.00|a jackpot that starts at $200.00|each later one $1.00",
        ),
        (
            "price ./paid.toml -n 2000 --variant-games 100",
            "pay for each card after 20|bonus for 20 cards|start of the jackpot|fee of each redeal after 1",
        ),
        ("sweep ./paid.toml --vary casino.redeal_fee=0..2 -n 500", "fee of a redeal"),
        ("solve ./paid.toml -n 2 --nodes 1000", "Fees of redeals are not taken off"),
        // A term may be a fee, and it may be open whether there is one.
        ("price ./fees.toml -n 2000 --variant-games 0", "Or charge $6.1|once for 1 card"),
        ("price canfield --at 58 -n 2000 --variant-games 0", "cannot tell whether any bonus for the win"),
    ] {
        has(&lab.told(line), parts);
    }
}

#[test]
fn terms_follow_from_the_histogram() {
    let lab = Lab::new();
    let found = lab.json("price -s greedy -s patient -n 4000 --variant-games 0");
    let players = list(&found["players"]);
    for player in players {
        let price = 500.0 * mean_cards(&player["tally"]["histogram"]) / 0.95;
        let offers = &player["offers"];
        close(number(&offers["deck_price"]["exact"]), price);
        assert_eq!(number(&offers["deck_price"]["rounded"]["cents"]), price.ceil());
        // The cards alone pay more than an edge of 5% leaves of $52.
        assert_eq!(offers["win_bonus"]["reason"], "negative");
    }
    // A price that holds against each is that of the hardest.
    let asked = [0, 1].map(|i| players[i]["offers"]["deck_price"]["rounded"]["cents"].as_i64().unwrap());
    let each = &found["against_each"]["deck_price"];
    assert_eq!((each["cents"].as_i64(), &each["hardest"]), (asked.into_iter().max(), &1.into()));
    assert!(list(&each["edges"]).iter().all(|edge| number(edge) >= 0.05 - 1e-9));
}

#[test]
fn changed_rules_are_played_on_the_same_shuffles() {
    let rules = "extends = \"canfield\"\n[stock]\nredeals = 1\n[casino]\nstake = 50\n";
    let lab = Lab::with(&[("one.toml", rules)]);
    let found = lab.json("price canfield --at 50 --target-edge 40% -n 4000 --variant-games 1000");
    let variants = list(&found["variants"]);
    assert_eq!(variants.len(), 17);
    let distance = |it: &Value| number(&it["at_price"]["distance"]);
    assert!(variants.windows(2).all(|two| distance(&two[0]) <= distance(&two[1])));
    // The unchanged ruleset is one of them.
    assert!(variants.iter().any(|it| it["change"].is_null()));
    let is_one = |it: &&Value| it["change"]["key"] == "stock.redeals" && it["change"]["value"] == "1";
    let one = variants.iter().find(is_one).unwrap();
    let alone = lab.json("simulate ./one.toml -n 1000")["entries"][0]["summary"]["house_edge"].take();
    assert_eq!(one["edges"][0], alone);
    // Chosen among many, it has a simultaneous interval.
    let chosen = &one["at_price"]["edge"];
    assert_eq!((&chosen["value"], &one["at_price"]["cents"]), (&alone["value"], &5000.into()));
    assert!(number(&chosen["low"]) < number(&alone["low"]), "{chosen}");
    assert_eq!(one["round_price"]["cents"].as_i64().unwrap() % 100, 0);
}

/// What the figures do not show is said beside them.
#[test]
fn doubts_are_told() {
    let lab = Lab::with(&[
        // A player who gives up at once wins nothing.
        ("lose.rhai", "fn score(view, m) { -1 }"),
        ("also.rhai", "fn score(view, m) { -1 }"),
        ("greed.rhai", "fn score(view, m) { if view.pays_per_card > 300 { 1 } else { 2 } }"),
        ("win.toml", "extends = \"canfield\"\n[casino]\npays_per_card = 0\npays_for_win = 500\n"),
        ("free.toml", "extends = \"canfield\"\n[casino]\nstake = 0\n"),
    ]);
    let night = "bankroll ./win.toml -n 1000 --bootstrap 100";
    has(&lab.told(&format!("{night} -s ./lose.rhai")), "No win of lose|0.4%|does not vary");
    // Several players who win equally rarely are one finding.
    let both = lab.told(&format!("{night} --patrons ./lose.rhai:50%,./also.rhai:50%"));
    assert_eq!(both.matches("No win of ").count(), 1, "{both}");
    let dear = lab.told("price --target-edge 99.99% -n 1000 --variant-games 1000");
    assert!(!dear.contains("$0.00 for each card") && dear.contains("less than a cent"), "{dear}");
    has(&lab.told("price ./free.toml -n 1000"), "The deck is free|Sell the deck at $");
    let greed = lab.told("price -s ./greed.rhai -n 1000 --variant-games 0");
    has(&greed, "may change how greed plays");
}

/// Takes a look, and stops at the first draw.
const TIMID: &str = "fn score(view, m) { if m.to_foundation { 2 } else { 1 } }\n\
                     fn stage(view, at, cost) { print(`${at} for ${cost}`); at == \"deal\" || at == \"first-look\" }\n";
/// Buys unknown cards, as long as there is a stock.
const CURIOUS: &str = "fn score(view, m) { if m.is_draw { 2 } else { 1 } }\n\
                       fn stage(view, at, cost) { at != \"unknown-card\" || view.stock_left > 20 }\n";
/// Fails where it would have gone on after stopping.
const LOST: &str = "fn score(view, m) { if view.pass > 1 { throw \"lost\"; } if m.is_draw { 2 } else { 1 } }\n\
                    fn stage(view, at, cost) { at != \"pass\" }\n";

#[test]
fn stages_are_shown_with_what_stopping_is_worth() {
    let lab = Lab::with(&[("timid.rhai", TIMID), ("curious.rhai", CURIOUS), ("lost.rhai", LOST)]);
    let told = lab.good("replay bsd -s ./timid.rhai --explain");
    has(&told, "  | deal for 1300\n  stage deal for $13.00: bought|stage first-draw for $26.00: declined");
    has(&told, "The player stops at first-draw.|With every stage bought, it would have ended barren");
    has(&told, "Staked $26.00, paid back $0.00: net -$26.00.");
    // A player who buys cards is told what is known then, and decides again.
    let told = lab.good("replay bsd -s ./curious.rhai --game 2");
    has(
        &told,
        "stage unknown-card for $1.00: bought\n  known of the waste: |unknown-card for $1.00: declined",
    );
    let listed = lab.good("replay bsd -s ./timid.rhai --game 0..3");
    assert!(listed.lines().skip(1).all(|row| one_line(row).ends_with("$26.00 -$26.00")), "{listed}");

    let told = lab.good("simulate bsd -s cautious -n 2000 --out report --csv -q");
    has(&told, "of what is staked|The stake, stage by stage|stopping is worth");
    assert!(!told.contains("price for a 5% edge"), "{told}");
    let header = "net_cents,staked_cents,stopped_at,net_buying_on_cents";
    assert!(lab.read("report/games.csv").lines().next().unwrap().ends_with(header));
    let page = lab.read("report/index.html");
    assert!(!page.contains("Fair price of the deck") && !page.contains("NaN"));
    assert!(lab.at("report/charts/stopping.svg").exists() && !lab.at("report/charts/price.svg").exists());
    let entry = lab.data("report/summary.json")["entries"][0].take();
    let pass = &entry["summary"]["stakes"]["stages"][3];
    assert_eq!((&pass["at"], &pass["cost"]), (&"pass".into(), &500.into()));
    // A precision of the edge can be requested, as it does not depend on a price.
    has(&lab.told("simulate bsd --precision 3pp"), "10,000, dealt from seed 1");
    let ran = lab.run("simulate bsd -s ./lost.rhai -n 10 --no-report -q");
    assert_eq!(ran.code, Some(1));
    has(&ran.err, "lost|the player had stopped at `pass`");
}
