//! Visits of several decks.

use std::collections::BTreeMap;

use super::super::visits::shares_of_night;
use super::*;

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

/// Gains of the house on a deck of tourists, who lose; of regulars, who win; and of others who lose as much as
/// tourists.
const TOURISTS: [(i64, u64); 5] = [(5_100, 30), (2_600, 35), (100, 20), (-4_900, 13), (-19_900, 2)];
const REGULARS: [(i64, u64); 5] = [(5_100, 20), (2_600, 30), (100, 24), (-4_900, 20), (-19_900, 6)];
const EVEN: [(i64, u64); 2] = [(5_100, 65), (-5_400, 35)];

/// Share of the decks, decks per visit, and gains with their frequencies.
type Kind<'a> = (f64, u32, &'a [(i64, u64)]);

/// Simulates nights deck by deck.
#[test]
fn nights_of_visits_agree_with_plain_simulation() {
    let mixes: [&[Kind<'_>]; 6] = [
        &[(0.6, 1, &TOURISTS), (0.4, 1, &REGULARS)],
        &[(0.6, 1, &TOURISTS), (0.4, 20, &REGULARS)],
        &[(1.0, 20, &REGULARS)],
        &[(0.3, 1, &TOURISTS), (0.7, 20, &TOURISTS)],
        &[(0.5, 5, &TOURISTS), (0.5, 7, &EVEN)],
        &[(0.3, 1, &EVEN), (0.2, 2, &REGULARS), (0.3, 5, &TOURISTS), (0.2, 20, &REGULARS)],
    ];
    for (number, mix) in (0u64..).zip(mixes) {
        let patrons: Vec<Patron> = mix
            .iter()
            .map(|&(share, decks_each, games)| Patron { decks_each, ..patron(share, games) })
            .collect();
        let asked = Question { decks: 67, bank: 70_000, greatest_loss: 19_900, price: Some(5_100) };
        let found = Figures::new(&asked, &Visits::new(&patrons, 0), &Places::default(), EXACT, &NEVER);
        let played = simulated(mix, &asked, number);
        let n = f64::from(NIGHTS);
        let share =
            |of: &dyn Fn(&(i64, bool)) -> bool| played.iter().filter(|night| of(night)).count() as f64 / n;
        // Four standard errors.
        let near = |p: f64, wanted: f64| close(p, wanted, 4.0 * (wanted * (1.0 - wanted) / n).sqrt());
        let moments = crate::stats::Moments::of(played.iter().map(|(profit, _)| (*profit as f64, 1)));
        close(moments.mean, found.whole.0, 4.0 * found.whole.1 / n.sqrt());
        close(moments.sd, found.whole.1, 4.0 * found.whole.1 / (1.8 * n).sqrt());
        assert!(found.losing > 0.005 && found.ruin > 0.003, "{number}: {found:?}");
        near(share(&|(profit, _)| *profit < 0), found.losing);
        near(share(&|(_, ruin)| *ruin), found.ruin);
        for (level, at) in LEVELS.into_iter().zip(found.fan.last().unwrap()) {
            let error = 4.0 * (level * (1.0 - level) / n).sqrt();
            assert!(share(&|(profit, _)| (*profit as f64) < *at) < level + error, "{number}: {level}");
            assert!(share(&|(profit, _)| *profit as f64 <= *at) > level - error, "{number}: {level}");
        }
        // Samples are computed on coarser lattices.
        let again = Figures::new(&asked, &Visits::new(&patrons, 0), &Places::default(), AGAIN, &NEVER);
        assert_eq!(again.whole, found.whole);
        close(again.losing, found.losing, 5e-3);
        close(again.ruin, found.ruin, 5e-3);
    }
}

const NIGHTS: u32 = 20_000;

/// Returns the profit of each night, and whether the house was ruined.
fn simulated(mix: &[Kind<'_>], asked: &Question, number: u64) -> Vec<(i64, bool)> {
    let mut rng = generator(5, number, Purpose::Dice);
    // A kind of visit is drawn by its share of decks divided by its decks, a gain by its games.
    let visits: Vec<u64> = mix.iter().map(|it| (it.0 * 420_000.0) as u64 / u64::from(it.1)).collect();
    let mut drawn = |weights: &mut dyn Iterator<Item = u64>, whole: u64| {
        let mut point = u64::from(below(&mut rng, whole as u32));
        weights
            .take_while(|&weight| {
                point >= weight && {
                    point -= weight;
                    true
                }
            })
            .count()
    };
    let whole = visits.iter().sum();
    let night = |_| {
        let (mut profit, mut ruin, mut sold) = (0, false, 0);
        while sold < asked.decks {
            let (_, decks, games) = mix[drawn(&mut visits.iter().copied(), whole)];
            for _ in 0..decks.min(asked.decks - sold) {
                ruin |= asked.bank + profit < asked.greatest_loss;
                profit += games[drawn(&mut games.iter().map(|it| it.1), 100)].0;
                sold += 1;
            }
        }
        (profit, ruin)
    };
    (0..NIGHTS).map(night).collect()
}

/// Long nights have the standard deviation of the long run, except for the effect of their first and last visits.
#[test]
fn the_deviation_of_many_decks_is_that_of_visits_without_end() {
    let patrons = [patron(0.6, &TOURISTS), Patron { decks_each: 20, ..patron(0.4, &REGULARS) }];
    let visits = Visits::new(&patrons, 0);
    let [short, long] = [4_000, 8_000].map(|decks| visits.night(decks));
    close(((long.1.powi(2) - short.1.powi(2)) / 4_000.0).sqrt(), visits.spread(), 1e-6);
    close((long.0 - short.0) / 4_000.0, moments(visits.deck()).0, 1e-9);
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

#[test]
fn patrons_are_mixed_by_their_shares() {
    let patrons = [patron(0.7, &[(-500, 30), (400, 70)]), patron(0.3, &[(-500, 4), (1000, 6)])];
    let mixed = share_out(&patrons, 0);
    let wanted = [(-500, 0.7 * 0.3 + 0.3 * 0.4), (400, 0.7 * 0.7), (1000, 0.3 * 0.6)];
    for (found, wanted) in mixed.iter().zip(wanted) {
        assert_eq!(found.0, wanted.0);
        close(found.1, wanted.1, 1e-12);
    }
    assert_eq!(mixed.len(), 3);
    assert!(share_out(&[], 0).is_empty());
    assert!(Replicate::new(question(10, 0), &[], &NEVER).is_none());
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
    // Ruined paths are removed at once; each night begins with a new visit.
    let ruined_with = |bank: i64| {
        let (mut profit, mut ruined) = (BTreeMap::from([(0i64, 1.0)]), 0.0);
        for _ in 0..100 {
            // By kind and decks left of the current visit, and by profit; (0, 0) between visits.
            let mut nows: BTreeMap<_, f64> = profit.iter().map(|(&at, &p)| ((0, 0, at), p)).collect();
            for _ in 0..12 {
                let mut next = BTreeMap::new();
                for ((kind, left, at), p) in nows {
                    let begun = visits.kinds.iter().enumerate().map(|(i, it)| (i, it.decks, it.chance));
                    let begun: Vec<_> = if left == 0 { begun.collect() } else { vec![(kind, left, 1.0)] };
                    for (kind, left, chance) in begun {
                        for &(gain, q) in &visits.kinds[kind].gains {
                            let (after, p) = (at + gain, p * q * chance);
                            if bank + after < 400 {
                                ruined += p;
                            } else if p > 1e-12 {
                                let (kind, left) = if left == 1 { (0, 0) } else { (kind, left - 1) };
                                *next.entry((kind, left, after)).or_insert(0.0) += p;
                            }
                        }
                    }
                }
                nows = next;
            }
            profit.clear();
            nows.into_iter().for_each(|((_, _, at), p)| *profit.entry(at).or_insert(0.0) += p);
        }
        ruined
    };
    let risk = ruined_with(found.value.ceil() as i64);
    assert!((0.001..=0.01).contains(&risk), "{risk}");
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
