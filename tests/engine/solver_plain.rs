//! The solver compared with a plain exhaustive search, on late positions of random games and on small games.

use std::collections::HashSet;

use crate::engine::plain::ends::whole_position;
use crate::engine::support::{Whim, deck, plain, scale, shelf, specs};
use saratoga::cards::{Pack, Purpose, below, generator};
use saratoga::game::{MoveList, NoChance, Table};
use saratoga::rules::*;
use saratoga::solver::{Goal, Limits, Solver, Verdict};

/// Maximum number of reachable positions for the plain search.
const MOST: usize = 600;
/// The same for games with fewer positions.
const MORE: usize = 3000;

/// Returns whether no die and no shuffle decides inside the game.
fn is_certain(rules: &Rules) -> bool {
    let stock = &rules.spec().stock;
    stock.on_redeal == OnRedeal::Turn
        && !matches!(stock.draw, Draw::Die { roll: Roll::Draw | Roll::Pass, .. })
}

/// Returns the most cards up in any reachable position, if there are not too many.
fn plain_most(rules: &Rules, table: &Table, ahead: usize) -> Option<usize> {
    // Redeals that do not matter to the rules are left out, so that the search ends.
    let whole = |table: &Table| whole_position(rules.spec(), &plain(rules, table));
    let mut seen = HashSet::from([whole(table)]);
    let mut open = vec![*table];
    let mut legal = MoveList::new();
    let mut most = 0;
    while let Some(position) = open.pop() {
        most = most.max(position.cards());
        position.legal_moves(rules, &mut legal);
        for &m in legal.iter() {
            let mut next = position;
            next.apply(rules, m, &mut NoChance);
            if seen.insert(whole(&next)) {
                open.push(next);
            }
        }
        if seen.len() > ahead {
            return None;
        }
    }
    Some(most)
}

#[derive(Default, Debug)]
struct Compared {
    positions: usize,
    won: usize,
    gains: usize,
}

/// The compared solvers: pruned, not pruned, with relaxed rules first, and with too little memory.
struct Compare<'r> {
    name: &'r str,
    rules: &'r Rules,
    solvers: [Solver<'r>; 3],
    forgetful: Solver<'r>,
    legal: MoveList,
}

