//! A strategy whose draws are repeated without asking plays the same games as if it were asked.

use std::convert::Infallible;

use crate::engine::support::specs;
use saratoga::cards::Deck;
use saratoga::game::{Agent, Game, Observer, Outcome, PlayerState, Recorder, SeededChance, View};
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

/// Returns how often it was asked and the outcome of one game of `greedy`. Without an observer several draws may be
/// made at once.
fn played(rules: &Rules, index: u64, repeats_draw: bool, observer: &mut impl Observer) -> (u32, Outcome) {
    let deck = Deck::shuffled(rules.deck_shape(), 3, index);
    let (mut chance, rng) = (SeededChance::new(3, index), PlayerState::new(3, index));
    let mut game = Game::new(rules);
    let mut greedy = Counted { rng: &rng, repeats_draw, asked: 0 };
    game.deal_watched(deck.cards(), &mut chance, observer);
    let Ok(outcome) = game.play_on(&mut chance, observer, &mut greedy);
    (greedy.asked, outcome)
}

#[test]
fn greedy_plays_the_same_games_asked_or_not() {
    let shelf =
        ["canfield", "single-pass", "draw-one", "klondike"].map(|name| rules::load(name).unwrap().rules);
    let random = (0..250).map(|number| Rules::new(specs::numbered(number)).unwrap());
    let (mut asked, mut asked_always) = (0, 0);
    for (number, rules) in shelf.into_iter().chain(random).enumerate() {
        for index in 0..20 {
            let mut records = [Recorder::new(&rules), Recorder::new(&rules)];
            let on = played(&rules, index, true, &mut records[0]);
            let always = played(&rules, index, false, &mut records[1]);
            let place = format!("ruleset {number}, game {index}");
            assert_eq!(records[0].moves(), records[1].moves(), "{place}");
            assert_eq!(on.1, always.1, "{place}");
            assert_eq!(played(&rules, index, true, &mut ()).1, always.1, "{place}");
            asked += on.0;
            asked_always += always.0;
        }
    }
    assert!(asked < asked_always * 9 / 10, "asked {asked} times, and {asked_always} times if always");
}
