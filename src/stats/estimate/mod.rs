//! Conclusions from the results of a night: the mix of players, the house edge, and whether the results were luck.

mod luck;
mod posterior;

use serde::Serialize;

use super::Estimate;
pub use luck::{Evidence, Inquest, LEAST_TOGETHER, NightRow, Suspect};
use luck::{Mixed, chances_within, course, fit};
use posterior::draw;
pub use posterior::{Drawn, Posterior};

/// Conclusions from the results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimated {
    /// Decks of the night.
    pub decks: u64,
    /// Total payment, cents, before redeal fees.
    pub paid: i64,
    /// Mean total payment under the expected mix of players, cents.
    #[serde(rename = "paid_expected")]
    pub expected: f64,
    /// Probability, under that mix, of at least the actual payment; its limits allow for the sampling error of the
    /// games.
    pub chance: Estimate,
    /// Probability of at most the actual payment.
    pub chance_of_less: Estimate,
    /// Upper bound of the p-value of the hypothesis that some mix of these kinds played the night.
    pub fit: f64,
    /// Whether no mix explains the night, so that the shares and the edge below are unreliable.
    pub unexplained: bool,
    /// Share of the stakes that the house kept: 1 - paid / price.
    pub kept: f64,
    /// House edge under the expected mix.
    #[serde(rename = "edge_expected")]
    pub edge_before: f64,
    /// The posterior, given the night.
    #[serde(flatten)]
    pub after: Drawn,
    /// Whether the results may be in the order in which the decks were sold. If not, the sequential test looks once, at
    /// the end.
    pub in_order: bool,
    /// Course of the sequential test.
    #[serde(rename = "evidence")]
    pub course: Vec<Evidence>,
    /// Number of decks after which the results were too unlucky to be luck; `None` if they never were.
    pub too_bad_after: Option<u64>,
}

/// Draws the conclusions from the results. `None` without decks or suspects.
pub fn inquire(asked: &Inquest<'_>) -> Option<Estimated> {
    let decks: u64 = asked.results.iter().map(|it| u64::from(it.decks())).sum();
    if decks == 0 || asked.suspects.is_empty() {
        return None;
    }
    let paid = asked.results.iter().map(|it| asked.paid(it)).fold(0, i64::saturating_add);
    let price = asked.price as f64;
    let mixed = Mixed::new(asked);
    let [chance, chance_of_less] = chances_within(&mixed, asked, decks, paid);
    let (course, too_bad_after) = course(asked, &mixed);
    let fit = fit(asked, decks, paid);
    Some(Estimated {
        decks,
        paid,
        expected: mixed.mean * decks as f64,
        chance,
        chance_of_less,
        fit,
        unexplained: fit <= asked.alpha,
        kept: 1.0 - paid as f64 / (price * decks as f64),
        edge_before: 1.0 - (mixed.mean - mixed.fees) / price,
        after: draw(asked),
        in_order: asked.in_order(),
        course,
        too_bad_after,
    })
}

#[cfg(test)]
mod tests {
    use super::luck::chances_of;
    use super::*;
    use crate::cards::{Purpose, below, generator};
    use crate::stats::testing::close;

    fn chance_of(mixed: &Mixed, decks: u64, paid: i64) -> f64 {
        chances_of(mixed, decks, paid)[0]
    }

    /// Three kinds over six numbers of cards; a card pays a dollar.
    const KINDS: [[u64; 6]; 3] = [
        [4000, 3000, 1500, 1000, 400, 100],
        [2000, 2000, 2500, 2000, 1000, 500],
        [500, 500, 1000, 2000, 3000, 3000],
    ];
    const PAYS: [i64; 6] = [0, 100, 200, 300, 400, 500];

    fn suspects(shares: &[f64]) -> Vec<Suspect> {
        let suspect = |(histogram, share): (&[u64; 6], &f64)| Suspect {
            // So many games that the measurement is practically exact.
            histogram: histogram.iter().map(|n| n * 100_000).collect(),
            fees: 10.0,
            share: *share,
        };
        KINDS.iter().zip(shares).map(suspect).collect()
    }

    fn asked<'a>(results: &'a [NightRow], suspects: &'a [Suspect], weight: f64) -> Inquest<'a> {
        Inquest { results, suspects, pays: &PAYS, price: 300, weight, alpha: 0.01, seed: 3 }
    }

