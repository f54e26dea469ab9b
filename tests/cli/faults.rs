//! Bad command lines and files: they are refused before anything is played, with what is wrong, and write nothing.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::cli::run::{Ran, names, run, words};

const DECK: &str = "8S 9H 4S 8C JC 6H 6C 6S QD 8H 9C 2C 2H AD 6D 4C 9D QH 3H 7H TS 2S KC 5H AC KH JH 8D TC 7S \
                    3S 3D QC 4H 4D JD AS QS JS 3C 9S TD 5C 2D KS AH 7C 5D 7D TH KD 5S";

/// A script with a parameter.
const MINE: &str =
    "const STOP = param(1, 0..=9);\nfn score(view, m) { if view.cards > STOP { -1 } else { 1 } }\n";

const GUESTS: &str = "[[patron]]\nname = \"tourist\"\nstrategy = \"greedy\"\nshare = 60\n\
                      [[patron]]\nname = \"regular\"\nstrategy = \"./mine.rhai\"\nshare = 40\n";

/// A folder with good and bad files.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for made in ["folder", "part/shard-1-of-2.blocks", "whole/run.blocks", "merged/run.blocks", "theirs"] {
        fs::create_dir_all(path.join(made)).unwrap();
    }
    for (name, text) in [
        ("empty.txt", "# nothing\n"),
        ("bad.txt", &format!("a\t{DECK}\nb\t{DECK} 5S\n8S 1X\n")),
        ("decks.txt", &format!("a\t{DECK}\nb\t{DECK}\nc\t{DECK}\n")),
        ("bad.jsonl", "{\"deck\": \"AS\"}\n{\"id\": \"x\"}\n"),
        ("house.toml", "name = \"House\"\nextends = \"canfield\"\n"),
        ("mine.rhai", MINE),
        ("bad.rhai", "fn score(view, m) { view.wast_top }\n"),
        ("guests.toml", GUESTS),
        ("few.toml", &GUESTS.replace("40", "30").replace("mine", "other")),
        ("free.toml", "extends = \"canfield\"\n[casino]\nstake = 0\n"),
        ("unpaid.toml", "extends = \"canfield\"\n[casino]\npays_per_card = 0\n"),
        ("fee.toml", "extends = \"canfield\"\n[casino]\nredeal_fee = 1\n"),
        ("nine.toml", "rules = \"nerts\"\nplayers = 9\n"),
        ("slow.toml", "extends = \"nerts\"\n[clock]\nspeed = 0.02\n"),
        ("night.csv", "cards\n5\n"),
        ("many.csv", "cards\n5\n53\n"),
        ("both.csv", "Deck,Cards,Paid\n1,7,$35.00\n2,14,$75.00\n"),
        ("paid.csv", "decks,paid\n50,2000\n"),
        ("much.csv", "decks,paid\n50,20000\n"),
        ("theirs/run.blocks", "a film"),
    ] {
        fs::write(path.join(name), text).unwrap();
    }
    fs::write(path.join("latin.txt"), b"8S\nab\xff").unwrap();
    folder
}

