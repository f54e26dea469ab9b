use std::collections::BTreeMap;

use super::*;
use crate::stats::night::{Deck, moments};
use crate::stats::testing::{close, convolved, patron, quantile};

static NEVER: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// A house with an advantage, in dollars: 58 a deck, 5 a card.
const GAINS: [(i64, f64); 6] =
    [(-20_200, 0.03), (-9_200, 0.07), (-2_200, 0.15), (800, 0.25), (2_800, 0.3), (5_300, 0.2)];

/// Visits of one deck each, with these gains of the house.
fn decks_of(gains: &[(i64, f64)]) -> Visits {
    Visits { kinds: vec![Kind { chance: 1.0, gains: gains.to_vec(), decks: 1 }], deck: gains.to_vec() }
}

fn question(decks: u32, bank: i64) -> Question {
    Question { decks, bank, greatest_loss: 20_200, price: Some(5800) }
}

/// The measured games of a player, in proportion to `GAINS`.
fn measured(games: f64) -> Vec<Patron> {
    let counted: Vec<_> =
        GAINS.iter().map(|&(gain, chance)| (gain, (chance * games).round() as u64)).collect();
    vec![patron(1.0, &counted)]
}

#[test]
fn both_ways_to_ruin_agree_with_every_sequence_of_decks() {
    let decks = 6;
    let mut all: Vec<(i64, i64, f64)> = vec![(0, 0, 1.0)];
    for _ in 1..decks {
        all = all
            .iter()
            .flat_map(|&(sum, low, p)| GAINS.map(|(gain, q)| (sum + gain, low.min(sum + gain), p * q)))
            .collect();
    }
    let visits = decks_of(&GAINS);
    let lows = Lows::new(&visits.kinds, &[Deck::on_multiples(&GAINS, 100)], decks, 0.0, &NEVER);
    for reach in [0, 99, 100, 7_000, 22_400, 40_000, 101_000] {
        let wanted: f64 = all.iter().filter(|(_, low, _)| *low < -reach).map(|(.., p)| p).sum();
        close(ruin(&visits, &[Deck::exact(&GAINS)], (decks, reach), 0.0, &NEVER), wanted, 1e-12);
        close(lows.deeper(reach), wanted, 1e-12);
    }
    let reach = lows.reach_for(0.05);
    assert!(lows.deeper(reach) <= 0.05 && lows.deeper(reach - 1) > 0.05);
    assert_eq!(lows.reach_for(1.0), 0);
}

/// A bank that covers every deck cannot be ruined, in any sample, and one that lacks a cent can.
#[test]
fn a_bank_for_every_deck_cannot_be_ruined() {
    let patrons = measured(100_000.0);
    let ruin = |bank: i64| {
        let night = Replicate::new(question(3, bank), &patrons, &NEVER).unwrap().finish(&[]);
        (night.can_ruin(bank), night.ruin.high)
    };
    assert_eq!(ruin(3 * 20_200), (false, 0.0));
    assert_eq!(ruin(3 * 20_200 - 1), (true, f64::INFINITY));
}

/// Weights follow a Dirichlet distribution: shares of 700, 250, 50 and one more game that costs the house the most.
#[test]
fn samples_are_weighted_at_random() {
    let patrons = [patron(1.0, &[(1, 700), (2, 250), (3, 50), (4, 0)])];
    let drawn: Vec<Vec<(i64, f64)>> =
        (0..4000).map(|number| share_out(&drawn_again(&patrons, 5, number)[0], 0)).collect();
    for (i, (games, p)) in
        [(701.0, 701.0 / 1001.0), (250.0, 250.0 / 1001.0), (50.0, 50.0 / 1001.0)].into_iter().enumerate()
    {
        let shares = drawn.iter().map(|gains| (gains[i].1, 1));
        let found = crate::stats::Moments::of(shares);
        let sd = (p * (1.0 - p) / 1002.0f64).sqrt();
        close(found.mean, games / 1001.0, 4.0 * sd / 4000f64.sqrt());
        // The standard error of a standard deviation is about sd / sqrt(2n).
        close(found.sd, sd, 5.0 * sd / 8000f64.sqrt());
    }
    let [worst, best] = drawn_again(&patrons, 5, 7);
    assert_eq!((worst[0].outcomes.last().unwrap().0.stood, best[0].outcomes.last().unwrap().0.stood), (1, 4));
    assert_eq!(drawn_again(&patrons, 5, 7), drawn_again(&patrons, 5, 7));
    assert_ne!(drawn_again(&patrons, 5, 7), drawn_again(&patrons, 6, 7));
}

