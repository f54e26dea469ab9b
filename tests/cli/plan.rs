//! The figures of `plan` follow from its games, its price is found on games of its own, and its workbook computes the
//! same.

use std::fs;
use std::path::Path;

use calamine::{Data, Reader, Xlsx, open_workbook};
use serde_json::Value;

use crate::cli::run::{good, names, run, words};

const SMALL: &str = "-n 2000 --search-games 1000 --bootstrap 100 --clairvoyant 0 --patrons greedy:75%,reserve-first:25% \
                     --best patient --decks 40 --nights 10 -q";

fn json(line: &str, folder: &Path) -> Value {
    let text = good(&words(&format!("plan {line} {SMALL} --json")), folder);
    serde_json::from_str(&text).unwrap()
}

fn number(value: &Value) -> f64 {
    value["value"].as_f64().unwrap()
}

/// Returns the mean cards of a strategy.
fn cards(player: &Value) -> f64 {
    let games = player["tally"]["games"].as_f64().unwrap();
    let histogram = player["tally"]["histogram"].as_array().unwrap().iter().enumerate();
    histogram.map(|(cards, n)| cards as f64 * n.as_f64().unwrap()).sum::<f64>() / games
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-9 * b.abs().max(1.0), "{a} is not {b}");
}

#[test]
fn figures_follow_from_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let found = json("canfield --target-edge 5%..10%", folder.path());
    let plan = &found["rulesets"][0];
    let players = plan["players"].as_array().unwrap();
    let shares: Vec<f64> = players.iter().map(|it| it["share"].as_f64().unwrap()).collect();
    assert_eq!(shares, [0.75, 0.25, 0.0]);
    let price = plan["price"].as_f64().unwrap();
    assert_eq!(price % 100.0, 0.0, "a round price");
    for player in players {
        close(number(&player["edge"]), 1.0 - 500.0 * cards(player) / price);
    }
    let edge = 0.75 * number(&players[0]["edge"]) + 0.25 * number(&players[1]["edge"]);
    close(number(&plan["edge"]), edge);
    // A thousand games determined the price: five standard errors.
    assert!((edge - 0.075).abs() < 0.25, "near the target: {edge}");
    close(number(&plan["bankroll"]["profit"]), 40.0 * edge * price);
    // The pay table is complete.
    let rows = plan["pay_table"].as_array().unwrap();
    let sum = |key: &str| rows.iter().map(|row| row[key].as_f64().unwrap()).sum::<f64>();
    close(sum("share"), 1.0);
    close(sum("returns"), 1.0 - edge);
    let hits = rows.iter().filter(|row| row["pays"][0].as_f64().unwrap() > price);
    close(number(&plan["hit_frequency"]), hits.map(|row| row["share"].as_f64().unwrap()).sum());
    // Every night is one of 300 decks, close to the mean.
    let season = &plan["season"];
    let middle = number(&season["profit"][2]);
    let (low, high) = (&season["profit"][2]["low"], &season["profit"][2]["high"]);
    assert!(low.as_f64().unwrap() < middle && middle < high.as_f64().unwrap());
    let (mean, sd) = (number(&plan["bankroll"]["profit"]), number(&plan["bankroll"]["sd"]));
    assert!((middle - 10.0 * mean).abs() < 0.2 * sd * 10f64.sqrt(), "{middle} of {mean}");
}