/// A command line, and what is said of it, divided by `|`.
const FAULTS: &[(&str, &str)] = &[
    // Names, numbers and options.
    ("simulate canfeild", "no ruleset \"canfeild\"|did you mean \"canfield\"?"),
    ("simulate canfeild nope.toml ./folder", "canfeild|nope.toml: there is no|it is a folder"),
    ("simulate ./huose.toml", "did you mean ./house.toml?"),
    ("simulate -s gredy", "gredy"),
    ("replay -s gredy", "gredy"),
    ("simulate -n 0", "at least 1"),
    ("simulate -n ten", "'ten'|250k"),
    ("simulate -n -5", "'-5'|250k"),
    ("simulate -n 1e30", "'1e30'"),
    ("simulate --precision 0", "above 0"),
    ("simulate --precision -1", "above 0"),
    ("simulate --precision 5%", "1pp"),
    ("simulate --threads 0", "1 to 256"),
    ("simulate --threads 99999999", "1 to 256"),
    ("simulate --night 0", "1 to 10000"),
    ("simulate --seed x", "'x'|whole number"),
    ("simulate --out a --no-report", "cannot be used with"),
    ("simulate --csv --no-report", "cannot be used with"),
    ("simulate --out empty.txt -n 10", "empty.txt: it is a file"),
    ("simulate --out empty.txt/x -n 10", "empty.txt/x"),
    ("simulate --sed 3", "'--seed'"),
    ("simulat", "'simulate'"),
    ("replay --game 5..5", "0..200"),
    ("replay --game 0..", "0..200"),
    ("replay --json --explain", "cannot be used with"),
    ("perft exorcism-die-pass --depth 2", "not defined"),
    ("perft --depth 0", "1 to 60"),
    ("perft", "--depth <N>"),
    ("rules show canfeild", "canfield"),
    ("rules check canfield canfeild nope.toml", "canfeild|nope.toml"),
    ("rules page -n 0", "-n must be at least 1"),
    ("rules page --ahead-games 0", "--ahead-games must be at least 1; leave it out for none"),
    ("rules page --matches 0", "no matches to play: --matches"),
    ("completions bsh", "'bash'"),
    ("scripts profile canfield greedy --page folder", "it is a folder"),
    ("scripts profile canfield greedy --page nowhere/page", "there is no such folder"),
    // Parameters of scripts.
    ("simulate -s ./mine.rhai:stop=10 -n 10", "`STOP` cannot be `10`: it is a whole number from 0 to 9"),
    ("simulate -s ./mine.rhai --set stopp=1 -n 10", "there is no parameter `stopp`; there are STOP"),
    ("simulate -s greedy --set stop=1 -n 10", "--set: there is no parameter `stop`"),
    ("simulate -s ./mine.rhai --set stop -n 10", "a setting is NAME=VALUE"),
    ("simulate -s ./mine.rhai:stop=2.5 -n 10", "`STOP` cannot be `2.5`: it is a whole number from 0 to 9"),
    ("simulate -s ./mine.rhai:stop=2,STOP=3 -n 10", "`STOP` is set twice"),
    ("simulate -s ./mine.rhai --set stop=2 --set stop=3 -n 10", "`stop` is set twice"),
    ("replay -s ./mine.rhai:stop=x", "`STOP` cannot be `x`"),
    // Decks and records.
    ("deal --deck 8S", "--deck:1:1|has 1 of 52 cards"),
    ("deal --deck x --game 3", "cannot be used with"),
    ("deal --deals bad.txt", "bad.txt:2:159|`5S` is in the deck twice|bad.txt:3:4|`1X`"),
    ("replay --deals bad.txt", "bad.txt:2:159"),
    ("deal --deals empty.txt", "empty.txt has no decks"),
    ("deal --deals emtpy.txt", "there is no such file|did you mean empty.txt?"),
    ("deal --deals folder", "it is a folder"),
    ("deal --deals latin.txt", "latin.txt:2:3|this is not UTF-8"),
    ("simulate -s ./latin.txt", "latin.txt:2:3|this is not UTF-8"),
    ("simulate --deals bad.txt", "bad.txt:3:4|`1X`"),
    ("compare -s greedy -s patient --deals bad.txt", "bad.txt:3:4"),
    ("simulate --deals bad.jsonl", "bad.jsonl:1:11|1 of 52|bad.jsonl:2:1|has no deck"),
    ("simulate --deals none.txt", "cannot read none.txt"),
    ("simulate --deals decks.txt -n 4", "-n 4 is more than the 3 deals of decks.txt"),
    ("simulate --deals decks.txt --clairvoyant", "cannot be used with"),
    ("simulate canfield double-canfield --deals decks.txt", "use different decks"),
    ("simulate --deals - --shard 1/2 --out x", "put them into a file"),
    ("replay --deals decks.txt --game 1..4", "decks.txt has 3 decks, which are the games 0 to 2"),
    ("check nothing.jsonl", "there is no such file"),
    ("check folder", "it is a folder"),
    ("check empty.txt --rules nope", "\"nope\""),
    ("check -", "has no records"),
    // Experiments.
    ("simulate exorcism-die-pass --clairvoyant", "exorcism-die-pass: a die is rolled for each pass"),
    (
        "simulate canfield exorcism-die-draw --clairvoyant=5",
        "exorcism-die-draw: a die is rolled for each draw",
    ),
    ("simulate --clairvoyant=0", "needs at least 1 deal"),
    ("simulate --clairvoyant-nodes 100", "--clairvoyant"),
    ("compare -s greedy", "nothing to compare"),
    ("compare -s greedy -s greedy", "named twice"),
    ("compare -s ./mine.rhai:stop=2 -s ./mine.rhai --set stop=2", "is named twice"),
    ("compare --rules canfield,double-canfield", "with the same number of packs"),
    ("compare --rules canfield,superior -s greedy -s random", "saratoga simulate"),
    ("compare canfield --rules superior,rainbow", "cannot be used with"),
    ("compare -s greedy -s random --measure points", "cards, wins, money"),
    ("compare -s greedy -s random --measure wins -d 0.5", "`0.5pp`"),
    ("compare -s greedy -s random -d -1", "above 0"),
    ("compare -s greedy -s random --alpha 60%", "`5%` or `0.05`"),
    ("compare -s greedy -s random -s hoarder -d 1", "test of two"),
    ("compare -s greedy -s random -n 0", "at least 1"),
    ("compare -s greedy -s random --show 101", "from 0 to 100"),
    ("sweep", "there is nothing to sweep"),
    ("sweep --vary stock.drow=1..2", "did you mean `stock.draw`?"),
    ("sweep --vary stock.draw", "names no values"),
    ("sweep --vary stock.draw=5..1", "the smaller number first"),
    ("sweep --vary stock.draw=60,61", "every combination is an invalid ruleset"),
    ("sweep --vary stock.draw=1 --vary stock.draw=2", "two axes vary `stock.draw`"),
    ("sweep --vary reserve.size=0..999999999", "more than 1000 values"),
    ("sweep -s greedy -s greedy", "two of the strategies are the same"),
    ("sweep --vary stock.draw=1..5 --budget 300", "too small for 5 cells"),
    ("sweep --vary stock.draw=1..5 -n 0", "-n must be at least 1"),
    ("sweep --vary stock.draw=1..5 -n 1k --budget 9k", "cannot be used with"),
    ("sweep --vary casino.stake=0,52 --precision 1pp", "costs nothing"),
    ("sweep --vary stock.draw=1..5 --target-edge 5", "has no percent sign: write 5%"),
    (
        "sweep --vary stock.draw=1,2 --vary stock.redeals=0,1 --vary reserve.size=5,9 -s greedy -s patient",
        "a sweep has at most 3 axes, and there are 4 (stock.draw, stock.redeals, reserve.size, strategy)",
    ),
    ("sweep canfield --rules canfield,gate", "cannot be used with"),
    ("price bsd", "sells the stake in stages"),
    ("price bsd --at 50", "sells the stake in stages"),
    ("price --target-edge 0.05", "write 0.05%, or 5% for the fraction"),
    ("price --at 0", "it must be above 0"),
    ("price --round 0", "it must be above 0"),
    ("price -n 0", "-n must be at least 1"),
    ("price -s greedy -s greedy", "greedy is named twice"),
    ("price -s patient:slip=10 -s patient:slip=10", "is named twice"),
    ("plan bsd", "sells the stake in stages"),
    ("plan canfield canfield", "is named twice"),
    ("plan -n 999", "-n must be at least 1,000"),
    ("plan --search-games 10", "--search-games must be at least 1,000"),
    ("plan --patrons guests.toml --set stop=3", "--set"),
    ("plan --target-edge 10%..5%", "5%..10%"),
    ("plan --target-edge 0.05..0.1", "%"),
    ("plan --round 0", "--round"),
    ("plan --decks 0", "a whole number from 1 to 5000"),
    ("plan --nights 0", "a whole number from 1 to 1000"),
    ("plan --nodes 0", "--nodes must be at least 1"),
    ("plan --vary casino.stake=40..60", "a plan finds the price"),
    ("plan --vary reserve.size=13,41", "canfield with reserve.size=41 is no valid ruleset"),
    ("plan --vary reserve.size=0..30 --vary stock.redeals=0..1", "a plan compares at most 50"),
    ("plan ./unpaid.toml -n 1000 --patrons greedy:100% --best patient -q", "these players are paid nothing"),
    ("plan --best nobody", "nobody"),
    ("plan --at 900000000 -n 1000 --patrons greedy:100% --best patient -q", "too much money to compute"),
    ("bankroll bsd --at 50", "sells the stake in stages"),
    ("bankroll --patrons greedy:70%,patient:20%", "make up 90%, not 100%"),
    ("bankroll --patrons greedy", "is no patron"),
    ("bankroll --patrons greedy:70,patient:30%", "did you mean greedy:70%?"),
    ("bankroll --patrons greedi:100%", "did you mean `greedy`?"),
    ("bankroll --patrons greedy:100% -s greedy", "cannot be used with"),
    ("bankroll --patrons guests.toml:50%,greedy:50%", "must be one strategy"),
    (
        "bankroll --patrons ./mine.rhai:stop=4:50%,./mine.rhai:50% --set stop=4",
        "mine.rhai:stop=4 is named twice",
    ),
    ("bankroll --decks 0", "a whole number from 1 to 5000"),
    ("bankroll --bank -5", "is no sum of money"),
    ("bankroll --bootstrap 9", "a whole number from 100"),
    ("bankroll -n 999", "999 games are too few"),
    ("simulate --patrons few.toml", "make up 90%"),
    ("price --patrons few.toml", "other.rhai"),
    ("bankroll --patrons nosuch.toml", "there is no such file"),
    ("simulate -s greedy:70%,patient:20%", "make up 90%, not 100%"),
    ("simulate -s greedy --patrons greedy:50%,nosuch:50%", "no strategy is called `nosuch`"),
    ("estimate many.csv", "--> many.csv:3:1"),
    ("estimate both.csv", "`paid` is 75, but the `cards` are 14, for which the ruleset pays 70"),
    ("estimate nosuch.csv", "cannot read nosuch.csv"),
    ("estimate night.csv --rules bsd", "stages"),
    ("estimate night.csv --rules ./free.toml", "a deck of free is free"),
    ("estimate paid.csv --rules ./fee.toml", "fees of redeals"),
    ("estimate night.csv --alpha 0", "error rate"),
    ("estimate night.csv --patrons greedy:50%", "make up 50%"),
    ("estimate night.csv --patrons greedy:98%,patient:2% --prior 1", "--prior must be at least 3 for it"),
    ("estimate night.csv -n 999", "-n must be at least 1,000"),
    ("estimate much.csv --at 60 --rules single-pass --patrons greedy:100%", "cannot be paid 20000 together"),
    ("bracket canfield canfield", "named twice"),
    ("bracket -n 0", "-n must be at least 1"),
    ("bracket --nodes 0", "--nodes must be at least 1"),
    ("bracket --choose 0", "--choose must be at least 1"),
    ("bracket -n 1e10", "at most 4,294,967,296 deals"),
    ("bracket -s greedy -s greedy", "greedy is named twice"),
    ("bracket -s search:level=9", "level"),
    ("bracket --vary reserve.size=13,41", "reserve.size=41 is no valid ruleset"),
    ("bracket -s search:policy=./bad.rhai -n 5", "view.wast_top"),
    ("tune canfield patient", "patient declares no parameters"),
    ("tune canfield greedy", "greedy is part of the program and has no parameters"),
    ("tune canfield ./mine.rhai --write no/such/folder.rhai", "there is no such folder"),
    ("tune canfield ./mine.rhai --deals 0", "no games to play"),
    ("solve exorcism-die-pass -n 1", "exorcism-die-pass|for each pass"),
    ("solve exorcism-die-draw -n 1", "exorcism-die-draw|for each draw"),
    ("solve -s greedy --goal win", "--goal cards"),
    ("solve -s greedy -s greedy", "named twice"),
    ("solve -n 0", "-n must be at least 1"),
    ("solve --nodes 0", "--nodes must be at least 1"),
    ("solve --set late=2", "--set has no strategy to set"),
    ("solve --memory 1023", "--memory must be at least 1KiB"),
    ("solve --memory GiB", "a size is expected"),
    ("solve --seconds 0", "--seconds"),
    ("solve --goal money", "'money'"),
    ("solve --write-deals won=x.txt --write-deals lost=x.txt", "--write-deals names x.txt twice"),
    ("solve --write-deals lose=x.txt", "won=FILE, lost=FILE or open=FILE"),
    ("solve --write-deals won=none/x.txt", "cannot write none/x.txt: there is no such folder"),
    // Contests.
    ("contest nertz -n 1", "no contest \"nertz\"|did you mean \"nerts\"?"),
    ("contest ./nine.toml -s ./bad.rhai -n 1", "./nine.toml:2:11|./bad.rhai:1:26|`waste_top`"),
    ("contest nerts -s greedy -s greedy -n 1", "-s gives 2 for 4 players|one for each"),
    ("contest nerts --speed 1,2,1 -n 1", "--speed gives 3 for 4 players"),
    ("contest nerts --speed 0 -n 1", "from 0.01 to 1000"),
    ("contest nerts --speed -1 -n 1", "'-1'|from 0.01 to 1000"),
    ("contest nerts --speed fast -n 1", "'fast'|divided by commas"),
    ("contest nerts --speed 1.0001 -n 1", "three decimals"),
    ("contest nerts --players 9 -n 1", "2 to 8"),
    ("contest exorcism-teams --players 4", "exorcism-teams lists its players|contest show exorcism-teams"),
    ("contest nerts -n 0", "at least 1"),
    ("contest nerts --factors 0 -n 1", "from 0.001 to 1000"),
    (
        "contest ./slow.toml --factors 1,0.1 -n 1",
        "--factors 0.1: 0.1 times the speed 0.02 of Player 1|0.01 and 1000",
    ),
    ("contest nerts --factors 1 --no-factors", "cannot be used with"),
    ("contest nerts --match 1 -n 3", "cannot be used with"),
    ("contest nerts --match x", "'x'|whole number"),
    // Long runs.
    ("simulate --shard 1/2 --out part", "cannot be resumed: it is a folder\n  move it away"),
    ("simulate --shard 1/2 --out part --restart", "it is a folder\n  move it away"),
    ("simulate --shard 2/2 --out merged", "merged/run.blocks cannot be read: it is a folder"),
    ("simulate --shard 2/2 --out merged --restart", "it is a folder\n  move it away"),
    ("simulate --out whole --restart", "cannot be resumed: it is a folder\n  move it away"),
    ("simulate --out theirs", "it is no file of blocks"),
    ("merge theirs", "it is no file of blocks"),
    ("merge part", "part/shard-1-of-2.blocks: it is a folder\n    move it away"),
    ("merge theirs --out merged", "it is a folder"),
    ("simulate --shard 1/2 --out night.csv", "it is a file, and a folder is needed"),
    ("merge theirs --out night.csv", "it is a file, and a folder is needed"),
    ("merge theirs --out night.csv/in", "a part of its path is no folder"),
    ("merge night.csv", "it is a file, and a folder is needed"),
    ("status night.csv", "it is a file, and a folder is needed"),
    ("simulate --shard 0/4 --out x", "there is no shard 0 of 4"),
    ("simulate --shard 1/0 --out x", "1 to 100000"),
    ("simulate --shard 2 --out x", "K/N"),
    ("simulate --shard 1/2 -n 10", "--shard needs --out"),
    ("rules page --shard 1/2 --out x", "keeps no blocks"),
    ("status nowhere", "cannot read nowhere"),
    ("status .", "there are no blocks in ."),
    ("merge", "required"),
    ("cluster slurm --out x", "required"),
    ("cluster pigeons --out x -- simulate", "pigeons"),
    ("cluster slurm --out x -- deal canfield", "only a command that plays many games"),
    ("cluster slurm --out x -- simulate --out y", "those of the cluster"),
    ("cluster slurm --out x -- simulate nowhere.toml", "cannot be measured"),
    ("cluster slurm --out x -- simulate --sed 1", "--seed"),
    ("cluster slurm --out x --memory lots -- simulate", "such as 4G"),
    ("cluster slurm --out x --memory 0G -- simulate", "such as 4G"),
    ("cluster slurm --out x --partition a;b -- simulate", "letters, digits"),
    (
        "cluster parallel --out x --measure 1 --files night.csv -- simulate -n 1000",
        "it is a file, and a folder",
    ),
];

