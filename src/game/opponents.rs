//! The opponents as a player sees them.

use super::shared_foundations::SharedFoundations;
use super::table::Table;

/// The players around a table, as each of them sees the others. All play the same rules.
#[derive(Clone, Default)]
pub struct Opponents {
    /// The seat of the player who is looking, from 0.
    pub seat: usize,
    /// The shared foundations, if the rules have them.
    pub shared: Option<SharedFoundations>,
    /// All tables, by seat. A [`View`](super::View) decides what can be seen of them.
    pub(super) tables: Vec<Table>,
    /// All scores so far, by seat, including the current value of the deal in progress.
    pub scores: Vec<i64>,
}

impl Opponents {
    /// Creates this many players with undealt tables.
    pub fn new(seats: usize) -> Opponents {
        Opponents { seat: 0, shared: None, tables: vec![Table::BARE; seats], scores: vec![0; seats] }
    }

    /// Returns the number of players.
    pub fn seats(&self) -> usize {
        self.tables.len()
    }

    /// Updates a player's table.
    pub fn show(&mut self, seat: usize, table: &Table) {
        self.tables[seat] = *table;
    }

    /// Copies other opponents, without allocating if possible.
    pub(super) fn copy_from(&mut self, other: &Opponents) {
        (self.seat, self.shared) = (other.seat, other.shared);
        self.tables.clone_from(&other.tables);
        self.scores.clone_from(&other.scores);
    }
}
