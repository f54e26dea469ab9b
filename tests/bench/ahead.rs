//! Benchmarks of scripts that look ahead.

use std::rc::Rc;
use std::sync::Arc;

use saratoga::cards::Deck;
use saratoga::diagnostic::SourceText;
use saratoga::game::{Game, Lookahead, Move, MoveList, NoChance, PlayerState, Policy, Snapshot, View};
use saratoga::rules::Rules;
use saratoga::strategy::script::Script;
use saratoga::strategy::{Greedy, Strategy, StrategyError};

/// A script that looks one move ahead for cards, and otherwise plays like `greedy`.
pub const ONE_PLY: &str = "fn score(view, m) { view.after(m).cards * 100 + rank(m) }
fn rank(m) {
    if m.to_foundation { return 60; }
    if m.from_reserve { return 50; }
    if m.from_tableau { return if m.empties_pile { 40 } else { 0 }; }
    if m.from_waste { return 30; }
    if m.is_draw { 20 } else { 10 }
}";

/// Number of sampled deals that the script below plays out per game.
pub const PLAYOUTS: u64 = 200;
/// A script that plays out sampled deals of the first position, and resigns.
pub const PLAYS_ON: &str =
    "fn choose(view) { let n = 0; for k in 0..200 { n += view.playout(k, \"greedy\"); } () }";

struct GreedyPolicy;

impl Policy for GreedyPolicy {
    type Error = StrategyError;

    #[inline(always)]
    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        Greedy.decide(view, legal)
    }

    fn repeats_draw(&self) -> bool {
        Greedy.repeats_draw()
    }
}

/// The same without a script: plays out sampled deals of the first position of these games.
pub fn plays_on(rules: &Rules, first: u64, games: u64) -> usize {
    let (mut game, mut desk, mut cards) = (Game::new(rules), Snapshot::default(), 0);
    for number in first..first + games {
        game.deal(Deck::shuffled(rules.deck_shape(), 1, number).cards(), &mut NoChance);
        let rng = PlayerState::new(1, number);
        desk.take(&game.view(&rng), game.legal());
        let Some(origin) = desk.origin() else { continue };
        cards += (0..PLAYOUTS)
            .filter_map(|k| desk.play(&origin, k, false, &mut GreedyPolicy).ok())
            .map(|(cards, _)| cards)
            .sum::<usize>();
    }
    cards
}

pub fn written(text: &str) -> Box<dyn Strategy> {
    let source = Arc::new(SourceText { name: "bench.rhai".into(), text: text.into() });
    Box::new(Script::new("bench", &source).expect("the script is sound"))
}

/// Plays games of `greedy`; returns their decks and moves.
pub fn played(rules: &Rules, games: u64) -> Vec<(Deck, Vec<Move>)> {
    let play = |number| {
        let deck = Deck::shuffled(rules.deck_shape(), 1, number);
        let (mut game, mut moves, rng) = (Game::new(rules), Vec::new(), PlayerState::new(1, number));
        game.deal(deck.cards(), &mut NoChance);
        while game.end().is_none() {
            let Ok(Some(chosen)) = Greedy.decide(&game.view(&rng), game.legal()) else { break };
            let Some(m) = game.legal().nth(chosen) else { break };
            if !game.make(m, &mut NoChance) {
                break;
            }
            moves.push(m);
        }
        (deck, moves)
    };
    (0..games).map(play).collect()
}

/// Returns every position of these games as a lookahead position, with the move made there.
pub fn thought_of(rules: &Rules, played: &[(Deck, Vec<Move>)]) -> Vec<(Rc<Lookahead>, Move)> {
    let (mut all, mut desk) = (Vec::new(), Snapshot::default());
    for (number, (deck, moves)) in (0..).zip(played) {
        let (mut game, rng) = (Game::new(rules), PlayerState::new(1, number));
        game.deal(deck.cards(), &mut NoChance);
        for &m in moves {
            desk.take(&game.view(&rng), game.legal());
            all.extend(desk.origin().map(|origin| (origin, m)));
            game.make(m, &mut NoChance);
        }
    }
    all
}
