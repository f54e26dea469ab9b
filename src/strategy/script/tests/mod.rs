//! Scripts in play: the same games as native strategies, no hidden information, every fault at its position, and the
//! strength of the shelf's strategies.

mod ahead;
mod both_ways;
mod faults;
mod memory;
mod notes;
mod stakes;
mod work;

use std::sync::Arc;

use crate::cards::{Deck, Purpose, generator};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::{End, Game, MoveList, Observer, PlayerState, Recorder, SeededChance, Table, View};
use crate::rules::*;
use crate::strategy::{Greedy, Random, Strategy, StrategyError, load, names};

use super::names::NAMES;
use super::value::Types;
use super::{FunctionReport, Options, SHELF, Script, definitions};

/// Rulesets of the shelf that differ in what a strategy sees and may do.
const RULESETS: [&str; 11] = [
    "canfield",
    "single-pass",
    "superior",
    "minerva",
    "storehouse",
    "exorcism-die-draw",
    "double-canfield",
    "dutchess",
    "selective",
    "exorcism-up",
    "eagle-wing",
];

fn rules_of(name: &str) -> Rules {
    crate::rules::load(name).unwrap().rules
}

fn rulesets() -> Vec<Rules> {
    RULESETS.map(rules_of).into()
}

/// Plays a game; returns its value and its record.
fn play(
    rules: &Rules,
    strategy: &mut dyn Strategy,
    game: u64,
) -> Result<(crate::game::Outcome, String), StrategyError> {
    let mut recorder = Recorder::new(rules);
    let outcome = watch(rules, strategy, game, &mut recorder)?;
    Ok((outcome, recorder.moves()))
}

fn watch(
    rules: &Rules,
    strategy: &mut dyn Strategy,
    game: u64,
    observer: &mut impl Observer,
) -> Result<crate::game::Outcome, StrategyError> {
    let (rng, mut chance) = (PlayerState::new(7, game), SeededChance::new(7, game));
    let mut table = Game::new(rules);
    table.deal(Deck::shuffled(rules.deck_shape(), 7, game).cards(), &mut chance);
    if rules.spec().casino.is_staged() {
        return table.play_for_stakes(&rng, &mut chance, &mut stakes::Seated(strategy));
    }
    table.play_out(&mut chance, observer, |game| {
        strategy.decide(&View::new(game.table(), game.rules(), &rng), game.legal())
    })
}

fn script(text: &str) -> Result<Script, Vec<Diagnostic>> {
    Script::new("test", &Arc::new(SourceText { name: "test.rhai".into(), text: text.into() }))
}

/// Calls `ask` at the first position of a deal of Canfield.
fn at_the_deal<T>(number: u64, ask: impl FnOnce(&View<'_>, &MoveList) -> T) -> T {
    let (rules, rng) = (&rulesets()[0], PlayerState::new(1, 1));
    let mut game = Game::new(rules);
    game.deal(Deck::shuffled(rules.deck_shape(), 1, number).cards(), &mut crate::game::NoChance);
    ask(&View::new(game.table(), rules, &rng), game.legal())
}

/// Returns the fault that ends the first game of a script on Canfield.
fn fault_of(text: &str) -> String {
    play(&rulesets()[0], &mut sound(text), 0).unwrap_err().to_string()
}

/// Loads a script that must be valid.
fn sound(text: &str) -> Script {
    script(text).unwrap_or_else(|faults| panic!("{faults:?}"))
}

#[test]
fn the_shelf_is_the_directory() {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts")).unwrap();
    let names = files.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".rhai")).collect();
    names.sort();
    assert_eq!(SHELF.iter().map(|(name, _)| format!("{name}.rhai")).collect::<Vec<_>>(), names);
}

#[test]
fn greedy_is_greedy_move_for_move() {
    let source = load("scripts/greedy.rhai").unwrap();
    let mut scripted = source.instantiate();
    let mut unlimited =
        Script::with("greedy", source.script().unwrap(), Options { limits: false, ..Options::default() })
            .unwrap();
    let hiding = ["klondike", "candike"].map(rules_of);
    for rules in rulesets().into_iter().chain(hiding) {
        for game in 0..60 {
            let native = play(&rules, &mut Greedy, game);
            assert_eq!(play(&rules, &mut unlimited, game), native, "{} {game}", rules.name());
            assert_eq!(play(&rules, &mut *scripted, game), native, "{} {game}", rules.name());
        }
    }
}

#[test]
fn the_same_strategy_in_both_forms() {
    let mut scores = sound(
        "fn score(view, m) { if m.to_foundation { 9 } else { of(m) } }
         fn of(m) { if m.card == () { 1 } else { 2 } }",
    );
    let mut chooses = sound(
        "fn choose(view) { let best = (); let high = -1;
           for m in view.moves { let s = worth(m); if s > high { high = s; best = m; } } best }
         fn worth(m) { if m.to_foundation { 9 } else if m.card == () { 1 } else { 2 } }",
    );
    for rules in rulesets() {
        for game in 0..10 {
            assert_eq!(play(&rules, &mut scores, game), play(&rules, &mut chooses, game));
        }
    }
}

