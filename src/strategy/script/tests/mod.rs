//! Scripts in play: the same games as native strategies, no hidden information, every fault at its position, and the
//! strength of the shelf's strategies.

mod ahead;
mod money;
mod notes;
mod work;

use std::path::Path;
use std::sync::Arc;

use crate::cards::{Deck, Purpose, generator};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::{
    End, Game, MoveList, Observer, Outcome, PlayerState, Recorder, SeededChance, StagedAgent, View,
};
use crate::rules::*;
use crate::strategy::{Greedy, Random, Strategy, StrategyError, load, names};

use super::{Options, SHELF, Script};

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

/// Returns a ruleset whose stake is bought in stages, changed.
fn staged(change: impl Fn(&mut Spec)) -> Rules {
    let mut spec = rules_of("bsd").spec().clone();
    change(&mut spec);
    Rules::compile(spec)
}

/// Rulesets whose stake is bought in stages, with every kind of knowledge of the stock.
fn all_staged() -> Vec<Rules> {
    vec![
        staged(|_| {}),
        staged(|s| s.stock.waste = WasteFace::Fanned),
        staged(|s| s.stock.on_redeal = OnRedeal::Shuffle),
        staged(|s| s.stock.draw = Draw::Die { faces: 6, roll: Roll::Draw }),
        staged(|s| {
            s.foundation.base = Base::Choice(ChoiceFrom::Dealt(5));
            s.foundation.start = Start::None;
            s.casino.stages.retain(|stage| stage.at != StageAt::FirstDraw);
        }),
    ]
}

/// Plays a game; returns its value and its record.
fn play(rules: &Rules, strategy: &mut dyn Strategy, game: u64) -> Result<(Outcome, String), StrategyError> {
    let (rng, mut chance) = (PlayerState::new(7, game), SeededChance::new(7, game));
    let (mut table, mut recorder) = (Game::new(rules), Recorder::new(rules));
    table.deal(Deck::shuffled(rules.deck_shape(), 7, game).cards(), &mut chance);
    let outcome = match rules.spec().casino.is_staged() {
        true => table.play_for_stakes(&rng, &mut chance, &mut Seated(strategy)),
        false => table.play_out(&mut chance, &mut recorder, |game| {
            strategy.decide(&View::new(game.table(), game.rules(), &rng), game.legal())
        }),
    };
    Ok((outcome?, recorder.moves()))
}

/// A strategy at the table.
struct Seated<'a>(&'a mut dyn Strategy);

impl Observer for Seated<'_> {}

impl StagedAgent for Seated<'_> {
    type Error = StrategyError;

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.0.decide(view, legal)
    }

    fn buys(&mut self, view: &View<'_>, legal: &MoveList, stage: &Stage) -> Result<bool, StrategyError> {
        self.0.stage(view, legal, stage.at, stage.cost)
    }
}

fn source(text: &str) -> Arc<SourceText> {
    Arc::new(SourceText { name: "test.rhai".into(), text: text.into() })
}

fn script(text: &str) -> Result<Script, Vec<Diagnostic>> {
    Script::new("test", &source(text))
}

/// Calls `ask` at the first position of a deal of Canfield.
fn at_the_deal<T>(number: u64, ask: impl FnOnce(&View<'_>, &MoveList) -> T) -> T {
    let (rules, rng) = (&rulesets()[0], PlayerState::new(1, 1));
    let mut game = Game::new(rules);
    game.deal(Deck::shuffled(rules.deck_shape(), 1, number).cards(), &mut crate::game::NoChance);
    ask(&View::new(game.table(), rules, &rng), game.legal())
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

/// Asks a strategy every question again with the hidden cards in other orders: the answers are the same.
struct Blindfolded<'a> {
    strategy: &'a mut dyn Strategy,
    /// Whether random moves are made instead of its own: they reach positions that no sensible strategy does.
    random: bool,
    left: u32,
    asked: u64,
    before_the_deal: u64,
}

impl Blindfolded<'_> {
    fn same<T: PartialEq + std::fmt::Debug>(
        &mut self,
        view: &View<'_>,
        legal: &MoveList,
        ask: impl Fn(&mut dyn Strategy, &View<'_>) -> T,
    ) -> T {
        self.asked += 1;
        let first = ask(self.strategy, &view.with_rng(&PlayerState::new(1, self.asked)));
        for order in 0..2 {
            let mut rng = generator(self.asked, order, Purpose::Dice);
            let other = view.with_hidden(|hidden| crate::cards::shuffle(hidden, &mut rng));
            let rng = PlayerState::new(1, self.asked);
            let again = ask(self.strategy, &view.over(&other).with_rng(&rng));
            assert_eq!(again, first, "{} in {}", self.strategy.name(), view.compiled().name());
            let mut others = MoveList::new();
            other.legal_moves(view.compiled(), &mut others);
            assert!(legal.is_empty() || others[..] == legal[..], "the legal moves tell of hidden cards");
        }
        first
    }
}

impl Strategy for Blindfolded<'_> {
    fn name(&self) -> &str {
        "blindfolded"
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        let chosen = self.same(view, legal, |strategy, view| strategy.decide(view, legal));
        self.left -= 1;
        match self.random {
            _ if self.left == 0 => Ok(None),
            true => Random.decide(view, legal),
            false => chosen,
        }
    }

    fn stage(
        &mut self,
        view: &View<'_>,
        legal: &MoveList,
        at: StageAt,
        cost: i64,
    ) -> Result<bool, StrategyError> {
        self.before_the_deal += u64::from(view.base().is_none());
        self.same(view, legal, |strategy, view| strategy.stage(view, legal, at, cost))
    }
}

