//! The pay of a deck: steps, fees of redeals and a jackpot, compared with sums over single cards and decks.

use saratoga::lab::GameRunner;
use saratoga::rules::{Casino, Jackpot, PayStep, Rules, Spec, WonBy};
use saratoga::stats::{GameWorth, House, Measure, Tally, jackpot};
use saratoga::strategy::Greedy;

use crate::common::program::close;

/// A casino with every kind of pay.
fn casino() -> Casino {
    Casino {
        stake: 5_200,
        pays_per_card: 300,
        pays_for_win: 10_000,
        steps: vec![
            PayStep { from: 8, pays_per_card: Some(700), bonus: 1_000 },
            PayStep { from: 12, pays_per_card: None, bonus: -250 },
            PayStep { from: 20, pays_per_card: Some(-100), bonus: 0 },
        ],
        redeal_fees: vec![0, 25, 50],
        jackpot: Some(Jackpot { start: 20_000, share: 15, won_by: WonBy::Cards(25) }),
        ..Spec::default().casino
    }
}

/// Adds up the pay card by card.
fn paid(casino: &Casino, cards: u16, all: u16) -> i64 {
    let mut sum = if cards == all { casino.pays_for_win } else { 0 };
    for card in 1..=cards {
        let rate = casino
            .steps
            .iter()
            .filter(|step| step.from < card)
            .filter_map(|step| step.pays_per_card)
            .next_back();
        sum += rate.unwrap_or(casino.pays_per_card);
        sum += casino.steps.iter().filter(|step| step.from == card).map(|step| step.bonus).sum::<i64>();
    }
    let jackpot = casino.jackpot.filter(|it| match it.won_by {
        WonBy::Win => cards == all,
        WonBy::Cards(least) => cards >= least,
    });
    sum + jackpot.map_or(0, |it| it.start)
}

/// Adds up the fees redeal by redeal.
fn charged(casino: &Casino, redeals: u32) -> i64 {
    let fee = |redeal: u32| casino.redeal_fees.get(redeal as usize).or(casino.redeal_fees.last());
    (0..redeals).filter_map(fee).sum()
}

#[test]
fn pay_and_fees_are_sums_of_their_parts() {
    let casino = casino();
    for cards in 0..=52u16 {
        assert_eq!(casino.pay(cards.into(), 52), paid(&casino, cards, 52), "{cards} cards");
    }
    // By hand: 8 x 3, 10 once, 4 x 7 less 2.50, 8 x 7, and a fee of 1 for each of 5 cards.
    assert_eq!(casino.pay(25, 52) - 20_000, 2_400 + 1_000 + 2_800 - 250 + 5_600 - 500);
    for redeals in 0..9 {
        assert_eq!(casino.redeal_fees(redeals), charged(&casino, redeals), "{redeals} redeals");
        assert_eq!(casino.redeal_fee(redeals), charged(&casino, redeals + 1) - charged(&casino, redeals));
    }
    // 1.5% of $52 is 78 cents.
    assert_eq!(casino.meter_growth(), 78);
    let free = Casino { redeal_fees: Vec::new(), jackpot: None, ..casino };
    assert_eq!((free.redeal_fees(5), free.redeal_fee(5), free.meter_growth()), (0, 0, 0));
}

#[test]
fn cards_settle_who_gains_only_where_more_never_pay_less() {
    let plain = Spec::default().casino;
    let step = |pays_per_card, bonus| Casino {
        steps: vec![PayStep { from: 20, pays_per_card, bonus }],
        ..plain.clone()
    };
    let fees = Casino { redeal_fees: vec![100], ..plain.clone() };
    let casinos = [plain.clone(), fees, step(None, -6_000), step(Some(0), 100)];
    assert_eq!(casinos.map(|casino| casino.is_settled_by_cards(52)), [true, false, false, true]);
}

fn played(casino: &Casino, games: u64) -> (Spec, Tally, Vec<(u16, u32)>) {
    let spec = Spec { casino: casino.clone(), ..Spec::default() };
    let rules = Rules::new(spec.clone()).unwrap();
    let mut player = GameRunner::new("payments", &rules, Box::new(Greedy));
    let (mut tally, mut ends) = (Tally::new(&spec), Vec::new());
    for game in 0..games {
        let outcome = player.play(7, game).unwrap();
        let worth = GameWorth::of(&spec, &outcome).by(Measure::Money).stood;
        let grows = casino.meter_growth();
        let net = paid(casino, outcome.cards, 52) + grows - charged(casino, outcome.redeals) - casino.stake;
        assert_eq!(worth, net, "{outcome:?}");
        tally.add(&outcome);
        ends.push((outcome.cards, outcome.redeals));
    }
    (spec, tally, ends)
}

#[test]
fn figures_are_those_of_every_game_counted_alone() {
    let casino = casino();
    let (spec, tally, ends) = played(&casino, 3_000);
    assert!(tally.check(&spec).is_ok());
    let nets: Vec<i64> = ends
        .iter()
        .map(|&(cards, redeals)| paid(&casino, cards, 52) - charged(&casino, redeals) - 5_200)
        .collect();
    let n = nets.len() as f64;
    let mean = nets.iter().sum::<i64>() as f64 / n + 78.0;
    let house = House::new(&tally, &casino);
    let edge = house.edge().unwrap();
    close(edge.value, -mean / 5_200.0);
    assert!(edge.low < edge.value && edge.value < edge.high);
    let profits = nets.iter().filter(|net| **net > 0).count() as f64 / n;
    close(house.hit_frequency().value, profits);
    let gained: i64 = house.gains().iter().map(|(gain, games)| gain * *games as i64).sum();
    assert_eq!(gained, -nets.iter().sum::<i64>() - 78 * nets.len() as i64);
    let (least, most) = house.reach();
    assert!(house.gains().iter().all(|(gain, _)| (least..=most).contains(gain)));
    // The counts survive being written to a file and read again.
    assert_eq!(serde_json::from_str::<Tally>(&serde_json::to_string(&tally).unwrap()).unwrap(), tally);
}

#[test]
fn a_meter_pays_what_the_decks_put_into_it() {
    let casino = casino();
    let (_, tally, ends) = played(&casino, 4_000);
    let terms = casino.jackpot.unwrap();
    let (mut meter, mut paid_out, mut winners, mut sizes) = (terms.start, 0, 0i64, 0);
    for &(cards, _) in &ends {
        meter += 78;
        if cards >= 25 {
            paid_out += meter;
            sizes += meter;
            winners += 1;
            meter = terms.start;
        }
    }
    // The house's payments over all decks: the jackpots won, and what the last meter still owes.
    let owed = meter - terms.start;
    assert_eq!(paid_out + owed, winners * terms.start + 78 * ends.len() as i64);
    let summary = jackpot(&tally, &casino).unwrap();
    assert_eq!(summary.rate.value, winners as f64 / ends.len() as f64);
    let size = summary.size.unwrap();
    let mean = sizes as f64 / winners as f64;
    assert!(winners > 50 && size.low < mean && mean < size.high, "{mean} {size:?}");
    close(summary.decks.unwrap().value, ends.len() as f64 / winners as f64);
    let never = Casino { jackpot: Some(Jackpot { won_by: WonBy::Win, ..terms }), ..casino };
    let one = Tally::new(&Spec { casino: never.clone(), ..Spec::default() });
    assert_eq!(jackpot(&one, &never).unwrap().size, None);
}
