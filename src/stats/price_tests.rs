use super::*;
use crate::cards::{Purpose, below, generator};
use crate::game::End;
use crate::rules::{Jackpot, PayStep, Spec, WonBy};
use crate::stats::testing::{self, by_cards, casino, close};
use crate::stats::{Sample, clopper_pearson};

fn tally(games: &[(u16, u64)], open: &[(u16, u64)]) -> Tally {
    let mut tally = by_cards(&Spec::default(), games);
    open.iter().for_each(|&(cards, times)| tally.add_many(&testing::game(End::Runaway, cards), times));
    tally
}

const GAMES: [(u16, u64); 4] = [(5, 40), (11, 30), (20, 20), (52, 10)];

/// Mean cards 14.5, a win in ten: by hand 7250 / 0.95, 4940 / 14.5 and (4940 - 4350) / 0.1. The limits of
/// the payment for a card are those of the mean cards, inverted.
#[test]
fn terms_agree_with_those_found_by_hand() {
    let games = tally(&GAMES, &[]);
    let price = offer(&games, &casino(5200, 500, 0), 0.05, Term::DeckPrice).unwrap();
    close(price.exact.value, 7250.0 / 0.95, 1e-9);
    assert_eq!(price.rounded.cents, 7632);
    let pay = offer(&games, &casino(5200, 500, 0), 0.05, Term::PayPerCard).unwrap();
    close(pay.exact.value, 4940.0 / 14.5, 1e-9);
    let cards = Sample::of(GAMES.map(|(cards, n)| (f64::from(cards), n))).limits(0.0, 52.0);
    close(pay.exact.low, 4940.0 / cards.1, 1e-6);
    close(pay.exact.high, 4940.0 / cards.0, 1e-6);
    assert_eq!(pay.rounded.cents, 340);
    let bonus = offer(&games, &casino(5200, 300, 0), 0.05, Term::WinBonus).unwrap();
    close(bonus.exact.value, 5900.0, 1e-9);
}

#[test]
fn the_edge_holds_in_whole_cents_and_not_one_cent_further() {
    let games = tally(&GAMES.map(|(cards, n)| (cards, 50 * n)), &[]);
    for target in [-0.31f64, 0.0, 0.02, 0.05, 0.0731, 0.2] {
        for (casino, term) in [
            (casino(5200, 500, 700), Term::DeckPrice),
            (casino(5200, 500, 700), Term::PayPerCard),
            (casino(7177, 301, 0), Term::WinBonus),
        ] {
            let offer = offer(&games, &casino, target, term).unwrap();
            let cents = offer.rounded.cents;
            assert!(offer.rounded.edge.value >= target - 1e-12);
            let better = if term.raises_edge() { cents - 1 } else { cents + 1 };
            assert!(priced(&games, &casino, term, better).unwrap().edge.value < target, "{term:?} {target}");
            let safe = offer.safe.unwrap();
            assert!(safe.edge.low >= target - 1e-12);
            let better = if term.raises_edge() { safe.cents - 1 } else { safe.cents + 1 };
            assert!(priced(&games, &casino, term, better).unwrap().edge.low < target, "{term:?} {target}");
        }
    }
    // An edge that whole cents give exactly is not missed by a cent: 7250 / (1 - 0.275) is 10000.
    let exact = offer(&games, &casino(5200, 500, 0), 0.275, Term::DeckPrice).unwrap();
    assert_eq!(exact.rounded.cents, 10_000);
}

