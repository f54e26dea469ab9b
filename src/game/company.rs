//! What a player sees besides the own table, where several play.

use super::middle::Middle;
use super::table::Table;

/// The players around a table, as each of them sees the others. All play the same rules.
#[derive(Clone, Default)]
pub struct Company {
    /// Whose turn it is to look, from 0.
    pub seat: usize,
    /// The foundations that all build on, if they are shared.
    pub middle: Option<Middle>,
    /// Everybody's table, by seat. What of it can be seen is a [`View`](super::View)'s to say.
    pub(super) tables: Vec<Table>,
    /// Everybody's points so far, by seat, with what the deal under way is worth as it stands.
    pub scores: Vec<i64>,
}

impl Company {
    /// So many players at tables on which nothing is dealt yet.
    pub fn new(seats: usize) -> Company {
        Company { seat: 0, middle: None, tables: vec![Table::BARE; seats], scores: vec![0; seats] }
    }

    /// How many play.
    pub fn seats(&self) -> usize {
        self.tables.len()
    }

    /// Shows a player's table as it is now.
    pub fn show(&mut self, seat: usize, table: &Table) {
        self.tables[seat] = *table;
    }

    /// Becomes a copy of another company, without allocating where it can.
    pub(super) fn copy_from(&mut self, other: &Company) {
        (self.seat, self.middle) = (other.seat, other.middle);
        self.tables.clone_from(&other.tables);
        self.scores.clone_from(&other.scores);
    }
}
