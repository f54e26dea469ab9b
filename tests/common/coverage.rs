//! How often the printed intervals contain the truth.
//!
//! The truth is a known distribution of outcomes, such as that of a run of millions of games. Samples are drawn from
//! it, and each goes through the library functions that the commands call.

use rand_chacha::ChaCha8Rng;
use rand_distr::{Binomial, Distribution};
use saratoga::cards::{Purpose, generator};
use saratoga::game::{End, Outcome};
use saratoga::rules::{Casino, Spec};
use saratoga::stats::{Estimate, House, Moments, Precision, Tally, Term, offer, student, summarize};

/// A ruleset, with the distribution of its games under one strategy.
#[derive(Clone, Debug)]
pub struct Truth {
    pub name: String,
    pub casino: Casino,
    pub games: Vec<u64>,
}

/// Coverage of an estimated quantity by one method.
#[derive(Clone, Debug, Default)]
pub struct Covered {
    pub figure: &'static str,
    pub method: &'static str,
    pub samples: u64,
    /// Number of intervals above the truth, and below it.
    pub above: u64,
    pub below: u64,
    /// Sum of the finite widths.
    pub width: f64,
    pub games: u64,
}

impl Covered {
    pub fn share(&self) -> f64 {
        1.0 - (self.above + self.below) as f64 / self.samples.max(1) as f64
    }

    fn add(&mut self, e: Estimate, truth: f64, games: u64) {
        // An exact hit must not be missed because of rounding.
        let slack = 1e-12 * truth.abs();
        self.samples += 1;
        self.above += u64::from(e.low > truth + slack);
        self.below += u64::from(e.high < truth - slack);
        self.width += Some(e.high - e.low).filter(|width| width.is_finite()).unwrap_or(0.0);
        self.games += games;
    }
}

#[derive(Clone, Debug, Default)]
pub struct Study(pub Vec<Covered>);

impl Study {
    pub fn add(&mut self, figure: &'static str, method: &'static str, e: Estimate, truth: f64, games: u64) {
        let place = self.0.iter().position(|it| it.figure == figure && it.method == method);
        let place = place.unwrap_or_else(|| {
            self.0.push(Covered { figure, method, ..Covered::default() });
            self.0.len() - 1
        });
        self.0[place].add(e, truth, games);
    }

    pub fn of(&self, figure: &str, method: &str) -> &Covered {
        self.0.iter().find(|it| it.figure == figure && it.method == method).expect("a figure of the study")
    }
}

/// Name of the program's method, shown beside the others.
pub const PROGRAM: &str = "program";
pub const STUDENT: &str = "Student";

impl Truth {
    /// Parses a line of the data: name, stake, pay for a card and for a win, then games by cards.
    pub fn read(line: &str) -> Option<Truth> {
        let mut fields = line.split('\t');
        let name = fields.next()?.to_string();
        let mut cents = || fields.next()?.parse().ok();
        let casino = Casino {
            stake: cents()?,
            pays_per_card: cents()?,
            pays_for_win: cents()?,
            ..Spec::default().casino
        };
        let games = fields.next()?.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        Some(Truth { name, casino, games })
    }

    pub fn spec(&self) -> Spec {
        Spec { casino: self.casino.clone(), ..Spec::default() }
    }