/// The limits cover unobserved outcomes: a prize of $1,000 that 2,000 games may have missed.
#[test]
fn what_was_not_seen_is_not_impossible() {
    let unseen = Patron { reach: (-100_000, 900), ..patron(1.0, &[(-500, 1_000), (900, 1_000)]) };
    let found = night(&[unseen], question(20, 150_000), 400);
    // A rate of 3.69 in 2,000 cannot be excluded; 20 decks.
    let missed = 3.69 / 2_000.0 * 100_000.0 * 20.0;
    close(found.profit.low, found.profit.value - missed, 0.3 * missed);
    assert!(found.ruin.value == 0.0 && found.ruin.high > 0.0, "{:?}", found.ruin);
}

/// Two gains: with x = exp(-R dollar), E[exp(-R gain)] = 1 is p x + (1 - p) / x = 1, whose root below 1 is (1 - p) / p.
fn coefficient(visits: &Visits) -> f64 {
    adjustment(visits, 40).0
}

#[test]
fn the_adjustment_coefficient_is_that_of_the_gamblers_ruin() {
    for p in [0.51, 0.6, 0.9] {
        let r = coefficient(&decks_of(&[(100, p), (-100, 1.0 - p)]));
        close(r * 100.0, (p / (1.0 - p)).ln(), 1e-9);
    }
    assert_eq!(coefficient(&decks_of(&[(100, 0.5), (-100, 0.5)])), 0.0);
    assert_eq!(coefficient(&decks_of(&[(100, 0.4), (-100, 0.6)])), 0.0);
    assert_eq!(coefficient(&decks_of(&[(100, 0.4), (0, 0.6)])), f64::INFINITY);
    // For other gains, checks that the root solves the equation.
    let r = coefficient(&decks_of(&GAINS));
    close(GAINS.iter().map(|&(gain, p)| p * (-r * gain as f64).exp()).sum::<f64>(), 1.0, 1e-9);
    assert!(r > 0.0);
}

/// Compares the worst nights with all sums of 40 decks, convolved one deck at a time.
#[test]
fn the_worst_nights_are_those_of_a_plain_convolution() {
    let (mut below, mut worst, mut mean) = (0.0, None, 0.0);
    for (sum, p) in convolved(&GAINS, 40) {
        let taken = p.min(0.01 - below);
        below += taken;
        mean += taken * sum as f64 / 0.01;
        if below >= 0.01 - 1e-12 {
            worst = Some(sum as f64);
            break;
        }
    }
    let found = night(&measured(100_000.0), question(40, 150_000), 100);
    close(found.worst_night.value, worst.unwrap(), 1e-6);
    close(found.shortfall.value, mean, 1e-3);
    assert!(found.shortfall.value < found.worst_night.value);
    for it in [found.worst_night, found.shortfall, found.adjustment] {
        assert!(it.low < it.value && it.value < it.high, "{it:?}");
    }
}

fn night(patrons: &[Patron], question: Question, samples: u64) -> Bankroll {
    let replicate = Replicate::new(question, patrons, &NEVER).unwrap();
    let again: Vec<_> = (0..samples).map(|number| replicate.again(11, number, &NEVER).unwrap()).collect();
    replicate.finish(&again)
}

