//! An upper bound on optimal play that is tighter than the clairvoyant: who knows every card pays for it.
//!
//! # The bound
//!
//! After each reveal a *penalty* is paid: what this reveal was better than its mean, by some guess of what a revealed card
//! is worth. Who does not know what comes cannot choose it, so that for such a player penalties are zero on average,
//! however it plays. The clairvoyant chooses among all plays with the penalties of each; the mean of its best is no less
//! than that of any player's, and so is an upper bound on optimal play (Brown, Smith and Sun, Operations Research 58,
//! 2010). That holds for every guess that is fixed before the deal is looked at. With no guess it is the clairvoyant's
//! mean; with V* itself it is V* on every deal.
//!
//! # The guess
//!
//! A card is worth a weight for each kind of place, of card and of time of game ([`FEATURES`] of them): whether it comes as
//! the top of a packet, under it, or from a reserve; how many cards of its suit must go up before it, once all have gone
//! up that can; how many piles take it; how much stock is left. The mean over what may be revealed is then found by
//! counting the unknown cards of each kind: nothing is sampled, so that the bound has no noise but that of the deals.
//!
//! Weights are fitted on deals of their own: to what a player came to ([`Penalty::regress`]), or by subgradient descent on
//! the bound itself, which is convex in them ([`Penalty::fit`]).
//!
//! # What came of it
//!
//! In small games, where V* is known, V* as the guess brought the bound down to V* on every deal, and random guesses never
//! brought it below. On `single-pass`, where the clairvoyant is at most 0.26 cards above a player who sees no hidden card,
//! these guesses do not help. Of 1,000 deals, with weights fitted on 4,000 others:
//!
//! | penalty | bound, cards | standard deviation |
//! |---|---|---|
//! | none: the clairvoyant | 4.132 | 2.45 |
//! | regressed on what `greedy` comes to, times 0.1 | 4.167 | 2.36 |
//! | the same, times 0.3 | 4.236 | 2.19 |
//! | the same, times 1 | 4.502 | 1.92 |
//! | fitted on the bound itself, 2 rounds of small steps | 4.133 | 2.44 |
//!
//! A guess tells well enough which deals are lucky, but the clairvoyant chooses where it is wrong: it draws when the guess
//! thinks too much of what comes, and so earns more than the little that knowing the cards is worth here. So `bracket`
//! does not use it. A guess that is to help must be wrong by much less than that.
//!
//! # For which rules
//!
//! The best of the clairvoyant's plays is found by going through all positions, without any of the solver's proofs of what
//! may be left out: penalties depend on the way. Where a deal has more positions than can be looked at, there is no bound.

use crate::cards::Card;
use crate::game::{MoveList, NoChance, StrategyRng, Table, View};
use crate::rules::Rules;
use crate::strategy::Strategy;

use super::tree::{Reveals, Step, Tree, kinds};

/// Kinds of places: packet tops, the cards under them, and the rest.
const PLACES: usize = 4;
/// Kinds of cards: by steps to go up, and by how many piles take them.
const CLASSES: usize = 12;
/// Parts of the game, by stock left.
const STAGES: usize = 3;

/// Weights of a guess.
pub const FEATURES: usize = PLACES * CLASSES * STAGES;

/// What is paid for each reveal.
#[derive(Clone, Debug, PartialEq)]
pub struct Penalty {
    weights: Vec<f64>,
}

impl Default for Penalty {
    /// Nothing is paid.
    fn default() -> Penalty {
        Penalty { weights: vec![0.0; FEATURES] }
    }
}

/// The clairvoyant with penalties.
pub struct Relaxed<'p> {
    /// The kinds in play.
    pub all: u64,
    /// What is paid.
    pub penalty: &'p Penalty,
}

impl Reveals for Relaxed<'_> {
    fn stop(&self, table: &Table, _: u64) -> f64 {
        table.cards() as f64
    }

    fn reveal(tree: &mut Tree<'_, Self>, step: &Step<'_>) -> Option<f64> {
        let paid = tree.over.penalty.paid(tree.rules, tree.over.all, step);
        Some(tree.worth(step.after, step.known | step.shown)? - paid)
    }
}