    /// How many decks ended with each number of cards.
    fn counted(decks: &[u32]) -> Vec<NightRow> {
        let rows = (0..).zip(decks).map(|(cards, &decks)| NightRow::Each { cards, decks });
        rows.filter(|row| row.decks() > 0).collect()
    }

    fn paid(row: &NightRow) -> i64 {
        asked(&[], &[], 1.0).paid(row)
    }

    /// Computes the mean of the shares and of the edge, and the probability that the first share is below a half, by
    /// summing over a grid of all shares; `likely` is the log-likelihood.
    fn by_grid(prior: &[f64; 3], likely: &dyn Fn(&[f64; 3]) -> f64) -> ([f64; 3], f64) {
        const STEPS: usize = 400;
        let mut points = Vec::new();
        for i in 0..STEPS {
            for j in 0..STEPS - i {
                // The middle of each cell, so that no share is 0.
                let (a, b) = ((i as f64 + 1.0 / 3.0) / STEPS as f64, (j as f64 + 1.0 / 3.0) / STEPS as f64);
                let shares = [a, b, 1.0 - a - b];
                let log =
                    likely(&shares) + shares.iter().zip(prior).map(|(w, a)| (a - 1.0) * w.ln()).sum::<f64>();
                points.push((shares, log));
            }
        }
        let top = points.iter().map(|(_, log)| *log).fold(f64::NEG_INFINITY, f64::max);
        let whole: f64 = points.iter().map(|(_, log)| (log - top).exp()).sum();
        let mean = |of: &dyn Fn(&[f64; 3]) -> f64| {
            points.iter().map(|(shares, log)| of(shares) * (log - top).exp()).sum::<f64>() / whole
        };
        let back = |kind: usize| {
            KINDS[kind].iter().zip(PAYS).map(|(n, pay)| *n as f64 / 10_000.0 * pay as f64).sum::<f64>() - 10.0
        };
        let edge =
            |shares: &[f64; 3]| 1.0 - (0..3).map(|kind| shares[kind] * back(kind)).sum::<f64>() / 300.0;
        ([0, 1, 2].map(|kind| mean(&|shares| shares[kind])), mean(&edge))
    }

    #[test]
    fn the_posterior_is_that_of_a_grid() {
        let counts = [9u32, 8, 7, 6, 12, 8];
        let rows = counted(&counts);
        let suspects = suspects(&[0.5, 0.3, 0.2]);
        for weight in [5.0, 20.0] {
            let prior = [0.5, 0.3, 0.2].map(|share| share * weight);
            let (shares, edge) = by_grid(&prior, &|shares| {
                let chance =
                    |cards: usize| (0..3).map(|k| shares[k] * KINDS[k][cards] as f64 / 10_000.0).sum::<f64>();
                counts.iter().enumerate().map(|(cards, n)| f64::from(*n) * chance(cards).ln()).sum()
            });
            let found = inquire(&asked(&rows, &suspects, weight)).unwrap();
            assert!(found.after.effective_draws > 10_000.0, "{}", found.after.effective_draws);
            for (found, wanted) in found.after.shares.iter().zip(shares) {
                close(found.estimate.value, wanted, 0.0005);
                assert!(found.estimate.low < wanted && wanted < found.estimate.high);
            }
            close(found.after.edge.estimate.value, edge, 0.0005);
            close(found.after.shares.iter().map(|it| it.estimate.value).sum(), 1.0, 1e-9);
            close(found.after.density.iter().map(|(_, p)| p).sum(), 1.0, 1e-9);
            let width = found.after.density[1].0 - found.after.density[0].0;
            close(found.after.density[0].0 / width, (found.after.density[0].0 / width).round(), 1e-6);
            let below =
                found.after.density.iter().filter(|(from, _)| *from < -width / 2.0).map(|(_, p)| p).sum();
            close(below, found.after.losing.estimate.value, 0.001);
            assert_eq!((found.decks, found.paid), (50, 100 * (8 + 14 + 18 + 48 + 40)));
        }
    }

