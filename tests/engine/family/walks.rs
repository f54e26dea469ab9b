//! Random games of the shelf.

use saratoga::cards::Card;
use saratoga::game::{Move, MoveList, SeededChance, Table};
use saratoga::rules::{self, Rules};

use crate::engine::support::{Whim, deck};

/// Loads a ruleset of the shelf.
pub fn rules(name: &str) -> Rules {
    rules::load(name).unwrap_or_else(|e| panic!("{e}")).rules
}

/// Returns the legal moves of a table.
pub fn legal(rules: &Rules, table: &Table) -> Vec<Move> {
    let mut moves = MoveList::new();
    table.legal_moves(rules, &mut moves);
    moves.to_vec()
}

/// Returns the table after one of its legal moves.
pub fn after(rules: &Rules, table: &Table, m: Move) -> Table {
    let mut table = *table;
    table.apply(rules, m, &mut SeededChance::new(1, 0));
    table
}

/// Returns the deal of game 0 of a seed.
pub fn dealt(rules: &Rules, seed: u64) -> Table {
    Table::deal(rules, deck(rules, seed).cards(), &mut SeededChance::new(seed, 0))
}

/// Plays many random games and passes every move to `show`, with the table before and after it.
pub fn walks(rules: &Rules, games: u64, mut show: impl FnMut(&Table, Move, &Table)) {
    for seed in 0..games {
        let mut whim = Whim::new(seed, 3, 2);
        let mut table = dealt(rules, seed);
        for _ in 0..250 {
            let mut moves = MoveList::new();
            table.legal_moves(rules, &mut moves);
            if moves.is_empty() {
                break;
            }
            let m = moves[whim.choose(&moves)];
            let next = after(rules, &table, m);
            show(&table, m, &next);
            table = next;
        }
    }
}

/// Returns the cards of a pile, top first.
pub fn pile(table: &Table, pile: usize) -> Vec<Card> {
    table.pile(pile).map(|(card, _)| card).collect()
}