#[test]
fn the_price_is_for_the_night_that_is_planned() {
    let folder = tempfile::tempdir().unwrap();
    let mix = "[[patron]]\nstrategy = \"greedy\"\nshare = 60\ndecks_each = 10\n[[patron]]\nstrategy = \"reserve-first\"\nshare = 40\n";
    fs::write(folder.path().join("mix.toml"), mix).unwrap();
    let line = "plan canfield --patrons mix.toml --decks 5 --target-edge 5%..10% -n 2000 --search-games 1000 --bootstrap 100 \
                --clairvoyant 0 --best patient --nights 10 -q";
    let text = good(&words(&format!("{line} --out report")), folder.path());
    let found = fs::read_to_string(folder.path().join("report/summary.json")).unwrap();
    let found: Value = serde_json::from_str(&found).unwrap();
    let plan = &found["rulesets"][0];
    let players = plan["players"].as_array().unwrap();
    // Somebody who buys 10 decks in a row fills all of 5 from the start of such a visit on: each visit is one with a
    // probability of 6 in 46.
    let visit = 6.0 / 46.0;
    let share = (0..5).map(|sold| (1.0 - visit) * f64::powi(1.0 - visit, sold)).sum::<f64>() / 5.0;
    close(players[1]["share_of_night"].as_f64().unwrap(), share);
    let edge = (1.0 - share) * number(&players[0]["edge"]) + share * number(&players[1]["edge"]);
    close(number(&plan["edge"]), edge);
    let price = plan["price"].as_f64().unwrap();
    close(number(&plan["bankroll"]["profit"]), 5.0 * edge * price);
    assert!((edge - 0.075).abs() < 0.15, "near the target: {edge}");
    // With this many decks of the best player the edge is gone, and the relative limits are similar to those of the
    // edges.
    let decks = &plan["decks_of_the_best_until_the_edge_is_gone"];
    let best = number(&players[2]["edge"]);
    close(number(decks), 5.0 * edge / (edge - best));
    let far = |it: &Value, end: &str| (it[end].as_f64().unwrap() / number(it) - 1.0).abs();
    let edges = [&plan["edge"], &players[2]["edge"]].map(|it| far(it, "low").max(far(it, "high")));
    let sum = edges[0] + edges[1];
    assert!(
        far(decks, "high") < sum && far(decks, "low") < sum && far(decks, "high") > edges[0] / 3.0,
        "{decks}"
    );
    let told = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("of the decks of a night; in the long run they would buy 60% and 40%"), "{told}");
}

#[test]
fn the_price_is_found_on_games_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let found = json("canfield", folder.path());
    let price = found["rulesets"][0]["price"].as_i64().unwrap() / 100;
    let given = json(&format!("canfield --at {price}"), folder.path());
    // The same games at the same price, whether it was found or given.
    assert_eq!(found["rulesets"][0]["players"], given["rulesets"][0]["players"]);
    assert_eq!((&found["price_given"], &given["price_given"]), (&Value::Bool(false), &Value::Bool(true)));
    // The same as in `bankroll` at that price.
    let line = format!(
        "bankroll canfield --at {price} --patrons greedy:75%,reserve-first:25% -n 2000 --bootstrap 100 --decks 40 --json -q"
    );
    let bankroll: Value = serde_json::from_str(&good(&words(&line), folder.path())).unwrap();
    assert_eq!(bankroll["bankroll"], found["rulesets"][0]["bankroll"]);
}

#[test]
fn rules_are_varied_without_a_file_for_each() {
    let folder = tempfile::tempdir().unwrap();
    let found = json("canfield --vary stock.redeals=0,1", folder.path());
    let ids = |i: usize| found["rulesets"][i]["id"].as_str().unwrap();
    assert_eq!((ids(0), ids(1)), ("canfield stock.redeals=0", "canfield stock.redeals=1"));
    assert_eq!(found["rulesets"].as_array().unwrap().len(), 2);
    assert!(found["command"].as_str().unwrap().contains("plan canfield --vary stock.redeals=0,1 "));
    // The same as with a file of one's own.
    fs::write(folder.path().join("one.toml"), "extends = \"canfield\"\n[stock]\nredeals = 1\n").unwrap();
    let file = json("./one.toml", folder.path());
    assert_eq!(file["rulesets"][0]["bankroll"], found["rulesets"][1]["bankroll"]);
    let text = good(&words(&format!("plan --vary stock.redeals=0..1 {SMALL} --no-report")), folder.path());
    let told = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("Canfield, no redeals") && told.contains("Canfield, 1 redeal"), "{told}");
}