#[test]
fn no_strategy_sees_hidden_cards() {
    let mut strategies: Vec<(Box<dyn Strategy>, u32)> =
        names().into_iter().map(|(name, _)| (load(quick(name)).unwrap().instantiate(), 150)).collect();
    strategies.push((load("greedy.rhai").unwrap().instantiate(), 150));
    strategies.push((Box::new(sound(money::NOSY)), 150));
    strategies.push((Box::new(sound(ahead::LOOKS)), 40));
    let rules: Vec<Rules> = rulesets().into_iter().chain(all_staged()).collect();
    for (mut strategy, left) in strategies {
        let mut before_the_deal = 0;
        for rules in &rules {
            for game in 0..4 {
                let strategy = &mut *strategy;
                let random = game > 1;
                let mut asker = Blindfolded { strategy, random, left, asked: 0, before_the_deal };
                play(rules, &mut asker, game).unwrap();
                assert!(asker.asked > 0);
                before_the_deal = asker.before_the_deal;
            }
        }
        assert!(before_the_deal > 5);
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
}

/// Computing the scores uses up no random numbers, and changes no memory.
#[test]
fn looking_at_scores_changes_nothing() {
    let text = "fn score(view, m) {
        memory[0] += 1;
        memory[3] = (memory[3] * 31 + view.cards + m.count) & 0xffffff;
        view.random(1000000) + (memory[3] ^ memory[0])
    }";
    for mut script in [Script::new, Script::interpreted].map(|new| new("test", &source(text)).unwrap()) {
        at_the_deal(1, |view, legal| {
            let rng = PlayerState::new(1, 1);
            let view = view.with_rng(&rng);
            let scores = script.scores(&view, legal).unwrap().unwrap();
            assert!(rng.memory().is_empty());
            assert_eq!(script.scores(&view, legal).unwrap().unwrap(), scores);
            let chosen = script.decide(&view, legal).unwrap().unwrap();
            assert_eq!(scores.iter().max(), Some(&scores[chosen]));
            assert_eq!(rng.memory()[0], legal.len() as i64);
            assert_ne!(script.scores(&view, legal).unwrap().unwrap(), scores);
        });
    }
}