impl<'r> Compare<'r> {
    fn new(name: &'r str, rules: &'r Rules) -> Compare<'r> {
        let solver = |memory| Solver::new(rules, memory).unwrap();
        let solvers = [solver(1 << 20), solver(1 << 20).unpruned(), solver(1 << 20).relaxed_first()];
        Compare { name, rules, solvers, forgetful: solver(1 << 13), legal: MoveList::new() }
    }

    /// Compares the answers about one position. Returns false if it is too large for the plain search.
    fn position(&mut self, table: &Table, ahead: usize, compared: &mut Compared) -> bool {
        let Some(most) = plain_most(self.rules, table, ahead) else { return false };
        let all = self.rules.spec().cards();
        let at =
            format!("{}\n{}\n{}", self.name, plain(self.rules, table).dump(), self.rules.spec().to_toml());
        let expected = if most == all { Verdict::Won } else { Verdict::Lost };
        for solver in &mut self.solvers {
            let win = solver.solve(table, Goal::Win, &Limits::default());
            assert_eq!(win.verdict, expected, "{at}");
            let cards = solver.solve(table, Goal::Cards, &Limits::default());
            assert_eq!((cards.cards, cards.cards_at_most, cards.verdict), (most, most, expected), "{at}");
            // The moves reach the stated result.
            let mut end = *table;
            for &m in &cards.moves {
                end.legal_moves(self.rules, &mut self.legal);
                assert!(self.legal.contains(&m), "{at}");
                end.apply(self.rules, m, &mut NoChance);
            }
            assert_eq!(end.cards(), most, "{at}");
        }
        // If there is no room for a line of play, it says so; forgotten positions are visited again.
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let cards = self.forgetful.solve(table, Goal::Cards, &limits);
        assert!(cards.cards <= most && cards.cards_at_most >= most, "{at}");
        assert!(cards.verdict == expected || matches!(cards.verdict, Verdict::Unknown(_)), "{at}");
        compared.positions += 1;
        compared.won += usize::from(most == all);
        compared.gains += usize::from(most > table.cards());
        true
    }

    /// Compares the last positions of a random game, from the end backwards, in increasing steps.
    fn random_game(&mut self, seed: u64, compared: &mut Compared) {
        let mut whim = Whim::new(seed, 6, seed as u32 % 3);
        let mut table = Table::deal(self.rules, deck(self.rules, seed).cards(), &mut NoChance);
        let mut played = vec![table];
        for _ in 0..400 {
            table.legal_moves(self.rules, &mut self.legal);
            if self.legal.is_empty() {
                break;
            }
            table.apply(self.rules, self.legal[whim.choose(&self.legal)], &mut NoChance);
            played.push(table);
        }
        let (mut back, mut step) = (1, 1);
        while back <= played.len() && self.position(&played[played.len() - back], MOST, compared) {
            back += step;
            step += 1 + step / 4;
        }
    }

    /// Compares positions at the end of a won game, each after a few random moves that may spoil it.
    fn won_game(&mut self, seed: u64, compared: &mut Compared) {
        let table = Table::deal(self.rules, deck(self.rules, seed).cards(), &mut NoChance);
        let limits = Limits { nodes: Some(3000), ..Limits::default() };
        let answer = self.solvers[0].solve(&table, Goal::Win, &limits);
        if answer.verdict != Verdict::Won {
            return;
        }
        let mut whim = Whim::new(seed, 1, 5);
        for left in (4..60).step_by(7) {
            let mut table = table;
            for &m in &answer.moves[..answer.moves.len().saturating_sub(left)] {
                table.apply(self.rules, m, &mut NoChance);
            }
            for _ in 0..whim.below(12) {
                table.legal_moves(self.rules, &mut self.legal);
                if !self.legal.is_empty() {
                    table.apply(self.rules, self.legal[whim.choose(&self.legal)], &mut NoChance);
                }
            }
            self.position(&table, MOST, compared);
        }
    }
}

impl Compared {
    /// Compares games of a ruleset, unless chance decides in it.
    fn games(&mut self, name: &str, rules: &Rules, seeds: std::ops::Range<u64>) {
        if is_certain(rules) {
            let mut compare = Compare::new(name, rules);
            for seed in seeds {
                compare.random_game(seed, self);
                compare.won_game(seed, self);
            }
        }
    }

    /// Compares a game of a small pack from its beginning, and some such games from their end.
    fn small_game(&mut self, name: &str, spec: Spec, number: u64) {
        let Ok(rules) = Rules::new(spec) else { return };
        if !is_certain(&rules) {
            return;
        }
        let mut compare = Compare::new(name, &rules);
        let table = Table::deal(&rules, deck(&rules, number).cards(), &mut NoChance);
        compare.position(&table, MORE, self);
        if number.is_multiple_of(8) {
            compare.random_game(number, self);
        }
    }

    fn is_much(&self, positions: usize, gains: usize, won: usize) {
        println!("{self:?}");
        assert!(self.positions > positions && self.gains > gains && self.won > won, "{self:?}");
    }
}

#[test]
fn the_shelf_and_random_rulesets_agree_with_a_plain_search() {
    let mut compared = Compared::default();
    shelf().iter().for_each(|(name, rules)| compared.games(name, rules, 0..5 * scale()));
    compared.is_much(800, 200, 20);
    let mut compared = Compared::default();
    for number in 0..300 * scale() {
        let rules = Rules::new(specs::numbered(number)).unwrap();
        compared.games(&format!("random ruleset {number}"), &rules, number..number + 1);
    }
    compared.is_much(800, 200, 20);
}

