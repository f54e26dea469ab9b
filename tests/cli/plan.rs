//! The figures of `plan` follow from its games, its price is found on games of its own, and its workbook computes the
//! same.

use std::fs::File;
use std::io::BufReader;
use std::process::Command;

use calamine::{Data, Reader, Xlsx, open_workbook};
use serde_json::Value;

use crate::common::program::{Lab, close, has, list, mean_cards, number};

const SMALL: &str = "-n 2000 --search-games 1000 --bootstrap 100 --clairvoyant 0 --patrons greedy:75%,reserve-first:25% \
                     --best patient --decks 20 --nights 4";

/// Plans a season; returns the plans of its rulesets.
fn plans(lab: &Lab, line: &str) -> Value {
    lab.json(&format!("plan {line} {SMALL}"))["rulesets"].take()
}

#[test]
fn figures_follow_from_the_games() {
    let plan = plans(&Lab::new(), "canfield --target-edge 5%..10%")[0].take();
    let players = list(&plan["players"]);
    assert_eq!([0, 1, 2].map(|i| number(&players[i]["share"])), [0.75, 0.25, 0.0]);
    let price = number(&plan["price"]);
    assert_eq!(price % 100.0, 0.0, "a round price");
    for player in players {
        close(number(&player["edge"]), 1.0 - 500.0 * mean_cards(&player["tally"]["histogram"]) / price);
    }
    let edge = 0.75 * number(&players[0]["edge"]) + 0.25 * number(&players[1]["edge"]);
    close(number(&plan["edge"]), edge);
    // A thousand games determined the price: five standard errors.
    assert!((edge - 0.075).abs() < 0.25, "near the target: {edge}");
    close(number(&plan["bankroll"]["profit"]), 20.0 * edge * price);
    // The pay table is complete.
    let rows = list(&plan["pay_table"]);
    let sum = |key: &str| rows.iter().map(|row| number(&row[key])).sum::<f64>();
    close(sum("share"), 1.0);
    close(sum("returns"), 1.0 - edge);
    let hits = rows.iter().filter(|row| number(&row["pays"][0]) > price);
    close(number(&plan["hit_frequency"]), hits.map(|row| number(&row["share"])).sum());
    // A season is many nights, close to the mean.
    let middle = &plan["season"]["profit"][2];
    assert!(number(&middle["low"]) < number(middle) && number(middle) < number(&middle["high"]));
    let (mean, sd) = (number(&plan["bankroll"]["profit"]), number(&plan["bankroll"]["sd"]));
    assert!((number(middle) - 4.0 * mean).abs() < 0.2 * sd * 4f64.sqrt(), "{middle} of {mean}");
}

#[test]
fn the_price_is_for_the_night_that_is_planned() {
    let mix = "[[patron]]\nstrategy = \"greedy\"\nshare = 60\ndecks_each = 10\n[[patron]]\nstrategy = \"reserve-first\"\nshare = 40\n";
    let lab = Lab::with(&[("mix.toml", mix)]);
    let line = "plan canfield --patrons mix.toml --decks 5 --target-edge 5%..10% -n 2000 --search-games 1000 --bootstrap 100 \
                --clairvoyant 0 --best patient --nights 2";
    let plan = lab.json(line)["rulesets"][0].take();
    let players = list(&plan["players"]);
    // Somebody who buys 10 decks in a row fills all of 5 from the start of such a visit on: each visit is one with a
    // probability of 6 in 46.
    let visit = 6.0 / 46.0;
    let share = (0..5).map(|sold| (1.0 - visit) * f64::powi(1.0 - visit, sold)).sum::<f64>() / 5.0;
    close(number(&players[1]["share_of_night"]), share);
    let edge = (1.0 - share) * number(&players[0]["edge"]) + share * number(&players[1]["edge"]);
    close(number(&plan["edge"]), edge);
    close(number(&plan["bankroll"]["profit"]), 5.0 * edge * number(&plan["price"]));
    assert!((edge - 0.075).abs() < 0.15, "near the target: {edge}");
    // With this many decks of the best player the edge is gone, and the relative limits are similar to those of the
    // edges.
    let decks = &plan["decks_of_the_best_until_the_edge_is_gone"];
    close(number(decks), 5.0 * edge / (edge - number(&players[2]["edge"])));
    let far = |it: &Value, end: &str| (number(&it[end]) / number(it) - 1.0).abs();
    let edges = [&plan["edge"], &players[2]["edge"]].map(|it| far(it, "low").max(far(it, "high")));
    assert!(far(decks, "low").max(far(decks, "high")) < edges[0] + edges[1], "{decks}");
    assert!(far(decks, "high") > edges[0] / 3.0, "{decks}");
}