#[test]
fn faults_are_told_before_anything_is_played() {
    let folder = folder();
    let before = names(folder.path());
    for (line, said) in FAULTS {
        let ran = run(&words(line), folder.path());
        assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{line}: {}", ran.err);
        for said in said.split('|') {
            assert!(ran.err.contains(said), "{line}: {said} is not in {}", ran.err);
        }
        assert!(!ran.err.contains("os error"), "{line}: {}", ran.err);
        assert_eq!(names(folder.path()), before, "{line}");
    }
    assert_eq!(fs::read(folder.path().join("theirs/run.blocks")).unwrap(), b"a film");
}

/// Returns the error of a script that fails while it plays.
fn failed(args: &[&str], folder: &Path) -> Ran {
    let ran = run(args, folder);
    assert_eq!(ran.code, Some(1), "{args:?}: {}", ran.err);
    ran
}

/// A script that fails is told with its place and the command that shows it, of whatever experiment.
#[test]
fn a_faulty_script_is_told_with_the_game_that_shows_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    fs::write(path.join("my house.toml"), "extends = \"canfield\"\n").unwrap();
    fs::write(path.join("bad one.rhai"), "fn score(view, m) { view.waste_top.rank }\n").unwrap();
    fs::write(path.join("decks.txt"), format!("{DECK}\nmine\t{DECK}\n")).unwrap();
    let shown = |line: &str| {
        let args = words(line).into_iter().map(|word| match word {
            "HOUSE" => "./my house.toml",
            "BAD" => "bad one.rhai",
            "DECK" => DECK,
            word => word,
        });
        let ran = failed(&args.collect::<Vec<_>>(), path);
        assert!(ran.err.contains("bad one.rhai:1:36"), "{line}: {}", ran.err);
        ran.err.lines().last().unwrap().replace("the game that shows it: ", "")
    };
    let replay = "saratoga replay './my house.toml' -s 'bad one.rhai' --seed 7 --game 0";
    for line in [
        "simulate HOUSE -s BAD --seed 7 -n 20 --no-report",
        "replay HOUSE -s BAD --seed 7",
        "compare HOUSE -s BAD -s greedy --seed 7 -n 20",
        "price HOUSE -s BAD --seed 7 -n 20",
        "bankroll HOUSE -s BAD --seed 7 -n 1000",
        "bracket HOUSE -s BAD --seed 7 -n 5 --choose 5",
        "solve HOUSE -s BAD --seed 7 -n 1 --nodes 10",
    ] {
        assert!(shown(line).starts_with(replay.rsplit_once(' ').unwrap().0), "{line}: {}", shown(line));
    }
    assert_eq!(shown("replay HOUSE -s BAD --deck DECK"), "the deck given with --deck");
    assert_eq!(shown("replay HOUSE -s BAD --deals decks.txt"), "deal number 1 of decks.txt");
    let given = "saratoga replay './my house.toml' -s 'bad one.rhai' --deals decks.txt --seed 1 --game 0";
    assert_eq!(shown("simulate HOUSE -s BAD --deals decks.txt"), given);
    assert_eq!(names(path), ["bad one.rhai", "decks.txt", "my house.toml"]);
}

