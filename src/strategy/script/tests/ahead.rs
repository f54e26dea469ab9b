//! Scripts that look ahead: nothing hidden leaks, nothing outlives its decision, and all of it stays within the budget.

use super::*;
use crate::game::NoChance;

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

#[test]
fn nothing_hidden_is_seen_by_looking_ahead() {
    for rules in rulesets() {
        for game in 0..2 {
            let strategy = || Box::new(sound(LOOKS));
            let mut leaks = Leaks { rules: &rules, strategy: strategy(), game, asked: 0 };
            let mut short = Short { player: &mut *strategy(), left: 40 };
            watch(&rules, &mut short, game, &mut leaks).unwrap();
            assert!(leaks.asked > 0);
        }
    }
}

#[test]
fn a_game_is_the_same_whatever_was_played_before() {
    let rules = &rulesets()[0];
    let mut script = sound(LOOKS);
    let mut at = |game| play(rules, &mut Short { player: &mut sound(LOOKS), left: 30 }, game);
    let fresh: Vec<_> = (0..3).map(&mut at).collect();
    for game in [2, 0, 1, 1] {
        let mut short = Short { player: &mut script, left: 30 };
        assert_eq!(play(rules, &mut short, game), fresh[game as usize], "game {game}");
    }
}

#[test]
fn a_function_plays_out_as_the_strategy_it_is() {
    let rules = &rulesets()[0];
    let text = r#"
        fn score(view, m) {
            for k in 0..3 {
                let native = view.playout(k, "greedy");
                if view.playout(k, "mine") != native { throw `scored: ${k}`; }
                if view.playout(k, "chosen") != native { throw `chosen: ${k}`; }
                if view.sample(k).playout(0, "greedy") != native { throw `sampled: ${k}`; }
            }
            if m.is_draw { 0 } else { 1 }
        }
        fn mine(view, m) {
            if m.to_foundation { 9 }
            else if m.from_reserve { 8 }
            else if m.from_tableau { if m.empties_pile && !m.to_space && view.reserve_left > 0 { 7 } else { -1 } }
            else if m.from_waste { 6 } else if m.is_draw { 5 } else { 4 }
        }
        fn chosen(view) {
            let (best, high) = (0, -1);
        }
    "#;
    let text = text.replace(
        "let (best, high) = (0, -1);",
        "let best = (); let high = -1;
         for m in view.moves { let s = mine(view, m); if s > high { high = s; best = m; } }
         best",
    );
    let mut script = sound(&text);
    for game in 0..2 {
        play(rules, &mut Short { player: &mut script, left: 8 }, game).unwrap();
    }
}

