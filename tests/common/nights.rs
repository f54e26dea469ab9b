//! How often the results of a night contain the truth: samples of games are drawn from it, and each goes through the
//! bootstrap of `bankroll`.

use std::sync::atomic::AtomicBool;

use rayon::prelude::*;
use saratoga::rules::Casino;
use saratoga::stats::{Bankroll, Estimate, House, Patron, Question, Replicate, Tally, greatest_loss};

use super::coverage::{PROGRAM, Study, Truth};

static NEVER: AtomicBool = AtomicBool::new(false);

#[derive(Clone, Copy, Debug)]
pub struct Night {
    /// The price of a deck and the bank, in cents.
    pub stake: i64,
    pub bank: i64,
    pub decks: u32,
}

impl Night {
    /// Studies all quantities with `samples` samples of `games` games each, and `again` resamples for the limits.
    pub fn study(&self, truth: &Truth, games: u64, samples: u64, again: u64) -> Study {
        let casino = Casino { stake: self.stake, ..truth.casino.clone() };
        let truth = Truth { casino, ..truth.clone() };
        let spec = truth.spec();
        let mut all = Tally::new(&spec);
        truth.games.iter().enumerate().for_each(|(cards, &n)| truth.add(&mut all, cards, n));
        let whole = self.night(&truth, &all, 0, 0);
        let sample = |number| {
            let mut tally = Tally::new(&spec);
            truth.play(&mut tally, games, &mut truth.generator(number));
            figures(&self.night(&truth, &tally, again, number))
        };
        let found: Vec<_> = (0..samples).into_par_iter().map(sample).collect();
        let mut study = Study::default();
        for ((figure, e), (_, truth)) in found.iter().flat_map(|it| it.iter().zip(figures(&whole))) {
            study.add(figure, PROGRAM, *e, truth.value, games);
        }
        study
    }

    fn night(&self, truth: &Truth, tally: &Tally, again: u64, seed: u64) -> Bankroll {
        let question = Question {
            decks: self.decks,
            bank: self.bank,
            greatest_loss: greatest_loss(&truth.casino, truth.games.len() - 1),
            price: Some(self.stake),
        };
        let house = House::new(tally, &truth.casino);
        let patrons =
            [Patron { share: 1.0, outcomes: house.outcomes(), reach: house.reach(), decks_each: 1 }];
        let replicate = Replicate::new(question, &patrons, &NEVER).expect("a night of some games");
        let samples: Vec<_> = (0..again).map_while(|number| replicate.again(seed, number, &NEVER)).collect();
        replicate.finish(&samples)
    }
}

fn figures(night: &Bankroll) -> [(&'static str, Estimate); 7] {
    [
        ("profit of a night", night.profit),
        ("risk of ruin", night.ruin),
        ("losing night", night.losing_night),
        ("worst night in 100", night.worst_night),
        ("expected shortfall", night.shortfall),
        ("bank for 1% risk", night.bank_for_1_percent),
        ("standard deviation", night.sd),
    ]
}
