//! What a player sees of the other players.

use super::shared_foundations::SharedFoundations;
use super::table::Table;

/// The players around a table, as each of them sees the others. All play the same rules.
#[derive(Clone, Default)]
pub struct Opponents {
    /// Whose turn it is to look, from 0.
    pub seat: usize,
    /// The foundations that all build on, if they are shared.
    pub shared: Option<SharedFoundations>,
    /// Everybody's table, by seat. What of it can be seen is a [`View`](super::View)'s to say.
    pub(super) tables: Vec<Table>,
    /// Everybody's points so far, by seat, with what the deal under way is worth as it stands.
    pub scores: Vec<i64>,
}

impl Opponents {
    /// So many players at tables on which nothing is dealt yet.
    pub fn new(seats: usize) -> Opponents {
        Opponents { seat: 0, shared: None, tables: vec![Table::BARE; seats], scores: vec![0; seats] }
    }

    /// How many play.
    pub fn seats(&self) -> usize {
        self.tables.len()
    }

    /// Shows a player's table as it is now.
    pub fn show(&mut self, seat: usize, table: &Table) {
        self.tables[seat] = *table;
    }

    /// Becomes a copy of other opponents, without allocating where it can.
    pub(super) fn copy_from(&mut self, other: &Opponents) {
        (self.seat, self.shared) = (other.seat, other.shared);
        self.tables.clone_from(&other.tables);
        self.scores.clone_from(&other.scores);
    }
}