/// A script that always chooses like another strategy plays its game; so does a function of the script, in either form.
#[test]
fn a_choice_is_the_move_of_the_strategy() {
    for rules in rulesets() {
        for name in ["greedy", "patient", "hoarder", "reserve-first", "racer", "tunable:late=2"] {
            let mut asks = sound(&format!("fn choose(view) {{ view.choice(\"{name}\") }}"));
            let mut itself = crate::strategy::load(name).unwrap().instantiate();
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
    let rules = crate::rules::load("double-canfield").unwrap().rules;
    let mut asks = sound("fn choose(view) { view.choice(\"beginner\") }");
    let mut itself = crate::strategy::load("greedy:slip=50").unwrap().instantiate();
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

#[test]
fn a_choice_is_one_of_a_view_in_which_nothing_is_missing() {
    let rules = &rulesets()[0];
    let text = "fn choose(view) {
            let deal = view.sample(1);
            for i in 0..9 {
                let m = deal.choice(\"greedy\");
                if deal.ended || m == () { break; }
                if !deal.moves.contains(m) { throw `${i}: ${m}`; }
                deal = deal.after(m);
            }
            view.choice(\"greedy\")
        }";
    play(rules, &mut Short { player: &mut sound(text), left: 20 }, 1).unwrap();
    for (text, wanted) in [
        ("view.after(m).choice(\"greedy\").count", "`choice` was asked of a view after a move"),
        ("view.choice(\"asks\").count", "`choice` was called by a player that another script asked"),
    ] {
        let text = format!("fn score(view, m) {{ {text} }} fn asks(view) {{ view.choice(\"greedy\") }}");
        let fault = play(rules, &mut sound(&text), 0).unwrap_err().to_string();
        assert!(fault.contains(wanted), "{fault}");
    }
}

/// Kinds of patrons play like the strategies that they represent, errors included; compiled and native errors are the
/// same.
#[test]
fn kinds_of_patrons_play_sampled_deals_on() {
    let text = r#"
        fn score(view, m) {
            for k in 0..3 {
                for pair in [["expert", "patient"], ["beginner", "greedy:slip=50"], ["ordinary", "greedy:slip=20"],
                             ["patient:slip=0", "patient"], ["tunable:slip=30", "greedy:slip=30"]] {
                    if view.playout(k, pair[0]) != view.playout(k, pair[1]) { throw `${k}: ${pair}`; }
                }
            }
            if m.is_draw { 0 } else { 1 }
        }"#;
    play(&rulesets()[0], &mut Short { player: &mut sound(text), left: 8 }, 0).unwrap();
    let parts = text.replace("\"ordinary\", \"greedy:slip=20\"", "\"ordinary\", \"patient:slip=20\"");
    let klondike = crate::rules::load("klondike").unwrap().rules;
    play(&klondike, &mut Short { player: &mut sound(&parts), left: 8 }, 0).unwrap();
}

/// A move of a view is a move of each deal sampled from it, and leads to the same position as sampling after it.
#[test]
fn a_move_of_the_view_is_one_of_its_samples() {
    let text = "fn worth(v) { let s = v.cards; for p in 1..=v.piles { if v.pile_top(p) != () { s = s * 7 % 100003 + v.pile_top(p).bit % 9973; } } s + v.stock_left }
        fn face(view) { 1 + view.faces / 2 }
        fn score(view, m) {
            for k in 0..2 {
                let one = view.sample(k);
                let a = if m.rolls { one.after_roll(m, face(view)) } else { one.after(m) };
                let own = one.moves[0];
                for o in one.moves { if `${o}` == `${m}` { own = o; } }
                let b = if m.rolls { one.after_roll(own, face(view)) } else { one.after(own) };
                let c = if m.rolls { view.after_roll(m, face(view)).sample(k) } else { view.after(m).sample(k) };
                if worth(a) != worth(b) || (!c.ended && worth(a) != worth(c)) { throw `${m}: ${worth(a)} ${worth(b)} ${worth(c)}`; }
            }
            if m.is_draw { 1 } else { 2 }
        }";
    for rules in rulesets() {
        let mut short = Short { player: &mut sound(text), left: 25 };
        play(&rules, &mut short, 2).unwrap();
    }
    for wrong in [
        "view.after(m).after(m)",
        "view.sample(0).after(m).after(m)",
        "view.sample(0).after(view.after(m).moves[0])",
    ] {
        let fault = play(&rulesets()[0], &mut sound(&format!("fn score(view, m) {{ {wrong}.cards }}")), 0);
        assert!(fault.unwrap_err().to_string().contains("a move of another view"), "{wrong}");
    }
}

/// The player's own table as others see it, in a view after a move: the move is made, and a card that turns up is
/// unknown.
#[test]
fn the_own_seat_of_a_view_is_as_it_is_there() {
    let text = "fn score(view, m) {
            if m.rolls { return 1; }
            let next = view.after(m);
            let seat = next.at(next.seat);
            if seat.reserve_top != next.reserve_top { throw `reserve of ${m}`; }
            if seat.waste_top != next.waste_top { throw `waste of ${m}`; }
            if seat.cards != next.cards || seat.spaces != next.spaces { throw `counts of ${m}`; }
            for p in 1..=next.piles {
                if seat.pile_len(p) != next.pile_len(p) { throw `length of ${p} after ${m}`; }
                if seat.pile_top(p) != next.pile_top(p) { throw `top of ${p} after ${m}`; }
                for i in 0..next.pile_len(p) { if seat.pile(p, i) != next.pile(p, i) { throw `pile ${p} after ${m}`; } }
            }
            if m.is_draw { 1 } else { 2 }
        }";
    for rules in rulesets() {
        let mut short = Short { player: &mut sound(text), left: 40 };
        play(&rules, &mut short, 1).unwrap();
    }
}

#[test]
fn views_move_on_and_the_first_one_stays() {
    let rules = &rulesets()[0];
    let mut script = sound(
        "fn score(view, m) {
            let before = view.cards;
            let first = view;
            view = view.after(m);
            if first.cards != before || view.cards != before + if m.to_foundation { 1 } else { 0 } { throw 1; }
            if view.moves.contains(m) { throw 2; }
            m = view;
            first.moves.len()
        }",
    );
    for game in 0..5 {
        play(rules, &mut script, game).unwrap();
    }
}

#[test]
fn hostile_scripts_end_within_their_budget() {
    let rules = &rulesets()[0];
    for text in [
        "fn score(view, m) { let all = []; loop { all.push(view.after(m)); if all.len() > 8000 { all = []; } } }",
        "fn score(view, m) { loop { view.sample(1); } }",
        "fn score(view, m) { loop { view.choice(\"greedy\"); } }",
        "fn score(view, m) { loop { view.choice(\"slow\"); } } fn slow(view, m) { for i in 0..10000 { } 1 }",
        "fn score(view, m) { let k = 0; loop { view.playout(k, \"greedy\"); k += 1; } }",
        "fn score(view, m) { let k = 0; loop { view.playout(k, \"patient\"); k += 1; } }",
        "fn score(view, m) { view.playout(0, \"slow\") } fn slow(view, m) { for i in 0..1000000 { } 1 }",
        "fn score(view, m) { let k = 0; loop { k += 1; let p = `tunable:late=${k % 9 + 1},ahead=${k % 13 + 1}`; view.playout(0, p); } }",
        "fn score(view, m) { loop { view.playout(0, \"within\"); } } fn within(view, m) { m.count + heavy(20000) }
         fn heavy(n) { let text = \"\"; for i in 0..n { text = `${i}`; } 1 }",
        "fn score(view, m) { loop { view.playout(0, \"vain\"); } } fn vain(view, m) { for i in 0..300 { if [i] == [1] { return 1; } } 1 }",
        "fn score(view, m) { loop { view.playout(0, \"sees\"); } } fn sees(view, m) { view.sample(1).cards + view.after(m).moves.len() }",
        "fn score(view, m) { let v = view.sample(0); loop { v.moves; v.moves; v.moves; v.moves; v.moves; } }",
        "fn score(view, m) { let v = view; loop { v = v.after(v.moves[0]); if v.ended { v = view; } } }",
        "fn score(view, m) { let k = 0; loop { let v = view.sample(k); k += 1; for o in v.moves { v.after(o).sample(k); } } }",
        "fn score(view, m) { let all = [view]; loop { for v in all { all.push(v.sample(all.len())); } } }",
        "fn score(view, m) { deep(view, m) }
         fn deep(view, m) { let s = 0; for o in view.moves { s += deep(view.after(o), o); } s + 1 }",
    ] {
        let fault = play(rules, &mut sound(text), 0).unwrap_err().to_string();
        let limits = fault.contains("more than 1000000 operations") || fault.contains("deep");
        assert!(limits, "{text}: {fault}");
    }
}

#[test]
fn views_are_kept_nowhere() {
    // There is no view while constants are computed.
    for text in [
        "const KEPT = view.sample(0); fn score(view, m) { 1 }",
        "const KEPT = [view]; fn score(view, m) { 1 }",
        "const KEPT = |v| v.sample(0); fn score(view, m) { KEPT.call(view).cards }",
    ] {
        let source = Arc::new(SourceText { name: "test.rhai".into(), text: text.into() });
        assert!(Script::new("test", &source).is_err(), "{text}");
    }
    let rules = &rulesets()[0];
    for kept in ["view.sample(0)", "view.after(m)", "view.moves", "m", "[view]", "view.sample(0).moves[0]"] {
        let text = format!("fn score(view, m) {{ memory[0] = {kept}; 1 }}");
        let fault = play(rules, &mut sound(&text), 0).unwrap_err().to_string();
        assert!(fault.contains("`memory` keeps whole numbers, and nothing else"), "{text}: {fault}");
    }
    // Changes to a constant are lost at the next call.
    let mut script = sound(
        "const KEPT = [];
         fn score(view, m) { KEPT.push(view.sample(0)); if KEPT.len() > 1 { throw KEPT.len(); } m.count }",
    );
    play(rules, &mut script, 0).unwrap();
}
