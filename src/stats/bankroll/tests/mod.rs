use super::figures::{AGAIN, EXACT, Figures, Places, adjustment, ruin};
use super::lattice::{Steps, on_multiples};
use super::lows::Lows;
use super::visits::Kind;
use super::*;
use crate::cards::{Purpose, below, generator};
use crate::stats::casino::Outcomes;
use crate::stats::profit::{Deck, moments};
use crate::stats::testing::close;

mod visits;

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

fn patron(share: f64, outcomes: &[(i64, u64)]) -> Patron {
    let outcomes: Vec<Outcomes> =
        outcomes.iter().map(|&(gain, games)| Outcomes { gains: [gain; 3], games }).collect();
    let reach = |most: bool| {
        outcomes.iter().map(|it| if most { it.gains[0] } else { -it.gains[0] }).max().unwrap_or(0)
    };
    Patron { share, reach: (-reach(false), reach(true)), outcomes, decks_each: 1 }
}

/// The measured games of a player, in proportion to `GAINS`.
fn measured(games: f64) -> Vec<Patron> {
    let counted: Vec<_> =
        GAINS.iter().map(|&(gain, chance)| (gain, (chance * games).round() as u64)).collect();
    vec![patron(1.0, &counted)]
}

fn binomial(n: u64, k: u64) -> f64 {
    (1..=k).map(|i| (n - k + i) as f64 / i as f64).product()
}

/// A fair coin for a dollar: the chance that the lowest of n sums is at or below -a is P(S <= -a) + P(S < -a), by
/// reflection (Feller, An Introduction to Probability Theory, volume I, chapter III).
#[test]
fn ruin_of_a_fair_game_is_found_by_reflection() {
    let coin = [(-100, 0.5), (100, 0.5)];
    let (visits, exact) = (decks_of(&coin), vec![Deck::exact(&coin)]);
    for decks in [1u32, 2, 9, 40] {
        let n = u64::from(decks - 1);
        // P(S <= -a dollars) after n tosses.
        let at_most = |a: i64| {
            let heads = (0..=n).filter(|&heads| 2 * heads as i64 - n as i64 <= -a);
            heads.map(|heads| binomial(n, heads)).sum::<f64>() / 2f64.powi(n as i32)
        };
        let lows = Lows::new(&visits.kinds, &[Deck::on_multiples(&coin, 100)], decks, 0.0, &NEVER);
        for reach in [0i64, 100, 300, 550, 1200] {
            // More than the reach is lost: at least one dollar more.
            let a = reach / 100 + 1;
            let wanted = at_most(a) + at_most(a + 1);
            close(ruin(&visits, &exact, (decks, reach), 0.0, &NEVER), wanted, 1e-12);
            close(lows.deeper(reach), wanted, 1e-12);
        }
        assert_eq!((ruin(&visits, &exact, (decks, -1), 0.0, &NEVER), lows.deeper(-1)), (1.0, 1.0));
    }
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

#[test]
fn coarser_steps_hardly_change_the_figures() {
    let fine: Vec<(i64, f64)> = GAINS.iter().map(|&(gain, chance)| (gain + 37, chance)).collect();
    let deck = Deck::on_multiples(&fine, 250);
    let shared: Vec<(i64, f64)> =
        deck.steps.iter().map(|&(step, chance)| (deck.least + step as i64 * 250, chance)).collect();
    let ((mean, sd), (mean_shared, sd_shared)) = (moments(&fine), moments(&shared));
    close(mean, mean_shared, 1e-9);
    assert!(sd_shared > sd && sd_shared.powi(2) - sd.powi(2) <= 250f64.powi(2) / 4.0);
    let places = Places { banks: vec![30_000, 60_000, 120_000], borders: vec![-50_000, 0, 50_000] };
    let of = |care| Figures::new(&question(300, 60_000), &decks_of(&fine), &places, care, &NEVER);
    let (exact, again) = (of(EXACT), of(AGAIN));
    assert_eq!(exact.unit, None);
    close(exact.ruin, again.ruin, 2e-3);
    close(exact.losing, again.losing, 2e-3);
    for (a, b) in exact.ruin_by_bank.iter().zip(&again.ruin_by_bank) {
        close(*a, *b, 2e-3);
    }
    // A price that leaves no common unit except the cent.
    let odd = Figures::new(
        &question(2000, 60_000),
        &decks_of(&[(-20_213, 0.1), (1_931, 0.5), (3_977, 0.4)]),
        &places,
        AGAIN,
        &NEVER,
    );
    assert!(odd.unit.is_some_and(|unit| (2..1_500).contains(&unit)), "{:?}", odd.unit);
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
    assert_eq!(
        (worst[0].outcomes.last().unwrap().gains[0], best[0].outcomes.last().unwrap().gains[0]),
        (1, 4)
    );
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
    let mut sums = std::collections::BTreeMap::from([(0i64, 1.0)]);
    for _ in 0..40 {
        let mut next = std::collections::BTreeMap::new();
        for (sum, p) in &sums {
            for (gain, q) in GAINS {
                *next.entry(sum + gain).or_insert(0.0) += p * q;
            }
        }
        sums = next;
    }
    let (mut below, mut worst, mut mean) = (0.0, None, 0.0);
    for (&sum, &p) in &sums {
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
    let sure = [Outcomes { gains: [1000; 3], games: 60 }, Outcomes { gains: [-900; 3], games: 30 }];
    let open = Outcomes { gains: [-100, -2000, 1000], games: 10 };
    let with = |gains: [i64; 3]| {
        let outcomes = sure.into_iter().chain([Outcomes { gains, ..open }]).collect();
        night(
            &[Patron { share: 1.0, outcomes, reach: (-2000, 1000), decks_each: 1 }],
            Question { greatest_loss: 2000, ..question(20, 9_000) },
            200,
        )
    };
    let all = with(open.gains);
    let (worst, best) = (with([-2000; 3]), with([1000; 3]));
    assert_eq!(all.profit.value, with([-100; 3]).profit.value);
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