#[test]
fn the_price_is_found_on_games_of_its_own() {
    let lab = Lab::new();
    let found = plans(&lab, "canfield")[0].take();
    let price = found["price"].as_i64().unwrap() / 100;
    // The same games at the same price, whether it was found or given, also in `bankroll`.
    assert_eq!(found["players"], plans(&lab, &format!("canfield --at {price}"))[0]["players"]);
    let line = format!(
        "bankroll canfield --at {price} --patrons greedy:75%,reserve-first:25% -n 2000 --bootstrap 100"
    );
    assert_eq!(lab.json(&format!("{line} --decks 20"))["bankroll"], found["bankroll"]);
    // Rules are varied without a file for each.
    lab.write("one.toml", "extends = \"canfield\"\n[stock]\nredeals = 1\n");
    let varied = plans(&lab, "canfield --vary stock.redeals=0,1");
    assert_eq!(
        [0, 1].map(|i| varied[i]["id"].as_str().unwrap()),
        ["canfield stock.redeals=0", "canfield stock.redeals=1"]
    );
    assert_eq!(plans(&lab, "./one.toml")[0]["bankroll"], varied[1]["bankroll"]);
}

#[test]
fn a_plan_says_where_no_round_price_is_and_when_the_edge_is_gone() {
    let lab = Lab::new();
    let line = format!("canfield --target-edge 7.5%..7.8% --round 64 {SMALL}");
    let told = lab.told(&format!("plan {line}"));
    has(&told, "No price was found within the target|no multiple of $64.00 is between $|; with --round ");
    let plan = lab.json(&format!("plan {line}"))["rulesets"][0].take();
    let offer = &plan["offer"];
    let [low, high, finer] = [&offer["between"][0], &offer["between"][1], &offer["finer"][1]].map(number);
    assert!(low <= finer && finer <= high && finer % number(&offer["finer"][0]) == 0.0);
    // With this many decks of the best player and otherwise the mix, the net is zero.
    let (best, gain) = (number(&plan["players"][2]["net"]), number(&plan["bankroll"]["deck_profit"]));
    let decks = number(&plan["decks_of_the_best_until_the_edge_is_gone"]);
    assert!(best > 0.0 && gain > 0.0, "{best} {gain}");
    close(decks * -best + (20.0 - decks) * gain, 0.0);
    has(&told, "The edge is gone once patient plays ");
    // Who is in the mix already is counted with all decks, the others sharing the rest as before.
    let line = "canfield --patrons greedy:80%,patient:20% --best patient --at 63 --decks 20 -n 2000 --bootstrap 100 \
                --clairvoyant 0 --nights 2";
    let plan = lab.json(&format!("plan {line}"))["rulesets"][0].take();
    let [other, best] = [0, 1].map(|i| number(&plan["players"][i]["net"]));
    let decks = number(&plan["decks_of_the_best_until_the_edge_is_gone"]);
    assert!(decks > 4.0, "{decks}");
    close(decks * best + (20.0 - decks) * other, 0.0);
}

const JACKPOT: &str = "extends = \"canfield\"\n[casino]\nstake = 30\n[casino.jackpot]\nstart = 200\nshare = 0.1\nwon_by = \"win\"\n";
const PLAYERS: &str = "What players leave the house";
const PAR: &str = "PAR sheet";
const BY_CARD: &str = "Pay table by card";

type Book = Xlsx<BufReader<File>>;