    #[test]
    fn decks_paid_together_say_what_their_sum_says() {
        let rows = [
            NightRow::Together { decks: 60, paid: 60 * 260 },
            NightRow::Together { decks: 40, paid: 40 * 240 },
        ];
        let suspects = suspects(&[0.4, 0.3, 0.3]);
        let of = |kind: usize| {
            let p = |n: &u64| *n as f64 / 10_000.0;
            let mean = KINDS[kind].iter().zip(PAYS).map(|(n, pay)| p(n) * pay as f64).sum::<f64>();
            let variance =
                KINDS[kind].iter().zip(PAYS).map(|(n, pay)| p(n) * (pay as f64 - mean).powi(2)).sum::<f64>();
            (mean, variance)
        };
        let (shares, edge) = by_grid(&[4.0, 3.0, 3.0], &|shares| {
            // The players of the decks are drawn too, which adds to the variance of the sum.
            let mean: f64 = (0..3).map(|k| shares[k] * of(k).0).sum();
            let variance: f64 = (0..3).map(|k| shares[k] * (of(k).1 + (of(k).0 - mean).powi(2))).sum();
            [(60.0, 260.0), (40.0, 240.0)]
                .map(|(n, paid)| -0.5 * n * (paid - mean).powi(2) / variance - 0.5 * (n * variance).ln())
                .iter()
                .sum()
        });
        let found = inquire(&asked(&rows, &suspects, 10.0)).unwrap();
        for (found, wanted) in found.after.shares.iter().zip(shares) {
            close(found.estimate.value, wanted, 0.0005);
        }
        close(found.after.edge.estimate.value, edge, 0.0005);
    }

    #[test]
    fn without_evidence_the_shares_stay_what_they_were() {
        // All players are known to be alike, so that nothing is learned.
        let alike: Vec<Suspect> =
            [0.2, 0.8].map(|share| Suspect { histogram: vec![500_000_000; 6], fees: 0.0, share }).to_vec();
        let rows = [NightRow::Each { cards: 3, decks: 500 }];
        let found = inquire(&asked(&rows, &alike, 10.0)).unwrap();
        let share = found.after.shares[0].estimate;
        close(share.value, 0.2, 0.002);
        // A Beta distribution with parameters 2 and 8.
        close(share.low, 0.0281, 0.002);
        close(share.high, 0.4825, 0.003);
    }

