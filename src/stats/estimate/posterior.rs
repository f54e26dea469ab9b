//! The mix of players after a night, by Gibbs sampling (Diebolt and Robert 1994; Gelman and others, Bayesian Data Analysis,
//! 2013, chapter 22).
//!
//! Before the night the shares have a Dirichlet distribution. Each draw says who played which decks, given the shares, and then
//! the shares, given who played. How often each kind reaches how many cards is drawn again each time from the measured games, as
//! they are a sample; the night does not change what was measured.

use rand_distr::{Beta, Binomial, Distribution, Gamma};

use super::question::{Inquest, NightRow};
use crate::cards::{Purpose, generator};

/// Chains, and their draws at first and at most; the first fifth of each is thrown away.
const CHAINS: u64 = 4;
const DRAWS: (usize, usize) = (4_000, 32_000);
/// Chains agree where R is no more.
const AGREE: f64 = 1.01;

/// Draws from the posterior, of all chains one after the other.
pub(super) struct Drawn {
    /// By kind of player.
    pub shares: Vec<Vec<f64>>,
    pub edges: Vec<f64>,
    /// The edges with one more game of each kind that is paid the most possible, and the least.
    pub worst: Vec<f64>,
    pub best: Vec<f64>,
    pub agreement: f64,
}

/// One draw.
struct Draw {
    shares: Vec<f64>,
    edge: f64,
    worst: f64,
    best: f64,
}

/// Draws shares and edges; twice as many until the chains agree.
pub(super) fn draw(asked: &Inquest<'_>) -> Drawn {
    let mut draws = DRAWS.0;
    loop {
        let chains: Vec<Vec<Draw>> = (0..CHAINS).map(|number| chain(asked, number, draws)).collect();
        let kinds = asked.suspects.len();
        let of = |kind: usize| -> Vec<Vec<f64>> {
            chains.iter().map(|chain| chain.iter().map(|draw| draw.shares[kind]).collect()).collect()
        };
        let all = |of: fn(&Draw) -> f64| chains.iter().flatten().map(of).collect();
        let agreement = (0..kinds).map(|kind| agreement(&of(kind))).fold(1.0, f64::max);
        if agreement <= AGREE || draws >= DRAWS.1 {
            return Drawn {
                shares: (0..kinds).map(|kind| of(kind).concat()).collect(),
                edges: all(|draw| draw.edge),
                worst: all(|draw| draw.worst),
                best: all(|draw| draw.best),
                agreement,
            };
        }
        draws *= 2;
    }
}

/// Numbers that sum to 1, with these parameters (Dirichlet).
fn dirichlet(parameters: impl Iterator<Item = f64>, rng: &mut impl rand::Rng) -> Vec<f64> {
    let mut drawn: Vec<f64> =
        parameters.map(|a| Gamma::new(a, 1.0).map_or(0.0, |gamma| gamma.sample(rng))).collect();
    let sum: f64 = drawn.iter().sum();
    let equal = 1.0 / drawn.len() as f64;
    drawn.iter_mut().for_each(|it| *it = if sum > 0.0 { *it / sum } else { equal });
    drawn
}

/// One chain.
fn chain(asked: &Inquest<'_>, number: u64, draws: usize) -> Vec<Draw> {
    let mut rng = generator(asked.seed, number, Purpose::Estimate);
    let mut further = generator(asked.seed, CHAINS + number, Purpose::Estimate);
    let rng = &mut rng;
    let kinds = asked.suspects.len();
    let whole: f64 = asked.suspects.iter().map(|it| it.share).sum();
    let prior: Vec<f64> = asked.suspects.iter().map(|it| asked.weight * it.share / whole).collect();
    // What is not measured is not impossible: all numbers of cards together have the weight of one game.
    let unseen = 1.0 / asked.pays.len() as f64;
    let mut shares = dirichlet(prior.iter().copied(), rng);
    let each: Vec<(usize, u64)> = {
        let mut each = vec![0u64; asked.pays.len()];
        for result in asked.results {
            if let NightRow::Each { cards, decks } = result
                && let Some(count) = each.get_mut(usize::from(*cards))
            {
                *count += u64::from(*decks);
            }
        }
        each.into_iter().enumerate().filter(|(_, decks)| *decks > 0).collect()
    };
    let together: Vec<(u32, f64)> = asked
        .results
        .iter()
        .filter_map(|it| match it {
            NightRow::Together { decks, paid } => Some((*decks, *paid as f64)),
            NightRow::Each { .. } => None,
        })
        .collect();
    // Of decks that were paid together, who played how many: at first by the shares.
    let mut who: Vec<Vec<u64>> =
        together.iter().map(|(decks, _)| split(u64::from(*decks), &shares, rng)).collect();
    let mut all = Vec::new();
    for number in 0..draws {
        let chances: Vec<Vec<f64>> = asked
            .suspects
            .iter()
            .map(|it| dirichlet(it.histogram.iter().map(|games| *games as f64 + unseen), rng))
            .collect();
        let pays: Vec<(f64, f64)> = chances.iter().map(|chances| moments(chances, asked.pays)).collect();
        let mut played: Vec<f64> = prior.clone();
        for (cards, decks) in &each {
            let weights: Vec<f64> = (0..kinds).map(|kind| shares[kind] * chances[kind][*cards]).collect();
            for (played, decks) in played.iter_mut().zip(split(*decks, &weights, rng)) {
                *played += decks as f64;
            }
        }
        for ((decks, paid), who) in together.iter().zip(&mut who) {
            exchange(who, *decks, *paid, &shares, &pays, rng);
            played.iter_mut().zip(who.iter()).for_each(|(played, decks)| *played += *decks as f64);
        }
        shares = dirichlet(played.into_iter(), rng);
        if number >= draws / 5 {
            // The weight of one more game among those measured, as in the limits of a mean (Gaffke 2005): a payment that no
            // game has shown is not impossible.
            let more: Vec<f64> = asked
                .suspects
                .iter()
                .map(|it| {
                    let games = it.histogram.iter().sum::<u64>() as f64;
                    Beta::new(1.0, games + 1.0).map_or(0.0, |beta| beta.sample(&mut further))
                })
                .collect();
            let edge = |pay: &dyn Fn(usize) -> f64| {
                let back: f64 =
                    (0..kinds).map(|kind| shares[kind] * (pay(kind) - asked.suspects[kind].fees)).sum();
                1.0 - back / asked.price as f64
            };
            let with = |end: i64| edge(&|kind| pays[kind].0 + more[kind] * (end as f64 - pays[kind].0));
            let ends = asked.pays.iter().copied();
            all.push(Draw {
                edge: edge(&|kind| pays[kind].0),
                worst: with(ends.clone().max().unwrap_or(0)),
                best: with(ends.min().unwrap_or(0)),
                shares: shares.clone(),
            });
        }
    }
    all
}

