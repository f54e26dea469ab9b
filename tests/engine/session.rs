//! A game played by a person: the same as the engine's, with an undo that restores everything visible. A game played by a
//! strategy: the same however it is asked.

use std::sync::atomic::AtomicBool;

use saratoga::cards::{Card, Deck, Purpose, generator, shuffle};
use saratoga::game::{End, Game, PlayerState, Recorder, SeededChance, View};
use saratoga::lab::GameRunner;
use saratoga::players;
use saratoga::rules::Rules;
use saratoga::session::{Asks, Dealt, PERSON, Refusal, ReviewLimits, Seen, Session, State, Watcher};
use saratoga::strategy::{Greedy, Strategy};

use crate::common::specs;
use crate::common::walk::{Whim, deck, shelf};

/// Rulesets of the shelf, and some random ones.
fn rulesets() -> Vec<(String, Rules)> {
    let random = (0..40).map(|i| (format!("random {i}"), Rules::new(specs::numbered(i)).unwrap()));
    shelf().into_iter().map(|(name, rules)| (name.to_string(), rules)).chain(random).collect()
}

fn rules(name: &str) -> Rules {
    saratoga::rules::load(name).unwrap().rules
}

fn json(state: &State) -> String {
    // The number of choices to undo is not part of the position.
    serde_json::to_string(&State { undo: 0, redo: 0, again: None, ..state.clone() }).unwrap()
}

/// Makes a random choice; returns false if the game is over.
fn go_on(session: &mut Session, state: &State, whim: &mut Whim) -> bool {
    match state.asks {
        Asks::Nothing => return false,
        Asks::Stage { .. } => session.answer(whim.below(8) > 0).unwrap(),
        Asks::Move => {
            let liked: Vec<&str> =
                state.moves.iter().filter(|m| m.to == "F" && m.ends.is_none()).map(|m| &*m.word).collect();
            let any: Vec<&str> = state.moves.iter().filter(|m| m.ends.is_none()).map(|m| &*m.word).collect();
            let list = if !liked.is_empty() && whim.below(3) > 0 { liked } else { any };
            match list.len() {
                0 => session.play_to_the_end(&state.moves[0].word).unwrap(),
                n => session.play(list[whim.below(n)]).unwrap(),
            }
        }
    }
    true
}

/// A game by typed words is the engine's game, move by move. Then undo and redo restore every byte, and its records are
/// accepted.
#[test]
fn a_game_by_commands_is_the_game_by_the_engine() {
    for (name, rules) in rulesets() {
        for seed in 0..2 {
            let mut session = Session::new(Dealt::of_seed(&name, rules.clone(), seed, 0));
            let mut whim = Whim::new(seed, 0, 0);
            let mut chance = SeededChance::new(seed, 0);
            let mut game = Game::new(&rules);
            game.deal(deck(&rules, seed).cards(), &mut chance);
            let rng = PlayerState::new(seed, 0);
            let staged = rules.spec().casino.is_staged();
            let reserves = rules.spec().reserve.piles.into();
            let (mut made, mut states) = (0, Vec::new());
            for step in 0..120 {
                let state = session.state();
                states.push(json(&state));
                // The engine's result for the same moves.
                for it in state.made.iter().skip(made).filter(|it| it.stage.is_none() && it.word != "resign")
                {
                    let m = *game.legal().iter().find(|m| m.notation(reserves) == it.word).unwrap();
                    assert_eq!(game.make(m, &mut chance), !it.ended, "{name} {}", it.word);
                }
                made = state.made.len();
                if state.asks == Asks::Move {
                    let moves = game.legal().iter().map(|&m| (m.notation(reserves), game.would_be_barren(m)));
                    let told = state.moves.iter().map(|m| (m.word.clone(), m.ends == Some(End::Barren)));
                    assert!(moves.eq(told), "{name} {seed}");
                    assert_eq!(game.end(), None);
                }
                if !staged {
                    assert_eq!(state.seen, Seen::of(&game.view(&rng), true), "{name} {seed}");
                    assert_eq!(state.over.as_ref().map(|over| over.end), game.end(), "{name} {seed}");
                }
                if step % 20 == 0 {
                    assert_eq!(session.record().check(&rules).err(), None, "{name} {step}");
                }
                if !go_on(&mut session, &state, &mut whim) {
                    break;
                }
            }
            session.go_to(states.len() - 1);
            for (i, state) in states.iter().enumerate().rev() {
                assert_eq!(&json(&session.state()), state, "{name} undo to {i}");
                assert_eq!(session.undo(), i > 0);
            }
            for (i, state) in states.iter().enumerate() {
                assert_eq!(&json(&session.state()), state, "{name} redo to {i}");
                session.redo();
            }
            let record = session.record();
            let outcome = record.check(&rules).unwrap_or_else(|fault| panic!("{name}: {fault}"));
            assert_eq!((&*record.strategy, record.seed, record.cards), (PERSON, Some(seed), outcome.cards));
        }
    }
}