    #[test]
    fn the_chance_of_a_sum_is_exact() {
        let coin = [Suspect { histogram: vec![50, 50, 0, 0, 0, 0], fees: 0.0, share: 1.0 }];
        let mixed = Mixed::new(&asked(&[], &coin, 1.0));
        let choose = |n: u64, k: u64| (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product::<f64>();
        for (n, k) in [(10u64, 8u64), (40, 20), (40, 33)] {
            let wanted: f64 = (k..=n).map(|i| choose(n, i)).sum::<f64>() / 2f64.powi(n as i32);
            close(chance_of(&mixed, n, 100 * k as i64), wanted, 1e-12);
        }
        // Far beyond, the switch to groups of decks is smooth.
        close(chance_of(&mixed, 2_000, 104_000), chance_of(&mixed, 2_001, 104_052), 0.003);
        // For many decks a rare great payment is not normal: once in 100,000, and its sum over 5,000 decks.
        let rare = [Suspect { histogram: vec![99_999, 0, 0, 0, 0, 1], fees: 0.0, share: 1.0 }];
        let rare = Mixed::new(&asked(&[], &rare, 1.0));
        let none = 0.99999f64.powi(5_000);
        close(chance_of(&rare, 5_000, 500), 1.0 - none, 1e-6);
        close(chance_of(&rare, 5_000, 1_000), 1.0 - none - 5_000.0 * 1e-5 * 0.99999f64.powi(4_999), 1e-6);
        close(chance_of(&rare, 300_007, 501), 1.0 - (-3.00007f64).exp() * 4.00007, 1e-3);
        assert_eq!(chance_of(&mixed, 10, 1_001), 0.0);
        assert_eq!(chance_of(&mixed, 10, 0), 1.0);
    }

    /// A prize of $10,000 that is not won in this many games.
    fn unseen(games: u64, wins: u64) -> [Suspect; 1] {
        [Suspect { histogram: vec![games - wins, wins], fees: 0.0, share: 1.0 }]
    }
    const PRIZE: [i64; 2] = [100, 1_000_000];

    #[test]
    fn a_prize_that_no_game_has_won_is_not_impossible() {
        let suspects = unseen(10_000, 0);
        let rows = counted(&[99, 1]);
        let asked = Inquest { pays: &PRIZE, ..asked(&rows, &suspects, 10.0) };
        let found = inquire(&asked).unwrap();
        // The limit for a rate with no success in 10,000 (Clopper and Pearson), at 2.5%.
        let most = 1.0 - 0.025f64.powf(1.0 / 10_000.0);
        // Each of two numbers of cards has a prior weight of half a game, so that the limit lies beyond.
        let limit = |times: f64| 1.0 - (100.0 + times * most * 999_900.0) / 300.0;
        assert!(
            found.after.edge.estimate.low < limit(1.0) && found.after.edge.estimate.low > limit(1.5),
            "{:?}",
            found.after.edge
        );
        close(found.after.edge.estimate.high, 1.0 - 100.0 / 300.0, 0.01);
        // The house loses beyond one prize in 5,000 games: the probability that a gamma variable of half a game, or of
        // one and a half, is above 2.
        close(found.after.losing.estimate.value, 0.0455, 0.01);
        close(found.after.losing.estimate.high, 0.2615, 0.03);
        close(found.chance.high, 1.0 - (1.0 - most).powi(100), 2e-4);
        assert!(found.chance.value < 1e-9 && found.chance.low < 1e-9, "{:?}", found.chance);
    }

    #[test]
    fn games_too_few_for_a_prize_raise_no_alarm() {
        // The prize is won once in 1,000 games; 1,000 were measured, and a night has 200 decks.
        let mut alarms = [0, 0];
        for number in 0..1_000u64 {
            let mut rng = generator(31, number, Purpose::Plan);
            let mut wins = |games: u64| (0..games).filter(|_| below(&mut rng, 1_000) == 0).count() as u64;
            let suspects = unseen(1_000, wins(1_000));
            let decks: Vec<u16> = (0..200).map(|_| wins(1) as u16).collect();
            let each: Vec<NightRow> = decks.iter().map(|&cards| NightRow::Each { cards, decks: 1 }).collect();
            let paid = decks.iter().map(|&cards| PRIZE[usize::from(cards)]).sum();
            for (alarms, rows) in alarms.iter_mut().zip([each, vec![NightRow::Together { decks: 200, paid }]])
            {
                let asked = Inquest { pays: &PRIZE, ..asked(&rows, &suspects, 1.0) };
                *alarms += usize::from(course(&asked, &Mixed::new(&asked)).1.is_some());
            }
        }
        // 1% of 1,000, plus four standard deviations.
        assert!(alarms.iter().all(|alarms| *alarms <= 22), "{alarms:?}");
    }

    /// Counts and sorted rows have no order of sale: the watch looks once, at the end, and finds the same in any order.
    #[test]
    fn results_without_an_order_are_watched_at_their_end() {
        let suspects = suspects(&[0.5, 0.3, 0.2]);
        let end = |rows: &[NightRow]| {
            let asked = asked(rows, &suspects, 1.0);
            let (course, _) = course(&asked, &Mixed::new(&asked));
            (asked.in_order(), course.len(), course.last().unwrap().one_in)
        };
        let rows = night([0.5, 0.3, 0.2], 60, 7);
        let cards = |row: &NightRow| if let NightRow::Each { cards, .. } = row { *cards } else { 0 };
        let mut sorted = rows.clone();
        sorted.sort_by_key(|row| std::cmp::Reverse(cards(row)));
        let of = |n| rows.iter().filter(|it| cards(it) == n).count() as u32;
        let counts = counted(&[0, 1, 2, 3, 4, 5].map(of));
        let (in_order, points, wealth) = end(&rows);
        assert!(in_order && points > 50);
        for unordered in [&sorted, &counts] {
            let (in_order, points, at_end) = end(unordered);
            assert_eq!((in_order, points), (false, 2));
            close(at_end, wealth, 1e-9 * wealth);
        }
        // A few rows may be sorted by chance.
        let few = [5, 3, 1, 1].map(|cards| NightRow::Each { cards, decks: 1 });
        assert!(end(&few).0);
    }

    /// Simulates a night with these shares, deck by deck.
    fn night(shares: [f64; 3], decks: u32, number: u64) -> Vec<NightRow> {
        let mut rng = generator(77, number, Purpose::Plan);
        (0..decks)
            .map(|_| {
                let mut pick = |weights: &[f64]| {
                    let mut at = f64::from(below(&mut rng, 1 << 24)) / f64::from(1u32 << 24)
                        * weights.iter().sum::<f64>();
                    weights
                        .iter()
                        .position(|w| {
                            at -= w;
                            at < 0.0
                        })
                        .unwrap_or(0)
                };
                let kind = pick(&shares);
                let cards = pick(&KINDS[kind].map(|n| n as f64)) as u16;
                NightRow::Each { cards, decks: 1 }
            })
            .collect()
    }

    #[test]
    fn honest_nights_are_seldom_called_too_bad() {
        let suspects = suspects(&[0.5, 0.3, 0.2]);
        let alarms = |shares: [f64; 3], together: u32| {
            let night = |number| -> bool {
                let rows = night(shares, 200, number);
                let rows: Vec<NightRow> = match together {
                    0 => rows,
                    n => rows
                        .chunks(n as usize)
                        .map(|rows| NightRow::Together {
                            decks: rows.len() as u32,
                            paid: rows.iter().map(paid).sum(),
                        })
                        .collect(),
                };
                let asked = Inquest { alpha: 0.05, ..asked(&rows, &suspects, 1.0) };
                course(&asked, &Mixed::new(&asked)).1.is_some()
            };
            (0..1_000).filter(|number| night(*number)).count()
        };
        for together in [0, 50] {
            let (honest, weaker, sharks) = (
                alarms([0.5, 0.3, 0.2], together),
                alarms([0.7, 0.2, 0.1], together),
                alarms([0.1, 0.2, 0.7], together),
            );
            // 5% of 1,000, plus four standard deviations; and most nights of much better players.
            assert!(
                honest <= 78 && weaker <= honest && sharks > 900,
                "{together}: {honest} {weaker} {sharks}"
            );
        }
    }

    /// Returns the bound for a night, with this many games of each kind measured.
    fn fit_of(rows: &[NightRow], suspects: &[Suspect], alpha: f64) -> f64 {
        let decks = rows.iter().map(|row| u64::from(row.decks())).sum();
        fit(&Inquest { alpha, ..asked(rows, suspects, 10.0) }, decks, rows.iter().map(paid).sum())
    }

    #[test]
    fn nights_of_the_kinds_are_seldom_called_unexplained() {
        let all = [0.5, 0.3, 0.2];
        let known = suspects(&all);
        for (i, shares) in [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.5, 0.0, 0.5], all].into_iter().enumerate() {
            let mut called = [0, 0];
            for number in 0..200 {
                let number = 10_000 + 200 * i as u64 + number;
                // Kinds measured well, and with 300 games each.
                let few = |kind: usize, share: f64| {
                    let shares = [0, 1, 2].map(|it| if it == kind { 1.0 } else { 0.0 });
                    let mut histogram = vec![0; 6];
                    for row in night(shares, 300, 1_000_000 + 3 * number + kind as u64) {
                        let NightRow::Each { cards, .. } = row else { continue };
                        histogram[usize::from(cards)] += 1;
                    }
                    Suspect { histogram, fees: 0.0, share }
                };
                let measured: Vec<Suspect> =
                    all.iter().enumerate().map(|(kind, share)| few(kind, *share)).collect();
                let rows = night(shares, 60, number);
                for (called, suspects) in called.iter_mut().zip([&known, &measured]) {
                    *called += usize::from(fit_of(&rows, suspects, 0.1) <= 0.1);
                }
            }
            // 10% of 200, plus two standard deviations.
            assert!(called.iter().all(|called| *called <= 28), "{shares:?}: {called:?}");
        }
    }