/// Under rules that no file has, they are told too.
#[test]
fn a_faulty_script_is_told_with_changed_rules() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    let script = "fn score(view, m) { if view.draw == 2 { view.pile_top(99).rank } else { 1 } }";
    fs::write(path.join("faulty.rhai"), script).unwrap();
    let ran = failed(&words("sweep --vary stock.draw=1..3 -s faulty.rhai --budget 3k --out out"), path);
    // Nothing remains that would conflict with the script's next version.
    assert_eq!(names(path), ["faulty.rhai"]);
    let (shows, text) = ran.err.split_once("where cell.toml, in this folder, says:\n\n").unwrap();
    assert!(shows.contains("saratoga replay cell.toml -s faulty.rhai --seed 1 --game 0"), "{shows}");
    fs::write(path.join("cell.toml"), text).unwrap();
    let replay = failed(&words("replay cell.toml -s faulty.rhai --seed 1 --game 0"), path);
    assert!(replay.err.contains("faulty.rhai"), "{}", replay.err);
    let script = "fn score(view, m) { if view.redeals_left == 0 { view.pile_top(9).rank } else { -1 } }";
    fs::write(path.join("bad.rhai"), script).unwrap();
    let ran = failed(&words("price canfield -s ./bad.rhai -n 1000 -q"), path);
    assert!(ran.err.contains("bad.rhai") && ran.err.contains("stock.redeals=0"), "{}", ran.err);
}