/// Mean and variance of what is paid.
fn moments(chances: &[f64], pays: &[i64]) -> (f64, f64) {
    let mean: f64 = chances.iter().zip(pays).map(|(p, pay)| p * *pay as f64).sum();
    (mean, chances.iter().zip(pays).map(|(p, pay)| p * (*pay as f64 - mean).powi(2)).sum())
}

/// Shares out some decks at random by weights (multinomial).
fn split(decks: u64, weights: &[f64], rng: &mut impl rand::Rng) -> Vec<u64> {
    let (mut left, mut whole) = (decks, weights.iter().sum::<f64>());
    let mut out = Vec::with_capacity(weights.len());
    for (i, weight) in weights.iter().enumerate() {
        let last = i + 1 == weights.len();
        let p = if whole > 0.0 { (weight / whole).clamp(0.0, 1.0) } else { 0.0 };
        let mine = if last { left } else { Binomial::new(left, p).map_or(0, |it| it.sample(rng)) };
        out.push(mine);
        left -= mine;
        whole -= weight;
    }
    out
}

/// Who played decks that were paid together, drawn again deck by deck (Metropolis): a deck of one player is given to
/// another, and back unless the sum of what they would be paid, which is normal, makes that likely enough.
fn exchange(
    who: &mut [u64],
    decks: u32,
    paid: f64,
    shares: &[f64],
    pays: &[(f64, f64)],
    rng: &mut impl rand::Rng,
) {
    let kinds = who.len();
    let sum = |who: &[u64]| {
        who.iter().zip(pays).fold((0.0, 0.0), |(m, v), (n, (mean, variance))| {
            (m + *n as f64 * mean, v + *n as f64 * variance)
        })
    };
    let likely = |who: &[u64]| {
        let (mean, variance) = sum(who);
        let variance = variance.max(1.0);
        -0.5 * (paid - mean).powi(2) / variance - 0.5 * variance.ln()
    };
    let mut now = likely(who);
    for _ in 0..decks.min(400) {
        let of = |n: usize, rng: &mut dyn rand::Rng| crate::cards::below(&mut { rng }, n as u32) as usize;
        let (from, to) = (of(kinds, rng), of(kinds, rng));
        if from == to || who[from] == 0 {
            continue;
        }
        let ratio = shares[to] * who[from] as f64 / (shares[from] * (who[to] + 1) as f64);
        who[from] -= 1;
        who[to] += 1;
        let then = likely(who);
        let chance = f64::from(crate::cards::below(rng, 1 << 30)) / f64::from(1u32 << 30);
        if ratio.is_nan() || chance >= ratio * (then - now).exp() {
            who[from] += 1;
            who[to] -= 1;
        } else {
            now = then;
        }
    }
}

/// Gelman and Rubin's R of some chains: 1 where each says the same as all.
fn agreement(chains: &[Vec<f64>]) -> f64 {
    let n = chains.first().map_or(0, Vec::len) as f64;
    let mean = |xs: &[f64]| xs.iter().sum::<f64>() / xs.len() as f64;
    let variance = |xs: &[f64]| {
        let m = mean(xs);
        xs.iter().map(|x| (x - m).powi(2)).sum::<f64>() / (xs.len() as f64 - 1.0)
    };
    let within = mean(&chains.iter().map(|chain| variance(chain)).collect::<Vec<_>>());
    let between = variance(&chains.iter().map(|chain| mean(chain)).collect::<Vec<_>>());
    if within > 0.0 { ((n - 1.0) / n + between / within).sqrt() } else { 1.0 }
}
