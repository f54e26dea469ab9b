//! Scripts that look ahead: nothing hidden leaks, nothing outlives its decision, and all of it stays within the budget.

use super::*;
use crate::game::NoChance;

/// Uses everything that looks ahead, and chooses by the sum.
pub const LOOKS: &str = r#"
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
    let rules = rules_of("double-canfield");
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

/// Every script in `tests/data/scripts-checking` throws if what it sees contradicts itself, under the rulesets that it
/// names, or all.
#[test]
fn what_a_script_sees_agrees_with_itself() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scripts-checking");
    let mut tried = 0;
    for path in std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        let text = std::fs::read_to_string(&path).unwrap();
        let named = text.lines().nth(1).and_then(|line| line.strip_prefix("// Rulesets: "));
        let mut script = sound(&text);
        for name in named.map_or(RULESETS.to_vec(), |named| named.split(", ").collect()) {
            let played = play(&rules_of(name), &mut Short { player: &mut script, left: 12 }, 1);
            assert!(played.is_ok(), "{} on {name}: {played:?}", path.display());
            tried += 1;
        }
    }
    assert!(tried > 20);
}