/// Compares the limits with the middle 95% of the terms over bootstrap samples.
#[test]
fn limits_agree_with_the_bootstrap() {
    let games: Vec<u16> =
        GAMES.iter().flat_map(|&(cards, n)| std::iter::repeat_n(cards, 4 * n as usize)).collect();
    let counted = |games: &[u16]| tally(&games.iter().map(|&cards| (cards, 1)).collect::<Vec<_>>(), &[]);
    let casino = casino(5200, 300, 0);
    for term in Term::all(&casino) {
        let of = |games: &[u16]| exact(&counted(games), &casino, 0.05, term).unwrap();
        let Estimate { low, high, .. } = of(&games);
        let mut rng = generator(9, 0, Purpose::Dice);
        let mut again: Vec<f64> = (0..3000)
            .map(|_| {
                let drawn: Vec<u16> = games.iter().map(|_| games[below(&mut rng, 400) as usize]).collect();
                of(&drawn).value
            })
            .collect();
        again.sort_by(f64::total_cmp);
        let width = high - low;
        close(again[75], low, 0.1 * width);
        close(again[2924], high, 0.1 * width);
    }
}

#[test]
fn what_a_step_brings_may_be_a_fee() {
    let games = tally(&GAMES, &[]);
    let steps = vec![PayStep { from: 11, pays_per_card: Some(500), bonus: -300 }];
    let casino = Casino { steps, ..casino(5200, 500, 0) };
    // Cards are paid $72.50 a deck, but 5% of $52 leave $49.40, an excess of $23.10; six games in ten reach 11 cards.
    // There are 0.2 * 9 + 0.1 * 41 = 5.9 cards beyond 11 per game.
    let bonus = offer(&games, &casino, 0.05, Term::StepBonus(11)).unwrap();
    close(bonus.exact.value, -2310.0 / 0.6, 1e-6);
    assert_eq!(bonus.rounded.cents, -3850);
    assert!(bonus.rounded.edge.value >= 0.05 - 1e-9 && bonus.exact.low < bonus.exact.value);
    let pay = offer(&games, &casino, 0.05, Term::StepPay(11)).unwrap();
    close(pay.exact.value, 500.0 - (2310.0 - 180.0) / 5.9, 1e-6);
    let low = offer(&games, &casino, 0.8, Term::StepPay(11)).unwrap();
    assert!(low.exact.value < 0.0 && low.rounded.edge.value >= 0.8 - 1e-9, "{low:?}");
    assert!(low.round.iter().all(|it| it.priced.cents < 500), "{low:?}");
}

#[test]
fn where_no_sum_gives_the_edge_it_is_said() {
    let games = tally(&GAMES, &[]);
    let none = |games: &Tally, casino: Casino, term| offer(games, &casino, 0.05, term).unwrap_err();
    // Cards alone are paid $72.50 on average, but 5% of $52 leave $49.40, so the tenth that wins would have to pay
    // $231.
    let NoOffer::Negative { exact } = none(&games, casino(5200, 500, 0), Term::WinBonus) else { panic!() };
    close(exact.value, -23_100.0, 1e-6);
    assert!(exact.low < exact.value && exact.value < exact.high);
    let dear = casino(5200, 500, 100_000);
    assert!(matches!(none(&games, dear, Term::PayPerCard), NoOffer::Negative { .. }));
    assert_eq!(none(&games, casino(0, 500, 0), Term::PayPerCard), NoOffer::FreeDeck);
    assert_eq!(none(&games, casino(5200, 0, 0), Term::DeckPrice), NoOffer::NothingPaid);
    let mut shared = casino(5200, 500, 0);
    shared.jackpot = Some(Jackpot { start: 0, share: 960, won_by: WonBy::Win });
    assert_eq!(none(&games, shared, Term::DeckPrice), NoOffer::JackpotTakesTooMuch);
    let lost = tally(&[(5, 400), (9, 30)], &[]);
    // No observed win does not make every bonus safe: 3.69 wins in this many games are not excluded.
    let NoOffer::NeverPaid { safe: Some(safe) } = none(&lost, casino(5200, 500, 0), Term::WinBonus) else {
        panic!("wins may come");
    };
    assert!(safe.edge.low >= 0.05 && safe.edge.low < 0.051, "{safe:?}");
    let dear = casino(1_000_000_000_000, 0, 0);
    assert!(matches!(none(&games, dear, Term::WinBonus), NoOffer::TooMuch { .. }));
    // A price can be computed even for a free deck.
    close(offer(&games, &casino(0, 500, 0), 0.05, Term::DeckPrice).unwrap().exact.value, 7250.0 / 0.95, 1e-9);
}