#[test]
fn figures_hang_together() {
    let patrons = measured(10_000.0);
    let found = night(&patrons, question(100, 150_000), 100);
    let (mean, sd) = moments(&GAINS);
    close(found.sd.value, sd * 10.0, 1e-9);
    close(found.volatility_index.unwrap().value, 1.644_853_627 * sd / 5800.0, 1e-9);
    let n0 = found.n0.unwrap();
    close(n0.value, (sd / mean).powi(2), 1e-9);
    let part = |f: &dyn Fn(&NightPart) -> bool| -> f64 {
        found.night.iter().filter(|it| f(it)).map(|it| it.chance.value).sum()
    };
    close(part(&|_| true), 1.0, 1e-3);
    close(part(&|it| it.to <= 0), found.losing_night.value, 1e-3);
    assert!(found.night.iter().all(|it| it.from < it.to && (it.to <= 0 || it.from >= 0)));
    assert_eq!(found.fan.last().map(|it| it.decks), Some(100));
    assert!(
        found.ruin_by_bank.windows(2).all(|w| w[0].bank < w[1].bank && w[0].ruin.value >= w[1].ruin.value)
    );
    assert_eq!(found.ruin_by_bank[0].bank, 20_200);
    assert_eq!((found.replicates, found.unit), (100, None));
    // The given bank is among those reported, unless it leaves hardly any risk.
    let last = |bank: i64| night(&patrons, question(100, bank), 100).ruin_by_bank.last().unwrap().bank;
    let safe = found.bank_for_1_percent.value as i64;
    assert!(last(safe * 2) >= safe * 2);
    assert!((safe..safe * 3 / 2).contains(&last(safe * 20)));
}

#[test]
fn a_house_that_loses_has_no_n0() {
    let losing = vec![patron(1.0, &[(-500, 60), (400, 40)])];
    let asked = Question { decks: 30, bank: 0, greatest_loss: 500, price: Some(400) };
    let found = night(&losing, asked, 100);
    assert_eq!(found.n0, None);
    // A bank that cannot cover one greatest loss is ruined before it begins.
    assert_eq!(found.ruin.value, 1.0);
    // If the house barely gains, N0 has no upper limit.
    let even = vec![patron(1.0, &[(-500, 40), (400, 51)])];
    assert_eq!(night(&even, asked, 100).n0.unwrap().high, f64::INFINITY);
    let free = Question { price: None, greatest_loss: -100, ..asked };
    let safe = night(&[patron(1.0, &[(100, 7), (300, 3)])], free, 100);
    assert_eq!((safe.ruin.value, safe.bank_for_1_percent.value, safe.volatility_index), (0.0, 0.0, None));
}

#[test]
fn undecided_games_count_both_ways() {
    let sure = [(Amount::settled(1000), 60), (Amount::settled(-900), 30)];
    let with = |gain: Amount| {
        let outcomes = sure.into_iter().chain([(gain, 10)]).collect();
        night(
            &[Patron { share: 1.0, outcomes, reach: (-2000, 1000), decks_each: 1 }],
            Question { greatest_loss: 2000, ..question(20, 9_000) },
            200,
        )
    };
    let all = with(Amount { stood: -100, worst: -2000, best: 1000 });
    let [worst, best, stood] = [-2000, 1000, -100].map(|gain| with(Amount::settled(gain)));
    assert_eq!(all.profit.value, stood.profit.value);
    assert_eq!((all.profit.low, all.profit.high), (worst.profit.low, best.profit.high));
    assert_eq!((all.ruin.low, all.ruin.high), (best.ruin.low, worst.ruin.high));
}

#[test]
fn the_greatest_loss_is_that_of_the_rules() {
    let spec = crate::rules::Spec::default();
    assert_eq!(greatest_loss(&spec.casino, 52), 52 * 500 - 5200);
    let staged = crate::rules::load("bsd").unwrap();
    let casino = &staged.rules.spec().casino;
    let hand: i64 = casino.stages.iter().filter(|stage| stage.at.of_the_hand()).map(|stage| stage.cost).sum();
    assert!(casino.is_staged() && hand > 0);
    assert_eq!(greatest_loss(casino, 52), 52 * casino.pays_per_card + casino.pays_for_win - hand);
}

