//! Visits of several decks.

use super::*;

/// Every course of three visits, counted one by one: of one deck by some, of three by the others.
#[test]
fn visits_of_several_decks_agree_with_every_course() {
    let once = patron(0.25, &[(-500, 3), (400, 7)]);
    let often = Patron { decks_each: 3, ..patron(0.75, &[(-700, 2), (200, 3)]) };
    let patrons = [once, often];
    // As often as each other, for a quarter and three quarters of the decks.
    let kinds = [(0.5, vec![(-500, 0.3), (400, 0.7)], 1), (0.5, vec![(-700, 0.4), (200, 0.6)], 3)];
    let mut all: Vec<(i64, i64, f64)> = vec![(0, 0, 1.0)];
    for _ in 0..3 {
        let mut next = Vec::new();
        for (chance, gains, decks) in &kinds {
            let mut own: Vec<_> = all.iter().map(|&(sum, low, p)| (sum, low, p * chance)).collect();
            for _ in 0..*decks {
                own = own
                    .iter()
                    // What is lowest before the next deck is looked at when that is sold.
                    .flat_map(|&(sum, low, p)| {
                        gains.iter().map(move |(gain, q)| (sum + gain, low.min(sum), p * q))
                    })
                    .collect();
            }
            next.extend(own);
        }
        all = next;
    }
    let visits = Visits::new(&patrons, 0);
    assert_eq!((visits.decks, visits.of(6), visits.of(1)), (2.0, 3, 1));
    let places = Places { banks: vec![1_000, 2_500], borders: vec![-9_000, -1_000, 0, 5_000] };
    let asked = Question { decks: 6, bank: 1_500, greatest_loss: 700, price: Some(400) };
    let figures = Figures::new(&asked, &visits, &places, EXACT, &NEVER);
    let chance = |of: &dyn Fn(i64, i64) -> bool| -> f64 {
        all.iter().filter(|(sum, low, _)| of(*sum, *low)).map(|(.., p)| p).sum()
    };
    close(figures.ruin, chance(&|_, low| low < -800), 1e-12);
    for (bank, found) in places.banks.iter().zip(&figures.ruin_by_bank) {
        close(*found, chance(&|_, low| low < 700 - bank), 1e-12);
    }
    close(figures.losing, chance(&|sum, _| sum < 0), 1e-12);
    for (ends, found) in places.borders.windows(2).zip(&figures.night) {
        close(*found, chance(&|sum, _| (ends[0]..ends[1]).contains(&sum)), 1e-12);
    }
    let mean: f64 = all.iter().map(|(sum, _, p)| *sum as f64 * p).sum();
    let variance: f64 = all.iter().map(|(sum, _, p)| (*sum as f64 - mean).powi(2) * p).sum();
    close(figures.mean * 6.0, mean, 1e-9);
    close(figures.spread.powi(2) * 6.0, variance, 1e-6);
    // Decks that hang together spread more than decks drawn apart.
    let apart = [patrons[0].clone(), Patron { decks_each: 1, ..patrons[1].clone() }];
    let apart = Figures::new(&asked, &Visits::new(&apart, 0), &places, EXACT, &NEVER);
    close(apart.mean, figures.mean, 1e-9);
    close(apart.sd, figures.sd, 1e-9);
    assert_eq!(apart.spread, apart.sd);
    assert!(figures.spread > apart.spread);
    let whole = night(&patrons, asked, 100);
    assert!(whole.fan.len() == 6 && whole.sd.value > whole.deck_sd.value * 6f64.sqrt());
    assert!(whole.ruin.low <= whole.ruin.value && whole.ruin.value <= whole.ruin.high);
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
