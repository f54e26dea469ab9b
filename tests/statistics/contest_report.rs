//! Reports of contests of every kind: charts are well formed, pages are self-contained, all results are present.

use saratoga::lab::Workers;
use std::sync::atomic::AtomicBool;

use crate::statistics::looks;
use saratoga::contest::{self, LoadedContest};
use saratoga::lab::{ContestResult, Contesting, MakeStrategy, at_speed, contest_at_speeds};
use saratoga::report::{Run, RunRules, RunStrategy, contest_csv, contest_document};

/// A played contest.
struct Played {
    loaded: LoadedContest,
    found: ContestResult,
}

fn play(text: &str, matches: u64, factors: &[u32]) -> Played {
    let loaded = contest::parse_text("sample.toml", text).unwrap_or_else(|error| panic!("{error}"));
    let makers: Vec<_> = loaded.strategies.iter().map(|source| || source.instantiate()).collect();
    let strategies: Vec<MakeStrategy<'_>> = makers.iter().map(|make| make as MakeStrategy<'_>).collect();
    let others: Vec<_> = factors.iter().map(|&factor| at_speed(&loaded.spec, 0, factor)).collect();
    let asked = Contesting {
        loaded: &loaded,
        others: &others,
        strategies: &strategies,
        seed: 7,
        matches,
        workers: Workers::new(2),
    };
    let found = contest_at_speeds(&asked, &AtomicBool::new(false), &mut |_, _, _| {});
    let found = found.unwrap_or_else(|(_, error)| panic!("{error}"));
    Played { found, loaded: loaded.clone() }
}

impl Played {
    fn run(&self) -> Run {
        Run {
            version: "9.9.9",
            command: "saratoga contest sample.toml -n 8 --seed 7".into(),
            seed: 7,
            deals: None,
            rules: vec![RunRules::new(&self.loaded.rules)],
            strategies: self.loaded.strategies.iter().map(RunStrategy::new).collect(),
            interrupted: None,
        }
    }
}

const SHARED: &str = "extends = \"nerts\"\nname = \"A <sample> & more\"\n[match]\ndeals = 1\n";

/// Two to eight players, long names, teams, undecided matches, one match, one other speed and many.
fn shapes() -> Vec<(&'static str, Played)> {
    let long = "[[player]]\nname = \"Somebody with a name that is <far> too long for any column or chart\"\n\
                strategy = \"patient\"\nspeed = 12.345\n[[player]]\nname = \"B\"\ncount = 7\n";
    let teams = "extends = \"exorcism-teams\"\n[match]\ntarget = 1000\nmax_rounds = 2\n";
    let uneven = "[[player]]\nname = \"Alone\"\nteam = \"one\"\n[[player]]\nname = \"Ann\"\nteam = \"two\"\ncount = 3\n";
    let factors: Vec<u32> = (1..=30).map(|i| i * 100).collect();
    vec![
        ("two", play(&format!("players = 2\n{SHARED}"), 24, &[500, 1000, 2000])),
        ("eight", play(&format!("{SHARED}{long}"), 8, &[500])),
        ("uneven", play(&format!("{SHARED}{uneven}"), 10, &[])),
        ("undecided", play(teams, 8, &[1000, 1001])),
        ("one", play(SHARED, 1, &factors)),
    ]
}

#[test]
fn whatever_the_shape_all_is_told() {
    for (shape, played) in shapes() {
        let (run, found) = (played.run(), &played.found);
        let document = contest_document(&run, found, None);
        let names: Vec<&str> = document.charts().map(|chart| chart.name()).collect();
        let wanted = ["matches-won", "points", "seats", "speed"];
        assert_eq!(names, wanted[..if found.speeds.is_empty() { 3 } else { 4 }], "{shape}");
        looks::charts(&document, "seed 7");
        let page = looks::page(&document);
        for part in
            ["so time is modelled", "saratoga contest sample.toml -n 8 --seed 7", "95% interval", "9.9.9"]
        {
            assert!(page.contains(part), "{shape}: {part}");
        }
        for player in &found.contest.players {
            let name = player.name.replace('<', "&lt;").replace('>', "&gt;");
            assert!(page.contains(&name), "{name}");
        }
        assert_eq!(page.contains("The script patient"), shape == "eight");
        assert_eq!(page.contains("<h3>Teams</h3>"), ["uneven", "undecided"].contains(&shape), "{shape}");
        assert_eq!(page.contains("undecided: 8 matches (100%)"), shape == "undecided");
        looks::terminal(&document);
    }
}

#[test]
fn files_and_data_agree() {
    let played = play(&format!("players = 3\n{SHARED}"), 12, &[2000]);
    let found = &played.found;
    let object: serde_json::Value = serde_json::from_str(&played.run().json(found).unwrap()).unwrap();
    let files = contest_csv(found);
    let cells = |name: &str| -> Vec<Vec<String>> {
        let (_, text) = files.iter().find(|(there, _)| *there == name).unwrap();
        text.lines().map(|line| line.split(',').map(String::from).collect()).collect()
    };
    let players = cells("players.csv");
    let column = players[0].iter().position(|head| head == "win_rate").unwrap();
    for (i, row) in players[1..].iter().enumerate() {
        let rate: f64 = row[column].parse().unwrap();
        assert_eq!(Some(rate), object["summary"]["players"][i]["win_rate"]["value"].as_f64());
        assert_eq!((&*row[0], &*row[2], &*row[3]), (&*format!("Player {}", i + 1), "greedy", "1"));
    }
    assert_eq!((cells("seats.csv").len(), cells("speeds.csv")[1][0].clone()), (4, "2".to_string()));
    assert!(!files.iter().any(|(name, _)| *name == "sides.csv"), "everybody plays alone");
}
