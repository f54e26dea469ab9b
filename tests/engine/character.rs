//! `character` counts moves, choices and passes as replaying the records of its games in the plain implementation does, and
//! its hope and skill are those of trying everything on a small pack.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::engine::plain::PlainGame;
use crate::engine::plain::ends::whole_position;
use crate::engine::support::{spec, specs::small};
use saratoga::cards::{Deck, Pack};
use saratoga::game::{End, NoChance};
use saratoga::lab::{Character, Characterizing, GameRunner, LEAST_DEALS, Pace, Workers, characterize};
use saratoga::players::load;
use saratoga::rules;
use saratoga::strategy::StrategySource;

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

/// Plays `random` and `greedy`, of whom `random` is examined.
fn characterized(loaded: &rules::Loaded, sources: &[StrategySource; 2], nodes: u64) -> Character {
    let asked = Characterizing {
        rules: vec![(&loaded.id, loaded)],
        players: sources.iter().map(|it| (it.name(), it as _)).collect(),
        beginner: 0,
        examined: 0,
        seed: 5,
        deals: LEAST_DEALS,
        judged: 0,
        matter: 1.0,
        nodes,
        pace: Pace::load(None).unwrap(),
        workers: Workers::new(2),
    };
    characterize(&asked, &mut |_, _| {}).unwrap().rulesets.remove(0)
}

/// Returns the most cards that can go up, by trying everything.
fn most(spec: &rules::Spec, game: &PlainGame) -> usize {
    let (mut seen, mut open, mut most) = (HashSet::new(), vec![game.clone()], 0);
    while let Some(game) = open.pop() {
        if !seen.insert(whole_position(spec, &game)) {
            continue;
        }
        most = most.max(game.cards_on_foundations());
        for word in game.legal(spec) {
            let mut next = game.clone();
            next.play(spec, &word, &mut NoChance);
            open.push(next);
        }
    }
    most
}

/// Returns the number of different moves that still win, and whether there are others.
fn winning_ways(spec: &rules::Spec, game: &PlainGame) -> (usize, bool) {
    let different: BTreeMap<String, String> =
        game.legal(spec).into_iter().map(|word| (open_cards(game, spec, &word), word)).collect();
    let wins = |word: &&String| {
        let mut next = game.clone();
        next.play(spec, word, &mut NoChance);
        most(spec, &next) == spec.cards()
    };
    let winning = different.values().filter(wins).count();
    (winning, winning < different.len())
}

#[test]
fn hope_and_skill_are_those_of_trying_everything() {
    let text = small(spec("canfield"), Pack { ranks: 5, suits: 2 }).to_toml();
    let loaded = rules::parse_text("small.toml", &text).unwrap();
    let (rules, spec) = (&loaded.rules, loaded.rules.spec());
    let sources = ["random", "greedy"].map(|player| load(player).unwrap());
    let found = characterized(&loaded, &sources, 1_000_000);
    let mut runners = sources.each_ref().map(|it| GameRunner::new("small", rules, it.instantiate()));
    let (mut won, mut closely) = (0.0, 0.0);
    let (mut lost, mut places, mut after, mut single, mut gains) = (0.0, vec![], vec![], 0.0, [0.0; 2]);
    for number in 0..LEAST_DEALS {
        let deck = Deck::shuffled(rules.deck_shape(), 5, number);
        let deal = PlainGame::deal(spec, deck.cards(), &mut NoChance);
        let [random, greedy] = runners.each_mut().map(|it| it.record(&deck, 5, number).unwrap());
        let best = most(spec, &deal);
        gains[0] += f64::from(greedy.cards) - f64::from(random.cards);
        gains[1] += best as f64 - f64::from(random.cards);
        if best < spec.cards() {
            lost += 1.0;
            continue;
        }
        let words: Vec<&str> = random.moves.split(' ').collect();
        if random.end == End::Won {
            won += 1.0;
            let mut game = deal;
            let close = words.iter().any(|word| {
                let ways = winning_ways(spec, &game);
                game.play(spec, word, &mut NoChance);
                ways == (1, true)
            });
            closely += f64::from(u8::from(close));
            continue;
        }
        let (mut game, mut last) = (deal, None);
        for (i, word) in words.iter().enumerate() {
            let before = game.clone();
            game.play(spec, word, &mut NoChance);
            if most(spec, &game) < spec.cards() {
                last = Some((i, before));
                break;
            }
        }
        let n = words.len() as f64;
        let Some((i, before)) = last else {
            places.push(1.0);
            continue;
        };
        places.push(i as f64 / n);
        after.push(n - i as f64 - 1.0);
        single += f64::from(u8::from(winning_ways(spec, &before).0 == 1));
    }
    let hope = found.hope.unwrap();
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    assert!(after.len() > 5 && lost > 3.0, "{} games lost on the way, {lost} from the deal", after.len());
    let told = [
        (hope.lost_from_deal.least, lost / LEAST_DEALS as f64),
        (hope.lost_games as f64, places.len() as f64),
        (hope.lost_at.unwrap().least, mean(&places)),
        (hope.moves_after.unwrap().value, mean(&after)),
        (hope.one_move.unwrap().least, single / after.len() as f64),
        (hope.won_games as f64, won),
        (hope.close_calls.unwrap().least, closely / won),
        (found.skill.cards.unwrap().least, gains[0] / gains[1]),
    ];
    assert!(told.iter().all(|(told, right)| (told - right).abs() < 1e-9), "{told:?}");
}

#[test]
fn character_counts_what_replaying_its_games_does() {
    for name in ["canfield", "klondike"] {
        let loaded = rules::load(name).unwrap();
        let (rules, spec) = (&loaded.rules, loaded.rules.spec());
        let sources = ["random", "greedy"].map(|player| load(player).unwrap());
        let found = characterized(&loaded, &sources, 1);
        for (source, player) in sources.iter().zip(&found.players) {
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
                player.moves.mean,
                player.draws.mean,
                player.passes.mean,
                player.minutes.mean,
                player.choices.value,
                player.branching.value,
                player.forced.mean,
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