    fn total(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Returns the mean of a function of the cards over the true distribution.
    pub fn mean(&self, of: impl Fn(usize) -> f64) -> f64 {
        let sum: f64 = self.games.iter().enumerate().map(|(cards, &n)| of(cards) * n as f64).sum();
        sum / self.total() as f64
    }

    /// Returns the cents paid for this many cards.
    pub fn paid(&self, cards: usize) -> f64 {
        saratoga::stats::payout(&self.casino, cards, self.games.len() - 1) as f64
    }

    pub fn edge(&self) -> f64 {
        1.0 - self.mean(|cards| self.paid(cards)) / self.casino.stake as f64
    }

    /// Adds games that end with this many cards.
    pub fn add(&self, tally: &mut Tally, cards: usize, games: u64) {
        let won = cards + 1 == self.games.len();
        let end = if won { End::Won } else { End::Barren };
        let (cards, complete_suits) = (cards as u16, 0);
        tally.add_many(
            &Outcome { end, cards, moves: 60, redeals: 1, reserve_left: 0, complete_suits, stake: None },
            games,
        );
    }

    pub fn generator(&self, number: u64) -> ChaCha8Rng {
        generator(19, number, Purpose::Bootstrap)
    }

    /// Adds games drawn from the true distribution.
    pub fn play(&self, tally: &mut Tally, games: u64, rng: &mut ChaCha8Rng) {
        let (mut left, mut of) = (games, self.total());
        for (cards, &count) in self.games.iter().enumerate() {
            if left == 0 || count == 0 {
                continue;
            }
            let drawn = match Binomial::new(left, (count as f64 / of as f64).min(1.0)) {
                Ok(binomial) => binomial.sample(rng),
                Err(_) => 0,
            };
            (left, of) = (left - drawn, of - count);
            self.add(tally, cards, drawn);
        }
    }

    /// Studies all quantities with samples of a fixed number of games.
    pub fn fixed(&self, games: u64, samples: u64) -> Study {
        let mut study = Study::default();
        let spec = self.spec();
        for number in 0..samples {
            let mut tally = Tally::new(&spec);
            self.play(&mut tally, games, &mut self.generator(number));
            self.look(&tally, &spec, &mut study);
        }
        study
    }

    /// Studies the edge in runs that stop once it is precise enough, checked after every block of 1,000 games from
    /// 10,000 on.
    pub fn until(&self, precision: Precision, samples: u64) -> Study {
        let mut study = Study::default();
        let spec = self.spec();
        for number in 0..samples {
            let mut tally = Tally::new(&spec);
            let mut rng = self.generator(number);
            self.play(&mut tally, 10_000, &mut rng);
            while !precision.reached(&tally, &spec) {
                self.play(&mut tally, 1_000, &mut rng);
            }
            self.edges(&tally, &mut study);
        }
        study
    }

    fn edges(&self, tally: &Tally, study: &mut Study) {
        let (games, truth, stake) = (tally.games(), self.edge(), self.casino.stake as f64);
        if let Some(edge) = House::new(tally, &self.casino).edge() {
            study.add("house edge", PROGRAM, edge, truth, games);
        }
        let paid = tally.histogram().iter().enumerate();
        let moments = Moments::of(paid.map(|(cards, &n)| (self.paid(cards), n as i64)));
        let half = student(games as f64 - 1.0) * moments.sd / (games as f64).sqrt();
        let [high, value, low] = [-half, 0.0, half].map(|off| 1.0 - (moments.mean + off) / stake);
        study.add("house edge", STUDENT, Estimate { value, low, high }, truth, games);
    }

    fn look(&self, tally: &Tally, spec: &Spec, study: &mut Study) {
        let games = tally.games();
        let all = self.games.len() - 1;
        let wins = self.mean(|cards| f64::from(u8::from(cards == all)));
        self.edges(tally, study);
        let summary = summarize(tally, spec, Vec::new());
        study.add("win rate", PROGRAM, summary.win_rate, wins, games);
        study.add("mean cards", PROGRAM, summary.cards, self.mean(|cards| cards as f64), games);
        let profit = self.mean(|cards| f64::from(u8::from(self.paid(cards) > self.casino.stake as f64)));
        study.add("profit share", PROGRAM, summary.hit_frequency, profit, games);
        // The value of each term for an edge of 5%.
        let stake = self.casino.stake as f64;
        let others = |term: Term| {
            let casino = term.set(&self.casino, 0);
            self.mean(|cards| saratoga::stats::payout(&casino, cards, all) as f64)
        };
        let truths = [
            ("price for 5%", Term::DeckPrice, self.mean(|cards| self.paid(cards)) / 0.95),
            (
                "pay for 5%",
                Term::PayPerCard,
                (0.95 * stake - others(Term::PayPerCard)) / self.mean(|c| c as f64),
            ),
            ("bonus for 5%", Term::WinBonus, (0.95 * stake - others(Term::WinBonus)) / wins),
        ];
        for (figure, term, truth) in truths {
            use saratoga::stats::NoOffer::{Negative, NeverPaid, TooLittle, TooMuch};
            let exact = match offer(tally, &self.casino, 0.05, term) {
                Ok(offer) => offer.exact,
                Err(Negative { exact } | TooLittle { exact } | TooMuch { exact }) => exact,
                // A value that is not safe is not excluded, however large.
                Err(NeverPaid { safe: Some(safe) }) => {
                    Estimate { value: 0.0, low: safe.cents as f64, high: f64::INFINITY }
                }
                Err(_) => continue,
            };
            if truth.is_finite() {
                study.add(figure, PROGRAM, exact, truth, games);
            }
        }
    }
}