/// Asks a strategy about each position, and again with the hidden cards in other orders.
struct Leaks<'a> {
    rules: &'a Rules,
    strategy: Box<dyn Strategy>,
    game: u64,
    asked: u64,
}

impl Observer for Leaks<'_> {
    fn moving(&mut self, table: &Table, legal: &MoveList, _: crate::game::Move) {
        let mut answers = (0..3).map(|order| {
            let mut rng = generator(self.game, self.asked * 3 + order, Purpose::Dice);
            let other = table.with_hidden(self.rules, |hidden| {
                if order > 0 {
                    crate::cards::shuffle(hidden, &mut rng);
                }
            });
            let mut others = MoveList::new();
            other.legal_moves(self.rules, &mut others);
            assert_eq!(
                others[..],
                legal[..],
                "the legal moves tell of hidden cards in {}",
                self.rules.name()
            );
            let rng = PlayerState::new(1, self.asked);
            self.strategy.decide(&View::new(&other, self.rules, &rng), legal)
        });
        let first = answers.next().unwrap();
        assert!(answers.all(|answer| answer == first), "{} in {}", first.is_ok(), self.rules.name());
        self.asked += 1;
    }
}

#[test]
fn no_strategy_sees_hidden_cards() {
    let mut sources: Vec<_> = names().into_iter().map(|(name, _)| load(quick(name)).unwrap()).collect();
    sources.push(load("greedy.rhai").unwrap());
    for source in sources {
        for rules in rulesets() {
            for game in 0..4 {
                // Random play reaches positions that no sensible strategy does.
                let mut leaks = Leaks { rules: &rules, strategy: source.instantiate(), game, asked: 0 };
                let mut player = if game > 1 { Box::new(Random) } else { source.instantiate() };
                let mut short = Short { player: &mut *player, left: 150 };
                watch(&rules, &mut short, game, &mut leaks).unwrap();
                assert!(leaks.asked > 0);
            }
        }
    }
}

/// Returns a fast variant of a strategy of the shelf: those that sample deals sample few.
fn quick(name: &str) -> &str {
    match name {
        "sampler" => "sampler:deals=2",
        "foresight" => "foresight:deals=1",
        "chooser" => "chooser:bases=2,deals=1",
        other => other,
    }
}

/// Gives up after some moves.
struct Short<'a> {
    player: &'a mut dyn Strategy,
    left: u32,
}

impl Strategy for Short<'_> {
    fn name(&self) -> &str {
        "short"
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 { Ok(None) } else { self.player.decide(view, legal) }
    }
}

#[test]
fn every_name_says_what_the_view_says() {
    // All names are used at every position, in a random game.
    let mut all = String::from("fn score(view, m) { let sum = 0; let c = m.card; let p = 1;\n");
    for name in NAMES {
        let owner = match name.owner() {
            Types::VIEW => "view",
            Types::MOVE => "m",
            Types::SEAT => "view.at(1)",
            Types::MEMORY => continue,
            Types::INT => "p",
            _ => "c",
        };
        let parameters = name.signature();
        let call = match parameters.as_deref() {
            None => format!("{owner}.{}", name.name),
            Some([m, ..]) if m.starts_with("m:") => continue,
            Some([player]) if player.starts_with("name:") => format!("{owner}.{}(\"greedy\")", name.name),
            Some([_, player]) if player.starts_with("name:") => {
                format!("{owner}.{}(p, \"greedy\")", name.name)
            }
            Some([card]) if card.starts_with("card") => format!("{owner}.{}(c)", name.name),
            Some([]) => format!("{owner}.{}()", name.name),
            Some([_]) => format!("{owner}.{}(p)", name.name),
            Some(_) => format!("{owner}.{}(p, 0)", name.name),
        };
        all += &format!("if c != () {{ sum += if {call} == () {{ 0 }} else {{ 1 }}; }}\n");
    }
    all += "view.random(1000) }";
    let mut asker = sound(&all);
    for rules in rulesets() {
        for game in 0..3 {
            play(&rules, &mut asker, game).unwrap();
        }
    }
    let text = definitions();
    for name in NAMES {
        let get = if name.signature().is_none() { "get " } else { "" };
        let word = match name.owner() {
            Types::MEMORY => format!("let {}:", name.name),
            _ => format!("fn {get}{}(", name.name),
        };
        assert!(text.contains(&word), "{}", name.name);
    }
}

