//! Scripts in play: the same games as native strategies, no hidden information, every fault at its position, the
//! strength of the shelf's strategies, looking ahead, money, and the work of a decision, which is measured in operations
//! only.

use std::path::Path;
use std::sync::Arc;

use crate::cards::{Deck, Purpose, generator};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::{
    End, Game, MoveList, NoChance, Observer, Outcome, PlayerState, Recorder, SeededChance, StagedAgent, View,
};
use crate::rules::*;
use crate::strategy::{Greedy, Random, Strategy, StrategyError, load, names};

use super::{SHELF, Script};

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

pub(super) fn rulesets() -> Vec<Rules> {
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
pub(super) fn play(
    rules: &Rules,
    strategy: &mut dyn Strategy,
    game: u64,
) -> Result<(Outcome, String), StrategyError> {
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
        self.0.buys(view, legal, stage)
    }
}

pub(super) fn source(text: &str) -> Arc<SourceText> {
    Arc::new(SourceText { name: "test.rhai".into(), text: text.into() })
}

fn script(text: &str) -> Result<Script, Vec<Diagnostic>> {
    Script::new("test", &source(text))
}

/// Calls `ask` at the first position of a deal of Canfield.
pub(super) fn at_the_deal<T>(number: u64, ask: impl FnOnce(&View<'_>, &MoveList) -> T) -> T {
    let (rules, rng) = (&rulesets()[0], PlayerState::new(1, 1));
    let mut game = Game::new(rules);
    game.deal(Deck::shuffled(rules.deck_shape(), 1, number).cards(), &mut NoChance);
    ask(&View::new(game.table(), rules, &rng), game.legal())
}

/// Loads a script that must be valid.
pub(super) fn sound(text: &str) -> Script {
    script(text).unwrap_or_else(|faults| panic!("{faults:?}"))
}

#[test]
fn the_shelf_is_the_directory() {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts")).unwrap();
    let names = files.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".rhai")).collect();
    names.sort();
    assert_eq!(SHELF.iter().map(|(name, _)| format!("{name}.rhai")).collect::<Vec<_>>(), names);
}

#[test]
fn greedy_is_greedy_move_for_move() {
    let mut scripted = load("scripts/greedy.rhai").unwrap().instantiate();
    let hiding = ["klondike", "candike"].map(rules_of);
    for rules in rulesets().into_iter().chain(hiding) {
        for game in 0..60 {
            let native = play(&rules, &mut Greedy, game);
            assert_eq!(play(&rules, &mut *scripted, game), native, "{} {game}", rules.name());
        }
    }
}

/// Asks a strategy every question again with the hidden cards in other orders: its answers and prints are the same.
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
        let first =
            (ask(self.strategy, &view.with_rng(&PlayerState::new(1, self.asked))), self.strategy.printed());
        for order in 0..2 {
            let mut rng = generator(self.asked, order, Purpose::Dice);
            let other = view.with_hidden(|hidden| crate::cards::shuffle(hidden, &mut rng));
            let rng = PlayerState::new(1, self.asked);
            let again = (ask(self.strategy, &view.over(&other).with_rng(&rng)), self.strategy.printed());
            assert_eq!(again, first, "{} in {}", self.strategy.name(), view.compiled().name());
            let mut others = MoveList::new();
            other.legal_moves(view.compiled(), &mut others);
            assert!(legal.is_empty() || others[..] == legal[..], "the legal moves tell of hidden cards");
        }
        first.0
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

    fn buys(&mut self, view: &View<'_>, legal: &MoveList, stage: &Stage) -> Result<bool, StrategyError> {
        if stage.at == StageAt::Deal {
            assert!(view.base().is_none() && view.offered().is_empty() && legal.is_empty());
            self.before_the_deal += 1;
        }
        self.same(view, legal, |strategy, view| strategy.buys(view, legal, stage))
    }
}