/// Mean difference of cards to native greedy on the same deals, with its 95% half-width.
fn against_greedy(name: &str, rules: &Rules, games: u64) -> (f64, f64) {
    let mut strategy = load(name).unwrap().instantiate();
    let differences: Vec<f64> = (0..games)
        .map(|game| {
            let of = |s: &mut dyn Strategy| f64::from(play(rules, s, game).unwrap().0.cards);
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

/// Every script in `tests/data/scripts-bad` has its faults beside it, one per line: those found at load, or the one in
/// its first games.
#[test]
fn faults_are_told_at_their_place() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scripts-bad");
    let mut wrong = String::new();
    let mut files: Vec<_> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "rhai"));
    files.sort();
    assert!(files.len() > 30);
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let rules = if name.starts_with("stage") { rules_of("bsd") } else { rules_of("canfield") };
        let source = Arc::new(SourceText { name, text: std::fs::read_to_string(&path).unwrap() });
        let found = match Script::new("bad", &source) {
            Err(faults) => faults.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("\n"),
            Ok(mut script) => {
                let end = (0..5).find_map(|game| play(&rules, &mut script, game).err());
                end.map_or("no fault".to_string(), |e| e.to_string())
            }
        };
        let expected = std::fs::read_to_string(path.with_extension("expected")).unwrap_or_default();
        if found.trim_end() != expected.trim_end() {
            wrong += &format!("== {}\n{found}\n", path.with_extension("expected").display());
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// The deepest script that the limits allow takes an eighth of the stack of the program's threads.
#[test]
fn the_deepest_script_fits_the_stack() {
    let deepest = || {
        let rules = rules_of("canfield");
        for (open, close) in
            [("1 + (", ")"), ("if true { ", " } else { 0 }"), ("[1, ", "][0]"), ("max(1, ", ")")]
        {
            let nest = |n| format!("{}deep(n + 1){}", open.repeat(n), close.repeat(n));
            let text = |n| format!("fn score(view, m) {{ deep(0) }}\nfn deep(n) {{ {} }}", nest(n));
            let mut deepest = (8..64).rev().find_map(|n| script(&text(n)).ok()).unwrap();
            let fault = play(&rules, &mut deepest, 0).unwrap_err().to_string();
            assert!(fault.contains("deep"), "{fault}");
        }
    };
    std::thread::Builder::new().stack_size(8 << 20).spawn(deepest).unwrap().join().unwrap();
}

/// Inlined, some of these would need more registers or code than there is; others do in any case.
#[test]
fn scripts_as_large_as_the_machine() {
    // Each level keeps its variables while it calls the next one.
    let level = |name: &str, next: &str| {
        let variables: String = (0..60).map(|i| format!("let v{i} = m.count + {i};\n")).collect();
        let adds: String = (0..60).map(|i| format!("n += v{i};\n")).collect();
        format!("fn {name}(view, m) {{ {variables} let n = {next}; {adds} n }}\n")
    };
    let deep = [level("score", "a(view, m)"), level("a", "b(view, m)"), level("b", "m.source")].concat();
    // A loop over the moves has a body for each class of moves, and so do the loops in it.
    let loops = "fn score(view, m) { let n = 0; for a in view.moves { n += first(view, m, a) + first(view, a, m); } n }
        fn first(view, m, p) {
            let n = 0;
            for a in view.moves {
                n += second(view, a == p) + if a.count > m.count { view.pile_len(1) } else { second(view, n > 3) };
            }
            n
        }
        fn second(view, q) {
            let total = 0;
            for w in view.moves {
                total += if q { w.source } else if view.reserve_top == () { total % 7 } else { w.target };
            }
            total
        }";
    // Variables, and products that are kept while the rest of the sum is computed.
    let wide = || {
        let variables: String = (0..125).map(|i| format!("let v{i} = m.count + {i};\n")).collect();
        let sum = (0..24).fold("0".into(), |rest: String, i| format!("(v{i} * v{}) + ({rest})", i + 1));
        let adds: String = (0..125).map(|i| format!("n += v{i};\n")).collect();
        format!("fn score(view, m) {{ {variables} let n = {sum}; {adds} n }}\n")
    };
    // Offsets of code have a limit too, which code dropped by the passes must not hide.
    let long = |terms: usize| {
        let body = "n += if view.coming(n) == () { a.count } else { b.count };\n".repeat(terms);
        format!(
            "fn score(view, m) {{ let n = 1; for a in view.moves {{ for b in view.moves {{ {body} }} }} n }}"
        )
    };
    for (text, compiled) in
        [(deep, true), (loops.into(), true), (wide(), false), (long(88), true), (long(92), false)]
    {
        let [mut fast, mut slow] =
            [Script::new, Script::interpreted].map(|new| new("test", &source(&text)).unwrap());
        for rules in rulesets() {
            let [fast, slow] =
                [&mut fast, &mut slow].map(|it| play(&rules, &mut Short { player: it, left: 20 }, 1));
            assert_eq!(fast, slow, "{text} on {}", rules.name());
        }
        assert_eq!((fast.is_compiled(), fast.bailouts()), (compiled, 0), "{text}");
        let report = fast.report();
        let too_large = |stops: &Diagnostic| stops.message.contains("too large");
        let mut stops = report.iter().map(|function| &function.stops);
        assert!(stops.all(|it| it.as_ref().map_or(compiled, too_large)), "{report:?}");
    }
}