#[test]
fn little_is_claimed_of_little() {
    let of =
        |games: &[(u16, u64)], term| offer(&tally(games, &[]), &casino(5200, 100, 0), 0.05, term).unwrap();
    // One win in fifty games: the bonus may be many times more or less.
    let rare = of(&[(5, 49), (52, 1)], Term::WinBonus);
    assert!(rare.exact.low < 0.25 * rare.exact.value && rare.exact.high > 20.0 * rare.exact.value);
    assert!(rare.safe.unwrap().cents > 0);
    // Always the same cards: unobserved games are allowed for.
    let same = of(&[(10, 100)], Term::PayPerCard).exact;
    let unseen = clopper_pearson(0, 100).1;
    close(same.high, 4940.0 / (10.0 * (1.0 - unseen)), 0.2);
    close(same.low, 4940.0 / (10.0 * (1.0 - unseen) + 52.0 * unseen), 0.2);
}

#[test]
fn undecided_games_count_both_ways() {
    let terms = casino(5200, 300, 0);
    let exact = |open: &[(u16, u64)], sure: &[(u16, u64)]| {
        let games: Vec<_> = GAMES.iter().chain(sure).copied().collect();
        offer(&tally(&games, open), &terms, 0.05, Term::PayPerCard).unwrap().exact
    };
    let open = exact(&[(20, 30)], &[]);
    close(open.value, exact(&[], &[(20, 30)]).value, 1e-9);
    close(open.low, exact(&[], &[(52, 30)]).low, 1e-9);
    close(open.high, exact(&[], &[(20, 30)]).high, 1e-9);
}

#[test]
fn round_sums_stand_on_either_side() {
    let offer = offer(&tally(&GAMES, &[]), &casino(5200, 500, 0), 0.05, Term::DeckPrice).unwrap();
    let told: Vec<_> = offer.round.iter().map(|it| (it.priced.cents, it.step, it.holds)).collect();
    assert_eq!(
        told,
        [(7500, 500, false), (7600, 100, false), (7650, 50, true), (7700, 100, true), (8000, 500, true)]
    );
}

#[test]
fn a_common_sum_holds_against_the_hardest() {
    let tallies = [tally(&GAMES, &[]), tally(&[(20, 50), (52, 50)], &[]), tally(&[(7, 100)], &[])];
    let terms = casino(5200, 500, 0);
    for term in [Term::DeckPrice, Term::PayPerCard] {
        let offers: Vec<_> = tallies.iter().map(|it| offer(it, &terms, 0.05, term)).collect();
        let common = common(&tallies, &terms, term, &offers).unwrap();
        assert_eq!(common.hardest, 1);
        assert!(common.edges.iter().all(|edge| edge.value >= 0.05 - 1e-12));
        assert_eq!(common.cents, offers[1].as_ref().unwrap().rounded.cents);
    }
    let offers: Vec<_> = tallies.iter().map(|it| offer(it, &terms, 0.05, Term::WinBonus)).collect();
    assert_eq!(super::common(&tallies, &terms, Term::WinBonus, &offers), None);
}

#[test]
fn distances_know_no_sign() {
    let e = |value, low, high| Estimate { value, low, high };
    let told = |edge: Estimate| {
        let d = distance(edge, 0.05);
        [d.value, d.low, d.high].map(|x| (x * 1000.0).round())
    };
    assert_eq!(told(e(0.08, 0.07, 0.1)), [30.0, 20.0, 50.0]);
    assert_eq!(told(e(0.01, -0.01, 0.02)), [40.0, 30.0, 60.0]);
    assert_eq!(told(e(0.04, 0.03, 0.08)), [10.0, 0.0, 30.0]);
}
