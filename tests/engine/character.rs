//! `character` counts moves, choices and passes as replaying the records of its games in the plain implementation does.

use std::collections::BTreeSet;

use crate::engine::plain::PlainGame;
use saratoga::cards::Deck;
use saratoga::game::NoChance;
use saratoga::lab::{Characterizing, GameRunner, LEAST_DEALS, Pace, Workers, characterize};
use saratoga::players::load;
use saratoga::rules;

use crate::common::play::NEVER;

/// What a person would count in a game: moves, draws, passes, minutes, share of positions with a choice, different moves in
/// a position, and the longest stretch without a choice.
fn count(game: &mut PlainGame, spec: &rules::Spec, words: &str) -> [f64; 7] {
    let (mut seconds, mut choices, mut different, mut stretch, mut longest) = (45.0, 0, 0, 0, 0);
    let words: Vec<&str> = words.split(' ').collect();
    for word in &words {
        let legal = game.legal(spec);
        let after: BTreeSet<String> = legal.iter().map(|m| open_cards(game, spec, m)).collect();
        different += after.len();
        stretch = if after.len() > 1 { 0 } else { stretch + 1 };
        longest = longest.max(stretch);
        choices += usize::from(after.len() > 1);
        seconds += if legal.len() > 1 { 2.0 } else { 0.0 };
        seconds += match *word {
            "redeal" => 4.0,
            word if word.ends_with(">F") => 1.5,
            _ => 2.0,
        };
        game.play(spec, word, &mut NoChance);
    }
    let n = words.len() as f64;
    let draws = words.iter().filter(|word| **word == "draw").count() as f64;
    [
        n,
        draws,
        f64::from(game.pass),
        seconds / 60.0,
        choices as f64 / n,
        different as f64 / n,
        f64::from(longest),
    ]
}

/// Writes what lies open after a move, with the piles in any order.
fn open_cards(game: &PlainGame, spec: &rules::Spec, word: &str) -> String {
    let mut after = game.clone();
    after.play(spec, word, &mut NoChance);
    let mut piles: Vec<String> = after
        .piles
        .iter()
        .map(|pile| {
            pile.iter().map(|(card, up)| if *up { card.to_card().to_string() } else { "#".into() }).collect()
        })
        .collect();
    piles.sort();
    let reserves: Vec<usize> = after.reserves.iter().map(Vec::len).collect();
    let up: Vec<usize> = after.foundations.iter().map(Vec::len).collect();
    format!("{piles:?} {reserves:?} {up:?} {:?} {} {}", after.waste, after.stock.len(), after.redeals_used)
}

#[test]
fn character_counts_what_replaying_its_games_does() {
    for name in ["canfield", "klondike"] {
        let loaded = rules::load(name).unwrap();
        let (rules, spec) = (&loaded.rules, loaded.rules.spec());
        let sources = ["random", "greedy"].map(|player| load(player).unwrap());
        let makers: Vec<_> = sources.iter().map(|it| move || it.instantiate()).collect();
        let asked = Characterizing {
            rules: vec![(name, &loaded)],
            players: sources.iter().map(|it| it.name()).zip(makers.iter().map(|it| it as _)).collect(),
            beginner: 0,
            examined: 0,
            seed: 5,
            deals: LEAST_DEALS,
            judged: 0,
            matter: 1.0,
            nodes: 1,
            pace: Pace::load(None).unwrap(),
            workers: Workers::new(2),
        };
        let found = characterize(&asked, &NEVER, &mut |_, _| {}).unwrap();
        for (source, player) in sources.iter().zip(&found.rulesets[0].players) {
            let mut runner = GameRunner::new(name, rules, source.instantiate());
            let mut sums = [0.0; 7];
            for game in 0..LEAST_DEALS {
                let deck = Deck::shuffled(rules.deck_shape(), 5, game);
                let record = runner.record(&deck, 5, game).unwrap();
                let mut plain = PlainGame::deal(spec, deck.cards(), &mut NoChance);
                let counted = count(&mut plain, spec, &record.moves);
                sums.iter_mut().zip(counted).for_each(|(sum, of)| *sum += of);
            }
            let told = [
                player.moves.mean.value,
                player.draws.mean.value,
                player.passes.mean.value,
                player.minutes.mean.value,
                player.choices.value,
                player.branching.value,
                player.forced.mean.value,
            ];
            for (told, sum) in told.into_iter().zip(sums) {
                assert!(
                    (told - sum / LEAST_DEALS as f64).abs() < 1e-9,
                    "{name}, {}: {told:?} {sums:?}",
                    source.name()
                );
            }
        }
    }
}