/// Plans with a jackpot at $30; returns the plan and its workbook.
fn workbook() -> (Lab, Value, Book) {
    let lab = Lab::with(&[("jackpot.toml", JACKPOT)]);
    lab.good(&format!("plan ./jackpot.toml --at 30 {SMALL} -q --out plan"));
    let plan = lab.data("plan/summary.json")["rulesets"][0].take();
    let book = open_workbook(lab.at("plan/plan.xlsx")).unwrap();
    (lab, plan, book)
}

/// Returns a cell by the names of its row and column, as a value and as a formula.
fn cell(book: &mut Book, sheet: &str, row: &str, column: &str) -> (Data, String) {
    let values = book.worksheet_range(sheet).unwrap();
    let formulas = book.worksheet_formula(sheet).unwrap();
    let is = |cell: &Data, name: &str| format!("{cell}") == name;
    let column = values.rows().next().unwrap().iter().position(|it| is(it, column)).unwrap() as u32;
    let row = values.rows().position(|it| is(&it[0], row)).unwrap() as u32;
    let formula = formulas.get_value((row, column)).cloned().unwrap_or_default();
    (values.get_value((row, column)).cloned().unwrap(), formula)
}

fn float(cell: &Data) -> f64 {
    match cell {
        Data::Float(x) => *x,
        other => panic!("{other:?} is no number"),
    }
}

#[test]
fn the_workbook_holds_the_figures() {
    let (lab, plan, mut book) = workbook();
    let tables = [
        PLAYERS,
        PAR,
        "Return to player by decks sold",
        "Pay table",
        "A season of nights",
        BY_CARD,
        "A night",
        "Profit as the night goes on",
        "The risk of ruin by bank",
    ];
    // Named like their tables, without truncation.
    assert_eq!(
        (&*book.sheet_names()[0], &book.sheet_names()[1..]),
        ("Summary", &tables.map(String::from)[..])
    );
    for player in list(&plan["players"]) {
        let name = player["name"].as_str().unwrap();
        let mut is = |column: &str, value: &Value| {
            close(float(&cell(&mut book, PLAYERS, name, column).0), number(value))
        };
        is("house edge", &player["edge"]);
        is("house edge (low)", &player["edge"]["low"]);
        is("house edge (high)", &player["edge"]["high"]);
        is("games measured", &player["tally"]["games"]);
    }
    let sheet = book.worksheet_range(BY_CARD).unwrap();
    close(sheet.rows().skip(1).take(53).map(|row| float(&row[2])).sum(), 1.0);
    // The same numbers as in the CSV files.
    let csv = lab.read("plan/tables/par-sheet.csv");
    let sheet = book.worksheet_range(PAR).unwrap();
    for (line, row) in csv.lines().zip(sheet.rows()).skip(1).filter(|(line, _)| !line.contains('"')) {
        for (cell, text) in row.iter().zip(line.split(',')).skip(1) {
            if let Data::Float(x) = cell {
                close(*x, text.parse().unwrap());
            }
        }
    }
    has(&lab.read("plan/tables/pay-table.csv"), "\nthe jackpot's meter,,,,0.1\n");
    // The payments, including the initial jackpot and the reserve for it, are what the edge leaves.
    let paid: f64 = list(&plan["pay_table"]).iter().map(|row| number(&row["returns"])).sum();
    close(paid + 0.1, 1.0 - number(&plan["edge"]));
    has(&lab.read("plan/index.html"), "decks that win the jackpot|decks from one jackpot to the next");
}

