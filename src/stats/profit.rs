//! Distribution of the house's profit after some decks: the convolution of its gains on each.

/// Maximum number of points of a course over many decks.
const POINTS: u32 = 60;

/// Returns the numbers of decks at which a course is drawn: all of a short night, evenly spaced in a long one.
pub(super) fn points(decks: u32) -> Vec<u32> {
    if decks <= POINTS {
        return (1..=decks).collect();
    }
    let step = |i: u32| 1 + u64::from(i) * u64::from(decks - 1) / u64::from(POINTS - 1);
    (0..POINTS).map(|i| step(i) as u32).collect()
}

/// The house's gain on one deck, on a lattice of money.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Deck {
    /// Lattice step, cents.
    pub unit: i64,
    /// Smallest gain, cents.
    pub least: i64,
    /// Gains in units above the smallest, ascending, with probabilities.
    pub steps: Vec<(usize, f64)>,
}

/// Sorts gains in cents with probabilities and merges equal ones.
pub(super) fn merged(mut gains: Vec<(i64, f64)>) -> Vec<(i64, f64)> {
    gains.sort_by_key(|&(gain, _)| gain);
    gains.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    gains
}

/// Returns the mean and variance of gains with probabilities.
pub(super) fn mean_and_variance(gains: &[(i64, f64)]) -> (f64, f64) {
    let mean: f64 = gains.iter().map(|&(gain, p)| gain as f64 * p).sum();
    (mean, gains.iter().map(|&(gain, p)| (gain as f64 - mean).powi(2) * p).sum())
}

/// Returns the mean and standard deviation of a distribution of gains.
pub(super) fn moments(gains: &[(i64, f64)]) -> (f64, f64) {
    // Relative to the first gain, to preserve precision if all are alike.
    let origin = gains.first().map_or(0, |&(gain, _)| gain);
    let about: Vec<(f64, f64)> = gains.iter().map(|&(gain, p)| ((gain - origin) as f64, p)).collect();
    let shift: f64 = about.iter().map(|&(gain, p)| gain * p).sum();
    let variance: f64 = about.iter().map(|&(gain, p)| (gain - shift).powi(2) * p).sum();
    (origin as f64 + shift, variance.max(0.0).sqrt())
}

impl Deck {
    /// Places the gains on a lattice that is quick to convolve for this many decks: exactly, or on multiples no
    /// coarser than the standard deviation of all decks together divided by `grain`.
    pub fn quick(gains: &[(i64, f64)], decks: u64, grain: f64) -> Deck {
        let exact = Deck::exact(gains);
        let unit = (mean_and_variance(gains).1 * decks as f64).sqrt() / grain;
        if exact.unit as f64 >= unit { exact } else { Deck::on_multiples(gains, (unit as i64).max(1)) }
    }

    /// Places gains exactly: cents with probabilities, distinct, at least one. The unit is the greatest common
    /// divisor of their differences.
    pub fn exact(gains: &[(i64, f64)]) -> Deck {
        Deck::all_exact([gains].into_iter()).remove(0)
    }

    /// Places the gains of several kinds of decks exactly, on one lattice.
    pub fn all_exact<'a>(kinds: impl Iterator<Item = &'a [(i64, f64)]> + Clone) -> Vec<Deck> {
        let all = || kinds.clone().flatten().map(|&(gain, _)| gain);
        let least = all().min().unwrap_or(0);
        let unit = all().fold(0, |unit, gain| gcd(unit, gain - least)).max(1);
        kinds.map(|gains| Deck::on(unit, least, gains.iter().copied())).collect()
    }

    /// Places the gains on multiples of `unit` cents. A gain between two multiples is split so that its mean is
    /// preserved; the variance of a deck grows by at most a quarter of the unit squared.
    pub fn on_multiples(gains: &[(i64, f64)], unit: i64) -> Deck {
        let shared = gains.iter().flat_map(|&(gain, chance)| {
            let below = gain.div_euclid(unit) * unit;
            let up = (gain - below) as f64 / unit as f64;
            [(below, chance * (1.0 - up)), (below + unit, chance * up)]
        });
        let shared: Vec<(i64, f64)> = shared.filter(|&(_, chance)| chance > 0.0).collect();
        let least = shared.iter().map(|&(gain, _)| gain).min().unwrap_or(0);
        Deck::on(unit, least, shared.into_iter())
    }

    fn on(unit: i64, least: i64, gains: impl Iterator<Item = (i64, f64)>) -> Deck {
        let mut steps: Vec<(usize, f64)> = Vec::new();
        let mut all: Vec<(usize, f64)> =
            gains.map(|(gain, chance)| (((gain - least) / unit) as usize, chance)).collect();
        all.sort_by_key(|&(step, _)| step);
        for (step, chance) in all {
            match steps.last_mut() {
                Some((last, sum)) if *last == step => *sum += chance,
                _ => steps.push((step, chance)),
            }
        }
        Deck { unit, least, steps }
    }

    /// Returns the mean and standard deviation, cents.
    pub fn moments(&self) -> (f64, f64) {
        let gains: Vec<(i64, f64)> =
            self.steps.iter().map(|&(step, p)| (self.least + step as i64 * self.unit, p)).collect();
        moments(&gains)
    }

    /// Returns the units between the least and the greatest gain.
    pub fn reach(&self) -> usize {
        self.steps.last().map_or(0, |&(step, _)| step)
    }
}