    #[test]
    fn nights_of_no_mix_are_unexplained() {
        let suspects = suspects(&[0.5, 0.3, 0.2]);
        for decks in [[0, 0, 0, 0, 0, 30], [60, 0, 0, 0, 0, 0], [0, 0, 60, 0, 0, 0], [30, 0, 0, 0, 0, 30]] {
            let found = fit_of(&counted(&decks), &suspects, 0.01);
            assert!(found < 1e-4, "{decks:?}: {found}");
        }
        for paid in [60 * 450, 60 * 30] {
            let found = fit_of(&[NightRow::Together { decks: 60, paid }], &suspects, 0.01);
            assert!(found < 1e-4, "{paid}: {found}");
        }
        // A night explained by half weak and half strong players, but by neither alone.
        assert!(fit_of(&counted(&[15, 12, 8, 10, 10, 11]), &suspects, 0.01) > 0.5);
    }

    /// Games of `canfield` by cards for beginner, ordinary, expert and shark, and the decks of the sample night.
    #[rustfmt::skip]
    const CANFIELD: [[u64; 53]; 4] = [
        [0, 4779, 6849, 7842, 8538, 8373, 8088, 7369, 6610, 5902, 5035, 4145, 3609, 3180, 2522, 2142, 1741, 1540, 1280, 1050, 945, 819, 668, 586, 538, 462, 386, 320, 304, 291, 226, 201, 163, 204, 154, 135, 95, 115, 86, 46, 62, 57, 33, 31, 29, 12, 8, 0, 1, 1, 0, 0, 2428],
        [0, 3801, 5559, 6696, 7582, 7892, 7639, 7161, 6753, 5867, 5200, 4596, 3903, 3409, 2826, 2401, 2078, 1844, 1430, 1180, 1046, 994, 789, 724, 641, 591, 493, 409, 413, 386, 334, 247, 245, 235, 178, 173, 150, 172, 103, 85, 88, 74, 45, 24, 25, 7, 7, 1, 0, 0, 2, 0, 3502],
        [0, 3086, 4111, 5033, 5566, 6073, 6109, 6128, 5782, 5590, 5208, 4770, 4319, 3926, 3330, 3105, 2711, 2402, 2031, 1808, 1628, 1447, 1207, 1069, 964, 891, 687, 626, 537, 567, 438, 395, 344, 358, 232, 206, 169, 194, 100, 75, 55, 49, 27, 19, 14, 6, 4, 0, 0, 0, 0, 0, 6604],
        [0, 42, 45, 31, 29, 44, 46, 38, 48, 50, 54, 47, 42, 48, 38, 28, 29, 37, 36, 33, 14, 16, 18, 14, 6, 7, 7, 2, 5, 2, 4, 3, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1135],
    ];
    #[rustfmt::skip]
    const SAMPLE: [u32; 53] =
        [0, 16, 17, 15, 27, 20, 20, 18, 23, 12, 21, 10, 10, 6, 10, 7, 6, 4, 5, 4, 2, 2, 1, 0, 1, 0, 0, 0, 1, 0, 3, 2, 2, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 29];