/// Checks what a spreadsheet computes when a price or the mix is changed.
#[test]
fn the_workbook_computes() {
    let (_lab, _, mut book) = workbook();
    for (sheet, row, column, formula) in [
        (PAR, "price of a deck", "value", ""),
        (PAR, "hold of 100 decks", "value", "100*'What players leave the house'!$F$5"),
        (
            PAR,
            "hit frequency",
            "value",
            "SUMIF('Pay table by card'!$B$2:$B$54,\">\"&$B$2,'Pay table by card'!$C$2:$C$54)",
        ),
        (PLAYERS, "the mix", "share of decks", "SUM($B$2:$B$3)"),
        (PLAYERS, "the mix", "house edge", "SUMPRODUCT($B$2:$B$3,$C$2:$C$3)/SUM($B$2:$B$3)"),
        (
            PLAYERS,
            "greedy",
            "house edge",
            "1-SUMPRODUCT('Pay table by card'!$B$2:$B$54,'Pay table by card'!$F$2:$F$54)/'PAR sheet'!$B$2-'PAR sheet'!$B$5",
        ),
        (PLAYERS, "greedy", "house gains a deck", "$C$2*'PAR sheet'!$B$2"),
        (BY_CARD, "5", "share of stakes", "$B$7*$C$7/'PAR sheet'!$B$2"),
    ] {
        assert_eq!(cell(&mut book, sheet, row, column).1, formula, "{sheet}, {row}, {column}");
    }
    // Return to player: the pay table and the meter, line by line, in every sheet that has them.
    let mut value = |sheet: &str, row: &str, column: &str| float(&cell(&mut book, sheet, row, column).0);
    let [whole, paid, meter, edge, mean, hold] = [
        "return to player (RTP)",
        "of which the pay table",
        "of which the jackpot's meter",
        "house edge",
        "mean payment",
        "hold of 100 decks",
    ]
    .map(|row| value(PAR, row, "value"));
    close(paid + meter, whole);
    close(meter, 0.1);
    close(1.0 - edge, whole);
    close(mean, 30.0 * whole);
    close(hold, 100.0 * 30.0 * edge);
    for sheet in [BY_CARD, "Pay table"] {
        for (row, part) in
            [("return to player", whole), ("the pay table", paid), ("the jackpot's meter", meter)]
        {
            close(value(sheet, row, "share of stakes"), part);
        }
    }
    // Measured values are marked as such: whole sheets, rows, and the values of the summary.
    for sheet in book.sheet_names() {
        let values = book.worksheet_range(&sheet).unwrap();
        let follows = book.worksheet_formula(&sheet).unwrap().used_cells().next().is_some();
        let marked = |row: &[Data]| row.iter().any(|it| it.to_string().starts_with("as measured"));
        let last = |row: &[Data]| row.last().is_some_and(|it| it.to_string().starts_with("as measured"));
        assert_eq!(values.rows().any(last), !follows || sheet == PAR, "{sheet}");
        for (name, measured) in [
            ("minutes of play", true),
            ("decks that win the jackpot", true),
            ("house edge", false),
            ("price of a deck", false),
        ] {
            let row = values.rows().find(|row| sheet == PAR && row[0] == *name);
            assert!(row.is_none_or(|row| marked(row) == measured), "{name}");
        }
    }
}

/// If LibreOffice is installed, every formula evaluates to the value written beside it, and to another for a new price.
#[test]
fn a_spreadsheet_computes_what_is_written() {
    let ran = Command::new("soffice").arg("--version").output();
    if !ran.is_ok_and(|it| it.status.success()) {
        return;
    }
    let (lab, _, mut written) = workbook();
    let home = format!("-env:UserInstallation=file://{}/home", lab.path().display());
    let convert =
        ["--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", "again", "plan/plan.xlsx"];
    let ran = Command::new("soffice").arg(home).args(convert).current_dir(lab.path()).output();
    assert!(ran.unwrap().status.success());
    let mut computed: Book = open_workbook(lab.at("again/plan.xlsx")).unwrap();
    let mut formulas = 0;
    for sheet in written.sheet_names() {
        let [values, again] = [&mut written, &mut computed].map(|book| book.worksheet_range(&sheet).unwrap());
        let of = written.worksheet_formula(&sheet).unwrap();
        let start = of.start().unwrap_or_default();
        for (row, column, formula) in of.used_cells() {
            let at = (start.0 + row as u32, start.1 + column as u32);
            match (values.get_value(at), again.get_value(at)) {
                (Some(Data::Float(a)), Some(Data::Float(b))) => close(*a, *b),
                (a, b) => assert_eq!(a, b, "{sheet} {at:?}: {formula}"),
            }
            formulas += 1;
        }
    }
    assert!(formulas > 200, "{formulas}");
}