/// Other places of cards that were never seen do not change anything shown.
#[test]
fn nothing_that_is_shown_hangs_on_cards_that_were_not_seen() {
    let mut different = 0;
    for (i, (name, rules)) in rulesets().into_iter().enumerate() {
        // A card that was seen once keeps its place, even if a squared waste or a shuffle hides it again. The chance is
        // that of another game than the deck's, so that neither deck is one of the seed.
        let seed = i as u64;
        let original = deck(&rules, seed);
        let mut session = Session::new(Dealt::given(&name, rules.clone(), original.clone(), seed, 1));
        let mut whim = Whim::new(seed, 0, 0);
        let (mut states, mut choices) = (Vec::new(), Vec::new());
        for _ in 0..25 {
            let state = session.state();
            states.push(json(&state));
            if !go_on(&mut session, &state, &mut whim) {
                break;
            }
            choices = session.choices().collect();
        }
        let shown = states.concat();
        let unseen = |card: &Card| !shown.contains(&format!("\"{card}\""));
        let mut hidden: Vec<Card> = original.cards().iter().copied().filter(unseen).collect();
        let before = hidden.clone();
        shuffle(&mut hidden, &mut generator(seed, 1, Purpose::Strategy));
        let mut next = hidden.iter();
        let other = |card| if unseen(card) { next.next().unwrap() } else { card }.to_string();
        let words: Vec<String> = original.cards().iter().map(other).collect();
        let other = Deck::parse(&words.join(" "), rules.deck_shape()).unwrap();
        different += usize::from(other != original && before != hidden);
        let mut other = Session::new(Dealt::given(&name, rules.clone(), other, seed, 1));
        for (i, state) in states.iter().enumerate() {
            assert_eq!(&json(&other.state()), state, "{name} after {i} of {}", choices.len());
            if let Some(saratoga::session::Choice::Move(m)) = choices.get(i) {
                let word = m.notation(rules.spec().reserve.piles.into());
                other.play_to_the_end(&word).unwrap();
            } else if let Some(choice) = choices.get(i) {
                other.answer(*choice == saratoga::session::Choice::Buy).unwrap();
            }
        }
    }
    assert!(different > 30, "{different}");
}

/// If a pass would only show the same cards again, ending the game: this is announced, and every other legal move can
/// be played. What is not legal is refused with what is.
#[test]
fn an_end_is_foretold_and_not_forced() {
    let mut session = Session::new(Dealt::of_seed("canfield", rules("canfield"), 1, 0));
    let Err(Refusal::Illegal { word, legal }) = session.play("T1>T9x1") else { panic!() };
    assert_eq!(word, "T1>T9x1");
    assert!(legal.iter().eq(session.state().moves.iter().map(|m| &m.word)));
    assert_eq!(session.answer(true), Err(Refusal::NoStage));
    assert!(!session.undo() && !session.redo());
    let turn =
        |state: &State| state.moves.iter().find(|m| ["draw", "redeal"].contains(&&*m.word)).unwrap().clone();
    while turn(&session.state()).ends.is_none() {
        let word = turn(&session.state()).word;
        session.play(&word).unwrap();
    }
    let state = session.state();
    let turn = turn(&state);
    assert_eq!((turn.ends, &*turn.word), (Some(End::Barren), "redeal"));
    let why = turn.why.unwrap();
    assert!(why.contains("same cards again"), "{why}");
    assert_eq!(session.play("redeal"), Err(Refusal::WouldEnd { word: "redeal".into(), why }));
    assert_eq!(session.state(), state);
    session.play_to_the_end("redeal").unwrap();
    let over = session.state().over.unwrap();
    let why = "Another redeal would only show the same cards again.";
    assert_eq!((over.end, &*over.why), (End::Barren, why));
    assert_eq!(session.play("draw"), Err(Refusal::Over(End::Barren)));
    assert!(session.undo());
    assert_eq!(session.state().seen, state.seen);
    // Who gives up there ends it in the same way.
    session.resign().unwrap();
    assert_eq!(session.state().over.unwrap().end, End::Barren);
}

/// A watched strategy plays the same game as alone.
#[test]
fn a_strategy_watched_plays_its_own_game() {
    for (name, rules) in shelf() {
        for strategy in ["greedy", "patient", "random"] {
            let source = players::load(strategy).unwrap();
            let mut player = GameRunner::new(name, &rules, source.instantiate());
            let own = player.record(&Deck::shuffled(rules.deck_shape(), 5, 2), 5, 2).unwrap();
            if strategy == "random" && own.moves.split(' ').count() > 400 {
                continue;
            }
            let mut session = Session::new(Dealt::of_seed(name, rules.clone(), 5, 2));
            let mut watcher = Watcher::new(&source);
            while watcher.step(&mut session).unwrap().is_some() {}
            assert_eq!(session.record(), own, "{name} {strategy}");
            // The record can be replayed to the same position, except for purchases that it does not contain.
            let mut again = Session::of_record(rules.clone(), &own).unwrap();
            while again.redo() {}
            let [own, other] = [&session, &again].map(|it| (it.state().over, it.state().seen.cards));
            assert_eq!(own, other, "{name} {strategy}");
        }
    }
}

