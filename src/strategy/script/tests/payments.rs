//! Scripts and steps of the pay, fees and jackpots.

use super::*;

fn paying() -> Rules {
    let mut spec = Spec::default();
    spec.casino.steps = vec![PayStep { from: 10, pays_per_card: Some(700), bonus: 1_000 }];
    spec.casino.redeal_fees = vec![0, 100];
    spec.casino.jackpot = Some(Jackpot { start: 20_000, share: 20, won_by: WonBy::Win });
    Rules::compile(spec)
}

fn script(text: &str, compile: bool) -> Script {
    let source = Arc::new(SourceText { name: "paid.rhai".into(), text: text.into() });
    Script::with("paid", &source, Options { compile, limits: true }).unwrap()
}

#[test]
fn pay_and_fees_are_seen() {
    let rules = paying();
    let text = "fn score(view, m) {
        if view.pass == 1 && view.waste_left == 0 && m.is_draw {
            print(`${view.pay(0)} ${view.pay(10)} ${view.pay(11)} ${view.pay(52)} ${view.redeal_fee}`);
        }
        -1
    }";
    let mut asked = script(text, true);
    play(&rules, &mut asked, 0).unwrap();
    let whole = 10 * 500 + 1_000 + 42 * 700 + 20_000;
    assert_eq!(asked.printed(), format!("0 6000 6700 {whole} 0\n"));
}

#[test]
fn who_stops_at_a_fee_plays_alike_compiled_and_interpreted() {
    let rules = paying();
    let text = "fn score(view, m) {
        if m.is_redeal && view.redeal_fee > 0 && view.pay(view.cards) < view.pay(8) { return -1; }
        if m.to_foundation { 5 } else if m.is_draw || m.is_redeal { 1 } else { 3 }
    }";
    let (mut compiled, mut interpreted) = (script(text, true), script(text, false));
    assert!(compiled.compile_for(&rules));
    let mut stopped = 0;
    for game in 0..60 {
        let a = play(&rules, &mut compiled, game).unwrap();
        assert_eq!(a, play(&rules, &mut interpreted, game).unwrap());
        stopped += usize::from(a.0.end == End::Resigned);
    }
    assert!(stopped > 10, "{stopped}");
}

#[test]
fn a_number_of_cards_that_no_game_has_is_a_fault() {
    let rules = paying();
    let mut wrong = script("fn score(view, m) { view.pay(53) }", true);
    let fault = play(&rules, &mut wrong, 0).unwrap_err().to_string();
    assert!(fault.contains("`pay` was given 53: a game has 0 to 52 cards up"), "{fault}");
}
