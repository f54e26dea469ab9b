//! Scripts and money: the stages of a stake, without a look at hidden cards, and what is paid.

use super::*;

/// A script that answers by everything it sees, so that one card more or less changes the answer.
pub const NOSY: &str = r#"
    fn sight(view) {
        let sum = view.base + 17 * view.cards + 3 * view.reserve_left + 5 * view.stock_left + view.stake;
        sum += 7 * view.waste_left + view.draw + view.moves.len() + 11 * view.redeals_left + view.spaces;
        let sight = `${sum} ${view.reserve_top} ${view.waste_top} ${view.waste(1)}`;
        for i in 0..34 { sight += ` ${view.coming(i)}`; }
        for p in 1..=view.piles { sight += ` ${view.pile_top(p)} ${view.pile_len(p)}`; }
        for s in 1..=4 { sight += ` ${view.foundation(s)}`; }
        sight
    }
    fn odd(view) {
        let sum = 0;
        for c in sight(view).to_chars() { sum = (sum * 31 + c.to_int()) % 9973; }
        sum
    }
    fn score(view, m) {
        if m.is_draw { return 20; }
        if m.is_redeal { return 10; }
        if m.to_foundation || m.from_reserve || m.from_waste { 30 + odd(view) % 5 } else { -1 }
    }
    fn stage(view, at, cost) { print(sight(view)); odd(view) % 8 > 0 }
"#;

/// Buys nothing, and records what it could see when it was asked.
struct Blind(Script);

impl Strategy for Blind {
    fn name(&self) -> &str {
        "blind"
    }

    fn decide(&mut self, _: &View<'_>, _: &MoveList) -> Result<Option<usize>, StrategyError> {
        panic!("the game has not begun");
    }

    fn stage(
        &mut self,
        view: &View<'_>,
        legal: &MoveList,
        at: StageAt,
        cost: i64,
    ) -> Result<bool, StrategyError> {
        assert!(view.base().is_none() && view.offered().is_empty() && legal.is_empty());
        self.0.stage(view, legal, at, cost).map(|_| false)
    }
}

/// Before anything is dealt, the view is the same whatever the deal.
#[test]
fn nothing_is_seen_before_the_deal() {
    for rules in all_staged() {
        let mut seen = std::collections::BTreeSet::new();
        for game in 0..20 {
            let mut blind = Blind(sound(NOSY));
            let outcome = play(&rules, &mut blind, game).unwrap().0;
            assert_eq!((outcome.end, outcome.moves), (End::Resigned, 0));
            seen.insert(blind.0.printed());
        }
        assert_eq!(seen.len(), 1, "{seen:?}");
        assert_eq!(seen.first().unwrap().lines().count(), 1);
    }
}

/// Stages as a script is asked about them, with the stake and what is known of the stock.
#[test]
fn a_script_is_asked_in_order() {
    let rules = &staged(|_| {});
    let mut asked = sound(
        r#"fn score(view, m) { if m.is_draw { 2 } else if m.is_redeal { 1 } else { 3 } }
           fn stage(view, at, cost) {
               let known = 0;
               for i in 0..view.stock_left { if view.coming(i) != () { known += 1; } }
               for i in 1..view.waste_left { if view.waste(i) != () { known += 1; } }
               print(`${at} ${cost} ${view.stake} ${view.pass} ${known}`);
               at != "unknown-card" || known < 2
           }"#,
    );
    let outcome = play(rules, &mut asked, 0).unwrap().0;
    let printed = asked.printed();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(
        lines[..5],
        [
            "deal 1300 0 1 0",
            "unknown-card 100 1300 1 0",
            "first-look 1300 1400 1 0",
            "first-draw 2600 2700 1 0",
            "unknown-card 100 5300 1 1"
        ]
    );
    let of = |word: &str| lines.iter().filter(|line| line.starts_with(word)).count() as u32;
    let stake = outcome.stake.unwrap();
    let asked = StageAt::ALL.map(|at| of(at.word()));
    assert_eq!(asked[..4], stake.asked[..4]);
    // Each card counts, and they are offered together.
    assert!(asked[4] < stake.asked[4]);
    assert_eq!((of("first-draw"), of("pass")), (1, outcome.redeals));
    assert!(outcome.redeals > 0 && stake.bought[4] > 4 && stake.bought[4] < stake.asked[4]);
    let costs = [1300, 1300, 2600, 500, 100];
    assert_eq!(
        stake.staked,
        costs.iter().zip(stake.bought).map(|(cost, n)| cost * i64::from(n)).sum::<i64>()
    );
}

#[test]
fn a_script_without_stage_buys_all_but_cards() {
    let plain = "fn score(view, m) { if m.to_foundation { 9 } else if m.from_reserve { 8 } else { 1 } }";
    let with = |stage: &str| sound(&format!("{plain}\n{stage}"));
    for rules in all_staged() {
        for game in 0..5 {
            let of = |mut script: Script| play(&rules, &mut script, game).unwrap().0;
            let silent = of(with(""));
            assert_eq!(of(with("fn stage(view, at, cost) { at != \"unknown-card\" }")), silent);
            assert!(silent.stake.unwrap().bought[4] == 0 && silent.stake.unwrap().stopped.is_none());
        }
    }
}

#[test]
fn pay_and_fees_are_seen() {
    let mut spec = Spec::default();
    spec.casino.steps = vec![PayStep { from: 10, pays_per_card: Some(700), bonus: 1_000 }];
    spec.casino.redeal_fees = vec![0, 100];
    spec.casino.jackpot = Some(Jackpot { start: 20_000, share: 20, won_by: WonBy::Win });
    let rules = Rules::compile(spec);
    let text = "fn score(view, m) {
        if view.pass == 1 && view.waste_left == 0 && m.is_draw {
            print(`${view.pay(0)} ${view.pay(10)} ${view.pay(11)} ${view.pay(52)} ${view.redeal_fee}`);
        }
        -1
    }";
    let mut asked = sound(text);
    play(&rules, &mut asked, 0).unwrap();
    let whole = 10 * 500 + 1_000 + 42 * 700 + 20_000;
    assert_eq!(asked.printed(), format!("0 6000 6700 {whole} 0\n"));
}
