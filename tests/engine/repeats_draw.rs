//! A strategy whose draws are repeated without asking plays the same games as if it were asked.

use crate::engine::support::specs;
use saratoga::cards::Deck;
use saratoga::game::{Game, PlayerState, Recorder, SeededChance, View};
use saratoga::lab::GameRunner;
use saratoga::rules::{self, Rules};
use saratoga::strategy::{Greedy, Strategy};

#[test]
fn greedy_plays_the_same_games_asked_or_not() {
    let shelf =
        ["canfield", "single-pass", "draw-one", "klondike"].map(|name| rules::load(name).unwrap().rules);
    let random = (0..250).map(|number| Rules::new(specs::numbered(number)).unwrap());
    for (number, rules) in shelf.into_iter().chain(random).enumerate() {
        let mut player = GameRunner::new("here", &rules, Box::new(Greedy));
        for index in 0..20 {
            let deck = Deck::shuffled(rules.deck_shape(), 3, index);
            let (mut chance, rng) = (SeededChance::new(3, index), PlayerState::new(3, index));
            let (mut game, mut recorder) = (Game::new(&rules), Recorder::new(&rules));
            game.deal_watched(deck.cards(), &mut chance, &mut recorder);
            let always = game.play_out(&mut chance, &mut recorder, |game| {
                Greedy.decide(&View::new(game.table(), game.rules(), &rng), game.legal())
            });
            assert_eq!(player.play(3, index).unwrap(), always.unwrap(), "ruleset {number}, game {index}");
            let record = player.record(&deck, 3, index).unwrap();
            assert_eq!(record.moves, recorder.moves(), "ruleset {number}, game {index}");
        }
    }
}