/// A strategy that joins its own game in the middle continues as in the original game, and its hints are its moves.
#[test]
fn a_strategy_in_the_middle_of_its_game_has_its_memory() {
    // Every other move depends on a number in memory; and a few are random.
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("counts.rhai");
    let text = "fn choose(view) {\n    memory[3] += 1;\n    let n = view.moves.len;\n    \
                if memory[3] % 5 == 0 { return view.moves[random(view, n)]; }\n    view.moves[memory[3] % n]\n}\n";
    std::fs::write(&script, text).unwrap();
    let rules = self::rules("canfield");
    for name in [script.to_str().unwrap(), "random", "patient"] {
        let source = players::load(name).unwrap();
        let deal = || Session::new(Dealt::of_seed("canfield", rules.clone(), 9, 4));
        let (mut alone, mut beside) = (deal(), deal());
        let mut watcher = Watcher::new(&source);
        for step in 0..40 {
            let hint = alone.hint(&source).unwrap().choice;
            let Some(own) = watcher.step(&mut alone).unwrap() else { break };
            assert_eq!(hint.unwrap_or_else(|| "resign".into()), own.word, "{name} {step}");
            let anew = Watcher::new(&source).step(&mut beside).unwrap().unwrap();
            assert_eq!(anew.word, own.word, "{name} {step}");
        }
        assert!(alone.choices().len() > 20, "{name}");
    }
}

#[test]
fn hints_weigh_every_legal_move() {
    let session = Session::new(Dealt::of_seed("canfield", rules("canfield"), 1, 0));
    let state = session.state();
    let cases = [("greedy", false, false), ("patient", true, false), ("search:level=1", false, true)];
    for (name, scores, expects) in cases {
        let hint = || session.hint(&players::load(name).unwrap()).unwrap();
        assert!(hint().moves.iter().map(|it| &it.word).eq(state.moves.iter().map(|it| &it.word)), "{name}");
        let told =
            hint().moves.iter().map(|it| (it.score.is_some(), it.expected.is_some())).collect::<Vec<_>>();
        assert!(told.iter().all(|told| *told == (scores, expects)), "{name}");
        assert!(state.moves.iter().any(|it| hint().choice.as_ref() == Some(&it.word)), "{name}");
        assert_eq!(hint(), hint(), "{name} again");
    }
}

/// The clairvoyant line is legal and reaches its stated cards. Whoever plays it has lost nothing, nor has a player who
/// gives up at the deal; and if something was lost, the line before that point was still open.
#[test]
fn what_was_possible_can_be_played() {
    let stop = AtomicBool::new(false);
    let limits = ReviewLimits { positions: 3_000, stop: &stop };
    let (mut won, mut lost) = (0, 0);
    for name in ["canfield", "draw-one", "thoughtful", "exorcism-die-game", "selective", "bsd"] {
        let rules = self::rules(name);
        for game in 0..4 {
            let mut own = Session::new(Dealt::of_seed(name, rules.clone(), 11, game));
            let best = own.best_line(limits).unwrap();
            assert!(best.cards <= best.cards_at_most, "{name} {game}");
            let mut line = own.follow(&best);
            let mut most = line.state().seen.cards;
            while line.redo() {
                most = most.max(line.state().seen.cards);
            }
            assert_eq!(most, best.cards, "{name} {game}");
            won += usize::from(best.winnable == Some(true));
            let nothing = line.lost_at(limits).unwrap();
            assert_eq!((nothing.cards, nothing.lost_after), (best.cards, None), "{name} {game}");

            let mut watcher = Watcher::new(&players::load("greedy").unwrap());
            while watcher.step(&mut own).unwrap().is_some() {}
            let found = own.lost_at(limits).unwrap();
            let cards = own.state().seen.cards;
            assert_eq!(found.cards, best.cards);
            assert!(cards < best.cards || found.lost_after.is_none(), "{name} {game}: {found:?}");
            if let Some(after) = found.lost_after {
                assert!(found.reachable_after < after && after <= found.moves, "{name} {game}: {found:?}");
                assert_eq!(found.by.is_some(), after == found.reachable_after + 1);
                lost += 1;
            }
        }
    }
    assert!(won > 2 && lost > 2, "{won} {lost}");
    let rules = self::rules("exorcism-die-draw");
    let dice = Session::new(Dealt::of_seed("exorcism-die-draw", rules, 1, 0));
    assert!(dice.best_line(limits).is_err() && dice.lost_at(limits).is_err());
}

/// A strategy whose draws are repeated without asking plays the same games as if it were asked.
#[test]
fn greedy_plays_the_same_games_asked_or_not() {
    let shelf = ["canfield", "single-pass", "draw-one", "klondike"].map(self::rules);
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
