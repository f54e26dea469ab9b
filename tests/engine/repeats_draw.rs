//! A strategy whose draws are repeated without asking plays the same games as if it were asked.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::engine::support::specs;
use saratoga::cards::Deck;
use saratoga::game::{Game, MoveList, PlayerState, Recorder, SeededChance, View};
use saratoga::lab::GameRunner;
use saratoga::rules::{self, Rules};
use saratoga::strategy::{Greedy, Strategy, StrategyError};

/// How often the player was asked.
static ASKED: AtomicU32 = AtomicU32::new(0);

/// Greedy, counting how often it is asked.
struct Counted;

impl Strategy for Counted {
    fn name(&self) -> &str {
        "counted"
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        ASKED.fetch_add(1, Ordering::Relaxed);
        Greedy.decide(view, legal)
    }

    fn repeats_draw(&self) -> bool {
        Greedy.repeats_draw()
    }
}

#[test]
fn greedy_plays_the_same_games_asked_or_not() {
    let shelf =
        ["canfield", "single-pass", "draw-one", "klondike"].map(|name| rules::load(name).unwrap().rules);
    let random = (0..250).map(|number| Rules::new(specs::numbered(number)).unwrap());
    let mut moves = 0;
    for (number, rules) in shelf.into_iter().chain(random).enumerate() {
        let mut player = GameRunner::new("here", &rules, Box::new(Counted));
        for index in 0..20 {
            let deck = Deck::shuffled(rules.deck_shape(), 3, index);
            let (mut chance, rng) = (SeededChance::new(3, index), PlayerState::new(3, index));
            let (mut game, mut recorder) = (Game::new(&rules), Recorder::new(&rules));
            game.deal_watched(deck.cards(), &mut chance, &mut recorder);
            let always = game.play_out(&mut chance, &mut recorder, |game| {
                moves += 1;
                Greedy.decide(&View::new(game.table(), game.rules(), &rng), game.legal())
            });
            // Without an observer several draws may be made at once.
            assert_eq!(player.play(3, index).unwrap(), always.unwrap(), "ruleset {number}, game {index}");
            let record = player.record(&deck, 3, index).unwrap();
            assert_eq!(record.moves, recorder.moves(), "ruleset {number}, game {index}");
        }
    }
    let asked = ASKED.load(Ordering::Relaxed);
    assert!(
        asked < 2 * moves * 9 / 10,
        "asked {asked} times in two games, and {moves} times in each if always"
    );
}
