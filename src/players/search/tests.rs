//! The player sees nothing hidden, plays the same whatever it played before, and plays every ruleset to the end.

use crate::cards::{Deck, Purpose, below, generator, shuffle};
use crate::game::{Game, MoveList, SeededChance, StrategyRng, Table, View};
use crate::players::load;
use crate::rules::{self, Rules};
use crate::strategy::Strategy;

fn shelf() -> Vec<Rules> {
    rules::shelf().iter().map(|(name, _)| rules::load(name).unwrap().rules).collect()
}

fn quick() -> Box<dyn Strategy> {
    load("search:worlds=2,judged=3,nodes=30,ways=20").unwrap().instantiate()
}

/// Plays a game; its moves as indices, and what it came to.
fn play(rules: &Rules, player: &mut dyn Strategy, number: u64) -> (Vec<usize>, usize) {
    let mut game = Game::new(rules);
    let deck = Deck::shuffled(rules.deck_shape(), 5, number);
    let rng = StrategyRng::new(5, number);
    let mut chance = SeededChance::new(5, number);
    game.deal(deck.cards(), &mut chance);
    let mut made = Vec::new();
    let outcome = game.play_out(&mut chance, &mut (), |game| {
        let chosen = player.decide(&game.view(&rng), game.legal())?;
        made.push(chosen.map_or(999, |index| index));
        Ok::<_, crate::strategy::StrategyError>(chosen)
    });
    (made, usize::from(outcome.unwrap().cards))
}

#[test]
fn every_ruleset_is_played_the_same_whatever_was_played_before() {
    for rules in shelf() {
        let mut kept = quick();
        let first = play(&rules, &mut *kept, 0);
        play(&rules, &mut *kept, 1);
        assert_eq!(play(&rules, &mut *kept, 0), first, "{}", rules.name());
        assert_eq!(play(&rules, &mut *quick(), 0), first, "{}", rules.name());
    }
}

/// Decisions at positions of random play do not change with the order of the cards that are not known.
#[test]
fn decisions_do_not_depend_on_hidden_cards() {
    let asked_of_each = if std::env::var_os("SARATOGA_FULL").is_some() { 2_500 } else { 12 };
    let (mut asked, mut differed) = (0, 0);
    for rules in shelf() {
        let mut rng = generator(7, 7, Purpose::Strategy);
        let mut of_these = 0;
        for game in 0.. {
            let mut chance = SeededChance::new(9, game);
            let deck = Deck::shuffled(rules.deck_shape(), 9, game);
            let mut table = Table::deal(&rules, deck.cards(), &mut chance);
            for _ in 0..60 {
                let mut legal = MoveList::new();
                table.legal_moves(&rules, &mut legal);
                if legal.is_empty() {
                    break;
                }
                if below(&mut rng, 3) == 0 {
                    let stream = StrategyRng::new(1, 1);
                    let other =
                        View::new(&table, &rules, &stream).with_unknown(|cards| shuffle(cards, &mut rng));
                    let decide =
                        |table: &Table| quick().decide(&View::new(table, &rules, &stream), &legal).unwrap();
                    assert_eq!(decide(&table), decide(&other), "{} game {game}", rules.name());
                    differed += u32::from(other.stock() != table.stock());
                    of_these += 1;
                }
                table.apply(&rules, legal[below(&mut rng, legal.len() as u32) as usize], &mut chance);
            }
            if of_these >= asked_of_each {
                break;
            }
        }
        asked += of_these;
    }
    println!("{asked} decisions, the hidden stock in another order in {differed}");
    assert!(differed > asked / 8);
}

/// It wins far more than the yardstick, on deals that nothing was tuned on.
#[test]
fn it_beats_the_yardstick() {
    let rules = rules::load("canfield").unwrap().rules;
    let mut greedy = load("greedy").unwrap().instantiate();
    let mut search = load("search:level=1").unwrap().instantiate();
    let cards =
        |player: &mut dyn Strategy| (0..30).map(|game| play(&rules, player, 1_000 + game).1).sum::<usize>();
    let (greedy, search) = (cards(&mut *greedy), cards(&mut *search));
    assert!(search > greedy + 200, "{search} to {greedy} cards in 30 games");
}

#[test]
fn settings_are_read_and_refused() {
    for good in [
        "search",
        "search:level=5",
        "search:worlds=12,judged=30,nodes=1000,policy=patient",
        "search:goal=win",
    ] {
        assert_eq!(load(good).unwrap().instantiate().name(), good);
    }
    let said = |name: &str| load(name).unwrap_err().to_string();
    for (bad, words) in [
        ("search:level=0", "`level` cannot be `0`; it is a whole number from 1 to 5"),
        ("search:nodes=0", "a whole number from 1 to"),
        ("search:nodes=99999999999999999999", "a whole number from 1 to"),
        ("search:goal=fame", "it is cards, win or money"),
        ("search:speed=3", "no setting `speed`"),
        ("search:worlds=2,worlds=3", "`worlds` is set twice"),
        ("search:policy=nobody", "there is no strategy `nobody`"),
        ("search:policy=search", "cannot be `search`"),
    ] {
        assert!(said(bad).contains(words), "{bad}: {}", said(bad));
    }
}