/// Enumerates every course of six decks: visits of one deck by some, of three by the others, the last cut off.
#[test]
fn visits_of_several_decks_agree_with_every_course() {
    const DECKS: u32 = 6;
    let once = patron(0.25, &[(-500, 3), (400, 7)]);
    let often = Patron { decks_each: 3, ..patron(0.75, &[(-700, 2), (200, 3)]) };
    let patrons = [once, often];
    // Equally frequent visits, for a quarter and three quarters of the decks.
    let kinds = [(0.5, vec![(-500, 0.3), (400, 0.7)], 1), (0.5, vec![(-700, 0.4), (200, 0.6)], 3)];
    let (mut all, mut under_way) = (Vec::new(), vec![(0u32, 0i64, 0i64, 1.0)]);
    while let Some((sold, sum, low, p)) = under_way.pop() {
        for (chance, gains, decks) in &kinds {
            let mut own = vec![(sold, sum, low, p * chance)];
            for _ in 0..(*decks).min(DECKS - sold) {
                own = own
                    .iter()
                    // The lowest profit before the next deck is updated when that deck is sold.
                    .flat_map(|&(sold, sum, low, p)| {
                        gains.iter().map(move |(gain, q)| (sold + 1, sum + gain, low.min(sum), p * q))
                    })
                    .collect();
            }
            let (ended, open): (Vec<_>, Vec<_>) = own.into_iter().partition(|(sold, ..)| *sold == DECKS);
            all.extend(ended);
            under_way.extend(open);
        }
    }
    let visits = Visits::new(&patrons, 0);
    let places = Places { banks: vec![1_000, 2_500], borders: vec![-9_000, -1_000, 0, 5_000] };
    let asked = Question { decks: DECKS, bank: 1_500, greatest_loss: 700, price: Some(400) };
    let figures = Figures::new(&asked, &visits, &places, EXACT, &NEVER);
    let chance = |of: &dyn Fn(i64, i64) -> bool| -> f64 {
        all.iter().filter(|(_, sum, low, _)| of(*sum, *low)).map(|(.., p)| p).sum()
    };
    close(chance(&|_, _| true), 1.0, 1e-12);
    close(figures.ruin, chance(&|_, low| low < -800), 1e-12);
    for (bank, found) in places.banks.iter().zip(&figures.ruin_by_bank) {
        close(*found, chance(&|_, low| low < 700 - bank), 1e-12);
    }
    close(figures.losing, chance(&|sum, _| sum < 0), 1e-12);
    for (ends, found) in places.borders.windows(2).zip(&figures.night) {
        close(*found, chance(&|sum, _| (ends[0]..ends[1]).contains(&sum)), 1e-12);
    }
    let mut sums = BTreeMap::new();
    all.iter().for_each(|(_, sum, _, p)| *sums.entry(*sum).or_insert(0.0) += p);
    assert_eq!(figures.fan.last(), Some(&LEVELS.map(|level| quantile(&sums, level))));
    let mean: f64 = all.iter().map(|(_, sum, _, p)| *sum as f64 * p).sum();
    let variance: f64 = all.iter().map(|(_, sum, _, p)| (*sum as f64 - mean).powi(2) * p).sum();
    close(figures.whole.0, mean, 1e-9);
    close(figures.whole.1, variance.sqrt(), 1e-9);
    // Decks of the same visit are correlated, so their sum varies more than that of independent decks.
    let apart = [patrons[0].clone(), Patron { decks_each: 1, ..patrons[1].clone() }];
    let apart = Figures::new(&asked, &Visits::new(&apart, 0), &places, EXACT, &NEVER);
    close(apart.mean, figures.mean, 1e-9);
    close(apart.sd, figures.sd, 1e-9);
    assert_eq!(apart.spread, apart.sd);
    assert!(figures.spread > apart.spread && figures.whole.1 > apart.whole.1);
    let whole = night(&patrons, asked, 100);
    assert!(whole.fan.len() == 6 && whole.sd.value > whole.deck_sd.value * 6f64.sqrt());
    assert!(whole.ruin.low <= whole.ruin.value && whole.ruin.value <= whole.ruin.high);
}

