//! Decisions that need no sampled worlds: plays that no other play can improve on, optimal endgames, and positions without
//! unknown cards.

use rand::Rng;

use crate::game::{Move, MoveList, Place, Table, View};
use crate::interrupt;
use crate::players::exact::{Tree, allowed};
use crate::rules::{Build, Direction, Draw, Filler, MoveUnit};
use crate::solver::{Effort, Goal, Limits, Solver, Verdict};
use crate::strategy::StrategyError;

use super::Search;
use super::options::Aim;

/// Returns a play that no other play can improve on, if one is legal. Without this rule they would be put off, because
/// they look equally good later in known worlds, and might not be possible later in the real game.
///
/// With piles built down in suit, only one card fits on another, and it goes up before that one does, unless the other
/// is a base card. So it takes no other card's place and blocks nothing there, and once it can go up nothing needs it
/// as a place. Runs move as a whole, piles may be of any height, and with one card per draw each card of the stock
/// comes by regardless of what was taken from the waste.
pub(super) fn play(view: &View<'_>, legal: &MoveList) -> Option<Move> {
    let rules = view.rules();
    let (tableau, base) = (&rules.tableau, view.base()?);
    let one_at_a_time =
        matches!(&rules.stock.draw, Draw::ByPass(sizes) if sizes.iter().all(|&size| size == 1));
    let applies = rules.deal.packs == 1
        && tableau.build == Build::SameSuit
        && tableau.direction == Direction::Down
        && tableau.unit != MoveUnit::Single
        && tableau.max_height == 0
        && one_at_a_time
        && view.seats() == 1;
    // If spaces are filled from the waste automatically, taking one card changes the order of the others.
    let by_reserve = view.compiled().auto.iter().all(|filler| *filler == Filler::Reserve);
    let table = view.own_table();
    let certain = |m: &Move| {
        let card = table.lowest_moved(*m);
        let goes_up = m.to_foundation() && card.rank() != base;
        let goes_on = match m.target() {
            Place::Pile(pile) => {
                table.pile_len(pile) > 0 && table.top_of_pile(pile).rank() != base && !view.wants(card)
            }
            _ => false,
        };
        match m.source() {
            Place::Reserve(_) => goes_up || goes_on,
            Place::Waste => by_reserve && (goes_up || goes_on),
            // The move empties the pile, and the space would be filled with a different card at a later time.
            Place::Pile(pile) => goes_up && table.pile_len(pile) > 1,
            _ => false,
        }
    };
    legal.iter().copied().find(|m| applies && certain(m))
}

/// Maximum number of cards with unknown places for an optimal endgame: they have at most 120 orders.
const UNKNOWN: usize = 5;

/// Maximum number of cards that are not up. With more there are too many positions.
const LEFT: usize = 20;

/// Returns the moves of optimal play up to the next reveal, expanding at most `positions`; empty if it is best to stop.
///
/// Returns `None` if there are too many positions, or if money is paid and taken for more than cards.
pub(super) fn optimal(view: &View<'_>, aim: Aim, positions: u64, rng: &mut impl Rng) -> Option<Vec<Move>> {
    let rules = view.compiled();
    let casino = &view.rules().casino;
    let plain = !casino.has_redeal_fees() && !casino.is_staged();
    let few = view.unknown() <= UNKNOWN && view.all_cards() - view.cards() <= LEFT;
    if !(few && plain && view.base().is_some() && view.seats() == 1 && allowed(rules)) {
        return None;
    }
    let table = view.sample(rng);
    let all = table.all_kinds(rules);
    // Cards break ties.
    let scale = (view.all_cards() + 1) as f64;
    let worth = |cards: usize| match aim {
        Aim::Cards => cards as f64,
        Aim::Win => f64::from(u8::from(cards == view.all_cards())) * scale * scale + cards as f64,
        Aim::Money => view.pay(cards) as f64 * scale + cards as f64,
    };
    let mut tree = Tree::new(rules, (all, worth), positions);
    tree.line(&table, table.open_kinds(rules)).map(|(moves, _)| moves)
}

/// Maximum memory for the positions of a long solve, in bytes; its lists take at most 32 MiB more.
const MEMORY: usize = 64 << 20;

/// Factor from the usual number of positions to that of a small solve.
const SMALL: u64 = 40;

/// Factor from a small solve to a long one, which is made if the small one neither finds nor excludes a win, and the
/// maximum number of positions in all.
const LONG: u64 = 4;
const MOST: u64 = 500_000;

impl Search {
    /// Returns a winning line, or else the best one found.
    pub(super) fn outright<'r>(
        &mut self,
        mut solver: Solver<'r>,
        world: &Table,
    ) -> Result<Vec<Move>, StrategyError> {
        let nodes = self.options.nodes * SMALL;
        let small = solver.solve_small(world, &Effort { goal: Goal::Win, nodes, moves: true });
        let rules = solver.rules();
        self.kept = solver.keep();
        let heeded = interrupt::heeded();
        let stop = heeded.as_deref().unwrap_or(&interrupt::FLAG);
        let limits = Limits { nodes: Some((nodes * LONG).min(MOST)), stop: Some(stop), ..Limits::default() };
        let long = match small.proven {
            true => None,
            false => Solver::new(rules, MEMORY).ok(),
        };
        let answer = long.map(|solver| {
            let mut solver = solver.with_kept(std::mem::take(&mut self.kept_long));
            let answer = solver.solve(world, Goal::Win, &limits);
            self.kept_long = solver.keep();
            answer
        });
        if interrupt::requested() {
            return Err(StrategyError::Interrupted);
        }
        Ok(match answer {
            Some(answer) if answer.verdict == Verdict::Won => answer.moves,
            _ => small.moves,
        })
    }
}
