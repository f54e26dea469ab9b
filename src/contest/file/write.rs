//! Writes a contest in full, with every key.

use crate::contest::spec::ContestSpec;
use crate::rules::file::to_toml;

use super::draft::Draft;

impl ContestSpec {
    /// Returns the contest as a file with every key written out; reading it in the folder in which this program runs
    /// gives an equal [`ContestSpec`].
    ///
    /// Settings for all players (`players`, `count`, speed and jitter of the clock) are written for each player.
    pub fn to_toml(&self) -> String {
        to_toml(&Draft::from(self))
    }
}