/// What a reveal tells beyond its mean, by feature.
fn each_surprise(rules: &Rules, all: u64, step: &Step<'_>, call: &mut dyn FnMut(usize, f64)) {
    let before = step.before;
    let unknown = all & !step.known;
    let stock = before.stock().len();
    let whole = stock + before.waste().len();
    let stage = if stock * 3 > whole * 2 { 0 } else { usize::from(stock * 3 <= whole) + 1 };
    let counts = classes(before, rules, all, step.known);
    let n = f64::from(unknown.count_ones());
    for kind in kinds(step.shown) {
        let card = Card::of_pack(0, kind.into());
        let place = match step.m {
            m if m.is_draw() => {
                let below = step.after.waste().iter().rev().position(|&other| other == card);
                below.map_or(3, |below| below.min(2))
            }
            _ => 3,
        };
        let first = (stage * PLACES + place) * CLASSES;
        for (class, of) in counts.iter().enumerate() {
            let is = f64::from(u8::from(of & card.bit() != 0));
            call(first + class, is - f64::from(of.count_ones()) / n);
        }
    }
}

/// The unknown kinds of each class, by what a player sees who knows these kinds.
fn classes(table: &Table, rules: &Rules, all: u64, known: u64) -> [u64; CLASSES] {
    let heights = heights(table, rules, known);
    let base = table.base();
    let mut classes = [0; CLASSES];
    for kind in kinds(all & !known) {
        let card = Card::of_pack(0, kind.into());
        let up = base.map_or(12, |base| card.rank().steps_above(base));
        let takes = |pile: &usize| {
            let fits = base.map_or(0, |base| rules.fits(base)[table.top_of_pile(*pile).kind()]);
            table.pile_len(*pile) > 0 && fits & card.bit() != 0
        };
        let fits = (0..rules.hot.piles).filter(takes).count().min(2);
        classes[3 * up.saturating_sub(heights[card.suit().index()]).min(3) + fits] |= card.bit();
    }
    classes
}

/// The heights of the foundations once all known cards have gone up that can. Cards that are not known must not count, even
/// where this table holds them: what they would change is not known before the reveal, and so has no part in its mean.
fn heights(table: &Table, rules: &Rules, known: u64) -> [usize; 4] {
    let mut heights: [usize; 4] = std::array::from_fn(|suit| table.height(suit));
    let Some(base) = table.base() else { return heights };
    let waste = table.waste();
    let mut taken = 0;
    let mut piles: Vec<Vec<Card>> = (0..rules.hot.piles)
        .map(|pile| table.pile(pile).take_while(|(_, up)| *up).map(|(card, _)| card).collect())
        .collect();
    piles.iter_mut().for_each(|pile| pile.reverse());
    let mut reserves: Vec<Card> =
        (0..rules.hot.reserves).filter_map(|reserve| table.reserve(reserve).next()).collect();
    loop {
        let mut goes = |card: Card| {
            let height = &mut heights[card.suit().index()];
            let goes = known & card.bit() != 0 && card.rank().steps_above(base) == *height;
            *height += usize::from(goes);
            goes
        };
        let mut more = false;
        for pile in &mut piles {
            while pile.last().is_some_and(|&top| goes(top)) {
                pile.pop();
                more = true;
            }
        }
        while waste.len() > taken && goes(waste[waste.len() - 1 - taken]) {
            taken += 1;
            more = true;
        }
        let before = reserves.len();
        reserves.retain(|&card| !goes(card));
        if !more && before == reserves.len() {
            return heights;
        }
    }
}

impl Penalty {
    /// With weights of somebody's choice.
    #[cfg(test)]
    pub(super) fn of(mut weight: impl FnMut() -> f64) -> Penalty {
        Penalty { weights: (0..FEATURES).map(|_| weight()).collect() }
    }

    /// What is paid for one reveal.
    pub(super) fn paid(&self, rules: &Rules, all: u64, step: &Step<'_>) -> f64 {
        let mut paid = 0.0;
        each_surprise(rules, all, step, &mut |feature, by| paid += self.weights[feature] * by);
        paid
    }

    /// The bound of one deal; `None` where it has more positions than these.
    pub fn bound(&self, table: &Table, rules: &Rules, positions: u64) -> Option<f64> {
        let over = Relaxed { all: table.all_kinds(rules), penalty: self };
        Tree::new(rules, over, positions).worth(table, table.open_kinds(rules))
    }