#[test]
fn numbers_count_from_one() {
    let rules = &rulesets()[0];
    let mut asked = sound(
        r#"fn score(view, m) {
            if view.pass == 1 && view.waste_left == 0 && m.is_draw {
                print(`${view.base} ${view.cards} ${view.piles} ${view.reserve_left} ${view.stock_left}`);
                print(`${view.draw} ${view.redeals_left} ${view.stake} ${view.pays_per_card}`);
                print(`${view.pile_top(1).rank} ${view.pile_top(1)} ${m}`);
                print(view.pile_top(1));
                print("top " + view.pile_top(1));
            }
            -1
        }"#,
    );
    let deck = Deck::shuffled(rules.deck_shape(), 7, 0);
    let (base, first) = (deck.cards()[13], deck.cards()[14]);
    play(rules, &mut asked, 0).unwrap();
    let expected = format!(
        "{} 1 4 13 34\n3 -1 5200 500\n{} {first} draw\n{first}\ntop {first}\n",
        base.rank().number(),
        first.rank().number()
    );
    assert_eq!(asked.printed(), expected);
    assert_eq!(asked.printed(), "");
}

#[test]
fn randomness_is_the_games_own() {
    let rules = &rulesets()[0];
    let mut drawn = sound("fn choose(view) { view.moves[view.random(view.moves.len())] }");
    for game in 0..20 {
        assert_eq!(play(rules, &mut drawn, game), play(rules, &mut Random, game));
    }
    // Computing the scores does not use up the stream.
    let mut scored = sound("fn score(view, m) { view.random(1000000) }");
    at_the_deal(1, |view, legal| {
        let scores = scored.scores(view, legal).unwrap().unwrap();
        assert_eq!(scored.scores(view, legal).unwrap().unwrap(), scores);
        let chosen = scored.decide(view, legal).unwrap().unwrap();
        assert_eq!(scores.iter().max(), Some(&scores[chosen]));
        assert_ne!(scored.scores(view, legal).unwrap().unwrap(), scores);
    });
}

#[test]
fn constants_closures_and_changed_parameters() {
    let mut script = sound(
        "const WORTH = [5, 6]; const BASE = 2 * 3; const MAP = #{ up: BASE + 1 };
         fn score(view, m) {
            let moves = view.moves.filter(|x| x.is_draw && BASE == 6);
            let worth = WORTH[0] + MAP.up + help();
            let copy = m; m = 3; view = ();
            if moves.len() > 0 && copy.is_draw { worth } else { 0 }
         }
         fn help() { BASE }",
    );
    let (scores, drawn) = at_the_deal(1, |view, legal| {
        (script.scores(view, legal).unwrap().unwrap(), legal.iter().position(|m| m.is_draw()).unwrap())
    });
    assert_eq!((scores[drawn], scores.iter().sum()), (18, 18));
}

#[test]
fn all_negative_is_giving_up() {
    let rules = &rulesets()[0];
    assert_eq!(play(rules, &mut sound("fn score(view, m) { -1 }"), 0).unwrap().0.end, End::Resigned);
    assert_eq!(play(rules, &mut sound("fn choose(view) { }"), 0).unwrap().0.end, End::Resigned);
}

/// Mean difference of cards to native greedy on the same deals, with its 95% half-width.
fn against_greedy(name: &str, rules: &Rules, games: u64) -> (f64, f64) {
    let mut strategy = load(name).unwrap().instantiate();
    let differences: Vec<f64> = (0..games)
        .map(|game| {
            let of = |s: &mut dyn Strategy| f64::from(watch(rules, s, game, &mut ()).unwrap().cards);
            of(&mut *strategy) - of(&mut Greedy)
        })
        .collect();
    let n = games as f64;
    let mean = differences.iter().sum::<f64>() / n;
    let square = differences.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / (n - 1.0);
    (mean, 1.96 * (square / n).sqrt())
}

#[test]
fn the_shelf_beats_greedy() {
    let storehouse = rules_of("storehouse");
    let [canfield, single_pass, ..] = &rulesets()[..] else { unreachable!() };
    for (name, rules, games, least) in [
        ("patient", canfield, 4_000, 1.0),
        ("patient", &storehouse, 2_000, 0.0),
        ("hoarder", single_pass, 20_000, 0.01),
    ] {
        let (mean, half) = against_greedy(name, rules, games);
        assert!(mean - half > least, "{name} on {}: {mean} +- {half}", rules.name());
    }
}

#[test]
fn shelf_strategies_end_well_everywhere() {
    for &(of, _) in SHELF {
        let (name, settings) = quick(of).split_once(':').unwrap_or((of, ""));
        let path = format!("scripts/{name}.rhai:{settings}");
        let mut strategy = load(path.trim_end_matches(':')).unwrap().instantiate();
        for rules in rulesets() {
            for game in 0..20 {
                let outcome = play(&rules, &mut *strategy, game).unwrap().0;
                assert_ne!(outcome.end, End::Runaway, "{name} {} {game}", rules.name());
                // A strategy that tries few deals may find that nothing matters, and go in circles.
                if quick(of) == of {
                    assert_ne!(outcome.end, End::Repeated, "{name} {} {game}", rules.name());
                }
            }
        }
    }
}