#[test]
fn no_strategy_sees_hidden_cards() {
    let mut strategies: Vec<(Box<dyn Strategy>, u32)> =
        names().into_iter().map(|(name, _)| (load(quick(name)).unwrap().instantiate(), 150)).collect();
    strategies.push((load("greedy.rhai").unwrap().instantiate(), 150));
    strategies.push((Box::new(sound(NOSY)), 150));
    strategies.push((Box::new(sound(LOOKS)), 40));
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

/// A strategy that a closure decides.
struct By<F>(F);

impl<F: FnMut(&View<'_>, &MoveList) -> Result<Option<usize>, StrategyError>> Strategy for By<F> {
    fn name(&self) -> &str {
        "closure"
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        (self.0)(view, legal)
    }
}

/// Plays a game of which a strategy makes the first moves, fewer than `left`.
fn play_short(
    rules: &Rules,
    player: &mut dyn Strategy,
    mut left: u32,
) -> Result<(Outcome, String), StrategyError> {
    let mut short = By(|view: &View<'_>, legal: &MoveList| {
        left = left.saturating_sub(1);
        if left == 0 { Ok(None) } else { player.decide(view, legal) }
    });
    play(rules, &mut short, 1)
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
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("tests/data/scripts-bad");
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
            let [fast, slow] = [&mut fast, &mut slow].map(|it| play_short(&rules, it, 20));
            assert_eq!(fast, slow, "{text} on {}", rules.name());
        }
        assert_eq!((fast.is_compiled(), fast.bailouts()), (compiled, 0), "{text}");
        let report = fast.report();
        let too_large = |stops: &Diagnostic| stops.message.contains("too large");
        let mut stops = report.iter().map(|function| &function.stops);
        assert!(stops.all(|it| it.as_ref().map_or(compiled, too_large)), "{report:?}");
    }
}

/// Uses everything that looks ahead, and chooses by the sum.
const LOOKS: &str = r#"
    fn next(view, m) { if m.rolls { view.after_roll(m, 1 + view.faces / 2) } else { view.after(m) } }
    fn worth(view) {
        let sum = view.cards * 3 + view.moves.len() - view.reserve_left + view.pass;
        if view.ended { sum += 5; }
        for card in [view.waste_top, view.reserve_top, view.coming(0), view.coming(5), view.reserve(1)] {
            if card != () { sum += card.rank + 2 * card.suit; }
        }
        for p in 1..=view.piles {
            for i in 0..view.pile_len(p) {
                let card = view.pile(p, i);
                if card != () { sum += card.rank * p; }
            }
        }
        for m in view.moves { if m.card != () { sum += m.card.rank; } if m.turns_up { sum += 1; } }
        sum
    }
    fn score(view, m) {
        let after = next(view, m);
        let sum = worth(after);
        if !after.moves.is_empty() { sum += worth(next(after, after.moves[0])); }
        sum += worth(after.sample(1));
        if view.choice("patient") == m { sum += 3; }
        if view.choice("lazy") == m { sum += 5; }
        let sampled = view.sample(2);
        if sampled.moves.contains(sampled.choice("hoarder")) { sum += 7; }
        sum += after.playout(0, "greedy") + view.playout(memory[0], "lazy");
        memory[0] = (memory[0] + sum) % 17;
        sum % 32
    }
    fn lazy(view, m) { memory[0] += 1; if m.is_draw { 3 } else if m.to_foundation { 4 } else { view.random(3) } }
"#;

/// A script that always chooses like another strategy plays its game; so does a function of the script, in either form.
#[test]
fn a_choice_is_the_move_of_the_strategy() {
    for rules in rulesets() {
        for name in ["greedy", "patient", "hoarder", "reserve-first", "racer", "tunable:late=2"] {
            let mut asks = sound(&format!("fn choose(view) {{ view.choice(\"{name}\") }}"));
            let mut itself = load(name).unwrap().instantiate();
            assert_eq!(play(&rules, &mut asks, 3), play(&rules, &mut *itself, 3), "{name}");
        }
    }
    let rules = &rulesets()[0];
    let scores = "if m.is_draw { memory[0] += 1; 3 } else if m.is_redeal { 0 } else { 2 + memory[0] % 3 }";
    let own = format!("fn choose(view) {{ view.choice(\"mine\") }} fn mine(view, m) {{ {scores} }}");
    let plain = format!("fn score(view, m) {{ {} }}", scores.replace("memory[0] += 1;", ""));
    // Its memory is discarded with the choice.
    assert_eq!(
        play(rules, &mut sound(&own), 1),
        play(rules, &mut sound(&plain.replace("memory[0]", "0")), 1)
    );
    let resigns =
        "fn choose(view) { if view.choice(\"mine\") == () { () } else { throw 1 } } fn mine(view) { () }";
    assert!(play(rules, &mut sound(resigns), 1).is_ok());
}

