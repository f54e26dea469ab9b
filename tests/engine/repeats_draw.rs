//! A strategy whose draws are repeated without asking plays the same games as if it were asked.

use std::convert::Infallible;

use crate::support::specs;
use saratoga::cards::Deck;
use saratoga::game::{Agent, Game, Outcome, PlayerState, Recorder, SeededChance, View};
use saratoga::rules::{self, Rules};
use saratoga::strategy::{Greedy, Strategy};

/// Greedy, counting how often it is asked, and optionally asked every time.
struct Counted<'a> {
    rng: &'a PlayerState,
    repeats_draw: bool,
    asked: u32,
}

impl<'r> Agent<'r, Infallible> for Counted<'_> {
    fn decide(&mut self, game: &Game<'r>) -> Result<Option<usize>, Infallible> {
        self.asked += 1;
        let view = View::new(game.table(), game.rules(), self.rng);
        Ok(Greedy.decide(&view, game.legal()).unwrap())
    }

    fn repeats_draw(&self) -> bool {
        self.repeats_draw && Greedy.repeats_draw()
    }
}

/// Returns how often it was asked, the record's moves and the outcome of one game of `greedy`.
fn played(rules: &Rules, seed: u64, index: u64, repeats_draw: bool) -> (u32, String, Outcome) {
    let deck = Deck::shuffled(rules.deck_shape(), seed, index);
    let mut chance = SeededChance::new(seed, index);
    let rng = PlayerState::new(seed, index);
    let (mut game, mut recorder) = (Game::new(rules), Recorder::new(rules));
    let mut greedy = Counted { rng: &rng, repeats_draw, asked: 0 };
    game.deal_watched(deck.cards(), &mut chance, &mut recorder);
    let Ok(outcome) = game.play_on(&mut chance, &mut recorder, &mut greedy);
    (greedy.asked, recorder.moves(), outcome)
}

/// The same without an observer, when several draws may be made at once.
fn unwatched(rules: &Rules, seed: u64, index: u64) -> Outcome {
    let deck = Deck::shuffled(rules.deck_shape(), seed, index);
    let mut chance = SeededChance::new(seed, index);
    let rng = PlayerState::new(seed, index);
    let mut game = Game::new(rules);
    game.deal(deck.cards(), &mut chance);
    let Ok(outcome) =
        game.play_on(&mut chance, &mut (), &mut Counted { rng: &rng, repeats_draw: true, asked: 0 });
    outcome
}

#[test]
fn greedy_plays_the_same_games_asked_or_not() {
    let shelf =
        ["canfield", "single-pass", "draw-one", "klondike"].map(|name| rules::load(name).unwrap().rules);
    let random = (0..250).map(|number| Rules::new(specs::numbered(number)).unwrap());
    let (mut asked, mut asked_always) = (0, 0);
    for (number, rules) in shelf.into_iter().chain(random).enumerate() {
        for index in 0..20 {
            let on = played(&rules, 3, index, true);
            let always = played(&rules, 3, index, false);
            let place = format!("ruleset {number}, game {index}");
            assert_eq!(on.1, always.1, "{place}");
            assert_eq!(on.2, always.2, "{place}");
            assert_eq!(unwatched(&rules, 3, index), always.2, "{place}");
            asked += on.0;
            asked_always += always.0;
        }
    }
    assert!(asked < asked_always * 9 / 10, "asked {asked} times, and {asked_always} times if always");
}