/// Distribution of the profit after some decks, all on one lattice.
#[derive(Clone, Debug, Default)]
pub(super) struct Profit {
    /// Profit of `chances[0]`, cents, in a type that no number of decks overflows.
    low: i128,
    /// Lattice step, cents; 0 before the first deck.
    unit: i64,
    chances: Vec<f64>,
    /// Probability that each deck may cut from each tail.
    tail: f64,
}

impl Profit {
    /// Starts before the first deck, with a profit of 0.
    pub fn new(tail: f64) -> Profit {
        Profit { low: 0, unit: 0, chances: vec![1.0], tail }
    }

    /// Computes the profit of this many decks; each may cut a probability of `tail` from either end.
    pub fn after(decks: u64, deck: &Deck, tail: f64) -> Profit {
        let mut profit = Profit::new(tail);
        (0..decks).for_each(|_| profit.play(deck));
        profit
    }

    /// Returns the possible profits with their probabilities; `None` if they are too great to count.
    pub fn sums(&self) -> Option<Vec<(i64, f64)>> {
        self.iter().filter(|(_, p)| *p > 0.0).map(|(at, p)| Some((i64::try_from(at).ok()?, p))).collect()
    }

    /// Returns the size of the next distribution before its tails are cut.
    pub fn width(&self, deck: &Deck) -> usize {
        self.chances.len().saturating_add(deck.reach())
    }

    /// Returns the number of multiplications for the next deck.
    pub fn cost(&self, deck: &Deck) -> u64 {
        (self.chances.len() as u64)
            .saturating_mul(deck.steps.len() as u64)
            .saturating_add(self.width(deck) as u64)
    }

    /// Adds a deck, always on the same lattice.
    pub fn play(&mut self, deck: &Deck) {
        let mut next = vec![0.0; self.width(deck)];
        for &(step, chance) in &deck.steps {
            for (to, from) in next[step..].iter_mut().zip(&self.chances) {
                *to += chance * from;
            }
        }
        let tail = |chances: &mut dyn Iterator<Item = &f64>| {
            let mut cut = 0.0;
            chances
                .take_while(|&&chance| {
                    cut += chance;
                    cut <= self.tail
                })
                .count()
        };
        let below = tail(&mut next.iter());
        let above = tail(&mut next.iter().rev());
        // At least one number is kept.
        let from = below.min(next.len() - 1);
        self.chances = next[from..(next.len() - above).max(from + 1)].to_vec();
        self.low += i128::from(deck.least) + from as i128 * i128::from(deck.unit);
        self.unit = deck.unit;
    }

    /// Multiplies every probability by a share.
    pub fn times(mut self, share: f64) -> Profit {
        self.chances.iter_mut().for_each(|chance| *chance *= share);
        self
    }

    /// Adds the probabilities of another distribution, of as many decks on the same lattice.
    pub fn add(&mut self, other: &Profit) {
        let unit = i128::from(self.unit.max(1));
        let below = ((self.low - other.low) / unit).max(0) as usize;
        if below > 0 {
            self.chances.splice(..0, std::iter::repeat_n(0.0, below));
            self.low = other.low;
        }
        let from = ((other.low - self.low) / unit) as usize;
        self.chances.resize(self.chances.len().max(from + other.chances.len()), 0.0);
        self.chances[from..].iter_mut().zip(&other.chances).for_each(|(sum, chance)| *sum += chance);
    }

    /// Removes everything below a profit, and returns its probability.
    pub fn absorb_below(&mut self, profit: i128) -> f64 {
        let unit = i128::from(self.unit.max(1));
        let first = ((profit - self.low + unit - 1).div_euclid(unit)).clamp(0, self.chances.len() as i128);
        let absorbed = &mut self.chances[..first as usize];
        let sum = absorbed.iter().sum();
        absorbed.fill(0.0);
        sum
    }

    /// Returns the quantiles of the profit at ascending probabilities, cents.
    pub fn quantiles<const N: usize>(&self, levels: [f64; N]) -> [f64; N] {
        let mut sum = 0.0;
        let mut quantiles = [f64::NAN; N];
        let mut next = 0;
        let mut profit = self.low;
        for chance in &self.chances {
            sum += chance;
            // The tolerance keeps rounding from skipping a probability that is met exactly.
            while next < N && sum + 1e-11 >= levels[next] {
                quantiles[next] = profit as f64;
                next += 1;
            }
            profit += i128::from(self.unit);
        }
        quantiles[next..].fill((profit - i128::from(self.unit)) as f64);
        quantiles
    }

    /// Returns the mean profit of the worst `share` of all courses, cents.
    pub fn mean_of_worst(&self, share: f64) -> f64 {
        let (mut left, mut sum) = (share, 0.0);
        for (at, chance) in self.iter() {
            let taken = chance.min(left);
            sum += taken * at as f64;
            left -= taken;
            if left <= 0.0 {
                break;
            }
        }
        sum / (share - left).max(f64::MIN_POSITIVE)
    }

    /// Returns each profit, cents, with its probability.
    pub fn iter(&self) -> impl Iterator<Item = (i128, f64)> {
        (self.low..).step_by(self.unit.max(1) as usize).zip(self.chances.iter().copied())
    }

    /// Returns the probability of a loss.
    pub fn below_zero(&self) -> f64 {
        let sum: f64 = self.iter().filter(|(at, _)| *at < 0).map(|(_, chance)| chance).sum();
        sum.clamp(0.0, 1.0)
    }
}

pub(super) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
