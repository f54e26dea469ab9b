//! Finds ways to the next reveal: candidates to be judged, and plays and endgames that need no judging.

use std::collections::HashSet;

use rand::Rng;

use crate::game::{Move, MoveList, NoChance, Place, PlayerState, Table, View};
use crate::interrupt;
use crate::players::exact::{Tree, allowed};
use crate::rules::{Build, Direction, Draw, Filler, MoveUnit};
use crate::solver::{Explorer, Onward, follow};
use crate::strategy::StrategyError;

use super::judge::Judge;
use super::options::{Aim, Budget};

/// Maximum number of positions expanded for plays before an unknown stock is turned.
const BEFORE_A_DRAW: usize = 40;

/// Maximum number of ways if nothing can be solved: the nearest.
const MOST_UNSOLVED: usize = 12;

/// Collects ways to the next reveal, no two of them equivalent.
pub(super) struct Ways<'v, 'a> {
    view: &'v View<'a>,
    budget: Budget,
    /// Turning the stock reveals nothing.
    turns: bool,
    found: Vec<Vec<Move>>,
    outcomes: HashSet<u64>,
    legal: MoveList,
}

impl<'v, 'a> Ways<'v, 'a> {
    pub fn new(view: &'v View<'a>, budget: Budget) -> Ways<'v, 'a> {
        let table = view.own_table();
        let turns = !view.stock_is_news(table);
        Ways { view, budget, turns, found: Vec::new(), outcomes: HashSet::new(), legal: MoveList::new() }
    }

    /// Finds all ways, each a list of legal moves of which at most the last reveals something.
    pub fn gather(
        mut self,
        judge: &mut Judge<'_, '_>,
        rng: &mut impl Rng,
    ) -> Result<Vec<Vec<Move>>, StrategyError> {
        let view = self.view;
        if !judge.solves() {
            let world = view.sample(rng);
            self.policy(&world, judge)?;
            if !self.found.is_empty() {
                self.explore(&world);
                self.found.truncate(MOST_UNSOLVED);
            }
            return Ok(self.found);
        }
        // The first of equivalent ways is chosen. With limited passes, a delayed play may not be possible again; and
        // with piles in suit a play hardly hurts, as those cards go up in this order anyway. So the policy, which
        // plays, comes first there.
        let rules = view.rules();
        let plays = rules.stock.redeals.is_some() && rules.tableau.build == Build::SameSuit;
        let policy_first = plays || !self.turns;
        let first = policy_first.then(|| view.sample(rng));
        if let Some(world) = &first {
            self.policy(world, judge)?;
        }
        if self.turns {
            for _ in 0..self.budget.worlds {
                if interrupt::requested() {
                    return Err(StrategyError::Interrupted);
                }
                let world = view.sample(rng);
                let line = judge.line(&world);
                self.add_cut(&world, &line);
            }
        }
        let world = first.unwrap_or_else(|| view.sample(rng));
        self.explore(&world);
        let most = if self.turns { self.budget.most_ways } else { self.budget.most_unseen };
        if policy_first {
            self.found.truncate(most);
            return Ok(self.found);
        }
        self.found.truncate(most.saturating_sub(1));
        self.policy(&world, judge)?;
        Ok(self.found)
    }

    /// Finds the shortest way to each kind of reveal; before an unknown stock is turned, a way to each of the positions
    /// reachable until then.
    fn explore(&mut self, world: &Table) {
        let (view, rules) = (self.view, self.view.compiled());
        let mut explorer = Explorer::new(rules);
        let positions = if self.turns { self.budget.ways } else { BEFORE_A_DRAW.min(self.budget.ways) };
        let mut kinds: HashSet<(u64, u64)> = HashSet::new();
        let all_ways = !self.turns;
        let (told, expanded) = explorer.explore(world, self.turns, positions, |before, m, after| {
            if !view.reveals(before, m, after) {
                return Onward::Expand;
            }
            let kind = (
                before.lowest_moved(m).bit(),
                match m.target() {
                    Place::Pile(pile) => before.top_of_pile(pile).bit(),
                    _ => 0,
                },
            );
            if kinds.insert(kind) || all_ways { Onward::Tell } else { Onward::Stop }
        });
        for way in told {
            self.add_cut(world, &way);
        }
        if !self.turns {
            for mut way in expanded {
                let mut table = *world;
                let made = follow(&mut table, rules, &way);
                table.legal_moves(rules, &mut self.legal);
                let turning = self.legal.iter().copied().find(|m| !m.is_play());
                if let Some(turning) = turning.filter(|_| made == way.len()) {
                    way.push(turning);
                    self.add(world, way);
                }
            }
        }
    }