/// A script that asks for the choice of a random player does about as well as that player, even if positions repeat.
#[test]
fn a_choice_of_a_player_of_chance_is_as_good() {
    let rules = rules_of("double-canfield");
    let mut asks = sound("fn choose(view) { view.choice(\"beginner\") }");
    let mut itself = load("greedy:slip=50").unwrap().instantiate();
    let cards = |player: &mut dyn Strategy, number| {
        let (rng, mut game) = (PlayerState::new(7, number), Game::new(&rules));
        game.deal(Deck::shuffled(rules.deck_shape(), 7, number).cards(), &mut NoChance);
        // As in games of the laboratory: the view knows how many moves were made.
        let decide = |game: &Game<'_>| player.decide(&game.view(&rng), game.legal());
        usize::from(game.play_out(&mut NoChance, &mut (), decide).unwrap().cards)
    };
    let [by_choice, own] = [&mut asks as &mut dyn Strategy, &mut *itself]
        .map(|player| (0..40).map(|number| cards(player, number)).sum::<usize>());
    assert!(by_choice * 10 > own * 7, "{by_choice} cards, {own} by itself");
}

/// Every script in `tests/data/scripts-checking` throws if what it sees contradicts itself, under the rulesets that it
/// names, or all.
#[test]
fn what_a_script_sees_agrees_with_itself() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("tests/data/scripts-checking");
    let mut tried = 0;
    for path in std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        let text = std::fs::read_to_string(&path).unwrap();
        let named = text.lines().nth(1).and_then(|line| line.strip_prefix("// Rulesets: "));
        let mut script = sound(&text);
        for name in named.map_or(RULESETS.to_vec(), |named| named.split(", ").collect()) {
            let played = play_short(&rules_of(name), &mut script, 12);
            assert!(played.is_ok(), "{} on {name}: {played:?}", path.display());
            tried += 1;
        }
    }
    assert!(tried > 20);
}

/// A script that answers by everything it sees, so that one card more or less changes the answer.
const NOSY: &str = r#"
    fn sight(view) {
        let sum = view.base + 17 * view.cards + 3 * view.reserve_left + 5 * view.stock_left + view.stake;
        sum += 7 * view.waste_left + view.draw + view.moves.len() + 11 * view.redeals_left + view.spaces;
        let sight = `${sum} ${view.reserve_top} ${view.waste_top} ${view.waste(1)}`;
        for i in 0..34 { sight += ` ${view.coming(i)}`; }
        for p in 1..=view.piles { sight += ` ${view.pile_top(p)} ${view.pile_len(p)}`; }
        for s in 1..=4 { sight += ` ${view.foundation(s)}`; }
        sight
    }
    fn odd(view) {
        let sum = 0;
        for c in sight(view).to_chars() { sum = (sum * 31 + c.to_int()) % 9973; }
        sum
    }
    fn score(view, m) {
        if m.is_draw { return 20; }
        if m.is_redeal { return 10; }
        if m.to_foundation || m.from_reserve || m.from_waste { 30 + odd(view) % 5 } else { -1 }
    }
    fn stage(view, at, cost) { print(sight(view)); odd(view) % 8 > 0 }
"#;

/// Stages as a script is asked about them, with the stake and what is known of the stock.
#[test]
fn a_script_is_asked_in_order() {
    let rules = &staged(|_| {});
    let mut asked = sound(
        r#"fn score(view, m) { if m.is_draw { 2 } else if m.is_redeal { 1 } else { 3 } }
           fn stage(view, at, cost) {
               let known = 0;
               for i in 0..view.stock_left { if view.coming(i) != () { known += 1; } }
               for i in 1..view.waste_left { if view.waste(i) != () { known += 1; } }
               print(`${at} ${cost} ${view.stake} ${view.pass} ${known}`);
               at != "unknown-card" || known < 2
           }"#,
    );
    let outcome = play(rules, &mut asked, 0).unwrap().0;
    let printed = asked.printed();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(
        lines[..5],
        [
            "deal 1300 0 1 0",
            "unknown-card 100 1300 1 0",
            "first-look 1300 1400 1 0",
            "first-draw 2600 2700 1 0",
            "unknown-card 100 5300 1 1"
        ]
    );
    let of = |word: &str| lines.iter().filter(|line| line.starts_with(word)).count() as u32;
    let stake = outcome.stake.unwrap();
    let asked = StageAt::ALL.map(|at| of(at.word()));
    assert_eq!(asked[..4], stake.asked[..4]);
    // Each card counts, and they are offered together.
    assert!(asked[4] < stake.asked[4]);
    assert_eq!((of("first-draw"), of("pass")), (1, outcome.redeals));
    assert!(outcome.redeals > 0 && stake.bought[4] > 4 && stake.bought[4] < stake.asked[4]);
    let costs = [1300, 1300, 2600, 500, 100];
    assert_eq!(
        stake.staked,
        costs.iter().zip(stake.bought).map(|(cost, n)| cost * i64::from(n)).sum::<i64>()
    );
}