/// Gains of the house on a deck of tourists, who lose, and of regulars, who win.
const TOURISTS: [(i64, u64); 5] = [(5_100, 30), (2_600, 35), (100, 20), (-4_900, 13), (-19_900, 2)];
const REGULARS: [(i64, u64); 5] = [(5_100, 20), (2_600, 30), (100, 24), (-4_900, 20), (-19_900, 6)];

/// Long nights have the standard deviation of the long run, except for the effect of their first and last visits.
#[test]
fn the_deviation_of_many_decks_is_that_of_visits_without_end() {
    let patrons = [patron(0.6, &TOURISTS), Patron { decks_each: 20, ..patron(0.4, &REGULARS) }];
    let visits = Visits::new(&patrons, 0);
    let [short, long] = [4_000, 8_000].map(|decks| visits.night(decks));
    close(((long.1.powi(2) - short.1.powi(2)) / 4_000.0).sqrt(), visits.spread(), 1e-6);
    close((long.0 - short.0) / 4_000.0, moments(&visits.deck).0, 1e-9);
    // Even such a coarse lattice preserves the standard deviation.
    let step = Steps::within(1.0, &visits, 5_000).lows;
    assert!(step.is_some_and(|unit| unit as f64 > visits.spread() / 2.0));
    for (kind, deck) in visits.kinds.iter().zip(&on_multiples(&visits, step)) {
        let ((mean, sd), (laid_mean, laid_sd)) = (moments(&kind.gains), deck.moments());
        close(laid_mean, mean, 1.0);
        close(laid_sd, sd, 0.01 * sd);
    }
}

/// Two decks: those who buy two at a time have both, or only the last, after one of the others.
#[test]
fn who_buys_many_decks_has_less_of_a_short_night() {
    let mix = [patron(0.5, &TOURISTS), Patron { decks_each: 2, ..patron(0.5, &REGULARS) }];
    let shares_of = |mix: &[Patron], decks| {
        shares_of_night(&mix.iter().map(|it| (it.share, it.decks_each)).collect::<Vec<_>>(), decks)
    };
    let shares = shares_of(&mix, 2);
    close(shares[1], 4.0 / 9.0, 1e-12);
    close(shares[0], 5.0 / 9.0, 1e-12);
    let visits = Visits::new(&mix, 0);
    let own = [&TOURISTS[..], &REGULARS[..]].map(|games| moments(&share_out(&[patron(1.0, games)], 0)).0);
    let mean = shares[0] * own[0] + shares[1] * own[1];
    close(visits.night(2).0, 2.0 * mean, 1e-9);
    close(visits.deck_of_night(2).0, mean, 1e-9);
    close(shares_of(&mix, 5_000)[1], 0.5, 1e-4);
    close(shares_of(&mix[1..], 3)[0], 1.0, 1e-12);
}

/// Samples on a coarse lattice, corrected by its error for the measured games, agree with exact samples.
#[test]
fn the_error_of_coarse_steps_is_taken_out_of_samples() {
    let asked = Question { decks: 40, bank: 60_000, greatest_loss: 19_900, price: Some(5_100) };
    let places = Places { banks: vec![40_000, 60_000], borders: vec![-90_000, 0, 50_000] };
    let mix = |rare: u64| {
        let tourists = TOURISTS.map(|(gain, games)| (gain, if gain < -9_000 { rare } else { games }));
        [patron(0.6, &tourists), Patron { decks_each: 5, ..patron(0.4, &REGULARS) }]
    };
    let steps = Steps { sums: Some(2_000), lows: Some(2_000) };
    let [fine, wanted] =
        [2, 3].map(|rare| Figures::new(&asked, &Visits::new(&mix(rare), 0), &places, EXACT, &NEVER));
    let [rough, sample] =
        [2, 3].map(|rare| Figures::on(&asked, &Visits::new(&mix(rare), 0), (&places, steps), AGAIN, &NEVER));
    let refined = sample.clone().refined(&rough, &fine);
    for of in [
        |it: &Figures| it.losing,
        |it: &Figures| it.ruin,
        |it: &Figures| it.ruin_by_bank[0],
        |it: &Figures| it.night[0],
    ] {
        let (before, after) = (of(&sample) - of(&wanted), of(&refined) - of(&wanted));
        assert!(after.abs() < 0.2 * before.abs().max(1e-4), "{before} {after}");
    }
    assert!((fine.losing - rough.losing).abs() > 1e-3);
}