#[test]
fn a_plan_says_where_no_round_price_is_and_when_the_edge_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("plan canfield --target-edge 7.5%..7.8% --round 64 {SMALL}");
    let text = good(&words(&format!("{line} --no-report")), folder.path());
    let told = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.starts_with("No price was found within the target"), "{told}");
    assert!(told.contains("No such price leaves an edge within the target"), "{told}");
    assert!(
        told.contains("no multiple of $64.00 is between $") && told.contains("; with --round "),
        "{told}"
    );
    let found: Value = serde_json::from_str(&good(&words(&format!("{line} --json")), folder.path())).unwrap();
    let plan = &found["rulesets"][0];
    let offer = &plan["offer"];
    let (low, high) = (offer["between"][0].as_f64().unwrap(), offer["between"][1].as_f64().unwrap());
    let finer = offer["finer"][1].as_f64().unwrap();
    assert!(low <= finer && finer <= high && finer % offer["finer"][0].as_f64().unwrap() == 0.0);
    // With this many decks of the best player and otherwise the mix, the net is zero.
    let best = &plan["players"][2]["net"];
    let gain = number(&plan["bankroll"]["deck_profit"]);
    let decks = number(&plan["decks_of_the_best_until_the_edge_is_gone"]);
    assert!(number(best) > 0.0 && gain > 0.0, "{best} {gain}");
    close(decks * -number(best) + (40.0 - decks) * gain, 0.0);
    assert!(told.contains("The edge is gone once patient plays "), "{told}");
}

#[test]
fn the_workbook_holds_numbers() {
    let folder = tempfile::tempdir().unwrap();
    good(&words(&format!("plan canfield {SMALL} --out plan")), folder.path());
    let text = fs::read_to_string(folder.path().join("plan/summary.json")).unwrap();
    let found: Value = serde_json::from_str(&text).unwrap();
    let plan = &found["rulesets"][0];
    let mut book: Xlsx<_> = open_workbook(folder.path().join("plan/plan.xlsx")).unwrap();
    let sheets = book.sheet_names();
    assert_eq!(sheets[0], "Summary");
    // Named like their tables, without truncation.
    let tables = [
        "What players leave the house",
        "PAR sheet",
        "Return to player by decks sold",
        "Pay table",
        "A season of nights",
        "Pay table by card",
        "A night",
        "Profit as the night goes on",
        "The risk of ruin by bank",
    ];
    assert_eq!(sheets[1..], tables);
    let players = book.worksheet_range("What players leave the house").unwrap();
    let head: Vec<String> = players.rows().next().unwrap().iter().map(ToString::to_string).collect();
    let column = |name: &str| head.iter().position(|it| it == name).unwrap();
    for (row, player) in players.rows().skip(1).zip(plan["players"].as_array().unwrap()) {
        let cell = |name: &str| match &row[column(name)] {
            Data::Float(x) => *x,
            other => panic!("{name} is {other:?}"),
        };
        for (name, key) in
            [("house edge", "value"), ("house edge (low)", "low"), ("house edge (high)", "high")]
        {
            close(cell(name), player["edge"][key].as_f64().unwrap());
        }
        close(cell("games measured"), player["tally"]["games"].as_f64().unwrap());
    }
    let sheet = book.worksheet_range("Pay table by card").unwrap();
    let shares = sheet.rows().skip(1).take(53).map(|row| match row[2] {
        Data::Float(x) => x,
        _ => f64::NAN,
    });
    close(shares.sum(), 1.0);
    // The same numbers as in the CSV files.
    let csv = fs::read_to_string(folder.path().join("plan/tables/par-sheet.csv")).unwrap();
    let sheet = book.worksheet_range("PAR sheet").unwrap();
    for (line, row) in csv.lines().zip(sheet.rows()).skip(1).filter(|(line, _)| !line.contains('"')) {
        let read: Vec<&str> = line.split(',').collect();
        for (cell, text) in row.iter().zip(&read).skip(1) {
            if let Data::Float(x) = cell {
                close(*x, text.parse().unwrap());
            }
        }
    }
}

