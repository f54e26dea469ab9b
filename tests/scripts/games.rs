//! Random scripts play whole games the same compiled and interpreted, with an observer or without.

use crate::common::{scale, specs};
use crate::scripts::support::positions::{Position, positions_of};
use crate::scripts::support::{Difference, both, both_play, check};
use saratoga::game::End;
use saratoga::rules::{self, Rules};

const SCRIPTS: u32 = 250;

/// A script that uses more operations at a decision would take too long.
const QUICK: u64 = 1_000;

const GAMES: u64 = 3;

struct Table {
    name: String,
    rules: Rules,
    /// Positions for measuring the operations of a script.
    tried: Vec<Position>,
}

fn tables() -> Vec<Table> {
    let shelf = ["canfield", "single-pass", "demon-casino", "storehouse", "exorcism", "bsd", "klondike"];
    let shelf = shelf.map(|name| (name.to_string(), rules::load(name).unwrap().rules));
    let random = (0..20).map(|n| (format!("random {n}"), Rules::new(specs::numbered(n)).unwrap()));
    let table =
        |(name, rules): (String, Rules)| Table { tried: positions_of(&name, &rules, 3, 3), name, rules };
    shelf.into_iter().chain(random).map(table).collect()
}

/// Plays a script's games both ways; returns how many were played.
fn compare(text: &str, tables: &[Table]) -> Result<u64, Difference> {
    let Ok(mut both) = both(text) else { return Ok(0) };
    let mut played = 0;
    let first = text.len() % tables.len();
    for table in [first, first + 1, first + 10].map(|i| &tables[i % tables.len()]) {
        for position in table.tried.iter().filter(|position| !position.legal.is_empty()) {
            both.decide(position)?;
            if both.operations > QUICK {
                return Ok(played);
            }
        }
        let mut play = both_play(&table.rules, text, 5);
        for game in 0..GAMES {
            drop(play(game).map_err(|difference| format!("{}, {difference}", table.name))?);
            played += 1;
        }
    }
    Ok(played)
}

#[test]
fn random_scripts_play_the_same_games_both_ways() {
    let cases = SCRIPTS * scale() as u32;
    let tables = tables();
    let played = std::cell::Cell::new(0);
    check(cases, |script| {
        played.set(played.get() + compare(&script.text, &tables)?);
        Ok(())
    });
    println!("{} games of {cases} scripts", played.get());
    assert!(played.get() > u64::from(cases) * 5);
}

/// What a draw changes, in all the ways that a script may access it: conditions, and the functions that they call.
const CHANGED: &str = include_str!("../data/draws.rhai");

/// A script that draws may be left to draw on while it does not access the changes, and only then.
#[test]
fn what_a_draw_changes_is_seen() {
    let tables = tables();
    let conditions = || CHANGED.lines().filter_map(|line| line.strip_prefix("//? "));
    assert_eq!(conditions().count(), 22);
    for changed in conditions() {
        let mut given_up = 0;
        for form in [
            "fn score(view, m) { if m.is_draw && (COND) { return -1; } worth(m) }",
            "fn score(view, m) { let c = COND; if m.is_draw && c { -1 } else { worth(m) } }",
            "fn choose(view) { let best = (); let high = -1; for m in view.moves { let w = worth(m);
                if m.is_draw && (COND) { w = -1; } if w > high { high = w; best = m; } } best }",
        ] {
            let form = form.replace("COND", changed);
            let text = format!(
                "{form}\nfn worth(m) {{ if m.to_foundation {{ 9 }} else if m.from_reserve {{ 8 }} \
                 else if m.is_draw {{ 3 }} else if m.is_redeal {{ 2 }} else {{ -1 }} }}\n{CHANGED}"
            );
            for table in &tables {
                let mut play = both_play(&table.rules, &text, 8);
                for game in 0..4 * scale().min(10) {
                    let played = play(game).unwrap_or_else(|it| panic!("{}, {it}\n{text}", table.name));
                    given_up += u32::from(played.is_ok_and(|outcome| outcome.end == End::Resigned));
                }
            }
        }
        assert!(given_up > 20, "{changed} is decisive in {given_up} games");
    }
}
