//! Finds ways to the next reveal.

use std::collections::HashSet;

use rand::Rng;

use crate::game::{Move, MoveList, NoChance, Place, PlayerState, Table, View};
use crate::interrupt;
use crate::rules::{Build, Filler};
use crate::solver::{Explorer, Onward};
use crate::strategy::StrategyError;

use super::options::Budget;
use super::reach::Judge;

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

    /// Returns the ways, each a list of legal moves of which at most the last reveals something.
    pub fn found(self) -> Vec<Vec<Move>> {
        self.found
    }

    /// Finds all ways.
    pub fn gather(&mut self, judge: &mut Judge<'_, '_>, rng: &mut impl Rng) -> Result<(), StrategyError> {
        let view = self.view;
        if !judge.solves() {
            let world = view.sample(rng);
            self.policy(&world, judge)?;
            if !self.found.is_empty() {
                self.explore(&world);
                self.found.truncate(MOST_UNSOLVED);
            }
            return Ok(());
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
            return Ok(());
        }
        self.found.truncate(most.saturating_sub(1));
        self.policy(&world, judge)
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
                let made = crate::solver::follow(&mut table, rules, &way);
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