/// Returns a small pack.
fn few_cards(pick: &mut impl FnMut(u32) -> u32) -> Pack {
    let (ranks, suits) = [(4, 2), (5, 2), (6, 2), (4, 3), (4, 4), (5, 3)][pick(6) as usize];
    Pack { ranks, suits }
}

/// Deals of small packs, from the beginning, with all passes to come.
#[test]
fn small_games_agree_with_a_plain_search() {
    let mut compared = Compared::default();
    let mut rng = generator(1, 0, Purpose::Strategy);
    let mut pick = |n: u32| below(&mut rng, n);
    let shelf = shelf();
    for number in 0..4000 * scale() {
        let mut spec = match pick(2) {
            0 => shelf[pick(shelf.len() as u32) as usize].1.spec().clone(),
            _ => specs::numbered(number),
        };
        spec.deal.packs = 1;
        let spec = specs::small(spec, few_cards(&mut pick));
        compared.small_game(&format!("small game {number}"), spec, number);
    }
    compared.is_much(1000, 200, 200);
}

/// Rulesets to which all pruning applies, which is rare among random ones.
#[test]
fn what_is_left_out_is_not_missed() {
    let mut compared = Compared::default();
    // In the last one a run is to be put on a card that takes the same as its last.
    for number in (0..900 * scale()).chain([10_224]) {
        let mut spec = specs::numbered(number);
        if spec.deal.packs > 1 {
            continue;
        }
        spec.reserve.piles = spec.reserve.piles.min(1);
        spec.reserve.face = ReserveFace::Top;
        spec.tableau.max_height = 0;
        spec.tableau.unit = if number % 2 == 0 { MoveUnit::Sequence } else { spec.tableau.unit };
        spec.foundation.returns = Returns::Never;
        spec.foundation.base_play = BasePlay::Optional;
        spec.spaces.auto.retain(|filler| *filler == Filler::Reserve);
        spec.spaces.while_reserve.retain(|filler| *filler != Filler::Stock);
        spec.spaces.after_reserve.retain(|filler| *filler != Filler::Stock);
        for filler in spec.spaces.while_reserve.clone() {
            if !spec.spaces.after_reserve.contains(&filler) {
                spec.spaces.after_reserve.push(filler);
            }
        }
        let Ok(rules) = Rules::new(spec) else { continue };
        compared.games(&format!("ruleset {number} to prune"), &rules, number..number + 1);
    }
    compared.is_much(800, 200, 20);
}

/// Small games in which base cards must go up or the stock fills spaces, and piles are runs: rare among random ones.
#[test]
fn turning_the_stock_is_foreseen() {
    let mut compared = Compared::default();
    let mut rng = generator(2, 0, Purpose::Strategy);
    let mut pick = |n: u32| below(&mut rng, n);
    for number in 0..2000 * scale() {
        let mut spec = specs::numbered(number);
        (spec.deal.packs, spec.pack) = (1, few_cards(&mut pick));
        spec.reserve.piles = 1;
        spec.reserve.size = 1 + pick(4) as u8;
        spec.reserve.face = ReserveFace::Top;
        spec.tableau.max_height = 0;
        spec.tableau.deal = (0..1 + pick(4)).map(|_| 1 + u8::from(pick(4) == 0)).collect();
        spec.foundation.returns = Returns::Never;
        spec.foundation.base_play = if pick(3) > 0 { BasePlay::Forced } else { BasePlay::Optional };
        let then = [Filler::Stock, Filler::Waste];
        spec.spaces.auto =
            std::iter::once(Filler::Reserve).chain(then.into_iter().filter(|_| pick(2) > 0)).collect();
        spec.spaces.after_reserve.retain(|filler| *filler != Filler::Tableau || pick(2) > 0);
        if pick(2) > 0 && !spec.spaces.after_reserve.contains(&Filler::Stock) {
            spec.spaces.after_reserve.push(Filler::Stock);
        }
        if pick(2) > 0 {
            spec.stock.redeals = None;
        }
        compared.small_game(&format!("turned game {number}"), spec, number);
    }
    compared.is_much(500, 100, 100);
}