    /// The bound of one deal, and by how much each weight lowers it.
    fn slope(&self, table: &Table, rules: &Rules, positions: u64) -> Option<(f64, Vec<f64>)> {
        let all = table.all_kinds(rules);
        let mut tree = Tree::new(rules, Relaxed { all, penalty: self }, positions);
        let (mut table, mut known) = (*table, table.open_kinds(rules));
        let worth = tree.worth(&table, known)?;
        let mut slope = vec![0.0; FEATURES];
        loop {
            let (moves, _) = tree.line(&table, known)?;
            let mut shown = 0;
            for &m in &moves {
                let before = table;
                table.apply(rules, m, &mut NoChance);
                shown = table.open_kinds(rules) & !known;
                if shown != 0 {
                    let step = Step { before: &before, m, after: &table, known, shown };
                    each_surprise(rules, all, &step, &mut |feature, by| slope[feature] += by);
                    known |= shown;
                }
            }
            if shown == 0 {
                return Some((worth, slope));
            }
        }
    }

    /// What a player reaches in a deal, and what its reveals were beyond their means, by feature.
    fn followed(table: &Table, rules: &Rules, player: &mut dyn Strategy) -> Option<(f64, Vec<f64>)> {
        let all = table.all_kinds(rules);
        let mut table = *table;
        let mut known = table.open_kinds(rules);
        let mut sums = vec![0.0; FEATURES];
        let mut legal = MoveList::new();
        let rng = StrategyRng::new(0, 0);
        for _ in 0..MOST_MOVES {
            table.legal_moves(rules, &mut legal);
            let chosen = player.decide(&View::new(&table, rules, &rng), &legal).ok()?;
            let Some(m) = chosen.and_then(|chosen| legal.nth(chosen)) else { break };
            let before = table;
            table.apply(rules, m, &mut NoChance);
            let shown = table.open_kinds(rules) & !known;
            if shown != 0 {
                let step = Step { before: &before, m, after: &table, known, shown };
                each_surprise(rules, all, &step, &mut |feature, by| sums[feature] += by);
                known |= shown;
            }
        }
        Some((table.cards() as f64, sums))
    }

    /// Weights by which surprises tell best what a player reaches: least squares, with a little weight on small weights.
    pub fn regress(deals: &[Table], rules: &Rules, player: &mut dyn Strategy) -> Penalty {
        let rows: Vec<_> = deals.iter().filter_map(|deal| Penalty::followed(deal, rules, player)).collect();
        Penalty::least_squares(&rows)
    }

    fn least_squares(rows: &[(f64, Vec<f64>)]) -> Penalty {
        let mean = rows.iter().map(|(cards, _)| cards).sum::<f64>() / rows.len().max(1) as f64;
        let mut matrix = vec![vec![0.0; FEATURES + 1]; FEATURES];
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] = RIDGE;
        }
        for (cards, features) in rows {
            for i in 0..FEATURES {
                for j in 0..FEATURES {
                    matrix[i][j] += features[i] * features[j];
                }
                matrix[i][FEATURES] += features[i] * (cards - mean);
            }
        }
        // Gauss without pivots, as the matrix is positive definite.
        for i in 0..FEATURES {
            let pivot = matrix[i].clone();
            for (_, row) in matrix.iter_mut().enumerate().filter(|(k, _)| *k != i) {
                let by = row[i] / pivot[i];
                row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= by * p);
            }
        }
        Penalty { weights: (0..FEATURES).map(|i| matrix[i][FEATURES] / matrix[i][i]).collect() }
    }

    /// The same penalty, so many times as much.
    pub fn times(&self, by: f64) -> Penalty {
        Penalty { weights: self.weights.iter().map(|weight| weight * by).collect() }
    }

    /// Lowers the bound of these deals, each of which is looked at so many times; deals that are too large are passed over.
    pub fn fit(self, deals: &[Table], rules: &Rules, positions: u64, rounds: usize, rate: f64) -> Penalty {
        let mut now = self;
        let mut mean = Penalty::default();
        let mut counted = 0.0;
        for round in 0..rounds {
            for batch in deals.chunks(BATCH) {
                let mut slope = vec![0.0; FEATURES];
                for deal in batch {
                    if let Some((_, of)) = now.slope(deal, rules, positions) {
                        slope.iter_mut().zip(&of).for_each(|(sum, by)| *sum += by / batch.len() as f64);
                    }
                }
                for (feature, by) in slope.iter().enumerate() {
                    now.weights[feature] += rate * by;
                }
                if 2 * round >= rounds {
                    counted += 1.0;
                    for (sum, now) in mean.weights.iter_mut().zip(&now.weights) {
                        *sum += (now - *sum) / counted;
                    }
                }
            }
        }
        if counted > 0.0 { mean } else { now }
    }
}

/// Deals of a step.
const BATCH: usize = 32;

/// Most moves of a player whose reveals are followed.
const MOST_MOVES: usize = 2_000;

/// Keeps weights small that few deals tell of.
const RIDGE: f64 = 10.0;
