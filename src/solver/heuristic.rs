//! A heuristic for how promising a position is, used by beams and width searches. It need not be sound, since they
//! prove nothing.

use crate::cards::Card;
use crate::game::Table;
use crate::rules::Rules;

/// Which terms are added to the common ones: the cards that are up, and those that block cards which go up before them.
/// When one kind finds no win, the other often does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeuristicKind {
    /// No others.
    Order,
    /// How deep the next cards to go up lie: finds more wins under rules of a single pass, and fewer under some others.
    Depth,
}

/// Denominator of the weights.
const PART: i32 = 64;

/// Weight of a card on top of one that goes up after this many others of its suit: each is three fifths of the one
/// before.
const DEPTH: [i32; 13] = [64, 38, 23, 14, 8, 5, 3, 2, 1, 1, 0, 0, 0];

/// The weights of a card.
struct Weights {
    up: i32,
    /// In a reserve.
    reserve: i32,
    /// On a card that goes up before it, in a pile or in the waste of a last pass.
    blocks: i32,
    /// In the waste of a last pass; half as much in earlier passes.
    waste: i32,
    /// On a card in a pile that goes up next, in halves; also in a reserve.
    over_in_pile: i32,
    /// On a card in the waste of a last pass that goes up next.
    over_in_waste: i32,
}

impl HeuristicKind {
    /// Weights that did well under many rules.
    const fn weights(self) -> Weights {
        let order = Weights { up: 8, reserve: 12, blocks: 8, waste: 2, over_in_pile: 0, over_in_waste: 0 };
        match self {
            HeuristicKind::Order => order,
            HeuristicKind::Depth => Weights { waste: 6, over_in_pile: 3, over_in_waste: 4, ..order },
        }
    }
}

/// A position as the heuristic sees it. A card is given by its steps above the base rank, and its suit.
pub(super) trait Sight {
    /// Returns the number of cards that are up, and of those left in reserves.
    fn cards(&self) -> (usize, usize);
    /// Returns the redeals made, and the number of cards in the waste.
    fn turned(&self) -> (u32, usize);
    /// Returns for each suit the height of its lowest foundation.
    fn next(&self) -> [usize; 4];
    /// Returns the cards of a pile, of a reserve, or of the waste, top first.
    fn pile(&self, pile: usize) -> impl Iterator<Item = (usize, usize)>;
    fn reserve(&self, reserve: usize) -> impl Iterator<Item = (usize, usize)>;
    fn waste(&self) -> impl Iterator<Item = (usize, usize)>;
}

/// Returns the value of a position; higher is better.
pub(super) fn heuristic(at: &impl Sight, rules: &Rules, kind: HeuristicKind) -> i32 {
    let weights = kind.weights();
    let next = if kind == HeuristicKind::Depth { at.next() } else { [0; 4] };
    let (up, reserve_left) = at.cards();
    let mut whole = weights.up * up as i32 - weights.reserve * reserve_left as i32;
    let mut halves = 0;
    for pile in 0..rules.hot.piles {
        whole -= weights.blocks * blocking(at.pile(pile));
        if kind == HeuristicKind::Depth {
            halves -= weights.over_in_pile * over(at.pile(pile), &next);
        }
    }
    if kind == HeuristicKind::Depth {
        for reserve in 0..rules.hot.reserves {
            halves -= weights.over_in_pile * over(at.reserve(reserve), &next);
        }
    }
    if rules.hot.redeals != u32::MAX {
        let (redeals, waste) = at.turned();
        let last_pass = redeals >= rules.hot.redeals;
        whole -= 8 * redeals as i32;
        halves -= PART * weights.waste * waste as i32 * if last_pass { 2 } else { 1 };
        if last_pass {
            whole -= weights.blocks * blocking(at.waste());
            if kind == HeuristicKind::Depth {
                halves -= weights.over_in_waste * over(at.waste(), &next);
            }
        }
    }
    2 * PART * whole + halves
}

/// Counts the cards, given top first, that lie on one which goes up before them.
fn blocking(cards: impl Iterator<Item = (usize, usize)>) -> i32 {
    // Seen from the bottom up, a card blocks if one below it has fewer steps: of the steps seen so far from the top
    // down, those are kept that nothing lower has undercut yet.
    let mut waiting = [0u8; 14];
    let mut blocking = 0;
    for (steps, _) in cards {
        for waits in &mut waiting[steps + 1..] {
            blocking += i32::from(std::mem::take(waits));
        }
        waiting[steps] += 1;
    }
    blocking
}

/// Sums the weights of cards that lie on cards which go up soon.
fn over(cards: impl Iterator<Item = (usize, usize)>, next: &[usize; 4]) -> i32 {
    let of = |(above, (steps, suit)): (usize, (usize, usize))| {
        let wait = steps.checked_sub(next[suit]);
        above as i32 * wait.map_or(0, |wait| DEPTH[wait])
    };
    cards.enumerate().map(of).sum()
}

/// A table as the heuristic sees it.
pub(super) struct SeenTable<'a>(pub &'a Table, pub &'a Rules);

impl SeenTable<'_> {
    fn told(&self, card: Card) -> (usize, usize) {
        (self.0.base().map_or(0, |base| card.rank().steps_above(base, self.1.hot.pack)), card.suit().index())
    }
}

impl Sight for SeenTable<'_> {
    fn cards(&self) -> (usize, usize) {
        (self.0.cards(), self.0.reserve_left())
    }
    fn turned(&self) -> (u32, usize) {
        (self.0.redeals(), self.0.waste().len())
    }
    fn next(&self) -> [usize; 4] {
        next(self.0, self.1)
    }
    fn pile(&self, pile: usize) -> impl Iterator<Item = (usize, usize)> {
        self.0.pile(pile).map(|(card, _)| self.told(card))
    }
    fn reserve(&self, reserve: usize) -> impl Iterator<Item = (usize, usize)> {
        self.0.reserve(reserve).map(|card| self.told(card))
    }
    fn waste(&self) -> impl Iterator<Item = (usize, usize)> {
        self.0.waste().iter().rev().map(|&card| self.told(card))
    }
}

/// Returns for each suit the height of its lowest foundation.
fn next(table: &Table, rules: &Rules) -> [usize; 4] {
    let mut begun = [0; 4];
    let mut fewest = [usize::MAX; 4];
    for foundation in 0..4 * rules.hot.packs {
        let mut cards = table.foundation(foundation);
        if let Some(top) = cards.next() {
            let suit = top.suit().index();
            begun[suit] += 1;
            fewest[suit] = fewest[suit].min(1 + cards.count());
        }
    }
    std::array::from_fn(|suit| if begun[suit] < rules.hot.packs { 0 } else { fewest[suit] })
}
