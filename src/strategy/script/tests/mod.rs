//! Scripts in play: the same games as native strategies, no hidden information, every fault at its position, and the
//! strength of the shelf's strategies.

mod ahead;
mod explain;
mod faults;
mod lists;
mod memory;
mod payments;
mod profile;
mod sameness;
mod stakes;
mod work;
mod worth;

use std::sync::Arc;

use crate::cards::{Deck, Purpose, generator};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::{End, Game, MoveList, Observer, PlayerState, Recorder, SeededChance, Table, View};
use crate::rules::*;
use crate::strategy::{Greedy, Random, Strategy, StrategyError, load, names};

use super::names::NAMES;
use super::value::Types;
use super::{FunctionReport, Options, SHELF, Script, definitions};

/// Rulesets that differ in what a strategy sees and may do.
fn rulesets() -> Vec<Rules> {
    let spec = |name: &str, change: &dyn Fn(&mut Spec)| {
        let mut spec = Spec { name: name.into(), ..Spec::default() };
        change(&mut spec);
        Rules::compile(spec)
    };
    vec![
        spec("canfield", &|_| {}),
        spec("single-pass", &|s| s.stock.redeals = Some(0)),
        spec("superior", &|s| {
            s.reserve.face = ReserveFace::All;
            s.spaces.auto = vec![];
            s.spaces.while_reserve = vec![Filler::Reserve, Filler::Waste, Filler::Tableau];
            s.spaces.after_reserve = vec![Filler::Waste, Filler::Tableau, Filler::Foundation];
            s.tableau.unit = MoveUnit::Sequence;
            s.foundation.returns = Returns::Top;
        }),
        spec("squared", &|s| {
            s.stock.waste = WasteFace::Squared;
            s.reserve.face = ReserveFace::Last;
            s.tableau.deal = vec![1, 2, 3, 4, 5];
            s.tableau.face = TableauFace::Alternate;
            s.tableau.build = Build::Any;
            s.spaces.auto = vec![Filler::Reserve, Filler::Stock];
        }),
        spec("storehouse", &|s| {
            s.deal.order = vec![Part::Reserve, Part::Tableau];
            s.foundation.base = Base::Rank("2".parse().unwrap());
            s.foundation.start = Start::All;
            s.tableau.build = Build::SameSuit;
            s.tableau.face = TableauFace::Top;
            s.tableau.deal = vec![2; 4];
            s.stock.draw = Draw::ByPass(vec![1]);
            s.stock.redeals = Some(2);
            s.spaces.after_reserve = vec![Filler::Stock, Filler::Tableau];
        }),
        spec("dice", &|s| {
            s.stock.draw = Draw::Die { faces: 6, roll: Roll::Draw };
            s.stock.on_redeal = OnRedeal::Shuffle;
            s.foundation.base_play = BasePlay::Forced;
        }),
        spec("packs", &|s| {
            s.deal.packs = 2;
            s.reserve = ReserveSpec { piles: 2, size: 9, face: ReserveFace::Last };
            s.tableau.deal = vec![4, 3, 2, 2, 1, 1];
            s.tableau.face = TableauFace::Top;
            s.tableau.unit = MoveUnit::Sequence;
            s.foundation.returns = Returns::TopExceptBase;
        }),
        spec("chosen-from-reserve", &|s| {
            s.reserve = ReserveSpec { piles: 4, size: 3, face: ReserveFace::Top };
            s.foundation.base = Base::Choice(ChoiceFrom::Reserve);
            s.foundation.start = Start::None;
            s.spaces.auto = vec![];
            s.spaces.while_reserve = vec![Filler::Reserve];
            s.stock.draw = Draw::ByPass(vec![1]);
            s.stock.redeals = Some(1);
        }),
        spec("chosen-of-five", &|s| {
            s.foundation.base = Base::Choice(ChoiceFrom::Dealt(5));
            s.foundation.start = Start::None;
            s.stock.waste = WasteFace::Squared;
        }),
        spec("up", &|s| {
            s.tableau.direction = Direction::Up;
            s.stock.draw = Draw::ByPass(vec![3, 2, 1]);
            s.stock.redeals = Some(2);
        }),
    ]
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

/// Loads a script that must be valid.
fn sound(text: &str) -> Script {
    script(text).unwrap_or_else(|faults| panic!("{faults:?}"))
}

#[test]
fn greedy_is_greedy_move_for_move() {
    let source = load("scripts/greedy.rhai").unwrap();
    let mut scripted = source.instantiate();
    let mut unlimited =
        Script::with("greedy", source.script().unwrap(), Options { limits: false, ..Options::default() })
            .unwrap();
    let hiding = ["klondike", "candike", "minerva"].map(|name| crate::rules::load(name).unwrap().rules);
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
                let mut player: Box<dyn Strategy> = source.instantiate();
                if game > 1 {
                    player = Box::new(Random);
                }
                let mut short = Short { player, left: 150 };
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
struct Short {
    player: Box<dyn Strategy>,
    left: u32,
}

impl Strategy for Short {
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
fn the_definitions_hold_every_name_of_the_language_of_strategies() {
    let words = "to_foundation to_tableau to_space from_reserve from_waste from_tableau from_foundation is_draw \
        is_redeal card count source target empties_pile turns_up rolls rank suit red up bit has add without popcount bit_not base cards foundation wants \
        steps reserve_left reserve_top reserve reserves reserve_len reserve_pile piles pile_len pile_top pile spaces stock_left waste_left \
        waste_top waste coming pass redeals_left draw stake pays_per_card pay redeal_fee random moves faces after after_roll sample playout choice ended seats seat at score memory";
    let text = definitions();
    for word in words.split_whitespace() {
        assert!(text.contains(&format!(" {word}(")) || text.contains(&format!("let {word}: ")), "{word}");
    }
    let whole = NAMES.iter().filter(|name| name.owner() != Types::SEAT || name.name == "score");
    assert_eq!(words.split_whitespace().count(), whole.count());
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
    let (rng, mut game) = (PlayerState::new(1, 1), Game::new(rules));
    game.deal(Deck::shuffled(rules.deck_shape(), 1, 1).cards(), &mut crate::game::NoChance);
    let view = View::new(game.table(), rules, &rng);
    let scores = scored.scores(&view, game.legal()).unwrap().unwrap();
    assert_eq!(scored.scores(&view, game.legal()).unwrap().unwrap(), scores);
    let chosen = scored.decide(&view, game.legal()).unwrap().unwrap();
    assert_eq!(scores.iter().max(), Some(&scores[chosen]));
    assert_ne!(scored.scores(&view, game.legal()).unwrap().unwrap(), scores);
}

#[test]
fn constants_closures_and_changed_parameters() {
    let rules = &rulesets()[0];
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
    let (rng, mut game) = (PlayerState::new(1, 1), Game::new(rules));
    game.deal(Deck::shuffled(rules.deck_shape(), 1, 1).cards(), &mut crate::game::NoChance);
    let view = View::new(game.table(), rules, &rng);
    let scores = script.scores(&view, game.legal()).unwrap().unwrap();
    let drawn = game.legal().iter().position(|m| m.is_draw()).unwrap();
    assert_eq!((scores[drawn], scores.iter().sum()), (18, 18));
}

#[test]
fn all_negative_is_giving_up() {
    let rules = &rulesets()[0];
    assert_eq!(play(rules, &mut sound("fn score(view, m) { -1 }"), 0).unwrap().0.end, End::Resigned);
    assert_eq!(play(rules, &mut sound("fn choose(view) { }"), 0).unwrap().0.end, End::Resigned);
}