/// Returns the cells of a sheet by name of row and column, as values and as formulas.
fn cell(
    book: &mut Xlsx<std::io::BufReader<fs::File>>,
    sheet: &str,
    row: &str,
    column: &str,
) -> (Data, String) {
    let values = book.worksheet_range(sheet).unwrap();
    let formulas = book.worksheet_formula(sheet).unwrap();
    let is = |cell: &Data, name: &str| format!("{cell}") == name;
    let column = values.rows().next().unwrap().iter().position(|it| is(it, column)).unwrap() as u32;
    let row = values.rows().position(|it| is(&it[0], row)).unwrap() as u32;
    let formula = formulas.get_value((row, column)).cloned().unwrap_or_default();
    (values.get_value((row, column)).cloned().unwrap(), formula)
}

/// Checks what a spreadsheet computes when a price or the mix is changed.
#[test]
fn the_workbook_computes() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("jackpot.toml"), JACKPOT).unwrap();
    good(&words(&format!("plan ./jackpot.toml --at 30 {SMALL} --out plan")), folder.path());
    let mut book: Xlsx<_> = open_workbook(folder.path().join("plan/plan.xlsx")).unwrap();
    let (players, par, by_card) = ("What players leave the house", "PAR sheet", "Pay table by card");
    let mut formula = |sheet: &str, row: &str, column: &str| cell(&mut book, sheet, row, column).1;
    assert_eq!(formula(par, "price of a deck", "value"), "");
    assert_eq!(formula(players, "the mix", "share of decks"), "SUM($B$2:$B$3)");
    assert_eq!(formula(players, "the mix", "house edge"), "SUMPRODUCT($B$2:$B$3,$C$2:$C$3)/SUM($B$2:$B$3)");
    assert_eq!(
        formula(players, "greedy", "house edge"),
        "1-SUMPRODUCT('Pay table by card'!$B$2:$B$54,'Pay table by card'!$F$2:$F$54)/'PAR sheet'!$B$2-'PAR sheet'!$B$5"
    );
    assert_eq!(formula(players, "greedy", "house gains a deck"), "$C$2*'PAR sheet'!$B$2");
    assert_eq!(formula(by_card, "5", "share of stakes"), "$B$7*$C$7/'PAR sheet'!$B$2");
    assert_eq!(formula(par, "hold of 100 decks", "value"), "100*'What players leave the house'!$F$5");
    assert_eq!(
        formula(par, "hit frequency", "value"),
        "SUMIF('Pay table by card'!$B$2:$B$54,\">\"&$B$2,'Pay table by card'!$C$2:$C$54)"
    );
    // Return to player: the pay table and the meter, line by line, in every sheet that has them.
    let mut value = |sheet: &str, row: &str, column: &str| match cell(&mut book, sheet, row, column).0 {
        Data::Float(x) => x,
        other => panic!("{sheet}, {row}, {column}: {other:?}"),
    };
    let whole = value(par, "return to player (RTP)", "value");
    let (paid, meter) =
        (value(par, "of which the pay table", "value"), value(par, "of which the jackpot's meter", "value"));
    close(paid + meter, whole);
    close(meter, 0.1);
    close(1.0 - value(par, "house edge", "value"), whole);
    close(value(par, "mean payment", "value"), 30.0 * whole);
    for sheet in [by_card, "Pay table"] {
        close(value(sheet, "return to player", "share of stakes"), whole);
        close(value(sheet, "the pay table", "share of stakes"), paid);
        close(value(sheet, "the jackpot's meter", "share of stakes"), meter);
    }
    let lines = fs::read_to_string(folder.path().join("plan/tables/pay-table.csv")).unwrap();
    assert!(lines.contains("\nthe jackpot's meter,,,,0.1\n"), "{lines}");
    let hold = value(par, "hold of 100 decks", "value");
    close(hold, 100.0 * 30.0 * value(par, "house edge", "value"));
    // Measured values are marked as such: whole sheets, rows, and the values of the summary.
    for sheet in book.sheet_names() {
        let (values, formulas) =
            (book.worksheet_range(&sheet).unwrap(), book.worksheet_formula(&sheet).unwrap());
        let told = |row: usize| {
            values.rows().nth(row).unwrap().iter().any(|it| it.to_string().starts_with("as measured"))
        };
        let follows = formulas.used_cells().next().is_some();
        let whole =
            values.rows().any(|row| row.last().is_some_and(|it| it.to_string().starts_with("as measured")));
        assert_eq!(whole, !follows || sheet == par, "{sheet}");
        if sheet == par {
            let row = |name: &str| values.rows().position(|row| row[0] == *name).unwrap();
            assert!(told(row("minutes of play")) && told(row("decks that win the jackpot")));
            assert!(!told(row("house edge")) && !told(row("price of a deck")));
        }
    }
}