    /// Adds the policy's moves up to the next reveal.
    fn policy(&mut self, world: &Table, judge: &mut Judge<'_, '_>) -> Result<(), StrategyError> {
        let (view, rules) = (self.view, self.view.compiled());
        let rng = PlayerState::new(0, 0);
        let mut table = *world;
        let mut way = Vec::new();
        while way.len() < 200 {
            table.legal_moves(rules, &mut self.legal);
            if self.legal.is_empty() {
                break;
            }
            let seen = View::new(&table, rules, &rng).with_stakes(view.bought());
            let Some(m) = judge.policy.decide(&seen, &self.legal)?.and_then(|i| self.legal.nth(i)) else {
                break;
            };
            let before = table;
            table.apply(rules, m, &mut NoChance);
            way.push(m);
            if view.reveals(&before, m, &table) {
                self.add(world, way);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Adds a line of play up to its first reveal, once as it is and once without the plays that the reveal does not
    /// need. A line without a reveal is added whole.
    fn add_cut(&mut self, world: &Table, line: &[Move]) {
        let rules = self.view.compiled();
        let mut table = *world;
        let mut way = Vec::new();
        let mut cut = false;
        for &m in line {
            let before = table;
            table.apply(rules, m, &mut NoChance);
            way.push(m);
            if self.view.reveals(&before, m, &table) {
                cut = true;
                break;
            }
        }
        if way.is_empty() {
            return;
        }
        if cut && rules.auto.iter().all(|filler| *filler == Filler::Reserve) {
            let short = self.without_needless(world, &way);
            if short.len() != way.len() {
                self.add(world, short);
            }
        }
        self.add(world, way);
    }

    /// Returns the way without the plays that its last one does not need.
    fn without_needless(&mut self, world: &Table, way: &[Move]) -> Vec<Move> {
        let rules = self.view.compiled();
        let mut table = *world;
        let mut plays = Vec::new();
        for &m in way {
            if m.is_play() {
                plays.push((m, table.lowest_moved(m)));
            }
            table.apply(rules, m, &mut NoChance);
        }
        let mut best = way.to_vec();
        let mut i = plays.len().saturating_sub(1);
        while i > 0 {
            i -= 1;
            let mut fewer = plays.clone();
            fewer.remove(i);
            if let Some(moves) = self.play_through(world, &fewer) {
                plays = fewer;
                best = moves;
            }
        }
        best
    }

    /// Returns the moves of a series of plays, turning the stock as needed; `None` if one becomes illegal, or reveals
    /// something before the last.
    fn play_through(&mut self, world: &Table, plays: &[(Move, crate::cards::Card)]) -> Option<Vec<Move>> {
        let rules = self.view.compiled();
        let mut table = *world;
        let mut moves = Vec::new();
        for (i, &(m, card)) in plays.iter().enumerate() {
            if m.from_waste() {
                let mut place = table.stock_position();
                let most = 2 * (usize::from(place.both) + 2);
                while place.waste == 0 || table.turned_top(place.waste) != card {
                    if moves.len() > most * (i + 1) {
                        return None;
                    }
                    moves.push(place.turning(rules)?);
                    place.turn(rules);
                }
                table.turn_to(&place);
            }
            table.legal_moves(rules, &mut self.legal);
            if !self.legal.contains(&m) || table.lowest_moved(m) != card {
                return None;
            }
            let before = table;
            table.apply(rules, m, &mut NoChance);
            moves.push(m);
            if self.view.reveals(&before, m, &table) != (i + 1 == plays.len()) {
                return None;
            }
        }
        Some(moves)
    }

    /// Adds a way, unless an equivalent one exists.
    fn add(&mut self, world: &Table, way: Vec<Move>) {
        let rules = self.view.compiled();
        let mut table = *world;
        for &m in &way {
            table.apply(rules, m, &mut NoChance);
        }
        if self.outcomes.insert(table.outcome_key(rules.hot.piles)) {
            self.found.push(way);
        }
    }
}

/// Returns a play that no other play can improve on, if one is legal. Without this rule they would be put off, because
/// they look equally good later in known worlds, and might not be possible later in the real game.
///
/// With piles built down in suit, only one card fits on another, and it goes up before that one does, unless the other
/// is a base card. So it takes no other card's place and blocks nothing there, and once it can go up nothing needs it
/// as a place. Runs move as a whole, piles may be of any height, and with one card per draw each card of the stock
/// comes by regardless of what was taken from the waste.
pub(super) fn certain_play(view: &View<'_>, legal: &MoveList) -> Option<Move> {
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