#[test]
fn a_script_without_stage_buys_all_but_cards() {
    let plain = "fn score(view, m) { if m.to_foundation { 9 } else if m.from_reserve { 8 } else { 1 } }";
    let with = |stage: &str| sound(&format!("{plain}\n{stage}"));
    for rules in all_staged() {
        for game in 0..5 {
            let of = |mut script: Script| play(&rules, &mut script, game).unwrap().0;
            let silent = of(with(""));
            assert_eq!(of(with("fn stage(view, at, cost) { at != \"unknown-card\" }")), silent);
            assert!(silent.stake.unwrap().bought[4] == 0 && silent.stake.unwrap().stopped.is_none());
        }
    }
}

#[test]
fn pay_and_fees_are_seen() {
    let mut spec = Spec::default();
    spec.casino.steps = vec![PayStep { from: 10, pays_per_card: Some(700), bonus: 1_000 }];
    spec.casino.redeal_fees = vec![0, 100];
    spec.casino.jackpot = Some(Jackpot { start: 20_000, share: 20, won_by: WonBy::Win });
    let rules = Rules::compile(spec);
    let text = "fn score(view, m) {
        if view.pass == 1 && view.waste_left == 0 && m.is_draw {
            print(`${view.pay(0)} ${view.pay(10)} ${view.pay(11)} ${view.pay(52)} ${view.redeal_fee}`);
        }
        -1
    }";
    let mut asked = sound(text);
    play(&rules, &mut asked, 0).unwrap();
    let whole = 10 * 500 + 1_000 + 42 * 700 + 20_000;
    assert_eq!(asked.printed(), format!("0 6000 6700 {whole} 0\n"));
}

/// Operations of a decision with at least `few` choices, if there is one, or after a while.
fn operations_of(text: &str, rules: &Rules, few: usize) -> u64 {
    let (mut script, mut asked) = (sound(text), 0);
    let mut once = By(|view: &View<'_>, legal: &MoveList| {
        asked += 1;
        let few = if asked < 60 { few } else { few / 2 };
        if legal.len() < few && asked < 90 {
            return Ok(Some(legal.len() - 1));
        }
        script.decide(view, legal).map(|_| None)
    });
    play(rules, &mut once, 0).unwrap_or_else(|fault| panic!("{fault} on {}: {text}", rules.name()));
    script.operations()
}

/// Games of a script that plays out sampled deals, or looks ahead interpreted, are cached and reported one by one.
#[test]
fn scripts_with_playouts_take_their_time() {
    for (name, text) in SHELF {
        assert_eq!(sound(text).is_slow(), ["chooser", "foresight", "sampler"].contains(name), "{name}");
    }
    assert!(!sound("fn score(view, m) { view.after(m).cards }").is_slow(), "it is compiled");
    assert!(sound("fn score(view, m) { view.after(m).moves.len() }").is_slow());
}

/// In playouts compiled code is charged by its time: copies by their length.
#[test]
fn long_lists_count_by_what_is_copied() {
    let [short, long] = [2, 256].map(|length| {
        let text = format!(
            "fn score(view, m) {{ view.playout(0, \"mine\") }}
             fn mine(view, m) {{
                 let a = [];
                 for i in 0..{length} {{ a.push(i); }}
                 for i in 0..400 {{ let b = a; b[1] = i; a = b; }}
                 if m.is_draw {{ 1 }} else {{ 2 }}
             }}"
        );
        operations_of(&text, &rulesets()[0], 0)
    });
    assert!(long > 15_000 && long - 10_000 > 10 * (short - 10_000), "{short} {long}");
}

/// The scripts of the shelf that play out sampled deals stay well within a decision's operations, even with the maximum
/// number of deals.
#[test]
fn the_shelf_plays_deals_on_within_its_budget() {
    let mut most = 0;
    for (name, _) in crate::rules::shelf() {
        let rules = rules_of(name);
        for (player, default, highest) in [
            ("sampler", "param(20, 1..=400)", "400"),
            ("chooser", "param(40, 1..=100)", "100"),
            ("chooser", "param(8, 1..=30)", "30"),
            ("foresight", "param(4, 1..=30)", "30"),
        ] {
            let text = SHELF.iter().find(|(known, _)| *known == player).unwrap().1;
            assert!(text.contains(default), "{player}");
            let text = text.replace(default, highest);
            let took = operations_of(&text, &rules, 6);
            most = most.max(took);
            assert!(took < super::MAX_OPERATIONS / 10 * 9, "{player} on {name}: {took}");
        }
    }
    assert!(most > 50_000, "{most}: nothing was tried");
}