    /// Evaluates the sample night, with draws of this seed.
    fn sample(seed: u64) -> Estimated {
        let pays: Vec<i64> = (0..53).map(|cards| 500 * cards).collect();
        let rows = counted(&SAMPLE);
        let suspect = |(histogram, share): (&[u64; 53], f64)| Suspect {
            histogram: histogram.to_vec(),
            fees: 0.0,
            share,
        };
        let suspects: Vec<Suspect> = CANFIELD.iter().zip([0.3, 0.6, 0.08, 0.02]).map(suspect).collect();
        let asked = Inquest {
            results: &rows,
            suspects: &suspects,
            pays: &pays,
            price: 6_000,
            weight: 10.0,
            alpha: 0.01,
            seed,
        };
        inquire(&asked).unwrap()
    }

    #[test]
    fn other_draws_print_the_same_figures() {
        let printed = |it: &Posterior| {
            let (decimals, unit) = (it.decimals(), 10f64.powi(2 + it.decimals() as i32));
            let Estimate { value, low, high } = it.estimate;
            let [low, high] = [(low * unit).floor(), (high * unit).ceil()].map(|x| x / unit * 100.0);
            format!("{:.decimals$} {low:.decimals$} {high:.decimals$}", 100.0 * value)
        };
        let found: [Estimated; 2] = std::thread::scope(|scope| {
            [1, 2].map(|seed| scope.spawn(move || sample(seed))).map(|it| it.join().unwrap())
        });
        let [one, other] = &found;
        // Equal to the last printed digit, with limits rounded outwards.
        for (a, b) in [(&one.after.edge, &other.after.edge), (&one.after.losing, &other.after.losing)] {
            assert_eq!(printed(a), printed(b));
        }
        // Shares too, except near a rounding boundary: the mean of the experts is 5.50%.
        for (a, b) in one.after.shares.iter().zip(&other.after.shares) {
            let unit = 10f64.powi(-2 - a.decimals().min(b.decimals()) as i32);
            let (a, b) = (a.estimate, b.estimate);
            for (a, b) in [(a.value, b.value), (a.low, b.low), (a.high, b.high)] {
                close(a, b, 0.25 * unit);
            }
        }
        assert!(found[0].after.effective_draws > 100_000.0, "{}", found[0].after.effective_draws);
        assert!(found.iter().all(|it| it.after.edge.decimals() <= 1), "{:?}", found[0].after.edge);
        // Weighted averages over a million points, computed by another program for the measured players.
        let wanted = [0.2794, 0.5633, 0.0545, 0.1027];
        for (share, wanted) in found[0].after.shares.iter().zip(wanted) {
            close(share.estimate.value, wanted, 0.001);
        }
        let edge = found[0].after.edge.estimate;
        close(edge.value, -0.1008, 0.001);
        close(edge.low, -0.2237, 0.002);
        close(edge.high, 0.0068, 0.003);
        close(found[0].after.losing.estimate.value, 0.9657, 0.004);
    }
}