/// Amounts too large to compute with are rejected before any game is played; if games determine the price, no resume
/// command is suggested.
#[test]
fn too_much_money_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("rich.toml"),
        "extends = \"canfield\"\n[casino]\nstake = 1000\npays_per_card = 10000000\n",
    )
    .unwrap();
    let ran =
        run(&words(&format!("plan canfield ./rich.toml --at 20000000 {SMALL} --out at")), folder.path());
    let said = "40 decks of canfield at 20000000 each are too much money to compute to the cent: --decks may be at most 25";
    assert!(ran.code == Some(2) && ran.err.contains(said), "{}", ran.err);
    assert_eq!(names(folder.path()), ["rich.toml"]);
    let ran = run(&words(&format!("plan ./rich.toml {SMALL} --out found")), folder.path());
    assert!(ran.code == Some(2) && ran.err.contains("--decks may be at most "), "{}", ran.err);
    assert!(!ran.err.contains("resume"), "{}", ran.err);
    assert_eq!(names(folder.path()), ["rich.toml"]);
}

/// If LibreOffice is installed, every formula evaluates to the value written beside it, and to another for a new price.
#[test]
fn a_spreadsheet_computes_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let ran = std::process::Command::new("soffice").arg("--version").output();
    if !ran.is_ok_and(|it| it.status.success()) {
        return;
    }
    fs::write(folder.path().join("jackpot.toml"), JACKPOT).unwrap();
    good(&words(&format!("plan ./jackpot.toml --at 30 {SMALL} --out plan")), folder.path());
    let home = format!("-env:UserInstallation=file://{}/home", folder.path().display());
    let convert =
        ["--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", "again", "plan/plan.xlsx"];
    let ran =
        std::process::Command::new("soffice").arg(home).args(convert).current_dir(folder.path()).output();
    assert!(ran.unwrap().status.success());
    let mut written: Xlsx<_> = open_workbook(folder.path().join("plan/plan.xlsx")).unwrap();
    let mut computed: Xlsx<_> = open_workbook(folder.path().join("again/plan.xlsx")).unwrap();
    let mut formulas = 0;
    for sheet in written.sheet_names() {
        let (values, again) =
            (written.worksheet_range(&sheet).unwrap(), computed.worksheet_range(&sheet).unwrap());
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

const JACKPOT: &str = "extends = \"canfield\"\n[casino]\nstake = 30\n[casino.jackpot]\nstart = 200\nshare = 0.1\nwon_by = \"win\"\n";

#[test]
fn a_jackpot_is_planned_with() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("jackpot.toml"), JACKPOT).unwrap();
    let found = json("./jackpot.toml", folder.path());
    let plan = &found["rulesets"][0];
    let edge = number(&plan["edge"]);
    assert!((edge - 0.075).abs() < 0.25, "{edge}");
    // The payments, including the initial jackpot and the reserve for it, are what the edge leaves.
    let rows = plan["pay_table"].as_array().unwrap();
    let paid = rows.iter().map(|row| row["returns"].as_f64().unwrap()).sum::<f64>();
    close(paid + 0.1, 1.0 - edge);
    let line = format!("plan ./jackpot.toml {SMALL} --no-report");
    let text = good(&words(&line), folder.path());
    for said in ["decks that win the jackpot", "decks from one jackpot to the next", "jackpot when it is won"]
    {
        assert!(text.contains(said), "{said}: {text}");
    }
}