#[test]
fn great_sums_of_small_units_take_no_more_memory_than_others() {
    // A deck of $1,000,000 that pays a cent a card; one on which the house pays as much; a prize that leaves no unit
    // except the cent.
    for (gains, decks) in [
        ([(99_999_999, 0.25), (100_000_000, 0.75)], 200),
        ([(-100_000_001, 0.75), (-99_999_999, 0.25)], 200),
        ([(-9_999_999_999, 0.25), (100, 0.75)], 2),
    ] {
        let visits = decks_of(&gains);
        let steps = Steps::within(EXACT.budget, &visits, decks);
        let deepest = -gains[0].0 * i64::from(decks) / steps.lows.unwrap_or(1);
        assert!(deepest < 10_000_000 && borders(visits.night(decks)).len() < 1_100, "{steps:?}");
    }
    assert!(borders((2e10, 1e3)).iter().all(|&border| border > 0));
    assert!(borders((2e4, 1e4)).contains(&0));
}

/// The adjustment coefficient gives E[exp(-R profit)] = 1 for a night, computed over all its courses; and the bank
/// for any number of nights suffices for a hundred of them.
#[test]
fn a_bank_for_any_number_of_nights_is_enough() {
    let patrons = [
        patron(0.5, &[(-300, 3), (400, 7)]),
        Patron { decks_each: 5, ..patron(0.5, &[(-400, 45), (500, 55)]) },
    ];
    let visits = Visits::new(&patrons, 0);
    let (r, more) = adjustment(&visits, 12);
    let discount: Vec<f64> = visits
        .kinds
        .iter()
        .map(|kind| kind.gains.iter().map(|&(gain, p)| p * (-r * gain as f64).exp()).sum())
        .collect();
    let mut course = visits.course([1.0, 0.0, 0.0]);
    for _ in 0..12 {
        course.sell(|kind, [p, ..]| *p *= discount[kind]);
    }
    close(course.whole()[0], 1.0, 1e-9);
    assert!(more > 0.0);
    let asked = Question { decks: 12, bank: 0, greatest_loss: 400, price: Some(400) };
    let found = night(&patrons, asked, 100).bank_for_any_nights.unwrap();
    close(found.value, 400.0 - 0.01f64.ln() / r + more, 1e-9);
    // Ruined paths are removed after every deck; each night begins with a new visit.
    let (laid, bank) = (for_sums(&visits, None), found.value.ceil() as i128);
    let (mut profit, mut ruined) = (Profit::new(0.0), 0.0);
    for _ in 0..100 {
        let mut course = visits.course(profit);
        for _ in 0..12 {
            course.sell(|kind, profit| profit.play(&laid[kind]));
            ruined += course.places().map(|profit| profit.absorb_below(400 - bank)).sum::<f64>();
        }
        profit = course.whole();
    }
    assert!((0.001..=0.01).contains(&ruined), "{ruined}");
}

/// N0 is where the mean of a night, from its first deck on, reaches its standard deviation.
#[test]
fn n0_is_that_of_nights_from_their_first_deck_on() {
    let patrons = [
        patron(0.6, &[(-300, 3), (400, 7)]),
        Patron { decks_each: 20, ..patron(0.4, &[(-500, 52), (500, 48)]) },
    ];
    let visits = Visits::new(&patrons, 0);
    let n0 = visits.n0();
    let ahead = |decks: u32| {
        let (mean, sd) = visits.night(decks);
        mean - sd
    };
    assert!(ahead(n0.floor() as u32) < 0.0 && ahead(n0.ceil() as u32) >= 0.0, "{n0}");
    let (mean, _) = moments(&visits.deck);
    let without_end = (visits.spread() / mean).powi(2);
    assert!((n0 / without_end - 1.0).abs() > 0.02, "{n0} {without_end}");
}
